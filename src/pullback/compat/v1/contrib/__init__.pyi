"""The names of `pullback.compat.v1.contrib`, written by docs/make_exports.py."""

from pullback.compat.v1.contrib import layers
from pullback.compat.v1.contrib import opt

__all__ = [
    "layers",
    "opt",
]
