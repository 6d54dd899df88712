"""The names of `tf.compat.v1.gfile`."""

from typing import TYPE_CHECKING

from ...interop.faces import missing as _missing

if TYPE_CHECKING:  # these load when first asked for
    from ...interop.file_statistics import Stat
    from ...interop.gfile import GFile
    from ...interop.gfile import GFile as FastGFile
    from ...interop.gfile import GFile as Open
    from ...interop.gfile_v1 import Copy, DeleteRecursively, Exists, Glob, IsDirectory, ListDirectory, MakeDirs, MkDir, Remove, Rename, Walk

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
    "Stat",
    "Walk",
]

__getattr__ = _missing("tf1.gfile", __all__, __name__)
