"""Lists of tensors: places without an element, which stand for elements that have no cotangent."""

from __future__ import annotations

import pullback as tf
from pullback.ops.tensor_list.push_pop import DROP, EMPTY, POP, PUSH, SKIP


def test_a_place_that_is_dropped_takes_no_gradient_with_it() -> None:
    """The derivative of each is the other."""

    @tf.function
    def product(x: tf.Tensor) -> tf.Tensor:
        listed = PUSH(EMPTY(), x * x)
        _, element = POP(DROP(SKIP(listed)), element_dtype=tf.float32, dims=(2,))
        return tf.reduce_sum(element * x)

    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as second:
        second.watch(x)
        with tf.GradientTape() as first:
            first.watch(x)
            y = product(x)
        slope = first.gradient(y, x)
    assert y.numpy() == 9.0
    assert slope.numpy().tolist() == [3.0, 12.0]
    assert second.gradient(slope, x).numpy().tolist() == [6.0, 12.0]
