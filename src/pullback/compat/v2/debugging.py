"""The names of `tf.debugging`."""

from ...interop.names import missing as _missing
from ...ops.checks import check_numerics, is_numeric_tensor

__all__ = [
    "check_numerics",
    "is_numeric_tensor",
]

__getattr__ = _missing("tf.debugging", __all__)
