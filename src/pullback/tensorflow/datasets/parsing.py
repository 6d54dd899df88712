"""`tf.io.parse_example` and its kin: serialized `tf.train.Example`s as tensors.

Each feature becomes some columns (`_Column`): the operation takes the serialized examples and the default values, and gives the tensors of
all columns in the order of the features' names.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from ...base.dtypes import DType, as_dtype, float32, int64, string
from ...base.errors import InvalidArgumentError
from ...base.export import export
from ...base.shapes import TensorShape, show
from ...ir.apply import convert_to_tensor
from ...ir.op import define
from ...ir.tensor import TensorLike, TensorType
from ...ops.constant import TensorSpec
from ...ops.sparse.tensor import SparseTensorSpec
from ..ragged.classes import RaggedTensorSpec
from . import messages
from .batching import as_array
from .features import FixedLenFeature, FixedLenSequenceFeature, RaggedFeature, SparseFeature, UniformRowLength, VarLenFeature
from .grouping import padded
from .operations import element_types
from .structure import Layout

Array = np.ndarray[Any, Any]
Values = list[Array | None]
_FIELDS = {string: "bytes_list", float32: "float_list", int64: "int64_list"}
_NAMES = {"bytes_list": "string", "float_list": "float", "int64_list": "int64"}


def _values(feature: Any, key: str, dtype: DType) -> Array | None:
    """The values of a feature; None where it has none."""
    kind = feature.WhichOneof("kind")
    if kind is None:
        return None
    if kind != _FIELDS[dtype]:
        text = f"Data types don't match. Data type: {_NAMES[kind]} but expected type: {_NAMES[_FIELDS[dtype]]}"
        raise InvalidArgumentError(None, None, f"Name: <unknown>, Key: {key}, Index: 0.  {text}")
    return _array(getattr(feature, kind).value, dtype)


def _array(values: Sequence[Any], dtype: DType) -> Array:
    found = np.empty(len(values), dtype.numpy)
    found[:] = list(values)
    return found


class _Column:
    """One feature in all examples: the specs of its value, and its tensors from the values in each example.

    spec: of the value in a batch of `count` examples (None where not known).
    """

    def __init__(self, key: str, dtype: Any, keys: Sequence[str]) -> None:
        self.key, self.dtype, self.keys = key, as_dtype(dtype), tuple(keys)
        if self.dtype not in _FIELDS:
            raise InvalidArgumentError(None, None, f"{key}: a feature is int64, float32 or string, not {self.dtype.name}")
        self.default: Any = None

    def spec(self, count: int | None) -> Any:
        raise NotImplementedError

    def single_spec(self) -> Any:
        """The spec of the value of one example."""
        spec = self.spec(1)
        return TensorSpec(spec.shape[1:], self.dtype)

    def single(self, parts: list[Array]) -> list[Array]:
        """The tensors of one example, from those of a batch of one."""
        return [parts[0][0]]

    def dtype_of(self, key: str) -> DType:
        return self.dtype

    def arrays(self, found: Mapping[str, Values], default: Array | None) -> list[Array]:
        raise NotImplementedError


class _Fixed(_Column):
    def __init__(self, key: str, feature: FixedLenFeature) -> None:
        super().__init__(key, feature.dtype, [key])
        self.shape = tuple([-1 if n is None else n for n in TensorShape(feature.shape).as_list()])
        self.default = feature.default_value
        if -1 in self.shape:
            raise ValueError(f"First dimension of shape for feature {key} unknown. Consider using FixedLenSequenceFeature.")

    def spec(self, count: int | None) -> Any:
        return TensorSpec([count, *self.shape], self.dtype)

    def arrays(self, found: Mapping[str, Values], default: Array | None) -> list[Array]:
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
        whole = np.concatenate(rows) if rows else np.zeros(0, self.dtype.numpy)
        return [whole.reshape(len(rows), *self.shape)]


class _Sequence(_Column):
    """A dense tensor whose rows are padded to the longest."""

    def __init__(self, key: str, feature: FixedLenSequenceFeature) -> None:
        super().__init__(key, feature.dtype, [key])
        self.shape = tuple([n or 0 for n in TensorShape(feature.shape).as_list()])
        self.missing_allowed = feature.allow_missing
        self.default = feature.default_value

    def spec(self, count: int | None) -> Any:
        return TensorSpec([count, None, *self.shape], self.dtype)

    def arrays(self, found: Mapping[str, Values], default: Array | None) -> list[Array]:
        size = int(np.prod(self.shape))
        empty = np.zeros(0, self.dtype.numpy)
        rows = [empty if value is None else value for value in found[self.key]]
        longest = max((len(row) // max(size, 1) for row in rows), default=0)
        fill = default if default is not None else b"" if self.dtype is string else 0
        whole = np.full((len(rows), longest * size), fill, self.dtype.numpy)
        for i, row in enumerate(rows):
            if size and len(row) % size:
                text = f"Number of values is not a multiple of stride length. Saw {len(row)} values but output shape is: {show(self.shape)}"
                raise InvalidArgumentError(None, None, f"Key: {self.key}, Index: {i}.  {text}")
            whole[i, : len(row)] = row
        return [whole.reshape(len(rows), longest, *self.shape)]


class _Variable(_Column):
    def __init__(self, key: str, feature: VarLenFeature) -> None:
        super().__init__(key, feature.dtype, [key])

    def spec(self, count: int | None) -> Any:
        return SparseTensorSpec([count, None], self.dtype)

    def arrays(self, found: Mapping[str, Values], default: Array | None) -> list[Array]:
        lengths = [0 if value is None else len(value) for value in found[self.key]]
        parts = [value for value in found[self.key] if value is not None]
        whole = np.concatenate(parts) if parts else np.zeros(0, self.dtype.numpy)
        places = [(i, j) for i, n in enumerate(lengths) for j in range(n)]
        shape = np.array([len(lengths), max(lengths, default=0)], np.int64)
        return [np.array(places, np.int64).reshape(-1, 2), whole, shape]

    def single_spec(self) -> Any:
        return SparseTensorSpec([None], self.dtype)

    def single(self, parts: list[Array]) -> list[Array]:
        places, values, shape = parts
        return [places[:, 1:], values, shape[1:]]


class _Sparse(_Column):
    def __init__(self, key: str, feature: SparseFeature) -> None:
        several = isinstance(feature.index_key, (list, tuple))
        self.indices = list(feature.index_key) if several else [feature.index_key]
        self.sizes = list(feature.size) if isinstance(feature.size, (list, tuple)) else [feature.size]
        self.values, self.sorted = feature.value_key, feature.already_sorted
        super().__init__(key, feature.dtype, [*self.indices, self.values])

    def spec(self, count: int | None) -> Any:
        return SparseTensorSpec([count, *self.sizes], self.dtype)

    def dtype_of(self, key: str) -> DType:
        return self.dtype if key == self.values else int64

    def arrays(self, found: Mapping[str, Values], default: Array | None) -> list[Array]:
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
        return [whole, np.concatenate(values) if values else np.zeros(0, self.dtype.numpy), shape]

    def single_spec(self) -> Any:
        return SparseTensorSpec(self.sizes, self.dtype)

    def single(self, parts: list[Array]) -> list[Array]:
        places, values, shape = parts
        return [places[:, 1:], values, shape[1:]]


class _Ragged(_Column):
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
        return RaggedTensorSpec([count, *self._dims()], self.dtype, 1 + len(self.partitions), self.splits)

    def dtype_of(self, key: str) -> DType:
        return self.dtype if key == self.values else int64

    def arrays(self, found: Mapping[str, Values], default: Array | None) -> list[Array]:
        examples = [self._example({key: found[key][i] for key in self.keys}, i) for i in range(len(found[self.values]))]
        whole = [values for values, _ in examples]
        levels = zip(*[splits for _, splits in examples], strict=True) if examples else [[]] * (1 + len(self.partitions))
        empty = np.zeros((0, *self.inner), self.dtype.numpy)
        return [np.concatenate(whole) if whole else empty, *(_joined(level).astype(self.splits.numpy) for level in levels)]

    def _example(self, given: Mapping[str, Array | None], number: int) -> tuple[Array, list[Array]]:
        """The values of one example, and the row splits of each level, the example's own first."""
        values = given[self.values]
        if values is None or any(part is None for part in given.values()):
            values = np.zeros(0, self.dtype.numpy)
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
        if not self.partitions:
            return TensorSpec(self._dims(), self.dtype)
        return RaggedTensorSpec(self._dims(), self.dtype, len(self.partitions), self.splits)

    def single(self, parts: list[Array]) -> list[Array]:
        return [parts[0], *parts[2:]]


def _joined(level: Sequence[Array]) -> Array:
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


_COLUMNS: dict[type, Callable[[str, Any], _Column]] = {
    FixedLenFeature: _Fixed, FixedLenSequenceFeature: _Sequence, VarLenFeature: _Variable, SparseFeature: _Sparse, RaggedFeature: _Ragged,
}  # fmt: skip


def _columns(features: Any) -> list[_Column]:
    for key, feature in features.items():
        if type(feature) not in _COLUMNS:
            raise ValueError(f"Invalid feature {key}:{feature}.")
    return [_COLUMNS[type(features[key])](key, features[key]) for key in sorted(features)]


def _parsed(data: bytes, kind: Any) -> Any:
    try:
        return kind.FromString(data)
    except messages.DecodeError as error:
        raise InvalidArgumentError(None, None, f"Could not parse example input, value: '{data!r}'") from error


def _types(inputs: Any, *, evaluate: Any, output_types: Any, output_shapes: Any) -> tuple[TensorType, ...]:
    return element_types(output_types, output_shapes)


PARSE = define(
    "ParseExamples", "*inputs:any", _types, lambda inputs, *, evaluate, output_types, output_shapes: evaluate(inputs), {},
    outputs="*components", batch="serialized messages of one row",
)  # fmt: skip


def _default(column: _Column) -> Any:
    return convert_to_tensor(column.default, column.dtype)


def _parse(serialized: Any, columns: Sequence[_Column], evaluate: Callable[[Sequence[Any]], list[Any]], specs: Any) -> Any:
    """The nest of `specs` that `evaluate` makes of serialized examples and the defaults of columns."""
    layout = Layout(specs)
    inputs = [serialized, *(_default(column) for column in columns if column.default is not None)]
    return layout.pack(PARSE(inputs, evaluate=evaluate, **layout.attributes))


def _arrays(columns: Sequence[_Column], features: Sequence[Any], defaults: Iterator[Any]) -> list[Array]:
    """The tensors of the columns in some maps of features."""
    answers: list[Array] = []
    for column in columns:
        found = {key: [_values(f[key], key, column.dtype_of(key)) if key in f else None for f in features] for key in column.keys}
        answers += column.arrays(found, as_array(next(defaults)) if column.default is not None else None)
    return answers


def _check_features(features: Any) -> None:
    if not features:
        raise ValueError(f"Argument `features` must name at least one feature, got {features!r}.")


@export(v2="io.parse_example")
def parse_example(
    serialized: TensorLike, features: TensorLike, example_names: TensorLike | None = None, name: str | None = None
) -> dict[str, Any]:
    """A vector of serialized `tf.train.Example`s as a dictionary of tensors.

    features: by name a FixedLenFeature (a dense tensor), VarLenFeature or SparseFeature (a sparse one), RaggedFeature (a ragged one) or
    FixedLenSequenceFeature (dense and padded).  Raises InvalidArgumentError for values of another dtype or number.

    >>> import pullback as tf
    >>> feature = tf.train.Feature(float_list=tf.train.FloatList(value=[1.5]))
    >>> example = tf.train.Example(features=tf.train.Features(feature={"x": feature}))
    >>> tf.io.parse_example([example.SerializeToString()] * 2, {"x": tf.io.FixedLenFeature([], tf.float32)})["x"].numpy().tolist()
    [1.5, 1.5]
    """
    _check_features(features)
    data = convert_to_tensor(serialized, string)
    if data.shape.rank == 0:
        return parse_single_example(data, features, example_names, name)
    columns = _columns(features)
    count = None if data.dims is None else data.dims[0]

    def evaluate(inputs: Sequence[Any]) -> list[Array]:
        examples = [_parsed(one, messages.Example) for one in np.ravel(as_array(inputs[0])).tolist()]
        return _arrays(columns, [example.features.feature for example in examples], iter(inputs[1:]))

    return _parse(data, columns, evaluate, {column.key: column.spec(count) for column in columns})


@export(v2="io.parse_single_example")
def parse_single_example(
    serialized: TensorLike, features: TensorLike, example_names: TensorLike | None = None, name: str | None = None
) -> dict[str, Any]:
    """One serialized `tf.train.Example` as a dictionary of tensors; `features` as `parse_example` takes them.

    >>> import pullback as tf
    >>> feature = tf.train.Feature(bytes_list=tf.train.BytesList(value=[b"a", b"b"]))
    >>> example = tf.train.Example(features=tf.train.Features(feature={"words": feature}))
    >>> found = tf.io.parse_single_example(example.SerializeToString(), {"words": tf.io.VarLenFeature(tf.string)})
    >>> found["words"].values.numpy().tolist()
    [b'a', b'b']
    """
    _check_features(features)
    data = convert_to_tensor(serialized, string)
    columns = _columns(features)

    def evaluate(inputs: Sequence[Any]) -> list[Any]:
        example = _parsed(as_array(inputs[0])[()], messages.Example)
        return _of_one(columns, [example.features.feature], iter(inputs[1:]))

    return _parse(data, columns, evaluate, {column.key: column.single_spec() for column in columns})


def _of_one(columns: Sequence[_Column], features: Sequence[Any], defaults: Iterator[Any]) -> list[Any]:
    """The tensors of the columns in one map of features, without the axis of examples."""
    return [part for column in columns for part in column.single(_arrays([column], features, defaults))]


@export("io.parse_single_sequence_example", v1="parse_single_sequence_example")
def parse_single_sequence_example(
    serialized: TensorLike, context_features: object = None, sequence_features: object = None, example_name: object = None,
    name: str | None = None
) -> tuple[dict[str, Any], dict[str, Any]]:  # fmt: skip
    """One serialized `tf.train.SequenceExample` as two dictionaries of tensors: of its context and of its sequences.

    sequence_features: by name a FixedLenSequenceFeature (a dense tensor, a row for each step), VarLenFeature or RaggedFeature.

    >>> import pullback as tf
    >>> steps = [tf.train.Feature(int64_list=tf.train.Int64List(value=[n])) for n in (3, 4)]
    >>> lists = tf.train.FeatureLists(feature_list={"n": tf.train.FeatureList(feature=steps)})
    >>> example = tf.train.SequenceExample(feature_lists=lists).SerializeToString()
    >>> _, found = tf.io.parse_single_sequence_example(example, None, {"n": tf.io.FixedLenSequenceFeature([], tf.int64)})
    >>> found["n"].numpy().tolist()
    [3, 4]
    """
    if not (context_features or sequence_features):
        raise ValueError("Both `context_features` and `sequence_features` argument are None, but at least one should have values.")
    context, sequences = _columns(context_features or {}), _step_columns(sequence_features or {})

    def evaluate(inputs: Sequence[Any]) -> list[Any]:
        example, defaults = _parsed(as_array(inputs[0])[()], messages.SequenceExample), iter(inputs[1:])
        found = _of_one(context, [example.context.feature], defaults)
        for column, missing_allowed in sequences:
            found += _arrays([column], _steps(example, column, missing_allowed), defaults)
        return found

    specs = {c.key: c.single_spec() for c in context}, {column.key: column.spec(None) for column, _ in sequences}
    return _parse(convert_to_tensor(serialized, string), context, evaluate, specs)


def _step_columns(features: Any) -> list[tuple[_Column, bool]]:
    """What each step of a sequence has, and whether an example may lack it."""
    found: list[tuple[_Column, bool]] = []
    for key in sorted(features):
        feature = features[key]
        if isinstance(feature, FixedLenSequenceFeature):
            found.append((_Fixed(key, FixedLenFeature(feature.shape, feature.dtype)), feature.allow_missing))
        elif isinstance(feature, (VarLenFeature, RaggedFeature)):
            found.append((_COLUMNS[type(feature)](key, feature), True))
        else:
            raise ValueError(f"Unsupported feature type {type(feature).__name__} for a sequence: {key}")
    return found


def _steps(example: Any, column: _Column, missing_allowed: bool) -> list[Any]:
    """The steps of a sequence, each a map of the one feature."""
    lists = example.feature_lists.feature_list
    (key,) = column.keys
    if key not in lists:
        if not missing_allowed:
            text = f"Feature list '{key}' is required but could not be found.  Did you mean to include it in"
            raise InvalidArgumentError(
                None, None, f"Name: <unknown>, {text} feature_list_dense_missing_assumed_empty or feature_list_dense_defaults?"
            )
        return []
    return [{key: feature} for feature in lists[key].feature]


@export("io.parse_sequence_example")
def parse_sequence_example(
    serialized: TensorLike, context_features: object = None, sequence_features: object = None, example_names: TensorLike | None = None,
    name: str | None = None,
) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:  # fmt: skip
    """A vector of serialized `tf.train.SequenceExample`s: their context, their sequences, and how long each of the dense ones is.

    sequence_features: FixedLenSequenceFeatures only, padded to the longest example with zeros and empty strings.

    >>> import pullback as tf
    >>> def example(n):
    ...     steps = [tf.train.Feature(int64_list=tf.train.Int64List(value=[i])) for i in range(n)]
    ...     lists = tf.train.FeatureLists(feature_list={"n": tf.train.FeatureList(feature=steps)})
    ...     return tf.train.SequenceExample(feature_lists=lists).SerializeToString()
    >>> features = {"n": tf.io.FixedLenSequenceFeature([], tf.int64)}
    >>> _, found, lengths = tf.io.parse_sequence_example([example(2), example(3)], None, features)
    >>> found["n"].numpy().tolist(), lengths["n"].numpy().tolist()
    ([[0, 1, 0], [0, 1, 2]], [2, 3])
    """
    if not (context_features or sequence_features):
        raise ValueError("Both `context_features` and `sequence_features` argument are None, but at least one should have values.")
    data = convert_to_tensor(serialized, string)
    context, sequences = _columns(context_features or {}), _step_columns(sequence_features or {})
    for column, _ in sequences:
        if not isinstance(column, _Fixed):
            raise NotImplementedError(
                f"parse_sequence_example: {column.key}: only FixedLenSequenceFeature is taken for sequences of many examples; map "
                "parse_single_sequence_example over them"
            )
    count = None if data.dims is None else data.dims[0]

    def evaluate(inputs: Sequence[Any]) -> list[Any]:
        examples = [_parsed(one, messages.SequenceExample) for one in np.ravel(as_array(inputs[0])).tolist()]
        found = _arrays(context, [example.context.feature for example in examples], iter(inputs[1:]))
        lengths = []
        for column, allowed in sequences:
            rows = [_arrays([column], _steps(example, column, allowed), iter(()))[0] for example in examples]
            lengths.append(np.array([len(row) for row in rows], np.int64))
            inner = column.spec(None).shape[1:].as_list()
            found.append(padded(rows, [-1, *inner], b"" if column.dtype is string else 0))
        return [*found, *lengths]

    whole = {c.key: TensorSpec(TensorShape([count]) + c.spec(None).shape, c.dtype) for c, _ in sequences}
    specs = {c.key: c.spec(count) for c in context}, whole, {c.key: TensorSpec([count], int64) for c, _ in sequences}
    return _parse(data, context, evaluate, specs)


@export(v1=("io.parse_example", "parse_example"))
def parse_example_v1(
    serialized: TensorLike, features: TensorLike, name: str | None = None, example_names: TensorLike | None = None
) -> dict[str, Any]:
    """`parse_example` with TensorFlow 1's order of arguments.

    >>> import pullback.compat.v1 as tf
    >>> with tf.Graph().as_default(), tf.Session() as session:
    ...     session.run(tf.parse_example([b""], {"n": tf.FixedLenFeature([], tf.int64, default_value=3)}))["n"].tolist()
    [3]
    """
    return parse_example(serialized, features, example_names, name)


@export(v1=("io.parse_single_example", "parse_single_example"))
def parse_single_example_v1(
    serialized: TensorLike, features: TensorLike, name: str | None = None, example_names: TensorLike | None = None
) -> dict[str, Any]:
    """`parse_single_example` with TensorFlow 1's order of arguments.

    >>> import pullback.compat.v1 as tf
    >>> with tf.Graph().as_default(), tf.Session() as session:
    ...     int(session.run(tf.parse_single_example(b"", {"n": tf.FixedLenFeature([], tf.int64, default_value=3)}))["n"])
    3
    """
    return parse_single_example(serialized, features, example_names, name)
