"""How many numbers a range of floats has, and which: counted and stepped in its own dtype, eagerly, in graphs and compiled."""

from __future__ import annotations

from typing import Any

import numpy as np

from .kit import Answers, raises

FACE = "v2"
POINTS = [(0.1, 1.1, 0.1), (0.0, 1.0, 0.1), (1.0, 0.0, -0.1), (0.0, 3.0, 0.3), (-0.3, 0.31, 0.1), (100.0, 101.0, 0.01), (0.0, 30.0, 0.1)]


def _scalars(tf: Any, point: tuple[float, ...], dtype: str) -> list[Any]:
    return [tf.cast(x, dtype) for x in point]


def eager(tf: Any) -> Answers:
    return {
        f"{dtype} {point}": (lambda point=point, dtype=dtype: tf.cast(tf.range(*_scalars(tf, point, dtype)), tf.float64))
        for dtype in ("float16", "bfloat16", "float32", "float64")
        for point in POINTS
    }


def in_functions(tf: Any) -> Answers:
    def fed(point: Any, dtype: str, jit: bool) -> Any:
        f = tf.function(lambda start, limit, delta: tf.range(start, limit, delta), jit_compile=jit)
        return [f(*_scalars(tf, point, dtype)) for _ in range(3)][-1]

    def known(point: Any, dtype: str) -> Any:
        return tf.function(lambda: tf.range(*point, dtype=dtype)).get_concrete_function().outputs[0].shape

    found: Answers = {}
    for dtype in ("float32", "float64"):
        for point in POINTS:
            found[f"{dtype} {point}"] = lambda point=point, dtype=dtype: fed(point, dtype, False)
            found[f"{dtype} {point} compiled"] = lambda point=point, dtype=dtype: fed(point, dtype, True)
            found[f"{dtype} {point} known"] = lambda point=point, dtype=dtype: known(point, dtype)
    return found


def relatives(tf: Any) -> Answers:
    tnp, v1 = tf.experimental.numpy, tf.compat.v1

    def rows(*args: Any) -> Any:
        found = tf.ragged.range(*args)
        return [found.flat_values, found.row_splits]

    def graph(*point: float) -> Any:
        with v1.Graph().as_default(), v1.Session() as session:
            found = v1.range(*point)
            return [session.run(found), found.shape]

    found: Answers = {
        "long": lambda: tf.gather(tf.range(0.1, 1e5, 0.1), [0, 65535, 65536, 999997]),
        "beyond the mantissa": lambda: tf.range(3.0, 16777250.0)[-20:],
        "half beyond": lambda: tf.cast(tf.range(*_scalars(tf, (0.0, 4000.0, 1.0), "float16"))[-9:], tf.float64),
        "nan": raises(lambda: tf.range(float("nan"))),
        "away": raises(lambda: tf.range(0.0, -1.0, 0.5), "Requires start <= limit when delta > 0"),
        "linspace": lambda: tf.linspace(0.1, 1.1, 11),
    }
    for point in POINTS[:5]:
        found[f"ragged {point}"] = lambda point=point: rows(*_scalars(tf, point, "float32"))
        found[f"arange {point}"] = lambda point=point: tnp.arange(*point, dtype=np.float32)
        found[f"graph {point}"] = lambda point=point: graph(*point)
    several = [tf.constant(x) for x in ([0.0, 1.0, 5.0], [1.0, 1.0, -5.0], [0.1, 0.3, -0.7])]
    return found | {"ragged rows": lambda: rows(*several), "ragged many": lambda: rows([0.1] * 9, 0.5, 0.1)}
