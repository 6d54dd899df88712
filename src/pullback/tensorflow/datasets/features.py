"""What `tf.io.parse_example` is told of a feature: how many values it has, of which dtype, and what to do where it is missing."""

from __future__ import annotations

from typing import Any, NamedTuple

from ...base.dtypes import as_dtype, int32
from ...base.export import export


@export("io.FixedLenFeature", v1="FixedLenFeature")
class FixedLenFeature(NamedTuple):
    """A feature with as many values in each example.  default_value: for examples that lack it, which else is an error.

    >>> import pullback as tf
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

    >>> import pullback as tf
    >>> tf.io.VarLenFeature(tf.int64).dtype
    tf.int64
    """

    dtype: Any


@export("io.SparseFeature", v1="SparseFeature")
class SparseFeature(NamedTuple):
    """A sparse tensor whose values are one feature, and the indices along each axis another.

    >>> import pullback as tf
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

    >>> import pullback as tf
    >>> tf.io.FixedLenSequenceFeature([], tf.int64, allow_missing=True).default_value is None
    True
    """

    shape: Any
    dtype: Any
    allow_missing: bool = False
    default_value: Any = None


class _Ragged(NamedTuple):
    dtype: Any
    value_key: str | None = None
    partitions: tuple[Any, ...] = ()
    row_splits_dtype: Any = int32
    validate: bool = False


@export("io.RaggedFeature")
class RaggedFeature(_Ragged):
    """A feature with any number of values, which becomes a ragged tensor.  Features that part it further (`partitions`) are not taken.

    >>> import pullback as tf
    >>> tf.io.RaggedFeature(tf.string).row_splits_dtype
    tf.int32
    """

    def __new__(
        cls, dtype: Any, value_key: str | None = None, partitions: Any = (), row_splits_dtype: Any = int32, validate: bool = False
    ) -> RaggedFeature:  # fmt: skip
        """The description; NotImplementedError for partitions."""
        if partitions:
            raise NotImplementedError("RaggedFeature: partitions are not taken; parse the features and make the ragged tensor of them")
        return super().__new__(cls, as_dtype(dtype), value_key, (), as_dtype(row_splits_dtype), validate)
