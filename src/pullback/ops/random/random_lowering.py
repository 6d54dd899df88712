"""How random draws are lowered for the engine: the Philox cipher on a vector of blocks at a time, and distributions made of its words.

Bits are the kernels' (`random_kernels`); normal numbers are so up to the rounding of logarithm, sine and cosine.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any

import ml_dtypes
import numpy as np

from ..lowering.array import sizes
from ..lowering.search import lower_search
from .philox import BLOCKS_PER_SAMPLE, MULTIPLIERS, ROUNDS, SCRAMBLE_KEY, WEYL

if TYPE_CHECKING:
    from ...base.dtypes import DType
    from ...engine.lowering.builder import Builder
    from ...engine.lowering.index_expr import IndexExpr

_BFLOAT16 = np.dtype(ml_dtypes.bfloat16)
_LOW = 0xFFFFFFFF
_SMALLEST_UNIFORM = 1.0e-7
_PHILOX = 1


def _element(builder: Builder, expr: Any, i: int) -> IndexExpr:
    return builder.affine(expr, (), ((i, ()),))


# ---- the cipher


def _cipher(builder: Builder, counter: tuple[Any, ...], key: tuple[Any, Any]) -> tuple[Any, ...]:
    """The four words of blocks, as 64-bit numbers; counter: the four words of theirs."""
    c0, c1, c2, c3 = counter
    k0, k1 = key
    for _ in range(ROUNDS):
        first, second = c0 * MULTIPLIERS[0], c2 * MULTIPLIERS[1]
        c0, c1, c2, c3 = builder.shr(second, 32) ^ c1 ^ k0, second & _LOW, builder.shr(first, 32) ^ c3 ^ k1, first & _LOW
        k0, k1 = (k0 + WEYL[0]) & _LOW, (k1 + WEYL[1]) & _LOW
    return c0, c1, c2, c3


def _halves(builder: Builder, word: Any) -> tuple[Any, Any]:
    return word & _LOW, builder.shr(word, 32)


def _blocks(builder: Builder, key: Any, counter: Any, count: int, apart: int = 1, first: int = 0) -> list[Any]:
    """The words of so many blocks of a stream, each a form of 32-bit numbers over the blocks; apart: how far the blocks are."""
    return blocks_at(builder, key, counter, builder.iota((count,), 0, np.uint64) * apart + first)


def blocks_at(builder: Builder, key: Any, counter: Any, offsets: Any) -> list[Any]:
    """The words of the blocks that stand so far behind the counter."""
    low, high = _element(builder, counter, 0), _element(builder, counter, 1)
    at = builder.broadcast(low, offsets.dims) + offsets
    high = builder.broadcast(high, offsets.dims) + builder.cast(builder.compare("lt", at, low), np.uint64)
    words = _cipher(builder, (*_halves(builder, at), *_halves(builder, high)), _halves(builder, _element(builder, key, 0)))
    return [builder.cast(word, np.uint32) for word in words]


def move_counter(builder: Builder, counter: Any, blocks: Any) -> IndexExpr:
    """The counter of a stream so many blocks later."""
    low, high = _element(builder, counter, 0), _element(builder, counter, 1)
    moved = low + blocks
    high = high + builder.cast(builder.compare("lt", moved, low), np.uint64)
    return _join_words(builder, moved, high)


def _join_words(builder: Any, first: IndexExpr, second: IndexExpr) -> IndexExpr:
    return builder.select(builder.compare("eq", builder.iota((2,), 0, np.uint64), 1), second, first)


def key_and_counter(builder: Any, seed: IndexExpr) -> Any:
    """StatelessRandomGetKeyCounter."""
    low, high = (builder.cast(_element(builder, seed, i), np.uint64) for i in range(2))
    fixed = tuple(builder.scalar(k, low) for k in SCRAMBLE_KEY)
    w0, w1, w2, w3 = _cipher(builder, (*_halves(builder, low), *_halves(builder, high)), fixed)
    key, stream = w0 | builder.shl(w1, 32), w2 | builder.shl(w3, 32)
    second = builder.compare("eq", builder.iota((2,), 0, np.uint64), 1)
    return builder.reshape(key, (1,)), builder.select(second, stream, 0)


# ---- numbers made of words


def _unit(builder: Builder, word: Any, dtype: Any) -> IndexExpr:
    """A number in [0, 1): random bits under a fixed exponent, minus one."""
    if dtype == np.float32:
        return builder.pointwise("bits", (word & 0x7FFFFF) | 0x3F800000, dtype=dtype) - 1.0
    mantissa, exponent = (0x7F, 0x3F80) if dtype == _BFLOAT16 else (0x3FF, 0x3C00)
    bits = builder.cast((word & mantissa) | exponent, np.uint16)
    return builder.pointwise("bits", bits, dtype=dtype) - 1.0


def _joint(builder: Builder, first: Any, second: Any) -> IndexExpr:
    """A double in [0, 1) of two words."""
    first, second = builder.cast(first, np.uint64), builder.cast(second, np.uint64)
    bits = builder.shl(first & 0xFFFFF, 32) | second | 0x3FF0000000000000
    return builder.pointwise("bits", bits, dtype=np.float64) - 1.0


def uniform_of(builder: Builder, words: list[Any], dtype: object) -> list[Any]:
    """Numbers of [0, 1) from words."""
    if dtype == np.float64:
        return [_joint(builder, *words[:2]), _joint(builder, *words[2:])]
    return [_unit(builder, word, dtype) for word in words]


def _box_muller(builder: Builder, first: Any, second: Any) -> list[Any]:
    """Two normal numbers of two uniform ones, sine first; the angle is rounded once."""
    radius = builder.sqrt(builder.log(builder.max(first, _SMALLEST_UNIFORM)) * -2.0)
    angle = builder.cast(builder.cast(second, np.float64) * (2 * math.pi), first.dtype)
    return [builder.sin(angle) * radius, builder.cos(angle) * radius]


def normal_of(builder: Builder, words: list[Any], dtype: object) -> list[Any]:
    """Standard normal numbers from words."""
    if dtype == np.float64:
        return _box_muller(builder, *uniform_of(builder, words, dtype))
    units = [_unit(builder, word, np.dtype(np.float32)) for word in words]
    return [builder.cast(x, dtype) for pair in (units[:2], units[2:]) for x in _box_muller(builder, *pair)]


def bits_of(builder: Builder, words: list[Any], dtype: Any) -> list[Any]:
    """Unsigned numbers of the width of `dtype`."""
    if dtype.itemsize == 4:
        return words
    wide = [builder.cast(word, np.uint64) for word in words]
    return [wide[i] | builder.shl(wide[i + 1], 32) for i in (0, 2)]


def _join_in_order(builder: Builder, streams: list[Any], shape: tuple[int, ...]) -> IndexExpr:
    """Numbers of which each block gives some, one block's after another's."""
    (count,), width, wanted = streams[0].dims, len(streams), math.prod(shape)
    whole = builder.temporary((count * width,), streams[0].dtype)
    for i, stream in enumerate(streams):
        builder.put(stream, whole, [width], i, over=False)
    taken = whole if count * width == wanted else builder.affine(whole, (wanted,), ((0, ((0, 1),)),))
    return builder.reshape(taken, shape)


def _draw_numbers(builder: Builder, make: Callable[..., list[Any]], shape: Any, stream: tuple[Any, Any, Any], dtype: Any) -> IndexExpr:
    key, counter, algorithm = stream
    dims, kind = sizes(builder, shape), np.dtype(dtype)
    if int(builder.get_constant(algorithm)) != _PHILOX or key.dims != (1,) or counter.dims != (2,) or min(dims, default=0) < 0:
        raise builder.Unsupported("another generator than Philox")
    if 0 in dims:
        return builder.fill_memory(dims, kind, 0)
    each = 4 if kind.itemsize < 8 else 2
    return _join_in_order(builder, make(builder, _blocks(builder, key, counter, -(-math.prod(dims) // each)), kind), dims)


def _draw(make: Callable[..., list[Any]], signed: bool = False) -> Callable[..., Any]:
    def lower(builder: Any, shape: Any, key: Any, counter: Any, alg: Any, *, dtype: Any) -> Any:
        found = _draw_numbers(builder, make, shape, (key, counter, alg), dtype.numpy_dtype)
        return builder.cast(found, dtype.numpy_dtype) if signed else found

    return lower


def _take_first_inside(builder: Builder, numbers: list[Any], count: int) -> list[Any]:
    """The first `count` of some numbers that are smaller than two; a fault where there are not as many, once in 1e9 groups."""
    inside = [builder.compare("lt", builder.abs(x), 2) for x in numbers]
    so_far: list[Any] = []
    for ok in inside:
        one = builder.cast(ok, np.int32)
        so_far.append(one if not so_far else so_far[-1] + one)
    builder.check(builder.compare("lt", so_far[-1], count))
    found = []
    for j in range(count):
        value = numbers[-1]
        for x, ok, n in zip(numbers[-2::-1], inside[-2::-1], so_far[-2::-1], strict=True):
            value = builder.select(ok & builder.compare("eq", n, j + 1), x, value)
        found.append(value)
    return found


def truncated_normal(builder: Builder, shape: IndexExpr, key: IndexExpr, counter: IndexExpr, alg: IndexExpr, *, dtype: DType) -> IndexExpr:
    """StatelessTruncatedNormalV2: each group of numbers is the first ones inside of a stretch of the stream of its own."""
    dims, kind = sizes(builder, shape), np.dtype(dtype.numpy_dtype)
    if int(builder.get_constant(alg)) != _PHILOX or key.dims != (1,) or counter.dims != (2,) or min(dims, default=0) < 0:
        raise builder.Unsupported("another generator than Philox")
    if 0 in dims:
        return builder.fill_memory(dims, kind, 0)
    return _draw_truncated(builder, key, counter, dims, kind)


def _draw_truncated(builder: Builder, key: Any, counter: Any, dims: tuple[int, ...], kind: Any) -> IndexExpr:
    group, tried = (2, 5) if kind.itemsize == 8 else (4, 3)
    wide = kind if kind.itemsize == 8 else np.dtype(np.float32)
    groups, apart = -(-math.prod(dims) // group), group * BLOCKS_PER_SAMPLE // 4
    numbers = [x for i in range(tried) for x in normal_of(builder, _blocks(builder, key, counter, groups, apart, i), wide)]
    kept = [builder.memory(x) for x in numbers]
    return _join_in_order(builder, [builder.cast(x, kind) for x in _take_first_inside(builder, kept, group)], dims)


uniform, normal, full_int = _draw(uniform_of), _draw(normal_of), _draw(bits_of, signed=True)


def uniform_int(
    builder: Builder, shape: IndexExpr, key: IndexExpr, counter: IndexExpr, alg: IndexExpr, minval: IndexExpr, maxval: IndexExpr
) -> IndexExpr:
    """StatelessRandomUniformIntV2: the remainder by the width of the range."""
    kind = minval.dtype
    if kind.itemsize < 4:
        raise builder.Unsupported("narrow whole numbers are drawn by their kernel")
    if 0 in sizes(builder, shape):
        return builder.fill_memory(sizes(builder, shape), kind, 0)
    builder.check(~builder.compare("lt", minval, maxval))
    unsigned = np.dtype(f"u{kind.itemsize}")
    bits = _draw_numbers(builder, bits_of, shape, (key, counter, alg), unsigned)
    span = builder.cast(maxval - minval, unsigned)
    return builder.cast(builder.cast(minval, unsigned) + builder.floormod(bits, span), kind)


def lower_seeded(draw: Callable[..., Any]) -> Callable[..., Any]:
    """The lowering of a draw that takes the seed itself."""

    def lower(builder: Any, shape: Any, seed: Any, *bounds: Any, **attrs: Any) -> Any:
        return draw(builder, shape, *key_and_counter(builder, seed), builder.number(_PHILOX, np.int32), *bounds, **attrs)

    return lower


# ---- stretches of a stream, for kernels


#: Numbers that a stretch has.
STRETCH = 1 << 15


@cache
def stretch(make: Callable[..., list[Any]], dtype: Any) -> Callable[..., Any]:
    """The lowering of a stretch of numbers, given the stream's key and counter."""
    each = 4 if dtype.itemsize < 8 else 2
    return lambda builder, key, counter: _join_in_order(
        builder, make(builder, _blocks(builder, key, counter, STRETCH // each), dtype), (STRETCH,)
    )


@cache
def int_stretch(dtype: Any) -> Callable[..., Any]:
    """The same of whole numbers, given where they start and how many there are; the inverse too for 64 bits and at most `MOST`."""

    def lower(builder: Any, key: Any, counter: Any, start: Any, span: Any, *inverse: Any) -> Any:
        def make(builder: Any, words: list[Any], dtype: Any) -> list[Any]:
            return [
                start + (_remainder(builder, bits, span, *inverse) if inverse else builder.floormod(bits, span))
                for bits in bits_of(builder, words, dtype)
            ]

        return stretch(make, dtype)(builder, key, counter)

    return lower


#: How many numbers a range has at most for `_remainder`.
MOST = 1 << 30


def _remainder(builder: Any, bits: Any, span: Any, inverse: Any) -> IndexExpr:
    """64 bits modulo `span`, one half after the other: vectors divide no whole numbers, a product with the inverse is off by one."""
    high = builder.cast(builder.shr(bits, 32), np.float64)
    rest = high - builder.floor(high * inverse) * builder.cast(span, np.float64)
    number = builder.shl(builder.cast(rest, np.int64), 32) + builder.cast(bits & _LOW, np.int64)
    whole = builder.cast(span, np.int64)
    rest = number - builder.cast(builder.floor(builder.cast(number, np.float64) * inverse), np.int64) * whole
    rest = builder.select(builder.compare("lt", rest, 0), rest + whole, rest)
    return builder.cast(builder.select(builder.compare("ge", rest, whole), rest - whole, rest), bits.dtype)


@cache
def truncated_stretch(dtype: object) -> Callable[..., Any]:
    """The same of truncated normal numbers."""
    return lambda builder, key, counter: _draw_truncated(builder, key, counter, (STRETCH,), dtype)


# ---- classes


def _classes(builder: Builder, logits: Any, num_samples: Any, stream: tuple[Any, Any], output_type: Any) -> Any:
    """Classes by inverting the cumulative distribution of each row in float64."""
    rows, classes = logits.dims
    samples = sizes(builder, num_samples)[0]
    if logits.dtype not in (np.float16, np.float32, np.float64) or not classes or samples < 0:
        raise builder.Unsupported("logits that are no floats, or none")
    if not rows or not samples:
        return builder.fill_memory((rows, samples), np.dtype(output_type.numpy_dtype), 0)
    finite = builder.pointwise("isfinite", logits, dtype=np.bool_)
    peak = builder.reduce("max", builder.select(finite, logits, np.finfo(logits.dtype).min), [1], True)
    wide = builder.cast(logits, np.float64) - builder.cast(peak, np.float64)
    edges = builder.scan("add", builder.select(finite, builder.exp(wide), 0), 1)
    words = _blocks(builder, *stream, -(-2 * samples * rows // 4))
    draws = _join_in_order(builder, uniform_of(builder, words, np.float64), (rows, samples))
    total = builder.affine(edges, (rows, samples), ((0, ((0, 1),)), (classes - 1, ())))
    return lower_search("right")(builder, edges, draws * total, out_type=output_type)


def stateless_classes(builder: Builder, logits: IndexExpr, num_samples: IndexExpr, seed: IndexExpr, *, output_dtype: DType) -> Any:
    """StatelessMultinomial."""
    return _classes(builder, logits, num_samples, key_and_counter(builder, seed), output_dtype)


def lower_stateful_classes(
    builder: Builder,
    key: IndexExpr,
    counter: IndexExpr,
    logits: object,
    num_samples: object,
    *,
    seed: int = 0,
    seed2: int = 0,
    output_dtype: DType,
) -> IndexExpr:
    """Multinomial."""
    return _classes(builder, logits, num_samples, (key, counter), output_dtype)


# ---- draws that remember: the program gives where their stream stands


def lower_stateful(draw: Callable[..., Any]) -> Callable[..., Any]:
    """The lowering of RandomUniform or RandomStandardNormal of that of the draw which is told its key and counter."""

    def lower(builder: Any, key: Any, counter: Any, shape: Any, *, dtype: Any, seed: int = 0, seed2: int = 0) -> Any:
        return draw(builder, shape, key, counter, builder.number(_PHILOX, np.int32), dtype=dtype)

    return lower


def lower_stateful_int(
    builder: Builder, key: IndexExpr, counter: IndexExpr, shape: IndexExpr, minval: Any, maxval: Any, *, seed: int = 0, seed2: int = 0
) -> IndexExpr:
    """RandomUniformInt, which allows an empty range where nothing is drawn."""
    return uniform_int(builder, shape, key, counter, builder.number(_PHILOX, np.int32), minval, maxval)
