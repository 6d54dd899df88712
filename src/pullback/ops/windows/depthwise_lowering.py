"""How convolutions with filters for each channel are lowered for the engine: sums over the taps of views, in one loop.

A channel with several outputs stands beside itself as often first, so that a filter's numbers always go with channels one by one.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from .phases_lowering import Phase, phases, place_phase, zeros_first
from .windows import Window

if TYPE_CHECKING:
    from ...engine.lowering.builder import Builder

Windows = Sequence[Window]
#: Filters with more taps than this are reductions over two more axes, and not written out.
MANY = 32


def conv(builder: Builder, x: Any, w: Any, windows: Windows) -> Any:
    """The output, channels last."""
    dims = (x.dims[0], *(n.out for n in windows), w.dims[-2] * w.dims[-1])
    if 0 in dims or not w.size:
        return builder.broadcast(builder.number(0, x.dtype), dims)
    x = _repeat_channels(builder, x, w.dims[-1])
    taps = [n.size for n in windows]
    filters = builder.reshape(w, (*taps, dims[-1]))
    if math.prod(taps) <= MANY and any(n.before or n.after for n in windows):
        return _convolve(builder, x, filters, dims, make_axes(builder, x.dims, windows))
    x = _pad_input(builder, x, windows)
    if math.prod(taps) > MANY:
        return _reduce_windows(builder, x, filters, windows, dims)
    total = None
    for tap in itertools.product(*map(range, taps)):
        begin = [0, *(t * n.dilation for t, n in zip(tap, windows, strict=True)), 0]
        seen = builder.strided(x, begin, [1, *(n.stride for n in windows), 1], dims)
        term = seen * _take_tap(builder, filters, tap)
        total = term if total is None else total + term
    return total


def _convolve(builder: Builder, x: Any, filters: Any, dims: tuple[int, ...], axes: tuple[Any, ...], turned: bool = False) -> Any:
    """In loops that put zeros beside some rows at a time, which stay in a core's cache."""
    out = builder.temporary(dims, x.dtype)
    flat = builder.reshape(filters, (math.prod(filters.dims[:-1]), dims[-1]))
    builder.convolve_each(builder.memory(x), builder.memory(flat), out, axes, turned)
    return out


def make_axes(builder: Builder, image: Sequence[int], windows: Windows) -> tuple[Any, ...]:
    """The spatial axes of an image as a builder's loops have them."""
    sizes = zip(image[1:-1], windows, strict=True)
    return tuple(builder.axis(length, n.size, n.stride, n.dilation, -n.before, n.out) for length, n in sizes)


def _take_tap(builder: Builder, filters: Any, tap: Sequence[int]) -> Any:
    """A number for each channel."""
    depth = filters.dims[-1]
    return builder.affine(filters, (depth,), (*((t, ()) for t in tap), (0, ((0, 1),))))


def _reduce_windows(builder: Builder, x: Any, filters: Any, windows: Windows, dims: tuple[int, ...]) -> Any:
    n = len(windows)
    spread = (*dims, *(v.size for v in windows))
    seen = ((0, ((0, 1),)), *((0, ((1 + i, v.stride), (2 + n + i, v.dilation))) for i, v in enumerate(windows)), (0, ((1 + n, 1),)))
    own = (*((0, ((2 + n + i, 1),)) for i in range(n)), (0, ((1 + n, 1),)))
    product = builder.affine(x, spread, seen) * builder.affine(filters, spread, own)
    return builder.reduce("sum", product, range(2 + n, 2 + 2 * n))


def _repeat_channels(builder: Builder, x: Any, times: int) -> Any:
    """Each channel so many times, side by side."""
    if times == 1:
        return x
    axes = range(len(x.dims))
    spread = builder.affine(x, (*x.dims, times), tuple((0, ((i, 1),)) for i in axes))
    return builder.reshape(builder.memory(spread), (*x.dims[:-1], x.dims[-1] * times))


def _pad_input(builder: Builder, x: Any, windows: Windows) -> Any:
    """The input in memory, with zeros where windows see beside it."""
    if not any(n.before or n.after for n in windows):
        return x
    spans = [max((n.out - 1) * n.stride + n.reach, length + n.before) for n, length in zip(windows, x.dims[1:-1], strict=True)]
    return builder.memory(builder.pad(x, [0, *(n.before for n in windows), 0], (x.dims[0], *spans, x.dims[-1]), 0))


# ---------------------------------------------------------------------- gradients


def conv_input(builder: Builder, shape: tuple[int, ...], w: Any, g: Any, windows: Windows) -> Any:
    """The gradient for an input of `shape`, channels last."""
    if 0 in shape or not g.size or not w.size:
        return builder.broadcast(builder.number(0, g.dtype), shape)
    channels, times = w.dims[-2:]
    if times == 1 and math.prod(n.size for n in windows) <= MANY and all(n.stride == 1 for n in windows):
        sizes = zip(g.dims[1:-1], windows, shape[1:-1], strict=True)
        axes = tuple(builder.axis(length, n.size, 1, n.dilation, n.before - n.reach + 1, out) for length, n, out in sizes)
        return _convolve(builder, g, builder.reshape(w, w.dims[:-1]), shape, axes, turned=True)
    every = [phases(n, length) for n, length in zip(windows, shape[1:-1], strict=True)]
    parts = [part for part in itertools.product(*every) if all(p.taps for p in part)]
    low = [min(p.first - p.back * (p.taps - 1) for p in axis if p.taps) for axis in every]
    high = [max(p.first + p.members for p in axis if p.taps) for axis in every]
    low, high = [min(n, 0) for n in low], [max(n, size) for n, size in zip(high, g.dims[1:-1], strict=True)]
    wide = (g.dims[0], *(b - a for a, b in zip(low, high, strict=True)), channels * times)
    g = g if wide == g.dims else builder.memory(builder.pad(g, [0, *(-a for a in low), 0], wide, 0))
    g = builder.reshape(g, (*wide[:-1], channels, times))
    single = len(parts) == 1 and all(len(axis) == 1 for axis in every)
    out = None if single else zeros_first(builder, shape, g.dtype, every)
    for part in parts:
        dims = (shape[0], *(p.members for p in part), channels)
        found = _gather_phase(builder, g, w, part, low, dims)
        if out is None:
            return found
        apart, offset = place_phase(shape, windows, part)
        builder.put(found, out, apart, offset, over=len(parts) < math.prod(len(axis) for axis in every))
    return out


def _gather_phase(builder: Builder, g: Any, w: Any, part: Sequence[Phase], low: Sequence[int], dims: tuple[int, ...]) -> Any:
    """What the elements of one phase get, tap after tap."""
    n, times = len(part), g.dims[-1]
    if times * math.prod(p.taps for p in part) > MANY:
        spread = (*dims, *(p.taps for p in part), times)
        last = 2 + 2 * n
        at = (
            (0, ((0, 1),)),
            *((p.first - a, ((1 + i, 1), (2 + n + i, -p.back))) for i, (p, a) in enumerate(zip(part, low, strict=True))),
            (0, ((1 + n, 1),)),
            (0, ((last, 1),)),
        )
        own = (*((p.tap, ((2 + n + i, p.step),)) for i, p in enumerate(part)), (0, ((1 + n, 1),)), (0, ((last, 1),)))
        return builder.reduce("sum", builder.affine(g, spread, at) * builder.affine(w, spread, own), range(2 + n, 3 + 2 * n))
    total = None
    for numbers in itertools.product(*(range(p.taps) for p in part)):
        for j in range(times):
            begin = [p.first - k * p.back - a for p, k, a in zip(part, numbers, low, strict=True)]
            rows: tuple[Any, ...] = ((0, ((0, 1),)), *((b, ((1 + i, 1),)) for i, b in enumerate(begin)), (0, ((1 + n, 1),)), (j, ()))
            one: tuple[Any, ...] = (*((p.tap + k * p.step, ()) for p, k in zip(part, numbers, strict=True)), (0, ((0, 1),)), (j, ()))
            term = builder.affine(g, dims, rows) * builder.affine(w, (dims[-1],), one)
            total = term if total is None else total + term
    return total


def conv_filter(builder: Builder, x: Any, shape: tuple[int, ...], g: Any, windows: Windows) -> Any:
    """The gradient for filters of `shape`, channels last."""
    if 0 in shape or not g.size or not x.size:
        return builder.broadcast(builder.number(0, x.dtype), shape)
    x = _repeat_channels(builder, x, shape[-1])
    return builder.reshape(builder.channel_sums(builder.memory(x), builder.memory(g), make_axes(builder, x.dims, windows)), shape)
