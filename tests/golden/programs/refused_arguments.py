"""Variables as arguments of functions that train them."""

from __future__ import annotations

from typing import Any

FACE = "v2"


def trained(tf: Any) -> dict[str, Any]:
    v1 = tf.compat.v1

    def steps(make: Any, as_argument: bool) -> Any:
        v, optimizer = tf.Variable([1.0, -2.0]), make()

        def step(w: Any) -> Any:
            with tf.GradientTape() as tape:
                y = tf.reduce_sum(w * w)
            optimizer.apply_gradients([(tape.gradient(y, w), w)])
            return y

        f = tf.function(step) if as_argument else tf.function(lambda: step(v))
        found = [f(v) if as_argument else f() for _ in range(3)]
        return [*found, v.numpy()]

    def two() -> Any:
        """Each call changes the variable that it is given."""
        a, b, optimizer = tf.Variable(1.0), tf.Variable(2.0), v1.train.GradientDescentOptimizer(0.25)

        @tf.function
        def step(w: Any) -> None:
            with tf.GradientTape() as tape:
                y = w * w
            optimizer.apply_gradients([(tape.gradient(y, w), w)])

        step(a)
        step(b)
        step(a)
        return [a.numpy(), b.numpy()]

    def changed() -> Any:
        v = tf.Variable(1.0)

        @tf.function
        def f(w: Any) -> Any:
            w.assign_add(1.0)
            return w.read_value()

        return [f(v), v.numpy(), f(v)]

    makers = {
        "descent": lambda: v1.train.GradientDescentOptimizer(0.25),
        "momentum": lambda: v1.train.MomentumOptimizer(0.1, 0.5),
        "adam": lambda: v1.train.AdamOptimizer(0.1),
        "adagrad": lambda: v1.train.AdagradOptimizer(0.1),
        "rmsprop": lambda: v1.train.RMSPropOptimizer(0.1),
        "keras descent": lambda: tf.keras.optimizers.SGD(0.25),
        "keras adam": lambda: tf.keras.optimizers.Adam(0.1),
    }
    answers = {
        f"{label} {'argument' if given else 'outside'}": lambda make=make, given=given: steps(make, given)
        for label, make in makers.items()
        for given in (True, False)
        if not (given and label.startswith("keras adam"))
    }
    return answers | {"two": two, "changed": changed}
