"""Products of matrices and of stacks of matrices, as `np.matmul` gives them: small ones by NumPy, large ones by our own OpenBLAS.

NumPy's call costs less than one through ctypes, which pays from about 64 x 64 x 64 on.  Larger products are cut into blocks, by
their shapes alone (see `kernels.parallel`).  A block of C repacks its rows of A and its columns of B, so blocks are halves of what they
are cut from, and few.  Transposed factors are read as they lie.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any

import numpy as np

from . import blas, parallel
from .memory_limit import require_room

Array = np.ndarray[Any, Any]

# Up to here NumPy's call is the quicker one; and beyond, its copy of OpenBLAS would begin to use threads of its own.
LEAST, LEAST_VECTOR = 64**3, 96**2
SHARED = 2**24  # multiplications, in units of float32's, from which threads pay
READ = 2**20  # numbers of a matrix, in units of float32, from which they pay where each is read once
COST = {"f": 1, "d": 2, "F": 4, "D": 8}
_LETTERS = str.maketrans("fdFD", "sdcz")
_ROW_MAJOR, _PLAIN, _TRANSPOSED = 101, 111, 112


@cache
def _function(char: str, name: str) -> tuple[Callable[..., Any], Any, Any]:
    """The function `name` (gemm or gemv) for a dtype, and one and zero as it takes them."""
    size, place, flag = ctypes.c_int64, ctypes.c_void_p, ctypes.c_int
    if char in "fd":
        number: Any = ctypes.c_float if char == "f" else ctypes.c_double
        one, zero = number(1), number(0)
    else:
        pair = (ctypes.c_float if char == "F" else ctypes.c_double) * 2
        number, one, zero = place, ctypes.byref(pair(1, 0)), ctypes.byref(pair(0, 0))
    flags, sizes = (3, 3) if name == "gemm" else (2, 2)
    kind = ctypes.CFUNCTYPE(None, *[flag] * flags, *[size] * sizes, number, place, size, place, size, number, place, size)
    return kind(blas.pointer(f"cblas_{char.translate(_LETTERS)}{name}")), one, zero


def _lay_matrix(x: Array) -> tuple[Array, int, int]:
    """A matrix as the library can read it (the same one, or a copy), its flag and the distance of its rows (or columns)."""
    item = x.itemsize
    rows, columns = x.shape
    by_row, by_column = x.strides
    if by_column == item and by_row % item == 0 and by_row >= columns * item and x.flags.aligned:
        return x, _PLAIN, by_row // item
    if by_row == item and by_column % item == 0 and by_column >= rows * item and x.flags.aligned:
        return x, _TRANSPOSED, by_column // item
    return np.ascontiguousarray(x), _PLAIN, columns


@lru_cache(maxsize=4096)
def blocks(m: int, n: int, cost: int) -> tuple[int, int]:
    """How many rows and columns a block of an m x n product has, of `cost` in units of float32's multiplications."""
    rows, columns, least = m, n, 128
    while cost >= SHARED and max(rows, columns) >= 2 * least:
        if rows > columns:
            rows = _split_size(rows)
        else:
            columns = _split_size(columns)
        cost, least = cost // 4, 512  # a quarter: beyond the first cut a block must be worth more
    return rows, columns


def _split_size(n: int) -> int:
    return -(-n // 64) * 32


def _multiply_large(a: Array, b: Array, out: Array, shared: bool = True, add: bool = False) -> None:
    """out = a b, or out += a b, for matrices; the numbers of a row of `out` lie side by side."""
    (m, k), n, char = a.shape, b.shape[1], a.dtype.char
    gemm, one, zero = _function(char, "gemm")
    before = one if add else zero
    a, flag_a, step_a = _lay_matrix(a)
    b, flag_b, step_b = _lay_matrix(b)
    at_a, at_b, at_c, step_c = blas.address(a), blas.address(b), blas.address(out), out.strides[0] // out.itemsize
    rows, columns = blocks(m, n, m * n * k * COST[char]) if shared else (m, n)
    if rows == m and columns == n:
        gemm(_ROW_MAJOR, flag_a, flag_b, m, n, k, one, at_a, step_a, at_b, step_b, before, at_c, step_c)
        return
    across = -(-n // columns)
    per_row, per_column = a.strides[0] * rows, b.strides[1] * columns

    def block(i: int) -> None:
        r, c = divmod(i, across)
        gemm(
            _ROW_MAJOR, flag_a, flag_b, min(rows, m - r * rows), min(columns, n - c * columns), k, one, at_a + r * per_row, step_a,
            at_b + c * per_column, step_b, before, at_c + r * out.strides[0] * rows + c * out.itemsize * columns, step_c,
        )  # fmt: skip

    parallel.run(block, -(-m // rows) * across)


def _vector(a: Array, x: Array, out: Array) -> None:
    """out = a x for a matrix and a vector; `out` is contiguous, and zeros: the library multiplies what lies there by zero."""
    (m, k), char = a.shape, a.dtype.char
    gemv, one, zero = _function(char, "gemv")
    a, flag, step = _lay_matrix(a)
    x = np.ascontiguousarray(x)
    cost = k * COST[char]
    rows = m if m * cost < READ else max(READ // (2 * cost * 64) * 64, 64)
    at_a, at_x, at_y = blas.address(a), blas.address(x), blas.address(out)

    def block(i: int) -> None:
        start, count = i * rows, min(rows, m - i * rows)
        size = (count, k) if flag == _PLAIN else (k, count)
        gemv(
            _ROW_MAJOR, _PLAIN if flag == _PLAIN else _TRANSPOSED, *size, one, at_a + start * a.strides[0], step, at_x, 1, zero,
            at_y + start * out.itemsize, 1,
        )  # fmt: skip

    parallel.run(block, -(-m // rows))


def _is_own(a: Array, b: Array) -> bool:
    """Whether a product of these dtypes is one for the library."""
    return a.dtype.char in COST and a.dtype is b.dtype and a.dtype.isnative and blas.library() is not None


def _is_exact(a: Array, b: Array) -> bool:
    """Whether a product of integers can be computed in float64 without rounding."""
    sizes = [max(abs(int(x.min())), abs(int(x.max()))) for x in (a, b)]
    return bool(sizes[0] * sizes[1] * a.shape[1] < 1 << 53)


def matmul(a: Array, b: Array) -> Array:
    """The product of two matrices of one dtype; a ValueError where their sizes do not fit.

    >>> matmul(np.ones((2, 3)), np.ones((3, 1))).tolist()
    [[3.0], [3.0]]
    """
    (m, k), n = a.shape, b.shape[1]
    narrow = m == 1 or n == 1
    if m * k * n > LEAST and a.dtype.kind in "iu" and k == b.shape[0] and a.dtype is b.dtype and _is_exact(a, b):
        return matmul(a.astype(np.float64), b.astype(np.float64)).astype(np.int64).astype(a.dtype)
    if m * k * n <= (LEAST_VECTOR if narrow else LEAST) or k != b.shape[0] or not _is_own(a, b):
        return np.asarray(np.matmul(a, b))
    if not narrow:
        require_room((m, n), a.dtype)
        out = np.empty((m, n), a.dtype)
        _multiply_large(a, b, out)
        return out
    out = np.zeros((m, n), a.dtype)
    if n == 1:
        _vector(a, b[:, 0], out)
    else:
        _vector(b.T, a[0], out)
    return out


def multiply_into(out: Array, a: Array, b: Array, add: bool = False) -> None:
    """Puts the product of two matrices into `out`, or adds it there, on the calling thread alone: for a block of something larger.

    The numbers of a row of `out` lie side by side.
    """
    if a.shape[0] * a.shape[1] * b.shape[1] > LEAST // 16 and _is_own(a, b):
        _multiply_large(a, b, out, shared=False, add=add)
    elif add:
        out += np.matmul(a, b)
    else:
        np.matmul(a, b, out=out)


def multiply_stacks(a: Array, b: Array) -> Array:
    """The products of the matrices in the last two axes of `a` and `b`, whose leading axes broadcast, as `np.matmul` gives them."""
    (m, k), n = a.shape[-2:], b.shape[-1]
    if a.ndim == b.ndim == 2:
        return matmul(a, b)
    if k != b.shape[-2] or not _is_own(a, b):
        return np.asarray(np.matmul(a, b))
    if b.ndim == 2 or b.size == k * n:
        tall = _stack_matrices(a)
        if tall is not None:
            batch = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
            return matmul(tall, b.reshape(k, n)).reshape(*batch, m, n)
    batch = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    out = np.empty((*batch, m, n), a.dtype)
    count, work = math.prod(batch), m * k * n
    if count * work <= LEAST:
        np.matmul(a, b, out=out)
        return out
    if work * COST[a.dtype.char] >= SHARED:
        for at in np.ndindex(batch):
            _multiply_large(_item(a, at), _item(b, at), out[at])
        return out
    _multiply_each(a, b, out, batch, work)
    return out


def _stack_matrices(a: Array) -> Array | None:
    """The matrices of `a` one below the other, where that needs no copy."""
    if a.size == 0:
        return None
    tall = a.reshape(-1, a.shape[-1])
    return tall if np.may_share_memory(tall, a) else None


def _item(x: Array, at: tuple[int, ...]) -> Array:
    """The matrix of `x` for the index `at` of the product's leading axes."""
    axes = x.ndim - 2
    matrix: Array = x[tuple(0 if n == 1 else i for i, n in zip(at[len(at) - axes :], x.shape, strict=False))]
    return matrix


def _multiply_each(a: Array, b: Array, out: Array, batch: tuple[int, ...], work: int) -> None:
    """Small products: runs of them for each thread, one after another."""
    count = math.prod(batch)
    run = max(SHARED // (2 * work * COST[a.dtype.char]), 1)
    if work <= LEAST or min(out.shape[-2:]) == 1:
        # NumPy's own loop over the leading axes, on slices of the first of them that is worth cutting.
        axis = next(i for i, n in enumerate(batch) if n > 1 or i == len(batch) - 1)
        each = max(run * batch[axis] // count, 1)
        a, b = (np.broadcast_to(x, (*batch, *x.shape[-2:])) for x in (a, b))

        def slices(i: int) -> None:
            at = (slice(None),) * axis + (slice(i * each, (i + 1) * each),)
            np.matmul(a[at], b[at], out=out[at])

        parallel.run(slices, -(-batch[axis] // each))
        return
    a, b = (np.broadcast_to(x if _lies(x) else np.ascontiguousarray(x), (*batch, *x.shape[-2:])) for x in (a, b))
    first = (0,) * len(batch)
    (m, k), n = a.shape[-2:], b.shape[-1]
    gemm, one, zero = _function(a.dtype.char, "gemm")
    (_, flag_a, step_a), (_, flag_b, step_b) = _lay_matrix(a[first]), _lay_matrix(b[first])
    step_c = out.strides[-2] // out.itemsize
    starts = list(zip(*(_places(x) for x in (a, b, out)), strict=True))

    def multiply_run(i: int) -> None:
        for at_a, at_b, at_c in starts[i * run : (i + 1) * run]:
            gemm(_ROW_MAJOR, flag_a, flag_b, m, n, k, one, at_a, step_a, at_b, step_b, zero, at_c, step_c)

    parallel.run(multiply_run, -(-count // run))


def _lies(x: Array) -> bool:
    """Whether the library can read the matrices of `x` where they are."""
    return bool(np.may_share_memory(_lay_matrix(x[(0,) * (x.ndim - 2)])[0], x))


def _places(x: Array) -> list[int]:
    """Where each matrix of `x` begins."""
    at = np.array(blas.address(x))
    for size, step in zip(x.shape[:-2], x.strides[:-2], strict=True):
        at = at[..., None] + np.arange(size) * step
    return at.ravel().tolist()
