"""Gather and scatter: rows by index along an axis (`GatherV2`), entries by index vectors (`GatherNd`), and what undoes them.

`GatherV2` along axis 0 answers with `IndexedSlices`, along other axes with `GatherAdjoint`, an op of our own that adds rows back
where they were taken; `GatherNd` and `ScatterNd` are each other's adjoint.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.dtypes import ANY, INDEX, int16, int32
from ...base.export import export
from ...base.shapes import Shape
from ...ir.accumulator import add_into
from ...ir.apply import ShapeError, convert_to_tensor
from ...ir.composite import takes_composites
from ...ir.op import Op, Traits, define
from ...ir.tensor import LATE_BOUND, IndexedSlices, IntLike, NumberLike, Tensor, TensorLike, TensorType
from ...kernels import blocked
from ..lowering import array as native_array
from .basic import ones_of, reshape, shape_of
from .join import CONCAT, stack
from .shape import size
from .strided_slice import TENSOR_STRIDED_SLICE_ADD
from .type_rules import Array, check_axis, check_indices, dims_in, known_int, known_size, rank_of, require_equal, unknown_dims

_INDICES = frozenset({int16, *INDEX})

# ---- rows along an axis


def _gather_dims(params: Any, indices: Any, axis: Any, batch_dims: int) -> tuple[Shape, int | None, int]:
    """The shape of the result, the axis and the number of batch dimensions from the front."""
    rank, index_rank, at = rank_of(params), rank_of(indices), known_size(axis, "axis must be scalar")
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
        at = check_axis(at, rank, text, text)
    if rank is None or index_rank is None or at is None:
        return (None if rank is None or index_rank is None else unknown_dims(rank - 1 + index_rank - batch_dims)), at, batch_dims
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


def _gather_vjp(g: Any, params_type: Any, indices: Any, axis: Any, batch_dims: int) -> Tensor | IndexedSlices:
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
    blocked.change(np.add, np.moveaxis(out, at, batch), _grid(indices, batch), front)
    return out


GATHER: Op = define(
    "GatherV2", "params:Tparams indices:Tindices axis:Taxis", _gather_type, _gather, {"params": _gather_vjp},
    into={"params": _add_slice}, dtypes={"Tparams": ANY, "Tindices": _INDICES, "Taxis": INDEX}, holomorphic=False, takes_part=True,
    lower=native_array.gather,
    gradient_names=lambda node: ("Reshape_5" if node.attrs["batch_dims"] else "Reshape_2",),
    traits=Traits(copies=True, chooses="the indices chose", folds_in_part=True),
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
    traits=Traits(copies=True),
)  # fmt: skip


@export(v2="gather")
@takes_composites
def gather(
    params: TensorLike,
    indices: NumberLike,
    validate_indices: object = None,
    axis: IntLike | None = None,
    batch_dims: int = 0,
    name: str | None = None,
) -> Tensor:
    """The slices of `params` at `indices` along `axis`.

    params: any dtype, at least one dimension.  indices: integers in [0, size of the axis).  axis: `batch_dims` when None.
    batch_dims: how many leading dimensions `params` and `indices` share; negative counts from the end of `indices`.
    Returns params.shape[:axis] + indices.shape[batch_dims:] + params.shape[axis + 1:].
    Raises InvalidArgumentError for an index out of range (and, ValueError in a graph, for shapes that do not fit).
    Gradient: the upstream rows as `IndexedSlices` where axis and batch_dims are 0, else dense, rows taken twice added up.

    >>> tf.gather([10, 20, 30], [2, 0]).numpy().tolist()
    [30, 10]
    """
    if axis is None:
        axis = batch_dims
    if type(axis) is int and axis == 0:
        batch_dims = 0  # as TensorFlow, which does not look at it then
    return GATHER(params, indices, axis, batch_dims=batch_dims, name=name)


def check_batch_dims(params: Tensor, indices: Tensor, batch_dims: int) -> None:
    """Refuse more shared dimensions than there are."""
    for name, tensor in (("indices", indices), ("params", params)):
        if tensor.dims is not None and not 0 <= batch_dims < len(tensor.dims):
            raise ValueError(f"Argument `batch_dims` = {batch_dims} must be less than rank(`{name}`) = {len(tensor.dims)}")


@export(v1="batch_gather")
def batch_gather(params: TensorLike, indices: NumberLike, name: str | None = None) -> Tensor:
    """The elements of each row of `params` at the indices in the same row of `indices`: all dimensions but the last are batch.

    >>> with tf1.Graph().as_default(), tf1.Session() as session:
    ...     session.run(tf1.batch_gather([[1, 2], [3, 4]], [[1], [0]])).tolist()
    [[2], [3]]
    """
    indices = convert_to_tensor(indices)
    if indices.dims is None:
        raise ValueError("batch_gather does not allow indices with unknown shape.")
    params, shared = convert_to_tensor(params), len(indices.dims) - 1
    check_batch_dims(params, indices, shared)
    return GATHER(params, indices, shared, batch_dims=shared, name=name)


LATE_BOUND.update(gather=gather)
