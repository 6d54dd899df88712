"""The names of `tf.linalg` that are the same in both versions."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:  # the faces load these
    from ...linear_operators import (
        LinearOperator,
        LinearOperatorAdjoint,
        LinearOperatorBlockDiag,
        LinearOperatorBlockLowerTriangular,
        LinearOperatorCirculant,
        LinearOperatorCirculant2D,
        LinearOperatorCirculant3D,
        LinearOperatorComposition,
        LinearOperatorDiag,
        LinearOperatorFullMatrix,
        LinearOperatorHouseholder,
        LinearOperatorIdentity,
        LinearOperatorInversion,
        LinearOperatorKronecker,
        LinearOperatorLowerTriangular,
        LinearOperatorLowRankUpdate,
        LinearOperatorPermutation,
        LinearOperatorScaledIdentity,
        LinearOperatorToeplitz,
        LinearOperatorTridiag,
        LinearOperatorZeros,
    )
    from ...ops.linalg.diag import band_part, cross, diag, diag_part, set_diag, tensor_diag, tensor_diag_part, trace
    from ...ops.linalg.einsum import einsum
    from ...ops.linalg.factor import cholesky, cholesky_solve, det, inv, logdet, slogdet, solve, triangular_solve
    from ...ops.linalg.functions import expm, logm, sqrtm
    from ...ops.linalg.least_squares import lstsq
    from ...ops.linalg.lu import lu, lu_matrix_inverse, lu_reconstruct, lu_solve
    from ...ops.linalg.products import adjoint, matmul, matrix_transpose, matvec, tensordot
    from ...ops.linalg.pseudo_inverse import pinv
    from ...ops.linalg.spectral import eigh, eigvalsh, matrix_rank, qr, svd
    from ...ops.linalg.tridiagonal_functions import eigh_tridiagonal, tridiagonal_matmul, tridiagonal_solve
    from ...ops.math.clip import global_norm
    from ...ops.reduce.composed import normalize
    from ...ops.search.composed import eye

__all__ = [
    "LinearOperator",
    "LinearOperatorAdjoint",
    "LinearOperatorBlockDiag",
    "LinearOperatorBlockLowerTriangular",
    "LinearOperatorCirculant",
    "LinearOperatorCirculant2D",
    "LinearOperatorCirculant3D",
    "LinearOperatorComposition",
    "LinearOperatorDiag",
    "LinearOperatorFullMatrix",
    "LinearOperatorHouseholder",
    "LinearOperatorIdentity",
    "LinearOperatorInversion",
    "LinearOperatorKronecker",
    "LinearOperatorLowRankUpdate",
    "LinearOperatorLowerTriangular",
    "LinearOperatorPermutation",
    "LinearOperatorScaledIdentity",
    "LinearOperatorToeplitz",
    "LinearOperatorTridiag",
    "LinearOperatorZeros",
    "adjoint",
    "band_part",
    "cholesky",
    "cholesky_solve",
    "cross",
    "det",
    "diag",
    "diag_part",
    "eigh",
    "eigh_tridiagonal",
    "eigvalsh",
    "einsum",
    "expm",
    "eye",
    "global_norm",
    "inv",
    "logdet",
    "logm",
    "lstsq",
    "lu",
    "lu_matrix_inverse",
    "lu_reconstruct",
    "lu_solve",
    "matmul",
    "matrix_rank",
    "matrix_transpose",
    "matvec",
    "normalize",
    "pinv",
    "qr",
    "set_diag",
    "slogdet",
    "solve",
    "sqrtm",
    "svd",
    "tensor_diag",
    "tensor_diag_part",
    "tensordot",
    "trace",
    "triangular_solve",
    "tridiagonal_matmul",
    "tridiagonal_solve",
]
