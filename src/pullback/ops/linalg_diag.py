"""Diagonals and bands of matrices, traces and cross products.

The V3 ops speak of a band of diagonals: `k` is one diagonal or [lowest, highest], 0 the main one, positive above it.  A band is
stored with its highest diagonal in the first row; shorter diagonals are padded on the side that `align` names for
diagonals above and below the main one.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base.dtypes import ANY, FLOAT_OR_COMPLEX, INDEX, REAL, int32, int64
from ..base.errors import FailedPreconditionError
from ..ir.apply import ShapeError
from ..ir.context import executing_eagerly
from ..ir.graph import show_dims
from ..ir.op import define
from ..ir.tensor import METHODS, Dims, TensorType
from .array_basic import shape_of, zeros_of
from .array_types import invalid, known, known_int
from .families import linear
from .reduce import reduce_sum
from .scopes import scope

Array = np.ndarray[Any, Any]
ALIGNMENTS = ("LEFT_RIGHT", "RIGHT_LEFT", "LEFT_LEFT", "RIGHT_RIGHT")


# ---- tensors whose first half of axes equals the second


def _diag_type(diagonal: Any) -> TensorType:
    if diagonal.dims is not None and not diagonal.dims:
        raise ShapeError("Shape must be at least rank 1 but is rank 0", "Input must be at least rank 1, got 0")
    return TensorType(None if diagonal.dims is None else diagonal.dims * 2, diagonal.dtype)


def _diag(diagonal: Array) -> Array:
    if not diagonal.ndim:
        raise ValueError("a scalar")  # the type rule finds the words
    out = np.zeros((diagonal.size, diagonal.size), diagonal.dtype)
    np.fill_diagonal(out, diagonal)
    return out.reshape(diagonal.shape * 2)


def _diag_part_type(input: Any) -> TensorType:
    dims = input.dims
    if dims is None:
        return TensorType(None, input.dtype)
    if not dims or len(dims) % 2:
        raise ShapeError(
            f"Input must have even and non-zero rank, but is rank {len(dims)}",
            f"The rank of the tensor should be even and positive, got shape {show_dims(dims)}",
        )
    half = len(dims) // 2
    for i, (m, n) in enumerate(zip(dims[:half], dims[half:], strict=True)):
        if m is not None and n is not None and m != n:
            text = f"Invalid shape {show_dims(dims)}: dimensions {i} and {half + i} do not match."
            raise ShapeError(f"Dimensions must be equal, but are {m} and {n}", text)
    return TensorType(tuple(n if m is None else m for m, n in zip(dims[:half], dims[half:], strict=True)), input.dtype)


def _diag_part(input: Array) -> Array:
    half = input.ndim // 2
    shape = input.shape[:half]
    if not half or input.shape != shape * 2:
        raise ValueError("no square")  # the type rule finds the words
    size = int(np.prod(shape, dtype=np.int64))
    return input.reshape(size, size).diagonal().reshape(shape)


DIAG_TYPES = FLOAT_OR_COMPLEX | INDEX
DIAG = linear("Diag", "diagonal", _diag_type, _diag, lambda g: DIAG_PART(g), dtypes=DIAG_TYPES)
DIAG_PART = linear("DiagPart", "input", _diag_part_type, _diag_part, lambda g: DIAG(g), dtypes=DIAG_TYPES)


# ---- bands: what type rules and kernels share


def _limits(k: Array) -> tuple[int, int]:
    """The lowest and the highest diagonal."""
    ends = k.ravel().tolist()
    if len(ends) not in (1, 2):
        raise invalid(f"diag_index must have one or two elements, received {len(ends)} elements.")
    low, high = ends[0], ends[-1]
    if low > high:
        text = f"lower_diag_index must not be larger than upper_diag_index: {low} > {high}"
        raise ShapeError(text, text)
    return low, high


def _check_band(low: int, high: int, rows: int, columns: int) -> None:
    for which, at in (("lower", low), ("upper", high)):
        if not (-rows < at < columns or at == 0):
            text = f"{which}_diag_index is out of bound: {at}. It must be between {-rows} and {columns}"
            raise ShapeError(text, text)


def _length(rows: int, columns: int, d: int) -> int:
    """The length of diagonal d."""
    return max(min(rows + min(d, 0), columns - max(d, 0)), 0)


def _longest(rows: int, columns: int, low: int, high: int) -> int:
    return min(rows + min(high, 0), columns - max(low, 0))


def _start(d: int, length: int, width: int, align: str) -> int:
    """Where diagonal d begins in its row of the band."""
    above, below = align.split("_")
    left = above == "LEFT" if d >= 0 else below == "LEFT"
    return 0 if left else width - length


def _places(rows: int, columns: int, low: int, high: int, align: str) -> tuple[Array, Array, Array, Array]:
    """For every element of the band: its row and column in the stored band, and its row and column in the matrix."""
    width = _longest(rows, columns, low, high)
    parts = []
    for at, d in enumerate(range(high, low - 1, -1)):
        length = _length(rows, columns, d)
        along = np.arange(length)
        start = _start(d, length, width, align)
        parts.append((np.full(length, at), along + start, along + max(-d, 0), along + max(d, 0)))
    at, along, row, column = (np.concatenate(p) for p in zip(*parts, strict=True))
    return at, along, row, column


def _stored(dims: Dims, low: int, high: int, width: int | None) -> tuple[int | None, ...]:
    """The shape of a stored band of matrices in a batch."""
    return (*(dims or ()), width) if low == high else (*(dims or ()), high - low + 1, width)


def _as_band(diagonal: Array, low: int, high: int) -> Array:
    """A single diagonal as a band of one."""
    return diagonal[..., None, :] if low == high and (diagonal.ndim < 2 or diagonal.shape[-2] != 1) else diagonal


# ---- a matrix from its diagonals


def _matrix_size(low: int, high: int, width: int, rows: int, columns: int) -> tuple[int, int]:
    """The size of the matrix; -1 for what was not given.  A ShapeError where the diagonals do not fit."""
    least_rows, least_columns = width - min(high, 0), width + max(low, 0)
    if rows == -1 and columns == -1:
        rows = columns = max(least_rows, least_columns)
    elif rows == -1:
        rows = least_rows
    elif columns == -1:
        columns = least_columns
    for given, least, what in ((rows, least_rows, "rows"), (columns, least_columns, "columns")):
        if given < least:
            raise ShapeError(f"The number of {what} is too small.", f"The number of {what} is too small.")
    if rows != least_rows and columns != least_columns:
        text = "The number of rows or columns is not consistent with the specified d_lower, d_upper, and diagonal."
        raise ShapeError(text, text)
    return rows, columns


def _matrix_diag_type(diagonal: Any, k: Any, num_rows: Any, num_cols: Any, padding_value: Any, *, align: str = "RIGHT_LEFT") -> TensorType:
    dims, ends = diagonal.dims, known(k)
    if dims is not None and not dims:
        raise ShapeError("Shape must be at least rank 1 but is rank 0", "diagonal must be at least 1-dim, received shape: []")
    if dims is None or ends is None:
        return TensorType(None, diagonal.dtype)
    low, high = _limits(ends)
    batch = dims[:-1] if low == high else dims[:-2]
    rows, columns, width = known_int(num_rows), known_int(num_cols), dims[-1]
    if rows is None or columns is None or width is None:
        return TensorType((*batch, *(None if n == -1 else n for n in (rows, columns))), diagonal.dtype)
    return TensorType((*batch, *_matrix_size(low, high, width, rows, columns)), diagonal.dtype)


def _matrix_diag(diagonal: Array, k: Array, num_rows: Array, num_cols: Array, padding_value: Array, *, align: str = "RIGHT_LEFT") -> Array:
    if not diagonal.ndim:
        raise ValueError("a scalar")  # the type rule finds the words
    low, high = _limits(k)
    rows, columns = _matrix_size(low, high, diagonal.shape[-1], int(num_rows), int(num_cols))
    _check_band(low, high, rows, columns)
    band = diagonal[..., None, :] if low == high else diagonal
    if band.shape[-2] != high - low + 1:
        raise invalid(f"The number of diagonals in {list(diagonal.shape)} does not match the range of diagonals from {low} to {high}")
    out = np.full((*band.shape[:-2], rows, columns), padding_value, diagonal.dtype)
    at, along, row, column = _places(rows, columns, low, high, align)
    out[..., row, column] = band[..., at, along]
    return out


# ---- the diagonals of a matrix


def _part_type(input: Any, k: Any, padding_value: Any, *, align: str = "RIGHT_LEFT") -> TensorType:
    dims, ends = input.dims, known(k)
    if dims is not None and len(dims) < 2:
        raise ShapeError(
            f"Shape must be at least rank 2 but is rank {len(dims)}", f"input must be at least 2-dim, received shape: {show_dims(dims)}"
        )
    if dims is None or ends is None:
        return TensorType(None, input.dtype)
    low, high = _limits(ends)
    rows, columns = dims[-2:]
    width = None
    if rows is not None and columns is not None:
        _check_band(low, high, rows, columns)
        width = _longest(rows, columns, low, high)
    return TensorType(_stored(dims[:-2], low, high, width), input.dtype)


def _part(input: Array, k: Array, padding_value: Array, *, align: str = "RIGHT_LEFT") -> Array:
    if input.ndim < 2:
        raise ValueError("no matrix")  # the type rule finds the words
    low, high = _limits(k)
    rows, columns = input.shape[-2:]
    _check_band(low, high, rows, columns)
    shape = (*input.shape[:-2], high - low + 1, _longest(rows, columns, low, high))
    out = np.full(shape, padding_value, input.dtype)
    at, along, row, column = _places(rows, columns, low, high, align)
    out[..., at, along] = input[..., row, column]
    return out[..., 0, :] if low == high else out


def _part_back(g: Any, input_type: Any, k: Any, align: str) -> Any:
    return MATRIX_SET_DIAG(zeros_of(input_type), g, k, align=align)


# ---- a matrix with other diagonals


def _set_type(input: Any, diagonal: Any, k: Any, *, align: str = "RIGHT_LEFT") -> TensorType:
    dims, ends = input.dims, known(k)
    if dims is not None and len(dims) < 2:
        raise ShapeError(
            f"Shape must be at least rank 2 but is rank {len(dims)}", f"input must be at least 2-dim, received shape: {show_dims(dims)}"
        )
    if dims is None or ends is None or diagonal.dims is None:
        return TensorType(dims, input.dtype)
    low, high = _limits(ends)
    rows, columns = dims[-2:]
    if rows is None or columns is None:
        return TensorType(dims, input.dtype)
    _check_band(low, high, rows, columns)
    return TensorType(dims, input.dtype)


def _set(input: Array, diagonal: Array, k: Array, *, align: str = "RIGHT_LEFT") -> Array:
    if input.ndim < 2:
        raise ValueError("no matrix")  # the type rule finds the words
    low, high = _limits(k)
    rows, columns = input.shape[-2:]
    _check_band(low, high, rows, columns)
    wanted = _stored(input.shape[:-2], low, high, _longest(rows, columns, low, high))
    if diagonal.shape != wanted:
        raise invalid(f"the diagonals of {show_dims(input.shape)} must have the shape {show_dims(wanted)}, not {show_dims(diagonal.shape)}")
    band = diagonal[..., None, :] if low == high else diagonal
    out = input.copy()
    at, along, row, column = _places(rows, columns, low, high, align)
    out[..., row, column] = band[..., at, along]
    return out


MATRIX_DIAG = linear(
    "MatrixDiagV3", "diagonal k:int32 num_rows:int32 num_cols:int32 padding_value", _matrix_diag_type, _matrix_diag,
    lambda g, k, align: MATRIX_DIAG_PART(g, k, np.zeros((), g.dtype.numpy), align=align), dtypes=ANY,
)  # fmt: skip
MATRIX_DIAG_PART = linear("MatrixDiagPartV3", "input k:int32 padding_value", _part_type, _part, _part_back, dtypes=ANY)
MATRIX_SET_DIAG = define(
    "MatrixSetDiagV3", "input diagonal k:int32", _set_type, _set,
    {
        "input": lambda g, diagonal_type, k, align: MATRIX_SET_DIAG(g, zeros_of(diagonal_type), k, align=align),
        "diagonal": lambda g, k, align: MATRIX_DIAG_PART(g, k, np.zeros((), g.dtype.numpy), align=align),
    },
    dtypes=ANY, holomorphic=False,
)  # fmt: skip


# ---- bands kept


def _band_type(input: Any, num_lower: Any, num_upper: Any) -> TensorType:
    return TensorType(input.dims, input.dtype)


def _band(input: Array, num_lower: Array, num_upper: Array) -> Array:
    if input.ndim < 2:
        raise invalid(f"input must be at least 2-dim, received shape: {show_dims(input.shape)}")
    rows, columns = input.shape[-2:]
    lower, upper = int(num_lower), int(num_upper)
    for number, size, text in (
        (lower, rows, "num_lower must be negative or less or equal to number of rows"),
        (upper, columns, "num_upper must be negative or less or equal to number of columns"),
    ):
        if number > size:
            raise invalid(f"{text} ({size}) got: {number}")
    away = np.arange(columns)[None, :] - np.arange(rows)[:, None]
    kept = (away >= (-lower if lower >= 0 else -rows)) & (away <= (upper if upper >= 0 else columns))
    return np.where(kept, input, np.zeros((), input.dtype))


BAND_PART = linear(
    "MatrixBandPart", "input num_lower:Tindex num_upper:Tindex", _band_type, _band,
    lambda g, num_lower, num_upper: BAND_PART(g, num_lower, num_upper), dtypes={"T": ANY, "Tindex": INDEX},
)  # fmt: skip


# ---- cross products


def _cross_type(a: Any, b: Any) -> TensorType:
    for x in (a, b):
        if x.dims is not None and not x.dims:
            raise ShapeError("Shape must be at least rank 1 but is rank 0", "inputs must be at least 1-D")
        if x.dims is not None and x.dims[-1] not in (3, None):
            raise ShapeError(f"Dimension must be 3 but is {x.dims[-1]}", "Cross-products are only defined for 3-element vectors.")
    if a.dims is None or b.dims is None:
        return TensorType(a.dims or b.dims, a.dtype)
    if len(a.dims) != len(b.dims) or any(m is not None and n is not None and m != n for m, n in zip(a.dims, b.dims, strict=True)):
        text = f"Both inputs must be of same shape: {show_dims(a.dims)} vs. {show_dims(b.dims)}"
        raise ShapeError(text, text)
    return TensorType(tuple(n if m is None else m for m, n in zip(a.dims, b.dims, strict=True)), a.dtype)


def _cross(a: Array, b: Array) -> Array:
    if a.shape != b.shape or not a.ndim:
        raise ValueError("shapes differ")  # the type rule finds the words
    if a.shape[-1] != 3:
        raise FailedPreconditionError(None, None, "Cross-products are only defined for 3-element vectors.")
    turned, twice = [1, 2, 0], [2, 0, 1]
    return a[..., turned] * b[..., twice] - a[..., twice] * b[..., turned]


CROSS = define("Cross", "a b", _cross_type, _cross, {"a": lambda g, b: CROSS(b, g), "b": lambda g, a: CROSS(g, a)}, dtypes=REAL)


# ---- functions


def tensor_diag(diagonal: Any, name: str | None = None) -> Any:
    """A tensor of twice the rank with `diagonal` where both halves of the axes agree, zeros elsewhere.

    >>> import pullback as tf
    >>> tf.linalg.tensor_diag([1, 2]).numpy().tolist()
    [[1, 0], [0, 2]]
    """
    return DIAG(diagonal, name=name)


def tensor_diag_part(input: Any, name: str | None = None) -> Any:
    """The elements of `input`, of even rank, where both halves of the axes agree.

    >>> import pullback as tf
    >>> tf.linalg.tensor_diag_part([[1, 2], [3, 4]]).numpy().tolist()
    [1, 4]
    """
    return DIAG_PART(input, name=name)


def _check_align(align: str, op: str) -> None:
    if align not in ALIGNMENTS:
        text = f"Value for attr 'align' of \"{align}\" is not in the list of allowed values: {', '.join(ALIGNMENTS)} [Op:{op}]"
        raise invalid(text) if executing_eagerly() else ValueError(text)


def _padding(value: Any, like: Any) -> Any:
    return METHODS["convert"](value, like.dtype) if not hasattr(value, "dtype") else value


def diag(
    diagonal: Any,
    name: str | None = "diag",
    k: Any = 0,
    num_rows: Any = -1,
    num_cols: Any = -1,
    padding_value: Any = 0,
    align: str = "RIGHT_LEFT",
) -> Any:
    """Matrices with `diagonal` on diagonal (or band) `k` and `padding_value` elsewhere; see the head of this module.

    diagonal: [..., length], for a band [..., diagonals, longest].  num_rows, num_cols: as small as possible when -1.
    Raises InvalidArgumentError (in graphs ValueError) for sizes that do not fit.

    >>> import pullback as tf
    >>> tf.linalg.diag([1, 2], k=1).numpy().tolist()
    [[0, 1, 0], [0, 0, 2], [0, 0, 0]]
    """
    _check_align(align, "MatrixDiagV3")
    x = METHODS["convert"](diagonal)
    padding = (
        np.zeros((), bool) if x.dtype.is_bool and not hasattr(padding_value, "dtype") and not padding_value else _padding(padding_value, x)
    )
    return MATRIX_DIAG(x, k, num_rows, num_cols, padding, align=align, name=name)


def diag_part(input: Any, name: str | None = "diag_part", k: Any = 0, padding_value: Any = 0, align: str = "RIGHT_LEFT") -> Any:
    """Diagonal (or band) `k` of the matrices in `input`, shorter diagonals padded; see the head of this module.

    >>> import pullback as tf
    >>> tf.linalg.diag_part([[1, 2], [3, 4]]).numpy().tolist()
    [1, 4]
    """
    _check_align(align, "MatrixDiagPartV3")
    x = METHODS["convert"](input)
    padding = (
        np.zeros((), bool) if x.dtype.is_bool and not hasattr(padding_value, "dtype") and not padding_value else _padding(padding_value, x)
    )
    return MATRIX_DIAG_PART(x, k, padding, align=align, name=name)


def set_diag(input: Any, diagonal: Any, name: str | None = "set_diag", k: Any = 0, align: str = "RIGHT_LEFT") -> Any:
    """`input` with diagonal (or band) `k` of its matrices replaced by `diagonal`.

    >>> import pullback as tf
    >>> tf.linalg.set_diag([[1, 2], [3, 4]], [7, 8]).numpy().tolist()
    [[7, 2], [3, 8]]
    """
    _check_align(align, "MatrixSetDiagV3")
    return MATRIX_SET_DIAG(input, diagonal, k, align=align, name=name)


def band_part(input: Any, num_lower: Any, num_upper: Any, name: str | None = None) -> Any:
    """The matrices in `input` with zeros outside `num_lower` diagonals below and `num_upper` above the main one; -1 keeps all.

    >>> import pullback as tf
    >>> tf.linalg.band_part([[1, 2], [3, 4]], 0, -1).numpy().tolist()
    [[1, 2], [0, 4]]
    """
    lower, upper = (n if hasattr(n, "dtype") else METHODS["convert"](n, int64) for n in (num_lower, num_upper))
    return BAND_PART(input, lower, upper, name=name)


def trace(x: Any, name: str | None = None) -> Any:
    """The sum of the main diagonal of the matrices in `x`.

    >>> import pullback as tf
    >>> tf.linalg.trace([[1, 2], [3, 4]]).numpy().item()
    5
    """
    with scope(name, "Trace"):
        return reduce_sum(diag_part(x), [-1])


def cross(a: Any, b: Any, name: str | None = None) -> Any:
    """The cross product of the 3-vectors in the last axis of two real tensors of one shape.

    >>> import pullback as tf
    >>> tf.linalg.cross([1, 0, 0], [0, 1, 0]).numpy().tolist()
    [0, 0, 1]
    """
    return CROSS(a, b, name=name)


__all__ = [
    "band_part", "cross", "diag", "diag_part", "int32", "set_diag", "shape_of", "tensor_diag", "tensor_diag_part", "trace",
]  # fmt: skip
