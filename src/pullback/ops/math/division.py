"""Quotients, remainders and powers.

TensorFlow has a division for every rounding: `RealDiv` for floating and complex numbers (integers are cast first), `FloorDiv` and
`FloorMod` as Python's `//` and `%`, `TruncateDiv` and `TruncateMod` as C's.  `DivNoNan`, `Xdivy` and the `Xlog*` pair answer 0 where
a factor 0 meets what is not finite.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base import tolerance
from ...base.dtypes import (
    COMPLEX,
    FLOAT_OR_COMPLEX,
    FLOATING,
    REAL,
    DType,
    bfloat16,
    complex64,
    complex128,
    float16,
    float32,
    float64,
    int8,
    int16,
    int32,
    int64,
    uint8,
    uint16,
    uint32,
    uint64,
)
from ...base.export import export, is_hot
from ...ir.apply import convert_to_tensor
from ...ir.composite import NotATensor, works_by_element
from ...ir.context import current, scope
from ...ir.convert import is_tensor_like
from ...ir.op import Op, Remedies, Traits
from ...ir.tensor import LATE_BOUND, EagerTensor, NumberLike, Tensor
from ...ir.tracebacks import trim
from ..families import elementwise
from ..lowering import math as native_math
from ..primitives.cast import cast
from ..primitives.compare import not_equal
from . import kernels as kernels
from .arithmetic import multiply, negative, square

RATIO = "use tf.math.divide_no_nan, or keep the denominator from zero, with a `where` on both sides where a `where` picks the result"
DOUBLE_WHERE = "use a `where` inside as well as outside (the double where)"
_REMEDIES = Remedies(
    RATIO,
    f"{DOUBLE_WHERE}, or tf.math.divide_no_nan",
    "infinity over infinity is NaN: divide before the numbers grow, or subtract logarithms",
)
REAL_DIV: Op = elementwise(
    "RealDiv",
    "x y",
    np.true_divide,
    {"x": lambda g, y: divide_by(g, y), "y": lambda g, y, out: negative(multiply(divide_by(g, y), out))},
    dtypes=FLOAT_OR_COMPLEX,
    lower="div",
    tolerance=tolerance.OF_COMPLEX,
    gradient_names="RealDiv mul",
    traits=Traits(remedies=_REMEDIES, multiplies=True, opens_scope=True),
)
DIV_NO_NAN: Op = elementwise(
    "DivNoNan",
    "x y",
    kernels.div_no_nan,
    {"x": lambda g, y: DIV_NO_NAN.call(g, y), "y": lambda g, y, out: negative(multiply(g, DIV_NO_NAN.call(out, y)))},
    dtypes=FLOAT_OR_COMPLEX,
    lower=lambda builder, x, y: builder.select(builder.compare("eq", y, 0), 0, x / y),
    gradient_names="div_no_nan mul",
    traits=Traits(multiplies=True, opens_scope=True),
)
FLOOR_DIV = elementwise("FloorDiv", "x y", kernels.floor_div, {}, dtypes=REAL, lower=native_math.floor_div)
FLOOR_MOD = elementwise(
    "FloorMod",
    "x y",
    kernels.floor_mod,
    {"x": 1, "y": lambda x, y: negative(FLOOR_DIV.call(x, y))},
    dtypes=REAL,
    lower=native_math.floor_mod,
)
TRUNCATE_DIV = elementwise("TruncateDiv", "x y", kernels.truncate_div, {}, dtypes=REAL, lower=native_math.truncate_div)
TRUNCATE_MOD = elementwise(
    "TruncateMod",
    "x y",
    kernels.truncate_mod,
    {"x": 1, "y": lambda x, y: negative(TRUNCATE_DIV.call(x, y))},
    dtypes={int32, int64} | FLOATING,
    lower=native_math.truncate_mod,
)


def divide_by(x: Tensor, y: Tensor, name: str | None = None) -> Tensor:
    """x / y of floating or complex tensors: the op itself, as rules use it."""
    return REAL_DIV.call(x, y, name)


def _is_not_zero(x: Any) -> Tensor:
    return cast(not_equal(x, 0.0), x.dtype)


XLOGY: Op = elementwise(
    "Xlogy",
    "x y",
    kernels.xlogy,
    {"x": lambda x, y: XLOGY.call(_is_not_zero(x), y), "y": lambda x, y: XDIVY.call(x, y)},
    dtypes=FLOAT_OR_COMPLEX,
    lower=native_math.xlogy,
    gradient_names="Reshape Reshape_1",
    tolerance=tolerance.LATER,
    traits=Traits(multiplies=True),
)
XLOG1PY: Op = elementwise(
    "Xlog1py",
    "x y",
    kernels.xlog1py,
    {"x": lambda x, y: XLOG1PY.call(_is_not_zero(x), y), "y": lambda x, y: XDIVY.call(x, y + 1.0)},
    dtypes=FLOAT_OR_COMPLEX,
    lower=native_math.xlog1py,
    gradient_names="Reshape Reshape_1",
    tolerance=tolerance.LATER,
    traits=Traits(multiplies=True),
)
XDIVY: Op = elementwise(
    "Xdivy",
    "x y",
    kernels.xdivy,
    {"x": lambda x, y: XDIVY.call(_is_not_zero(x), y), "y": lambda x, y: XDIVY.call(negative(x), square(y))},
    dtypes=FLOAT_OR_COMPLEX,
    lower=native_math.xdivy,
    gradient_names="Reshape Reshape_1",
    traits=Traits(remedies=Remedies(RATIO)),
)

#: What `x / y` casts its operands to; None: nothing.
_DIVIDED_AS: dict[DType, DType | None] = {
    uint8: float32, int8: float32, uint16: float32, int16: float32, uint32: float64, int32: float64, uint64: float64, int64: float64,
    float16: None, bfloat16: None, float32: None, float64: None, complex64: None, complex128: None,
}  # fmt: skip
_PLAIN = (float, int)
_DIVISIBLE = frozenset(d.numpy_dtype for d in FLOATING | COMPLEX)


def _divide_floats(op: Any, x: Any, y: Any, what: str, name: str) -> Tensor:
    """`op` of x and y as tensors of one floating dtype."""
    x = convert_to_tensor(x, name="x")
    y = convert_to_tensor(y, dtype_hint=x.dtype.base_dtype, name="y")
    if x.dtype.base_dtype is not y.dtype.base_dtype:
        raise TypeError(f"{op.name}: `x` and `y` must have the same dtype, got {x.dtype!r} != {y.dtype!r}; cast one of them with tf.cast.")
    try:
        dtype = _DIVIDED_AS[x.dtype.base_dtype]
    except KeyError:
        raise TypeError(f"{op.name}: Invalid dtype {x.dtype!r} in {what}. Expected one of {[repr(d) for d in _DIVIDED_AS]}.") from None
    if dtype is not None:
        x, y = cast(x, dtype), cast(y, dtype)
    return op.call(x, y, name)


@export("truediv", "math.truediv")
@works_by_element
def truediv(x: NumberLike, y: NumberLike, name: str | None = None) -> Tensor:
    """x / y as Python divides; integers become float64 (those of 8 and 16 bits float32) first.

    x, y: numeric, of one dtype, broadcast against each other.  Raises TypeError where the dtypes differ or are not numeric,
    InvalidArgumentError (in graphs ValueError) where the shapes do not fit.

    >>> tf.truediv([1, 3], 2).numpy().tolist()
    [0.5, 1.5]
    """
    if type(x) is EagerTensor and type(y) is EagerTensor and x.value.dtype is y.value.dtype and x.value.dtype in _DIVISIBLE:
        return REAL_DIV.call(x, y, name)
    with scope(name, "truediv") as full:
        return _divide_floats(REAL_DIV, x, y, "__truediv__", full)


@export("divide", "math.divide")
@works_by_element
def divide(x: NumberLike, y: NumberLike, name: str | None = None) -> Tensor:
    """x / y, Python's operator: `truediv` that takes x's dtype from y where x is a Python number.

    >>> tf.divide(1.0, tf.constant([2.0, 4.0])).numpy().tolist()
    [0.5, 0.25]
    """
    if name is not None:
        return _slash(x, y, name)
    return (x if is_tensor_like(x) else convert_to_tensor(x, dtype=y.dtype.base_dtype if is_tensor_like(y) else None)) / y


@export("math.divide_no_nan", v1="div_no_nan")
@works_by_element
def divide_no_nan(x: NumberLike, y: NumberLike, name: str | None = None) -> Tensor:
    """x / y, and 0 where y is 0; dtypes, shapes and errors as `truediv`.

    >>> tf.math.divide_no_nan([1.0, 2.0], [0.0, 4.0]).numpy().tolist()
    [0.0, 0.5]
    """
    with scope(name, "div_no_nan") as full:
        if not is_tensor_like(x) and is_tensor_like(y):
            x = convert_to_tensor(x, dtype=y.dtype.base_dtype)
        return _divide_floats(DIV_NO_NAN, x, y, "tf.math.divide_no_nan", full)


@export("math.reciprocal_no_nan")
@works_by_element
def reciprocal_no_nan(x: NumberLike, name: str | None = None) -> Tensor:
    """1 / x, and 0 where x is 0; x: floating or complex.

    >>> tf.math.reciprocal_no_nan([0.0, 4.0]).numpy().tolist()
    [0.0, 0.25]
    """
    with scope(name, "reciprocal_no_nan") as full:
        x = convert_to_tensor(x, name="x")
        return DIV_NO_NAN.call(convert_to_tensor(1, dtype=x.dtype.base_dtype, name="one"), x, full)


@export("math.floordiv", v1="floordiv")
def floordiv(x: NumberLike, y: NumberLike, name: str | None = None) -> Tensor:
    """The quotient rounded down, Python's `//`; constant for gradients.

    x, y: real, of one dtype, broadcast against each other.  Raises InvalidArgumentError for an integer divided by zero and for
    shapes that do not fit (in graphs ValueError), TypeError or InvalidArgumentError where the dtypes differ.

    >>> tf.math.floordiv([7, -7], 2).numpy().tolist()
    [3, -4]
    """
    with scope(name, "floordiv") as full:
        return FLOOR_DIV.call(x, y, full)


@export("math.floormod", "math.mod", v1=("floormod", "mod"))
def floormod(x: NumberLike, y: NumberLike, name: str | None = None) -> Tensor:
    """What `floordiv` leaves, Python's `%`; it has the sign of y.  Dtypes, shapes and errors as `floordiv`.

    Gradients: g to x, -g floordiv(x, y) to y.

    >>> tf.math.floormod([7, -7], 2).numpy().tolist()
    [1, 1]
    """
    return FLOOR_MOD.call(x, y, name)


@export("truncatediv")
def truncatediv(x: NumberLike, y: NumberLike, name: str | None = None) -> Tensor:
    """The quotient rounded towards zero, C's `/` of integers.  Dtypes, shapes and errors as `floordiv`.

    >>> tf.truncatediv([7, -7], 2).numpy().tolist()
    [3, -3]
    """
    return TRUNCATE_DIV.call(x, y, name)


@export("truncatemod")
def truncatemod(x: NumberLike, y: NumberLike, name: str | None = None) -> Tensor:
    """What `truncatediv` leaves, C's `%`; it has the sign of x.  Has no gradient registered, as in TensorFlow.

    x, y: int32, int64 or floating, of one dtype, broadcast against each other.  Errors as `floordiv`.

    >>> tf.truncatemod([7, -7], 2).numpy().tolist()
    [1, -1]
    """
    return TRUNCATE_MOD.call(x, y, name)


@export("math.xlogy")
def xlogy(x: NumberLike, y: NumberLike, name: str | None = None) -> Tensor:
    """x log(y), and 0 where x is 0.

    x, y: floating or complex, of one dtype, broadcast against each other; errors as `pow`.

    >>> tf.math.xlogy([0.0, 2.0], [0.0, 1.0]).numpy().tolist()
    [0.0, 0.0]
    """
    return XLOGY.call(x, y, name)


@export("math.xlog1py")
def xlog1py(x: NumberLike, y: NumberLike, name: str | None = None) -> Tensor:
    """x log(1 + y), and 0 where x is 0; dtypes, shapes and errors as `xlogy`.

    >>> tf.math.xlog1py([0.0, 2.0], [-1.0, 0.0]).numpy().tolist()
    [0.0, 0.0]
    """
    with scope(name, "xlog1py"):
        return XLOG1PY.call(x, y)


@export("math.xdivy")
def xdivy(x: NumberLike, y: NumberLike, name: str | None = None) -> Tensor:
    """x / y, and 0 where x is 0; dtypes, shapes and errors as `xlogy`.

    >>> tf.math.xdivy([0.0, 2.0], [0.0, 4.0]).numpy().tolist()
    [0.0, 0.5]
    """
    with scope(name, "xdivy"):
        return XDIVY.call(x, y)


@export("realdiv")
@is_hot
def realdiv(x: NumberLike, y: NumberLike, name: str | None = None) -> Tensor:
    """x / y of floating or complex tensors; shapes and errors as `pow`.

    >>> tf.realdiv([1.0, 3.0], 2.0).numpy().tolist()
    [0.5, 1.5]
    """
    try:
        return REAL_DIV.call(x, y, name)
    except Exception as error:
        trim(error)
        raise


@export(v1="div")
@works_by_element
def div(x: NumberLike, y: NumberLike, name: str | None = None) -> Tensor:
    """x / y as Python 2 divides: integers rounded down, all else exactly.

    x, y: numeric, of one dtype, broadcast against each other.  Raises TypeError or InvalidArgumentError where the dtypes differ,
    InvalidArgumentError for an integer divided by zero and for shapes that do not fit (in graphs ValueError).

    >>> with tf1.Session() as session:
    ...     session.run(tf1.div([7, -7], 2)).tolist()
    [3, -4]
    """
    with scope(name, "div") as full:
        x = convert_to_tensor(x, name="x")
        y = convert_to_tensor(y, dtype=x.dtype.base_dtype, name="y")
        is_exact = x.dtype.is_floating or x.dtype.is_complex
        return (REAL_DIV if is_exact else FLOOR_DIV).call(x, y, full)


def _slash(x: Any, y: Any, name: str | None = None) -> Tensor:
    """The operator /: what is no tensor takes the dtype of what is one."""
    if type(x) is EagerTensor:
        alike = y.value.dtype == x.value.dtype if type(y) is EagerTensor else type(y) in _PLAIN
        if alike and x.value.dtype in _DIVISIBLE and current().graph is None:
            return REAL_DIV.call(x, y, name)
    elif type(y) is EagerTensor and type(x) in _PLAIN and y.value.dtype in _DIVISIBLE and current().graph is None:
        return REAL_DIV.call(x, y, name)
    with scope(name, "truediv") as full:
        try:
            if not is_tensor_like(x):
                x = convert_to_tensor(x, dtype=y.dtype.base_dtype if is_tensor_like(y) else None, name="x")
            elif not is_tensor_like(y):
                x = convert_to_tensor(x, name="x")
                y = convert_to_tensor(y, dtype=x.dtype.base_dtype, name="y")
        except NotATensor as error:
            own = error.value._answer("truediv", truediv)
            return error.value._apply(REAL_DIV, (x, y), {}, name, error) if own is None else own(x, y, name)
        return truediv(x, y, full)


LATE_BOUND.update(truediv=_slash, div=div, floordiv=FLOOR_DIV.call, mod=FLOOR_MOD.call)
