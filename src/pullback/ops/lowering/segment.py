"""How segment reductions are lowered for the engine: rows are combined, one after another, with a row for each segment."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from .array import sizes
from .reduce import widen

if TYPE_CHECKING:
    from ...engine.lowering.builder import Builder

_COMBINE = {"Sum": "add", "Prod": "mul", "Max": "max", "Min": "min"}


def _combine_rows(builder: Builder, kind: str, data: Any, ids: Any, count: int) -> Any:
    """A row for each segment: what its rows come to, and the neutral element where there is none."""
    rest, number = data.dims[len(ids.dims) :], ids.size
    x = widen(builder, data) if kind in ("Sum", "Prod") else data
    start = builder.broadcast(builder.number(neutral_element(kind, x.dtype), x.dtype), (count, *rest))
    rows, updates = builder.reshape(ids, (number,)), builder.reshape(x, (number, *rest))
    return builder.cast(builder.scatter(start, rows, updates, _COMBINE[kind], drops=True), data.dtype)


def neutral_element(kind: str, dtype: Any) -> Any:
    """What combining begins with."""
    if kind in ("Sum", "Prod"):
        return int(kind == "Prod")
    if dtype.kind in "iu":
        return np.iinfo(dtype).min if kind == "Max" else np.iinfo(dtype).max
    return -np.inf if kind == "Max" else np.inf


def _fill_empty(builder: Builder, found: Any, ids: Any, empty: Any) -> Any:
    """`empty` in the rows of segments that no row belongs to."""
    count = found.dims[0]
    nobody = builder.broadcast(builder.number(False, np.bool_), (count,))
    some = builder.scatter(
        nobody, builder.reshape(ids, (ids.size,)), builder.broadcast(builder.number(True, np.bool_), (ids.size,)), "put", drops=True
    )
    return builder.select(builder.reshape(some, (count, *(1,) * (len(found.dims) - 1))), found, empty)


def lower_unsorted(kind: str, empty_of: Callable[..., Any]) -> Callable[..., Any]:
    """The lowering of UnsortedSegmentSum and its kin; rows with a negative number drop."""

    def lower(builder: Any, data: Any, segment_ids: Any, num_segments: Any) -> Any:
        found = _combine_rows(builder, kind, data, segment_ids, sizes(builder, num_segments)[0])
        return found if kind in ("Sum", "Prod") else _fill_empty(builder, found, segment_ids, empty_of(kind, data.dtype))

    return lower


def lower_sorted(kind: str) -> Callable[..., Any]:
    """The lowering of SegmentSum and its kin, where the numbers are known: else nobody knows how many there will be."""

    def lower(builder: Any, data: Any, segment_ids: Any) -> Any:
        ids = builder.get_constant(segment_ids)
        if ids.size != data.dims[0] or (ids[:1] < 0).any() or (ids[1:] < ids[:-1]).any():
            raise builder.Unsupported("segments that do not fit")
        count = int(ids[-1]) + 1 if len(ids) else 0
        if kind != "Mean":
            found = _combine_rows(builder, kind, data, segment_ids, count)
            return found if kind in ("Sum", "Prod") else _fill_empty(builder, found, segment_ids, 0)
        total = _combine_rows(builder, "Sum", data, segment_ids, count)
        number = np.maximum(np.bincount(ids, minlength=count), 1).reshape(-1, *(1,) * (len(data.dims) - 1))
        if data.dtype.kind in "iu":
            return builder.truncdiv(total, builder.constant(number.astype(data.dtype)))
        return total / builder.constant(number.astype(data.dtype))

    return lower


# ---- rows chosen by number


def _scales(builder: Builder, how: str, ids: Any, count: int, dtype: Any) -> Any:
    """What each choice is multiplied by: 1 over the number of choices of its segment, or over its root."""
    flat = builder.broadcast(builder.number(0, dtype), (count,))
    number = builder.scatter(flat, ids, builder.broadcast(builder.number(1, dtype), (ids.size,)), "add")
    scale = 1.0 / (number if how == "Mean" else builder.sqrt(number))
    return builder.gather(scale, (ids.size,), ((0, ()),), (ids,))


def _add_chosen(builder: Builder, rows: Any, chosen: Any, ids: Any, count: int, scales: Any) -> Any:
    """Row `chosen[i]`, times a scale, added to row `ids[i]` of so many."""
    rest = rows.dims[1:]
    x = widen(builder, rows)
    builder.check(builder.compare("lt", chosen, 0) | builder.compare("ge", chosen, rows.dims[0]))
    dims = (chosen.size, *rest)
    at = builder.affine(chosen, dims, ((0, ((0, 1),)),))
    inner = tuple((0, ((i + 1, 1),)) for i in range(len(rest)))
    taken = builder.gather(x, dims, ((0, ()), *inner), (at, *(None,) * len(rest)))
    if scales is not None:
        taken = taken * builder.affine(scales, dims, ((0, ((0, 1),)),))
    zeros = builder.broadcast(builder.number(0, x.dtype), (count, *rest))
    return builder.cast(builder.scatter(zeros, ids, taken, "add"), rows.dtype)


def _is_refused(builder: Builder, indices: Any, ids: Any) -> None:
    if not indices.size or indices.dims != ids.dims:
        raise builder.Unsupported("no choices, or ids that do not fit them")


def sparse_segments(how: str) -> Callable[..., Any]:
    """The lowering of SparseSegmentSum and its kin; without a number of segments, where the ids are known."""

    def lower(builder: Any, data: Any, indices: Any, segment_ids: Any, num_segments: Any = None, *, sparse_gradient: bool = False) -> Any:
        _is_refused(builder, indices, segment_ids)
        n = indices.size
        count = int(builder.get_constant(segment_ids)[-1]) + 1 if num_segments is None else sizes(builder, num_segments)[0]
        falls = builder.compare(
            "lt", builder.affine(segment_ids, (n - 1,), ((1, ((0, 1),)),)), builder.affine(segment_ids, (n - 1,), ((0, ((0, 1),)),))
        )
        builder.check(falls)
        scales = None if how == "Sum" else _scales(builder, how, segment_ids, count, widen(builder, data).dtype)
        return _add_chosen(builder, data, indices, segment_ids, count, scales)

    return lower


def sparse_segments_grad(how: str) -> Callable[..., Any]:
    """The lowering of the gradients of SparseSegmentSum and its kin: rows of segments added to the rows that were chosen."""

    def lower(builder: Any, grad: Any, indices: Any, segment_ids: Any, output_dim0: Any) -> Any:
        _is_refused(builder, indices, segment_ids)
        scales = None if how == "Sum" else _scales(builder, how, segment_ids, grad.dims[0], widen(builder, grad).dtype)
        return _add_chosen(builder, grad, segment_ids, indices, sizes(builder, output_dim0)[0], scales)

    return lower
