"""Convolution on NumPy arrays: gather the patches under the filter into a matrix, then let the matrix product do the work.

Everything here is NHWC for images and HWIO for filters.  The patches of one batch chunk are held at a time, so the extra memory is
bounded; a one-point filter needs no patches at all.  The gradient with respect to the input is a convolution with the filter turned round
where the steps are one, else a product and one shifted addition for each point of the filter.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.lib.stride_tricks import as_strided

from .nn_windows import Array, Window, offsets, padded, unpadded

Pair = tuple[Window, Window]

_CHUNK = 1 << 22  # numbers in the patches held at a time
_SAME = Window(1, 1, 1, 0, 0, 0)


def conv2d(x: Array, w: Array, hw: Pair) -> Array:
    """Correlate `x` with `w`; more input channels than the filter takes means groups."""
    groups = x.shape[3] // w.shape[2]
    if groups > 1:
        parts = zip(np.split(x, groups, axis=3), np.split(w, groups, axis=3), strict=True)
        return np.concatenate([conv2d(a, b, hw) for a, b in parts], axis=3)
    matrix = w.reshape(-1, w.shape[3])
    out = np.empty((x.shape[0], hw[0].out, hw[1].out, w.shape[3]), np.result_type(x, w))
    for rows, patches in _patches(x, hw):
        np.matmul(patches, matrix, out=out[rows].reshape(-1, w.shape[3]))
    return out


def conv2d_filter(x: Array, shape: tuple[int, ...], g: Array, hw: Pair) -> Array:
    """The gradient of `conv2d` with respect to a filter of `shape`."""
    groups = x.shape[3] // shape[2]
    if groups > 1:
        part = (*shape[:3], shape[3] // groups)
        pairs = zip(np.split(x, groups, axis=3), np.split(g, groups, axis=3), strict=True)
        return np.concatenate([conv2d_filter(a, part, b, hw) for a, b in pairs], axis=3)
    out = np.zeros((shape[0] * shape[1] * shape[2], shape[3]), np.result_type(x, g))
    for rows, patches in _patches(x, hw):
        out += patches.T @ g[rows].reshape(-1, shape[3])
    return out.reshape(shape)


def conv2d_input(shape: tuple[int, ...], w: Array, g: Array, hw: Pair) -> Array:
    """The gradient of `conv2d` with respect to an input of `shape`: what a transposed convolution computes."""
    groups = shape[3] // w.shape[2]
    if groups > 1:
        part = (*shape[:3], shape[3] // groups)
        pairs = zip(np.split(w, groups, axis=3), np.split(g, groups, axis=3), strict=True)
        return np.concatenate([conv2d_input(part, a, b, hw) for a, b in pairs], axis=3)
    if all(n.stride == 1 and n.before < n.reach and n.after < n.reach for n in hw):
        turned = np.ascontiguousarray(w[::-1, ::-1].swapaxes(2, 3))
        back = tuple(
            replace(n, before=n.reach - 1 - n.before, after=n.reach - 1 - n.after, out=size) for n, size in zip(hw, shape[1:3], strict=True)
        )
        return conv2d(g, turned, back)  # type: ignore[arg-type]  # two, as in `hw`
    return _scattered(shape, w, g, hw)


def _scattered(shape: tuple[int, ...], w: Array, g: Array, hw: Pair) -> Array:
    """The gradient for steps beyond one: a product, then one shifted addition for each point of the filter."""
    h, v = hw
    out = np.zeros((shape[0], shape[1] + h.before + h.after, shape[2] + v.before + v.after, shape[3]), np.result_type(w, g))
    columns = g.reshape(-1, g.shape[3]) @ w.reshape(-1, w.shape[3]).T
    spread = columns.reshape(*g.shape[:3], h.size, v.size, shape[3])
    for i in range(h.size):
        for j in range(v.size):
            out[:, h.at(i), v.at(j)] += spread[:, :, :, i, j]
    return out[:, h.before : h.before + shape[1], v.before : v.before + shape[2]]


def _patches(x: Array, hw: Pair) -> Iterator[tuple[slice, Array]]:
    """Chunks of the batch, each with its patches as rows: `(positions, height * width * channels)`."""
    h, v = hw
    x = padded(x, (_SAME, h, v, _SAME))
    batch, _, _, channels = x.shape
    if h.size == v.size == 1:
        yield slice(None), np.ascontiguousarray(x[:, h.at(0), v.at(0)]).reshape(-1, channels)
        return
    n, a, b, c = x.strides
    shape = (h.out, v.out, h.size, v.size, channels)
    strides = (a * h.stride, b * v.stride, a * h.dilation, b * v.dilation, c)
    step = max(1, _CHUNK // max(1, int(np.prod(shape))))
    for start in range(0, batch, step):
        rows = slice(start, min(start + step, batch))
        view = as_strided(x[rows], (rows.stop - start, *shape), (n, *strides), writeable=False)
        yield rows, view.reshape(-1, h.size * v.size * channels)


# ---------------------------------------------------------------------- one filter for each channel


def depthwise(x: Array, w: Array, hw: Pair) -> Array:
    """Each channel of `x` with its own filters `w[:, :, channel]`."""
    x = padded(x, (_SAME, *hw, _SAME))
    out = np.zeros((x.shape[0], hw[0].out, hw[1].out, w.shape[2], w.shape[3]), np.result_type(x, w))
    for at, kernel in zip(offsets(hw), w.reshape(-1, *w.shape[2:]), strict=True):
        out += x[(slice(None), *at)][..., None] * kernel
    return out.reshape(*out.shape[:3], -1)


def depthwise_filter(x: Array, shape: tuple[int, ...], g: Array, hw: Pair) -> Array:
    """The gradient of `depthwise` with respect to filters of `shape`."""
    x = padded(x, (_SAME, *hw, _SAME))
    g = g.reshape(*g.shape[:3], *shape[2:])
    out = np.zeros((shape[0] * shape[1], *shape[2:]), np.result_type(x, g))
    for point, at in enumerate(offsets(hw)):
        out[point] = (x[(slice(None), *at)][..., None] * g).sum(axis=(0, 1, 2))
    return out.reshape(shape)


def depthwise_input(shape: tuple[int, ...], w: Array, g: Array, hw: Pair) -> Array:
    """The gradient of `depthwise` with respect to an input of `shape`."""
    h, v = hw
    g = g.reshape(*g.shape[:3], *w.shape[2:])
    out = np.zeros((shape[0], shape[1] + h.before + h.after, shape[2] + v.before + v.after, shape[3]), np.result_type(w, g))
    for at, kernel in zip(offsets(hw), w.reshape(-1, *w.shape[2:]), strict=True):
        out[(slice(None), *at)] += (g * kernel).sum(axis=-1)
    return unpadded(out, (_SAME, h, v, _SAME))
