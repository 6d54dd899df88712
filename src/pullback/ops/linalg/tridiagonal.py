"""Tridiagonal matrices, given by three rows (above, on and below the diagonal), and banded triangular ones, given by theirs.

Column i of the rows belongs to row i of the matrix: the last element above and the first below stand outside it, and count for nothing.
The rows of a band stand in the order of `linalg_bands`, aligned LEFT_RIGHT: there too column i is row i of the matrix.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from ...base.dtypes import FLOAT_OR_COMPLEX, bfloat16, complex64, complex128, float32, float64
from ...base.shapes import show as show_dims
from ...ir.apply import ShapeError, convert_to_tensor
from ...ir.op import Op, define
from ...ir.tensor import Tensor, TensorType
from ...kernels import lapack
from ...kernels.backend import ENGINE
from ..array.basic import SHAPE, reshape, shape_of, zeros_of
from ..array.join import STACK, concat
from ..array.shape import expand_dims
from ..array.type_rules import invalid_argument, require_equal
from ..batching import stack_rows
from ..families import broadcast_dims
from ..indexing.index import getitem
from ..math.arithmetic import conj
from ..reduce.reductions import reduce_sum
from .bands import MATRIX_DIAG_PART
from .factor import _BLAS, matrix_dims, widen
from .products import batch_matmul

Array = np.ndarray[Any, Any]
WIDE = {float32, float64, complex64, complex128}


def _part(x: Any, *key: Any) -> Any:
    return getitem(x, (..., *key))


_FIRST, _LAST, _ALL = slice(0, 1), slice(-1, None), slice(None)
_AFTER, _BEFORE = slice(1, None), slice(None, -1)


def _shift_up(x: Any, axis: int) -> Tensor:
    """Element i + 1 in the place of i along the last axis but `axis`, a zero in the last."""
    tail = (_ALL,) * axis
    return concat([_part(x, _AFTER, *tail), zeros_of(_part(x, _FIRST, *tail))], -1 - axis)


def _shift_down(x: Any, axis: int) -> Tensor:
    """Element i - 1 in the place of i, a zero in the first."""
    tail = (_ALL,) * axis
    return concat([zeros_of(_part(x, _FIRST, *tail)), _part(x, _BEFORE, *tail)], -1 - axis)


# ---- products


def _product_type(superdiag: Any, maindiag: Any, subdiag: Any, rhs: Any) -> TensorType:
    batch, rows, _ = matrix_dims(rhs, 3)
    for i, t in enumerate((superdiag, maindiag, subdiag)):
        other, one, count = matrix_dims(t, i)
        if batch is not None and other is not None and len(batch) != len(other):
            raise ShapeError("Shapes must be of equal rank", "All input tensors must have the same rank.")
        if one not in (None, 1) or (None not in (count, rows) and count != rows):
            text = f"a diagonal of a matrix for {show_dims(rhs.dims)} must be of shape [..., 1, {rows}], not {show_dims(t.dims)}"
            raise ShapeError(text, text)
        same = batch is None or other is None or all(m is None or n is None or m == n for m, n in zip(batch, other, strict=True))
        if not same:
            raise ShapeError("Dimensions must be equal", "All input tensors must have the same outer dimensions.")
    return TensorType(rhs.dims, rhs.dtype)


def _product(superdiag: Array, maindiag: Array, subdiag: Array, rhs: Array) -> Array:
    if rhs.ndim < 2 or any(d.shape != (*rhs.shape[:-2], 1, rhs.shape[-2]) for d in (superdiag, maindiag, subdiag)):
        raise ValueError("the shapes do not fit")  # the type rule finds the words
    out = maindiag.swapaxes(-1, -2) * rhs
    out[..., :-1, :] += superdiag[..., 0, :-1, None] * rhs[..., 1:, :]
    out[..., 1:, :] += subdiag[..., 0, 1:, None] * rhs[..., :-1, :]
    return out


def _row_sums(g: Any, x: Any) -> Tensor:
    """The cotangent of a diagonal: g conj(x), summed over the columns."""
    return expand_dims(reduce_sum(g * conj(x), [-1]), -2)


def _product_back(g: Any, superdiag: Any, maindiag: Any, subdiag: Any, rhs: Any) -> tuple[Any, ...]:
    above, below = _shift_down(conj(superdiag), 0), _shift_up(conj(subdiag), 0)
    return _row_sums(g, _shift_up(rhs, 1)), _row_sums(g, rhs), _row_sums(g, _shift_down(rhs, 1)), PRODUCT(below, conj(maindiag), above, g)


PRODUCT: Op = define(
    "TridiagonalMatMul", "superdiag maindiag subdiag rhs", _product_type, _product,
    {("superdiag", "maindiag", "subdiag", "rhs"): _product_back}, dtypes=WIDE, holomorphic=False, batch=stack_rows(),
)  # fmt: skip


# ---- tridiagonal systems


def _solve_type(diagonals: Any, rhs: Any, *, partial_pivoting: bool = True, perturb_singular: bool = False) -> TensorType:
    batch, three, count = matrix_dims(diagonals)
    other, rows, columns = matrix_dims(rhs, 1)
    if three not in (None, 3):
        text = f"Expected diagonals to have 3 rows, got {three}: {show_dims(diagonals.dims)}"
        raise ShapeError(f"Dimension must be 3 but is {three}", text)
    require_equal(count, rows, f"Expected the same number of left-hand sides and right-hand sides, got {count} and {rows}.")
    if batch is None or other is None:
        return TensorType(None, rhs.dtype)
    if len(batch) != len(other) or any(None not in (m, n) and m != n for m, n in zip(batch, other, strict=True)):
        text = f"All input tensors must have the same outer dimensions: {show_dims(diagonals.dims)} vs. {show_dims(rhs.dims)}"
        raise ShapeError(text, text)
    together = (n if m is None else m for m, n in zip(batch, other, strict=True))
    return TensorType((*together, count if rows is None else rows, columns), rhs.dtype)


@cache
def _lapack(kind: str, name: str) -> Callable[..., Any]:
    import scipy.linalg.lapack

    return getattr(scipy.linalg.lapack, f"{kind}{name}")


def _solve(diagonals: Array, rhs: Array, *, partial_pivoting: bool = True, perturb_singular: bool = False) -> Array:
    """By elimination with pivots, native or LAPACK's gtsv; NaN where the matrix is singular, as TensorFlow gives."""
    if diagonals.ndim < 2 or diagonals.shape[-2] != 3 or rhs.ndim < 2 or diagonals.shape[:-2] != rhs.shape[:-2]:
        raise ValueError("the sides do not fit")  # the type rule finds the words
    if diagonals.shape[-1] != rhs.shape[-2]:
        raise ValueError("the sides do not fit")
    systems, size = int(np.prod(rhs.shape[:-2], dtype=np.int64)), rhs.shape[-2]
    if systems >= max(_TOGETHER, size) and size and not perturb_singular:
        found = _solve_together(diagonals.reshape(systems, 3, size), rhs.reshape(systems, size, rhs.shape[-1]))
        return found.reshape(rhs.shape)
    out = np.full(rhs.shape, np.nan, rhs.dtype)
    gtsv = _lapack(_BLAS[rhs.dtype], "gtsv")
    for at in np.ndindex(rhs.shape[:-2]) if rhs.size else ():
        above, middle, below = diagonals[at]
        if perturb_singular:
            out[at] = _perturb_pivots(above[:-1], middle, below[1:], rhs[at])
        elif len(middle) == 1:
            out[at] = rhs[at] / middle if middle[0] else np.nan
        elif (quick := ENGINE.solve_tridiagonal(diagonals[at], rhs[at])) is not None:
            out[at] = quick[0] if quick[1] else np.nan
        else:
            *_, found, report = gtsv(below[1:], middle, above[:-1], rhs[at])
            out[at] = np.nan if report else found
    return out


_TOGETHER = 32  # systems from which row by row through all of them is quicker than one after the other


def _solve_together(diagonals: Array, rhs: Array) -> Array:
    """Elimination with pivots, as gtsv's, each row of all systems at once; what a swap brings above the second diagonal is `second`."""
    above, middle, below = (diagonals[:, i].T.copy() for i in range(3))
    side, size = np.moveaxis(rhs, 1, 0).copy(), rhs.shape[1]
    second = np.zeros_like(above)
    for i in range(size - 1):
        under = below[i + 1]
        swap = np.abs(middle[i]) < np.abs(under)
        pivot = np.where(swap, under, middle[i])
        factor = np.where(swap, middle[i], under) / pivot
        upper, lower = np.where(swap, middle[i + 1], above[i]), np.where(swap, above[i], middle[i + 1])
        middle[i], middle[i + 1], above[i] = pivot, lower - factor * upper, upper
        if i < size - 2:
            second[i] = np.where(swap, above[i + 1], 0)
            above[i + 1] = np.where(swap, -factor * above[i + 1], above[i + 1])
        rows = swap[:, None]
        top, bottom = np.where(rows, side[i + 1], side[i]), np.where(rows, side[i], side[i + 1])
        side[i], side[i + 1] = top, bottom - factor[:, None] * top
    side[-1] /= middle[-1][:, None]
    for i in range(size - 2, -1, -1):
        known = above[i][:, None] * side[i + 1]
        if i < size - 2:
            known = known + second[i][:, None] * side[i + 2]
        side[i] = (side[i] - known) / middle[i][:, None]
    side[:, (middle == 0).any(0)] = np.nan
    return np.moveaxis(side, 0, 1)


def _perturb_pivots(above: Array, middle: Array, below: Array, rhs: Array) -> Array:
    """With pivots that are nearly zero put at a few roundings of the largest element of U."""
    if len(middle) == 1:
        factors: Any = ((), middle.copy(), (), (), np.zeros(1, np.int32))
        largest = np.abs(middle).max()
    else:
        *factors, _ = _lapack(_BLAS[rhs.dtype], "gttrf")(below, middle, above)
        largest = max(np.abs(u).max(initial=0) for u in factors[1:4])
    least = np.finfo(rhs.dtype).eps * (largest if largest else 1)
    pivots = factors[1]
    pivots[np.abs(pivots) < least] = least
    if len(middle) == 1:
        return np.asarray(rhs / pivots)
    found, _ = _lapack(_BLAS[rhs.dtype], "gttrs")(*factors, rhs)
    return np.asarray(found)


def _transpose_diagonals(diagonals: Any) -> Any:
    """The rows of the conjugate transpose."""
    x = conj(diagonals)
    return concat([_shift_up(_part(x, slice(2, 3), _ALL), 0), _part(x, slice(1, 2), _ALL), _shift_down(_part(x, _FIRST, _ALL), 0)], -2)


def _solve_back(g: Any, diagonals: Any, out: Any, partial_pivoting: bool, perturb_singular: bool) -> tuple[Any, Any]:
    g_rhs = SOLVE(_transpose_diagonals(diagonals), g, partial_pivoting=partial_pivoting, perturb_singular=perturb_singular)
    rows = [_row_sums(g_rhs, x) for x in (_shift_up(out, 1), out, _shift_down(out, 1))]
    return -concat(rows, -2), g_rhs


SOLVE: Op = define(
    "TridiagonalSolve", "diagonals rhs", _solve_type, _solve, {("diagonals", "rhs"): _solve_back}, dtypes=WIDE, holomorphic=False,
    batch=stack_rows(),
)  # fmt: skip


# ---- banded triangular systems


def _banded_type(matrix: Any, rhs: Any, *, lower: bool = True, adjoint: bool = False) -> TensorType:
    batch, _, size = matrix_dims(matrix)
    other, rows, columns = matrix_dims(rhs, 1)
    require_equal(size, rows, f"In[0] mismatch In[1] shape: {size} vs. {rows}: {show_dims(matrix.dims)} {show_dims(rhs.dims)}")
    if matrix.dims is None or rhs.dims is None:
        return TensorType(None, matrix.dtype)
    together = broadcast_dims(batch, other)
    return TensorType(None if together is None else (*together, size if size is not None else rows, columns), matrix.dtype)


def _order_by_columns(bands: Array, lower: bool) -> Array:
    """Bands whose columns are the matrix's rows, as LAPACK's, whose columns are the matrix's columns."""
    count, size = bands.shape
    out = np.zeros_like(bands)
    for i in range(min(count, size)):
        if lower:
            out[i, : size - i] = bands[i, i:]
        else:
            out[count - 1 - i, i:] = bands[count - 1 - i, : size - i]
    return out


_BLOCK, _MANY = 64, 32  # rows of a block, and right sides from which blocks are quicker than tbtrs, which takes one after the other


def _solve_by_blocks(bands: Array, rhs: Array, lower: bool, adjoint: bool) -> Array | None:
    """Blocks of rows as whole triangular matrices, each for all right sides at once; None where there is no library.

    None, too, where a solution is not finite: the zeros of a block would spread it further than the bands do.
    """
    turned = lower == adjoint  # the order of rows that makes the matrix a lower one
    if not lower:
        bands = bands[::-1, ::-1]
    if adjoint:
        bands = np.conj(_order_by_columns(bands, True))[:, ::-1]
    (count, size), columns = bands.shape, rhs.shape[1]
    blocks = -(-size // _BLOCK)
    padded = np.zeros((count, blocks * _BLOCK), rhs.dtype)
    padded[:, :size], padded[0, size:] = bands, 1
    by_row = padded.reshape(count, blocks, _BLOCK)
    before = count - 1
    whole = np.zeros((blocks, _BLOCK, before + _BLOCK), rhs.dtype)  # columns of the block before, and of its own
    for j in range(count):
        np.einsum("bii->bi", whole[:, :, before - j : before - j + _BLOCK])[...] = by_row[j]
    diagonal, beside = np.ascontiguousarray(whole[:, :, before:]), whole[1:, :before, :before]
    out = np.zeros((blocks * _BLOCK, columns), rhs.dtype)
    out[:size] = rhs[::-1] if turned else rhs
    with np.errstate(all="ignore"):
        for i, block in enumerate(diagonal):
            own = out[i * _BLOCK : (i + 1) * _BLOCK]
            if i and before:
                own[:before] -= beside[i - 1] @ out[i * _BLOCK - before : i * _BLOCK]
            found = lapack.solve_triangular(block, own, True, False)
            if found is None:
                return None
            own[...] = found
    out = out[:size]
    if not np.isfinite(out).all():
        return None
    return out[::-1] if turned else out


def _row_by_row(bands: Array, rhs: Array, lower: bool, adjoint: bool) -> Array | None:
    """The solution by native code; None where there is none."""
    if not lower:
        bands = bands[::-1]
    if adjoint:
        bands = _shift_bands(bands, lower)
    upwards = lower == adjoint
    return ENGINE.solve_banded(bands[:, ::-1] if upwards else bands, rhs, upwards)


def _shift_bands(bands: Array, lower: bool) -> Array:
    """Bands, the diagonal first, of the transpose."""
    out = np.zeros_like(bands)
    out[0], size = bands[0], bands.shape[1]
    for i in range(1, min(bands.shape)):
        if lower:
            out[i, : size - i] = bands[i, i:]
        else:
            out[i, i:] = bands[i, : size - i]
    return out


def _solve_banded(matrix: Array, rhs: Array, *, lower: bool = True, adjoint: bool = False) -> Array:
    if matrix.ndim < 2 or rhs.ndim < 2 or matrix.shape[-1] != rhs.shape[-2]:
        raise ValueError("the sides do not fit")  # the type rule finds the words
    batch = np.broadcast_shapes(matrix.shape[:-2], rhs.shape[:-2])
    out = np.empty((*batch, *rhs.shape[-2:]), rhs.dtype)
    if not out.size:
        return out
    if not matrix.shape[-2] or not matrix[..., 0 if lower else -1, :].all():
        raise invalid_argument("Input matrix is not invertible.")
    bands, sides = np.broadcast_to(matrix, (*batch, *matrix.shape[-2:])), np.broadcast_to(rhs, out.shape)
    tbtrs = _lapack(_BLAS[rhs.dtype], "tbtrs")
    for at in np.ndindex(batch):
        quick = _row_by_row(bands[at], sides[at], lower, adjoint)
        if quick is not None:
            out[at] = quick
            continue
        if rhs.shape[-1] >= _MANY and rhs.shape[-2] >= _BLOCK and matrix.shape[-2] <= _BLOCK:
            found = _solve_by_blocks(bands[at], sides[at], lower, adjoint)
            if found is not None:
                out[at] = found
                continue
        out[at], _ = tbtrs(_order_by_columns(bands[at], lower), sides[at], uplo="L" if lower else "U", trans="C" if adjoint else "N")
    return out


def _banded_back(g: Any, matrix: Any, out: Any, lower: bool, adjoint: bool) -> tuple[Any, Any]:
    g_rhs = BANDED_SOLVE(matrix, g, lower=lower, adjoint=not adjoint)
    whole = batch_matmul(out, g_rhs, adj_y=True) if adjoint else batch_matmul(g_rhs, out, adj_y=True)
    further = SHAPE.call(matrix)[-2] - 1 if matrix.dims is None or matrix.dims[-2] is None else np.int32(matrix.dims[-2] - 1)
    ends = [-further, np.int32(0)] if lower else [np.int32(0), further]
    k = STACK.call(ends, axis=0) if any(hasattr(n, "uid") for n in ends) else np.array(ends, np.int32)
    bands = MATRIX_DIAG_PART(whole, k, np.zeros((), g.dtype.numpy_dtype), align="LEFT_RIGHT")
    shape = concat([convert_to_tensor(shape_of(whole))[:-2], convert_to_tensor(shape_of(matrix))[-2:]], 0)
    return -reshape(bands, shape), g_rhs


BANDED_SOLVE: Op = define(
    "BandedTriangularSolve", "matrix rhs", _banded_type, widen(_solve_banded), {("matrix", "rhs"): _banded_back},
    dtypes=FLOAT_OR_COMPLEX - {bfloat16}, broadcasts=True, holomorphic=False, gradient_names="diag_part BandedTriangularSolve",
)  # fmt: skip
