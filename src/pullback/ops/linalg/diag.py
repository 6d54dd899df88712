"""Diagonals of tensors and matrices, traces and cross products."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.dtypes import FLOAT_OR_COMPLEX, INDEX, REAL, int64, string
from ...base.errors import FailedPreconditionError
from ...base.export import export
from ...base.shapes import show as show_dims
from ...ir.apply import ShapeError, convert_to_tensor
from ...ir.attributes import as_word, refused_value
from ...ir.context import scope
from ...ir.convert import is_tensor_like
from ...ir.op import Op, Traits, define
from ...ir.tensor import IntLike, NumberLike, Tensor, TensorLike, TensorType
from ..batching import stack_rows
from ..families import linear
from ..lowering import array as native_array, bands as native_bands
from ..reduce.reductions import reduce_sum
from .bands import BAND_PART, MATRIX_DIAG, MATRIX_DIAG_PART, MATRIX_SET_DIAG
from .matrix_free import asks_operator

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
    if input.shape != shape * 2:
        raise ValueError("no square")  # the type rule finds the words
    size = int(np.prod(shape, dtype=np.int64))
    return input.reshape(size, size).diagonal().reshape(shape)


DIAG_TYPES = FLOAT_OR_COMPLEX | INDEX
DIAG: Op = linear("Diag", "diagonal", _diag_type, _diag, lambda g: DIAG_PART(g), dtypes=DIAG_TYPES, lower=native_bands.diag)
DIAG_PART: Op = linear(
    "DiagPart",
    "input",
    _diag_part_type,
    _diag_part,
    lambda g: DIAG(g),
    dtypes=DIAG_TYPES,
    lower=native_array.lower_view("DiagPart"),
)


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


def _cross(a: Array, b: Array) -> np.ndarray:
    if a.shape != b.shape or not a.ndim:
        raise ValueError("shapes differ")  # the type rule finds the words
    if a.shape[-1] != 3:
        raise FailedPreconditionError(None, None, "Cross-products are only defined for 3-element vectors.")
    turned, twice = [1, 2, 0], [2, 0, 1]
    return a[..., turned] * b[..., twice] - a[..., twice] * b[..., turned]


CROSS: Op = define(
    "Cross",
    "a b",
    _cross_type,
    _cross,
    {"a": lambda g, b: CROSS(b, g), "b": lambda g, a: CROSS(g, a)},
    dtypes=REAL,
    batch=stack_rows(),
    lower=native_bands.cross,
    traits=Traits(multiplies=True),
)


# ---- functions


@export("linalg.tensor_diag")
def tensor_diag(diagonal: TensorLike, name: str | None = None) -> Tensor:
    """A tensor of twice the rank with `diagonal` where both halves of the axes agree, zeros elsewhere.

    >>> tf.linalg.tensor_diag([1, 2]).numpy().tolist()
    [[1, 0], [0, 2]]
    """
    return DIAG(diagonal, name=name)


@export("linalg.tensor_diag_part", v1="diag_part")
def tensor_diag_part(input: TensorLike, name: str | None = None) -> Tensor:
    """The elements of `input`, of even rank, where both halves of the axes agree.

    >>> tf.linalg.tensor_diag_part([[1, 2], [3, 4]]).numpy().tolist()
    [1, 4]
    """
    return DIAG_PART(input, name=name)


def _check_align(align: str | None, op: str) -> None:
    if align is not None and as_word("align", align) not in ALIGNMENTS:
        text = f"Value for attr 'align' of \"{align}\" is not in the list of allowed values: {', '.join(ALIGNMENTS)} [Op:{op}]"
        raise refused_value(text)


def _convert_padding(value: Any, like: Any) -> Any:
    """The padding as numbers of the dtype of `like`; TensorFlow's default 0 is False for bools."""
    if hasattr(value, "dtype"):
        return value
    if isinstance(value, (int, float)) and not value and like.dtype is not string:
        return np.zeros((), like.dtype.base_dtype.numpy_dtype)
    return convert_to_tensor(bool(value) if like.dtype.is_bool else value, like.dtype)


@export("linalg.diag", v1="matrix_diag")
def diag(
    diagonal: TensorLike,
    name: str | None = "diag",
    k: NumberLike = 0,
    num_rows: IntLike = -1,
    num_cols: IntLike = -1,
    padding_value: TensorLike = 0,
    align: str = "RIGHT_LEFT",
) -> Tensor:
    """Matrices with `diagonal` on diagonal (or band) `k` and `padding_value` elsewhere; `linalg_bands` tells how a band is stored.

    diagonal: [..., length], for a band [..., diagonals, longest].  num_rows, num_cols: as small as possible when -1.
    Raises InvalidArgumentError (in graphs ValueError) for sizes that do not fit.

    >>> tf.linalg.diag([1, 2], k=1).numpy().tolist()
    [[0, 1, 0], [0, 0, 2], [0, 0, 0]]
    """
    _check_align(align, "MatrixDiagV3")
    x = convert_to_tensor(diagonal)
    return MATRIX_DIAG(x, k, num_rows, num_cols, _convert_padding(padding_value, x), align=align, name=name)


@export("linalg.diag_part", v1="matrix_diag_part")
@asks_operator(lambda input, name=None: input.diag_part())
def diag_part(
    input: TensorLike, name: str | None = "diag_part", k: NumberLike = 0, padding_value: Any = 0, align: str = "RIGHT_LEFT"
) -> Tensor:
    """Diagonal (or band) `k` of the matrices in `input`, shorter diagonals padded; `linalg_bands` tells how a band is stored.

    >>> tf.linalg.diag_part([[1, 2], [3, 4]]).numpy().tolist()
    [1, 4]
    """
    _check_align(align, "MatrixDiagPartV3")
    x = convert_to_tensor(input)
    return MATRIX_DIAG_PART(x, k, _convert_padding(padding_value, x), align=align, name=name)


@export("linalg.set_diag", v1="matrix_set_diag")
def set_diag(
    input: TensorLike, diagonal: TensorLike, name: str | None = "set_diag", k: NumberLike = 0, align: str = "RIGHT_LEFT"
) -> Tensor:
    """`input` with diagonal (or band) `k` of its matrices replaced by `diagonal`.

    >>> tf.linalg.set_diag([[1, 2], [3, 4]], [7, 8]).numpy().tolist()
    [[7, 2], [3, 8]]
    """
    _check_align(align, "MatrixSetDiagV3")
    return MATRIX_SET_DIAG(input, diagonal, k, align=align, name=name)


@export("linalg.band_part", v1="matrix_band_part")
def band_part(input: TensorLike, num_lower: NumberLike, num_upper: NumberLike, name: str | None = None) -> Tensor:
    """The matrices in `input` with zeros outside `num_lower` diagonals below and `num_upper` above the main one; -1 keeps all.

    >>> tf.linalg.band_part([[1, 2], [3, 4]], 0, -1).numpy().tolist()
    [[1, 2], [0, 4]]
    """
    dtype = next((n.dtype for n in (num_lower, num_upper) if is_tensor_like(n)), int64)
    with scope(name, BAND_PART.name) as full:
        bounds = {"num_lower": num_lower, "num_upper": num_upper}
        lower, upper = (convert_to_tensor(n, None if is_tensor_like(n) else dtype, name=which) for which, n in bounds.items())
    return BAND_PART(input, lower, upper, name=full)


@export("linalg.trace", v1="trace")
@asks_operator(lambda x, name=None: x.trace())
def trace(x: NumberLike, name: str | None = None) -> Tensor:
    """The sum of the main diagonal of the matrices in `x`.

    >>> tf.linalg.trace([[1, 2], [3, 4]]).numpy().item()
    5
    """
    with scope(name, "Trace") as whole:
        return reduce_sum(diag_part(x), [-1], name=whole)


@export("linalg.cross", v1="cross")
def cross(a: NumberLike, b: NumberLike, name: str | None = None) -> Tensor:
    """The cross product of the 3-vectors in the last axis of two real tensors of one shape.

    >>> tf.linalg.cross([1, 0, 0], [0, 1, 0]).numpy().tolist()
    [0, 0, 1]
    """
    return CROSS(a, b, name=name)
