"""Linear algebra under the names of TensorFlow 1 that TensorFlow 2 moved to `tf.linalg`."""

from __future__ import annotations

from ...base.export import export
from ...ir.tensor import Tensor, TensorLike
from ...ops.linalg import (
    diag as linalg_diag,
    factor as linalg_factor,
    least_squares as linalg_lstsq,
    products as linalg,
    spectral as linalg_spectral,
)
from ...ops.linalg.products import SPARSE_MATMUL

cholesky = linalg_factor.cholesky
cholesky_solve = linalg_factor.cholesky_solve
cross = linalg_diag.cross
matrix_band_part = linalg_diag.band_part
matrix_determinant = linalg_factor.det
matrix_diag = linalg_diag.diag
matrix_diag_part = linalg_diag.diag_part
matrix_inverse = linalg_factor.inv
matrix_set_diag = linalg_diag.set_diag
matrix_solve = linalg_factor.solve
matrix_solve_ls = linalg_lstsq.lstsq
matrix_transpose = linalg.matrix_transpose
matrix_triangular_solve = linalg_factor.triangular_solve
qr = linalg_spectral.qr
self_adjoint_eig = linalg_spectral.eigh
self_adjoint_eigvals = linalg_spectral.eigvalsh
svd = linalg_spectral.svd
trace = linalg_diag.trace


@export(v1="diag")
def diag(diagonal: TensorLike, name: str | None = None) -> Tensor:
    """TensorFlow 2's `tf.linalg.tensor_diag`: a tensor of twice the rank with `diagonal` where both halves of the axes agree.

    >>> with tf1.Session() as session:
    ...     session.run(tf1.diag([1, 2])).tolist()
    [[1, 0], [0, 2]]
    """
    return linalg_diag.tensor_diag(diagonal, name)


@export(v1="sparse_matmul")
def sparse_matmul(
    a: TensorLike,
    b: TensorLike,
    transpose_a: bool = False,
    transpose_b: bool = False,
    a_is_sparse: bool = False,
    b_is_sparse: bool = False,
    name: str | None = None,
) -> Tensor:
    """The product of two matrices of which one may be mostly zeros, float32; a, b: float32 or bfloat16.

    >>> with tf1.Session() as session:
    ...     session.run(tf1.sparse_matmul([[1.0, 0.0]], [[3.0], [4.0]], a_is_sparse=True)).tolist()
    [[3.0]]
    """
    flags = {
        "transpose_a": bool(transpose_a),
        "transpose_b": bool(transpose_b),
        "a_is_sparse": bool(a_is_sparse),
        "b_is_sparse": bool(b_is_sparse),
    }
    return SPARSE_MATMUL(a, b, **flags, name=name)
