"""Operations on CSR matrices, which TensorFlow has as `tf.raw_ops.SparseMatrix*`: tensors of dtype variant that hold a `CsrValue`.

A cotangent of such a matrix is another, with entries in the same places: what a product would put elsewhere is left out, by reading it
at those places alone (`CSRSparseMatrixValuesAt`).  Transposes that are flags of a product are made explicit in its gradient, so that one
rule serves all of them.  Sums, products with numbers and softmax have kernels here, which TensorFlow has for graphics cards only.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...base.dtypes import complex64, complex128, float32, float64, int32, int64, variant
from ...base.shapes import Shape
from ...ir.apply import ShapeError
from ...ir.op import Op, define
from ...ir.tensor import HandleTensor, SymbolicTensor, Tensor, TensorType
from ...kernels.native_loops import LEAST_ENTRIES, as_words, run_natively
from ...ops.array.basic import shape_of
from ...ops.array.gather_nd import GATHER_ND, SCATTER_ND
from ...ops.array.join import CONCAT
from ...ops.array.transpose import matrix_transpose
from ...ops.array.type_rules import dims_in, invalid_argument, match_dims, rank_of, require_equal, shape_in
from ...ops.math.arithmetic import CONJ, multiply
from ...ops.reduce.reductions import SUM
from ...ops.sparse.keys import check_inside, check_matrix, columns_of, places_in
from ...ops.tensor_list.value import ListValue
from . import entry_loops
from .value import CsrValue

Array = np.ndarray[Any, Any]
_DTYPES = frozenset({float32, float64, complex64, complex128})
_MATRIX = TensorType((), variant)


# ---- what is known of a matrix

#: How to read the shape of what an operation makes off a node, by the operation's name.
_DIMS: dict[str, Callable[[Any], Shape]] = {}


def define_matrix(*record: Any, dims: Callable[[Any], Shape] = lambda node: matrix_dims(node.inputs[0]), **more: Any) -> Op:
    """An operation that makes a matrix: as `define`, with how to read its shape off a node; else it is that of the first input."""
    op = define(*record, batch="one value that is no tensor", **more)
    _DIMS[op.name] = dims
    return op


def matrix_dims(matrix: Tensor) -> Shape:
    """The shape of a matrix, as far as the operation that made it tells."""
    if isinstance(matrix, HandleTensor):
        value = matrix.value
        return value.shape if isinstance(value, CsrValue) else None
    if not isinstance(matrix, SymbolicTensor):
        return None
    node = matrix.node
    reader = _DIMS.get(node.primitive.name)
    return reader(node) if reader is not None else None


def _product_dims(node: Any) -> Shape:
    a, b = (matrix_dims(t) for t in node.inputs)
    if a is None or b is None:
        return None
    rows = a[-1] if node.attrs["transpose_a"] or node.attrs["adjoint_a"] else a[-2]
    columns = b[-2] if node.attrs["transpose_b"] or node.attrs["adjoint_b"] else b[-1]
    return (*a[:-2], rows, columns)


def _transpose_dims(dims: Shape) -> Shape:
    return None if dims is None else (*dims[:-2], dims[-1], dims[-2])


def value_of(matrix: object) -> CsrValue:
    """The matrix that a tensor of dtype variant holds."""
    if not isinstance(matrix, CsrValue):
        raise invalid_argument(f"a CSR matrix is wanted, made by SparseTensorToCSRSparseMatrix and its like, not a {type(matrix).__name__}")
    return matrix


def is_nothing(matrix: object) -> bool:
    """Whether a list without elements stands for a matrix of zeros."""
    return isinstance(matrix, ListValue) and not matrix.length


# ---- made and read


def _from_sparse(indices: Array, values: Array, dense_shape: Array) -> CsrValue:
    check_matrix(indices, values, dense_shape)
    if len(dense_shape) not in (2, 3):
        raise invalid_argument(f"SparseTensor must have rank 2 or 3; but indices has rank: {len(dense_shape)}")
    return CsrValue.of(indices, values, dense_shape)


def _values_at(matrix: Any, indices: Array, shape: Array, *, type: Any) -> Array:
    return np.zeros(len(indices), type.numpy_dtype) if is_nothing(matrix) else value_of(matrix).at(indices)


def _require_matrix(dims: Shape) -> None:
    if dims is not None and len(dims) not in (2, 3):
        text = f"Invalid rank: {len(dims)}. Expected a known rank of either 2 or 3."
        raise ShapeError(text, text)


def _from_sparse_type(indices: Any, values: Any, dense_shape: Any) -> TensorType:
    match_dims("n rank, n, rank", indices, values, dense_shape)
    _require_matrix(shape_in(dense_shape))
    return _MATRIX


#: The values of a matrix of a shape at index vectors, 0 where it has no entry.
VALUES_AT: Op = define(
    "CSRSparseMatrixValuesAt",
    "matrix:variant indices:int64 shape:int64",
    lambda matrix, indices, shape, *, type: TensorType(indices.dims[:1] if indices.dims is not None else (None,), type),
    _values_at,
    {"matrix": lambda g, indices, shape: FROM_SPARSE(indices, g, shape)},
    holomorphic=False,
    batch="one value that is no tensor",
)
FROM_SPARSE: Op = define_matrix(
    "SparseTensorToCSRSparseMatrix",
    "indices:int64 values dense_shape:int64",
    _from_sparse_type,
    _from_sparse,
    {"values": lambda g, indices, values_type, dense_shape: VALUES_AT(g, indices, dense_shape, type=values_type.dtype)},
    dtypes=_DTYPES,
    holomorphic=False,
    dims=lambda node: dims_in(node.inputs[2]),
)


def _to_sparse_type(sparse_matrix: Any, *, type: Any) -> tuple[TensorType, ...]:
    dims = matrix_dims(sparse_matrix)
    rank = None if dims is None else len(dims)
    known = np.array(dims, np.int64) if dims is not None and None not in dims else None
    count = len(sparse_matrix.value.values) if isinstance(sparse_matrix, HandleTensor) and dims is not None else None
    return TensorType((count, rank), int64), TensorType((count,), type), TensorType((rank,), int64, known)


def _to_sparse(sparse_matrix: Any, *, type: Any) -> tuple[Array, Array, Array]:
    value = check_type(sparse_matrix, type)
    return value.indices, value.values, np.array(value.shape, np.int64)


def check_type(matrix: Any, dtype: Any) -> CsrValue:
    """A matrix, InvalidArgumentError where it is of another dtype."""
    value = value_of(matrix)
    if value.values.dtype != dtype.numpy_dtype:
        raise invalid_argument(f"dtype of the matrix is {value.values.dtype}, but {dtype.name} is asked for")
    return value


TO_SPARSE: Op = define(
    "CSRSparseMatrixToSparseTensor",
    "sparse_matrix:variant",
    _to_sparse_type,
    _to_sparse,
    {"sparse_matrix": lambda g_values, indices, dense_shape: FROM_SPARSE(indices, g_values, dense_shape)},
    outputs="indices values dense_shape",
    holomorphic=False,
    batch="shape depends on values",
)


def _from_dense(dense_input: Array, indices: Array) -> CsrValue:
    if dense_input.ndim not in (2, 3) or indices.ndim != 2 or indices.shape[1] != dense_input.ndim:
        raise invalid_argument(
            f"dense must have rank 2 or 3 and indices a column for each axis; got {dense_input.shape} and {indices.shape}"
        )
    if len(indices) >= LEAST_ENTRIES:
        found, sizes = np.empty(len(indices), dense_input.dtype), np.array(dense_input.shape)
        words = as_words(found, dense_input)
        if run_natively(entry_loops.gather_elements, len(indices), *words, indices, sizes, len(indices), rank=len(sizes)) == 1:
            return CsrValue(indices, found, dense_input.shape)
    check_inside(indices, np.array(dense_input.shape))
    places = places_in(columns_of(indices), [0] * dense_input.ndim, dense_input.shape)
    return CsrValue.of(indices, dense_input.reshape(-1).take(places), dense_input.shape)


def _from_dense_back(g: Any, dense_input_type: Any, indices: Any) -> Any:
    shape = shape_of(dense_input_type, int64)
    return SCATTER_ND.call(indices, VALUES_AT(g, indices, shape, type=dense_input_type.dtype), shape)


def _from_dense_type(dense_input: Any, indices: Any) -> TensorType:
    _require_matrix(dense_input.dims)
    rank = match_dims("_ rank", indices)["rank"]
    require_equal(rank, rank_of(dense_input), "indices must have a column for each axis")
    return _MATRIX


FROM_DENSE = define_matrix(
    "DenseToCSRSparseMatrix",
    "dense_input indices:int64",
    _from_dense_type,
    _from_dense,
    {"dense_input": _from_dense_back},
    dtypes=_DTYPES,
    holomorphic=False,
    dims=lambda node: node.inputs[0].dims,
)


def _places(matrix: Any, dtype: Any) -> tuple[Tensor, Tensor]:
    """The index vectors and the shape of a matrix."""
    indices, _, shape = TO_SPARSE(matrix, type=dtype)
    return indices, shape


def _to_dense_back(g: Any, sparse_input: Any, type: Any) -> Tensor:
    indices, shape = _places(sparse_input, type)
    return FROM_SPARSE(indices, GATHER_ND.call(g, indices), shape)


TO_DENSE = define(
    "CSRSparseMatrixToDense",
    "sparse_input:variant",
    lambda sparse_input, *, type: TensorType(matrix_dims(sparse_input), type),
    lambda sparse_input, *, type: check_type(sparse_input, type).dense(),
    {"sparse_input": _to_dense_back},
    holomorphic=False,
    batch="one value that is no tensor",
)


def _components(csr_sparse_matrix: Any, index: Array, *, type: Any) -> tuple[Array, Array, Array]:
    value = check_type(csr_sparse_matrix, type)
    count = value.shape[0] if len(value.shape) == 3 else 1
    if not 0 <= int(index) < count:
        raise invalid_argument(f"index ({int(index)}) not in [0, {count})")
    pointers, columns = value.rows()
    if len(value.shape) == 2:
        return pointers.astype(np.int32, copy=False), columns.astype(np.int32, copy=False), value.values
    height, width = value.shape[-2:]
    first = int(index) * height
    pointers = pointers[first : first + height + 1]
    mine = slice(pointers[0], pointers[-1])
    return (pointers - pointers[0]).astype(np.int32), (columns[mine] - int(index) * width).astype(np.int32), value.values[mine]


def _components_type(csr_sparse_matrix: Any, index: Any, *, type: Any) -> tuple[TensorType, ...]:
    dims = matrix_dims(csr_sparse_matrix)
    rows = None if dims is None or dims[-2] is None else dims[-2] + 1
    return TensorType((rows,), int32), TensorType((None,), int32), TensorType((None,), type)


define(
    "CSRSparseMatrixComponents",
    "csr_sparse_matrix:variant index:int32",
    _components_type,
    _components,
    None,
    outputs="row_ptrs col_inds values",
    batch="shape depends on values",
)


def _nnz(sparse_matrix: Any) -> Any:
    value = value_of(sparse_matrix)
    if len(value.shape) == 2:
        return np.int32(len(value.values))
    return np.bincount(value.indices[:, 0], minlength=value.shape[0]).astype(np.int32)


def _nnz_type(sparse_matrix: Any) -> TensorType:
    dims = matrix_dims(sparse_matrix)
    return TensorType(None if dims is None else dims[:-2], int32)


NNZ = define("SparseMatrixNNZ", "sparse_matrix:variant", _nnz_type, _nnz, {}, batch="one value that is no tensor")


def _zeros_type(dense_shape: Any, *, type: Any) -> TensorType:
    _require_matrix(shape_in(dense_shape))
    return _MATRIX


def _zeros(dense_shape: Array, *, type: Any) -> CsrValue:
    if dense_shape.ndim != 1 or (dense_shape < 0).any():
        raise invalid_argument(f"a shape is a vector of sizes of at least 0, not {dense_shape.tolist()}")
    if len(dense_shape) not in (2, 3):
        raise invalid_argument(f"sparse matrices have rank 2 or 3, not {len(dense_shape)}")
    return CsrValue.of(np.zeros((0, len(dense_shape)), np.int64), np.zeros(0, type.numpy_dtype), dense_shape)


define_matrix(
    "SparseMatrixZeros",
    "dense_shape:int64",
    _zeros_type,
    _zeros,
    {},
    dtypes={"type": _DTYPES},
    dims=lambda node: dims_in(node.inputs[0]),
)


# ---- transposes and products


TRANSPOSE: Op = define_matrix(
    "SparseMatrixTranspose",
    "input:variant",
    lambda input, *, type, conjugate=False: _MATRIX,
    lambda input, *, type, conjugate=False: input if is_nothing(input) else check_type(input, type).transpose(conjugate),
    {"input": lambda g, attrs: TRANSPOSE(g, **attrs)},
    holomorphic=False,
    dims=lambda node: _transpose_dims(matrix_dims(node.inputs[0])),
)


def _turn(matrix: Any, transpose: bool, adjoint: bool, dtype: Any) -> Tensor:
    return TRANSPOSE(matrix, type=dtype, conjugate=adjoint) if transpose or adjoint else matrix


def _dense_turn(x: Any, transpose: bool, adjoint: bool) -> Tensor:
    return matrix_transpose(x, conjugate=adjoint) if transpose or adjoint else x


def _check_flags(transpose_a: bool, transpose_b: bool, adjoint_a: bool, adjoint_b: bool) -> None:
    if (transpose_a and adjoint_a) or (transpose_b and adjoint_b):
        raise invalid_argument("Only one of transpose and adjoint may be true, for a and for b")


def _matmul(
    a: Any, b: Array, *, transpose_a: bool = False, transpose_b: bool = False, adjoint_a: bool = False, adjoint_b: bool = False,
    transpose_output: bool = False, conjugate_output: bool = False,
) -> Array:  # fmt: skip
    _check_flags(transpose_a, transpose_b, adjoint_a, adjoint_b)
    left = value_of(a)
    if b.dtype != left.values.dtype or b.ndim != len(left.shape):
        raise invalid_argument(
            f"a of {left.values.dtype} {list(left.shape)} and b of {b.dtype} {list(b.shape)} do not agree in dtype and rank"
        )
    left = left.transpose(adjoint_a) if transpose_a or adjoint_a else left
    right = b.swapaxes(-1, -2) if transpose_b or adjoint_b else b
    if left.shape[:-2] != right.shape[:-2] or left.shape[-1] != right.shape[-2]:
        shapes = " vs. ".join("[" + ",".join(map(str, s)) + "]" for s in (left.shape, right.shape))
        raise invalid_argument(f"Inner product dimensions of A and B do not agree. Shapes are: {shapes}")
    out = left.times(right.conj() if adjoint_b else right)
    out = out.swapaxes(-1, -2) if transpose_output else out
    return np.ascontiguousarray(out.conj() if conjugate_output else out)


def _matmul_type(
    a: Any, b: Any, *, transpose_a: bool = False, transpose_b: bool = False, adjoint_a: bool = False, adjoint_b: bool = False,
    transpose_output: bool = False, conjugate_output: bool = False,
) -> TensorType:  # fmt: skip
    dims = matrix_dims(a)
    if dims is None or b.dims is None:
        return TensorType(None if b.dims is None else (None,) * len(b.dims), b.dtype)
    if len(dims) != len(b.dims):
        raise ShapeError(f"Shapes must be equal rank, but are {len(dims)} and {len(b.dims)}", "the ranks of a and b differ")
    rows, inner = dims[-2:][::-1] if transpose_a or adjoint_a else dims[-2:]
    there, columns = b.dims[-2:][::-1] if transpose_b or adjoint_b else b.dims[-2:]
    if inner is not None and there is not None and inner != there:
        raise ShapeError(f"Dimensions must be equal, but are {inner} and {there}", "Inner product dimensions of A and B do not agree.")
    return TensorType((*dims[:-2], *((columns, rows) if transpose_output else (rows, columns))), b.dtype)


def _matmul_back(
    g: Any, a: Any, b: Any, transpose_a: bool, transpose_b: bool, adjoint_a: bool, adjoint_b: bool, transpose_output: bool,
    conjugate_output: bool,
) -> tuple[Tensor, Tensor]:  # fmt: skip
    dtype = b.dtype.base_dtype
    g = CONJ.call(g) if conjugate_output and dtype.is_complex else g
    g = matrix_transpose(g) if transpose_output else g
    left, right = _turn(a, transpose_a, adjoint_a, dtype), _dense_turn(b, transpose_b, adjoint_b)
    indices, shape = _places(left, dtype)
    rank = len(b.dims)
    batch, row, column = indices[:, : rank - 2], indices[:, rank - 2 : rank - 1], indices[:, rank - 1 :]
    of_g = GATHER_ND.call(g, CONCAT.call([batch, row], 1))
    of_b = GATHER_ND.call(right, CONCAT.call([batch, column], 1))
    of_b = CONJ.call(of_b) if dtype.is_complex else of_b
    values = SUM.call(multiply(of_g, of_b), [-1])
    to_a = _turn(FROM_SPARSE(indices, values, shape), transpose_a, adjoint_a, dtype)
    return to_a, _dense_turn(MATMUL(left, g, adjoint_a=True), transpose_b, adjoint_b)


MATMUL: Op = define(
    "SparseMatrixMatMul",
    "a:variant b",
    _matmul_type,
    _matmul,
    {("a", "b"): _matmul_back},
    dtypes=_DTYPES,
    holomorphic=False,
    batch="one value that is no tensor",
)


def _sparse_matmul(
    a: Any, b: Any, *, type: Any, transpose_a: bool = False, transpose_b: bool = False, adjoint_a: bool = False, adjoint_b: bool = False
) -> Any:
    _check_flags(transpose_a, transpose_b, adjoint_a, adjoint_b)
    if is_nothing(a) or is_nothing(b):
        return ListValue([])
    left, right = check_type(a, type), check_type(b, type)
    left = left.transpose(adjoint_a) if transpose_a or adjoint_a else left
    right = right.transpose(adjoint_b) if transpose_b or adjoint_b else right
    if left.shape[:-2] != right.shape[:-2] or left.shape[-1] != right.shape[-2]:
        shapes = " vs. ".join("[" + ",".join(map(str, s)) + "]" for s in (left.shape, right.shape))
        raise invalid_argument(f"Inner product dimensions of A and B do not agree. Shapes are: {shapes}")
    return left.times_sparse(right)


def _keep_pattern(matrix: Any, like: Any) -> Any:
    if is_nothing(matrix) or is_nothing(like):
        return matrix
    pattern = value_of(like)
    return CsrValue(pattern.indices, value_of(matrix).at(pattern.indices), pattern.shape)


#: A matrix at the places of another, and nowhere else; whole beside a list without elements, which has no places.
KEPT: Op = define(
    "CSRSparseMatrixKept",
    "matrix:variant like:variant",
    lambda matrix, like: _MATRIX,
    _keep_pattern,
    {"matrix": lambda g, like: KEPT(g, like)},
    holomorphic=False,
    batch="one value that is no tensor",
)


def _sparse_matmul_back(g: Any, a: Any, b: Any, type: Any, transpose_a: bool, transpose_b: bool, adjoint_a: bool, adjoint_b: bool) -> Any:
    left, right = _turn(a, transpose_a, adjoint_a, type), _turn(b, transpose_b, adjoint_b, type)
    to_a = KEPT(SPARSE_MATMUL(g, right, adjoint_b=True, type=type), left)
    to_b = KEPT(SPARSE_MATMUL(left, g, adjoint_a=True, type=type), right)
    return _turn(to_a, transpose_a, adjoint_a, type), _turn(to_b, transpose_b, adjoint_b, type)


SPARSE_MATMUL: Op = define_matrix(
    "SparseMatrixSparseMatMul",
    "a:variant b:variant",
    lambda a, b, *, type, transpose_a=False, transpose_b=False, adjoint_a=False, adjoint_b=False: _MATRIX,
    _sparse_matmul,
    {("a", "b"): _sparse_matmul_back},
    holomorphic=False,
    dims=_product_dims,
)
