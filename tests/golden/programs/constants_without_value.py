"""Operations of constants that have no value: a graph with them can be built, and only a run that comes to them fails, at the operation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

FACE = "v1"
#: What TensorFlow refuses before anything runs: it has no kernel for it.
_BEFORE = ("cast",)


def _calls(tf: Any) -> dict[str, Callable[[], Any]]:
    return {
        "floordiv": lambda: tf.floordiv(1, 0),
        "floormod": lambda: tf.mod(1, 0),
        "gather": lambda: tf.gather([1], 5),
        "gather_nd": lambda: tf.gather_nd([1], [[7]]),
        "scatter_nd": lambda: tf.scatter_nd([[7]], [1], [3]),
        "sparse_to_dense": lambda: tf.sparse_to_dense([5], [3], 1),
        "decode_csv": lambda: tf.decode_csv(tf.constant("a"), [[0]])[0],
        "reverse_sequence": lambda: tf.reverse_sequence([[1, 2]], [5], 1, 0),
        "bincount": lambda: tf.bincount([-1]),
        "cast": lambda: tf.cast("a", tf.int32),
        "string_to_number": lambda: tf.string_to_number("a", tf.int32),
        "invert_permutation": lambda: tf.invert_permutation([0, 0]),
        "segment_sum": lambda: tf.segment_sum([1, 2], [1, 0]),
        "dynamic_stitch": lambda: tf.dynamic_stitch([[0], [-1]], [[1], [2]]),
        "unravel_index": lambda: tf.unravel_index([9], [3]),
        "in a loop": lambda: tf.while_loop(lambda i: i < 3, lambda i: i + tf.gather([1], 5), [0]),
    }


def at_runs(tf: Any) -> dict[str, Any]:
    def run(call: Callable[[], Any]) -> list[Any]:
        with tf.Graph().as_default(), tf.Session() as session:
            result = call()
            try:
                return [session.run(result)]
            except tf.errors.OpError as error:
                return [type(error).__name__, error.op.type]

    def in_a_branch(call: Callable[[], Any]) -> list[Any]:
        with tf.Graph().as_default(), tf.Session() as session:
            taken = tf.placeholder_with_default(False, [])
            result = tf.cond(taken, lambda: tf.cast(tf.reduce_sum(call()), tf.float32), lambda: 2.0)
            values = [session.run(result)]
            try:
                return [*values, session.run(result, {taken: True})]
            except tf.errors.OpError as error:
                return [*values, type(error).__name__]

    calls = _calls(tf)
    whole = {name: lambda call=call: run(call) for name, call in calls.items() if name != "in a loop"}
    return {**whole, **{f"{name} in a branch": lambda call=call: in_a_branch(call) for name, call in calls.items() if name not in _BEFORE}}


def in_functions(tf: Any) -> dict[str, Any]:
    def answer(call: Callable[[], Any]) -> list[Any]:
        with tf.Graph().as_default(), tf.Session() as session:
            taken = tf.placeholder_with_default(False, [])
            result = tf.function(lambda x: tf.cond(x, lambda: tf.reduce_sum(call()), lambda: 7))(taken)
            return [session.run(result)]

    return {name: lambda call=call: answer(call) for name, call in _calls(tf).items() if name not in _BEFORE}
