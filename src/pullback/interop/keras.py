"""`tf.keras` is the Keras library, whose TensorFlow backend finds Pullback where it imports `tensorflow`.

It is imported when a program first asks for `tf.keras`, or says `import keras`.
"""

from __future__ import annotations

import importlib
import os
import random
import sys
import warnings
from collections.abc import Sequence
from functools import wraps
from types import ModuleType
from typing import TYPE_CHECKING, Any

from ..base.export import export
from ..base.lazy_import import LazyModule
from ..ir.tracebacks import trims_errors

if TYPE_CHECKING:
    from keras._tf_keras import keras as keras
    from keras._tf_keras.keras import initializers as initializers, losses as losses, metrics as metrics, optimizers as optimizers

    from ..diagnose import reasons
else:
    reasons = LazyModule("pullback.diagnose.reasons")

#: Names of `tf`, and which part of Keras they are.
_SPACES = {"keras": "", "initializers": ".initializers", "losses": ".losses", "metrics": ".metrics", "optimizers": ".optimizers"}


def load_keras(space: str = "keras") -> ModuleType:
    """`tf.keras`, or one of the namespaces that `tf` has of it: of Keras 3, or of Keras 2 where `TF_USE_LEGACY_KERAS` asks for it.

    Raises:
        ImportError: Keras is not installed, or runs on TensorFlow itself, which was imported before.
    """
    os.environ.setdefault("KERAS_BACKEND", "tensorflow")
    serve_to_keras()
    package, inside = ("tf_keras", "tf_keras.api._v2.keras") if uses_legacy_keras() else ("keras", "keras._tf_keras.keras")
    found = sys.modules.get(f"{inside}{_SPACES[space]}")
    if found is not None:
        return found
    drawn = random.getstate()  # Keras draws a seed when it is imported, which TensorFlow does before a program can say a seed of its own
    try:
        return importlib.import_module(f"{inside}{_SPACES[space]}")
    except ModuleNotFoundError as error:
        if error.name != package:
            raise
        raise ImportError(f"tf.{space} is Keras, which is not installed: pip install {package}", name=package) from error
    finally:
        random.setstate(drawn)


def uses_legacy_keras() -> bool:
    """Whether the environment asks for Keras 2, as of TensorFlow."""
    return os.environ.get("TF_USE_LEGACY_KERAS") in ("true", "True", "1")


def serve_to_keras() -> None:
    """Let Keras find Pullback as `tensorflow`.

    Raises:
        ImportError: TensorFlow itself was imported before.
    """
    hook = importlib.import_module(".hook", __package__)
    if hook.served_version() is not None:
        return
    if "tensorflow" in sys.modules:
        raise ImportError("Keras runs on the TensorFlow that was imported before, not on Pullback: import one of the two in a program")
    hook.serve_tensorflow(2)


def explain_missing_gradients() -> None:
    """Let the optimizers of a Keras that runs on Pullback say why a gradient is None, as `tf.compat.v1.train`'s do."""
    module = importlib.import_module("keras.src.optimizers.base_optimizer")
    if module.backend.backend() != "tensorflow" or importlib.import_module(".hook", __package__).served_version() is None:
        return
    kind = module.BaseOptimizer
    filter_gradients = kind._filter_empty_gradients

    @trims_errors
    @wraps(filter_gradients)
    def filter_and_explain(self: Any, grads: Sequence[Any], vars: Sequence[Any]) -> Any:
        missing = [v for g, v in zip(grads, vars, strict=False) if g is None]
        if not missing:
            return filter_gradients(self, grads, vars)
        why = reasons.why_none_for([getattr(v, "_value", v) for v in missing], [getattr(v, "path", v.name) for v in missing])
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            try:
                found = filter_gradients(self, grads, vars)
            except ValueError as error:
                raise ValueError(f"{error}{why}") from None
        for one in told:
            warnings.warn(f"{one.message}{why}", one.category, stacklevel=3)
        return found

    kind._filter_empty_gradients = filter_and_explain


def serve_to_program() -> None:
    """Let a program that imports Keras have it on Pullback; one that imported TensorFlow itself, or wants another backend, keeps that."""
    if "tensorflow" not in sys.modules and os.environ.get("KERAS_BACKEND", "tensorflow") == "tensorflow":
        serve_to_keras()


class KerasSpace(ModuleType):
    """`tf.keras`, or one of its namespaces that `tf` has too: Keras is imported when one of its names is asked for."""

    def __init__(self, space: str) -> None:
        super().__init__(f"tensorflow.{space}", f"`tf.{space}` is Keras.")
        self.__dict__["_space"] = space

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name != "__version__":
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}", name=name)
        return getattr(load_keras(self.__dict__["_space"]), name)

    def __dir__(self) -> list[str]:
        return dir(load_keras(self.__dict__["_space"]))


if not TYPE_CHECKING:  # type checkers and editors read Keras itself
    keras = export("keras")(KerasSpace("keras"))
    initializers = export(v2="initializers")(KerasSpace("initializers"))
    losses = export(v2="losses")(KerasSpace("losses"))
    metrics = export(v2="metrics")(KerasSpace("metrics"))
    optimizers = export(v2="optimizers")(KerasSpace("optimizers"))
