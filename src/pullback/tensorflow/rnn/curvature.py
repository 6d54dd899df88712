"""The rule of an LSTM layer's gradient, in ordinary operations, so that derivatives of any order exist.

The gradient for cotangents (gc, gh) of the states is linear in them; paired with a direction v of the layer's inputs it is the pairing of
(gc, gh) with the slopes of the states along v.  So the cotangents of gc and gh are those slopes, and the cotangents of the inputs come from
a backward sweep over the recursion of states and slopes together.  The sweep is unrolled; where the number of steps is not known while a
graph is built, it is two loops, and the sums over steps are products of all steps at once.

Names: a letter is a state, `d` before it its slope along v; `a_` and `b_` before a name are the cotangents of the state and of the slope.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...base.dtypes import int64
from ...control.functional import scan
from ...ir.apply import convert_to_tensor
from ...ops.array.basic import reshape, shape_of as _shape_of, zeros_of
from ...ops.array.create import RANGE
from ...ops.array.join import CONCAT, SPLIT, STACK, stack
from ...ops.array.slice import PAD
from ...ops.linalg.products import MATMUL
from ...ops.primitives.cast import cast
from ...ops.primitives.compare import greater
from ...ops.reduce.reductions import reduce_sum

if TYPE_CHECKING:
    from ...ir.tensor import Tensor


def shape_of(x: Tensor) -> Any:
    """The shape as a tensor."""
    return convert_to_tensor(_shape_of(x))


def _product(a: Any, b: Any, **options: Any) -> Any:
    return MATMUL(a, b, **options)


def _join_columns(parts: list[Any]) -> Any:
    return CONCAT(parts, 1)


def _total(x: Any) -> Any:
    return reduce_sum(x, [0])


class _Sums:
    """Sums over steps that start as nothing."""

    def __init__(self) -> None:
        self.found: dict[str, Any] = {}

    def add(self, name: str, value: Any) -> None:
        self.found[name] = value if name not in self.found else self.found[name] + value


def lstm_curvature(
    order: tuple[int, ...],
    use_peephole: bool,
    seq_len_max: Tensor,
    inputs: tuple[Any, ...],
    along: tuple[Any, ...],
    states: tuple[Any, ...],
    cs_grad: Tensor,
    h_grad: Tensor,
) -> tuple[Any, ...]:
    """The cotangents of x, cs_prev, h_prev, w, wci, wcf, wco, b, cs_grad and h_grad.

    inputs: x, cs_prev, h_prev, w, wci, wcf, wco.  along: a direction of x, cs_prev, h_prev, w, wci, wcf, wco and b.
    """
    x, cs_prev, h_prev, w, *vectors = inputs
    dx, d_cs_prev, d_h_prev, dw, *d_vectors, db = along
    steps = x.dims[0] if x.dims is not None else None
    if steps is None or x.dims[2] is None:
        return _differentiate_in_loops(order, use_peephole, seq_len_max, inputs, along, states, (cs_grad, h_grad))
    used = [cast(greater(seq_len_max, convert_to_tensor(t, int64)), x.dtype) for t in range(steps)]
    slopes: list[dict[str, Any]] = []
    dc, dh = d_cs_prev, d_h_prev
    for t in range(steps):
        at = {"c_prev": states[1][t - 1] if t else cs_prev, "h_prev": states[6][t - 1] if t else h_prev, "dc_prev": dc, "dh_prev": dh}
        at |= dict(zip(("i", "c", "f", "o", "g", "k"), (s[t] for s in states[:6]), strict=True))
        at["row"], at["d_row"] = _join_columns([x[t], at["h_prev"]]), _join_columns([dx[t], dh])
        _forward(at, order, w, dw, db, vectors if use_peephole else None, d_vectors)
        dc, dh = at["dc"], at["dh"]
        slopes.append(at)
    sums = _Sums()
    a_x: list[Any] = []
    zero = zeros_of(cs_prev)
    carried = (zero, zero, zero, zero)
    for t in range(steps - 1, -1, -1):
        a_c, b_c, a_h, b_h = carried
        gates, d_gates, carried = _backward(
            slopes[t], a_c, b_c + cs_grad[t] * used[t], a_h, b_h + h_grad[t] * used[t], vectors if use_peephole else None, d_vectors, sums
        )
        a_z, b_z = (_join_columns([g[k] for k in order]) for g in (gates, d_gates))
        a_row = _product(a_z, w, transpose_b=True) + _product(b_z, dw, transpose_b=True)
        b_row = _product(b_z, w, transpose_b=True)
        sums.add("w", _product(slopes[t]["row"], a_z, transpose_a=True) + _product(slopes[t]["d_row"], b_z, transpose_a=True))
        sums.add("b", _total(a_z))
        a_x.append(a_row[:, : x.dims[2]])
        carried = (carried[0], carried[1], a_row[:, x.dims[2] :], b_row[:, x.dims[2] :])
    pack = stack
    peepholes = [sums.found.get(name, zeros_of(v)) for name, v in zip(("wci", "wcf", "wco"), vectors, strict=True)]
    d_states = [pack([s[name] * m for s, m in zip(slopes, used, strict=True)]) for name in ("dc", "dh")]
    return pack(a_x[::-1]), carried[0], carried[2], sums.found["w"], *peepholes, sums.found["b"], *d_states


def _forward(at: dict[str, Any], order: tuple[int, ...], w: Any, dw: Any, db: Any, vectors: Any, d_vectors: Any) -> None:
    """The slopes of one step's states."""
    parts = SPLIT(1, _product(at["d_row"], w) + _product(at["row"], dw) + db, num_split=4)
    qi, qg, qf, qo = (parts[k] for k in order)
    if vectors is not None:
        qi = qi + at["dc_prev"] * vectors[0] + at["c_prev"] * d_vectors[0]
        qf = qf + at["dc_prev"] * vectors[1] + at["c_prev"] * d_vectors[1]
    i, f, g, o, k = (at[name] for name in "ifgok")
    di, df, dg = i * (1.0 - i) * qi, f * (1.0 - f) * qf, (1.0 - g * g) * qg
    dc = dg * i + g * di + at["dc_prev"] * f + at["c_prev"] * df
    if vectors is not None:
        qo = qo + dc * vectors[2] + at["c"] * d_vectors[2]
    do = o * (1.0 - o) * qo
    dk = (1.0 - k * k) * dc
    at |= {"qi": qi, "qf": qf, "qg": qg, "qo": qo, "di": di, "df": df, "dg": dg, "dc": dc, "do": do, "dk": dk, "dh": do * k + o * dk}


def _backward(
    at: dict[str, Any], a_c: Any, b_c: Any, a_h: Any, b_h: Any, vectors: Any, d_vectors: Any, sums: _Sums
) -> tuple[list[Any], list[Any], tuple[Any, Any, Any, Any]]:
    """From the cotangents of one step's states: those of the products' parts i, g, f, o, of their slopes, and of the cell before."""
    i, f, g, o, k, c, c_prev, dc_prev = (at[name] for name in ("i", "f", "g", "o", "k", "c", "c_prev", "dc_prev"))
    dc = at["dc"]
    b_o, b_k = b_h * k, b_h * o
    a_o = a_h * k + b_h * at["dk"] + b_o * (1.0 - 2.0 * o) * at["qo"]
    a_k = a_h * o + b_h * at["do"] - 2.0 * k * dc * b_k
    b_c = b_c + b_k * (1.0 - k * k)
    a_c = a_c + a_k * (1.0 - k * k)
    b_zo, a_zo = b_o * o * (1.0 - o), a_o * o * (1.0 - o)
    if vectors is not None:
        b_c = b_c + b_zo * vectors[2]
        a_c = a_c + a_zo * vectors[2] + b_zo * d_vectors[2]
        sums.add("wco", _total(a_zo * c + b_zo * dc))
    b_g, b_i, b_f = b_c * i, b_c * g, b_c * c_prev
    a_g = a_c * i + b_c * at["di"] - 2.0 * g * at["qg"] * b_g
    a_i = a_c * g + b_c * at["dg"] + b_i * (1.0 - 2.0 * i) * at["qi"]
    a_f = a_c * c_prev + b_c * dc_prev + b_f * (1.0 - 2.0 * f) * at["qf"]
    b_prev, a_prev = b_c * f, a_c * f + b_c * at["df"]
    b_zi, a_zi, b_zf, a_zf = b_i * i * (1.0 - i), a_i * i * (1.0 - i), b_f * f * (1.0 - f), a_f * f * (1.0 - f)
    if vectors is not None:
        b_prev = b_prev + b_zi * vectors[0] + b_zf * vectors[1]
        a_prev = a_prev + a_zi * vectors[0] + b_zi * d_vectors[0] + a_zf * vectors[1] + b_zf * d_vectors[1]
        sums.add("wci", _total(a_zi * c_prev + b_zi * dc_prev))
        sums.add("wcf", _total(a_zf * c_prev + b_zf * dc_prev))
    slope_g = 1.0 - g * g
    return [a_zi, a_g * slope_g, a_zf, a_zo], [b_zi, b_g * slope_g, b_zf, b_zo], (a_prev, b_prev, a_h, b_h)


# ---------------------------------------------------------------------- in loops


_NAMES = ("i", "c", "f", "o", "g", "k")


def _differentiate_in_loops(
    order: tuple[int, ...],
    use_peephole: bool,
    seq_len_max: Any,
    inputs: tuple[Any, ...],
    along: tuple[Any, ...],
    states: tuple[Any, ...],
    cotangents: tuple[Any, Any],
) -> tuple[Any, ...]:
    """The same by a loop for the slopes of the states and one for the cotangents of each step's products.

    Both take one step more, of zeros, which changes nothing and is there where no other is.
    """
    x, cs_prev, h_prev, w, *vectors = inputs
    dx, d_cs_prev, d_h_prev, dw, *d_vectors, db = along
    peepholes, d_peepholes = (vectors, d_vectors) if use_peephole else (None, d_vectors)
    whole = dict(zip(_NAMES, states[:6], strict=True))
    whole |= {"c_prev": _shift_states(cs_prev, states[1]), "h_prev": _shift_states(h_prev, states[6]), "x": x, "dx": dx}

    def slopes(now: tuple[Any, Any], at: dict[str, Any]) -> tuple[Any, Any]:
        at = at | {"dc_prev": now[0], "dh_prev": now[1]}
        _step(at, order, w, dw, db, peepholes, d_peepholes)
        return at["dc"], at["dh"]

    dc, dh = (t[:-1] for t in scan(slopes, _pad_sequences(whole), (d_cs_prev, d_h_prev)))
    whole |= {"dc_prev": _shift_states(d_cs_prev, dc), "dh_prev": _shift_states(d_h_prev, dh)}
    steps = RANGE(np.int64(0), cast(shape_of(x)[0], int64), np.int64(1))
    used = cast(greater(seq_len_max, steps), x.dtype)[:, None, None]
    width = shape_of(x)[2]
    of_h, d_of_h = w[width:], dw[width:]

    def step_back(now: tuple[Any, ...], at: dict[str, Any]) -> tuple[Any, ...]:
        at = dict(at)
        _step(at, order, w, dw, db, peepholes, d_peepholes)
        a_c, b_c, a_h, b_h = now[:4]
        gates, d_gates, carried = _backward(at, a_c, b_c + at["to_c"], a_h, b_h + at["to_h"], peepholes, d_peepholes, _Sums())
        a_z, b_z = (_join_columns([g[k] for k in order]) for g in (gates, d_gates))
        a_h = _product(a_z, of_h, transpose_b=True) + _product(b_z, d_of_h, transpose_b=True)
        return carried[0], carried[1], a_h, _product(b_z, of_h, transpose_b=True), a_z, b_z

    zero, gates = zeros_of(cs_prev), _join_columns([zeros_of(cs_prev)] * 4)
    given = whole | {"to_c": cotangents[0] * used, "to_h": cotangents[1] * used}
    a_c, _, a_h, _, a_z, b_z = scan(step_back, _pad_sequences(given), (zero, zero, zero, zero, gates, gates), reverse=True)
    rows, d_rows, a_z, b_z = (
        reshape(t, STACK([-1, shape_of(t)[2]], axis=0))
        for t in (CONCAT([x, whole["h_prev"]], 2), CONCAT([dx, whole["dh_prev"]], 2), a_z[:-1], b_z[:-1])
    )
    a_x = _product(a_z, w[:width], transpose_b=True) + _product(b_z, dw[:width], transpose_b=True)
    to_w = _product(rows, a_z, transpose_a=True) + _product(d_rows, b_z, transpose_a=True)
    to_vectors = [zeros_of(v) for v in vectors]
    if use_peephole:
        parts, d_parts = (SPLIT(1, t, num_split=4) for t in (a_z, b_z))
        pairs = ((0, "c_prev", "dc_prev"), (2, "c_prev", "dc_prev"), (3, "c", "dc"))
        whole["dc"] = dc
        flat = {n: reshape(whole[n], shape_of(parts[0])) for n in ("c_prev", "dc_prev", "c", "dc")}
        to_vectors = [_total(parts[order.index(i)] * flat[c] + d_parts[order.index(i)] * flat[d]) for i, c, d in pairs]
    return reshape(a_x, shape_of(x)), a_c[0], a_h[0], to_w, *to_vectors, _total(a_z), dc * used, dh * used


def _pad_sequences(sequences: dict[str, Any]) -> dict[str, Any]:
    return {name: PAD(t, np.array([[0, 1], [0, 0], [0, 0]], np.int32)) for name, t in sequences.items()}


def _shift_states(first: Any, after: Any) -> Any:
    """What each step begins with, of what the first does and what each ends with."""
    return CONCAT([first[None], after], 0)[:-1]


def _step(at: dict[str, Any], order: tuple[int, ...], w: Any, dw: Any, db: Any, vectors: Any, d_vectors: Any) -> None:
    at["row"], at["d_row"] = _join_columns([at["x"], at["h_prev"]]), _join_columns([at["dx"], at["dh_prev"]])
    _forward(at, order, w, dw, db, vectors, d_vectors)
