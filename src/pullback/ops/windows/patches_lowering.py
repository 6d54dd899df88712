"""How patches are lowered for the engine: a view with an axis more for each axis of the window, and sums over its taps for the gradient."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..lowering.reduce import widen
from .phases_lowering import phases, place_phase, zeros_first
from .windows import Window, place

if TYPE_CHECKING:
    from ...engine.lowering.builder import Builder
    from ...engine.lowering.index_expr import IndexExpr


def are_spatial(*steps: Sequence[int]) -> bool:
    """Whether sizes, strides and rates are positive, and 1 along images and channels."""
    return all(min(of) > 0 and of[0] == of[-1] == 1 for of in steps)


def _windows(builder: Builder, dims: Sequence[int], ksizes: Any, strides: Any, rates: Any, padding: str) -> list[Window]:
    if not are_spatial(ksizes, strides, rates):
        raise builder.Unsupported("a window over images or channels, or of none")
    axes = range(1, len(dims) - 1)
    found = [place(dims[i], ksizes[i], strides[i], rates[i], padding) for i in axes]
    if len(ksizes) != len(dims) or any(w.out < 0 for w in found):
        raise builder.Unsupported("a window that does not fit the images")
    return found


def extract(
    builder: Builder, images: IndexExpr, *, ksizes: Sequence[int], strides: Sequence[int], padding: str,
    rates: Sequence[int] = (1, 1, 1, 1, 1)
) -> IndexExpr:
    """ExtractImagePatches, ExtractVolumePatches."""
    windows = _windows(builder, images.dims, ksizes, strides, rates, padding)
    n, depth = len(windows), images.dims[-1]
    outs = (images.dims[0], *(w.out for w in windows))
    dims = (*outs, depth * math.prod(w.size for w in windows))
    if 0 in dims:
        return builder.broadcast(builder.number(0, images.dtype), dims)
    rows = (
        (0, ((0, 1),)),
        *((-w.before, ((1 + i, w.stride), (1 + n + i, w.dilation))) for i, w in enumerate(windows)),
        (0, ((1 + 2 * n, 1),)),
    )
    return builder.reshape(builder.memory(builder.affine(images, (*outs, *(w.size for w in windows), depth), rows, 0)), dims)


def extract_grad(
    builder: Any, grads: IndexExpr, shape: IndexExpr, *, ksizes: Sequence[int], strides: Sequence[int], padding: str,
    rates: Sequence[int] = (1, 1, 1, 1, 1)
) -> IndexExpr:
    """The gradient: each element adds up what all patches have of it."""
    dims = tuple(int(n) for n in builder.get_constant(shape))
    windows = _windows(builder, dims, ksizes, strides, rates, padding)
    outs, sizes = tuple(w.out for w in windows), tuple(w.size for w in windows)
    if grads.dims != (dims[0], *outs, dims[-1] * math.prod(sizes)):
        raise builder.Unsupported("gradients that are not of the patches' shape")
    if not grads.size or 0 in dims:
        return builder.broadcast(builder.number(0, grads.dtype), dims)
    given = builder.reshape(builder.memory(grads), (dims[0], *outs, *sizes, dims[-1]))
    every = [phases(w, n) for w, n in zip(windows, dims[1:-1], strict=True)]
    out = zeros_first(builder, dims, grads.dtype, every)
    covered = all(p.taps for axis in every for p in axis)
    for part in itertools.product(*every):
        if not all(p.taps for p in part):
            continue
        own, total = (dims[0], *(p.members for p in part), dims[-1]), None
        for numbers in itertools.product(*(range(p.taps) for p in part)):
            places = list(enumerate(zip(part, numbers, strict=True)))
            rows = (
                (0, ((0, 1),)),
                *((p.first - k * p.back, ((1 + i, 1),)) for i, (p, k) in places),
                *((p.tap + k * p.step, ()) for _, (p, k) in places),
                (0, ((1 + len(part), 1),)),
            )
            term = widen(builder, builder.affine(given, own, rows, 0))
            total = term if total is None else total + term
        apart, offset = place_phase(dims, windows, part)
        builder.put(builder.cast(total, grads.dtype), out, apart, offset, over=not covered)
    return out
