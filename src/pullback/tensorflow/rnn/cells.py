"""Single steps of recurrent layers as operations: `LSTMBlockCell`, `GRUBlockCell`, and their gradients.

TensorFlow registers no gradients for them; here their rules are written in ordinary operations, for all outputs and to any order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...base.dtypes import float16, float32, float64
from ...base.shapes import show
from ...ir.apply import convert_to_tensor
from ...ir.op import Op, define
from ...ir.tensor import TensorType
from ...ops.array.basic import shape
from ...ops.array.join import CONCAT, SPLIT
from ...ops.array.type_rules import Array, invalid_argument, require_rank
from ...ops.batching import Batched, Same, fold_rows
from ...ops.linalg.products import MATMUL
from ...ops.math.arithmetic import ABS, multiply
from ...ops.primitives.cast import cast
from ...ops.primitives.compare import less
from ...ops.reduce.reductions import reduce_sum
from .blocks import STATES, WEIGHTS, check_weights
from .kernels import Lstm, gru, gru_back

if TYPE_CHECKING:
    from ...ops.vmap_rules.base import Rows

_DTYPES = {float16, float32, float64}


def _cell_type(x: Any, cs_prev: Any, h_prev: Any, w: Any, *vectors: Any, **_: Any) -> tuple[TensorType, ...]:
    for t, name in ((x, "x"), (cs_prev, "cs_prev"), (h_prev, "h_prev"), (w, "w")):
        require_rank(t, 2, f"{name} must be 2D: {show(t.dims)}")
    cell = next((t.dims[1] for t in (cs_prev, h_prev) if t.dims is not None and t.dims[1] is not None), None)
    batch = next((t.dims[0] for t in (x, cs_prev, h_prev) if t.dims is not None and t.dims[0] is not None), None)
    return tuple(TensorType((batch, cell), x.dtype) for _ in range(7))


def _cell(
    x: Array, cs_prev: Array, h_prev: Array, w: Array, *rest: Array, forget_bias: float = 1.0, cell_clip: float = 3.0,
    use_peephole: bool = False,
) -> tuple[Array, ...]:  # fmt: skip
    wci, wcf, wco, b = rest
    vectors = (wci, wcf, wco)
    if x.ndim != 2:
        raise invalid_argument(f"x must be 2D: {show(x.shape)}")
    check_weights(x.shape, cs_prev, h_prev, w, vectors, b)
    lstm = Lstm(w, b, vectors if use_peephole else None, "ICFO", forget_bias, cell_clip)
    return lstm.step(lstm.of_inputs(x), cs_prev, h_prev)


def _cell_back(
    g_i: Any, g_cs: Any, g_f: Any, g_o: Any, g_ci: Any, g_co: Any, g_h: Any, x: Any, cs_prev: Any, h_prev: Any, w: Any, wci: Any,
    wcf: Any, wco: Any, i: Any, cs: Any, f: Any, o: Any, ci: Any, co: Any, cell_clip: float, use_peephole: bool,
) -> tuple[Any, ...]:  # fmt: skip
    d_o = (g_o + g_h * co) * o * (1.0 - o)
    d_cs = g_cs + (g_co + g_h * o) * (1.0 - co * co)
    if use_peephole:
        d_cs = d_cs + d_o * wco
    if cell_clip > 0:
        d_cs = cast(less(ABS(cs), convert_to_tensor(cell_clip, cs.dtype)), cs.dtype) * d_cs
    d_i, d_f = (g_i + d_cs * ci) * i * (1.0 - i), (g_f + d_cs * cs_prev) * f * (1.0 - f)
    d_g = (g_ci + d_cs * i) * (1.0 - ci * ci)
    gates = CONCAT([d_i, d_g, d_f, d_o], 1)
    d_row = MATMUL(gates, w, transpose_b=True)
    size = shape(x)[1]
    d_w = MATMUL(CONCAT([x, h_prev], 1), gates, transpose_a=True)
    d_prev = d_cs * f
    d_vectors = [0.0 * v for v in (wci, wcf, wco)]
    if use_peephole:
        d_prev = d_prev + d_i * wci + d_f * wcf
        d_vectors = [reduce_sum(part, [0]) for part in (d_i * cs_prev, d_f * cs_prev, d_o * cs)]
    return d_row[:, :size], d_prev, d_row[:, size:], d_w, *d_vectors, reduce_sum(gates, [0])


LSTM_BLOCK_CELL: Op = define(
    "LSTMBlockCell",
    f"x cs_prev h_prev {WEIGHTS}",
    _cell_type,
    _cell,
    {("x", "cs_prev", "h_prev", "w", "wci", "wcf", "wco", "b"): _cell_back},
    outputs=STATES,
    dtypes=_DTYPES,
    batch=fold_rows("x", "cs_prev", "h_prev"),
)


def _cell_grad_type(
    x: Any, cs_prev: Any, h_prev: Any, w: Any, wci: Any, wcf: Any, wco: Any, b: Any, *states: Any, **_: Any
) -> tuple[TensorType, ...]:
    gates = None if b.dims is None else b.dims[0]
    batch = None if x.dims is None else x.dims[0]
    return (
        TensorType(cs_prev.dims, x.dtype),
        TensorType((batch, gates), x.dtype),
        *(TensorType(v.dims, x.dtype) for v in (wci, wcf, wco)),
    )


def _cell_grad(
    x: Array, cs_prev: Array, h_prev: Array, w: Array, wci: Array, wcf: Array, wco: Array, b: Array, *given: Array, use_peephole: bool
) -> tuple[Array, ...]:
    vectors, (*states, cs_grad, h_grad) = (wci, wcf, wco), given
    check_weights(x.shape, cs_prev, h_prev, w, vectors, b)
    lstm = Lstm(w, b, vectors if use_peephole else None, "ICFO")
    d_prev, gates, (di, df, do) = lstm.back(cs_prev, tuple(states), cs_grad, h_grad)
    parts = (di * cs_prev, df * cs_prev, do * states[1]) if use_peephole else tuple(np.zeros((1, *v.shape), v.dtype) for v in vectors)
    return d_prev, gates, *(part.sum(axis=0) for part in parts)


def _cell_grad_back(
    g_cs_prev_grad: Any, g_dicfo: Any, g_wci_grad: Any, g_wcf_grad: Any, g_wco_grad: Any, cs_prev: Any, wci: Any, wcf: Any, wco: Any,
    i: Any, cs: Any, f: Any, o: Any, ci: Any, co: Any, cs_grad: Any, h_grad: Any, use_peephole: bool,
) -> tuple[Any, ...]:  # fmt: skip
    """The cotangents of cs_prev, wci, wcf, wco, i, cs, f, o, ci, co, cs_grad and h_grad; `a` before a name is its cotangent."""
    slope_i, slope_f, slope_o, slope_g, slope_k = i * (1.0 - i), f * (1.0 - f), o * (1.0 - o), 1.0 - ci * ci, 1.0 - co * co
    d_o = slope_o * h_grad * co
    d_cs = slope_k * h_grad * o + cs_grad
    if use_peephole:
        d_cs = d_cs + d_o * wco
    ai, ag, af, ao = SPLIT(1, g_dicfo, num_split=4)
    a_prev = g_cs_prev_grad
    peepholes = [0.0 * v for v in (wci, wcf, wco)]
    a_cs_prev, a_cs = af * slope_f * d_cs, 0.0 * cs
    if use_peephole:
        d_i, d_f = slope_i * d_cs * ci, slope_f * d_cs * cs_prev
        ai, af, ao = ai + a_prev * wci + g_wci_grad * cs_prev, af + a_prev * wcf + g_wcf_grad * cs_prev, ao + g_wco_grad * cs
        a_cs_prev, a_cs = af * slope_f * d_cs + g_wci_grad * d_i + g_wcf_grad * d_f, g_wco_grad * d_o
    a_d_cs = a_prev * f + ai * slope_i * ci + ag * slope_g * i + af * slope_f * cs_prev
    if use_peephole:
        peepholes = [reduce_sum(part, [0]) for part in (a_prev * d_i, a_prev * d_f, a_d_cs * d_o)]
        ao = ao + a_d_cs * wco
    return (
        a_cs_prev,
        *peepholes,
        ai * (1.0 - 2.0 * i) * d_cs * ci + ag * slope_g * d_cs,
        a_cs,
        a_prev * d_cs + af * (1.0 - 2.0 * f) * d_cs * cs_prev,
        ao * (1.0 - 2.0 * o) * h_grad * co + a_d_cs * slope_k * h_grad,
        ai * slope_i * d_cs - 2.0 * ag * ci * d_cs * i,
        ao * slope_o * h_grad - 2.0 * a_d_cs * co * h_grad * o,
        a_d_cs,
        ao * slope_o * co + a_d_cs * slope_k * o,
    )


def _cell_grad_rows(rows: Rows, x: Any, cs_prev: Any, h_prev: Any, *rest: Any, use_peephole: bool) -> Batched:
    """Examples of all rows are one batch, of which the peepholes' gradients are sums: these are formed of each row's gates again."""
    weights, states = rest[:5], rest[5:]
    if rows.has(*weights):
        return NotImplemented
    given = [*map(rows.fold, (x, cs_prev, h_prev)), *weights, *map(rows.fold, states)]
    d_prev, gates, *peepholes = rows.op(*given, use_peephole=use_peephole)
    of_row = [t.dims and t.dims[0] for t in rows.node.outputs]
    d_prev, gates = rows.unfold(d_prev, of_row[0]), rows.unfold(gates, of_row[1])
    if not use_peephole:
        return d_prev, gates, *(Same(v) for v in peepholes)
    d_i, _, d_f, d_o = SPLIT(2, gates, num_split=4)
    pairs = ((d_i, cs_prev), (d_f, cs_prev), (d_o, states[1]))
    return d_prev, gates, *(reduce_sum(multiply(d, at), [1]) for d, at in pairs)


LSTM_BLOCK_CELL_GRAD: Op = define(
    "LSTMBlockCellGrad",
    f"x cs_prev h_prev {WEIGHTS} i cs f o ci co cs_grad h_grad",
    _cell_grad_type,
    _cell_grad,
    {("cs_prev", "wci", "wcf", "wco", "i", "cs", "f", "o", "ci", "co", "cs_grad", "h_grad"): _cell_grad_back},
    outputs="cs_prev_grad dicfo wci_grad wcf_grad wco_grad",
    dtypes=_DTYPES,
    batch=_cell_grad_rows,
)

# ---------------------------------------------------------------------- gated recurrent units


def _check_gru(x: Array, h_prev: Array, w_ru: Array, w_c: Array, b_ru: Array, b_c: Array) -> None:
    batch, size = x.shape if x.ndim == 2 else (-1, -1)
    cell = h_prev.shape[1] if h_prev.ndim == 2 else -1
    for found, expected, name in (
        (x.shape, (batch, size), "x"),
        (h_prev.shape, (batch, cell), "h_prev"),
        (w_ru.shape, (size + cell, 2 * cell), "w_ru"),
        (w_c.shape, (size + cell, cell), "w_c"),
        (b_ru.shape, (2 * cell,), "b_ru"),
        (b_c.shape, (cell,), "b_c"),
    ):
        if found != expected:
            raise invalid_argument(f"{name} must be of shape {list(expected)}, got {list(found)}")


def _gru(x: Array, h_prev: Array, w_ru: Array, w_c: Array, b_ru: Array, b_c: Array) -> tuple[Array, ...]:
    _check_gru(x, h_prev, w_ru, w_c, b_ru, b_c)
    return gru(x, h_prev, w_ru, w_c, b_ru, b_c)


def _gru_type(x: Any, h_prev: Any, w_ru: Any, w_c: Any, b_ru: Any, b_c: Any) -> tuple[TensorType, ...]:
    for t, name in ((x, "x"), (h_prev, "h_prev")):
        require_rank(t, 2, f"{name} must be 2D: {show(t.dims)}")
    batch = next((t.dims[0] for t in (x, h_prev) if t.dims is not None and t.dims[0] is not None), None)
    cell = next((t.dims[-1] for t in (h_prev, w_c, b_c) if t.dims is not None and t.dims[-1] is not None), None)
    return tuple(TensorType((batch, cell), x.dtype) for _ in range(4))


def _gru_rule(
    g_r: Any, g_u: Any, g_c: Any, g_h: Any, x: Any, h_prev: Any, w_ru: Any, w_c: Any, r: Any, u: Any, c: Any
) -> tuple[Any, ...]:
    size = shape(x)[1]
    d_candidate = (g_c + g_h * (1.0 - u)) * (1.0 - c * c)
    d_row = MATMUL(d_candidate, w_c, transpose_b=True)
    d_hr = d_row[:, size:]
    d_r, d_u = (g_r + d_hr * h_prev) * r * (1.0 - r), (g_u + g_h * (h_prev - c)) * u * (1.0 - u)
    gates = CONCAT([d_r, d_u], 1)
    d_first = MATMUL(gates, w_ru, transpose_b=True)
    d_w_ru = MATMUL(CONCAT([x, h_prev], 1), gates, transpose_a=True)
    d_w_c = MATMUL(CONCAT([x, h_prev * r], 1), d_candidate, transpose_a=True)
    d_h = d_first[:, size:] + d_hr * r + g_h * u
    return d_row[:, :size] + d_first[:, :size], d_h, d_w_ru, d_w_c, reduce_sum(gates, [0]), reduce_sum(d_candidate, [0])


GRU_BLOCK_CELL: Op = define(
    "GRUBlockCell",
    "x h_prev w_ru w_c b_ru b_c",
    _gru_type,
    _gru,
    {("x", "h_prev", "w_ru", "w_c", "b_ru", "b_c"): _gru_rule},
    outputs="r u c h",
    dtypes={float32, float64},
    batch=fold_rows("x", "h_prev"),
)


def _gru_grad(
    x: Array, h_prev: Array, w_ru: Array, w_c: Array, b_ru: Array, b_c: Array, r: Array, u: Array, c: Array, d_h: Array
) -> tuple[Array, ...]:
    _check_gru(x, h_prev, w_ru, w_c, b_ru, b_c)
    return gru_back(x, h_prev, w_ru, w_c, r, u, c, d_h)


def _gru_grad_type(
    x: Any, h_prev: Any, w_ru: Any, w_c: Any, b_ru: Any, b_c: Any, r: Any, u: Any, c: Any, d_h: Any
) -> tuple[TensorType, ...]:
    batch = None if x.dims is None else x.dims[0]
    gates = None if b_ru.dims is None else b_ru.dims[0]
    kinds = (x.dims, h_prev.dims, h_prev.dims, (batch, gates))
    return tuple(TensorType(dims, x.dtype) for dims in kinds)


def _gru_grad_back(
    g_d_x: Any, g_d_h_prev: Any, g_d_c_bar: Any, g_d_r_bar_u_bar: Any, h_prev: Any, w_ru: Any, w_c: Any, r: Any, u: Any, c: Any, d_h: Any,
    d_c_bar: Any, d_r_bar_u_bar: Any,
) -> tuple[Any, ...]:  # fmt: skip
    """The cotangents of h_prev, w_ru, w_c, r, u, c and d_h; `a` before a name is its cotangent."""
    size = shape(g_d_x)[1]
    slope_r, slope_u, slope_c = r * (1.0 - r), u * (1.0 - u), 1.0 - c * c
    d_hr = MATMUL(d_c_bar, w_c, transpose_b=True)[:, size:]
    a_first = CONCAT([g_d_x, g_d_h_prev], 1)
    a_r_bar, a_u_bar = SPLIT(1, g_d_r_bar_u_bar + MATMUL(a_first, w_ru), num_split=2)
    a_row = CONCAT([g_d_x, g_d_h_prev * r + a_r_bar * h_prev * slope_r], 1)
    a_c_bar = g_d_c_bar + MATMUL(a_row, w_c)
    return (
        a_r_bar * d_hr * slope_r + a_u_bar * d_h * slope_u,
        MATMUL(a_first, d_r_bar_u_bar, transpose_a=True),
        MATMUL(a_row, d_c_bar, transpose_a=True),
        g_d_h_prev * d_hr + a_r_bar * d_hr * h_prev * (1.0 - 2.0 * r),
        g_d_h_prev * d_h + a_u_bar * d_h * (h_prev - c) * (1.0 - 2.0 * u) - a_c_bar * d_h * slope_c,
        -a_u_bar * d_h * slope_u - 2.0 * a_c_bar * d_h * (1.0 - u) * c,
        g_d_h_prev * u + a_u_bar * (h_prev - c) * slope_u + a_c_bar * (1.0 - u) * slope_c,
    )


GRU_BLOCK_CELL_GRAD: Op = define(
    "GRUBlockCellGrad",
    "x h_prev w_ru w_c b_ru b_c r u c d_h",
    _gru_grad_type,
    _gru_grad,
    {("h_prev", "w_ru", "w_c", "r", "u", "c", "d_h"): _gru_grad_back},
    outputs="d_x d_h_prev d_c_bar d_r_bar_u_bar",
    dtypes={float32, float64},
    batch=fold_rows("x", "h_prev", "r", "u", "c", "d_h"),
)
