"""The names of `pullback.compat.v1.debugging`, written by docs/make_exports.py."""

from pullback.api.numerics import disable_check_numerics as disable_check_numerics
from pullback.api.numerics import enable_check_numerics as enable_check_numerics
from pullback.interop.settings import disable_traceback_filtering as disable_traceback_filtering
from pullback.interop.settings import enable_traceback_filtering as enable_traceback_filtering
from pullback.interop.settings import get_log_device_placement as get_log_device_placement
from pullback.interop.settings import is_traceback_filtering_enabled as is_traceback_filtering_enabled
from pullback.interop.settings import set_log_device_placement as set_log_device_placement
from pullback.ops.effects.checks import check_numerics as check_numerics
from pullback.ops.effects.checks import is_non_decreasing as is_non_decreasing
from pullback.ops.effects.checks import is_numeric_tensor as is_numeric_tensor
from pullback.ops.effects.checks import is_strictly_increasing as is_strictly_increasing
from pullback.ops.effects.operations import Assert as Assert
from pullback.ops.effects.shapes import assert_proper_iterable as assert_proper_iterable
from pullback.ops.effects.shapes import assert_same_float_dtype as assert_same_float_dtype
from pullback.ops.primitives.compare import is_finite as is_finite
from pullback.ops.primitives.compare import is_inf as is_inf
from pullback.ops.primitives.compare import is_nan as is_nan
from pullback.tensorflow.legacy.asserts import assert_equal as assert_equal
from pullback.tensorflow.legacy.asserts import assert_greater as assert_greater
from pullback.tensorflow.legacy.asserts import assert_greater_equal as assert_greater_equal
from pullback.tensorflow.legacy.asserts import assert_integer as assert_integer
from pullback.tensorflow.legacy.asserts import assert_less as assert_less
from pullback.tensorflow.legacy.asserts import assert_less_equal as assert_less_equal
from pullback.tensorflow.legacy.asserts import assert_near as assert_near
from pullback.tensorflow.legacy.asserts import assert_negative as assert_negative
from pullback.tensorflow.legacy.asserts import assert_non_negative as assert_non_negative
from pullback.tensorflow.legacy.asserts import assert_non_positive as assert_non_positive
from pullback.tensorflow.legacy.asserts import assert_none_equal as assert_none_equal
from pullback.tensorflow.legacy.asserts import assert_positive as assert_positive
from pullback.tensorflow.legacy.asserts import assert_rank as assert_rank
from pullback.tensorflow.legacy.asserts import assert_rank_at_least as assert_rank_at_least
from pullback.tensorflow.legacy.asserts import assert_rank_in as assert_rank_in
from pullback.tensorflow.legacy.asserts import assert_scalar as assert_scalar
from pullback.tensorflow.legacy.asserts import assert_shapes as assert_shapes
from pullback.tensorflow.legacy.asserts import assert_type as assert_type
from pullback.tensorflow.legacy.math import verify_tensor_all_finite as assert_all_finite

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
