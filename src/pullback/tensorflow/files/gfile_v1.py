"""`tf.gfile`: TensorFlow 1's names, and names of arguments, for `tf.io.gfile`."""

from __future__ import annotations

from collections.abc import Iterator

from ...base.export import export
from . import gfile


@export(v1="gfile.Exists")
def Exists(filename: str) -> bool:
    """Whether there is a file or a directory.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     tf1.gfile.Exists(folder), tf1.gfile.Exists(folder + "/nothing")
    (True, False)
    """
    return gfile.exists(filename)


@export(v1="gfile.IsDirectory")
def IsDirectory(dirname: str) -> bool:
    """Whether there is a directory.

    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile() as file:
    ...     tf1.gfile.IsDirectory(file.name)
    False
    """
    return gfile.isdir(dirname)


@export(v1="gfile.Glob")
def Glob(filename: str | list[str]) -> list[str]:
    """The paths that match a pattern or any of several.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     for name in ("a.txt", "b.png"):
    ...         open(folder + "/" + name, "w").close()
    ...     print(tf1.gfile.Glob(folder + "/*.txt") == [folder + "/a.txt"])
    True
    """
    return gfile.glob(filename)


@export(v1="gfile.ListDirectory")
def ListDirectory(dirname: str) -> list[str]:
    """The names in a directory.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     tf1.gfile.MkDir(folder + "/inner")
    ...     tf1.gfile.ListDirectory(folder)
    ['inner']
    """
    return gfile.listdir(dirname)


@export(v1="gfile.MkDir")
def MkDir(dirname: str) -> None:
    """Make a directory whose parent is there.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     tf1.gfile.MkDir(folder + "/a")
    ...     tf1.gfile.IsDirectory(folder + "/a")
    True
    """
    gfile.mkdir(dirname)


@export(v1="gfile.MakeDirs")
def MakeDirs(dirname: str) -> None:
    """Make a directory and what is missing above it.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     tf1.gfile.MakeDirs(folder + "/a/b")
    ...     tf1.gfile.IsDirectory(folder + "/a/b")
    True
    """
    gfile.makedirs(dirname)


@export(v1="gfile.Remove")
def Remove(filename: str) -> None:
    """Remove a file.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     open(folder + "/a", "w").close()
    ...     tf1.gfile.Remove(folder + "/a")
    ...     tf1.gfile.ListDirectory(folder)
    []
    """
    gfile.remove(filename)


@export(v1="gfile.DeleteRecursively")
def DeleteRecursively(dirname: str) -> None:
    """Remove a directory with all in it.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     tf1.gfile.MakeDirs(folder + "/a/b")
    ...     tf1.gfile.DeleteRecursively(folder + "/a")
    ...     tf1.gfile.ListDirectory(folder)
    []
    """
    gfile.rmtree(dirname)


@export(v1="gfile.Rename")
def Rename(oldname: str, newname: str, overwrite: bool = False) -> None:
    """Give a file another name; an existing one is only replaced with `overwrite`.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     open(folder + "/a", "w").close()
    ...     tf1.gfile.Rename(folder + "/a", folder + "/b")
    ...     tf1.gfile.ListDirectory(folder)
    ['b']
    """
    gfile.rename(oldname, newname, overwrite)


@export(v1="gfile.Copy")
def Copy(oldpath: str, newpath: str, overwrite: bool = False) -> None:
    """Copy a file; an existing one is only replaced with `overwrite`.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     open(folder + "/a", "w").close()
    ...     tf1.gfile.Copy(folder + "/a", folder + "/b")
    ...     tf1.gfile.ListDirectory(folder)
    ['a', 'b']
    """
    gfile.copy(oldpath, newpath, overwrite)


@export(v1="gfile.Walk")
def Walk(top: str, in_order: bool = True) -> Iterator[tuple[str, list[str], list[str]]]:
    """Directories below `top`, each as (path, directories in it, files in it); from the top down where `in_order`.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     tf1.gfile.MkDir(folder + "/inner")
    ...     print([inside for _, inside, _ in tf1.gfile.Walk(folder)])
    [['inner'], []]
    """
    return gfile.walk(top, in_order)
