"""Scattered sums whose rows are known when the program is made: each row of the target gathers its own updates.

A scatter takes the updates one after another, and one that adds to the place of the last waits for it. Where it is known which updates
a row gets, the rows are computed side by side, a vector of them at a time: `few` updates of each row are added element-wise, and the rows
that get more, which are rare where this is done at all, are reductions of their own.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from operator import add
from typing import TYPE_CHECKING, Any

import numpy as np

from ...base.named_values import NamedValues
from . import index_expr
from .index_expr import Buffer, IndexExpr

if TYPE_CHECKING:
    from .builder import Builder

Numbers = np.ndarray[Any, np.dtype[Any]]

#: The most updates of one row that are added element-wise.
_MOST = 16
#: Rows of more elements than this are scattered a vector at a time as they are.
_WIDEST = 4
#: The most updates, of which lists are kept with the program.
_LARGEST = 1 << 16
#: How many elements may be gathered for each update, those that lists are filled up with among them.
_WASTE = 1.5
_DTYPES = frozenset(map(np.dtype, (np.float32, np.float64, np.int32, np.int64)))


class Lists(NamedValues):
    """Which updates each row gets; -1 where it gets no more.

    few: [rows, n], empty for the rows of `many`; many: [their number, the longest], and `place`: [rows], where in `many` a row is, or -1.
    """

    few: Numbers
    many: Numbers
    place: Numbers


def lists(rows: Numbers, count: int) -> Lists | None:
    """The updates of each of `count` rows, where the i-th update is for `rows[i]`; None where a scatter does less work."""
    inside = np.flatnonzero(rows >= 0)
    order = inside[np.argsort(rows[inside], kind="stable")].astype(np.int32)
    lengths = np.bincount(rows[inside], minlength=count)

    def work(few: int) -> int:
        many = lengths[lengths > few]
        return count * few + (many.size * int(many.max()) if many.size else 0)

    few = min(range(1, _MOST + 1), key=work)
    if work(few) > _WASTE * rows.size:
        return None
    starts = np.cumsum(lengths) - lengths
    long = np.flatnonzero(lengths > few)
    place = np.full(count, -1, np.int32)
    place[long] = np.arange(long.size)
    short = np.where(lengths > few, 0, lengths)
    return Lists(
        _pad_rows(order, starts, short, few), _pad_rows(order, starts[long], lengths[long], int(lengths[long].max(initial=0))), place
    )


def _pad_rows(order: Numbers, starts: Numbers, lengths: Numbers, width: int) -> Numbers:
    along = np.arange(width)
    inside = along < lengths[:, None]
    found = np.full(inside.shape, -1, np.int32)
    found[inside] = order[(starts[:, None] + along)[inside]]
    return found


def add_rows(builder: Builder, target: IndexExpr, rows: Numbers, updates: Callable[[], Buffer]) -> IndexExpr | None:
    """`target` with an update added to each of `rows`, negative ones left out; None where this is better scattered."""
    count, inner = target.dims[0], target.dims[1:]
    if target.dtype not in _DTYPES or target.size > _WIDEST * count or not 2 <= rows.size <= _LARGEST:
        return None
    found = lists(rows, count)
    if found is None:
        return None
    table = updates()
    parts = [_take_rows(builder, table, np.ascontiguousarray(found.few[:, k]), inner) for k in range(found.few.shape[1])]
    if found.many.size:
        sums = builder.memory(index_expr.reduce("sum", _take_rows(builder, table, found.many, inner), (1,)))
        parts.append(_take_rows(builder, sums, found.place, inner))
    return builder.memory(target + reduce(add, parts))


def _take_rows(builder: Builder, table: Buffer, numbers: Numbers, inner: index_expr.Dims) -> IndexExpr:
    """Rows of a table by number; for -1 what changes nothing that it is added to, negative zeros neither."""
    dims = (*numbers.shape, *inner)
    lead = len(numbers.shape)
    at = index_expr.Affine(builder.constant(numbers), dims, tuple((0, ((i, 1),)) for i in range(lead)))
    rows = ((0, ()), *((0, ((lead + i, 1),)) for i in range(len(inner))))
    fill = (-0.0 if table.dtype.kind == "f" else 0) if (numbers < 0).any() else None
    return index_expr.gather(table, dims, rows, (at, *(None,) * len(inner)), fill)
