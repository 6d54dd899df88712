"""Plain loops of fractional pools, which run natively where they can (`kernels.native_loops`): the channels of a point, one after another.

All arrays are flat.  Images are [batch, height, width, channels], what is pooled [batch, rows, columns, channels]; window i of an axis goes
from `edges[i]` to before `edges[i + 1] + more`, `more` being 1 where windows overlap, and ends within the image.
"""

from __future__ import annotations

from ...kernels.loops import Array


def find_largest(
    out: Array, x: Array, row_edges: Array, column_edges: Array, batch: int, height: int, width: int, rows: int, columns: int,
    *, channels: int, more: int,
) -> int:  # fmt: skip
    """The largest number of each window, NaN where there is one."""
    for b in range(batch):
        for i in range(rows):
            bottom = min(row_edges[i + 1] + more, height)
            for j in range(columns):
                right = min(column_edges[j + 1] + more, width)
                to = ((b * rows + i) * columns + j) * channels
                left = column_edges[j]
                top = row_edges[i]
                at = ((b * height + top) * width + left) * channels
                for c in range(channels):
                    out[to + c] = x[at + c]
                for r in range(top, bottom):
                    for q in range(left + int(r == top), right):
                        at = ((b * height + r) * width + q) * channels
                        for c in range(channels):
                            a = out[to + c]
                            v = x[at + c]
                            out[to + c] = v if v > a or v != v else a  # noqa: PLR0124  # NaN
    return 0


def averages(
    out: Array, sums: Array, x: Array, row_edges: Array, column_edges: Array, batch: int, height: int, width: int, rows: int, columns: int,
    *, channels: int, more: int,
) -> int:  # fmt: skip
    """The mean of each window: sums down its columns, and then of these.  sums: room for the channels."""
    for b in range(batch):
        for i in range(rows):
            top = row_edges[i]
            bottom = min(row_edges[i + 1] + more, height)
            for j in range(columns):
                left = column_edges[j]
                right = min(column_edges[j + 1] + more, width)
                to = ((b * rows + i) * columns + j) * channels
                points = (bottom - top) * (right - left)
                for q in range(left, right):
                    for c in range(channels):
                        sums[c] = x[((b * height + top) * width + q) * channels + c]
                    for r in range(top + 1, bottom):
                        at = ((b * height + r) * width + q) * channels
                        for c in range(channels):
                            sums[c] = sums[c] + x[at + c]
                    if q == left:
                        for c in range(channels):
                            out[to + c] = sums[c]
                    else:
                        for c in range(channels):
                            out[to + c] = out[to + c] + sums[c]
                for c in range(channels):
                    out[to + c] = out[to + c] / points
    return 0


def add_to_largest(
    back: Array,
    x: Array,
    top: Array,
    grad: Array,
    pending: Array,
    row_edges: Array,
    column_edges: Array,
    batch: int,
    height: int,
    width: int,
    rows: int,
    columns: int,
    *,
    channels: int,
) -> int:
    """Adds each window's gradient to the first of its points that holds the maximum; windows do not overlap.  pending: room for
    the channels.
    """
    for b in range(batch):
        for i in range(rows):
            for j in range(columns):
                of = ((b * rows + i) * columns + j) * channels
                for c in range(channels):
                    pending[c] = 1
                for r in range(row_edges[i], row_edges[i + 1]):
                    for q in range(column_edges[j], column_edges[j + 1]):
                        at = ((b * height + r) * width + q) * channels
                        for c in range(channels):
                            g = grad[of + c]
                            is_open = pending[c]
                            is_chosen = is_open & int(x[at + c] == top[of + c])
                            back[at + c] = g if is_chosen else 0
                            pending[c] = is_open - is_chosen
    return 0
