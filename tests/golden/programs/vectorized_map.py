"""`vectorized_map` beyond values: where TensorFlow's fails or forgets, what is random, what has effects, control flow in Python."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.golden.programs.kit import ours, raised, raises

FACE = "v2"
X = np.float32([[1.0, 2.0], [3.0, 0.4], [0.5, 6.0], [-1.0, -2.0]])
S = np.float32([0.5, -1.5, 2.0])


def elems(tf: Any) -> dict[str, Any]:
    x = tf.constant(X)
    return {
        "a variable": lambda: tf.vectorized_map(lambda r: r * 2.0, tf.Variable(X)),
        "an array": lambda: tf.vectorized_map(lambda r: r * 2.0, X),
        "None among results": lambda: tf.vectorized_map(lambda r: (r, None), x),
        "no result": lambda: tf.vectorized_map(lambda r: None, x),
        "sparse results are made dense": lambda: tf.vectorized_map(
            lambda r: tf.IndexedSlices(tf.expand_dims(r, 0), tf.constant([1]), tf.constant([2, 2])), x
        ),
        "options": lambda: tf.vectorized_map(lambda r: r + 1.0, x, fallback_to_while_loop=False, warn=False),
        "none at all": raises(lambda: tf.vectorized_map(lambda r: r, ()), otherwise=("ValueError",)),
        "a scalar": raises(lambda: tf.vectorized_map(lambda r: r, tf.constant(1.0))),
        "numbers in a list": raises(lambda: tf.vectorized_map(lambda r: r, [1.0, 2.0])),
        "sizes that differ": raises(lambda: tf.vectorized_map(lambda r: r[0] * r[1], (x, x[:2])), "is not in [0, 2)"),
        "no rows and one": raises(lambda: tf.vectorized_map(lambda r: r[0] * r[1], (x[:0], x[:1])), "is not in [0, 0)"),
        "shapes that differ": raises(lambda: tf.vectorized_map(tf.range, tf.constant([1, 2])), otherwise=("ValueError",)),
        "no function": raises(lambda: tf.vectorized_map(3, x)),
    }


def python(tf: Any) -> dict[str, Any]:
    def branch(r: Any) -> Any:
        if r[0] > 1.0:
            return r * 2.0
        return -r

    def loop(r: Any) -> Any:
        total = r[0]
        for i in tf.range(3):
            total += r[1] * tf.cast(i, tf.float32)
        return total

    def collatz(n: Any) -> Any:
        steps = 0
        while n != 1:
            n = n // 2 if n % 2 == 0 else 3 * n + 1
            steps += 1
        return steps

    x = tf.constant(X)
    inside = tf.function(lambda: tf.vectorized_map(branch, x))
    numbers = tf.constant([1, 2, 3, 7])
    return {
        "if": ours(np.where(X[:, :1] > 1.0, X * 2.0, -X), lambda: tf.vectorized_map(branch, x)),
        "for": ours(X[:, 0] + 3.0 * X[:, 1], lambda: tf.vectorized_map(loop, x)),
        "while": ours(np.int32([0, 1, 7, 16]), lambda: tf.vectorized_map(collatz, numbers)),
        "if, in a function": ours(np.where(X[:, :1] > 1.0, X * 2.0, -X), lambda: inside()),
        "py_function": lambda: tf.vectorized_map(lambda r: tf.py_function(lambda a: a * 2.0, [r], tf.float32), x),
        "numpy_function": lambda: tf.vectorized_map(lambda r: tf.numpy_function(lambda a: a * 2.0, [r], tf.float32), x),
        "py_function without fallback": ours(
            X * 2, lambda: tf.vectorized_map(lambda r: tf.py_function(lambda a: a * 2.0, [r], tf.float32), x, fallback_to_while_loop=False)
        ),
    }


def random(tf: Any) -> dict[str, Any]:
    x = tf.constant(X)

    def different(rows: Any) -> bool:
        return len({tuple(np.ravel(r)) for r in np.asarray(rows)}) == len(np.asarray(rows))

    alpha = tf.constant([0.5, 2.0, 3.0])
    generator = tf.random.Generator.from_seed(1)
    return {
        "uniform": lambda: different(tf.vectorized_map(lambda r: tf.random.uniform([3]), x)),
        "normal": lambda: different(tf.vectorized_map(lambda r: r + tf.random.normal([2]), x)),
        "integers": lambda: different(tf.vectorized_map(lambda r: tf.random.uniform([9], maxval=1000, dtype=tf.int32), x)),
        "gamma": lambda: different(tf.vectorized_map(lambda a: tf.random.gamma([2], a), alpha)),
        "poisson": lambda: tf.vectorized_map(lambda a: tf.random.poisson([5], a), alpha).shape,
        "shuffle": lambda: sorted(np.ravel(tf.vectorized_map(lambda r: tf.random.shuffle(tf.range(4)), x)).tolist()),
        "categorical": lambda: tf.vectorized_map(lambda r: tf.random.categorical(r[None], 5), x).shape,
        "dropout": lambda: different(tf.vectorized_map(lambda r: tf.nn.dropout(tf.ones([30]), 0.5), x)),
        "a generator": lambda: different(tf.vectorized_map(lambda r: generator.uniform([2]), x)),
        "stateless": lambda: tf.vectorized_map(lambda r: tf.random.stateless_uniform([2], [1, 2]), x),
        "stateless, seeds of rows": lambda: tf.vectorized_map(lambda r: tf.random.stateless_uniform([2], tf.cast(r, tf.int32)), x),
    }


def effects(tf: Any) -> dict[str, Any]:
    x = tf.constant(X)
    v = tf.Variable(0.0)

    def once() -> Any:
        v.assign(0.0)
        tf.vectorized_map(lambda r: (v.assign_add(1.0), r)[1], x)
        return v.read_value()

    def in_turn() -> Any:
        v.assign(0.0)
        return tf.vectorized_map(lambda r: v.assign_add(r[1]) + 0.0, x)

    def checked(r: Any) -> Any:
        tf.debugging.assert_positive(r)
        return r

    return {
        "what no row makes different": once,
        "rows that write": ours(np.float32([2.0, 2.4, 8.4, 6.4]), in_turn),
        "a check": ours(raised("InvalidArgumentError", says=("x > 0 did not hold",)), raises(lambda: tf.vectorized_map(checked, x))),
        "a check that holds": lambda: tf.vectorized_map(checked, x * x),
    }


def gradients(tf: Any) -> dict[str, Any]:
    x = tf.constant(X)
    s = tf.constant(S)

    @tf.custom_gradient
    def hundredfold(a: Any) -> Any:
        return a * a, lambda g: g * 100.0

    def slope(f: Any) -> Any:
        def inside(r: Any) -> Any:
            with tf.GradientTape() as tape:
                tape.watch(r)
                y = f(r)
            return tape.gradient(y, r)

        return inside

    def outside(f: Any, at: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(at)
            y = tf.vectorized_map(f, at)
        return tape.gradient(y, at)

    def branch(a: Any) -> Any:
        return tf.cond(a > 0.0, lambda: tf.math.log(a) * a, lambda: a * a)

    def steps(a: Any) -> Any:
        return tf.while_loop(lambda i, b: i < 2, lambda i, b: (i + 1, b * b), (tf.constant(0), a))[1]

    def until(a: Any) -> Any:
        return tf.while_loop(lambda b: b < 10.0, lambda b: (b * b + 1.0,), (a,))[0]

    def nested(r: Any) -> Any:
        return tf.vectorized_map(lambda a: branch(a) * tf.reduce_sum(r), r)

    log = np.float32(np.where(S > 0, np.log(np.abs(S)) + 1, 2 * S))
    return {
        "one's own, inside": lambda: tf.vectorized_map(slope(hundredfold), x),
        "one's own, outside": ours(np.full_like(X, 100.0), lambda: outside(hundredfold, x)),
        "a branch, outside": lambda: outside(branch, s),
        "a branch, inside": ours(log, lambda: tf.vectorized_map(slope(branch), s)),
        "a loop, outside": lambda: outside(steps, s),
        "a loop, inside": ours(np.float32(4 * S**3), lambda: tf.vectorized_map(slope(steps), s)),
        "a loop until a row's own end, outside": lambda: outside(until, s),
        "a loop until a row's own end, inside": ours(
            np.float32([slope_until(float(v)) for v in S]), lambda: tf.vectorized_map(slope(until), s)
        ),
        "a branch in a map in a map": ours(
            np.float32([[branched(float(v)) * float(r.sum()) for v in r] for r in X]), lambda: tf.vectorized_map(nested, x)
        ),
        "to second order": lambda: tf.vectorized_map(slope(lambda r: tf.reduce_sum(slope(lambda q: tf.reduce_sum(q**3))(r) ** 2)), x),
    }


def branched(a: float) -> float:
    return float(np.log(a)) * a if a > 0 else a * a


def slope_until(a: float) -> float:
    slope = 1.0
    while a < 10.0:
        a, slope = a * a + 1.0, slope * 2.0 * a
    return slope
