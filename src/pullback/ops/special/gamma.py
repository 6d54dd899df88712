"""The gamma function's logarithm and its derivatives, and Hurwitz' zeta function."""

from __future__ import annotations

import numpy as np

from ...base import tolerance
from ...base.dtypes import FLOATING, float32, float64
from ...base.export import export
from ...ir.op import Op, Traits
from ...ir.tensor import NumberLike, Tensor
from ..families import elementwise
from ..lowering import math as native_math
from ..math.arithmetic import multiply, negative
from .kernels import lgamma as lgamma_kernel
from .zeta import digamma as digamma_kernel, polygamma as polygamma_kernel, zeta as zeta_kernel

_WIDE = {float32, float64}

LGAMMA = elementwise(
    "Lgamma",
    "x",
    lgamma_kernel,
    {"x": lambda x: digamma(x)},
    dtypes=FLOATING,
    lower="lgamma",
    tolerance=tolerance.with_amplitude(np.ones_like),
    traits=Traits(slow=True),
)
DIGAMMA = elementwise(
    "Digamma", "x", digamma_kernel, {"x": lambda x: POLYGAMMA.call(1.0, x)}, dtypes=FLOATING, lower="digamma",
    tolerance=tolerance.with_amplitude(np.ones_like),
)
POLYGAMMA: Op = elementwise(
    "Polygamma",
    "a x",
    polygamma_kernel,
    {"x": lambda a, x: POLYGAMMA.call(a + 1.0, x)},
    dtypes=_WIDE,
    lower=native_math.polygamma,
    tolerance=tolerance.LONG,
    gradient_names="Reshape",
)
ZETA: Op = elementwise(
    "Zeta",
    "x q",
    zeta_kernel,
    {"q": lambda x, q: negative(multiply(x, ZETA.call(x + 1.0, q)))},
    dtypes=_WIDE,
    lower=native_math.zeta,
    tolerance=tolerance.SPECIAL,
    gradient_names="Reshape",
)


@export("math.lgamma", v1="lgamma")
def lgamma(x: NumberLike, name: str | None = None) -> Tensor:
    """The logarithm of |Gamma(x)|.

    x: floating, any shape; the result has its shape and dtype.
    Raises TypeError (eagerly InvalidArgumentError) for other dtypes.

    >>> tf.math.lgamma([1.0, 2.0]).numpy().round(4).tolist()
    [0.0, 0.0]
    """
    return LGAMMA.call(x, name)


def digamma(x: NumberLike, name: str | None = None) -> Tensor:
    """The derivative of lgamma.

    x: floating, any shape; the result has its shape and dtype.
    Raises TypeError (eagerly InvalidArgumentError) for other dtypes.

    >>> f"{tf.math.digamma(2.0).numpy():.4f}"
    '0.4228'
    """
    return DIGAMMA.call(x, name)


export("math.digamma", v1="digamma")(digamma)


@export("math.polygamma", v1="polygamma")
def polygamma(a: NumberLike, x: NumberLike, name: str | None = None) -> Tensor:
    """The derivative of order a of digamma at x; NaN where a is no whole number of at least 0.

    a, x: float32 or float64, of one dtype, broadcast against each other.  No gradient to a.  Raises InvalidArgumentError (in graphs
    ValueError) where the shapes do not fit, TypeError or InvalidArgumentError for other dtypes.

    >>> f"{tf.math.polygamma(1.0, 1.0).numpy():.4f}"
    '1.6449'
    """
    return POLYGAMMA.call(a, x, name)


@export("math.zeta", v1="zeta")
def zeta(x: NumberLike, q: NumberLike, name: str | None = None) -> Tensor:
    """The Hurwitz zeta function, the sum of (q + n)^-x over n >= 0.

    x, q: as for `polygamma`, errors too.  No gradient to x.

    >>> f"{tf.math.zeta(2.0, 1.0).numpy():.4f}"
    '1.6449'
    """
    return ZETA.call(x, q, name)
