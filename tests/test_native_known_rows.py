"""Sums over rows that are known when a program is made: each row gathers its own updates, and nothing is scattered."""

from typing import Any

import numpy as np
import pytest

import pullback as tf
from pullback.engine.jit_policy import Settings
from pullback.engine.lowering.static_scatter import lists


@pytest.fixture(autouse=True)
def natively(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Settings, "jit", True)


RNG = np.random.default_rng(7)
#: Rows of updates and the number of targets: once each, two each, one row gets half of all, some get nothing, some drop, all the same.
ROWS = {
    "a permutation": (RNG.permutation(40), 40),
    "two each": (RNG.permutation(np.repeat(np.arange(23), 2)), 23),
    "a hot row": (np.where(RNG.random(300) < 0.5, 0, RNG.permutation(np.repeat(np.arange(60), 5))), 60),
    "two hot rows": (np.concatenate([np.full(50, 3), np.full(50, 9), np.arange(20)]), 20),
    "gaps": (np.arange(0, 40, 2)[::-1], 40),
    "some drop": (np.where(np.arange(30) % 7 == 2, -1, np.arange(30) % 15), 15),
    "all the same": (np.full(64, 1), 2),
}


def summed(data: np.ndarray, rows: np.ndarray, count: int) -> np.ndarray:
    found = np.zeros((count, *data.shape[1:]), data.dtype)
    np.add.at(found, rows[rows >= 0], data[rows >= 0])
    return found


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int32, np.int64])
@pytest.mark.parametrize("inner", [(), (3,)], ids=str)
@pytest.mark.parametrize("name", ROWS)
def test_sums_of_known_rows(name: str, inner: tuple[int, ...], dtype: Any) -> None:
    rows, count = ROWS[name]
    data = RNG.integers(-50, 50, (rows.size, *inner)).astype(dtype)
    f = tf.function(lambda x: tf.math.unsorted_segment_sum(2 * x, tf.constant(rows, tf.int32), count))
    np.testing.assert_array_equal(f(tf.constant(data)).numpy(), summed(2 * data, rows, count))


@pytest.mark.parametrize("name", ["a permutation", "two each", "a hot row", "two hot rows", "all the same"])
def test_the_gradient_of_a_gather_at_known_places_scatters_nothing(name: str) -> None:
    rows, count = ROWS[name]
    weights = RNG.normal(size=rows.size)

    @tf.function
    def slope(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.reduce_sum(tf.gather(x * x, rows) * weights)
        return tf.convert_to_tensor(tape.gradient(y, x))

    x = tf.constant(RNG.normal(size=count))
    np.testing.assert_allclose(slope(x).numpy(), 2 * x.numpy() * summed(weights, rows, count), rtol=1e-14, atol=1e-14)
    kinds = {part.kind for part in slope.explain(x).parts}
    assert "scatter" not in kinds and "kernel" in kinds


def test_what_gets_no_update_is_left_as_it_is() -> None:
    """A negative zero stays one."""
    f = tf.function(lambda x, y: tf.tensor_scatter_nd_add(x, [[0], [2], [3]], y))
    found = f(tf.constant([-0.0, -0.0, 1.0, 2.0]), tf.constant([-0.0, 3.0, 4.0])).numpy()
    np.testing.assert_array_equal(found, [0.0, 0.0, 4.0, 6.0])
    np.testing.assert_array_equal(np.signbit(found), [True, True, False, False])


def test_a_known_row_out_of_range_is_an_error() -> None:
    with pytest.raises(tf.errors.InvalidArgumentError):
        tf.function(lambda x: tf.gather(x, [0, 3]))(tf.constant([1.0, 2.0]))
    with pytest.raises(tf.errors.InvalidArgumentError):
        tf.function(lambda x: tf.tensor_scatter_nd_add(x, [[0], [5]], [1.0, 2.0]))(tf.constant([1.0, 2.0]))


def test_in_a_loop() -> None:
    rows, count = ROWS["a hot row"]
    data = RNG.integers(-9, 9, rows.size).astype(np.float64)

    @tf.function
    def f(x: Any) -> Any:
        def turn(i: Any, y: Any) -> tuple[Any, Any]:
            return i + 1, y + tf.math.unsorted_segment_sum(x, tf.constant(rows), count)

        return tf.while_loop(lambda i, y: i < 3, turn, [0, tf.zeros(count, x.dtype)])[1]

    np.testing.assert_array_equal(f(tf.constant(data)).numpy(), 3 * summed(data, rows, count))


def test_lists_name_each_update_once() -> None:
    rows, count = ROWS["a hot row"]
    found = lists(rows, count)
    assert found is not None
    whole = np.concatenate([found.few.ravel(), found.many.ravel()])
    np.testing.assert_array_equal(np.sort(whole[whole >= 0]), np.arange(rows.size))
    assert len(found.many) == 1 and found.place[0] == 0 and (found.place[1:] == -1).all()


def test_rows_that_would_mostly_be_filled_up_are_scattered() -> None:
    assert lists(np.array([2, 5]), 1000) is None
