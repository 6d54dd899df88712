"""Embeddings: rows of one or several tables, looked up by number."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..api.partitioned import PartitionedVariable
from ..base.dtypes import int32
from ..base.export import export
from ..ir.apply import convert_to_tensor
from ..ir.composite import takes_composites
from ..ir.context import scope
from ..ir.tensor import IndexedSlices, NumberLike, Tensor
from ..ops.array.basic import identity, reshape, shape_of
from ..ops.array.create import RANGE, range as range_of
from ..ops.array.gather import gather
from ..ops.array.join import concat
from ..ops.array.shape import rank, shape
from ..ops.array.where import choose
from ..ops.math.arithmetic import maximum
from ..ops.nn.clip import clip_by_norm
from ..ops.primitives.cast import cast
from ..ops.primitives.compare import less
from ..ops.search.partition import PARTITION, STITCH


@export(v2="nn.embedding_lookup")
@takes_composites
def embedding_lookup(params: NumberLike, ids: NumberLike, max_norm: NumberLike | None = None, name: str | None = None) -> Tensor:
    """The rows `ids` of `params`, scaled down to length `max_norm` where given.

    params: a table, or a list of tables among which the rows are dealt out in turn.  ids: int32 or int64, any shape.  The gradient of a
    table is an `IndexedSlices`.  Raises ValueError without a table, InvalidArgumentError for a number that is no row.

    >>> tf.nn.embedding_lookup(tf.constant([[1.0], [2.0]]), [1, 0]).numpy().tolist()
    [[2.0], [1.0]]
    """
    return look_up(params, ids, "div", max_norm, name)


def look_up(params: NumberLike, ids: NumberLike, partition_strategy: str, max_norm: NumberLike | None, name: str | None) -> Tensor:
    """`embedding_lookup` with a strategy: "mod" deals rows out in turn, "div" in runs."""
    if params is None:
        raise ValueError("embedding_lookup: params must be specified")
    tables = list(params) if isinstance(params, (list, tuple, PartitionedVariable)) else [params]
    if not tables:
        raise ValueError("embedding_lookup: Length of params is currently 0. Need at least one param.")
    with scope(name, "embedding_lookup") as inner:
        ids = convert_to_tensor(ids, name="ids")
        if len(tables) == 1:
            return identity(_clip_rows(_gather_rows(tables[0], ids, inner or None), ids, max_norm))
        tables = [convert_to_tensor(table) for table in tables]
        flat = reshape(ids, [-1])
        owner, row = _deal_rows(flat, tables, partition_strategy)
        owner = cast(owner, int32)
        partition, stitch = PARTITION.call, STITCH.call
        places = partition(_positions(flat), owner, num_partitions=len(tables))
        rows = partition(row, owner, num_partitions=len(tables))
        found = stitch(places, [gather(table, numbers) for table, numbers in zip(tables, rows, strict=True)])
        out = reshape(found, concat([shape_of(ids), shape_of(tables[0])[1:]], 0))
        return _clip_rows(out, ids, max_norm)


def _gather_rows(table: NumberLike, ids: NumberLike, name: str | None) -> Tensor:
    if hasattr(table, "sparse_read"):
        return table.sparse_read(ids, name=name)
    return gather(convert_to_tensor(table), ids, name=name)


def _positions(flat: Tensor) -> Any:
    count = shape_of(flat)
    if isinstance(count, np.ndarray):
        return convert_to_tensor(np.arange(int(count[0]), dtype=np.int32))
    return RANGE.call(0, count[0], 1)


def _deal_rows(flat: Tensor, tables: list[Any], strategy: str) -> tuple[Any, Any]:
    """For each id the table that has it, and the row there."""
    count = len(tables)
    if strategy == "mod":
        return flat % count, flat // count
    if strategy != "div":
        raise ValueError(f"Unrecognized partition strategy: {strategy}. Must be one of either `mod` or `div`.")
    sizes: list[Any] = [table.dims[0] if table.dims is not None else None for table in tables]
    if None in sizes:
        total = sum(cast(shape(table)[0], flat.dtype) for table in tables)
    else:
        total = convert_to_tensor(sum(sizes), flat.dtype)
    each, extras = total // count, total % count
    owner = maximum(flat // (each + 1), (flat - extras) // each)
    return owner, choose(less(owner, extras), flat % (each + 1), (flat - extras) % each)


def _clip_rows(rows: Any, ids: Any, max_norm: Any) -> Tensor:
    if max_norm is None:
        return rows
    if isinstance(rows, IndexedSlices):
        raise TypeError("embedding_lookup: rows looked up are no IndexedSlices")
    ranks = [None if t.dims is None else len(t.dims) for t in (ids, rows)]
    if None in ranks:
        return clip_by_norm(rows, max_norm, axes=range_of(rank(ids), rank(rows)))
    return clip_by_norm(rows, max_norm, axes=list(range(ranks[0] or 0, ranks[1] or 0)))
