"""Weights beside values, as TensorFlow's losses and metrics want them: scalars, or of the values' rank, each size theirs or 1."""

from __future__ import annotations

from ...api.names import control_dependencies
from ...control.cond import cond
from ...ir.apply import convert_to_tensor
from ...ir.context import scope
from ...ir.node import Node
from ...ir.tensor import Tensor, TensorLike
from ...ops.array.basic import ones_of, shape
from ...ops.array.shape import rank
from ...ops.constant import constant
from ...ops.effects.operations import Assert
from ...ops.primitives.compare import equal, logical_or
from ...ops.reduce.reductions import reduce_all

_REFUSED = "weights can not be broadcast to values."


def require_broadcastable(weights: Tensor, values: Tensor) -> bool:
    """Whether shapes alone say that `weights` broadcast; a ValueError where they say that these do not."""
    w, v = weights.dims, values.dims
    if w == ():
        return True
    if w is None or v is None:
        return False
    received = f"values.shape={values.shape}. weights.shape={weights.shape}."
    if len(w) != len(v):
        raise ValueError(f"{_REFUSED} values.rank={len(v)}. weights.rank={len(w)}. {received}")
    for at, (a, b) in enumerate(zip(w, v, strict=True)):
        if a not in (1, None) and b is not None and a != b:
            raise ValueError(f"{_REFUSED} Mismatch at dim {at}. {received}")
    return all(a == 1 or (a is not None and a == b) for a, b in zip(w, v, strict=True))


def assert_broadcastable(weights: TensorLike, values: TensorLike) -> Node | None:
    """Check that `weights` are a scalar, or of the rank of `values` with each size theirs or 1.

    Returns None, or in a graph the operation that checks what shapes do not tell before they run.

    Raises:
        ValueError: the shapes say that they are not.

    >>> assert_broadcastable([[1.0], [2.0]], [[1.0, 2.0], [3.0, 4.0]])
    >>> assert_broadcastable([1.0, 2.0], [[1.0, 2.0], [3.0, 4.0]])
    Traceback (most recent call last):
    ValueError: weights can not be broadcast to values. values.rank=2. weights.rank=1. values.shape=(2, 2). weights.shape=(2,).
    """
    with scope(None, "assert_broadcastable"):
        weights, values = convert_to_tensor(weights, name="weights"), convert_to_tensor(values, name="values")
        if require_broadcastable(weights, values):
            return None
        sizes, wanted = shape(weights), shape(values)

        def sizes_fit() -> Tensor:
            return reduce_all(logical_or(equal(sizes, 1), equal(sizes, wanted)))

        def fits() -> Tensor:
            return cond(equal(rank(weights), rank(values)), sizes_fit, lambda: constant(False))

        holds = cond(equal(rank(weights), 0), lambda: constant(True), fits)
        return Assert(holds, [_REFUSED, "weights.shape=", sizes, "values.shape=", wanted])


def broadcast_weights(weights: TensorLike, values: TensorLike) -> Tensor:
    """`weights` of the dtype and shape of `values`; refused as by `assert_broadcastable`.

    >>> broadcast_weights([[1.0], [2.0]], [[1.0, 2.0], [3.0, 4.0]]).numpy().tolist()
    [[1.0, 1.0], [2.0, 2.0]]
    """
    with scope(None, "broadcast_weights"):
        values = convert_to_tensor(values, name="values")
        weights = convert_to_tensor(weights, dtype=values.dtype, name="weights")
        if weights.shape.is_fully_defined() and weights.dims == values.dims:
            return weights
        check = assert_broadcastable(weights, values)
        with control_dependencies([] if check is None else [check]):
            return weights * ones_of(values)
