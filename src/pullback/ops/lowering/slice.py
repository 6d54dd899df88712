"""How slices, their gradients and replaced parts are lowered for the engine: views where the bounds are known, else gathers and choices."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...ir.op import Kernel
from .array import is_known, lower_view, sizes, view_rows

if TYPE_CHECKING:
    from ...engine.lowering.builder import Builder
    from ...engine.lowering.index_expr import IndexExpr


def slice_of(builder: Builder, input: IndexExpr, begin: IndexExpr, size: IndexExpr) -> IndexExpr:
    """Slice: a view, or from a place that is computed a part of a size that is known."""
    if is_known(builder, begin):
        return lower_view("Slice")(builder, input, begin, size)
    lengths = sizes(builder, size)
    if -1 in lengths:
        raise builder.Unsupported("the rest of an axis from a place that is computed")
    chosen = []
    for axis, (n, length) in enumerate(zip(input.dims, lengths, strict=True)):
        start = builder.affine(begin, (), ((axis, ()),))
        builder.check(builder.compare("lt", start, 0) | builder.compare("gt", start, n - length))
        chosen.append(builder.affine(start, lengths, ()) if n != length else None)
    return builder.gather(input, lengths, tuple((0, ((i, 1),)) for i in range(len(lengths))), tuple(chosen))


def strided_slice(builder: Builder, input: IndexExpr, begin: IndexExpr, end: IndexExpr, strides: IndexExpr, **masks: Any) -> IndexExpr:
    """StridedSlice: a view, or at indices that are computed the part that they name."""
    if is_known(builder, begin) and is_known(builder, end):
        return lower_view("StridedSlice")(builder, input, begin, end, strides, **masks)
    taken = _indices(builder, input.dims, begin, strides, masks)
    for axis, at in taken.items():
        builder.check(builder.compare("lt", at, 0) | builder.compare("ge", at, input.dims[axis]))
    left = [axis for axis in range(len(input.dims)) if axis not in taken]
    dims = tuple(input.dims[axis] for axis in left)
    rows = tuple((0, ()) if axis in taken else (0, ((left.index(axis), 1),)) for axis in range(len(input.dims)))
    chosen = tuple(builder.affine(taken[axis], dims, ()) if axis in taken else None for axis in range(len(input.dims)))
    return builder.gather(input, dims, rows, chosen)


def _indices(builder: Builder, dims: tuple[int, ...], begin: Any, strides: Any, masks: dict[str, int]) -> dict[int, Any]:
    """The index into each axis that a slice takes one element of; it must take the others whole."""
    if masks["ellipsis_mask"] or masks["new_axis_mask"] or (builder.get_constant(strides) != 1).any():
        raise builder.Unsupported("a slice at a computed index with more than indices and whole axes")
    found = {}
    for axis in range(begin.dims[0]):
        if masks["shrink_axis_mask"] >> axis & 1:
            at = builder.affine(begin, (), ((axis, ()),))
            found[axis] = builder.select(builder.compare("lt", at, 0), at + dims[axis], at)
        elif not (masks["begin_mask"] & masks["end_mask"]) >> axis & 1:
            raise builder.Unsupported("a slice between computed bounds")
    return found


def strided_slice_grad(kernel: Kernel, builder: Any, shape: Any, begin: Any, end: Any, strides: Any, dy: Any, **masks: Any) -> IndexExpr:
    """StridedSliceGrad: the cotangent in zeros; kernel: that of StridedSlice, which says where."""
    dims = sizes(builder, shape)
    if not is_known(builder, begin) or not is_known(builder, end):
        return _place_part(builder, builder.broadcast(builder.number(0, dy.dtype), dims), begin, end, strides, dy, masks)
    known = [builder.get_constant(t) for t in (begin, end, strides)]
    if not dy.size:
        return builder.fill_memory(dims, dy.dtype, 0)
    _, rows = view_rows(builder, dims, lambda array: kernel(array, *known, **masks))
    counts = [dy.dims[terms[0][0]] if terms else 1 for _, terms in rows]
    order = [terms[0][0] for _, terms in rows if terms]
    if order != sorted(order):
        raise builder.Unsupported("a slice that turns axes")
    part = builder.reshape(dy, tuple(counts))
    paces = [terms[0][1] if terms else 1 for _, terms in rows]
    if all(abs(pace) == 1 for pace in paces):
        return _surround_with_zeros(builder, part, dims, rows, paces)
    whole = builder.fill_memory(dims, dy.dtype, 0)
    _put_part(builder, part, whole, rows, paces)
    return whole


def _surround_with_zeros(builder: Builder, part: Any, dims: tuple[int, ...], rows: Any, paces: list[int]) -> IndexExpr:
    """A part whose elements stand side by side, with zeros around it."""
    back = tuple((-start * pace, ((axis, pace),)) for axis, ((start, _), pace) in enumerate(zip(rows, paces, strict=True)))
    return builder.affine(part, dims, back, 0)


def _put_part(builder: Builder, part: Any, whole: Any, rows: Any, paces: list[int]) -> None:
    """Put a part where a slice takes it from."""
    apart = _compute_strides(whole.dims)
    offset = sum(start * a for (start, _), a in zip(rows, apart, strict=True))
    builder.put(part, whole, [pace * a for pace, a in zip(paces, apart, strict=True)], offset)


def strided_update(
    kernel: Kernel, builder: object, input: object, begin: object, end: object, strides: object, value: object, **masks: Any
) -> IndexExpr:
    """TensorStridedSliceUpdate: a copy with a part replaced; a loop variable is changed where it is."""
    return _change_slice(kernel, builder, "put", input, begin, end, strides, value, masks)


def strided_add(
    kernel: Kernel, builder: Builder, input: object, begin: object, end: object, strides: object, value: object, **masks: Any
) -> Any:
    """TensorStridedSliceAdd: likewise with a part added to."""
    return _change_slice(kernel, builder, "add", input, begin, end, strides, value, masks)


def _change_slice(
    kernel: Kernel, builder: Any, function: str, input: Any, begin: Any, end: Any, strides: Any, value: Any, masks: dict[str, int]
) -> IndexExpr:
    if not is_known(builder, begin) or not is_known(builder, end):
        return _change_slice_at(builder, function, input, begin, end, strides, value, masks)
    known = [builder.get_constant(t) for t in (begin, end, strides)]
    view, rows = view_rows(builder, input.dims, lambda array: kernel(array, *known, **masks))
    if not view.size:
        return input
    if not _fits(value.dims, view.shape):
        raise builder.Unsupported("a value of another shape than the slice")
    value = builder.broadcast(value, view.shape)
    order = [terms[0][0] for _, terms in rows if terms]
    if order != sorted(order):
        raise builder.Unsupported("a slice that turns axes")
    counts = tuple(view.shape[terms[0][0]] if terms else 1 for _, terms in rows)
    part, paces = builder.reshape(value, counts), [terms[0][1] if terms else 1 for _, terms in rows]
    apart = _compute_strides(input.dims)
    first = sum(start * a for (start, _), a in zip(rows, apart, strict=True))
    box = [(count, pace * a) for count, pace, a in zip(counts, paces, apart, strict=True)]
    changed = builder.change(input, function, builder.number(first, np.int64), box, part)
    if changed is not None:
        return changed
    if function == "add" and all(abs(pace) == 1 for pace in paces):
        return input + _surround_with_zeros(builder, part, input.dims, rows, paces)
    if function == "add":
        old = tuple((start, ((axis, pace),)) for axis, ((start, _), pace) in enumerate(zip(rows, paces, strict=True)))
        part = part + builder.affine(input, counts, old)
    whole = builder.copy_values(input)
    _put_part(builder, part, whole, rows, paces)
    return whole


def _fits(dims: tuple[int, ...], wanted: tuple[int, ...]) -> bool:
    """Whether broadcasting makes `wanted` of `dims`."""
    given = dims[max(len(dims) - len(wanted), 0) :]
    return set(dims[: len(dims) - len(given)]) <= {1} and all(n in (1, m) for n, m in zip(given[::-1], wanted[::-1], strict=False))


def _compute_strides(dims: tuple[int, ...]) -> list[int]:
    """How far apart elements are along each axis."""
    return [int(np.prod(dims[i + 1 :], dtype=np.int64)) for i in range(len(dims))]


def _count_from_front(builder: Builder, bounds: Any, axis: int, n: int) -> IndexExpr:
    """A bound, counted from the front of an axis of n."""
    at = builder.cast(builder.affine(bounds, (), ((axis, ()),)), np.int64)
    return builder.select(builder.compare("lt", at, 0), at + n, at)


def _spans(builder: Builder, dims: tuple[int, ...], begin: Any, end: Any, strides: Any, part: Any, masks: dict[str, int]) -> list[Any]:
    """Where a part at computed places starts along each axis, how long it is, and whether it lies elsewhere; None for a whole axis."""
    if masks["ellipsis_mask"] or masks["new_axis_mask"] or (builder.get_constant(strides) != 1).any():
        raise builder.Unsupported("a slice at computed places with more than indices, whole axes and parts")
    left = [axis for axis in range(len(dims)) if not masks["shrink_axis_mask"] >> axis & 1]
    found: list[Any] = []
    for axis, n in enumerate(dims):
        if axis >= begin.dims[0] or masks["begin_mask"] & masks["end_mask"] & 1 << axis:
            found.append(None)
            continue
        at, last = (
            builder.number(edge, np.int64) if masks[mask] >> axis & 1 else _count_from_front(builder, bound, axis, n)
            for bound, mask, edge in ((begin, "begin_mask", 0), (end, "end_mask", n))
        )
        size = part.dims[left.index(axis)] if axis in left else 1
        bad = builder.compare("lt", at, 0) | builder.compare("gt", at, n - size)
        found.append((at, size, bad | builder.compare("ne", last - at, size) if axis in left else bad))
    return found


def _change_slice_at(
    builder: Builder, function: str, input: Any, begin: Any, end: Any, strides: Any, part: Any, masks: dict[str, int]
) -> IndexExpr:
    """A part at computed places replaced or added to."""
    spans = _spans(builder, input.dims, begin, end, strides, part, masks)
    first, box, bad = builder.number(0, np.int64), [], None
    for n, apart, span in zip(input.dims, _compute_strides(input.dims), spans, strict=True):
        box.append((n if span is None else span[1], apart))
        if span is not None:
            first = first + span[0] * apart
            bad = span[2] if bad is None else bad | span[2]
    spread = builder.broadcast(part, tuple(count for axis, (count, _) in enumerate(box) if not masks["shrink_axis_mask"] >> axis & 1))
    changed = builder.change(input, function, first if bad is None else builder.select(bad, 0, first), box, spread)
    if changed is None:
        changed = _place_part(builder, input, begin, end, strides, part, masks, function)
    elif bad is not None:
        builder.check(bad)
    return changed


def _place_part(
    builder: Builder, base: Any, begin: Any, end: Any, strides: Any, part: Any, masks: dict[str, int], function: str = "put"
) -> IndexExpr:  # fmt: skip
    """`base` with a part at computed places replaced, or added to: along each axis one index, all of them, or as many as the part has."""
    dims = base.dims
    rows: list[Any] = []
    chosen: list[Any] = []
    here: list[Any] = []
    for axis, span in enumerate(_spans(builder, dims, begin, end, strides, part, masks)):
        if span is None:
            rows.append((0, ((axis, 1),)))
            chosen.append(None)
            continue
        at, size, bad = span
        builder.check(bad)
        place, start = builder.iota(dims, axis, np.int64), builder.affine(at, dims, ())
        if not masks["shrink_axis_mask"] >> axis & 1:
            rows.append((0, ()))
            chosen.append(builder.min(builder.max(place - start, 0), size - 1))
        here.append(builder.compare("ge", place, start) & builder.compare("lt", place, start + size))
    spread = builder.gather(part, dims, tuple(rows), tuple(chosen))
    changed = base + spread if function == "add" else spread
    for inside in here:
        changed = builder.select(inside, changed, base)
    return changed
