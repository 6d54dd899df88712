"""What `tf.io.gfile` tells of a file, and of the schemes that names of files may begin with."""

from __future__ import annotations

import os
from typing import NamedTuple

from ...base.export import export
from ...base.files import file_errors, local_path


class FileStatistics(NamedTuple):
    """The length of a file in bytes, when it was changed in nanoseconds, and whether it is a directory."""

    length: int
    mtime_nsec: int
    is_directory: bool


@export("io.gfile.stat")
def stat(path: str | os.PathLike[str]) -> FileStatistics:
    """Length, time and kind of a file; a NotFoundError if there is none.

    >>> import tempfile, pullback as tf
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with tf.io.gfile.GFile(folder + "/a", "w") as file:
    ...         _ = file.write("hello")
    ...     tf.io.gfile.stat(folder + "/a").length, tf.io.gfile.stat(folder).is_directory
    (5, True)
    """
    with file_errors(path):
        found = os.stat(local_path(path))
    return FileStatistics(found.st_size, found.st_mtime_ns, os.path.isdir(local_path(path)))


@export(v1="gfile.Stat")
def Stat(filename: str | os.PathLike[str]) -> FileStatistics:
    """TensorFlow 1's name for `stat`.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     tf1.gfile.Stat(folder).is_directory
    True
    """
    return stat(filename)


@export("io.gfile.get_registered_schemes")
def get_registered_schemes() -> list[str]:
    """What names of files may begin with: nothing or `file`, for the machine's own files.

    >>> tf.io.gfile.get_registered_schemes()
    ['file', '']
    """
    return ["file", ""]
