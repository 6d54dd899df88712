"""Names of what branches and loops give in a graph."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .kit import Answers

FACE = "v1"


def _names(tf: Any, make: Callable[[Any, Any, Any], Any]) -> list[str]:
    with tf.Graph().as_default():
        x = tf.placeholder(tf.float32, [2], name="x")
        holds, number = tf.placeholder(tf.bool, [], name="holds"), tf.placeholder(tf.int32, [], name="number")
        found = make(x, holds, number)
        return [t.name for t in (found if isinstance(found, (list, tuple)) else [found])]


def results(tf: Any) -> Answers:
    """Each result of a branch or a loop is an operation, named after it."""

    def twice(x: Any, holds: Any, number: Any) -> list[Any]:
        return [tf.cond(holds, lambda: x * 2.0, lambda: x), tf.cond(holds, lambda: x, lambda: x * 3.0)]

    def nested(x: Any, holds: Any, number: Any) -> Any:
        with tf.name_scope("outer"):
            return tf.cond(holds, lambda: tf.cond(number > 1, lambda: x, lambda: x + 1.0), lambda: x)

    made: dict[str, Callable[[Any, Any, Any], Any]] = {
        "cond": lambda x, holds, number: tf.cond(holds, lambda: x * 2.0, lambda: x),
        "cond of two": lambda x, holds, number: tf.cond(holds, lambda: (x * 2.0, x), lambda: (x, x)),
        "cond with a name": lambda x, holds, number: tf.cond(holds, lambda: x * 2.0, lambda: x, name="mine"),
        "two conds": twice,
        "cond in a cond": nested,
        "case": lambda x, holds, number: tf.case([(holds, lambda: x * 2.0), (number > 1, lambda: x)], default=lambda: x),
        "switch_case": lambda x, holds, number: tf.switch_case(number, [lambda: x * 2.0, lambda: x]),
        "while_loop": lambda x, holds, number: tf.while_loop(lambda k, y: k < 3, lambda k, y: (k + 1, y * x), [number, x]),
        "while_loop with a name": lambda x, holds, number: tf.while_loop(lambda k: k < 3, lambda k: k + 1, [number], name="mine"),
        "while_loop with a limit": lambda x, holds, number: tf.while_loop(
            lambda k: k < 3, lambda k: k + 1, [number], maximum_iterations=2
        ),
        "map_fn": lambda x, holds, number: tf.map_fn(lambda a: a * 2.0, x),
        "scan": lambda x, holds, number: tf.scan(lambda a, b: a + b, x),
    }  # fmt: skip
    return {name: _names(tf, make) for name, make in made.items()}


def in_functions(tf: Any) -> Answers:
    """In a function too, where statements are branches and loops."""

    def traced(f: Callable[..., Any]) -> list[str]:
        found: list[str] = []

        @tf.function(autograph=False)
        def g(x: Any) -> Any:
            y = f(x)
            found.append(y.name)
            return y

        g.get_concrete_function(tf.TensorSpec([2], tf.float32))
        return found

    return {
        "cond": traced(lambda x: tf.cond(x[0] > 0.0, lambda: x, lambda: -x)),
        "while_loop": traced(lambda x: tf.while_loop(lambda y: y[0] < 3.0, lambda y: (y * x,), [x])[0]),
    }
