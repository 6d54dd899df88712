"""Slices at computed indices, native: elements, rows and columns, their gradients, and indices out of range."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import pullback as tf

X = np.arange(5 * 6 * 7, dtype=np.float32).reshape(5, 6, 7)
SLICES: list[Callable[..., Any]] = [
    lambda x, i, j: x[i],
    lambda x, i, j: x[:, i],
    lambda x, i, j: x[i, j],
    lambda x, i, j: x[i, :, j],
    lambda x, i, j: x[:, :, j],
    lambda x, i, j: x[i : i + 2],
    lambda x, i, j: x[:, i - 1 : i + 2, j],
    lambda x, i, j: x[1:3, i : i + 1, :4],
    lambda x, i, j: tf.slice(x, [tf.abs(i), 0, 1], [2, 6, 3]),
]


@pytest.mark.parametrize("part", SLICES)
@pytest.mark.parametrize("at", [(0, 3), (2, -1), (-3, 2)])
def test_values_and_gradients(part: Callable[..., Any], at: tuple[int, int]) -> None:
    def f(x: Any, i: Any, j: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = part(x, i, j) * 2.0
            total = tf.reduce_sum(y * y)
        return y, tape.gradient(total, x)

    given = (tf.constant(X), *map(tf.constant, at))
    compiled = tf.function(f, jit_compile=True)
    found = compiled.explain(*given)
    assert found.native and found.reason is None and {p.kind for p in found.parts} == {"kernel"}
    for one, other in zip(compiled(*given), f(*given), strict=True):
        assert np.array_equal(one.numpy(), other.numpy())


def test_a_part_that_reaches_outside_is_cut_off() -> None:
    f = tf.function(lambda x, i: x[i : i + 3] * 2.0, jit_compile=True)
    for i in (1, 3, -2, -9, 7):
        assert np.array_equal(f(tf.constant(X), tf.constant(i)).numpy(), 2 * X[i : i + 3])


@pytest.mark.parametrize("index", [5, -6])
def test_an_index_out_of_range_is_an_error(index: int) -> None:
    f = tf.function(lambda x, i: x[i] * 2.0, jit_compile=True)
    with pytest.raises(tf.errors.InvalidArgumentError, match="of dimension 0 out of bounds"):
        f(tf.constant(X), tf.constant(index))


def test_a_loop_over_rows_is_native_with_its_gradient() -> None:
    @tf.function(jit_compile=True)
    def f(x: Any, w: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch([x, w])
            h = tf.zeros([1, 8])
            for i in tf.range(6):
                h = tf.tanh(h @ w + x[i])
            total = tf.reduce_sum(h)
        return tape.gradient(total, [x, w])

    x, w = tf.constant(np.linspace(-1, 1, 48, dtype=np.float32).reshape(6, 1, 8)), 0.1 * tf.ones([8, 8])
    assert f.explain(x, w).native and [part.kind for part in f.explain(x, w).parts].count("loop") == 2
    native = f(x, w)
    tf.config.run_functions_eagerly(True)
    try:
        eager = f(x, w)
    finally:
        tf.config.run_functions_eagerly(False)
    for one, other in zip(native, eager, strict=True):
        np.testing.assert_allclose(one.numpy(), other.numpy(), rtol=1e-5, atol=1e-7)
