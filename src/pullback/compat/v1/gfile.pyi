"""The names of `pullback.compat.v1.gfile`, written by docs/make_exports.py."""

from pullback.tensorflow.files.file_statistics import Stat as Stat
from pullback.tensorflow.files.gfile_object import GFile as FastGFile
from pullback.tensorflow.files.gfile_object import GFile as GFile
from pullback.tensorflow.files.gfile_object import GFile as Open
from pullback.tensorflow.files.gfile_v1 import Copy as Copy
from pullback.tensorflow.files.gfile_v1 import DeleteRecursively as DeleteRecursively
from pullback.tensorflow.files.gfile_v1 import Exists as Exists
from pullback.tensorflow.files.gfile_v1 import Glob as Glob
from pullback.tensorflow.files.gfile_v1 import IsDirectory as IsDirectory
from pullback.tensorflow.files.gfile_v1 import ListDirectory as ListDirectory
from pullback.tensorflow.files.gfile_v1 import MakeDirs as MakeDirs
from pullback.tensorflow.files.gfile_v1 import MkDir as MkDir
from pullback.tensorflow.files.gfile_v1 import Remove as Remove
from pullback.tensorflow.files.gfile_v1 import Rename as Rename
from pullback.tensorflow.files.gfile_v1 import Walk as Walk

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
