"""The names of `pullback.compat.v1.sysconfig`, written by docs/make_exports.py."""

from pullback.interop.options import get_build_info as get_build_info

__all__ = [
    "get_build_info",
]
