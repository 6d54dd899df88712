"""The names of `tf.io.gfile`."""

from typing import TYPE_CHECKING

from ....interop.faces import missing as _missing

if TYPE_CHECKING:  # these load when first asked for
    from ....interop.file_statistics import get_registered_schemes, stat
    from ....interop.gfile import GFile, copy, exists, glob, isdir, join, listdir, makedirs, mkdir, remove, rename, rmtree, walk

__all__ = [
    "GFile",
    "copy",
    "exists",
    "get_registered_schemes",
    "glob",
    "isdir",
    "join",
    "listdir",
    "makedirs",
    "mkdir",
    "remove",
    "rename",
    "rmtree",
    "stat",
    "walk",
]

__getattr__ = _missing("tf.io.gfile", __all__, __name__)
