"""The names of `tf.linalg`."""

from typing import TYPE_CHECKING

from ...interop.faces import missing as _missing

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
    "banded_triangular_solve",
    "cholesky",
    "cholesky_solve",
    "cross",
    "det",
    "diag",
    "diag_part",
    "eig",
    "eigh",
    "eigh_tridiagonal",
    "eigvals",
    "eigvalsh",
    "einsum",
    "experimental",
    "expm",
    "eye",
    "global_norm",
    "inv",
    "l2_normalize",
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
    "norm",
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

__getattr__ = _missing("tf.linalg", __all__, __name__)

if TYPE_CHECKING:  # these load when first asked for
    from ...linear_operators import LinearOperator as LinearOperator
    from ...linear_operators import LinearOperatorAdjoint as LinearOperatorAdjoint
    from ...linear_operators import LinearOperatorBlockDiag as LinearOperatorBlockDiag
    from ...linear_operators import LinearOperatorBlockLowerTriangular as LinearOperatorBlockLowerTriangular
    from ...linear_operators import LinearOperatorCirculant as LinearOperatorCirculant
    from ...linear_operators import LinearOperatorCirculant2D as LinearOperatorCirculant2D
    from ...linear_operators import LinearOperatorCirculant3D as LinearOperatorCirculant3D
    from ...linear_operators import LinearOperatorComposition as LinearOperatorComposition
    from ...linear_operators import LinearOperatorDiag as LinearOperatorDiag
    from ...linear_operators import LinearOperatorFullMatrix as LinearOperatorFullMatrix
    from ...linear_operators import LinearOperatorHouseholder as LinearOperatorHouseholder
    from ...linear_operators import LinearOperatorIdentity as LinearOperatorIdentity
    from ...linear_operators import LinearOperatorInversion as LinearOperatorInversion
    from ...linear_operators import LinearOperatorKronecker as LinearOperatorKronecker
    from ...linear_operators import LinearOperatorLowerTriangular as LinearOperatorLowerTriangular
    from ...linear_operators import LinearOperatorLowRankUpdate as LinearOperatorLowRankUpdate
    from ...linear_operators import LinearOperatorPermutation as LinearOperatorPermutation
    from ...linear_operators import LinearOperatorScaledIdentity as LinearOperatorScaledIdentity
    from ...linear_operators import LinearOperatorToeplitz as LinearOperatorToeplitz
    from ...linear_operators import LinearOperatorTridiag as LinearOperatorTridiag
    from ...linear_operators import LinearOperatorZeros as LinearOperatorZeros
    from ...nn.normalization import l2_normalize
    from ...ops.linalg.diag import band_part, cross, diag, diag_part, set_diag, tensor_diag, tensor_diag_part, trace
    from ...ops.linalg.eig import eig as eig
    from ...ops.linalg.eig import eigvals as eigvals
    from ...ops.linalg.einsum import einsum
    from ...ops.linalg.factor import cholesky, cholesky_solve, det, inv, logdet, slogdet, solve, triangular_solve
    from ...ops.linalg.functions import expm as expm
    from ...ops.linalg.functions import logm as logm
    from ...ops.linalg.functions import sqrtm as sqrtm
    from ...ops.linalg.least_squares import lstsq
    from ...ops.linalg.lu import lu as lu
    from ...ops.linalg.lu import lu_matrix_inverse as lu_matrix_inverse
    from ...ops.linalg.lu import lu_reconstruct as lu_reconstruct
    from ...ops.linalg.lu import lu_solve as lu_solve
    from ...ops.linalg.products import adjoint, matmul, matrix_transpose, matvec, tensordot
    from ...ops.linalg.pseudo_inverse import pinv
    from ...ops.linalg.spectral import eigh, eigvalsh, matrix_rank, qr, svd
    from ...ops.linalg.tridiagonal_functions import banded_triangular_solve as banded_triangular_solve
    from ...ops.linalg.tridiagonal_functions import eigh_tridiagonal as eigh_tridiagonal
    from ...ops.linalg.tridiagonal_functions import tridiagonal_matmul as tridiagonal_matmul
    from ...ops.linalg.tridiagonal_functions import tridiagonal_solve as tridiagonal_solve
    from ...ops.math.clip import global_norm
    from ...ops.reduce.composed import norm, normalize
    from ...ops.search.composed import eye
    from . import linalg_experimental as experimental
