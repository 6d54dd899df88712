"""Operators of matrices that are there: any, and lower triangular ones."""

from __future__ import annotations

from typing import Any

from ...base.dtypes import FLOAT_OR_COMPLEX
from ...base.export import export
from ...ir.tensor import Dims, Tensor
from ...ops.linalg.diag import band_part, diag_part
from ...ops.linalg.factor import triangular_solve
from ...ops.linalg.products import batch_matmul
from ...ops.math.arithmetic import ABS
from ...ops.math.complex import COMPLEX_ABS
from ...ops.math.functions import log
from ...ops.reduce.reductions import reduce_prod, reduce_sum
from .facts import Parameter
from .operator import LinearOperator


def check_matrix(found: Tensor, argument: str) -> None:
    """Refuse a dtype and a rank that a matrix cannot have."""
    if found.dtype not in FLOAT_OR_COMPLEX:
        raise TypeError(f"Expected argument `{argument}` to have a floating or complex dtype, found {found.dtype.name}")
    if found.dims is not None and len(found.dims) < 2:
        raise ValueError(f"Argument `{argument}` must have at least 2 dimensions. Found: {list(found.dims)}")


@export("linalg.LinearOperatorFullMatrix")
class LinearOperatorFullMatrix(LinearOperator):
    """The operator of a matrix as it is.

    matrix: [..., m, n], floating or complex; TypeError and ValueError for what is none.  Hints as for `LinearOperator`.

    >>> tf.linalg.LinearOperatorFullMatrix([[2.0, 0.0], [0.0, 4.0]]).solve([[2.0], [4.0]]).numpy().tolist()
    [[1.0], [1.0]]
    """

    _matrix = Parameter()

    def __init__(
        self,
        matrix: Any,
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = None,
        name: str = "LinearOperatorFullMatrix",
    ) -> None:
        self._matrix = matrix
        check_matrix(self._matrix, "matrix")
        super().__init__(
            self._matrix.dtype, None, is_non_singular, is_self_adjoint, is_positive_definite, is_square, name, {"matrix": matrix}
        )

    @property
    def matrix(self) -> Tensor:
        """The matrix."""
        return self._matrix

    def _dims(self) -> Dims:
        return self._matrix.dims

    def _dense(self) -> Any:
        return self._matrix


@export("linalg.LinearOperatorLowerTriangular")
class LinearOperatorLowerTriangular(LinearOperator):
    """The operator of a lower triangular matrix.

    tril: [..., n, n], of which what is above the diagonal is not read.  Errors as `LinearOperatorFullMatrix`; the operator is square.

    >>> tf.linalg.LinearOperatorLowerTriangular([[2.0, 9.0], [1.0, 4.0]]).determinant().numpy().item()
    8.0
    """

    _tril = Parameter()

    def __init__(
        self,
        tril: Any,
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = None,
        name: str = "LinearOperatorLowerTriangular",
    ) -> None:
        if is_square is False:
            raise ValueError("Only square lower triangular operators supported at this time.")
        self._tril = tril
        check_matrix(self._tril, "tril")
        super().__init__(self._tril.dtype, None, is_non_singular, is_self_adjoint, is_positive_definite, True, name, {"tril": tril})

    @property
    def tril(self) -> Tensor:
        """The matrix as it was given."""
        return self._tril

    def _dims(self) -> Dims:
        return self._tril.dims

    def _dense(self) -> Any:
        return band_part(self._tril, -1, 0)

    def _times(self, x: Any, adjoint: bool) -> Any:
        return batch_matmul(self._dense(), x, adj_x=adjoint)

    def _solve_columns(self, rhs: Any, adjoint: bool) -> Any:
        return triangular_solve(self._tril, rhs, lower=True, adjoint=adjoint)

    def _diagonal(self) -> Any:
        return diag_part(self._tril)

    def _determinant(self) -> Any:
        return reduce_prod(self._diagonal(), [-1])

    def _log_determinant(self) -> Any:
        size = COMPLEX_ABS.call(self._diagonal()) if self._dtype.is_complex else ABS.call(self._diagonal())
        return reduce_sum(log(size), [-1])

    def _eigenvalues(self) -> Any:
        return self._diagonal()
