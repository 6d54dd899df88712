"""How slices, their gradients and replaced parts are lowered for the engine: views where the bounds are known, else gathers and choices."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..ir.op import OPS
from .native_array import is_known, sizes, view_rows, viewing


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


def strided_slice_grad(steps: Any, shape: Any, begin: Any, end: Any, strides: Any, dy: Any, **masks: Any) -> Any:
    """StridedSliceGrad: the cotangent in zeros."""
    dims = sizes(steps, shape)
    if not is_known(steps, begin) or not is_known(steps, end):
        return _placed(steps, steps.broadcast(steps.number(0, dy.dtype), dims), begin, strides, dy, masks)
    known = [steps.known(t) for t in (begin, end, strides)]
    if not dy.size:
        return steps.filled(dims, dy.dtype, 0)
    _, rows = view_rows(steps, dims, lambda array: OPS["StridedSlice"].kernel(array, *known, **masks))
    counts = [dy.dims[terms[0][0]] if terms else 1 for _, terms in rows]
    order = [terms[0][0] for _, terms in rows if terms]
    if order != sorted(order):
        raise steps.Unsupported("a slice that turns axes")
    part = steps.reshape(dy, tuple(counts))
    paces = [terms[0][1] if terms else 1 for _, terms in rows]
    if all(abs(pace) == 1 for pace in paces):
        back = tuple((-start * pace, ((axis, pace),)) for axis, ((start, _), pace) in enumerate(zip(rows, paces, strict=True)))
        return steps.affine(part, dims, back, 0)
    whole = steps.filled(dims, dy.dtype, 0)
    _put(steps, part, whole, rows, paces)
    return whole


def _put(steps: Any, part: Any, whole: Any, rows: Any, paces: list[int]) -> None:
    """Put a part where a slice takes it from."""
    apart = [int(np.prod(whole.dims[i + 1 :], dtype=np.int64)) for i in range(len(whole.dims))]
    offset = sum(start * a for (start, _), a in zip(rows, apart, strict=True))
    steps.put(part, whole, [pace * a for pace, a in zip(paces, apart, strict=True)], offset)


def strided_update(steps: Any, input: Any, begin: Any, end: Any, strides: Any, value: Any, **masks: Any) -> Any:
    """TensorStridedSliceUpdate: a copy with a part replaced."""
    if not is_known(steps, begin) or not is_known(steps, end):
        return _placed(steps, input, begin, strides, value, masks)
    known = [steps.known(t) for t in (begin, end, strides)]
    view, rows = view_rows(steps, input.dims, lambda array: OPS["StridedSlice"].kernel(array, *known, **masks))
    if not view.size:
        return input
    value = steps.broadcast(value, view.shape)
    order = [terms[0][0] for _, terms in rows if terms]
    if order != sorted(order):
        raise steps.Unsupported("a slice that turns axes")
    part = steps.reshape(value, tuple(view.shape[terms[0][0]] if terms else 1 for _, terms in rows))
    whole = steps.copied(input)
    _put(steps, part, whole, rows, [terms[0][1] if terms else 1 for _, terms in rows])
    return whole


def _placed(steps: Any, base: Any, begin: Any, strides: Any, dy: Any, masks: dict[str, int]) -> Any:
    """`base` with a part at computed indices replaced."""
    dims = base.dims
    taken = _indices(steps, dims, begin, strides, masks)
    left = [axis for axis in range(len(dims)) if axis not in taken]
    spread = steps.affine(dy, dims, tuple((0, ((axis, 1),)) for axis in left))
    for axis, at in taken.items():
        steps.check(steps.compare("lt", at, 0) | steps.compare("ge", at, dims[axis]))
        here = steps.compare("eq", steps.iota(dims, axis, at.dtype), steps.affine(at, dims, ()))
        spread = steps.select(here, spread, base)
    return spread
