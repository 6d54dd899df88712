"""Entries by index vectors: gathers and scatters, each the adjoint of the other."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from ...base.dtypes import ANY, int32, string
from ...base.export import export
from ...base.shapes import Shape, merge, show
from ...ir.accumulator import add_into
from ...ir.apply import ShapeError, convert_to_tensor
from ...ir.attributes import refused_value
from ...ir.composite import takes_composites
from ...ir.op import Op, Traits, define
from ...ir.tensor import LATE_BOUND, IndexedSlices, NumberLike, Tensor, TensorLike, TensorType
from ...kernels import blocked
from ..lowering import array as native_array
from ..primitives.cast import cast
from .bad_indices import WITHIN, ignores
from .basic import BROADCAST_TO, ZEROS_LIKE, fill, reshape, shape, shape_of
from .create import RANGE
from .gather import _INDICES, GATHER, check_batch_dims
from .join import CONCAT
from .shape import rank
from .type_rules import Array, check_rows, invalid_argument, product, rank_of, shape_in
from .where import where

# ---- entries by index vectors


def _gather_nd_type(params: Any, indices: Any) -> TensorType:
    if indices.dims is None or params.dims is None or indices.dims[-1:] == (None,):
        return TensorType(None, params.dtype)
    if not indices.dims:
        raise ShapeError("Shape must be at least rank 1 but is rank 0", "indices must be at least a vector")
    depth, rank = indices.dims[-1], len(params.dims)
    if depth > rank:
        raise ShapeError(
            f"indices.shape[-1] must be <= params.rank, but saw indices shape: {show(indices.dims)} and params shape: {show(params.dims)}",
            f"index innermost dimension length must be <= params rank; saw: {depth} vs. {rank}",
        )
    return TensorType(indices.dims[:-1] + params.dims[depth:], params.dtype)


def _columns(indices: Array) -> tuple[Any, ...]:
    """The NumPy index that a tensor of index vectors means."""
    return (*np.moveaxis(indices, -1, 0),)


def _gather_nd(params: Array, indices: Array) -> Array:
    depth = indices.shape[-1]
    if not params.ndim:
        raise invalid_argument("params must be at least a vector")
    if not params.size and math.prod(indices.shape[:-1]):
        raise invalid_argument(f"Requested more than 0 entries, but params is empty.  Params shape: {show(params.shape)}")
    if depth > params.ndim:
        raise ValueError("an index vector has at most one entry for each dimension")
    check_rows(indices, params.shape[:depth], "param shape", params.shape)
    if not depth:
        return np.broadcast_to(params, indices.shape[:-1] + params.shape)
    if indices.size < blocked.LARGE or not params.flags.c_contiguous:
        return params[(*_columns(indices), ...)]
    places = blocked.places_of(_columns(indices), params.shape[:depth])
    return params.reshape(math.prod(params.shape[:depth]), *params.shape[depth:]).take(places, axis=0)


def _gather_nd_vjp(g: Any, params_type: Any, indices: Any) -> Any:
    if rank_of(indices) == 2 and indices.dims[1] == 1:
        sizes = shape_of(params_type)
        return IndexedSlices(g, reshape(indices, [-1]), convert_to_tensor(sizes))
    return SCATTER_ND(indices, g, shape_of(params_type, indices.dtype))


def _add_entries(total: Any, g: Any, indices: Any) -> Any:
    is_sparse = rank_of(indices) == 2 and indices.dims[1] == 1
    return None if is_sparse else add_into(ADD, total, indices, g)


GATHER_ND: Op = define(
    "GatherNd", "params:Tparams indices:Tindices", _gather_nd_type, _gather_nd, {"params": _gather_nd_vjp},
    into={"params": _add_entries}, dtypes={"Tparams": ANY, "Tindices": _INDICES}, holomorphic=False, takes_part=True,
    lower=native_array.gather_nd,
    traits=Traits(copies=True, chooses="the indices chose"),
)  # fmt: skip


@export(v2="gather_nd")
@takes_composites
def gather_nd(
    params: TensorLike, indices: NumberLike, batch_dims: int = 0, name: str | None = None, bad_indices_policy: str = ""
) -> Tensor:
    """The entries (or slices) of `params` at the index vectors in the last axis of `indices`.

    indices: integers; their last axis is at most as long as `params` has dimensions after the `batch_dims` shared ones.
    Returns indices.shape[:-1] + params.shape[batch_dims + indices.shape[-1]:].
    Raises InvalidArgumentError for an index out of range (and, ValueError in a graph, for one too long), but for the policy "IGNORE",
    by which zeros are gathered there.
    Gradient: the upstream gradient scattered; `IndexedSlices` where `indices` is a list of row numbers of shape [n, 1].

    >>> tf.gather_nd([[1, 2], [3, 4]], [[0, 0], [1, 1]]).numpy().tolist()
    [1, 4]
    """
    if batch_dims is None:
        raise TypeError("Argument `batch_dims` must be an int; got None")
    if batch_dims:
        indices = _add_batch_numbers(convert_to_tensor(params), convert_to_tensor(indices), batch_dims)
    return gather_within(params, indices, name) if ignores(bad_indices_policy) else GATHER_ND(params, indices, name=name)


def _add_batch_numbers(params: Any, indices: Any, batch_dims: int) -> Any:
    """Index vectors with the numbers of their batch in front."""
    rank = rank_of(indices)
    if rank is None or rank_of(params) is None:
        raise ValueError("gather_nd with batch_dims needs params and indices of known rank")
    if batch_dims < 0:
        raise ValueError("tf.gather_nd does not allow negative batch_dims.")
    check_batch_dims(params, indices, batch_dims)
    for a, b in zip(params.dims[:batch_dims], indices.dims[:batch_dims], strict=True):
        if a is not None and b is not None and a != b:
            both = f"params {show(params.dims)} and of indices {show(indices.dims)}"
            raise refused_value(f"the batch sizes of {both} differ, batch_dims={batch_dims}")
    sizes, batches = shape_of(indices), shape_of(params)
    columns = []
    for d in range(batch_dims):
        numbers = RANGE(np.zeros((), np.int32), batches[d], np.ones((), np.int32))
        known = params.dims[d] is not None and indices.dims[d] is not None
        # a reshape to the size of indices fails where that of params, seen when it runs, is another
        column = reshape(cast(numbers, indices.dtype), [(-1 if known else sizes[d]) if k == d else 1 for k in range(rank)])
        whole = CONCAT([sizes[:-1], np.ones(1, np.int32)], 0)
        columns.append(BROADCAST_TO(column, whole))
    return CONCAT([*columns, indices], -1)


# ---- scatter


def _scatter_type(indices: Any, updates: Any, shape: Any) -> TensorType:
    dims = shape_in(shape)
    _require_vectors(updates, "Updates shape must have rank at least one. Found:[]")
    check_updates(indices, updates, dims, f"[shape={show(indices.dims)}]", f"[shape={show(updates.dims)}]")
    return TensorType(dims, updates.dtype)


def _require_vectors(t: Tensor, eagerly: str | None) -> None:
    if t.dims == ():
        raise ShapeError("Shape must be at least rank 1 but is rank 0", eagerly)


def check_updates(indices: Tensor, updates: Tensor, dims: Shape, of_indices: str, of_updates: str) -> None:
    """Refuse updates whose outer dimensions are not those of the index vectors."""
    _require_vectors(indices, "Indices shape must have rank at least one. Found:[]")
    if dims is not None and 0 in dims and any(product(t.dims or (None,)) for t in (indices, updates)):
        raise ShapeError("Indices and updates specified for empty input", None)
    if not indices.dims or not updates.dims or indices.dims[-1] is None:
        return
    outer, depth = indices.dims[:-1], indices.dims[-1]
    text = f"Dimensions [0,{len(outer)}) of indices{of_indices} must match dimensions [0,{len(outer)}) of updates{of_updates}"
    given = updates.dims[: len(outer)]
    if len(given) != len(outer) or any(m is not None and n is not None and m != n for m, n in zip(outer, given, strict=True)):
        raise ShapeError(text, text)
    if dims is None:
        return
    try:
        merge(dims[depth:], updates.dims[len(outer) :])
    except ValueError:
        inner = f"[{len(outer)},{len(updates.dims)})"
        text = f"Dimensions [{depth},{len(dims)}) of input[shape={show(dims)}] must match dimensions {inner} of updates{of_updates}"
        raise ShapeError(text, text) from None


def check_scatter(indices: Array, updates: Array, sizes: tuple[int, ...], of_empty: str = "") -> None:
    """Refuse, in a kernel, what does not fit; the type rule then words the message, but for what changes nothing (`of_empty`)."""
    depth = indices.shape[-1] if indices.ndim else 0
    if 0 in sizes and indices.size:
        raise invalid_argument(f"Indices and updates specified for empty output{of_empty or ' shape'}")
    if not indices.ndim or depth > len(sizes) or updates.shape != indices.shape[:-1] + sizes[depth:]:
        raise ValueError("updates have one slice for each index vector")
    check_rows(indices, sizes[:depth], "shape", sizes)


def _scatter_nd(indices: Array, updates: Array, shape: Array) -> Array:
    sizes = tuple(shape.tolist())
    check_scatter(indices, updates, sizes, f".  indices shape: {show(indices.shape)}" if updates.size else "")
    out = np.full(sizes, b"", object) if updates.dtype == object else np.zeros(sizes, updates.dtype)
    blocked.change(np.add, out, _columns(indices), updates)
    return out


SCATTER_ND: Op = define(
    "ScatterNd", "indices:Tindices updates shape:Tindices", _scatter_type, _scatter_nd,
    {"updates": lambda g, indices: GATHER_ND(g, indices)}, dtypes={"Tindices": _INDICES, "T": ANY}, holomorphic=False,
    lower=native_array.scatter_nd,
)  # fmt: skip


@export("scatter_nd", v1="manip.scatter_nd")
def scatter_nd(
    indices: NumberLike, updates: TensorLike, shape: TensorLike, bad_indices_policy: str = "", name: str | None = None
) -> Tensor:
    """A tensor of zeros of `shape` with `updates` added at the index vectors in the last axis of `indices`.

    updates: indices.shape[:-1] + shape[indices.shape[-1]:].  Equal indices add up, strings one behind another.
    Raises InvalidArgumentError for an index out of range, unless the policy is "IGNORE", which leaves its update out (and, ValueError in a
    graph, for shapes that do not fit).  Gradient for the updates: the upstream gradient gathered at `indices`.

    >>> tf.scatter_nd([[1], [3], [1]], [10, 20, 1], [4]).numpy().tolist()
    [0, 11, 0, 20]
    """
    if ignores(bad_indices_policy):
        sizes = convert_to_tensor(shape, dtype_hint=int32)
        return scatter_within(SCATTER_ND, indices, updates, sizes, before=(), after=(sizes,), name=name)
    return SCATTER_ND(indices, updates, shape, name=name)


# ---- tensors with entries changed


def _updated_type(tensor: Any, indices: Any, updates: Any) -> TensorType:
    _require_vectors(tensor, None)
    check_updates(indices, updates, tensor.dims, f"[shape={show(indices.dims)}]", f"[shape={show(updates.dims)}]")
    return TensorType(tensor.dims, tensor.dtype)


def _change_in_place(change: Callable[[Array, Any, Array], Any]) -> Callable[[Array, Array, Array], Array]:
    """The kernel on a tensor that it may change."""

    def kernel(tensor: Array, indices: Array, updates: Array) -> Array:
        check_scatter(indices, updates, tensor.shape)
        change(tensor, (*np.moveaxis(indices, -1, 0),), updates)
        return tensor

    return kernel


def define_scatter(
    name: str, combine: str, change: Callable[[Array, Any, Array], Any], vjp: dict[Any, Any], dtypes: Any = ANY, **more: Any
) -> Op:
    """An operation that changes entries of a tensor; combine: what native code does with an entry and its update."""
    changes = _change_in_place(change)
    return define(
        name,
        "tensor indices:Tindices updates",
        _updated_type,
        lambda tensor, indices, updates: changes(tensor.copy(), indices, updates),
        vjp,
        dtypes={"Tindices": _INDICES, "T": dtypes},
        holomorphic=False,
        changes=changes,
        lower=native_array.scatter_tensor(combine),
        **more,
    )


ADD = define_scatter(
    "TensorScatterAdd", "add", partial(blocked.change, np.add),
    {"updates": lambda g, indices: GATHER_ND(g, indices), "tensor": lambda g: g}, ANY - {string},
)  # fmt: skip


# ---- indices out of range


def gather_within(params: object, indices: object, name: str | None) -> Any:
    """`GatherNd` with zeros for index vectors that lie outside."""
    params, indices = convert_to_tensor(params), convert_to_tensor(indices)
    inside = WITHIN(indices, shape(params))
    safe = where(inside[..., None], indices, ZEROS_LIKE(indices))
    found = GATHER_ND(params, safe)
    extra = rank(found) - rank(inside)
    wide = reshape(inside, CONCAT([shape(inside), fill(extra[None], np.int32(1))], 0))
    return where(wide, found, ZEROS_LIKE(found), name=name)


def scatter_within(
    op: Op, indices: object, updates: object, sizes: object, before: tuple[Any, ...], after: tuple[Any, ...], name: str | None
) -> Any:
    """A scatter of the updates whose index vectors lie within `sizes`: `op(*before, indices, updates, *after)`."""
    indices, updates = convert_to_tensor(indices), convert_to_tensor(updates)
    inside = reshape(WITHIN(indices, sizes), [-1])
    rows = reshape(where(inside), [-1])
    depth = shape(indices)[-1:]
    rest = shape(updates)[rank(indices) - 1 :]
    every = reshape(indices, CONCAT([np.array([-1], np.int32), depth], 0))
    each = reshape(updates, CONCAT([np.array([-1], np.int32), rest], 0))
    taken = (GATHER(t, rows, np.int32(0)) for t in (every, each))
    return op(*before, *taken, *after, name=name)


LATE_BOUND.update(gather_nd=gather_nd)
