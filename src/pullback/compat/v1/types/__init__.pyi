"""The names of `pullback.compat.v1.types`, written by docs/make_exports.py."""

from pullback.compat.v1.types import experimental as experimental

__all__ = [
    "experimental",
]
