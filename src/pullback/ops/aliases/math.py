"""Operations that TensorFlow has under an older name, or under a second one."""

from __future__ import annotations

from functools import reduce
from operator import add
from typing import Any

import numpy as np

from ...base.dtypes import ANY, NUMERIC
from ...base.errors import UnimplementedError
from ...base.export import export
from ...base.shapes import are_compatible, show as show_dims
from ...ir.apply import ShapeError, convert_to_tensor
from ...ir.context import executing_eagerly, scope
from ...ir.function_graph import IDENTITY
from ...ir.op import Op, Remedies, Traits, define
from ...ir.tensor import Dims, Tensor, TensorType
from ..array.bad_indices import ignores
from ..array.blocks import BATCH_TO_SPACE_ND, SPACE_TO_BATCH_ND
from ..array.gather_nd import ADD as TENSOR_SCATTER_ADD
from ..array.join import CONCAT
from ..array.order import REVERSE
from ..array.shape import expand_dims
from ..array.type_rules import Array, invalid_argument, rank_of, require_equal, require_rank, unknown_dims
from ..effects.checks import CHECK_NUMERICS
from ..families import elementwise, linear
from ..linalg.bands import MATRIX_DIAG, MATRIX_DIAG_PART, MATRIX_SET_DIAG
from ..linalg.products import BATCH_MATMUL
from ..lowering import array as native_array, math as native_math
from ..math import kernels as math_kernels
from ..math.arithmetic import multiply, negative
from ..math.division import RATIO, TRUNCATE_MOD, divide_by
from ..math.functions import RECIPROCAL, RECIPROCAL_GRAD
from ..math.sums import ADD_N
from .define import REQUIRED, version, zero_like

# ---- arithmetic


def _divide(x: Array, y: Array) -> Any:
    return math_kernels.truncate_div(x, y) if x.dtype.kind in "iu" else np.true_divide(x, y)


DIV = elementwise(
    "Div",
    "x y",
    _divide,
    {"x": lambda g, y: divide_by(g, y), "y": lambda g, y, out: negative(multiply(divide_by(g, y), out))},
    dtypes=NUMERIC,
    lower=native_math.truncated_quotient,
    gradient_names="RealDiv mul",
    traits=Traits(remedies=Remedies(RATIO), multiplies=True),
)
INV = version("Inv", "x", RECIPROCAL, traits=Traits(remedies=Remedies(RATIO)))


def _check_sizes(y: Any, dy: Any) -> None:
    if not are_compatible(y.dims, dy.dims):
        raise invalid_argument(f"The two arguments to a cwise op must have same number of elements, got {list(y.dims)} and {list(dy.dims)}")


INV_GRAD = version("InvGrad", "y dy", RECIPROCAL_GRAD, check=_check_sizes)
MOD = version("Mod", "x y", TRUNCATE_MOD)


def _sum_type(inputs: Any, *, shape: Dims) -> Any:
    given = TensorType(None if shape is None else tuple(shape), inputs[0].dtype)
    return ADD_N.infer([given, *inputs])


ACCUMULATE_N_V2 = define(
    "AccumulateNV2", "*inputs", _sum_type, lambda inputs, *, shape: ADD_N.kernel(inputs),
    {"inputs": lambda g, inputs_type: [g] * len(inputs_type)}, dtypes=NUMERIC, holomorphic=False,
    batch=lambda rows, inputs, *, shape: ADD_N.call(rows.all_stacked(inputs)),
    lower=lambda builder, inputs, *, shape: reduce(add, inputs),
)  # fmt: skip

# ---- products


def _refuse_broadcast(x: Any, y: Any, **flags: Any) -> None:
    a, b = (None if t.dims is None else t.dims[:-2] for t in (x, y))
    if a is None or b is None:
        return
    if len(a) != len(b):
        text = f"In[0] and In[1] has different ndims: {show_dims(x.dims)} vs. {show_dims(y.dims)}"
        raise ShapeError(f"Shapes must be equal rank, but are {len(x.dims)} and {len(y.dims)}", text)
    for i, (m, n) in enumerate(zip(a, b, strict=True)):
        if m is not None and n is not None and m != n:
            text = f"In[0].dim({i}) and In[1].dim({i}) must be the same: {show_dims(x.dims)} vs {show_dims(y.dims)}"
            raise ShapeError(f"Dimensions must be equal, but are {m} and {n}", text)


BATCH_MATMUL_V1 = version(
    "BatchMatMul", "x y", BATCH_MATMUL, check=_refuse_broadcast, traits=Traits(raw_hints=BATCH_MATMUL.traits.raw_hints, multiplies=True)
)

# ---- diagonals

MATRIX_DIAG_V1 = version(
    "MatrixDiag", "diagonal", MATRIX_DIAG,
    fixed={
        "k": np.int32(0), "num_rows": np.int32(-1), "num_cols": np.int32(-1), "padding_value": lambda diagonal: zero_like(diagonal),
        "align": "LEFT_LEFT",
    },
)  # fmt: skip
MATRIX_DIAG_PART_V1 = version(
    "MatrixDiagPart", "input", MATRIX_DIAG_PART,
    fixed={"k": np.int32(0), "padding_value": lambda input: zero_like(input), "align": "LEFT_LEFT"},
)  # fmt: skip


def _check_diagonal(input: Any, diagonal: Any) -> None:
    if input.dims is not None and len(input.dims) > 1 and diagonal.dims is not None:
        rows, columns = input.dims[-2:]
        width = None if rows is None or columns is None else min(rows, columns)
        size = diagonal.dims[-1] if diagonal.dims else None
        require_equal(
            width, size, f"diagonal must be as long as a main one: {show_dims(diagonal.dims)} for {show_dims(input.dims)}"
        )


MATRIX_SET_DIAG_V1 = version(
    "MatrixSetDiag", "input diagonal", MATRIX_SET_DIAG, fixed={"k": np.int32(0), "align": "LEFT_LEFT"}, check=_check_diagonal
)
MATRIX_DIAG_V2 = version(
    "MatrixDiagV2", "diagonal k:int32 num_rows:int32 num_cols:int32 padding_value", MATRIX_DIAG, fixed={"align": "LEFT_LEFT"}
)
MATRIX_DIAG_PART_V2 = version("MatrixDiagPartV2", "input k:int32 padding_value", MATRIX_DIAG_PART, fixed={"align": "LEFT_LEFT"})
MATRIX_SET_DIAG_V2 = version("MatrixSetDiagV2", "input diagonal k:int32", MATRIX_SET_DIAG, fixed={"align": "LEFT_LEFT"})

# ---- arrays


def _two_blocks(block_size: int) -> Array:
    return np.array([block_size, block_size], np.int32)


def _rank_four(input: Any, others: Any, *, block_size: int) -> tuple[Any, Any]:
    dims = require_rank(input, 4, f"Input rank should be: 4 instead of: {rank_of(input)}")
    if block_size < 2:
        text = f"Block size should be > 1: {block_size}"
        raise ShapeError(text, text)
    return TensorType(dims, input.dtype), others


BATCH_TO_SPACE = version(
    "BatchToSpace", "input crops:Tcrops", BATCH_TO_SPACE_ND, fixed={"block_shape": _two_blocks}, attributes={"block_size": REQUIRED},
    check=_rank_four,
)  # fmt: skip
SPACE_TO_BATCH = version(
    "SpaceToBatch", "input paddings:Tpaddings", SPACE_TO_BATCH_ND, fixed={"block_shape": _two_blocks}, attributes={"block_size": REQUIRED},
    check=_rank_four,
)  # fmt: skip
CONCAT_V1 = version("Concat", "concat_dim:int32 *values", CONCAT, renamed={"concat_dim": "axis"}, traits=Traits(copies=True, moves=True))
PARALLEL_CONCAT = version(
    "ParallelConcat", "*values", CONCAT, fixed={"axis": np.int32(0)}, attributes={"shape": REQUIRED}, check=lambda values, *, shape: None
)


def _known_policy(input: Any, indices: Any, updates: Any, *, bad_indices_policy: str) -> None:
    if ignores(bad_indices_policy):
        raise UnimplementedError(None, None, "ScatterNdNonAliasingAdd: bad_indices_policy='IGNORE': use tf.tensor_scatter_nd_add")


SCATTER_ND_NON_ALIASING_ADD = version(
    "ScatterNdNonAliasingAdd", "input indices:Tindices updates", TENSOR_SCATTER_ADD, renamed={"input": "tensor"},
    attributes={"bad_indices_policy": ""}, check=_known_policy,
)  # fmt: skip


def _reverse_type(tensor: Any, dims: Any) -> TensorType:
    require_rank(dims, 1, f"'dims' must be 1-dimension, not {len(dims.dims or ())}")
    count = None if dims.dims is None else dims.dims[0]
    if count is not None and tensor.dims is not None and count != len(tensor.dims):
        text = f"'dims' must have the same number of values as 'tensor' has dimensions: {len(tensor.dims)}, not {count}"
        raise ShapeError(f"Shape must be rank {count} but is rank {len(tensor.dims)}", text)
    return TensorType(unknown_dims(count) if tensor.dims is None else tensor.dims, tensor.dtype)


def _reverse(tensor: Array, dims: Array) -> Array:
    if not tensor.ndim:
        return tensor  # eagerly, whatever the flags
    if dims.shape != (tensor.ndim,):
        raise ValueError("one flag for each axis")  # the type rule finds the words
    return REVERSE.kernel(tensor, np.flatnonzero(dims))


def _reverse_rows(rows: Any, tensor: Any, dims: Any) -> Any:
    if rows.has(dims):
        return NotImplemented
    return rows.op(rows.stack(tensor), CONCAT.call([np.array([False]), dims], 0))


REVERSE_V1: Op = linear(
    "Reverse",
    "tensor dims:bool",
    _reverse_type,
    _reverse,
    lambda g, dims: REVERSE_V1(g, dims),
    dtypes={"T": ANY},
    batch=_reverse_rows,
    lower=native_array.lower_view("Reverse"),
    traits=Traits(copies=True),
)

# ---- what hands a tensor on

SNAPSHOT = version("Snapshot", "input", IDENTITY)
DEEP_COPY = version("DeepCopy", "x", IDENTITY, renamed={"x": "input"})
CHECK_NUMERICS_V2 = version("CheckNumericsV2", "tensor", CHECK_NUMERICS)


@export(v2="parallel_stack")
def parallel_stack(values: Any, name: str = "parallel_stack") -> Tensor:
    """Tensors of one known shape, put side by side along a new first axis.  As in TensorFlow, for graphs: eagerly a RuntimeError.

    >>> stacked = tf.function(lambda x, y: tf.parallel_stack([x, y]))
    >>> stacked(tf.constant([1, 2]), tf.constant([3, 4])).numpy().tolist()
    [[1, 2], [3, 4]]
    """
    if executing_eagerly():
        raise RuntimeError("tf.parallel_stack() is not compatible with eager execution; use tf.stack")
    with scope(name, "parallel_stack"):
        given = [convert_to_tensor(v) for v in values]
        dims = given[0].dims
        if dims is None or None in dims:
            raise ValueError(f"parallel_stack needs values of known shape, not {show_dims(dims)}")
        rows = [expand_dims(v, 0) for v in given]
        return PARALLEL_CONCAT(rows, shape=(len(rows), *dims))
