"""How slices, their gradients and replaced parts are lowered for the engine: views where the bounds are known, else gathers and choices."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...ir.op import Kernel
from .array import is_known, sizes, view_rows, viewing


def slice_of(steps: Any, input: Any, begin: Any, size: Any) -> Any:
    """Slice: a view, or from a place that is computed a part of a size that is known."""
    if is_known(steps, begin):
        return viewing("Slice")(steps, input, begin, size)
    lengths = sizes(steps, size)
    if -1 in lengths:
        raise steps.Unsupported("the rest of an axis from a place that is computed")
    chosen = []
    for axis, (n, length) in enumerate(zip(input.dims, lengths, strict=True)):
        start = steps.affine(begin, (), ((axis, ()),))
        steps.check(steps.compare("lt", start, 0) | steps.compare("gt", start, n - length))
        chosen.append(steps.affine(start, lengths, ()) if n != length else None)
    return steps.gather(input, lengths, tuple((0, ((i, 1),)) for i in range(len(lengths))), tuple(chosen))


def strided_slice(steps: Any, input: Any, begin: Any, end: Any, strides: Any, **masks: Any) -> Any:
    """StridedSlice: a view, or at indices that are computed the part that they name."""
    if is_known(steps, begin) and is_known(steps, end):
        return viewing("StridedSlice")(steps, input, begin, end, strides, **masks)
    taken = _indices(steps, input.dims, begin, strides, masks)
    for axis, at in taken.items():
        steps.check(steps.compare("lt", at, 0) | steps.compare("ge", at, input.dims[axis]))
    left = [axis for axis in range(len(input.dims)) if axis not in taken]
    dims = tuple(input.dims[axis] for axis in left)
    rows = tuple((0, ()) if axis in taken else (0, ((left.index(axis), 1),)) for axis in range(len(input.dims)))
    chosen = tuple(steps.affine(taken[axis], dims, ()) if axis in taken else None for axis in range(len(input.dims)))
    return steps.gather(input, dims, rows, chosen)


def _indices(steps: Any, dims: tuple[int, ...], begin: Any, strides: Any, masks: dict[str, int]) -> dict[int, Any]:
    """The index into each axis that a slice takes one element of; it must take the others whole."""
    if masks["ellipsis_mask"] or masks["new_axis_mask"] or (steps.known(strides) != 1).any():
        raise steps.Unsupported("a slice at a computed index with more than indices and whole axes")
    found = {}
    for axis in range(begin.dims[0]):
        if masks["shrink_axis_mask"] >> axis & 1:
            at = steps.affine(begin, (), ((axis, ()),))
            found[axis] = steps.select(steps.compare("lt", at, 0), at + dims[axis], at)
        elif not (masks["begin_mask"] & masks["end_mask"]) >> axis & 1:
            raise steps.Unsupported("a slice between computed bounds")
    return found


def strided_slice_grad(kernel: Kernel, steps: Any, shape: Any, begin: Any, end: Any, strides: Any, dy: Any, **masks: Any) -> Any:
    """StridedSliceGrad: the cotangent in zeros; kernel: that of StridedSlice, which says where."""
    dims = sizes(steps, shape)
    if not is_known(steps, begin) or not is_known(steps, end):
        return _placed(steps, steps.broadcast(steps.number(0, dy.dtype), dims), begin, end, strides, dy, masks)
    known = [steps.known(t) for t in (begin, end, strides)]
    if not dy.size:
        return steps.filled(dims, dy.dtype, 0)
    _, rows = view_rows(steps, dims, lambda array: kernel(array, *known, **masks))
    counts = [dy.dims[terms[0][0]] if terms else 1 for _, terms in rows]
    order = [terms[0][0] for _, terms in rows if terms]
    if order != sorted(order):
        raise steps.Unsupported("a slice that turns axes")
    part = steps.reshape(dy, tuple(counts))
    paces = [terms[0][1] if terms else 1 for _, terms in rows]
    if all(abs(pace) == 1 for pace in paces):
        return _in_zeros(steps, part, dims, rows, paces)
    whole = steps.filled(dims, dy.dtype, 0)
    _put(steps, part, whole, rows, paces)
    return whole


def _in_zeros(steps: Any, part: Any, dims: tuple[int, ...], rows: Any, paces: list[int]) -> Any:
    """A part whose elements stand side by side, with zeros around it."""
    back = tuple((-start * pace, ((axis, pace),)) for axis, ((start, _), pace) in enumerate(zip(rows, paces, strict=True)))
    return steps.affine(part, dims, back, 0)


def _put(steps: Any, part: Any, whole: Any, rows: Any, paces: list[int]) -> None:
    """Put a part where a slice takes it from."""
    apart = _apart(whole.dims)
    offset = sum(start * a for (start, _), a in zip(rows, apart, strict=True))
    steps.put(part, whole, [pace * a for pace, a in zip(paces, apart, strict=True)], offset)


def strided_update(kernel: Kernel, steps: Any, input: Any, begin: Any, end: Any, strides: Any, value: Any, **masks: Any) -> Any:
    """TensorStridedSliceUpdate: a copy with a part replaced; a loop variable is changed where it is."""
    return _changed(kernel, steps, "put", input, begin, end, strides, value, masks)


def strided_add(kernel: Kernel, steps: Any, input: Any, begin: Any, end: Any, strides: Any, value: Any, **masks: Any) -> Any:
    """TensorStridedSliceAdd: likewise with a part added to."""
    return _changed(kernel, steps, "add", input, begin, end, strides, value, masks)


def _changed(
    kernel: Kernel, steps: Any, function: str, input: Any, begin: Any, end: Any, strides: Any, value: Any, masks: dict[str, int]
) -> Any:
    if not is_known(steps, begin) or not is_known(steps, end):
        return _changed_at(steps, function, input, begin, end, strides, value, masks)
    known = [steps.known(t) for t in (begin, end, strides)]
    view, rows = view_rows(steps, input.dims, lambda array: kernel(array, *known, **masks))
    if not view.size:
        return input
    value = steps.broadcast(value, view.shape)
    order = [terms[0][0] for _, terms in rows if terms]
    if order != sorted(order):
        raise steps.Unsupported("a slice that turns axes")
    counts = tuple(view.shape[terms[0][0]] if terms else 1 for _, terms in rows)
    part, paces = steps.reshape(value, counts), [terms[0][1] if terms else 1 for _, terms in rows]
    apart = _apart(input.dims)
    first = sum(start * a for (start, _), a in zip(rows, apart, strict=True))
    box = [(count, pace * a) for count, pace, a in zip(counts, paces, apart, strict=True)]
    changed = steps.change(input, function, steps.number(first, np.int64), box, part)
    if changed is not None:
        return changed
    if function == "add" and all(abs(pace) == 1 for pace in paces):
        return input + _in_zeros(steps, part, input.dims, rows, paces)
    if function == "add":
        old = tuple((start, ((axis, pace),)) for axis, ((start, _), pace) in enumerate(zip(rows, paces, strict=True)))
        part = part + steps.affine(input, counts, old)
    whole = steps.copied(input)
    _put(steps, part, whole, rows, paces)
    return whole


def _apart(dims: tuple[int, ...]) -> list[int]:
    """How far apart elements are along each axis."""
    return [int(np.prod(dims[i + 1 :], dtype=np.int64)) for i in range(len(dims))]


def _from_front(steps: Any, bounds: Any, axis: int, n: int) -> Any:
    """A bound, counted from the front of an axis of n."""
    at = steps.cast(steps.affine(bounds, (), ((axis, ()),)), np.int64)
    return steps.select(steps.compare("lt", at, 0), at + n, at)


def _spans(steps: Any, dims: tuple[int, ...], begin: Any, end: Any, strides: Any, part: Any, masks: dict[str, int]) -> list[Any]:
    """Where a part at computed places starts along each axis, how long it is, and whether it lies elsewhere; None for a whole axis."""
    if masks["ellipsis_mask"] or masks["new_axis_mask"] or (steps.known(strides) != 1).any():
        raise steps.Unsupported("a slice at computed places with more than indices, whole axes and parts")
    left = [axis for axis in range(len(dims)) if not masks["shrink_axis_mask"] >> axis & 1]
    found: list[Any] = []
    for axis, n in enumerate(dims):
        if axis >= begin.dims[0] or masks["begin_mask"] & masks["end_mask"] & 1 << axis:
            found.append(None)
            continue
        at, last = (
            steps.number(edge, np.int64) if masks[mask] >> axis & 1 else _from_front(steps, bound, axis, n)
            for bound, mask, edge in ((begin, "begin_mask", 0), (end, "end_mask", n))
        )
        size = part.dims[left.index(axis)] if axis in left else 1
        bad = steps.compare("lt", at, 0) | steps.compare("gt", at, n - size)
        found.append((at, size, bad | steps.compare("ne", last - at, size) if axis in left else bad))
    return found


def _changed_at(steps: Any, function: str, input: Any, begin: Any, end: Any, strides: Any, part: Any, masks: dict[str, int]) -> Any:
    """A part at computed places replaced or added to."""
    spans = _spans(steps, input.dims, begin, end, strides, part, masks)
    first, box, bad = steps.number(0, np.int64), [], None
    for n, apart, span in zip(input.dims, _apart(input.dims), spans, strict=True):
        box.append((n if span is None else span[1], apart))
        if span is not None:
            first = first + span[0] * apart
            bad = span[2] if bad is None else bad | span[2]
    spread = steps.broadcast(part, tuple(count for axis, (count, _) in enumerate(box) if not masks["shrink_axis_mask"] >> axis & 1))
    changed = steps.change(input, function, first if bad is None else steps.select(bad, 0, first), box, spread)
    if changed is None:
        changed = _placed(steps, input, begin, end, strides, part, masks, function)
    elif bad is not None:
        steps.check(bad)
    return changed


def _placed(
    steps: Any, base: Any, begin: Any, end: Any, strides: Any, part: Any, masks: dict[str, int], function: str = "put"
) -> Any:  # fmt: skip
    """`base` with a part at computed places replaced, or added to: along each axis one index, all of them, or as many as the part has."""
    dims = base.dims
    rows: list[Any] = []
    chosen: list[Any] = []
    here: list[Any] = []
    for axis, span in enumerate(_spans(steps, dims, begin, end, strides, part, masks)):
        if span is None:
            rows.append((0, ((axis, 1),)))
            chosen.append(None)
            continue
        at, size, bad = span
        steps.check(bad)
        place, start = steps.iota(dims, axis, np.int64), steps.affine(at, dims, ())
        if not masks["shrink_axis_mask"] >> axis & 1:
            rows.append((0, ()))
            chosen.append(steps.min(steps.max(place - start, 0), size - 1))
        here.append(steps.compare("ge", place, start) & steps.compare("lt", place, start + size))
    spread = steps.gather(part, dims, tuple(rows), tuple(chosen))
    changed = base + spread if function == "add" else spread
    for inside in here:
        changed = steps.select(inside, changed, base)
    return changed
