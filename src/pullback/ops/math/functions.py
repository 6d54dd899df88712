"""Roots, exponentials, logarithms, and the two sigmoids that have gradients of their own.

Where the derivative is simplest in the result, the rule reads the result; `tanh`, `sigmoid`, `sqrt`, `rsqrt` and `reciprocal` have
gradients that are ops of their own (`TanhGrad`, ...), as in TensorFlow, so that a backward pass computes each in one kernel.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base import tolerance
from ...base.dtypes import FLOAT_OR_COMPLEX
from ...base.export import export, is_hot
from ...base.tolerance import ROUNDED, WRONG, Units
from ...ir.op import Op, Remedies, Traits
from ...ir.tensor import NumberLike, Tensor
from ...ir.tracebacks import trim
from ...kernels import blocked
from ..families import elementwise
from . import kernels as kernels
from .arithmetic import add, multiply, negative, square
from .division import DOUBLE_WHERE, RATIO, divide_by


def _multiply_minus_twice(g: Any, a: Any, b: Any) -> Tensor:
    return multiply(multiply(-2.0, multiply(g, a)), b)


TANH_GRAD: Op = elementwise(
    "TanhGrad",
    "y dy",
    kernels.tanh_grad,
    {"y": lambda g, y, dy: _multiply_minus_twice(g, dy, y), "dy": lambda g, y: TANH_GRAD.call(y, g)},
    dtypes=FLOAT_OR_COMPLEX,
    lower=lambda builder, y, dy: dy * (1.0 - y * y),
)
SIGMOID_GRAD: Op = elementwise(
    "SigmoidGrad",
    "y dy",
    kernels.sigmoid_grad,
    {"y": lambda g, y, dy: add(multiply(g, dy), _multiply_minus_twice(g, dy, y)), "dy": lambda g, y: SIGMOID_GRAD.call(y, g)},
    dtypes=FLOAT_OR_COMPLEX,
    lower=lambda builder, y, dy: dy * y * (1.0 - y),
)
SQRT_GRAD: Op = elementwise(
    "SqrtGrad",
    "y dy",
    kernels.sqrt_grad,
    {"y": lambda g, y, out: negative(multiply(divide_by(g, y), out)), "dy": lambda g, y: multiply(0.5, divide_by(g, y))},
    dtypes=FLOAT_OR_COMPLEX,
    lower=lambda builder, y, dy: builder.select(builder.compare("eq", dy, 0), dy, 0.5 * dy / y),
)
RSQRT_GRAD: Op = elementwise(
    "RsqrtGrad",
    "y dy",
    kernels.rsqrt_grad,
    {"y": lambda g, y, dy: multiply(multiply(multiply(-1.5, g), dy), square(y)), "dy": lambda g, y: RSQRT_GRAD.call(y, g)},
    dtypes=FLOAT_OR_COMPLEX,
    lower=lambda builder, y, dy: builder.select(builder.compare("eq", dy, 0), dy, -0.5 * dy * (y * y * y)),
)
RECIPROCAL_GRAD: Op = elementwise(
    "ReciprocalGrad",
    "y dy",
    kernels.reciprocal_grad,
    {"y": lambda g, y, dy: _multiply_minus_twice(g, dy, y), "dy": lambda g, y: RECIPROCAL_GRAD.call(y, g)},
    dtypes=FLOAT_OR_COMPLEX,
    lower=lambda builder, y, dy: builder.select(builder.compare("eq", dy, 0), dy, -dy * (y * y)),
)

_INSIDE = "keep its argument inside the domain: tf.maximum(x, 1e-12), or tf.where(ok, f(tf.where(ok, x, 1.0)), 0.0)"
_STEEP_ROOT = "take the root of x + 1e-12"
CLIPPED = Remedies("clip its argument")

EXP = elementwise(
    "Exp",
    "x",
    kernels.block_function(np.exp),
    {"x": lambda out: out},
    dtypes=FLOAT_OR_COMPLEX,
    lower="exp",
    tolerance=tolerance.FUNCTION,
    traits=Traits(
        remedies=Remedies(
            "subtract the maximum first, or use tf.reduce_logsumexp, tf.nn.softmax or tf.math.softplus, which do",
            "subtract the maximum first, or clip its argument",
        ),
        saturates=True,
        slow=True,
    ),
)
SQRT = elementwise(
    "Sqrt",
    "x",
    blocked.block_kernel(np.sqrt),
    {"x": lambda g, out: SQRT_GRAD.call(out, g)},
    dtypes=FLOAT_OR_COMPLEX,
    lower="sqrt",
    tolerance=tolerance.OF_COMPLEX,
    traits=Traits(
        remedies=Remedies("take the root of tf.maximum(x, 0.0)", f"{_STEEP_ROOT}: the slope of sqrt is infinite at 0"),
        on_values=True,
    ),
)
RSQRT = elementwise(
    "Rsqrt",
    "x",
    kernels.rsqrt,
    {"x": lambda g, out: RSQRT_GRAD.call(out, g)},
    dtypes=FLOAT_OR_COMPLEX,
    lower="rsqrt",
    tolerance=Units(narrow=ROUNDED, of_complex=ROUNDED),
    traits=Traits(remedies=Remedies(_STEEP_ROOT, _STEEP_ROOT)),
)
RECIPROCAL = elementwise(
    "Reciprocal",
    "x",
    kernels.reciprocal,
    {"x": lambda g, out: RECIPROCAL_GRAD.call(out, g)},
    dtypes=FLOAT_OR_COMPLEX,
    lower=lambda builder, x: 1.0 / x,
    tolerance=tolerance.OF_COMPLEX,
    traits=Traits(remedies=Remedies(RATIO, f"{DOUBLE_WHERE}, or tf.math.reciprocal_no_nan")),
)
EXPM1 = elementwise(
    "Expm1", "x", kernels.block_function(np.expm1), {"x": lambda x: EXP.call(x)}, dtypes=FLOAT_OR_COMPLEX, lower="expm1",
    tolerance=tolerance.FUNCTION,
    traits=Traits(remedies=CLIPPED, saturates=True, slow=True),
)  # fmt: skip
LOG = elementwise(
    "Log", "x", kernels.block_function(np.log), {"x": lambda g, x: divide_by(g, x)}, dtypes=FLOAT_OR_COMPLEX, lower="log",
    tolerance=tolerance.FUNCTION, gradient_names="mul",
    traits=Traits(remedies=Remedies(_INSIDE, f"{DOUBLE_WHERE}: {_INSIDE}"), slow=True),
)  # fmt: skip
LOG1P = elementwise(
    "Log1p", "x", kernels.block_function(np.log1p), {"x": lambda g, x: divide_by(g, add(x, 1.0))}, dtypes=FLOAT_OR_COMPLEX, lower="log1p",
    tolerance=tolerance.FUNCTION, gradient_names="mul",
    traits=Traits(remedies=Remedies(_INSIDE), slow=True),
)  # fmt: skip
TANH = elementwise(
    "Tanh",
    "x",
    kernels.block_function(np.tanh),
    {"x": lambda g, out: TANH_GRAD.call(out, g)},
    dtypes=FLOAT_OR_COMPLEX,
    lower="tanh",
    tolerance=tolerance.FUNCTION_NEAR._replace(narrow=ROUNDED),
    traits=Traits(on_values=True, saturates=True, slow=True),
)
SIGMOID = elementwise(
    "Sigmoid",
    "x",
    kernels.sigmoid,
    {"x": lambda g, out: SIGMOID_GRAD.call(out, g)},
    dtypes=FLOAT_OR_COMPLEX,
    lower="sigmoid",
    tolerance=Units(narrow=ROUNDED, of_complex=WRONG, later=ROUNDED),
    traits=Traits(saturates=True, slow=True, opens_scope=True),
)


@export("exp", "math.exp")
@is_hot
def exp(x: NumberLike, name: str | None = None) -> Tensor:
    """e to the power x.

    x: floating or complex, any shape; the result has its shape and dtype.
    Raises TypeError (eagerly InvalidArgumentError) for other dtypes.

    >>> tf.exp(0.0).numpy().tolist()
    1.0
    """
    try:
        return EXP.call(x, name)
    except Exception as error:
        trim(error)
        raise


@is_hot
def sqrt(x: NumberLike, name: str | None = None) -> Tensor:
    """The square root of x.  Its gradient at 0 is infinite, but 0 where the incoming gradient is 0.

    x: floating or complex, any shape; the result has its shape and dtype.
    Raises TypeError (eagerly InvalidArgumentError) for other dtypes.

    >>> tf.sqrt([4.0, 9.0]).numpy().tolist()
    [2.0, 3.0]
    """
    try:
        return SQRT.call(x, name)
    except Exception as error:
        trim(error)
        raise


export("sqrt", "math.sqrt")(sqrt)


@export("math.rsqrt", v1="rsqrt")
@is_hot
def rsqrt(x: NumberLike, name: str | None = None) -> Tensor:
    """1 / sqrt(x).

    x: floating or complex, any shape; the result has its shape and dtype.
    Raises TypeError (eagerly InvalidArgumentError) for other dtypes.

    >>> tf.math.rsqrt([4.0, 0.25]).numpy().tolist()
    [0.5, 2.0]
    """
    try:
        return RSQRT.call(x, name)
    except Exception as error:
        trim(error)
        raise


@export("math.reciprocal", v1="reciprocal")
@is_hot
def reciprocal(x: NumberLike, name: str | None = None) -> Tensor:
    """1 / x.

    x: floating or complex, any shape; the result has its shape and dtype.
    Raises TypeError (eagerly InvalidArgumentError) for other dtypes.

    >>> tf.math.reciprocal([4.0, 0.5]).numpy().tolist()
    [0.25, 2.0]
    """
    try:
        return RECIPROCAL.call(x, name)
    except Exception as error:
        trim(error)
        raise


@export("math.expm1", v1="expm1")
def expm1(x: NumberLike, name: str | None = None) -> Tensor:
    """exp(x) - 1, exact for small x.

    x: floating or complex, any shape; the result has its shape and dtype.
    Raises TypeError (eagerly InvalidArgumentError) for other dtypes.

    >>> tf.math.expm1(0.0).numpy().tolist()
    0.0
    """
    return EXPM1.call(x, name)


@export("math.log", v1="log")
@is_hot
def log(x: Any, name: str | None = None) -> Tensor:
    """The natural logarithm of x.

    x: floating or complex, any shape; the result has its shape and dtype.
    Raises TypeError (eagerly InvalidArgumentError) for other dtypes.

    >>> tf.math.log(1.0).numpy().tolist()
    0.0
    """
    try:
        return LOG.call(x, name)
    except Exception as error:
        trim(error)
        raise


@export("math.log1p", v1="log1p")
@is_hot
def log1p(x: NumberLike, name: str | None = None) -> Tensor:
    """log(1 + x), exact for small x.

    x: floating or complex, any shape; the result has its shape and dtype.
    Raises TypeError (eagerly InvalidArgumentError) for other dtypes.

    >>> tf.math.log1p(0.0).numpy().tolist()
    0.0
    """
    try:
        return LOG1P.call(x, name)
    except Exception as error:
        trim(error)
        raise


@export("tanh", "math.tanh", "nn.tanh")
@is_hot
def tanh(x: NumberLike, name: str | None = None) -> Tensor:
    """The hyperbolic tangent of x.

    x: floating or complex, any shape; the result has its shape and dtype.
    Raises TypeError (eagerly InvalidArgumentError) for other dtypes.

    >>> tf.tanh(0.0).numpy().tolist()
    0.0
    """
    try:
        return TANH.call(x, name)
    except Exception as error:
        trim(error)
        raise


@export("sigmoid", "math.sigmoid", "nn.sigmoid")
@is_hot
def sigmoid(x: NumberLike, name: str | None = None) -> Tensor:
    """The logistic function 1 / (1 + exp(-x)).

    x: floating or complex, any shape; the result has its shape and dtype.
    Raises TypeError (eagerly InvalidArgumentError) for other dtypes.

    >>> tf.sigmoid([0.0, 100.0]).numpy().tolist()
    [0.5, 1.0]
    """
    try:
        return SIGMOID.call(x, name)
    except Exception as error:
        trim(error)
        raise
