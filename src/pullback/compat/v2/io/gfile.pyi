"""The names of `pullback.compat.v2.io.gfile`, written by docs/make_exports.py."""

from pullback.tensorflow.files.file_statistics import get_registered_schemes
from pullback.tensorflow.files.file_statistics import stat
from pullback.tensorflow.files.gfile import copy
from pullback.tensorflow.files.gfile import exists
from pullback.tensorflow.files.gfile import glob
from pullback.tensorflow.files.gfile import isdir
from pullback.tensorflow.files.gfile import join
from pullback.tensorflow.files.gfile import listdir
from pullback.tensorflow.files.gfile import makedirs
from pullback.tensorflow.files.gfile import mkdir
from pullback.tensorflow.files.gfile import remove
from pullback.tensorflow.files.gfile import rename
from pullback.tensorflow.files.gfile import rmtree
from pullback.tensorflow.files.gfile import walk
from pullback.tensorflow.files.gfile_object import GFile

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
