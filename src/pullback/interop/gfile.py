"""`tf.io.gfile` on local files.

What the system cannot do is raised as TensorFlow raises it: NotFoundError, AlreadyExistsError, PermissionDeniedError,
FailedPreconditionError.
"""

from __future__ import annotations

import glob as _glob
import os
import shutil
from collections.abc import Callable, Iterator
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from ..base import errors

P = ParamSpec("P")
R = TypeVar("R")


def _in_tensorflows_errors(function: Callable[P, R]) -> Callable[P, R]:
    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return function(*args, **kwargs)
        except FileNotFoundError as error:
            raise errors.NotFoundError(None, None, str(error)) from error
        except FileExistsError as error:
            raise errors.AlreadyExistsError(None, None, str(error)) from error
        except PermissionError as error:
            raise errors.PermissionDeniedError(None, None, str(error)) from error
        except OSError as error:
            raise errors.FailedPreconditionError(None, None, str(error)) from error

    return call


@_in_tensorflows_errors
def GFile(name: str | os.PathLike[str], mode: str = "r") -> Any:
    """Open a file.

    Args:
        name: its path.
        mode: as Python's `open`; text is UTF-8.

    >>> import os, tempfile
    >>> import pullback as tf
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with tf.io.gfile.GFile(os.path.join(folder, "a.txt"), "w") as file:
    ...         file.write("hello")
    ...     with tf.io.gfile.GFile(os.path.join(folder, "a.txt")) as file:
    ...         file.read()
    5
    'hello'
    """
    return open(name, mode, encoding=None if "b" in mode else "utf-8")


def exists(path: str | os.PathLike[str]) -> bool:
    """Whether there is a file or a directory.

    >>> import tempfile
    >>> import pullback as tf
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     tf.io.gfile.exists(folder), tf.io.gfile.exists(folder + "/nothing")
    (True, False)
    """
    return os.path.exists(path)


def isdir(path: str | os.PathLike[str]) -> bool:
    """Whether there is a directory.

    >>> import tempfile
    >>> import pullback as tf
    >>> with tempfile.NamedTemporaryFile() as file:
    ...     tf.io.gfile.exists(file.name), tf.io.gfile.isdir(file.name)
    (True, False)
    """
    return os.path.isdir(path)


def glob(pattern: str | list[str]) -> list[str]:
    """The paths that match a pattern or any of several.

    >>> import os, tempfile
    >>> import pullback as tf
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     for name in ("b.txt", "a.txt", "c.png"):
    ...         open(os.path.join(folder, name), "w").close()
    ...     print([os.path.basename(path) for path in tf.io.gfile.glob(folder + "/*.txt")])
    ['a.txt', 'b.txt']
    """
    patterns = [pattern] if isinstance(pattern, str) else pattern
    return [path for one in patterns for path in sorted(_glob.glob(one))]


@_in_tensorflows_errors
def listdir(path: str | os.PathLike[str]) -> list[str]:
    """The names in a directory.

    >>> import tempfile
    >>> import pullback as tf
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     tf.io.gfile.mkdir(folder + "/inner")
    ...     tf.io.gfile.listdir(folder)
    ['inner']
    """
    return sorted(os.listdir(path))


@_in_tensorflows_errors
def mkdir(path: str | os.PathLike[str]) -> None:
    """Make a directory whose parent is there.

    >>> import tempfile
    >>> import pullback as tf
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     tf.io.gfile.mkdir(folder + "/a")
    ...     try:
    ...         tf.io.gfile.mkdir(folder + "/a")
    ...     except tf.errors.AlreadyExistsError:
    ...         print("it is there")
    it is there
    """
    os.mkdir(path)


@_in_tensorflows_errors
def makedirs(path: str | os.PathLike[str]) -> None:
    """Make a directory and what is missing above it; one that is there is left as it is.

    >>> import tempfile
    >>> import pullback as tf
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     tf.io.gfile.makedirs(folder + "/a/b/c")
    ...     tf.io.gfile.isdir(folder + "/a/b")
    True
    """
    os.makedirs(path, exist_ok=True)


@_in_tensorflows_errors
def remove(path: str | os.PathLike[str]) -> None:
    """Remove a file.

    >>> import tempfile
    >>> import pullback as tf
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     open(folder + "/a", "w").close()
    ...     tf.io.gfile.remove(folder + "/a")
    ...     tf.io.gfile.listdir(folder)
    []
    """
    os.remove(path)


@_in_tensorflows_errors
def rmtree(path: str | os.PathLike[str]) -> None:
    """Remove a directory with all in it.

    >>> import tempfile
    >>> import pullback as tf
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     tf.io.gfile.makedirs(folder + "/a/b/c")
    ...     tf.io.gfile.rmtree(folder + "/a")
    ...     tf.io.gfile.listdir(folder)
    []
    """
    shutil.rmtree(path)


@_in_tensorflows_errors
def rename(src: str | os.PathLike[str], dst: str | os.PathLike[str], overwrite: bool = False) -> None:
    """Give a file another name; an existing one is only replaced with `overwrite`.

    >>> import tempfile
    >>> import pullback as tf
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     open(folder + "/a", "w").close()
    ...     tf.io.gfile.rename(folder + "/a", folder + "/b")
    ...     tf.io.gfile.listdir(folder)
    ['b']
    """
    _refuse(dst, overwrite)
    os.replace(src, dst)


@_in_tensorflows_errors
def copy(src: str | os.PathLike[str], dst: str | os.PathLike[str], overwrite: bool = False) -> None:
    """Copy a file; an existing one is only replaced with `overwrite`.

    >>> import tempfile
    >>> import pullback as tf
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     open(folder + "/a", "w").close()
    ...     tf.io.gfile.copy(folder + "/a", folder + "/b")
    ...     tf.io.gfile.listdir(folder)
    ['a', 'b']
    """
    _refuse(dst, overwrite)
    shutil.copyfile(src, dst)


def walk(
    top: str | os.PathLike[str], topdown: bool = True, onerror: Callable[[OSError], Any] | None = None
) -> Iterator[tuple[str, list[str], list[str]]]:
    """Directories below `top`, each as (path, directories in it, files in it); `onerror` is told of those that cannot be read.

    >>> import tempfile
    >>> import pullback as tf
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     tf.io.gfile.mkdir(folder + "/inner")
    ...     open(folder + "/inner/a", "w").close()
    ...     print([(inside, files) for _, inside, files in tf.io.gfile.walk(folder)])
    [(['inner'], []), ([], ['a'])]
    """
    return os.walk(os.fspath(top), topdown, onerror)


def join(path: str | os.PathLike[str], *paths: str | os.PathLike[str]) -> str:
    """Put the parts of a path together.

    >>> import pullback as tf
    >>> tf.io.gfile.join("logs", "run", "1") == tf.io.gfile.join("logs/run", "1")
    True
    """
    return os.path.join(os.fspath(path), *(os.fspath(part) for part in paths))


def _refuse(target: str | os.PathLike[str], overwrite: bool) -> None:
    if not overwrite and os.path.exists(target):
        raise errors.AlreadyExistsError(None, None, f"{os.fspath(target)} is there already; overwrite=True replaces it")
