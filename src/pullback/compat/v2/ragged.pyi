"""The names of `pullback.compat.v2.ragged`, written by docs/make_exports.py."""

from pullback.tensorflow.feature_cross import ragged_cross as cross
from pullback.tensorflow.feature_cross import ragged_cross_hashed as cross_hashed
from pullback.tensorflow.ragged.array import boolean_mask as boolean_mask
from pullback.tensorflow.ragged.array import stack as stack
from pullback.tensorflow.ragged.convert import constant as constant
from pullback.tensorflow.ragged.elementwise import map_flat_values as map_flat_values
from pullback.tensorflow.ragged.math import range as range
from pullback.tensorflow.ragged.math import row_splits_to_segment_ids as row_splits_to_segment_ids
from pullback.tensorflow.ragged.math import segment_ids_to_row_splits as segment_ids_to_row_splits
from pullback.tensorflow.ragged.math import stack_dynamic_partitions as stack_dynamic_partitions

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
