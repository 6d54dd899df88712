"""The names of `pullback.compat.v2.io.gfile`, written by docs/make_exports.py."""

from pullback.interop.file_statistics import get_registered_schemes
from pullback.interop.file_statistics import stat
from pullback.interop.gfile import copy
from pullback.interop.gfile import exists
from pullback.interop.gfile import glob
from pullback.interop.gfile import isdir
from pullback.interop.gfile import join
from pullback.interop.gfile import listdir
from pullback.interop.gfile import makedirs
from pullback.interop.gfile import mkdir
from pullback.interop.gfile import remove
from pullback.interop.gfile import rename
from pullback.interop.gfile import rmtree
from pullback.interop.gfile import walk
from pullback.interop.gfile_object import GFile

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
