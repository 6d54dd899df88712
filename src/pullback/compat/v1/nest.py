"""The names of `tf.compat.v1.nest`."""

from ...base.nest import assert_same_structure, flatten, is_nested, map_structure, pack_sequence_as
from ...interop.names import missing as _missing

__all__ = [
    "assert_same_structure",
    "flatten",
    "is_nested",
    "map_structure",
    "pack_sequence_as",
]

__getattr__ = _missing("tf1.nest", __all__)
