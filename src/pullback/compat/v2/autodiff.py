"""The names of `tf.autodiff`."""

from ...api.tape import GradientTape
from ...interop.names import missing as _missing

__all__ = [
    "GradientTape",
]

__getattr__ = _missing("tf.autodiff", __all__)
