"""Ops that look at values: `CheckNumerics`, and whether a sequence rises."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.dtypes import FLOATING
from ...base.errors import InvalidArgumentError
from ...base.export import export
from ...ir.apply import convert_to_tensor
from ...ir.context import scope
from ...ir.op import Traits, define
from ...ir.tensor import Tensor, TensorLike, TensorType
from ..array.basic import identity, reshape
from ..batching import stack_rows
from ..lowering import math as native_math
from ..primitives.compare import greater, greater_equal
from ..reduce.reductions import ALL_OF

_IN_GRADIENT = "Not a number (NaN) or infinity (Inf) values detected in gradient. {}"


def _check(tensor: np.ndarray[Any, Any], *, message: str) -> Any:
    if not np.isfinite(tensor).all():
        found = [word for word, test in (("Inf", np.isinf), ("NaN", np.isnan)) if test(tensor).any()]
        raise InvalidArgumentError(None, None, f"{message} : Tensor had {' and '.join(found)} values")
    return tensor


CHECK_NUMERICS = define(
    "CheckNumerics",
    "tensor",
    lambda tensor, *, message: TensorType(tensor.dims, tensor.dtype),
    _check,
    {"tensor": lambda g, message: check_numerics(g, _IN_GRADIENT.format(message))},
    dtypes=FLOATING,
    holomorphic=False,
    batch=stack_rows(),
    lower=native_math.check_numerics,
    by_element=True,
    traits=Traits(copies=True),
)


def check_numerics(tensor: TensorLike, message: str, name: str | None = None) -> Tensor:
    """`tensor` itself; an InvalidArgumentError that begins with `message` where an element is infinite or NaN.  Gradients are checked too.

    tensor: floating; TypeError (eagerly InvalidArgumentError) for other dtypes.

    >>> tf.debugging.check_numerics([1.0, 2.0], "loss").numpy().tolist()
    [1.0, 2.0]
    """
    return CHECK_NUMERICS(tensor, message=message, name=name)


export("debugging.check_numerics", v1="check_numerics")(check_numerics)


@export(v2="debugging.assert_all_finite")
def assert_all_finite(x: TensorLike, message: str, name: str | None = None) -> Tensor:
    """`x` itself as a tensor; an InvalidArgumentError that begins with `message` where an element is infinite or NaN.

    x: floating; TypeError (eagerly InvalidArgumentError) for other dtypes.

    >>> tf.debugging.assert_all_finite([1.0, 2.0], "loss").numpy().tolist()
    [1.0, 2.0]
    """
    with scope(name, "VerifyFinite"):
        x = convert_to_tensor(x, name="x")
        return identity(check_numerics(x, message), "control_dependency")


@export("debugging.is_numeric_tensor", v1="is_numeric_tensor")
def is_numeric_tensor(tensor: TensorLike) -> bool:
    """Whether `tensor` is a tensor of numbers.

    >>> tf.debugging.is_numeric_tensor(tf.constant(1)), tf.debugging.is_numeric_tensor(1)
    (True, False)
    """
    return isinstance(tensor, Tensor) and bool(tensor.dtype.is_numeric)


def _compare_neighbours(x: Any, compare: Any) -> Tensor:
    flat = reshape(convert_to_tensor(x, name="x"), [-1])
    if not flat.dtype.is_numeric:
        raise TypeError(f"Expected x to be numeric, instead found: {flat}")
    return ALL_OF(compare(flat[1:], flat[:-1]), [0], keep_dims=False)


@export("math.is_non_decreasing", v1=("is_non_decreasing", "debugging.is_non_decreasing"))
def is_non_decreasing(x: TensorLike, name: str | None = None) -> Tensor:
    """Whether the elements of x in row-major order never fall; true of fewer than two.

    x: real.  The result is a bool scalar.

    >>> bool(tf.math.is_non_decreasing([1, 1, 2]))
    True
    """
    with scope(name, "is_non_decreasing"):
        return _compare_neighbours(x, greater_equal)


@export("math.is_strictly_increasing", v1=("is_strictly_increasing", "debugging.is_strictly_increasing"))
def is_strictly_increasing(x: TensorLike, name: str | None = None) -> Tensor:
    """Whether the elements of x in row-major order always rise; true of fewer than two.

    x: real.  The result is a bool scalar.

    >>> bool(tf.math.is_strictly_increasing([1, 1, 2]))
    False
    """
    with scope(name, "is_strictly_increasing"):
        return _compare_neighbours(x, greater)
