"""Eigenvalues of general square matrices.

Eigenvectors are columns of length 1, and a cotangent of them counts only as far as it does not ask for another length or phase.  Where
eigenvalues coincide, such pairs contribute nothing.
Formula: C. Boeddeker et al., "On the computation of complex-valued gradients with application to statistically optimum beamforming" (2017).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.dtypes import DType, complex64, complex128, float32, float64
from ...base.errors import InvalidArgumentError
from ...base.export import export
from ...ir.apply import tensor_with
from ...ir.op import Traits, define
from ...ir.tensor import NumberLike, Tensor, TensorType
from ..array.type_rules import invalid_argument
from ..batching import stack_rows
from ..lowering import factor as native_factor
from ..math.arithmetic import conj
from ..math.complex import REAL_PART
from ..primitives.cast import CAST
from . import eigen_many as many
from .diag import diag, diag_part
from .factor import SOLVE, check_square, square_dims
from .products import batch_matmul
from .spectral import _column, _reciprocal, _row

Array = np.ndarray[Any, Any]
_COMPLEX = {float32: complex64, complex64: complex64, float64: complex128, complex128: complex128}


def _type(input: Any, *, Tout: DType, compute_v: bool = True) -> tuple[TensorType, TensorType]:
    if _COMPLEX[input.dtype] is not Tout:
        raise InvalidArgumentError(None, None, f"Eig: eigenvalues of {input.dtype.name} are {_COMPLEX[input.dtype].name}, not {Tout.name}")
    batch, size = square_dims(input)
    return TensorType(None if batch is None else (*batch, size), Tout), TensorType(input.dims if compute_v else (0,), Tout)


def _eig(input: Array, *, Tout: DType, compute_v: bool = True) -> tuple[Array, Array]:
    check_square(input)
    if not np.isfinite(input).all():
        raise invalid_argument("Eigen decomposition was not successful. The input might not be valid.")
    try:
        found = many.eig(input)
        if found is None and not compute_v:
            return np.linalg.eigvals(input).astype(Tout.numpy_dtype), np.zeros(0, Tout.numpy_dtype)
        values, vectors = found or np.linalg.eig(input)
    except np.linalg.LinAlgError:
        raise invalid_argument("Eigen decomposition was not successful. The input might not be valid.") from None
    wide = Tout.numpy_dtype
    return values.astype(wide, copy=False), vectors.astype(wide, copy=False) if compute_v else np.zeros(0, wide)


def _pull_back(g_e: Any, g_v: Any, input: Any, e: Any, v: Any, compute_v: bool) -> Any:
    inner = diag(g_e)
    if compute_v:
        gaps = conj(_reciprocal(_row(e) - _column(e)))
        turned = batch_matmul(v, g_v, adj_x=True)
        lengths = CAST.call(REAL_PART.call(diag_part(turned)), DstT=v.dtype)
        inner = inner + gaps * (turned - batch_matmul(v, v, adj_x=True) * _row(lengths))
    else:
        _, v = EIG(input, Tout=e.dtype, compute_v=True)
    found = SOLVE(v, batch_matmul(inner, v, adj_y=True), adjoint=True)
    return found if input.dtype.is_complex else CAST.call(REAL_PART.call(found), DstT=input.dtype)


EIG = define(
    "Eig", "input", _type, _eig, {"input": _pull_back}, outputs="e v", dtypes=set(_COMPLEX), holomorphic=False, batch=stack_rows(),
    lower=native_factor.general_eigen, traits=Traits(by_matrix=4),
)  # fmt: skip


def _given_dtype(tensor: Any) -> tuple[Any, DType]:
    x = tensor_with(tensor, "dtype")
    if x.dtype not in _COMPLEX:
        raise InvalidArgumentError(None, None, f"Eig: a matrix of float32, float64 or complex is needed, not of {x.dtype.name}")
    return x, _COMPLEX[x.dtype]


@export(v2=("eig", "linalg.eig"))
def eig(tensor: NumberLike, name: str | None = None) -> tuple[Tensor, Tensor]:
    """Eigenvalues, in no order, and eigenvectors (columns of length 1) of square matrices, both complex.

    tensor: [..., n, n], float32, float64 or complex.  Raises InvalidArgumentError for what is not square (in graphs ValueError), and for
    numbers that are not finite.

    >>> values, vectors = tf.linalg.eig([[0.0, -1.0], [1.0, 0.0]])
    >>> values.numpy().tolist()
    [1j, -1j]
    """
    x, kind = _given_dtype(tensor)
    values, vectors = EIG(x, Tout=kind, compute_v=True, name=name)
    return values, vectors


@export(v2=("eigvals", "linalg.eigvals"))
def eigvals(tensor: NumberLike, name: str | None = None) -> Tensor:
    """The eigenvalues alone; the rest as `eig`.

    >>> tf.linalg.eigvals([[2.0, 0.0], [0.0, 1.0]]).numpy().tolist()
    [(2+0j), (1+0j)]
    """
    x, kind = _given_dtype(tensor)
    return EIG(x, Tout=kind, compute_v=False, name=name)[0]
