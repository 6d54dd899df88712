"""The names of `tf.compat.v1.linalg.experimental`."""

from ...interop.names import missing as _missing
from ...linear_operators import conjugate_gradient

__all__ = ["conjugate_gradient"]

__getattr__ = _missing("tf1.linalg.experimental", __all__)
