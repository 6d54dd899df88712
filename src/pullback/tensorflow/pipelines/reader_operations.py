"""Readers of files whose names a queue gives: what the operations on them work on, and the operations."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from threading import Lock
from typing import Any

import numpy as np

from ...base.dtypes import int64, string
from ...base.errors import InvalidArgumentError
from ...base.files import file_errors, local_path
from ...ir.apply import Site
from ...ir.op import Op, define
from ...ir.tensor import TensorType
from ...ops.batching import answer_once, write_once
from ..datasets.records import open_file, records
from ..queues.operations import deadline, resource_type, share_resource
from ..queues.value import Queue, Shared

Array = np.ndarray[Any, Any]
#: The records of a file, each with its key.
Read = Callable[[bytes], Iterator[tuple[bytes, bytes]]]


class Reader(Shared):
    """Reads one file after the other; a queue is asked for the next when one is at its end."""

    def __init__(self, name: str, read: Read) -> None:
        super().__init__(name)
        self._read, self._lock = read, Lock()
        self.reset()

    def reset(self) -> None:
        """Begin anew."""
        with self._lock:
            self.produced = self.completed = 0
            self._coming: Iterator[tuple[bytes, bytes]] | None = None

    def next(self, queue: Queue, deadline: float | None) -> tuple[bytes, bytes]:
        """The next record; OutOfRangeError where there is none, and the queue is closed."""
        with self._lock:
            while True:
                if self._coming is None:
                    ((name,),) = queue.dequeue(1, deadline=deadline)
                    self._coming = self._read(name.item())
                found = next(self._coming, None)
                if found is not None:
                    self.produced += 1
                    return found
                self._finish()

    def some(self, queue: Queue, number: int, deadline: float | None) -> list[tuple[bytes, bytes]]:
        """One record at least, and at most `number`: what the file still has."""
        found = [self.next(queue, deadline)]
        with self._lock:
            while len(found) < number and self._coming is not None:
                record = next(self._coming, None)
                if record is None:
                    self._finish()
                else:
                    self.produced += 1
                    found.append(record)
        return found

    def _finish(self) -> None:
        self._coming = None
        self.completed += 1


# ---- what the kinds of readers read


def _read_whole(path: bytes) -> Iterator[tuple[bytes, bytes]]:
    with file_errors(path), open(local_path(path), "rb") as file:
        yield path, file.read()


def _read_itself(item: bytes) -> Iterator[tuple[bytes, bytes]]:
    yield item, item


def _lines(skipped: int) -> Read:
    def read(path: bytes) -> Iterator[tuple[bytes, bytes]]:
        with open_file(path, "") as file:
            for number, line in enumerate(file, 1):
                if number > skipped:
                    yield b"%s:%d" % (path, number), line.removesuffix(b"\n").removesuffix(b"\r")

    return read


def _records(compression: str) -> Read:
    def read(path: bytes) -> Iterator[tuple[bytes, bytes]]:
        at = 0
        for record in records(path, compression):
            yield b"%s:%d" % (path, at), record
            at += len(record) + 16

    return read


def _pieces(size: int, header: int, footer: int, hop: int, encoding: str) -> Read:
    if size <= 0:
        raise InvalidArgumentError(None, None, f"record_bytes must be > 0, got {size}")
    if min(header, footer, hop) < 0:
        raise InvalidArgumentError(None, None, f"header, footer and hop bytes must be >= 0, got {header}, {footer} and {hop}")
    if encoding not in ("", "ZLIB"):
        raise InvalidArgumentError(None, None, f"unsupported encoding: {encoding}")

    def read(path: bytes) -> Iterator[tuple[bytes, bytes]]:
        with open_file(path, "") as file:
            content = file.read()
        content = zlib.decompress(content) if encoding else content
        last = len(content) - footer - size
        for number, at in enumerate(range(header, last + 1, hop or size)):
            yield b"%s:%d" % (path, number), content[at : at + size]

    return read


# ---- the operations


def _maker(name: str, kernel: Callable[..., Reader]) -> Op:
    return define(name, "", resource_type, kernel, {}, outputs="reader_handle", stateful=True, batch=answer_once)


def _define_reader(read: Read) -> Callable[..., Reader]:
    def kernel(*, site: Site, container: str = "", shared_name: str = "") -> Reader:
        return share_resource(site, shared_name, lambda name: Reader(name, read), container)

    return kernel


def _line_reader(*, site: Site, skip_header_lines: int = 0, container: str = "", shared_name: str = "") -> Reader:
    return share_resource(site, shared_name, lambda name: Reader(name, _lines(skip_header_lines)), container)


def _record_reader(*, site: Site, container: str = "", shared_name: str = "", compression_type: str = "") -> Reader:
    return share_resource(site, shared_name, lambda name: Reader(name, _records(compression_type)), container)


def _piece_reader(
    *, site: Site, record_bytes: int, header_bytes: int = 0, footer_bytes: int = 0, hop_bytes: int = 0, container: str = "",
    shared_name: str = "", encoding: str = "",
) -> Reader:  # fmt: skip
    read = _pieces(record_bytes, header_bytes, footer_bytes, hop_bytes, encoding)
    return share_resource(site, shared_name, lambda name: Reader(name, read), container)


WHOLE_FILES = _maker("WholeFileReaderV2", _define_reader(_read_whole))
IDENTITY = _maker("IdentityReaderV2", _define_reader(_read_itself))
LINES = _maker("TextLineReaderV2", _line_reader)
RECORDS = _maker("TFRecordReaderV2", _record_reader)
PIECES = _maker("FixedLengthRecordReaderV2", _piece_reader)


def _read(reader_handle: Reader, queue_handle: Queue, *, site: Site) -> tuple[Array, Array]:
    key, value = reader_handle.next(queue_handle, deadline(site))
    return np.array(key, object), np.array(value, object)


def _read_up_to(reader_handle: Reader, queue_handle: Queue, num_records: Array, *, site: Site) -> tuple[Array, Array]:
    found = reader_handle.some(queue_handle, int(num_records), deadline(site))
    keys, values = (np.empty(len(found), object) for _ in range(2))
    for i, (key, value) in enumerate(found):
        keys[i], values[i] = key, value
    return keys, values


READ = define(
    "ReaderReadV2", "reader_handle:R queue_handle:R", lambda reader_handle, queue_handle: (TensorType((), string), TensorType((), string)),
    _read, {}, outputs="key value", stateful=True, effects=True, batch=write_once,
)  # fmt: skip
READ_UP_TO = define(
    "ReaderReadUpToV2", "reader_handle:R queue_handle:R num_records:int64",
    lambda reader_handle, queue_handle, num_records: (TensorType((None,), string), TensorType((None,), string)),
    _read_up_to, {}, outputs="keys values", stateful=True, effects=True, batch=write_once,
)  # fmt: skip
PRODUCED = define(
    "ReaderNumRecordsProducedV2", "reader_handle:R", lambda reader_handle: TensorType((), int64),
    lambda reader_handle, *, site: np.int64(reader_handle.produced), {},
    outputs="records_produced", stateful=True, effects=True, batch=write_once,
)  # fmt: skip
COMPLETED = define(
    "ReaderNumWorkUnitsCompletedV2", "reader_handle:R", lambda reader_handle: TensorType((), int64),
    lambda reader_handle, *, site: np.int64(reader_handle.completed), {},
    outputs="units_completed", stateful=True, effects=True, batch=write_once,
)  # fmt: skip
RESET = define(
    "ReaderResetV2", "reader_handle:R", lambda reader_handle: (), lambda reader_handle, *, site: reader_handle.reset(),
    {}, outputs="", stateful=True, effects=True, batch=write_once,
)  # fmt: skip
