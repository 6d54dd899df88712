"""The names of `tf.compat.v1.autodiff`."""

from ...api.forward_accumulator import ForwardAccumulator
from ...api.tape import GradientTape
from ...interop.names import missing as _missing

__all__ = [
    "ForwardAccumulator",
    "GradientTape",
]

__getattr__ = _missing("tf1.autodiff", __all__)
