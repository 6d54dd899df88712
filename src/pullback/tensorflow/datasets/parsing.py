"""`tf.io.parse_example` and its kin: serialized `tf.train.Example`s as tensors.

Each feature becomes some columns (`Column`): the operation takes the serialized examples and the default values, and gives the tensors of
all columns in the order of the features' names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from ...base.dtypes import int64, string
from ...base.errors import InvalidArgumentError
from ...base.export import export
from ...base.shapes import TensorShape
from ...ir.apply import convert_to_tensor
from ...ir.op import define
from ...ir.tensor import Tensor, TensorLike, TensorType
from ...ops.constant import TensorSpec
from . import messages
from .batching import as_array
from .features import FixedLenFeature, FixedLenSequenceFeature, RaggedFeature, VarLenFeature
from .grouping import pad_component
from .operations import element_types
from .parsing_columns import COLUMNS, Array, Column, Fixed, columns_of, values_of
from .structure import Layout


def _parse_message(data: bytes, kind: Any) -> Any:
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


def _default(column: Column) -> Tensor:
    return convert_to_tensor(column.default, column.dtype)


def _parse(serialized: Any, columns: Sequence[Column], evaluate: Callable[[Sequence[Any]], list[Any]], specs: Any) -> Any:
    """The nest of `specs` that `evaluate` makes of serialized examples and the defaults of columns."""
    layout = Layout(specs)
    inputs = [serialized, *(_default(column) for column in columns if column.default is not None)]
    return layout.pack(PARSE(inputs, evaluate=evaluate, **layout.attributes))


def _arrays(columns: Sequence[Column], features: Sequence[Any], defaults: Iterator[Any]) -> list[Array]:
    """The tensors of the columns in some maps of features."""
    answers: list[Array] = []
    for column in columns:
        found = {key: [values_of(f[key], key, column.dtype_of(key)) if key in f else None for f in features] for key in column.keys}
        answers += column.arrays(found, as_array(next(defaults)) if column.default is not None else None)
    return answers


def _check_features(features: Any) -> None:
    if not features:
        raise ValueError(f"Argument `features` must name at least one feature, got {features!r}.")


@export(v2="io.parse_example")
def parse_example(
    serialized: TensorLike, features: Mapping[str, Any], example_names: TensorLike | None = None, name: str | None = None
) -> dict[str, Any]:
    """A vector of serialized `tf.train.Example`s as a dictionary of tensors.

    features: by name a FixedLenFeature (a dense tensor), VarLenFeature or SparseFeature (a sparse one), RaggedFeature (a ragged one) or
    FixedLenSequenceFeature (dense and padded).  Raises InvalidArgumentError for values of another dtype or number.

    >>> feature = tf.train.Feature(float_list=tf.train.FloatList(value=[1.5]))
    >>> example = tf.train.Example(features=tf.train.Features(feature={"x": feature}))
    >>> tf.io.parse_example([example.SerializeToString()] * 2, {"x": tf.io.FixedLenFeature([], tf.float32)})["x"].numpy().tolist()
    [1.5, 1.5]
    """
    _check_features(features)
    data = convert_to_tensor(serialized, string)
    if data.shape.rank == 0:
        return parse_single_example(data, features, example_names, name)
    columns = columns_of(features)
    count = None if data.dims is None else data.dims[0]

    def evaluate(inputs: Sequence[Any]) -> list[Array]:
        examples = [_parse_message(one, messages.Example) for one in np.ravel(as_array(inputs[0])).tolist()]
        return _arrays(columns, [example.features.feature for example in examples], iter(inputs[1:]))

    return _parse(data, columns, evaluate, {column.key: column.spec(count) for column in columns})


@export(v2="io.parse_single_example")
def parse_single_example(
    serialized: TensorLike, features: Mapping[str, Any], example_names: TensorLike | None = None, name: str | None = None
) -> dict[str, Any]:
    """One serialized `tf.train.Example` as a dictionary of tensors; `features` as `parse_example` takes them.

    >>> feature = tf.train.Feature(bytes_list=tf.train.BytesList(value=[b"a", b"b"]))
    >>> example = tf.train.Example(features=tf.train.Features(feature={"words": feature}))
    >>> found = tf.io.parse_single_example(example.SerializeToString(), {"words": tf.io.VarLenFeature(tf.string)})
    >>> found["words"].values.numpy().tolist()
    [b'a', b'b']
    """
    _check_features(features)
    data = convert_to_tensor(serialized, string)
    columns = columns_of(features)

    def evaluate(inputs: Sequence[Any]) -> list[Any]:
        example = _parse_message(as_array(inputs[0])[()], messages.Example)
        return _parse_one(columns, [example.features.feature], iter(inputs[1:]))

    return _parse(data, columns, evaluate, {column.key: column.single_spec() for column in columns})


def _parse_one(columns: Sequence[Column], features: Sequence[Any], defaults: Iterator[Any]) -> list[Any]:
    """The tensors of the columns in one map of features, without the axis of examples."""
    return [part for column in columns for part in column.single(_arrays([column], features, defaults))]


@export("io.parse_single_sequence_example", v1="parse_single_sequence_example")
def parse_single_sequence_example(
    serialized: TensorLike, context_features: object = None, sequence_features: object = None, example_name: object = None,
    name: str | None = None
) -> tuple[dict[str, Any], dict[str, Any]]:  # fmt: skip
    """One serialized `tf.train.SequenceExample` as two dictionaries of tensors: of its context and of its sequences.

    sequence_features: by name a FixedLenSequenceFeature (a dense tensor, a row for each step), VarLenFeature or RaggedFeature.

    >>> steps = [tf.train.Feature(int64_list=tf.train.Int64List(value=[n])) for n in (3, 4)]
    >>> lists = tf.train.FeatureLists(feature_list={"n": tf.train.FeatureList(feature=steps)})
    >>> example = tf.train.SequenceExample(feature_lists=lists).SerializeToString()
    >>> _, found = tf.io.parse_single_sequence_example(example, None, {"n": tf.io.FixedLenSequenceFeature([], tf.int64)})
    >>> found["n"].numpy().tolist()
    [3, 4]
    """
    if not (context_features or sequence_features):
        raise ValueError("Both `context_features` and `sequence_features` argument are None, but at least one should have values.")
    context, sequences = columns_of(context_features or {}), _step_columns(sequence_features or {})

    def evaluate(inputs: Sequence[Any]) -> list[Any]:
        example, defaults = _parse_message(as_array(inputs[0])[()], messages.SequenceExample), iter(inputs[1:])
        found = _parse_one(context, [example.context.feature], defaults)
        for column, missing_allowed in sequences:
            found += _arrays([column], _list_steps(example, column, missing_allowed), defaults)
        return found

    specs = {c.key: c.single_spec() for c in context}, {column.key: column.spec(None) for column, _ in sequences}
    return _parse(convert_to_tensor(serialized, string), context, evaluate, specs)


def _step_columns(features: Any) -> list[tuple[Column, bool]]:
    """What each step of a sequence has, and whether an example may lack it."""
    found: list[tuple[Column, bool]] = []
    for key in sorted(features):
        feature = features[key]
        if isinstance(feature, FixedLenSequenceFeature):
            found.append((Fixed(key, FixedLenFeature(feature.shape, feature.dtype)), feature.allow_missing))
        elif isinstance(feature, (VarLenFeature, RaggedFeature)):
            found.append((COLUMNS[type(feature)](key, feature), True))
        else:
            raise ValueError(f"Unsupported feature type {type(feature).__name__} for a sequence: {key}")
    return found


def _list_steps(example: Any, column: Column, missing_allowed: bool) -> list[Any]:
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
    context, sequences = columns_of(context_features or {}), _step_columns(sequence_features or {})
    for column, _ in sequences:
        if not isinstance(column, Fixed):
            raise NotImplementedError(
                f"parse_sequence_example: {column.key}: only FixedLenSequenceFeature is taken for sequences of many examples; map "
                "parse_single_sequence_example over them"
            )
    count = None if data.dims is None else data.dims[0]

    def evaluate(inputs: Sequence[Any]) -> list[Any]:
        examples = [_parse_message(one, messages.SequenceExample) for one in np.ravel(as_array(inputs[0])).tolist()]
        found = _arrays(context, [example.context.feature for example in examples], iter(inputs[1:]))
        lengths = []
        for column, allowed in sequences:
            rows = [_arrays([column], _list_steps(example, column, allowed), iter(()))[0] for example in examples]
            lengths.append(np.array([len(row) for row in rows], np.int64))
            inner = column.spec(None).shape[1:].as_list()
            found.append(pad_component(rows, [-1, *inner], b"" if column.dtype is string else 0))
        return [*found, *lengths]

    whole = {c.key: TensorSpec(TensorShape([count]) + c.spec(None).shape, c.dtype) for c, _ in sequences}
    specs = {c.key: c.spec(count) for c in context}, whole, {c.key: TensorSpec([count], int64) for c, _ in sequences}
    return _parse(data, context, evaluate, specs)


@export(v1=("io.parse_example", "parse_example"))
def parse_example_v1(
    serialized: TensorLike, features: Mapping[str, Any], name: str | None = None, example_names: TensorLike | None = None
) -> dict[str, Any]:
    """`parse_example` with TensorFlow 1's order of arguments.

    >>> with tf1.Graph().as_default(), tf1.Session() as session:
    ...     session.run(tf1.parse_example([b""], {"n": tf1.FixedLenFeature([], tf1.int64, default_value=3)}))["n"].tolist()
    [3]
    """
    return parse_example(serialized, features, example_names, name)


@export(v1=("io.parse_single_example", "parse_single_example"))
def parse_single_example_v1(
    serialized: TensorLike, features: Mapping[str, Any], name: str | None = None, example_names: TensorLike | None = None
) -> dict[str, Any]:
    """`parse_single_example` with TensorFlow 1's order of arguments.

    >>> with tf1.Graph().as_default(), tf1.Session() as session:
    ...     int(session.run(tf1.parse_single_example(b"", {"n": tf1.FixedLenFeature([], tf1.int64, default_value=3)}))["n"])
    3
    """
    return parse_single_example(serialized, features, example_names, name)
