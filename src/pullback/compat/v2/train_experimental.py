"""The names of `tf.train.experimental`, of both versions."""

from ...interop.names import missing as _missing
from ...train.trackable import PythonState

__all__ = ["PythonState"]

__getattr__ = _missing("tf.train.experimental", __all__)
