"""How ops that look for elements, or count them, are lowered for the engine: positions of extremes, places in sorted rows, histograms."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ...base.dtypes import int32
from .array import sizes
from .reduce import wide

#: The longest rows that are sorted here, and the most pairs of their elements.
_SHORT, _PAIRS = 256, 1 << 22


def _refuse(steps: Any, bad: Any, among: Any) -> None:
    if among.size:
        steps.check(bad)


def position(kind: str) -> Callable[..., Any]:
    """The lowering of ArgMax or ArgMin: the first place where the extreme is; NaN is never one."""

    def lower(steps: Any, input: Any, dimension: Any, *, output_type: Any) -> Any:
        axis, x = sizes(steps, dimension)[0] % len(input.dims), wide(steps, input)
        if not input.dims[axis]:
            raise steps.Unsupported("an empty axis")
        if x.dtype.kind == "b":
            x = steps.cast(x, np.uint8)
        if x.dtype.kind == "f":
            x = steps.select(steps.pointwise("isnan", x, dtype=np.bool_), -math.inf if kind == "max" else math.inf, x)
        found = steps.broadcast(steps.reduce(kind, x, [axis], True), x.dims)
        at = steps.iota(x.dims, axis, np.int32)
        first = steps.reduce("min", steps.select(steps.compare("eq", x, found), at, x.dims[axis]), [axis])
        return steps.cast(first, output_type.numpy)

    return lower


def top_k(steps: Any, input: Any, k: Any, *, sorted: bool = True, index_type: Any) -> Any:
    """TopKV2 of short rows: the place of an element is the number of those before it, counted for all at once.  NaN is greatest."""
    *lead, n = input.dims
    rows, count = math.prod(lead), sizes(steps, k)[0]
    if not input.size or not count or n > _SHORT or rows * n * n > _PAIRS or input.dtype.kind not in "iuf":
        raise steps.Unsupported("long rows, and those of bfloat16, are sorted by their kernel")
    flat, space = steps.reshape(input, (rows, n)), (rows, n, n)
    own, other = (steps.affine(flat, space, ((0, ((0, 1),)), (0, ((axis, 1),)))) for axis in (1, 2))
    above, same = steps.compare("gt", other, own), steps.compare("eq", other, own)
    if input.dtype.kind not in "iu":
        odd, own_odd = (steps.pointwise("isnan", x, dtype=np.bool_) for x in (other, own))
        above, same = above | (odd & ~own_odd), same | (odd & own_odd)
    ahead = above | (same & steps.compare("lt", steps.iota(space, 2, np.int32), steps.iota(space, 1, np.int32)))
    place = steps.reduce("sum", steps.cast(ahead, np.int32), [2]) + steps.iota((rows, n), 0, np.int32) * n
    zeros = steps.broadcast(steps.number(0, np.int32), (rows * n,))
    order = steps.scatter(zeros, steps.reshape(place, (rows * n,)), steps.reshape(steps.iota((rows, n), 1, np.int32), (rows * n,)), "put")
    first = steps.affine(steps.reshape(order, (rows, n)), (rows, count), ((0, ((0, 1),)), (0, ((1, 1),))))
    values = steps.gather(flat, (rows, count), ((0, ((0, 1),)), (0, ())), (None, first))
    return steps.reshape(values, (*lead, count)), steps.cast(steps.reshape(first, (*lead, count)), index_type.numpy)


def in_top_k(steps: Any, predictions: Any, targets: Any, k: Any) -> Any:
    """InTopKV2: whether fewer than k numbers of a row are greater than the target's; never where one is not finite."""
    rows, classes = predictions.dims
    inside = steps.compare("ge", targets, 0) & steps.compare("lt", targets, classes)
    if not classes:
        return inside & steps.compare("gt", k, 0)
    own = steps.gather(predictions, (rows,), ((0, ((0, 1),)), (0, ())), (None, steps.select(inside, targets, 0)))
    ahead = steps.reduce("sum", steps.cast(steps.compare("gt", predictions, steps.reshape(own, (rows, 1))), np.float32), [1])
    finite = steps.reduce("all", steps.pointwise("isfinite", predictions, dtype=np.bool_), [1])
    return inside & finite & steps.compare("lt", ahead, steps.cast(k, np.float32))


def bound(side: str) -> Callable[..., Any]:
    """The lowering of LowerBound or UpperBound: each place is halved in as many steps as the rows need; NaN comes last."""

    def lower(steps: Any, sorted_inputs: Any, values: Any, *, out_type: Any) -> Any:
        n = sorted_inputs.dims[1]
        low, high = steps.broadcast(steps.number(0, np.int32), values.dims), steps.broadcast(steps.number(n, np.int32), values.dims)
        rows = ((0, ((0, 1),)), (0, ()))
        for _ in range(n.bit_length()):
            middle = steps.shr(low + high, 1)
            there = steps.gather(sorted_inputs, values.dims, rows, (None, middle))
            before = _before(steps, there, values) if side == "left" else ~_before(steps, values, there)
            before = before & steps.compare("lt", low, high)
            low, high = steps.select(before, middle + 1, low), steps.select(before, high, middle)
        return steps.cast(low, out_type.numpy)

    return lower


def _before(steps: Any, x: Any, y: Any) -> Any:
    """Whether x comes before y in an order where NaN is greatest."""
    less = steps.compare("lt", x, y)
    return less | (steps.compare("ne", y, y) & steps.compare("eq", x, x)) if x.dtype.kind not in "iub" else less


def bucketize(steps: Any, input: Any, *, boundaries: Any) -> Any:
    """Bucketize: how many boundaries are not above a number."""
    edges = np.asarray(boundaries, np.float32)
    if (edges[1:] < edges[:-1]).any():
        raise steps.Unsupported("boundaries that are not sorted")
    if not edges.size or not input.size:
        return steps.filled(input.dims, np.dtype(np.int32), 0)
    rows = steps.constant(edges.astype(np.float64).reshape(1, -1))
    flat = steps.cast(steps.reshape(input, (1, input.size)), np.float64)
    return steps.reshape(bound("right")(steps, rows, flat, out_type=int32), input.dims)


def unravel_index(steps: Any, indices: Any, dims: Any) -> Any:
    """UnravelIndex: one row for each dim."""
    shape = sizes(steps, dims)
    count = math.prod(shape)
    if not count or not shape:
        raise steps.Unsupported("indices into nothing")
    _refuse(steps, steps.compare("lt", indices, 0) | steps.compare("ge", indices, count), indices)
    rank = len(indices.dims)
    whole = (len(shape), *indices.dims)
    spread = steps.affine(indices, whole, tuple((0, ((i + 1, 1),)) for i in range(rank)))
    at = steps.iota(whole, 0, np.int32)
    found = None
    for i, n in enumerate(shape):
        part = steps.floormod(steps.floordiv(spread, max(math.prod(shape[i + 1 :]), 1)), n)
        found = part if found is None else steps.select(steps.compare("eq", at, i), part, found)
    return found


def invert_permutation(steps: Any, x: Any) -> Any:
    """InvertPermutation: where each number is; a number that is not there, or twice, is a fault."""
    n = x.dims[0]
    if not n:
        return x
    ones = steps.broadcast(steps.number(1, x.dtype), (n,))
    counts = steps.scatter(steps.broadcast(steps.number(0, x.dtype), (n,)), x, ones, "add")
    steps.check(steps.compare("ne", counts, 1))
    return steps.scatter(steps.broadcast(steps.number(0, x.dtype), (n,)), x, steps.iota((n,), 0, x.dtype), "put")


# ---- counting


def bincount(steps: Any, input: Any, size: Any, weights: Any, *, binary_output: bool = False) -> Any:
    """DenseBincount: weights, or ones, added where the numbers say; numbers beyond the size drop."""
    length = sizes(steps, size)[0]
    lead = input.dims[:-1] if len(input.dims) == 2 else ()
    if weights.size and weights.dims != input.dims:
        raise steps.Unsupported("weights of another shape")
    _refuse(steps, steps.compare("lt", input, 0), input)
    number = steps.cast(input, np.int64)
    if lead:
        number = steps.select(steps.compare("lt", number, length), number + steps.iota(input.dims, 0, np.int64) * length, -1)
    else:
        number = steps.select(steps.compare("lt", number, length), number, -1)
    amounts = weights if weights.size and not binary_output else steps.broadcast(steps.number(1, weights.dtype), input.dims)
    zeros = steps.broadcast(steps.number(0, weights.dtype), (max(math.prod(lead), 1) * length,))
    flat = (input.size,)
    function = "put" if binary_output else "add"
    counts = steps.scatter(zeros, steps.reshape(number, flat), steps.reshape(amounts, flat), function, drops=True)
    return steps.reshape(counts, (*input.dims[:-1], length))


def histogram(steps: Any, values: Any, value_range: Any, nbins: Any, *, dtype: Any) -> Any:
    """HistogramFixedWidth: ones added in the bin of each number, of those outside in the first or last."""
    bins = sizes(steps, nbins)[0]
    low, high = (steps.cast(steps.affine(value_range, (), ((i, ()),)), np.float64) for i in range(2))
    steps.check(~steps.compare("lt", low, high))
    x = steps.cast(steps.reshape(values, (values.size,)), np.float64)
    _refuse(steps, steps.compare("ne", x, x), x)
    step = (high - low) / float(bins)
    place = steps.cast(steps.min(steps.max((x - low) / step, 0), bins - 1), np.int64)
    zeros = steps.broadcast(steps.number(0, dtype.numpy), (bins,))
    return steps.scatter(zeros, place, steps.broadcast(steps.number(1, dtype.numpy), (values.size,)), "add")
