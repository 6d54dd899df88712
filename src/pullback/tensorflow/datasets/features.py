"""What `tf.io.parse_example` is told of a feature: how many values it has, of which dtype, and what to do where it is missing."""

from __future__ import annotations

from typing import Any, NamedTuple

from ...base.dtypes import as_dtype, int32
from ...base.export import export


@export("io.FixedLenFeature", v1="FixedLenFeature")
class FixedLenFeature(NamedTuple):
    """A feature with as many values in each example.  default_value: for examples that lack it, which else is an error.

    >>> example = tf.train.Example(features=tf.train.Features(feature={"n": tf.train.Feature(int64_list=tf.train.Int64List(value=[1, 2]))}))
    >>> tf.io.parse_single_example(example.SerializeToString(), {"n": tf.io.FixedLenFeature([2], tf.int64)})["n"].numpy().tolist()
    [1, 2]
    """

    shape: Any
    dtype: Any
    default_value: Any = None


@export("io.VarLenFeature", v1="VarLenFeature")
class VarLenFeature(NamedTuple):
    """A feature with any number of values, which becomes a sparse tensor.

    >>> tf.io.VarLenFeature(tf.int64).dtype
    tf.int64
    """

    dtype: Any


@export("io.SparseFeature", v1="SparseFeature")
class SparseFeature(NamedTuple):
    """A sparse tensor whose values are one feature, and the indices along each axis another.

    >>> tf.io.SparseFeature("at", "values", tf.float32, 10).size
    10
    """

    index_key: Any
    value_key: str
    dtype: Any
    size: Any
    already_sorted: bool = False


@export("io.FixedLenSequenceFeature", v1="FixedLenSequenceFeature")
class FixedLenSequenceFeature(NamedTuple):
    """A feature with a row of values of one shape for each step; shorter ones are padded with `default_value`.

    >>> tf.io.FixedLenSequenceFeature([], tf.int64, allow_missing=True).default_value is None
    True
    """

    shape: Any
    dtype: Any
    allow_missing: bool = False
    default_value: Any = None


class RowSplits(NamedTuple):
    """Where rows begin, and where the last one ends."""

    key: str


class RowLengths(NamedTuple):
    """How long rows are."""

    key: str


class RowStarts(NamedTuple):
    """Where rows begin."""

    key: str


class RowLimits(NamedTuple):
    """Where rows end."""

    key: str


class ValueRowIds(NamedTuple):
    """In which row each value stands."""

    key: str


class UniformRowLength(NamedTuple):
    """How long each row is."""

    length: int


PARTITIONS = RowSplits, RowLengths, RowStarts, RowLimits, ValueRowIds, UniformRowLength


class _Ragged(NamedTuple):
    dtype: Any
    value_key: str | None = None
    partitions: tuple[Any, ...] = ()
    row_splits_dtype: Any = int32
    validate: bool = False


@export("io.RaggedFeature")
class RaggedFeature(_Ragged):
    """A feature with any number of values, which becomes a ragged tensor.

    partitions: how other features (`RowSplits("key")`, `RowLengths`, `RowStarts`, `RowLimits`, `ValueRowIds`), or `UniformRowLength(n)`,
    part the values into rows, the outermost first.  validate: rows that do not fit are always refused here.

    >>> tf.io.RaggedFeature(tf.string).row_splits_dtype
    tf.int32
    """

    def __new__(
        cls, dtype: Any, value_key: str | None = None, partitions: Any = (), row_splits_dtype: Any = int32, validate: bool = False
    ) -> RaggedFeature:  # fmt: skip
        """The description; TypeError for what is no partition."""
        partitions = tuple(partitions) if isinstance(partitions, (list, tuple)) and type(partitions) not in PARTITIONS else (partitions,)
        for partition in partitions:
            if type(partition) not in PARTITIONS:
                names = ", ".join(f"RaggedFeature.{kind.__name__}" for kind in PARTITIONS)
                raise TypeError(f"partitions must be a list of {names}; got: {partition!r} with type {type(partition)}")
        return super().__new__(cls, as_dtype(dtype), value_key, partitions, as_dtype(row_splits_dtype), validate)

    RowSplits, RowLengths, RowStarts, RowLimits, ValueRowIds, UniformRowLength = PARTITIONS
