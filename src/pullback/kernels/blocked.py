"""Ways around NumPy's slow loops, with NumPy's answers: choices without a branch, stable orders, blocks, rows with one id.

What is slow there, measured on a million float32: `np.where` with conditions in no order mispredicts half its branches (4 ms; by bits
0.5), and a stable argsort compares (37 ms for 1000 rows; by keys 4).
"""

from __future__ import annotations

import functools
import inspect
import math
import weakref
from collections.abc import Callable, Sequence
from types import BuiltinFunctionType
from typing import Any

import numpy as np

from . import parallel
from .backend import ENGINE
from .memory import make_empty

Array = np.ndarray[Any, Any]

LARGE = 1 << 14  # elements from which a second way pays
SHARED = 1 << 17  # elements from which blocks do, of so many:
BLOCK = 1 << 15
COSTLY = 1 << 12  # elements from which native code pays for a special function
ORDERED = 1 << 10  # elements from which keys do
_BITS: dict[int, Any] = {1: np.int8, 2: np.int16, 4: np.int32, 8: np.int64}


def select(condition: Array, a: Array, b: Array) -> Array:
    """`np.where(condition, a, b)` for `a` and `b` of one dtype."""
    kind: Any = _BITS.get(a.dtype.itemsize)
    if condition.size < LARGE or kind is None or a.dtype is not b.dtype or a.dtype.kind == "O" or condition.dtype != bool:
        return np.where(condition, a, b)
    mask = np.negative(condition.view(np.int8), dtype=kind)
    a, b, dtype = a.view(kind), b.view(kind), a.dtype
    if condition.shape in (a.shape, b.shape):
        out = np.bitwise_xor(a, b)
        mine = out if out.shape == condition.shape else None
        out = np.bitwise_and(out, mask, out=mine)
        return np.bitwise_xor(out, b, out=out if mine is not None else None).view(dtype)
    return np.asarray(((a ^ b) & mask) ^ b).view(dtype)


def clamp_min(x: Array, low: Any) -> Array:
    """`np.maximum(x, low)` for a number `low` of x's dtype: for large x by `np.clip`, whose loop is one of vectors."""
    if x.size < LARGE or x.dtype.kind not in "fiu":
        return np.asarray(np.maximum(x, low))
    return np.asarray(np.clip(x, low, np.inf if x.dtype.kind == "f" else np.iinfo(x.dtype).max))


def clamp_max(x: Array, high: Any) -> Array:
    """`np.minimum(x, high)` for a number `high` of x's dtype, likewise."""
    if x.size < LARGE or x.dtype.kind not in "fiu":
        return np.asarray(np.minimum(x, high))
    return np.asarray(np.clip(x, -np.inf if x.dtype.kind == "f" else np.iinfo(x.dtype).min, high))


# ---- orders


def _keys(x: Array) -> Array | None:
    """Integers in the order of the rows of `x`, equal elements by position; None where there are none of 64 bits."""
    if x.dtype.kind in "iu" and x.dtype.itemsize == 8 and x.size and int(x.min()) >= -(1 << 31) and int(x.max()) < 1 << 31:
        x = x.astype(np.int32)
    if x.dtype.char not in "fiIhHbB" or x.shape[-1] >= 1 << 31 or not x.dtype.isnative:
        return None
    if x.dtype.kind == "f":
        if np.isnan(x).any():
            return None
        bits = (x + np.float32(0)).view(np.int32)  # no negative zeros
        bits ^= (bits >> 31) & np.int32(0x7FFFFFFF)
        x = bits
    keys = x.astype(np.int64)
    keys <<= 32
    keys |= np.arange(x.shape[-1])
    return keys


def order(x: Array) -> Array:
    """`np.argsort` along the last axis, stable."""
    keys = _keys(x) if x.size >= ORDERED else None
    if keys is None:
        return np.argsort(x, axis=-1, kind="stable")
    keys.sort(axis=-1)
    keys &= 0xFFFFFFFF
    return keys


def find_largest(x: Array, count: int) -> Array:
    """The positions of the `count` largest elements of the last axis, largest first, of equal ones the first first."""
    size = x.shape[-1]
    turned = x[..., ::-1]
    keys = _keys(turned) if x.size >= LARGE and count else None
    if keys is None:
        return np.asarray(size - 1 - np.argsort(turned, axis=-1, kind="stable")[..., ::-1][..., :count])
    if count < size:
        keys.partition(size - count, axis=-1)
        keys = keys[..., size - count :]
    keys = np.sort(keys, axis=-1)[..., ::-1]
    return np.asarray(size - 1 - (keys & 0xFFFFFFFF))


# ---- blocks

#: The kernels that `block_kernel` made.
_IN_BLOCKS: weakref.WeakSet[Callable[..., Any]] = weakref.WeakSet()


def try_natively(known_as: Callable[..., Any], kernel: Callable[..., Any], arrays: Sequence[Array], attributes: dict[str, Any]) -> Any:
    """What a kernel gives, or a native program in its place.  known_as: the kernel as it is registered."""
    found = ENGINE.run_program(known_as, kernel, arrays, attributes)
    return kernel(*arrays, **attributes) if found is None else found


def allow_native(kernel: Callable[..., Any], least: int = SHARED) -> Callable[..., Any]:
    """A kernel that may give way to a native program of its operation on large arrays: what NumPy takes many passes for.

    least: how many elements the largest array has at least.
    """

    @functools.wraps(kernel)
    def call(*arrays: Array, **attributes: Any) -> Any:
        for x in arrays:
            if x.size >= least:
                return try_natively(call, kernel, arrays, attributes)
        return kernel(*arrays, **attributes)

    return call


def block_kernel(
    kernel: Callable[..., Any], known_as: object = None, check: Callable[..., None] | None = None, least: int = SHARED
) -> Callable[..., Any]:
    """An element-wise kernel of several passes that goes through large arrays in blocks, which stay in the cache, and over threads.

    Arrays of one shape, each contiguous, or of no dimensions; others go to the kernel as they are.  known_as: whose native code may take
    its place, where that is not the operation that has the result as its kernel.  check: raises what the kernel raises for numbers that
    it refuses, so that native code need not look at them.  least: how many elements an array has at least.

    A kernel that goes in blocks already is given back.
    """
    if kernel in _IN_BLOCKS:
        return kernel

    def run_blocks(*arrays: Array, **attributes: Any) -> Any:
        shape = max((x.shape for x in arrays), key=math.prod)
        if not all((x.shape == shape and x.flags.c_contiguous) or not x.ndim for x in arrays):
            return kernel(*arrays, **attributes)
        flat = [x.reshape(-1) if x.ndim else np.asarray(x) for x in arrays]
        if check is not None:
            check(*flat)
        found = ENGINE.run_blockwise(known_as or call, kernel, flat, attributes, check is not None)
        if found is not None:
            return found.reshape(shape)
        first = kernel(*(x[:BLOCK] if x.ndim else x for x in flat), **attributes)
        out = make_empty((math.prod(shape),), first.dtype)
        out[:BLOCK] = first
        in_place = isinstance(kernel, np.ufunc)

        def block(i: int) -> None:
            at = slice((i + 1) * BLOCK, (i + 2) * BLOCK)
            parts = [x[at] if x.ndim else x for x in flat]
            if in_place:
                kernel(*parts, out=out[at])
            else:
                out[at] = kernel(*parts, **attributes)

        parallel.run(block, -(-out.size // BLOCK) - 1)
        return out.reshape(shape)

    call = functools.wraps(kernel)(_gate(kernel, run_blocks, least))
    _IN_BLOCKS.add(call)
    return call


def _gate(kernel: Callable[..., Any], large: Callable[..., Any], least: int) -> Callable[..., Any]:
    """`kernel` for small arrays, else `large`; one and two arguments go the short way, for small arrays are what most programs have."""
    count = _arguments(inspect.unwrap(kernel))
    if count == 1:
        return lambda x: kernel(x) if x.size < least else large(x)
    if count == 2:
        return lambda x, y: kernel(x, y) if x.size < least and y.size < least else large(x, y)

    def choose_path(*arrays: Array, **attributes: Any) -> Any:
        is_small = arrays[0].size < least and arrays[-1].size < least
        return kernel(*arrays, **attributes) if is_small else large(*arrays, **attributes)

    return choose_path


def _arguments(kernel: Callable[..., Any]) -> int:
    """How many arguments a kernel takes, 0 where that varies or it has attributes."""
    if isinstance(kernel, np.ufunc):  # which have no signature before NumPy 2.4
        return kernel.nin
    if isinstance(kernel, BuiltinFunctionType):  # of `operator`: asking `inspect` loads Python's tokenizer
        return str(getattr(kernel, "__text_signature__", "")).count(",") - 1
    parameters = inspect.signature(kernel).parameters.values()
    return len(parameters) if all(p.kind is p.POSITIONAL_OR_KEYWORD for p in parameters) else 0


# ---- rows with one id


def combine_rows(combine: np.ufunc, rows: Array, ids: Array) -> tuple[Array, Array]:
    """The distinct ids, rising, and the rows of each combined in the order they stand in.

    Where many rows have few ids, each run is one reduction.  Else all first rows are taken, then all second ones combined into them, and
    so on, with ids by the number of their rows, so that those that go on are the first ones: whole rows at a time, and no sort of rows.
    """
    rising = len(ids) < 2 or bool((ids[1:] >= ids[:-1]).all())
    places = None if rising else order(ids)
    sorted_ids = ids if places is None else ids[places]
    starts = np.flatnonzero(np.concatenate(([True], sorted_ids[1:] != sorted_ids[:-1]))) if len(ids) else np.zeros(0, np.intp)
    counts = np.diff(np.append(starts, len(ids)))
    found = sorted_ids[starts]
    longest = int(counts.max(initial=0))
    if not len(ids) or rows.size < LARGE or rows.size < longest * 4096:
        given = rows if places is None else rows.take(places, axis=0)
        return found, combine.reduceat(given, starts, axis=0, dtype=rows.dtype) if len(ids) else given
    by_count = np.argsort(-counts, kind="stable")
    starts, counts = starts[by_count], counts[by_count]
    out = rows.take(starts if places is None else places[starts], axis=0)
    for j in range(1, longest):
        going_on = int(np.searchsorted(-counts, -j, "left"))
        at = starts[:going_on] + j
        combine(out[:going_on], rows.take(at if places is None else places[at], axis=0), out=out[:going_on])
    result = np.empty_like(out)
    result[by_count] = out
    return found, result


def places_of(index: Sequence[Array], sizes: Sequence[int]) -> Array:
    """Where an array of `sizes`, one element after another, has what the arrays of `index` name on each axis; they lie within."""
    found = index[0].astype(np.intp)
    for one, size in zip(index[1:], sizes[1:], strict=True):
        found = found * size
        found += one
    return found


def change(combine: np.ufunc, out: Array, index: Array | tuple[Array, ...], updates: Array) -> None:
    """`combine.at(out, index, updates)` for indices of the first axes that lie within them and are not negative."""
    arrays = index if isinstance(index, tuple) else (index,)
    sizes, shape = out.shape[: len(arrays)], out.shape[len(arrays) :]
    plain = out.flags.c_contiguous and out.dtype is updates.dtype and out.dtype.char in "fdFDil" and combine is not np.divide
    if updates.size < ORDERED or not plain or not arrays:
        combine.at(out, index, updates)
        return
    places = places_of(np.broadcast_arrays(*arrays), sizes)
    if updates.shape != (*places.shape, *shape):
        combine.at(out, index, updates)
    elif math.prod(shape) == 1:
        combine.at(out.reshape(-1), places.reshape(-1), updates.reshape(-1))
    else:
        found, rows = combine_rows(np.add if combine is np.subtract else combine, updates.reshape(places.size, -1), places.reshape(-1))
        target = out.reshape(math.prod(sizes), -1)
        target[found] = combine(target.take(found, axis=0), rows)


def distinct(x: Array) -> tuple[Array, Array, Array, Array]:
    """The distinct elements of a vector, rising; where each stands first, each element's place among them, and how often each is there.

    Each NaN is distinct from all others.
    """
    if x.dtype.kind in "iu" and x.size >= LARGE:
        low, high = int(x.min()), int(x.max())
        if high - low < 2 * x.size:
            return _distinct_by_table(x, low, high - low + 1)
    if x.size < LARGE or _keys(x[:1]) is None or (x.dtype.kind == "f" and np.isnan(x).any()):
        values, first, inverse, counts = np.unique(x, return_index=True, return_inverse=True, return_counts=True, equal_nan=False)
        return values, first, inverse.reshape(-1), counts
    places = order(x)
    rising = x[places]
    new = np.concatenate(([True], rising[1:] != rising[:-1]))
    starts = np.flatnonzero(new)
    inverse = np.empty(x.size, np.int64)
    inverse[places] = np.cumsum(new) - 1
    return rising[starts], places[starts], inverse, np.diff(np.append(starts, x.size))


def _distinct_by_table(x: Array, low: int, size: int) -> tuple[Array, Array, Array, Array]:
    at = x.astype(np.int64) - low
    table = np.full(size, -1)
    table[at[::-1]] = np.arange(x.size - 1, -1, -1)  # of several the last one stays, which is the first
    present = np.flatnonzero(table >= 0)
    first = table[present]
    table[present] = np.arange(len(present))
    return (present + low).astype(x.dtype), first, table[at], np.bincount(at, minlength=size)[present]


def block_rows(kernel: Callable[..., tuple[Array, ...]]) -> Callable[..., tuple[Array, ...]]:
    """A kernel of arrays with as many rows each, whose results have a row (or a number) for each, a block of rows at a time."""

    @functools.wraps(kernel)
    def call(*arrays: Array) -> tuple[Array, ...]:
        size, rows = max(x.size for x in arrays), len(arrays[0])
        step = max(4 * BLOCK * rows // max(size, 1), 1)
        if size < SHARED or rows <= step:
            return kernel(*arrays)
        first = kernel(*(x[:step] for x in arrays))
        outs = tuple(np.empty((rows, *part.shape[1:]), part.dtype) for part in first)
        for out, part in zip(outs, first, strict=True):
            out[:step] = part

        def block(i: int) -> None:
            at = slice((i + 1) * step, (i + 2) * step)
            for out, part in zip(outs, kernel(*(x[at] for x in arrays)), strict=True):
                out[at] = part

        parallel.run(block, -(-rows // step) - 1)
        return outs

    return call


def join_rows(x: Array, *vectors: Array) -> tuple[Array, ...]:
    """A matrix with short rows as one with longer ones, several of them side by side, and vectors of a row's length to go with it."""
    rows, length = x.shape
    side = next(k for k in (64, 32, 16, 8, 4, 2, 1) if k == 1 or (rows % k == 0 and k * length <= 2048))
    return x.reshape(rows // side, side * length), *(np.tile(v, side) for v in vectors)
