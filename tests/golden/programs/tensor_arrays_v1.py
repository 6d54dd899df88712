"""TensorArrays in TensorFlow 1's graphs: an element is written once, and read once unless it is kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.golden.programs.kit import Answers, raises

FACE = "v1"


def _asked(tf: Any, build: Callable[[], Any]) -> Any:
    """What a graph of its own gives where control flow is TensorFlow 1's."""
    tf.disable_control_flow_v2()
    try:
        with tf.Graph().as_default(), tf.Session() as session:
            return session.run(build())
    finally:
        tf.enable_control_flow_v2()


def _array(tf: Any, **options: Any) -> Any:
    return tf.TensorArray(tf.float32, **{"size": 2, **options})


def reading(tf: Any) -> Answers:
    def after(first: Any, then: Callable[[], Any]) -> list[Any]:
        with tf.control_dependencies([first]):
            return [first, then()]

    def twice(**options: Any) -> Any:
        ta = _array(tf, **options).write(0, 1.0).write(1, 2.0)
        return after(ta.read(0), lambda: ta.read(0))

    def others() -> Any:
        ta = _array(tf).unstack([1.0, 2.0])
        return [*after(ta.read(0), lambda: ta.read(1)), ta.size()]

    def written_again() -> Any:
        ta = _array(tf).write(0, 1.0).write(1, 2.0)
        return after(ta.read(0), lambda: ta.write(0, 5.0).read(1))

    def in_a_loop(**options: Any) -> Any:
        ta = _array(tf, **options).unstack([1.0, 2.0])
        return tf.while_loop(lambda i, s: i < 4, lambda i, s: (i + 1, s + ta.read(i % 2)), [0, 0.0])

    def once_in_a_loop() -> Any:
        x = tf.constant([1.0, 2.0, 3.0])
        ta = _array(tf, size=3).unstack(x)
        _, y = tf.while_loop(lambda i, s: i < 3, lambda i, s: (i + 1, s * ta.read(i)), [0, 1.0])
        return [y, tf.gradients(y, x)[0]]

    def collected() -> Any:
        x = tf.constant(1.5)
        _, ta = tf.while_loop(lambda i, ta: i < 3, lambda i, ta: (i + 1, ta.write(i, x ** tf.cast(i, tf.float32))), [0, _array(tf, size=3)])
        y = ta.stack()
        return [y, tf.gradients(y, x)[0]]

    def two(method: str, other: str, *args: Any) -> Callable[[], Any]:
        def build() -> Any:
            ta = _array(tf).unstack([[1.0], [2.0]])
            arguments = {"read": (0,), "gather": ([0, 1],), "stack": (), "concat": ()}
            return after(getattr(ta, method)(*arguments[method]), lambda: getattr(ta, other)(*arguments[other]))

        return build

    cleared = "Could not read index 0 twice because it was cleared"
    found: Answers = {
        "twice": raises(lambda: _asked(tf, twice), cleared),
        "twice, kept": lambda: _asked(tf, lambda: twice(clear_after_read=False)),
        "others": lambda: _asked(tf, others),
        "written again": raises(lambda: _asked(tf, written_again), "has already been"),
        "in a loop": raises(lambda: _asked(tf, in_a_loop), "twice because it was cleared"),  # at whichever index comes first
        "in a loop, kept": lambda: _asked(tf, lambda: in_a_loop(clear_after_read=False)),
        "once in a loop": lambda: _asked(tf, once_in_a_loop),
        "collected": lambda: _asked(tf, collected),
    }
    methods = ("read", "gather", "stack", "concat")
    return found | {f"{a}, then {b}": raises(lambda a=a, b=b: _asked(tf, two(a, b)), cleared) for a in methods for b in methods}


def in_functions(tf: Any) -> Answers:
    @tf.function
    def twice(x: Any) -> Any:
        ta = tf.TensorArray(tf.float32, 2).unstack(x)
        return ta.read(0) + ta.read(0) * ta.read(1)

    return {"read twice": lambda: _asked(tf, lambda: twice(tf.constant([3.0, 4.0])))}
