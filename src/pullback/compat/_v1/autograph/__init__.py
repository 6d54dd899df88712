"""The names of `tf.compat.v1.autograph`."""

from ....compat.legacy.core import to_graph
from ....interop.names import missing as _missing
from ....ops.linalg_diag import trace
from . import experimental

__all__ = [
    "experimental",
    "to_graph",
    "trace",
]

__getattr__ = _missing("tf1.autograph", __all__)
