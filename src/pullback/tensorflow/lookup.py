"""`tf.lookup`: tables from keys to values, which functions and datasets read.

A table is a resource; what reads or changes it are operations on its handle.  Keys and values are words or numbers, or vectors of them.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from ..base.dtypes import DType, as_dtype, int64, resource, string
from ..base.errors import FailedPreconditionError, InvalidArgumentError
from ..base.export import export
from ..base.files import file_errors
from ..base.shapes import show
from ..ir.apply import Site, convert_to_tensor
from ..ir.op import define
from ..ir.tensor import Dims, HandleTensor, Tensor, TensorLike, TensorType
from ..ops.array.where import where
from ..ops.sparse.tensor import SparseTensor
from ..train.trackable import PythonState
from ..train.wrappers import TrackableResource
from .ragged.tensor import RaggedTensor
from .strings.hash import to_hash_bucket_fast
from .strings.numbers import as_string

Array = np.ndarray[Any, Any]


class Table:
    """What keys stand for."""

    tensor_dtype: DType = resource
    dtype: DType = resource
    dims: Dims = None

    def __init__(self, key_dtype: DType, value_dtype: DType, value_dims: Iterable[Any] = ()) -> None:
        self.key_dtype, self.value_dtype = key_dtype, value_dtype
        self.key_dims, self.value_dims = tuple[int, ...](), tuple[int, ...](value_dims)
        self.items: dict[Any, Any] = {}
        #: Keys that mark places of a dense table, and their names.
        self.marks: dict[Any, str] = {}

    def keys_of(self, keys: Array) -> list[Any]:
        """Keys one by one; InvalidArgumentError for a mark among them."""
        found = _units(keys, self.key_dims)
        for key, name in self.marks.items():
            if key in found:
                raise InvalidArgumentError(None, None, f"Using the {name} as a table key is not allowed")
        return found

    def outer(self, keys: Array) -> tuple[int, ...]:
        """The shape that keys stand in."""
        return keys.shape[: keys.ndim - len(self.key_dims)]

    def insert(self, keys: Array, values: Array) -> None:
        """Take values in, which take the place of others."""
        wanted = self.outer(keys) + self.value_dims
        if values.shape != wanted:
            raise InvalidArgumentError(None, None, f"Expected shape {show(wanted)} for value, got {show(values.shape)}")
        self.items.update(zip(self.keys_of(keys), _units(values, self.value_dims), strict=True))

    def fill(self, keys: Array, values: Array) -> None:
        """Take values in for good; FailedPreconditionError for a second value of a key."""
        for key, value in zip(np.ravel(keys).tolist(), np.ravel(values).tolist(), strict=True):
            if self.items.setdefault(key, value) != value:
                text = f"HashTable has different value for same key. Key {_show_item(key)} has {_show_item(self.items[key])}"
                raise FailedPreconditionError(None, None, f"{text} and trying to add value {_show_item(value)}")


def _show_item(item: Any) -> str:
    return item.decode(errors="replace") if isinstance(item, bytes) else str(item)


def _units(array: Array, dims: tuple[int, ...]) -> list[Any]:
    """The scalars of an array, or its vectors as tuples."""
    return list(map(tuple, array.reshape(-1, *dims).tolist())) if dims else np.ravel(array).tolist()


def _array(items: Sequence[Any], dtype: DType, dims: tuple[int, ...] = ()) -> Array:
    flat = [part for item in items for part in item] if dims else items
    found = np.empty(len(flat), dtype.numpy)
    found[:] = flat
    return found.reshape(len(items), *dims)


def _find(table_handle: Table, keys: Array, default_value: Array, *, site: Site) -> Array:
    dims = table_handle.value_dims
    wanted = table_handle.outer(keys) + dims
    if default_value.shape not in (dims, wanted) and (dims or default_value.size != 1):
        text = f"Expected a default value for all keys or one for each, of shape {show(wanted)}, got shape {show(default_value.shape)}"
        raise InvalidArgumentError(None, None, text)
    defaults = _units(default_value, dims)
    unknown = defaults if default_value.shape == wanted else itertools.repeat(defaults[0])
    found = list(map(table_handle.items.get, table_handle.keys_of(keys), unknown))
    return _array(found, table_handle.value_dtype, dims).reshape(wanted)


def _remove(table_handle: Table, keys: Array, *, site: Site) -> None:
    for key in table_handle.keys_of(keys):
        table_handle.items.pop(key, None)


def _export(table_handle: Table, *, site: Site, Tkeys: DType, Tvalues: DType) -> tuple[Array, Array]:
    keys, values = list(table_handle.items), list(table_handle.items.values())
    return _array(keys, Tkeys, table_handle.key_dims), _array(values, Tvalues, table_handle.value_dims)


_STATE: dict[str, Any] = {"stateful": True, "effects": True, "batch": "a table has no rows"}
FIND = define(
    "LookupTableFindV2", "table_handle:resource keys:Tin default_value:Tout",
    lambda table_handle, keys, default_value: TensorType(None if default_value.dims else keys.dims, default_value.dtype), _find, {},
    outputs="values", **_STATE,
)  # fmt: skip
INSERT = define(
    "LookupTableInsertV2", "table_handle:resource keys:Tin values:Tout", lambda table_handle, keys, values: (),
    lambda table_handle, keys, values, *, site: table_handle.insert(keys, values), {}, outputs="", **_STATE,
)  # fmt: skip
REMOVE = define(
    "LookupTableRemoveV2", "table_handle:resource keys:Tin", lambda table_handle, keys: (), _remove, {}, outputs="", **_STATE,
)  # fmt: skip
SIZE = define(
    "LookupTableSizeV2", "table_handle:resource", lambda table_handle: TensorType((), int64),
    lambda table_handle, *, site: np.int64(len(table_handle.items)), {}, outputs="size", **_STATE,
)  # fmt: skip
EXPORT = define(
    "LookupTableExportV2", "table_handle:resource",
    lambda table_handle, *, Tkeys, Tvalues: (TensorType(None, Tkeys), TensorType(None, Tvalues)), _export, {},
    outputs="keys values", **_STATE,
)  # fmt: skip


# ---- what fills a table


@export("lookup.KeyValueTensorInitializer")
class KeyValueTensorInitializer:
    """Fills a table with keys and their values, vectors of one length.

    >>> import pullback as tf
    >>> tf.lookup.KeyValueTensorInitializer(["a", "b"], [1, 2]).value_dtype
    tf.int32
    """

    def __init__(self, keys: Any, values: Any, key_dtype: Any = None, value_dtype: Any = None, name: str | None = None) -> None:
        self._keys = convert_to_tensor(keys, key_dtype, name="keys")
        self._values = convert_to_tensor(values, value_dtype, name="values")
        self.key_dtype, self.value_dtype = self._keys.dtype.base_dtype, self._values.dtype.base_dtype

    def initialize(self, table: Any) -> None:
        """Fill a table."""
        table.resource_handle.value.fill(self._keys.numpy(), self._values.numpy())


@export("lookup.TextFileIndex")
class TextFileIndex:
    """Which part of a line is a key or a value: its number, the whole of it, or by 0 and above a column.

    >>> import pullback as tf
    >>> tf.lookup.TextFileIndex.WHOLE_LINE, tf.lookup.TextFileIndex.LINE_NUMBER
    (-2, -1)
    """

    WHOLE_LINE = -2
    LINE_NUMBER = -1


@export("lookup.TextFileInitializer")
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

    def initialize(self, table: Any) -> None:
        """Fill a table from the file."""
        filename: Any = convert_to_tensor(self._filename).numpy()
        name = filename.decode()
        with file_errors(name), open(name, "rb") as file:
            lines = file.read().splitlines()[: self._size]
        offsets = 0, self._offset
        keys, values = (
            _array([self._part(line, i, index, dtype, offset) for i, line in enumerate(lines)], dtype)
            for index, dtype, offset in zip(self._columns, (self.key_dtype, self.value_dtype), offsets, strict=True)
        )
        table.resource_handle.value.fill(keys, values)

    def _part(self, line: bytes, number: int, index: int, dtype: DType, offset: int) -> Any:
        if index == TextFileIndex.LINE_NUMBER:
            return number + offset
        parts = [line] if index == TextFileIndex.WHOLE_LINE else line.split(self._delimiter.encode())
        place = max(index, 0)
        if place >= len(parts):
            text = f"Invalid number of columns in {self._filename} line {number} ({_show_item(line)}) : expected {index} got {len(parts)}"
            raise InvalidArgumentError(None, None, text)
        return parts[place] if dtype is string else dtype.numpy.type(parts[place])


# ---- tables


class Lookup(TrackableResource):
    """What tables have in common: a handle, and the dtypes of keys and values."""

    def __init__(self, key_dtype: Any, value_dtype: Any, default_value: Any, name: str | None) -> None:
        self.key_dtype, self.value_dtype, self.name = as_dtype(key_dtype), as_dtype(value_dtype), name
        self._default = convert_to_tensor(default_value, self.value_dtype)
        self.resource_handle = HandleTensor(Table(self.key_dtype, self.value_dtype, self._default.dims or ()))

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
        return FIND(self.resource_handle, self._checked(keys), default, name=name)

    def __getitem__(self, keys: Any) -> Any:
        return self.lookup(keys)

    def _checked(self, keys: Any) -> Any:
        tensor = convert_to_tensor(keys, dtype_hint=self.key_dtype)
        if tensor.dtype.base_dtype != self.key_dtype:
            raise TypeError(f"Dtype of argument `keys` must be {self.key_dtype!r}, received: {tensor.dtype!r}")
        return tensor

    def size(self, name: str | None = None) -> Tensor:
        """How many keys there are."""
        return SIZE(self.resource_handle, name=name)

    def export(self, name: str | None = None) -> Any:
        """All keys and their values."""
        return EXPORT(self.resource_handle, Tkeys=self.key_dtype, Tvalues=self.value_dtype, name=name)


@export(v2="lookup.StaticHashTable")
class StaticHashTable(Lookup):
    """A table that is filled once.  FailedPreconditionError for a key of several values.

    >>> import pullback as tf
    >>> table = tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(["a", "b"], [1, 2]), default_value=-1)
    >>> table.lookup(tf.constant(["b", "z"])).numpy().tolist()
    [2, -1]
    """

    def __init__(self, initializer: Any, default_value: Any, name: str | None = None, experimental_is_anonymous: bool = False) -> None:
        super().__init__(initializer.key_dtype, initializer.value_dtype, default_value, name)
        if self._default.dims != ():
            raise ValueError(f"Shapes {self._default.dims} and () are not compatible: the default value of a StaticHashTable is a scalar")
        self._initializer = initializer
        initializer.initialize(self)

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

    >>> import pullback as tf
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
        if isinstance(keys, (SparseTensor, RaggedTensor)):
            return self._find(keys, self._default, name)
        keys = self._checked(keys)
        known = self._find(keys, self._default)
        words = keys if keys.dtype is string else as_string(keys)
        others = to_hash_bucket_fast(words, self._buckets) + len(self.resource_handle.value.items)
        return where(known >= 0, known, others, name=name)

    def size(self, name: str | None = None) -> Tensor:
        """How many numbers there are."""
        return super().size(name) + self._buckets


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


@export("lookup.experimental.MutableHashTable")
class MutableHashTable(Lookup):
    """A table that changes.  default_value: a scalar, or a vector, as the values are then.  checkpoint: whether checkpoints keep it.

    >>> import pullback as tf
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

    def insert(self, keys: TensorLike, values: TensorLike, name: str | None = None) -> Any:
        """Let keys stand for values."""
        keys, values = convert_to_tensor(keys, self.key_dtype), convert_to_tensor(values, self.value_dtype)
        return INSERT(self.resource_handle, keys, values, name=name)

    def remove(self, keys: TensorLike, name: str | None = None) -> Any:
        """Take keys out, those that are there."""
        return REMOVE(self.resource_handle, convert_to_tensor(keys, self.key_dtype), name=name)


@export("lookup.experimental.DenseHashTable")
class DenseHashTable(MutableHashTable):
    """A table that changes, with two keys that mark empty places and deleted ones and are no keys of its own; keys may be vectors.

    initial_num_buckets: a power of 2, at least 4; nothing depends on it here.  `export` gives the keys that are there, without places.

    >>> import pullback as tf
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
        marks = [_units(np.asarray(key), table.key_dims)[0] for key in (empty, deleted)]
        if np.shape(empty) != np.shape(deleted) or marks[0] == marks[1]:
            raise InvalidArgumentError(None, None, "Empty and deleted keys cannot be equal, and are of one shape")
        table.marks = dict(zip(marks, ("empty_key", "deleted_key"), strict=True))

    def insert_or_assign(self, keys: Any, values: Any, name: str | None = None) -> Any:
        """Let keys stand for values."""
        return self.insert(keys, values, name)

    def erase(self, keys: Any, name: str | None = None) -> Any:
        """Take keys out, those that are there."""
        return self.remove(keys, name)
