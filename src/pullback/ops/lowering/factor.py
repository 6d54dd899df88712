"""How factorisations, inverses, determinants and solutions of linear systems are lowered for the engine: calls of LAPACK by address.

A matrix that a routine cannot do (singular, not positive definite) is a fault; the kernel then says what is wrong.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...kernels import lapack
from .reduce import wide


def _ready(steps: Any, x: Any) -> None:
    if not lapack.is_ready():
        raise steps.Unsupported("there is no LAPACK of our own: NumPy's is called")
    if not x.size:
        raise steps.Unsupported("empty matrices are the kernel's")


def _turned(steps: Any, x: Any) -> Any:
    rank = len(x.dims)
    return steps.permute(x, [*range(rank - 2), rank - 1, rank - 2])


def _adjoint(steps: Any, x: Any) -> Any:
    return steps.conj(_turned(steps, x)) if x.dtype.kind == "c" else _turned(steps, x)


def _new(steps: Any, a: Any, **dims: tuple[int, ...]) -> dict[str, Any]:
    """Memory for each matrix of a stack: pivots and info are whole numbers, the others of a's dtype."""
    whole = ("pivots", "info")
    return {name: steps.temporary((*a.dims[:-2], *own), np.int64 if name in whole else a.dtype) for name, own in dims.items()}


def _must_be_zero(steps: Any, info: Any) -> None:
    steps.check(steps.compare("ne", info, 0))


def cholesky(steps: Any, input: Any) -> Any:
    """Cholesky: NaN where a matrix has no factor."""
    _ready(steps, input)
    a = steps.memory(wide(steps, input))
    n = a.dims[-1]
    made = _new(steps, a, out=(n, n), info=())
    steps.factorise("cholesky", a=a, **made)
    rank = len(a.dims)
    info = steps.affine(made["info"], a.dims, tuple((0, ((i, 1),)) for i in range(rank - 2)))
    factor = steps.select(steps.compare("ne", info, 0), steps.number(np.nan, a.dtype), made["out"])
    row, column = (steps.iota(a.dims, rank - k, np.int32) for k in (2, 1))
    return steps.cast(steps.select(steps.compare("ge", row, column), factor, 0), input.dtype)


def triangular_solve(steps: Any, matrix: Any, rhs: Any, *, lower: bool = True, adjoint: bool = False) -> Any:
    """MatrixTriangularSolve: the stacks are broadcast against each other."""
    _ready(steps, matrix)
    _ready(steps, rhs)
    stack = tuple(int(n) for n in np.broadcast_shapes(matrix.dims[:-2], rhs.dims[:-2]))
    a, right = (steps.memory(steps.broadcast(wide(steps, x), (*stack, *x.dims[-2:]))) for x in (matrix, rhs))
    out = steps.temporary(right.dims, right.dtype)
    steps.factorise("triangular", a=a, right=right, out=out, lower=lower, adjoint=adjoint)
    return steps.cast(out, rhs.dtype)


def solve(steps: Any, matrix: Any, rhs: Any, *, adjoint: bool = False) -> Any:
    """MatrixSolve: LAPACK takes both sides by columns."""
    _ready(steps, matrix)
    _ready(steps, rhs)
    given, n, columns = wide(steps, matrix), rhs.dims[-2], rhs.dims[-1]
    by_columns = (steps.conj(given) if given.dtype.kind == "c" else given) if adjoint else _turned(steps, given)
    a, right = steps.memory(by_columns), steps.memory(_turned(steps, wide(steps, rhs)))
    made = _new(steps, a, factors=(n, n), pivots=(n,), out=(columns, n), info=())
    steps.factorise("solve", a=a, right=right, **made)
    _must_be_zero(steps, made["info"])
    return steps.cast(_turned(steps, made["out"]), rhs.dtype)


def inverse(steps: Any, input: Any, *, adjoint: bool = False) -> Any:
    """MatrixInverse."""
    _ready(steps, input)
    a = steps.memory(_turned(steps, wide(steps, input)))
    n = a.dims[-1]
    made = _new(steps, a, out=(n, n), pivots=(n,), info=())
    steps.factorise("inverse", a=a, **made)
    _must_be_zero(steps, made["info"])
    found = made["out"]
    if adjoint:  # by columns, so that rows and columns have changed places already
        found = steps.conj(found) if found.dtype.kind == "c" else found
    else:
        found = _turned(steps, found)
    return steps.cast(found, input.dtype)


def _signed_logarithm(steps: Any, input: Any) -> tuple[Any, Any]:
    """The sign (or the phase) of the determinant and the logarithm of its size, of the factors' diagonal and the swaps."""
    _ready(steps, input)
    a = steps.memory(_turned(steps, wide(steps, input)))
    n, lead = a.dims[-1], a.dims[:-2]
    made = _new(steps, a, out=(n, n), pivots=(n,), info=())
    steps.factorise("lu", a=a, **made)
    rows = (*((0, ((i, 1),)) for i in range(len(lead))), *[(0, ((len(lead), 1),))] * 2)
    diagonal = steps.affine(made["out"], (*lead, n), rows)
    real = np.zeros(0, a.dtype).real.dtype
    size = steps.pointwise("abs", diagonal, dtype=real)
    at = steps.iota(made["pivots"].dims, len(lead), np.int64)
    swapped = steps.select(steps.compare("ne", made["pivots"], at + 1), steps.number(-1, a.dtype), steps.number(1, a.dtype))
    none = steps.compare("eq", size, 0)
    phase = diagonal / steps.cast(size, a.dtype)
    axis = [len(lead)]
    sign = steps.reduce("prod", swapped * steps.select(none, steps.scalar(0, diagonal), phase), axis)
    logarithm = steps.reduce("sum", steps.select(none, -math.inf, steps.log(size)), axis)
    return sign, logarithm


def log_determinant(steps: Any, input: Any) -> Any:
    """LogMatrixDeterminant: the sign and the logarithm of the size."""
    sign, logarithm = _signed_logarithm(steps, input)
    return steps.cast(sign, input.dtype), steps.cast(logarithm, input.dtype)


def determinant(steps: Any, input: Any) -> Any:
    """MatrixDeterminant, by its logarithm as its kernel has it."""
    sign, logarithm = _signed_logarithm(steps, input)
    return steps.cast(sign * steps.cast(steps.exp(logarithm), sign.dtype), input.dtype)


def eigen(steps: Any, input: Any, *, compute_v: bool = True) -> Any:
    """SelfAdjointEigV2: the eigenvalues, and the eigenvectors as columns."""
    _ready(steps, input)
    a = steps.memory(_turned(steps, wide(steps, input)))
    n = a.dims[-1]
    made = _new(steps, a, out=(n, n), info=())
    values = steps.temporary((*a.dims[:-2], n), np.zeros(0, a.dtype).real.dtype)
    steps.factorise("eigen", a=a, values=values, vectors=compute_v, **made)
    _must_be_zero(steps, made["info"])
    vectors = steps.cast(_turned(steps, made["out"]), input.dtype) if compute_v else steps.filled((0,), input.dtype, 0)
    return steps.cast(values, input.dtype), vectors
