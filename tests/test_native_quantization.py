"""Quantised numbers made and read by native loops: those of NumPy, bit for bit."""

from typing import Any

import numpy as np
import pytest

import pullback as tf
from pullback.engine.jit_policy import Settings

pytest.importorskip("llvmlite")
X = (np.random.default_rng(0).standard_normal((100, 101)) * 3).astype(np.float32)
X.reshape(-1)[:9] = np.nan, np.inf, -np.inf, 0.0, -0.0, 3e38, -3e38, 1e-40, -2.0
LEVELS = np.linspace(-2.5, 3.5, 2048, dtype=np.float32)  # many halves among them
AWAY, EVEN = "HALF_AWAY_FROM_ZERO", "HALF_TO_EVEN"
KINDS = [
    ("MIN_COMBINED", AWAY, False), ("MIN_FIRST", AWAY, False), ("SCALED", AWAY, False), ("SCALED", EVEN, False), ("SCALED", EVEN, True),
]


def both(call: Any) -> tuple[list[np.ndarray], list[np.ndarray]]:
    found, settings = [], Settings.jit
    try:
        for Settings.jit in (True, False):
            result = call()
            tensors = result if isinstance(result, (list, tuple)) else [result]
            found.append([np.array(t.numpy()) for t in tensors])
    finally:
        Settings.jit = settings
    return found[0], found[1]


@pytest.mark.parametrize("dtype", ["quint8", "qint8", "quint16", "qint16", "qint32"])
@pytest.mark.parametrize(("mode", "round_mode", "narrow"), KINDS)
@pytest.mark.parametrize("ends", [(-2.0, 3.0), (0.0, 1.0), (-5.0, -1.0), (0.0, 0.0)])
def test_to_and_from(dtype: str, mode: str, round_mode: str, narrow: bool, ends: tuple[float, float]) -> None:
    options: dict[str, Any] = {"mode": mode, "narrow_range": narrow}
    x = np.concatenate([X.ravel(), LEVELS])
    given = {"input": x, "min_range": ends[0], "max_range": ends[1], "T": tf.as_dtype(dtype), "round_mode": round_mode, **options}
    native, plain = both(lambda: tf.raw_ops.QuantizeV2(**given))
    for a, b in zip(native, plain, strict=True):
        assert a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()
    q = tf.raw_ops.QuantizeV2(**given)[0]
    for low, high in (ends, (np.inf, -1.0), (-1.0, 1.0)):
        with np.errstate(all="ignore"):
            native, plain = both(lambda: tf.raw_ops.Dequantize(input=q, min_range=low, max_range=high, **options))  # noqa: B023  # called here
        np.testing.assert_array_equal(native[0], plain[0])
        np.testing.assert_array_equal(np.signbit(native[0]) & ~np.isnan(native[0]), np.signbit(plain[0]) & ~np.isnan(plain[0]))
