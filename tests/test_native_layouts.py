"""Copies that native programs leave out: products and parts that are written where their copies would lie, in another order of axes."""

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import pullback as tf

from .native_kit import draw, held

ORDERS = [order for order in itertools.permutations(range(4)) if order[3] == 3 or order[2] == 3]


def kinds(f: Callable[..., Any], *given: np.ndarray) -> list[str]:
    """The parts of a function's program, which gives what its kernels give."""
    return [part.kind for part in held(f, *given)]


@pytest.mark.parametrize("order", ORDERS)
def test_a_stack_of_products_in_another_order(order: tuple[int, ...]) -> None:
    def f(x: Any, y: Any) -> Any:
        return tf.reshape(tf.transpose(tf.matmul(x, y), order), [-1, 24])

    held(f, draw(3, 4, 24, 17), draw(3, 4, 17, 40))
    held(f, draw(2, 3, 24, 200), draw(2, 3, 200, 200))  # by the BLAS
    held(f, draw(2, 3, 24, 20) + 1j * draw(2, 3, 24, 20), draw(2, 3, 20, 40) * 1j)


@pytest.mark.parametrize("order", ORDERS)
def test_factors_in_another_order(order: tuple[int, ...]) -> None:
    x = draw(20, 22, 21, 23)
    held(lambda x, y: tf.matmul(tf.transpose(x, order), y), x, draw(x.shape[order[3]], 19))
    held(lambda x: tf.matmul(tf.transpose(x, order), tf.transpose(x, order), transpose_b=True), x)


@pytest.mark.parametrize(("length", "depth"), [(40, 32), (128, 64)])
def test_attention_moves_no_heads(length: int, depth: int) -> None:
    """Queries, keys and values of one array, and what becomes of them in one array again."""

    def attend(x: Any) -> Any:
        q, k, v = tf.unstack(tf.transpose(tf.reshape(x, [2, length, 3, 4, depth]), [2, 0, 3, 1, 4]))
        mixed = tf.matmul(tf.nn.softmax(tf.matmul(q, k, transpose_b=True)), v)
        return tf.reshape(tf.transpose(mixed, [0, 2, 1, 3]), [2 * length, 4 * depth])

    def slope(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = attend(x)
            total = tf.reduce_sum(tf.sin(y))
        return tape.gradient(total, x)

    x = 0.3 * draw(2 * length, 12 * depth)
    assert kinds(attend, x).count("product") == 2
    moves = [part for part in held(slope, x) if part.kind == "kernel" and not part.flops and part.written >= 8 * 8 * length * depth]
    assert len(moves) == 1  # the three of them, taken apart


def test_stacks_of_products_are_written_into_one_array() -> None:
    def f(x: Any, y: Any) -> Any:
        several = [tf.matmul(x, y), tf.matmul(x + 1.0, y), tf.matmul(y, x)]
        return tf.transpose(tf.stack(several), [1, 2, 0, 3]), tf.concat([several[0] * 2.0, tf.transpose(several[1], [0, 2, 1])], 1)

    held(f, draw(5, 32, 32), draw(5, 32, 32))


def test_parts_are_written_in_another_order() -> None:
    def f(x: Any) -> Any:
        return tf.transpose(tf.stack([tf.sin(x), tf.exp(-x * x), x * 3.0]), [2, 0, 1]) @ tf.ones([20, 17], tf.float64)

    held(f, draw(20, 30))
    held(lambda x: tf.reshape(tf.transpose(tf.concat([tf.sin(x), x * 2.0], 0), [1, 0]), [-1]) * 1.0, draw(33, 17))


def test_orders_of_axes_with_other_shapes_between() -> None:
    """A copy that takes what it copies apart by two orders of axes is made as it is asked for."""

    def f(x: Any, y: Any) -> Any:
        turned = tf.reshape(tf.transpose(tf.matmul(x, y), [1, 0, 2]), [40, 3, 20])
        again = tf.reshape(tf.transpose(turned, [2, 0, 1]), [-1])
        return tf.concat([again, again * 2.0], 0), tf.transpose(tf.stack([turned, turned + 1.0]), [1, 3, 0, 2]) * 1.0

    held(f, draw(3, 40, 20), draw(3, 20, 20))
    held(lambda x: tf.transpose(tf.reshape(tf.transpose(tf.sin(x)), [4, 5, 6]), [2, 0, 1]) + 0.0, draw(10, 12))
