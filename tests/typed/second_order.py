"""Jacobians, Hessians and products with them, at points that are structures."""

from dataclasses import dataclass

import pullback as tf


@dataclass
class Pendulum:
    """Length and mass."""

    length: tf.Tensor
    mass: tf.Tensor


def rosenbrock(p: tf.Tensor) -> tf.Tensor:
    return tf.reduce_sum(100.0 * tf.square(p[1:] - tf.square(p[:-1])) + tf.square(1.0 - p[:-1]))


def energy(pendulum: Pendulum) -> tf.Tensor:
    return pendulum.mass * tf.square(pendulum.length) + tf.sin(pendulum.length)


def newton(start: tf.Tensor, steps: int) -> tf.Tensor:
    at = start
    for _ in range(steps):
        value, slope = tf.value_and_gradient(rosenbrock, at)
        assert value.shape.rank == 0
        curvature = tf.hessian(rosenbrock, at)
        at = at - tf.linalg.solve(curvature, slope[:, tf.newaxis])[:, 0]
    return at


def main() -> None:
    best = newton(tf.constant([1.2, 1.2]), 8)
    print(best.numpy().tolist())
    here = Pendulum(length=tf.constant(2.0), mass=tf.constant(3.0))
    _, slope = tf.value_and_gradient(energy, here)
    print(float(slope.mass), float(slope.length))
    rows = tf.jacobian(lambda x: tf.stack([x[0] * x[1], x[1]]), tf.constant([2.0, 3.0]))
    print(rows.numpy().tolist())
    product = tf.hvp(rosenbrock, best, tf.ones_like(best))
    print(product.shape.as_list())
    by_name = tf.hessian(lambda p: p["a"] * p["b"], {"a": tf.constant(2.0), "b": tf.constant(3.0)})
    print(float(by_name["a"]["b"]))
    with tf.GradientTape() as outer:
        outer.watch(best)
        with tf.GradientTape() as inner:
            inner.watch(best)
            value = rosenbrock(best)
        first = inner.gradient(value, best)
    second = outer.jacobian(first, best)
    print(second.shape.as_list())


if __name__ == "__main__":
    main()
