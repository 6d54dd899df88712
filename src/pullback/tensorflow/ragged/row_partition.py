"""`RowPartition`: how a vector of items is parted into rows, without the items; kept as row splits, like those of a ragged tensor.

Numbers that are known beforehand (of rows, of items, of items in each row) stay known: as Python's numbers, beside the splits.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...base.dtypes import INDEX, DType, as_dtype, int64
from ...ir.apply import convert_to_tensor
from ...ir.composite import CompositeSpec, CompositeTensor
from ...ir.convert import is_tensor_like
from ...ir.op import is_known
from ...ir.tensor import DTypeLike, EagerTensor, IntLike, Tensor, TensorLike
from ...ir.type_spec import describe
from ...ops.array.basic import reshape, shape_of
from ...ops.array.create import RANGE
from ...ops.array.gather import gather
from ...ops.array.join import CONCAT
from ...ops.constant import TensorSpec
from ...ops.math.arithmetic import ADD, maximum, multiply, subtract
from ...ops.math.division import FLOOR_DIV
from ...ops.primitives.cast import cast
from .ops import CHECKED, ROWS, SPLITS_OF_ROWS
from .tensor import splits_of_lengths

_PRIVATE = "RowPartition constructor is private; please use one of the factory methods instead (e.g., RowPartition.from_row_lengths())"


def _vector(given: Any, name: str, dtype: Any, hint: Any) -> Any:
    """A vector of int32 or int64: of `dtype`, or as given, or of what is hinted at, or of int64."""
    wanted = None if dtype is None else as_dtype(dtype)
    found = convert_to_tensor(given, wanted, name=name, dtype_hint=as_dtype(hint or int64))
    if found.dtype not in INDEX:
        raise ValueError(f"{name} must have dtype int32 or int64")
    if found.dims is not None and len(found.dims) != 1:
        raise ValueError(f"Shape {found.shape} must have rank 1")
    return found


def _scalar(given: Any, name: str, dtype: DType) -> Any:
    found = cast(convert_to_tensor(given, None if is_tensor_like(given) else dtype, name=name), dtype)
    if found.dims is not None and found.dims != ():
        raise ValueError(f"Shape {found.shape} must have rank 0")
    return found


def _number(value: Any) -> int | None:
    """A number, where it is known."""
    if isinstance(value, Tensor):
        known: Any = value.constant
        return int(known) if is_known(known) else None
    return None if value is None else int(value)


class RowPartition(CompositeTensor):
    """The partition of a sequence of items into rows, one after the other.

    It is made by class methods: of where rows begin or end, of their lengths, or of the row of each item.  `validate` checks that these
    make a partition (InvalidArgumentError); ValueError for other ranks and dtypes than those of a vector of int32 or int64.

    >>> rows = tf.experimental.RowPartition.from_row_lengths([2, 0, 3])
    >>> rows, rows.value_rowids().numpy().tolist(), rows.offsets_in_rows().numpy().tolist()
    (tf.RowPartition(row_splits=[0 2 2 5]), [0, 0, 2, 2, 2], [0, 1, 0, 1, 2])
    """

    _counts_as_tensor = False

    def __init__(
        self, row_splits: Any, row_lengths: Any = None, value_rowids: Any = None, nrows: Any = None, uniform_row_length: Any = None,
        nvals: Any = None, internal: bool = False,
    ) -> None:  # fmt: skip
        if not internal:
            raise ValueError(_PRIVATE)
        if row_splits.dims is None:
            row_splits.set_shape([None])
        self._splits, self._lengths, self._rowids = row_splits, row_lengths, value_rowids
        self._nrows, self._uniform, self._nvals = nrows, uniform_row_length, nvals

    # ---- made

    @classmethod
    def from_row_splits(
        cls, row_splits: TensorLike, validate: bool = True, dtype: DTypeLike | None = None, dtype_hint: DTypeLike | None = None
    ) -> RowPartition:
        """Rows from `row_splits[i]` to `row_splits[i + 1]`: a vector that begins with 0 and never falls."""
        splits = _vector(row_splits, "row_splits", dtype, dtype_hint)
        if splits.dims == (0,):
            raise ValueError("row_splits tensor may not be empty.")
        return cls(CHECKED(splits, cast(splits[-1], int64)) if validate else splits, internal=True)

    @classmethod
    def from_row_lengths(
        cls, row_lengths: TensorLike, validate: bool = True, dtype: DTypeLike | None = None, dtype_hint: DTypeLike | None = None
    ) -> RowPartition:
        """Rows of these lengths."""
        lengths = _vector(row_lengths, "row_lengths", dtype, dtype_hint)
        splits = cls.from_row_splits(splits_of_lengths(lengths), validate)._splits
        return cls(splits, row_lengths=lengths, internal=True)

    @classmethod
    def from_row_starts(
        cls, row_starts: TensorLike, nvals: IntLike | None, validate: bool = True, dtype: DTypeLike | None = None,
        dtype_hint: DTypeLike | None = None,
    ) -> RowPartition:  # fmt: skip
        """Rows that begin at these places, the first at 0; `nvals`: the number of items."""
        starts = _vector(row_starts, "row_starts", dtype, dtype_hint)
        end = _scalar(nvals, "nvals", starts.dtype)
        splits = CONCAT.call([starts, reshape(end, [1])], 0)
        return cls(cls.from_row_splits(splits, validate)._splits, nvals=_number(nvals), internal=True)

    @classmethod
    def from_row_limits(
        cls, row_limits: TensorLike, validate: bool = True, dtype: DTypeLike | None = None, dtype_hint: DTypeLike | None = None
    ) -> RowPartition:
        """Rows that end before these places."""
        limits = _vector(row_limits, "row_limits", dtype, dtype_hint)
        return cls.from_row_splits(CONCAT.call([np.zeros(1, limits.dtype.numpy_dtype), limits], 0), validate)

    @classmethod
    def from_value_rowids(
        cls, value_rowids: Any, nrows: Any = None, validate: bool = True, dtype: DTypeLike | None = None, dtype_hint: Any = None
    ) -> RowPartition:
        """Rows by the row of each item, numbers that never fall; `nrows`: the last of them and one where not given."""
        rowids = _vector(value_rowids, "value_rowids", dtype, dtype_hint)
        count, last = _number(nrows), rowids.constant if is_known(rowids.constant) else None
        if count is not None and count < 0:
            raise ValueError(f"Expected nrows >= 0; got {count}")
        if count is not None and last is not None and len(last) and last[-1] >= count:
            raise ValueError(f"Expected nrows >= value_rowids[-1] + 1; got nrows={count}, value_rowids[-1]={last[-1]}")
        wanted = np.int64(-1) if nrows is None else _scalar(nrows, "nrows", int64)
        splits = SPLITS_OF_ROWS.call(rowids, wanted)
        return cls(splits, value_rowids=rowids, nrows=count, nvals=None if rowids.dims is None else rowids.dims[0], internal=True)

    @classmethod
    def from_uniform_row_length(
        cls,
        uniform_row_length: TensorLike,
        nvals: IntLike | None = None,
        nrows: IntLike | None = None,
        validate: bool = True,
        dtype: DTypeLike | None = None,
        dtype_hint: DTypeLike | None = None,
    ) -> RowPartition:
        """Rows that all have one length; of the numbers of items and rows one at least is given, which a length of 0 wants.

        >>> tf.experimental.RowPartition.from_uniform_row_length(2, nvals=6)
        tf.RowPartition(nrows=3, uniform_row_length=2)
        """
        if nvals is None and nrows is None:
            raise ValueError("Either (or both) of nvals and nrows must be specified")
        given = [v.dtype for v in (uniform_row_length, nvals, nrows) if isinstance(v, (Tensor, np.ndarray, np.generic))]
        kind = as_dtype(dtype or (given[0] if given else None) or dtype_hint or int64)
        each, length = _scalar(uniform_row_length, "uniform_row_length", kind), _number(uniform_row_length)
        if length is not None and length < 0:
            raise ValueError("uniform_row_length must be >= 0.")
        one = np.array(1, kind.numpy_dtype)
        if nrows is None:
            nrows = FLOOR_DIV.call(_scalar(nvals, "nvals", kind), maximum(each, one))
        rows = _scalar(nrows, "nrows", kind)
        splits = multiply(RANGE.call(np.array(0, kind.numpy_dtype), ADD.call(rows, one), one), each)
        count = _number(rows)
        total = _number(nvals) if nvals is not None else None if count is None or length is None else count * length
        if validate and None not in (count, length, total) and count * length != total:  # type: ignore[operator]  # all are there
            raise ValueError(f"uniform_row_length={length} times nrows={count} must equal nvals={total}")
        if validate and nvals is not None:
            splits = CHECKED(splits, _scalar(nvals, "nvals", int64))
        return cls(splits, nrows=count, uniform_row_length=each if length is None else length, nvals=total, internal=True)

    @classmethod
    def of(cls, splits: Any, uniform: Any = None) -> RowPartition:
        """The partition with these splits, not checked."""
        return cls(splits, uniform_row_length=uniform, internal=True)

    # ---- what it is

    @property
    def dtype(self) -> DType:
        """The dtype of its numbers: int32 or int64."""
        return self._splits.dtype

    @property
    def static_nrows(self) -> int | None:
        """The number of rows, where it is known beforehand."""
        if self._nrows is not None:
            return int(self._nrows)
        dims = self._splits.dims
        return None if dims is None or dims[0] is None else dims[0] - 1

    @property
    def static_nvals(self) -> int | None:
        """The number of items, where it is known beforehand."""
        if self._nvals is not None:
            return int(self._nvals)
        rows, length = self.static_nrows, self.static_uniform_row_length
        return None if rows is None or length is None else rows * length

    @property
    def static_uniform_row_length(self) -> int | None:
        """The length of all rows, where it is known beforehand to be one."""
        return self._uniform if isinstance(self._uniform, int) else None

    def is_uniform(self) -> bool:
        """Whether it was made of rows of one length."""
        return self._uniform is not None

    def nrows(self) -> Tensor:
        """The number of rows."""
        return subtract(convert_to_tensor(shape_of(self._splits, self.dtype))[0], np.array(1, self.dtype.numpy_dtype))

    def nvals(self) -> Tensor:
        """The number of items."""
        return self._splits[-1]

    def row_splits(self) -> Tensor:
        """Where the rows begin, and the number of items."""
        return self._splits

    def row_starts(self) -> Tensor:
        """Where each row begins."""
        return self._splits[:-1]

    def row_limits(self) -> Tensor:
        """Where each row ends."""
        return self._splits[1:]

    def row_lengths(self) -> Tensor:
        """The length of each row."""
        return self._lengths if self._lengths is not None else subtract(self.row_limits(), self.row_starts())

    def uniform_row_length(self) -> Tensor | None:
        """The length of all rows, where it was made so; else None."""
        return None if self._uniform is None else cast(convert_to_tensor(self._uniform), self.dtype)

    def value_rowids(self) -> Tensor:
        """The row of each item."""
        if self._rowids is not None:
            return self._rowids
        return ROWS(self._splits, reshape(cast(self.nvals(), int64), [1]))

    def offsets_in_rows(self) -> Tensor:
        """The place of each item in its row."""
        numbers = RANGE.call(np.array(0, self.dtype.numpy_dtype), self.nvals(), np.array(1, self.dtype.numpy_dtype))
        return subtract(numbers, gather(self.row_starts(), self.value_rowids(), axis=0))

    def with_dtype(self, dtype: DTypeLike) -> RowPartition:
        """The same partition in numbers of another dtype; a ValueError for any but int32 and int64."""
        kind = as_dtype(dtype)
        if kind not in INDEX:
            raise ValueError("dtype must be int32 or int64")
        if kind is self.dtype:
            return self
        uniform = cast(self._uniform, kind) if isinstance(self._uniform, Tensor) else self._uniform
        return RowPartition(cast(self._splits, kind), nrows=self._nrows, uniform_row_length=uniform, nvals=self._nvals, internal=True)

    def __repr__(self) -> str:
        if self.static_uniform_row_length is not None:
            return f"tf.RowPartition(nrows={self.static_nrows}, uniform_row_length={self.static_uniform_row_length})"
        return f"tf.RowPartition(row_splits={self._splits.value if isinstance(self._splits, EagerTensor) else self._splits})"

    # ---- what structures ask

    def _components(self) -> list[Any]:
        return [self._splits]

    def _from_components(self, parts: Sequence[Any]) -> RowPartition:
        return RowPartition(parts[0], uniform_row_length=self.static_uniform_row_length, internal=True)

    @property
    def _form(self) -> Any:
        return self.static_uniform_row_length


class RowPartitionSpec(CompositeSpec):
    """What is known of a `RowPartition` beforehand: the numbers of rows, of items, of items in each row, None for what is not known.

    >>> tf.type_spec_from_value(tf.experimental.RowPartition.from_row_splits([0, 2, 5]))
    RowPartitionSpec(nrows=2, nvals=None, uniform_row_length=None, dtype=tf.int64)
    """

    def __init__(
        self, nrows: int | None = None, nvals: int | None = None, uniform_row_length: int | None = None, dtype: Any = int64
    ) -> None:
        self.nrows, self.nvals, self.uniform_row_length, self.dtype = nrows, nvals, uniform_row_length, as_dtype(dtype)
        if self.dtype not in INDEX:
            raise ValueError("dtype must be tf.int32 or tf.int64")

    @property
    def value_type(self) -> type[RowPartition]:
        """The class of what it describes."""
        return RowPartition

    def _numbers(self) -> tuple[int | None, int | None, int | None]:
        return self.nrows, self.nvals, self.uniform_row_length

    def _serialize(self) -> tuple[Any, ...]:
        return (*self._numbers(), self.dtype)

    def __repr__(self) -> str:
        return (
            f"RowPartitionSpec(nrows={self.nrows}, nvals={self.nvals}, uniform_row_length={self.uniform_row_length}, dtype={self.dtype!r})"
        )

    def _holds(self, other: Any) -> bool:
        return isinstance(other, RowPartitionSpec) and self.dtype is other.dtype

    def is_compatible_with(self, spec_or_value: Any) -> bool:
        """Whether a partition, or one of a spec, could be of this spec."""
        other = _spec_of(spec_or_value) if isinstance(spec_or_value, RowPartition) else spec_or_value
        pairs = zip(self._numbers(), other._numbers(), strict=True) if self._holds(other) else None
        return pairs is not None and all(None in (a, b) or a == b for a, b in pairs)

    def is_subtype_of(self, other: Any) -> bool:
        """Whether all partitions of this spec are of `other`."""
        return self._holds(other) and all(b is None or a == b for a, b in zip(self._numbers(), other._numbers(), strict=True))

    def most_specific_common_supertype(self, others: Sequence[Any]) -> Any:
        """The narrowest spec of which this and all `others` are; None where there is none."""
        if not all(map(self._holds, others)):
            return None
        rows = zip(self._numbers(), *(other._numbers() for other in others), strict=True)
        nrows, nvals, length = (row[0] if len(set(row)) == 1 else None for row in rows)
        return RowPartitionSpec(nrows, nvals, length, self.dtype)

    def _components(self) -> list[Any]:
        return [TensorSpec([None if self.nrows is None else self.nrows + 1], self.dtype)]

    def _from_components(self, parts: Sequence[Any]) -> RowPartition:
        return RowPartition.of(parts[0], self.uniform_row_length)

    @property
    def _form(self) -> Any:
        return self.uniform_row_length

    def _cast(self, value: Any) -> Any:
        if not self.is_compatible_with(value):
            raise TypeError(f"Can not cast {value!r} to {self!r}")
        return value


def _spec_of(value: RowPartition) -> RowPartitionSpec:
    return RowPartitionSpec(value.static_nrows, value.static_nvals, value.static_uniform_row_length, value.dtype)


describe([RowPartition], _spec_of)
