"""Distributions drawn from a Philox stream, word for word in the order TensorFlow's CPU kernels draw them.

Which words make which number, and how far a draw moves the stream, is observed from TensorFlow 2.21 and fixed by golden tests.  Uniform
numbers and integers are equal to the bit; normal ones to the rounding of `log`, `sin` and `cos`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np
import numpy.typing as npt

from ...kernels import blocked
from ...kernels.backend import ENGINE, native_part
from . import random_lowering
from .philox import BLOCKS_PER_SAMPLE, Philox, Words

Array = npt.NDArray[Any]
Shape = tuple[int, ...]

_LARGE_DOUBLE_MANTISSA = np.uint64(0xFFFFF)
_SMALLEST_UNIFORM = 1.0e-7
_STRETCH = random_lowering.STRETCH
STREAM = (((1,), np.dtype(np.uint64)), ((2,), np.dtype(np.uint64)))
_BFLOAT16 = np.dtype(ml_dtypes.bfloat16)


def reserved_blocks(count: int) -> int:
    """Blocks by which a stateful operation that makes `count` numbers advances its stream."""
    return count * BLOCKS_PER_SAMPLE


# ---------------------------------------------------------------------- uniform


def uniform(stream: Philox, shape: Shape, dtype: np.dtype[Any]) -> Array:
    """Numbers in [0, 1): random mantissa bits under a fixed exponent, minus one."""
    width, transform = (2, doubles) if dtype == np.float64 else (1, lambda words: _unit(words, dtype))
    return _fill_array(stream, shape, dtype, width, transform, random_lowering.uniform_of)


def _fill_array(
    stream: Philox, shape: Shape, dtype: np.dtype[Any], width: int, transform: Callable[[Words], Array], lowering: Callable[..., Any]
) -> Array:
    """An array of numbers made of `width` words each, a stretch of the stream at a time so that it stays in the processor's cache.

    lowering: makes the same numbers natively.
    """
    count = math.prod(shape)
    if count <= _STRETCH:
        return transform(stream.words(-(-count // 2) * 2 * width))[:count].reshape(shape).astype(dtype, copy=False)
    found = draw_natively(random_lowering.stretch(lowering, dtype), stream, count, dtype, _STRETCH * width // 4)
    if found is not None:
        return found.reshape(shape)
    out = np.empty(count, dtype)
    for start in range(0, count, _STRETCH):
        part = out[start : start + _STRETCH]
        part[:] = transform(stream.skip(start * width // 4).words(-(-len(part) // 2) * 2 * width))[: len(part)]
    return out.reshape(shape)


def draw_natively(
    lowering: Callable[..., Any], stream: Philox, count: int, dtype: np.dtype[Any], blocks: int, *bounds: Array
) -> Array | None:
    """Many numbers by native code, each stretch of which takes so many blocks; None where there is none, or they are not many.

    bounds: single numbers that the code takes beside the stream.
    """
    fill = native_part(lowering, *STREAM, *[((), x.dtype) for x in bounds]) if count >= blocked.SHARED else None
    if fill is None:
        return None
    out = np.empty(count, dtype)
    for i, start in enumerate(range(0, count, _STRETCH)):
        found = fill(*stream.skip(i * blocks).arrays(), *bounds)
        if type(found) is int:
            return None
        part = out[start : start + _STRETCH]
        part[:] = found[0][: len(part)]
    return out


def _unit(words: Words, dtype: np.dtype[Any]) -> Array:
    if dtype == np.float32:
        return ((words & np.uint32(0x7FFFFF)) | np.uint32(0x3F800000)).view(np.float32) - np.float32(1)
    if dtype == np.float16:
        return ((words & np.uint32(0x3FF)) | np.uint32(0x3C00)).astype(np.uint16).view(np.float16) - np.float16(1)
    bits = ((words & np.uint32(0x7F)) | np.uint32(0x3F80)).astype(np.uint16)
    out: Array = (bits.view(_BFLOAT16).astype(np.float32) - np.float32(1)).astype(_BFLOAT16)
    return out


def doubles(words: Words) -> npt.NDArray[np.float64]:
    """One double from each pair of words: twenty bits of the first, all of the second."""
    pairs = words.reshape(-1, 2).astype(np.uint64)
    bits = ((pairs[:, 0] & _LARGE_DOUBLE_MANTISSA) << np.uint64(32)) | pairs[:, 1] | np.uint64(0x3FF0000000000000)
    return bits.view(np.float64) - 1.0


def uniform_int(stream: Philox, shape: Shape, low: Array, high: Array) -> Array:
    """Integers in [low, high), by remainder: the slight bias for ranges that are no power of two is TensorFlow's."""
    kind, count = np.dtype(f"u{low.dtype.itemsize}"), math.prod(shape)
    span, start = np.asarray(np.subtract(high, low, dtype=low.dtype)).view(kind), np.asarray(low).view(kind)
    bounds = [start, span]
    if count and kind.itemsize == 8 and 0 < span <= random_lowering.MOST:
        bounds.append(np.asarray(1 / span.astype(np.float64)))
    found = draw_natively(random_lowering.int_stretch(kind), stream, count, kind, _STRETCH * kind.itemsize // 16, *bounds)
    if found is None:
        found = start + bits_of(stream, (count,), kind) % span
    return np.asarray(found).view(low.dtype).reshape(shape)


def bits_of(stream: Philox, shape: Shape, dtype: np.dtype[Any]) -> Array:
    """Unsigned integers of the width of `dtype`, every bit random."""
    count, kind = math.prod(shape), np.dtype(f"u{dtype.itemsize}")
    found = draw_natively(random_lowering.stretch(random_lowering.bits_of, kind), stream, count, kind, _STRETCH * kind.itemsize // 16)
    if found is not None:
        return found.reshape(shape)
    if dtype.itemsize == 4:
        return stream.words(count).reshape(shape)
    pairs = stream.words(2 * count).reshape(-1, 2).astype(np.uint64)
    return (pairs[:, 0] | pairs[:, 1] << np.uint64(32)).reshape(shape)


# ---------------------------------------------------------------------- normal


def normal(stream: Philox, shape: Shape, dtype: np.dtype[Any]) -> Array:
    """Standard normal numbers by the Box-Muller transform, sine first."""
    width, transform = (2, box_muller_64) if dtype == np.float64 else (1, _box_muller_32)
    return _fill_array(stream, shape, dtype, width, transform, random_lowering.normal_of)


def _box_muller_32(words: Words) -> npt.NDArray[np.float32]:
    pairs = _unit(words, np.dtype(np.float32)).reshape(-1, 2)
    radius = np.sqrt(np.float32(-2) * np.log(np.maximum(pairs[:, 0], np.float32(_SMALLEST_UNIFORM))))
    angle = (2 * math.pi * pairs[:, 1].astype(np.float64)).astype(np.float32)
    return np.stack([np.sin(angle) * radius, np.cos(angle) * radius], axis=-1).reshape(-1)


def box_muller_64(words: Words) -> npt.NDArray[np.float64]:
    """Standard normal numbers in double precision, two of every four words."""
    pairs = doubles(words).reshape(-1, 2)
    radius = np.sqrt(-2.0 * np.log(np.maximum(pairs[:, 0], _SMALLEST_UNIFORM)))
    angle = 2 * math.pi * pairs[:, 1]
    return np.stack([np.sin(angle) * radius, np.cos(angle) * radius], axis=-1).reshape(-1)


def truncated_normal(stream: Philox, shape: Shape, dtype: np.dtype[Any]) -> Array:
    """Standard normal numbers of magnitude below two; each group of outputs rejects within its own stretch of the stream."""
    count = math.prod(shape)
    group, transform = (2, box_muller_64) if dtype == np.float64 else (4, _box_muller_32)
    stretch = group * BLOCKS_PER_SAMPLE // 4
    found = draw_natively(random_lowering.truncated_stretch(dtype), stream, count, dtype, _STRETCH // group * stretch)
    if found is not None:
        return found.reshape(shape)
    starts = np.arange(-(-count // group), dtype=np.uint64) * np.uint64(stretch)
    return _fill_by_rejection(stream, starts, group, transform).reshape(-1)[:count].reshape(shape).astype(dtype)


def _fill_by_rejection(stream: Philox, starts: npt.NDArray[np.uint64], group: int, transform: Callable[[Words], Array]) -> Array:
    """Rows of `group` numbers: the first ones inside the cut-off of the stream that begins at each of `starts`."""
    rows: Array = np.zeros((len(starts), group), np.float64 if group == 2 else np.float32)
    filled = np.zeros(len(starts), np.intp)
    pending = np.arange(len(starts))
    block = 0
    while pending.size:
        numbers = transform(stream.blocks(starts[pending] + np.uint64(block)).reshape(-1)).reshape(len(pending), group)
        keep = np.abs(numbers) < 2
        position = filled[pending, None] + np.cumsum(keep, axis=1) - 1
        row, column = np.nonzero(keep & (position < group))
        rows[pending[row], position[row, column]] = numbers[row, column]
        filled[pending] += keep.sum(axis=1)
        pending = pending[filled[pending] < group]
        block += 1
    return rows


# ---------------------------------------------------------------------- categorical and permutations


def categorical(stream: Philox, logits: Array, samples: int, dtype: np.dtype[Any]) -> Array:
    """`samples` class indices for each row of `logits`, by inverting the cumulative distribution in double precision."""
    wide = logits.astype(np.float64)
    finite = np.isfinite(wide)
    least = np.finfo(np.float64).min
    peak = np.where(finite, wide, least).max(axis=1, keepdims=True, initial=least)
    weights = np.where(finite, np.exp(wide - peak), 0.0)
    cumulative = np.cumsum(weights, axis=1)
    draws = uniform(stream, (len(logits), samples), np.dtype(np.float64))
    out: Array = np.empty((len(logits), samples), dtype)
    for row, (edges, draw) in enumerate(zip(cumulative, draws, strict=True)):
        out[row] = np.searchsorted(edges, draw * edges[-1], side="right")
    return out


def permutation(stream: Philox, count: int) -> npt.NDArray[np.intp]:
    """A Fisher-Yates shuffle of `range(count)`: each position takes one of those from it on, one word a step."""
    words = bits_of(stream, (max(count - 1, 0),), np.dtype(np.uint32))
    if count > _FEW_STEPS:
        found = ENGINE.shuffle(words, count) if _MANY_STEPS <= count < 1 << 31 else None
        return _apply_all_swaps(words, count) if found is None else found
    order = list(range(count))
    for i, word in enumerate(words.tolist()):
        j = i + word % (count - i)
        order[i], order[j] = order[j], order[i]
    return np.array(order, np.intp)


_FEW_STEPS, _MANY_STEPS = 256, 4096


def _apply_all_swaps(words: Words, count: int) -> npt.NDArray[np.intp]:
    """The steps of a shuffle all at once.

    What a position holds is what the last step that took from it left there: what that step's own position held.  So every position
    points to an earlier one, and following the pointers to their ends tells what each held when its turn came.
    """
    steps = np.arange(count)
    taken = steps.copy()
    taken[:-1] += words % (count - steps[:-1])
    by_place = np.argsort(taken, kind="stable")
    same = taken[by_place][1:] == taken[by_place][:-1]
    before = np.full(count, -1)  # the step before that took from the same place
    before[by_place[1:][same]] = by_place[:-1][same]
    last = np.full(count, -1)
    ends = by_place[np.append(~same, True)]
    last[taken[ends]] = ends
    last = np.where(last == steps, before, last)  # a step does not change its own place before its turn
    held = np.where(last >= 0, last, steps)
    while True:
        further = held[held]
        if np.array_equal(further, held):
            break
        held = further
    return np.where(taken == steps, held, np.where(before >= 0, held[before], taken))
