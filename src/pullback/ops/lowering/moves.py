"""How ops that put elements in other places are lowered for the engine: rolls, mirrors, blocks, sequences, elements along an axis.

Each is a view, a choice between views, or a gather at indices that are computed; none has a loop of its own.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from ...kernels.constant_fill import steps_between
from .array import is_known, sizes

if TYPE_CHECKING:
    from ...engine.lowering.builder import Builder
    from ...engine.lowering.index_expr import IndexExpr

_IDENTITY = (0, ())


def _identity_rows(rank: int) -> list[Any]:
    """The rows of a view that changes nothing."""
    return [(0, ((i, 1),)) for i in range(rank)]


def _slice_along(builder: Builder, expr: Any, axis: int, start: int, step: int, size: int, fill: Any = None) -> IndexExpr:
    """The elements start, start + step, ... along one axis, `fill` outside."""
    rows = _identity_rows(len(expr.dims))
    rows[axis] = (start, ((axis, step),))
    return builder.affine(expr, (*expr.dims[:axis], size, *expr.dims[axis + 1 :]), tuple(rows), fill)


def _index(builder: Builder, expr: Any, axis: int) -> IndexExpr:
    return builder.iota(expr.dims, axis, np.int32)


# ---- rolls and mirrors


def roll(builder: Builder, input: IndexExpr, shift: IndexExpr, axis: IndexExpr) -> IndexExpr:
    """Roll: by a known number a choice between two views, else a gather."""
    if not input.size:
        return input
    for i, a in enumerate(sizes(builder, axis)):
        at = a % len(input.dims)
        if is_known(builder, shift):
            input = _roll(builder, input, at, int(builder.get_constant(shift).ravel()[i]) % input.dims[at])
        else:
            by = builder.affine(shift, input.dims, ((i, ()),) if shift.dims else ())
            input = _gather_axis(builder, input, at, builder.floormod(builder.iota(input.dims, at, by.dtype) - by, input.dims[at]))
    return input


def _roll(builder: Builder, x: Any, axis: int, by: int) -> IndexExpr:
    n = x.dims[axis]
    if not by:
        return x
    behind, before = _slice_along(builder, x, axis, -by, 1, n, 0), _slice_along(builder, x, axis, n - by, 1, n, 0)
    return builder.select(builder.compare("ge", _index(builder, x, axis), by), behind, before)


def _gather_axis(builder: Builder, x: Any, axis: int, index: Any) -> IndexExpr:
    """Elements at indices along an axis, which are of the result's dims."""
    rows = _identity_rows(len(x.dims))
    rows[axis] = _IDENTITY
    return builder.gather(x, index.dims, tuple(rows), tuple(index if i == axis else None for i in range(len(x.dims))))


def mirror_pad(builder: Builder, input: IndexExpr, paddings: IndexExpr, *, mode: str) -> IndexExpr:
    """MirrorPad: along each axis a choice between the tensor and its mirror at either end."""
    edge = 1 if mode == "REFLECT" else 0
    done = 0
    for axis, (low, high) in enumerate(builder.get_constant(paddings).reshape(-1, 2).tolist()):
        n = input.dims[axis]
        if max(low, high) > n - edge or min(low, high) < 0:
            raise builder.Unsupported("a mirror wider than the tensor")
        if not low and not high:
            continue
        source = input if done < 2 else builder.memory(input)  # each element is one of three of every axis before
        whole, done = low + n + high, done + 1
        input = _slice_along(builder, source, axis, -low, 1, whole, 0)
        if low:
            before = _slice_along(builder, source, axis, low - 1 + edge, -1, whole, 0)
            input = builder.select(builder.compare("lt", _index(builder, input, axis), low), before, input)
        if high:
            behind = _slice_along(builder, source, axis, 2 * n - 1 - edge + low, -1, whole, 0)
            input = builder.select(builder.compare("ge", _index(builder, input, axis), low + n), behind, input)
    return input


def mirror_pad_grad(builder: Builder, input: IndexExpr, paddings: IndexExpr, *, mode: str) -> IndexExpr:
    """MirrorPadGrad: what the mirrors hold is added to where it was taken from."""
    edge = 1 if mode == "REFLECT" else 0
    for axis, (low, high) in enumerate(builder.get_constant(paddings).reshape(-1, 2).tolist()):
        if not low and not high:
            continue
        n = input.dims[axis] - low - high
        source = input
        input = _slice_along(builder, source, axis, low, 1, n)
        if low:
            input = input + _slice_along(builder, _slice_along(builder, source, axis, 0, 1, low), axis, low - 1 + edge, -1, n, 0)
        if high:
            input = input + _slice_along(builder, _slice_along(builder, source, axis, low + n, 1, high), axis, n - 1 - edge, -1, n, 0)
    return input


# ---- blocks


def _deal_blocks(builder: Builder, x: Any, split: tuple[int, ...], order: list[int], dims: tuple[int, ...]) -> IndexExpr:
    return builder.reshape(builder.permute(builder.reshape(x, split), order), dims)


def space_to_depth(builder: Builder, input: IndexExpr, *, block_size: int, data_format: str = "NHWC") -> IndexExpr:
    """SpaceToDepth."""
    b = block_size
    if data_format == "NHWC":
        n, h, w, c = input.dims
        return _deal_blocks(builder, input, (n, h // b, b, w // b, b, c), [0, 1, 3, 2, 4, 5], (n, h // b, w // b, b * b * c))
    n, c, h, w = input.dims
    return _deal_blocks(builder, input, (n, c, h // b, b, w // b, b), [0, 3, 5, 1, 2, 4], (n, b * b * c, h // b, w // b))


def depth_to_space(builder: Builder, input: IndexExpr, *, block_size: int, data_format: str = "NHWC") -> IndexExpr:
    """DepthToSpace."""
    b = block_size
    if data_format == "NHWC":
        n, h, w, c = input.dims
        return _deal_blocks(builder, input, (n, h, w, b, b, c // (b * b)), [0, 1, 3, 2, 4, 5], (n, h * b, w * b, c // (b * b)))
    n, c, h, w = input.dims
    return _deal_blocks(builder, input, (n, b, b, c // (b * b), h, w), [0, 3, 4, 1, 5, 2], (n, c // (b * b), h * b, w * b))


def space_to_batch(builder: Builder, input: IndexExpr, block_shape: IndexExpr, paddings: IndexExpr) -> IndexExpr:
    """SpaceToBatchND."""
    blocks, margins = sizes(builder, block_shape), builder.get_constant(paddings).reshape(-1, 2).tolist()
    m = len(blocks)
    around = [[0, 0], *margins, *[[0, 0]] * (len(input.dims) - 1 - m)]
    dims = tuple(low + n + high for n, (low, high) in zip(input.dims, around, strict=True))
    padded = builder.pad(input, [low for low, _ in around], dims, 0) if dims != input.dims else input
    parts = [k for n, b in zip(dims[1 : 1 + m], blocks, strict=True) for k in (n // b, b)]
    order = [*(2 * i + 2 for i in range(m)), 0, *(2 * i + 1 for i in range(m)), *range(1 + 2 * m, len(dims) + m)]
    return _deal_blocks(
        builder, padded, (dims[0], *parts, *dims[1 + m :]), order, (dims[0] * math.prod(blocks), *parts[::2], *dims[1 + m :])
    )


def batch_to_space(builder: Builder, input: IndexExpr, block_shape: IndexExpr, crops: IndexExpr) -> IndexExpr:
    """BatchToSpaceND."""
    blocks, margins = sizes(builder, block_shape), builder.get_constant(crops).reshape(-1, 2).tolist()
    m = len(blocks)
    batch, inner, rest = input.dims[0] // math.prod(blocks), input.dims[1 : 1 + m], input.dims[1 + m :]
    order = [m, *(k for i in range(m) for k in (m + 1 + i, i)), *range(2 * m + 1, 1 + 2 * m + len(rest))]
    spread = _deal_blocks(
        builder, input, (*blocks, batch, *inner, *rest), order, (batch, *(n * b for n, b in zip(inner, blocks, strict=True)), *rest)
    )
    for i, (low, high) in enumerate(margins):
        if low or high:
            spread = _slice_along(builder, spread, 1 + i, low, 1, spread.dims[1 + i] - low - high)
    return spread


# ---- places that are computed


def reverse_sequence(builder: Builder, input: IndexExpr, seq_lengths: IndexExpr, *, seq_dim: int, batch_dim: int = 0) -> IndexExpr:
    """ReverseSequence: a gather from the other end of each sequence."""
    if seq_dim < 0 or seq_dim == batch_dim:
        raise builder.Unsupported("the kernel refuses these axes")
    n = input.dims[seq_dim]
    builder.check(builder.compare("lt", seq_lengths, 0) | builder.compare("gt", seq_lengths, n))
    length = builder.affine(seq_lengths, input.dims, ((0, ((batch_dim, 1),)),))
    at = builder.iota(input.dims, seq_dim, seq_lengths.dtype)
    return _gather_axis(builder, input, seq_dim, builder.select(builder.compare("lt", at, length), length - 1 - at, at))


def _last_index(builder: Builder, indices: Any, n: int) -> IndexExpr:
    """Indices along an axis of n, those from its end counted from its beginning; others are a fault."""
    at = builder.cast(indices, np.int64)
    builder.check(builder.compare("lt", at, -n) | builder.compare("ge", at, n))
    return builder.select(builder.compare("lt", at, 0), at + n, at)


def take_along(builder: Builder, x: IndexExpr, indices: IndexExpr) -> IndexExpr:
    """TakeAlong: elements along the last axis."""
    if x.dims[:-1] != indices.dims[:-1]:
        raise builder.Unsupported("rows that broadcast")
    return _gather_axis(builder, x, len(x.dims) - 1, _last_index(builder, indices, x.dims[-1]))


def put_along(builder: Builder, x: IndexExpr, indices: IndexExpr, size: IndexExpr) -> IndexExpr:
    """PutAlong: elements put in zeros along the last axis."""
    if x.dims != indices.dims:
        raise builder.Unsupported("rows that broadcast")
    n = sizes(builder, size)[0]
    lead = x.dims[:-1]
    at, rows = _last_index(builder, indices, n), math.prod(lead)
    number = builder.reshape(builder.iota((rows, x.dims[-1]), 0, np.int64), x.dims)
    zeros = builder.broadcast(builder.number(0, x.dtype), (rows * n,))
    flat = builder.scatter(zeros, builder.reshape(number * n + at, (x.size,)), builder.reshape(x, (x.size,)), "put")
    return builder.reshape(flat, (*lead, n))


# ---- numbers in a row


def sequence(builder: Builder, start: IndexExpr, limit: IndexExpr, delta: IndexExpr) -> IndexExpr:
    """Range: floats are counted in their own dtype, each step rounded as the kernel's."""
    first, last, step = (builder.get_constant(t).reshape(()) for t in (start, limit, delta))
    if first.dtype.kind in "iu":
        dims = (max(-((int(first) - int(last)) // int(step)), 0),)
        return builder.iota(dims, 0, first.dtype) * step + first
    if first.dtype.itemsize < 4:
        raise builder.Unsupported("a range of floats of 16 bits")
    dims = (int(steps_between(first[()], last[()], step[()])),)
    return builder.cast(builder.iota(dims, 0, np.int64), first.dtype) * float(step) + float(first)


def linspace(builder: Builder, start: IndexExpr, stop: IndexExpr, num: IndexExpr) -> IndexExpr:
    """LinSpace: equal steps from the start, and the ends themselves."""
    count = sizes(builder, num)[0]
    dims = (count,)
    at = builder.iota(dims, 0, np.int32)
    if count == 1:
        return builder.broadcast(start, dims)
    inner = builder.cast(at, start.dtype) * ((stop - start) / float(count - 1)) + start
    ahead = builder.select(builder.compare("eq", at, 0), start, inner)
    return builder.select(builder.compare("eq", at, count - 1), stop, ahead)
