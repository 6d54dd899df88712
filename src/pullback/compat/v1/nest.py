"""The names of `tf.compat.v1.nest`."""

from typing import TYPE_CHECKING

from ...interop.faces import missing as _missing

if TYPE_CHECKING:  # these load when first asked for
    from ...base.nest import assert_same_structure, flatten, is_nested, map_structure, pack_sequence_as

__all__ = [
    "assert_same_structure",
    "flatten",
    "is_nested",
    "map_structure",
    "pack_sequence_as",
]

__getattr__ = _missing("tf1.nest", __all__, __name__)
