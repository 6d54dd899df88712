"""Functions of one array, element by element: a line for each of those that TensorFlow has as it is, a formula for the others."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ..base.export import export
from ..compat import v2 as tf
from ..ir.tensor import Tensor, TensorLike
from .arrays import asarray, number, to_floating

e = export(v2="experimental.numpy.e")(math.e)
inf = export(v2="experimental.numpy.inf")(math.inf)
pi = export(v2="experimental.numpy.pi")(math.pi)


Unary = Callable[[Any], Any]


def _set_name(of: Unary, name: str, what: str) -> Unary:
    of.__name__ = of.__qualname__ = name
    of.__doc__ = f"{what}, element by element.\n\nSee `numpy.{name}`; gradients flow where the function has them."
    return of


def _floats(name: str, formula: Unary, what: str) -> Unary:
    return _set_name(lambda x: formula(to_floating(x)), name, what + ", of floats: integers become the default float dtype")


def _define_any(name: str, formula: Unary, what: str) -> Unary:
    return _set_name(lambda x: formula(asarray(x)), name, what)


def _angle(x: Any) -> Any:
    return tf.math.angle(x) if x.dtype.is_complex else tf.where(x < 0, math.pi, 0.0)


def _root3(x: Tensor) -> Any:
    root = tf.abs(x) ** (1.0 / 3)
    return tf.where(x < 0, -root, root)


def _sinc(x: Tensor) -> Any:
    # at 0, the series to the fourth power, so that derivatives there are right
    y = x * math.pi
    zero = tf.equal(x, 0)
    away = tf.where(zero, number(1, y.dtype), y)
    square_of = tf.square(y)
    return tf.where(zero, 1 - square_of * (1 / 6 - square_of * (1 / 120)), tf.sin(away) / away)


def _signbit(x: Any) -> Any:
    return tf.zeros_like(x) if x.dtype.is_bool else x < 0


def _invert(x: Any) -> Any:
    return tf.logical_not(x) if x.dtype.is_bool else tf.bitwise.invert(x)


def _float_or_false(test: Unary) -> Unary:
    return lambda x: test(x) if x.dtype.is_floating else False


exp = export(v2="experimental.numpy.exp")(_floats("exp", tf.exp, "e to the power of x"))
exp2 = export(v2="experimental.numpy.exp2")(_floats("exp2", lambda x: 2**x, "2 to the power of x"))
expm1 = export(v2="experimental.numpy.expm1")(_floats("expm1", tf.math.expm1, "e to the power of x, less 1, exact near 0"))
log = export(v2="experimental.numpy.log")(_floats("log", tf.math.log, "Natural logarithm"))
log2 = export(v2="experimental.numpy.log2")(_floats("log2", lambda x: tf.math.log(x) / np.log(2), "Logarithm to base 2"))
log10 = export(v2="experimental.numpy.log10")(_floats("log10", lambda x: tf.math.log(x) / np.log(10), "Logarithm to base 10"))
log1p = export(v2="experimental.numpy.log1p")(_floats("log1p", tf.math.log1p, "Logarithm of 1 + x, exact near 0"))
sqrt = export(v2="experimental.numpy.sqrt")(_floats("sqrt", tf.sqrt, "Square root"))
cbrt = export(v2="experimental.numpy.cbrt")(_floats("cbrt", _root3, "Cube root, negative for negative numbers"))
sin = export(v2="experimental.numpy.sin")(_floats("sin", tf.sin, "Sine"))
cos = export(v2="experimental.numpy.cos")(_floats("cos", tf.cos, "Cosine"))
tan = export(v2="experimental.numpy.tan")(_floats("tan", tf.tan, "Tangent"))
sinh = export(v2="experimental.numpy.sinh")(_floats("sinh", tf.sinh, "Hyperbolic sine"))
cosh = export(v2="experimental.numpy.cosh")(_floats("cosh", tf.cosh, "Hyperbolic cosine"))
tanh = export(v2="experimental.numpy.tanh")(_floats("tanh", tf.tanh, "Hyperbolic tangent"))
arcsin = export(v2="experimental.numpy.arcsin")(_floats("arcsin", tf.asin, "Inverse sine"))
arccos = export(v2="experimental.numpy.arccos")(_floats("arccos", tf.acos, "Inverse cosine"))
arctan = export(v2="experimental.numpy.arctan")(_floats("arctan", tf.atan, "Inverse tangent"))
arcsinh = export(v2="experimental.numpy.arcsinh")(_floats("arcsinh", tf.asinh, "Inverse hyperbolic sine"))
arccosh = export(v2="experimental.numpy.arccosh")(_floats("arccosh", tf.acosh, "Inverse hyperbolic cosine"))
arctanh = export(v2="experimental.numpy.arctanh")(_floats("arctanh", tf.atanh, "Inverse hyperbolic tangent"))
deg2rad = export(v2="experimental.numpy.deg2rad")(_floats("deg2rad", lambda x: x * (math.pi / 180.0), "Degrees to radians"))
rad2deg = export(v2="experimental.numpy.rad2deg")(_floats("rad2deg", lambda x: x * (180.0 / math.pi), "Radians to degrees"))
sinc = export(v2="experimental.numpy.sinc")(_floats("sinc", _sinc, "sin(pi x) / (pi x), 1 at 0"))
ceil = export(v2="experimental.numpy.ceil")(_floats("ceil", tf.math.ceil, "The least integer not below x"))
floor = export(v2="experimental.numpy.floor")(_floats("floor", tf.floor, "The greatest integer not above x"))
fix = _floats("fix", lambda x: tf.where(x < 0, tf.math.ceil(x), tf.floor(x)), "The integer next to x towards 0")
export(v2="experimental.numpy.fix")(fix)
isnan = export(v2="experimental.numpy.isnan")(_floats("isnan", tf.math.is_nan, "Whether x is not a number"))
isfinite = export(v2="experimental.numpy.isfinite")(_floats("isfinite", tf.math.is_finite, "Whether x is neither infinite nor nan"))

abs = export(v2="experimental.numpy.abs")(_define_any("abs", tf.abs, "Magnitude"))
absolute = export(v2="experimental.numpy.absolute")(_define_any("absolute", tf.abs, "Magnitude"))
fabs = export(v2="experimental.numpy.fabs")(_define_any("fabs", tf.abs, "Magnitude"))
conj = export(v2="experimental.numpy.conj")(_define_any("conj", tf.math.conj, "Complex conjugate"))
conjugate = export(v2="experimental.numpy.conjugate")(_define_any("conjugate", tf.math.conj, "Complex conjugate"))
negative = export(v2="experimental.numpy.negative")(_define_any("negative", tf.negative, "-x"))
positive = export(v2="experimental.numpy.positive")(_define_any("positive", tf.identity, "+x, which is x"))
reciprocal = export(v2="experimental.numpy.reciprocal")(_define_any("reciprocal", tf.math.reciprocal, "1 / x"))
square = export(v2="experimental.numpy.square")(_define_any("square", tf.square, "x * x"))
signbit = export(v2="experimental.numpy.signbit")(_define_any("signbit", _signbit, "Whether x is below 0"))
bitwise_not = _define_any("bitwise_not", _invert, "All bits exchanged, for truth values the other one")
export(v2="experimental.numpy.bitwise_not")(bitwise_not)
isinf = _define_any("isinf", _float_or_false(tf.math.is_inf), "Whether x is infinite; False for arrays that are not real floats")
export(v2="experimental.numpy.isinf")(isinf)
isneginf = _define_any(
    "isneginf", _float_or_false(lambda x: tf.equal(x, -math.inf)), "Whether x is minus infinity; False unless real floats"
)
export(v2="experimental.numpy.isneginf")(isneginf)
isposinf = _define_any("isposinf", _float_or_false(lambda x: tf.equal(x, math.inf)), "Whether x is plus infinity; False unless real floats")
export(v2="experimental.numpy.isposinf")(isposinf)


@export(v2="experimental.numpy.real")
def real(val: TensorLike) -> Tensor:
    """The real part.

    >>> tf.experimental.numpy.real(1 + 2j).numpy()
    np.float64(1.0)
    """
    return tf.math.real(asarray(val))


@export(v2="experimental.numpy.imag")
def imag(val: Any) -> Tensor:
    """The imaginary part, zeros for real numbers.

    >>> tf.experimental.numpy.imag(1 + 2j).numpy()
    np.float64(2.0)
    """
    return tf.math.imag(asarray(val))


@export(v2="experimental.numpy.iscomplex")
def iscomplex(x: TensorLike) -> Tensor:
    """Whether an element has an imaginary part.

    >>> tf.experimental.numpy.iscomplex([1 + 0j, 1j]).numpy().tolist()
    [False, True]
    """
    return tf.not_equal(imag(x), 0)


@export(v2="experimental.numpy.isreal")
def isreal(x: TensorLike) -> Tensor:
    """Whether an element has no imaginary part.

    >>> tf.experimental.numpy.isreal([1 + 0j, 1j]).numpy().tolist()
    [True, False]
    """
    return tf.equal(imag(x), 0)


@export(v2="experimental.numpy.angle")
def angle(z: TensorLike | None, deg: bool = False) -> Tensor:
    """The argument of complex numbers, 0 or pi of real ones (in float32, as in TensorFlow), in degrees on demand.

    >>> float(tf.experimental.numpy.angle(1j, deg=True))
    90.0
    """
    found = _angle(to_floating(z))
    return rad2deg(found) if deg else found


@export(v2="experimental.numpy.sign")
def sign(x: TensorLike, out: object = None, where: object = None, **kwargs: Any) -> Tensor:
    """-1, 0 or 1 by the sign of x; of a complex number, the number of magnitude 1 with its argument.

    `out`, `where` and other options of NumPy's ufuncs are refused with a ValueError.

    >>> tf.experimental.numpy.sign([-2, 0, 3]).numpy().tolist()
    [-1, 0, 1]
    """
    refused = [name for name, given in {"out": out, "where": where, **kwargs}.items() if given is not None and given is not False]
    if refused:
        raise ValueError(f"sign does not take {', '.join(refused)}: tensors do not change, and every element is computed")
    return tf.sign(asarray(x))


@export(v2="experimental.numpy.around")
def around(a: TensorLike, decimals: int = 0) -> Tensor:
    """Elements rounded to so many decimals, to the even one of two neighbours; negative ones count before the point.

    >>> tf.experimental.numpy.around([1.25, 2.55], 1).numpy().tolist()
    [1.2, 2.6]
    """
    x = asarray(a)
    wide = to_floating(x)
    factor = tf.cast(math.pow(10, decimals), wide.dtype)
    return tf.cast(tf.round(wide * factor) / factor, x.dtype)


@export(v2="experimental.numpy.round")
def round(a: TensorLike, decimals: int = 0) -> Tensor:
    """As `around`.

    >>> tf.experimental.numpy.round(2.5).numpy()
    np.float64(2.0)
    """
    return around(a, decimals)
