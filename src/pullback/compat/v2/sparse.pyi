"""The names of `pullback.compat.v2.sparse`, written by docs/make_exports.py."""

from pullback.ops.segment.sparse import segment_mean as segment_mean
from pullback.ops.segment.sparse import segment_sqrt_n as segment_sqrt_n
from pullback.ops.segment.sparse import segment_sum as segment_sum
from pullback.ops.sparse.arithmetic import sampled_addmm as sampled_addmm
from pullback.ops.sparse.arithmetic import sparse_add as add
from pullback.ops.sparse.arithmetic import sparse_bincount as bincount
from pullback.ops.sparse.arithmetic import sparse_dense_matmul as sparse_dense_matmul
from pullback.ops.sparse.arithmetic import sparse_maximum as maximum
from pullback.ops.sparse.arithmetic import sparse_minimum as minimum
from pullback.ops.sparse.arithmetic import sparse_reduce_max as reduce_max
from pullback.ops.sparse.arithmetic import sparse_reduce_sum as reduce_sum
from pullback.ops.sparse.arithmetic import sparse_softmax as softmax
from pullback.ops.sparse.classes import SparseTensor as SparseTensor
from pullback.ops.sparse.functions import expand_dims as expand_dims
from pullback.ops.sparse.functions import from_dense as from_dense
from pullback.ops.sparse.functions import map_values as map_values
from pullback.ops.sparse.functions import mask as mask
from pullback.ops.sparse.functions import sparse_concat as concat
from pullback.ops.sparse.functions import sparse_eye as eye
from pullback.ops.sparse.functions import sparse_fill_empty_rows as fill_empty_rows
from pullback.ops.sparse.functions import sparse_reorder as reorder
from pullback.ops.sparse.functions import sparse_reset_shape as reset_shape
from pullback.ops.sparse.functions import sparse_reshape as reshape
from pullback.ops.sparse.functions import sparse_retain as retain
from pullback.ops.sparse.functions import sparse_slice as slice
from pullback.ops.sparse.functions import sparse_split as split
from pullback.ops.sparse.functions import sparse_to_indicator as to_indicator
from pullback.ops.sparse.functions import sparse_transpose as transpose
from pullback.ops.sparse.functions import to_dense as to_dense
from pullback.tensorflow.feature_cross import sparse_cross as cross
from pullback.tensorflow.feature_cross import sparse_cross_hashed as cross_hashed

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
