"""`tf.io.gfile.GFile`: an open file in TensorFlow's manner."""

from __future__ import annotations

import os
from typing import IO, Any

from ...base.errors import InvalidArgumentError, OutOfRangeError, PermissionDeniedError
from ...base.export import export
from ...base.files import file_errors, local_path

_MODES = ("r", "w", "a", "r+", "w+", "a+")
_READABLE = ("r", "r+", "w+", "a+")


@export("io.gfile.GFile", v1=("gfile.FastGFile", "gfile.GFile", "gfile.Open"))
class GFile:
    """A file, which is opened when it is first read or written.

    Lengths and places are counted in bytes; without "b" in `mode`, what is read is text in UTF-8.

    Args:
        name: its path, which may begin with `file://`.
        mode: "r", "w", "a", "r+", "w+" or "a+", with a "b" for bytes.  All but "r" write; "r+" and "w+" begin anew.

    Raises InvalidArgumentError for another mode; when it is used, NotFoundError and the like where the system refuses, and
    PermissionDeniedError where the mode does.

    >>> import os, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with tf.io.gfile.GFile(os.path.join(folder, "a.txt"), "w") as file:
    ...         file.write("hello")
    ...     with tf.io.gfile.GFile(os.path.join(folder, "a.txt")) as file:
    ...         file.seek(1)
    ...         file.read(3), file.tell(), file.size()
    ('ell', 4, 5)
    """

    def __init__(self, name: str | os.PathLike[str], mode: str = "r") -> None:
        self._reader: IO[bytes] | None = None  # before the mode is looked at: `__del__` closes what was never opened too
        self._writer: IO[bytes] | None = None
        self._name, self._mode = name, mode
        self._kind, self._binary = mode.replace("b", ""), "b" in mode
        if self._kind not in _MODES:
            raise InvalidArgumentError(None, None, "mode is not 'r' or 'w' or 'a' or 'r+' or 'w+' or 'a+'")

    @property
    def name(self) -> Any:
        """The path, as it was given."""
        return self._name

    @property
    def mode(self) -> str:
        """How it was opened."""
        return self._mode

    def _reading(self) -> IO[bytes]:
        if self._reader is None:
            if self._kind not in _READABLE:
                raise PermissionDeniedError(None, None, "File isn't open for reading")
            with file_errors(self._name):
                self._reader = open(local_path(self._name), "rb")  # noqa: SIM115  # `close` closes it
        return self._reader

    def _writing(self) -> IO[bytes]:
        if self._writer is None:
            if self._kind == "r":
                raise PermissionDeniedError(None, None, "File isn't open for writing")
            with file_errors(self._name):
                self._writer = open(local_path(self._name), "ab" if self._kind.startswith("a") else "wb")  # noqa: SIM115
        return self._writer

    def _as_text_or_bytes(self, data: bytes) -> Any:
        return data if self._binary else data.decode("utf-8")

    def size(self) -> int:
        """How many bytes the file has on the disk."""
        with file_errors(self._name):
            return os.stat(local_path(self._name)).st_size

    def read(self, n: int = -1) -> Any:
        """The next `n` bytes, or all that are left."""
        return self._as_text_or_bytes(self._reading().read(n))

    def readline(self) -> Any:
        """The next line with its end, without carriage returns; empty at the end of the file."""
        return self._as_text_or_bytes(self._reading().readline().replace(b"\r", b""))

    def readlines(self) -> list[Any]:
        """The lines that are left."""
        return list(self)

    def write(self, file_content: str | bytes) -> None:
        """Add text or bytes."""
        with file_errors(self._name):
            self._writing().write(file_content.encode() if isinstance(file_content, str) else file_content)

    def seek(self, offset: int | None = None, whence: int = 0, position: int | None = None) -> None:
        """Go to a place from the beginning (`whence` 0), from here (1) or from the end (2); `position` is an older name of `offset`.

        Raises OutOfRangeError beyond the end of the file, InvalidArgumentError before its beginning or for another `whence`.
        """
        file = self._reading()
        offset = position if offset is None else offset
        if offset is None:
            raise TypeError("seek(): offset argument required")
        if whence not in (0, 1, 2):
            raise InvalidArgumentError(None, None, f"Invalid whence argument: {whence}. Valid values are 0, 1, or 2.")
        size = self.size()
        place = offset + (0, file.tell(), size)[whence]
        if place < 0:
            raise InvalidArgumentError(None, None, f"Seeking to a negative position: {place}")
        file.seek(min(place, size))
        if place > size:
            raise OutOfRangeError(None, None, "reached end of file")

    def seekable(self) -> bool:
        """True."""
        return True

    def tell(self) -> int:
        """Where the next byte is read, or written where the mode only writes."""
        return (self._reading() if self._kind in _READABLE else self._writing()).tell()

    def flush(self) -> None:
        """Put on the disk what was written."""
        if self._writer is not None:
            with file_errors(self._name):
                self._writer.flush()

    def close(self) -> None:
        """Close the file; reading or writing opens it anew."""
        files, self._reader, self._writer = (self._reader, self._writer), None, None
        for file in files:
            if file is not None:
                with file_errors(self._name):
                    file.close()

    def __enter__(self) -> GFile:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def __iter__(self) -> GFile:
        return self

    def __next__(self) -> Any:
        line = self.readline()
        if not line:
            raise StopIteration
        return line

    def next(self) -> Any:
        """The next line; StopIteration at the end."""
        return self.__next__()

    def __del__(self) -> None:
        self.close()
