"""The names of `tf.autodiff`."""

from typing import TYPE_CHECKING

from ...interop.faces import missing as _missing

if TYPE_CHECKING:  # these load when first asked for
    from ...api.forward_accumulator import ForwardAccumulator
    from ...api.tape import GradientTape

__all__ = [
    "ForwardAccumulator",
    "GradientTape",
]

__getattr__ = _missing("tf.autodiff", __all__, __name__)
