"""Keras's metrics by name and configuration."""

from __future__ import annotations

from typing import Any

from ..base.export import export
from . import metrics_keras, metrics_keras_confusion, metrics_keras_functions, metrics_keras_scores
from .metrics_keras import Metric


def _known() -> dict[str, Any]:
    modules = (metrics_keras, metrics_keras_confusion, metrics_keras_scores)
    classes = {n: c for m in modules for n, c in vars(m).items() if isinstance(c, type) and issubclass(c, Metric) and not n.startswith("_")}
    return {**{n: getattr(metrics_keras_functions, n) for n in metrics_keras_functions.__all__}, **classes}


@export(v2="keras.metrics.get")
def get(identifier: Any) -> Any:
    """A metric by what names it: a name of a class or function, a configuration, or a metric itself; None stays None.

    Raises ValueError for another name.

    >>> import pullback as tf
    >>> type(tf.metrics.get("AUC")).__name__
    'AUC'
    """
    if identifier is None or callable(identifier):
        return identifier
    if isinstance(identifier, (dict, str)):
        return deserialize(identifier)
    raise ValueError(f"Could not interpret metric identifier: {identifier}")


@export(v2="keras.metrics.deserialize")
def deserialize(config: Any, custom_objects: dict[str, Any] | None = None) -> Any:
    """A metric from what `serialize` gave, or by name; custom_objects: more names.

    >>> import pullback as tf
    >>> tf.metrics.deserialize({"class_name": "BinaryAccuracy", "config": {"threshold": 0.7}}).get_config()["threshold"]
    0.7
    """
    known = {**_known(), **(custom_objects or {})}
    key = config.get("class_name") if isinstance(config, dict) else config
    if key not in known:
        raise ValueError(f"Could not interpret metric identifier: {config}")
    found = known[key]
    if isinstance(found, type):
        return found.from_config(config.get("config", {})) if isinstance(config, dict) else found()  # type: ignore[attr-defined]  # a Metric
    return found


@export(v2="keras.metrics.serialize")
def serialize(metric: Any) -> Any:
    """What `deserialize` makes a metric of again: a name, or a class and its configuration.

    >>> import pullback as tf
    >>> tf.metrics.serialize(tf.metrics.AUC())["class_name"]
    'AUC'
    """
    if isinstance(metric, Metric):
        return {"module": "keras.metrics", "class_name": type(metric).__name__, "config": metric.get_config(), "registered_name": None}
    return metric.__name__
