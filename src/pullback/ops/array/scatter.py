"""Tensors with entries changed at given indices: add, sub, update, max, min.

Where several contributions tie for a maximum or minimum, the gradient is shared between them evenly.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from ...base.dtypes import INTEGER, REAL
from ...base.export import export
from ...ir.apply import convert_to_tensor
from ...ir.op import Op, Traits
from ...ir.tensor import LATE_BOUND, NumberLike, Tensor, TensorLike
from ...kernels import blocked
from ..primitives.cast import cast
from ..primitives.compare import equal
from .bad_indices import ignores
from .basic import shape, shape_of, zeros_of
from .gather_nd import ADD, GATHER_ND, SCATTER_ND, define_scatter, scatter_within
from .type_rules import Array


def _set(out: Array, index: Any, updates: Array) -> None:
    out[index] = updates


def _shares(g: Any, tensor: Any, indices: Any, updates: Any, out: Any) -> tuple[Any, Any]:
    """The cotangents of a maximum or minimum: to whoever equals the result, in equal parts."""
    kept = cast(equal(tensor, out), g.dtype)
    taken = cast(equal(updates, GATHER_ND(out, indices)), g.dtype)
    share = g / (kept + SCATTER_ND(indices, taken, shape_of(tensor, indices.dtype)))
    return share * kept, GATHER_ND(share, indices) * taken


SUB = define_scatter(
    "TensorScatterSub", "sub", partial(blocked.change, np.subtract),
    {"updates": lambda g, indices: -GATHER_ND(g, indices), "tensor": lambda g: g},
)  # fmt: skip
UPDATE: Op = define_scatter(
    "TensorScatterUpdate",
    "put",
    _set,
    {
        "updates": lambda g, indices: GATHER_ND(g, indices),
        "tensor": lambda g, indices, updates_type: UPDATE(g, indices, zeros_of(updates_type)),
    },
    traits=Traits(chooses="what it keeps are"),
)
MAX = define_scatter(
    "TensorScatterMax", "max", partial(blocked.change, np.maximum), {("tensor", "updates"): _shares}, REAL | INTEGER,
    gradient_names="truediv mul_1",
)  # fmt: skip
MIN = define_scatter(
    "TensorScatterMin", "min", partial(blocked.change, np.minimum), {("tensor", "updates"): _shares}, REAL | INTEGER,
    gradient_names="truediv mul_1",
)  # fmt: skip


def change_within(op: Op, tensor: object, indices: object, updates: object, policy: str, name: str | None) -> Tensor:
    """A `TensorScatter*` of index vectors that may lie outside if the policy is to ignore these."""
    if ignores(policy):
        tensor = convert_to_tensor(tensor)
        return scatter_within(op, indices, updates, shape(tensor), before=(tensor,), after=(), name=name)
    return op(tensor, indices, updates, name=name)


@export("tensor_scatter_nd_add")
def tensor_scatter_nd_add(
    tensor: TensorLike, indices: NumberLike, updates: TensorLike, bad_indices_policy: str = "", name: str | None = None
) -> Tensor:
    """`tensor` with `updates` added at the index vectors in the last axis of `indices`; equal indices add up.

    updates: indices.shape[:-1] + tensor.shape[indices.shape[-1]:].  Raises InvalidArgumentError for an index out of range, unless the
    policy is "IGNORE", which leaves its update out (and, ValueError in a graph, for shapes that do not fit).
    Gradient: the upstream one for `tensor`, gathered for `updates`.

    >>> tf.tensor_scatter_nd_add([1, 1, 1], [[2]], [9]).numpy().tolist()
    [1, 1, 10]
    """
    return change_within(ADD, tensor, indices, updates, bad_indices_policy, name)


@export("tensor_scatter_nd_sub")
def tensor_scatter_nd_sub(
    tensor: TensorLike, indices: NumberLike, updates: TensorLike, bad_indices_policy: str = "", name: str | None = None
) -> Tensor:
    """`tensor` with `updates` subtracted at `indices`: as `tensor_scatter_nd_add`.

    >>> tf.tensor_scatter_nd_sub([1, 1, 1], [[2]], [9]).numpy().tolist()
    [1, 1, -8]
    """
    return change_within(SUB, tensor, indices, updates, bad_indices_policy, name)


@export("tensor_scatter_nd_update", v1="tensor_scatter_update")
def tensor_scatter_nd_update(tensor: TensorLike, indices: NumberLike, updates: TensorLike, name: str | None = None) -> Tensor:
    """`tensor` with `updates` in place of what was at `indices`: shapes and errors as `tensor_scatter_nd_add`.

    Gradient: for `tensor` the upstream one with zeros at `indices`, for `updates` the upstream one gathered there.

    >>> tf.tensor_scatter_nd_update([1, 1, 1], [[2]], [9]).numpy().tolist()
    [1, 1, 9]
    """
    return UPDATE(tensor, indices, updates, name=name)


@export("tensor_scatter_nd_max")
def tensor_scatter_nd_max(
    tensor: TensorLike, indices: NumberLike, updates: TensorLike, bad_indices_policy: str = "", name: str | None = None
) -> Tensor:
    """`tensor` with the larger of what was at `indices` and `updates`: shapes and errors as `tensor_scatter_nd_add`.

    Gradient: to whichever is the larger, shared evenly where they tie.

    >>> tf.tensor_scatter_nd_max([1, 5], [[0], [1]], [3, 3]).numpy().tolist()
    [3, 5]
    """
    return change_within(MAX, tensor, indices, updates, bad_indices_policy, name)


@export("tensor_scatter_nd_min")
def tensor_scatter_nd_min(
    tensor: TensorLike, indices: NumberLike, updates: TensorLike, bad_indices_policy: str = "", name: str | None = None
) -> Tensor:
    """`tensor` with the smaller of what was at `indices` and `updates`: as `tensor_scatter_nd_max`.

    >>> tf.tensor_scatter_nd_min([1, 5], [[0], [1]], [3, 3]).numpy().tolist()
    [1, 3]
    """
    return change_within(MIN, tensor, indices, updates, bad_indices_policy, name)


LATE_BOUND.update(
    tensor_scatter_nd_update=tensor_scatter_nd_update,
    tensor_scatter_nd_add=tensor_scatter_nd_add,
    tensor_scatter_nd_sub=tensor_scatter_nd_sub,
)
