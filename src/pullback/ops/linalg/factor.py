"""Inverses, determinants, Cholesky factors and solutions of linear systems.

Flags take the conjugate transpose, so none of these is holomorphic in general: their gradients are written in TensorFlow's
convention, in the same ops with other flags, and are differentiable again.  float16 is computed in float32.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from ...base.dtypes import FLOAT_OR_COMPLEX, bfloat16
from ...base.export import export
from ...base.shapes import show as show_dims
from ...ir.apply import ShapeError
from ...ir.context import scope
from ...ir.op import Remedies, Traits, define
from ...ir.tensor import Dims, NumberLike, Tensor, TensorType
from ...kernels import lapack
from ..array.shape import expand_dims
from ..array.type_rules import invalid_argument, require_equal
from ..batching import stack_rows
from ..families import broadcast_dims
from ..lowering import factor as native_factor
from ..math.arithmetic import conj
from ..math.complex import REAL_PART
from ..math.functions import log
from ..reduce.reductions import is_narrow, reduce_sum
from .bands import BAND_PART
from .diag import band_part, diag_part, set_diag
from .matrix_free import asks_operator
from .products import adjoint, adjoint_array, batch_matmul

Array = np.ndarray[Any, Any]
SOLVED = FLOAT_OR_COMPLEX - {bfloat16}


# ---- type rules and checks


def matrix_dims(x: Any, which: int = 0) -> tuple[Dims, int | None, int | None]:
    """The batch, rows and columns of an input; a ShapeError for a rank below 2."""
    if x.dims is None:
        return None, None, None
    if len(x.dims) < 2:
        rank = len(x.dims)
        raise ShapeError(f"Shape must be at least rank 2 but is rank {rank}", f"Input tensor {which} must have rank >= 2, got {rank}")
    return x.dims[:-2], x.dims[-2], x.dims[-1]


def square_dims(x: Any) -> tuple[Dims, int | None]:
    """The batch and the size of square matrices; a ShapeError for others."""
    batch, rows, columns = matrix_dims(x)
    if rows is not None and columns is not None and rows != columns:
        raise ShapeError(
            f"Dimensions must be equal, but are {rows} and {columns}", f"Input matrix must be square. It is of shape {show_dims(x.dims)}."
        )
    return batch, columns if rows is None else rows


def square_type(input: Tensor) -> TensorType:
    """The type of square matrices, of what has the type of its input."""
    square_dims(input)
    return TensorType(input.dims, input.dtype)


def _inverse_type(input: Any, *, adjoint: bool = False) -> TensorType:
    return square_type(input)


def _scalar_type(input: Any) -> TensorType:
    return TensorType(square_dims(input)[0], input.dtype)


def _two_scalars_type(input: Any) -> tuple[TensorType, TensorType]:
    found = _scalar_type(input)
    return found, found


def check_square(x: Array) -> None:
    """Refuse what is no square matrix; the type rule finds the words."""
    if x.ndim < 2 or x.shape[-1] != x.shape[-2]:
        raise ValueError("not square")


def widen(kernel: Callable[..., Any]) -> Callable[..., Any]:
    """A kernel that computes narrow floats in float32."""

    def call_widened(*inputs: Array, **attrs: Any) -> Any:
        if not is_narrow(inputs[0]):
            return kernel(*inputs, **attrs)
        dtype = inputs[0].dtype
        found = kernel(*(x.astype(np.float32) if x.dtype == dtype else x for x in inputs), **attrs)
        return tuple(x.astype(dtype) for x in found) if isinstance(found, tuple) else found.astype(dtype)

    return call_widened


# ---- inverse and determinants


def _inverse(input: Array, *, adjoint: bool = False) -> Array:
    check_square(input)
    try:
        found = lapack.inv(input)
    except np.linalg.LinAlgError:
        raise invalid_argument("Input is not invertible.") from None
    return adjoint_array(found) if adjoint else found


def _inverse_back(g: Any, out: Any, adjoint: bool) -> Tensor:
    """-out^H g out^H, and the conjugate transpose of that for the adjoint."""
    if adjoint:
        return -batch_matmul(out, batch_matmul(g, out, adj_x=True))
    return -batch_matmul(out, batch_matmul(g, out, adj_y=True), adj_x=True)


def _determinant(input: Array) -> Array:
    check_square(input)
    return np.asarray(lapack.det(input), input.dtype)


def _spread(g: Any, matrix: Any) -> Tensor:
    """A number for each matrix times the matrix."""
    return expand_dims(expand_dims(g, -1), -1) * matrix


def _determinant_back(g: Any, input: Any, out: Any) -> Any:
    return _spread(g * conj(out), INVERSE(input, adjoint=True))


def _log_determinant(input: Array) -> tuple[Array, Array]:
    check_square(input)
    sign, log = lapack.slogdet(input)
    return np.asarray(sign, input.dtype), np.asarray(log, input.dtype)


def _log_determinant_back(g_log_abs_determinant: Any, input: Any) -> Any:
    return _spread(g_log_abs_determinant, INVERSE(input, adjoint=True))


_REGULARISED = Remedies("add a small multiple of the identity to the matrix")
INVERSE = define(
    "MatrixInverse", "input", _inverse_type, widen(_inverse), {"input": _inverse_back}, dtypes=SOLVED, holomorphic=False,
    batch=stack_rows(),
    lower=native_factor.inverse,
    traits=Traits(remedies=_REGULARISED, by_matrix=2),
)  # fmt: skip
DETERMINANT = define(
    "MatrixDeterminant",
    "input",
    _scalar_type,
    widen(_determinant),
    {"input": _determinant_back},
    dtypes=SOLVED,
    holomorphic=False,
    batch=stack_rows(),
    lower=native_factor.determinant,
)
LOG_DETERMINANT = define(
    "LogMatrixDeterminant", "input", _two_scalars_type, widen(_log_determinant), {"input": _log_determinant_back},
    outputs="sign log_abs_determinant", dtypes=SOLVED, holomorphic=False,
    batch=stack_rows(), lower=native_factor.log_determinant,
)  # fmt: skip


# ---- Cholesky


def _cholesky(input: Array) -> Array:
    check_square(input)
    return lapack.cholesky(input)


def _half_diagonal(x: Any) -> Any:
    return set_diag(x, 0.5 * diag_part(x))


def _cholesky_back(g: Any, out: Any) -> Any:
    """L^-H tril(L^H g, its diagonal halved) L^-1, made Hermitian."""
    middle = _half_diagonal(BAND_PART(batch_matmul(out, g, adj_x=True), -1, 0))
    left = TRIANGULAR_SOLVE(out, middle, lower=True, adjoint=True)
    found = adjoint(TRIANGULAR_SOLVE(out, adjoint(left), lower=True, adjoint=True))
    return 0.5 * (found + adjoint(found))


CHOLESKY = define(
    "Cholesky", "input", square_type, widen(_cholesky), {"input": _cholesky_back}, dtypes=SOLVED, holomorphic=False, batch=stack_rows(),
    lower=native_factor.cholesky,
    traits=Traits(remedies=_REGULARISED, by_matrix=4),
)  # fmt: skip


# ---- linear systems


def _solve_type(matrix: Any, rhs: Any, *, adjoint: bool = False) -> TensorType:
    batch, size = square_dims(matrix)
    other, rows, columns = matrix_dims(rhs, 1)
    if batch is None or other is None:
        return TensorType(None, matrix.dtype)
    if len(batch) != len(other) or any(m is not None and n is not None and m != n for m, n in zip(batch, other, strict=True)):
        text = f"Shapes {show_dims(batch)} and {show_dims(other)} of the batches must be equal"
        raise ShapeError(
            text, f"All input tensors must have the same outer dimensions: {show_dims(matrix.dims)} vs. {show_dims(rhs.dims)}."
        )
    require_equal(size, rows, "Input matrix and rhs are incompatible.")
    return TensorType(
        (*(n if m is None else m for m, n in zip(batch, other, strict=True)), size if size is not None else rows, columns), matrix.dtype
    )


def _triangular_type(matrix: Any, rhs: Any, *, lower: bool = True, adjoint: bool = False) -> TensorType:
    batch, size = square_dims(matrix)
    other, rows, columns = matrix_dims(rhs, 1)
    require_equal(size, rows, f"In[0] mismatch In[1] shape: {size} vs. {rows}: {show_dims(matrix.dims)} {show_dims(rhs.dims)}")
    if matrix.dims is None or rhs.dims is None:
        return TensorType(None, matrix.dtype)
    together = broadcast_dims(batch, other)
    return TensorType(None if together is None else (*together, size if size is not None else rows, columns), matrix.dtype)


def _solve(matrix: Array, rhs: Array, *, adjoint: bool = False) -> Array:
    check_square(matrix)
    if rhs.ndim < 2 or rhs.shape[:-1] != matrix.shape[:-1]:
        raise ValueError("the sides do not fit")  # the type rule finds the words
    try:
        return lapack.solve(adjoint_array(matrix) if adjoint else matrix, rhs)
    except np.linalg.LinAlgError:
        raise invalid_argument("Input matrix is not invertible.") from None


@cache
def _trsm(kind: str) -> Callable[..., Array]:
    import scipy.linalg.blas

    return getattr(scipy.linalg.blas, f"{kind}trsm")


_BLAS = {np.dtype(np.float32): "s", np.dtype(np.float64): "d", np.dtype(np.complex64): "c", np.dtype(np.complex128): "z"}


def _triangular(matrix: Array, rhs: Array, *, lower: bool = True, adjoint: bool = False) -> Array:
    check_square(matrix)
    if rhs.ndim < 2 or rhs.shape[-2] != matrix.shape[-1]:
        raise ValueError("the sides do not fit")  # the type rule finds the words
    batch = np.broadcast_shapes(matrix.shape[:-2], rhs.shape[:-2])
    out = np.empty((*batch, *rhs.shape[-2:]), rhs.dtype)
    if not out.size:
        return out
    matrices, sides = np.broadcast_to(matrix, (*batch, *matrix.shape[-2:])), np.broadcast_to(rhs, out.shape)
    found = lapack.solve_triangular(matrices, sides, lower, adjoint)
    if found is not None:
        return found
    trsm = _trsm(_BLAS[matrix.dtype])
    for at in np.ndindex(batch):
        out[at] = trsm(1, matrices[at], sides[at], lower=lower, trans_a=2 if adjoint else 0)
    return out


def _outer(g_rhs: Any, out: Any, adjoint: bool) -> Tensor:
    """Minus the cotangent of the right side times the solution, as the cotangent of the matrix."""
    return -(batch_matmul(out, g_rhs, adj_y=True) if adjoint else batch_matmul(g_rhs, out, adj_y=True))


def _solve_back(g: Any, matrix: Any, out: Any, adjoint: bool) -> tuple[Any, Any]:
    g_rhs = SOLVE(matrix, g, adjoint=not adjoint)
    return _outer(g_rhs, out, adjoint), g_rhs


def _triangular_back(g: Any, matrix: Any, out: Any, lower: bool, adjoint: bool) -> tuple[Any, Any]:
    g_rhs = TRIANGULAR_SOLVE(matrix, g, lower=lower, adjoint=not adjoint)
    return band_part(_outer(g_rhs, out, adjoint), *((-1, 0) if lower else (0, -1))), g_rhs


SOLVE = define(
    "MatrixSolve",
    "matrix rhs",
    _solve_type,
    widen(_solve),
    {("matrix", "rhs"): _solve_back},
    dtypes=SOLVED,
    holomorphic=False,
    lower=native_factor.solve,
    traits=Traits(by_matrix=2),
)
TRIANGULAR_SOLVE = define(
    "MatrixTriangularSolve", "matrix rhs", _triangular_type, widen(_triangular), {("matrix", "rhs"): _triangular_back},
    dtypes=FLOAT_OR_COMPLEX, broadcasts=True, holomorphic=False,
    lower=native_factor.triangular_solve,
    traits=Traits(by_matrix=2),
)  # fmt: skip


# ---- functions


class LogMatrixDeterminant(NamedTuple):
    """What `slogdet` returns."""

    sign: Any
    log_abs_determinant: Any


@export("linalg.inv", v1="matrix_inverse")
@asks_operator(lambda input, adjoint=False, name=None: (input.adjoint() if adjoint else input).inverse())
def inv(input: NumberLike, adjoint: bool = False, name: str | None = None) -> Tensor:
    """The inverses of the square matrices in `input`, or their conjugate transposes.

    input: [..., n, n], float16 to complex128.  Raises InvalidArgumentError for a singular matrix, and for what is not square
    (in graphs ValueError).

    >>> tf.linalg.inv([[2.0, 0.0], [0.0, 4.0]]).numpy().tolist()
    [[0.5, 0.0], [0.0, 0.25]]
    """
    return INVERSE(input, adjoint=adjoint, name=name)


@export("linalg.det", v1="matrix_determinant")
@asks_operator(lambda input, name=None: input.determinant())
def det(input: NumberLike, name: str | None = None) -> Tensor:
    """The determinants of the square matrices in `input`; the gradient needs them to be regular.  Errors as `inv`.

    >>> tf.linalg.det([[2.0, 0.0], [0.0, 4.0]]).numpy().item()
    8.0
    """
    return DETERMINANT(input, name=name)


@export("linalg.slogdet")
def slogdet(input: NumberLike, name: str | None = None) -> LogMatrixDeterminant:
    """The signs (phases) of the determinants, and the logarithms of their sizes; gradients through the latter.  Errors as `inv`.

    >>> sign, log = tf.linalg.slogdet([[1.0, 0.0], [0.0, -1.0]])
    >>> sign.numpy().item(), log.numpy().item()
    (-1.0, 0.0)
    """
    return LogMatrixDeterminant(*LOG_DETERMINANT(input, name=name))


@export("linalg.logdet")
@asks_operator(lambda matrix, name=None: matrix.log_abs_determinant())
def logdet(matrix: NumberLike, name: str | None = None) -> Tensor:
    """The logarithms of the determinants of Hermitian positive definite matrices, by their Cholesky factors.

    >>> tf.linalg.logdet([[1.0, 0.0], [0.0, 1.0]]).numpy().item()
    0.0
    """
    with scope(name, "logdet"):
        factor = CHOLESKY(matrix)
        diagonal = diag_part(factor)
        real = REAL_PART.call(diagonal) if diagonal.dtype.is_complex else diagonal
        return 2.0 * reduce_sum(log(real), [-1])


@export("linalg.cholesky", v1="cholesky")
@asks_operator(lambda input, name=None: input.cholesky())
def cholesky(input: NumberLike, name: str | None = None) -> Tensor:
    """Lower triangular L with L L^H = input, for Hermitian positive definite matrices; only their lower triangles are read.

    NaN where a matrix is not positive definite; errors as `inv`.

    >>> tf.linalg.cholesky([[4.0, 2.0], [2.0, 5.0]]).numpy().tolist()
    [[2.0, 0.0], [1.0, 2.0]]
    """
    return CHOLESKY(input, name=name)


@export("linalg.cholesky_solve", v1="cholesky_solve")
def cholesky_solve(chol: NumberLike, rhs: NumberLike, name: str | None = None) -> Tensor:
    """x with L L^H x = rhs, from the Cholesky factor L.

    >>> tf.linalg.cholesky_solve([[2.0, 0.0], [0.0, 2.0]], [[4.0], [8.0]]).numpy().tolist()
    [[1.0], [2.0]]
    """
    with scope(name, "cholesky_solve"):
        half = TRIANGULAR_SOLVE(chol, rhs, lower=True, adjoint=False)
        return TRIANGULAR_SOLVE(chol, half, lower=True, adjoint=True)


@export("linalg.solve", v1="matrix_solve")
@asks_operator(lambda matrix, rhs, adjoint=False, name=None: matrix.solve(rhs, adjoint=adjoint))
def solve(matrix: NumberLike, rhs: NumberLike, adjoint: bool = False, name: str | None = None) -> Tensor:
    """x with matrix x = rhs (or matrix^H x = rhs).

    matrix: [..., n, n].  rhs: [..., n, k], of the same batch and dtype.  Errors as `inv`.

    >>> tf.linalg.solve([[2.0, 0.0], [0.0, 4.0]], [[2.0], [8.0]]).numpy().tolist()
    [[1.0], [2.0]]
    """
    return SOLVE(matrix, rhs, adjoint=adjoint, name=name)


@export("linalg.triangular_solve", v1="matrix_triangular_solve")
def triangular_solve(matrix: NumberLike, rhs: NumberLike, lower: bool = True, adjoint: bool = False, name: str | None = None) -> Tensor:
    """x with T x = rhs (or T^H x = rhs), T the lower or upper triangle of `matrix`; batches broadcast.

    A zero on the diagonal gives infinities, not an error.

    >>> tf.linalg.triangular_solve([[2.0, 9.0], [1.0, 4.0]], [[2.0], [9.0]]).numpy().tolist()
    [[1.0], [2.0]]
    """
    with scope(name, "triangular_solve"):
        return TRIANGULAR_SOLVE(matrix, rhs, lower=lower, adjoint=adjoint)
