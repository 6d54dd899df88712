"""Tables that number words, and back: made from files and tensors, as programs of TensorFlow 1 do with their vocabularies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from ..base.dtypes import as_dtype, int64, string
from ..base.export import export
from ..ir.apply import convert_to_tensor
from ..ir.context import scope
from ..ir.tensor import Tensor
from ..ops.array.create import range as range_
from ..ops.array.shape import size
from ..ops.primitives.cast import cast
from .lookup import KeyValueTensorInitializer, StaticHashTable, StaticHashTableV1, StaticVocabularyTableV1, TextFileInitializer
from .lookup_table import LINE_NUMBER, WHOLE_LINE
from .strings.hash import to_hash_bucket_strong


@export(v1="contrib.lookup.HasherSpec")
class HasherSpec(NamedTuple):
    """How a word that is not in a table gets its bucket: by "fasthash", or by "stronghash" with a key of two integers.

    >>> tf1.contrib.lookup.HasherSpec("fasthash", None) == tf1.contrib.lookup.FastHashSpec
    True
    """

    hasher: str
    key: Any


FastHashSpec = export(v1="contrib.lookup.FastHashSpec")(HasherSpec("fasthash", None))


@export(v1="contrib.lookup.StrongHashSpec")
def StrongHashSpec(key: Sequence[int]) -> HasherSpec:  # TensorFlow's name
    """Buckets that nobody can foresee who does not know the key of two integers.

    >>> tf1.contrib.lookup.StrongHashSpec([1, 2]).hasher
    'stronghash'
    """
    if len(key) != 2:
        raise ValueError(f"`key` must have size 2, received {len(key)}")
    if not all(isinstance(part, int) for part in key):
        raise TypeError(f"Invalid `key` {key}. Must be unsigned integer values.")
    return HasherSpec("stronghash", list(key))


class _KeyedVocabularyTable(StaticVocabularyTableV1):
    """A table of words whose buckets a key decides."""

    def __init__(self, initializer: Any, num_oov_buckets: int, key: Sequence[int]) -> None:
        super().__init__(initializer, num_oov_buckets)
        self._key = key

    def _bucket(self, words: Tensor) -> Tensor:
        return to_hash_bucket_strong(words, self._buckets, self._key)


def number_keys(initializer: Any, num_oov_buckets: int, default_value: Any, hasher_spec: Any) -> StaticHashTable:
    """The table that an initializer fills: with buckets for other keys, or with one value for all of them."""
    if not num_oov_buckets:
        return StaticHashTableV1(initializer, default_value)
    if not isinstance(hasher_spec, HasherSpec):
        raise TypeError(f"`hasher_spec` must be of type HasherSpec, got {type(hasher_spec)}.")
    if hasher_spec.hasher not in ("fasthash", "stronghash"):
        raise ValueError(f"Found unknown hasher {hasher_spec.hasher} in `hasher_spec`")
    if hasher_spec.hasher == "stronghash":
        return _KeyedVocabularyTable(initializer, num_oov_buckets, hasher_spec.key)
    return StaticVocabularyTableV1(initializer, num_oov_buckets)


def _require_file(vocabulary_file: Any, vocab_size: int | None) -> None:
    if (isinstance(vocabulary_file, str) and not vocabulary_file) or vocabulary_file is None:
        raise ValueError("`vocabulary_file` must be specified and must not be empty.")
    if vocab_size is not None and vocab_size < 1:
        raise ValueError(f"`vocab_size` must be greater than 0, got {vocab_size} for vocabulary_file: {vocabulary_file}.")


@export(v1="contrib.lookup.index_table_from_file")
def index_table_from_file(
    vocabulary_file: Any = None, num_oov_buckets: int = 0, vocab_size: int | None = None, default_value: Any = -1,
    hasher_spec: Any = FastHashSpec, key_dtype: Any = string, name: str | None = None, key_column_index: int = WHOLE_LINE,
    value_column_index: int = LINE_NUMBER, delimiter: str = "\t",
) -> StaticHashTable:  # fmt: skip
    """A table from the lines of a file to their numbers, int64.

    num_oov_buckets: how many numbers behind those are for other words; `default_value` is for them where there are none.
    Raises ValueError for no file and sizes below 1, TypeError for keys that are neither integers nor strings.

    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile("w", suffix=".txt") as file, tf1.Graph().as_default(), tf1.Session() as session:
    ...     _ = file.write("emerson\\nlake\\npalmer\\n")
    ...     file.flush()
    ...     table = tf1.contrib.lookup.index_table_from_file(file.name, num_oov_buckets=1)
    ...     session.run(tf1.tables_initializer())
    ...     session.run(table.lookup(tf1.constant(["lake", "palmer", "king"]))).tolist()
    [1, 2, 3]
    """
    _require_file(vocabulary_file, vocab_size)
    if num_oov_buckets < 0:
        raise ValueError(f"num_oov_buckets must be greater or equal than 0, got {num_oov_buckets}.")
    dtype = as_dtype(key_dtype)
    if not dtype.is_integer and dtype is not string:
        raise TypeError("Dtype for `keys` should be either integer or string.")
    with scope(name, "string_to_index"):
        keys = int64 if dtype.is_integer else string
        columns = keys, key_column_index, int64, value_column_index
        initializer = TextFileInitializer(vocabulary_file, *columns, vocab_size=vocab_size, delimiter=delimiter)
        return number_keys(initializer, num_oov_buckets, default_value, hasher_spec)


@export(v1="contrib.lookup.index_table_from_tensor")
def index_table_from_tensor(
    vocabulary_list: Any, num_oov_buckets: int = 0, default_value: Any = -1, hasher_spec: Any = FastHashSpec, dtype: Any = string,
    name: str | None = None,
) -> StaticHashTable:  # fmt: skip
    """A table from words or integers to their places in a vector, int64; otherwise as `index_table_from_file`.

    >>> with tf1.Graph().as_default(), tf1.Session() as session:
    ...     table = tf1.contrib.lookup.index_table_from_tensor(["emerson", "lake"])
    ...     session.run(tf1.tables_initializer())
    ...     session.run(table.lookup(tf1.constant(["lake", "king"]))).tolist()
    [1, -1]
    """
    if vocabulary_list is None:
        raise ValueError("`vocabulary_list` must be specified.")
    if num_oov_buckets < 0:
        raise ValueError(f"`num_oov_buckets` must be greater than or equal to 0, got {num_oov_buckets}.")
    wanted = as_dtype(dtype)
    if not wanted.is_integer and wanted is not string:
        raise TypeError("`dtype` must either be integer or string.")
    with scope(name, "string_to_index"):
        keys = convert_to_tensor(vocabulary_list, name="keys")
        if keys.dtype.is_integer != wanted.is_integer:
            expected = "integer" if wanted.is_integer else "non-integer"
            raise ValueError(f"Invalid `dtype`: Expected {expected}, got {keys.dtype!r}.")
        if not wanted.is_integer and keys.dtype.base_dtype is not string:
            raise ValueError(f"Invalid `dtype`: Expected {string!r}, got {keys.dtype!r}.")
        keys = cast(keys, int64) if wanted.is_integer else keys
        initializer = KeyValueTensorInitializer(keys, _places(keys))
        return number_keys(initializer, num_oov_buckets, default_value, hasher_spec)


def _places(keys: Tensor) -> Tensor:
    return range_(size(keys, out_type=int64))


@export(v1="contrib.lookup.index_to_string_table_from_file")
def index_to_string_table_from_file(
    vocabulary_file: Any, vocab_size: int | None = None, default_value: str = "UNK", name: str | None = None,
    key_column_index: int = LINE_NUMBER, value_column_index: int = WHOLE_LINE, delimiter: str = "\t",
) -> StaticHashTable:  # fmt: skip
    """A table from the numbers of lines, int64, to the lines of a file.

    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile("w", suffix=".txt") as file, tf1.Graph().as_default(), tf1.Session() as session:
    ...     _ = file.write("emerson\\nlake\\n")
    ...     file.flush()
    ...     table = tf1.contrib.lookup.index_to_string_table_from_file(file.name)
    ...     session.run(tf1.tables_initializer())
    ...     session.run(table.lookup(tf1.constant([1, 5], tf1.int64))).tolist()
    [b'lake', b'UNK']
    """
    _require_file(vocabulary_file, vocab_size)
    with scope(name, "index_to_string"):
        columns = int64, key_column_index, string, value_column_index
        initializer = TextFileInitializer(vocabulary_file, *columns, vocab_size=vocab_size, delimiter=delimiter)
        return StaticHashTableV1(initializer, default_value)


@export(v1="contrib.lookup.index_to_string_table_from_tensor")
def index_to_string_table_from_tensor(vocabulary_list: Any, default_value: str = "UNK", name: str | None = None) -> StaticHashTable:
    """A table from places in a vector of words, int64, to the words.

    >>> with tf1.Graph().as_default(), tf1.Session() as session:
    ...     table = tf1.contrib.lookup.index_to_string_table_from_tensor(["emerson", "lake"])
    ...     session.run(tf1.tables_initializer())
    ...     session.run(table.lookup(tf1.constant([1, 5], tf1.int64))).tolist()
    [b'lake', b'UNK']
    """
    if vocabulary_list is None:
        raise ValueError("`vocabulary_list` argument must be specified.")
    with scope(name, "index_to_string"):
        words = convert_to_tensor(vocabulary_list, string)
        return StaticHashTableV1(KeyValueTensorInitializer(_places(words), words), default_value)
