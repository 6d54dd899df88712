"""The names of `pullback.compat.v1.config.optimizer`, written by docs/make_exports.py."""

from pullback.compile.tiers import get_jit
from pullback.compile.tiers import set_jit

__all__ = [
    "get_jit",
    "set_jit",
]
