"""Datasets in a folder: what `Dataset.save` writes and `Dataset.load` reads, the specs of the elements and a file of records."""

from __future__ import annotations

import json
import os
import struct
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ...base.dtypes import DType, as_dtype, string
from ...base.errors import DataLossError
from ...base.files import file_errors, local_path, make_folders
from ...base.lazy_import import LateModule
from ...ir.apply import convert_to_tensor
from .records import TFRecordWriter, records
from .structure import Layout

if TYPE_CHECKING:
    from ..saved_model import encoding
    from .dataset import DatasetBase
else:
    encoding = LateModule("pullback.tensorflow.saved_model.encoding")

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


def about(path: Any) -> tuple[Any, int]:
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
        found = np.empty(len(pieces), object) if dtype is string else np.frombuffer(pieces[0], dtype.numpy)
        if dtype is string:
            found[:] = pieces
        yield found.reshape(shape)
