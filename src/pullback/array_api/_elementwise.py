"""Element-wise functions of the Array API: TensorFlow's operations, with the standard's promotion and names."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ..base.dtypes import DType
from ..compat import v2 as tf
from ..ir.tensor import Tensor
from . import _complex
from ._dtypes import kind_of, promote_arrays
from ._examples import EXAMPLES

_WHOLE = {1: "int8", 2: "int16", 4: "int32", 8: "int64"}


def _document(function: Callable[..., Any], name: str, says: str) -> Callable[..., Any]:
    arguments, answer = EXAMPLES[name]
    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"{says}\n\n>>> xp.{name}({arguments}).numpy().tolist()\n{answer}\n"
    return function


def _unary(name: str, of: Callable[[Tensor], Tensor], kinds: str, says: str) -> Callable[..., Any]:
    """A function of one array; `kinds`: first letters of the kinds it takes (b, i, r, c)."""

    def function(x: Tensor, /) -> Tensor:
        if kind_of(x.dtype)[0] not in kinds:
            raise TypeError(f"{name}: no meaning for {x.dtype.name}")
        return of(x)

    return _document(function, name, says)


def _binary(name: str, of: Callable[[Tensor, Tensor], Tensor], kinds: str, says: str) -> Callable[..., Any]:
    """A function of two arrays, or one and a Python number, of one dtype after promotion."""

    def function(x1: Tensor | complex, x2: Tensor | complex, /) -> Tensor:
        a, b = promote_arrays(x1, x2)
        if kind_of(a.dtype)[0] not in kinds:
            raise TypeError(f"{name}: no meaning for {a.dtype.name}")
        return of(a, b)

    return _document(function, name, says)


def is_complex(x: Tensor) -> bool:
    """Whether an array is of complex numbers."""
    return kind_of(x.dtype) == "complex floating"


def is_whole(x: Tensor) -> bool:
    """Whether an array is of integers or truth values."""
    return kind_of(x.dtype) in ("integral", "bool")


def _dispatch_kind(real: Callable[[Any], Any], complex_: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda x: complex_(x) if is_complex(x) else real(x)


def _keep_whole(of: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda x: tf.identity(x) if is_whole(x) else of(x)


def _logarithm(base: float) -> Callable[[Any], Any]:
    scale = 1 / math.log(base)
    return lambda x: tf.math.log(x) * tf.constant(scale, x.dtype)


def signbit(x: Tensor, /) -> Tensor:
    """Whether the sign bit is set, of negative zeros and NaN too; of a real array, as booleans.

    >>> xp.signbit(xp.asarray([-0.0, 2.0])).numpy().tolist()
    [True, False]
    """
    if kind_of(x.dtype) != "real floating":
        raise TypeError(f"signbit: no meaning for {x.dtype.name}")
    return tf.bitcast(x, _WHOLE[x.dtype.size]) < 0


def _sign(x: Any) -> Any:
    if x.dtype.numpy_dtype.kind == "u":
        return tf.cast(x != 0, x.dtype)
    if kind_of(x.dtype) == "real floating":
        return tf.where(tf.math.is_nan(x), x, tf.sign(x))
    return tf.sign(x)


def _negative(x: Any) -> Any:
    return tf.zeros_like(x) - x if x.dtype.numpy_dtype.kind == "u" else tf.negative(x)


def _absolute(x: Any) -> Any:
    return tf.identity(x) if x.dtype.numpy_dtype.kind == "u" else tf.abs(x)


def _truth(of: Callable[[Tensor], Tensor], whole: bool) -> Callable[[Tensor], Tensor]:
    """A question about floats; whole numbers all answer `whole`, complex ones as their parts do."""

    def function(x: Tensor) -> Tensor:
        if is_whole(x):
            return tf.fill(tf.shape(x), whole)
        if is_complex(x):
            parts = of(tf.math.real(x)), of(tf.math.imag(x))
            return tf.logical_and(*parts) if whole else tf.logical_or(*parts)
        return of(x)

    return function


def _invert(x: Any) -> Any:
    return tf.logical_not(x) if kind_of(x.dtype) == "bool" else tf.bitwise.invert(x)


def _bits(whole: Callable[[Any, Any], Any], truth: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    return lambda x, y: truth(x, y) if kind_of(x.dtype) == "bool" else whole(x, y)


def _copysign(x: Any, y: Any) -> Any:
    return tf.where(signbit(x) == signbit(y), x, -x)


def _hypot(x: Any, y: Any) -> Any:
    x, y = tf.abs(x), tf.abs(y)
    large, small = tf.maximum(x, y), tf.minimum(x, y)
    infinite = tf.math.is_inf(x) | tf.math.is_inf(y)
    ratio = tf.where(infinite, tf.zeros_like(x), tf.math.divide_no_nan(small, large))
    return tf.where(infinite, tf.constant(np.inf, x.dtype), large * tf.sqrt(1 + ratio * ratio))


def _logaddexp(x: Any, y: Any) -> Any:
    largest, gap = tf.maximum(x, y), tf.abs(x - y)
    return tf.where(x == y, x + tf.constant(math.log(2), x.dtype), largest + tf.math.log1p(tf.exp(-gap)))


def _shift_left(x1: Any, x2: Any) -> Any:
    """All bits are lost where they move by as many as there are, for which TensorFlow's operation moves by one less."""
    return tf.where(x2 >= 8 * x1.dtype.size, tf.zeros_like(x1), tf.bitwise.left_shift(x1, x2))


def _floor_divide(x: Any, y: Any) -> Any:
    """Floor division; of floats, with infinities as the standard's table of special cases has them."""
    if is_whole(x):
        return tf.math.floordiv(x, y)
    zero = tf.zeros_like(x)
    by_infinity = tf.math.is_inf(y) & tf.math.is_finite(x)
    return tf.where(by_infinity, tf.where(signbit(x) == signbit(y), zero, -zero), tf.floor(x / y))


def _remainder(x: Any, y: Any) -> Any:
    if is_whole(x):
        return tf.math.floormod(x, y)
    found = tf.math.floormod(x, y)
    found = tf.where(found == 0, _copysign(found, y), found)
    odd = tf.math.is_inf(y) & tf.math.is_finite(x)
    return tf.where(odd, tf.where((signbit(x) == signbit(y)) | (x == 0), _copysign(x, y), y), found)


def _power(x: Any, y: Any) -> Any:
    if x.dtype.numpy_dtype.kind == "u":
        return tf.cast(tf.pow(tf.cast(x, "int64"), tf.cast(y, "int64")), x.dtype)
    return tf.pow(x, y)


def _square(x: Any) -> Any:
    return tf.square(x) if x.dtype.numpy_dtype.kind != "u" and x.dtype.size > 2 else x * x


_FLOATS, _REAL, _NUMBERS, _ALL = "rc", "r", "irc", "birc"

abs = _unary("abs", _absolute, _NUMBERS, "The absolute value; of complex numbers the magnitude, in their real dtype.")
acos = _unary("acos", _dispatch_kind(tf.acos, _complex.acos), _FLOATS, "The principal inverse cosine.")
acosh = _unary("acosh", _dispatch_kind(tf.acosh, _complex.acosh), _FLOATS, "The inverse hyperbolic cosine.")
asin = _unary("asin", _dispatch_kind(tf.asin, _complex.asin), _FLOATS, "The principal inverse sine.")
asinh = _unary("asinh", _dispatch_kind(tf.asinh, _complex.asinh), _FLOATS, "The inverse hyperbolic sine.")
atan = _unary("atan", _dispatch_kind(tf.atan, _complex.atan), _FLOATS, "The principal inverse tangent.")
atanh = _unary("atanh", _dispatch_kind(tf.atanh, _complex.atanh), _FLOATS, "The inverse hyperbolic tangent.")
bitwise_invert = _unary("bitwise_invert", _invert, "bi", "Every bit, or truth value, turned over.")
ceil = _unary("ceil", _keep_whole(tf.math.ceil), "ir", "The next whole number upwards.")
conj = _unary("conj", lambda x: tf.math.conj(x) if is_complex(x) else tf.identity(x), _NUMBERS, "The complex conjugate.")
cos = _unary("cos", tf.cos, _FLOATS, "The cosine, of radians.")
cosh = _unary("cosh", tf.cosh, _FLOATS, "The hyperbolic cosine.")
exp = _unary("exp", tf.exp, _FLOATS, "The exponential function.")
expm1 = _unary("expm1", _dispatch_kind(tf.math.expm1, _complex.expm1), _FLOATS, "`exp(x) - 1`, exact for small x.")
floor = _unary("floor", _keep_whole(tf.floor), "ir", "The next whole number downwards.")
imag = _unary("imag", tf.math.imag, "c", "The imaginary part.")
isfinite = _unary("isfinite", _truth(tf.math.is_finite, True), _NUMBERS, "Whether each element is finite.")
isinf = _unary("isinf", _truth(tf.math.is_inf, False), _NUMBERS, "Whether each element is infinite.")
isnan = _unary("isnan", _truth(tf.math.is_nan, False), _NUMBERS, "Whether each element is NaN.")
log = _unary("log", tf.math.log, _FLOATS, "The natural logarithm.")
log1p = _unary("log1p", _dispatch_kind(tf.math.log1p, _complex.log1p), _FLOATS, "`log(1 + x)`, exact for small x.")
log2 = _unary("log2", _logarithm(2), _FLOATS, "The logarithm to base 2.")
log10 = _unary("log10", _logarithm(10), _FLOATS, "The logarithm to base 10.")
logical_not = _unary("logical_not", tf.logical_not, "b", "Not x.")
negative = _unary("negative", _negative, _NUMBERS, "-x.")
positive = _unary("positive", tf.identity, _NUMBERS, "+x.")
real = _unary("real", lambda x: tf.math.real(x) if is_complex(x) else tf.identity(x), _NUMBERS, "The real part.")
reciprocal = _unary("reciprocal", tf.math.reciprocal, _FLOATS, "1 / x.")
round = _unary(
    "round", _dispatch_kind(_keep_whole(tf.round), lambda x: tf.complex(tf.round(tf.math.real(x)), tf.round(tf.math.imag(x)))), _NUMBERS,
    "The nearest whole number, of two the even one.",
)
sign = _unary("sign", _sign, _NUMBERS, "-1, 0 or 1; of complex numbers x / |x|; NaN of NaN.")
sin = _unary("sin", tf.sin, _FLOATS, "The sine, of radians.")
sinh = _unary("sinh", tf.sinh, _FLOATS, "The hyperbolic sine.")
sqrt = _unary("sqrt", tf.sqrt, _FLOATS, "The principal square root.")
square = _unary("square", _square, _NUMBERS, "x * x.")
tan = _unary("tan", tf.tan, _FLOATS, "The tangent, of radians.")
tanh = _unary("tanh", _dispatch_kind(tf.tanh, _complex.tanh), _FLOATS, "The hyperbolic tangent.")
trunc = _unary("trunc", _keep_whole(lambda x: tf.where(signbit(x), tf.math.ceil(x), tf.floor(x))), "ir", "The whole number towards zero.")

add = _binary("add", tf.add, _NUMBERS, "x1 + x2.")
atan2 = _binary("atan2", tf.atan2, _REAL, "The angle of the point (x2, x1), from -pi to pi.")
bitwise_and = _binary("bitwise_and", _bits(tf.bitwise.bitwise_and, tf.logical_and), "bi", "The bits that both have.")
bitwise_left_shift = _binary("bitwise_left_shift", _shift_left, "i", "x1's bits moved to the left by x2.")
bitwise_or = _binary("bitwise_or", _bits(tf.bitwise.bitwise_or, tf.logical_or), "bi", "The bits that either has.")
bitwise_right_shift = _binary("bitwise_right_shift", tf.bitwise.right_shift, "i", "x1's bits moved to the right by x2.")
bitwise_xor = _binary("bitwise_xor", _bits(tf.bitwise.bitwise_xor, tf.math.logical_xor), "bi", "The bits that one of them has.")
copysign = _binary("copysign", _copysign, _REAL, "x1 with the sign of x2.")
divide = _binary("divide", tf.math.divide, _FLOATS, "x1 / x2.")
equal = _binary("equal", tf.equal, _ALL, "Whether x1 == x2.")
floor_divide = _binary("floor_divide", _floor_divide, "ir", "x1 / x2, rounded downwards.")
greater = _binary("greater", tf.greater, "ir", "Whether x1 > x2.")
greater_equal = _binary("greater_equal", tf.greater_equal, "ir", "Whether x1 >= x2.")
hypot = _binary("hypot", _hypot, _REAL, "The length of (x1, x2), without overflow on the way.")
less = _binary("less", tf.less, "ir", "Whether x1 < x2.")
less_equal = _binary("less_equal", tf.less_equal, "ir", "Whether x1 <= x2.")
logaddexp = _binary("logaddexp", _logaddexp, _REAL, "log(exp(x1) + exp(x2)), without overflow on the way.")
logical_and = _binary("logical_and", tf.logical_and, "b", "x1 and x2.")
logical_or = _binary("logical_or", tf.logical_or, "b", "x1 or x2.")
logical_xor = _binary("logical_xor", tf.math.logical_xor, "b", "x1 or x2, not both.")
maximum = _binary("maximum", tf.maximum, "ir", "The larger of two; NaN where either is.")
minimum = _binary("minimum", tf.minimum, "ir", "The smaller of two; NaN where either is.")
multiply = _binary("multiply", tf.multiply, _NUMBERS, "x1 * x2.")
nextafter = _binary("nextafter", tf.math.nextafter, _REAL, "The next number that the dtype has after x1, towards x2.")
not_equal = _binary("not_equal", tf.not_equal, _ALL, "Whether x1 != x2.")
pow = _binary("pow", _power, _NUMBERS, "x1 to the power of x2.")
remainder = _binary("remainder", _remainder, "ir", "What is left of x1 / x2 rounded downwards, with the sign of x2.")
subtract = _binary("subtract", tf.subtract, _NUMBERS, "x1 - x2.")


def _as_bound(value: Any, dtype: DType) -> Any:
    return tf.cast(value, dtype) if hasattr(value, "dtype") else tf.convert_to_tensor(value, dtype)


def _is_nan(x: Any) -> Any:
    return tf.zeros_like(x, "bool") if is_whole(x) else tf.math.is_nan(x)


def clip(x: Tensor, /, min: Tensor | float | None = None, max: Tensor | float | None = None) -> Tensor:
    """`x` with elements below `min` and above `max` replaced by those; None leaves a side open. `min` and `max` broadcast against `x`.

    >>> xp.clip(xp.asarray([1, 5, 9]), 2, 6).numpy().tolist()
    [2, 5, 6]
    """
    if kind_of(x.dtype) not in ("integral", "real floating"):
        raise TypeError(f"clip: no meaning for {x.dtype.name}")
    dtype: DType = x.dtype
    found = tf.identity(x)
    if min is not None:
        low = _as_bound(min, dtype)
        found = tf.where((found < low) | _is_nan(low), low, found)
    if max is not None:
        high = _as_bound(max, dtype)
        found = tf.where((found > high) | _is_nan(high), high, found)
    return found


UNARY = (
    "abs", "acos", "acosh", "asin", "asinh", "atan", "atanh", "bitwise_invert", "ceil", "conj", "cos", "cosh", "exp", "expm1", "floor",
    "imag", "isfinite", "isinf", "isnan", "log", "log1p", "log2", "log10", "logical_not", "negative", "positive", "real", "reciprocal",
    "round", "sign", "signbit", "sin", "sinh", "sqrt", "square", "tan", "tanh", "trunc",
)  # fmt: skip
BINARY = (
    "add", "atan2", "bitwise_and", "bitwise_left_shift", "bitwise_or", "bitwise_right_shift", "bitwise_xor", "copysign", "divide",
    "equal", "floor_divide", "greater", "greater_equal", "hypot", "less", "less_equal", "logaddexp", "logical_and", "logical_or",
    "logical_xor", "maximum", "minimum", "multiply", "nextafter", "not_equal", "pow", "remainder", "subtract",
)  # fmt: skip

__all__ = [*UNARY, *BINARY, "clip"]  # noqa: PLE0604  # both are lists of names
