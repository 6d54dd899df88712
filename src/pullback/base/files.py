"""Names of files as programs write them, and what the system refuses in TensorFlow's errors."""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from .errors import (
    AlreadyExistsError,
    FailedPreconditionError,
    InvalidArgumentError,
    NotFoundError,
    OpError,
    OutOfRangeError,
    PermissionDeniedError,
    ResourceExhaustedError,
    UnimplementedError,
)

_SCHEME = re.compile(r"([a-zA-Z][a-zA-Z0-9.]*)://")
#: The error for what the system says; FailedPreconditionError for all else, as for a path that goes through a file.
_ERRORS: dict[type[OpError], tuple[int, ...]] = {
    NotFoundError: (errno.ENOENT,),
    AlreadyExistsError: (errno.EEXIST,),
    PermissionDeniedError: (errno.EACCES, errno.EPERM, errno.EROFS),
    ResourceExhaustedError: (errno.ENOSPC, errno.EDQUOT, errno.EMFILE, errno.ENFILE),
    OutOfRangeError: (errno.EFBIG,),
    InvalidArgumentError: (errno.ENAMETOOLONG,),
}


def local_path(path: str | bytes | os.PathLike[str]) -> str:
    """Where a file is on this machine: its name without the `file://` that it may begin with.

    Raises UnimplementedError for the files of other systems, as `gs://...`.
    """
    text = os.fsdecode(path)
    scheme = _SCHEME.match(text)
    if scheme is None:
        return text
    if scheme[1] != "file":
        raise UnimplementedError(None, None, f"File system scheme '{scheme[1]}' not implemented (file: '{text}')")
    return text[scheme.end() :]


@contextmanager
def file_errors(path: str | bytes | os.PathLike[str]) -> Iterator[None]:
    """Raise what the system refuses inside as TensorFlow does, with the name of the file."""
    try:
        yield
    except OSError as error:
        kind: Any = next((kind for kind, numbers in _ERRORS.items() if error.errno in numbers), FailedPreconditionError)
        raise kind(None, None, f"{os.fsdecode(path)}; {error.strerror}") from error


def make_folders(path: str) -> None:
    """Make a folder and those above it that are missing; FailedPreconditionError where one of them is a file."""
    try:
        os.makedirs(path or ".", exist_ok=True)
    except (FileExistsError, NotADirectoryError) as error:
        while not os.path.lexists(path):
            path = os.path.dirname(path)
        raise FailedPreconditionError(None, None, f"{path} is not a directory") from error
