"""Datasets in files: what `Dataset.save` writes and `Dataset.load` reads, and what `Dataset.cache` keeps.

Both have a file of records, one for each element, and one that says what is in it.  That one is written last.
"""

from __future__ import annotations

import json
import os
import struct
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import numpy as np

from ...base.dtypes import DType, as_dtype, string, variant
from ...base.errors import AlreadyExistsError, DataLossError, InvalidArgumentError, UnimplementedError
from ...base.files import file_errors, local_path, make_folders
from ...base.lazy_import import LazyModule
from ...ir.apply import convert_to_tensor
from .batching import as_array
from .records import TFRecordWriter, records
from .source import Pass, Source
from .structure import Element, Layout

if TYPE_CHECKING:
    from ..saved_model import encoding
    from .dataset import DatasetBase
else:
    encoding = LazyModule("pullback.tensorflow.saved_model.encoding")

_ABOUT, _ELEMENTS = "dataset.json", "elements.tfrecord"
_LENGTH = struct.Struct("<Q")


def write(dataset: DatasetBase, path: Any, compression: str | None) -> None:
    """Write a dataset into a folder, which is made."""
    folder, layout = local_path(path), Layout(dataset.element_spec)
    with file_errors(folder):
        make_folders(folder)
        with TFRecordWriter(os.path.join(folder, _ELEMENTS), _kind(compression)) as writer:
            count = 0
            for element in dataset:
                count += 1
                writer.write(_pack_arrays([(t.dtype.base_dtype, t.value) for t in layout.tensors(element)]))
        with open(os.path.join(folder, _ABOUT), "w", encoding="utf-8") as file:
            json.dump({"element_spec": encoding.Encoder().value(dataset.element_spec), "count": count}, file)


def read_about(path: Any) -> tuple[Any, int]:
    """The specs of the elements in a folder, and how many there are."""
    name = os.path.join(local_path(path), _ABOUT)
    with file_errors(name), open(name, encoding="utf-8") as file:
        text = file.read()
    try:
        found = json.loads(text)
        return encoding.Decoder([], [], [], lambda _: None).value(found["element_spec"]), int(found["count"])
    except (KeyError, IndexError, TypeError, ValueError) as error:
        raise DataLossError(None, None, f"{name} is damaged: {error}") from error


def read(path: Any, spec: Any, count: int, compression: str | None) -> Iterator[Any]:
    """The elements in a folder."""
    layout, name = Layout(spec), os.path.join(local_path(path), _ELEMENTS)
    number = 0
    for record in records(name, _kind(compression)):
        number += 1
        try:
            yield layout.pack([convert_to_tensor(part) for part in _unpack_record(record)])
        except (struct.error, ValueError, TypeError, IndexError) as error:
            raise DataLossError(None, None, f"{name} is damaged: {error}") from error
    if number != count:
        raise DataLossError(None, None, f"{name} has {number} elements, {count} were written")


def _kind(compression: str | None) -> str:
    return "" if compression in (None, "NONE") else str(compression)


def _pack_arrays(parts: Sequence[tuple[DType, np.ndarray]]) -> bytes:
    """Arrays as bytes: the dtype, the shape and the lengths of each, then what they hold."""
    heads, data = list[Any](), list[bytes]()
    for dtype, array in parts:
        pieces = np.ravel(array).tolist() if dtype is string else [np.ascontiguousarray(array).tobytes()]
        heads.append([dtype.name, array.shape, [len(piece) for piece in pieces]])
        data += pieces
    head = json.dumps(heads).encode()
    return b"".join([_LENGTH.pack(len(head)), head, *data])


def _unpack_record(record: bytes) -> Iterator[np.ndarray]:
    (length,) = _LENGTH.unpack_from(record)
    at = _LENGTH.size + length
    for name, shape, lengths in json.loads(record[_LENGTH.size : at]):
        pieces, dtype = [], as_dtype(name)
        for size in lengths:
            pieces.append(record[at : at + size])
            at += size
        found = np.empty(len(pieces), object) if dtype is string else np.frombuffer(pieces[0], dtype.numpy_dtype)
        if dtype is string:
            found[:] = pieces
        yield found.reshape(shape)


class FileCache(Source):
    """Elements that are kept in files once all have been made; those that the files have, where they are there.

    name: what the names of the files begin with.  layout: of the elements.
    """

    def __init__(self, source: Source, name: str, layout: Layout) -> None:
        super().__init__(self._keep, source.size, source)
        if any(part.dtype is variant for part in layout.flat):
            raise UnimplementedError(None, None, "Dataset.cache: datasets cannot be kept in files; make elements of them with `flat_map`")
        self._name, self._dtypes = name, [part.dtype for part in layout.flat]
        self._index, self._data, self._lock = f"{name}.index", f"{name}.data-00000-of-00001", f"{name}_0.lockfile"

    def elements(self, run: Pass) -> Iterator[Element]:
        """An iterator over what the files have, or over the source."""
        return self._read() if os.path.exists(self._index) else super().elements(run)

    def _keep(self, run: Pass, coming: Iterator[Element]) -> Iterator[Element]:
        self._take_lock()
        part = f"{self._data}.part"
        try:
            count = 0
            with TFRecordWriter(part) as writer:
                for element in coming:
                    writer.write(_pack_arrays(list(zip(self._dtypes, map(as_array, element), strict=True))))
                    count += 1
                    yield element
            with file_errors(self._index):
                os.replace(part, self._data)
                with open(f"{self._index}.part", "w", encoding="utf-8") as file:
                    json.dump({"count": count}, file)
                os.replace(f"{self._index}.part", self._index)
        finally:
            for name in (part, f"{self._index}.part", self._lock):
                with suppress(FileNotFoundError):
                    os.remove(name)

    def _take_lock(self) -> None:
        try:
            with file_errors(self._lock):
                os.close(os.open(self._lock, os.O_CREAT | os.O_EXCL | os.O_WRONLY))
        except AlreadyExistsError:
            raise AlreadyExistsError(
                None, None,
                f"There appears to be a concurrent caching iterator running - cache lockfile already exists ('{self._lock}'). If no other "
                "program goes through this dataset, a program that was ended left it: delete the file.",
            ) from None  # fmt: skip

    def _read(self) -> Iterator[Element]:
        try:
            with file_errors(self._index), open(self._index, encoding="utf-8") as file:
                count = int(json.load(file)["count"])
        except (KeyError, TypeError, ValueError) as error:
            raise DataLossError(None, None, f"{self._index} is damaged: {error}") from error
        number = 0
        for record in records(self._data, ""):
            number += 1
            try:
                element = tuple(_unpack_record(record))
            except (struct.error, ValueError, TypeError, IndexError) as error:
                raise DataLossError(None, None, f"{self._data} is damaged: {error}") from error
            self._require_dtypes(element)
            yield element
        if number != count:
            raise DataLossError(None, None, f"{self._data} has {number} elements, {count} were written")

    def _require_dtypes(self, element: Element) -> None:
        """Refuse what another dataset wrote."""
        if len(element) != len(self._dtypes):
            text = f"{self._name} keeps elements of {len(element)} components, this dataset has {len(self._dtypes)}; delete the files"
            raise InvalidArgumentError(None, None, text)
        for at, (array, dtype) in enumerate(zip(element, self._dtypes, strict=True)):
            if array.dtype != dtype.numpy_dtype:
                found = "string" if array.dtype == object else array.dtype
                text = f"Data type mismatch at component {at}: expected {dtype.name} but got {found}."
                raise InvalidArgumentError(None, None, f"{text} The files of {self._name} are another dataset's; delete them")
