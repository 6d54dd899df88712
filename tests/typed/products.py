"""Hessian-vector products in three ways, gradients of a program's own, and loops: what comes out has a type."""

from collections.abc import Callable, Sequence
from typing import Any, assert_type

import pullback as tf


def fwd(f: Callable[..., tf.Tensor], primals: Sequence[tf.Tensor], tangents: Sequence[tf.Tensor]) -> tf.Tensor:
    with tf.autodiff.ForwardAccumulator(primals, tangents) as acc:
        out = f(*primals)
    return acc.jvp(out)


def back_over_back(f: Callable[..., tf.Tensor], params: Sequence[tf.Tensor], vector: Sequence[tf.Tensor]) -> list[tf.Tensor]:
    with tf.GradientTape() as outer:
        outer.watch(params)
        with tf.GradientTape() as inner:
            inner.watch(params)
            y = f(*params)
        grads = inner.gradient(y, params)
    r = outer.gradient(grads, params, output_gradients=vector)
    return list(r)


def forward_over_back(f: Callable[..., tf.Tensor], params: Sequence[tf.Tensor], vector: Sequence[tf.Tensor]) -> list[tf.Tensor]:
    with tf.autodiff.ForwardAccumulator(params, vector) as acc:
        with tf.GradientTape() as tape:
            tape.watch(params)
            y = f(*params)
        grads = tape.gradient(y, params)
    return [acc.jvp(g) for g in grads]


def f(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    return tf.reduce_sum(x * x * y) + tf.reduce_prod(tf.sin(y))


@tf.custom_gradient
def clip(x: tf.Tensor, low: float) -> tuple[tf.Tensor, Callable[[tf.Tensor], tuple[tf.Tensor, None]]]:
    def grad(dy: tf.Tensor) -> tuple[tf.Tensor, None]:
        return tf.clip_by_value(dy, low, 0.5), None

    return tf.identity(x), grad


@tf.custom_gradient
def doubled(*xs: tf.Tensor) -> tuple[list[tf.Tensor], Callable[..., Any]]:
    def grad(*dys: tf.Tensor, variables: Sequence[tf.Variable] | None = None) -> tuple[list[tf.Tensor], list[tf.Tensor]]:
        return [2.0 * dy for dy in dys], [tf.zeros_like(v) for v in variables or ()]

    return [x * 2.0 for x in xs], grad


@tf.function
def power(x: tf.Tensor, n: int = 3) -> tf.Tensor:
    result = tf.constant(1.0)
    for _ in tf.range(n):
        result *= x
    return result


def main() -> None:
    x, y = tf.constant([1.0, 2.0]), tf.constant([3.0, 4.0])
    print(back_over_back(f, [x, y], [x, y])[0].numpy(), forward_over_back(f, [x, y], [x, y])[1].numpy(), fwd(f, [x, y], [x, y]).numpy())
    v = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        out = clip(v * v, 0.0)
    print(tape.gradient(out, v).numpy(), [part.numpy() for part in doubled(x, y)], power(tf.constant(2.0)).numpy())
    value, slopes = tf.value_and_gradient(lambda a, b: tf.reduce_sum(a * b), x, y, argnums=(0, 1))
    (told, names), slope = tf.value_and_gradient(lambda a: (tf.reduce_sum(a * a), {"norm": a}), x, has_aux=True)
    print(sorted(names), value.numpy(), slopes[1].numpy(), told.numpy(), slope.numpy())
    i, total = tf.while_loop(lambda i, t: i < 3, lambda i, t: (i + 1, t * 2.0), (0, tf.reduce_sum(x)))
    assert_type((i, total), tuple[tf.Tensor, tf.Tensor])
    sums = assert_type(tf.scan(lambda a, b: a + b, x), tf.Tensor)
    rows = assert_type(tf.map_fn(lambda row: (row, -row), x, fn_output_signature=(tf.float32, tf.float32)), tuple[tf.Tensor, tf.Tensor])
    kept = assert_type(tf.TensorArray(tf.float32, 2).write(0, x).write(1, y).stack(), tf.Tensor)
    print(total.numpy(), sums.numpy(), rows[1].numpy(), kept.shape.as_list(), tf.random.Generator.from_seed(1).normal([2]).shape.as_list())
    diagonal = tf.linalg.LinearOperatorDiag(x)
    print(diagonal.solvevec(y).numpy(), diagonal.log_abs_determinant().numpy())


if __name__ == "__main__":
    main()
