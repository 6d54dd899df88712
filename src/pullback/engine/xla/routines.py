"""What lowering rules ask for beyond expressions, in StableHLO: reductions, products, convolutions, scatters, scans."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..lowering.builder import Unsupported
from ..lowering.convolution import Axis
from ..lowering.index_expr import Dims, identity
from .module import BOOL, Value, Writer, integers
from .scalars import scalar, select
from .views import pad, reshape, reverse, slice_spans, transpose

_COMBINE = {"sum": "add", "prod": "multiply", "max": "maximum", "min": "minimum", "any": "or", "all": "and"}


def reduce_axes(w: Writer, kind: str, x: Value, axes: Sequence[int]) -> Value:
    """A reduction along axes."""
    combine = _COMBINE[kind]
    if x.dtype == BOOL:
        combine = {"maximum": "or", "minimum": "and", "multiply": "and"}.get(combine, combine)
    one: Dims = ()
    start = identity(kind, x.dtype) if x.dtype != BOOL else combine == "and"
    body = w.region([(one, x.dtype)] * 2, lambda r, a, b: [r.op(combine, (a, b), (), x.dtype)])
    dims = tuple(n for i, n in enumerate(x.dims) if i not in axes)
    return w.op("reduce", (x, w.constant(start, x.dtype)), dims, x.dtype, f"dimensions = {integers(sorted(axes))}", [body])


def reread(w: Writer, x: Value, dims: Dims, dtype: np.dtype[Any]) -> Value:
    """The bytes of a tensor under other dims and another dtype."""
    if x.dtype != dtype:
        if BOOL in (x.dtype, dtype) or "c" in (x.dtype.kind, dtype.kind):
            raise Unsupported(f"the bytes of {x.dtype.name} as {dtype.name}")
        if dtype.itemsize < x.dtype.itemsize:
            x = w.op("bitcast_convert", (x,), (*x.dims, x.dtype.itemsize // dtype.itemsize), dtype)
        elif dtype.itemsize > x.dtype.itemsize:
            x = reshape(w, x, (*dims, dtype.itemsize // x.dtype.itemsize))
            x = w.op("bitcast_convert", (x,), dims, dtype)
        else:
            x = w.op("bitcast_convert", (x,), x.dims, dtype)
    return reshape(w, x, dims)


def tile_sharding(parts: Sequence[int], rank: int, devices: int) -> str:
    """A cut over devices as XLA's annotations have it; Unsupported where the parts do not go into them."""
    along = [*(parts or (devices,)), *[1] * rank][:rank]
    count = math.prod(along)
    if devices % count:
        raise Unsupported(f"{count} parts do not go into {devices} devices")
    if count == 1:
        return "{replicated}"
    rest = devices // count
    grid = ",".join(map(str, [*along, rest] if rest > 1 else along))
    return f"{{devices=[{grid}]<=[{devices}]{' last_tile_dim_replicate' if rest > 1 else ''}}}"


# ---- parts put in place


def place_part(w: Writer, before: Value, part: Value, steps: Sequence[int], offset: int) -> Value:
    """A tensor with a part put in: element (i, j, ...) at offset + i * steps[0] + j * steps[1] + ..., row by row."""
    if not math.prod(before.dims):
        return before
    apart = [math.prod(before.dims[i + 1 :]) for i in range(len(before.dims))]
    if len(steps) != len(apart) or any(step % a for step, a in zip(steps, apart, strict=True)):
        raise Unsupported("a part whose axes are not those of the whole")
    if not part.dims or not math.prod(part.dims):
        return reshape(w, part, before.dims) if part.dims == before.dims else before
    paces = [step // a if n > 1 else 1 for step, a, n in zip(steps, apart, part.dims, strict=True)]
    first = []
    for a in apart:
        first.append(offset // a)
        offset -= first[-1] * a
    for axis, (pace, n) in enumerate(zip(paces, part.dims, strict=True)):
        if pace < 0:  # the last element comes first
            first[axis] += pace * (n - 1)
    part = reverse(w, part, [axis for axis, pace in enumerate(paces) if pace < 0])
    paces = [abs(pace) for pace in paces]
    if part.dims == before.dims:
        return part
    if all(pace == 1 for pace in paces):
        at = [w.constant(n, np.int64) for n in first]
        return w.op("dynamic_update_slice", (before, part, *at), before.dims, before.dtype)
    spans = [(n - 1) * pace + 1 for n, pace in zip(part.dims, paces, strict=True)]
    high = [n - start - span for n, start, span in zip(before.dims, first, spans, strict=True)]
    around = first, high, [pace - 1 for pace in paces]
    there = pad(w, w.constant(True, BOOL, part.dims), False, *around)
    return select(w, there, pad(w, part, 0, *around), before)


_SCATTER = {"add": "add", "sub": "add", "mul": "multiply", "max": "maximum", "min": "minimum"}


def scatter_rows(w: Writer, target: Value, rows: Value, updates: Value, function: str) -> Value:
    """Rows of a tensor replaced or combined; those out of range are left out."""
    if function == "sub":
        updates = w.op("negate", (updates,), updates.dims, updates.dtype)
    if function != "put" and (function not in _SCATTER or target.dtype == BOOL):
        raise Unsupported(f"scattered {function} of {target.dtype.name}")

    def body(r: Writer, old: Value, new: Value) -> list[Value]:
        return [new if function == "put" else r.op(_SCATTER[function], (old, new), (), old.dtype)]

    said = (
        f"scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = {list(range(1, len(updates.dims)))}, "
        "inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, "
        "indices_are_sorted = false, unique_indices = false"
    )
    region = w.region([((), target.dtype)] * 2, body)
    return w.op("scatter", (target, rows, updates), target.dims, target.dtype, said, [region])


# ---- products


def contract(w: Writer, x: Value, y: Value, a: str, b: str, out: str) -> Value:
    """A sum of products over the labels that both have and the result has not; all others are the result's."""
    stack, inner = [k for k in a if k in b and k in out], [k for k in a if k in b and k not in out]
    batching, summed = ([[labels.index(k) for k in group] for labels in (a, b)] for group in (stack, inner))
    said = (
        f"dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = {batching[0]}, rhs_batching_dimensions = {batching[1]}, "
        f"lhs_contracting_dimensions = {summed[0]}, rhs_contracting_dimensions = {summed[1]}>, "
        "precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision HIGHEST>]"
    )
    size = dict(zip(a + b, x.dims + y.dims, strict=True))
    order = [*stack, *(k for k in a if k not in b), *(k for k in b if k not in a)]
    found = w.op("dot_general", (x, y), tuple(size[k] for k in order), x.dtype, said)
    return transpose(w, found, [order.index(k) for k in out])


# ---- convolutions


def unblock_filter(w: Writer, kernel: Value, outputs: int) -> Value:
    """A filter of (groups, blocks, *taps, channels, columns) as (*taps, channels, groups * outputs)."""
    groups, blocks, *taps, channels, columns = kernel.dims
    rank = len(taps)
    ordered = transpose(w, kernel, [*range(2, 3 + rank), 0, 1, 3 + rank])
    wide = reshape(w, ordered, (*taps, channels, groups, blocks * columns))
    cut = slice_spans(w, wide, [(0, 1, n) for n in (*taps, channels, groups, outputs)])
    return reshape(w, cut, (*taps, channels, groups * outputs))


def convolve(w: Writer, x: Value, kernel: Value, axes: Sequence[Axis], groups: int) -> Value:
    """x (batch, *lengths, channels) correlated with (*taps, channels of a group, outputs of all)."""
    edges = [(-axis.start, axis.start + axis.span(axis.outputs) - axis.length) for axis in axes]
    dims = (x.dims[0], *(axis.outputs for axis in axes), kernel.dims[-1])
    numbers = ", ".join(map(str, range(len(axes))))
    said = f"#stablehlo.conv<[b, {numbers}, f]x[{numbers}, i, o]->[b, {numbers}, f]>"
    return _convolution(w, x, kernel, dims, said, edges, [a.stride for a in axes], [a.dilation for a in axes], groups, 1)


def filter_sums(w: Writer, x: Value, g: Value, axes: Sequence[Axis], groups: int) -> Value:
    """The gradient for the filter, (*taps, channels of a group, outputs of all): the images are what is summed over."""
    edges = [(-axis.start, axis.start + axis.span(axis.outputs) - axis.length) for axis in axes]
    dims = (*(axis.taps for axis in axes), x.dims[-1] // groups, g.dims[-1])
    numbers = ", ".join(map(str, range(len(axes))))
    said = f"#stablehlo.conv<[f, {numbers}, b]x[i, {numbers}, o]->[{numbers}, b, f]>"
    return _convolution(w, x, g, dims, said, edges, [a.dilation for a in axes], [a.stride for a in axes], 1, groups)


def _convolution(
    w: Writer, x: Value, kernel: Value, dims: Dims, numbers: str, edges: Sequence[tuple[int, int]], strides: Sequence[int],
    dilations: Sequence[int], features: int, batches: int,
) -> Value:  # fmt: skip
    margins = f"dense<[{', '.join(f'[{a}, {b}]' for a, b in edges)}]> : tensor<{len(edges)}x2xi64>"
    ones, none = integers([1] * len(edges)), ", ".join(["false"] * len(edges))
    said = (
        f"dimension_numbers = {numbers}, window_strides = {integers(strides)}, padding = {margins}, lhs_dilation = {ones}, "
        f"rhs_dilation = {integers(dilations)}, window_reversal = array<i1: {none}>, feature_group_count = {features} : i64, "
        f"batch_group_count = {batches} : i64, precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision HIGHEST>]"
    )
    return w.op("convolution", (x, kernel), dims, x.dtype, said)


# ---- scans

_NEUTRAL = {"add": 0, "mul": 1, "logaddexp": -math.inf}


def scan_axis(w: Writer, function: str, given: Sequence[Value], axis: int, exclusive: bool, backwards: bool) -> Value:
    """A scan in as many steps as its length has bits: each doubles how many elements are combined."""
    given = [reverse(w, v, [axis]) for v in given] if backwards else list(given)
    x, length = given[0], given[0].dims[axis]
    if function == "recurrence":
        factors = _move_elements(w, _move_elements(w, given[1], axis, -1, 0), axis, 2, 0)  # nothing reads the first
        found = _recurrence(w, _move_elements(w, x, axis, 1, 0), factors, axis)
    else:
        neutral = _NEUTRAL[function] if function in _NEUTRAL else identity(function, x.dtype)
        found = _move_elements(w, x, axis, 1, neutral) if exclusive else x
        combine = _combiner(function)
        pace = 1
        while pace < length:
            found = combine(w, found, _move_elements(w, found, axis, pace, neutral))
            pace *= 2
    return reverse(w, found, [axis]) if backwards else found


def _move_elements(w: Writer, x: Value, axis: int, by: int, fill: Any) -> Value:
    """Elements moved on along an axis, with a number in the places left."""
    low = [by if i == axis else 0 for i in range(len(x.dims))]
    return pad(w, x, fill, low, [-n for n in low], [0] * len(low))


def _combiner(function: str) -> Callable[[Writer, Value, Value], Value]:
    def combine_plain(w: Writer, a: Value, b: Value) -> Value:
        return scalar(w, function, (a, b), a.dtype)

    def combine_logs(w: Writer, a: Value, b: Value) -> Value:
        top, low = (scalar(w, name, (a, b), a.dtype) for name in ("max", "min"))
        apart = scalar(w, "sub", (low, top), a.dtype)
        found = scalar(w, "add", (top, scalar(w, "log1p", (scalar(w, "exp", (apart,), a.dtype),), a.dtype)), a.dtype)
        odd = scalar(w, "eq", (low, top), BOOL)  # two infinities have no difference
        two = scalar(w, "add", (top, w.constant(math.log(2.0), a.dtype, a.dims)), a.dtype)
        return select(w, odd, two, found)

    return combine_logs if function == "logaddexp" else combine_plain


def _recurrence(w: Writer, x: Value, factors: Value, axis: int) -> Value:
    """out[k] = x[k] + factors[k] out[k - 1]."""
    pace = 1
    while pace < x.dims[axis]:
        x = scalar(w, "add", (x, scalar(w, "mul", (factors, _move_elements(w, x, axis, pace, 0)), x.dtype)), x.dtype)
        factors = scalar(w, "mul", (factors, _move_elements(w, factors, axis, pace, 1)), x.dtype)
        pace *= 2
    return x
