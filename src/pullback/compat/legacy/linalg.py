"""Linear algebra under the names of TensorFlow 1 that TensorFlow 2 moved to `tf.linalg`."""

from __future__ import annotations

from typing import Any

from ...ops.linalg import SPARSE_MATMUL, matrix_transpose
from ...ops.linalg_diag import band_part as matrix_band_part
from ...ops.linalg_diag import cross, trace
from ...ops.linalg_diag import diag as matrix_diag
from ...ops.linalg_diag import diag_part as matrix_diag_part
from ...ops.linalg_diag import set_diag as matrix_set_diag
from ...ops.linalg_diag import tensor_diag as diag
from ...ops.linalg_diag import tensor_diag_part as diag_part
from ...ops.linalg_factor import cholesky, cholesky_solve
from ...ops.linalg_factor import det as matrix_determinant
from ...ops.linalg_factor import inv as matrix_inverse
from ...ops.linalg_factor import lstsq as matrix_solve_ls
from ...ops.linalg_factor import solve as matrix_solve
from ...ops.linalg_factor import triangular_solve as matrix_triangular_solve
from ...ops.linalg_spectral import eigh as self_adjoint_eig
from ...ops.linalg_spectral import eigvalsh as self_adjoint_eigvals
from ...ops.linalg_spectral import qr, svd

__all__ = [
    "cholesky", "cholesky_solve", "cross", "diag", "diag_part", "matrix_band_part", "matrix_determinant", "matrix_diag", "matrix_diag_part",
    "matrix_inverse", "matrix_set_diag", "matrix_solve", "matrix_solve_ls", "matrix_transpose", "matrix_triangular_solve", "qr",
    "self_adjoint_eig", "self_adjoint_eigvals", "sparse_matmul", "svd", "trace",
]  # fmt: skip


def sparse_matmul(
    a: Any,
    b: Any,
    transpose_a: bool = False,
    transpose_b: bool = False,
    a_is_sparse: bool = False,
    b_is_sparse: bool = False,
    name: str | None = None,
) -> Any:
    """The product of two matrices of which one may be mostly zeros, float32; a, b: float32 or bfloat16.

    >>> import pullback.compat.v1 as tf
    >>> with tf.Session() as session:
    ...     session.run(tf.sparse_matmul([[1.0, 0.0]], [[3.0], [4.0]], a_is_sparse=True)).tolist()
    [[3.0]]
    """
    flags = {
        "transpose_a": bool(transpose_a),
        "transpose_b": bool(transpose_b),
        "a_is_sparse": bool(a_is_sparse),
        "b_is_sparse": bool(b_is_sparse),
    }
    return SPARSE_MATMUL(a, b, **flags, name=name)
