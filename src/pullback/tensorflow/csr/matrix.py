"""`CSRSparseMatrix`: a CSR matrix with methods, and the product of such matrices, as TensorFlow has them beside its operations."""

from __future__ import annotations

from typing import Any

from ...base.dtypes import DType, int64
from ...base.shapes import Shape, TensorShape
from ...ir.apply import convert_to_tensor
from ...ops.array.identity import stop_gradient
from ...ops.array.where import where
from ...ops.linalg.products import matmul as dense_matmul
from ...ops.math.arithmetic import CONJ
from ...ops.sparse.classes import SparseTensor
from . import arithmetic as csr_arithmetic
from .ops import FROM_DENSE, FROM_SPARSE, MATMUL, NNZ, SPARSE_MATMUL, TO_DENSE, TO_SPARSE, TRANSPOSE, matrix_dims


class CSRSparseMatrix:
    """A matrix, or a batch of them, in compressed sparse rows.

    value: a `SparseTensor`, or a tensor whose entries at `indices` (by default those that are not 0) are stored; floating or complex, of
    rank 2 or 3.  Raises ValueError for indices beside a sparse tensor.

    >>> from pullback.tensorflow.csr.matrix import CSRSparseMatrix, matmul
    >>> a = CSRSparseMatrix([[1.0, 0.0], [0.0, 2.0]])
    >>> matmul(a, [[3.0], [4.0]]).numpy().tolist()
    [[3.0], [8.0]]
    """

    def __init__(self, value: Any, indices: Any = None, name: str | None = None) -> None:
        if isinstance(value, SparseTensor):
            if indices is not None:
                raise ValueError("indices must be None if value is a SparseTensor.")
            self._matrix, self._dtype = FROM_SPARSE(value.indices, value.values, value.dense_shape, name=name), value.dtype
            self._dims: Shape = value.dims
            return
        x = convert_to_tensor(value)
        places = stop_gradient(where(x)) if indices is None else convert_to_tensor(indices, int64)
        self._matrix, self._dtype, self._dims = FROM_DENSE(x, places, name=name), x.dtype.base_dtype, x.dims

    def _like(self, matrix: Any) -> CSRSparseMatrix:
        found = CSRSparseMatrix.__new__(CSRSparseMatrix)
        found._matrix, found._dtype, found._dims = matrix, self._dtype, matrix_dims(matrix)
        return found

    @property
    def shape(self) -> TensorShape:
        """The shape as far as it is known."""
        return TensorShape.of(self._dims)

    @property
    def dtype(self) -> DType:
        """The dtype of the values."""
        return self._dtype

    def to_dense(self) -> Any:
        """The matrix as a tensor."""
        return TO_DENSE(self._matrix, type=self._dtype)

    def to_sparse_tensor(self) -> SparseTensor:
        """The matrix as a `SparseTensor`."""
        return SparseTensor(*TO_SPARSE(self._matrix, type=self._dtype))

    def transpose(self) -> CSRSparseMatrix:
        """The transpose of each matrix."""
        return self._like(TRANSPOSE(self._matrix, type=self._dtype))

    def hermitian_transpose(self) -> CSRSparseMatrix:
        """The conjugate transpose of each matrix."""
        return self._like(TRANSPOSE(self._matrix, type=self._dtype, conjugate=True))

    def nnz(self) -> Any:
        """The number of entries of each matrix."""
        return NNZ.call(self._matrix)

    nonzero = nnz

    def sorted_indices(self) -> Any:
        """The index vectors of the entries, in row-major order."""
        return self.to_sparse_tensor().indices


def matmul(
    a: Any, b: Any, transpose_a: bool = False, transpose_b: bool = False, adjoint_a: bool = False, adjoint_b: bool = False,
    name: str | None = None,
) -> Any:  # fmt: skip
    """The product of two matrices (or batches) each of which may be a `CSRSparseMatrix`: one itself if both are.

    transpose_a, transpose_b, adjoint_a, adjoint_b: whether to take the transpose or the conjugate transpose first.
    """
    flags: dict[str, Any] = {"transpose_a": transpose_a, "transpose_b": transpose_b, "adjoint_a": adjoint_a, "adjoint_b": adjoint_b}
    if isinstance(a, CSRSparseMatrix) and isinstance(b, CSRSparseMatrix):
        return a._like(SPARSE_MATMUL(a._matrix, b._matrix, type=a.dtype, name=name, **flags))
    if isinstance(a, CSRSparseMatrix):
        return MATMUL(a._matrix, b, name=name, **flags)
    if not isinstance(b, CSRSparseMatrix):
        return dense_matmul(a, b, **flags)
    # a b is the transpose of b' a': the adjoint of b is made first, then both are turned, but for what the flags had turned already
    left = TRANSPOSE(b._matrix, type=b.dtype, conjugate=True) if adjoint_b else b._matrix
    right = CONJ.call(a) if adjoint_a and b.dtype.is_complex else a
    turned = transpose_a or adjoint_a
    return MATMUL(left, right, transpose_a=not transpose_b, transpose_b=not turned, transpose_output=True, name=name)


MODULES = (csr_arithmetic,)
