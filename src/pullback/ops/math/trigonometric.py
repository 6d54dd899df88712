"""Trigonometric and hyperbolic functions and their inverses, of one tensor; `tanh` is beside `sigmoid`.

Where the derivative is simplest in the result, the rule reads the result.
"""

from __future__ import annotations

import numpy as np

from ...base import tolerance
from ...base.dtypes import FLOAT_OR_COMPLEX
from ...base.export import export, is_hot
from ...ir.op import Op, Remedies, Traits
from ...ir.tensor import NumberLike, Tensor
from ...ir.tracebacks import trim
from ..families import elementwise
from .arithmetic import add, negative, square
from .division import divide_by
from .functions import CLIPPED, sqrt
from .kernels import block_function

_STEEP_ENDS = "the slope is infinite at -1 and 1: clip its argument to [-1 + 1e-6, 1 - 1e-6]"
SIN = elementwise(
    "Sin", "x", block_function(np.sin), {"x": lambda x: COS.call(x)}, dtypes=FLOAT_OR_COMPLEX, lower="sin", tolerance=tolerance.FUNCTION,
    traits=Traits(on_values=True, slow=True),
)  # fmt: skip
COS: Op = elementwise(
    "Cos", "x", block_function(np.cos), {"x": lambda x: negative(SIN.call(x))}, dtypes=FLOAT_OR_COMPLEX, lower="cos",
    tolerance=tolerance.FUNCTION, traits=Traits(slow=True),
)  # fmt: skip
TAN = elementwise(
    "Tan", "x", block_function(np.tan), {"x": lambda out: add(square(out), 1.0)}, dtypes=FLOAT_OR_COMPLEX, lower="tan",
    tolerance=tolerance.FUNCTION_NEAR, traits=Traits(on_values=True, slow=True),
)  # fmt: skip
ASIN = elementwise(
    "Asin",
    "x",
    block_function(np.arcsin),
    {"x": lambda g, x: divide_by(g, sqrt(1.0 - square(x)))},
    dtypes=FLOAT_OR_COMPLEX,
    lower="asin",
    tolerance=tolerance.FUNCTION_NEAR,
    gradient_names="mul",
    traits=Traits(remedies=Remedies("clip its argument to [-1, 1]", _STEEP_ENDS), on_values=True, slow=True),
)
ACOS = elementwise(
    "Acos",
    "x",
    block_function(np.arccos),
    {"x": lambda g, x: negative(divide_by(g, sqrt(1.0 - square(x))))},
    dtypes=FLOAT_OR_COMPLEX,
    lower="acos",
    tolerance=tolerance.FUNCTION_NEAR,
    gradient_names="mul",
    traits=Traits(remedies=Remedies("clip its argument to [-1, 1]", _STEEP_ENDS), slow=True),
)
ATAN = elementwise(
    "Atan",
    "x",
    block_function(np.arctan),
    {"x": lambda g, x: divide_by(g, add(square(x), 1.0))},
    dtypes=FLOAT_OR_COMPLEX,
    lower="atan",
    tolerance=tolerance.FUNCTION_NEAR,
    gradient_names="mul",
    traits=Traits(on_values=True, slow=True, saturates=True),
)
SINH = elementwise(
    "Sinh", "x", block_function(np.sinh), {"x": lambda x: cosh(x)}, dtypes=FLOAT_OR_COMPLEX, lower="sinh", tolerance=tolerance.FUNCTION,
    traits=Traits(remedies=CLIPPED, slow=True),
)  # fmt: skip
COSH = elementwise(
    "Cosh", "x", block_function(np.cosh), {"x": lambda x: sinh(x)}, dtypes=FLOAT_OR_COMPLEX, lower="cosh", tolerance=tolerance.FUNCTION,
    traits=Traits(remedies=CLIPPED, slow=True),
)  # fmt: skip
ASINH = elementwise(
    "Asinh",
    "x",
    block_function(np.arcsinh),
    {"x": lambda g, out: divide_by(g, cosh(out))},
    dtypes=FLOAT_OR_COMPLEX,
    lower="asinh",
    tolerance=tolerance.FUNCTION_NEAR,
    gradient_names="truediv",
    traits=Traits(on_values=True, slow=True),
)
ACOSH = elementwise(
    "Acosh",
    "x",
    block_function(np.arccosh),
    {"x": lambda g, out: divide_by(g, sinh(out))},
    dtypes=FLOAT_OR_COMPLEX,
    lower="acosh",
    tolerance=tolerance.FUNCTION_NEAR,
    gradient_names="truediv",
    traits=Traits(remedies=Remedies("keep its argument at 1 or above"), slow=True),
)
ATANH = elementwise(
    "Atanh",
    "x",
    block_function(np.arctanh),
    {"x": lambda g, x: divide_by(g, 1.0 - square(x))},
    dtypes=FLOAT_OR_COMPLEX,
    lower="atanh",
    tolerance=tolerance.FUNCTION_NEAR,
    gradient_names="mul",
    traits=Traits(remedies=Remedies("clip its argument to (-1, 1)"), on_values=True, slow=True),
)


@export("sin", "math.sin")
@is_hot
def sin(x: NumberLike, name: str | None = None) -> Tensor:
    """The sine of x in radians.

    x: floating or complex, any shape; the result has its shape and dtype.
    Raises TypeError (eagerly InvalidArgumentError) for other dtypes.

    >>> tf.sin(0.0).numpy().tolist()
    0.0
    """
    try:
        return SIN.call(x, name)
    except Exception as error:
        trim(error)
        raise


@export("cos", "math.cos")
@is_hot
def cos(x: NumberLike, name: str | None = None) -> Tensor:
    """The cosine of x in radians.

    x: floating or complex, any shape; the result has its shape and dtype.
    Raises TypeError (eagerly InvalidArgumentError) for other dtypes.

    >>> tf.cos(0.0).numpy().tolist()
    1.0
    """
    try:
        return COS.call(x, name)
    except Exception as error:
        trim(error)
        raise


@export("tan", "math.tan")
def tan(x: NumberLike, name: str | None = None) -> Tensor:
    """The tangent of x in radians.

    x: floating or complex, any shape; the result has its shape and dtype.
    Raises TypeError (eagerly InvalidArgumentError) for other dtypes.

    >>> tf.tan(0.0).numpy().tolist()
    0.0
    """
    return TAN.call(x, name)


@export("asin", "math.asin")
def asin(x: NumberLike, name: str | None = None) -> Tensor:
    """The angle in [-pi/2, pi/2] whose sine is x.

    x: floating or complex, any shape; the result has its shape and dtype.
    Raises TypeError (eagerly InvalidArgumentError) for other dtypes.

    >>> tf.asin(0.0).numpy().tolist()
    0.0
    """
    return ASIN.call(x, name)


@export("acos", "math.acos")
def acos(x: NumberLike, name: str | None = None) -> Tensor:
    """The angle in [0, pi] whose cosine is x.

    x: floating or complex, any shape; the result has its shape and dtype.
    Raises TypeError (eagerly InvalidArgumentError) for other dtypes.

    >>> tf.acos(1.0).numpy().tolist()
    0.0
    """
    return ACOS.call(x, name)


@export("atan", "math.atan")
def atan(x: NumberLike, name: str | None = None) -> Tensor:
    """The angle in [-pi/2, pi/2] whose tangent is x.

    x: floating or complex, any shape; the result has its shape and dtype.
    Raises TypeError (eagerly InvalidArgumentError) for other dtypes.

    >>> tf.atan(0.0).numpy().tolist()
    0.0
    """
    return ATAN.call(x, name)


def sinh(x: NumberLike, name: str | None = None) -> Tensor:
    """The hyperbolic sine of x.

    x: floating or complex, any shape; the result has its shape and dtype.
    Raises TypeError (eagerly InvalidArgumentError) for other dtypes.

    >>> tf.sinh(0.0).numpy().tolist()
    0.0
    """
    return SINH.call(x, name)


export("sinh", "math.sinh")(sinh)


def cosh(x: NumberLike, name: str | None = None) -> Tensor:
    """The hyperbolic cosine of x.

    x: floating or complex, any shape; the result has its shape and dtype.
    Raises TypeError (eagerly InvalidArgumentError) for other dtypes.

    >>> tf.cosh(0.0).numpy().tolist()
    1.0
    """
    return COSH.call(x, name)


export("cosh", "math.cosh")(cosh)


@export("asinh", "math.asinh")
def asinh(x: NumberLike, name: str | None = None) -> Tensor:
    """The inverse hyperbolic sine of x.

    x: floating or complex, any shape; the result has its shape and dtype.
    Raises TypeError (eagerly InvalidArgumentError) for other dtypes.

    >>> tf.asinh(0.0).numpy().tolist()
    0.0
    """
    return ASINH.call(x, name)


@export("acosh", "math.acosh")
def acosh(x: NumberLike, name: str | None = None) -> Tensor:
    """The inverse hyperbolic cosine of x; NaN below 1.

    x: floating or complex, any shape; the result has its shape and dtype.
    Raises TypeError (eagerly InvalidArgumentError) for other dtypes.

    >>> tf.acosh(1.0).numpy().tolist()
    0.0
    """
    return ACOSH.call(x, name)


@export("atanh", "math.atanh")
def atanh(x: NumberLike, name: str | None = None) -> Tensor:
    """The inverse hyperbolic tangent of x; NaN outside [-1, 1].

    x: floating or complex, any shape; the result has its shape and dtype.
    Raises TypeError (eagerly InvalidArgumentError) for other dtypes.

    >>> tf.atanh(0.0).numpy().tolist()
    0.0
    """
    return ATANH.call(x, name)
