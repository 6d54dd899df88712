"""Initializers of Keras as dictionaries, and from them."""

from __future__ import annotations

from typing import Any

from ..base.export import export
from .initializers import Initializer
from .keras_initializers import get


@export(v2="keras.initializers.serialize")
def serialize(initializer: Any) -> dict[str, Any]:
    """An initializer as a dictionary of its class's name and its arguments, which `deserialize` takes.

    Raises ValueError for what is no initializer.

    >>> import pullback as tf
    >>> tf.keras.initializers.serialize(tf.keras.initializers.Constant(2.0))["config"]
    {'value': 2.0}
    """
    if not isinstance(initializer, Initializer):
        raise ValueError(f"serialize takes an initializer, not {initializer!r}")
    config = initializer.get_config()
    return {"module": "keras.initializers", "class_name": type(initializer).__name__, "config": config, "registered_name": None}


@export(v2="keras.initializers.deserialize")
def deserialize(config: Any, custom_objects: dict[str, Any] | None = None) -> Any:
    """The initializer of a name, or of a dictionary that `serialize` made; custom_objects: more classes by name.

    Raises KeyError for a class that is not known, ValueError for a name that is not.

    >>> import pullback as tf
    >>> tf.keras.initializers.deserialize({"class_name": "Constant", "config": {"value": 2.0}})([1]).numpy().tolist()
    [2.0]
    """
    name = config["class_name"] if isinstance(config, dict) else config
    if custom_objects and name in custom_objects:
        return custom_objects[name].from_config(config.get("config", {})) if isinstance(config, dict) else custom_objects[name]()
    return get(config)


__all__ = ["deserialize", "serialize"]
