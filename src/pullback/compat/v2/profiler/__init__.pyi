"""The names of `pullback.compat.v2.profiler`, written by docs/make_exports.py."""

from pullback.compat.v2.profiler import experimental as experimental

__all__ = [
    "experimental",
]
