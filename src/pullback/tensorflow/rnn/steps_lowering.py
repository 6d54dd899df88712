"""The gates of recurrent cells in native code: one pass over what the products give, instead of one for each sum and tangent.

`kernels` says what a step is, on NumPy; this is the same for its products, and within rounding.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from ...kernels.backend import native_part
from ...kernels.blocked import COSTLY
from ...ops.array.type_rules import Array

if TYPE_CHECKING:
    from ...engine.lowering.builder import Builder


def _sigmoid(builder: Builder, x: Any) -> Any:
    return builder.tanh(x * 0.5) * 0.5 + 0.5


@cache
def _lstm(places: tuple[int, ...], forget_bias: float, cell_clip: float, peephole: bool) -> Callable[..., Any]:
    """The lowering of an LSTM's step but for its product."""

    def lower(builder: Any, product: Any, part: Any, cs_prev: Any, *vectors: Any) -> Any:
        size = cs_prev.dims[1]

        def gate(k: int) -> Any:
            first, second = (builder.strided(t, [0, k * size], [1, 1], cs_prev.dims) for t in (product, part))
            return first + second

        zi, zc, zf, zo = (gate(k) for k in places)
        zf = zf + forget_bias if forget_bias else zf
        wci, wcf, wco = (builder.broadcast(v, cs_prev.dims) for v in vectors) if peephole else (None, None, None)
        i = _sigmoid(builder, zi + cs_prev * wci if peephole else zi)
        f = _sigmoid(builder, zf + cs_prev * wcf if peephole else zf)
        ci = builder.tanh(zc)
        cs = ci * i + cs_prev * f
        if cell_clip > 0:
            cs = builder.min(builder.max(cs, -cell_clip), cell_clip)
        o = _sigmoid(builder, zo + cs * wco if peephole else zo)
        co = builder.tanh(cs)
        return i, cs, f, o, ci, co, o * co

    return lower


def lstm(
    places: tuple[int, ...], forget_bias: float, cell_clip: float, product: Array, part: Array, cs_prev: Array, vectors: Any
) -> tuple[Array, ...] | None:
    """i, cs, f, o, ci, co, h from the product of h and what the inputs put into the gates; None where there is no code for it.

    places: where input, candidate, forget and output gate stand.  vectors: the peepholes, or None.
    """
    return _finish_lowering(
        _lstm(places, float(forget_bias), float(cell_clip), vectors is not None), product, part, cs_prev, *(vectors or ())
    )


def _gates(builder: Builder, product: Any, b: Any, h: Any) -> Any:
    """The gates of a GRU, and what the reset gate leaves of h."""
    r, u = (
        _sigmoid(
            builder, builder.strided(product, [0, k], [1, 1], h.dims) + builder.broadcast(builder.strided(b, [k], [1], h.dims[1:]), h.dims)
        )
        for k in (0, h.dims[1])
    )
    return r, u, h * r


def _candidate(builder: Builder, product: Any, b: Any, h: Any, u: Any) -> Any:
    """The candidate of a GRU, and the state."""
    c = builder.tanh(product + builder.broadcast(b, h.dims))
    return c, u * h + (1.0 - u) * c


def gates(product: Array, b: Array, h: Array) -> tuple[Array, ...] | None:
    """r, u and h * r of a GRU; None where there is no code for it."""
    return _finish_lowering(_gates, product, b, h)


def candidate(product: Array, b: Array, h: Array, u: Array) -> tuple[Array, ...] | None:
    """c and the state of a GRU; None where there is no code for it."""
    return _finish_lowering(_candidate, product, b, h, u)


def _finish_lowering(lower: Callable[..., Any], *arrays: Array) -> tuple[Array, ...] | None:
    first = arrays[0]
    if first.size < 2 * COSTLY or first.dtype not in (np.float32, np.float64) or not all(x.dtype == first.dtype for x in arrays):
        return None
    arrays = tuple([np.ascontiguousarray(x) for x in arrays])
    code = native_part(lower, *[(x.shape, x.dtype) for x in arrays], waits=False)
    found = None if code is None else code(*arrays)
    return found if isinstance(found, tuple) else None
