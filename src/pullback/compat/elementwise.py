"""The element-wise functions that programs answer for classes of their own, all at once: `tf.experimental.dispatch_for_*_elementwise_*`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..base.export import export
from ..tensorflow.extension.dispatch import KINDS, OPERATORS, Kind
from . import v1, v2

#: By their names in TensorFlow's version 2, or, after `v1.`, 1.
_ONE = (
    "v1.zeros_like zeros_like v1.ones_like ones_like debugging.check_numerics math.abs math.softplus math.sign math.real math.imag "
    "math.angle math.round cast dtypes.saturate_cast v1.to_float v1.to_double v1.to_int32 v1.to_int64 v1.to_bfloat16 v1.to_complex64 "
    "v1.to_complex128 math.sigmoid math.log_sigmoid math.conj math.reciprocal_no_nan math.erfinv math.ndtri math.erfcinv math.ceil "
    "math.sqrt math.exp math.rsqrt math.acos math.floor bitwise.invert math.acosh math.asin math.asinh math.atan math.atanh math.cos "
    "math.cosh math.digamma math.erf math.erfc math.expm1 math.is_finite math.is_inf math.is_nan math.lgamma math.log math.log1p "
    "math.logical_not math.negative math.nextafter math.reciprocal math.rint math.sin math.sinh math.square math.tan math.tanh "
    "nn.relu6 nn.leaky_relu nn.gelu v1.nn.log_softmax nn.elu nn.relu nn.selu nn.softsign strings.regex_full_match "
    "strings.regex_replace v1.strings.length strings.length v1.substr v1.strings.substr strings.substr strings.to_number "
    "strings.to_hash_bucket v1.strings.to_hash_bucket strings.as_string io.decode_base64 io.encode_base64 strings.lower strings.upper "
    "strings.unicode_transcode strings.strip strings.to_hash_bucket_fast strings.to_hash_bucket_strong strings.unicode_script "
    "math.special.dawsn math.special.expint math.special.fresnel_cos math.special.fresnel_sin math.special.spence math.bessel_i0 "
    "math.bessel_i0e math.bessel_i1 math.bessel_i1e math.special.bessel_k0 math.special.bessel_k0e math.special.bessel_k1 "
    "math.special.bessel_k1e math.special.bessel_j0 math.special.bessel_j1 math.special.bessel_y0 math.special.bessel_y1 "
    "clip_by_value nn.silu image.random_brightness image.stateless_random_brightness image.adjust_brightness image.adjust_gamma "
    "image.convert_image_dtype "
)
_TWO = (
    "math.divide math.multiply math.subtract v1.math.scalar_mul math.scalar_mul math.pow dtypes.complex math.truediv v1.div "
    "math.divide_no_nan math.multiply_no_nan math.floordiv math.logical_xor math.equal math.not_equal math.add math.xdivy "
    "math.xlog1py bitwise.bitwise_and bitwise.bitwise_or bitwise.bitwise_xor bitwise.left_shift bitwise.right_shift math.atan2 "
    "v1.floor_div math.floormod math.greater math.greater_equal math.less math.less_equal math.logical_and math.logical_or "
    "math.maximum math.minimum realdiv math.squared_difference truncatediv truncatemod math.xlogy math.zeta "
    "nn.sigmoid_cross_entropy_with_logits "
)
_ASSERTIONS = (
    "debugging.assert_equal v1.debugging.assert_equal debugging.assert_none_equal v1.debugging.assert_none_equal "
    "debugging.assert_near v1.debugging.assert_near debugging.assert_less v1.debugging.assert_less debugging.assert_less_equal "
    "v1.debugging.assert_less_equal debugging.assert_greater v1.debugging.assert_greater debugging.assert_greater_equal "
    "v1.debugging.assert_greater_equal "
)


def _find_named(names: str) -> list[Any]:
    found: dict[int, Any] = {}
    for name in names.split():
        function: Any = v1 if name.startswith("v1.") else v2
        for part in name.removeprefix("v1.").split("."):
            function = getattr(function, part)
        found.setdefault(id(function), function)
    return list(found.values())


UNARY = Kind("unary elementwise", 1, lambda: _find_named(_ONE))
BINARY = Kind("binary elementwise", 2, lambda: _find_named(_TWO))
ASSERTIONS = Kind("binary elementwise assert", 2, lambda: _find_named(_ASSERTIONS))
KINDS += [UNARY, BINARY, ASSERTIONS]
OPERATORS.update(
    AddV2=v2.add, Sub=v2.subtract, Mul=v2.multiply, RealDiv=v2.truediv, FloorDiv=v2.math.floordiv, FloorMod=v2.math.floormod, Pow=v2.pow,
    Less=v2.less, LessEqual=v2.less_equal, Greater=v2.greater, GreaterEqual=v2.greater_equal, Equal=v2.equal, NotEqual=v2.not_equal,
    LogicalAnd=v2.logical_and, LogicalOr=v2.logical_or, LogicalXor=v2.math.logical_xor,
)  # fmt: skip


@export("experimental.dispatch_for_unary_elementwise_apis")
def dispatch_for_unary_elementwise_apis(x_type: object) -> Callable[[Any], Any]:
    """A decorator of a function `(function, x)` that answers all element-wise functions of one argument for a class of values.

    x_type: an annotation as `dispatch_for_api` has them.  `function` computes with a tensor what was asked for, options included.

    >>> class Celsius(tf.experimental.ExtensionType):
    ...     degrees: tf.Tensor
    >>> @tf.experimental.dispatch_for_unary_elementwise_apis(Celsius)
    ... def of_celsius(function, x):
    ...     return Celsius(function(x.degrees))
    >>> tf.abs(Celsius([-3.0, 4.0])).degrees.numpy().tolist()
    [3.0, 4.0]
    >>> tf.experimental.unregister_dispatch_for(of_celsius)
    """
    return lambda handler: UNARY.register((x_type,), handler)


@export("experimental.dispatch_for_binary_elementwise_apis")
def dispatch_for_binary_elementwise_apis(x_type: object, y_type: object) -> Callable[[Any], Any]:
    """A decorator of a function `(function, x, y)` that answers all element-wise functions of two arguments for classes of values.

    x_type, y_type: annotations as `dispatch_for_api` has them; see `dispatch_for_unary_elementwise_apis`.

    >>> class Metres(tf.experimental.ExtensionType):
    ...     length: tf.Tensor
    >>> @tf.experimental.dispatch_for_binary_elementwise_apis(Metres, Metres)
    ... def of_metres(function, x, y):
    ...     return Metres(function(x.length, y.length))
    >>> tf.maximum(Metres([1.0, 5.0]), Metres([2.0, 3.0])).length.numpy().tolist()
    [2.0, 5.0]
    >>> tf.experimental.unregister_dispatch_for(of_metres)
    """
    return lambda handler: BINARY.register((x_type, y_type), handler)


@export("experimental.dispatch_for_binary_elementwise_assert_apis")
def dispatch_for_binary_elementwise_assert_apis(x_type: object, y_type: object) -> Callable[[Any], Any]:
    """A decorator of a function `(assertion, x, y)` that answers the assertions about two arguments: `tf.debugging.assert_equal`, ...

    >>> class Seconds(tf.experimental.ExtensionType):
    ...     time: tf.Tensor
    >>> @tf.experimental.dispatch_for_binary_elementwise_assert_apis(Seconds, Seconds)
    ... def of_seconds(assertion, x, y):
    ...     assertion(x.time, y.time)
    >>> tf.debugging.assert_less(Seconds(1.0), Seconds(2.0))
    >>> tf.experimental.unregister_dispatch_for(of_seconds)
    """
    return lambda handler: ASSERTIONS.register((x_type, y_type), handler)
