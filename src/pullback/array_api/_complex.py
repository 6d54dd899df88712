"""Principal values of functions of complex numbers, with signed zeros, and at infinities and NaN what the standard's tables have.

Finite arguments: logarithms and square roots as in Kahan, "Branch cuts for complex elementary functions" (1987).  Elsewhere: C's Annex G
(ISO/IEC 9899:2018, G.6), as formulas of the two parts, from which the signs follow; of the zero in tanh of an infinite real part, whose
sign C takes from sin(2y), the standard's table has that of y.  TensorFlow's own operations have other values there, and are not these; a
gradient is 0 at such points.

Numbers of single precision are computed in double and rounded.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from ..base.dtypes import complex64, complex128
from ..compat import v2 as tf
from ..ir.tensor import Tensor

Function = Callable[[Any], Any]
_real, _imag, _conj = tf.math.real, tf.math.imag, tf.math.conj


def _fill_like(x: Any, value: float) -> Any:
    return tf.fill(tf.shape(x), tf.constant(value, x.dtype))


def _copy_sign(size: float, x: Any) -> Any:
    """`size` with the sign of x, that of a zero too; NaN for NaN."""
    negative = (x < 0) | ((x == 0) & (1 / x < 0))
    return tf.where(tf.math.is_nan(x), x, tf.where(negative, _fill_like(x, -size), _fill_like(x, size)))


def _multiply_by_i(z: Tensor) -> Tensor:
    return tf.complex(-_imag(z), _real(z))


def _divide_by_i(z: Tensor) -> Tensor:
    return tf.complex(_imag(z), -_real(z))


def _extend_function(finite: Function, elsewhere: Callable[[Any, Any, Any], tuple[Any, Any]]) -> Function:
    """A function by what it is for finite numbers, and its two parts elsewhere: of the parts of z and whether one of them is infinite."""

    def extend(z: Any) -> Tensor:
        x, y = _real(z), _imag(z)
        odd = ~(tf.math.is_finite(x) & tf.math.is_finite(y))
        re, im = elsewhere(x, y, tf.math.is_inf(x) | tf.math.is_inf(y))
        return tf.where(odd, tf.stop_gradient(tf.complex(re, im)), finite(tf.where(odd, tf.zeros_like(z), z)))

    def function(z: Any) -> Tensor:
        return tf.cast(extend(tf.cast(z, complex128)), complex64) if z.dtype == complex64 else extend(z)

    return function


def _fill_nan(where: Any, value: Any) -> Any:
    return tf.where(where, value, _fill_like(value, math.nan))


def _roots(z: Any) -> tuple[Any, Any]:
    """The square roots of 1 - z and 1 + z: `1 - z` by complex subtraction would lose the sign of a zero."""
    return tf.sqrt(tf.complex(1 - _real(z), -_imag(z))), tf.sqrt(tf.complex(1 + _real(z), _imag(z)))


def _acos(z: Any) -> Any:
    below, above = _roots(z)
    return tf.complex(2 * tf.atan2(_real(below), _real(above)), tf.asinh(_imag(_conj(above) * below)))


def _acos_of_nonfinite(x: Any, y: Any, infinite: Any) -> tuple[Any, Any]:
    angle = tf.where(infinite, tf.atan2(tf.abs(y), x), _fill_nan(x == 0, _fill_like(x, math.pi / 2)))
    return angle, _fill_nan(infinite, tf.where(tf.math.is_nan(y), _fill_like(y, math.inf), -_copy_sign(math.inf, y)))


def _acosh(z: Any) -> Any:
    x, y = _real(z), _imag(z)
    below, above = tf.sqrt(tf.complex(x - 1, y)), tf.sqrt(tf.complex(x + 1, y))
    return tf.complex(tf.asinh(_real(_conj(below) * above)), 2 * tf.atan2(_imag(below), _real(above)))


def _acosh_of_nonfinite(x: Any, y: Any, infinite: Any) -> tuple[Any, Any]:
    angle = tf.where(infinite, tf.atan2(y, x), _fill_nan(x == 0, _fill_like(x, math.pi / 2)))
    return _fill_nan(infinite, _fill_like(x, math.inf)), angle


def _asinh(z: Any) -> Any:
    below, above = _roots(_multiply_by_i(z))
    re = tf.atan2(-_imag(z), _real(below * above))
    return _divide_by_i(tf.complex(re, tf.asinh(_imag(_conj(below) * above))))


def _asinh_of_nonfinite(x: Any, y: Any, infinite: Any) -> tuple[Any, Any]:
    size = tf.where(tf.math.is_nan(x), _fill_like(x, math.inf), _copy_sign(math.inf, x))
    return _fill_nan(infinite, size), tf.where(infinite, tf.atan2(y, tf.abs(x)), _fill_nan(y == 0, y))


def _atanh(z: Any) -> Any:
    x, y = _real(z), _imag(z)
    re = tf.math.log1p(4 * x / ((1 - x) ** 2 + y**2)) / 4
    return tf.complex(re, tf.atan2(2 * y, (1 - x) * (1 + x) - y**2) / 2)


def _atanh_of_nonfinite(x: Any, y: Any, infinite: Any) -> tuple[Any, Any]:
    zero = tf.where(tf.math.is_nan(x), _fill_like(x, 0.0), _copy_sign(0.0, x))
    return _fill_nan(infinite | (x == 0), zero), _fill_nan(infinite, _copy_sign(math.pi / 2, y))


def _expm1(z: Any) -> Any:
    x, y = _real(z), _imag(z)
    return tf.complex(tf.math.expm1(x) * tf.cos(y) + (0 - 2 * tf.sin(y / 2) ** 2), tf.exp(x) * tf.sin(y))


def _expm1_of_nonfinite(x: Any, y: Any, infinite: Any) -> tuple[Any, Any]:
    turning, rising = tf.math.is_finite(y), x > 0
    angle = tf.where(turning, y, tf.zeros_like(y))
    size = tf.where(y == 0, tf.math.expm1(x), tf.exp(x) * tf.cos(angle))
    re = tf.where(tf.math.is_inf(x), tf.where(rising, tf.where(turning, size, x), _fill_like(x, -1.0)), _fill_like(x, math.nan))
    im = tf.where(turning, tf.exp(x) * tf.sin(angle), tf.where(rising, _fill_like(x, math.nan), _fill_like(x, 0.0)))
    im = tf.where(tf.math.is_inf(x), im, _fill_like(x, math.nan))
    return re, tf.where(y == 0, y, im)


def _log1p(z: Any) -> Any:
    x, y = _real(z), _imag(z)
    return tf.complex(tf.math.log1p(x * (2 + x) + y**2) / 2, tf.atan2(y, 1 + x))


def _log1p_of_nonfinite(x: Any, y: Any, infinite: Any) -> tuple[Any, Any]:
    return _fill_nan(infinite, _fill_like(x, math.inf)), _fill_nan(infinite, tf.atan2(y, x))


def _tanh_of_nonfinite(x: Any, y: Any, infinite: Any) -> tuple[Any, Any]:
    level = tf.math.is_inf(x)
    turned = tf.where(tf.math.is_nan(y), _fill_like(y, 0.0), _copy_sign(0.0, y))
    return tf.where(level, _copy_sign(1.0, x), _fill_nan(x == 0, x)), tf.where(level, turned, _fill_nan(y == 0, y))


acos = _extend_function(_acos, _acos_of_nonfinite)
acosh = _extend_function(_acosh, _acosh_of_nonfinite)
asinh = _extend_function(_asinh, _asinh_of_nonfinite)
atanh = _extend_function(_atanh, _atanh_of_nonfinite)
expm1 = _extend_function(_expm1, _expm1_of_nonfinite)
log1p = _extend_function(_log1p, _log1p_of_nonfinite)
tanh = _extend_function(tf.tanh, _tanh_of_nonfinite)


def asin(z: Any) -> Tensor:
    """`asinh` turned by a right angle."""
    return _divide_by_i(asinh(_multiply_by_i(z)))


def atan(z: Any) -> Tensor:
    """`atanh` turned by a right angle."""
    return _divide_by_i(atanh(_multiply_by_i(z)))
