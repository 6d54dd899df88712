"""The names of `pullback.compat.v2.experimental.dlpack`, written by docs/make_exports.py."""

from pullback.interop.dlpack import from_dlpack as from_dlpack
from pullback.interop.dlpack import to_dlpack as to_dlpack

__all__ = [
    "from_dlpack",
    "to_dlpack",
]
