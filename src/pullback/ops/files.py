"""Files as strings: `ReadFile`, `WriteFile`, which wait for each other only where a program says so."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import numpy as np

from ..base.errors import InvalidArgumentError
from ..base.export import export
from ..base.files import file_errors, local_path, make_folders
from ..ir.op import define
from ..ir.tensor import Tensor, TensorLike, TensorType
from .array.type_rules import Array, require_rank

if TYPE_CHECKING:
    from ..ir.node import Node


def _check_scalar(value: Array, what: str) -> None:
    if value.ndim:
        raise InvalidArgumentError(None, None, f"{what} tensor must be scalar, but had shape: {list(value.shape)}")


def _content(path: bytes) -> bytes:
    with file_errors(path), open(local_path(path), "rb") as file:
        return file.read()


def _read_type(filename: Any) -> TensorType:
    require_rank(filename, 0, "Input filename tensor must be scalar")
    return TensorType((), filename.dtype)


def _read(filename: Array, *, site: Any) -> Array:
    _check_scalar(filename, "Input filename")
    out: Array = np.empty((), object)
    out[()] = _content(filename.item())
    return out


READ_FILE = define("ReadFile", "filename:string", _read_type, _read, {}, stateful=True, batch="one file at a time")


def _write_type(filename: Any, contents: Any) -> tuple[()]:
    require_rank(filename, 0, "Input filename tensor must be scalar")
    require_rank(contents, 0, "Contents tensor must be scalar")
    return ()


def _write(filename: Array, contents: Array, *, site: Any) -> None:
    _check_scalar(filename, "Input filename")
    _check_scalar(contents, "Contents")
    path = local_path(filename.item())
    with file_errors(filename.item()):
        make_folders(os.path.dirname(path))
        with open(path, "wb") as file:
            file.write(contents.item())


WRITE_FILE = define(
    "WriteFile",
    "filename:string contents:string",
    _write_type,
    _write,
    {},
    outputs="",
    stateful=True,
    batch="one file at a time",
)


@export("io.read_file", v1="read_file")
def read_file(filename: TensorLike, name: str | None = None) -> Tensor:
    """The content of a file, a string.

    filename: a scalar of dtype string.  Raises NotFoundError and the like where the file cannot be read, InvalidArgumentError for a
    filename that is no scalar.

    >>> import os, tempfile, pullback as tf
    >>> path = os.path.join(tempfile.mkdtemp(), "folder", "greeting")
    >>> tf.io.write_file(path, "hello")
    >>> tf.io.read_file(path).numpy()
    b'hello'
    """
    return READ_FILE(filename, name=name)


@export("io.write_file", v1="write_file")
def write_file(filename: TensorLike, contents: TensorLike, name: str | None = None) -> Node | None:
    """Write a string to a file, whose folders are made if need be: eagerly at once, in a graph when the operation runs.

    filename, contents: scalars of dtype string.  Raises FailedPreconditionError and the like where the file cannot be written,
    InvalidArgumentError for what is no scalar.

    >>> import os, tempfile, pullback as tf
    >>> path = os.path.join(tempfile.mkdtemp(), "numbers")
    >>> tf.io.write_file(path, tf.strings.as_string([1, 2])[1])
    >>> tf.io.read_file(path).numpy()
    b'2'
    """
    return WRITE_FILE(filename, contents, name=name)
