"""The names of `pullback.compat.v1.gfile`, written by docs/make_exports.py."""

from pullback.tensorflow.files.file_statistics import Stat
from pullback.tensorflow.files.gfile_object import GFile as FastGFile
from pullback.tensorflow.files.gfile_object import GFile
from pullback.tensorflow.files.gfile_object import GFile as Open
from pullback.tensorflow.files.gfile_v1 import Copy
from pullback.tensorflow.files.gfile_v1 import DeleteRecursively
from pullback.tensorflow.files.gfile_v1 import Exists
from pullback.tensorflow.files.gfile_v1 import Glob
from pullback.tensorflow.files.gfile_v1 import IsDirectory
from pullback.tensorflow.files.gfile_v1 import ListDirectory
from pullback.tensorflow.files.gfile_v1 import MakeDirs
from pullback.tensorflow.files.gfile_v1 import MkDir
from pullback.tensorflow.files.gfile_v1 import Remove
from pullback.tensorflow.files.gfile_v1 import Rename
from pullback.tensorflow.files.gfile_v1 import Walk

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
