"""The names of `pullback.compat.v1.version`, written by docs/make_exports.py."""

from pullback.base.version import GIT_VERSION as GIT_VERSION
from pullback.base.version import TENSORFLOW_VERSION as VERSION

__all__ = [
    "GIT_VERSION",
    "VERSION",
]
