"""The names of `pullback.compat.v2.experimental.extension_type`, written by docs/make_exports.py."""

from pullback.ops.extension.types import as_dict

__all__ = [
    "as_dict",
]
