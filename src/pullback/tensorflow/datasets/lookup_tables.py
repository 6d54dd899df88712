"""Tables that are filled with the elements of datasets."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.dtypes import as_dtype, string
from ...base.errors import FailedPreconditionError
from ...base.export import export
from ...ir.context import scope
from ...ops.constant import TensorSpec
from ..lookup import StaticHashTable, fill_table
from ..lookup_words import FastHashSpec, number_keys
from .batching import as_array
from .dataset import DatasetBase
from .source import Pass, Source


@export("data.experimental.DatasetInitializer")
class DatasetInitializer:
    """Fills a table with the pairs of keys and values, scalars, that a dataset has as its elements.

    Raises ValueError for elements that are no such pairs.

    >>> pairs = tf.data.Dataset.from_tensor_slices((["a", "b"], [1, 2]))
    >>> table = tf.lookup.StaticHashTable(tf.data.experimental.DatasetInitializer(pairs), -1)
    >>> table.lookup(tf.constant(["b", "z"])).numpy().tolist()
    [2, -1]
    """

    def __init__(self, dataset: DatasetBase[Any]) -> None:
        self.dataset = dataset
        self._expected: int | None = None
        spec = dataset.element_spec
        if len(spec) != 2:
            raise _pairs_error(f"{len(spec)} components instead of two (key, value) components. Full dataset element spec: {spec}")
        for what, part in zip(("key", "value"), (spec[0], spec[1]), strict=True):
            if not isinstance(part, TensorSpec):
                raise _pairs_error(f"non-Tensor {what}s of type {type(part)}.")
            if part.shape.rank not in (0, None):
                raise _pairs_error(f"non-scalar {what} Tensors of rank {part.shape.rank}.")
        self.key_dtype, self.value_dtype = spec[0].dtype, spec[1].dtype

    def initialize(self, table: Any) -> Any:
        """Fill a table; in a graph the operation that does."""
        spec = TensorSpec([None], self.key_dtype), TensorSpec([None], self.value_dtype)
        with scope(None, "dataset_init"):
            return fill_table(table, *self.dataset._evaluate_element(spec, self._read))

    def _read(self, source: Source) -> tuple[Any, Any]:
        """All keys, and all values."""
        pairs = [tuple([as_array(part)[()] for part in element]) for element in source.elements(Pass())]
        if self._expected is not None and len(pairs) < self._expected:
            text = f"Input dataset was expected to contain {self._expected} elements but contained only {len(pairs)} elements."
            raise FailedPreconditionError(None, None, text)
        found = [np.empty(len(pairs), dtype.numpy_dtype) for dtype in (self.key_dtype, self.value_dtype)]
        for array, parts in zip(found, zip(*pairs, strict=True), strict=False):
            array[:] = parts
        return found[0], found[1]


def _pairs_error(text: str) -> ValueError:
    return ValueError(
        "Datasets used to initialize lookup tables must produce elements in the form (key, value), where the keys and values are scalar "
        f"tensors. However, the given dataset produces {text}"
    )


@export("data.experimental.table_from_dataset")
def table_from_dataset(
    dataset: Any = None, num_oov_buckets: int = 0, vocab_size: int | None = None, default_value: Any = None,
    hasher_spec: Any = FastHashSpec, key_dtype: Any = string, name: str | None = None,
) -> StaticHashTable:  # fmt: skip
    """A table of the pairs of keys and values that a dataset has as its elements.

    num_oov_buckets: how many numbers other keys get, behind those of the pairs, whose values are int64 then; without buckets they get
    `default_value`, -1 for values that are numbers.  vocab_size: how many elements are read, and must be there.
    Raises ValueError for elements that are no pairs, numbers below 0 and a `default_value` that is missing, TypeError for other dtypes.

    >>> pairs = tf.data.Dataset.from_tensor_slices((["a", "b"], ["apple", "banana"]))
    >>> tf.data.experimental.table_from_dataset(pairs, default_value="?").lookup(tf.constant(["b", "z"])).numpy().tolist()
    [b'banana', b'?']
    """
    spec = dataset.element_spec
    values = spec[1] if len(spec) > 1 else None
    if default_value is None and isinstance(values, TensorSpec):
        if not (values.dtype.is_integer or values.dtype.is_floating):
            raise ValueError(
                "`default_value` must be specified when creating a table from a dataset that produces values of type "
                f"{values.dtype!r}."
            )
        default_value = -1
    if num_oov_buckets < 0:
        raise ValueError(f"`num_oov_buckets` must be greater than or equal to 0, got {num_oov_buckets}.")
    if vocab_size is not None and vocab_size < 1:
        raise ValueError(f"`vocab_size` must be greater than 0, got {vocab_size}.")
    keys = as_dtype(key_dtype)
    if not keys.is_integer and keys is not string:
        raise TypeError(f"`key_dtype` must be either an integer or string type, but got {keys!r}")
    with scope(name, "string_to_index"):
        initializer = DatasetInitializer(dataset if vocab_size is None else dataset.take(vocab_size))
        initializer._expected = vocab_size
        return number_keys(initializer, num_oov_buckets, default_value, hasher_spec)


@export("data.experimental.index_table_from_dataset")
def index_table_from_dataset(
    dataset: Any = None, num_oov_buckets: int = 0, vocab_size: int | None = None, default_value: Any = -1,
    hasher_spec: Any = FastHashSpec, key_dtype: Any = string, name: str | None = None,
) -> StaticHashTable:  # fmt: skip
    """A table from the elements of a dataset, words or integers, to their numbers; otherwise as `table_from_dataset`.

    >>> words = tf.data.Dataset.from_tensor_slices(["a", "b"])
    >>> tf.data.experimental.index_table_from_dataset(words).lookup(tf.constant(["b", "z"])).numpy().tolist()
    [1, -1]
    """
    pairs = dataset.enumerate().map(lambda number, word: (word, number))
    return table_from_dataset(pairs, num_oov_buckets, vocab_size, default_value, hasher_spec, key_dtype, name)
