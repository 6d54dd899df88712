"""Functions of tridiagonal and banded matrices, in the forms they may be given in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, overload

import numpy as np

from ...base.export import export
from ...base.shapes import show as show_dims
from ...ir.apply import convert_to_tensor, tensor_with
from ...ir.context import scope
from ...ir.tensor import NumberLike, Tensor
from ..array.gather import gather
from ..array.join import stack
from ..array.shape import expand_dims, squeeze
from ..array.slice import PAD
from ..array.transpose import matrix_transpose
from ..array.where import where
from ..indexing.index import getitem
from ..math.arithmetic import conj
from ..math.complex import REAL_PART
from ..primitives.cast import CAST
from ..primitives.compare import greater, less_equal, logical_and
from .diag import diag_part, set_diag, tensor_diag
from .spectral import eigh, eigvalsh
from .tridiagonal import BANDED_SOLVE, PRODUCT, SOLVE


def _fill_end(diagonal: Any, size: int | None, first: bool, what: str) -> Any:
    """A diagonal beside the main one as long as that, a zero at its first or last place."""
    count = diagonal.dims[-1] if diagonal.dims else None
    if size is None or count is None or count == size:
        return diagonal
    if count != size - 1:
        raise ValueError(f"Expected {what} to have length {size} or {size - 1}, got {count}.")
    pads = np.zeros((len(diagonal.dims), 2), np.int32)
    pads[-1, 0 if first else 1] = 1
    return PAD.call(diagonal, pads)


def _three_rows(diagonals: Any, diagonals_format: str) -> Tensor:
    """The rows of a tridiagonal matrix, [..., 3, n]."""
    if diagonals_format == "compact":
        return tensor_with(diagonals, "shape")
    if diagonals_format == "sequence":
        if not isinstance(diagonals, Sequence) or len(diagonals) != 3:
            raise ValueError("Expected diagonals to be a sequence of length 3.")
        above, middle, below = map(convert_to_tensor, diagonals)
        outer = [t.dims[:-1] for t in (above, middle, below) if t.dims is not None]
        if any(dims != outer[0] for dims in outer):
            shapes = ", ".join(show_dims(t.dims) for t in (above, middle, below))
            raise ValueError(f"The three diagonals must have the same shape, except for the last dimension, got {shapes}")
        size = middle.dims[-1] if middle.dims else None
        return stack([_fill_end(above, size, False, "superdiagonal"), middle, _fill_end(below, size, True, "subdiagonal")], axis=-2)
    if diagonals_format == "matrix":
        x = convert_to_tensor(diagonals)
        if x.dims is not None and None not in x.dims[-2:] and x.dims[-1] != x.dims[-2]:
            raise ValueError(f"Expected last two dimensions of diagonals to be same, got {x.dims[-1]} and {x.dims[-2]}")
        return diag_part(x, k=(-1, 1), align="LEFT_RIGHT")
    raise ValueError(f"Unrecognized diagonals_format: {diagonals_format}")


def _check_rows(rows: Any, rhs: Any) -> None:
    """Refuse rows that are known to be no tridiagonal matrix for `rhs`."""
    dims = rows.dims
    if dims is None:
        return
    if len(dims) < 2:
        raise ValueError(f"Expected diagonals to have rank at least 2, got {len(dims)}")
    if dims[-2] not in (3, None):
        raise ValueError(f"Expected 3 diagonals got {dims[-2]}")
    if rhs.dims is not None and None not in (*rhs.dims, *dims):
        rank = len(rhs.dims)
        if rank not in (len(dims), len(dims) - 1):
            raise ValueError(f"Expected the rank of rhs to be {len(dims) - 1} or {len(dims)}, got {rank}")
        batch = rhs.dims[:-1] if rank == len(dims) - 1 else rhs.dims[:-2]
        if batch != dims[:-2]:
            raise ValueError(f"Batch shapes {show_dims(dims[:-2])} and {show_dims(batch)} are incompatible")


@export("linalg.tridiagonal_solve")
def tridiagonal_solve(
    diagonals: NumberLike,
    rhs: NumberLike,
    diagonals_format: str = "compact",
    transpose_rhs: bool = False,
    conjugate_rhs: bool = False,
    name: str | None = None,
    partial_pivoting: bool = True,
    perturb_singular: bool = False,
) -> Tensor:
    """x with T x = rhs for tridiagonal T.

    diagonals: by `diagonals_format` "compact", [..., 3, n], the rows above, on and below the diagonal (column i is row i of T); "sequence",
    those rows as three tensors, the outer ones of n or n - 1 elements; "matrix", [..., n, n], of which the rest is not read.
    rhs: [..., n, k] or [..., n]; `transpose_rhs` [..., k, n]; `conjugate_rhs` takes its conjugate.  NaN where T is singular, unless
    `perturb_singular`.  Elimination always pivots.  Raises ValueError for shapes known not to fit, and for an unknown format.

    >>> tf.linalg.tridiagonal_solve([[1.0, 0.0], [2.0, 2.0], [0.0, 0.0]], [4.0, 4.0]).numpy().tolist()
    [1.0, 2.0]
    """
    if perturb_singular and not partial_pivoting:
        raise ValueError("partial_pivoting must be True if perturb_singular is.")
    rows = _three_rows(diagonals, diagonals_format)
    wanted = rows.dtype if isinstance(rhs, np.ndarray) else None
    side = tensor_with(rhs, "shape") if isinstance(rhs, (str, list, tuple)) else convert_to_tensor(rhs, wanted)
    if transpose_rhs and side.dims is not None and rows.dims is not None and len(side.dims) == len(rows.dims):
        side = matrix_transpose(side)
    _check_rows(rows, side)
    if conjugate_rhs:
        side = conj(side)
    vector = side.dims is not None and rows.dims is not None and len(side.dims) == len(rows.dims) - 1
    if vector:
        side = expand_dims(side, -1)
    size, count = (rows.dims[-1] if rows.dims else None), (side.dims[-2] if side.dims else None)
    if None not in (size, count) and size != count:
        raise ValueError(f"Expected number of left-hand sided and right-hand sides to be equal, got {size} and {count}")
    found = SOLVE(rows, side, partial_pivoting=partial_pivoting, perturb_singular=perturb_singular, name=name)
    return squeeze(found, axis=(-1,)) if vector else found


@export("linalg.tridiagonal_matmul")
def tridiagonal_matmul(diagonals: NumberLike, rhs: NumberLike, diagonals_format: str = "compact", name: str | None = None) -> Tensor:
    """T rhs for tridiagonal T.

    diagonals, diagonals_format: as for `tridiagonal_solve`.  rhs: [..., n, k].  Raises ValueError for an unknown format,
    InvalidArgumentError (in graphs ValueError) for shapes that do not fit.

    >>> tf.linalg.tridiagonal_matmul([[1.0, 0.0], [2.0, 2.0], [0.0, 0.0]], [[1.0], [2.0]]).numpy().tolist()
    [[4.0], [4.0]]
    """
    rows = _three_rows(diagonals, diagonals_format)
    parts = [getitem(rows, (..., slice(i, i + 1), slice(None))) for i in range(3)]
    return PRODUCT(*parts, rhs, name=name)


@export(v2="linalg.banded_triangular_solve")
def banded_triangular_solve(
    bands: NumberLike, rhs: NumberLike, lower: bool = True, adjoint: bool = False, name: str | None = None
) -> Tensor:
    """x with T x = rhs (or T^H x = rhs) for a triangular T with few diagonals.

    bands: [..., k, n], the highest diagonal first, column i of each being row i of T.  rhs: [..., n, m]; batches broadcast.
    Raises InvalidArgumentError for a zero on the diagonal, and (in graphs ValueError) for shapes that do not fit.

    >>> tf.linalg.banded_triangular_solve([[2.0, 4.0], [0.0, 1.0]], [[2.0], [9.0]]).numpy().tolist()
    [[1.0], [2.0]]
    """
    with scope(name, "banded_triangular_solve"):
        return BANDED_SOLVE(bands, rhs, lower=lower, adjoint=adjoint)


@overload
def eigh_tridiagonal(
    alpha: NumberLike,
    beta: NumberLike,
    eigvals_only: Literal[True] = True,
    select: Literal["a", "i", "v"] = "a",
    select_range: NumberLike | None = None,
    tol: NumberLike | None = None,
    name: str | None = None,
) -> Tensor: ...
@overload
def eigh_tridiagonal(
    alpha: NumberLike,
    beta: NumberLike,
    eigvals_only: Literal[False],
    select: Literal["a", "i", "v"] = "a",
    select_range: NumberLike | None = None,
    tol: NumberLike | None = None,
    name: str | None = None,
) -> tuple[Tensor, Tensor]: ...
@export("linalg.eigh_tridiagonal")
def eigh_tridiagonal(
    alpha: NumberLike,
    beta: NumberLike,
    eigvals_only: bool = True,
    select: str = "a",
    select_range: NumberLike | None = None,
    tol: NumberLike | None = None,
    name: str | None = None,
) -> Tensor | tuple[Tensor, Tensor]:
    """Eigenvalues, ascending, of a Hermitian matrix with `alpha` on its diagonal and `beta` above; unless `eigvals_only`, vectors too.

    alpha: [n], its real part counts.  beta: [n - 1], of the same dtype.  select: "a" for all, "i" for those numbered select_range[0] to
    select_range[1], "v" for those in (select_range[0], select_range[1]].  tol: not read, values are as exact as the dtype.  The matrix is
    made whole, so memory grows with n squared.  Raises ValueError for other selections.

    >>> tf.linalg.eigh_tridiagonal([2.0, 2.0], [1.0]).numpy().round(4).tolist()
    [1.0, 3.0]
    """
    if select not in ("a", "i", "v"):
        raise ValueError("'select must have a value in {'a', 'i', 'v'}.")
    with scope(name, "eigh_tridiagonal"):
        middle, above = convert_to_tensor(alpha), convert_to_tensor(beta)
        if middle.dtype is not above.dtype:
            raise ValueError("'alpha' and 'beta' must have the same type.")
        if middle.dtype.is_complex:
            middle = CAST.call(REAL_PART.call(middle), DstT=middle.dtype)
        whole = tensor_diag(middle)
        if middle.dims is None or middle.dims[0] != 1:
            whole = set_diag(whole, conj(above), k=-1)  # eigh reads the lower triangle
        if eigvals_only:
            values, vectors = eigvalsh(whole), None
        else:
            values, vectors = eigh(whole)
        values = REAL_PART.call(values) if values.dtype.is_complex else values
        return _select_values(values, vectors, select, select_range)


def _select_values(values: Any, vectors: Any, select: str, span: Any) -> Any:
    if select == "i":
        if span[0] > span[1]:
            raise ValueError("Got empty index range in select_range.")
        at = slice(span[0], span[1] + 1)
        values = getitem(values, at)
        vectors = None if vectors is None else getitem(vectors, (slice(None), at))
    elif select == "v":
        if span[0] >= span[1]:
            raise ValueError("Got empty interval in select_range.")
        low, high = (convert_to_tensor(s, values.dtype) for s in span)
        inside = logical_and(greater(values, low), less_equal(values, high))
        places = squeeze(where(inside), axis=(-1,))
        values = gather(values, places)
        vectors = None if vectors is None else gather(vectors, places, axis=1)
    return values if vectors is None else (values, vectors)
