"""Element-wise arithmetic: sums, products, signs, larger and smaller, rounding.

`dispatch_binary` and `dispatch_unary` (see `families`) are the short way for eager tensors; the functions here add nothing to it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base import tolerance
from ...base.dtypes import (
    COMPLEX,
    FLOAT_OR_COMPLEX,
    FLOATING,
    NUMERIC,
    REAL,
    SIGNED,
    bool as boolean,
    float32,
    float64,
    int32,
    int64,
    string,
    uint8,
)
from ...base.export import export, is_hot
from ...ir.apply import NO_ATTRS, apply, convert_to_tensor
from ...ir.composite import CompositeTensor, works_by_element
from ...ir.context import current, scope
from ...ir.convert import is_tensor_like
from ...ir.fast_dispatch import dispatch_binary, dispatch_operators
from ...ir.op import Op, Remedies, Traits
from ...ir.tensor import LATE_BOUND, NumberLike, Tensor, TensorLike
from ...ir.tracebacks import trim
from ...kernels import blocked
from ..array.basic import zeros_of
from ..array.where import where
from ..families import elementwise
from ..lowering import math as native_math
from ..primitives.cast import cast
from ..primitives.compare import greater_equal, less_equal
from . import kernels as kernels


def _is_string(x: Any) -> bool:
    while isinstance(x, (list, tuple)) and x:
        x = x[0]
    if isinstance(x, np.ndarray):
        return x.dtype.kind in "OSU"
    return x.dtype.base_dtype is string if is_tensor_like(x) else isinstance(x, (str, bytes))


def _add(x: Any, y: Any, name: str | None = None) -> Tensor:
    """The long way of an addition, where strings turn out to be joined."""
    if _is_string(x) and _is_string(y):
        return ADD_STRINGS.call(x, y, name)
    try:
        return apply(ADD, (x, y), NO_ATTRS, name)
    except (TypeError, ValueError):
        if current().graph is not None or isinstance(y, (Tensor, CompositeTensor)) or not isinstance(x, Tensor):
            raise
    return apply(ADD, (x, convert_to_tensor(y)), NO_ATTRS, name)  # whose error says which dtypes meet


#: Of sums, and of products.
TERMS = Remedies(of_infinity="infinity minus infinity is NaN: put a large finite number in place of the infinity (-1e9 in a mask)")
FACTORS = Remedies(of_infinity="zero times infinity is NaN: keep the factors finite, or use tf.math.multiply_no_nan")
ADD = elementwise(
    "AddV2", "x y", np.add, {"x": 1, "y": 1}, dtypes=NUMERIC, lower="add", call=lambda op: dispatch_binary(op, _add),
    traits=Traits(remedies=TERMS, opens_scope=True),
)  # fmt: skip
ADD_STRINGS = elementwise(
    "Add", "x y", np.add, {"x": 1, "y": 1}, dtypes=FLOAT_OR_COMPLEX | SIGNED | {uint8, string}, lower="add",
    traits=Traits(remedies=TERMS),
)  # fmt: skip
SUB = elementwise("Sub", "x y", np.subtract, {"x": 1, "y": -1}, dtypes=NUMERIC, lower="sub", traits=Traits(remedies=TERMS))
MUL = elementwise(
    "Mul", "x y", np.multiply, {"x": lambda g, y: multiply(g, y), "y": lambda g, x: multiply(g, x)}, dtypes=NUMERIC, lower="mul",
    gradient_names="Mul Mul_1",
    traits=Traits(remedies=FACTORS, multiplies=True, numbers_made="unequal"),
)  # fmt: skip
MUL_NO_NAN: Op = elementwise(
    "MulNoNan",
    "x y",
    kernels.mul_no_nan,
    {"x": lambda g, y: MUL_NO_NAN.call(g, y), "y": lambda g, x: MUL_NO_NAN.call(x, g)},
    dtypes=FLOAT_OR_COMPLEX,
    lower=lambda builder, x, y: builder.select(builder.compare("eq", y, 0), 0, x * y),
    gradient_names="MulNoNan MulNoNan_1",
    traits=Traits(multiplies=True, opens_scope=True),
)
NEG = elementwise("Neg", "x", np.negative, {"x": -1}, dtypes=FLOAT_OR_COMPLEX | SIGNED, lower="neg", traits=Traits(on_values=True))
CONJ = elementwise(
    "Conj", "input:T=complex64", np.conj, {"input": lambda g: conj(g)}, dtypes=COMPLEX, holomorphic=False, lower="conj",
    traits=Traits(opens_scope=True),
)  # fmt: skip
SIGN = elementwise(
    "Sign", "x", blocked.block_kernel(np.sign), {"x": lambda g, x_type: zeros_of(x_type)}, dtypes=FLOAT_OR_COMPLEX | SIGNED, lower="sign",
    holomorphic=False,
    gradient_names="zeros_like",
    traits=Traits(on_values=True, flat=True),
)  # fmt: skip
ABS = elementwise(
    "Abs", "x", np.abs, {"x": lambda x: SIGN.call(x)}, dtypes=FLOATING | SIGNED, lower="abs",
    traits=Traits(on_values=True, flat=True, opens_scope=True),
)  # fmt: skip
SQUARE = elementwise(
    "Square", "x", np.square, {"x": lambda x: add(x, x)}, dtypes=NUMERIC, lower="square", gradient_names="Mul_1",
    traits=Traits(on_values=True),
)  # fmt: skip


def _twice_difference(g: Any, x: Any, y: Any) -> Tensor:
    """2 g (x - y); of complex numbers only the real part of g counts, for the squared modulus is real."""
    return multiply(add(g, conj(g)), subtract(x, y))


SQUARED_DIFFERENCE = elementwise(
    "SquaredDifference",
    "x y",
    kernels.squared_difference,
    {"x": lambda g, x, y: _twice_difference(g, x, y), "y": lambda g, x, y: _twice_difference(g, y, x)},
    dtypes=FLOAT_OR_COMPLEX | {int32, int64},
    holomorphic=False,
    lower=native_math.squared_difference,
    gradient_names="mul_1 Neg",
    traits=Traits(remedies=TERMS),
)


MAXIMUM = elementwise(
    "Maximum",
    "x y",
    blocked.block_kernel(np.maximum),
    {"x": lambda g, x, y: where(greater_equal(x, y), g, 0), "y": lambda g, x, y: where(greater_equal(x, y), 0, g)},
    dtypes=REAL,
    lower="max",
    tolerance=tolerance.NARROW,
    gradient_names="SelectV2 SelectV2_1",
    traits=Traits(chooses="the larger were", flat=True, numbers_made="always"),
)
MINIMUM = elementwise(
    "Minimum",
    "x y",
    blocked.block_kernel(np.minimum),
    {"x": lambda g, x, y: where(less_equal(x, y), g, 0), "y": lambda g, x, y: where(less_equal(x, y), 0, g)},
    dtypes=REAL,
    lower="min",
    tolerance=tolerance.NARROW,
    gradient_names="SelectV2 SelectV2_1",
    traits=Traits(chooses="the smaller were", flat=True, numbers_made="always"),
)
ATAN2 = elementwise(
    "Atan2",
    "y x",
    kernels.block_function(np.arctan2),
    {"y": lambda y, x: x / (square(x) + square(y)), "x": lambda y, x: -y / (square(x) + square(y))},
    dtypes=FLOATING,
    lower="atan2",
    tolerance=tolerance.FUNCTION,
    gradient_names="mul mul_1",
    traits=Traits(slow=True, remedies=Remedies(backward="an angle has no slope where both are 0: keep the point from the origin")),
)
NEXT_AFTER = elementwise(
    "NextAfter",
    "x1:T=float32 x2",
    np.nextafter,
    {"x1": 1, "x2": lambda g, x2_type: zeros_of(x2_type)},
    dtypes={float32, float64},
    lower="nextafter",
)
FLOOR = elementwise("Floor", "x", np.floor, {}, dtypes=FLOATING, lower="floor")
CEIL = elementwise("Ceil", "x", np.ceil, {}, dtypes=FLOATING, lower="ceil")
ROUND = elementwise("Round", "x", np.rint, {}, dtypes=FLOAT_OR_COMPLEX, lower="rint")
RINT = elementwise("Rint", "x", np.rint, {}, dtypes=FLOATING, lower="rint")


@is_hot
def add(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """x + y, element by element; strings are joined.

    x, y: tensors of one dtype, broadcast against each other.  Raises InvalidArgumentError (in graphs ValueError) where the
    shapes do not fit, TypeError or InvalidArgumentError where the dtypes differ.

    >>> tf.add([1.0, 2.0], 3.0).numpy().tolist(), tf.add("a", ["b", "c"]).numpy().tolist()
    ([4.0, 5.0], [b'ab', b'ac'])
    """
    try:
        return ADD.call(x, y, name or "Add")
    except Exception as error:
        trim(error)
        raise


export("add", "math.add")(add)


@export("subtract", "math.subtract")
@is_hot
def subtract(x: NumberLike, y: NumberLike, name: str | None = None) -> Tensor:
    """x - y, element by element; shapes, dtypes and errors as `add`.

    >>> tf.subtract([1.0, 2.0], 3.0).numpy().tolist()
    [-2.0, -1.0]
    """
    try:
        return SUB.call(x, y, name)
    except Exception as error:
        trim(error)
        raise


@is_hot
def multiply(x: NumberLike, y: NumberLike, name: str | None = None) -> Tensor:
    """x * y, element by element; shapes, dtypes and errors as `add`.

    >>> tf.multiply([1.0, 2.0], 3.0).numpy().tolist()
    [3.0, 6.0]
    """
    try:
        return MUL.call(x, y, name)
    except Exception as error:
        trim(error)
        raise


export("multiply", "math.multiply")(multiply)


@export("math.squared_difference", v1="squared_difference")
@is_hot
def squared_difference(x: NumberLike, y: NumberLike, name: str | None = None) -> Tensor:
    """(x - y)^2, of complex numbers the squared modulus; shapes, dtypes and errors as `add`.

    >>> tf.math.squared_difference([1.0, 2.0], 3.0).numpy().tolist()
    [4.0, 1.0]
    """
    try:
        return SQUARED_DIFFERENCE.call(x, y, name)
    except Exception as error:
        trim(error)
        raise


@export("maximum", "math.maximum")
@is_hot
def maximum(x: Any, y: NumberLike, name: str | None = None) -> Tensor:
    """The larger of x and y, element by element; x, y: real; shapes and errors as `add`.  Where they are equal the
    gradient goes to x.

    >>> tf.maximum([1.0, 4.0], 3.0).numpy().tolist()
    [3.0, 4.0]
    """
    try:
        return MAXIMUM.call(x, y, name)
    except Exception as error:
        trim(error)
        raise


@export("minimum", "math.minimum")
@is_hot
def minimum(x: NumberLike, y: NumberLike, name: str | None = None) -> Tensor:
    """The smaller of x and y, element by element; x, y: real; shapes and errors as `add`.  Where they are equal the
    gradient goes to x.

    >>> tf.minimum([1.0, 4.0], 3.0).numpy().tolist()
    [1.0, 3.0]
    """
    try:
        return MINIMUM.call(x, y, name)
    except Exception as error:
        trim(error)
        raise


@export("math.multiply_no_nan")
@works_by_element
def multiply_no_nan(x: NumberLike, y: NumberLike, name: str | None = None) -> Tensor:
    """x * y, and 0 where y is 0 even if x is infinite or NaN.

    x, y: floating or complex; shapes as `add`.  Raises ValueError where the dtypes differ.

    >>> tf.math.multiply_no_nan([1.0, float("inf")], [2.0, 0.0]).numpy().tolist()
    [2.0, 0.0]
    """
    with scope(name, "multiply_no_nan") as full:
        x = convert_to_tensor(x, name="x")
        return MUL_NO_NAN.call(x, convert_to_tensor(y, dtype=x.dtype.base_dtype, name="y"), full)


@export("atan2", "math.atan2")
def atan2(y: NumberLike, x: NumberLike, name: str | None = None) -> Tensor:
    """The angle of the point (x, y) in (-pi, pi].

    y, x: floating, of one dtype, broadcast against each other; errors as `add`.
    Gradients: x g / (x^2 + y^2) to y, -y g / (x^2 + y^2) to x.

    >>> tf.atan2([0.0], [1.0]).numpy().tolist()
    [0.0]
    """
    return ATAN2.call(y, x, name)


@export("math.nextafter")
def nextafter(x1: NumberLike, x2: NumberLike, name: str | None = None) -> Tensor:
    """The number next to x1 in the direction of x2.

    x1, x2: float32 or float64, of one dtype, broadcast against each other; errors as `add`.  The gradient passes to x1.

    >>> tf.math.nextafter([1.0], [2.0]).numpy().tolist() == [1.0 + 2.0**-23]
    True
    """
    return NEXT_AFTER.call(x1, x2, name)


@export("negative", "math.negative")
@is_hot
def negative(x: NumberLike, name: str | None = None) -> Tensor:
    """-x, element by element.

    x: floating, complex or signed integers, any shape; the result has its shape and dtype.
    Raises TypeError (eagerly InvalidArgumentError) for other dtypes.

    >>> tf.negative([1.0, -2.0]).numpy().tolist()
    [-1.0, 2.0]
    """
    try:
        return NEG.call(x, name)
    except Exception as error:
        trim(error)
        raise


@is_hot
def square(x: NumberLike, name: str | None = None) -> Tensor:
    """x * x, element by element.

    x: numeric, any shape; the result has its shape and dtype.
    Raises TypeError (eagerly InvalidArgumentError) for other dtypes.

    >>> tf.square([1.0, -2.0]).numpy().tolist()
    [1.0, 4.0]
    """
    try:
        return SQUARE.call(x, name)
    except Exception as error:
        trim(error)
        raise


export("square", "math.square")(square)


@export("floor", "math.floor")
@is_hot
def floor(x: NumberLike, name: str | None = None) -> Tensor:
    """The greatest whole number not above x; constant for gradients.

    x: floating, any shape; the result has its shape and dtype.
    Raises TypeError (eagerly InvalidArgumentError) for other dtypes.

    >>> tf.floor([1.7, -1.7]).numpy().tolist()
    [1.0, -2.0]
    """
    try:
        return FLOOR.call(x, name)
    except Exception as error:
        trim(error)
        raise


@export("math.ceil", v1="ceil")
def ceil(x: NumberLike, name: str | None = None) -> Tensor:
    """The least whole number not below x; constant for gradients.

    x: floating, any shape; the result has its shape and dtype.
    Raises TypeError (eagerly InvalidArgumentError) for other dtypes.

    >>> tf.math.ceil([1.2, -1.2]).numpy().tolist()
    [2.0, -1.0]
    """
    return CEIL.call(x, name)


@export("math.rint", v1="rint")
def rint(x: NumberLike, name: str | None = None) -> Tensor:
    """The nearest whole number, halves to even; constant for gradients.

    x: floating, any shape; the result has its shape and dtype.
    Raises TypeError (eagerly InvalidArgumentError) for other dtypes.

    >>> tf.math.rint([0.5, 1.5]).numpy().tolist()
    [0.0, 2.0]
    """
    return RINT.call(x, name)


@export("round", "math.round")
@works_by_element
def round(x: NumberLike, name: str | None = None) -> Tensor:
    """The nearest whole number, halves to even; integers as they are.  Constant for gradients.

    x: numeric, any shape; the result has its shape and dtype.
    Raises TypeError (eagerly InvalidArgumentError) for other dtypes.

    >>> tf.round([0.5, 1.5, 2.4]).numpy().tolist()
    [0.0, 2.0, 2.0]
    """
    x = convert_to_tensor(x, name="x")
    return x if x.dtype.is_integer else ROUND.call(x, name)


@works_by_element
def conj(x: NumberLike, name: str | None = None) -> Tensor:
    """The complex conjugate; a real x as it is.

    x: numeric.  Raises TypeError for other dtypes.

    >>> tf.math.conj(tf.constant(1 + 2j)).numpy().item()
    (1-2j)
    """
    x = convert_to_tensor(x, name="x")
    if x.dtype.is_complex:
        return CONJ.call(x, name)
    if not x.dtype.is_numeric:
        raise TypeError(f"Conj: Expected numeric or variant tensor, got dtype {x.dtype!r}.")
    return x


export("math.conj", v1="conj")(conj)


def has_bool(*values: Any) -> bool:
    """Whether one of these is a tensor or variable of truth values, and none is made of several tensors."""
    found = any(is_tensor_like(v) and v.dtype.base_dtype is boolean for v in values)
    return found and not any(isinstance(v, CompositeTensor) for v in values)


def multiply_bool(x: Any, y: Any) -> Any:
    """What the operator `*` means for truth values: both as int32, multiplied, and whether that is not 0."""
    with scope(None, "mul"):
        return cast(multiply(cast(x, int32), cast(y, int32)), boolean)


def _mul_of_bool(x: Any, y: Any, error: Exception) -> Any:
    """The product of truth values where a product gives an `error`, which is raised again for anything else."""
    if not has_bool(x, y):
        raise error
    if not is_tensor_like(x):
        x = convert_to_tensor(x.astype(bool) if isinstance(x, np.ndarray) else x, dtype=boolean)
    return multiply_bool(x, y)


LATE_BOUND.update(mul_of_bool=_mul_of_bool, add=ADD.call, sub=SUB.call, mul=MUL.call, neg=NEG.call)
dispatch_operators(add=ADD, sub=SUB, mul=MUL)
