"""Special functions against mpmath: within 4 ulp of the value over their domain, of the amplitude where a function oscillates."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mpmath
import numpy as np
import pytest
from benchmarks import accuracy

import pullback as tf

mpmath.mp.prec = 160


def _dawson(x: Any) -> Any:
    return mpmath.sqrt(mpmath.pi) / 2 * mpmath.exp(-x * x) * mpmath.erfi(x)


# name: (the truth, intervals, whether it oscillates)
FUNCTIONS: dict[str, tuple[Callable[[Any], Any], list[tuple[float, float]], bool]] = {
    "bessel_j0": (lambda x: mpmath.besselj(0, x), [(0, 2), (2, 5), (-12, -5), (12, 1e3), (1e3, 1e6)], True),
    "bessel_j1": (lambda x: mpmath.besselj(1, x), [(0, 2), (2, 5), (-12, -5), (12, 1e3), (1e3, 1e6)], True),
    "bessel_y0": (lambda x: mpmath.bessely(0, x), [(1e-9, 0.6), (0.6, 1.2), (1.2, 5), (5, 12), (12, 1e5)], True),
    "bessel_y1": (lambda x: mpmath.bessely(1, x), [(1e-9, 2), (2, 5), (5, 12), (12, 1e5)], True),
    "bessel_k0": (lambda x: mpmath.besselk(0, x), [(1e-9, 0.4), (0.4, 2), (2, 30), (30, 700)], False),
    "bessel_k0e": (lambda x: mpmath.besselk(0, x) * mpmath.exp(x), [(1e-9, 0.4), (0.4, 2), (2, 30), (30, 700)], False),
    "bessel_k1": (lambda x: mpmath.besselk(1, x), [(1e-9, 2), (2, 30), (30, 700)], False),
    "bessel_k1e": (lambda x: mpmath.besselk(1, x) * mpmath.exp(x), [(1e-9, 2), (2, 30), (30, 700)], False),
    "dawsn": (_dawson, [(-1, 1), (1, 2), (-3, -2), (3, 6), (6, 1e3)], False),
    "expint": (mpmath.ei, [(1e-6, 0.5), (0.36, 0.39), (0.5, 5), (5, 10), (10, 20), (20, 40), (40, 690)], False),
    "fresnel_cos": (mpmath.fresnelc, [(-1.5, 1.5), (1.5, 2.5), (-5, -2.5), (5, 1e3), (1e3, 1e5)], False),
    "fresnel_sin": (mpmath.fresnels, [(-1.5, 1.5), (1.5, 2.5), (-5, -2.5), (5, 1e3), (1e3, 1e5)], False),
    "spence": (
        lambda x: mpmath.re(mpmath.polylog(2, 1 - x)),
        [(1e-9, 0.25), (0.25, 0.6), (0.6, 0.99), (0.99, 1.5), (1.5, 2.5), (2.5, 1e3), (1e3, 1e9)],
        False,
    ),
}
ROWS = [pytest.param(name, low, high, id=f"{name} {low:g} to {high:g}") for name, row in FUNCTIONS.items() for low, high in row[1]]


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize(("name", "low", "high"), ROWS)
def test_within_four_roundings(name: str, low: float, high: float, dtype: str) -> None:
    truth, _, oscillates = FUNCTIONS[name]
    kind: Any = np.dtype(dtype).type
    at = np.random.default_rng(7).uniform(low, high, 40).astype(dtype)
    found = getattr(tf.math.special, name)(tf.constant(at)).numpy()
    assert found.dtype == dtype
    for x, y in zip(at, found, strict=True):
        exact = truth(mpmath.mpf(float(x)))
        if abs(exact) > np.finfo(dtype).max or abs(exact) < np.finfo(dtype).tiny:
            continue
        least = np.sqrt(2 / (np.pi * abs(float(x)))) if oscillates and abs(x) > 1.2 else 0.0
        ulp = float(np.spacing(kind(max(abs(float(exact)), least))))
        assert abs(mpmath.mpf(float(y)) - exact) <= 4.0 * ulp, (float(x), float(y), float(exact))


KERNELS = [
    *("erfc", "ndtri", "lgamma", "digamma", "polygamma", "zeta"),
    *(f"bessel_{name}" for name in ("i0", "i1", "i0e", "i1e", "k1", "k1e")),
]


@pytest.mark.parametrize("name", KERNELS)
def test_kernels_where_scipys_lose_digits(name: str) -> None:
    """At the places that docs/accuracy.md is made from: by exponents, and beside roots and poles."""
    far, at = accuracy.worst(name, "float64", 240, ["kernel"])["kernel"]
    assert far <= 4.0, at


@pytest.mark.parametrize(
    ("name", "at", "second"),
    [
        ("spence", 1.0, 0.5),
        ("bessel_j1", 0.0, 0.0),
        ("bessel_i1", 0.0, 0.0),
        ("bessel_i1e", 0.0, 0.0),
        ("bessel_j1", 1e-9, -0.375e-9),
        ("spence", 1.0 + 1e-9, 0.5),
    ],
)
def test_second_derivative_where_the_first_is_a_limit(name: str, at: float, second: float) -> None:
    x = tf.constant(at, tf.float64)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = getattr(tf.math.special, name)(x)
        slope = inner.gradient(y, x)
    assert outer.gradient(slope, x).numpy() == pytest.approx(second, rel=1e-8, abs=1e-14)


def test_slope_of_i1_at_zero() -> None:
    """A half; TensorFlow says 1."""
    x = tf.constant(0.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.math.bessel_i1(x)
    assert tape.gradient(y, x).numpy() == 0.5
