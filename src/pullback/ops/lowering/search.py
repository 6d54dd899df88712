"""How ops that look for elements, or count them, are lowered for the engine: positions of extremes, places in sorted rows, histograms."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ...base.dtypes import DType, int32
from .array import sizes
from .reduce import widen

if TYPE_CHECKING:
    from ...engine.lowering.builder import Builder
    from ...engine.lowering.index_expr import IndexExpr

#: The longest rows that are sorted here, and the most pairs of their elements.
_SHORT, _PAIRS = 256, 1 << 22


def _refuse(builder: Builder, bad: Any, among: Any) -> None:
    if among.size:
        builder.check(bad)


def position(kind: str) -> Callable[..., Any]:
    """The lowering of ArgMax or ArgMin: the first place where the extreme is; NaN is never one."""

    def lower(builder: Any, input: Any, dimension: Any, *, output_type: Any) -> Any:
        axis, x, rank = sizes(builder, dimension)[0], widen(builder, input), len(input.dims)
        if not -rank <= axis < rank or not input.dims[axis]:
            raise builder.Unsupported("an empty axis, or none")
        axis %= rank
        if x.dtype.kind == "b":
            x = builder.cast(x, np.uint8)
        if x.dtype.kind == "f":
            x = builder.select(builder.pointwise("isnan", x, dtype=np.bool_), -math.inf if kind == "max" else math.inf, x)
        found = builder.broadcast(builder.reduce(kind, x, [axis], True), x.dims)
        at = builder.iota(x.dims, axis, np.int32)
        first = builder.reduce("min", builder.select(builder.compare("eq", x, found), at, x.dims[axis]), [axis])
        return builder.cast(first, output_type.numpy_dtype)

    return lower


def top_k(builder: Builder, input: IndexExpr, k: IndexExpr, *, sorted: bool = True, index_type: Any) -> tuple[IndexExpr, ...]:
    """TopKV2 of short rows: the place of an element is the number of those before it, counted for all at once.  NaN is greatest."""
    *lead, n = input.dims
    rows, count = math.prod(lead), sizes(builder, k)[0]
    if not input.size or not count or n > _SHORT or rows * n * n > _PAIRS or input.dtype.kind not in "iuf":
        raise builder.Unsupported("long rows, and those of bfloat16, are sorted by their kernel")
    flat, space = builder.reshape(input, (rows, n)), (rows, n, n)
    own, other = (builder.affine(flat, space, ((0, ((0, 1),)), (0, ((axis, 1),)))) for axis in (1, 2))
    above, same = builder.compare("gt", other, own), builder.compare("eq", other, own)
    if input.dtype.kind not in "iu":
        odd, own_odd = (builder.pointwise("isnan", x, dtype=np.bool_) for x in (other, own))
        above, same = above | (odd & ~own_odd), same | (odd & own_odd)
    ahead = above | (same & builder.compare("lt", builder.iota(space, 2, np.int32), builder.iota(space, 1, np.int32)))
    place = builder.reduce("sum", builder.cast(ahead, np.int32), [2]) + builder.iota((rows, n), 0, np.int32) * n
    zeros = builder.broadcast(builder.number(0, np.int32), (rows * n,))
    numbers = builder.reshape(builder.iota((rows, n), 1, np.int32), (rows * n,))
    order = builder.scatter(zeros, builder.reshape(place, (rows * n,)), numbers, "put")
    first = builder.affine(builder.reshape(order, (rows, n)), (rows, count), ((0, ((0, 1),)), (0, ((1, 1),))))
    values = builder.gather(flat, (rows, count), ((0, ((0, 1),)), (0, ())), (None, first))
    return builder.reshape(values, (*lead, count)), builder.cast(builder.reshape(first, (*lead, count)), index_type.numpy_dtype)


def in_top_k(builder: Builder, predictions: IndexExpr, targets: IndexExpr, k: IndexExpr) -> IndexExpr:
    """InTopKV2: whether fewer than k numbers of a row are greater than the target's; never where one is not finite."""
    rows, classes = predictions.dims
    inside = builder.compare("ge", targets, 0) & builder.compare("lt", targets, classes)
    if not classes:
        return inside & builder.compare("gt", k, 0)
    own = builder.gather(predictions, (rows,), ((0, ((0, 1),)), (0, ())), (None, builder.select(inside, targets, 0)))
    ahead = builder.reduce("sum", builder.cast(builder.compare("gt", predictions, builder.reshape(own, (rows, 1))), np.float32), [1])
    finite = builder.reduce("all", builder.pointwise("isfinite", predictions, dtype=np.bool_), [1])
    return inside & finite & builder.compare("lt", ahead, builder.cast(k, np.float32))


def lower_search(side: str) -> Callable[..., Any]:
    """The lowering of LowerBound or UpperBound: each place is halved in as many steps as the rows need; in a row NaN comes last."""

    def lower(builder: Any, sorted_inputs: Any, values: Any, *, out_type: Any) -> Any:
        rows, n = sorted_inputs.dims
        if values.dims[0] != rows:
            raise builder.Unsupported("the kernel refuses these rows")
        low, high = builder.broadcast(builder.number(0, np.int32), values.dims), builder.broadcast(builder.number(n, np.int32), values.dims)
        places = ((0, ((0, 1),)), (0, ()))
        for _ in range(n.bit_length()):
            middle = builder.shr(low + high, 1)
            there = builder.gather(sorted_inputs, values.dims, places, (None, middle))
            before = builder.compare("lt", there, values) if side == "left" else ~_precedes(builder, values, there)
            before = before & builder.compare("lt", low, high)
            low, high = builder.select(before, middle + 1, low), builder.select(before, high, middle)
        return builder.cast(low, out_type.numpy_dtype)

    return lower


def _precedes(builder: Builder, x: Any, y: Any) -> IndexExpr:
    """Whether x comes before y in an order where NaN is greatest."""
    less = builder.compare("lt", x, y)
    return less | (builder.compare("ne", y, y) & builder.compare("eq", x, x)) if x.dtype.kind not in "iub" else less


def bucketize(builder: Builder, input: IndexExpr, *, boundaries: object) -> IndexExpr:
    """Bucketize: how many boundaries are not above a number."""
    edges = np.asarray(boundaries, np.float32)
    if (edges[1:] < edges[:-1]).any():
        raise builder.Unsupported("boundaries that are not sorted")
    if not edges.size or not input.size:
        return builder.fill_memory(input.dims, np.dtype(np.int32), 0)
    rows = builder.constant(edges.astype(np.float64).reshape(1, -1))
    flat = builder.cast(builder.reshape(input, (1, input.size)), np.float64)
    return builder.reshape(lower_search("right")(builder, rows, flat, out_type=int32), input.dims)


def unravel_index(builder: Builder, indices: IndexExpr, dims: IndexExpr) -> Any:
    """UnravelIndex: one row for each dim."""
    shape = sizes(builder, dims)
    count = math.prod(shape)
    if min(shape, default=0) <= 0 or count > np.iinfo(indices.dtype).max:
        raise builder.Unsupported("indices into nothing, or of too many digits")
    _refuse(builder, builder.compare("lt", indices, 0) | builder.compare("ge", indices, count), indices)
    rank = len(indices.dims)
    whole = (len(shape), *indices.dims)
    spread = builder.affine(indices, whole, tuple((0, ((i + 1, 1),)) for i in range(rank)))
    at = builder.iota(whole, 0, np.int32)
    found = None
    for i, n in enumerate(shape):
        part = builder.floormod(builder.floordiv(spread, max(math.prod(shape[i + 1 :]), 1)), n)
        found = part if found is None else builder.select(builder.compare("eq", at, i), part, found)
    return found


def invert_permutation(builder: Builder, x: IndexExpr) -> IndexExpr:
    """InvertPermutation: where each number is; a number that is not there, or twice, is a fault."""
    n = x.dims[0]
    if not n:
        return x
    ones = builder.broadcast(builder.number(1, x.dtype), (n,))
    counts = builder.scatter(builder.broadcast(builder.number(0, x.dtype), (n,)), x, ones, "add")
    builder.check(builder.compare("ne", counts, 1))
    return builder.scatter(builder.broadcast(builder.number(0, x.dtype), (n,)), x, builder.iota((n,), 0, x.dtype), "put")


# ---- counting


def bincount(builder: Builder, input: IndexExpr, size: IndexExpr, weights: IndexExpr, *, binary_output: bool = False) -> IndexExpr:
    """DenseBincount: weights, or ones, added where the numbers say; numbers beyond the size drop."""
    length = sizes(builder, size)[0]
    lead = input.dims[:-1] if len(input.dims) == 2 else ()
    if weights.size and weights.dims != input.dims:
        raise builder.Unsupported("weights of another shape")
    _refuse(builder, builder.compare("lt", input, 0), input)
    number = builder.cast(input, np.int64)
    if lead:
        number = builder.select(builder.compare("lt", number, length), number + builder.iota(input.dims, 0, np.int64) * length, -1)
    else:
        number = builder.select(builder.compare("lt", number, length), number, -1)
    amounts = weights if weights.size and not binary_output else builder.broadcast(builder.number(1, weights.dtype), input.dims)
    zeros = builder.broadcast(builder.number(0, weights.dtype), (max(math.prod(lead), 1) * length,))
    flat = (input.size,)
    function = "put" if binary_output else "add"
    counts = builder.scatter(zeros, builder.reshape(number, flat), builder.reshape(amounts, flat), function, drops=True)
    return builder.reshape(counts, (*input.dims[:-1], length))


def histogram(builder: Builder, values: Any, value_range: Any, nbins: Any, *, dtype: DType) -> IndexExpr:
    """HistogramFixedWidth: ones added in the bin of each number, of those outside in the first or last."""
    bins = sizes(builder, nbins)[0]
    low, high = (builder.cast(builder.affine(value_range, (), ((i, ()),)), np.float64) for i in range(2))
    builder.check(~builder.compare("lt", low, high))
    x = builder.cast(builder.reshape(values, (values.size,)), np.float64)
    _refuse(builder, builder.compare("ne", x, x), x)
    step = (high - low) / float(bins)
    place = builder.cast(builder.min(builder.max((x - low) / step, 0), bins - 1), np.int64)
    zeros = builder.broadcast(builder.number(0, dtype.numpy_dtype), (bins,))
    return builder.scatter(zeros, place, builder.broadcast(builder.number(1, dtype.numpy_dtype), (values.size,)), "add")
