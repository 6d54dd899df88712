"""The names of `pullback.compat.v2.io.gfile`, written by docs/make_exports.py."""

from pullback.tensorflow.files.file_statistics import get_registered_schemes as get_registered_schemes
from pullback.tensorflow.files.file_statistics import stat as stat
from pullback.tensorflow.files.gfile import copy as copy
from pullback.tensorflow.files.gfile import exists as exists
from pullback.tensorflow.files.gfile import glob as glob
from pullback.tensorflow.files.gfile import isdir as isdir
from pullback.tensorflow.files.gfile import join as join
from pullback.tensorflow.files.gfile import listdir as listdir
from pullback.tensorflow.files.gfile import makedirs as makedirs
from pullback.tensorflow.files.gfile import mkdir as mkdir
from pullback.tensorflow.files.gfile import remove as remove
from pullback.tensorflow.files.gfile import rename as rename
from pullback.tensorflow.files.gfile import rmtree as rmtree
from pullback.tensorflow.files.gfile import walk as walk
from pullback.tensorflow.files.gfile_object import GFile as GFile

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
