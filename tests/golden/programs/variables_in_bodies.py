"""TensorFlow 1 variables made inside branches, loops and maps: they belong to the graph outside, and gradients reach them from both."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.golden.programs.kit import Answers, raises, run_all

FACE = "v1"


def _ways(tf: Any) -> dict[str, Callable[[Any], Any]]:
    return {
        "cond": lambda f: tf.cond(tf.constant(1.0) > 0.0, f, lambda: tf.zeros([2])),
        "while_loop": lambda f: tf.while_loop(lambda i, s: i < 3, lambda i, s: (i + 1, s + f()), [0, tf.zeros([2])])[1],
        "map_fn": lambda f: tf.map_fn(lambda x: x * f(), tf.constant([1.0, 2.0])),
        "scan": lambda f: tf.scan(lambda a, x: a + x * f(), tf.constant([1.0, 2.0]), initializer=tf.zeros([2])),
        "vectorized_map": lambda f: tf.vectorized_map(lambda x: x * f(), tf.constant([1.0, 2.0])),
    }


def _squared(tf: Any, use_resource: bool) -> Any:
    with tf.variable_scope("scope", reuse=tf.AUTO_REUSE):
        v = tf.get_variable("v", initializer=[0.5, 1.5], use_resource=use_resource)
    return v * v


def made(tf: Any) -> Answers:
    def outside(way: Any, use_resource: bool) -> Any:
        with tf.Graph().as_default():
            y = way(lambda: _squared(tf, use_resource))
            variables = tf.trainable_variables()
            return [[v.name for v in variables], run_all(tf, [y, *tf.gradients(y, variables)])]

    def inside(way: Any, use_resource: bool) -> Any:
        with tf.Graph().as_default():
            return run_all(tf, [way(lambda: tf.gradients(_squared(tf, use_resource), tf.trainable_variables())[0])])

    return {
        f"{label}, {kind}, {where.__name__}": (lambda way=way, kind=kind, where=where: where(way, kind == "resource"))
        for label, way in _ways(tf).items()
        for kind in ("resource", "ref")
        for where in (outside, inside)
    }


def initial_values(tf: Any) -> Answers:
    def of(make: Callable[[Any], Any]) -> Callable[[], Any]:
        def answer() -> Any:
            with tf.Graph().as_default():
                x = tf.ones([2])
                y = tf.cond(x[0] > 0.0, lambda: make(x) * 2.0, lambda: x)
                return [len(tf.global_variables()), run_all(tf, [y])]

        return answer

    return {
        "numbers": of(lambda x: tf.Variable([1.0, 2.0])),
        "a function": of(lambda x: tf.Variable(lambda: tf.ones([2]))),
        "a tensor from outside": of(lambda x: tf.Variable(x)),
        "a function of it": of(lambda x: tf.Variable(lambda: x * 2.0)),
        "a tensor of the branch": raises(of(lambda x: tf.Variable(x + 1.0))),
    }
