"""Gradients of functions: tapes outside, inside and across, `tf.gradients` inside, first to third order, sparse ones, variables."""

from __future__ import annotations

from typing import Any

from tests.golden.programs.kit import Answers

FACE = "v2"


def _orders(tf: Any, f: Any, x: Any, count: int) -> list[Any]:
    """The value and the derivatives up to an order, by nested tapes."""
    if count == 0:
        return [f(x)]
    with tf.GradientTape() as tape:
        tape.watch(x)
        found = _orders(tf, f, x, count - 1)
    return [*found, tape.gradient(found[-1], x)]


def orders(tf: Any) -> Answers:
    x = tf.constant([0.5, 1.5])
    bodies = {
        "sin of square": lambda x: tf.sin(x * x),
        "exp times": lambda x: tf.exp(x) * x,
        "softmax": lambda x: tf.nn.softmax(x * x) * x,
        "matmul": lambda x: tf.matmul(tf.tensordot(x, x, 0), tf.tensordot(x, x, 0)),
        "gather": lambda x: tf.gather(x * x * x, [1, 1, 0]),
        "where": lambda x: tf.where(x > 1.0, x**3, tf.sin(x)),
        "cumsum": lambda x: tf.cumsum(x**3),
        "several uses": lambda x: x * tf.reduce_sum(x) * tf.reduce_prod(x),
        "two functions": lambda x, g=tf.function(lambda y: y * y * y): g(tf.function(tf.tanh)(x)),
        "unknown dimension": tf.function(lambda x: tf.sin(x) * tf.reduce_mean(x**3), input_signature=[tf.TensorSpec([None])]),
        "unknown rank": tf.function(lambda x: tf.reduce_sum(tf.exp(x)) * x, input_signature=[tf.TensorSpec(None)]),
        "float64": lambda x: tf.cast(tf.sin(tf.cast(x, tf.float64)), tf.float32),
    }
    return {label: (lambda f=f: _orders(tf, tf.function(f) if not hasattr(f, "input_signature") else f, x, 3)) for label, f in bodies.items()}


def tapes(tf: Any) -> Answers:
    x = tf.constant(2.0)

    def inside() -> Any:
        @tf.function
        def f(x: Any) -> Any:
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = x**3
            return tape.gradient(y, x)

        return [f(x), *_orders(tf, f, x, 2)]

    def twice_inside() -> Any:
        @tf.function
        def f(x: Any) -> Any:
            with tf.GradientTape() as outer:
                outer.watch(x)
                with tf.GradientTape() as inner:
                    inner.watch(x)
                    y = tf.exp(x) * x
                g = inner.gradient(y, x)
            return g, outer.gradient(g, x)

        return f(x)

    def across() -> Any:
        v = tf.Variable(3.0)

        @tf.function
        def square() -> Any:
            return v * v

        @tf.function
        def f() -> Any:
            with tf.GradientTape() as tape:
                y = square() * v
            return tape.gradient(y, v)

        with tf.GradientTape() as tape:
            g = f()
        return [g, tape.gradient(g, v)]

    def captured() -> Any:
        a = tf.constant(3.0)
        f = tf.function(lambda x: x * a * a)
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(a)
            y = f(x)
            z = y * y
        return [tape.gradient(y, a), tape.gradient(z, a), tape.gradient(y, x)]

    def persistent() -> Any:
        f = tf.function(lambda x: (x * x, x * 3.0, tf.stop_gradient(x)))
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            a, b, c = f(x)
        return [tape.gradient(a, x), tape.gradient(b, x), tape.gradient(c, x), tape.gradient([a, b], x)]

    def gradients_inside() -> Any:
        @tf.function
        def f(x: Any) -> Any:
            y = tf.sin(x) * x
            g = tf.gradients(y, x)[0]
            return g, tf.gradients(g, x)[0]

        return [*f(x), _orders(tf, lambda x: f(x)[1], x, 1)]

    def unused() -> Any:
        f = tf.function(lambda x, y: x * 2.0)
        y = tf.constant(1.0)
        with tf.GradientTape() as tape:
            tape.watch([x, y])
            z = f(x, y)
        return tape.gradient(z, [x, y])

    def integers() -> Any:
        f = tf.function(lambda x, n: x * tf.cast(n, tf.float32))
        n = tf.constant(3)
        with tf.GradientTape() as tape:
            tape.watch(x)
            z = f(x, n)
        return tape.gradient(z, x)

    def second_of_one_output() -> Any:
        f = tf.function(lambda x: {"a": [x**2, x**3]})
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as inner:
                inner.watch(x)
                y = f(x)["a"][1]
            g = inner.gradient(y, x)
        return outer.gradient(g, x)

    def output_gradients() -> Any:
        f = tf.function(lambda x: (x * x, x * 3.0))
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(x)
        return tape.gradient(y, x, output_gradients=(tf.constant(2.0), tf.constant(5.0)))

    return {
        "inside": inside,
        "twice inside": twice_inside,
        "across": across,
        "captured tensor": captured,
        "persistent": persistent,
        "tf.gradients inside": gradients_inside,
        "unused argument": unused,
        "integers beside": integers,
        "second order of one output": second_of_one_output,
        "output_gradients": output_gradients,
    }


def variables(tf: Any) -> Answers:
    def watched() -> Any:
        a, b, c = tf.Variable(1.0, name="a"), tf.Variable(2.0, trainable=False), tf.Variable(3.0, name="c")
        f = tf.function(lambda x: x * a * b + c)
        with tf.GradientTape() as tape:
            y = f(tf.constant(2.0))
        return [[v.name for v in tape.watched_variables()], tape.gradient(y, [a, b, c])]

    def not_watched() -> Any:
        a = tf.Variable(2.0)
        f = tf.function(lambda: a * a)
        with tf.GradientTape(watch_accessed_variables=False) as tape:
            y = f()
        return tape.gradient(y, a)

    def as_argument() -> Any:
        a = tf.Variable(2.0)
        f = tf.function(lambda v: v * v)
        with tf.GradientTape() as tape:
            y = f(a)
        return tape.gradient(y, a)

    def assigned() -> Any:
        a = tf.Variable(2.0)

        @tf.function
        def f(x: Any) -> Any:
            y = a * x
            a.assign(10.0)
            return y + a * x * x

        with tf.GradientTape() as tape:
            y = f(tf.constant(3.0))
        return [y, tape.gradient(y, a), a]

    def hessian() -> Any:
        a, b = tf.Variable(2.0), tf.Variable(3.0)
        f = tf.function(lambda: a * a * b)
        with tf.GradientTape(persistent=True) as outer:
            with tf.GradientTape() as inner:
                y = f()
            ga, gb = inner.gradient(y, [a, b])
        return [outer.gradient(ga, [a, b]), outer.gradient(gb, [a, b])]

    def sparse() -> Any:
        table = tf.Variable(tf.ones([4, 2]))
        f = tf.function(lambda i: tf.reduce_sum(tf.gather(table, i) ** 2))
        with tf.GradientTape() as tape:
            y = f(tf.constant([1, 3, 1]))
        return tape.gradient(y, table)

    def sparse_inside() -> Any:
        table = tf.Variable(tf.ones([4, 2]))

        @tf.function
        def f(i: Any) -> Any:
            with tf.GradientTape() as tape:
                y = tf.reduce_sum(tf.gather(table, i) ** 3)
            return tape.gradient(y, table)

        return f(tf.constant([1, 3, 1]))

    def training() -> Any:
        w, b = tf.Variable([[1.0], [-1.0]]), tf.Variable([0.5])
        xs, ys = tf.constant([[1.0, 2.0], [3.0, -1.0], [0.5, 0.5]]), tf.constant([[1.0], [0.0], [2.0]])

        @tf.function
        def step(xs: Any, ys: Any) -> Any:
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean((tf.matmul(xs, w) + b - ys) ** 2)
            for v, g in zip([w, b], tape.gradient(loss, [w, b])):
                v.assign_sub(0.1 * g)
            return loss

        return [[step(xs, ys) for _ in range(5)], w, b]

    def optimizer() -> Any:
        w = tf.Variable([1.0, 2.0])
        adam = tf.keras.optimizers.Adam(0.1)

        @tf.function
        def step() -> Any:
            with tf.GradientTape() as tape:
                loss = tf.reduce_sum(w**2)
            adam.apply_gradients([(tape.gradient(loss, w), w)])
            return loss

        return [[step() for _ in range(4)], w]

    return {
        "watched in order of reading": watched,
        "not watched": not_watched,
        "as an argument": as_argument,
        "assigned inside": assigned,
        "hessian": hessian,
        "sparse": sparse,
        "sparse inside": sparse_inside,
        "training": training,
        "keras optimizer": optimizer,
    }
