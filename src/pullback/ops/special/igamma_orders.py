"""The incomplete gamma function's derivative by its order, `IgammaGradA`, and that of a gamma draw by its shape, `RandomGammaGrad`.

Both come from one function, r_n(a, x) = (d^n P / da^n) / p with the density p = dP/dx: the first is p r_1, the second -r_1, for a draw
moves with its shape so that P stays (Figurnov, Mohamed and Mnih, "Implicit reparameterization gradients", 2018).  TensorFlow registers no
gradients for them.  Here r_n has its own derivatives,

    d r_n / da = r_(n+1) - r_n l,    d r_n / dx = b_n - r_n ((a - 1) / x - 1),

where l = d log p / da = log x - digamma(a) and b_n = (d^n p / da^n) / p is the complete Bell polynomial of l and its derivatives by a; so
derivatives of all orders exist.  At x = 0, where draws of small shape end up for want of smaller numbers, all of them count as zero.
"""

from __future__ import annotations

from functools import partial
from math import comb
from typing import Any

import numpy as np

from ...base import tolerance
from ...base.dtypes import FLOATING, float32, float64
from ...ir.apply import convert_to_tensor
from ...ir.op import Op, define
from ...ir.tensor import TensorType
from ..array.basic import ONES_LIKE, ZEROS_LIKE
from ..array.type_rules import Array
from ..array.where import SELECT_V2
from ..batching import broadcast_rows
from ..families import broadcast_dims, elementwise
from ..math.arithmetic import multiply_no_nan
from ..math.functions import exp, log
from ..math.igamma import FEW, igamma_grad_a, igamma_orders
from ..math.kernels import block_costly
from ..primitives.cast import cast
from ..primitives.compare import greater
from .gamma import digamma, lgamma, polygamma

_WIDE = {float32, float64}


def _guard_positive(x: Any) -> tuple[Any, Any]:
    """Whether x is positive, and x where it is."""
    positive = greater(x, 0.0)
    return positive, SELECT_V2(positive, x, ONES_LIKE.call(x))


def _slope(a: Any, x: Any) -> Any:
    """d log p / da."""
    return log(x) - digamma(a)


def _bell(degree: int, a: Any, x: Any) -> Any:
    """(d^degree p / da^degree) / p."""
    slopes = [_slope(a, x)]
    wide = a if a.dtype in _WIDE else cast(a, float32)
    for n in range(1, degree):
        slopes.append(cast(-polygamma(convert_to_tensor(float(n), wide.dtype), wide), a.dtype))
    found = [ONES_LIKE.call(x)]
    for n in range(degree):
        terms = [float(comb(n, k)) * found[n - k] * slopes[k] for k in range(n + 1)]
        found.append(sum(terms[1:], terms[0]))
    return found[degree]


def _differentiate_order(g: Any, a: Any, x: Any, out: Any, degree: int) -> Any:
    positive, at = _guard_positive(x)
    found = ORDERS(a, x, degree=degree + 1) - out * _slope(a, at)
    return g * SELECT_V2(positive, found, ZEROS_LIKE.call(found))


def _differentiate_place(g: Any, a: Any, x: Any, out: Any, degree: int) -> Any:
    positive, at = _guard_positive(x)
    found = _bell(degree, a, at) - out * ((a - 1.0) / at - 1.0)
    return g * SELECT_V2(positive, found, ZEROS_LIKE.call(found))


def _type(a: Any, x: Any, *, degree: int) -> TensorType:
    return TensorType(broadcast_dims(a.dims, x.dims), a.dtype)


ORDERS: Op = define(
    "IgammaOrders",  # ours
    "a x",
    _type,
    igamma_orders,
    {"a": _differentiate_order, "x": _differentiate_place},
    dtypes=FLOATING,
    broadcasts=True,
    batch=broadcast_rows,
)


def _density(a: Any, x: Any) -> Any:
    return exp((a - 1.0) * log(x) - x - lgamma(a))


IGAMMA_GRAD_A = elementwise(
    "IgammaGradA",
    "a x",
    igamma_grad_a,
    {
        "a": lambda a, x: multiply_no_nan(ORDERS(a, x, degree=2), _density(a, x)),
        "x": lambda a, x: multiply_no_nan(_slope(a, x), _density(a, x)),
    },
    dtypes=_WIDE,
    lower="igamma_grad_a",
    tolerance=tolerance.SPECIAL,
)


@partial(block_costly, least=FEW)
def _gamma_grad(alpha: Array, sample: Array) -> Array:
    return -igamma_orders(np.asarray(alpha, np.float64), np.asarray(sample, np.float64)).astype(alpha.dtype)


RANDOM_GAMMA_GRAD = elementwise(
    "RandomGammaGrad",
    "alpha sample",
    _gamma_grad,
    {
        "alpha": lambda g, alpha, sample, out: _differentiate_order(-g, alpha, sample, -out, 1),
        "sample": lambda g, alpha, sample, out: _differentiate_place(-g, alpha, sample, -out, 1),
    },
    dtypes=FLOATING,
    lower="random_gamma_grad",
    tolerance=tolerance.SPECIAL,
)
