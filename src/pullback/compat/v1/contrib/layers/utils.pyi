"""The names of `pullback.compat.v1.contrib.layers.utils`, written by docs/make_exports.py."""

from pullback.tensorflow.contrib.collections import convert_collection_to_dict as convert_collection_to_dict

__all__ = [
    "convert_collection_to_dict",
]
