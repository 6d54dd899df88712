"""How convolutions are lowered for the engine: loops over tiles in registers, and products of matrices where an image has few outputs.

The gradient with respect to the input is a convolution of the output's gradient with the filter turned round; with steps beyond one it is
several, one for each place of an input between two positions of the window, each with the taps that fall there.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..lowering import linalg as native_linalg
from ..lowering.reduce import is_narrow
from . import depthwise_lowering
from .depthwise_lowering import make_axes
from .phases_lowering import Phase, phases, place_phase, zeros_first
from .windows import Window, is_point, place

if TYPE_CHECKING:
    from ...engine.lowering.builder import Builder
    from ...engine.lowering.index_expr import IndexExpr

Windows = Sequence[Window]
#: Images with fewer outputs than this have their patches put in memory for one product: their tiles would leave registers unused.
FEW = 6
#: Points of so few channels are no product of matrices, for which the library would pack more than it multiplies.
THIN = 16
#: Images with fewer outputs than this are summed over several at a time for the gradient of a filter.
SMALL = 128


def _is_channels_first(data_format: str) -> bool:
    return data_format.startswith("NC")


def _images(
    builder: Builder, dims: Sequence[int], taps: Sequence[int], data_format: str, *, strides: Any, padding: str, dilations: Any,
    explicit_paddings: Any = (),
) -> Windows:  # fmt: skip
    """The windows on the spatial axes of an input of `dims`, in the order of its layout."""
    rank = len(dims)
    if not rank == len(taps) + 2 == len(strides) == len(dilations):
        raise builder.Unsupported("ranks that do not fit")
    axes = range(2, rank) if _is_channels_first(data_format) else range(1, rank - 1)
    if any(s[i] != 1 for s in (strides, dilations) for i in range(rank) if i not in axes):
        raise builder.Unsupported("a window that moves over images or channels")
    margins = [tuple(explicit_paddings[2 * i : 2 * i + 2]) if len(explicit_paddings) else (0, 0) for i in axes]
    found = [place(dims[i], n, strides[i], dilations[i], padding, m) for i, n, m in zip(axes, taps, margins, strict=True)]
    if any(window.out < 0 for window in found):
        raise builder.Unsupported("a filter that is larger than the image")
    return found


def _move_channels_last(builder: Builder, x: Any, data_format: str) -> IndexExpr:
    """The channels last."""
    return builder.permute(x, [0, *range(2, len(x.dims)), 1]) if _is_channels_first(data_format) else x


def _move_channels_back(builder: Builder, x: Any, data_format: str) -> IndexExpr:
    """The inverse of `_move_channels_last`."""
    rank = len(x.dims)
    return builder.permute(x, [0, rank - 1, *range(1, rank - 1)]) if _is_channels_first(data_format) else x


def _compute_widened(builder: Builder, compute: Callable[[Any, Any], Any], a: Any, b: Any) -> IndexExpr:
    """Narrow floats are computed in float32 and rounded once, as the kernels do."""
    if is_narrow(a):
        return builder.cast(compute(builder.cast(a, np.float32), builder.cast(b, np.float32)), a.dtype)
    return compute(a, b)


Lowering = Callable[..., Any]


def forward(compute: Lowering) -> Lowering:
    """The lowering of a convolution; compute: of channels last and windows."""

    def lower(builder: Any, input: Any, filter: Any, *, data_format: str, **attrs: Any) -> Any:
        windows = _images(builder, input.dims, filter.dims[:-2], data_format, **attrs)
        out = _compute_widened(
            builder, lambda x, w: compute(builder, x, w, windows), _move_channels_last(builder, input, data_format), filter
        )
        return _move_channels_back(builder, out, data_format)

    return lower


def to_input(compute: Lowering, depthwise: bool = False) -> Lowering:
    """The lowering of a convolution's gradient for its input."""

    def lower(builder: Any, input_sizes: Any, filter: Any, out_backprop: Any, *, data_format: str, **attrs: Any) -> Any:
        dims = tuple(int(n) for n in builder.get_constant(input_sizes))
        windows = _images(builder, dims, filter.dims[:-2], data_format, **attrs)
        g = _move_channels_last(builder, out_backprop, data_format)
        last = (dims[0], *dims[2:], dims[1]) if _is_channels_first(data_format) else dims
        _require(builder, g.dims, last, filter.dims, windows, depthwise)
        dx = _compute_widened(builder, lambda w, g: compute(builder, last, w, g, windows), filter, g)
        return _move_channels_back(builder, dx, data_format)

    return lower


def to_filter(compute: Lowering, depthwise: bool = False) -> Lowering:
    """The lowering of a convolution's gradient for its filter."""

    def lower(builder: Any, input: Any, filter_sizes: Any, out_backprop: Any, *, data_format: str, **attrs: Any) -> Any:
        dims = tuple(int(n) for n in builder.get_constant(filter_sizes))
        windows = _images(builder, input.dims, dims[:-2], data_format, **attrs)
        x, g = _move_channels_last(builder, input, data_format), _move_channels_last(builder, out_backprop, data_format)
        _require(builder, g.dims, x.dims, dims, windows, depthwise)
        return _compute_widened(builder, lambda x, g: compute(builder, x, dims, g, windows), x, g)

    return lower


def _require(builder: Builder, g: Sequence[int], image: Sequence[int], taps: Sequence[int], windows: Windows, depthwise: bool) -> None:
    """Refuse sizes of a gradient, an input and a filter that do not fit, which a type rule may not know."""
    depth, outputs = taps[-2:]
    if depthwise:
        fits = image[-1] == depth
        outputs *= depth
    else:
        fits = depth > 0 and image[-1] % depth == 0
    if not fits or list(g) != [image[0], *(n.out for n in windows), outputs]:
        raise builder.Unsupported("a gradient that has not the shape of the output")


# ---------------------------------------------------------------------- a filter over all channels


def conv(builder: Builder, x: Any, w: Any, windows: Windows) -> IndexExpr:
    """The output of a convolution, channels last."""
    groups, outputs = x.dims[-1] // w.dims[-2], w.dims[-1]
    dims = (x.dims[0], *(n.out for n in windows), outputs)
    if 0 in dims or not w.size:
        return builder.broadcast(builder.number(0, x.dtype), dims)
    if x.dtype.kind == "f" and groups == 1 and ((is_point(windows) and x.dims[-1] > THIN) or _are_few(windows)):
        return builder.reshape(native_linalg.matmul(builder, _patches(builder, x, windows), _matrix(builder, w)), dims)
    out = builder.temporary(dims, x.dtype)
    axes = make_axes(builder, x.dims, windows)
    _ask_convolution(builder, x, w, out, axes, _compute_strides(dims)[:-1], 0, False)
    return out


def conv_input(builder: Builder, shape: tuple[int, ...], w: Any, g: Any, windows: Windows) -> IndexExpr:
    """The gradient of a convolution for an input of `shape`, channels last."""
    channels, depth = w.dims[-2:]
    groups = shape[-1] // channels
    if 0 in shape or not g.size or not w.size:
        return builder.broadcast(builder.number(0, g.dtype), shape)
    if g.dtype.kind == "f" and groups == 1 and is_point(windows):
        rows = _matrix(builder, g)
        return builder.reshape(native_linalg.matmul(builder, rows, builder.reshape(w, (channels, depth)), transpose_b=True), shape)
    every = [phases(n, length) for n, length in zip(windows, shape[1:-1], strict=True)]
    parts = list(itertools.product(*every))
    out = zeros_first(builder, shape, g.dtype, every)
    for part in parts:
        if all(phase.taps and phase.members for phase in part):
            axes = tuple(
                builder.axis(length, p.taps, 1, p.back, p.first - p.back * (p.taps - 1), p.members)
                for length, p in zip(g.dims[1:-1], part, strict=True)
            )
            apart, offset = place_phase(shape, windows, part)
            _ask_convolution(builder, g, _turn_taps(builder, w, part, groups), out, axes, apart[:-1], offset, True)
    return out


def _turn_taps(builder: Builder, w: Any, part: Sequence[Phase], groups: int) -> IndexExpr:
    """The taps of a phase from the last to the first, outputs and channels changed with each other in each group."""
    channels, depth = w.dims[-2:]
    taps = tuple(p.taps for p in part)
    begin = [p.tap + p.step * (p.taps - 1) for p in part]
    chosen = builder.strided(w, [*begin, 0, 0], [*(-p.step for p in part), 1, 1], (*taps, channels, depth))
    split = builder.reshape(builder.memory(chosen) if groups > 1 else chosen, (*taps, channels, groups, depth // groups))
    rank = len(taps)
    return builder.reshape(builder.permute(split, [*range(rank), rank + 2, rank + 1, rank]), (*taps, depth // groups, groups * channels))


def conv_filter(builder: Builder, x: Any, shape: tuple[int, ...], g: Any, windows: Windows) -> IndexExpr:
    """The gradient of a convolution for a filter of `shape`, channels last."""
    groups = x.dims[-1] // shape[-2] if shape[-2] else 1
    if 0 in shape or not g.size or not x.size:
        return builder.broadcast(builder.number(0, x.dtype), shape)
    if x.dtype.kind == "f" and groups == 1 and _are_few(windows):
        product = native_linalg.matmul(builder, _patches(builder, x, windows), _matrix(builder, g), transpose_a=True)
        return builder.reshape(product, shape)
    axes = make_axes(builder, x.dims, windows)
    if math.prod(n.out for n in windows) < SMALL and x.dims[0] > 1:  # several images make a unit
        axes = (builder.axis(x.dims[0], 1, 1, 1, 0, x.dims[0]), *axes)
        x, g = (builder.reshape(t, (1, *t.dims)) for t in (x, g))
    return builder.reshape(builder.filter_sums(builder.memory(x), builder.memory(g), axes, groups), shape)


def _are_few(windows: Windows) -> bool:
    return math.prod(n.out for n in windows) < FEW


def _patches(builder: Builder, x: Any, windows: Windows) -> IndexExpr:
    """What the window sees at each position, as rows."""
    if is_point(windows):
        return _matrix(builder, x)
    n = len(windows)
    outs, sizes = tuple(v.out for v in windows), tuple(v.size for v in windows)
    rows = (
        (0, ((0, 1),)),
        *((-v.before, ((1 + i, v.stride), (1 + n + i, v.dilation))) for i, v in enumerate(windows)),
        (0, ((1 + 2 * n, 1),)),
    )
    dims = (x.dims[0], *outs, *sizes, x.dims[-1])
    seen = builder.memory(builder.affine(x, dims, rows, 0))
    return builder.reshape(seen, (x.dims[0] * math.prod(outs), math.prod(sizes) * x.dims[-1]))


def _ask_convolution(
    builder: Builder, x: Any, w: Any, out: Any, axes: tuple[Any, ...], apart: Sequence[int], offset: int, over: bool
) -> None:
    """Ask for a convolution with a filter of (*taps, channels, groups * outputs), put in order for it first."""
    groups = x.dims[-1] // w.dims[-2]
    taps, channels, depth = w.dims[:-2], w.dims[-2], w.dims[-1] // groups
    rank = len(taps)
    columns = builder.columns(depth, x.dtype.itemsize)
    blocks = -(-depth // columns)
    split = builder.reshape(builder.memory(w) if groups > 1 else w, (*taps, channels, groups, depth))
    if blocks * columns > depth:
        dims = (*split.dims[:-1], blocks * columns)
        split = builder.pad(split, [0] * len(dims), dims, 0)
        split = builder.memory(split) if blocks > 1 else split
    split = builder.reshape(split, (*taps, channels, groups, blocks, columns))
    ordered = builder.permute(split, [rank + 1, rank + 2, *range(rank + 1), rank + 3])
    builder.convolve(builder.memory(x), builder.memory(ordered), out, axes, depth, tuple(apart), offset, over)


def _matrix(builder: Builder, x: Any) -> IndexExpr:
    return builder.reshape(x, (math.prod(x.dims[:-1]), x.dims[-1]))


def _compute_strides(dims: Sequence[int]) -> list[int]:
    return [math.prod(dims[i + 1 :]) for i in range(len(dims))]


FULL = forward(conv), to_input(conv_input), to_filter(conv_filter)
DEPTHWISE = forward(depthwise_lowering.conv), to_input(depthwise_lowering.conv_input, True), to_filter(depthwise_lowering.conv_filter, True)
