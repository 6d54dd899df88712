"""Tables from keys to values, and the operations on their handles.

A session's graph makes its tables by `HashTableV2`, one in each session, which may be read when they are filled; everywhere else a table
is a value that is there at once.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from ..base.dtypes import DType, as_dtype, int64, resource, string
from ..base.errors import FailedPreconditionError, InvalidArgumentError
from ..base.files import file_errors
from ..base.shapes import show
from ..ir.apply import Site
from ..ir.op import define
from ..ir.tensor import Dims, TensorType
from .queues.operations import resource_type, share_resource

Array = np.ndarray[Any, Any]

#: Which part of a line is a key or a value, where that is no column.
WHOLE_LINE, LINE_NUMBER = -2, -1


class Table:
    """What keys stand for."""

    tensor_dtype: DType = resource
    dtype: DType = resource
    dims: Dims = None

    def __init__(self, key_dtype: DType, value_dtype: DType, value_dims: Iterable[Any] = (), ready: bool = True) -> None:
        self.key_dtype, self.value_dtype = key_dtype, value_dtype
        self.key_dims, self.value_dims = tuple[int, ...](), tuple[int, ...](value_dims)
        self.items: dict[Any, Any] = {}
        #: Keys that mark places of a dense table, and their names.
        self.marks: dict[Any, str] = {}
        #: Whether it may be read: a table that is filled once has been.
        self.ready = ready

    def keys_of(self, keys: Array) -> list[Any]:
        """Keys one by one; InvalidArgumentError for a mark among them."""
        found = units_of(keys, self.key_dims)
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
        self.items.update(zip(self.keys_of(keys), units_of(values, self.value_dims), strict=True))

    def require_ready(self) -> None:
        """Refuse to be read before it is filled."""
        if not self.ready:
            raise FailedPreconditionError(None, None, "Table not initialized.")

    def fill(self, keys: Array, values: Array) -> None:
        """Take values in for good; FailedPreconditionError for a second value of a key, and where there are others already."""
        found: dict[Any, Any] = {}
        for key, value in zip(np.ravel(keys).tolist(), np.ravel(values).tolist(), strict=True):
            if found.setdefault(key, value) != value:
                text = f"HashTable has different value for same key. Key {_show_item(key)} has {_show_item(found[key])}"
                raise FailedPreconditionError(None, None, f"{text} and trying to add value {_show_item(value)}")
        if self.ready and found != self.items:
            raise FailedPreconditionError(None, None, "Table was already initialized with different data.")
        self.items, self.ready = found, True

    def cancel(self, why: str) -> None:
        """Nobody waits for a table."""


def _show_item(item: Any) -> str:
    return item.decode(errors="replace") if isinstance(item, bytes) else str(item)


def units_of(array: Array, dims: tuple[int, ...]) -> list[Any]:
    """The scalars of an array, or its vectors as tuples."""
    return list(map(tuple, array.reshape(-1, *dims).tolist())) if dims else np.ravel(array).tolist()


def _array(items: Sequence[Any], dtype: DType, dims: tuple[int, ...] = ()) -> Array:
    flat = [part for item in items for part in item] if dims else items
    found = np.empty(len(flat), dtype.numpy_dtype)
    found[:] = flat
    return found.reshape(len(items), *dims)


def _find(table_handle: Table, keys: Array, default_value: Array, *, site: Site) -> Array:
    table_handle.require_ready()
    dims = table_handle.value_dims
    wanted = table_handle.outer(keys) + dims
    if default_value.shape not in (dims, wanted) and (dims or default_value.size != 1):
        text = f"Expected a default value for all keys or one for each, of shape {show(wanted)}, got shape {show(default_value.shape)}"
        raise InvalidArgumentError(None, None, text)
    defaults = units_of(default_value, dims)
    unknown = defaults if default_value.shape == wanted else itertools.repeat(defaults[0])
    found = list(map(table_handle.items.get, table_handle.keys_of(keys), unknown))
    return _array(found, table_handle.value_dtype, dims).reshape(wanted)


def _remove(table_handle: Table, keys: Array, *, site: Site) -> None:
    for key in table_handle.keys_of(keys):
        table_handle.items.pop(key, None)


def _export(table_handle: Table, *, site: Site, Tkeys: DType, Tvalues: DType) -> tuple[Array, Array]:
    table_handle.require_ready()
    keys, values = list(table_handle.items), list(table_handle.items.values())
    return _array(keys, Tkeys, table_handle.key_dims), _array(values, Tvalues, table_handle.value_dims)


def _hash_table(
    *, site: Site, key_dtype: DType, value_dtype: DType, container: str = "", shared_name: str = "", use_node_name_sharing: bool = False
) -> Table:  # fmt: skip
    """A session's table of this name, which is filled later."""
    return share_resource(site, shared_name, lambda name: Table(as_dtype(key_dtype), as_dtype(value_dtype), ready=False), container)


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
HASH_TABLE = define("HashTableV2", "", resource_type, _hash_table, {}, outputs="table_handle", **_STATE)
IMPORT = define(
    "LookupTableImportV2", "table_handle:resource keys:Tin values:Tout", lambda table_handle, keys, values: (),
    lambda table_handle, keys, values, *, site: table_handle.fill(keys, values), {}, outputs="", **_STATE,
)  # fmt: skip


def _lines_type(
    table_handle: Any, filename: Any, *, key_index: int, value_index: int, vocab_size: int = -1, delimiter: str = "\t", offset: int = 0
) -> tuple[()]:
    return ()


def _import_lines(table_handle: Table, filename: Array, *, site: Site, **columns: Any) -> None:
    name: Any = filename[()]
    table_handle.fill(*_read_lines(name.decode(), table_handle, **columns))


IMPORT_LINES = define(
    "InitializeTableFromTextFileV2", "table_handle:resource filename:string", _lines_type, _import_lines, {}, outputs="", **_STATE,
)  # fmt: skip


def _read_lines(
    name: str, table: Table, key_index: int, value_index: int, vocab_size: int = -1, delimiter: str = "\t", offset: int = 0
) -> tuple[Array, Array]:
    """The keys and values that the lines of a file hold."""
    with file_errors(name), open(name, "rb") as file:
        lines = file.read().splitlines()[: None if vocab_size < 0 else vocab_size]
    if len(lines) < vocab_size:
        raise InvalidArgumentError(None, None, f"Invalid vocab_size in {name}: expected {vocab_size} but got {len(lines)}")

    def column(index: int, dtype: DType, first: int) -> Array:
        return _array([_part_of(name, line, i, index, dtype, delimiter, first) for i, line in enumerate(lines)], dtype)

    return column(key_index, table.key_dtype, 0), column(value_index, table.value_dtype, offset)


def _part_of(name: str, line: bytes, number: int, index: int, dtype: DType, delimiter: str, first: int) -> Any:
    if index == LINE_NUMBER:
        return number + first
    parts = [line] if index == WHOLE_LINE else line.split(delimiter.encode())
    place = max(index, 0)
    if place >= len(parts):
        text = f"Invalid number of columns in {name} line {number} ({_show_item(line)}) : expected {index} got {len(parts)}"
        raise InvalidArgumentError(None, None, text)
    return parts[place] if dtype is string else dtype.numpy_dtype.type(parts[place])
