"""Gather and scatter: rows by index along an axis (`GatherV2`), entries by index vectors (`GatherNd`), and what undoes them.

`GatherV2` along axis 0 answers with `IndexedSlices`, along other axes with `GatherAdjoint`, an op of our own that adds rows back
where they were taken; `GatherNd` and `ScatterNd` are each other's adjoint.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...base import quick
from ...base.dtypes import ANY, INDEX, int16, int32
from ...base.export import export
from ...base.shapes import Shape, compatible, merge, show
from ...ir.apply import ShapeError, convert_to_tensor
from ...ir.composite import takes_composites
from ...ir.op import OPS, Op, define
from ...ir.owned import add_into
from ...ir.tensor import METHODS, IndexedSlices, TensorType
from ...ir.tracebacks import trims_errors
from ..native import array as native_array
from ..scopes import scope
from .bad_indices import gathered, ignores, scattered
from .basic import BROADCAST_TO, ones_of, reshape, shape_of
from .create import RANGE
from .join import CONCAT, stack
from .shape import size
from .strided_slice import TENSOR_STRIDED_SLICE_ADD
from .types import Array, check_indices, check_rows, dims_in, in_range, invalid, known_int, rank_of, require_equal, unknown
from .where import WHERE

_INDICES = frozenset({int16, *INDEX})

# ---- rows along an axis


def _gather_dims(params: Any, indices: Any, axis: Any, batch_dims: int) -> tuple[Shape, int | None, int]:
    """The shape of the result, the axis and the number of batch dimensions from the front."""
    rank, index_rank, at = rank_of(params), rank_of(indices), known_int(axis)
    if rank is not None and rank < 1:
        raise ShapeError("Shape must be at least rank 1 but is rank 0", "params must be at least 1 dimensional")
    if batch_dims < 0:
        if index_rank is None:
            raise ValueError("GatherV2: batch_dims is negative and the rank of the indices is unknown")
        batch_dims += index_rank
    if index_rank is not None and not 0 <= batch_dims <= index_rank:
        text = f"Shape must be at least rank {max(batch_dims, at or 0) + 1} but is rank {min(index_rank, rank or index_rank)}"
        raise ShapeError(text, text)
    if at is not None and rank is not None:
        text = f"Shape must be at least rank {at + 1 if at >= 0 else -at} but is rank {rank}"
        at = in_range(at, rank, text, text)
    if rank is None or index_rank is None or at is None:
        return (None if rank is None or index_rank is None else unknown(rank - 1 + index_rank - batch_dims)), at, batch_dims
    for d in range(batch_dims):
        if d >= at:
            break
        m, n = params.dims[d], indices.dims[d]
        require_equal(m, n, f"params.shape[{d}]: {m} should be equal to indices.shape[{d}]: {n}")
    return params.dims[:at] + indices.dims[batch_dims:] + params.dims[at + 1 :], at, batch_dims


def _gather_type(params: Any, indices: Any, axis: Any, *, batch_dims: int = 0) -> TensorType:
    return TensorType(_gather_dims(params, indices, axis, batch_dims)[0], params.dtype)


def _axes(params_rank: int, indices: Array, axis: Array, batch_dims: int) -> tuple[int, int]:
    at = int(axis.reshape(()))
    batch = batch_dims + indices.ndim if batch_dims < 0 else batch_dims
    if not -params_rank <= at < params_rank or not 0 <= batch <= indices.ndim:
        raise ValueError("axis or batch_dims out of range")
    return at + params_rank if at < 0 else at, batch


def _grid(indices: Array, batch: int) -> tuple[Array, ...]:
    """The index of a batch of tables whose gathered axis comes right after the batch dimensions."""
    places = [np.arange(n).reshape((n,) + (1,) * (indices.ndim - 1 - d)) for d, n in enumerate(indices.shape[:batch])]
    return (*places, indices)


def _gather(params: Array, indices: Array, axis: Array, *, batch_dims: int = 0) -> Array:
    at, batch = _axes(params.ndim, indices, axis, batch_dims)
    if params.shape[:batch] != indices.shape[:batch] or at < batch:
        raise ValueError("the batch sizes of params and indices differ")
    check_indices(indices, params.shape[at])
    if not batch:
        return np.take(params, indices, axis=at)
    taken = np.moveaxis(params, at, batch)[_grid(indices, batch)]
    inner = range(batch, indices.ndim)
    return np.moveaxis(taken, list(inner), [i + at - batch for i in inner])


def _gather_vjp(g: Any, params_type: Any, indices: Any, axis: Any, batch_dims: int) -> Any:
    if known_int(axis) == 0 and not batch_dims:
        return rows_of(g, params_type, indices)
    return GATHER_ADJOINT(g, indices, axis, shape_of(params_type), batch_dims=batch_dims)


def _add_slice(total: Any, g: Any, indices: Any, axis: Any, batch_dims: int) -> Any:
    at = known_int(axis)
    if not at or at < 0 or batch_dims or rank_of(indices) != 0:  # slices along axis 0 stay sparse
        return None
    begin, end = (stack([*[0] * at, i]) for i in (indices, indices + 1))
    whole = (1 << at) - 1
    return add_into(
        TENSOR_STRIDED_SLICE_ADD, total, begin, end, ones_of(begin), g, begin_mask=whole, end_mask=whole, shrink_axis_mask=1 << at
    )  # fmt: skip


def rows_of(g: Any, params_type: Any, indices: Any) -> IndexedSlices:
    """The cotangent of a gather along axis 0: one row for each index."""
    sizes = shape_of(params_type)
    if isinstance(sizes, np.ndarray):
        row = [-1, *sizes[1:].tolist()] if 0 not in sizes[1:] else [int(np.prod(indices.dims)), *sizes[1:].tolist()]
        values = g if g.dims == (*indices.dims, *row[1:]) and len(indices.dims) == 1 else reshape(g, row)
        sizes = convert_to_tensor(sizes)
    else:
        values = reshape(g, CONCAT([size(indices)[None], sizes[1:]], 0))
    return IndexedSlices(values, indices if rank_of(indices) == 1 else reshape(indices, [-1]), sizes)


def _adjoint_type(updates: Any, indices: Any, axis: Any, shape: Any, *, batch_dims: int = 0) -> TensorType:
    return TensorType(dims_in(shape), updates.dtype)


def _adjoint(updates: Array, indices: Array, axis: Array, shape: Array, *, batch_dims: int = 0) -> Array:
    out = np.zeros(tuple(shape.tolist()), updates.dtype)
    at, batch = _axes(out.ndim, indices, axis, batch_dims)
    inner = range(batch, indices.ndim)
    front = np.moveaxis(updates, [i + at - batch for i in inner], list(inner))
    quick.change(np.add, np.moveaxis(out, at, batch), _grid(indices, batch), front)
    return out


GATHER: Op = define(
    "GatherV2", "params:Tparams indices:Tindices axis:Taxis", _gather_type, _gather, {"params": _gather_vjp},
    into={"params": _add_slice}, dtypes={"Tparams": ANY, "Tindices": _INDICES, "Taxis": INDEX}, holomorphic=False, takes_part=True,
    lower=native_array.gather,
    gradient_names="Reshape_2",
)  # fmt: skip
GATHER_ADJOINT: Op = define(
    "GatherAdjoint", "updates indices:Tindices axis:Taxis shape:Tshape", _adjoint_type, _adjoint,
    {"updates": lambda g, indices, axis, batch_dims: GATHER(g, indices, axis, batch_dims=batch_dims)},
    dtypes={"Tindices": _INDICES, "Taxis": INDEX, "Tshape": INDEX}, holomorphic=False,
    lower=native_array.gather_adjoint,
)  # fmt: skip


def _gather_rows_type(params: Any, indices: Any, *, validate_indices: bool = True) -> TensorType:
    return _gather_type(params, indices, TensorType((), int32, _ZERO))


def _gather_rows(params: Array, indices: Array, *, validate_indices: bool = True) -> Array:
    return _gather(params, indices, _ZERO)


_ZERO = np.zeros((), np.int32)
GATHER_ROWS = define(
    "Gather", "params:Tparams indices:Tindices", _gather_rows_type, _gather_rows, {"params": rows_of},
    dtypes={"Tparams": ANY, "Tindices": INDEX}, holomorphic=False, takes_part=True,
    lower=native_array.gather_rows,
)  # fmt: skip


@export(v2="gather")
@takes_composites
def gather(params: Any, indices: Any, validate_indices: Any = None, axis: Any = None, batch_dims: int = 0, name: str | None = None) -> Any:
    """The slices of `params` at `indices` along `axis`.

    params: any dtype, at least one dimension.  indices: integers in [0, size of the axis).  axis: `batch_dims` when None.
    batch_dims: how many leading dimensions `params` and `indices` share; negative counts from the end of `indices`.
    Returns params.shape[:axis] + indices.shape[batch_dims:] + params.shape[axis + 1:].
    Raises InvalidArgumentError for an index out of range (and, ValueError in a graph, for shapes that do not fit).
    Gradient: the upstream rows as `IndexedSlices` where axis and batch_dims are 0, else dense, rows taken twice added up.

    >>> import pullback as tf
    >>> tf.gather([10, 20, 30], [2, 0]).numpy().tolist()
    [30, 10]
    """
    if axis is None:
        axis = batch_dims
    if type(axis) is int and axis == 0:
        batch_dims = 0  # as TensorFlow, which does not look at it then
    return GATHER(params, indices, axis, batch_dims=batch_dims, name=name)


@export(v1="batch_gather")
def batch_gather(params: Any, indices: Any, name: str | None = None) -> Any:
    """The elements of each row of `params` at the indices in the same row of `indices`: all dimensions but the last are batch.

    >>> import pullback.compat.v1 as tf
    >>> with tf.Graph().as_default(), tf.Session() as session:
    ...     session.run(tf.batch_gather([[1, 2], [3, 4]], [[1], [0]])).tolist()
    [[2], [3]]
    """
    indices = convert_to_tensor(indices)
    if indices.dims is None:
        raise ValueError("batch_gather does not allow indices with unknown shape.")
    params, shared = convert_to_tensor(params), len(indices.dims) - 1
    _check_batch_dims(params, indices, shared)
    return GATHER(params, indices, shared, batch_dims=shared, name=name)


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
    if depth > params.ndim:
        raise ValueError("an index vector has at most one entry for each dimension")
    check_rows(indices, params.shape[:depth], "param shape", params.shape)
    if not depth:
        return np.broadcast_to(params, indices.shape[:-1] + params.shape)
    if indices.size < quick.LARGE or not params.flags.c_contiguous:
        return np.asarray(params[_columns(indices)])
    places = quick.places_of(_columns(indices), params.shape[:depth])
    return params.reshape(math.prod(params.shape[:depth]), *params.shape[depth:]).take(places, axis=0)


def _gather_nd_vjp(g: Any, params_type: Any, indices: Any) -> Any:
    if rank_of(indices) == 2 and indices.dims[1] == 1:
        sizes = shape_of(params_type)
        return IndexedSlices(g, reshape(indices, [-1]), convert_to_tensor(sizes))
    return SCATTER_ND(indices, g, shape_of(params_type, indices.dtype))


def _add_entries(total: Any, g: Any, indices: Any) -> Any:
    is_sparse = rank_of(indices) == 2 and indices.dims[1] == 1
    return None if is_sparse else add_into(OPS["TensorScatterAdd"], total, indices, g)


GATHER_ND: Op = define(
    "GatherNd", "params:Tparams indices:Tindices", _gather_nd_type, _gather_nd, {"params": _gather_nd_vjp},
    into={"params": _add_entries}, dtypes={"Tparams": ANY, "Tindices": _INDICES}, holomorphic=False, takes_part=True,
    lower=native_array.gather_nd,
)  # fmt: skip


@export(v2="gather_nd")
@takes_composites
def gather_nd(params: Any, indices: Any, batch_dims: int = 0, name: str | None = None, bad_indices_policy: str = "") -> Any:
    """The entries (or slices) of `params` at the index vectors in the last axis of `indices`.

    indices: integers; their last axis is at most as long as `params` has dimensions after the `batch_dims` shared ones.
    Returns indices.shape[:-1] + params.shape[batch_dims + indices.shape[-1]:].
    Raises InvalidArgumentError for an index out of range (and, ValueError in a graph, for one too long), but for the policy "IGNORE",
    by which zeros are gathered there.
    Gradient: the upstream gradient scattered; `IndexedSlices` where `indices` is a list of row numbers of shape [n, 1].

    >>> import pullback as tf
    >>> tf.gather_nd([[1, 2], [3, 4]], [[0, 0], [1, 1]]).numpy().tolist()
    [1, 4]
    """
    if batch_dims is None:
        raise TypeError("Argument `batch_dims` must be an int; got None")
    if batch_dims:
        indices = _with_batch(convert_to_tensor(params), convert_to_tensor(indices), batch_dims)
    return gathered(params, indices, name) if ignores(bad_indices_policy) else GATHER_ND(params, indices, name=name)


def _check_batch_dims(params: Any, indices: Any, batch_dims: int) -> None:
    """Refuse more shared dimensions than there are."""
    for name, tensor in (("indices", indices), ("params", params)):
        if tensor.dims is not None and not 0 <= batch_dims < len(tensor.dims):
            raise ValueError(f"Argument `batch_dims` = {batch_dims} must be less than rank(`{name}`) = {len(tensor.dims)}")


def _with_batch(params: Any, indices: Any, batch_dims: int) -> Any:
    """Index vectors with the numbers of their batch in front."""
    rank = rank_of(indices)
    if rank is None or rank_of(params) is None:
        raise ValueError("gather_nd with batch_dims needs params and indices of known rank")
    if batch_dims < 0:
        raise ValueError("tf.gather_nd does not allow negative batch_dims.")
    _check_batch_dims(params, indices, batch_dims)
    for a, b in zip(params.dims[:batch_dims], indices.dims[:batch_dims], strict=True):
        if a is not None and b is not None and a != b:
            both = f"params {show(params.dims)} and of indices {show(indices.dims)}"
            raise invalid(f"the batch sizes of {both} differ, batch_dims={batch_dims}")
    sizes = shape_of(indices)
    columns = []
    for d in range(batch_dims):
        numbers = RANGE(np.zeros((), np.int32), sizes[d], np.ones((), np.int32))
        column = reshape(METHODS["cast"](numbers, indices.dtype), [-1 if k == d else 1 for k in range(rank)])
        whole = CONCAT([sizes[:-1], np.ones(1, np.int32)], 0)
        columns.append(BROADCAST_TO(column, whole))
    return CONCAT([*columns, indices], -1)


# ---- scatter


def _scatter_type(indices: Any, updates: Any, shape: Any) -> TensorType:
    dims = dims_in(shape)
    check_updates(indices, updates, dims, f"[shape={show(indices.dims)}]", f"[shape={show(updates.dims)}]")
    if dims is not None and 0 in dims and indices.dims is not None and None not in indices.dims and 0 not in indices.dims:
        text = f"Indices and updates specified for empty output shape {show(dims)}"
        raise ShapeError(text, text)
    return TensorType(dims, updates.dtype)


def check_updates(indices: Any, updates: Any, dims: Shape, of_indices: str, of_updates: str) -> None:
    """Refuse updates whose outer dimensions are not those of the index vectors."""
    if indices.dims is None or updates.dims is None or not indices.dims:
        return
    outer = indices.dims[:-1]
    text = f"Dimensions [0,{len(outer)}) of indices{of_indices} must match dimensions [0,{len(outer)}) of updates{of_updates}"
    given = updates.dims[: len(outer)]
    if len(given) != len(outer) or any(m is not None and n is not None and m != n for m, n in zip(outer, given, strict=True)):
        raise ShapeError(text, text)
    depth = indices.dims[-1]
    if dims is None or depth is None:
        return
    try:
        merge(dims[depth:], updates.dims[len(outer) :])
    except ValueError:
        inner = f"[{len(outer)},{len(updates.dims)})"
        text = f"Dimensions [{depth},{len(dims)}) of input[shape={show(dims)}] must match dimensions {inner} of updates{of_updates}"
        raise ShapeError(text, text) from None


def check_scatter(indices: Array, updates: Array, sizes: tuple[int, ...]) -> None:
    """Refuse, in a kernel, what does not fit; the type rule then words the message."""
    depth = indices.shape[-1] if indices.ndim else 0
    if not indices.ndim or depth > len(sizes) or updates.shape != indices.shape[:-1] + sizes[depth:]:
        raise ValueError("updates have one slice for each index vector")
    check_rows(indices, sizes[:depth], "shape", sizes)


def _scatter_nd(indices: Array, updates: Array, shape: Array) -> Array:
    sizes = tuple(shape.tolist())
    if 0 in sizes and indices.size:
        raise invalid(f"Indices and updates specified for empty output shape {show(sizes)}")
    check_scatter(indices, updates, sizes)
    out = np.zeros(sizes, updates.dtype)
    quick.change(np.add, out, _columns(indices), updates)
    return out


SCATTER_ND: Op = define(
    "ScatterNd", "indices:Tindices updates shape:Tindices", _scatter_type, _scatter_nd,
    {"updates": lambda g, indices: GATHER_ND(g, indices)}, dtypes={"Tindices": _INDICES, "T": ANY}, holomorphic=False,
    lower=native_array.scatter_nd,
)  # fmt: skip


@export("scatter_nd", v1="manip.scatter_nd")
@trims_errors
def scatter_nd(indices: Any, updates: Any, shape: Any, bad_indices_policy: str = "", name: str | None = None) -> Any:
    """A tensor of zeros of `shape` with `updates` added at the index vectors in the last axis of `indices`.

    updates: indices.shape[:-1] + shape[indices.shape[-1]:].  Equal indices add up.
    Raises InvalidArgumentError for an index out of range, unless the policy is "IGNORE", which leaves its update out (and, ValueError in a
    graph, for shapes that do not fit).  Gradient for the updates: the upstream gradient gathered at `indices`.

    >>> import pullback as tf
    >>> tf.scatter_nd([[1], [3], [1]], [10, 20, 1], [4]).numpy().tolist()
    [0, 11, 0, 20]
    """
    if ignores(bad_indices_policy):
        sizes = convert_to_tensor(shape, dtype_hint=int32)
        return scattered(SCATTER_ND, indices, updates, sizes, before=(), after=(sizes,), name=name)
    return SCATTER_ND(indices, updates, shape, name=name)


# ---- masks


@export(v2="boolean_mask")
@takes_composites
def boolean_mask(tensor: Any, mask: Any, axis: Any = None, name: str = "boolean_mask") -> Any:
    """The entries of `tensor` where `mask` is true, in order.

    mask: booleans of known rank at least 1 whose shape is that of `tensor` from `axis` on (0 when None), else ValueError.
    Returns tensor.shape[:axis] + [number of trues] + tensor.shape[axis + rank of the mask:].
    Gradient: the upstream gradient put back, zeros elsewhere.

    >>> import pullback as tf
    >>> tf.boolean_mask([1, 2, 3], [True, False, True]).numpy().tolist()
    [1, 3]
    """
    with scope(name, "boolean_mask"):
        return _masked(tensor, mask, axis)


def _masked(tensor: Any, mask: Any, axis: Any) -> Any:
    tensor, mask = convert_to_tensor(tensor, name="tensor"), convert_to_tensor(mask, name="mask")
    at = 0 if axis is None else known_int(convert_to_tensor(axis))
    if mask.dims is None:
        raise ValueError(
            "Number of mask dimensions must be specified, even if some dimensions are None. E.g. shape=[None] is ok, but shape=None is not."
        )
    count = len(mask.dims)
    if count == 0:
        raise ValueError("mask cannot be scalar. (boolean_mask)")
    if at is None:
        return _masked_along(tensor, mask, convert_to_tensor(axis))
    if tensor.dims is not None:
        at = at + len(tensor.dims) if at < 0 else at
        part = tensor.dims[at : at + count]
        if not compatible(part, mask.dims):
            raise ValueError(f"Shapes {part} and {mask.dims} are incompatible (boolean_mask)")
    sizes = shape_of(tensor)
    if not isinstance(sizes, np.ndarray):
        return _masked_along(tensor, mask, at)
    flat = [*sizes[:at].tolist(), int(np.prod(sizes[at : at + count])), *sizes[at + count :].tolist()]
    return GATHER(reshape(tensor, flat), reshape(WHERE(reshape(mask, [-1])), [-1]), at)


def _masked_along(tensor: Any, mask: Any, axis: Any) -> Any:
    """`boolean_mask` of a tensor whose shape, or from an axis on that, only a run knows."""
    sizes, end = convert_to_tensor(shape_of(tensor)), axis + len(mask.dims)
    one = OPS["Prod"](sizes[axis:end], np.zeros(1, np.int32), keep_dims=True)
    flat = CONCAT([sizes[:axis], one, sizes[end:]], 0)
    return GATHER(reshape(tensor, flat), reshape(WHERE(reshape(mask, [-1])), [-1]), axis)


METHODS.update(boolean_mask=boolean_mask, gather=gather, gather_nd=gather_nd)
