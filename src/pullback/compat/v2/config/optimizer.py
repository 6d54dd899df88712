"""The names of `tf.config.optimizer`."""

from ....compile.tiers import get_jit, set_jit
from ....interop.names import missing as _missing

__all__ = [
    "get_jit",
    "set_jit",
]

__getattr__ = _missing("tf.config.optimizer", __all__)
