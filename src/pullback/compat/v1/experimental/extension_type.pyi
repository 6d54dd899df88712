"""The names of `pullback.compat.v1.experimental.extension_type`, written by docs/make_exports.py."""

from pullback.tensorflow.extension.extension_type import as_dict as as_dict

__all__ = [
    "as_dict",
]
