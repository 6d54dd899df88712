"""The names of `tf.sparse`."""

from typing import TYPE_CHECKING

from ...interop.faces import missing as _missing

if TYPE_CHECKING:  # these load when first asked for
    from ...ops.feature_cross import sparse_cross as cross
    from ...ops.feature_cross import sparse_cross_hashed as cross_hashed
    from ...ops.segment.sparse import segment_mean, segment_sqrt_n, segment_sum
    from ...ops.sparse.arithmetic import sampled_addmm, sparse_dense_matmul
    from ...ops.sparse.arithmetic import sparse_add as add
    from ...ops.sparse.arithmetic import sparse_bincount as bincount
    from ...ops.sparse.arithmetic import sparse_maximum as maximum
    from ...ops.sparse.arithmetic import sparse_minimum as minimum
    from ...ops.sparse.arithmetic import sparse_reduce_max as reduce_max
    from ...ops.sparse.arithmetic import sparse_reduce_sum as reduce_sum
    from ...ops.sparse.arithmetic import sparse_softmax as softmax
    from ...ops.sparse.functions import expand_dims, from_dense, map_values, mask, to_dense
    from ...ops.sparse.functions import sparse_concat as concat
    from ...ops.sparse.functions import sparse_eye as eye
    from ...ops.sparse.functions import sparse_fill_empty_rows as fill_empty_rows
    from ...ops.sparse.functions import sparse_reorder as reorder
    from ...ops.sparse.functions import sparse_reset_shape as reset_shape
    from ...ops.sparse.functions import sparse_reshape as reshape
    from ...ops.sparse.functions import sparse_retain as retain
    from ...ops.sparse.functions import sparse_slice as slice
    from ...ops.sparse.functions import sparse_split as split
    from ...ops.sparse.functions import sparse_to_indicator as to_indicator
    from ...ops.sparse.functions import sparse_transpose as transpose
    from ...ops.sparse.whole import SparseTensor

__all__ = [
    "SparseTensor",
    "add",
    "bincount",
    "concat",
    "cross",
    "cross_hashed",
    "expand_dims",
    "eye",
    "fill_empty_rows",
    "from_dense",
    "map_values",
    "mask",
    "maximum",
    "minimum",
    "reduce_max",
    "reduce_sum",
    "reorder",
    "reset_shape",
    "reshape",
    "retain",
    "sampled_addmm",
    "segment_mean",
    "segment_sqrt_n",
    "segment_sum",
    "slice",
    "softmax",
    "sparse_dense_matmul",
    "split",
    "to_dense",
    "to_indicator",
    "transpose",
]

__getattr__ = _missing("tf.sparse", __all__, __name__)
