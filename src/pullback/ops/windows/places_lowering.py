"""How maxima with places, and dilations, are lowered for the engine: the number of a window's point is a value like any other."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..lowering.reduce import widen
from . import pool_lowering
from .pool_kernels import lowest_value
from .windows import Window, place

if TYPE_CHECKING:
    from ...engine.lowering.builder import Builder
    from ...engine.lowering.index_expr import IndexExpr


def _see_point(builder: Builder, x: Any, windows: Sequence[Window], point: Sequence[int], fill: Any) -> IndexExpr:
    """What one point of the window sees at all positions, `fill` beside the images."""
    rows = [(0, ((0, 1),))]
    rows += [(p * w.dilation - w.before, ((i, w.stride),)) for i, (p, w) in enumerate(zip(point, windows, strict=True), 1)]
    return builder.affine(x, (x.dims[0], *(w.out for w in windows)), tuple(rows), fill)


def _mask_seen(builder: Builder, x: Any, windows: Sequence[Window], point: Sequence[int]) -> IndexExpr:
    return _see_point(builder, builder.broadcast(builder.number(True, np.bool_), x.dims), windows, point, False)


def _points(windows: Sequence[Window]) -> list[tuple[int, ...]]:
    return list(itertools.product(*(range(w.size) for w in windows)))


# ---------------------------------------------------------------------- maxima and their places


def max_pool_with_argmax(
    builder: Builder,
    input: IndexExpr,
    *,
    ksize: Sequence[int],
    strides: Sequence[int],
    Targmax: Any,
    padding: str,
    include_batch_in_index: bool = False,
) -> tuple[IndexExpr, ...]:
    """MaxPoolWithArgmax."""
    windows = [place(n, k, s, 1, padding) for n, k, s in zip(input.dims[1:], ksize[1:], strides[1:], strict=True)]
    if ksize[0] != 1 or strides[0] != 1 or ksize[3] != 1 or strides[3] != 1 or any(w.out <= 0 for w in windows) or not input.size:
        raise builder.Unsupported("windows over images or channels, or nothing to pool")
    top = builder.memory(pool_lowering.max_pool(builder, input, ksize=ksize, strides=strides, padding=padding))
    apart = [math.prod(input.dims[i + 1 :]) for i in range(4)]
    first = builder.broadcast(builder.number(-sum(w.before * n for w, n in zip(windows, apart[1:], strict=True)), np.int64), top.dims)
    factors = [apart[0] if include_batch_in_index else 0, *(w.stride * n for w, n in zip(windows, apart[1:], strict=True))]
    for axis, factor in enumerate(factors):
        first = first + builder.iota(top.dims, axis, np.int64) * factor if factor else first
    found = builder.broadcast(builder.number(-1, np.int64), top.dims)
    for point in reversed(_points(windows)):
        seen = _see_point(builder, input, windows, point, lowest_value(input.dtype))
        is_top = builder.compare("eq", seen, top) | builder.compare("ne", seen, seen)  # a NaN is the largest
        holds = is_top & _mask_seen(builder, input, windows, point)
        found = builder.select(holds, first + sum(p * n for p, n in zip(point, apart[1:], strict=True)), found)
    return top, builder.cast(found, Targmax.numpy_dtype)


def _flatten_places(builder: Builder, argmax: Any, dims: tuple[int, ...], include_batch: bool) -> IndexExpr:
    """Places in the whole batch, checked."""
    image = math.prod(dims[1:])
    places = builder.cast(argmax, np.int64)
    builder.check(builder.compare("lt", places, 0) | builder.compare("ge", places, image * dims[0] if include_batch else image))
    return places if include_batch else places + builder.iota(argmax.dims, 0, np.int64) * image


def argmax_grad(
    builder: Builder, input: IndexExpr, grad: IndexExpr, argmax: IndexExpr, *, include_batch_in_index: bool, **window: Any
) -> IndexExpr:
    """MaxPoolGradWithArgmax."""
    if grad.dims != argmax.dims or not input.size:
        raise builder.Unsupported("a gradient that has not the shape of the places")
    rows = builder.reshape(builder.memory(_flatten_places(builder, argmax, input.dims, include_batch_in_index)), (grad.size,))
    given = widen(builder, grad)
    zeros = builder.broadcast(builder.number(0, given.dtype), (input.size,))
    back = builder.scatter(zeros, rows, builder.reshape(builder.memory(given), (grad.size,)), "add")
    return builder.cast(builder.reshape(back, input.dims), grad.dtype)


def argmax_grad_grad(
    builder: Builder, input: IndexExpr, grad: IndexExpr, argmax: IndexExpr, *, include_batch_in_index: bool, **window: Any
) -> IndexExpr:
    """MaxPoolGradGradWithArgmax."""
    if grad.dims != input.dims:
        raise builder.Unsupported("a gradient that has not the shape of the input")
    table = builder.reshape(builder.memory(grad), (grad.size,))
    return builder.gather(table, argmax.dims, ((0, ()),), (_flatten_places(builder, argmax, input.dims, include_batch_in_index),))


# ---------------------------------------------------------------------- dilations


def _scan(builder: Builder, x: Any, w: Any, strides: Any, rates: Any, padding: str) -> tuple[Any, Any, list[Window]]:
    """The maxima, the number of the first point of the window that is each, and the windows on all axes but the first."""
    sizes = [place(x.dims[i], w.dims[i - 1], strides[i], rates[i], padding) for i in (1, 2)]
    windows = [*sizes, Window(1, 1, 1, 0, 0, x.dims[3])]
    if any(v.out <= 0 for v in windows) or not x.size or not w.size or x.dims[3] != w.dims[2]:
        raise builder.Unsupported("nothing to dilate, or a filter that does not fit")
    dims = (x.dims[0], *(v.out for v in windows))
    lowest = lowest_value(x.dtype)
    best, at = (builder.broadcast(builder.number(*n), dims) for n in ((lowest, x.dtype), (0, np.int32)))
    for number, (point, weight) in enumerate(_weigh_points(builder, w, windows)):
        value = _see_point(builder, x, windows, point, lowest if np.isinf(lowest) else 0) + weight
        better = builder.compare("gt", value, best)
        if not np.isinf(lowest):  # infinity beside the images is no maximum, whatever is added
            better = better & _mask_seen(builder, x, windows, point)
        best, at = builder.select(better, value, best), builder.select(better, number, at)
    return best, at, windows


def _weigh_points(builder: Builder, w: Any, windows: Sequence[Window]) -> Iterator[tuple[tuple[int, ...], Any]]:
    """The points of the window, and what the filter has for each channel there."""
    for point in _points(windows):
        yield point, builder.affine(w, w.dims[2:], ((point[0], ()), (point[1], ()), (0, ((0, 1),))))


def dilation(
    builder: Builder, input: IndexExpr, filter: IndexExpr, *, strides: Sequence[int], rates: Sequence[int], padding: str
) -> IndexExpr:
    """Dilation2D."""
    return _scan(builder, input, filter, strides, rates, padding)[0]


def dilation_to_input(
    builder: Builder, input: IndexExpr, filter: IndexExpr, out_backprop: IndexExpr, *, strides: Sequence[int], rates: Sequence[int],
    padding: str
) -> IndexExpr:
    """Dilation2DBackpropInput."""
    _, at, windows = _scan(builder, input, filter, strides, rates, padding)
    _require_same(builder, out_backprop, at)
    return pool_lowering.return_gradient(builder, input.dims, windows, at, out_backprop)


def dilation_to_filter(
    builder: Builder, input: IndexExpr, filter: IndexExpr, out_backprop: IndexExpr, *, strides: Sequence[int], rates: Sequence[int],
    padding: str
) -> IndexExpr:
    """Dilation2DBackpropFilter."""
    _, at, windows = _scan(builder, input, filter, strides, rates, padding)
    _require_same(builder, out_backprop, at)
    count = len(_points(windows))
    rows = tuple((0, ((i + 1, 1),)) for i in range(4))
    chosen, g = (builder.affine(builder.memory(t), (count, *at.dims), rows) for t in (at, widen(builder, out_backprop)))
    own = builder.select(builder.compare("eq", chosen, builder.iota(chosen.dims, 0, np.int32)), g, 0)
    return builder.cast(builder.reshape(builder.reduce("sum", own, [1, 2, 3]), filter.dims), out_backprop.dtype)


def dilation_tangent(
    builder: Builder,
    input: IndexExpr,
    filter: IndexExpr,
    input_tangent: IndexExpr,
    filter_tangent: IndexExpr,
    *,
    strides: Sequence[int],
    rates: Sequence[int],
    padding: str,
) -> IndexExpr:
    """Dilation2DTangent."""
    _, at, windows = _scan(builder, input, filter, strides, rates, padding)
    if input_tangent.dims != input.dims or filter_tangent.dims != filter.dims:
        raise builder.Unsupported("tangents of other shapes")
    total = builder.broadcast(builder.number(0, input.dtype), at.dims)
    for number, (point, weight) in enumerate(_weigh_points(builder, filter_tangent, windows)):
        value = _see_point(builder, input_tangent, windows, point, 0) + weight
        total = builder.select(builder.compare("eq", at, number), value, total)
    return total


def _require_same(builder: Builder, g: Any, at: Any) -> None:
    if g.dims != at.dims:
        raise builder.Unsupported("a gradient that has not the shape of the output")
