"""The names of `tf.ragged`."""

from typing import TYPE_CHECKING

from ...interop.faces import missing as _missing

if TYPE_CHECKING:  # these load when first asked for
    from ...ops.feature_cross import ragged_cross as cross
    from ...ops.feature_cross import ragged_cross_hashed as cross_hashed
    from ...ops.ragged.array import boolean_mask, stack
    from ...ops.ragged.convert import constant
    from ...ops.ragged.elementwise import map_flat_values
    from ...ops.ragged.math import range, row_splits_to_segment_ids, segment_ids_to_row_splits, stack_dynamic_partitions

__all__ = [
    "boolean_mask",
    "constant",
    "cross",
    "cross_hashed",
    "map_flat_values",
    "range",
    "row_splits_to_segment_ids",
    "segment_ids_to_row_splits",
    "stack",
    "stack_dynamic_partitions",
]

__getattr__ = _missing("tf.ragged", __all__, __name__)
