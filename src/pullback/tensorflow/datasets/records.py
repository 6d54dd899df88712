"""TFRecord files: records one after the other, each with its length and two checksums."""

from __future__ import annotations

import gzip
import io
import os
import struct
import zlib
from collections.abc import Iterator
from typing import Any, BinaryIO

from ...base.errors import DataLossError, InvalidArgumentError
from ...base.export import export
from ...base.files import file_errors, local_path
from .checksum import masked_checksum

_COMPRESSIONS = ("", "GZIP", "ZLIB")


@export(v1="python_io.TFRecordCompressionType")
class TFRecordCompressionType:
    """How a file is compressed, in numbers.

    >>> tf1.python_io.TFRecordCompressionType.GZIP
    2
    """

    NONE, ZLIB, GZIP = range(3)


@export("io.TFRecordOptions", v1="python_io.TFRecordOptions")
class TFRecordOptions:
    """How a file is compressed: `compression_type` "", "GZIP", "ZLIB" or a `TFRecordCompressionType`; `compression_level` 0 to 9.

    The other options are taken; nothing hangs on them.

    >>> tf.io.TFRecordOptions("GZIP", compression_level=9).compression_type
    'GZIP'
    """

    def __init__(
        self, compression_type: Any = None, flush_mode: Any = None, input_buffer_size: Any = None, output_buffer_size: Any = None,
        window_bits: Any = None, compression_level: Any = None, compression_method: Any = None, mem_level: Any = None,
        compression_strategy: Any = None,
    ) -> None:  # fmt: skip
        self.get_compression_type_string(compression_type)
        self.compression_type = compression_type
        self.flush_mode, self.input_buffer_size, self.output_buffer_size = flush_mode, input_buffer_size, output_buffer_size
        self.window_bits, self.compression_level, self.compression_method = window_bits, compression_level, compression_method
        self.mem_level, self.compression_strategy = mem_level, compression_strategy

    @classmethod
    def get_compression_type_string(cls, options: Any) -> str:
        """The compression in words; a ValueError for one that there is not."""
        if not options:
            return ""
        if isinstance(options, TFRecordOptions):
            return cls.get_compression_type_string(options.compression_type)
        found = {TFRecordCompressionType.ZLIB: "ZLIB", TFRecordCompressionType.GZIP: "GZIP"}.get(options, options)
        if found not in _COMPRESSIONS:
            raise ValueError(f'Not a valid compression_type: "{options}"')
        return str(found)


@export("io.TFRecordWriter", v1="python_io.TFRecordWriter")
class TFRecordWriter:
    """Writes records to a file.

    >>> import os, pullback as tf
    >>> path = os.path.join(getfixture("tmp_path"), "words.tfrecord")
    >>> with tf.io.TFRecordWriter(path) as writer:
    ...     for word in (b"a", b"bc"):
    ...         writer.write(word)
    >>> list(tf.data.TFRecordDataset(path).as_numpy_iterator())
    [b'a', b'bc']
    """

    def __init__(self, path: str | os.PathLike[str], options: Any = None) -> None:
        options = options if isinstance(options, TFRecordOptions) else TFRecordOptions(options)
        kind = options.get_compression_type_string(options)
        level = -1 if options.compression_level is None else options.compression_level
        self._name = local_path(path)
        with file_errors(self._name):
            file: BinaryIO = open(self._name, "wb")  # noqa: SIM115  # open until `close`
        self._file: Any = file
        if kind == "GZIP":
            self._file = gzip.GzipFile(fileobj=file, mode="wb", compresslevel=9 if level < 0 else level)
        self._raw = file
        self._deflate: Any = zlib.compressobj(level) if kind == "ZLIB" else None

    def write(self, record: bytes | str) -> None:
        """Write a record."""
        if self._raw.closed:
            raise InvalidArgumentError(None, None, "Writer is closed.")
        record = record.encode() if isinstance(record, str) else record
        length = struct.pack("<Q", len(record))
        self._put(b"".join([length, struct.pack("<I", masked_checksum(length)), record, struct.pack("<I", masked_checksum(record))]))

    def _put(self, data: bytes) -> None:
        with file_errors(self._name):
            self._file.write(data if self._deflate is None else self._deflate.compress(data))

    def flush(self) -> None:
        """Let other programs see what was written."""
        with file_errors(self._name):
            if self._deflate is not None:
                self._file.write(self._deflate.flush(zlib.Z_SYNC_FLUSH))
            self._file.flush()
            self._raw.flush()

    def close(self) -> None:
        """End the file."""
        if self._raw.closed:
            return
        with file_errors(self._name), self._raw:
            if self._deflate is not None:
                self._file.write(self._deflate.flush())
            self._file.close()

    def __enter__(self) -> TFRecordWriter:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def open_file(path: Any, compression: str) -> io.BufferedReader:
    """A file to read, decompressed."""
    name = local_path(path)
    with file_errors(name):
        if compression == "GZIP":
            return io.BufferedReader(gzip.open(name, "rb"))
        file = open(name, "rb")  # noqa: SIM115  # the caller closes it
        if compression == "ZLIB":
            with file:
                return io.BufferedReader(io.BytesIO(zlib.decompress(file.read())))
        return file


def records(path: object, compression: str) -> Iterator[bytes]:
    """The records of a file; a DataLossError where it is damaged."""
    with open_file(path, compression) as file:
        at = 0
        while len(head := file.read(12)) == 12:
            (length,), (crc,) = struct.unpack("<Q", head[:8]), struct.unpack("<I", head[8:])
            if masked_checksum(head[:8]) != crc:
                raise DataLossError(None, None, f"corrupted record at {at}")
            body = file.read(length + 4)
            if len(body) < length + 4:
                raise DataLossError(None, None, f"truncated record at {at}")
            if masked_checksum(body[:-4]) != struct.unpack("<I", body[-4:])[0]:
                raise DataLossError(None, None, f"corrupted record at {at}")
            yield body[:-4]
            at += length + 16


@export(v1=("io.tf_record_iterator", "python_io.tf_record_iterator"))
def tf_record_iterator(path: str | os.PathLike[str], options: object = None) -> Iterator[bytes]:
    """The records of a file.

    >>> import os
    >>> path = os.path.join(getfixture("tmp_path"), "words.tfrecord")
    >>> with tf1.io.TFRecordWriter(path, "ZLIB") as writer:
    ...     writer.write(b"a")
    >>> list(tf1.io.tf_record_iterator(path, tf1.io.TFRecordOptions("ZLIB")))
    [b'a']
    """
    return records(path, TFRecordOptions.get_compression_type_string(options))
