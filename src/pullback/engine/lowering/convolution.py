"""Convolutions as steps of a program: what there is to compute, and how it is cut in units and tasks.

A convolution goes through the outputs of an image in tiles that fit in registers: for each tap and channel a few neighbouring outputs
take the input's number times a vector of the filter's.  That is a product of matrices whose left factor is the image itself, so no
patches are written and none read back; `convolution_code` writes the loops.  What a tile reads must be there, so an image with padding
(or one of several groups of channels) is copied into a window of zeros first, some rows at a time, which stays in a core's cache.

A unit is some rows of the outputs of one image and group; tasks are runs of units, cut by the shapes alone.  A gradient with respect to
the filter is a sum over all units: each task adds up its own, and the sums of the tasks are added in their order.
"""

from __future__ import annotations

import math
from functools import cached_property

from ...base.named_values import NamedValues
from .index_expr import Buffer, Place
from .sharing import Block, InTasks, count_blocks

#: Multiplications that are worth a task of their own, the greatest number of tasks, and the units to have for each image of a small batch.
_BLOCK_WORK, _MOST_BLOCKS, _UNITS = 500_000, 32, 16
#: Bytes of a window where one can be so small, of all windows, of the sums of one task, and of those of all tasks.
_WINDOW, _WINDOWS, _SUM, _SUMS = 1 << 16, 1 << 26, 1 << 20, 1 << 23
#: How many outputs a unit should have for sums that are larger than `_SUM`, as they are read and written for each unit.
_DEEP = 512
#: From how many groups of channels on tasks have groups of their own.
_GROUPS = 8
#: Bytes of the columns of a filter that are taken at a time: two of the widest vectors.
_COLUMNS = 128


class Axis(NamedValues):
    """A spatial axis: tap t of output o sees element start + o * stride + t * dilation of `length`; what lies outside is 0."""

    length: int
    taps: int
    stride: int
    dilation: int
    start: int
    outputs: int

    @property
    def reach(self) -> int:
        """How many elements the taps of an output span."""
        return (self.taps - 1) * self.dilation + 1

    def span(self, outputs: int) -> int:
        """How many elements so many outputs span."""
        return (outputs - 1) * self.stride + self.reach

    @property
    def is_inside(self) -> bool:
        """Whether no tap falls outside."""
        return self.start >= 0 and self.start + self.span(self.outputs) <= self.length


class Windowed(Block, InTasks):
    """What a convolution and the gradient for its filter have in common: an input seen through windows.

    x: (batch, *lengths, groups * channels).  rows: how many outputs of the first spatial axis make a unit.  length: how many units make
    a task, or a share of the tasks.  windows: memory for a window for each task.  least: the number of outputs to have in a unit.
    """

    length: int
    tasks: int
    out: Buffer
    windows: Buffer | None = None

    def __init__(self, x: Buffer, axes: tuple[Axis, ...], groups: int, outputs: int, least: int = 1) -> None:
        self.x, self.axes, self.groups = x, axes, groups
        self.batch, self.channels, self.outputs = x.dims[0], x.dims[-1] // groups, outputs
        first = axes[0]
        self.copies = groups > 1 or not all(axis.is_inside for axis in axes)
        per_image = -(-_UNITS // max(self.batch * groups, 1))
        fits = (_WINDOW // max(self._row * x.dtype.itemsize, 1) - first.reach) // first.stride + 1
        wanted = -(-least // max(math.prod(axis.outputs for axis in axes[1:]), 1))
        self.rows = max(min(max(min(fits, -(-first.outputs // per_image)), wanted), first.outputs), 1)
        self.chunks = -(-first.outputs // self.rows)
        self.units = self.batch * groups * self.chunks

    @property
    def writes(self) -> list[Place]:
        """What it writes to."""
        return [self.out.place, *([self.windows.place] if self.windows else [])]

    @cached_property
    def pitches(self) -> tuple[int, ...]:
        """How far apart neighbours along each spatial axis are where the taps read them."""
        inner = [axis.span(axis.outputs) if self.copies else axis.length for axis in self.axes[1:]]
        channels = self.channels if self.copies else self.x.dims[-1]
        return tuple(math.prod(inner[i:]) * channels for i in range(len(self.axes)))

    @property
    def _row(self) -> int:
        return self.pitches[0]

    @property
    def window(self) -> int:
        """How many elements a window has, 0 where the input is read where it is."""
        return self.axes[0].span(self.rows) * self._row if self.copies else 0

    @property
    def runs(self) -> tuple[tuple[int, ...], int]:
        """The taps as runs of elements side by side: where each starts, and how long all are."""
        merged = self.axes[-1].dilation == 1 or self.axes[-1].taps == 1
        starts = [0]
        for axis, pitch in list(zip(self.axes, self.pitches, strict=True))[: len(self.axes) - merged]:
            starts = [at + t * axis.dilation * pitch for at in starts for t in range(axis.taps)]
        return tuple(starts), self.channels * (self.axes[-1].taps if merged else 1)

    @property
    def starts(self) -> tuple[int, ...]:
        """Where each tap reads, from where the first one does."""
        found = [0]
        for axis, pitch in zip(self.axes, self.pitches, strict=True):
            found = [at + t * axis.dilation * pitch for at in found for t in range(axis.taps)]
        return tuple(found)

    @property
    def most(self) -> int:
        """How many tasks there may be, by their work and by the memory for their windows."""
        room = max(_WINDOWS // max(self.window * self.x.dtype.itemsize, 1), 4)
        return min(count_blocks(self.work, _BLOCK_WORK, _MOST_BLOCKS), room)

    @property
    def work(self) -> int:
        """How many multiplications it takes."""
        return self.batch * self.groups * self.channels * self.outputs * math.prod(axis.outputs * axis.taps for axis in self.axes)


class Convolution(Windowed):
    """out = x correlated with a filter of (groups, blocks of columns, *taps, channels, columns).

    steps: how far apart in `out` neighbours in the batch and along the spatial axes are, from `offset` on.
    over: whether `out` holds something before, or is written by several.
    """

    def __init__(
        self, x: Buffer, w: Buffer, out: Buffer, axes: tuple[Axis, ...], outputs: int, steps: tuple[int, ...], offset: int, over: bool
    ) -> None:
        super().__init__(x, axes, w.dims[0], outputs)
        self.w, self.out, self.columns, self.steps, self.offset, self.over = w, out, w.dims[-1], steps, offset, over
        self.length = -(-self.units // min(max(self.units, 1), self.most))
        self.tasks = -(-self.units // max(self.length, 1))

    @property
    def reads(self) -> list[Place]:
        """What it reads."""
        return [self.x.place, self.w.place]


class FilterSums(Windowed):
    """The gradient of a convolution with respect to its filter, as sums (shares, taps * channels, groups * outputs) of its tasks.

    g: (batch, *outputs of the axes, groups * outputs).  shares: how many parts the units are cut in.  parts: in how many parts the columns
    of one are summed, of `each` columns, where a filter is so large that its sums should be few.  apart: whether tasks have groups of
    their own instead.
    """

    def __init__(self, x: Buffer, g: Buffer, axes: tuple[Axis, ...], groups: int) -> None:
        taps = math.prod(axis.taps for axis in axes) * (x.dims[-1] // groups)
        size = taps * g.dims[-1] * x.dtype.itemsize
        super().__init__(x, axes, groups, g.dims[-1] // groups, _DEEP if size > _SUM else 1)
        self.g, self.taps = g, taps
        wanted = self.most
        self.apart = groups >= _GROUPS
        if self.apart:
            self.length = -(-groups // wanted) * (self.units // groups)
            self.shares, self.parts, self.each = 1, 1, self.outputs
            self.tasks = -(-self.units // max(self.length, 1))
            return
        self.length = -(-self.units // max(min(self.units, wanted, 8, _SUMS // max(size, 1)), 1))
        self.shares = -(-self.units // max(self.length, 1))
        blocks = -(-self.outputs // (_COLUMNS // x.dtype.itemsize))
        parts = min(blocks, -(-wanted // self.shares)) if size > _SUM and groups == 1 else 1
        self.each = -(-blocks // parts) * (_COLUMNS // x.dtype.itemsize)
        self.parts = -(-self.outputs // self.each)
        self.tasks = self.shares * self.parts

    @property
    def reads(self) -> list[Place]:
        """What it reads."""
        return [self.x.place, self.g.place]


class EachConvolution(Windowed):
    """out = x correlated with a filter (taps, channels) for each channel.

    out: (batch, *outputs of the axes, channels).  turned: the filter's first tap goes with the last element that an output sees.
    """

    def __init__(self, x: Buffer, w: Buffer, out: Buffer, axes: tuple[Axis, ...], turned: bool = False) -> None:
        super().__init__(x, axes, 1, 1)
        self.w, self.out, self.turned = w, out, turned
        self.length = -(-self.units // min(max(self.units, 1), self.most))
        self.tasks = -(-self.units // max(self.length, 1))

    @property
    def reads(self) -> list[Place]:
        """What it reads."""
        return [self.x.place, self.w.place]


class ChannelSums(Windowed):
    """The gradient of a convolution with a filter for each channel with respect to it, as sums (shares, taps, channels) of its tasks.

    g: (batch, *outputs of the axes, channels).
    """

    def __init__(self, x: Buffer, g: Buffer, axes: tuple[Axis, ...]) -> None:
        super().__init__(x, axes, 1, 1)
        self.g = g
        self.taps = math.prod(axis.taps for axis in axes)
        size = self.taps * self.channels * x.dtype.itemsize
        self.length = -(-self.units // max(min(self.units, 8, self.most, _SUMS // max(size, 1)), 1))
        self.tasks = self.shares = -(-self.units // max(self.length, 1))

    @property
    def reads(self) -> list[Place]:
        """What it reads."""
        return [self.x.place, self.g.place]


def columns(outputs: int, item_bytes: int) -> int:
    """How many columns of a filter are taken at a time; a last block with fewer is filled with zeros."""
    most = _COLUMNS // item_bytes
    if outputs <= most // 2:
        return 1 << (max(outputs, 1) - 1).bit_length()
    return min((most, most // 2), key=lambda n: -(-outputs // n) * n)
