"""Factorisations of matrices as `np.linalg` gives them: small matrices by NumPy, from `LEAST` rows on by our own OpenBLAS; stacks of many
small ones by native code where the engine has it.

The routines are those NumPy calls (getrf, gesv, potrf, syevd, gesdd, geqrf), so signs and orders are the same.  NumPy's copy would use
threads that spin, by an environment of its own; here each matrix is one thread's work, and the matrices of a stack are shared out.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numpy.linalg import LinAlgError

from . import blas, parallel
from .backend import ENGINE

Array = np.ndarray[Any, Any]

LEAST = 32
_LETTERS = {"f": "s", "d": "d", "F": "c", "D": "z"}
_KINDS: dict[str, Any] = {"c": ctypes.c_char, "n": ctypes.c_int64, "p": ctypes.c_void_p}
_COLUMNS = 102  # the matrices are laid out by columns
_SIGNATURES = {
    "getrf": "nnpnp", "getri": "npnp", "gesv": "nnpnppn", "potrf": "cnpn", "syevd": "ccnpnp", "heevd": "ccnpnp", "gesdd": "cnnpnppnpn",
    "geqrf": "nnpnp", "orgqr": "nnnpnp", "ungqr": "nnnpnp",
}  # fmt: skip


@cache
def _routine(letter: str, name: str) -> Callable[..., int]:
    kind = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int, *[_KINDS[c] for c in _SIGNATURES[name]])
    return kind(blas.pointer(f"LAPACKE_{letter}{name}"))


@cache
def is_ready() -> bool:
    """Whether there is a library; it is told not to look for NaN, which go through as they do in NumPy."""
    if blas.library() is None:
        return False
    ctypes.CFUNCTYPE(None, ctypes.c_int)(blas.pointer("LAPACKE_set_nancheck"))(0)
    return True


def _call(name: str, x: Array, *arguments: Any) -> int:
    """Calls a routine for x's dtype; arrays go by their addresses.  Gives its report: positive where the matrix is to blame."""
    found = _routine(_LETTERS[x.dtype.char], name)(_COLUMNS, *(blas.address(a) if isinstance(a, np.ndarray) else a for a in arguments))
    if found < 0:
        raise ValueError(f"{name}: argument {-found} is not allowed")
    return found


def _is_own(x: Array) -> bool:
    """Whether the matrices of `x` are ours to do."""
    return min(x.shape[-2:]) >= LEAST and x.dtype.char in _LETTERS and x.dtype.isnative and x.size > 0 and is_ready()


def _run_each(x: Array, work: Callable[[tuple[int, ...]], None]) -> None:
    """Calls `work` for each matrix of a stack, on several threads."""
    places = list(np.ndindex(x.shape[:-2]))
    parallel.run(lambda i: work(places[i]), len(places))


def _columns(x: Array) -> Array:
    """A copy of a matrix, laid out by columns."""
    out = np.empty(x.shape, x.dtype, order="F")
    _transpose(x, out.T)
    return out


_REAL, _LARGE = "fd", 64 * 64  # the transposes that OpenBLAS makes faster than NumPy: of float32 up to ten times, of float64 up to twice


def _transpose(x: Array, out: Array) -> None:
    """Puts the transpose of a matrix into `out`, which is contiguous."""
    rows, columns = x.shape
    step, rest = divmod(x.strides[0], x.itemsize)
    by_rows = x.strides[1] == x.itemsize and step >= columns and not rest and x.flags.aligned
    if by_rows and x.size >= _LARGE and x.dtype.char in _REAL:
        _omatcopy(_LETTERS[x.dtype.char])(101, 112, rows, columns, 1.0, blas.address(x), step, blas.address(out), rows)
    else:
        out[...] = x.T


@cache
def _omatcopy(letter: str) -> Callable[..., None]:
    number, flag, size, place = {"s": ctypes.c_float, "d": ctypes.c_double}[letter], ctypes.c_int, ctypes.c_int64, ctypes.c_void_p
    kind = ctypes.CFUNCTYPE(None, flag, flag, size, size, number, place, size, place, size)
    return kind(blas.pointer(f"cblas_{letter}omatcopy"))


def _factor_matrix(x: Array) -> tuple[Array, Array, int]:
    """The LU factors of a matrix in one, the rows that were swapped, and the report."""
    lu, n = _columns(x), len(x)
    pivots = np.empty(n, np.int64)
    return lu, pivots, _call("getrf", x, n, n, lu, n, pivots)


def lu(x: Array) -> tuple[Array, Array, Array] | None:
    """The LU factors of each matrix in one, the rows that were swapped with each, from 0 on, and the reports, positive where a matrix is
    singular; None for what is not ours to do.
    """
    if not _is_own(x) or x.shape[-1] != x.shape[-2]:
        return None
    factors, swaps, reports = np.empty(x.shape, x.dtype), np.empty(x.shape[:-1], np.int64), np.zeros(x.shape[:-2], np.int64)

    def factor_one(at: tuple[int, ...]) -> None:
        found, pivots, reports[at] = _factor_matrix(x[at])
        _transpose(found.T, factors[at])
        swaps[at] = pivots - 1

    _run_each(x, factor_one)
    return factors, swaps, reports


def lu_of_many(x: Array) -> tuple[Array, Array, Array] | None:
    """As `lu` with the order of the rows in place of swaps, of a stack of many small matrices; None where there is no native code."""
    n = x.shape[-1]
    found = None if n >= LEAST or not x.size else ENGINE.eliminate(x.reshape(-1, n, n), None)
    if found is None:
        return None
    factors, order, reports, _ = found
    return factors.reshape(x.shape), order.reshape(x.shape[:-1]), reports.reshape(x.shape[:-2])


def _solve_many(a: Array, b: Array) -> Array | None:
    """`solve` of a stack of many small systems; None where there is no native code."""
    n = a.shape[-1]
    if n >= LEAST or not b.size or a.shape[:-2] != b.shape[:-2] or b.shape[-2] != n or a.dtype is not b.dtype:
        return None
    found = ENGINE.eliminate(a.reshape(-1, n, n), b.reshape(-1, *b.shape[-2:]))
    if found is None:
        return None
    _, _, reports, solutions = found
    if reports.any():
        raise LinAlgError("Singular matrix")
    return np.asarray(solutions).reshape(b.shape)


def has_nan(x: Array) -> bool:
    """Whether there is a NaN; complex numbers that are not finite may say so too."""
    return bool(np.isnan(np.vdot(x, x)))


def _spread_nan(a: Array, *found: Array, axes: int = 0) -> None:
    """Put NaN into what was found of `a` where that has one: OpenBLAS divides by no NaN, and would leave numbers.

    axes: how many each has for a matrix.
    """
    if has_nan(a):
        odd = np.isnan(a).any(axis=(-2, -1))
        for x in found:
            x[np.broadcast_to(odd, x.shape[: x.ndim - axes])] = np.nan


def inv(x: Array) -> Array:
    """`np.linalg.inv`; a matrix with a NaN has an inverse of NaNs."""
    found = _invert(x)
    _spread_nan(x, found, axes=2)
    return found


def _invert(x: Array) -> Array:
    if not _is_own(x):
        return np.linalg.inv(x)
    out, n = np.empty(x.shape, x.dtype), x.shape[-1]

    def invert_one(at: tuple[int, ...]) -> None:
        lu, pivots, report = _factor_matrix(x[at])
        if report or _call("getri", x, n, lu, n, pivots):
            raise LinAlgError("Singular matrix")
        _transpose(lu.T, out[at])

    _run_each(x, invert_one)
    return out


def solve(a: Array, b: Array) -> Array:
    """`np.linalg.solve` for matrices `b`; with a matrix that has a NaN all unknowns are NaN."""
    found = _solve_many(a, b)  # whose divisions by NaN spread it
    if found is None:
        found = _solve(a, b)
        _spread_nan(a, found, axes=2)
    return found


def _solve(a: Array, b: Array) -> Array:
    if not _is_own(a) or a.dtype is not b.dtype or not b.size:
        return np.linalg.solve(a, b)
    batch = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    n, columns = b.shape[-2:]
    if a.shape[-1] != n:
        return np.linalg.solve(a, b)  # for the words
    a, b = np.broadcast_to(a, (*batch, n, n)), np.broadcast_to(b, (*batch, n, columns))
    out = np.empty(b.shape, b.dtype)

    def solve_one(at: tuple[int, ...]) -> None:
        x = _columns(b[at])
        if _call("gesv", a, n, columns, _columns(a[at]), n, np.empty(n, np.int64), x, n):
            raise LinAlgError("Singular matrix")
        _transpose(x.T, out[at])

    _run_each(a, solve_one if columns < _WIDE else lambda at: _solve_rows(a[at], b[at], out[at]))
    return out


_WIDE = 64  # right sides from which it pays not to turn them


def _solve_rows(a: Array, b: Array, out: Array) -> None:
    """Puts the solution of a system into `out`, whose rows stay rows."""
    (n, columns), trsm, number = b.shape, _trsm(_LETTERS[a.dtype.char]), np.ones((), a.dtype)
    lu, pivots, report = _factor_matrix(a)
    if report:
        raise LinAlgError("Singular matrix")
    order = list(range(n))
    for i, j in enumerate((pivots - 1).tolist()):
        order[i], order[j] = order[j], order[i]
    np.take(b, order, axis=0, out=out)
    one: Any = blas.address(number) if a.dtype.kind == "c" else 1.0
    for triangle, diagonal in ((121, 132), (122, 131)):  # L and U lie by columns: by rows they are transposes
        trsm(101, 141, triangle, 112, diagonal, n, columns, one, blas.address(lu), n, blas.address(out), columns)


def slogdet(x: Array) -> tuple[Array, Array]:
    """`np.linalg.slogdet`, as a pair; a matrix with a NaN has neither."""
    sign, logarithm = _find_slogdet(x)
    _spread_nan(x, sign, logarithm)
    return sign, logarithm


def _find_slogdet(x: Array) -> tuple[Array, Array]:
    if not _is_own(x):
        with np.errstate(invalid="ignore"):
            sign, logarithm = np.linalg.slogdet(x)
        return np.asarray(sign), np.asarray(logarithm)
    signs, logs = np.empty(x.shape[:-2], x.dtype), np.empty(x.shape[:-2], x.real.dtype)

    def compute_one(at: tuple[int, ...]) -> None:
        sign, diagonal = _diagonal(x[at])
        size = np.abs(diagonal)
        with np.errstate(divide="ignore", invalid="ignore"):
            signs[at] = sign * np.prod(diagonal / size) if size.all() else 0
            logs[at] = np.log(size).sum() if size.all() else -math.inf

    _run_each(x, compute_one)
    return signs, logs


def det(x: Array) -> Array:
    """`np.linalg.det`; NaN of a matrix with a NaN."""
    if not _is_own(x):
        with np.errstate(invalid="ignore"):
            found = np.asarray(np.linalg.det(x))
        _spread_nan(x, found)
        return found
    sign, logarithm = slogdet(x)
    with np.errstate(over="ignore", invalid="ignore"):
        return np.asarray(sign * np.exp(logarithm)).astype(x.dtype, copy=False)


def _diagonal(x: Array) -> tuple[float, Array]:
    """The sign of the swaps of an LU factorisation, and the diagonal of U."""
    lu, pivots, _ = _factor_matrix(x)
    swaps = np.count_nonzero(pivots != np.arange(1, len(x) + 1))
    return (-1.0 if swaps % 2 else 1.0), np.diagonal(lu)


def cholesky(x: Array) -> Array:
    """`np.linalg.cholesky`; a matrix that has no such factor gets one of NaN, with zeros above the diagonal."""
    if not _is_own(x):
        try:
            return np.linalg.cholesky(x)
        except LinAlgError:
            if x.ndim == 2:
                return np.tril(np.full_like(x, np.nan))
            return np.stack([cholesky(matrix) for matrix in x.reshape(-1, *x.shape[-2:])]).reshape(x.shape)
    out, n = np.empty(x.shape, x.dtype), x.shape[-1]
    turned = x.dtype == np.float32  # whose transposes take less time than is lost where the upper triangle is asked for

    def factor_one(at: tuple[int, ...]) -> None:
        factor = out[at]
        if turned:
            factor = _columns(x[at])
        else:  # by columns it is the transpose, whose upper triangle is the lower one
            factor[...] = x[at]
        if _call("potrf", x, b"L" if turned else b"U", n, factor, n):
            factor[...] = np.nan
        if turned:
            _transpose(factor.T, out[at])

    _run_each(x, factor_one)
    _clear_above(out)
    return out


def _clear_above(x: Array) -> None:
    """Puts zeros above the diagonals of square matrices, by blocks."""
    for i in range(0, x.shape[-1], _BLOCK):
        own, right = x[..., i : i + _BLOCK, i : i + _BLOCK], x[..., i : i + _BLOCK, i + _BLOCK :]
        np.copyto(own, 0, where=_ABOVE[: own.shape[-1], : own.shape[-1]])
        right[...] = 0


_BLOCK = 64
_ABOVE = np.triu(np.ones((_BLOCK, _BLOCK), np.bool_), 1)


def eigh(x: Array, vectors: bool = True) -> tuple[Array, Array]:
    """`np.linalg.eigh`, as a pair; without vectors the second is as it happens to be.  A LinAlgError where a number is NaN."""
    if np.isnan(np.tril(x)).any():
        raise LinAlgError("Eigenvalues did not converge")
    if not _is_own(x):
        if not vectors:
            return np.linalg.eigvalsh(x), x
        found = np.linalg.eigh(x)
        return found[0], found[1]
    n = x.shape[-1]
    values, out = np.empty(x.shape[:-1], x.real.dtype), np.empty(x.shape, x.dtype)

    def decompose_one(at: tuple[int, ...]) -> None:
        matrix, found = _columns(x[at]), np.empty(n, values.dtype)
        name = "heevd" if x.dtype.kind == "c" else "syevd"
        if _call(name, x, b"V" if vectors else b"N", b"L", n, matrix, n, found):
            raise LinAlgError("Eigenvalues did not converge")
        values[at] = found
        _transpose(matrix.T, out[at])

    _run_each(x, decompose_one)
    return values, out


def svd(x: Array, full_matrices: bool = True) -> tuple[Array, Array, Array]:
    """`np.linalg.svd`, as a triple."""
    if not _is_own(x):
        found = np.linalg.svd(x, full_matrices=full_matrices)
        return found[0], found[1], found[2]
    *batch, m, n = x.shape
    k = min(m, n)
    left, right = (m, n) if full_matrices else (k, k)
    u, s, v = np.empty((*batch, m, left), x.dtype), np.empty((*batch, k), x.real.dtype), np.empty((*batch, right, n), x.dtype)

    def decompose_one(at: tuple[int, ...]) -> None:
        a, b = (np.empty(shape, x.dtype, order="F") for shape in ((m, left), (right, n)))
        values = np.empty(k, s.dtype)
        job = b"A" if full_matrices else b"S"
        if _call("gesdd", x, job, m, n, _columns(x[at]), m, values, a, m, b, right):
            raise LinAlgError("SVD did not converge")
        s[at] = values
        _transpose(a.T, u[at])
        _transpose(b.T, v[at])

    _run_each(x, decompose_one)
    return u, s, v


def qr(x: Array, complete: bool) -> tuple[Array, Array]:
    """`np.linalg.qr` in mode "complete" or "reduced", as a pair."""
    if not _is_own(x):
        found = np.linalg.qr(x, mode="complete" if complete else "reduced")
        return found[0], found[1]
    *batch, m, n = x.shape
    k = min(m, n)
    width = m if complete else k
    q, r = np.empty((*batch, m, width), x.dtype), np.empty((*batch, width, n), x.dtype)

    def factor_one(at: tuple[int, ...]) -> None:
        factors, scales = np.zeros((m, max(n, width)), x.dtype, order="F"), np.empty(k, x.dtype)
        factors[:, :n] = x[at]
        _call("geqrf", x, m, n, factors, m, scales)
        r[at] = np.triu(factors[:width, :n])
        _call("ungqr" if x.dtype.kind == "c" else "orgqr", x, m, width, k, factors, m, scales)
        q[at] = factors[:, :width]

    _run_each(x, factor_one)
    return q, r


_SMALL, _MANY = 1 << 14, 32  # bytes of the products for a matrix, and matrices, for which calls take longer than the work


def _substitute(a: Array, b: Array, lower: bool, adjoint: bool) -> Array:
    """Substitution in all systems of a stack at once, whose axis comes last."""
    n, columns = b.shape[-2:]
    rows = np.ascontiguousarray(np.moveaxis(a.reshape(-1, n, n), 0, -1))
    x = np.array(np.moveaxis(b.reshape(-1, n, columns), 0, -1), order="C", copy=True)
    if adjoint:
        rows = np.conj(rows.swapaxes(0, 1))
    downwards = lower != adjoint
    with np.errstate(all="ignore"):  # a singular matrix gives infinities, as everywhere
        for i in range(n) if downwards else reversed(range(n)):
            x[i] /= rows[i, i]
            others = slice(i + 1, None) if downwards else slice(0, i)
            x[others] -= rows[others, i, None] * x[i]
    return np.ascontiguousarray(np.moveaxis(x, -1, 0)).reshape(b.shape)


@cache
def _trsm(letter: str) -> Callable[..., None]:
    number: Any = {"s": ctypes.c_float, "d": ctypes.c_double}.get(letter, ctypes.c_void_p)
    flag, size, place = ctypes.c_int, ctypes.c_int64, ctypes.c_void_p
    kind = ctypes.CFUNCTYPE(None, *[flag] * 5, size, size, number, place, size, place, size)
    return kind(blas.pointer(f"cblas_{letter}trsm"))


def solve_triangular(a: Array, b: Array, lower: bool, adjoint: bool) -> Array | None:
    """x with a x = b, or with the conjugate transpose of a; only a's lower (or upper) triangle is read.  None where there is no library.

    a: square matrices in a stack of b's shape.  b: matrices of a's dtype.
    """
    if a.dtype.char not in _LETTERS or not a.dtype.isnative or not is_ready():
        return None
    n, columns = b.shape[-2:]
    if n * n * columns * b.itemsize <= _SMALL and b.size >= max(_MANY, 4 * n) * n * columns:
        return _substitute(a, b, lower, adjoint)
    a, out = np.ascontiguousarray(a), np.array(b, order="C", copy=True)
    call = _trsm(_LETTERS[a.dtype.char])
    one = np.ones((), a.dtype)
    factor: Any = blas.address(one) if a.dtype.kind == "c" else 1.0
    flags = (101, 141, 122 if lower else 121, 113 if adjoint else 111, 131)  # by rows, a on the left, triangle, transpose, any diagonal
    _run_each(a, lambda at: call(*flags, n, columns, factor, blas.address(a[at]), n, blas.address(out[at]), columns))
    return out
