"""Names of files as programs write them, and what the system refuses in TensorFlow's errors."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from .errors import (
    AlreadyExistsError,
    FailedPreconditionError,
    NotFoundError,
    OpError,
    PermissionDeniedError,
    UnimplementedError,
)

_SCHEME = re.compile(r"([a-zA-Z][a-zA-Z0-9.]*)://")
_ERRORS: tuple[tuple[type[OSError], type[OpError]], ...] = (
    (FileNotFoundError, NotFoundError),
    (NotADirectoryError, NotFoundError),
    (FileExistsError, AlreadyExistsError),
    (PermissionError, PermissionDeniedError),
    (OSError, FailedPreconditionError),
)


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
        kind: Any = next(ours for theirs, ours in _ERRORS if isinstance(error, theirs))
        raise kind(None, None, f"{os.fsdecode(path)}; {error.strerror}") from error
