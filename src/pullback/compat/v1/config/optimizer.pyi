"""The names of `pullback.compat.v1.config.optimizer`, written by docs/make_exports.py."""

from pullback.engine.jit_policy import get_jit as get_jit
from pullback.engine.jit_policy import set_jit as set_jit
from pullback.interop.options import get_experimental_options as get_experimental_options
from pullback.interop.options import set_experimental_options as set_experimental_options

__all__ = [
    "get_experimental_options",
    "get_jit",
    "set_experimental_options",
    "set_jit",
]
