"""The names of `pullback.compat.v1.xla`, written by docs/make_exports.py."""

from pullback.compat.v1.xla import experimental as experimental

__all__ = [
    "experimental",
]
