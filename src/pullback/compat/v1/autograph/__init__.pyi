"""The names of `pullback.compat.v1.autograph`, written by docs/make_exports.py."""

from pullback.compat.legacy.core import to_code
from pullback.compat.legacy.core import to_graph
from pullback.compat.v1.autograph import experimental
from pullback.compile.autograph_log import set_verbosity
from pullback.compile.autograph_log import trace

__all__ = [
    "experimental",
    "set_verbosity",
    "to_code",
    "to_graph",
    "trace",
]
