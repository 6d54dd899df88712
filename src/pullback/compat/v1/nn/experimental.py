"""The names of `tf.compat.v1.nn.experimental`."""

from ....interop.names import missing as _missing
from ....nn.dropout import general_dropout, stateless_dropout

__all__ = [
    "general_dropout",
    "stateless_dropout",
]

__getattr__ = _missing("tf1.nn.experimental", __all__)
