"""Cases: LSTM layers, single steps of LSTMs and GRUs, and the gradients behind them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .case import Case, ErrorCase, case, error, floats

X, C, H = floats(3, 2, 2), floats(2, 2, seed=1), floats(2, 2, seed=2)
W, B = floats(4, 8, seed=3), floats(8, seed=4)
PEEPHOLES = floats(3, 2, seed=5)
GC, GH = floats(3, 2, 2, seed=6), floats(3, 2, 2, seed=7)
SINGLE = {"rtol": 1e-4}  # sums of products in another order
NAMES = ("x", "cs_prev", "h_prev", "w", "b")
GRU = (floats(2, 2), floats(2, 3, seed=1), floats(5, 6, seed=2), floats(5, 3, seed=3), floats(6, seed=4), floats(3, seed=5))
GRU_NAMES = ("x", "h_prev", "w_ru", "w_c", "b_ru", "b_c")


def inputs(values: Any, p: Any) -> dict[str, Any]:
    return {**dict(zip(NAMES, values, strict=True)), "wci": p[0], "wcf": p[1], "wco": p[2]}


def layer(op: str, steps: int = 3, **options: Any) -> Callable[..., Any]:
    def call(tf: Any, *values: Any) -> Any:
        found = getattr(tf.raw_ops, op)(seq_len_max=tf.constant(steps, tf.int64), **inputs(values[:5], values[5]), **options)
        return found[1], found[6]  # nothing else passes gradients on

    return call


def values_of(call: Callable[..., Any]) -> Callable[..., Any]:
    """Without gradients: TensorFlow's of version 2 takes the gates in the order of version 1."""
    return lambda tf, *given: [tf.stop_gradient(t) for t in call(tf, *given)]


def layer_grad(op: str, forward: str, **options: Any) -> Callable[..., Any]:
    def call(tf: Any, gc: Any, gh: Any, *values: Any) -> Any:
        given = inputs([tf.stop_gradient(v) for v in values[:5]], PEEPHOLES)
        given["seq_len_max"] = tf.constant(3, tf.int64)
        states = getattr(tf.raw_ops, forward)(**given, **options)
        named = dict(zip(("i", "cs", "f", "o", "ci", "co", "h"), states, strict=True))
        return [tf.stop_gradient(t) for t in getattr(tf.raw_ops, op)(**given, **named, cs_grad=gc, h_grad=gh, **options)]

    return call


def cell(tf: Any, *values: Any, **options: Any) -> Any:
    return list(tf.raw_ops.LSTMBlockCell(**inputs(values[:5], values[5]), **options))


def cell_grad(peepholes: bool) -> Callable[..., Any]:
    def call(tf: Any, *values: Any) -> Any:
        given = inputs(values, PEEPHOLES)
        found = tf.raw_ops.LSTMBlockCell(**given, use_peephole=peepholes)
        named = dict(zip(("i", "cs", "f", "o", "ci", "co"), found[:6], strict=True))
        grads = tf.raw_ops.LSTMBlockCellGrad(**given, **named, cs_grad=GC[0], h_grad=GH[0], use_peephole=peepholes)
        return [tf.stop_gradient(t) for t in grads]

    return call


def gru_grad(tf: Any, *values: Any) -> Any:
    given = dict(zip(GRU_NAMES, values, strict=True))
    r, u, c, h = tf.raw_ops.GRUBlockCell(**given)
    return [tf.stop_gradient(t) for t in tf.raw_ops.GRUBlockCellGrad(**given, r=r, u=u, c=c, d_h=tf.ones_like(h))]


def plain(f: Callable[..., Any]) -> Callable[..., Any]:
    """Without gradients, which TensorFlow has none of."""
    return lambda tf, *values: [tf.stop_gradient(t) for t in f(tf, *values)]


ALL = (X, C, H, W, B, PEEPHOLES)
CELL = (X[0], C, H, W, B, PEEPHOLES)
CASES: list[Case] = [
    case("BlockLSTM", "peepholes", layer("BlockLSTM", use_peephole=True, cell_clip=0.0), *ALL, **SINGLE),
    case("BlockLSTM", "forget bias", layer("BlockLSTM", forget_bias=0.3, cell_clip=-1.0), *ALL, **SINGLE),
    case("BlockLSTM", "clipped", layer("BlockLSTM", cell_clip=0.5), *ALL, smooth=False, **SINGLE),
    case("BlockLSTM", "two steps of three", layer("BlockLSTM", 2, use_peephole=True, cell_clip=0.0), *ALL, **SINGLE),
    case("BlockLSTM", "float16", layer("BlockLSTM"), *(v.astype(np.float16) for v in ALL), smooth=False, rtol=3e-2),  # halves
    case("BlockLSTMV2", "peepholes", values_of(layer("BlockLSTMV2", use_peephole=True)), *ALL, smooth=False, **SINGLE),
    case("BlockLSTMV2", "clipped", values_of(layer("BlockLSTMV2", cell_clip=0.5)), *ALL, smooth=False, **SINGLE),
    *(
        case(
            f"BlockLSTMGrad{version}",
            f"peepholes {peepholes}",
            layer_grad(f"BlockLSTMGrad{version}", f"BlockLSTM{version}", use_peephole=peepholes),
            *(GC, GH, X, C, H, W, B),
            smooth=False,
            **SINGLE,
        )
        for version in ("", "V2")
        for peepholes in (True, False)
    ),
    case("LSTMBlockCell", "peepholes", plain(lambda tf, *v: cell(tf, *v, use_peephole=True)), *CELL, smooth=False, **SINGLE),
    case("LSTMBlockCell", "clipped", plain(lambda tf, *v: cell(tf, *v, cell_clip=0.4, forget_bias=0.2)), *CELL, smooth=False, **SINGLE),
    *(
        case("LSTMBlockCellGrad", f"peepholes {peepholes}", cell_grad(peepholes), *CELL[:5], smooth=False, **SINGLE)
        for peepholes in (True, False)
    ),
    case("GRUBlockCell", "raw", plain(lambda tf, *v: tf.raw_ops.GRUBlockCell(**dict(zip(GRU_NAMES, v, strict=True)))), *GRU, smooth=False),
    case("GRUBlockCellGrad", "raw", gru_grad, *GRU, smooth=False, **SINGLE),
]


def wrong(op: str, **changed: Any) -> Callable[..., Any]:
    given = {**inputs((X, C, H, W, B), PEEPHOLES), "seq_len_max": np.int64(3)}
    return lambda tf, x: getattr(tf.raw_ops, op)(**{**given, "x": x, **changed})


ERRORS: list[ErrorCase] = [
    error("BlockLSTM: rank 2", wrong("BlockLSTM"), X[0]),
    error("BlockLSTM: weights of another size", wrong("BlockLSTM", w=W[:3]), X),
    error("BlockLSTM: biases of another size", wrong("BlockLSTM", b=B[:7]), X),
    error("BlockLSTM: another batch", wrong("BlockLSTM", h_prev=floats(3, 2)), X),
    error("BlockLSTMV2: peepholes of another size", wrong("BlockLSTMV2", wci=floats(1)), X),
    error(
        "LSTMBlockCell: weights of another size",
        lambda tf, x: tf.raw_ops.LSTMBlockCell(**inputs((x, C, H, W[:3], B), PEEPHOLES)),
        X[0],
    ),
    error(
        "GRUBlockCell: weights of another size",
        lambda tf, x: tf.raw_ops.GRUBlockCell(**{**dict(zip(GRU_NAMES, GRU, strict=True)), "x": x, "w_ru": GRU[2][:4]}),
        GRU[0],
    ),
]
