"""Whole LSTM layers as operations: `BlockLSTM` (versions 1 and 2) and their gradients.

As in TensorFlow only the cell states `cs` and the outputs `h` pass gradients on, and clipping of the cell counts as the identity.  What
TensorFlow lacks is a rule for the gradient: here it is `curvature.py`, in ordinary operations.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.dtypes import float16, float32, float64
from ...base.shapes import show
from ...ir.op import Op, define
from ...ir.tensor import TensorType
from ...kernels import gemm
from ...ops.array.type_rules import Array, invalid_argument, require_rank
from ...ops.vmap_rules import rnn as rows_rnn
from .curvature import lstm_curvature
from .kernels import ORDERS, Lstm

_DTYPES = {float16, float32, float64}
WEIGHTS = "w wci wcf wco b"
STATES = "i cs f o ci co h"
_INPUTS = f"seq_len_max:int64 x cs_prev h_prev {WEIGHTS}"


def _check_steps(x: Any, h_prev: Any, cs_prev: Any, w: Any, b: Any) -> None:
    for t, rank, name in ((x, 3, "x"), (cs_prev, 2, "cs_prev"), (h_prev, 2, "h_prev"), (w, 2, "w"), (b, 1, "b")):
        require_rank(t, rank, f"{name} must be {rank}D: {show(t.dims)}")


def check_weights(x: tuple[int, ...], cs_prev: Array, h_prev: Array, w: Array, vectors: tuple[Array, ...], b: Array) -> None:
    """Refuse arrays that are no LSTM for inputs of shape [..., batch, size]."""
    batch, size = x[-2:]
    cell = cs_prev.shape[1] if cs_prev.ndim == 2 else -1
    for found, expected, name in (
        (cs_prev.shape, (batch, cell), "cs_prev"),
        (h_prev.shape, (batch, cell), "h_prev"),
        (w.shape, (size + cell, 4 * cell), "w"),
        (b.shape, (4 * cell,), "b"),
        *((v.shape, (cell,), name) for v, name in zip(vectors, ("wci", "wcf", "wco"), strict=True)),
    ):
        if found != expected:
            raise invalid_argument(f"{name} must be of shape {list(expected)}, got {list(found)}")


def _length(seq_len_max: Array, x: Array) -> int:
    if x.ndim != 3:
        raise invalid_argument(f"x must be 3D: {show(x.shape)}")
    length = int(seq_len_max)
    if not 0 <= length <= len(x):
        raise invalid_argument(f"seq_len_max must lie in [0, {len(x)}], the number of steps, got {length}")
    return length


def _run(
    lstm: Lstm, seq_len_max: Array, x: Array, cs_prev: Array, h_prev: Array, vectors: tuple[Array, ...]
) -> tuple[Array, ...]:
    length = _length(seq_len_max, x)
    check_weights(x.shape, cs_prev, h_prev, lstm.w, vectors, lstm.b)
    out = tuple(np.empty((len(x), *cs_prev.shape), x.dtype) for _ in range(7))
    for all_steps in out:
        all_steps[length:] = 0
    batch, size = x.shape[1:]
    parts = lstm.of_inputs(x[:length].reshape(length * batch, size)).reshape(length, batch, lstm.w.shape[1])
    for t in range(length):
        states = lstm.step(parts[t], cs_prev, h_prev)
        for all_steps, state in zip(out, states, strict=True):
            all_steps[t] = state
        cs_prev, h_prev = states[1], states[6]
    return out


def _type(x: Any, cs_prev: Any, h_prev: Any, w: Any, b: Any) -> tuple[TensorType, ...]:
    _check_steps(x, h_prev, cs_prev, w, b)
    cell = next((t.dims[-1] for t in (cs_prev, h_prev) if t.dims is not None and t.dims[-1] is not None), None)
    if cell is None and b.dims is not None and b.dims[0] is not None:
        cell = b.dims[0] // 4
    steps, batch = (None, None) if x.dims is None else x.dims[:2]
    return tuple(TensorType((steps, batch, cell), x.dtype) for _ in range(7))


def _type_v1(
    seq_len_max: Any, x: Any, cs_prev: Any, h_prev: Any, w: Any, *vectors: Any,
    forget_bias: float = 1.0, cell_clip: float = 3.0, use_peephole: bool = False,
) -> tuple[TensorType, ...]:  # fmt: skip
    return _type(x, cs_prev, h_prev, w, vectors[-1])


def _type_v2(
    seq_len_max: Any, x: Any, cs_prev: Any, h_prev: Any, w: Any, *vectors: Any, cell_clip: float = 0.0, use_peephole: bool = False
) -> tuple[TensorType, ...]:
    return _type(x, cs_prev, h_prev, w, vectors[-1])


def _grad_type(seq_len_max: Any, x: Any, *given: Any, use_peephole: bool) -> tuple[TensorType, ...]:
    return tuple(TensorType(t.dims, x.dtype) for t in (x, *given[:7]))


def _block(name: str, order: str, infer: Any) -> tuple[Op, Op]:
    """The layer and its gradient, for one order of gates."""

    def kernel(
        seq_len_max: Array, x: Array, cs_prev: Array, h_prev: Array, w: Array, *rest: Array,
        forget_bias: float = 0.0, cell_clip: float, use_peephole: bool,
    ) -> tuple[Array, ...]:  # fmt: skip
        wci, wcf, wco, b = rest
        vectors = (wci, wcf, wco)
        lstm = Lstm(w, b, vectors if use_peephole else None, order, forget_bias, cell_clip)
        return _run(lstm, seq_len_max, x, cs_prev, h_prev, vectors)

    def grad_kernel(
        seq_len_max: Array, x: Array, cs_prev: Array, h_prev: Array, w: Array, *given: Array, use_peephole: bool
    ) -> tuple[Array, ...]:
        length, (wci, wcf, wco, b, *states) = _length(seq_len_max, x), given[:-2]
        vectors = (wci, wcf, wco)
        check_weights(x.shape, cs_prev, h_prev, w, vectors, b)
        lstm = Lstm(w, b, vectors if use_peephole else None, order)
        return _sweep_steps(lstm, length, x, cs_prev, h_prev, vectors, tuple(states), *given[-2:])

    def grad_back(
        g_x_grad: Any, g_cs_prev_grad: Any, g_h_prev_grad: Any, g_w_grad: Any, g_wci_grad: Any, g_wcf_grad: Any, g_wco_grad: Any,
        g_b_grad: Any, seq_len_max: Any, x: Any, cs_prev: Any, h_prev: Any, w: Any, wci: Any, wcf: Any, wco: Any, i: Any, cs: Any, f: Any,
        o: Any, ci: Any, co: Any, h: Any, cs_grad: Any, h_grad: Any, use_peephole: bool,
    ) -> tuple[Any, ...]:  # fmt: skip
        along = (g_x_grad, g_cs_prev_grad, g_h_prev_grad, g_w_grad, g_wci_grad, g_wcf_grad, g_wco_grad, g_b_grad)
        states, vectors = (i, cs, f, o, ci, co, h), (wci, wcf, wco)
        return lstm_curvature(
            ORDERS[order], use_peephole, seq_len_max, (x, cs_prev, h_prev, w, *vectors), along, states, cs_grad, h_grad
        )

    grads = "x_grad cs_prev_grad h_prev_grad w_grad wci_grad wcf_grad wco_grad b_grad"
    gradient = define(
        f"{name[:9]}Grad{name[9:]}",
        f"{_INPUTS} {STATES} cs_grad h_grad",
        _grad_type,
        grad_kernel,
        {("x", "cs_prev", "h_prev", "w", "wci", "wcf", "wco", "b", "cs_grad", "h_grad"): grad_back},
        outputs=grads,
        dtypes=_DTYPES,
        batch=rows_rnn.layer_grad(ORDERS[order]),
    )

    def pull_back(
        g_cs: Any, g_h: Any, seq_len_max: Any, x: Any, cs_prev: Any, h_prev: Any, w: Any, wci: Any, wcf: Any, wco: Any, b: Any, i: Any,
        cs: Any, f: Any, o: Any, ci: Any, co: Any, h: Any, use_peephole: bool,
    ) -> Any:  # fmt: skip
        states = (i, cs, f, o, ci, co, h)
        return gradient(seq_len_max, x, cs_prev, h_prev, w, wci, wcf, wco, b, *states, g_cs, g_h, use_peephole=use_peephole)

    layer = define(
        name,
        _INPUTS,
        infer,
        kernel,
        {("x", "cs_prev", "h_prev", "w", "wci", "wcf", "wco", "b"): pull_back},
        outputs=STATES,
        dtypes=_DTYPES,
        batch=rows_rnn.layer,
    )
    return layer, gradient


def _sweep_steps(
    lstm: Lstm, length: int, x: Array, cs_prev: Array, h_prev: Array, vectors: tuple[Array, ...], states: tuple[Array, ...],
    cs_grad: Array, h_grad: Array,
) -> tuple[Array, ...]:  # fmt: skip
    """The cotangents of x, cs_prev, h_prev, w, wci, wcf, wco and b, from the last step to the first."""
    d_x, d_w, d_b = np.zeros_like(x), np.zeros_like(lstm.w), np.zeros_like(lstm.b)
    d_vectors = [np.zeros_like(v) for v in vectors]
    d_cs, d_h = np.zeros_like(cs_prev), np.zeros_like(h_prev)
    for t in range(length - 1, -1, -1):
        before, h_before = (states[1][t - 1], states[6][t - 1]) if t else (cs_prev, h_prev)
        d_cs, d_gates, (di, df, do) = lstm.back(before, tuple(s[t] for s in states), cs_grad[t] + d_cs, h_grad[t] + d_h)
        d_x[t], d_h = np.split(gemm.matmul(d_gates, lstm.w.T), [x.shape[2]], axis=1)
        d_w += gemm.matmul(np.concatenate([x[t], h_before], axis=1).T, d_gates)
        d_b += d_gates.sum(axis=0)
        if lstm.peepholes is not None:
            for total, part in zip(d_vectors, (di * before, df * before, do * states[1][t]), strict=True):
                total += part.sum(axis=0)
    return d_x, d_cs, d_h, d_w, *d_vectors, d_b


BLOCK_LSTM, BLOCK_LSTM_GRAD = _block("BlockLSTM", "ICFO", _type_v1)
BLOCK_LSTM_V2, BLOCK_LSTM_GRAD_V2 = _block("BlockLSTMV2", "IFCO", _type_v2)
