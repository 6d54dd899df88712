"""`tf.gfile`: TensorFlow 1's names, and names of arguments, for `tf.io.gfile`."""

from __future__ import annotations

from collections.abc import Iterator

from . import gfile


def Exists(filename: str) -> bool:
    """Whether there is a file or a directory."""
    return gfile.exists(filename)


def IsDirectory(dirname: str) -> bool:
    """Whether there is a directory."""
    return gfile.isdir(dirname)


def Glob(filename: str | list[str]) -> list[str]:
    """The paths that match a pattern or any of several."""
    return gfile.glob(filename)


def ListDirectory(dirname: str) -> list[str]:
    """The names in a directory."""
    return gfile.listdir(dirname)


def MkDir(dirname: str) -> None:
    """Make a directory whose parent is there."""
    gfile.mkdir(dirname)


def MakeDirs(dirname: str) -> None:
    """Make a directory and what is missing above it."""
    gfile.makedirs(dirname)


def Remove(filename: str) -> None:
    """Remove a file."""
    gfile.remove(filename)


def DeleteRecursively(dirname: str) -> None:
    """Remove a directory with all in it."""
    gfile.rmtree(dirname)


def Rename(oldname: str, newname: str, overwrite: bool = False) -> None:
    """Give a file another name; an existing one is only replaced with `overwrite`."""
    gfile.rename(oldname, newname, overwrite)


def Copy(oldpath: str, newpath: str, overwrite: bool = False) -> None:
    """Copy a file; an existing one is only replaced with `overwrite`."""
    gfile.copy(oldpath, newpath, overwrite)


def Walk(top: str, in_order: bool = True) -> Iterator[tuple[str, list[str], list[str]]]:
    """Directories below `top`, each as (path, directories in it, files in it); from the top down where `in_order`."""
    return gfile.walk(top, in_order)
