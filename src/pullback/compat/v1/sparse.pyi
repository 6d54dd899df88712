"""The names of `pullback.compat.v1.sparse`, written by docs/make_exports.py."""

from pullback.ops.sparse.arithmetic import sparse_bincount as bincount
from pullback.ops.sparse.arithmetic import sparse_dense_matmul as matmul
from pullback.ops.sparse.arithmetic import sparse_dense_matmul as sparse_dense_matmul
from pullback.ops.sparse.arithmetic import sparse_maximum as maximum
from pullback.ops.sparse.arithmetic import sparse_minimum as minimum
from pullback.ops.sparse.arithmetic import sparse_softmax as softmax
from pullback.ops.sparse.classes import SparseTensor as SparseTensor
from pullback.ops.sparse.functions import expand_dims as expand_dims
from pullback.ops.sparse.functions import from_dense as from_dense
from pullback.ops.sparse.functions import mask as mask
from pullback.ops.sparse.functions import sparse_eye as eye
from pullback.ops.sparse.functions import sparse_fill_empty_rows as fill_empty_rows
from pullback.ops.sparse.functions import sparse_reorder as reorder
from pullback.ops.sparse.functions import sparse_reset_shape as reset_shape
from pullback.ops.sparse.functions import sparse_reshape as reshape
from pullback.ops.sparse.functions import sparse_retain as retain
from pullback.ops.sparse.functions import sparse_slice as slice
from pullback.ops.sparse.functions import sparse_to_indicator as to_indicator
from pullback.ops.sparse.functions import sparse_transpose as transpose
from pullback.ops.sparse.functions import to_dense as to_dense
from pullback.tensorflow.feature_cross import sparse_cross as cross
from pullback.tensorflow.feature_cross import sparse_cross_hashed as cross_hashed
from pullback.tensorflow.legacy.sparse import sparse_add as add
from pullback.tensorflow.legacy.sparse import sparse_concat as concat
from pullback.tensorflow.legacy.sparse import sparse_merge as merge
from pullback.tensorflow.legacy.sparse import sparse_placeholder as placeholder
from pullback.tensorflow.legacy.sparse import sparse_reduce_max as reduce_max
from pullback.tensorflow.legacy.sparse import sparse_reduce_max_sparse as reduce_max_sparse
from pullback.tensorflow.legacy.sparse import sparse_reduce_sum as reduce_sum
from pullback.tensorflow.legacy.sparse import sparse_reduce_sum_sparse as reduce_sum_sparse
from pullback.tensorflow.legacy.sparse import sparse_segment_mean as segment_mean
from pullback.tensorflow.legacy.sparse import sparse_segment_sqrt_n as segment_sqrt_n
from pullback.tensorflow.legacy.sparse import sparse_segment_sum as segment_sum
from pullback.tensorflow.legacy.sparse import sparse_split as split

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
