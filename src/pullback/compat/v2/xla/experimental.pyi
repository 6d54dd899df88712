"""The names of `pullback.compat.v2.xla.experimental`, written by docs/make_exports.py."""

from pullback.tensorflow.xla import compile as compile
from pullback.tensorflow.xla import jit_scope as jit_scope

__all__ = [
    "compile",
    "jit_scope",
]
