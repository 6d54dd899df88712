"""The names of `pullback.compat.v1.autograph`, written by docs/make_exports.py."""

from pullback.compat.v1.autograph import experimental as experimental
from pullback.tensorflow.legacy.core import to_code as to_code
from pullback.tensorflow.legacy.core import to_graph as to_graph
from pullback.trace.autograph_log import set_verbosity as set_verbosity
from pullback.trace.autograph_log import trace as trace

__all__ = [
    "experimental",
    "set_verbosity",
    "to_code",
    "to_graph",
    "trace",
]
