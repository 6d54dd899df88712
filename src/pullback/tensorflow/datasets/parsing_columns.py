"""The columns of parsed examples: what a feature becomes, and the tensors that its values give."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ...base.dtypes import DType, as_dtype, float32, int64, string
from ...base.errors import InvalidArgumentError
from ...base.shapes import TensorShape, show
from ...ops.constant import TensorSpec
from ...ops.sparse.tensor import SparseTensorSpec
from ..ragged.classes import RaggedTensorSpec
from .features import FixedLenFeature, FixedLenSequenceFeature, RaggedFeature, SparseFeature, UniformRowLength, VarLenFeature

Array = np.ndarray[Any, Any]


Values = list[Array | None]


_FIELDS = {string: "bytes_list", float32: "float_list", int64: "int64_list"}


_NAMES = {"bytes_list": "string", "float_list": "float", "int64_list": "int64"}


def values_of(feature: Any, key: str, dtype: DType) -> Array | None:
    """The values of a feature; None where it has none."""
    kind = feature.WhichOneof("kind")
    if kind is None:
        return None
    if kind != _FIELDS[dtype]:
        text = f"Data types don't match. Data type: {_NAMES[kind]} but expected type: {_NAMES[_FIELDS[dtype]]}"
        raise InvalidArgumentError(None, None, f"Name: <unknown>, Key: {key}, Index: 0.  {text}")
    return _array(getattr(feature, kind).value, dtype)


def _array(values: Sequence[Any], dtype: DType) -> Array:
    found = np.empty(len(values), dtype.numpy_dtype)
    found[:] = list(values)
    return found


class Column:
    """One feature in all examples: the specs of its value, and its tensors from the values in each example."""

    def __init__(self, key: str, dtype: Any, keys: Sequence[str]) -> None:
        self.key, self.dtype, self.keys = key, as_dtype(dtype), tuple(keys)
        if self.dtype not in _FIELDS:
            raise InvalidArgumentError(None, None, f"{key}: a feature is int64, float32 or string, not {self.dtype.name}")
        self.default: Any = None

    def spec(self, count: int | None) -> Any:
        """The spec of the value in a batch of `count` examples (None where not known)."""
        raise NotImplementedError

    def single_spec(self) -> Any:
        """The spec of the value of one example."""
        spec = self.spec(1)
        return TensorSpec(spec.shape[1:], self.dtype)

    def single(self, parts: list[Array]) -> list[Array]:
        """The tensors of one example, from those of a batch of one."""
        return [parts[0][0, ...]]

    def dtype_of(self, key: str) -> DType:
        """The dtype of the values of one of the features that the column is made of."""
        return self.dtype

    def arrays(self, found: Mapping[str, Values], default: Array | None) -> list[Array]:
        """The tensors of a batch, from the values that each feature has in each example."""
        raise NotImplementedError


class Fixed(Column):
    """A feature of one size in every example: one tensor."""

    def __init__(self, key: str, feature: FixedLenFeature) -> None:
        super().__init__(key, feature.dtype, [key])
        self.shape = tuple([-1 if n is None else n for n in TensorShape(feature.shape).as_list()])
        self.default = feature.default_value
        if -1 in self.shape:
            raise ValueError(f"First dimension of shape for feature {key} unknown. Consider using FixedLenSequenceFeature.")

    def spec(self, count: int | None) -> Any:
        """A tensor's."""
        return TensorSpec([count, *self.shape], self.dtype)

    def arrays(self, found: Mapping[str, Values], default: Array | None) -> list[Array]:
        """One tensor; an InvalidArgumentError for a missing value without a default, and for one of another size."""
        size = int(np.prod(self.shape))
        rows = []
        for i, value in enumerate(found[self.key]):
            if value is None:
                if default is None:
                    text = f"Feature: {self.key} (data type: {_NAMES[_FIELDS[self.dtype]]}) is required but could not be found."
                    raise InvalidArgumentError(None, None, f"Name: <unknown>, {text}")
                value = default.reshape(-1) if default.size == size else np.broadcast_to(default, (size,))
            if len(value) != size:
                kind, wanted = _NAMES[_FIELDS[self.dtype]], show(self.shape)
                text = f"Number of {kind} values != expected.  Values size: {len(value)} but output shape: {wanted}"
                raise InvalidArgumentError(None, None, f"Name: <unknown>, Key: {self.key}, Index: {i}.  {text}")
            rows.append(value)
        whole = np.concatenate(rows) if rows else np.zeros(0, self.dtype.numpy_dtype)
        return [whole.reshape(len(rows), *self.shape)]


class SequenceColumn(Column):
    """A dense tensor whose rows are padded to the longest."""

    def __init__(self, key: str, feature: FixedLenSequenceFeature) -> None:
        super().__init__(key, feature.dtype, [key])
        self.shape = tuple([n or 0 for n in TensorShape(feature.shape).as_list()])
        self.missing_allowed = feature.allow_missing
        self.default = feature.default_value

    def spec(self, count: int | None) -> Any:
        """A tensor's, whose rows may have any length."""
        return TensorSpec([count, None, *self.shape], self.dtype)

    def arrays(self, found: Mapping[str, Values], default: Array | None) -> list[Array]:
        """One tensor, filled up with the default; an InvalidArgumentError for a value that does not make whole elements."""
        size = int(np.prod(self.shape))
        empty = np.zeros(0, self.dtype.numpy_dtype)
        rows = [empty if value is None else value for value in found[self.key]]
        longest = max((len(row) // max(size, 1) for row in rows), default=0)
        fill = default if default is not None else b"" if self.dtype is string else 0
        whole = np.full((len(rows), longest * size), fill, self.dtype.numpy_dtype)
        for i, row in enumerate(rows):
            if size and len(row) % size:
                text = f"Number of values is not a multiple of stride length. Saw {len(row)} values but output shape is: {show(self.shape)}"
                raise InvalidArgumentError(None, None, f"Key: {self.key}, Index: {i}.  {text}")
            whole[i, : len(row)] = row
        return [whole.reshape(len(rows), longest, *self.shape)]


class _SparseColumn(Column):
    def single_spec(self) -> Any:
        """A sparse tensor's, without the axis of examples."""
        return SparseTensorSpec(self.spec(1).shape[1:], self.dtype)

    def single(self, parts: list[Array]) -> list[Array]:
        """The entries without their place along the axis of examples."""
        places, values, shape = parts
        return [places[:, 1:], values, shape[1:]]


class Variable(_SparseColumn):
    """A feature of any number of values: a sparse tensor."""

    def __init__(self, key: str, feature: VarLenFeature) -> None:
        super().__init__(key, feature.dtype, [key])

    def spec(self, count: int | None) -> Any:
        """A sparse tensor's, with as many columns as the longest value."""
        return SparseTensorSpec([count, None], self.dtype)

    def arrays(self, found: Mapping[str, Values], default: Array | None) -> list[Array]:
        """The entries of a row for each example, the values from the left."""
        lengths = [0 if value is None else len(value) for value in found[self.key]]
        parts = [value for value in found[self.key] if value is not None]
        whole = np.concatenate(parts) if parts else np.zeros(0, self.dtype.numpy_dtype)
        places = [(i, j) for i, n in enumerate(lengths) for j in range(n)]
        shape = np.array([len(lengths), max(lengths, default=0)], np.int64)
        return [np.array(places, np.int64).reshape(-1, 2), whole, shape]


class Sparse(_SparseColumn):
    """Values with the places they stand at, from features of their own: a sparse tensor."""

    def __init__(self, key: str, feature: SparseFeature) -> None:
        several = isinstance(feature.index_key, (list, tuple))
        self.indices = list(feature.index_key) if several else [feature.index_key]
        self.sizes = list(feature.size) if isinstance(feature.size, (list, tuple)) else [feature.size]
        self.values, self.sorted = feature.value_key, feature.already_sorted
        super().__init__(key, feature.dtype, [*self.indices, self.values])

    def spec(self, count: int | None) -> Any:
        """A sparse tensor's, of the sizes that the feature gives."""
        return SparseTensorSpec([count, *self.sizes], self.dtype)

    def dtype_of(self, key: str) -> DType:
        """int64 for the features of places."""
        return self.dtype if key == self.values else int64

    def arrays(self, found: Mapping[str, Values], default: Array | None) -> list[Array]:
        """The entries in the order of their places; an InvalidArgumentError for an example with more places than values."""
        places, values = [], []
        for i, row in enumerate(found[self.values]):
            if row is None:
                continue
            columns = [found[key][i] for key in self.indices]
            if any(column is None or len(column) != len(row) for column in columns):
                text = f"the features {self.indices} and {self.values} have unequal numbers of values"
                raise InvalidArgumentError(None, None, f"SparseFeature {self.key}, Index: {i}: {text}")
            at = np.stack([np.full(len(row), i), *columns], 1)  # type: ignore[list-item]  # all are there
            order = np.arange(len(row)) if self.sorted else np.lexsort(at.T[::-1])
            places.append(at[order])
            values.append(row[order])
        rank = 1 + len(self.indices)
        whole = np.concatenate(places).astype(np.int64) if places else np.zeros((0, rank), np.int64)
        shape = np.array([len(found[self.values]), *self.sizes], np.int64)
        return [whole, np.concatenate(values) if values else np.zeros(0, self.dtype.numpy_dtype), shape]


class Ragged(Column):
    """A ragged tensor, parted as its feature says; the innermost parts of one length are axes of its values."""

    def __init__(self, key: str, feature: RaggedFeature) -> None:
        self.values, self.splits = feature.value_key or key, feature.row_splits_dtype
        inner = len(feature.partitions)
        while inner and isinstance(feature.partitions[inner - 1], UniformRowLength):
            inner -= 1
        self.partitions, self.inner = feature.partitions[:inner], [p.length for p in feature.partitions[inner:]]
        super().__init__(key, feature.dtype, [self.values, *(p.key for p in self.partitions if not isinstance(p, UniformRowLength))])

    def _dims(self) -> list[int | None]:
        rows = [p.length if isinstance(p, UniformRowLength) else None for p in self.partitions]
        return [None, *rows, *self.inner]

    def spec(self, count: int | None) -> Any:
        """A ragged tensor's, parted into examples and then as the feature says."""
        return RaggedTensorSpec([count, *self._dims()], self.dtype, 1 + len(self.partitions), self.splits)

    def dtype_of(self, key: str) -> DType:
        """int64 for the features of partitions."""
        return self.dtype if key == self.values else int64

    def arrays(self, found: Mapping[str, Values], default: Array | None) -> list[Array]:
        """The values, and the row splits of each level; an InvalidArgumentError for partitions that do not fit."""
        examples = [self._example({key: found[key][i] for key in self.keys}, i) for i in range(len(found[self.values]))]
        whole = [values for values, _ in examples]
        levels = zip(*[splits for _, splits in examples], strict=True) if examples else [[]] * (1 + len(self.partitions))
        empty = np.zeros((0, *self.inner), self.dtype.numpy_dtype)
        return [np.concatenate(whole) if whole else empty, *(_join_splits(level).astype(self.splits.numpy_dtype) for level in levels)]

    def _example(self, given: Mapping[str, Array | None], number: int) -> tuple[Array, list[Array]]:
        """The values of one example, and the row splits of each level, the example's own first."""
        values = given[self.values]
        if values is None or any(part is None for part in given.values()):
            values = np.zeros(0, self.dtype.numpy_dtype)
            given = dict.fromkeys(given, np.zeros(0, np.int64))
        if math.prod(self.inner) == 0 or len(values) % math.prod(self.inner):
            raise self._misfit(f"{len(values)} values do not make rows of {show(tuple(self.inner))}", number)
        values = values.reshape(-1, *self.inner)
        splits, count = list[Array](), len(values)
        for partition in reversed(self.partitions):
            ends = _row_splits(partition, given, count)
            if len(ends) == 0 or ends[0] != 0 or ends[-1] != count or (np.diff(ends) < 0).any():
                raise self._misfit(f"{partition} is {ends.tolist()} for {count} rows", number)
            splits.insert(0, ends)
            count = len(ends) - 1
        return values, [np.array([0, count]), *splits]

    def _misfit(self, words: str, number: int) -> InvalidArgumentError:
        text = f"RaggedFeature {self.key}, Index: {number}: the partitions do not form a valid RaggedTensor: {words}"
        return InvalidArgumentError(None, None, text)

    def single_spec(self) -> Any:
        """A tensor's where the feature has no partitions."""
        if not self.partitions:
            return TensorSpec(self._dims(), self.dtype)
        return RaggedTensorSpec(self._dims(), self.dtype, len(self.partitions), self.splits)

    def single(self, parts: list[Array]) -> list[Array]:
        """The values, and the levels below the examples."""
        return [parts[0], *parts[2:]]


def _join_splits(level: Sequence[Array]) -> Array:
    """The row splits of several examples as those of one tensor."""
    lengths = [np.diff(splits) for splits in level]
    return np.concatenate([[0], np.cumsum(np.concatenate(lengths))]) if lengths else np.zeros(1, np.int64)


def _row_splits(partition: Any, given: Mapping[str, Any], count: int) -> Array:
    """The row splits that a partition stands for, above `count` rows or values."""
    if isinstance(partition, UniformRowLength):
        return np.arange(0, count + 1, max(partition.length, 1))
    rows = given[partition.key]
    match partition:
        case RaggedFeature.RowSplits():
            return rows if len(rows) else np.zeros(1, np.int64)
        case RaggedFeature.RowLengths():
            return np.concatenate([[0], np.cumsum(rows)])
        case RaggedFeature.RowStarts():
            return np.concatenate([rows, [count]])
        case RaggedFeature.RowLimits():
            return np.concatenate([[0], rows])
    if (rows < 0).any() or len(rows) != count:
        return np.zeros(0, np.int64)
    return np.concatenate([[0], np.cumsum(np.bincount(rows))])


COLUMNS: dict[type, Callable[[str, Any], Column]] = {
    FixedLenFeature: Fixed, FixedLenSequenceFeature: SequenceColumn, VarLenFeature: Variable, SparseFeature: Sparse, RaggedFeature: Ragged,
}  # fmt: skip


def columns_of(features: Any) -> list[Column]:
    """The columns of features by key, in the order of the keys; a ValueError for what is no feature."""
    for key, feature in features.items():
        if type(feature) not in COLUMNS:
            raise ValueError(f"Invalid feature {key}:{feature}.")
    return [COLUMNS[type(features[key])](key, features[key]) for key in sorted(features)]
