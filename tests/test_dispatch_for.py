"""What answering a function for other classes leaves behind: nothing."""

from __future__ import annotations

import inspect

import pytest

import pullback as tf
from pullback import abs as held_from_before


class Boxed(tf.experimental.ExtensionType):
    x: tf.Tensor


@pytest.mark.parametrize("function", [tf.abs, tf.concat, tf.reduce_sum, tf.strings.lower])
def test_a_function_is_as_before_once_its_answer_is_taken_away(function: object) -> None:
    called = inspect.unwrap(function)
    code, signature, attributes = called.__code__, inspect.signature(function), dict(vars(called))

    def answer(*args: object, **kwargs: object) -> str:
        return "answered"

    tf.experimental.dispatch_for_api(function, {0: Boxed})(answer)
    assert inspect.signature(function) == signature
    assert called.__code__ is not code
    tf.experimental.unregister_dispatch_for(answer)
    assert called.__code__ is code
    assert vars(called) == attributes


def test_whoever_holds_the_function_asks_for_the_answer() -> None:
    @tf.experimental.dispatch_for_api(tf.math.abs)
    def of_boxed(x: Boxed) -> Boxed:
        return Boxed(tf.abs(x.x))

    try:
        assert held_from_before(Boxed(-2)).x.numpy() == 2
        assert held_from_before(-3).numpy() == 3
        with pytest.raises(TypeError, match="unexpected keyword argument 'y'"):
            tf.abs(y=3)
    finally:
        tf.experimental.unregister_dispatch_for(of_boxed)


def test_gradients_and_functions_go_through_an_answer() -> None:
    @tf.experimental.dispatch_for_unary_elementwise_apis(Boxed)
    def of_boxed(function: object, x: Boxed) -> Boxed:
        return Boxed(function(x.x))

    try:
        x = Boxed([1.0, -2.0])
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.function(lambda b: tf.square(tf.nn.leaky_relu(b, alpha=0.5)))(x)
        assert tape.gradient(y.x, x.x).numpy().tolist() == [2.0, -1.0]
    finally:
        tf.experimental.unregister_dispatch_for(of_boxed)
