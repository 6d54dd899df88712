"""Partition by number and stitch back: what `dynamic_partition` sends apart, `dynamic_stitch` puts in order.

Where stitched indices overlap, the last value stands; the others were overwritten, so their gradient is zero.  TensorFlow hands them the
gradient of what replaced them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.dtypes import ANY, int32
from ...base.export import export
from ...base.shapes import Shape, merge, show
from ...ir.apply import ShapeError, convert_to_tensor
from ...ir.composite import takes_composites
from ...ir.context import executing_eagerly
from ...ir.op import Op, Traits, define
from ...ir.tensor import NumberLike, Tensor, TensorLike, TensorType
from ..array.basic import ones_of, reshape, shape_of
from ..array.create import RANGE
from ..array.gather import GATHER
from ..array.join import check_output_count, concat
from ..array.shape import SIZE
from ..array.type_rules import Array, invalid_argument, known_value, require_equal
from ..indexing.index import getitem
from ..lowering import array as native_array
from ..primitives.cast import cast
from ..primitives.compare import equal

# ---- partition


def _partition_type(data: Any, partitions: Any, *, num_partitions: int) -> tuple[TensorType, ...]:
    if data.dims is None or partitions.dims is None:
        return (TensorType(None, data.dtype),) * num_partitions
    outer, count = data.dims[: len(partitions.dims)], len(partitions.dims)
    eagerly = f"data.shape must start with partitions.shape, got data.shape = {show(data.dims)}, partitions.shape = {show(partitions.dims)}"
    if len(outer) < count:
        raise ShapeError(f"Shape must be at least rank {count} but is rank {len(data.dims)}", eagerly)
    for m, n in zip(outer, partitions.dims, strict=True):
        require_equal(m, n, eagerly)
    return (TensorType((None, *data.dims[count:]), data.dtype),) * num_partitions


def _partition(data: Array, partitions: Array, *, num_partitions: int) -> list[Array]:
    if num_partitions < 1 or data.shape[: partitions.ndim] != partitions.shape:
        raise ValueError("one partition number for each row")
    outside = (partitions < 0) | (partitions >= num_partitions)
    if outside.any():
        at = tuple(int(i) for i in np.argwhere(outside)[0])
        place = f"[{','.join(map(str, at))}]" if at else ""
        raise invalid_argument(f"partitions{place} = {int(partitions[at])} is not in [0, {num_partitions})")
    rows = data.reshape(-1, *data.shape[partitions.ndim :])
    return [rows[np.flatnonzero(partitions == k)] for k in range(num_partitions)]


def _unpartition(gs: Any, data_type: Any, partitions: Any, num_partitions: int) -> Any:
    """The cotangents of the parts, each row back where it came from."""
    count = SIZE(partitions)
    places = reshape(RANGE(0, count, 1), shape_of(partitions))
    return reshape(STITCH(PARTITION(places, partitions, num_partitions=num_partitions), gs), shape_of(data_type))


PARTITION = define(
    "DynamicPartition", "data partitions:int32", _partition_type, _partition, {"data": _unpartition}, outputs="*outputs", dtypes=ANY,
    holomorphic=False,
    traits=Traits(chooses="the partitions asked for took"),
)  # fmt: skip


@export("dynamic_partition")
@takes_composites
def dynamic_partition(data: TensorLike, partitions: NumberLike, num_partitions: int, name: str | None = None) -> list[Tensor]:
    """Send the rows of `data` to `num_partitions` tensors by number, in order.

    partitions: int32 in [0, num_partitions); its shape starts that of `data`.  Returns num_partitions tensors of shape
    [count, ...].  Raises InvalidArgumentError for a number out of range (and, ValueError in a graph, for shapes that do not fit).
    Gradient: each row's upstream gradient where the row came from.

    >>> [part.numpy().tolist() for part in tf.dynamic_partition([10, 20, 30], [1, 0, 1], 2)]
    [[20], [10, 30]]
    """
    check_output_count(num_partitions)
    return PARTITION(data, convert_to_tensor(partitions, dtype_hint=int32), num_partitions=num_partitions, name=name)


# ---- stitch


def _stitch_type(indices: Any, data: Any) -> TensorType:
    rest: Shape = None
    for i, (index, value) in enumerate(zip(indices, data, strict=True)):
        if index.dims is None or value.dims is None:
            continue
        eagerly = f"data[{i}].shape = {show(value.dims)} does not start with indices[{i}].shape = {show(index.dims)}"
        if len(value.dims) < len(index.dims):
            raise ShapeError(f"Shape must be at least rank {len(index.dims)} but is rank {len(value.dims)}", eagerly)
        for m, n in zip(value.dims[: len(index.dims)], index.dims, strict=True):
            require_equal(m, n, eagerly)
        try:
            rest = merge(rest, value.dims[len(index.dims) :])
        except ValueError:
            text = f"Need the rows of data[0] and data[{i}] to have one shape, got {show(rest)} and {show(value.dims[len(index.dims) :])}"
            raise ShapeError(text, text) from None
    found = [known_value(index) for index in indices]
    if any(index is None for index in found):
        size = None
    else:
        size = max((int(index.max()) + 1 for index in found if index is not None and index.size), default=0)
    return TensorType(None if rest is None else (size, *rest), data[0].dtype)


def _stitch(indices: list[Array], data: list[Array]) -> Array:
    rest = data[0].shape[indices[0].ndim :]
    for i, (index, value) in enumerate(zip(indices, data, strict=True)):
        if value.shape != index.shape + rest:
            raise ValueError("each value has one row for each of its indices")
        if index.size and int(index.min()) < 0:
            raise invalid_argument(f"indices[{i}] is out of range")
    size = max((int(index.max()) + 1 for index in indices if index.size), default=0)
    out = np.zeros((size, *rest), data[0].dtype)
    for index, value in zip(indices, data, strict=True):
        out[index.reshape(-1)] = value.reshape(-1, *rest)
    return out


def _unstitch(g: Any, indices: Any) -> list[Any]:
    """The rows of the cotangent, zero for rows that a later one replaced."""
    numbers = STITCH(indices, _number_indices(indices))
    return [
        GATHER(g, index, 0) * _as_factor(equal(GATHER(numbers, index, 0), number), g)
        for index, number in zip(indices, _number_indices(indices), strict=True)
    ]


def _number_indices(indices: Any) -> list[Any]:
    """A different number for every index of every list, in the shape of the list."""
    start, numbered = np.zeros((), np.int32), []
    for index in indices:
        count = SIZE(index)
        numbered.append(reshape(RANGE(start, start + count, 1), shape_of(index)))
        start = start + count
    return numbered


def _as_factor(kept: Any, g: Any) -> Tensor:
    """Ones and zeros that multiply whole rows of `g`."""
    factor = cast(kept, g.dtype)
    if g.dims is None:
        return reshape(factor, concat([shape_of(factor), ones_of(shape_of(g)[1:])], 0))
    for _ in g.dims[1:]:
        factor = getitem(factor, (..., None))
    return factor


def _define_stitch(name: str) -> Op:
    return define(
        name,
        "*indices:int32 *data",
        _stitch_type,
        _stitch,
        {"data": _unstitch},
        outputs="merged",
        dtypes=ANY,
        holomorphic=False,
        lower=native_array.stitch,
        gradient_names="GatherV2",
    )


STITCH = _define_stitch("DynamicStitch")
PARALLEL_STITCH = _define_stitch("ParallelDynamicStitch")


@export("dynamic_stitch")
def dynamic_stitch(indices: NumberLike, data: TensorLike, name: str | None = None) -> Tensor:
    """Put the rows of several tensors at given places of one; where places overlap, the last row stands.

    indices: a list of int32 tensors.  data: as many tensors, each of shape indices[i].shape + the shape of one row.
    Returns [largest index + 1, ...].  Raises InvalidArgumentError for a negative index (and, ValueError in a graph, for shapes that do
    not fit or empty lists).  Gradient: for each row the upstream gradient at its place, zero where it was overwritten.

    >>> tf.dynamic_stitch([[0, 2], [1]], [[10, 30], [20]]).numpy().tolist()
    [10, 20, 30]
    """
    return STITCH(_require_list(indices), _require_list(data), name=name)


def _require_list(values: Any) -> Any:
    if isinstance(values, np.ndarray):
        raise TypeError(f"Expected list for 'indices' argument to 'DynamicStitch' Op, not {values!r}.")
    if isinstance(values, (list, tuple)) and not values:
        text = "List argument 'indices' to 'DynamicStitch' Op with length 0 shorter than minimum length 1."
        if executing_eagerly():
            raise invalid_argument(text)
        raise ValueError(text)
    return values
