"""The names of `tf.autograph`."""

from ....compile.autograph import to_code, to_graph
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

__getattr__ = _missing("tf.autograph", __all__)
