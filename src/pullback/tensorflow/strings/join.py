"""Strings put together: element by element, along axes, by segment."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from ...base.dtypes import INDEX, string
from ...base.errors import OutOfRangeError
from ...base.export import export
from ...base.shapes import show
from ...ir.agreement import require_list
from ...ir.apply import ShapeError, convert_to_tensor
from ...ir.composite import takes_composites
from ...ir.op import define
from ...ir.tensor import IntLike, Tensor, TensorLike, TensorType, TextLike
from ...kernels.loops import Bytes, Ints, copy, native_or_python
from ...kernels.strings import StringArray, from_list
from ...ops.array.create import RANGE
from ...ops.array.shape import rank
from ...ops.array.type_rules import Array, invalid_argument, known_value, rank_of, read_whole, require_rank, scalar_size
from ...ops.batching import Batched, shift_axes
from ...ops.reduce.reductions import check_axes, reduced_dims
from ...ops.vmap_rules.segment import unsorted_segments
from .columns import raw, run_over_ranges

if TYPE_CHECKING:
    from ...ops.vmap_rules.base import Rows

# ---- element by element


def _join_type(inputs: Any, *, separator: str = "") -> TensorType:
    dims: Any = ()
    for t in inputs:
        if t.dims is None:
            dims = None if dims == () else dims
        elif t.dims != ():
            if dims not in ((), None) and not are_alike(dims, t.dims):
                text = f"Input shapes do not match: {show(dims)} vs. {show(t.dims)}"
                raise ShapeError(text, text)
            dims = t.dims if dims in ((), None) else tuple(m if n is None else n for m, n in zip(dims, t.dims, strict=True))
    return TensorType(dims, string)


def are_alike(a: tuple[Any, ...], b: tuple[Any, ...]) -> bool:
    """Whether dims are as many and, where both are known, equal."""
    return len(a) == len(b) and all(m is None or n is None or m == n for m, n in zip(a, b, strict=True))


def _join(inputs: list[StringArray], *, separator: str = "") -> StringArray:
    shapes = [x.shape for x in inputs if x.ndim]
    for other in shapes:
        if other != shapes[0]:
            raise invalid_argument(f"Input shapes do not match: {show(shapes[0])} vs. {show(other)}")
    shape: tuple[int, ...] = shapes[0] if shapes else ()
    between = from_list([raw(separator)], ())
    parts = [part for x in inputs for part in (between, x)][1:]
    count = math.prod(shape)
    append = native_or_python(_append_strings, count)
    starts = np.zeros(count + 1, np.int64)
    for x in parts:
        starts[1:] += x.lengths()
    np.cumsum(starts, out=starts)
    out, at = np.empty(starts[-1], np.uint8), starts[:-1].copy()

    def append_range(first: int, end: int) -> None:
        for x in parts:
            if len(x.data):
                append(x.data, x.starts[first : end + 1] if x.ndim else x.starts, 1 if x.ndim else 0, end - first, at[first:end], out)

    run_over_ranges(count, append_range)
    return StringArray(out, starts, shape)


def _append_strings(data: Bytes, starts: Ints, step: int, count: int, at: Ints, out: Bytes) -> None:
    """Each string, or for a step of 0 the only one, at its place, which moves on behind it."""
    for i in range(count):
        begin = starts[i * step]
        size = starts[i * step + 1] - begin
        copy(out, at[i], data, begin, size)
        at[i] += size


def _join_rows(rows: Rows, inputs: Any, **attrs: Any) -> Batched:
    """Strings of one rank; where scalars go with others, the rows are joined one by one."""
    return rows.op(rows.all_stacked(inputs), **attrs) if len({rows.rank(t) for t in inputs}) == 1 else NotImplemented


STRING_JOIN = define("StringJoin", "*inputs:string", _join_type, _join, {}, batch=_join_rows, packed=True)


@export("strings.join", v1="string_join")
@takes_composites
def join(inputs: Any, separator: str = "", name: str | None = None) -> Tensor:
    """Strings put together element by element, with `separator` between them.

    inputs: a list of strings of one shape, or ragged tensors of them; scalars go with every element.  Raises InvalidArgumentError (in
    graphs ValueError) for shapes that differ.

    >>> tf.strings.join(["a", ["b", "c"]], "-").numpy().tolist()
    [b'a-b', b'a-c']
    """
    require_list(STRING_JOIN, "inputs", inputs)
    if not len(inputs):
        return convert_to_tensor("", name=name)
    return STRING_JOIN(inputs, separator=separator, name=name)


# ---- along axes


def _reduce_type(inputs: Any, reduction_indices: Any, *, keep_dims: bool = False, separator: str = "") -> TensorType:
    axes = known_value(reduction_indices)
    rank = rank_of(inputs)
    if axes is not None and rank is not None:
        for axis in np.ravel(axes):
            if not -rank <= axis < rank:
                text = f"Invalid reduction dimension {axis} for input with {rank} dimension(s)"
                raise ShapeError(text, text)
    check_axes(reduction_indices)
    return TensorType(reduced_dims(inputs.dims, reduction_indices.constant, keep_dims), string)


def _reduce(inputs: StringArray, reduction_indices: Array, *, keep_dims: bool = False, separator: str = "") -> StringArray:
    axes = []
    for axis in np.ravel(reduction_indices).tolist():
        if not -inputs.ndim <= axis < inputs.ndim:
            raise OutOfRangeError(None, None, f"Invalid reduction dimension {axis} for input with {inputs.ndim} dimension(s)")
        axes.append(axis % inputs.ndim)
        if axes.count(axes[-1]) > 1:
            raise invalid_argument(f"Duplicate reduction dimension {axes[-1]}")
    if not axes:
        return inputs
    kept = [i for i in range(inputs.ndim) if i not in axes]
    sizes = [inputs.shape[i] for i in kept]
    places = np.arange(inputs.size).reshape(inputs.shape).transpose(*kept, *reversed(axes))
    count = math.prod(sizes)
    ends = np.arange(1, count + 1) * (inputs.size // count if count else 0)
    shape = [1 if i in axes else n for i, n in enumerate(inputs.shape)] if keep_dims else sizes
    return _join_places(inputs, places.reshape(-1), ends, separator, tuple(shape))


def _sizes(starts: Ints, places: Ints, ends: Ints, count: int, between: int, out: Ints) -> None:
    """Where strings begin that each are put together of those at several places, with so many bytes between them."""
    total = 0
    j = 0
    out[0] = 0
    for i in range(count):
        first = j
        while j < ends[i]:
            total += starts[places[j] + 1] - starts[places[j]] + (between if j > first else 0)
            j += 1
        out[i + 1] = total


def _join_strings(data: Bytes, starts: Ints, places: Ints, ends: Ints, count: int, separator: Bytes, between: int, out: Bytes) -> None:
    at = 0
    j = 0
    for i in range(count):
        first = j
        while j < ends[i]:
            if j > first:
                copy(out, at, separator, 0, between)
                at += between
            begin = starts[places[j]]
            size = starts[places[j] + 1] - begin
            copy(out, at, data, begin, size)
            at += size
            j += 1


def _join_places(x: StringArray, places: Array, ends: Array, separator: str, shape: tuple[int, ...]) -> StringArray:
    """The strings at places up to each of `ends`, from the one before, put together."""
    between, count = from_list([raw(separator)]), len(ends)
    starts = np.empty(count + 1, np.int64)
    native_or_python(_sizes, len(places))(x.starts, places, ends, count, len(between.data), starts)
    out = np.empty(starts[-1], np.uint8)
    native_or_python(_join_strings, len(places))(x.data, x.starts, places, ends, count, between.data, len(between.data), out)
    return StringArray(out, starts, shape)


REDUCE_JOIN = define(
    "ReduceJoin",
    "inputs:string reduction_indices:int32",
    _reduce_type,
    _reduce,
    {},
    batch=shift_axes("reduction_indices"),
    packed=True,
)


@export(v2="strings.reduce_join")
@takes_composites
def reduce_join(
    inputs: TextLike, axis: IntLike | None = None, keepdims: bool = False, separator: str = "", name: str | None = None
) -> Tensor:
    """All strings along `axis` put together, with `separator` between them.

    axis: an integer or several, of which the first changes first along the result; all axes, from the last on, when None.
    keepdims: whether the axes stay, with size 1.  Raises OutOfRangeError for an axis out of range, InvalidArgumentError for one named
    twice.

    >>> tf.strings.reduce_join([["a", "b"], ["c", "d"]], 0, separator="+").numpy().tolist()
    [b'a+c', b'b+d']
    """
    x = convert_to_tensor(inputs)
    if axis is None:
        axis = np.arange(len(x.dims))[::-1] if x.dims is not None else RANGE.call(rank(x) - 1, -1, -1)
    elif isinstance(axis, (list, tuple)) and not axis:
        axis = np.zeros(0, np.int32)
    return REDUCE_JOIN(x, axis, keep_dims=keepdims, separator=separator, name=name)


# ---- by segment


def _segment_type(inputs: Any, segment_ids: Any, num_segments: Any, *, separator: str = "") -> TensorType:
    require_rank(num_segments, 0, "Number of segments must be a scalar")
    count = scalar_size(num_segments, 2)
    if inputs.dims is None or segment_ids.dims is None:
        return TensorType(None, string)
    if not are_alike(inputs.dims[: len(segment_ids.dims)], segment_ids.dims):
        text = f"Shape of segment_ids {show(segment_ids.dims)} must begin that of inputs {show(inputs.dims)}"
        raise ShapeError(text, text)
    return TensorType((count, *inputs.dims[len(segment_ids.dims) :]), string)


def _segment(inputs: StringArray, segment_ids: Array, num_segments: Array, *, separator: str = "") -> StringArray:
    count = read_whole(num_segments, "Number of segments must be a scalar")
    if count < 0:
        raise invalid_argument(f"num_segments must be at least 0, got {count}")
    if not segment_ids.ndim or inputs.shape[: segment_ids.ndim] != segment_ids.shape:
        raise invalid_argument(f"Shape of segment_ids {show(segment_ids.shape)} must begin that of inputs {show(inputs.shape)}")
    if segment_ids.size and (segment_ids.min() < 0 or segment_ids.max() >= count):
        raise invalid_argument("segment_ids are not allowed to exceed num_segments or to have negative values.")
    inner = inputs.shape[segment_ids.ndim :]
    width = int(np.prod(inner, dtype=np.int64))
    kind: Any = np.uint16 if count * width <= 1 << 16 else np.int64  # which NumPy sorts by its digits
    segments = (segment_ids.reshape(-1, 1).astype(np.int64) * width + np.arange(width)).ravel().astype(kind)
    order = np.argsort(segments, kind="stable")
    ends = np.searchsorted(segments[order], np.arange(count * width), "right")
    return _join_places(inputs, order, ends, separator, (count, *inner))


UNSORTED_SEGMENT_JOIN = define(
    "UnsortedSegmentJoin",
    "inputs:string segment_ids:Tindices num_segments:Tnumsegments",
    _segment_type,
    _segment,
    {},
    dtypes={"Tindices": INDEX, "Tnumsegments": INDEX},
    batch=unsorted_segments,
    packed=True,
)


@export("strings.unsorted_segment_join")
def unsorted_segment_join(
    inputs: TextLike, segment_ids: TensorLike, num_segments: TensorLike, separator: str = "", name: str | None = None
) -> Tensor:
    """The strings of each segment put together, with `separator` between them: [num_segments, ...].

    inputs: strings whose shape begins with that of `segment_ids`, which says to which segment each belongs.  Raises InvalidArgumentError
    for a segment out of range and for shapes that do not fit.

    >>> tf.strings.unsorted_segment_join(["a", "b", "c"], [1, 0, 1], 2, ":").numpy().tolist()
    [b'b', b'a:c']
    """
    return UNSORTED_SEGMENT_JOIN(inputs, segment_ids, num_segments, separator=separator, name=name)
