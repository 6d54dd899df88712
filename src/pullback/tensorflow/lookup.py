"""`tf.lookup`: tables from keys to values, which functions and datasets read.

A table is a resource; what reads or changes it are operations on its handle.  Keys and values are words or numbers, or vectors of them.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from ..api.names import GraphKeys
from ..base.dtypes import DType, as_dtype, int64, string
from ..base.errors import InvalidArgumentError
from ..base.export import export
from ..base.shapes import show
from ..ir.apply import convert_to_tensor
from ..ir.context import current, scope
from ..ir.function_graph import FunctionGraph
from ..ir.node import Node
from ..ir.tensor import HandleTensor, Tensor, TensorLike
from ..ops.array.where import where
from ..ops.sparse.tensor import SparseTensor
from ..train.trackable import PythonState
from ..train.wrappers import TrackableResource
from .lookup_table import EXPORT, FIND, HASH_TABLE, IMPORT, IMPORT_LINES, INSERT, LINE_NUMBER, REMOVE, SIZE, WHOLE_LINE, Table, units_of
from .ragged.tensor import RaggedTensor
from .strings.hash import to_hash_bucket_fast
from .strings.numbers import as_string


def _note_initializer(made: Any) -> Any:
    """What fills a table, a node of a graph, also as one of those that `tables_initializer` runs."""
    if made is not None:
        made.graph.add_to_collection(GraphKeys.TABLE_INITIALIZERS, made)
    return made


# ---- what fills a table


def fill_table(table: Any, keys: Any, values: Any) -> Node | None:
    """Fill a table with keys and values; in a graph the operation that does."""
    return _note_initializer(IMPORT(table.resource_handle, keys, values))


@export("lookup.KeyValueTensorInitializer", v1="contrib.lookup.KeyValueTensorInitializer")
class KeyValueTensorInitializer:
    """Fills a table with keys and their values, vectors of one length.

    >>> tf.lookup.KeyValueTensorInitializer(["a", "b"], [1, 2]).value_dtype
    tf.int32
    """

    def __init__(self, keys: Any, values: Any, key_dtype: Any = None, value_dtype: Any = None, name: str | None = None) -> None:
        self._keys = convert_to_tensor(keys, key_dtype, name="keys")
        self._values = convert_to_tensor(values, value_dtype, name="values")
        self.key_dtype, self.value_dtype = self._keys.dtype.base_dtype, self._values.dtype.base_dtype

    def initialize(self, table: Any) -> Node | None:
        """Fill a table; in a graph the operation that does."""
        with scope(None, "key_value_init"):
            return fill_table(table, self._keys, self._values)


@export("lookup.TextFileIndex", v1="contrib.lookup.TextFileIndex")
class TextFileIndex:
    """Which part of a line is a key or a value: its number, the whole of it, or by 0 and above a column.

    >>> tf.lookup.TextFileIndex.WHOLE_LINE, tf.lookup.TextFileIndex.LINE_NUMBER
    (-2, -1)
    """

    WHOLE_LINE = WHOLE_LINE
    LINE_NUMBER = LINE_NUMBER


@export("lookup.TextFileInitializer", v1="contrib.lookup.TextFileInitializer")
class TextFileInitializer:
    """Fills a table from the lines of a file.

    key_index, value_index: what of a line they are, a `TextFileIndex` or a column.  vocab_size: how many lines are read, all when None.
    value_index_offset: added to line numbers that are values.

    >>> import tempfile, pullback as tf
    >>> with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
    ...     _ = file.write("emerson 10\\nlake 20\\n")
    ...     file.flush()
    ...     numbers = tf.lookup.TextFileInitializer(file.name, tf.string, 0, tf.int64, 1, delimiter=" ")
    ...     tf.lookup.StaticHashTable(numbers, -1).lookup(tf.constant(["lake", "palmer"])).numpy().tolist()
    [20, -1]
    """

    def __init__(
        self, filename: Any, key_dtype: Any, key_index: int, value_dtype: Any, value_index: int, vocab_size: int | None = None,
        delimiter: str = "\t", name: str | None = None, value_index_offset: int = 0,
    ) -> None:  # fmt: skip
        self._filename, self._columns, self._size = filename, (int(key_index), int(value_index)), vocab_size
        self._delimiter, self._offset = delimiter, value_index_offset
        self.key_dtype, self.value_dtype = as_dtype(key_dtype), as_dtype(value_dtype)
        for what, index, dtype in zip(("key", "value"), self._columns, (self.key_dtype, self.value_dtype), strict=True):
            if index == TextFileIndex.LINE_NUMBER and dtype is not int64:
                raise ValueError(f"`{what}_dtype` must be int64 if `{what}_index` is {index}, but received {dtype!r}")
            if index == TextFileIndex.WHOLE_LINE and not (dtype.is_integer or dtype is string):
                raise ValueError(f"`{what}_dtype` should be either integer or string for `{what}_index` {index}, but received {dtype!r}")
            if index < TextFileIndex.WHOLE_LINE:
                raise ValueError(f"`{what}_index` should be >= {TextFileIndex.WHOLE_LINE}, received {index}.")

    def initialize(self, table: Any) -> Node | None:
        """Fill a table from the file; in a graph the operation that does."""
        key_index, value_index = self._columns
        with scope(None, "text_file_init"):
            made = IMPORT_LINES(
                table.resource_handle, self._filename, key_index=key_index, value_index=value_index,
                vocab_size=-1 if self._size is None else self._size, delimiter=self._delimiter, offset=self._offset,
            )  # fmt: skip
        return _note_initializer(made)


# ---- tables


class Lookup(TrackableResource):
    """What tables have in common: a handle, and the dtypes of keys and values."""

    def __init__(self, key_dtype: Any, value_dtype: Any, default_value: Any, name: str | None) -> None:
        self.key_dtype, self.value_dtype, self.name = as_dtype(key_dtype), as_dtype(value_dtype), name
        self._default = convert_to_tensor(default_value, self.value_dtype)
        self.resource_handle = self._make_handle()

    def _make_handle(self) -> Tensor:
        return HandleTensor(Table(self.key_dtype, self.value_dtype, self._default.dims or ()))

    def lookup(self, keys: TensorLike) -> Any:
        """What keys stand for, the default value where they are not in the table; of a sparse or ragged tensor those of its values.

        Raises TypeError for keys of another dtype.
        """
        return self._find(keys, self._default)

    def _find(self, keys: Any, default: Tensor, name: str | None = None) -> Any:
        if isinstance(keys, SparseTensor):
            return SparseTensor(keys.indices, self._find(keys.values, default), keys.dense_shape)
        if isinstance(keys, RaggedTensor):
            return keys.with_values(self._find(keys.values, default))
        return FIND(self.resource_handle, self._check_keys(keys), default, name=name)

    def __getitem__(self, keys: Any) -> Any:
        return self.lookup(keys)

    def _check_keys(self, keys: Any) -> Tensor:
        tensor = convert_to_tensor(keys, dtype_hint=self.key_dtype)
        if tensor.dtype.base_dtype != self.key_dtype:
            raise TypeError(f"Dtype of argument `keys` must be {self.key_dtype!r}, received: {tensor.dtype!r}")
        return tensor

    def size(self, name: str | None = None) -> Tensor:
        """How many keys there are."""
        return SIZE(self.resource_handle, name=name)

    def export(self, name: str | None = None) -> tuple[Tensor, Tensor]:
        """All keys and their values."""
        return EXPORT(self.resource_handle, Tkeys=self.key_dtype, Tvalues=self.value_dtype, name=name)


@export(v2="lookup.StaticHashTable")
class StaticHashTable(Lookup):
    """A table that is filled once.  FailedPreconditionError for a key of several values.

    >>> table = tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(["a", "b"], [1, 2]), default_value=-1)
    >>> table.lookup(tf.constant(["b", "z"])).numpy().tolist()
    [2, -1]
    """

    def __init__(self, initializer: Any, default_value: Any, name: str | None = None, experimental_is_anonymous: bool = False) -> None:
        super().__init__(initializer.key_dtype, initializer.value_dtype, default_value, name)
        if self._default.dims != ():
            raise ValueError(f"Shapes {self._default.dims} and () are not compatible: the default value of a StaticHashTable is a scalar")
        self._initializer = initializer
        self._init_op = initializer.initialize(self)

    def _make_handle(self) -> Tensor:
        graph = current().graph
        if graph is None or isinstance(graph, FunctionGraph):
            return HandleTensor(Table(self.key_dtype, self.value_dtype, ready=False))
        handle: Tensor = HASH_TABLE(key_dtype=self.key_dtype, value_dtype=self.value_dtype, name=self.name or "hash_table")
        return handle

    def lookup(self, keys: TensorLike, name: str | None = None) -> Any:
        """What keys stand for, the default value where they are not in the table."""
        return self._find(keys, self._default, name)

    @property
    def default_value(self) -> Any:
        """What keys stand for that are not in the table."""
        return self._default


@export(v2="lookup.StaticVocabularyTable")
class StaticVocabularyTable(StaticHashTable):
    """A table of words that gives each other word the number of one of `num_oov_buckets` buckets, behind the numbers of its own.

    >>> words = tf.lookup.KeyValueTensorInitializer(["a", "b"], tf.constant([0, 1], tf.int64))
    >>> tf.lookup.StaticVocabularyTable(words, num_oov_buckets=1).lookup(tf.constant(["b", "z"])).numpy().tolist()
    [1, 2]
    """

    def __init__(
        self, initializer: Any, num_oov_buckets: int, lookup_key_dtype: Any = None, name: str | None = None,
        experimental_is_anonymous: bool = False,
    ) -> None:  # fmt: skip
        if num_oov_buckets <= 0:
            raise ValueError("`num_oov_buckets` must be > 0; use StaticHashTable.")
        super().__init__(initializer, -1, name)
        if self.value_dtype is not int64:
            raise TypeError(f"Invalid `value_dtype`, expected {int64!r} but got {self.value_dtype!r}.")
        self._buckets = num_oov_buckets

    def lookup(self, keys: Any, name: str | None = None) -> Any:
        """The number of each word."""
        if isinstance(keys, SparseTensor):
            return SparseTensor(keys.indices, self.lookup(keys.values), keys.dense_shape)
        if isinstance(keys, RaggedTensor):
            return keys.with_values(self.lookup(keys.values))
        keys = self._check_keys(keys)
        known = self._find(keys, self._default)
        words = keys if keys.dtype is string else as_string(keys)
        return where(known >= 0, known, self._bucket(words) + super().size(), name=name)

    def _bucket(self, words: Tensor) -> Tensor:
        """The number, among the buckets, of each word that is not known."""
        return to_hash_bucket_fast(words, self._buckets)

    def size(self, name: str | None = None) -> Tensor:
        """How many numbers there are."""
        return super().size(name) + self._buckets


class Initialized:
    """What tables of TensorFlow 1 say besides: the operation that fills them, None for those that are filled."""

    _init_op: Any

    @property
    def initializer(self) -> Node | None:
        """The operation that fills the table."""
        return self._init_op


@export(v1=("lookup.StaticHashTable", "contrib.lookup.HashTable"))
class StaticHashTableV1(Initialized, StaticHashTable):
    """A table that is filled once: in a graph by its `initializer`, or by `tables_initializer`, in each session.

    >>> with tf1.Graph().as_default(), tf1.Session() as sess:
    ...     table = tf1.lookup.StaticHashTable(tf1.lookup.KeyValueTensorInitializer(["a", "b"], [1, 2]), default_value=-1)
    ...     sess.run(table.initializer)
    ...     print(sess.run(table.lookup(tf1.constant(["b", "z"]))))
    [ 2 -1]
    """


@export(v1="lookup.StaticVocabularyTable")
class StaticVocabularyTableV1(Initialized, StaticVocabularyTable):
    """A table of words and buckets for others: in a graph its `initializer`, or `tables_initializer`, fills it in each session.

    >>> with tf1.Graph().as_default(), tf1.Session() as sess:
    ...     words = tf1.lookup.KeyValueTensorInitializer(["a", "b"], tf1.constant([0, 1], tf1.int64))
    ...     table = tf1.lookup.StaticVocabularyTable(words, num_oov_buckets=1)
    ...     sess.run(tf1.tables_initializer())
    ...     print(sess.run(table.lookup(tf1.constant(["b", "z"]))))
    [1 2]
    """


class _Items(PythonState):
    """What checkpoints keep of a table: its keys and values, the bytes of words as characters."""

    def __init__(self, table: Table) -> None:
        self._table = table

    def serialize(self) -> str:
        return json.dumps([list(self._table.items), list(self._table.items.values())], default=lambda word: word.decode("latin-1"))

    def deserialize(self, string_value: Any) -> None:
        table, (keys, values) = self._table, json.loads(string_value)
        dtypes = table.key_dtype, table.value_dtype
        units = [_read(items, dtype) for items, dtype in zip((keys, values), dtypes, strict=True)]
        table.items = dict(zip(*units, strict=True))


def _read(items: list[Any], dtype: DType) -> list[Any]:
    """What JSON gives of keys or values as a table has them."""
    if items and isinstance(items[0], list):
        return [tuple(_read(item, dtype)) for item in items]
    return [item.encode("latin-1") for item in items] if dtype is string else items


@export("lookup.experimental.MutableHashTable", v1="contrib.lookup.MutableHashTable")
class MutableHashTable(Lookup):
    """A table that changes.  default_value: a scalar, or a vector, as the values are then.  checkpoint: whether checkpoints keep it.

    >>> table = tf.lookup.experimental.MutableHashTable(tf.string, tf.int64, default_value=-1)
    >>> table.insert(["a"], [1])
    >>> table.lookup(tf.constant(["a", "b"])).numpy().tolist(), int(table.size())
    ([1, -1], 1)
    """

    def __init__(
        self, key_dtype: Any, value_dtype: Any, default_value: Any, name: str = "MutableHashTable", checkpoint: bool = True,
        experimental_is_anonymous: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(key_dtype, value_dtype, default_value, name)
        if len(self._default.dims or ()) > 1:
            raise InvalidArgumentError(None, None, f"Default value must be a vector, got shape {show(self._default.dims)}")
        self._kept = _Items(self.resource_handle.value) if checkpoint else None

    def _trackable_children(self, save_type: str = "checkpoint", **kwargs: Any) -> dict[str, Any]:
        return {} if self._kept is None else {"table": self._kept}

    def lookup(self, keys: TensorLike, dynamic_default_values: TensorLike | None = None, name: str | None = None) -> Any:
        """What keys stand for; where they are not in the table the default value, or what is given for all of them or for each."""
        if dynamic_default_values is None:
            return self._find(keys, self._default, name)
        return self._find(keys, convert_to_tensor(dynamic_default_values, self.value_dtype), name)

    def insert(self, keys: TensorLike, values: TensorLike, name: str | None = None) -> Node | None:
        """Let keys stand for values."""
        keys, values = convert_to_tensor(keys, self.key_dtype), convert_to_tensor(values, self.value_dtype)
        return INSERT(self.resource_handle, keys, values, name=name)

    def remove(self, keys: TensorLike, name: str | None = None) -> Node | None:
        """Take keys out, those that are there."""
        return REMOVE(self.resource_handle, convert_to_tensor(keys, self.key_dtype), name=name)


@export("lookup.experimental.DenseHashTable")
class DenseHashTable(MutableHashTable):
    """A table that changes, with two keys that mark empty places and deleted ones and are no keys of its own; keys may be vectors.

    initial_num_buckets: a power of 2, at least 4; nothing depends on it here.  `export` gives the keys that are there, without places.

    >>> table = tf.lookup.experimental.DenseHashTable(tf.string, tf.int64, default_value=-1, empty_key="", deleted_key="$")
    >>> table.insert(tf.constant(["a", "b"]), tf.constant([1, 2], tf.int64))
    >>> table.lookup(tf.constant(["b", "c"])).numpy().tolist()
    [2, -1]
    """

    def __init__(
        self, key_dtype: Any, value_dtype: Any, default_value: Any, empty_key: Any, deleted_key: Any,
        initial_num_buckets: int | None = None, name: str = "MutableDenseHashTable", checkpoint: bool = True,
        experimental_is_anonymous: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(key_dtype, value_dtype, default_value, name, checkpoint)
        buckets, table = initial_num_buckets, self.resource_handle.value
        if buckets is not None and (buckets < 4 or buckets & (buckets - 1)):
            raise InvalidArgumentError(None, None, f"Number of buckets must be at least 4 and a power of 2, got: {buckets}")
        empty, deleted = (convert_to_tensor(key, self.key_dtype).numpy() for key in (empty_key, deleted_key))
        table.key_dims = np.shape(empty)
        marks = [units_of(np.asarray(key), table.key_dims)[0] for key in (empty, deleted)]
        if np.shape(empty) != np.shape(deleted) or marks[0] == marks[1]:
            raise InvalidArgumentError(None, None, "Empty and deleted keys cannot be equal, and are of one shape")
        table.marks = dict(zip(marks, ("empty_key", "deleted_key"), strict=True))

    def insert_or_assign(self, keys: Any, values: Any, name: str | None = None) -> Node | None:
        """Let keys stand for values."""
        return self.insert(keys, values, name)

    def erase(self, keys: Any, name: str | None = None) -> Node | None:
        """Take keys out, those that are there."""
        return self.remove(keys, name)
