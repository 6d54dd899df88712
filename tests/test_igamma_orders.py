"""Derivatives of the incomplete gamma function by its order, and of gamma draws by their shape, which TensorFlow stops at: with mpmath."""

from __future__ import annotations

from typing import Any

import mpmath
import numpy as np
import pytest

import pullback as tf
from pullback.ops.math.igamma import igamma_orders

POINTS = [(0.3, 0.2), (2.0, 3.0), (20.0, 15.0), (20.0, 31.0)]


def exact(a: float, x: float, by_a: int, by_x: int) -> float:
    """A derivative of P(a, x)."""
    with mpmath.workprec(160):
        step = mpmath.mpf(10) ** -12
        return float(mpmath.diff(lambda order, at: mpmath.gammainc(order, 0, at, regularized=True), (a, x), (by_a, by_x), h=step))


def slopes(call: Any, *inputs: Any) -> list[Any]:
    with tf.GradientTape() as tape:
        tape.watch(inputs)
        y = call(*inputs)
    return list(tape.gradient(y, inputs))


@pytest.mark.parametrize(("a", "x"), POINTS)
def test_incomplete_gamma_functions_to_third_order(a: float, x: float) -> None:
    order, at = tf.constant(a, tf.float64), tf.constant(x, tf.float64)

    def first(a: Any, x: Any) -> Any:
        return slopes(tf.math.igamma, a, x)[0]

    by_a, by_x = slopes(first, order, at)
    thirds = slopes(lambda a, x: slopes(first, a, x)[0], order, at)
    found = [float(v) for v in (by_a, by_x, *thirds)]
    np.testing.assert_allclose(found, [exact(a, x, *n) for n in ((2, 0), (1, 1), (3, 0), (2, 1))], rtol=1e-9)
    complement = slopes(lambda a, x: slopes(tf.math.igammac, a, x)[0], order, at)
    np.testing.assert_allclose([float(v) for v in complement], [-found[0], -found[1]], rtol=1e-12)


@pytest.mark.parametrize(("a", "x"), POINTS)
def test_a_gamma_draw_moves_with_its_shape_so_that_its_probability_stays(a: float, x: float) -> None:
    """d2x/da2 at P(a, x) = c, of the implicit function, against the derivatives of P."""
    p, paa, pax, pxx, pa = (exact(a, x, *n) for n in ((0, 1), (2, 0), (1, 1), (0, 2), (1, 0)))
    moved = -pa / p
    bent = -(paa + 2 * pax * moved + pxx * moved**2) / p
    alpha, sample = tf.constant(a, tf.float64), tf.constant(x, tf.float64)
    first = tf.raw_ops.RandomGammaGrad(alpha=alpha, sample=sample)
    by_shape, by_sample = slopes(lambda a, s: tf.raw_ops.RandomGammaGrad(alpha=a, sample=s), alpha, sample)
    assert float(first) == pytest.approx(moved, rel=1e-9)
    assert float(by_shape + by_sample * first) == pytest.approx(bent, rel=1e-8)


def test_draws_have_second_derivatives_by_their_shape() -> None:
    alpha = tf.constant([0.01, 0.5, 3.0])
    with tf.GradientTape() as outer:
        outer.watch(alpha)
        with tf.GradientTape() as inner:
            inner.watch(alpha)
            y = tf.random.stateless_gamma([4, 3], [1, 2], alpha)
        slope = inner.gradient(y, alpha)
    bend = outer.gradient(slope, alpha).numpy()
    assert np.isfinite(bend).all()  # the draws for 0.01 are too small for float32
    assert (y.numpy()[:, 0] < 1e-30).any()
    assert bend[2] != 0


def test_the_ends_and_what_lies_beyond_them() -> None:
    given = np.array([0.5, 2.0, 2.0, -1.0, 2.0, np.nan]), np.array([0.0, 0.0, np.inf, 1.0, -1.0, 1.0])
    np.testing.assert_array_equal(igamma_orders(*given, degree=2), [0, 0, 0, np.nan, np.nan, np.nan])
    np.testing.assert_array_equal(tf.raw_ops.RandomGammaGrad(alpha=given[0], sample=given[1]), [0, 0, 0, np.nan, np.nan, np.nan])


def test_many_elements_settle_each_for_itself() -> None:
    a, x = np.random.default_rng(1).uniform(0.2, 60, (2, 2000))
    together = igamma_orders(a, x, degree=3)
    alone = np.concatenate([igamma_orders(a[i : i + 1], x[i : i + 1], degree=3) for i in range(0, 2000, 50)])
    np.testing.assert_array_equal(together[::50], alone)
