"""Running maxima and minima, which TensorFlow puts together from reductions."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.cases.case import Case, case, floats, ints


def running(op: str, axis: int = 0, **attrs: bool) -> Any:
    """`f(tf, x)`: the operation, or what it computes, by reductions of ever longer parts."""

    def f(tf: Any, x: Any) -> Any:
        if hasattr(tf.raw_ops, op):
            return getattr(tf.raw_ops, op)(x=x, axis=np.int32(axis), **attrs)
        reduce = tf.reduce_max if op == "Cummax" else tf.reduce_min
        parts = tf.unstack(tf.reverse(x, [axis]) if attrs.get("reverse") else x, axis=axis)
        found = [reduce(tf.stack(parts[: i + 1]), axis=0) for i in range(len(parts))]
        if attrs.get("exclusive"):
            first = x.dtype.min if op == "Cummax" else x.dtype.max
            found = [tf.fill(tf.shape(found[0]), tf.cast(-np.inf if first < 0 else np.inf, x.dtype)), *found[:-1]]
        whole = tf.stack(found, axis=axis)
        return tf.reverse(whole, [axis]) if attrs.get("reverse") else whole

    return f


CASES: list[Case] = [
    made
    for op in ("Cummax", "Cummin")
    for made in (
        case(op, "vector", running(op), floats(6)),
        case(op, "rows", running(op, 1), floats(2, 5, seed=1)),
        case(op, "columns, float64", running(op), floats(4, 2, dtype="float64")),
        case(op, "reverse", running(op, reverse=True), floats(5, seed=2)),
        case(op, "exclusive", running(op, exclusive=True), floats(5, seed=3), smooth=False),
        case(op, "from the end, exclusive", running(op, 1, exclusive=True, reverse=True), floats(2, 3, seed=3), smooth=False),
        case(op, "integers", running(op), ints(6)),
        case(op, "float16", running(op), floats(4, dtype="float16")),
    )
]
