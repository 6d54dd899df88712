"""The names of `pullback.compat.v2.linalg`, written by docs/make_exports.py."""

from pullback.compat.v2.linalg import experimental as experimental
from pullback.nn.normalization import l2_normalize as l2_normalize
from pullback.ops.array.eye import eye as eye
from pullback.ops.array.transpose import matrix_transpose as matrix_transpose
from pullback.ops.linalg.diag import band_part as band_part
from pullback.ops.linalg.diag import cross as cross
from pullback.ops.linalg.diag import diag as diag
from pullback.ops.linalg.diag import diag_part as diag_part
from pullback.ops.linalg.diag import set_diag as set_diag
from pullback.ops.linalg.diag import tensor_diag as tensor_diag
from pullback.ops.linalg.diag import tensor_diag_part as tensor_diag_part
from pullback.ops.linalg.diag import trace as trace
from pullback.ops.linalg.eig import eig as eig
from pullback.ops.linalg.eig import eigvals as eigvals
from pullback.ops.linalg.einsum import einsum as einsum
from pullback.ops.linalg.factor import cholesky as cholesky
from pullback.ops.linalg.factor import cholesky_solve as cholesky_solve
from pullback.ops.linalg.factor import det as det
from pullback.ops.linalg.factor import inv as inv
from pullback.ops.linalg.factor import logdet as logdet
from pullback.ops.linalg.factor import slogdet as slogdet
from pullback.ops.linalg.factor import solve as solve
from pullback.ops.linalg.factor import triangular_solve as triangular_solve
from pullback.ops.linalg.functions import expm as expm
from pullback.ops.linalg.functions import logm as logm
from pullback.ops.linalg.functions import sqrtm as sqrtm
from pullback.ops.linalg.least_squares import lstsq as lstsq
from pullback.ops.linalg.lu import lu as lu
from pullback.ops.linalg.lu import lu_matrix_inverse as lu_matrix_inverse
from pullback.ops.linalg.lu import lu_reconstruct as lu_reconstruct
from pullback.ops.linalg.lu import lu_solve as lu_solve
from pullback.ops.linalg.norms import norm as norm
from pullback.ops.linalg.norms import normalize as normalize
from pullback.ops.linalg.products import adjoint as adjoint
from pullback.ops.linalg.products import matmul as matmul
from pullback.ops.linalg.products import matvec as matvec
from pullback.ops.linalg.products import tensordot as tensordot
from pullback.ops.linalg.pseudo_inverse import pinv as pinv
from pullback.ops.linalg.spectral import eigh as eigh
from pullback.ops.linalg.spectral import eigvalsh as eigvalsh
from pullback.ops.linalg.spectral import matrix_rank as matrix_rank
from pullback.ops.linalg.spectral import qr as qr
from pullback.ops.linalg.spectral import svd as svd
from pullback.ops.linalg.tridiagonal_functions import banded_triangular_solve as banded_triangular_solve
from pullback.ops.linalg.tridiagonal_functions import eigh_tridiagonal as eigh_tridiagonal
from pullback.ops.linalg.tridiagonal_functions import tridiagonal_matmul as tridiagonal_matmul
from pullback.ops.linalg.tridiagonal_functions import tridiagonal_solve as tridiagonal_solve
from pullback.ops.nn.clip import global_norm as global_norm
from pullback.tensorflow.linear_operators.blocks import LinearOperatorBlockDiag as LinearOperatorBlockDiag
from pullback.tensorflow.linear_operators.blocks import LinearOperatorBlockLowerTriangular as LinearOperatorBlockLowerTriangular
from pullback.tensorflow.linear_operators.circulant import LinearOperatorCirculant as LinearOperatorCirculant
from pullback.tensorflow.linear_operators.circulant import LinearOperatorCirculant2D as LinearOperatorCirculant2D
from pullback.tensorflow.linear_operators.circulant import LinearOperatorCirculant3D as LinearOperatorCirculant3D
from pullback.tensorflow.linear_operators.composed import LinearOperatorAdjoint as LinearOperatorAdjoint
from pullback.tensorflow.linear_operators.composed import LinearOperatorComposition as LinearOperatorComposition
from pullback.tensorflow.linear_operators.composed import LinearOperatorInversion as LinearOperatorInversion
from pullback.tensorflow.linear_operators.dense import LinearOperatorFullMatrix as LinearOperatorFullMatrix
from pullback.tensorflow.linear_operators.dense import LinearOperatorLowerTriangular as LinearOperatorLowerTriangular
from pullback.tensorflow.linear_operators.diagonal import LinearOperatorDiag as LinearOperatorDiag
from pullback.tensorflow.linear_operators.diagonal import LinearOperatorIdentity as LinearOperatorIdentity
from pullback.tensorflow.linear_operators.diagonal import LinearOperatorScaledIdentity as LinearOperatorScaledIdentity
from pullback.tensorflow.linear_operators.kronecker import LinearOperatorKronecker as LinearOperatorKronecker
from pullback.tensorflow.linear_operators.kronecker import LinearOperatorLowRankUpdate as LinearOperatorLowRankUpdate
from pullback.tensorflow.linear_operators.operator import LinearOperator as LinearOperator
from pullback.tensorflow.linear_operators.structured import LinearOperatorHouseholder as LinearOperatorHouseholder
from pullback.tensorflow.linear_operators.structured import LinearOperatorPermutation as LinearOperatorPermutation
from pullback.tensorflow.linear_operators.structured import LinearOperatorToeplitz as LinearOperatorToeplitz
from pullback.tensorflow.linear_operators.structured import LinearOperatorTridiag as LinearOperatorTridiag
from pullback.tensorflow.linear_operators.zeros import LinearOperatorZeros as LinearOperatorZeros

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
