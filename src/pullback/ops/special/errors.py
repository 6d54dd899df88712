"""The error function and its relatives: SciPy's, and in float64 others where those are off by more than 4 ulp (see `kernels`)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base import tolerance
from ...base.dtypes import FLOATING
from ...base.export import export
from ...ir.apply import convert_to_tensor
from ...ir.composite import works_by_element
from ...ir.context import scope
from ...ir.op import Traits
from ...ir.tensor import NumberLike, Tensor
from ..families import elementwise
from ..math.arithmetic import multiply, negative, square
from ..math.functions import exp
from ..math.kernels import define_special
from . import coefficients as tables
from .arrays import Arrays, chebyshev
from .piecewise import Array, piece_together

_ROOT_PI = float(np.sqrt(np.pi))
_ROOT_TWO_PI = float(np.sqrt(2 * np.pi))


def _erfc(x: Array) -> Array:
    """exp(-x^2), with what the square rounds off, and what is left; SciPy's is 0 before the function vanishes."""
    square, lost = Arrays.product(x, x)
    far = x > 26.0
    value = chebyshev(tables.ERFCX, (x - 4.0) / (x + 4.0)) / (1.0 + 2.0 * x) * np.exp(np.where(far, 100.0, 0.0) - square)
    value -= value * lost
    return np.asarray(np.where(far, value * np.exp(-100.0), value))


_ERFC_KERNEL = piece_together(define_special("erfc"), (0.5, 28.0, _erfc))


# The normal distribution's quantile, where SciPy's is off by 3.
_NDTRI_KERNEL = piece_together(
    define_special("ndtri"),
    (0.03, 0.14, lambda p: -chebyshev(tables.NDTRI, p)),
    (0.86, 0.97, lambda p: chebyshev(tables.NDTRI, 1.0 - p)),
)


def _bell(x: Any) -> Any:
    """2 / sqrt(pi) exp(-x^2)."""
    return multiply(2 / _ROOT_PI, exp(negative(square(x))))


ERF = elementwise(
    "Erf",
    "x",
    define_special("erf"),
    {"x": lambda x: _bell(x)},
    dtypes=FLOATING,
    lower="erf",
    tolerance=tolerance.SPECIAL,
    traits=Traits(on_values=True, slow=True, saturates=True),
)
ERFC = elementwise(
    "Erfc",
    "x",
    _ERFC_KERNEL,
    {"x": lambda x: negative(_bell(x))},
    dtypes=FLOATING,
    lower="erfc",
    tolerance=tolerance.SPECIAL,
    traits=Traits(slow=True, saturates=True),
)
ERFINV = elementwise(
    "Erfinv",
    "x",
    define_special("erfinv"),
    {"x": lambda out: multiply(_ROOT_PI / 2, exp(square(out)))},
    dtypes=FLOATING,
    lower="erfinv",
    tolerance=tolerance.SPECIAL,
)
NDTRI = elementwise(
    "Ndtri",
    "x",
    _NDTRI_KERNEL,
    {"x": lambda out: multiply(_ROOT_TWO_PI, exp(multiply(square(out), 0.5)))},
    dtypes=FLOATING,
    lower="ndtri",
    gradient_names="mul_1",
    tolerance=tolerance.SPECIAL,
)


@export("math.erf", v1="erf")
def erf(x: NumberLike, name: str | None = None) -> Tensor:
    """The error function 2/sqrt(pi) int_0^x exp(-t^2) dt.

    x: floating, any shape; the result has its shape and dtype.
    Raises TypeError (eagerly InvalidArgumentError) for other dtypes.

    >>> tf.math.erf([0.0, 10.0]).numpy().round(4).tolist()
    [0.0, 1.0]
    """
    return ERF.call(x, name)


@export("math.erfc", v1="erfc")
def erfc(x: NumberLike, name: str | None = None) -> Tensor:
    """1 - erf(x), exact where erf(x) is near 1.

    x: floating, any shape; the result has its shape and dtype.
    Raises TypeError (eagerly InvalidArgumentError) for other dtypes.

    >>> tf.math.erfc(0.0).numpy().round(4).tolist()
    1.0
    """
    return ERFC.call(x, name)


@export("math.erfinv")
def erfinv(x: NumberLike, name: str | None = None) -> Tensor:
    """The x whose erf is given; infinite at -1 and 1, NaN beyond.

    x: floating, any shape; the result has its shape and dtype.
    Raises TypeError (eagerly InvalidArgumentError) for other dtypes.

    >>> tf.math.erfinv(0.0).numpy().round(4).tolist()
    0.0
    """
    with scope(name, "erfinv"):
        return ERFINV.call(x)


@export("math.ndtri")
def ndtri(x: NumberLike, name: str | None = None) -> Tensor:
    """The quantile of the standard normal distribution.

    x: floating, any shape; the result has its shape and dtype.
    Raises TypeError (eagerly InvalidArgumentError) for other dtypes.

    >>> tf.math.ndtri(0.5).numpy().round(4).tolist()
    0.0
    """
    with scope(name, "ndtri"):
        return NDTRI.call(x)


@export("math.erfcinv")
@works_by_element
def erfcinv(x: NumberLike, name: str | None = None) -> Tensor:
    """The y whose erfc is x, as -ndtri(x / 2) / sqrt(2).

    x: floating, any shape; the result has its shape and dtype.
    Raises TypeError (eagerly InvalidArgumentError) for other dtypes.

    >>> tf.math.erfcinv(1.0).numpy().item() == 0.0
    True
    """
    with scope(name, "erfcinv"):
        x = convert_to_tensor(x, name="start")
        return multiply(negative(ndtri(multiply(0.5, x))), float(np.sqrt(0.5)))
