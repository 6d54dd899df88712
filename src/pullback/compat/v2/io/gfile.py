"""The names of `tf.io.gfile`."""

from ....interop.gfile import GFile, copy, exists, glob, isdir, join, listdir, makedirs, mkdir, remove, rename, rmtree, walk
from ....interop.names import missing as _missing

__all__ = [
    "GFile",
    "copy",
    "exists",
    "glob",
    "isdir",
    "join",
    "listdir",
    "makedirs",
    "mkdir",
    "remove",
    "rename",
    "rmtree",
    "walk",
]

__getattr__ = _missing("tf.io.gfile", __all__)
