"""The shape that the fields of a structured tensor share: read off the fields, compared, and put into the fields' place."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from ...base.dtypes import DType, int32, int64
from ...base.shapes import TensorShape
from ...ir.apply import convert_to_tensor
from ...ir.tensor import Tensor
from ...ops.array.basic import reshape, shape_of
from ...ops.array.create import RANGE
from ...ops.array.gather import gather
from ...ops.array.join import CONCAT, STACK
from ...ops.math.arithmetic import ADD, multiply
from ...ops.primitives.cast import cast
from ..ragged.classes import DynamicRaggedShape, RaggedTensor
from ..ragged.ops import CHECKED
from ..ragged.row_partition import RowPartition


def static_shape(shape: DynamicRaggedShape) -> TensorShape:
    """A shape as far as it is known beforehand, None for ragged axes."""
    found = shape.static_lengths(ragged_lengths=False)
    return TensorShape(None) if Ellipsis in found else TensorShape(found)


def shape_dtype(values: Iterable[Any]) -> DType:
    """The dtype that the row splits and sizes of several values agree on: int64 unless int32 is all there is."""
    found = set()
    for value in values:
        if isinstance(value, RaggedTensor):
            found.add(value.row_splits.dtype)
        elif isinstance(value, (RowPartition, DynamicRaggedShape)):
            found.add(value.dtype)
        elif isinstance(value, Tensor):
            found.add(value.dtype.base_dtype)
    return int32 if found == {int32} else int64


def outer_shape(value: Any, rank: int, dtype: DType) -> DynamicRaggedShape:
    """The shape of the first axes of a tensor, ragged or not; a ValueError where it has fewer."""
    axes = value.shape.rank
    if axes is not None and axes < rank:
        raise ValueError(f"a value of shape {value.shape} has fewer than {rank} axes")
    if isinstance(value, RaggedTensor):
        found: DynamicRaggedShape = DynamicRaggedShape.from_tensor(value, dtype)[:rank]
        return found
    sizes = shape_of(value, dtype)
    return DynamicRaggedShape.of_splits([], sizes[:rank], [], dtype)


def merge_shapes(shapes: Sequence[DynamicRaggedShape], validate: bool) -> DynamicRaggedShape:
    """One shape for values that have it in common: the one that most is known of; a ValueError where they are known to differ.

    validate: whether to compare the numbers of rows where they are not known.
    """
    best = shapes[0]
    for other in shapes[1:]:
        _check(best.static_lengths(), other.static_lengths())
        better = max((best, other), key=_knowledge)
        if validate and best.rank and None in (best.static_lengths()[0], other.static_lengths()[0]):
            better = _check_rows(better, best, other)
        best = better
    return best


def _knowledge(shape: DynamicRaggedShape) -> tuple[int, int]:
    lengths = shape.static_lengths()
    return sum(isinstance(n, tuple) for n in lengths), sum(n is not None for n in lengths)


def _check(mine: Sequence[Any], theirs: Sequence[Any]) -> None:
    for axis, pair in enumerate(zip(mine, theirs, strict=False)):
        a, b = pair
        if a is None or b is None or a == b:
            continue
        rows, other = (a, b) if isinstance(a, tuple) else (b, a)
        if not isinstance(rows, tuple) or isinstance(other, tuple) or any(n != other for n in rows):
            raise ValueError(f"fields have incompatible shapes: {list(mine)} and {list(theirs)} differ in axis {axis}")


def _check_rows(shape: DynamicRaggedShape, a: DynamicRaggedShape, b: DynamicRaggedShape) -> DynamicRaggedShape:
    """The shape, whose sizes are only there once both have as many rows."""
    rows = CHECKED.call(STACK.call([np.int64(0), cast(a[0], int64)], axis=0), cast(b[0], int64))[1]
    sizes = CONCAT.call([reshape(cast(rows, shape.dtype), [1]), shape.inner_shape[1:]], 0)
    partitions = shape.row_partitions
    if partitions:
        return shape
    return DynamicRaggedShape.of_splits([], sizes, [], shape.dtype)


def partition_fully(shape: DynamicRaggedShape) -> DynamicRaggedShape:
    """The same shape with a partition for each axis but the first: uniform ones for those that had none."""
    rank, count = shape.rank or 0, shape.num_row_partitions
    if rank < 2 or count == rank - 1:
        return shape
    dtype, known = shape.dtype, shape.static_lengths()
    splits = [p.row_splits() for p in shape.row_partitions]
    uniforms = [p._uniform for p in shape.row_partitions]
    rows = shape.inner_shape[0]
    one = np.array(1, dtype.numpy_dtype)
    for axis in range(count + 1, rank):
        each = shape.inner_shape[axis - count]
        numbers = RANGE.call(np.array(0, dtype.numpy_dtype), ADD.call(rows, one), one)
        splits.append(multiply(numbers, each))
        uniforms.append(known[axis] if isinstance(known[axis], int) else each)
        rows = multiply(rows, each)
    return DynamicRaggedShape.of_splits(splits, reshape(rows, [1]), uniforms, dtype)


def merged_axes(shape: DynamicRaggedShape, outer: int, inner: int) -> DynamicRaggedShape:
    """The shape with the axes from `outer` to `inner` made one."""
    splits = [p.row_splits() for p in partition_fully(shape).row_partitions]
    uniforms: list[Any] = [p._uniform for p in partition_fully(shape).row_partitions]
    for _ in range(inner - outer):
        if outer:
            below = splits.pop(outer)
            splits[outer - 1], uniforms[outer - 1] = gather(below, splits[outer - 1], axis=0), None
            uniforms.pop(outer)
        else:
            last = splits.pop(0)[-1:]
            uniforms.pop(0)
            if not splits:
                return DynamicRaggedShape.of_splits([], last, [], shape.dtype)
    return DynamicRaggedShape.of_splits(splits, splits[-1][-1:], uniforms, shape.dtype)


def partition_value(value: Any, rows: RowPartition) -> Any:
    """A tensor, ragged or not, with its first axis parted into rows."""
    length = rows.uniform_row_length()
    if isinstance(value, RaggedTensor) or length is None:
        return RaggedTensor(value, rows.row_splits(), internal=True, uniform=rows._uniform)
    sizes = [STACK.call([rows.nrows(), length], axis=0), convert_to_tensor(shape_of(value, rows.dtype))[1:]]
    found = reshape(value, CONCAT.call(sizes, 0))
    found.set_shape([rows.static_nrows, rows.static_uniform_row_length, *value.shape[1:]])
    return found
