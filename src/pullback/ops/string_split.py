"""Strings taken apart, and parts put together again that stand side by side: operations whose results are ragged.

`StringSplit` and `StringSplitV2` give them as the indices, values and shape of a sparse matrix, `StringNGrams` as rows one after another.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from ..base.dtypes import INDEX, int64, string
from ..base.shapes import show
from ..ir.op import define
from ..ir.tensor import TensorType
from .array_types import Array, invalid, require_rank
from .string_kernels import raw, strings

# ---- apart


def _sparse_type(input: Any, sep: Any) -> tuple[TensorType, ...]:
    require_rank(input, 1, f"input must be a vector, got shape: {show(input.dims)}")
    require_rank(sep, 0, f"sep must be a scalar, got shape: {show(sep.dims)}")
    return TensorType((None, 2), int64), TensorType((None,), string), TensorType((2,), int64)


def _sparse(rows: list[list[bytes]]) -> tuple[Array, Array, Array]:
    counts = np.fromiter(map(len, rows), np.int64, len(rows))
    total = int(counts.sum())
    starts = np.cumsum(counts) - counts
    columns = np.arange(total, dtype=np.int64) - np.repeat(starts, counts)
    indices = np.stack([np.repeat(np.arange(len(rows), dtype=np.int64), counts), columns], axis=1)
    values = strings((s for row in rows for s in row), (total,))
    return indices, values, np.array([len(rows), counts.max(initial=0)], np.int64)


def _vector(input: Array, by: Array, name: str) -> bytes:
    if input.ndim != 1:
        raise invalid(f"input must be a vector, got shape: {show(input.shape)}")
    if by.ndim:
        raise invalid(f"{name} must be a scalar, got shape: {show(by.shape)}")
    found: bytes = by.item()
    return found


def _split_v2(input: Array, sep: Array, *, maxsplit: int = -1) -> tuple[Array, Array, Array]:
    by = _vector(input, sep, "sep")
    return _sparse([s.split(by, maxsplit) if by else _words(s, maxsplit) for s in input.tolist()])


def _words(s: bytes, maxsplit: int) -> list[bytes]:
    """Parts between white space.  As in TensorFlow, a string that is not to be split stays as it is, and the last split leaves a rest,
    be it empty.
    """
    if maxsplit == 0:
        return [s]
    parts = s.split(None, maxsplit)
    return [*parts, b""] if len(parts) == maxsplit else parts


SPLIT_V2 = define(
    "StringSplitV2",
    "input:string sep:string",
    lambda input, sep, *, maxsplit=-1: _sparse_type(input, sep),
    _split_v2,
    {},
    outputs="indices values shape",
)


def _split(input: Array, delimiter: Array, *, skip_empty: bool = True) -> tuple[Array, Array, Array]:
    by = _vector(input, delimiter, "delimiter")
    rows = []
    for s in input.tolist():
        for c in by[1:]:
            s = s.replace(bytes([c]), by[:1])  # each of the delimiter's bytes is one by itself
        parts = (s.split(by[:1]) if s else []) if by else [s[i : i + 1] for i in range(len(s))]
        rows.append([part for part in parts if part] if skip_empty else parts)
    return _sparse(rows)


SPLIT = define(
    "StringSplit",
    "input:string delimiter:string",
    lambda input, delimiter, *, skip_empty=True: _sparse_type(input, delimiter),
    _split,
    {},
    outputs="indices values shape",
)

# ---- side by side


def _ngrams(
    data: Array,
    data_splits: Array,
    *,
    separator: str,
    ngram_widths: Sequence[int],
    left_pad: str,
    right_pad: str,
    pad_width: int,
    preserve_short_sequences: bool,
) -> tuple[Array, Array]:
    splits = data_splits.tolist()
    previous = 0
    for i, at in enumerate(splits):
        if i == 0 and at != 0:
            raise invalid(f"First split value must be 0, got {at}")
        if not previous <= at <= data.size:
            raise invalid(f"Invalid split value {at}, must be in [{previous}, {data.size}]")
        previous = at
    if splits and previous != data.size:
        raise invalid(f"Last split value must be data size. Expected {data.size}, got {previous}")
    for width in ngram_widths:
        if width < 1:
            raise invalid(f"ngram widths must be at least 1, got {width}")
    between, before, after = raw(separator), raw(left_pad), raw(right_pad)
    found, ends = [], [0] if splits else []
    for start, end in pairwise(splits):
        row: list[bytes] = []
        for width in ngram_widths:
            margin = width - 1 if pad_width < 0 else min(pad_width, width - 1)
            padded = [before] * margin + data[start:end].tolist() + [after] * margin
            count = len(padded) - width + 1
            row += [between.join(padded[i : i + width]) for i in range(count)] if end > start or margin else []
        if preserve_short_sequences and not row and end > start:
            margin = pad_width if pad_width > 0 else 0
            row = [between.join([before] * margin + data[start:end].tolist() + [after] * margin)]
        found += row
        ends.append(len(found))
    return strings(found, (len(found),)), np.array(ends, data_splits.dtype)


def _ngrams_type(
    data: Any,
    data_splits: Any,
    *,
    separator: str,
    ngram_widths: Sequence[int],
    left_pad: str,
    right_pad: str,
    pad_width: int,
    preserve_short_sequences: bool,
) -> tuple[TensorType, TensorType]:
    require_rank(data, 1, f"data must be a vector, got shape {show(data.dims)}")
    require_rank(data_splits, 1, f"data_splits must be a vector, got shape {show(data_splits.dims)}")
    return TensorType((None,), string), TensorType(data_splits.dims, data_splits.dtype)


STRING_NGRAMS = define(
    "StringNGrams",
    "data:string data_splits:Tsplits",
    _ngrams_type,
    _ngrams,
    {},
    outputs="ngrams ngrams_splits",
    dtypes={"Tsplits": INDEX},
)

