"""The names of `pullback.compat.v1.gfile`, written by docs/make_exports.py."""

from pullback.interop.file_statistics import Stat
from pullback.interop.gfile_object import GFile as FastGFile
from pullback.interop.gfile_object import GFile
from pullback.interop.gfile_object import GFile as Open
from pullback.interop.gfile_v1 import Copy
from pullback.interop.gfile_v1 import DeleteRecursively
from pullback.interop.gfile_v1 import Exists
from pullback.interop.gfile_v1 import Glob
from pullback.interop.gfile_v1 import IsDirectory
from pullback.interop.gfile_v1 import ListDirectory
from pullback.interop.gfile_v1 import MakeDirs
from pullback.interop.gfile_v1 import MkDir
from pullback.interop.gfile_v1 import Remove
from pullback.interop.gfile_v1 import Rename
from pullback.interop.gfile_v1 import Walk

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
