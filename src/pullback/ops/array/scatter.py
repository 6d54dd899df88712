"""Tensors with entries changed at given indices: add, sub, update, max, min.

Where several contributions tie for a maximum or minimum, the gradient is shared between them evenly.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from ...base import quick
from ...base.dtypes import ANY, INDEX, INTEGER, REAL, int16
from ...base.export import export
from ...base.shapes import show
from ...ir.apply import convert_to_tensor
from ...ir.op import OPS, Op, define
from ...ir.tensor import METHODS, TensorType
from ...ir.tracebacks import trims_errors
from ..native import array as native_array
from .bad_indices import ignores, scattered
from .basic import shape, shape_of, zeros_of
from .gather import GATHER_ND, SCATTER_ND, check_scatter, check_updates
from .types import Array

_INDICES = frozenset({int16, *INDEX})


def _type(tensor: Any, indices: Any, updates: Any) -> TensorType:
    check_updates(indices, updates, tensor.dims, f"[shape={show(indices.dims)}]", f"[shape={show(updates.dims)}]")
    return TensorType(tensor.dims, tensor.dtype)


def _changing(change: Callable[[Array, Any, Array], Any]) -> Callable[[Array, Array, Array], Array]:
    """The kernel on a tensor that it may change."""

    def kernel(tensor: Array, indices: Array, updates: Array) -> Array:
        check_scatter(indices, updates, tensor.shape)
        change(tensor, (*np.moveaxis(indices, -1, 0),), updates)
        return tensor

    return kernel


def _set(out: Array, index: Any, updates: Array) -> None:
    out[index] = updates


def _make(name: str, change: Callable[[Array, Any, Array], Any], vjp: dict[Any, Any], dtypes: Any = ANY) -> Op:
    changes = _changing(change)
    return define(
        name,
        "tensor indices:Tindices updates",
        _type,
        lambda tensor, indices, updates: changes(tensor.copy(), indices, updates),
        vjp,
        dtypes={"Tindices": _INDICES, "T": dtypes},
        holomorphic=False,
        changes=changes,
        lower=native_array.scatter_tensor(name),
    )


def _shares(g: Any, tensor: Any, indices: Any, updates: Any, out: Any) -> tuple[Any, Any]:
    """The cotangents of a maximum or minimum: to whoever equals the result, in equal parts."""
    cast, equal = METHODS["cast"], OPS["Equal"]
    kept = cast(equal(tensor, out), g.dtype)
    taken = cast(equal(updates, GATHER_ND(out, indices)), g.dtype)
    share = g / (kept + SCATTER_ND(indices, taken, shape_of(tensor, indices.dtype)))
    return share * kept, GATHER_ND(share, indices) * taken


ADD = _make("TensorScatterAdd", partial(quick.change, np.add), {"updates": lambda g, indices: GATHER_ND(g, indices), "tensor": lambda g: g})
SUB = _make(
    "TensorScatterSub", partial(quick.change, np.subtract), {"updates": lambda g, indices: -GATHER_ND(g, indices), "tensor": lambda g: g}
)
UPDATE: Op = _make(
    "TensorScatterUpdate",
    _set,
    {
        "updates": lambda g, indices: GATHER_ND(g, indices),
        "tensor": lambda g, indices, updates_type: UPDATE(g, indices, zeros_of(updates_type)),
    },
)
MAX = _make("TensorScatterMax", partial(quick.change, np.maximum), {("tensor", "updates"): _shares}, REAL | INTEGER)
MIN = _make("TensorScatterMin", partial(quick.change, np.minimum), {("tensor", "updates"): _shares}, REAL | INTEGER)


def changed(op: Op, tensor: Any, indices: Any, updates: Any, policy: str, name: str | None) -> Any:
    """A `TensorScatter*` of index vectors that may lie outside if the policy is to ignore these."""
    if ignores(policy):
        tensor = convert_to_tensor(tensor)
        return scattered(op, indices, updates, shape(tensor), before=(tensor,), after=(), name=name)
    return op(tensor, indices, updates, name=name)


@export("tensor_scatter_nd_add")
@trims_errors
def tensor_scatter_nd_add(tensor: Any, indices: Any, updates: Any, bad_indices_policy: str = "", name: str | None = None) -> Any:
    """`tensor` with `updates` added at the index vectors in the last axis of `indices`; equal indices add up.

    updates: indices.shape[:-1] + tensor.shape[indices.shape[-1]:].  Raises InvalidArgumentError for an index out of range, unless the
    policy is "IGNORE", which leaves its update out (and, ValueError in a graph, for shapes that do not fit).
    Gradient: the upstream one for `tensor`, gathered for `updates`.

    >>> import pullback as tf
    >>> tf.tensor_scatter_nd_add([1, 1, 1], [[2]], [9]).numpy().tolist()
    [1, 1, 10]
    """
    return changed(ADD, tensor, indices, updates, bad_indices_policy, name)


@export("tensor_scatter_nd_sub")
@trims_errors
def tensor_scatter_nd_sub(tensor: Any, indices: Any, updates: Any, bad_indices_policy: str = "", name: str | None = None) -> Any:
    """`tensor` with `updates` subtracted at `indices`: as `tensor_scatter_nd_add`.

    >>> import pullback as tf
    >>> tf.tensor_scatter_nd_sub([1, 1, 1], [[2]], [9]).numpy().tolist()
    [1, 1, -8]
    """
    return changed(SUB, tensor, indices, updates, bad_indices_policy, name)


@export("tensor_scatter_nd_update")
@trims_errors
def tensor_scatter_nd_update(tensor: Any, indices: Any, updates: Any, name: str | None = None) -> Any:
    """`tensor` with `updates` in place of what was at `indices`: shapes and errors as `tensor_scatter_nd_add`.

    Gradient: for `tensor` the upstream one with zeros at `indices`, for `updates` the upstream one gathered there.

    >>> import pullback as tf
    >>> tf.tensor_scatter_nd_update([1, 1, 1], [[2]], [9]).numpy().tolist()
    [1, 1, 9]
    """
    return UPDATE(tensor, indices, updates, name=name)


@export("tensor_scatter_nd_max")
@trims_errors
def tensor_scatter_nd_max(tensor: Any, indices: Any, updates: Any, bad_indices_policy: str = "", name: str | None = None) -> Any:
    """`tensor` with the larger of what was at `indices` and `updates`: shapes and errors as `tensor_scatter_nd_add`.

    Gradient: to whichever is the larger, shared evenly where they tie.

    >>> import pullback as tf
    >>> tf.tensor_scatter_nd_max([1, 5], [[0], [1]], [3, 3]).numpy().tolist()
    [3, 5]
    """
    return changed(MAX, tensor, indices, updates, bad_indices_policy, name)


@export("tensor_scatter_nd_min")
@trims_errors
def tensor_scatter_nd_min(tensor: Any, indices: Any, updates: Any, bad_indices_policy: str = "", name: str | None = None) -> Any:
    """`tensor` with the smaller of what was at `indices` and `updates`: as `tensor_scatter_nd_max`.

    >>> import pullback as tf
    >>> tf.tensor_scatter_nd_min([1, 5], [[0], [1]], [3, 3]).numpy().tolist()
    [1, 3]
    """
    return changed(MIN, tensor, indices, updates, bad_indices_policy, name)


METHODS.update(
    tensor_scatter_nd_update=tensor_scatter_nd_update,
    tensor_scatter_nd_add=tensor_scatter_nd_add,
    tensor_scatter_nd_sub=tensor_scatter_nd_sub,
)
