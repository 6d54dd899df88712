"""One step of an LSTM (Hochreiter and Schmidhuber, 1997; peepholes: Gers et al., 2000) and of a GRU (Cho et al., 2014) on NumPy arrays.

The gates of an LSTM stand side by side in one product of [x, h] with `w`: input, candidate, forget, output ("ICFO") or input, forget,
candidate, output ("IFCO").
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...kernels import gemm
from . import steps_lowering

Array = np.ndarray[Any, Any]

ORDERS = {"ICFO": (0, 1, 2, 3), "IFCO": (0, 2, 1, 3)}  # where input, candidate, forget and output gate stand


def sigmoid(x: Array) -> Array:
    """The logistic function, by a hyperbolic tangent, which cannot overflow."""
    half = x.dtype.type(0.5)
    found: Array = half * x
    np.tanh(found, out=found)
    found *= half
    found += half
    return found


@dataclass(frozen=True)
class Lstm:
    """The weights of an LSTM and how it is computed.  peepholes: (wci, wcf, wco), or None."""

    w: Array
    b: Array
    peepholes: tuple[Array, Array, Array] | None
    order: str
    forget_bias: float = 0.0
    cell_clip: float = 0.0

    def of_inputs(self, x: Array) -> Array:
        """What the inputs [..., size] put into the gates: of all steps at once that is one product."""
        found: Array = gemm.multiply_stacks(x, self.w[: x.shape[-1]]) + self.b
        return found

    def step(self, part: Array, cs_prev: Array, h_prev: Array) -> tuple[Array, ...]:
        """i, cs, f, o, ci, co, h of one step, from what its inputs put into the gates."""
        kind = part.dtype.type
        z = gemm.matmul(h_prev, self.w[-h_prev.shape[1] :])
        found = steps_lowering.lstm(ORDERS[self.order], self.forget_bias, self.cell_clip, z, part, cs_prev, self.peepholes)
        if found is not None:
            return found
        z += part
        zi, zc, zf, zo = (z[:, k * cs_prev.shape[1] : (k + 1) * cs_prev.shape[1]] for k in ORDERS[self.order])
        zf += kind(self.forget_bias)
        if self.peepholes is not None:
            zi += cs_prev * self.peepholes[0]
            zf += cs_prev * self.peepholes[1]
        half = kind(0.5)
        late = None if self.peepholes is None else zo.copy()
        for gate in (zi, zf, zo):
            gate *= half
        np.tanh(z, out=z)  # of all gates at once: sigmoids are tangents of the half
        i, ci, f = half * zi + half, zc.copy(), half * zf + half
        cs = ci * i + cs_prev * f
        if self.cell_clip > 0:
            cs = np.clip(cs, kind(-self.cell_clip), kind(self.cell_clip))
        o = half * zo + half if self.peepholes is None or late is None else sigmoid(late + cs * self.peepholes[2])
        co = np.tanh(cs)
        return i, cs, f, o, ci, co, o * co

    def back(self, cs_prev: Array, states: tuple[Array, ...], cs_grad: Array, h_grad: Array) -> tuple[Array, Array, tuple[Array, ...]]:
        """The cotangents of cs_prev (peepholes included) and of the product, and di, df, do; clipping counts as the identity."""
        i, _, f, o, ci, co = states[:6]
        do = o * (1 - o) * h_grad * co
        dcs = (1 - co * co) * h_grad * o + cs_grad
        if self.peepholes is not None:
            dcs = dcs + do * self.peepholes[2]
        dci, df, di = (1 - ci * ci) * dcs * i, f * (1 - f) * dcs * cs_prev, i * (1 - i) * dcs * ci
        d_prev = dcs * f
        if self.peepholes is not None:
            d_prev = d_prev + di * self.peepholes[0] + df * self.peepholes[1]
        gates = [di, dci, df, do]
        return d_prev, np.concatenate([gates[k] for k in ORDERS[self.order]], axis=1), (di, df, do)


def gru(x: Array, h_prev: Array, w_ru: Array, w_c: Array, b_ru: Array, b_c: Array) -> tuple[Array, ...]:
    """r, u, c, h of one step."""
    product = gemm.matmul(np.concatenate([x, h_prev], axis=1), w_ru)
    found = steps_lowering.gates(product, b_ru, h_prev)
    if found is None:
        r, u = np.split(sigmoid(product + b_ru), 2, axis=1)
        found = r, u, h_prev * r
    r, u, kept = found
    product = gemm.matmul(np.concatenate([x, kept], axis=1), w_c)
    last = steps_lowering.candidate(product, b_c, h_prev, u)
    if last is None:
        c = np.tanh(product + b_c)
        last = c, u * h_prev + (1 - u) * c
    return r, u, *last


def gru_back(
    x: Array, h_prev: Array, w_ru: Array, w_c: Array, r: Array, u: Array, c: Array, d_h: Array
) -> tuple[Array, Array, Array, Array]:
    """The cotangents of x and h_prev, and of what the candidate's tanh and the gates' sigmoid are taken of."""
    size = x.shape[1]
    d_c_bar = d_h * (1 - u) * (1 - c * c)
    d_x_c, d_hr = np.split(gemm.matmul(d_c_bar, w_c.T), [size], axis=1)
    d_gates = np.concatenate([d_hr * h_prev * r * (1 - r), d_h * (h_prev - c) * u * (1 - u)], axis=1)
    d_x_g, d_h_g = np.split(gemm.matmul(d_gates, w_ru.T), [size], axis=1)
    return d_x_c + d_x_g, d_h_g + d_hr * r + d_h * u, d_c_bar, d_gates
