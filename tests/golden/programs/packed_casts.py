"""Lists that hold tensors take the dtype that is wanted, and branches give slices of one kind of index."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.golden.programs.kit import Answers

FACE = "v2"


def both(tf: Any, calls: dict[str, Callable[[], Any]]) -> Answers:
    return calls | {f"{name}, in a function": (lambda call=call: tf.function(call)()) for name, call in calls.items()}


def packed(tf: Any) -> Answers:
    place, four = tf.constant([[1]], tf.int64), tf.constant(4)
    calls = {
        "shape": lambda: tf.scatter_nd(place, [1.0], (four,)),
        "shape with a number": lambda: tf.scatter_nd(place, [[1.0, 1.0]], (four, 2)),
        "wider": lambda: tf.convert_to_tensor([four, four], dtype=tf.int64),
        "floating": lambda: tf.convert_to_tensor([[four], [four]], dtype=tf.float32),
        "sum": lambda: tf.constant([1, 2], tf.int64) + [four, four],
        "concat": lambda: tf.concat([tf.constant([1], tf.int64), [four]], 0),
        "where": lambda: tf.where([True], tf.constant([1], tf.int64), [four]),
    }
    return both(tf, calls)


def branches(tf: Any) -> Answers:
    def slices(kind: Any) -> Any:
        return tf.IndexedSlices(tf.constant([[1.0], [2.0]]), tf.constant([0, 2], kind), tf.constant([3, 1]))

    @tf.function
    def chosen(first: Any) -> Any:
        found = tf.cond(first, lambda: slices(tf.int32), lambda: slices(tf.int64))
        return found.indices, tf.convert_to_tensor(found)

    return {"first": lambda: chosen(tf.constant(True)), "second": lambda: chosen(tf.constant(False))}
