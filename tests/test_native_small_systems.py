"""Stacks of very small matrices: elimination written out gives what LAPACK gives, pivots, faults and gradients included."""

from typing import Any

import numpy as np
import pytest

import pullback as tf
from tests.native_kit import draw, held

pytestmark = pytest.mark.usefixtures("natively")


def matrices(count: int, n: int, dtype: Any = np.float64) -> np.ndarray:
    """Well-conditioned ones; the first elements of many are zero or small, so that rows have to change places."""
    found = np.linalg.qr(draw(count, n, n))[0] * (1.0 + np.arange(n))
    found[::3, 0, 0] = 0.0
    found[1::3, 0, 0] *= 1e-3
    return found.astype(dtype)


def is_written_out(parts: list[Any]) -> bool:
    return all(part.kind != "factors" for part in parts)


@pytest.mark.parametrize("n", [2, 3, 4])
@pytest.mark.parametrize("count", [64, 101])
@pytest.mark.parametrize("adjoint", [False, True])
def test_inverses_and_solutions(n: int, count: int, adjoint: bool) -> None:
    def step(a: Any, b: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch([a, b])
            inverse, x = tf.linalg.inv(a, adjoint=adjoint), tf.linalg.solve(a, b, adjoint=adjoint)
            total = tf.reduce_sum(tf.sin(inverse)) + tf.reduce_sum(x * x)
        return inverse, x, tape.gradient(total, [a, b])

    assert is_written_out(held(step, matrices(count, n), draw(count, n, 2), rtol=1e-10))


@pytest.mark.parametrize("n", [2, 3, 4])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_determinants(n: int, dtype: Any) -> None:
    def step(a: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(a)
            y = tf.linalg.det(a)
        return y, tape.gradient(y, a)

    given = matrices(100, n, dtype)
    assert is_written_out(held(step, given, rtol=1e-3 if dtype == np.float32 else 1e-10))
    singular = given.copy()
    singular[3] = 0.0
    singular[5, 0] = singular[5, 1]
    found = tf.function(tf.linalg.det)(tf.constant(singular)).numpy()
    assert found[3] == 0.0
    assert abs(found[5]) < 1e-4
    np.testing.assert_allclose(np.delete(found, 5), np.linalg.det(np.delete(singular, 5, 0)), rtol=1e-4)


@pytest.mark.parametrize("call", [tf.linalg.inv, lambda a: tf.linalg.solve(a, a)])
def test_a_matrix_without_an_inverse_is_an_error(call: Any) -> None:
    given = matrices(100, 3)
    given[7] = np.diag([1.0, 0.0, 2.0])
    with pytest.raises(tf.errors.InvalidArgumentError, match="not invertible"):
        tf.function(call)(tf.constant(given))


def test_others_are_lapacks() -> None:
    assert not is_written_out(held(tf.linalg.inv, matrices(100, 5), rtol=1e-10))
    assert not is_written_out(held(tf.linalg.inv, matrices(10, 3), rtol=1e-10))
