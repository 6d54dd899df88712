"""The names of `tf.compat.v1.debugging`."""

from ...compat.legacy.asserts import (
    assert_equal,
    assert_greater,
    assert_greater_equal,
    assert_less,
    assert_less_equal,
    assert_near,
    assert_negative,
    assert_non_negative,
    assert_non_positive,
    assert_none_equal,
    assert_positive,
    assert_rank,
    assert_rank_at_least,
    assert_rank_in,
    assert_scalar,
)
from ...compat.legacy.math import verify_tensor_all_finite as assert_all_finite
from ...interop.names import missing as _missing
from ...ops.checks import check_numerics, is_non_decreasing, is_numeric_tensor, is_strictly_increasing
from ...ops.compare import is_finite, is_inf, is_nan
from ...ops.effects import Assert
from ...ops.effects_shapes import assert_integer, assert_proper_iterable, assert_same_float_dtype, assert_shapes, assert_type

__all__ = [
    "Assert",
    "assert_all_finite",
    "assert_equal",
    "assert_greater",
    "assert_greater_equal",
    "assert_integer",
    "assert_less",
    "assert_less_equal",
    "assert_near",
    "assert_negative",
    "assert_non_negative",
    "assert_non_positive",
    "assert_none_equal",
    "assert_positive",
    "assert_proper_iterable",
    "assert_rank",
    "assert_rank_at_least",
    "assert_rank_in",
    "assert_same_float_dtype",
    "assert_scalar",
    "assert_shapes",
    "assert_type",
    "check_numerics",
    "is_finite",
    "is_inf",
    "is_nan",
    "is_non_decreasing",
    "is_numeric_tensor",
    "is_strictly_increasing",
]

__getattr__ = _missing("tf1.debugging", __all__)
