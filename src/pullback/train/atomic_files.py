"""Files that are there whole or not at all.

A file is written aside, to `NAME.PID-NUMBER.part`, and moved into place, so that a reader (or a crash) never meets half of one.  The writer
holds a lock on the part while it writes: a part that nobody holds was left by a writer that was killed, and the next save removes it.
"""

from __future__ import annotations

import contextlib
import fcntl
import itertools
import os
import re
import stat

from ..base.errors import DataLossError, ResourceExhaustedError
from ..base.files import file_errors, local_path, make_folders
from ..base.progress import show_progress

SUFFIX = ".safetensors"
_fresh = itertools.count().__next__
#: The bytes that are written at a time.
_PIECE = 1 << 26


def write_atomically(path: str, data: bytes) -> None:
    """Put `data` into the file `path`; the folder is made if it is not there.

    Raises:
        OpError: the file system refuses (ResourceExhaustedError: it is full). Then an older file of that name is as it was.
    """
    with file_errors(path):
        _write_aside(local_path(path), data)


def _write_aside(path: str, data: bytes) -> None:
    folder, name = os.path.split(path)
    make_folders(folder)
    _remove_leftovers(folder or ".", name)
    aside, descriptor = _begin(path)
    with open(descriptor, "wb") as file:
        try:
            for at in show_progress(range(0, len(data), _PIECE), f"write {name}", "pieces of 64 MiB"):
                file.write(memoryview(data)[at : at + _PIECE])
            file.flush()
            os.fsync(file.fileno())
            os.replace(aside, path)
        except BaseException:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(aside)
            raise


def _begin(path: str) -> tuple[str, int]:
    """A new part of a file, locked; another one if somebody took it for a leftover before it was."""
    while True:
        aside = f"{path}.{os.getpid()}-{_fresh()}.part"
        descriptor = os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)
        with contextlib.suppress(OSError):  # a file system without locks: then nobody can remove parts either
            _lock(descriptor)
        if _is_at(aside, descriptor):
            return aside, descriptor
        os.close(descriptor)


def _lock(descriptor: int) -> None:
    """Take the lock of an open file at once. Raises OSError if it cannot be had."""
    fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _is_at(path: str, descriptor: int) -> bool:
    try:
        return os.path.samestat(os.lstat(path), os.fstat(descriptor))
    except FileNotFoundError:
        return False


def _remove_leftovers(folder: str, name: str) -> None:
    """Remove the parts that killed writers of checkpoints, and of the file `name`, left in a folder."""
    part = re.compile(rf"(?:.+{re.escape(SUFFIX)}|{re.escape(name)})\.\d+-\d+\.part", re.DOTALL)
    with os.scandir(folder) as entries:
        left = [entry.path for entry in entries if part.fullmatch(entry.name) and entry.is_file(follow_symlinks=False)]
    for path in left:
        with contextlib.suppress(OSError):  # it is being written, is gone already, or belongs to somebody else
            descriptor = os.open(path, os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
            try:
                _lock(descriptor)
                if _is_at(path, descriptor):
                    os.unlink(path)
            finally:
                os.close(descriptor)


def read_whole(path: str) -> bytes:
    """What a regular file holds.

    Raises:
        OSError: it is not there, or cannot be opened. DataLossError: a folder, pipe or device. ResourceExhaustedError: too large.
    """
    path = local_path(path)
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    with contextlib.ExitStack() as stack:
        stack.callback(os.close, descriptor)
        about = os.fstat(descriptor)
        if not stat.S_ISREG(about.st_mode):
            raise DataLossError(None, None, f"{path} is no regular file, so it is not read")
        try:
            with open(descriptor, "rb", closefd=False) as file:
                return file.read()
        except MemoryError:
            raise ResourceExhaustedError(None, None, f"{path} has {about.st_size} bytes, more than there is memory for") from None
