"""What a `for` over tensors goes through: so many items, the i-th of which is known to the graph."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..base.dtypes import int32
from ..control.tensor_array import TensorArray
from ..ir.apply import convert_to_tensor
from ..ir.composite import CompositeTensor
from ..ir.tensor import Tensor
from ..ops.array.basic import shape
from ..ops.array.gather import gather
from ..ops.math.arithmetic import minimum
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
        else:
            self.length = leading_size(convert_to_tensor(values))
            self._read = _reader(convert_to_tensor(values), self.length)

    def item(self, i: object) -> Any:
        """The row `i`."""
        return self._read(i)


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
            known = not isinstance(self.length, Tensor) and not isinstance(column.length, Tensor)
            self.length = min(self.length, column.length) if known else minimum(self.length, column.length)

    def item(self, i: object) -> Any:
        """One row of each."""
        return tuple(column.item(i) for column in self.columns)


def rows_of(value: object) -> Rows:
    """`value` as rows."""
    return value if isinstance(value, Rows) else Rows(value)
