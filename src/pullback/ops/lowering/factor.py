"""How factorisations, inverses, determinants and solutions of linear systems are lowered for the engine: calls of LAPACK by address.

A matrix that a routine cannot do (singular, not positive definite) is a fault; the kernel then says what is wrong.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from ...kernels import lapack
from . import small_systems
from .reduce import widen

if TYPE_CHECKING:
    from ...engine.lowering.builder import Builder
    from ...engine.lowering.index_expr import IndexExpr


def _require_lapack(builder: Builder, x: Any) -> None:
    if not lapack.is_ready():
        raise builder.Unsupported("there is no LAPACK of our own: NumPy's is called")
    if not x.size:
        raise builder.Unsupported("empty matrices are the kernel's")


def _transpose_last(builder: Builder, x: Any) -> IndexExpr:
    rank = len(x.dims)
    return builder.permute(x, [*range(rank - 2), rank - 1, rank - 2])


def _adjoint(builder: Builder, x: Any) -> IndexExpr:
    return builder.conj(_transpose_last(builder, x)) if x.dtype.kind == "c" else _transpose_last(builder, x)


def _allocate(builder: Builder, a: Any, **dims: tuple[int, ...]) -> dict[str, Any]:
    """Memory for each matrix of a stack: pivots, the order and info are whole numbers, the others of a's dtype."""
    whole = ("pivots", "order", "info")
    return {name: builder.temporary((*a.dims[:-2], *own), np.int64 if name in whole else a.dtype) for name, own in dims.items()}


def _check_zero(builder: Builder, info: Any) -> None:
    builder.check(builder.compare("ne", info, 0))


def cholesky(builder: Builder, input: IndexExpr) -> IndexExpr:
    """Cholesky: NaN where a matrix has no factor."""
    _require_lapack(builder, input)
    a = builder.memory(widen(builder, input))
    n = a.dims[-1]
    made = _allocate(builder, a, out=(n, n), info=())
    builder.factorise("cholesky", a=a, **made)
    rank = len(a.dims)
    info = builder.affine(made["info"], a.dims, tuple((0, ((i, 1),)) for i in range(rank - 2)))
    factor = builder.select(builder.compare("ne", info, 0), builder.number(np.nan, a.dtype), made["out"])
    row, column = (builder.iota(a.dims, rank - k, np.int32) for k in (2, 1))
    return builder.cast(builder.select(builder.compare("ge", row, column), factor, 0), input.dtype)


def triangular_solve(builder: Builder, matrix: IndexExpr, rhs: IndexExpr, *, lower: bool = True, adjoint: bool = False) -> IndexExpr:
    """MatrixTriangularSolve: the stacks are broadcast against each other."""
    _require_lapack(builder, matrix)
    _require_lapack(builder, rhs)
    stack = tuple(int(n) for n in np.broadcast_shapes(matrix.dims[:-2], rhs.dims[:-2]))
    a, right = (builder.memory(builder.broadcast(widen(builder, x), (*stack, *x.dims[-2:]))) for x in (matrix, rhs))
    out = builder.temporary(right.dims, right.dtype)
    builder.factorise("triangular", a=a, right=right, out=out, lower=lower, adjoint=adjoint)
    return builder.cast(out, rhs.dtype)


def solve(builder: Builder, matrix: IndexExpr, rhs: IndexExpr, *, adjoint: bool = False) -> IndexExpr:
    """MatrixSolve: LAPACK takes both sides by columns."""
    if small_systems.suits(matrix, rhs.dims[-1]):
        return builder.cast(small_systems.solve(builder, widen(builder, matrix), widen(builder, rhs), adjoint), rhs.dtype)
    _require_lapack(builder, matrix)
    _require_lapack(builder, rhs)
    given, n, columns = widen(builder, matrix), rhs.dims[-2], rhs.dims[-1]
    by_columns = (builder.conj(given) if given.dtype.kind == "c" else given) if adjoint else _transpose_last(builder, given)
    a, right = builder.memory(by_columns), builder.memory(_transpose_last(builder, widen(builder, rhs)))
    made = _allocate(builder, a, factors=(n, n), pivots=(n,), out=(columns, n), info=())
    builder.factorise("solve", a=a, right=right, **made)
    _check_zero(builder, made["info"])
    return builder.cast(_transpose_last(builder, made["out"]), rhs.dtype)


def inverse(builder: Builder, input: IndexExpr, *, adjoint: bool = False) -> IndexExpr:
    """MatrixInverse."""
    if small_systems.suits(input):
        return builder.cast(small_systems.invert(builder, widen(builder, input), adjoint), input.dtype)
    _require_lapack(builder, input)
    a = builder.memory(_transpose_last(builder, widen(builder, input)))
    n = a.dims[-1]
    made = _allocate(builder, a, out=(n, n), pivots=(n,), info=())
    builder.factorise("inverse", a=a, **made)
    _check_zero(builder, made["info"])
    found = made["out"]
    if adjoint:  # by columns, so that rows and columns have changed places already
        found = builder.conj(found) if found.dtype.kind == "c" else found
    else:
        found = _transpose_last(builder, found)
    return builder.cast(found, input.dtype)


def _signed_logarithm(builder: Builder, input: Any) -> tuple[Any, Any]:
    """The sign (or the phase) of the determinant and the logarithm of its size, of the factors' diagonal and the swaps."""
    _require_lapack(builder, input)
    a = builder.memory(_transpose_last(builder, widen(builder, input)))
    n, lead = a.dims[-1], a.dims[:-2]
    made = _allocate(builder, a, out=(n, n), pivots=(n,), info=())
    builder.factorise("lu", a=a, **made)
    rows = (*((0, ((i, 1),)) for i in range(len(lead))), *[(0, ((len(lead), 1),))] * 2)
    diagonal = builder.affine(made["out"], (*lead, n), rows)
    real = np.zeros(0, a.dtype).real.dtype
    size = builder.pointwise("abs", diagonal, dtype=real)
    at = builder.iota(made["pivots"].dims, len(lead), np.int64)
    swapped = builder.select(builder.compare("ne", made["pivots"], at + 1), builder.number(-1, a.dtype), builder.number(1, a.dtype))
    none = builder.compare("eq", size, 0)
    phase = diagonal / builder.cast(size, a.dtype)
    axis = [len(lead)]
    sign = builder.reduce("prod", swapped * builder.select(none, builder.scalar(0, diagonal), phase), axis)
    logarithm = builder.reduce("sum", builder.select(none, -math.inf, builder.log(size)), axis)
    return sign, logarithm


def log_determinant(builder: Builder, input: IndexExpr) -> tuple[IndexExpr, ...]:
    """LogMatrixDeterminant: the sign and the logarithm of the size."""
    sign, logarithm = _signed_logarithm(builder, input)
    return builder.cast(sign, input.dtype), builder.cast(logarithm, input.dtype)


def determinant(builder: Builder, input: IndexExpr) -> IndexExpr:
    """MatrixDeterminant, by its logarithm as its kernel has it."""
    if small_systems.suits(input):
        return builder.cast(small_systems.determinant(builder, widen(builder, input)), input.dtype)
    sign, logarithm = _signed_logarithm(builder, input)
    return builder.cast(sign * builder.cast(builder.exp(logarithm), sign.dtype), input.dtype)


def lu(builder: Builder, input: IndexExpr, *, output_idx_type: Any) -> tuple[IndexExpr, ...]:
    """Lu: the factors in one, and the order of the rows."""
    _require_lapack(builder, input)
    a = builder.memory(_transpose_last(builder, widen(builder, input)))
    n = a.dims[-1]
    made = _allocate(builder, a, out=(n, n), order=(n,), info=())
    builder.factorise("ordered", a=a, **made)
    _check_zero(builder, made["info"])
    return builder.cast(_transpose_last(builder, made["out"]), input.dtype), builder.cast(made["order"], output_idx_type.numpy_dtype)


def qr(builder: Builder, input: IndexExpr, *, full_matrices: bool = False) -> tuple[IndexExpr, ...]:
    """Qr: orthonormal columns, and the upper triangle."""
    _require_lapack(builder, input)
    a = builder.memory(widen(builder, input))
    rows, columns = a.dims[-2:]
    width = rows if full_matrices else min(rows, columns)
    made = _allocate(builder, a, q=(rows, width), r=(width, columns))
    builder.factorise("qr", a=a, **made)
    return builder.cast(made["q"], input.dtype), builder.cast(made["r"], input.dtype)


def _is_not_finite(builder: Builder, x: Any) -> IndexExpr:
    size = builder.pointwise("abs", x, dtype=np.zeros(0, x.dtype).real.dtype)
    return builder.select(builder.compare("lt", size, math.inf), builder.number(False, np.bool_), builder.number(True, np.bool_))


def svd(builder: Builder, input: IndexExpr, *, compute_uv: bool = True, full_matrices: bool = False) -> Any:
    """Svd: of a matrix with a number that is not finite all is NaN."""
    _require_lapack(builder, input)
    given = widen(builder, input)
    rank, (rows, columns) = len(given.dims), given.dims[-2:]
    lead, least = given.dims[:-2], min(rows, columns)
    odd = builder.memory(builder.reduce("any", _is_not_finite(builder, given), [rank - 2, rank - 1]))

    def replace_odd(x: Any, otherwise: float) -> Any:
        here = builder.affine(odd, x.dims, tuple((0, ((i, 1),)) for i in range(rank - 2)))
        return builder.select(here, builder.number(otherwise, x.dtype), x)

    a = builder.memory(replace_odd(given, 0.0))
    width, height = (rows, columns) if full_matrices else (least, least)
    made = _allocate(builder, a, info=(), **({"u": (rows, width), "v": (height, columns)} if compute_uv else {}))
    values = builder.temporary((*lead, least), np.zeros(0, a.dtype).real.dtype)
    builder.factorise("svd", a=a, values=values, vectors=compute_uv, **made)
    _check_zero(builder, made["info"])
    found = builder.cast(replace_odd(values, np.nan), input.dtype)
    if not compute_uv:
        return found, *[builder.fill_memory((0,), input.dtype, 0)] * 2
    left, right = replace_odd(made["u"], np.nan), replace_odd(_adjoint(builder, made["v"]), np.nan)
    return found, builder.cast(left, input.dtype), builder.cast(right, input.dtype)


def general_eigen(builder: Builder, input: IndexExpr, *, Tout: Any, compute_v: bool = True) -> tuple[IndexExpr, ...]:
    """Eig: the eigenvalues, and the eigenvectors as columns, both complex; a number that is not finite is a fault."""
    _require_lapack(builder, input)
    a = builder.memory(input)
    builder.check(_is_not_finite(builder, a))
    made = _allocate(builder, a, info=())
    values, out = (builder.temporary(dims, Tout.numpy_dtype) for dims in (a.dims[:-1], a.dims))
    builder.factorise("general", a=a, values=values, out=out, vectors=compute_v, **made)
    _check_zero(builder, made["info"])
    return values, out if compute_v else builder.fill_memory((0,), Tout.numpy_dtype, 0)


def eigen(builder: Builder, input: IndexExpr, *, compute_v: bool = True) -> tuple[IndexExpr, ...]:
    """SelfAdjointEigV2: the eigenvalues, and the eigenvectors as columns."""
    _require_lapack(builder, input)
    a = builder.memory(_transpose_last(builder, widen(builder, input)))
    n = a.dims[-1]
    made = _allocate(builder, a, out=(n, n), info=())
    values = builder.temporary((*a.dims[:-2], n), np.zeros(0, a.dtype).real.dtype)
    builder.factorise("eigen", a=a, values=values, vectors=compute_v, **made)
    _check_zero(builder, made["info"])
    vectors = builder.cast(_transpose_last(builder, made["out"]), input.dtype) if compute_v else builder.fill_memory((0,), input.dtype, 0)
    return builder.cast(values, input.dtype), vectors


#: What natively is its kernel all the same.
XLA_ALONE = (lu, qr, svd, general_eigen)
