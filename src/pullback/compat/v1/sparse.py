"""The names of `tf.compat.v1.sparse`."""

from typing import TYPE_CHECKING

from ...interop.faces import missing as _missing

if TYPE_CHECKING:  # these load when first asked for
    from ...ops.feature_cross import sparse_cross as cross
    from ...ops.feature_cross import sparse_cross_hashed as cross_hashed
    from ...ops.sparse.arithmetic import sparse_bincount as bincount
    from ...ops.sparse.arithmetic import sparse_dense_matmul
    from ...ops.sparse.arithmetic import sparse_dense_matmul as matmul
    from ...ops.sparse.arithmetic import sparse_maximum as maximum
    from ...ops.sparse.arithmetic import sparse_minimum as minimum
    from ...ops.sparse.arithmetic import sparse_softmax as softmax
    from ...ops.sparse.functions import expand_dims, from_dense, mask, to_dense
    from ...ops.sparse.functions import sparse_eye as eye
    from ...ops.sparse.functions import sparse_fill_empty_rows as fill_empty_rows
    from ...ops.sparse.functions import sparse_reorder as reorder
    from ...ops.sparse.functions import sparse_reset_shape as reset_shape
    from ...ops.sparse.functions import sparse_reshape as reshape
    from ...ops.sparse.functions import sparse_retain as retain
    from ...ops.sparse.functions import sparse_slice as slice
    from ...ops.sparse.functions import sparse_to_indicator as to_indicator
    from ...ops.sparse.functions import sparse_transpose as transpose
    from ...ops.sparse.whole import SparseTensor
    from ..legacy.sparse import sparse_add as add
    from ..legacy.sparse import sparse_concat as concat
    from ..legacy.sparse import sparse_merge as merge
    from ..legacy.sparse import sparse_placeholder as placeholder
    from ..legacy.sparse import sparse_reduce_max as reduce_max
    from ..legacy.sparse import sparse_reduce_max_sparse as reduce_max_sparse
    from ..legacy.sparse import sparse_reduce_sum as reduce_sum
    from ..legacy.sparse import sparse_reduce_sum_sparse as reduce_sum_sparse
    from ..legacy.sparse import sparse_segment_mean as segment_mean
    from ..legacy.sparse import sparse_segment_sqrt_n as segment_sqrt_n
    from ..legacy.sparse import sparse_segment_sum as segment_sum
    from ..legacy.sparse import sparse_split as split

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
    "mask",
    "matmul",
    "maximum",
    "merge",
    "minimum",
    "placeholder",
    "reduce_max",
    "reduce_max_sparse",
    "reduce_sum",
    "reduce_sum_sparse",
    "reorder",
    "reset_shape",
    "reshape",
    "retain",
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

__getattr__ = _missing("tf1.sparse", __all__, __name__)
