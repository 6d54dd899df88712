"""ThreeFry 2x32 with 20 rounds, and what is drawn from it, number for number as XLA draws them for TensorFlow.

TensorFlow has this generator in functions that XLA compiles (on a processor too) and refuses it elsewhere; here it is everywhere.
The cipher: Salmon et al., "Parallel random numbers: as easy as 1, 2, 3" (2011). A block is two words. The blocks of an array of 32-bit
numbers lie along one of its axes, the first of even length or else the longest: the array is cut in halves there, which are interleaved,
so the same seed gives other numbers for another shape.
"""

from __future__ import annotations

import numpy as np

from ..array.type_rules import Array

_ROTATIONS = ((13, 15, 26, 6), (17, 29, 16, 24))
_PARITY = np.uint32(0x1BD11BDA)
_LOW = np.uint64(0xFFFFFFFF)
_WORD = np.uint64(32)
_TWO_PI = 2 * np.pi
#: Of the normal distribution: how much of it lies below -2, and between -2 and 2.
_BELOW, _BETWEEN = 0.022750131948179195, 0.9544997361036416


class ThreeFry:
    """A key and a counter of 64 bits each: where a stream of numbers begins."""

    def __init__(self, key: int, counter: int) -> None:
        self.key = (np.uint32(key & 0xFFFFFFFF), np.uint32(key >> 32))
        self.counter = np.uint64(counter)

    def _blocks(self, shape: tuple[int, ...]) -> tuple[Array, Array]:
        """The two words of each block of an array of blocks."""
        numbers = np.arange(np.prod(shape, dtype=np.int64), dtype=np.uint64).reshape(shape) + self.counter
        x, y = (numbers & _LOW).astype(np.uint32), (numbers >> _WORD).astype(np.uint32)
        keys = (*self.key, self.key[0] ^ self.key[1] ^ _PARITY)
        x, y = x + keys[0], y + keys[1]
        for turn in range(5):
            for distance in _ROTATIONS[turn % 2]:
                x += y
                y = (y << np.uint32(distance)) | (y >> np.uint32(32 - distance))
                y ^= x
            x += keys[(turn + 1) % 3]
            y += keys[(turn + 2) % 3]
            y += np.uint32(turn + 1)
        return x, y

    def words(self, shape: tuple[int, ...]) -> Array:
        """An array of 32 random bits each."""
        if not shape:
            return self.words((1,)).reshape(())
        axis = _cut_axis(shape)
        x, y = self._blocks(_halve_axis(shape, axis))
        return _interleave(x, y, shape, axis)

    def long_words(self, shape: tuple[int, ...]) -> Array:
        """An array of 64 random bits each: a block for each, its first word the low one."""
        x, y = self._blocks(shape)
        return x.astype(np.uint64) | y.astype(np.uint64) << _WORD


def _cut_axis(shape: tuple[int, ...]) -> int:
    """The axis along which an array is cut in halves."""
    even = [axis for axis, size in enumerate(shape) if size % 2 == 0]
    return even[0] if even else int(np.argmax(shape))


def _halve_axis(shape: tuple[int, ...], axis: int, *inserted: int) -> tuple[int, ...]:
    return (*shape[:axis], -(-shape[axis] // 2), *inserted, *shape[axis + 1 :])


def _interleave(x: Array, y: Array, shape: tuple[int, ...], axis: int) -> Array:
    """First of x, first of y, second of x and so on along `axis`, as far as `shape` goes."""
    both = np.stack([x, y], axis + 1)
    both = both.reshape(*shape[:axis], both.shape[axis] * 2, *shape[axis + 1 :])
    return both[(slice(None),) * axis + (slice(shape[axis]),)]


def _truncate_to_bfloat16(x: Array) -> Array:
    """float32 numbers without the bits that bfloat16 has not."""
    return (x.view(np.uint32) & np.uint32(0xFFFF0000)).view(np.float32)


def full_int(stream: ThreeFry, shape: tuple[int, ...], dtype: np.dtype) -> Array:
    """Integers, every bit random."""
    return (stream.words(shape) if dtype.itemsize == 4 else stream.long_words(shape)).view(dtype)


def uniform_int(stream: ThreeFry, shape: tuple[int, ...], low: Array, high: Array) -> Array:
    """Integers in [low, high): the remainder of all bits."""
    bits = full_int(stream, shape, np.dtype(f"u{low.dtype.itemsize}"))
    span = high.astype(bits.dtype) - low.astype(bits.dtype)
    return np.asarray((bits % span + low.astype(bits.dtype)).astype(low.dtype))


def uniform(stream: ThreeFry, shape: tuple[int, ...], dtype: np.dtype) -> Array:
    """Numbers in [0, 1): random bits as the mantissa of a number in [1, 2), less 1."""
    if dtype == np.float64:
        bits = stream.long_words(shape) >> np.uint64(12) | np.uint64(0x3FF0000000000000)
        return np.asarray(bits.view(np.float64) - 1.0)
    if dtype == np.float16:
        halves = (stream.words(shape) & np.uint32(0x3FF) | np.uint32(0x3C00)).astype(np.uint16)
        return np.asarray(halves.view(np.float16) - np.float16(1))
    found = (stream.words(shape) >> np.uint32(9) | np.uint32(0x3F800000)).view(np.float32) - np.float32(1)
    return found if dtype == np.float32 else _truncate_to_bfloat16(found).astype(dtype)


def normal(stream: ThreeFry, shape: tuple[int, ...], dtype: np.dtype) -> Array:
    """Normally distributed numbers in pairs (Box and Muller, 1958): a radius, and a sine and a cosine."""
    if dtype.kind != "f":
        return _truncate_to_bfloat16(np.ascontiguousarray(normal(stream, shape, np.dtype(np.float32)))).astype(dtype)
    if not shape:
        return normal(stream, (1,), dtype).reshape(())
    axis = _cut_axis(shape)
    pairs = uniform(stream, _halve_axis(shape, axis, 2), dtype)
    first, second = pairs.take(0, axis + 1), pairs.take(1, axis + 1)
    radius = np.sqrt(dtype.type(-2) * np.log(np.maximum(first, np.finfo(dtype).tiny)))
    angle = dtype.type(_TWO_PI) * second
    return _interleave(radius * np.sin(angle), radius * np.cos(angle), shape, axis)


def truncated_normal(stream: ThreeFry, shape: tuple[int, ...], dtype: np.dtype) -> Array:
    """Normally distributed numbers between -2 and 2: the quantiles of uniform ones."""
    from scipy import special

    if dtype.kind != "f":
        return _truncate_to_bfloat16(np.asarray(truncated_normal(stream, shape, np.dtype(np.float32)))).astype(dtype)
    chances = _BELOW + uniform(stream, shape, dtype).astype(np.float64) * _BETWEEN
    return np.asarray(special.ndtri(chances)).astype(dtype)
