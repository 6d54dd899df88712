"""Products under other names: BatchMatMulV3 of two dtypes, XlaEinsum, and the gradient of Cholesky's factor as an op."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.dtypes import FLOAT_OR_COMPLEX, DType, bfloat16, complex64, float16, float32, float64, int8, int16, int32, int64, uint8
from ...base.errors import InvalidArgumentError
from ...ir.op import Traits, define, outputs_of
from ...ir.tensor import TensorType
from ..batching import stack_rows
from ..linalg.diag import band_part, diag_part, set_diag
from ..linalg.einsum import EINSUM
from ..linalg.factor import TRIANGULAR_SOLVE, square_dims
from ..linalg.products import BATCH_MATMUL, adjoint, batch_matmul
from ..lowering import linalg as native_linalg

Array = np.ndarray[Any, Any]


# ---- BatchMatMulV3


def _v3_type(x: Any, y: Any, *, Tout: DType, adj_x: bool = False, adj_y: bool = False) -> TensorType:
    narrow = x.dtype in (int8, uint8) and y.dtype in (int8, uint8) and Tout is int32
    if not narrow and not (x.dtype is y.dtype is Tout):
        raise InvalidArgumentError(
            None, None, f"no product of {x.dtype.name} and {y.dtype.name} gives {Tout.name}: of one dtype all three, or int8 to int32"
        )
    (product,) = outputs_of(BATCH_MATMUL.infer(x, y, adj_x=adj_x, adj_y=adj_y))
    return TensorType(product.dims, Tout)


def _v3(x: Array, y: Array, *, Tout: DType, adj_x: bool = False, adj_y: bool = False) -> Array:
    if x.dtype != Tout.numpy_dtype and (x.dtype.kind not in "iu" or Tout is not int32):
        raise ValueError("dtypes differ")  # the type rule finds the words
    wide = (a.astype(Tout.numpy_dtype, copy=False) for a in (x, y))
    return BATCH_MATMUL.kernel(*wide, adj_x=adj_x, adj_y=adj_y)


_FOR_X, _FOR_Y = (rule.formula for rule in BATCH_MATMUL.rules or ())
_FACTORS = {bfloat16, float16, float32, float64, int8, uint8, int16, int32, int64} | FLOAT_OR_COMPLEX
BATCH_MATMUL_V3 = define(
    "BatchMatMulV3", "x:Ta y:Tb", _v3_type, _v3,
    {
        "x": lambda g, y, adj_x, adj_y: _FOR_X(g, y, adj_x, adj_y),
        "y": lambda g, x, adj_x, adj_y: _FOR_Y(g, x, adj_x, adj_y),
    },
    dtypes={"Ta": _FACTORS, "Tb": _FACTORS}, broadcasts=True, holomorphic=False,
    lower=native_linalg.cast_batch_matmul,
    traits=Traits(raw_hints=BATCH_MATMUL.traits.raw_hints, multiplies=True),
)  # fmt: skip

# ---- XlaEinsum


def _einsum_type(a: Any, b: Any, *, equation: str) -> TensorType:
    return EINSUM.infer([a, b], equation=equation, stretch="")  # type: ignore[return-value]  # one output


(_EINSUM_BACK,) = (rule.formula for rule in EINSUM.rules or ())
XLA_EINSUM = define(
    "XlaEinsum", "a b", _einsum_type, lambda a, b, *, equation: EINSUM.kernel([a, b], equation=equation, stretch=""),
    {("a", "b"): lambda g, a, b, equation: tuple(_EINSUM_BACK(g, [a, b], equation, ""))},
    dtypes={complex64, bfloat16, float32}, holomorphic=EINSUM.holomorphic,
    lower=lambda builder, a, b, *, equation: native_linalg.einsum(builder, [a, b], equation=equation),
)  # fmt: skip

# ---- CholeskyGrad


def _grad_type(l: Any, grad: Any) -> TensorType:
    square_dims(l)
    return TensorType(l.dims, l.dtype)


def _lower_half(x: Array) -> Array:
    out = np.tril(x)
    n = np.arange(x.shape[-1])
    out[..., n, n] *= x.dtype.type(0.5)
    return out


def _grad(l: Array, grad: Array) -> Array:
    """L^-T low(L^T G) L^-1, made symmetric; low halves the diagonal."""
    if l.ndim < 2 or l.shape != grad.shape or l.shape[-1] != l.shape[-2]:
        raise ValueError("not square")  # the type rule finds the words
    wide = np.float32 if l.dtype.itemsize < 4 else l.dtype
    factor, g = np.tril(l).astype(wide), np.tril(grad).astype(wide)
    middle = _lower_half(factor.swapaxes(-1, -2) @ g)
    solve = TRIANGULAR_SOLVE.kernel
    left = solve(factor, middle, lower=True, adjoint=True)
    whole = solve(factor, np.ascontiguousarray(left.swapaxes(-1, -2)), lower=True, adjoint=True)
    return np.asarray(0.5 * (whole + whole.swapaxes(-1, -2))).astype(l.dtype)


def _grad_back(g: Any, l: Any, grad: Any, out: Any) -> tuple[Any, Any]:
    """With S the symmetric half of g and K = L^-1 S L^-T: to G L low(K), to L G low(K)^T - 2 out S L^-T; of both the lower triangles."""
    solve = TRIANGULAR_SOLVE
    factor = band_part(l, -1, 0)
    s = 0.5 * (g + adjoint(g))
    half = adjoint(solve(factor, s, lower=True, adjoint=False))  # S L^-T
    k = solve(factor, half, lower=True, adjoint=False)
    low = band_part(k, -1, 0)
    low = set_diag(low, 0.5 * diag_part(low))
    to_l = batch_matmul(band_part(grad, -1, 0), low, adj_y=True) - 2.0 * batch_matmul(out, half)
    return band_part(to_l, -1, 0), band_part(batch_matmul(factor, low), -1, 0)


CHOLESKY_GRAD = define(
    "CholeskyGrad", "l grad", _grad_type, _grad, {("l", "grad"): _grad_back}, dtypes={float16, float32, float64}, batch=stack_rows()
)
