"""Strings that stand side by side put together, so many at a time: rows one after another, whose ends are a ragged tensor's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...base.dtypes import INDEX, string
from ...base.shapes import show
from ...ir.op import define
from ...ir.tensor import TensorType
from ...kernels.loops import Bytes, Ints, copy, native_or_python
from ...kernels.strings import StringArray, from_list
from ...ops.array.type_rules import Array, invalid_argument, require_rank
from .columns import raw


def _join_ngrams(
    data: Bytes, starts: Ints, splits: Ints, rows: int, widths: Ints, kinds: int, padding: int, keep_short: bool,
    between: Bytes, gap: int, before: Bytes, left: int, after: Bytes, right: int, out: Bytes, ends: Ints, row_ends: Ints,
) -> int:  # fmt: skip
    """What `_ngrams` describes; how many there are.  padding: on either side at most, none on none if negative."""
    n = 0
    filled = 0
    ends[0] = 0
    row_ends[0] = 0
    for row in range(rows):
        first = splits[row]
        count = splits[row + 1] - first
        before_row = n
        for kind in range(kinds + 1):
            margin = 0
            width = 0
            if kind < kinds:
                width = widths[kind]
                margin = width - 1
                if padding >= 0:
                    margin = min(margin, padding)
            elif keep_short and n == before_row and count > 0:  # the whole row, if nothing came of it
                margin = max(padding, 0)
                width = count + 2 * margin
            if width > 0 and (count > 0 or margin > 0):
                for i in range(count + 2 * margin - width + 1):
                    for j in range(i, i + width):
                        if j > i:
                            copy(out, filled, between, 0, gap)
                            filled += gap
                        if j < margin:
                            copy(out, filled, before, 0, left)
                            filled += left
                        elif j >= margin + count:
                            copy(out, filled, after, 0, right)
                            filled += right
                        else:
                            at = starts[first + j - margin]
                            size = starts[first + j - margin + 1] - at
                            copy(out, filled, data, at, size)
                            filled += size
                    n += 1
                    ends[n] = filled
        row_ends[row + 1] = n
    return n


def _ngrams(
    data: StringArray,
    data_splits: Array,
    *,
    separator: str,
    ngram_widths: Sequence[int],
    left_pad: str,
    right_pad: str,
    pad_width: int,
    preserve_short_sequences: bool,
) -> tuple[StringArray, Array]:
    _check_splits(data_splits, data.size)
    for width in ngram_widths:
        if width < 1:
            raise invalid_argument(f"ngram widths must be at least 1, got {width}")
    if not data.size or not data_splits.size:  # without a word nothing is padded either
        return from_list([]), np.zeros_like(data_splits)
    pads = [np.frombuffer(raw(s), np.uint8) for s in (separator, left_pad, right_pad)]
    sizes = [part for s in pads for part in (s, len(s))]
    wide = data_splits.astype(np.int64)
    most, room = _room(data, wide, ngram_widths, pad_width, preserve_short_sequences, [len(s) for s in pads])
    out, stops, row_stops = np.empty(room, np.uint8), np.empty(most + 1, np.int64), np.empty(len(wide), np.int64)
    widths = np.array(ngram_widths, np.int64)
    n = native_or_python(_join_ngrams, len(data.data) + data.size)(
        data.data, data.starts, wide, len(wide) - 1, widths, len(widths), pad_width, preserve_short_sequences, *sizes,
        out, stops, row_stops,
    )  # fmt: skip
    return StringArray(out[: stops[n]], stops[: n + 1], (n,)), row_stops.astype(data_splits.dtype)


def _room(data: StringArray, splits: Array, widths: Sequence[int], padding: int, keep_short: bool, sizes: Sequence[int]) -> tuple[int, int]:
    """How many strings there are at most, and how many bytes."""
    gap, pad = sizes[0], max(sizes[1:])
    counts = np.diff(splits)
    most = room = 0
    for width in widths:
        margin = width - 1 if padding < 0 else min(padding, width - 1)
        n = int(np.maximum(counts + 2 * margin - width + 1, 0).sum())
        most += n
        room += width * len(data.data) + n * ((width - 1) * gap + min(2 * margin, width) * pad)
    if keep_short:
        margin = max(padding, 0)
        most += len(counts)
        room += len(data.data) + int(counts.sum()) * gap + len(counts) * 2 * margin * (gap + pad)
    return most, room


def _check_splits(splits: Array, size: int) -> None:
    if not splits.size:
        return
    if splits[0] != 0:
        raise invalid_argument(f"First split value must be 0, got {splits[0]}")
    before = np.concatenate([splits[:1], splits[:-1]])
    bad = (splits < before) | (splits > size)
    if bad.any():
        i = int(bad.argmax())
        raise invalid_argument(f"Invalid split value {splits[i]}, must be in [{before[i]}, {size}]")
    if splits[-1] != size:
        raise invalid_argument(f"Last split value must be data size. Expected {size}, got {splits[-1]}")


def _ngrams_type(data: Any, data_splits: Any, **_: Any) -> tuple[TensorType, TensorType]:
    require_rank(data, 1, f"data must be a vector, got shape {show(data.dims)}")
    splits = require_rank(data_splits, 1, f"data_splits must be a vector, got shape {show(data_splits.dims)}")
    return TensorType((None,), string), TensorType(splits, data_splits.dtype)


STRING_NGRAMS = define(
    "StringNGrams",
    "data:string data_splits:Tsplits",
    _ngrams_type,
    _ngrams,
    {},
    outputs="ngrams ngrams_splits",
    dtypes={"Tsplits": INDEX},
    batch="shape depends on values",
    packed=True,
)
