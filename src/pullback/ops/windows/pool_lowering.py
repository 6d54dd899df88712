"""How pools are lowered for the engine: views of the input, one for each point of the window, and what their maximum or sum is.

A window on any axis is one, so images may have their channels first or last.  Windows with many points are reductions over two more
axes for each; those with few are written out, so that what reads them shares their loops.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..lowering.reduce import is_narrow, widen
from .layout import channels
from .phases_lowering import Phase, phases, place_phase, zeros_first
from .pool_kernels import lowest_value
from .windows import Window, place

if TYPE_CHECKING:
    from ...engine.lowering.builder import Builder
    from ...engine.lowering.index_expr import IndexExpr

Windows = Sequence[Window]
#: Taps, by their place in the window, and what of a tensor of the outputs each takes (a form, what stands outside it).
Views = list[tuple[tuple[int, ...], Callable[[Any, Any], Any]]]
#: Windows with more points than this are reductions.
MANY = 16
#: Windows in which a number is seen more often than this are compared as integers.
FEW = 4


def _windows(
    builder: Builder,
    dims: Sequence[int],
    *,
    ksize: Sequence[int],
    strides: Sequence[int],
    padding: str,
    explicit_paddings: Sequence[int] = (),
    data_format: str = "",
) -> list[Window]:
    """The window on each axis but the batch's, from an operation's attributes."""
    depth = channels(data_format)
    if ksize[0] != 1 or strides[0] != 1 or ksize[depth] != 1 or strides[depth] != 1:
        raise builder.Unsupported("a pool over images or channels")
    if any(n >= k for axis, k in enumerate(ksize) for n in explicit_paddings[2 * axis : 2 * axis + 2] if n):
        raise builder.Unsupported("a padding as wide as the window")
    beside = explicit_paddings or (0,) * (2 * len(dims))
    margins = zip(beside[::2], beside[1::2], strict=True)
    found = [place(n, k, s, 1, padding, m) for n, k, s, m in zip(dims, ksize, strides, margins, strict=True)]
    if any(w.out < 0 or w.size < 1 for w in found):
        raise builder.Unsupported("a window that is larger than the image, or that sees nothing")
    return found[1:]


def _points(windows: Windows) -> Iterator[tuple[int, ...]]:
    """The points of a window, in row-major order."""
    return itertools.product(*(range(w.size) for w in windows))


def _pad_input(builder: Builder, x: Any, windows: Windows, fill: float) -> tuple[Any, list[Window]]:
    """The input with what its windows see beside it, and the windows on it."""
    if not any(w.before or w.after for w in windows):
        return x, list(windows)
    low = [0, *(w.before for w in windows)]
    spans = [(w.out - 1) * w.stride + w.reach for w in windows]
    dims = (x.dims[0], *(max(n + w.before, span) for n, w, span in zip(x.dims[1:], windows, spans, strict=True)))
    return builder.pad(x, low, dims, fill), [Window(w.size, w.stride, w.dilation, 0, 0, w.out) for w in windows]


def _see_point(builder: Builder, x: Any, windows: Windows, point: Sequence[int]) -> IndexExpr:
    """What one point of the window sees at all positions."""
    begin = [0, *(p * w.dilation for p, w in zip(point, windows, strict=True))]
    return builder.strided(x, begin, [1, *(w.stride for w in windows)], (x.dims[0], *(w.out for w in windows)))


def _view_all(builder: Builder, x: Any, windows: Windows) -> IndexExpr:
    """What the points of the windows see, along more axes, one for each axis of the windows."""
    n = len(windows)
    rows = ((0, ((0, 1),)), *((0, ((1 + i, w.stride), (1 + n + i, w.dilation))) for i, w in enumerate(windows)))
    return builder.affine(x, (x.dims[0], *(w.out for w in windows), *(w.size for w in windows)), rows)


def _combine_windows(builder: Builder, x: Any, windows: Windows, fill: float, kind: str, combine: Callable[[Any, Any], Any]) -> IndexExpr:
    """A reduction over each window."""
    x, windows = _pad_input(builder, x, windows, fill)
    if math.prod(w.size for w in windows) > MANY:
        n = len(windows)
        return builder.reduce(kind, _view_all(builder, x, windows), range(1 + n, 1 + 2 * n))
    return _fold_points(builder, windows, combine, lambda point: _see_point(builder, x, windows, point), ())


def _fold_points(
    builder: Builder, windows: Windows, combine: Callable[[Any, Any], Any], seen: Callable[[tuple[int, ...]], Any], point: tuple[int, ...]
) -> Any:
    """The points of each window put together in the kernels' order, axis by axis; point: that of the last axes."""
    axis = len(windows) - len(point) - 1
    if axis < 0:
        return seen(point)
    total = None
    for i in range(windows[axis].size):
        part = _fold_points(builder, windows, combine, seen, (i, *point))
        total = part if total is None else combine(total, part)
    return total


def _is_empty(builder: Builder, x: Any, windows: Windows) -> bool:
    return not x.size or any(not w.out for w in windows)


def max_pool(builder: Builder, input: IndexExpr, **window: Any) -> IndexExpr:
    """MaxPool."""
    windows = _windows(builder, input.dims, **window)
    if _is_empty(builder, input, windows):
        return builder.broadcast(builder.number(0, input.dtype), (input.dims[0], *(w.out for w in windows)))
    fill = lowest_value(input.dtype)
    if input.dtype.char in "fd" and math.prod(w.size for w in windows) <= min(FEW * math.prod(w.stride for w in windows), MANY):
        return _find_largest(builder, *_pad_input(builder, input, windows, fill))
    if input.dtype.char not in "fd" or math.prod(w.size for w in windows) <= FEW * math.prod(w.stride for w in windows):
        return _combine_windows(builder, input, windows, fill, "max", builder.max)
    wide, inner = _pad_input(builder, input, windows, fill)
    return _as_numbers(builder, _combine_windows(builder, builder.memory(_order(builder, wide)), inner, 0, "max", builder.max), input.dtype)


def _find_largest(builder: Any, x: Any, windows: Windows) -> IndexExpr:
    """The maximum of each window of floating numbers: NaN is looked for in all points together, which leaves one instruction for each."""
    seen = {point: _see_point(builder, x, windows, point) for point in _points(windows)}
    odd = None
    for view in seen.values():
        is_odd = builder.pointwise("isnan", view, dtype=np.bool_)
        odd = is_odd if odd is None else odd | is_odd

    def choose_larger(a: Any, b: Any) -> Any:
        return builder.select(builder.compare("gt", a, b), a, b)

    return builder.select(odd, np.nan, _fold_points(builder, windows, choose_larger, seen.__getitem__, ()))


def _order(builder: Builder, x: Any) -> IndexExpr:
    """Integers in the order of floating numbers, NaN above all: their maximum is one instruction, that of numbers is three."""
    kind: Any = np.dtype(f"i{x.dtype.itemsize}")
    keys = _flip_bits(builder, builder.pointwise("bits", x, dtype=kind))
    return builder.select(builder.pointwise("isnan", x, dtype=np.bool_), np.iinfo(kind).max, keys)


def _flip_bits(builder: Builder, bits: Any) -> IndexExpr:
    """The bits of negative numbers turned round but for the sign; the inverse of itself."""
    highest = int(np.iinfo(bits.dtype).max)
    return bits ^ (builder.pointwise("shr", bits, 8 * bits.dtype.itemsize - 1) & highest)


def _as_numbers(builder: Builder, keys: Any, dtype: Any) -> IndexExpr:
    """The inverse of `_order`."""
    return builder.pointwise("bits", _flip_bits(builder, keys), dtype=dtype)


def _find_maxima(builder: Builder, x: Any, top: Any, windows: Windows) -> Iterator[tuple[tuple[int, ...], Any]]:
    """For each point of the window, where it holds the maximum."""
    wide, inner = _pad_input(builder, x, windows, lowest_value(x.dtype))
    for point in _points(windows):
        yield point, _holds(builder, _see_point(builder, wide, inner, point), top)


def _select_first(builder: Builder, x: Any, top: Any, windows: Windows, value: Callable[[tuple[int, ...]], Any], none: Any) -> Any:
    """The value of the first point of each window that holds the maximum, `none` where none does: from the last one to the first."""
    found = none
    for point, holds in reversed([*_find_maxima(builder, x, top, windows)]):
        found = builder.select(holds, value(point), found)
    return found


def _holds(builder: Builder, x: Any, top: Any) -> IndexExpr:
    """Where `x` is the maximum of its window: NaN always is."""
    found = builder.compare("eq", x, top)
    return found | builder.pointwise("isnan", x, dtype=np.bool_) if np.dtype(x.dtype).kind in "fV" else found


def max_pool_grad(builder: Builder, orig_input: IndexExpr, orig_output: IndexExpr, grad: IndexExpr, **window: Any) -> IndexExpr:
    """MaxPoolGrad: each window's gradient goes to the first of its points that holds the maximum."""
    windows = _windows(builder, orig_input.dims, **window)
    _require_same(builder, grad, orig_output, (orig_input.dims[0], *(w.out for w in windows)))
    if _is_empty(builder, orig_input, windows):
        return builder.broadcast(builder.number(0, grad.dtype), orig_input.dims)
    if _is_apart(windows, orig_input.dims[1:]):
        return _give_back(builder, orig_input, orig_output, grad, windows)
    none = builder.scalar(-1, builder.iota(grad.dims, 0, np.int32))
    first = _select_first(builder, orig_input, orig_output, windows, lambda point: _number(point, windows), none)
    return return_gradient(builder, orig_input.dims, windows, first, grad)


def return_gradient(builder: Any, shape: tuple[int, ...], windows: Windows, chosen: Any, grad: Any) -> IndexExpr:
    """Each window's gradient at the point of it whose number was chosen, in an array of `shape`."""
    chosen, share = builder.memory(chosen), builder.memory(grad)

    def part(phase: Sequence[Phase], views: Views) -> Any:
        total = None
        for point, view in views:
            number = _number(point, windows)
            term = builder.select(builder.compare("eq", view(chosen, -1), number), widen(builder, view(share, 0)), 0)
            total = term if total is None else total + term
        return builder.cast(total, grad.dtype)

    return _join_phases(builder, shape, grad.dtype, windows, part)


def _require_same(builder: Builder, grad: Any, output: Any, dims: Sequence[int]) -> None:
    if tuple(grad.dims) != tuple(dims) or output.dims != grad.dims:
        raise builder.Unsupported("a gradient that has not the shape of the output")


def _number(point: Sequence[int], windows: Windows) -> int:
    """The number of a point of the window, in row-major order."""
    number = 0
    for p, w in zip(point, windows, strict=True):
        number = number * w.size + p
    return number


def _is_apart(windows: Windows, lengths: Sequence[int]) -> bool:
    """Whether no element is in two windows, and all that windows see is inside."""
    return all(w.size <= w.stride and not w.before and (w.out - 1) * w.stride + w.size <= n for w, n in zip(windows, lengths, strict=True))


def _give_back(builder: Builder, x: Any, top: Any, grad: Any, windows: Windows) -> IndexExpr:
    """The gradient where windows are apart: each point's is put where it belongs, in one pass over the windows."""
    covered = all(w.size == w.stride and w.out * w.stride == n for w, n in zip(windows, x.dims[1:], strict=True))
    out = builder.temporary(x.dims, grad.dtype) if covered else builder.fill_memory(x.dims, grad.dtype, 0)
    apart = [math.prod(x.dims[i + 1 :]) for i in range(len(x.dims))]
    between = [apart[0], *(w.stride * step for w, step in zip(windows, apart[1:], strict=True))]
    left = grad  # until a point of the window has taken it
    for point, holds in _find_maxima(builder, x, top, windows):
        offset = sum(p * step for p, step in zip(point, apart[1:], strict=True))
        builder.put(builder.select(holds, left, 0), out, between, offset, over=not covered)
        left = builder.select(holds, 0, left)
    return out


def _join_phases(
    builder: Builder,
    shape: tuple[int, ...],
    dtype: Any,
    windows: Windows,
    part: Callable[[Sequence[Phase], Views], Any],
) -> IndexExpr:
    """A gradient put together of its phases; part: from each tap and the view of what belongs to outputs that it takes, the values."""
    every = [phases(w, n) for w, n in zip(windows, shape[1:], strict=True)]
    single = all(len(axis) == 1 for axis in every)
    out = None if single else zeros_first(builder, (*shape, 1), dtype, every)
    for phase in itertools.product(*every):
        if not all(p.taps for p in phase):
            continue
        found = part(phase, [_tap(builder, shape[0], phase, numbers) for numbers in itertools.product(*(range(p.taps) for p in phase))])
        if out is None:
            return found
        apart, offset = place_phase((*shape, 1), windows, phase)
        builder.put(found, out, apart[:-1], offset, over=not all(p.taps for axis in every for p in axis))
    return builder.broadcast(builder.number(0, dtype), shape) if out is None else builder.reshape(out, shape)


def _tap(builder: Builder, batch: int, phase: Sequence[Phase], numbers: Sequence[int]) -> tuple[tuple[int, ...], Callable[[Any, Any], Any]]:
    """A tap of a phase, and what of a tensor of the outputs it takes at each element, `fill` where there is no output."""
    point = tuple(p.tap + j * p.step for p, j in zip(phase, numbers, strict=True))
    rows = ((0, ((0, 1),)), *((p.first - j * p.back, ((i + 1, 1),)) for i, (p, j) in enumerate(zip(phase, numbers, strict=True))))
    dims = (batch, *(p.members for p in phase))
    return point, lambda expr, fill: builder.affine(expr, dims, rows, fill)


def max_pool_grad_grad(builder: Builder, orig_input: IndexExpr, orig_output: IndexExpr, grad: IndexExpr, **window: Any) -> IndexExpr:
    """MaxPoolGradGrad: what the gradient holds at the first maximum of each window."""
    windows = _windows(builder, orig_input.dims, **window)
    if grad.dims != orig_input.dims or tuple(orig_output.dims) != (orig_input.dims[0], *(w.out for w in windows)):
        raise builder.Unsupported("a gradient that has not the shape of the input")
    if _is_empty(builder, orig_input, windows):
        return builder.broadcast(builder.number(0, grad.dtype), orig_output.dims)
    seen, inner = _pad_input(builder, grad, windows, 0)
    none = builder.scalar(0, orig_output)
    return _select_first(builder, orig_input, orig_output, windows, lambda point: _see_point(builder, seen, inner, point), none)


def max_pool_v2(builder: Builder, input: IndexExpr, ksize: IndexExpr, strides: IndexExpr, **attrs: Any) -> IndexExpr:
    """MaxPoolV2: the window is an input."""
    return max_pool(builder, input, ksize=builder.get_constant(ksize).tolist(), strides=builder.get_constant(strides).tolist(), **attrs)


def max_pool_grad_v2(
    builder: Builder, orig_input: IndexExpr, orig_output: IndexExpr, grad: IndexExpr, ksize: IndexExpr, strides: IndexExpr, **attrs: Any
) -> IndexExpr:
    """MaxPoolGradV2."""
    window = {"ksize": builder.get_constant(ksize).tolist(), "strides": builder.get_constant(strides).tolist()}
    return max_pool_grad(builder, orig_input, orig_output, grad, **window, **attrs)


def max_pool_grad_grad_v2(
    builder: Builder, orig_input: IndexExpr, orig_output: IndexExpr, grad: IndexExpr, ksize: IndexExpr, strides: IndexExpr, **attrs: Any
) -> IndexExpr:
    """MaxPoolGradGradV2."""
    window = {"ksize": builder.get_constant(ksize).tolist(), "strides": builder.get_constant(strides).tolist()}
    return max_pool_grad_grad(builder, orig_input, orig_output, grad, **window, **attrs)


def max_pool3d_grad(builder: Any, orig_input: IndexExpr, orig_output: IndexExpr, grad: IndexExpr, **window: Any) -> IndexExpr:
    """MaxPool3DGrad: each window's gradient goes to all its points that hold the maximum."""
    windows = _windows(builder, orig_input.dims, **window)
    _require_same(builder, grad, orig_output, (orig_input.dims[0], *(w.out for w in windows)))
    if _is_empty(builder, orig_input, windows):
        return builder.broadcast(builder.number(0, grad.dtype), orig_input.dims)

    def part(phase: Sequence[Phase], views: Views) -> Any:
        starts, members = [0, *(p.start for p in phase)], (orig_input.dims[0], *(p.members for p in phase))
        own = builder.strided(orig_input, starts, [1, *(w.stride for w in windows)], members)
        total = None
        for _, view in views:
            term = builder.select(_holds(builder, own, view(orig_output, 0)), widen(builder, view(grad, 0)), 0)
            total = term if total is None else total + term
        return builder.cast(total, grad.dtype)

    return _join_phases(builder, orig_input.dims, grad.dtype, windows, part)


# ---------------------------------------------------------------------- means


def _shares(builder: Builder, lengths: Sequence[int], windows: Windows, dtype: Any) -> IndexExpr:
    """One by how many points of each window lie inside: one number, or an array for one image."""
    found: Any = np.ones((), np.float64)
    for length, w in zip(lengths, windows, strict=True):
        at = np.arange(w.out)[:, None] * w.stride - w.before + np.arange(w.size) * w.dilation
        inside = ((at >= 0) & (at < length)).sum(axis=1)
        found = found[..., None] * (inside if (inside != inside[:1]).any() else inside[:1])
    shares = np.asarray(1 / np.asarray(found, dtype))[None]
    return builder.number(shares.ravel()[0], dtype) if shares.size == 1 else builder.constant(shares)


def avg_pool(builder: Builder, value: IndexExpr, **window: Any) -> IndexExpr:
    """AvgPool: the mean of the points that lie inside."""
    windows = _windows(builder, value.dims, **window)
    dims = (value.dims[0], *(w.out for w in windows))
    if _is_empty(builder, value, windows):
        return builder.broadcast(builder.number(0, value.dtype), dims)
    x = widen(builder, value)
    total = _combine_windows(builder, x, windows, 0, "sum", lambda a, b: a + b)
    return builder.cast(total * builder.broadcast(_shares(builder, value.dims[1:], windows, x.dtype), dims), value.dtype)


def avg_pool_grad(builder: Builder, orig_input_shape: IndexExpr, grad: IndexExpr, **window: Any) -> IndexExpr:
    """AvgPoolGrad: each window's gradient, shared among its points."""
    shape = tuple(int(n) for n in builder.get_constant(orig_input_shape))
    windows = _windows(builder, shape, **window)
    _require_same(builder, grad, grad, (shape[0], *(w.out for w in windows)))
    if 0 in shape or _is_empty(builder, grad, windows):
        return builder.broadcast(builder.number(0, grad.dtype), shape)
    share = widen(builder, grad)
    share = share * builder.broadcast(_shares(builder, shape[1:], windows, share.dtype), grad.dims)
    if is_narrow(grad):
        share = builder.cast(builder.cast(share, grad.dtype), np.float32)
    share = builder.memory(share)
    for axis, w in reversed(list(enumerate(windows, 1))):
        share = _share_along(builder, share, axis, w, shape[axis])
    return builder.cast(share, grad.dtype)


def _share_along(builder: Builder, share: Any, axis: int, window: Window, length: int) -> IndexExpr:
    """What windows along one axis hold, added up at the elements that they see."""
    if window.size == window.stride == 1 and not window.before and not window.after:
        return share
    dims = (*share.dims[:axis], length, *share.dims[axis + 1 :])
    one = Window(1, 1, 1, 0, 0, 1)
    windows = [window if i == axis else one for i in range(1, len(dims))]

    def part(phase: Sequence[Phase], views: Views) -> Any:
        total = None
        for _, view in views:
            term = view(share, 0)
            total = term if total is None else total + term
        return total

    return builder.memory(_join_phases(builder, dims, share.dtype, windows, part))
