"""Bessel functions of the first and second kind, and modified ones of the second, of the orders 0 and 1."""

from __future__ import annotations

from math import factorial, inf
from typing import Any

import numpy as np

from ...base import tolerance
from ...base.dtypes import FLOATING
from ...base.export import export
from ...ir.context import scope
from ...ir.tensor import NumberLike, Tensor
from ..families import elementwise
from ..lowering import math as native_math
from ..math.arithmetic import multiply, negative, subtract
from ..math.division import divide_by
from ..math.functions import reciprocal
from .kernels import (
    bessel_j0 as _j0,
    bessel_j1 as _j1,
    bessel_k0 as _k0,
    bessel_k0e as _k0e,
    bessel_k1 as _k1,
    bessel_k1e as _k1e,
    bessel_y0 as _y0,
    bessel_y1 as _y1,
)
from .series import even_series, expand_near

# J1'(x): the sum of (-1)^k (2k + 1) (x / 2)^(2k) / (2 k! (k + 1)!)
_SLOPE_OF_J1 = [(-1) ** k * (2 * k + 1) / (2 * factorial(k) * factorial(k + 1) * 4**k) for k in range(8)]


def _slope_of_j1(x: Any) -> Any:
    return expand_near(x, 0.0, 0.5, even_series(_SLOPE_OF_J1), lambda at: subtract(bessel_j0(at), divide_by(bessel_j1(at), at)))


#: Beside a root, digits are lost that the amplitude has.
_OSCILLATING = tolerance.with_amplitude(lambda x: np.sqrt(x.dtype.type(0.5) / (np.abs(x) + x.dtype.type(1))))

J0 = elementwise("BesselJ0", "x", _j0, {"x": lambda x: negative(bessel_j1(x))}, dtypes=FLOATING, lower="j0", tolerance=_OSCILLATING)
J1 = elementwise("BesselJ1", "x", _j1, {"x": _slope_of_j1}, dtypes=FLOATING, lower="j1", tolerance=_OSCILLATING, gradient_names="mul")
Y0 = elementwise(
    "BesselY0", "x", _y0, {"x": lambda x: negative(bessel_y1(x))}, dtypes=FLOATING, lower=native_math.lower_positive("y0", -inf),
    tolerance=_OSCILLATING,
)
Y1 = elementwise(
    "BesselY1", "x", _y1, {"x": lambda x, out: subtract(bessel_y0(x), divide_by(out, x))},
    dtypes=FLOATING, lower=native_math.lower_positive("y1", -inf),
    tolerance=_OSCILLATING,
)  # fmt: skip
K0 = elementwise(
    "BesselK0", "x", _k0, {"x": lambda x: negative(bessel_k1(x))},
    dtypes=FLOATING, lower=native_math.lower_positive("k0", inf),
    tolerance=tolerance.SPECIAL,
)  # fmt: skip
K0E = elementwise(
    "BesselK0e", "x", _k0e, {"x": lambda x, out: subtract(out, bessel_k1e(x))},
    dtypes=FLOATING, lower=native_math.lower_positive("k0e", inf),
    tolerance=tolerance.SPECIAL,
)  # fmt: skip
K1 = elementwise(
    "BesselK1", "x", _k1, {"x": lambda x, out: subtract(negative(bessel_k0(x)), divide_by(out, x))},
    dtypes=FLOATING, lower=native_math.lower_positive("k1", inf),
    tolerance=tolerance.SPECIAL,
)  # fmt: skip
K1E = elementwise(
    "BesselK1e",
    "x",
    _k1e,
    {"x": lambda x, out: subtract(multiply(out, subtract(1.0, reciprocal(x))), bessel_k0e(x))},
    dtypes=FLOATING,
    lower=native_math.lower_positive("k1e", inf),
    tolerance=tolerance.SPECIAL,
)


@export("math.special.bessel_j0")
def bessel_j0(x: NumberLike, name: str | None = None) -> Tensor:
    """The Bessel function of the first kind of order 0; even.

    x: floating, any shape; the result has its shape and dtype.
    Raises TypeError (eagerly InvalidArgumentError) for other dtypes.

    >>> round(float(tf.math.special.bessel_j0(0.0)), 4)
    1.0
    """
    with scope(name, "bessel_j0"):
        return J0.call(x)


def bessel_j1(x: NumberLike, name: str | None = None) -> Tensor:
    """The Bessel function of the first kind of order 1; odd.

    x: floating, any shape; the result has its shape and dtype.
    Raises TypeError (eagerly InvalidArgumentError) for other dtypes.

    >>> round(float(tf.math.special.bessel_j1(0.0)), 4)
    0.0
    """
    with scope(name, "bessel_j1"):
        return J1.call(x)


export("math.special.bessel_j1")(bessel_j1)


def bessel_y0(x: NumberLike, name: str | None = None) -> Tensor:
    """The Bessel function of the second kind of order 0; -inf where x is not positive.

    x: floating, any shape; the result has its shape and dtype.
    Raises TypeError (eagerly InvalidArgumentError) for other dtypes.

    >>> round(float(tf.math.special.bessel_y0(1.0)), 4)
    0.0883
    """
    with scope(name, "bessel_y0"):
        return Y0.call(x)


export("math.special.bessel_y0")(bessel_y0)


def bessel_y1(x: NumberLike, name: str | None = None) -> Tensor:
    """The Bessel function of the second kind of order 1; -inf where x is not positive.

    x: floating, any shape; the result has its shape and dtype.
    Raises TypeError (eagerly InvalidArgumentError) for other dtypes.

    >>> round(float(tf.math.special.bessel_y1(1.0)), 4)
    -0.7812
    """
    with scope(name, "bessel_y1"):
        return Y1.call(x)


export("math.special.bessel_y1")(bessel_y1)


def bessel_k0(x: NumberLike, name: str | None = None) -> Tensor:
    """The modified Bessel function of the second kind of order 0; inf where x is not positive.

    x: floating, any shape; the result has its shape and dtype.
    Raises TypeError (eagerly InvalidArgumentError) for other dtypes.

    >>> round(float(tf.math.special.bessel_k0(1.0)), 4)
    0.421
    """
    with scope(name, "bessel_k0"):
        return K0.call(x)


export("math.special.bessel_k0")(bessel_k0)


def bessel_k0e(x: NumberLike, name: str | None = None) -> Tensor:
    """exp(x) bessel_k0(x), which does not underflow.

    x: floating, any shape; the result has its shape and dtype.
    Raises TypeError (eagerly InvalidArgumentError) for other dtypes.

    >>> round(float(tf.math.special.bessel_k0e(1.0)), 4)
    1.1445
    """
    with scope(name, "bessel_k0e"):
        return K0E.call(x)


export("math.special.bessel_k0e")(bessel_k0e)


def bessel_k1(x: NumberLike, name: str | None = None) -> Tensor:
    """The modified Bessel function of the second kind of order 1; inf where x is not positive.

    x: floating, any shape; the result has its shape and dtype.
    Raises TypeError (eagerly InvalidArgumentError) for other dtypes.

    >>> round(float(tf.math.special.bessel_k1(1.0)), 4)
    0.6019
    """
    with scope(name, "bessel_k1"):
        return K1.call(x)


export("math.special.bessel_k1")(bessel_k1)


def bessel_k1e(x: NumberLike, name: str | None = None) -> Tensor:
    """exp(x) bessel_k1(x), which does not underflow.

    x: floating, any shape; the result has its shape and dtype.
    Raises TypeError (eagerly InvalidArgumentError) for other dtypes.

    >>> round(float(tf.math.special.bessel_k1e(1.0)), 4)
    1.6362
    """
    with scope(name, "bessel_k1e"):
        return K1E.call(x)


export("math.special.bessel_k1e")(bessel_k1e)
