"""Gradients of a program's own, and functions that keep their signatures under decorators."""

from collections.abc import Callable

import pullback as tf


@tf.custom_gradient
def softplus(x: tf.Tensor) -> tuple[tf.Tensor, Callable[[tf.Tensor], tf.Tensor]]:
    """log(1 + exp(x)), whose gradient does not overflow."""
    e = tf.exp(x)

    def grad(upstream: tf.Tensor) -> tf.Tensor:
        return upstream * (1.0 - 1.0 / (1.0 + e))

    return tf.math.log1p(e), grad


@tf.function(jit_compile=True, reduce_retracing=True)
def polynomial(x: tf.Tensor, *, degree: int = 3) -> tf.Tensor:
    total = tf.ones_like(x)
    for i in range(1, degree):
        total = total + x**i
    return total


@tf.recompute_grad
def deep(x: tf.Tensor) -> tf.Tensor:
    for _ in range(4):
        x = tf.sin(x) * 1.1
    return x


@tf.autograph.experimental.do_not_convert
def plain(x: tf.Tensor, scale: float) -> tf.Tensor:
    return scale * x


def main() -> None:
    x = tf.constant([100.0, 0.0, -100.0])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = softplus(x)
        z = polynomial(x, degree=2) + deep(x) + plain(x, 0.5)
        through = tf.grad_pass_through(tf.round)(x)
    print(tape.gradient(y, x).numpy(), tape.gradient(z, x).numpy(), tape.gradient(through, x).numpy())
    concrete = polynomial.get_concrete_function(tf.TensorSpec([None], tf.float32), degree=3)
    print(concrete.name, polynomial.experimental_get_tracing_count())


if __name__ == "__main__":
    main()
