"""Native programs without copies: arrays that are only copied into others are written there at once."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import pullback as tf
from tests.native_kit import draw, held

X, Y = draw(40, 6), draw(40, 6)


def columns(x: Any, count: int = 5) -> list[Any]:
    return [tf.sin(x[:, i]) + float(i) for i in range(count)]


def singles(x: Any) -> Any:
    return tf.cast(x[:, :2], tf.float32)


@pytest.mark.parametrize("outer", [0, 1, 2])
@pytest.mark.parametrize("inner", [0, 1])
def test_a_stack_of_stacks_is_one_kernel(outer: int, inner: int) -> None:
    parts = held(lambda x, y: tf.stack([tf.stack(columns(x), inner), tf.stack(columns(y), inner)], outer), X, Y)
    assert len(parts) == 1


@pytest.mark.parametrize(
    "f",
    [
        lambda x, y: tf.concat([tf.concat([tf.exp(x), y], 1), tf.concat([x, tf.exp(y)], 1)], 0),
        lambda x, y: tf.concat([tf.reshape(tf.concat([tf.exp(x), y], 0), [-1]), tf.reshape(y * 2.0, [-1])], 0),
        lambda x, y: tf.stack([tf.reshape(tf.concat([tf.exp(x), y], 1), [40, 3, 4]), tf.ones([40, 3, 4], x.dtype)], 1),
        lambda x, y: tf.stack([tf.stack([tf.stack([x, y], 2), tf.stack([y, y], 2)], 1), tf.ones([40, 2, 6, 2], x.dtype)], 0),
        lambda x, y: tf.reshape(tf.concat([x + 1.0, y], 1), [80, 6]),
        lambda x, y: tf.concat([tf.pad(x, [[1, 2], [3, 1]]), tf.pad(y, [[1, 2], [3, 1]])], 1),
    ],
)
def test_nothing_but_what_is_computed_is_put_in_memory(f: Callable[..., Any]) -> None:
    parts = held(f, X, Y)
    assert {part.kind for part in parts} == {"kernel"}
    assert all(part.gives and {*part.takes} <= {"arguments"} for part in parts)


def test_shapes_that_mix_the_axes_are_copied() -> None:
    held(lambda x, y: tf.stack([tf.reshape(tf.stack(columns(x, 6), 1), [60, 4]), tf.reshape(y, [60, 4])], 1), X, Y)


def test_what_is_read_elsewhere_is_kept() -> None:
    def f(x: Any, y: Any) -> Any:
        inner = tf.stack(columns(x), 1)
        return tf.stack([inner, tf.stack(columns(y), 1)], 1), tf.reduce_sum(inner, 1), inner[::-1]

    held(f, X, Y)


def test_what_a_loop_reads_is_kept() -> None:
    def f(x: Any, y: Any) -> Any:
        inner = tf.stack(columns(x), 1)
        total = tf.while_loop(lambda i, s: i < 3, lambda i, s: (i + 1, s + tf.reduce_sum(inner[i])), (0, tf.zeros([], x.dtype)))[1]
        return tf.stack([inner, tf.stack(columns(y), 1)], 1), total

    held(f, X, Y)


def test_stacks_in_the_turns_of_a_loop() -> None:
    def f(x: Any) -> Any:
        def turn(i: Any, s: Any) -> Any:
            both = tf.stack([tf.stack([s[:, 1, 0], s[:, 0, 1]], 1), tf.stack([s[:, 1, 1], s[:, 0, 0]], 1)], 2)
            return i + 1, both * 0.5

        return tf.while_loop(lambda i, s: i < 5, turn, (0, x))[1]

    held(f, draw(30, 2, 2))


def test_the_gradient_of_stacks() -> None:
    def f(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.stack([tf.stack(columns(x), 1), tf.stack(columns(x * x), 1)], 2)
            total = tf.reduce_sum(y * y * y)
        return y, tape.gradient(total, x)

    held(f, np.abs(X))


@pytest.mark.parametrize(
    "f",
    [
        lambda x, y: tf.stack([tf.bitcast(tf.concat([x, y], 0), tf.int32), tf.ones([80, 6, 2], tf.int32)]),
        lambda x, y: tf.stack([tf.bitcast(tf.cast(tf.concat([x[:, :2], y[:, :2]], 0), tf.float32), tf.int64), tf.ones([80], tf.int64)]),
        lambda x, y: tf.stack([tf.bitcast(tf.concat([singles(x), singles(y)], 0), tf.int64), tf.ones([80], tf.int64)]),
        lambda x, y: tf.stack([tf.bitcast(tf.concat([tf.complex(x, y), tf.complex(y, x)], 0), tf.float64), tf.ones([80, 6, 2], x.dtype)]),
    ],
)
def test_bytes_that_are_read_as_other_numbers(f: Callable[..., Any]) -> None:
    held(f, X, Y)


@pytest.mark.parametrize(
    "f",
    [
        lambda x, y: tf.concat([tf.reduce_sum(x, 0), tf.reduce_sum(y, 0)], 0),
        lambda x, y: tf.concat([y[0], tf.reduce_sum(x, 0)], 0),
        lambda x, y: tf.stack([tf.concat([y[0], y[1]], 0), tf.concat([tf.reduce_sum(x, 0), y[2]], 0)], 0),
        lambda x, y: tf.concat([tf.reduce_max(x, 0), tf.reduce_sum(x, 0), tf.reduce_sum(x, 0)], 0),
        lambda x, y: tf.concat([tf.reduce_sum(x, [0, 1], keepdims=True), y[:1, :1]], 0),
    ],
)
def test_sums_of_many_rows_beside_others(f: Callable[..., Any]) -> None:
    held(f, draw(9000, 5), draw(9000, 5))
