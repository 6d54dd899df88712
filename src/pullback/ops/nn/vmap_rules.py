"""The batching rule of cross-entropy."""

from __future__ import annotations

from typing import Any

from ..array.basic import broadcast_to, identity
from ..array.shape import BROADCAST_ARGS
from ..batching import Batched, batches, unfold_rows
from ..vmap_rules.base import Rows
from .softmax import CROSS_ENTROPY


@batches(CROSS_ENTROPY)
def cross_entropy(rows: Rows, features: Any, labels: Any) -> Batched:
    """Examples of all rows are one batch, once rows of features and labels have one shape."""
    given = [features, labels]
    dims = [rows.dims(t) for t in given]
    if dims[0] != dims[1] or dims[0] is None or None in dims[0]:
        shape = BROADCAST_ARGS(*(identity(rows.shape(t)) for t in given))
        rank = 2
        given = [rows.mark(broadcast_to(rows.widen(rows.stack(t), rank), rows.before(shape))) for t in given]
    return unfold_rows(rows, rows.op(*(rows.fold(t) for t in given)))
