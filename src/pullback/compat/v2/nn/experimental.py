"""The names of `tf.nn.experimental`."""

from ....interop.names import missing as _missing
from ....nn.dropout import stateless_dropout

__all__ = [
    "stateless_dropout",
]

__getattr__ = _missing("tf.nn.experimental", __all__)
