"""The names of `tf.linalg`."""

from ...interop.names import missing as _missing
from ...ops.einsum import einsum
from ...ops.linalg import adjoint, matmul, matrix_transpose, matvec, tensordot
from ...ops.linalg_diag import band_part, cross, diag, diag_part, set_diag, tensor_diag, tensor_diag_part, trace
from ...ops.reduce_composed import norm, normalize

__all__ = [
    "adjoint",
    "band_part",
    "cross",
    "diag",
    "diag_part",
    "einsum",
    "matmul",
    "matrix_transpose",
    "matvec",
    "norm",
    "normalize",
    "set_diag",
    "tensor_diag",
    "tensor_diag_part",
    "tensordot",
    "trace",
]

__getattr__ = _missing("tf.linalg", __all__)
