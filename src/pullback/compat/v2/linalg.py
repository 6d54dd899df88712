"""The names of `tf.linalg`."""

from ...interop.names import missing as _missing
from ...nn.normalization import l2_normalize
from ...ops.array_composed import eye
from ...ops.clip import global_norm
from ...ops.einsum import einsum
from ...ops.linalg import adjoint, matmul, matrix_transpose, matvec, tensordot
from ...ops.linalg_diag import band_part, cross, diag, diag_part, set_diag, tensor_diag, tensor_diag_part, trace
from ...ops.linalg_factor import cholesky, cholesky_solve, det, inv, logdet, slogdet, solve, triangular_solve
from ...ops.linalg_lstsq import lstsq
from ...ops.linalg_spectral import eigh, eigvalsh, matrix_rank, pinv, qr, svd
from ...ops.reduce_composed import norm, normalize

__all__ = [
    "adjoint",
    "band_part",
    "cholesky",
    "cholesky_solve",
    "cross",
    "det",
    "diag",
    "diag_part",
    "eigh",
    "eigvalsh",
    "einsum",
    "eye",
    "global_norm",
    "inv",
    "l2_normalize",
    "logdet",
    "lstsq",
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
    "svd",
    "tensor_diag",
    "tensor_diag_part",
    "tensordot",
    "trace",
    "triangular_solve",
]

__getattr__ = _missing("tf.linalg", __all__)
