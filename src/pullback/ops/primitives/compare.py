"""Comparisons, logic of truth values, and tests of floating numbers: ops whose results are bool, so that no gradient passes."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from ...base.dtypes import FLOATING, NUMERIC, QUANTIZED, REAL, bool, string
from ...base.errors import InvalidArgumentError
from ...base.export import export, is_hot
from ...ir.apply import ShapeError, convert_to_tensor
from ...ir.composite import NotATensor, works_by_element
from ...ir.context import executing_eagerly
from ...ir.convert import is_tensor_like
from ...ir.tensor import LATE_BOUND, NumberLike, Tensor, TensorLike
from ...ir.tracebacks import trim
from ..families import broadcast_dims, elementwise

_EQUATED = NUMERIC | QUANTIZED | {bool, string}
EQUAL = elementwise("Equal", "x y", operator.eq, {}, dtypes=_EQUATED, output=bool, lower="eq")
NOT_EQUAL = elementwise("NotEqual", "x y", operator.ne, {}, dtypes=_EQUATED, output=bool, lower="ne")
LESS = elementwise("Less", "x y", np.less, {}, dtypes=REAL, output=bool, lower="lt")
LESS_EQUAL = elementwise("LessEqual", "x y", np.less_equal, {}, dtypes=REAL, output=bool, lower="le")
GREATER = elementwise("Greater", "x y", np.greater, {}, dtypes=REAL, output=bool, lower="gt")
GREATER_EQUAL = elementwise("GreaterEqual", "x y", np.greater_equal, {}, dtypes=REAL, output=bool, lower="ge")
LOGICAL_AND = elementwise("LogicalAnd", "x y", np.logical_and, {}, dtypes={bool}, output=bool, lower="and")
LOGICAL_OR = elementwise("LogicalOr", "x y", np.logical_or, {}, dtypes={bool}, output=bool, lower="or")
LOGICAL_NOT = elementwise("LogicalNot", "x", np.logical_not, {}, dtypes={bool}, output=bool, lower="not")
IS_NAN = elementwise("IsNan", "x", np.isnan, None, dtypes=FLOATING, output=bool, lower="isnan")
IS_INF = elementwise("IsInf", "x", np.isinf, None, dtypes=FLOATING, output=bool, lower="isinf")
IS_FINITE = elementwise("IsFinite", "x", np.isfinite, None, dtypes=FLOATING, output=bool, lower="isfinite")


@export("equal", "math.equal")
@is_hot
def equal(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """x == y, element by element: a bool tensor.

    x, y: any dtype, of one dtype, broadcast against each other.  Raises InvalidArgumentError (in graphs ValueError) where the shapes do
    not fit, TypeError or InvalidArgumentError for dtypes that differ or have no such comparison.

    >>> tf.equal([1, 2], [2, 2]).numpy().tolist()
    [False, True]
    """
    try:
        return EQUAL.call(x, y, name)
    except Exception as error:
        trim(error)
        raise


@export("not_equal", "math.not_equal")
@is_hot
def not_equal(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """x != y, element by element: a bool tensor.

    x, y: any dtype, of one dtype, broadcast against each other.  Raises InvalidArgumentError (in graphs ValueError) where the shapes do
    not fit, TypeError or InvalidArgumentError for dtypes that differ or have no such comparison.

    >>> tf.not_equal([1, 2], [2, 2]).numpy().tolist()
    [True, False]
    """
    try:
        return NOT_EQUAL.call(x, y, name)
    except Exception as error:
        trim(error)
        raise


@export("less", "math.less")
@is_hot
def less(x: NumberLike, y: NumberLike, name: str | None = None) -> Tensor:
    """x < y, element by element: a bool tensor.

    x, y: real, of one dtype, broadcast against each other.  Raises InvalidArgumentError (in graphs ValueError) where the shapes do
    not fit, TypeError or InvalidArgumentError for dtypes that differ or have no such comparison.

    >>> tf.less([1, 2], [2, 2]).numpy().tolist()
    [True, False]
    """
    try:
        return LESS.call(x, y, name)
    except Exception as error:
        trim(error)
        raise


@export("less_equal", "math.less_equal")
@is_hot
def less_equal(x: NumberLike, y: NumberLike, name: str | None = None) -> Tensor:
    """x <= y, element by element: a bool tensor.

    x, y: real, of one dtype, broadcast against each other.  Raises InvalidArgumentError (in graphs ValueError) where the shapes do
    not fit, TypeError or InvalidArgumentError for dtypes that differ or have no such comparison.

    >>> tf.less_equal([1, 2], [2, 2]).numpy().tolist()
    [True, True]
    """
    try:
        return LESS_EQUAL.call(x, y, name)
    except Exception as error:
        trim(error)
        raise


@export("greater", "math.greater")
@is_hot
def greater(x: NumberLike, y: NumberLike, name: str | None = None) -> Tensor:
    """x > y, element by element: a bool tensor.

    x, y: real, of one dtype, broadcast against each other.  Raises InvalidArgumentError (in graphs ValueError) where the shapes do
    not fit, TypeError or InvalidArgumentError for dtypes that differ or have no such comparison.

    >>> tf.greater([1, 2], [2, 2]).numpy().tolist()
    [False, False]
    """
    try:
        return GREATER.call(x, y, name)
    except Exception as error:
        trim(error)
        raise


@export("greater_equal", "math.greater_equal")
@is_hot
def greater_equal(x: NumberLike, y: NumberLike, name: str | None = None) -> Tensor:
    """x >= y, element by element: a bool tensor.

    x, y: real, of one dtype, broadcast against each other.  Raises InvalidArgumentError (in graphs ValueError) where the shapes do
    not fit, TypeError or InvalidArgumentError for dtypes that differ or have no such comparison.

    >>> tf.greater_equal([1, 2], [2, 2]).numpy().tolist()
    [False, True]
    """
    try:
        return GREATER_EQUAL.call(x, y, name)
    except Exception as error:
        trim(error)
        raise


@export("logical_and", "math.logical_and")
def logical_and(x: NumberLike, y: NumberLike, name: str | None = None) -> Tensor:
    """Whether both x and y are true, element by element: a bool tensor.

    x, y: bool, broadcast against each other.  Raises InvalidArgumentError (in graphs ValueError) where the shapes do
    not fit, TypeError or InvalidArgumentError for other dtypes.

    >>> tf.logical_and([True, True], [True, False]).numpy().tolist()
    [True, False]
    """
    return LOGICAL_AND.call(x, y, name)


@export("logical_or", "math.logical_or")
def logical_or(x: NumberLike, y: NumberLike, name: str | None = None) -> Tensor:
    """Whether x or y or both are true, element by element: a bool tensor.

    x, y: bool, broadcast against each other.  Raises InvalidArgumentError (in graphs ValueError) where the shapes do
    not fit, TypeError or InvalidArgumentError for other dtypes.

    >>> tf.logical_or([True, True], [True, False]).numpy().tolist()
    [True, True]
    """
    return LOGICAL_OR.call(x, y, name)


@export("math.logical_xor", v1="logical_xor")
@works_by_element
def logical_xor(x: NumberLike, y: NumberLike, name: str | None = "LogicalXor") -> Tensor:
    """Whether one of x and y is true and the other is not, element by element; dtypes, shapes and errors as `logical_and`.

    >>> tf.math.logical_xor([True, True], [True, False]).numpy().tolist()
    [False, True]
    """
    return logical_and(logical_or(x, y), logical_not(logical_and(x, y)), name)


@export("logical_not", "math.logical_not")
def logical_not(x: NumberLike, name: str | None = None) -> Tensor:
    """Whether x is false, element by element; x: bool.  Raises TypeError (eagerly InvalidArgumentError) for other dtypes.

    >>> tf.logical_not([True, False]).numpy().tolist()
    [False, True]
    """
    return LOGICAL_NOT.call(x, name)


@export("math.is_nan", v1=("is_nan", "debugging.is_nan"))
def is_nan(x: NumberLike, name: str | None = None) -> Tensor:
    """Whether x is NaN, element by element: a bool tensor.

    x: floating, any shape.  Raises TypeError (eagerly InvalidArgumentError) for other dtypes.

    >>> tf.math.is_nan([1.0, float("inf"), float("nan")]).numpy().tolist()
    [False, False, True]
    """
    return IS_NAN.call(x, name)


@export("math.is_inf", v1=("is_inf", "debugging.is_inf"))
def is_inf(x: NumberLike, name: str | None = None) -> Tensor:
    """Whether x is infinite, element by element: a bool tensor.

    x: floating, any shape.  Raises TypeError (eagerly InvalidArgumentError) for other dtypes.

    >>> tf.math.is_inf([1.0, float("inf"), float("nan")]).numpy().tolist()
    [False, True, False]
    """
    return IS_INF.call(x, name)


@export("math.is_finite", v1=("is_finite", "debugging.is_finite"))
def is_finite(x: NumberLike, name: str | None = None) -> Tensor:
    """Whether x is neither infinite nor NaN, element by element: a bool tensor.

    x: floating, any shape.  Raises TypeError (eagerly InvalidArgumentError) for other dtypes.

    >>> tf.math.is_finite([1.0, float("inf"), float("nan")]).numpy().tolist()
    [True, False, False]
    """
    return IS_FINITE.call(x, name)


def _compare_eagerly(op: Any, otherwise: Any) -> Any:
    """The operators == and != of eager tensors: values compared, and `otherwise` where there is nothing to compare with."""

    def compare(x: Any, y: Any) -> Any:
        if y is None:
            return otherwise
        try:
            wanted = x.dtype.base_dtype
            y = convert_to_tensor(y, wanted if executing_eagerly() and not is_tensor_like(y) else None, dtype_hint=wanted)
        except NotATensor as error:
            try:
                return error.value._apply(op, (x, y), {}, None, error)
            except InvalidArgumentError:
                return otherwise
        try:
            broadcast_dims(x.dims, y.dims)
        except ShapeError:
            return convert_to_tensor(otherwise)
        return op.call(x, y)

    return compare


#: What == means between eager tensors.
equal_values = _compare_eagerly(EQUAL, False)

LATE_BOUND.update(
    logical_not=LOGICAL_NOT.call,
    less=LESS.call,
    less_equal=LESS_EQUAL.call,
    greater=GREATER.call,
    greater_equal=GREATER_EQUAL.call,
    equal_operator=equal_values,
    not_equal_operator=_compare_eagerly(NOT_EQUAL, True),
)
