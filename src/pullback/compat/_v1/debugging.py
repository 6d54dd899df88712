"""The names of `tf.compat.v1.debugging`."""

from ...interop.names import missing as _missing
from ...ops.checks import check_numerics, is_non_decreasing, is_numeric_tensor, is_strictly_increasing
from ...ops.compare import is_finite, is_inf, is_nan

__all__ = [
    "check_numerics",
    "is_finite",
    "is_inf",
    "is_nan",
    "is_non_decreasing",
    "is_numeric_tensor",
    "is_strictly_increasing",
]

__getattr__ = _missing("tf1.debugging", __all__)
