"""The names of `tf.compat.v1.gfile`."""

from ...interop.gfile import (
    copy as Copy,
    rmtree as DeleteRecursively,
    exists as Exists,
    GFile as FastGFile,
    GFile,
    glob as Glob,
    isdir as IsDirectory,
    listdir as ListDirectory,
    makedirs as MakeDirs,
    mkdir as MkDir,
    GFile as Open,
    remove as Remove,
    rename as Rename,
    walk as Walk,
)
from ...interop.names import missing as _missing

__all__ = [
    "Copy",
    "DeleteRecursively",
    "Exists",
    "FastGFile",
    "GFile",
    "Glob",
    "IsDirectory",
    "ListDirectory",
    "MakeDirs",
    "MkDir",
    "Open",
    "Remove",
    "Rename",
    "Walk",
]

__getattr__ = _missing("tf1.gfile", __all__)
