"""Bands of diagonals: MatrixDiagV3, MatrixDiagPartV3, MatrixSetDiagV3 and MatrixBandPart.

`k` is one diagonal or [lowest, highest], 0 the main one, positive above it.  A band is stored with its highest diagonal in the first
row; shorter diagonals are padded on the side that `align` names for diagonals above and below the main one.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from ...base.dtypes import ANY, INDEX
from ...base.shapes import show as show_dims
from ...ir.apply import ShapeError
from ...ir.op import Op, define
from ...ir.tensor import Dims, Tensor, TensorType
from ...kernels import blocked
from ...kernels.memory_limit import require_room
from ..array.basic import zeros_of
from ..array.type_rules import invalid_argument, known_int, known_value, read_whole, require_rank, require_rank_between
from ..batching import stack_rows
from ..families import linear
from ..lowering import bands as native_bands

Array = np.ndarray[Any, Any]


# ---- what type rules and kernels share


def _limits(k: Array) -> tuple[int, int]:
    """The lowest and the highest diagonal."""
    if k.ndim > 1:
        raise invalid_argument(f"diag_index must be a scalar or vector, received shape: {list(k.shape)}")
    ends = k.ravel().tolist()
    if not ends:
        raise invalid_argument("diag_index must have at least one element")
    if len(ends) > 2:
        eagerly = f"diag_index must have only one or two elements, received {len(ends)} elements."
        raise ShapeError(f"diag_index must be a vector with one or two elements. It has {len(ends)} elements.", eagerly)
    low, high = ends[0], ends[-1]
    if low > high:
        eagerly = f"lower_diag_index must not be larger than upper_diag_index: {low} > {high}"
        raise ShapeError(f"lower_diag_index is greater than upper_diag_index: {low} > {high}", eagerly)
    return low, high


def _check_band(low: int, high: int, rows: int, columns: int) -> None:
    for which, at in (("lower", low), ("upper", high)):
        if not (-rows < at < columns or at == 0):
            text, within = f"{which}_diag_index is out of bound", f"It must be between {-rows} and {columns}"
            raise ShapeError(f"{text}. {within}, but is {at}", f"{text}: {at}. {within}")


def _length(rows: int, columns: int, d: int) -> int:
    """The length of diagonal d."""
    return max(min(rows + min(d, 0), columns - max(d, 0)), 0)


def _longest_diagonal(rows: int, columns: int, low: int, high: int) -> int:
    return min(rows + min(high, 0), columns - max(low, 0))


def _start(d: int, length: int, width: int, align: str) -> int:
    """Where diagonal d begins in its row of the band."""
    above, below = align.split("_")
    left = above == "LEFT" if d >= 0 else below == "LEFT"
    return 0 if left else width - length


def _places(rows: int, columns: int, low: int, high: int, align: str) -> tuple[Array, Array, Array, Array]:
    """For every element of the band: its row and column in the stored band, and its row and column in the matrix."""
    width = _longest_diagonal(rows, columns, low, high)
    parts = []
    for at, d in enumerate(range(high, low - 1, -1)):
        length = _length(rows, columns, d)
        along = np.arange(length)
        start = _start(d, length, width, align)
        parts.append((np.full(length, at), along + start, along + max(-d, 0), along + max(d, 0)))
    places = [np.concatenate(part) for part in zip(*parts, strict=True)]
    return places[0], places[1], places[2], places[3]


def _stored_shape(dims: Dims, low: int, high: int, width: int | None) -> tuple[int | None, ...]:
    """The shape of a stored band of matrices in a batch."""
    return (*(dims or ()), width) if low == high else (*(dims or ()), high - low + 1, width)


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
    for name, given in (("num_rows", num_rows), ("num_cols", num_cols), ("padding_value", padding_value)):
        require_rank(given, 0, f"{name} must be a scalar")
    require_rank_between(k, 0, 1, "diag_index must be a scalar or vector")
    dims, ends = diagonal.dims, known_value(k)
    if dims is not None and not dims:
        raise ShapeError("Shape must be at least rank 1 but is rank 0", "diagonal must be at least 1-dim, received shape: []")
    if dims is None or ends is None:
        return TensorType(None, diagonal.dtype)
    low, high = _limits(ends)
    batch = dims[:-1] if low == high else dims[:-2]
    if low < high:
        text = "The number of rows of `diagonal` doesn't match the number of diagonals implied from `d_lower` and `d_upper`."
        require_rank_between(diagonal, 2, None, text)
        if dims[-2] not in (high - low + 1, None):
            raise ShapeError(text, text)
    rows, columns, width = known_int(num_rows), known_int(num_cols), dims[-1]
    if rows is None or columns is None or width is None:
        return TensorType((*batch, *(None if n == -1 else n for n in (rows, columns))), diagonal.dtype)
    return TensorType((*batch, *_matrix_size(low, high, width, rows, columns)), diagonal.dtype)


def _matrix_diag(diagonal: Array, k: Array, num_rows: Array, num_cols: Array, padding_value: Array, *, align: str = "RIGHT_LEFT") -> Array:
    if not diagonal.ndim or padding_value.ndim:
        raise ValueError("a scalar for a vector, or a vector for a scalar")  # the type rule finds the words
    low, high = _limits(k)
    rows, columns = _matrix_size(low, high, diagonal.shape[-1], int(num_rows), int(num_cols))
    band = diagonal[..., None, :] if low == high else diagonal
    if band.ndim < 2 or band.shape[-2] != high - low + 1:
        raise invalid_argument(
            f"The number of diagonals in {list(diagonal.shape)} does not match the range of diagonals from {low} to {high}"
        )
    sizes = (*band.shape[:-2], rows, columns)
    require_room(sizes, diagonal.dtype)
    out = np.full(sizes, padding_value, diagonal.dtype)
    at, along, row, column = _places(rows, columns, low, high, align)
    out[..., row, column] = band[..., at, along]
    return out


# ---- the diagonals of a matrix


def _part_type(input: Any, k: Any, padding_value: Any, *, align: str = "RIGHT_LEFT") -> TensorType:
    require_rank(padding_value, 0, "Padding must be scalar.")
    require_rank_between(k, 0, 1, "diag_index must be a scalar or vector")
    dims, ends = input.dims, known_value(k)
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
        width = _longest_diagonal(rows, columns, low, high)
    return TensorType(_stored_shape(dims[:-2], low, high, width), input.dtype)


def _part(input: Array, k: Array, padding_value: Array, *, align: str = "RIGHT_LEFT") -> Array:
    if input.ndim < 2 or padding_value.ndim:
        raise ValueError("no matrix, or several paddings")  # the type rule finds the words
    if not k.ndim and not k:
        return input.diagonal(0, -2, -1).copy()
    low, high = _limits(k)
    rows, columns = input.shape[-2:]
    _check_band(low, high, rows, columns)
    if low == high:
        return np.diagonal(input, low, -2, -1).copy()
    shape = (*input.shape[:-2], high - low + 1, _longest_diagonal(rows, columns, low, high))
    out = np.full(shape, padding_value, input.dtype)
    at, along, row, column = _places(rows, columns, low, high, align)
    out[..., at, along] = input[..., row, column]
    return out


def _part_back(g: Any, input_type: Any, k: Any, align: str) -> Tensor:
    return MATRIX_SET_DIAG(zeros_of(input_type), g, k, align=align)


# ---- a matrix with other diagonals


def _set_type(input: Any, diagonal: Any, k: Any, *, align: str = "RIGHT_LEFT") -> TensorType:
    require_rank_between(k, 0, 1, "diag_index must be a scalar or vector")
    dims, ends = input.dims, known_value(k)
    if dims is not None and len(dims) < 2:
        raise ShapeError(
            f"Shape must be at least rank 2 but is rank {len(dims)}", f"input must be at least 2-dim, received shape: {show_dims(dims)}"
        )
    if diagonal.dims == ():
        raise ShapeError("Shape must be at least rank 1 but is rank 0", "diagonal must be at least 1-dim, received shape: []")
    if dims is not None:
        require_rank_between(diagonal, len(dims) - 1, len(dims), f"diagonal must be of rank {len(dims) - 1} or {len(dims)}")
    if dims is None or ends is None or diagonal.dims is None:
        return TensorType(dims, input.dtype)
    low, high = _limits(ends)
    rank = len(dims) - (low == high)
    if len(diagonal.dims) != rank:
        text = f"Shape must be rank {rank} but is rank {len(diagonal.dims)}"
        raise ShapeError(text, text)
    rows, columns = dims[-2:]
    if rows is None or columns is None:
        return TensorType(dims, input.dtype)
    _check_band(low, high, rows, columns)
    return TensorType(dims, input.dtype)


def _set(input: Array, diagonal: Array, k: Array, *, align: str = "RIGHT_LEFT") -> Array:
    if input.ndim < 2 or not diagonal.ndim:
        raise ValueError("no matrix or no diagonal")  # the type rule finds the words
    low, high = _limits(k)
    rows, columns = input.shape[-2:]
    _check_band(low, high, rows, columns)
    wanted = _stored_shape(input.shape[:-2], low, high, _longest_diagonal(rows, columns, low, high))
    if diagonal.shape != wanted:
        if low != high and diagonal.ndim > 1 and diagonal.shape[-2] != high - low + 1:
            raise invalid_argument(
                "The number of diagonals provided in `diag` is not consistent with `lower_diag_index` and `upper_diag_index`"
            )
        raise invalid_argument(
            "Either first dimensions of diagonal don't match input.shape[:-2], or diagonal.shape[:-1] is not equal to the longests "
            f"diagonal in range [lower_diag_index:upper_diag_index]. Input shape: {show_dims(input.shape)} Diagonal shape: "
            f"{show_dims(diagonal.shape)} Expected diagonal shape: {show_dims(wanted)}"
        )
    band = diagonal[..., None, :] if low == high else diagonal
    out = input.copy()
    at, along, row, column = _places(rows, columns, low, high, align)
    out[..., row, column] = band[..., at, along]
    return out


MATRIX_DIAG: Op = linear(
    "MatrixDiagV3", "diagonal k:int32 num_rows:int32 num_cols:int32 padding_value", _matrix_diag_type, _matrix_diag,
    lambda g, k, align: MATRIX_DIAG_PART(g, k, np.zeros((), g.dtype.numpy_dtype), align=align), dtypes=ANY,
    batch=stack_rows("diagonal"), lower=partial(native_bands.matrix_diag, _matrix_diag), gradient_names="diag_part",
)  # fmt: skip
MATRIX_DIAG_PART: Op = linear(
    "MatrixDiagPartV3", "input k:int32 padding_value", _part_type, _part, _part_back, dtypes=ANY, batch=stack_rows("input"),
    lower=partial(native_bands.diag_part, _part), gradient_names="diag",
)
MATRIX_SET_DIAG: Op = define(
    "MatrixSetDiagV3", "input diagonal k:int32", _set_type, _set,
    {
        "input": lambda g, diagonal_type, k, align: MATRIX_SET_DIAG(g, zeros_of(diagonal_type), k, align=align),
        "diagonal": lambda g, k, align: MATRIX_DIAG_PART(g, k, np.zeros((), g.dtype.numpy_dtype), align=align),
    },
    dtypes=ANY, holomorphic=False,
    batch=stack_rows("input", "diagonal"), lower=partial(native_bands.set_diag, _set), gradient_names="set_diag diag_part",
)  # fmt: skip


# ---- bands kept


def _band_type(input: Any, num_lower: Any, num_upper: Any) -> TensorType:
    return TensorType(input.dims, input.dtype)


def _band(input: Array, num_lower: Array, num_upper: Array) -> Array:
    if input.ndim < 2:
        raise invalid_argument(f"input must be at least 2-dim, received shape: {show_dims(input.shape)}")
    rows, columns = input.shape[-2:]
    lower, upper = (
        read_whole(n, f"{name} must be scalar, got shape {show_dims(n.shape)}")
        for name, n in (("num_lower", num_lower), ("num_upper", num_upper))
    )
    for number, size, text in (
        (lower, rows, "num_lower must be negative or less or equal to number of rows"),
        (upper, columns, "num_upper must be negative or less or equal to number of columns"),
    ):
        if number > size:
            raise invalid_argument(f"{text} ({size}) got: {number}")
    if input.size >= 256 * rows:  # whole parts of rows, rather than a choice for each element
        out = np.zeros_like(input)
        for i in range(rows):
            some = slice(max(i - lower, 0) if lower >= 0 else 0, i + upper + 1 if upper >= 0 else None)
            out[..., i, some] = input[..., i, some]
        return out
    away = np.arange(columns)[None, :] - np.arange(rows)[:, None]
    kept = (away >= (-lower if lower >= 0 else -rows)) & (away <= (upper if upper >= 0 else columns))
    return np.where(kept, input, np.zeros((), input.dtype))


BAND_PART: Op = linear(
    "MatrixBandPart", "input num_lower:Tindex num_upper:Tindex", _band_type, blocked.allow_native(_band),
    lambda g, num_lower, num_upper: BAND_PART(g, num_lower, num_upper), dtypes={"T": ANY, "Tindex": INDEX},
    batch=stack_rows("input"), lower=native_bands.band_part,
)  # fmt: skip
