"""Eigenvalues of Hermitian matrices, singular values, QR, and what is made of them.

The gradients are in TensorFlow's convention and in public ops.  They are undefined where eigenvalues (singular values) with a cotangent
on their vectors coincide: such pairs contribute nothing.
Formulas: M. Giles, "Collected matrix derivative results for forward and reverse mode algorithmic differentiation" (2008); for QR
S. Walter and L. Lehmann, "Algorithmic differentiation of linear algebra functions" (2010).
"""

from __future__ import annotations

from typing import Any, Literal, NamedTuple, overload

import numpy as np

from ...base.dtypes import float32, int32
from ...base.export import export
from ...ir.apply import convert_to_tensor
from ...ir.context import scope
from ...ir.op import Traits, define
from ...ir.tensor import Dims, NumberLike, Tensor, TensorType
from ...kernels import lapack
from ..array.basic import ones_of, shape_of, zeros_of
from ..array.join import concat
from ..array.shape import expand_dims
from ..array.where import where
from ..batching import stack_rows
from ..indexing.index import getitem
from ..lowering import factor as native_factor
from ..math.arithmetic import conj
from ..math.complex import REAL_PART
from ..primitives.cast import CAST
from ..primitives.compare import equal, greater
from ..reduce.reductions import reduce_max, reduce_sum
from . import eigen_many as many
from .diag import band_part, diag, diag_part, set_diag
from .factor import SOLVED, TRIANGULAR_SOLVE, check_square, matrix_dims, square_dims, widen
from .products import adjoint, adjoint_array, batch_matmul

Array = np.ndarray[Any, Any]


def _column(x: Any) -> Tensor:
    return expand_dims(x, -1)


def _row(x: Any) -> Tensor:
    return expand_dims(x, -2)


def _reciprocal(x: Any) -> Any:
    """1 / x, and 0 where x is 0, with derivatives that are finite there too."""
    zero = equal(x, zeros_of(x))
    safe = where(zero, ones_of(x), x)
    return where(zero, zeros_of(x), ones_of(x) / safe)


# ---- eigenvalues of Hermitian matrices


def _eigen_type(input: Any, *, compute_v: bool = True) -> tuple[TensorType, TensorType]:
    batch, size = square_dims(input)
    values = TensorType(None if batch is None else (*batch, size), input.dtype)
    return values, TensorType(input.dims if compute_v else (0,), input.dtype)


def _eigen(input: Array, *, compute_v: bool = True) -> tuple[Array, Array]:
    check_square(input)
    if not compute_v:
        return lapack.eigh(input, vectors=False)[0].astype(input.dtype), np.zeros(0, input.dtype)
    values, vectors = many.eigh(input) or lapack.eigh(input)
    return values.astype(input.dtype, copy=False), vectors.astype(input.dtype, copy=False)


def _lower(x: Any) -> Any:
    """The cotangent of a Hermitian matrix of which only the lower triangle was read."""
    both = band_part(x + adjoint(x), -1, 0)
    return set_diag(both, 0.5 * diag_part(both))


def _eigen_back(g_e: Any, g_v: Any, input: Any, e: Any, v: Any, compute_v: bool) -> Any:
    if not compute_v:
        v = EIGEN(input, compute_v=True)[1]
        return _lower(batch_matmul(v * _row(g_e), v, adj_y=True))
    gaps = _reciprocal(_row(e) - _column(e))
    inner = diag(g_e) + gaps * batch_matmul(v, g_v, adj_x=True)
    return _lower(batch_matmul(v, batch_matmul(inner, v, adj_y=True)))


EIGEN = define(
    "SelfAdjointEigV2", "input", _eigen_type, widen(_eigen), {"input": _eigen_back},
    outputs="e v", dtypes=SOLVED, holomorphic=False, gradient_names="set_diag_1",
    batch=stack_rows(), lower=native_factor.eigen, traits=Traits(by_matrix=4),
)  # fmt: skip


# ---- singular values


def _svd_type(input: Any, *, compute_uv: bool = True, full_matrices: bool = False) -> tuple[TensorType, TensorType, TensorType]:
    batch, rows, columns = matrix_dims(input)
    if batch is None:
        empty = TensorType((0,), input.dtype)
        return TensorType(None, input.dtype), *((TensorType(None, input.dtype),) * 2 if compute_uv else (empty, empty))
    least = None if rows is None or columns is None else min(rows, columns)
    values = TensorType((*batch, least), input.dtype)
    if not compute_uv:
        return values, TensorType((0,), input.dtype), TensorType((0,), input.dtype)
    left = (*batch, rows, rows if full_matrices else least)
    right = (*batch, columns, columns if full_matrices else least)
    return values, TensorType(left, input.dtype), TensorType(right, input.dtype)


def _nan_where(odd: Array, found: Array) -> Array:
    return np.where(odd, found.dtype.type(np.nan), found) if odd.any() else found


def _svd(input: Array, *, compute_uv: bool = True, full_matrices: bool = False) -> tuple[Array, Array, Array]:
    if input.ndim < 2:
        raise ValueError("no matrix")  # the type rule finds the words
    odd: Array = np.asarray(~np.isfinite(input).all(axis=(-2, -1), keepdims=True))
    matrices = np.where(odd, 0, input) if odd.any() else input
    if not compute_uv:
        empty = np.zeros(0, input.dtype)
        return _nan_where(odd[..., 0], np.linalg.svd(matrices, compute_uv=False).astype(input.dtype)), empty, empty
    left, values, right = lapack.svd(matrices, full_matrices)
    values = values.astype(input.dtype)
    return _nan_where(odd[..., 0], values), _nan_where(odd, left), _nan_where(odd, adjoint_array(right))


def _project_out(g: Any, basis: Any) -> Any:
    """The part of `g` that is orthogonal to the columns of `basis`."""
    return g - batch_matmul(basis, batch_matmul(basis, g, adj_x=True))


def _split_columns(x: Any, at: Any) -> tuple[Any, Any]:
    first = getitem(x, (..., slice(None, at)))
    return first, getitem(x, (..., slice(at, None)))


def _sizes(dims: Dims) -> tuple[Any, Any, bool]:
    """Rows and columns of matrices, and whether one of them is unknown."""
    rows, columns = dims[-2:] if dims is not None else (None, None)
    return rows, columns, rows is None or columns is None


def _reduce_to_thin(x: Any, g: Any, at: int) -> tuple[Any, Any]:
    """Vectors and cotangents of the thin decomposition; what the others' cotangents say of the thin ones is added."""
    thin, rest = _split_columns(x, at)
    g_thin, g_rest = _split_columns(g, at)
    return thin, g_thin - batch_matmul(rest, batch_matmul(g_rest, thin, adj_x=True))


def _svd_back(g_s: Any, g_u: Any, g_v: Any, input: Any, s: Any, u: Any, v: Any, compute_uv: bool, full_matrices: bool) -> Any:
    if not compute_uv:
        _, u, v = SVD(input, compute_uv=True, full_matrices=False)
        return batch_matmul(u * _row(g_s), v, adj_y=True)
    rows, columns, unknown = _sizes(input.dims)
    if full_matrices and unknown:
        raise NotImplementedError("svd gradient is not implemented for matrices of unknown shape when full_matrices is True")
    if full_matrices and abs(rows - columns) > 1:
        raise NotImplementedError("svd gradient is not implemented for abs(m - n) > 1 when full_matrices is True")
    if full_matrices:
        u, g_u = _reduce_to_thin(u, g_u, min(rows, columns))
        v, g_v = _reduce_to_thin(v, g_v, min(rows, columns))
    # a value's square less itself would not be 0 where an engine rounds the one and not the other
    gaps = _reciprocal((_row(s) - _column(s)) * (_row(s) + _column(s)))
    of_u, of_v = batch_matmul(u, g_u, adj_x=True), batch_matmul(v, g_v, adj_x=True)
    inner = gaps * (of_u - adjoint(of_u)) * _row(s) + _column(s) * (gaps * (of_v - adjoint(of_v))) + diag(g_s)
    if input.dtype.is_complex:
        phase = diag_part(of_u)
        inner = inner + diag(0.5 * (phase - conj(phase)) * _reciprocal(s))
    found = batch_matmul(u, batch_matmul(inner, v, adj_y=True))
    inverse = _row(_reciprocal(s))
    if unknown or rows > columns:
        found = found + batch_matmul(_project_out(g_u, u) * inverse, v, adj_y=True)
    if unknown or columns > rows:
        found = found + batch_matmul(u * inverse, _project_out(g_v, v), adj_y=True)
    return found


SVD = define(
    "Svd", "input", _svd_type, widen(_svd), {"input": _svd_back}, outputs="s u v", dtypes=SOLVED, holomorphic=False, batch=stack_rows(),
    lower=native_factor.svd, traits=Traits(by_matrix=6),
)  # fmt: skip


# ---- QR


def _qr_type(input: Any, *, full_matrices: bool = False) -> tuple[TensorType, TensorType]:
    batch, rows, columns = matrix_dims(input)
    if batch is None:
        return TensorType(None, input.dtype), TensorType(None, input.dtype)
    least = None if rows is None or columns is None else min(rows, columns)
    inner = rows if full_matrices else least
    return TensorType((*batch, rows, inner), input.dtype), TensorType((*batch, inner, columns), input.dtype)


def _qr(input: Array, *, full_matrices: bool = False) -> tuple[Array, Array]:
    if input.ndim < 2:
        raise ValueError("no matrix")  # the type rule finds the words
    return lapack.qr(input, full_matrices)


def _mirror_lower(x: Any) -> Any:
    """The lower triangle, and above it its conjugate mirror; the diagonal real."""
    strict = set_diag(band_part(x, -1, 0), zeros_of(diag_part(x)))
    middle = diag_part(x)
    if middle.dtype.is_complex:
        middle = CAST.call(REAL_PART.call(middle), DstT=middle.dtype)
    return strict + adjoint(strict) + diag(middle)


def _tall_qr_back(g_q: Any, g_r: Any, q: Any, r: Any) -> Any:
    inner = _mirror_lower(batch_matmul(r, g_r, adj_y=True) - batch_matmul(g_q, q, adj_x=True))
    return adjoint(TRIANGULAR_SOLVE(r, adjoint(g_q + batch_matmul(q, inner)), lower=False, adjoint=False))


def _qr_back(g_q: Any, g_r: Any, input: Any, q: Any, r: Any, full_matrices: bool) -> Any:
    rows, columns, unknown = _sizes(input.dims)
    if full_matrices and unknown:
        raise NotImplementedError("QrGrad not implemented for matrices of unknown shape when full_matrices is true")
    if full_matrices and rows > columns:
        raise NotImplementedError(
            "QrGrad not implemented when nrows > ncols and full_matrices is true: the added columns of Q are not unique"
        )
    if not unknown and rows >= columns:
        return _tall_qr_back(g_q, g_r, q, r)
    rows = getitem(shape_of(q), -1) if unknown else rows  # of a tall matrix nothing is to the right
    _, right = _split_columns(input, rows)
    r_left, _ = _split_columns(r, rows)
    g_left, g_right = _split_columns(g_r, rows)
    g_q = g_q + batch_matmul(right, g_right, adj_y=True)
    return concat([_tall_qr_back(g_q, g_left, q, r_left), batch_matmul(q, g_right)], -1)


QR = define(
    "Qr", "input", _qr_type, widen(_qr), {"input": _qr_back}, outputs="q r", dtypes=SOLVED, holomorphic=False, batch=stack_rows(),
    lower=native_factor.qr, traits=Traits(by_matrix=4),
)  # fmt: skip


# ---- functions


class Qr(NamedTuple):
    """What `qr` returns."""

    q: Any
    r: Any


@export("linalg.eigh", v1="self_adjoint_eig")
def eigh(tensor: NumberLike, name: str | None = None) -> tuple[Tensor, Tensor]:
    """Eigenvalues, ascending, and eigenvectors (columns) of Hermitian matrices; only their lower triangles are read.

    tensor: [..., n, n], float16 to complex128.  Raises InvalidArgumentError (in graphs ValueError) for what is not square.

    >>> values, vectors = tf.linalg.eigh([[3.0, 0.0], [0.0, 1.0]])
    >>> values.numpy().tolist()
    [1.0, 3.0]
    """
    values, vectors = EIGEN(tensor, compute_v=True, name=name)
    return values, vectors


@export("linalg.eigvalsh", v1="self_adjoint_eigvals")
def eigvalsh(tensor: NumberLike, name: str | None = None) -> Tensor:
    """The eigenvalues alone; the rest as `eigh`.

    >>> tf.linalg.eigvalsh([[3.0, 0.0], [0.0, 1.0]]).numpy().tolist()
    [1.0, 3.0]
    """
    return EIGEN(tensor, compute_v=False, name=name)[0]


def _real_values(s: Any) -> Any:
    return REAL_PART.call(s) if s.dtype.is_complex else s


@overload
def svd(
    tensor: NumberLike, full_matrices: bool = False, compute_uv: Literal[True] = True, name: str | None = None
) -> tuple[Tensor, Tensor, Tensor]: ...
@overload
def svd(tensor: NumberLike, full_matrices: bool = False, *, compute_uv: Literal[False], name: str | None = None) -> Tensor: ...
@overload
def svd(
    tensor: NumberLike, full_matrices: bool = False, compute_uv: bool = True, name: str | None = None
) -> Tensor | tuple[Tensor, Tensor, Tensor]: ...
@export("linalg.svd", v1="svd")
def svd(
    tensor: NumberLike, full_matrices: bool = False, compute_uv: bool = True, name: str | None = None
) -> Tensor | tuple[Tensor, Tensor, Tensor]:
    """Singular values, descending, and unless compute_uv=False the vectors: tensor = u diag(s) v^H, as (s, u, v).

    tensor: [..., m, n], float16 to complex128.  full_matrices: square u and v.  The gradient through vectors needs a function of them that
    does not depend on their signs (phases); with full_matrices m and n that differ by at most 1; a NotImplementedError otherwise.

    >>> tf.linalg.svd([[3.0, 0.0], [0.0, 4.0]], compute_uv=False).numpy().tolist()
    [4.0, 3.0]
    """
    s, u, v = SVD(tensor, compute_uv=compute_uv, full_matrices=full_matrices, name=name)
    return (_real_values(s), u, v) if compute_uv else _real_values(s)


@export("linalg.qr", v1="qr")
def qr(input: NumberLike, full_matrices: bool = False, name: str | None = None) -> Qr:
    """Orthonormal q and upper triangular r with q r = input, of full rank.

    input: [..., m, n].  full_matrices: q square; its gradient for m > n is a NotImplementedError.

    >>> q, r = tf.linalg.qr([[3.0, 1.0], [4.0, 2.0]])
    >>> print(tf.abs(r).numpy().round(3))
    [[5.  2.2]
     [0.  0.4]]
    """
    return Qr(*QR(input, full_matrices=full_matrices, name=name))


def _cutoff(s: Any, x: Any, scale: float) -> Any:
    """The size below which a singular value of `x` counts as zero: so many epsilons of the dtype for each row or column."""
    longest = reduce_max(getitem(convert_to_tensor(shape_of(x)), slice(-2, None)))
    small = CAST.call(longest, DstT=s.dtype) * (scale * float(np.finfo(s.dtype.numpy_dtype).eps))
    return small * reduce_max(s, [-1], keepdims=True)


@export("linalg.matrix_rank")
def matrix_rank(a: NumberLike, tol: NumberLike | None = None, validate_args: bool = False, name: str | None = None) -> Tensor:
    """How many singular values exceed `tol`, int32; by default the greatest times max(m, n) times the dtype's epsilon.  No gradient.

    >>> tf.linalg.matrix_rank([[1.0, 2.0], [2.0, 4.0]]).numpy().item()
    1
    """
    with scope(name, "matrix_rank"):
        x = convert_to_tensor(a, dtype_hint=float32)
        if not (x.dtype.is_floating or x.dtype.is_complex):
            raise TypeError(f"Input `a` must have `float`-like `dtype` (saw {x.dtype.name}).")
        if x.dims is not None and len(x.dims) < 2:
            raise ValueError(f"Input `a` must have at least 2 dimensions (saw: {len(x.dims)}).")
        s = svd(x, compute_uv=False)
        least = _cutoff(s, x, 1.0) if tol is None else convert_to_tensor(tol, s.dtype)
        return reduce_sum(CAST.call(greater(s, least), DstT=int32), [-1])
