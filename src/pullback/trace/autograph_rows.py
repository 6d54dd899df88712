"""What a `for` over tensors goes through: so many items, the i-th of which is known to the graph."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..base.dtypes import int32, int64
from ..control.tensor_array import TensorArray
from ..ir.apply import convert_to_tensor
from ..ir.composite import CompositeTensor
from ..ir.tensor import SymbolicTensor, Tensor
from ..ops.array.basic import shape
from ..ops.array.create import RANGE
from ..ops.array.gather import gather
from ..ops.math.arithmetic import maximum, minimum
from ..ops.math.division import floordiv
from ..ops.primitives.cast import cast
from .autograph_kinds import HasRows
from .autograph_lists import GrownList


def leading_size(tensor: Tensor | GrownList) -> Any:
    """The size of the first dimension: a number where it is known, else a scalar tensor."""
    if isinstance(tensor, GrownList):
        return tensor.size()
    dims = tensor.dims
    if dims is not None and not dims:
        raise ValueError(f"a scalar has no length and cannot be iterated over: {tensor}")
    return shape(tensor)[0] if dims is None or dims[0] is None else dims[0]


def has_rows(value: object) -> bool:
    """Whether a value is a composite one that a loop goes through row by row."""
    return isinstance(value, CompositeTensor) and value._has_rows


class Rows(HasRows):
    """The rows of a tensor or a ragged tensor, or the elements of a TensorArray or of a list that grew."""

    def __init__(self, values: Any) -> None:
        self._read: Callable[[Any], Any]
        if isinstance(values, (TensorArray, GrownList)):
            self.length, self._read = values.size(), values.read
        elif has_rows(values):
            self.length, self._read = values.nrows(int32), values.__getitem__
        elif _is_whole_range(values):
            self.length, self._read = _count_range(values)
        else:
            self.length = leading_size(convert_to_tensor(values))
            self._read = _reader(convert_to_tensor(values), self.length)

    def item(self, i: object) -> Any:
        """The row `i`."""
        return self._read(i)


def _is_whole_range(values: Any) -> bool:
    """Whether a value is what `tf.range` gave for integers in this graph."""
    return (
        isinstance(values, SymbolicTensor) and values.node.primitive is RANGE and values.dtype.is_integer and not values.dtype.is_unsigned
    )


def _count_range(numbers: SymbolicTensor) -> tuple[Any, Callable[[Any], Any]]:
    """How many numbers a range has, and what computes one: a loop over a range needs no memory for it, however long it is."""
    start, limit, delta = (cast(t, int64) for t in numbers.node.inputs)
    known = None if numbers.dims is None else numbers.dims[0]
    length = cast(maximum(0, -floordiv(start - limit, delta)), int64 if numbers.dtype is int64 else int32) if known is None else known
    return length, lambda i: cast(start + cast(i, int64) * delta, numbers.dtype)


def _reader(tensor: Any, length: Any) -> Any:
    """What reads one row; rows that gradients flow to come from a TensorArray, so that the gradient of a row costs no more than the row."""
    if not tensor.dtype.trainable:
        return lambda i: gather(tensor, i)
    inner = None if tensor.dims is None else tensor.dims[1:]
    array = TensorArray(tensor.dtype, size=length, clear_after_read=False, element_shape=inner)
    return array.unstack(tensor).read


class Enumerated(Rows):
    """`enumerate` of rows."""

    def __init__(self, inner: Any, start: Any = 0) -> None:
        self.inner, self.start = rows_of(inner), start
        self.length = self.inner.length

    def item(self, i: object) -> Any:
        """The number of a row, and the row."""
        return i + self.start, self.inner.item(i)


class Zipped(Rows):
    """`zip` of rows."""

    def __init__(self, *columns: Any) -> None:
        self.columns = [rows_of(column) for column in columns]
        self.length = self.columns[0].length
        for column in self.columns[1:]:
            self.length = _lesser_length(self.length, column.length)

    def item(self, i: object) -> Any:
        """One row of each."""
        return tuple(column.item(i) for column in self.columns)


def _lesser_length(one: Any, other: Any) -> Any:
    """The lesser of two lengths: int64 only where both are."""
    if not isinstance(one, Tensor) and not isinstance(other, Tensor):
        return min(one, other)
    wide = all(isinstance(length, Tensor) and length.dtype is int64 for length in (one, other))
    return cast(minimum(cast(one, int64), cast(other, int64)), int64 if wide else int32)


def rows_of(value: object) -> Rows:
    """`value` as rows."""
    return value if isinstance(value, Rows) else Rows(value)
