"""Special functions: gamma, beta and Bessel functions, by SciPy.

As in TensorFlow, some have no gradient with respect to an order: `zeta` to x, `polygamma` to a, `betainc` to a and b.
"""

from __future__ import annotations

from functools import reduce
from math import factorial
from typing import TYPE_CHECKING, Any

from ...base import tolerance
from ...base.dtypes import FLOATING, float32, float64
from ...base.export import export
from ...base.shapes import are_compatible, show as show_dims
from ...ir.apply import ShapeError, convert_to_tensor
from ...ir.context import scope
from ...ir.op import Traits, define
from ...ir.tensor import NumberLike, Tensor, TensorType
from ..array.basic import broadcast_to, shape_of
from ..array.shape import broadcast_dynamic_shape
from ..families import broadcast_dims, elementwise
from ..math.arithmetic import multiply, negative, subtract
from ..math.division import XLOG1PY, XLOGY, divide_by
from ..math.functions import exp, log
from ..math.magnitude import abs as absolute, sign
from ..reduce.reductions import reduce_sum
from .gamma import lgamma
from .igamma_orders import IGAMMA_GRAD_A
from .kernels import (
    bessel_i0 as i0_kernel,
    bessel_i0e as i0e_kernel,
    bessel_i1 as i1_kernel,
    bessel_i1e as i1e_kernel,
    betainc as betainc_kernel,
    igamma as igamma_kernel,
    igammac as igammac_kernel,
)
from .series import even_series, expand_near

if TYPE_CHECKING:
    from ..vmap_rules.base import Rows

WIDE = {float32, float64}


def _gamma_density(a: Any, x: Any) -> Any:
    """x^(a-1) e^-x / Gamma(a), through logarithms because Gamma(a) can be large."""
    return exp(subtract(subtract(multiply(a - 1.0, log(x)), x), lgamma(a)))


IGAMMA = elementwise(
    "Igamma",
    "a x",
    igamma_kernel,
    {"a": lambda a, x: IGAMMA_GRAD_A.call(a, x), "x": lambda a, x: _gamma_density(a, x)},
    dtypes=FLOATING,
    lower="igamma",
    gradient_names="Reshape Reshape_1",
    tolerance=tolerance.SPECIAL,
)
IGAMMAC = elementwise(
    "Igammac",
    "a x",
    igammac_kernel,
    {"a": lambda a, x: negative(IGAMMA_GRAD_A.call(a, x)), "x": lambda a, x: negative(_gamma_density(a, x))},
    dtypes=FLOATING,
    lower="igammac",
    gradient_names="Neg_1 Neg_2",
    tolerance=tolerance.LONG,
)


def _betainc_type(a: Any, b: Any, x: Any) -> TensorType:
    """Tensors of one shape, scalars beside them; nothing else broadcasts."""
    shaped = [t.dims for t in (a, b, x) if t.dims is None or len(t.dims) > 0]
    for dims in shaped[1:]:
        if not are_compatible(dims, shaped[0]):
            text = f"Shapes of a, b and x are inconsistent: {', '.join(show_dims(t.dims) for t in (a, b, x))}"
            raise ShapeError(text, text)
    out: Any = ()
    for dims in shaped:
        out = broadcast_dims(out, dims)
    return TensorType(out, x.dtype)


def _beta_density(a: Any, b: Any, x: Any) -> Any:
    """x^(a-1) (1-x)^(b-1) / B(a, b); the tails where a or b is 1 stay finite."""
    log_beta = subtract(lgamma(a) + lgamma(b), lgamma(a + b))
    return exp(subtract(XLOG1PY.call(b - 1.0, negative(x)) + XLOGY.call(a - 1.0, x), log_beta))


def _betainc_of_rows(rows: Rows, *inputs: Any) -> Any:
    """Single numbers stay what they are; the rest becomes one shape, which is all that the operation takes."""
    rank = rows.widest(inputs)
    given = [t if t.dims == () else rows.widen(rows.stack(t), rank) for t in inputs]
    shape = reduce(broadcast_dynamic_shape, [shape_of(t) for t in given if t.dims != ()])
    return rows.op(*(t if t.dims == () else broadcast_to(t, shape) for t in given))


BETAINC = define(
    "Betainc",
    "a b x",
    _betainc_type,
    betainc_kernel,
    {"x": lambda g, a, b, x: multiply(g, _beta_density(a, b, x))},
    dtypes=WIDE,
    broadcasts=True,
    holomorphic=False,
    batch=_betainc_of_rows,
    lower="betainc",
    gradient_names="Reshape",
    tolerance=tolerance.LONG,
    by_element=True,
)


# I1'(x): the sum of (2k + 1) (x / 2)^(2k) / (2 k! (k + 1)!)
_SLOPE_OF_I1 = [(2 * k + 1) / (2 * factorial(k) * factorial(k + 1) * 4**k) for k in range(8)]


def _slope_of_i1(x: Any) -> Any:
    return expand_near(x, 0.0, 0.5, even_series(_SLOPE_OF_I1), lambda at: subtract(bessel_i0(at), divide_by(bessel_i1(at), at)))


def _slope_of_i1e(x: Any, out: Any) -> Any:
    """exp(-|x|) I1' less the sign times the function."""
    small = even_series(_SLOPE_OF_I1)
    decayed = expand_near(
        x,
        0.0,
        0.5,
        lambda at: multiply(exp(negative(absolute(at))), small(at)),
        lambda at: subtract(bessel_i0e(at), divide_by(bessel_i1e(at), at)),
    )
    return subtract(decayed, multiply(sign(x), out))


BESSEL_I0 = elementwise("BesselI0", "x", i0_kernel, {"x": lambda x: bessel_i1(x)}, dtypes=FLOATING, lower="i0", tolerance=tolerance.SPECIAL)
BESSEL_I0E = elementwise(
    "BesselI0e",
    "x",
    i0e_kernel,
    {"x": lambda x, out: subtract(bessel_i1e(x), multiply(sign(x), out))},
    dtypes=FLOATING,
    lower="i0e",
    tolerance=tolerance.SPECIAL,
    traits=Traits(on_values=True),
)
BESSEL_I1 = elementwise(
    "BesselI1", "x", i1_kernel, {"x": _slope_of_i1}, dtypes=FLOATING, lower="i1", tolerance=tolerance.SPECIAL, gradient_names="mul"
)
BESSEL_I1E = elementwise(
    "BesselI1e", "x", i1e_kernel, {"x": _slope_of_i1e}, dtypes=FLOATING, lower="i1e", tolerance=tolerance.SPECIAL,
    gradient_names="mul_1",
    traits=Traits(on_values=True),
)  # fmt: skip


@export("math.igamma", v1="igamma")
def igamma(a: NumberLike, x: NumberLike, name: str | None = None) -> Tensor:
    """The lower regularised incomplete gamma function, int_0^x t^(a-1) e^-t dt / Gamma(a).

    a, x: positive, floating, of one dtype, broadcast against each other; errors as `polygamma`.

    >>> f"{tf.math.igamma(1.0, 1.0).numpy():.4f}"
    '0.6321'
    """
    return IGAMMA.call(a, x, name)


@export("math.igammac", v1="igammac")
def igammac(a: NumberLike, x: NumberLike, name: str | None = None) -> Tensor:
    """1 - igamma(a, x), exact where igamma is near 1.

    >>> tf.math.igammac(1.0, 0.0).numpy().item()
    1.0
    """
    return IGAMMAC.call(a, x, name)


@export("math.betainc", v1="betainc")
def betainc(a: NumberLike, b: NumberLike, x: NumberLike, name: str | None = None) -> Tensor:
    """The regularised incomplete beta function, int_0^x t^(a-1) (1-t)^(b-1) dt / B(a, b).

    a, b: positive; x: in [0, 1]; float32 or float64, of one dtype and one shape, or scalars.  Gradients to x alone.  Errors as `polygamma`.

    >>> tf.math.betainc(1.0, 1.0, 0.25).numpy().item()
    0.25
    """
    return BETAINC(a, b, x, name=name)


@export("math.bessel_i0", "math.special.bessel_i0")
def bessel_i0(x: NumberLike, name: str | None = None) -> Tensor:
    """The modified Bessel function of order 0.

    x: floating, any shape; the result has its shape and dtype.
    Raises TypeError (eagerly InvalidArgumentError) for other dtypes.

    >>> tf.math.bessel_i0(0.0).numpy().round(4).tolist()
    1.0
    """
    with scope(name, "bessel_i0"):
        return BESSEL_I0.call(x)


@export("math.bessel_i0e", "math.special.bessel_i0e")
def bessel_i0e(x: NumberLike, name: str | None = None) -> Tensor:
    """exp(-|x|) bessel_i0(x), which does not overflow.

    x: floating, any shape; the result has its shape and dtype.
    Raises TypeError (eagerly InvalidArgumentError) for other dtypes.

    >>> tf.math.bessel_i0e(0.0).numpy().round(4).tolist()
    1.0
    """
    with scope(name, "bessel_i0e"):
        return BESSEL_I0E.call(x)


def bessel_i1(x: NumberLike, name: str | None = None) -> Tensor:
    """The modified Bessel function of order 1.

    x: floating, any shape; the result has its shape and dtype.
    Raises TypeError (eagerly InvalidArgumentError) for other dtypes.

    >>> tf.math.bessel_i1(0.0).numpy().round(4).tolist()
    0.0
    """
    with scope(name, "bessel_i1"):
        return BESSEL_I1.call(x)


export("math.bessel_i1", "math.special.bessel_i1")(bessel_i1)


def bessel_i1e(x: NumberLike, name: str | None = None) -> Tensor:
    """exp(-|x|) bessel_i1(x), which does not overflow.

    x: floating, any shape; the result has its shape and dtype.
    Raises TypeError (eagerly InvalidArgumentError) for other dtypes.

    >>> tf.math.bessel_i1e(0.0).numpy().round(4).tolist()
    0.0
    """
    with scope(name, "bessel_i1e"):
        return BESSEL_I1E.call(x)


export("math.bessel_i1e", "math.special.bessel_i1e")(bessel_i1e)


@export("math.lbeta", v1="lbeta")
def lbeta(x: NumberLike, name: str | None = None) -> Tensor:
    """The logarithm of |Beta| of the last axis: sum of lgamma(x) - lgamma(sum of x).

    x: floating of rank at least 1; the result lacks the last axis.  The last axis may be empty: the result is then -inf.

    >>> tf.math.lbeta([1.0, 1.0]).numpy().item()
    0.0
    """
    with scope(name, "lbeta"):
        x = convert_to_tensor(x, name="x")
        logs = reduce_sum(lgamma(x), axis=[-1])
        return logs - lgamma(reduce_sum(x, axis=[-1]))
