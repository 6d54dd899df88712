"""Convolution on NumPy arrays: gather the patches under the filter into a matrix, then let the matrix product do the work.

Images are (batch, *sizes, channels), filters (*sizes, channels, outputs), with any number of spatial axes and a window for each.
Patches are gathered in blocks that stay in a core's cache, where gathering costs a tenth of the product; blocks are handed to threads
and are cut by the shapes alone, sums over blocks are added in one order (see `kernels.parallel`).  A one-point filter needs no patches.
With few channels it is the channels of a patch that are far apart in memory, so then the patches are gathered as columns.

The gradient with respect to the input is a convolution with the filter turned round where the steps are one, else a product and one
shifted addition for each point of the filter.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from numpy.lib.stride_tricks import as_strided

from ...kernels import gemm, parallel, reductions
from .windows import Array, Window, is_point, offsets, pad_windows, unpad_windows

Windows = Sequence[Window]
Buffers = tuple[Array, Array | None, Array | None]

BLOCK = 1 << 22  # bytes of the patches gathered at a time
SHARED = 1 << 18  # numbers to go through from which threads pay
NATIVE = 1 << 13  # elements of the larger of input and filter from which the engine's loops pay
_SAME = Window(1, 1, 1, 0, 0, 0)


def conv(x: Array, w: Array, windows: Windows) -> Array:
    """Correlate `x` with `w`; more input channels than the filter takes means groups."""
    channels, depth = w.shape[-2:]
    groups = x.shape[-1] // channels
    if groups > 1:
        parts = zip(np.split(x, groups, axis=-1), np.split(w, groups, axis=-1), strict=True)
        return np.concatenate([conv(a, b, windows) for a, b in parts], axis=-1)
    matrix = w.reshape(-1, depth)
    if is_point(windows):
        return gemm.matmul(x.reshape(-1, channels), matrix).reshape(*x.shape[:-1], depth)
    out = np.empty((x.shape[0], *(n.out for n in windows), depth), x.dtype)
    patches = Patches(x, windows)
    patches.each(lambda _, at, rows: gemm.multiply_into(out[at].reshape(-1, depth), rows, matrix), patches.count)
    return out


def conv_filter(x: Array, shape: tuple[int, ...], g: Array, windows: Windows) -> Array:
    """The gradient of `conv` with respect to a filter of `shape`."""
    channels, depth = shape[-2:]
    groups = x.shape[-1] // channels
    if groups > 1:
        part = (*shape[:-1], depth // groups)
        pairs = zip(np.split(x, groups, axis=-1), np.split(g, groups, axis=-1), strict=True)
        return np.concatenate([conv_filter(a, part, b, windows) for a, b in pairs], axis=-1)
    if is_point(windows):
        return gemm.matmul(x.reshape(-1, channels).T, g.reshape(-1, depth)).reshape(shape)
    g = np.ascontiguousarray(g)
    patches = Patches(x, windows)
    sums = np.zeros((min(patches.count, 4) or 1, math.prod(shape[:-1]), depth), x.dtype)
    patches.each(lambda i, at, rows: gemm.multiply_into(sums[i], rows.T, g[at].reshape(-1, depth), add=True), len(sums))
    total: Array = sums[0]
    for one in sums[1:]:
        total += one
    return total.reshape(shape)


def conv_input(shape: tuple[int, ...], w: Array, g: Array, windows: Windows) -> Array:
    """The gradient of `conv` with respect to an input of `shape`: what a transposed convolution computes."""
    channels, depth = w.shape[-2:]
    groups = shape[-1] // channels
    if groups > 1:
        part = (*shape[:-1], channels)
        pairs = zip(np.split(w, groups, axis=-1), np.split(g, groups, axis=-1), strict=True)
        return np.concatenate([conv_input(part, a, b, windows) for a, b in pairs], axis=-1)
    if is_point(windows):
        return gemm.matmul(g.reshape(-1, depth), w.reshape(-1, depth).T).reshape(shape)
    if all(n.stride == 1 and n.before < n.reach and n.after < n.reach for n in windows):
        turned = np.ascontiguousarray(w[(slice(None, None, -1),) * len(windows)].swapaxes(-1, -2))
        sizes = zip(windows, shape[1:-1], strict=True)
        back = [replace(n, before=n.reach - 1 - n.before, after=n.reach - 1 - n.after, out=size) for n, size in sizes]
        return conv(g, turned, back)
    return _scatter_gradient(shape, w, g, windows)


def _scatter_gradient(shape: tuple[int, ...], w: Array, g: Array, windows: Windows) -> Array:
    """The gradient for steps beyond one: a product, then one shifted addition for each point of the filter."""
    wide = np.zeros((shape[0], *(n + v.before + v.after for n, v in zip(shape[1:-1], windows, strict=True)), shape[-1]), g.dtype)
    matrix, points = w.reshape(-1, w.shape[-1]).T, list(offsets(windows))
    g = np.ascontiguousarray(g)
    size = math.prod(g.shape[1:-1]) * matrix.shape[1]
    step = max(BLOCK // max(size * g.itemsize, 1), 1)

    def images(i: int) -> None:
        part = g[i * step : (i + 1) * step]
        rows = np.empty((part.size // matrix.shape[0], matrix.shape[1]), g.dtype)
        gemm.multiply_into(rows, part.reshape(-1, matrix.shape[0]), matrix)
        spread = rows.reshape(*part.shape[:-1], len(points), shape[-1])
        target = wide[i * step : (i + 1) * step]
        for k, at in enumerate(points):
            target[(slice(None), *at)] += spread[..., k, :]

    if g.size:
        share_blocks(images, -(-shape[0] // step), size * shape[0])
    return unpad_windows(wide, (_SAME, *windows, _SAME))


def share_blocks(work: Callable[[int], None], count: int, numbers: int) -> None:
    """Calls `work` for each block, on several threads where there are enough `numbers` to go through."""
    if numbers < SHARED:
        for i in range(count):
            work(i)
    else:
        parallel.run(work, count)


class Patches:
    """The patches of images under a filter, as the rows of matrices, in blocks of whole images or of rows of one."""

    def __init__(self, x: Array, windows: Windows) -> None:
        self.channels = x.shape[-1]
        self.outs, self.sizes = [n.out for n in windows], [n.size for n in windows]
        self.width = math.prod(self.sizes) * self.channels
        self.columns = self.sizes[-1] * self.channels < 12 < self.outs[-1]
        self.windows = (_SAME, *windows, _SAME)
        row = math.prod(self.outs[1:]) * self.width * x.itemsize
        per_block = max(BLOCK // max(row, 1), 1)  # rows of the output's first spatial axis
        batch, height = x.shape[0], max(self.outs[0], 1)
        self.images = max(min(per_block // height, -(-batch // 8)), 1)
        self.rows = min(per_block, height)
        self.inner = any(n.before or n.after for n in windows) and batch >= 4 * self.images  # padding is added block by block
        self.per_image = -(-height // self.rows)
        empty = not x.size or not math.prod(self.outs)
        self.count = 0 if empty else -(-batch // self.images) * (1 if self.inner else self.per_image)
        self.x = x if self.inner else np.ascontiguousarray(pad_windows(x, self.windows))

    def _view(self, x: Array) -> Array:
        """Each patch of `x`, which is padded: (batch, *outs, *sizes, channels) or (*sizes, channels, batch, *outs)."""
        windows, inner = self.windows[1:-1], x.strides[1:-1]
        places = [s * n.stride for s, n in zip(inner, windows, strict=True)]
        points = [s * n.dilation for s, n in zip(inner, windows, strict=True)]
        axes = [(x.shape[0], *self.outs), (x.strides[0], *places)], [(*self.sizes, self.channels), (*points, x.strides[-1])]
        (one, first), (two, second) = reversed(axes) if self.columns else axes
        return as_strided(x, (*one, *two), (*first, *second), writeable=False)

    def _at(self, i: int) -> tuple[slice, slice]:
        """What block `i` takes of the batch and of the output's first spatial axis."""
        image, row = divmod(i, self.per_image)
        return slice(image * self.images, (image + 1) * self.images), slice(row * self.rows, (row + 1) * self.rows)

    def each(self, use: Callable[[int, tuple[slice, slice], Array], None], chains: int) -> None:
        """Calls `use` with the number of a chain, a block's place in the output and its patches, for every block.

        The blocks are cut into so many chains; those of one chain go one after another.
        """
        if not self.count:
            return
        length = -(-self.count // chains)
        every = None if self.inner else self._view(self.x)
        spare: list[Buffers] = []

        def chain(i: int) -> None:
            kept = spare.pop() if spare else self._buffers()
            for unit in range(i * length, min((i + 1) * length, self.count)):
                image, rows = (unit, range(self.per_image)) if self.inner else (unit // self.per_image, [unit % self.per_image])
                images = slice(image * self.images, (image + 1) * self.images)
                part, taken = self._part(images, kept, every)
                for row in rows:
                    at = slice(row * self.rows, (row + 1) * self.rows)
                    use(i, (images, at), self._gather_patches(part, taken, at, kept[0]))
            spare.append(kept)

        share_blocks(chain, chains, math.prod(self.outs) * self.width * self.x.shape[0])

    def _buffers(self) -> Buffers:
        """Memory for a block's patches, and for its images with their padding where that is added here; kept from block to block."""
        patches = np.empty(self.images * self.rows * math.prod(self.outs[1:]) * self.width, self.x.dtype)
        if not self.inner:
            return patches, None, None
        wide = np.zeros([n + w.before + w.after for n, w in zip((self.images, *self.x.shape[1:]), self.windows, strict=True)], self.x.dtype)
        return patches, wide, self._view(wide)

    def _part(self, images: slice, kept: Buffers, every: Array | None) -> tuple[Array, slice]:
        """Patches by position, and the images that are meant there."""
        _, wide, view = kept
        if wide is None or view is None:
            assert every is not None
            return every, images
        source = self.x[images]
        unpad_windows(wide, self.windows)[: len(source)] = source
        return view, slice(0, len(source))

    def _gather_patches(self, view: Array, images: slice, rows: slice, patches: Array) -> Array:
        part = view[(slice(None),) * (len(self.sizes) + 1) + (images, rows)] if self.columns else view[images, rows]
        flat = patches[: part.size]
        np.copyto(flat.reshape(part.shape), part)
        return flat.reshape(self.width, -1).T if self.columns else flat.reshape(-1, self.width)


# ---------------------------------------------------------------------- one filter for each channel


class Depthwise:
    """Images and the filters of each channel, block by block; `times` outputs of a channel stand side by side."""

    def __init__(self, shape: tuple[int, ...], filter_shape: tuple[int, ...], windows: Windows) -> None:
        self.channels, self.times = filter_shape[-2:]
        self.depth = self.channels * self.times
        self.windows = (_SAME, *windows, _SAME)
        self.points = [(slice(None), *at) for at in offsets(windows)]
        self.outs = tuple(n.out for n in windows)
        self.wide = (*(n + v.before + v.after for n, v in zip(shape[1:-1], windows, strict=True)), self.channels)
        image = max(math.prod(self.outs), math.prod(self.wide[:-1])) * self.depth
        self.step = max((BLOCK >> 6) // max(image, 1), 1)
        self.count = -(-shape[0] // self.step) if image else 0
        self.numbers = math.prod(self.outs) * shape[0] * self.depth * len(self.points)

    def kernels(self, w: Array) -> Array:
        """For each point, its numbers for a whole row of the output, so that NumPy goes through rows and not through pixels."""
        flat = w.reshape(len(self.points), 1, self.depth)
        return np.ascontiguousarray(np.broadcast_to(flat, (len(self.points), self.outs[-1], self.depth)))

    def images(self, x: Array, i: int) -> Array:
        """Block `i` of the images, padded, each channel as often as it has outputs."""
        part = pad_windows(x[i * self.step : (i + 1) * self.step], self.windows)
        return np.repeat(part, self.times, axis=-1) if self.times > 1 else part


def depthwise(x: Array, w: Array, windows: Windows) -> Array:
    """Each channel of `x` with its own filters `w[..., channel, :]`."""
    plan = Depthwise(x.shape, w.shape, windows)
    out = np.zeros((x.shape[0], *plan.outs, plan.depth), x.dtype)
    kernels = plan.kernels(w)

    def block(i: int) -> None:
        wide, target = plan.images(x, i), out[i * plan.step : (i + 1) * plan.step]
        term = np.empty_like(target)
        for at, kernel in zip(plan.points, kernels, strict=True):
            np.multiply(wide[at], kernel, out=term)
            np.add(target, term, out=target)

    share_blocks(block, plan.count, plan.numbers)
    return out


def depthwise_filter(x: Array, shape: tuple[int, ...], g: Array, windows: Windows) -> Array:
    """The gradient of `depthwise` with respect to filters of `shape`."""
    plan = Depthwise(x.shape, shape, windows)
    sums = np.zeros((plan.count, len(plan.points), plan.depth), x.dtype)

    def block(i: int) -> None:
        wide, part = plan.images(x, i), g[i * plan.step : (i + 1) * plan.step]
        term = np.empty(part.shape, x.dtype)
        for k, at in enumerate(plan.points):
            np.multiply(wide[at], part, out=term)
            sums[i, k] = reductions.column_sums(term.reshape(-1, plan.depth))

    share_blocks(block, plan.count, plan.numbers)
    total: Array = sums.sum(axis=0).reshape(shape)
    return total


def depthwise_input(shape: tuple[int, ...], w: Array, g: Array, windows: Windows) -> Array:
    """The gradient of `depthwise` with respect to an input of `shape`."""
    plan = Depthwise(shape, w.shape, windows)
    out = np.zeros((shape[0], *plan.wide), g.dtype)
    kernels = plan.kernels(w)

    def block(i: int) -> None:
        part, target = g[i * plan.step : (i + 1) * plan.step], out[i * plan.step : (i + 1) * plan.step]
        term = np.empty(part.shape, g.dtype)
        for at, kernel in zip(plan.points, kernels, strict=True):
            np.multiply(part, kernel, out=term)
            for j in range(plan.times):
                target[at] += term[..., j :: plan.times]

    share_blocks(block, plan.count, plan.numbers)
    return unpad_windows(out, plan.windows)
