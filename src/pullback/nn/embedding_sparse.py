"""Embeddings of lists of numbers: for each row of a sparse (or ragged) tensor of ids, the rows of a table combined into one."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base.dtypes import bfloat16, float16, float32, int32
from ..base.export import export
from ..ir.apply import convert_to_tensor
from ..ir.context import scope
from ..ir.tensor import NumberLike, Tensor
from ..ops.array.basic import fill, reshape, shape_of, zeros_of
from ..ops.array.gather import gather
from ..ops.array.join import concat
from ..ops.array.shape import RANK
from ..ops.array.where import where
from ..ops.math.division import DIV_NO_NAN
from ..ops.math.functions import sqrt
from ..ops.primitives.cast import cast
from ..ops.reduce.reductions import PROD
from ..ops.search.search import unique
from ..ops.segment import sparse as segment_sparse
from ..ops.segment.dense import SEGMENT_SUM
from ..ops.sparse.classes import SparseTensor
from ..ops.sparse.functions import sparse_fill_empty_rows, sparse_reshape, sparse_retain
from .embedding import look_up

_COMBINERS = {"sum": segment_sparse.segment_sum, "mean": segment_sparse.segment_mean, "sqrtn": segment_sparse.segment_sqrt_n}


@export(v2="nn.embedding_lookup_sparse")
def embedding_lookup_sparse(
    params: NumberLike, sp_ids: SparseTensor, sp_weights: object, combiner: str | None = None, max_norm: NumberLike | None = None,
    name: str | None = None, allow_fast_lookup: bool = False,
) -> Tensor:  # fmt: skip
    """For each row of ids the rows of a table that they name, combined.

    params: a table, or a list of tables that share the rows in runs.  sp_ids: a sparse tensor of integers, rank 2, without empty rows but
    at the end; or a ragged one.  sp_weights: weights in the same places, None for 1.  combiner: "sum", "mean" (the default: over the sum
    of weights) or "sqrtn" (over the root of the sum of their squares).  max_norm: rows are scaled down to this length first.
    Raises ValueError for another combiner, TypeError for ids of another kind, InvalidArgumentError for a number that is no row.
    The gradient of the table is an `IndexedSlices`.

    >>> ids = tf.SparseTensor([[0, 0], [0, 1], [1, 0]], [0, 2, 1], [2, 2])
    >>> tf.nn.embedding_lookup_sparse(tf.constant([[1.0], [2.0], [4.0]]), ids, None).numpy().tolist()
    [[2.5], [2.0]]
    """
    return look_up_sparse(params, sp_ids, sp_weights, "div", combiner, max_norm, name)


def look_up_sparse(
    params: Any, sp_ids: Any, sp_weights: Any, partition_strategy: str, combiner: str | None, max_norm: Any, name: str | None
) -> Any:
    """`embedding_lookup_sparse` with a strategy: "mod" deals rows out in turn, "div" in runs."""
    how = "mean" if combiner is None else combiner
    if how not in _COMBINERS:
        raise ValueError(f"combiner must be one of 'mean', 'sqrtn' or 'sum', got {combiner}")
    ragged = hasattr(sp_ids, "row_splits")
    if not ragged and not isinstance(sp_ids, SparseTensor):
        raise TypeError(f"sp_ids must be SparseTensor, got {type(sp_ids)}")
    if sp_weights is not None and not isinstance(sp_weights, type(sp_ids)):
        raise TypeError(f"sp_weights must be either None or {type(sp_ids).__name__}, got {type(sp_weights)}")
    with scope(name, "embedding_lookup_sparse"):
        rows = sp_ids.value_rowids() if ragged else sp_ids.indices[:, 0]
        weights = None if sp_weights is None else sp_weights.values
        return _combine_rows(params, rows, sp_ids.values, weights, how, partition_strategy, max_norm)


def _combine_rows(
    params: NumberLike, rows: Tensor, ids: Tensor, weights: Tensor | None, how: str, partition_strategy: str, max_norm: Any
) -> Any:
    tables = list(params) if isinstance(params, (list, tuple)) else [params]
    if weights is None and len(tables) == 1 and max_norm is None:
        return _COMBINERS[how](convert_to_tensor(tables[0]), ids, rows, sparse_gradient=True)
    distinct, places = unique(ids)
    found = look_up(tables, distinct, partition_strategy, max_norm, None)
    return _COMBINERS[how](found, places, rows) if weights is None else _weight_rows(found, places, rows, weights, how)


def _weight_rows(table: Tensor, places: Tensor, rows: Tensor, weights: Tensor, how: str) -> Any:
    rows = cast(rows, int32)
    found = gather(table, places)
    dtype = found.dtype
    if dtype in (float16, bfloat16):
        found = cast(found, float32)
    weights = cast(weights, found.dtype)
    rank = len(found.dims) if found.dims is not None else None
    ones = np.ones(rank - 1, np.int32) if rank is not None else fill(reshape(RANK.call(found) - 1, [1]), np.int32(1))
    weights = reshape(weights, concat([shape_of(weights), ones], 0))
    total = SEGMENT_SUM(found * weights, rows)
    if how == "mean":
        total = DIV_NO_NAN.call(total, SEGMENT_SUM(weights, rows))
    elif how == "sqrtn":
        total = DIV_NO_NAN.call(total, sqrt(SEGMENT_SUM(weights * weights, rows)))
    return cast(total, dtype)


@export(v2="nn.safe_embedding_lookup_sparse")
def safe_embedding_lookup_sparse(
    embedding_weights: NumberLike, sparse_ids: object, sparse_weights: object = None, combiner: str = "mean",
    default_id: NumberLike | None = None, max_norm: NumberLike | None = None, name: str | None = None, allow_fast_lookup: bool = False,
) -> Tensor:  # fmt: skip
    """`embedding_lookup_sparse` for ids of any rank (the last axis is combined) with empty rows and ids that are negative.

    Negative ids, and with "mean" and "sqrtn" ids whose weight is not positive, are left out.  A row without ids gets the row `default_id`
    of the table, or zeros where that is None.

    >>> ids = tf.SparseTensor([[0, 0], [2, 0]], [1, -1], [3, 2])
    >>> tf.nn.safe_embedding_lookup_sparse(tf.constant([[1.0], [2.0]]), ids).numpy().tolist()
    [[2.0], [0.0], [0.0]]
    """
    return look_up_safely(embedding_weights, sparse_ids, sparse_weights, combiner, default_id, "div", max_norm, name)


def look_up_safely(
    embedding_weights: Any, sparse_ids: Any, sparse_weights: Any, combiner: str, default_id: Any, partition_strategy: str, max_norm: Any,
    name: str | None,
) -> Any:  # fmt: skip
    """`safe_embedding_lookup_sparse` with a strategy."""
    tables = list(embedding_weights) if isinstance(embedding_weights, (list, tuple)) else [embedding_weights]
    if not tables or any(t is None for t in tables):
        raise ValueError(f"Missing embedding_weights {embedding_weights}.")
    with scope(name, "embedding_lookup"):
        whole = sparse_ids.dense_shape
        leading = whole[:-1]
        ids = sparse_reshape(sparse_ids, concat([reshape(PROD.call(leading, [0]), [1]), whole[-1:]], 0))
        weights = None if sparse_weights is None else SparseTensor(ids.indices, sparse_weights.values, ids.dense_shape)
        ids, weights = _keep_valid(ids, weights, ids.values >= 0)
        if combiner != "sum" and weights is not None:
            ids, weights = _keep_valid(ids, weights, weights.values > 0)
        ids, empty = sparse_fill_empty_rows(ids, default_id or 0)
        if weights is not None:
            weights, _ = sparse_fill_empty_rows(weights, 1.0)
        found = look_up_sparse(tables, ids, weights, partition_strategy, combiner, max_norm, None)
        if default_id is None:
            found = where(reshape(empty, [-1, 1]), zeros_of(found), found)
        out = reshape(found, concat([cast(leading, int32), shape_of(found)[1:]], 0))
        return out


def _keep_valid(ids: Any, weights: Any, valid: Tensor) -> tuple[Any, Any]:
    return sparse_retain(ids, valid), None if weights is None else sparse_retain(weights, valid)
