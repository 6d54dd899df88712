"""Strings taken apart: the parts of each are a row of a sparse matrix, given as its indices, values and shape."""

from __future__ import annotations

from itertools import chain
from typing import Any

import numpy as np

from ...base.dtypes import int64, string
from ...base.shapes import show
from ...ir.op import define
from ...ir.tensor import TensorType
from ...kernels.loops import Loop, native_or_python
from ...kernels.strings import StringArray, from_list
from ...ops.array.type_rules import Array, invalid_argument, require_rank
from .split_loops import count_marked, split_at, split_at_marks

_WHITE = np.array([not bytes([i]).strip() for i in range(256)])
_Sparse = tuple[Array, StringArray, Array]


def _sparse_type(input: Any, sep: Any) -> tuple[TensorType, ...]:
    require_rank(input, 1, f"input must be a vector, got shape: {show(input.dims)}")
    require_rank(sep, 0, f"sep must be a scalar, got shape: {show(sep.dims)}")
    return TensorType((None, 2), int64), TensorType((None,), string), TensorType((2,), int64)


def _indices(counts: Array) -> tuple[Array, Array]:
    """The indices and the shape of a sparse matrix whose rows have so many values each."""
    starts = np.cumsum(counts) - counts
    indices = np.empty((int(counts.sum()), 2), np.int64)
    indices[:, 0] = np.repeat(np.arange(len(counts)), counts)
    indices[:, 1] = np.arange(len(indices)) - np.repeat(starts, counts)
    return indices, np.array([len(counts), counts.max(initial=0)], np.int64)


def _split_by(loop: Loop, input: StringArray, marks: Array, *how: Any) -> _Sparse:
    """What a loop gives for parts that end where bytes are marked, or with their strings."""
    work = len(input.data) + input.size
    most = input.size + native_or_python(count_marked, work)(input.data, len(input.data), marks)
    data, ends, indices = np.empty(len(input.data), np.uint8), np.empty(most + 1, np.int64), np.empty((most, 2), np.int64)
    longest = np.zeros(1, np.int64)
    n = native_or_python(loop, work)(input.data, input.starts, input.size, *how, data, ends, indices.reshape(-1), longest)
    return indices[:n], StringArray(data[: ends[n]], ends[: n + 1], (n,)), np.array([input.size, longest[0]])


def _marks(which: bytes) -> Array:
    marks = np.zeros(256, np.uint8)
    marks[[*which]] = 1
    return marks


def _vector(input: StringArray, by: StringArray, name: str) -> bytes:
    if input.ndim != 1:
        raise invalid_argument(f"input must be a vector, got shape: {show(input.shape)}")
    if by.ndim:
        raise invalid_argument(f"{name} must be a scalar, got shape: {show(by.shape)}")
    return by.item()


def _split_v2(input: StringArray, sep: StringArray, *, maxsplit: int = -1) -> _Sparse:
    by = _vector(input, sep, "sep")
    if by:
        return _split_by(split_at, input, _marks(by[:1]), np.frombuffer(by, np.uint8), len(by), maxsplit)
    if maxsplit < 0:
        return _split_by(split_at_marks, input, marks := _WHITE.view(np.uint8), marks, True)
    rows = [_words(s, maxsplit) for s in input.tolist()]
    indices, shape = _indices(np.fromiter(map(len, rows), np.int64, len(rows)))
    return indices, from_list([*chain.from_iterable(rows)]), shape


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
    batch="shape depends on values",
    packed=True,
)


def _split(input: StringArray, delimiter: StringArray, *, skip_empty: bool = True) -> _Sparse:
    by = _vector(input, delimiter, "delimiter")
    if not by:
        indices, shape = _indices(input.lengths())
        return indices, StringArray(input.data, np.arange(len(input.data) + 1), (len(input.data),)), shape
    return _split_by(split_at_marks, input, marks := _marks(by), marks, skip_empty)  # each of its bytes is one by itself


SPLIT = define(
    "StringSplit",
    "input:string delimiter:string",
    lambda input, delimiter, *, skip_empty=True: _sparse_type(input, delimiter),
    _split,
    {},
    outputs="indices values shape",
    batch="shape depends on values",
    packed=True,
)
