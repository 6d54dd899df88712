"""Batching rules of LSTM layers.

Examples of all rows are one batch, as long as rows share the weights.  A row's gradient for the weights is a product of its inputs with its
gates' cotangents, which the op does not tell.  It tells them as the cotangents of more inputs, whose weights are the identity.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..array.basic import ZEROS_LIKE, identity, reshape
from ..array.join import CONCAT, SPLIT, SPLIT_V
from ..array.shape import expand_dims
from ..array.slice import slice
from ..batching import Batched, Same
from ..linalg.products import batch_matmul
from ..math.arithmetic import multiply
from ..reduce.reductions import SUM
from .base import Rows


def _batch(rows: Rows) -> Any:
    dims = rows.node.outputs[0].dims
    return None if dims is None else dims[1]


def layer(rows: Rows, seq_len_max: Any, x: Any, cs_prev: Any, h_prev: Any, *weights: Any, **attrs: Any) -> Batched:
    """The whole layer."""
    if rows.has(seq_len_max, *weights):
        return NotImplemented
    found = rows.op(seq_len_max, rows.merge(x, 1), rows.fold(cs_prev), rows.fold(h_prev), *weights, **attrs)
    return tuple(rows.unmerge(t, 1, _batch(rows)) for t in found)


def layer_grad(order: Sequence[int]) -> Callable[..., Any]:
    """The gradient of a layer; order: where input, candidate, forget and output gate stand."""

    def rule(rows: Rows, seq_len_max: Any, x: Any, cs_prev: Any, h_prev: Any, *rest: Any, use_peephole: bool) -> Batched:
        (w, *vectors), steps = rest[:5], rest[5:]
        b = vectors.pop()
        dims, sizes = rows.dims(x), rows.dims(b)
        if rows.has(seq_len_max, w, *vectors, b) or dims is None or sizes is None or None in (*dims, *sizes):
            return NotImplemented
        gates, length = sizes[0], dims[0]
        kind = x.dtype.numpy_dtype
        more = np.zeros((length, int(dims[1]), gates), kind)
        wide = rows.mark(CONCAT([rows.stack(identity(more)), rows.stack(x)], 3))
        weights = CONCAT([np.eye(gates, dtype=kind), w], 0)
        given = [rows.merge(wide, 1), rows.fold(cs_prev), rows.fold(h_prev), weights, *vectors, b, *(rows.merge(t, 1) for t in steps)]
        both, d_cs, d_h, *_ = rows.op(seq_len_max, *given, use_peephole=use_peephole)
        both = rows.unmerge(both, 1, dims[1])
        d_gates, d_x = SPLIT_V(both, np.array([gates, dims[2]], np.int64), 3, num_split=2)
        states = rows.all_stacked(steps[:7])
        before = [_shift_states(rows, first, after, length) for first, after in ((cs_prev, states[1]), (h_prev, states[6]))]
        along = CONCAT([rows.stack(x), before[1]], 3)
        d_w = batch_matmul(_flatten_rows(rows, along), _flatten_rows(rows, d_gates), adj_x=True, adj_y=False)
        d_b = SUM(d_gates, np.array([1, 2], np.int32), keep_dims=False)
        d_vectors = [Same(ZEROS_LIKE(v)) for v in vectors]
        if use_peephole:
            parts = SPLIT(3, d_gates, num_split=4)
            d_i, d_f, d_o = (parts[order.index(k)] for k in (0, 2, 3))
            pairs = ((d_i, before[0]), (d_f, before[0]), (d_o, states[1]))
            d_vectors = [SUM(multiply(d, at), np.array([1, 2], np.int32), keep_dims=False) for d, at in pairs]
        return d_x, rows.unfold(d_cs, dims[1]), rows.unfold(d_h, dims[1]), d_w, *d_vectors, d_b

    return rule


def _shift_states(rows: Rows, first: Any, after: Any, length: int) -> Any:
    """The states before each step, from the first one and those after each step."""
    whole = CONCAT([expand_dims(rows.stack(first), 1), after], 1)
    return slice(whole, np.zeros(4, np.int32), np.array([-1, length, -1, -1], np.int32))


def _flatten_rows(rows: Rows, tensor: Any) -> Any:
    """Steps and examples of each row as one axis."""
    dims = tensor.dims
    return reshape(tensor, rows.before(np.array([dims[1] * dims[2], dims[3]], np.int32)))
