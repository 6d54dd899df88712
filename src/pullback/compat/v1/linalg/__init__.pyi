"""The names of `pullback.compat.v1.linalg`, written by docs/make_exports.py."""

from pullback.compat.v1.linalg import experimental
from pullback.nn.normalization import l2_normalize
from pullback.ops.array.transpose import matrix_transpose
from pullback.ops.array.transpose import matrix_transpose as transpose
from pullback.ops.linalg.diag import band_part
from pullback.ops.linalg.diag import cross
from pullback.ops.linalg.diag import diag
from pullback.ops.linalg.diag import diag_part
from pullback.ops.linalg.diag import set_diag
from pullback.ops.linalg.diag import tensor_diag
from pullback.ops.linalg.diag import tensor_diag_part
from pullback.ops.linalg.diag import trace
from pullback.ops.linalg.einsum import einsum
from pullback.ops.linalg.factor import cholesky
from pullback.ops.linalg.factor import cholesky_solve
from pullback.ops.linalg.factor import det
from pullback.ops.linalg.factor import inv
from pullback.ops.linalg.factor import logdet
from pullback.ops.linalg.factor import slogdet
from pullback.ops.linalg.factor import solve
from pullback.ops.linalg.factor import triangular_solve
from pullback.ops.linalg.functions import expm
from pullback.ops.linalg.functions import logm
from pullback.ops.linalg.functions import sqrtm
from pullback.ops.linalg.least_squares import lstsq
from pullback.ops.linalg.lu import lu
from pullback.ops.linalg.lu import lu_matrix_inverse
from pullback.ops.linalg.lu import lu_reconstruct
from pullback.ops.linalg.lu import lu_solve
from pullback.ops.linalg.norms import normalize
from pullback.ops.linalg.products import adjoint
from pullback.ops.linalg.products import matmul
from pullback.ops.linalg.products import matvec
from pullback.ops.linalg.products import tensordot
from pullback.ops.linalg.pseudo_inverse import pinv
from pullback.ops.linalg.spectral import eigh
from pullback.ops.linalg.spectral import eigvalsh
from pullback.ops.linalg.spectral import matrix_rank
from pullback.ops.linalg.spectral import qr
from pullback.ops.linalg.spectral import svd
from pullback.ops.linalg.tridiagonal_functions import eigh_tridiagonal
from pullback.ops.linalg.tridiagonal_functions import tridiagonal_matmul
from pullback.ops.linalg.tridiagonal_functions import tridiagonal_solve
from pullback.ops.nn.clip import global_norm
from pullback.ops.search.composed import eye
from pullback.tensorflow.legacy.reduce import norm
from pullback.tensorflow.linear_operators.blocks import LinearOperatorBlockDiag
from pullback.tensorflow.linear_operators.blocks import LinearOperatorBlockLowerTriangular
from pullback.tensorflow.linear_operators.circulant import LinearOperatorCirculant
from pullback.tensorflow.linear_operators.circulant import LinearOperatorCirculant2D
from pullback.tensorflow.linear_operators.circulant import LinearOperatorCirculant3D
from pullback.tensorflow.linear_operators.composed import LinearOperatorAdjoint
from pullback.tensorflow.linear_operators.composed import LinearOperatorComposition
from pullback.tensorflow.linear_operators.composed import LinearOperatorInversion
from pullback.tensorflow.linear_operators.dense import LinearOperatorFullMatrix
from pullback.tensorflow.linear_operators.dense import LinearOperatorLowerTriangular
from pullback.tensorflow.linear_operators.diagonal import LinearOperatorDiag
from pullback.tensorflow.linear_operators.diagonal import LinearOperatorIdentity
from pullback.tensorflow.linear_operators.diagonal import LinearOperatorScaledIdentity
from pullback.tensorflow.linear_operators.kronecker import LinearOperatorKronecker
from pullback.tensorflow.linear_operators.kronecker import LinearOperatorLowRankUpdate
from pullback.tensorflow.linear_operators.operator import LinearOperator
from pullback.tensorflow.linear_operators.structured import LinearOperatorHouseholder
from pullback.tensorflow.linear_operators.structured import LinearOperatorPermutation
from pullback.tensorflow.linear_operators.structured import LinearOperatorToeplitz
from pullback.tensorflow.linear_operators.structured import LinearOperatorTridiag
from pullback.tensorflow.linear_operators.zeros import LinearOperatorZeros

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
    "transpose",
    "triangular_solve",
    "tridiagonal_matmul",
    "tridiagonal_solve",
]
