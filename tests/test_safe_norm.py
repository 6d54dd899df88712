"""The norm that has derivatives at zero, and the quotient that has."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import pullback as tf

Axis = int | list[int] | None
AXES: list[Axis] = [None, 0, 1, -1, [0, 1]]


@pytest.mark.parametrize("axis", AXES)
@pytest.mark.parametrize("keepdims", [False, True])
def test_away_from_zero_it_is_the_norm(axis: Axis, keepdims: bool) -> None:
    x = np.random.default_rng(0).normal(size=(3, 4))

    def loss(norm: Callable[..., Any]) -> Callable[[Any], Any]:
        return lambda x: tf.reduce_sum(tf.sin(norm(x, axis=axis, keepdims=keepdims)))

    np.testing.assert_allclose(tf.safe_norm(x, axis=axis, keepdims=keepdims), tf.norm(x, axis=axis, keepdims=keepdims), rtol=1e-14)
    for derivative in (lambda f: tf.value_and_gradient(f, x)[1], lambda f: tf.hessian(f, x)):
        np.testing.assert_allclose(derivative(loss(tf.safe_norm)), derivative(loss(tf.norm)), rtol=1e-11, atol=1e-13)


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "complex64", "complex128"])
def test_at_zero_derivatives_of_every_order_are_zero(dtype: str) -> None:
    def derivative(f: Callable[[Any], Any], order: int) -> Callable[[Any], Any]:
        for _ in range(order):
            f = lambda x, f=f: tf.reduce_sum(tf.value_and_gradient(f, x, unconnected_gradients="zero")[1])  # type: ignore[misc]
        return f

    zeros = tf.zeros([3], dtype)
    for order in range(4):
        assert np.asarray(derivative(tf.safe_norm, order)(zeros)) == 0
    value, tangent = tf.jvp(tf.safe_norm, zeros, tf.ones_like(zeros))
    assert np.asarray(value) == 0
    assert np.asarray(tangent) == 0


def test_rows_of_zeros_in_functions_and_batches() -> None:
    x = tf.constant([[3.0, 4.0], [0.0, 0.0]])
    gradient = lambda x: tf.value_and_gradient(lambda x: tf.reduce_sum(tf.safe_norm(x, axis=1)), x)[1]
    for found in (gradient(x), tf.function(gradient)(x), tf.vectorized_map(lambda r: gradient(r[None])[0], x)):
        np.testing.assert_allclose(found, [[0.6, 0.8], [0, 0]], rtol=1e-6)


def test_small_and_large_elements_are_kept() -> None:
    for scale in (1e-30, 1e30):
        x = tf.constant([3.0 * scale, 4.0 * scale])
        np.testing.assert_allclose(tf.safe_norm(x), 5.0 * scale, rtol=1e-6)
        np.testing.assert_allclose(tf.value_and_gradient(tf.safe_norm, x)[1], [0.6, 0.8], rtol=1e-6)
    assert np.isinf(tf.safe_norm([1.0, -np.inf]))
    assert np.isnan(tf.safe_norm([1.0, np.nan]))
    with pytest.raises(TypeError, match="safe_norm takes floating and complex tensors, and x is int32"):
        tf.safe_norm([1, 2])


def test_a_quotient_by_zero_has_derivatives_of_zero() -> None:
    def quotient(p: Any) -> Any:
        return tf.math.divide_no_nan(p[0], p[1])

    point = [tf.constant(1.0), tf.constant(0.0)]
    assert tf.nest.map_structure(float, tf.value_and_gradient(quotient, point)) == (0.0, [0.0, 0.0])
    assert tf.nest.flatten(tf.nest.map_structure(float, tf.hessian(quotient, point))) == [0.0] * 4
