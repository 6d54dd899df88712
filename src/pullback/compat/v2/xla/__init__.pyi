"""The names of `pullback.compat.v2.xla`, written by docs/make_exports.py."""

from pullback.compat.v2.xla import experimental as experimental

__all__ = [
    "experimental",
]
