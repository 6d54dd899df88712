"""The names of `pullback.compat.v2.summary.experimental`, written by docs/make_exports.py."""

from pullback.tensorflow.summary.functions import get_step as get_step
from pullback.tensorflow.summary.functions import set_step as set_step
from pullback.tensorflow.summary.writers import summary_scope as summary_scope

__all__ = [
    "get_step",
    "set_step",
    "summary_scope",
]
