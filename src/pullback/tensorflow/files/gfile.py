"""`tf.io.gfile` on local files.

What the system cannot do is raised as TensorFlow raises it: NotFoundError, AlreadyExistsError, PermissionDeniedError,
FailedPreconditionError.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Iterator
from typing import Any

from ...base import errors
from ...base.export import export
from ...base.files import file_errors, local_path, make_folders
from .gfile_object import GFile as GFile


@export("io.gfile.exists")
def exists(path: str | os.PathLike[str]) -> bool:
    """Whether there is a file or a directory.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     tf.io.gfile.exists(folder), tf.io.gfile.exists(folder + "/nothing")
    (True, False)
    """
    return os.path.exists(local_path(path))


@export("io.gfile.isdir")
def isdir(path: str | os.PathLike[str]) -> bool:
    """Whether there is a directory.

    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile() as file:
    ...     tf.io.gfile.exists(file.name), tf.io.gfile.isdir(file.name)
    (True, False)
    """
    return os.path.isdir(local_path(path))


@export("io.gfile.glob")
def glob(pattern: str | os.PathLike[str] | list[str]) -> list[str]:
    """The paths that match a pattern or any of several, in order.

    `*` is anything but a slash, also at the beginning of a hidden name, `?` one character, `[ab]` one of these, `[^ab]` or `[!ab]` any
    other, and what follows a backslash is itself.

    >>> import os, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     for name in ("b.txt", "a.txt", "c.png"):
    ...         open(os.path.join(folder, name), "w").close()
    ...     print([os.path.basename(path) for path in tf.io.gfile.glob(folder + "/*.txt")])
    ['a.txt', 'b.txt']
    """
    patterns = [pattern] if isinstance(pattern, (str, os.PathLike)) else pattern
    return [path for one in patterns for path in _find_matching(os.fspath(one))]


@export("io.gfile.listdir")
def listdir(path: str | os.PathLike[str]) -> list[str]:
    """The names in a directory.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     tf.io.gfile.mkdir(folder + "/inner")
    ...     tf.io.gfile.listdir(folder)
    ['inner']
    """
    if not isdir(path):
        raise errors.NotFoundError(None, None, f"Could not find directory {os.fspath(path)}")
    with file_errors(path):
        return sorted(os.listdir(local_path(path)))


@export("io.gfile.mkdir")
def mkdir(path: str | os.PathLike[str]) -> None:
    """Make a directory whose parent is there; a directory or file that is there is left as it is.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     tf.io.gfile.mkdir(folder + "/a")
    ...     tf.io.gfile.isdir(folder + "/a")
    True
    """
    if not exists(path):
        with file_errors(path):
            os.mkdir(local_path(path))


@export("io.gfile.makedirs")
def makedirs(path: str | os.PathLike[str]) -> None:
    """Make a directory and what is missing above it; one that is there is left as it is.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     tf.io.gfile.makedirs(folder + "/a/b/c")
    ...     tf.io.gfile.isdir(folder + "/a/b")
    True
    """
    with file_errors(path):
        make_folders(local_path(path))


@export("io.gfile.remove")
def remove(path: str | os.PathLike[str]) -> None:
    """Remove a file.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     open(folder + "/a", "w").close()
    ...     tf.io.gfile.remove(folder + "/a")
    ...     tf.io.gfile.listdir(folder)
    []
    """
    with file_errors(path):
        os.remove(local_path(path))


@export("io.gfile.rmtree")
def rmtree(path: str | os.PathLike[str]) -> None:
    """Remove a directory with all in it, or a file.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     tf.io.gfile.makedirs(folder + "/a/b/c")
    ...     tf.io.gfile.rmtree(folder + "/a")
    ...     tf.io.gfile.listdir(folder)
    []
    """
    if not exists(path):
        raise errors.NotFoundError(None, None, f"{os.fspath(path)} not found")
    if not isdir(path):
        return remove(path)
    with file_errors(path):
        shutil.rmtree(local_path(path))


@export("io.gfile.rename")
def rename(src: str | os.PathLike[str], dst: str | os.PathLike[str], overwrite: bool = False) -> None:
    """Give a file another name; an existing one is only replaced with `overwrite`.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     open(folder + "/a", "w").close()
    ...     tf.io.gfile.rename(folder + "/a", folder + "/b")
    ...     tf.io.gfile.listdir(folder)
    ['b']
    """
    _refuse(dst, overwrite)
    with file_errors(src):
        os.replace(local_path(src), local_path(dst))


@export("io.gfile.copy")
def copy(src: str | os.PathLike[str], dst: str | os.PathLike[str], overwrite: bool = False) -> None:
    """Copy a file; an existing one is only replaced with `overwrite`.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     open(folder + "/a", "w").close()
    ...     tf.io.gfile.copy(folder + "/a", folder + "/b")
    ...     tf.io.gfile.listdir(folder)
    ['a', 'b']
    """
    _refuse(dst, overwrite)
    with file_errors(src):
        shutil.copyfile(local_path(src), local_path(dst))


@export("io.gfile.walk")
def walk(
    top: str | os.PathLike[str], topdown: bool = True, onerror: Callable[[OSError], Any] | None = None
) -> Iterator[tuple[str, list[str], list[str]]]:
    """Directories below `top`, each as (path, directories in it, files in it); `onerror` is told of those that cannot be read.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     tf.io.gfile.mkdir(folder + "/inner")
    ...     open(folder + "/inner/a", "w").close()
    ...     print([(inside, files) for _, inside, files in tf.io.gfile.walk(folder)])
    [(['inner'], []), ([], ['a'])]
    """
    told = os.fspath(top).removesuffix(local_path(top))
    return ((told + folder, inner, files) for folder, inner, files in os.walk(local_path(top), topdown, onerror))


@export("io.gfile.join")
def join(path: str | os.PathLike[str], *paths: str | os.PathLike[str]) -> str:
    """Put the parts of a path together.

    >>> tf.io.gfile.join("logs", "run", "1") == tf.io.gfile.join("logs/run", "1")
    True
    """
    return os.path.join(os.fspath(path), *(os.fspath(part) for part in paths))


def _refuse(target: str | os.PathLike[str], overwrite: bool) -> None:
    if not overwrite and exists(target):
        raise errors.AlreadyExistsError(None, None, f"{os.fspath(target)} is there already; overwrite=True replaces it")


_SPECIAL = r"[*?\[\\]"


def _find_matching(pattern: str) -> list[str]:
    """The paths that match one pattern."""
    place = local_path(pattern)
    if not re.search(_SPECIAL, place):
        return [pattern] if place and os.path.exists(place) else []
    parts = place.strip("/").split("/")
    found = ["/" if place.startswith("/") else "./" if re.search(_SPECIAL, parts[0]) else ""]
    for i, part in enumerate(parts):
        wanted = _regular_expression(part)
        named = [folder + name for folder in found for name in os.listdir(folder or ".") if wanted.fullmatch(name)]
        found = named if i == len(parts) - 1 else [f"{path}/" for path in named if os.path.isdir(path)]
    return sorted(pattern.removesuffix(place) + path for path in found)


def _regular_expression(part: str) -> re.Pattern[str]:
    """What a pattern for one name matches."""
    tokens = re.findall(r"\\.|\[[!^]?\]?[^\]]*\]|.", part, re.DOTALL)
    return re.compile("".join(_token(token) for token in tokens), re.DOTALL)


def _token(token: str) -> str:
    if token in ("*", "?"):
        return ".*" if token == "*" else "."
    if len(token) > 2 and token[0] == "[":
        return "[" + re.sub(r"^!", "^", token[1:-1]).replace("\\", "\\\\").replace("[", "\\[") + "]"
    return re.escape(token[1:] if token[0] == "\\" and len(token) == 2 else token)
