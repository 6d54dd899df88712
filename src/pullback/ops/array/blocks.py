"""Blocks of space moved into depth or into the batch, and back: four permutations of elements, two adjoint pairs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...base.dtypes import ANY, INDEX
from ...base.export import export
from ...base.shapes import are_compatible, show
from ...ir.apply import ShapeError, convert_to_tensor
from ...ir.op import Op, define
from ...ir.tensor import IntLike, NumberLike, Tensor, TensorLike, TensorType
from ...kernels import blocked
from ..batching import fold_rows
from ..lowering import moves as native_moves
from .type_rules import Array, elements, invalid_argument, known_value, plus, product, require_rank, times

# ---- depth


def _divide_size(size: int | None, by: int | None, what: str) -> int | None:
    if size is None or by is None:
        return None
    if size % by:
        raise ShapeError(f"Dimension size must be evenly divisible by {by} but is {size}", what)
    return size // by


def _image(input: Any) -> Sequence[int | None]:
    if input.dims is None:
        return (None, None, None, None)
    if len(input.dims) != 4:
        raise ShapeError(f"Shape must be rank 4 but is rank {len(input.dims)}", f"Input rank should be: 4 instead of: {len(input.dims)}")
    return input.dims


def _check_blocks(block_size: int, data_format: str) -> None:
    if block_size < 2:
        raise ValueError(f"Block size should be > 1, got {block_size}")
    if data_format not in ("NHWC", "NCHW"):
        raise ValueError(f"data_format {data_format!r} is not supported: use 'NHWC' or 'NCHW'")


def _to_depth_type(input: Any, *, block_size: int, data_format: str = "NHWC") -> TensorType:
    _check_blocks(block_size, data_format)
    n, *rest = _image(input)
    h, w, c = rest if data_format == "NHWC" else (*rest[1:], rest[0])
    text = f"Image width {w} and height {h} should be divisible by block_size: {block_size}"
    h, w, c = _divide_size(h, block_size, text), _divide_size(w, block_size, text), times(c, block_size**2)
    return TensorType((n, h, w, c) if data_format == "NHWC" else (n, c, h, w), input.dtype)


def _to_depth(input: Array, *, block_size: int, data_format: str = "NHWC") -> Array:
    _check_blocks(block_size, data_format)
    b = block_size
    if data_format == "NHWC":
        n, h, w, c = input.shape
        return input.reshape(n, h // b, b, w // b, b, c).transpose(0, 1, 3, 2, 4, 5).reshape(n, h // b, w // b, b * b * c)
    n, c, h, w = input.shape
    return input.reshape(n, c, h // b, b, w // b, b).transpose(0, 3, 5, 1, 2, 4).reshape(n, b * b * c, h // b, w // b)


def _to_space_type(input: Any, *, block_size: int, data_format: str = "NHWC") -> TensorType:
    _check_blocks(block_size, data_format)
    n, *rest = _image(input)
    h, w, c = rest if data_format == "NHWC" else (*rest[1:], rest[0])
    c = _divide_size(c, block_size**2, f"Input depth dimension {c} should be divisible by: {block_size**2}")
    h, w = times(h, block_size), times(w, block_size)
    return TensorType((n, h, w, c) if data_format == "NHWC" else (n, c, h, w), input.dtype)


def _to_space(input: Array, *, block_size: int, data_format: str = "NHWC") -> Array:
    _check_blocks(block_size, data_format)
    b = block_size
    if data_format == "NHWC":
        n, h, w, c = input.shape
        return input.reshape(n, h, w, b, b, c // (b * b)).transpose(0, 1, 3, 2, 4, 5).reshape(n, h * b, w * b, c // (b * b))
    n, c, h, w = input.shape
    return input.reshape(n, b, b, c // (b * b), h, w).transpose(0, 3, 4, 1, 5, 2).reshape(n, c // (b * b), h * b, w * b)


SPACE_TO_DEPTH: Op = define(
    "SpaceToDepth", "input", _to_depth_type, blocked.allow_native(_to_depth), dtypes=ANY, holomorphic=False,
    vjp={"input": lambda g, attrs: DEPTH_TO_SPACE(g, **attrs)},
    batch=fold_rows("input"),
    lower=native_moves.space_to_depth,
)  # fmt: skip
DEPTH_TO_SPACE: Op = define(
    "DepthToSpace", "input", _to_space_type, blocked.allow_native(_to_space), dtypes=ANY, holomorphic=False,
    vjp={"input": lambda g, attrs: SPACE_TO_DEPTH(g, **attrs)},
    batch=fold_rows("input"),
    lower=native_moves.depth_to_space,
)  # fmt: skip


@export(v2="nn.space_to_depth")
def space_to_depth(input: TensorLike, block_size: int, data_format: str = "NHWC", name: str | None = None) -> Tensor:
    """Move each square of `block_size` pixels into the channels of one pixel.

    input: [batch, height, width, channels] (or channels first with data_format="NCHW"), height and width multiples of `block_size`, else
    InvalidArgumentError (ValueError in a graph).  Returns [batch, height/b, width/b, channels*b*b].  Gradient: `depth_to_space`.

    >>> tf.nn.space_to_depth(tf.reshape(tf.range(4), [1, 2, 2, 1]), 2).numpy().tolist()
    [[[[0, 1, 2, 3]]]]
    """
    return SPACE_TO_DEPTH(input, block_size=block_size, data_format=data_format, name=name)


@export(v2="nn.depth_to_space")
def depth_to_space(input: TensorLike, block_size: int, data_format: str = "NHWC", name: str | None = None) -> Tensor:
    """Spread the channels of each pixel over a square of `block_size` pixels: undoes `space_to_depth`.

    input: [batch, height, width, channels] (or channels first), channels a multiple of the square, else InvalidArgumentError
    (ValueError in a graph).  Gradient: `space_to_depth`.

    >>> tf.nn.depth_to_space(tf.reshape(tf.range(4), [1, 1, 1, 4]), 2).numpy().tolist()
    [[[[0], [1]], [[2], [3]]]]
    """
    return DEPTH_TO_SPACE(input, block_size=block_size, data_format=data_format, name=name)


# ---- batch


def _blocks(input: Any, block_shape: Any, margins: Any) -> tuple[list[int | None] | None, list[int | None]]:
    """The blocks and the flat margins, as far as they are known."""
    require_rank(block_shape, 1, f"block_shape rank should be 1 instead of {len(block_shape.dims or ())}")
    blocks = elements(block_shape)
    if input.dims is not None and blocks is not None and len(input.dims) < 1 + len(blocks):
        text = f"input rank should be >= {1 + len(blocks)} instead of {len(input.dims)}"
        raise ShapeError(f"Shape must be at least rank {1 + len(blocks)} but is rank {len(input.dims)}", text)
    count = len(blocks or ())
    if blocks is not None and not are_compatible(margins.dims, (count, 2)):
        text = f"paddings and crops should have shape [{count}, 2] instead of {show(margins.dims)}"
        raise ShapeError(text, text)
    flat: list[int | None] | None = elements(margins) if margins.constant is not None else None
    return blocks, [None] * (2 * count) if flat is None else flat


def _known_blocks(block_shape: Array) -> list[int]:
    if block_shape.ndim != 1:
        raise invalid_argument(f"block_shape rank should be 1 instead of {block_shape.ndim}")
    return block_shape.tolist()


def _check_margins(margins: Array, count: int) -> None:
    if margins.shape != (count, 2):
        raise invalid_argument(f"paddings and crops should have shape [{count}, 2] instead of {list(margins.shape)}")


def _refuse_small(blocks: Sequence[int | None]) -> None:
    for i, b in enumerate(blocks):
        if b is not None and b < 1:
            text = f"All values in block_shape must be positive, got value, {b} at index {i}."
            raise ShapeError(text, text)


def _refuse_product(whole: int | None) -> None:
    if whole is not None and whole < 1:
        text = f"Product of block sizes must be positive, got {whole}"
        raise ShapeError(text, text)


def _to_batch_type(input: Any, block_shape: Any, paddings: Any) -> TensorType:
    blocks, flat = _blocks(input, block_shape, paddings)
    _refuse_small(blocks or ())
    if input.dims is None or blocks is None:
        return TensorType(None if input.dims is None else (None,) * len(input.dims), input.dtype)
    batch, inner, rest = input.dims[0], input.dims[1 : 1 + len(blocks)], input.dims[1 + len(blocks) :]
    out = []
    if any(n is not None and n < 0 for n in flat):
        raise ShapeError("paddings cannot be negative", "Paddings must be non-negative")
    for i, (n, b) in enumerate(zip(inner, blocks, strict=True)):
        padded = plus(n, flat[2 * i], flat[2 * i + 1])
        out.append(_divide_size(padded, b, f"padded_shape[{i}]={padded} is not divisible by block_shape[{i}]={b}"))
    return TensorType((times(batch, product(blocks)), *out, *rest), input.dtype)


def _to_batch(input: Array, block_shape: Array, paddings: Array) -> Array:
    blocks = _known_blocks(block_shape)
    _refuse_small(blocks)
    m = len(blocks)
    _check_margins(paddings, m)
    margins = paddings.tolist()
    padded = np.pad(input, [(0, 0), *map(tuple, margins), *[(0, 0)] * (input.ndim - 1 - m)])
    batch, inner, rest = padded.shape[0], padded.shape[1 : 1 + m], padded.shape[1 + m :]
    for i, (n, b) in enumerate(zip(inner, blocks, strict=True)):
        if n % b:
            raise invalid_argument(f"padded_shape[{i}]={n} is not divisible by block_shape[{i}]={b}")
    split = padded.reshape(batch, *(k for n, b in zip(inner, blocks, strict=True) for k in (n // b, b)), *rest)
    order = [2 * i + 2 for i in range(m)] + [0] + [2 * i + 1 for i in range(m)] + list(range(1 + 2 * m, split.ndim))
    return split.transpose(order).reshape(batch * int(np.prod(blocks)), *(n // b for n, b in zip(inner, blocks, strict=True)), *rest)


def _from_batch_type(input: Any, block_shape: Any, crops: Any) -> TensorType:
    blocks, flat = _blocks(input, block_shape, crops)
    if input.dims is None or blocks is None:
        return TensorType(None if input.dims is None else (None,) * len(input.dims), input.dtype)
    whole = product(blocks)
    _refuse_product(whole)
    batch = _divide_size(
        input.dims[0], whole, f"Input batch dimension ({input.dims[0]}) is not divisible by product of block sizes ({whole})"
    )
    out = []
    for i, (n, b) in enumerate(zip(input.dims[1:], blocks, strict=False)):
        if any(m is not None and m < 0 for m in flat[2 * i : 2 * i + 2]):
            raise ShapeError("crops cannot be negative", "Crops must be non-negative")
        cropped = plus(flat[2 * i], flat[2 * i + 1])
        size = times(n, b)
        if size is not None and cropped is not None and cropped > size:
            text = f"cropped_shape[{i}]={size - cropped} must be non-negative"
            raise ShapeError(text, text)
        out.append(None if size is None or cropped is None else size - cropped)
    return TensorType((batch, *out, *input.dims[1 + len(blocks) :]), input.dtype)


def _from_batch(input: Array, block_shape: Array, crops: Array) -> Array:
    blocks = _known_blocks(block_shape)
    m, whole = len(blocks), int(np.prod(blocks))
    _refuse_product(whole)
    _check_margins(crops, m)
    if input.shape[0] % whole:
        raise invalid_argument(f"Input batch dimension ({input.shape[0]}) is not divisible by product of block sizes ({whole})")
    batch, inner, rest = input.shape[0] // whole, input.shape[1 : 1 + m], input.shape[1 + m :]
    split = input.reshape(*blocks, batch, *inner, *rest)
    order = [m, *(k for i in range(m) for k in (m + 1 + i, i)), *range(2 * m + 1, split.ndim)]
    sizes = [n * b for n, b in zip(inner, blocks, strict=True)]
    out = split.transpose(order).reshape(batch, *sizes, *rest)
    for i, (n, (a, b)) in enumerate(zip(sizes, crops.tolist(), strict=True)):
        if min(a, b) < 0:
            raise invalid_argument(f"Crops must be non-negative, but crops[{i}] = {show((a, b))}")
        if a + b > n:
            raise invalid_argument(f"crops[{i}] = {show((a, b))} do not fit into a size of {n}")
    return out[(slice(None), *(slice(a, n - b) for n, (a, b) in zip(sizes, crops.tolist(), strict=True)))]


_TYPES = {"Tblock_shape": INDEX, "Tpaddings": INDEX, "Tcrops": INDEX, "T": ANY}
SPACE_TO_BATCH_ND: Op = define(
    "SpaceToBatchND", "input block_shape:Tblock_shape paddings:Tpaddings", _to_batch_type, blocked.allow_native(_to_batch),
    {"input": lambda g, block_shape, paddings: BATCH_TO_SPACE_ND(g, block_shape, paddings)}, dtypes=_TYPES, holomorphic=False,
    lower=native_moves.space_to_batch,
)  # fmt: skip
BATCH_TO_SPACE_ND: Op = define(
    "BatchToSpaceND", "input block_shape:Tblock_shape crops:Tcrops", _from_batch_type, blocked.allow_native(_from_batch),
    {"input": lambda g, block_shape, crops: SPACE_TO_BATCH_ND(g, block_shape, crops)}, dtypes=_TYPES, holomorphic=False,
    lower=native_moves.batch_to_space,
)  # fmt: skip


@export("space_to_batch_nd", v1="manip.space_to_batch_nd")
def space_to_batch_nd(input: TensorLike, block_shape: NumberLike, paddings: NumberLike, name: str | None = None) -> Tensor:
    """Pad the dimensions after the first and deal their blocks out over the batch.

    input: [batch, d1 ... dm, ...].  block_shape: m integers.  paddings: integers of shape [m, 2]; each padded size must be a multiple of
    its block, else InvalidArgumentError (ValueError in a graph).  Gradient: `batch_to_space`.

    >>> tf.space_to_batch_nd([[1, 2, 3, 4]], [2], [[0, 0]]).numpy().tolist()
    [[1, 3], [2, 4]]
    """
    return SPACE_TO_BATCH_ND(input, block_shape, paddings, name=name)


@export(v2=("space_to_batch", "nn.space_to_batch"))
def space_to_batch(input: TensorLike, block_shape: NumberLike, paddings: NumberLike, name: str | None = None) -> Tensor:
    """The same as `space_to_batch_nd`.

    >>> tf.space_to_batch([[1, 2, 3, 4]], [2], [[0, 0]]).numpy().tolist()
    [[1, 3], [2, 4]]
    """
    return space_to_batch_nd(input, block_shape, paddings, name)


@export(v2="batch_to_space")
def batch_to_space(input: TensorLike, block_shape: IntLike | NumberLike, crops: NumberLike, name: str | None = None) -> Tensor:
    """Gather what `space_to_batch` dealt out, then crop.

    input: [batch, d1 ... dm, ...], the batch a multiple of the product of `block_shape`, else InvalidArgumentError (ValueError in a graph).
    block_shape: integers of shape [m], or one for two dimensions.  crops: integers of shape [m, 2].  Gradient: `space_to_batch`.

    >>> tf.batch_to_space([[1, 3], [2, 4]], [2], [[0, 0]]).numpy().tolist()
    [[1, 2, 3, 4]]
    """
    if isinstance(block_shape, int):
        block_shape = [block_shape, block_shape]
    return BATCH_TO_SPACE_ND(input, block_shape, crops, name=name)


@export("required_space_to_batch_paddings")
def required_space_to_batch_paddings(
    input_shape: TensorLike, block_shape: NumberLike, base_paddings: TensorLike | None = None, name: str | None = None
) -> tuple[Tensor, Tensor]:
    """The paddings that make each size a multiple of its block, and the crops that take them off again.

    input_shape, block_shape: m known integers.  base_paddings: [m, 2], the paddings wanted anyway.
    Raises ValueError where they are not known while a graph is built.

    >>> paddings, crops = tf.required_space_to_batch_paddings([5, 6], [2, 2])
    >>> paddings.numpy().tolist(), crops.numpy().tolist()
    ([[0, 1], [0, 0]], [[0, 1], [0, 0]])
    """
    shape, blocks = (np.asarray(_static_value(t), np.int64) for t in (input_shape, block_shape))
    base = np.zeros((len(shape), 2), np.int64) if base_paddings is None else np.asarray(_static_value(base_paddings), np.int64)
    extra = -(shape + base.sum(axis=1)) % blocks
    paddings = np.stack([base[:, 0], base[:, 1] + extra], axis=1)
    crops = np.stack([np.zeros_like(extra), extra], axis=1)
    return convert_to_tensor(paddings.astype(np.int32)), convert_to_tensor(crops.astype(np.int32))


def _static_value(value: Any) -> Any:
    if not hasattr(value, "constant"):
        return value
    found = known_value(value)
    if found is None:
        raise ValueError(f"required_space_to_batch_paddings needs sizes that are known while the graph is built, got {value}")
    return found
