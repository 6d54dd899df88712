"""The names of `pullback.compat.v1.autograph`, written by docs/make_exports.py."""

from pullback.compat.v1.autograph import experimental
from pullback.tensorflow.legacy.core import to_code
from pullback.tensorflow.legacy.core import to_graph
from pullback.trace.autograph_log import set_verbosity
from pullback.trace.autograph_log import trace

__all__ = [
    "experimental",
    "set_verbosity",
    "to_code",
    "to_graph",
    "trace",
]
