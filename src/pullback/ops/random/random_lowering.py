"""How random draws are lowered for the engine: the Philox cipher on a vector of blocks at a time, and distributions made of its words.

Bits are the kernels' (`random_kernels`); normal numbers are so up to the rounding of logarithm, sine and cosine.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import Any

import ml_dtypes
import numpy as np

from ..lowering.array import sizes
from ..lowering.search import bound
from .philox import BLOCKS_PER_SAMPLE, MULTIPLIERS, ROUNDS, SCRAMBLE_KEY, WEYL

_BFLOAT16 = np.dtype(ml_dtypes.bfloat16)
_LOW = 0xFFFFFFFF
_SMALLEST_UNIFORM = 1.0e-7
_PHILOX = 1


def _element(steps: Any, form: Any, i: int) -> Any:
    return steps.affine(form, (), ((i, ()),))


# ---- the cipher


def _cipher(steps: Any, counter: tuple[Any, ...], key: tuple[Any, Any]) -> tuple[Any, ...]:
    """The four words of blocks, as 64-bit numbers; counter: the four words of theirs."""
    c0, c1, c2, c3 = counter
    k0, k1 = key
    for _ in range(ROUNDS):
        first, second = c0 * MULTIPLIERS[0], c2 * MULTIPLIERS[1]
        c0, c1, c2, c3 = steps.shr(second, 32) ^ c1 ^ k0, second & _LOW, steps.shr(first, 32) ^ c3 ^ k1, first & _LOW
        k0, k1 = (k0 + WEYL[0]) & _LOW, (k1 + WEYL[1]) & _LOW
    return c0, c1, c2, c3


def _halves(steps: Any, word: Any) -> tuple[Any, Any]:
    return word & _LOW, steps.shr(word, 32)


def _blocks(steps: Any, key: Any, counter: Any, count: int, apart: int = 1, first: int = 0) -> list[Any]:
    """The words of so many blocks of a stream, each a form of 32-bit numbers over the blocks; apart: how far the blocks are."""
    return blocks_at(steps, key, counter, steps.iota((count,), 0, np.uint64) * apart + first)


def blocks_at(steps: Any, key: Any, counter: Any, offsets: Any) -> list[Any]:
    """The words of the blocks that stand so far behind the counter."""
    low, high = _element(steps, counter, 0), _element(steps, counter, 1)
    at = steps.broadcast(low, offsets.dims) + offsets
    high = steps.broadcast(high, offsets.dims) + steps.cast(steps.compare("lt", at, low), np.uint64)
    words = _cipher(steps, (*_halves(steps, at), *_halves(steps, high)), _halves(steps, _element(steps, key, 0)))
    return [steps.cast(word, np.uint32) for word in words]


def key_and_counter(steps: Any, seed: Any) -> Any:
    """StatelessRandomGetKeyCounter."""
    low, high = (steps.cast(_element(steps, seed, i), np.uint64) for i in range(2))
    fixed = tuple(steps.scalar(k, low) for k in SCRAMBLE_KEY)
    w0, w1, w2, w3 = _cipher(steps, (*_halves(steps, low), *_halves(steps, high)), fixed)
    key, stream = w0 | steps.shl(w1, 32), w2 | steps.shl(w3, 32)
    second = steps.compare("eq", steps.iota((2,), 0, np.uint64), 1)
    return steps.reshape(key, (1,)), steps.select(second, stream, 0)


# ---- numbers made of words


def _unit(steps: Any, word: Any, dtype: Any) -> Any:
    """A number in [0, 1): random bits under a fixed exponent, minus one."""
    if dtype == np.float32:
        return steps.pointwise("bits", (word & 0x7FFFFF) | 0x3F800000, dtype=dtype) - 1.0
    mantissa, exponent = (0x7F, 0x3F80) if dtype == _BFLOAT16 else (0x3FF, 0x3C00)
    bits = steps.cast((word & mantissa) | exponent, np.uint16)
    return steps.pointwise("bits", bits, dtype=dtype) - 1.0


def _joint(steps: Any, first: Any, second: Any) -> Any:
    """A double in [0, 1) of two words."""
    first, second = steps.cast(first, np.uint64), steps.cast(second, np.uint64)
    bits = steps.shl(first & 0xFFFFF, 32) | second | 0x3FF0000000000000
    return steps.pointwise("bits", bits, dtype=np.float64) - 1.0


def uniform_of(steps: Any, words: list[Any], dtype: Any) -> list[Any]:
    if dtype == np.float64:
        return [_joint(steps, *words[:2]), _joint(steps, *words[2:])]
    return [_unit(steps, word, dtype) for word in words]


def _box_muller(steps: Any, first: Any, second: Any) -> list[Any]:
    """Two normal numbers of two uniform ones, sine first; the angle is rounded once."""
    radius = steps.sqrt(steps.log(steps.max(first, _SMALLEST_UNIFORM)) * -2.0)
    angle = steps.cast(steps.cast(second, np.float64) * (2 * math.pi), first.dtype)
    return [steps.sin(angle) * radius, steps.cos(angle) * radius]


def normal_of(steps: Any, words: list[Any], dtype: Any) -> list[Any]:
    if dtype == np.float64:
        return _box_muller(steps, *uniform_of(steps, words, dtype))
    units = [_unit(steps, word, np.dtype(np.float32)) for word in words]
    return [steps.cast(x, dtype) for pair in (units[:2], units[2:]) for x in _box_muller(steps, *pair)]


def bits_of(steps: Any, words: list[Any], dtype: Any) -> list[Any]:
    """Unsigned numbers of the width of `dtype`."""
    if dtype.itemsize == 4:
        return words
    wide = [steps.cast(word, np.uint64) for word in words]
    return [wide[i] | steps.shl(wide[i + 1], 32) for i in (0, 2)]


def _in_order(steps: Any, streams: list[Any], shape: tuple[int, ...]) -> Any:
    """Numbers of which each block gives some, one block's after another's."""
    (count,), width, wanted = streams[0].dims, len(streams), math.prod(shape)
    whole = steps.temporary((count * width,), streams[0].dtype)
    for i, stream in enumerate(streams):
        steps.put(stream, whole, [width], i, over=False)
    taken = whole if count * width == wanted else steps.affine(whole, (wanted,), ((0, ((0, 1),)),))
    return steps.reshape(taken, shape)


def _drawn(steps: Any, make: Callable[..., list[Any]], shape: Any, stream: tuple[Any, Any, Any], dtype: Any) -> Any:
    key, counter, algorithm = stream
    dims, kind = sizes(steps, shape), np.dtype(dtype)
    if int(steps.known(algorithm)) != _PHILOX or key.dims != (1,) or counter.dims != (2,) or min(dims, default=0) < 0:
        raise steps.Unsupported("another generator than Philox")
    if 0 in dims:
        return steps.filled(dims, kind, 0)
    each = 4 if kind.itemsize < 8 else 2
    return _in_order(steps, make(steps, _blocks(steps, key, counter, -(-math.prod(dims) // each)), kind), dims)


def _draw(make: Callable[..., list[Any]], signed: bool = False) -> Callable[..., Any]:
    def lower(steps: Any, shape: Any, key: Any, counter: Any, alg: Any, *, dtype: Any) -> Any:
        found = _drawn(steps, make, shape, (key, counter, alg), dtype.numpy)
        return steps.cast(found, dtype.numpy) if signed else found

    return lower


def _first_inside(steps: Any, numbers: list[Any], count: int) -> list[Any]:
    """The first `count` of some numbers that are smaller than two; a fault where there are not as many, which is rarer than one in 1e12."""
    inside = [steps.compare("lt", steps.abs(x), 2) for x in numbers]
    so_far: list[Any] = []
    for ok in inside:
        one = steps.cast(ok, np.int32)
        so_far.append(one if not so_far else so_far[-1] + one)
    steps.check(steps.compare("lt", so_far[-1], count))
    found = []
    for j in range(count):
        value = numbers[-1]
        for x, ok, n in zip(numbers[-2::-1], inside[-2::-1], so_far[-2::-1], strict=True):
            value = steps.select(ok & steps.compare("eq", n, j + 1), x, value)
        found.append(value)
    return found


def truncated_normal(steps: Any, shape: Any, key: Any, counter: Any, alg: Any, *, dtype: Any) -> Any:
    """StatelessTruncatedNormalV2: each group of numbers is the first ones inside of a stretch of the stream of its own."""
    dims, kind = sizes(steps, shape), np.dtype(dtype.numpy)
    if int(steps.known(alg)) != _PHILOX or key.dims != (1,) or counter.dims != (2,) or min(dims, default=0) < 0:
        raise steps.Unsupported("another generator than Philox")
    if 0 in dims:
        return steps.filled(dims, kind, 0)
    return _truncated(steps, key, counter, dims, kind)


def _truncated(steps: Any, key: Any, counter: Any, dims: tuple[int, ...], kind: Any) -> Any:
    group, tried = (2, 6) if kind.itemsize == 8 else (4, 4)
    wide = kind if kind.itemsize == 8 else np.dtype(np.float32)
    groups, apart = -(-math.prod(dims) // group), group * BLOCKS_PER_SAMPLE // 4
    numbers = [x for i in range(tried) for x in normal_of(steps, _blocks(steps, key, counter, groups, apart, i), wide)]
    kept = [steps.memory(x) for x in numbers]
    return _in_order(steps, [steps.cast(x, kind) for x in _first_inside(steps, kept, group)], dims)


uniform, normal, full_int = _draw(uniform_of), _draw(normal_of), _draw(bits_of, signed=True)


def uniform_int(steps: Any, shape: Any, key: Any, counter: Any, alg: Any, minval: Any, maxval: Any) -> Any:
    """StatelessRandomUniformIntV2: the remainder by the width of the range."""
    kind = minval.dtype
    if kind.itemsize < 4:
        raise steps.Unsupported("narrow whole numbers are drawn by their kernel")
    if 0 in sizes(steps, shape):
        return steps.filled(sizes(steps, shape), kind, 0)
    steps.check(~steps.compare("lt", minval, maxval))
    unsigned = np.dtype(f"u{kind.itemsize}")
    bits = _drawn(steps, bits_of, shape, (key, counter, alg), unsigned)
    span = steps.cast(maxval - minval, unsigned)
    return steps.cast(steps.cast(minval, unsigned) + steps.floormod(bits, span), kind)


def seeded(draw: Callable[..., Any]) -> Callable[..., Any]:
    """The lowering of a draw that takes the seed itself."""

    def lower(steps: Any, shape: Any, seed: Any, *bounds: Any, **attrs: Any) -> Any:
        return draw(steps, shape, *key_and_counter(steps, seed), steps.number(_PHILOX, np.int32), *bounds, **attrs)

    return lower


# ---- stretches of a stream, for kernels


#: Numbers that a stretch has.
STRETCH = 1 << 15


@cache
def stretch(make: Callable[..., list[Any]], dtype: Any) -> Callable[..., Any]:
    """The lowering of a stretch of numbers, given the stream's key and counter."""
    each = 4 if dtype.itemsize < 8 else 2
    return lambda steps, key, counter: _in_order(steps, make(steps, _blocks(steps, key, counter, STRETCH // each), dtype), (STRETCH,))


@cache
def int_stretch(dtype: Any) -> Callable[..., Any]:
    """The same of whole numbers, given where they start and how many there are."""

    def lower(steps: Any, key: Any, counter: Any, start: Any, span: Any) -> Any:
        return start + steps.floormod(stretch(bits_of, dtype)(steps, key, counter), span)

    return lower


@cache
def truncated_stretch(dtype: Any) -> Callable[..., Any]:
    """The same of truncated normal numbers."""
    return lambda steps, key, counter: _truncated(steps, key, counter, (STRETCH,), dtype)


# ---- classes


def _classes(steps: Any, logits: Any, num_samples: Any, stream: tuple[Any, Any], output_type: Any) -> Any:
    """Classes by inverting the cumulative distribution of each row in float64."""
    rows, classes = logits.dims
    samples = sizes(steps, num_samples)[0]
    if logits.dtype not in (np.float16, np.float32, np.float64) or not classes or samples < 0:
        raise steps.Unsupported("logits that are no floats, or none")
    if not rows or not samples:
        return steps.filled((rows, samples), np.dtype(output_type.numpy), 0)
    finite = steps.pointwise("isfinite", logits, dtype=np.bool_)
    peak = steps.reduce("max", steps.select(finite, logits, np.finfo(logits.dtype).min), [1], True)
    wide = steps.cast(logits, np.float64) - steps.cast(peak, np.float64)
    edges = steps.scan("add", steps.select(finite, steps.exp(wide), 0), 1)
    words = _blocks(steps, *stream, -(-2 * samples * rows // 4))
    draws = _in_order(steps, uniform_of(steps, words, np.float64), (rows, samples))
    total = steps.affine(edges, (rows, samples), ((0, ((0, 1),)), (classes - 1, ())))
    return bound("right")(steps, edges, draws * total, out_type=output_type)


def stateless_classes(steps: Any, logits: Any, num_samples: Any, seed: Any, *, output_dtype: Any) -> Any:
    """StatelessMultinomial."""
    return _classes(steps, logits, num_samples, key_and_counter(steps, seed), output_dtype)


def remembering_classes(
    steps: Any, key: Any, counter: Any, logits: Any, num_samples: Any, *, seed: int = 0, seed2: int = 0, output_dtype: Any
) -> Any:
    """Multinomial."""
    return _classes(steps, logits, num_samples, (key, counter), output_dtype)


# ---- draws that remember: the program gives where their stream stands


def remembering(draw: Callable[..., Any]) -> Callable[..., Any]:
    """The lowering of RandomUniform or RandomStandardNormal of that of the draw which is told its key and counter."""

    def lower(steps: Any, key: Any, counter: Any, shape: Any, *, dtype: Any, seed: int = 0, seed2: int = 0) -> Any:
        return draw(steps, shape, key, counter, steps.number(_PHILOX, np.int32), dtype=dtype)

    return lower


def remembering_int(
    steps: Any, key: Any, counter: Any, shape: Any, minval: Any, maxval: Any, *, seed: int = 0, seed2: int = 0
) -> Any:
    """RandomUniformInt, which allows an empty range where nothing is drawn."""
    return uniform_int(steps, shape, key, counter, steps.number(_PHILOX, np.int32), minval, maxval)
