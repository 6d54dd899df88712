"""The names of `tf.autograph`."""

from ....compile.autograph import to_graph
from ....interop.names import missing as _missing
from ....ops.linalg_diag import trace
from . import experimental

__all__ = [
    "experimental",
    "to_graph",
    "trace",
]

__getattr__ = _missing("tf.autograph", __all__)
