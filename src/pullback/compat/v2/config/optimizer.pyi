"""The names of `pullback.compat.v2.config.optimizer`, written by docs/make_exports.py."""

from pullback.engine.jit_policy import get_jit as get_jit
from pullback.engine.jit_policy import set_jit as set_jit

__all__ = [
    "get_jit",
    "set_jit",
]
