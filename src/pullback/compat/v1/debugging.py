"""The names of `tf.compat.v1.debugging`."""

from typing import TYPE_CHECKING

from ...interop.faces import missing as _missing

if TYPE_CHECKING:  # these load when first asked for
    from ...api.numerics import disable_check_numerics, enable_check_numerics
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
    from ...interop.settings import (
        disable_traceback_filtering,
        enable_traceback_filtering,
        get_log_device_placement,
        is_traceback_filtering_enabled,
        set_log_device_placement,
    )
    from ...ops.effects.checks import check_numerics, is_non_decreasing, is_numeric_tensor, is_strictly_increasing
    from ...ops.effects.operations import Assert
    from ...ops.effects.shapes import assert_integer, assert_proper_iterable, assert_same_float_dtype, assert_shapes, assert_type
    from ...ops.math.compare import is_finite, is_inf, is_nan

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
    "disable_check_numerics",
    "disable_traceback_filtering",
    "enable_check_numerics",
    "enable_traceback_filtering",
    "get_log_device_placement",
    "is_finite",
    "is_inf",
    "is_nan",
    "is_non_decreasing",
    "is_numeric_tensor",
    "is_strictly_increasing",
    "is_traceback_filtering_enabled",
    "set_log_device_placement",
]

__getattr__ = _missing("tf1.debugging", __all__, __name__)
