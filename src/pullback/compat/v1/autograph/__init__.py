"""The names of `tf.compat.v1.autograph`."""

from ....compat.legacy.core import to_code, to_graph
from ....compile.autograph_log import set_verbosity, trace
from ....interop.names import missing as _missing
from . import experimental

__all__ = [
    "experimental",
    "set_verbosity",
    "to_code",
    "to_graph",
    "trace",
]

__getattr__ = _missing("tf1.autograph", __all__)
