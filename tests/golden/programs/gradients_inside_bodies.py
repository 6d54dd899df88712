"""`tf.gradients` inside the bodies of functions, branches and loops, of what lies outside them: it goes on through what bodies capture."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.golden.programs.kit import Answers, run_all

FACE = "v1"
Made = Callable[[], Any]


def _within(tf: Any) -> dict[str, Callable[[Made], Any]]:
    """Ways to compute something inside a body: each takes a function without arguments that makes a `[2]` tensor."""
    return {
        "function": lambda f: tf.function(f)(),
        "function in a function": lambda f: tf.function(lambda: 2.0 * tf.function(f)())(),
        "cond": lambda f: tf.cond(tf.constant(1.0) > 0.0, f, lambda: tf.zeros([2])),
        "case": lambda f: tf.case([(tf.constant(1.0) < 0.0, lambda: tf.zeros([2]))], default=f),
        "switch_case": lambda f: tf.switch_case(tf.constant(1), [lambda: tf.zeros([2]), f]),
        "while_loop": lambda f: tf.while_loop(lambda i, s: i < 3, lambda i, s: (i + 1, s * 0.5 + f()), [0, tf.zeros([2])])[1],
        "map_fn": lambda f: tf.map_fn(lambda i: i * f(), tf.constant([1.0, 2.0])),
        "scan": lambda f: tf.scan(lambda s, i: s + i * f(), tf.constant([1.0, 2.0]), initializer=tf.zeros([2])),
        "foldl": lambda f: tf.foldl(lambda s, i: s + i * f(), tf.constant([1.0, 2.0]), initializer=tf.zeros([2])),
        "vectorized_map": lambda f: tf.vectorized_map(lambda i: i * f(), tf.constant([1.0, 2.0])),
        "cond in a loop": lambda f: tf.while_loop(
            lambda i, s: i < 2, lambda i, s: (i + 1, tf.cond(s[0] < 9.0, lambda: s + f(), lambda: s)), [0, tf.zeros([2])]
        )[1],
        "loop in a function": lambda f: tf.function(
            lambda: tf.while_loop(lambda i, s: i < 2, lambda i, s: (i + 1, s + f()), [0, tf.zeros([2])])[1]
        )(),
        "map in a cond": lambda f: tf.cond(
            tf.constant(1.0) > 0.0, lambda: tf.map_fn(lambda i: i * f(), tf.ones([2])), lambda: tf.zeros([2, 2])
        ),
    }


def _each(tf: Any, make: Callable[[], list[Made]]) -> Answers:
    """Every way, for each of the functions that `make` gives once its graph is there."""

    def answer(way: Callable[[Made], Any]) -> Any:
        with tf.Graph().as_default():
            return run_all(tf, [way(f) for f in make()])

    return {label: (lambda way=way: answer(way)) for label, way in _within(tf).items()}


def of_outer_operations(tf: Any) -> Answers:
    def make() -> list[Made]:
        a, b = tf.constant([3.0, 0.5]), tf.constant([2.0, -1.0])
        c = tf.sin(a * b)
        d = tf.reduce_sum(c * a)
        return [
            lambda: tf.gradients(c, a)[0],
            lambda: tf.gradients([tf.identity(a), tf.identity(c), a], [a])[0],
            lambda: tf.gradients(c * c * a, [c])[0] + tf.gradients(c * c * a, [a])[0],
            lambda: tf.add_n(tf.gradients(c * c * a, [a, c])),
            lambda: tf.gradients(d * c, a, grad_ys=[a])[0],
            lambda: tf.gradients(d * c, a, stop_gradients=[c])[0],
            lambda: tf.gradients(tf.gradients(d * c, a)[0], b)[0],
            lambda: tf.reduce_sum(tf.hessians(d, a)[0], 0),
            lambda: tf.gradients(tf.stop_gradient(c), a, unconnected_gradients="zero")[0],
            lambda: tf.gradients(c[0], a)[0],
            lambda: tf.gradients(tf.gather(c, [1, 1]), a)[0],
        ]

    return _each(tf, make)


def of_outer_variables(tf: Any) -> Answers:
    def make() -> list[Made]:
        v = tf.get_variable("v", initializer=[0.5, 1.5], use_resource=True)
        w = tf.get_variable("w", initializer=[[0.5, 1.5], [0.2, 0.1]], use_resource=True)
        y = tf.sin(v) * v
        z = tf.reduce_sum(tf.gather(w, [1, 0, 1]), 0) * y
        return [
            lambda: tf.gradients(y, v)[0],
            lambda: tf.gradients(y * v, v)[0],
            lambda: tf.gradients(v * v, v)[0],
            lambda: tf.reduce_sum(tf.convert_to_tensor(tf.gradients(z, w)[0]), 0),
            lambda: tf.gradients(tf.gradients(y, v)[0], v)[0],
            lambda: tf.gradients(z, [v, y])[0] + tf.gradients(z, [v, y])[1],
        ]

    return _each(tf, make)


def of_outer_ref_variables(tf: Any) -> Answers:
    def make() -> list[Made]:
        v = tf.get_variable("v", initializer=[0.5, 1.5], use_resource=False)
        y = tf.sin(v) * v
        return [lambda: tf.gradients(y, v)[0], lambda: tf.gradients(y * v, v)[0], lambda: tf.gradients(v * v, v)[0]]

    return {label: answer for label, answer in _each(tf, make).items() if "function" not in label}


def of_outer_bodies(tf: Any) -> Answers:
    """What is differentiated from inside was itself made by a loop, a branch or a function outside."""

    def make() -> list[Made]:
        a, b = tf.constant([0.7, 0.5]), tf.constant([1.2, -1.0])
        loop = tf.while_loop(lambda i, s: i < 3, lambda i, s: (i + 1, tf.sin(s) * b), [0, a])[1]
        branch = tf.cond(a[0] > 0.0, lambda: a * a * b, lambda: b)
        mapped = tf.map_fn(lambda x: tf.sin(x) * b[0], a)
        called = tf.function(lambda x: tf.exp(x) * b)(a)
        return [
            lambda: tf.gradients(loop, a)[0],
            lambda: tf.gradients(loop * b, b)[0],
            lambda: tf.gradients(branch, a)[0],
            lambda: tf.gradients(mapped, a)[0],
            lambda: tf.gradients(called * called, a)[0],
            lambda: tf.gradients(tf.gradients(loop * branch, a)[0], b)[0],
        ]

    return _each(tf, make)


def with_inner_operations(tf: Any) -> Answers:
    """Paths that leave the body and paths that stay in it, and tensors of the body itself among the sources."""

    def make() -> list[Made]:
        a = tf.constant([0.7, 0.5])
        c = tf.exp(a) * a

        def mixed() -> Any:
            inner = tf.sin(c) * a
            ga, gc, gi = tf.gradients(inner * c * a, [a, c, inner])
            return ga + 10.0 * gc + 100.0 * gi

        def inner_loop() -> Any:
            y = tf.while_loop(lambda i, s: i < 2, lambda i, s: (i + 1, s * c), [0, a])[1]
            return tf.gradients(y, a)[0]

        def inner_cond() -> Any:
            y = tf.cond(c[0] > 0.0, lambda: c * a * a, lambda: a)
            return tf.gradients(y, a)[0] + tf.gradients(y, c)[0]

        def inner_function() -> Any:
            return tf.gradients(tf.function(lambda x: x * c)(tf.sin(a)), a)[0]

        return [mixed, inner_loop, inner_cond, inner_function]

    return _each(tf, make)


def differentiated_again(tf: Any) -> Answers:
    """The result of a body that took a gradient of what is outside, differentiated outside."""

    def answer(way: Callable[[Made], Any]) -> Any:
        with tf.Graph().as_default():
            a, b = tf.constant([0.7, 0.5]), tf.constant([1.2, -1.0])
            c = tf.sin(a * b) * a
            y = way(lambda: tf.gradients(c * a, a)[0])
            first = tf.gradients(y, [a, b])
            return run_all(tf, [y, *first, *tf.gradients(first[0], [a, b])])

    return {label: (lambda way=way: answer(way)) for label, way in _within(tf).items()}


def rows_of_a_jacobian(tf: Any) -> Answers:
    def answer(by: Callable[[Any, Any], Any]) -> Any:
        with tf.Graph().as_default():
            x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
            y = tf.reshape(tf.matmul(x, tf.sin(x)), [4])
            return run_all(tf, [by(lambda i: tf.gradients(y[i], x)[0], tf.range(4))])

    return {
        "vectorized_map": lambda: answer(tf.vectorized_map),
        "map_fn": lambda: answer(lambda f, n: tf.map_fn(f, n, dtype=tf.float32)),
        "scan": lambda: answer(lambda f, n: tf.scan(lambda s, i: s + f(i), n, initializer=tf.zeros([2, 2]))),
        "while_loop": lambda: answer(
            lambda f, n: tf.while_loop(lambda i, s: i < 4, lambda i, s: (i + 1, s + f(i)), [0, tf.zeros([2, 2])])[1]
        ),
    }
