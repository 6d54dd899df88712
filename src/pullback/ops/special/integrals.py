"""Integrals that have names: Dawson's, the exponential integral, Fresnel's and Spence's.  All have elementary derivatives."""

from __future__ import annotations

from math import pi
from typing import Any

from ...base import tolerance
from ...base.dtypes import FLOATING
from ...base.export import export
from ...ir.context import scope
from ...ir.tensor import NumberLike, Tensor
from ..families import elementwise
from ..math.arithmetic import multiply, square, subtract
from ..math.division import divide_by
from ..math.functions import exp, log
from ..math.trigonometric import cos, sin
from .kernels import dawsn as _dawsn, expint as _expint, fresnel_cos as _fresnel_cos, fresnel_sin as _fresnel_sin, spence as _spence
from .series import expand_near, horner

# log(x) / (1 - x) in powers of x - 1
_SLOPE_OF_SPENCE = [(-1) ** (k + 1) / (k + 1) for k in range(13)]


def _slope_of_spence(x: Any) -> Any:
    return expand_near(x, 1.0, 0.06, lambda d: horner(d, _SLOPE_OF_SPENCE), lambda at: divide_by(log(at), subtract(1.0, at)))


DAWSN = elementwise(
    "Dawsn", "x", _dawsn, {"x": lambda x, out: subtract(1.0, multiply(2.0, multiply(x, out)))},
    dtypes=FLOATING, lower="dawsn",
    tolerance=tolerance.SPECIAL,
)  # fmt: skip


EXPINT = elementwise(
    "Expint", "x", _expint, {"x": lambda g, x: divide_by(g * exp(x), x)}, dtypes=FLOATING, lower="expint", tolerance=tolerance.SPECIAL,
    gradient_names="truediv",
)  # fmt: skip
FRESNEL_COS = elementwise(
    "FresnelCos", "x", _fresnel_cos, {"x": lambda x: cos(multiply(pi / 2, square(x)))},
    dtypes=FLOATING, lower="fresnel_cos",
    tolerance=tolerance.SPECIAL,
)  # fmt: skip
FRESNEL_SIN = elementwise(
    "FresnelSin", "x", _fresnel_sin, {"x": lambda x: sin(multiply(pi / 2, square(x)))},
    dtypes=FLOATING, lower="fresnel_sin",
    tolerance=tolerance.SPECIAL,
)  # fmt: skip
SPENCE = elementwise(
    "Spence", "x", _spence, {"x": _slope_of_spence}, dtypes=FLOATING, lower="spence", tolerance=tolerance.SPECIAL, gradient_names="mul"
)


@export("math.special.dawsn")
def dawsn(x: NumberLike, name: str | None = None) -> Tensor:
    """Dawson's integral exp(-x^2) int_0^x exp(t^2) dt; odd.

    x: floating, any shape; the result has its shape and dtype.
    Raises TypeError (eagerly InvalidArgumentError) for other dtypes.

    >>> round(float(tf.math.special.dawsn(1.0)), 4)
    0.5381
    """
    with scope(name, "dawsn"):
        return DAWSN.call(x)


@export("math.special.expint")
def expint(x: NumberLike, name: str | None = None) -> Tensor:
    """The exponential integral Ei, the principal value of int_-inf^x exp(t) / t dt; -inf at 0, NaN for negative numbers and infinity, as
    TensorFlow gives.

    x: floating, any shape; the result has its shape and dtype.
    Raises TypeError (eagerly InvalidArgumentError) for other dtypes.

    >>> round(float(tf.math.special.expint(1.0)), 4)
    1.8951
    """
    with scope(name, "expint"):
        return EXPINT.call(x)


@export("math.special.fresnel_cos")
def fresnel_cos(x: NumberLike, name: str | None = None) -> Tensor:
    """Fresnel's integral int_0^x cos(pi t^2 / 2) dt; odd.

    x: floating, any shape; the result has its shape and dtype.
    Raises TypeError (eagerly InvalidArgumentError) for other dtypes.

    >>> round(float(tf.math.special.fresnel_cos(1.0)), 4)
    0.7799
    """
    with scope(name, "fresnel_cos"):
        return FRESNEL_COS.call(x)


@export("math.special.fresnel_sin")
def fresnel_sin(x: NumberLike, name: str | None = None) -> Tensor:
    """Fresnel's integral int_0^x sin(pi t^2 / 2) dt; odd.

    x: floating, any shape; the result has its shape and dtype.
    Raises TypeError (eagerly InvalidArgumentError) for other dtypes.

    >>> round(float(tf.math.special.fresnel_sin(1.0)), 4)
    0.4383
    """
    with scope(name, "fresnel_sin"):
        return FRESNEL_SIN.call(x)


@export("math.special.spence")
def spence(x: NumberLike, name: str | None = None) -> Tensor:
    """Spence's integral int_1^x log(t) / (1 - t) dt, the dilogarithm of 1 - x; NaN where x is negative.

    x: floating, any shape; the result has its shape and dtype.
    Raises TypeError (eagerly InvalidArgumentError) for other dtypes.

    >>> round(float(tf.math.special.spence(0.0)), 4)
    1.6449
    """
    with scope(name, "spence"):
        return SPENCE.call(x)
