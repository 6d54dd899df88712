"""The names of `pullback.compat.v2.types`, written by docs/make_exports.py."""

from pullback.compat.v2.types import experimental as experimental

__all__ = [
    "experimental",
]
