"""The names of `tf.autodiff`."""

from ...api.forward_accumulator import ForwardAccumulator
from ...api.tape import GradientTape
from ...interop.names import missing as _missing

__all__ = [
    "ForwardAccumulator",
    "GradientTape",
]

__getattr__ = _missing("tf.autodiff", __all__)
