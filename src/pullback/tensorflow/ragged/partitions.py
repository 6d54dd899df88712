"""What a ragged tensor is made of: values and their partition into rows, kept as row splits; what follows from them, and the like of it.

An axis of rows known to have one length keeps that number too, so that it may broadcast and be indexed as a uniform one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np

from ...base.dtypes import INDEX, DType, as_dtype, int64
from ...base.export import is_hot
from ...base.shapes import Shape, TensorShape
from ...ir.apply import convert_to_tensor
from ...ir.attributes import refused_value
from ...ir.composite import CompositeTensor
from ...ir.operators import Reference
from ...ir.registry import Registry
from ...ir.tensor import DTypeLike, EagerTensor, IntLike, Tensor, TensorLike
from ...ops.array.basic import fill, reshape, shape_of
from ...ops.array.gather import gather
from ...ops.array.join import CONCAT, STACK
from ...ops.math.arithmetic import maximum, subtract
from ...ops.primitives.cast import cast
from ...ops.reduce.reductions import MAX
from .ops import ROWS
from .value import RaggedTensorValue


class RowPartitioned(CompositeTensor):
    """Values (a tensor, or partitioned ones) and the row splits above them: the part of a ragged tensor that its other parts need."""

    _has_rows = True
    #: What the class answers where a function that wants tensors is given one, and what its own methods call, by name.
    functions: ClassVar[Registry[Callable[..., Any]]] = Registry("ragged")

    def __init__(self, values: Any, row_partition: Any, internal: bool = False, uniform: Any = None) -> None:
        if not internal:
            raise ValueError(
                "RaggedTensor constructor is private; please use one of the factory methods instead (e.g., RaggedTensor.from_row_lengths())"
            )
        if row_partition.dims is None:
            row_partition.set_shape([None])
        self._values, self._row_splits, self._uniform = values, row_partition, uniform
        self._rowids: Any = None

    # ---- what it is

    @property
    @is_hot
    def values(self) -> Any:
        """The items of all rows: a tensor, or a ragged one."""
        return self._values

    @property
    @is_hot
    def flat_values(self) -> Tensor:
        """The values under all partitions, a tensor."""
        return self._values.flat_values if isinstance(self._values, RowPartitioned) else self._values

    @property
    @is_hot
    def row_splits(self) -> Tensor:
        """Where the rows of the outermost partition begin and end."""
        return self._row_splits

    @property
    @is_hot
    def nested_row_splits(self) -> tuple[Any, ...]:
        """The row splits of all partitions, the outermost first."""
        inner = self._values.nested_row_splits if isinstance(self._values, RowPartitioned) else ()
        return (self._row_splits, *inner)

    @property
    def uniform_row_length(self) -> Any:
        """The length of all rows, a scalar, where the axis was made uniform; else None."""
        return None if self._uniform is None else cast(convert_to_tensor(self._uniform), self._row_splits.dtype)

    @property
    def ragged_rank(self) -> int:
        """The number of partitions."""
        return 1 + (self._values.ragged_rank if isinstance(self._values, RowPartitioned) else 0)

    @property
    def dtype(self) -> DType:
        """The dtype of the values."""
        return self.flat_values.dtype

    @property
    def dims(self) -> Shape:
        """The shape as far as it is known, as a plain tuple; None for a ragged axis."""
        inner = self._values.dims
        if inner is None:
            return None
        rows = None if self._row_splits.dims is None or self._row_splits.dims[0] is None else self._row_splits.dims[0] - 1
        return (rows, self._uniform if isinstance(self._uniform, int) else None, *inner[1:])

    @property
    def shape(self) -> TensorShape:
        """The shape as far as it is known; None for a ragged axis."""
        return TensorShape.of(self.dims)

    def get_shape(self) -> TensorShape:
        """The shape as far as it is known; TensorFlow's older name for `shape`."""
        return self.shape

    def ref(self) -> Reference:
        """A hashable reference to this very object."""
        return Reference(self)

    # ---- its partitions

    def nrows(self, out_type: DTypeLike | None = None, name: str | None = None) -> Tensor:
        """The number of rows."""
        dtype = self._row_splits.dtype if out_type is None else as_dtype(out_type)
        count = self._row_splits.dims[0] if self._row_splits.dims else None
        if count is not None:
            return convert_to_tensor(np.array(count - 1, dtype.numpy_dtype))
        return subtract(shape_of(self._row_splits, dtype)[0], np.array(1, dtype.numpy_dtype))

    def row_starts(self, name: str | None = None) -> Tensor:
        """Where each row begins."""
        return self._row_splits[:-1]

    def row_limits(self, name: str | None = None) -> Tensor:
        """Where each row ends."""
        return self._row_splits[1:]

    def row_lengths(self, axis: int = 1, name: str | None = None) -> Tensor:
        """The length of each row along an axis; ragged for an inner one.

        >>> tf.ragged.constant([[1, 2], [], [3]]).row_lengths().numpy().tolist()
        [2, 0, 1]
        """
        if axis == 0:
            return self.nrows()
        axis = axis_of(axis, self.shape.rank)
        if axis == 1:
            return subtract(self.row_limits(), self.row_starts())
        if isinstance(self._values, RowPartitioned):
            return self.with_values(self._values.row_lengths(axis - 1))
        sizes = shape_of(self._values, self._row_splits.dtype)
        return self.with_values(fill(sizes[: axis - 1], sizes[axis - 1]))

    def value_rowids(self, name: str | None = None) -> Tensor:
        """The row of each item of `values`."""
        if self._rowids is None or not isinstance(self._rowids, EagerTensor):
            self._rowids = ROWS(self._row_splits, reshape(cast(count_of(self._values), int64), [1]))
        return self._rowids

    def nested_row_lengths(self, name: str | None = None) -> tuple[Any, ...]:
        """The lengths of the rows of all partitions, the outermost first."""
        return tuple(part.row_lengths() for part in self._layers())

    def nested_value_rowids(self, name: str | None = None) -> tuple[Any, ...]:
        """The rows of the items of all partitions, the outermost first."""
        return tuple(part.value_rowids() for part in self._layers())

    def _layers(self) -> list[RowPartitioned]:
        return [self, *(self._values._layers() if isinstance(self._values, RowPartitioned) else [])]

    def bounding_shape(self, axis: IntLike | None = None, name: str | None = None, out_type: DTypeLike | None = None) -> Tensor:
        """The least shape of a tensor that holds all rows, or its sizes along `axis` (one, or several).

        >>> tf.ragged.constant([[1, 2], [], [3]]).bounding_shape().numpy().tolist()
        [3, 2]
        """
        dtype = self._row_splits.dtype if out_type is None else as_dtype(out_type)
        longest = [maximum(MAX.call(n, [0]), np.array(0, n.dtype.numpy_dtype)) for n in self.nested_row_lengths()]
        outer = [cast(n, dtype) for n in (self.nrows(), *longest)]
        whole = CONCAT.call([STACK.call(outer, axis=0), shape_of(self.flat_values, dtype)[1:]], 0)
        return whole if axis is None else gather(whole, axis, axis=0)

    # ---- the like of it

    def with_values(self, new_values: Any) -> Any:
        """The same rows of other values; a ValueError where their number is known to differ."""
        new_values = as_values(new_values)
        old, new = (None if v.dims is None else v.dims[:1] for v in (self._values, new_values))
        if old and new and None not in (old[0], new[0]) and old != new:
            raise ValueError(f"Shapes {old} and {new} are incompatible")
        if new_values.dims == ():
            raise ValueError("Shape () must have rank at least 1")
        found = type(self)(new_values, self._row_splits, internal=True, uniform=self._uniform)
        found._rowids = self._rowids
        return found

    def with_flat_values(self, new_values: TensorLike) -> Any:
        """The same rows of other flat values."""
        if isinstance(self._values, RowPartitioned):
            return self.with_values(self._values.with_flat_values(new_values))
        return self.with_values(new_values)

    def with_row_splits_dtype(self, dtype: DTypeLike) -> Any:
        """The same rows, their splits int32 or int64."""
        wanted = as_dtype(dtype)
        if wanted not in INDEX:
            raise ValueError(f"Argument `row_splits` dtype must be int32 or int64. Received {wanted}.")
        values = self._values.with_row_splits_dtype(wanted) if isinstance(self._values, RowPartitioned) else self._values
        return type(self)(values, cast(self._row_splits, wanted), internal=True, uniform=self._uniform)


# ---- helpers


def count_of(values: Any) -> Any:
    """The number of items of the first axis: int64 of a tensor, of a ragged one as its row splits are."""
    if isinstance(values, RowPartitioned):
        return values.nrows()
    if values.dims == ():
        text = "slice index 0 of dimension 0 out of bounds: the values of a ragged tensor have an axis of rows, a scalar has none"
        raise refused_value(text)
    return shape_of(values, int64)[0]


def as_values(values: Any) -> Any:
    """What may stand under a partition: a ragged tensor, or a tensor made of anything else."""
    if isinstance(values, RaggedTensorValue):
        return RowPartitioned.functions["of_value"](values)
    return values if isinstance(values, RowPartitioned) else convert_to_tensor(values, name="values")


def axis_of(axis: int, rank: int | None) -> int:
    """The axis counted from 0; a ValueError where there is none, or the rank that it is counted back from is not known.

    Raises TypeError for what is no Python integer, a tensor too.
    """
    if not isinstance(axis, int):
        raise TypeError(f"axis must be an int; got {type(axis).__name__}")
    if rank is None:
        if axis < 0:
            raise ValueError("axis may only be negative if the rank is statically known.")
        return axis
    if not -rank <= axis < rank:
        raise ValueError(f"axis={axis} out of bounds: expected {-rank}<=axis<{rank}")
    return axis + rank if axis < 0 else axis
