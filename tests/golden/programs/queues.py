"""Queues, eagerly and in functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .kit import Answers, raises

FACE = "v2"


def kinds(tf: Any) -> Answers:
    queue = tf.queue

    def fifo() -> Any:
        q = queue.FIFOQueue(5, [tf.float32], shapes=[()])
        q.enqueue(1.0)
        q.enqueue_many([[2.0, 3.0, 4.0]])
        found = [q.size(), q.dequeue(), q.dequeue_many(2), q.dequeue_up_to(1), q.size(), q.is_closed()]
        q.close()
        return [*found, q.is_closed(), q.dtypes, q.shapes, q.names]

    def named() -> Any:
        q = queue.FIFOQueue(3, ["float32", "int32"], shapes=[[2], []], names=["a", "b"])
        q.enqueue({"b": 3, "a": [1.0, 2.0]})
        q.enqueue({"a": [4.0, 5.0], "b": 6})
        return [q.dequeue(), q.dequeue_many(1), q.names]

    def padded() -> Any:
        q = queue.PaddingFIFOQueue(5, tf.float32, shapes=[[None]])
        for row in ([1.0, 2.0], [3.0], []):
            q.enqueue([row])
        return [q.dequeue(), q.dequeue_many(2), q.shapes]

    def words() -> Any:
        q = queue.PaddingFIFOQueue(5, tf.string, shapes=[[None]])
        q.enqueue([["a", "b"]])
        q.enqueue([["c"]])
        return q.dequeue_many(2)

    def sorted_out() -> Any:
        q = queue.PriorityQueue(5, [tf.string], [()])
        for at, what in ((3, "c"), (1, "a"), (2, "b")):
            q.enqueue((tf.constant(at, tf.int64), what))
        return [q.dequeue(), q.dequeue_many(2), q.dtypes, q.shapes]

    def shuffled() -> Any:
        tf.random.set_seed(5)
        q = queue.RandomShuffleQueue(10, 3, tf.int32, shapes=[()], seed=3)
        q.enqueue_many([list(range(10))])
        first = [q.dequeue_many(5), q.dequeue(), q.size()]
        q.close()
        return [*first, q.dequeue_up_to(10)]

    def any_shape() -> Any:
        q = queue.FIFOQueue(-1, [tf.int32, tf.int32])
        q.enqueue([1, [2, 3]])
        q.enqueue([[4], 5])
        return [q.dequeue(), q.dequeue(), q.shapes]

    def in_a_function() -> Any:
        q = queue.FIFOQueue(3, tf.float32, shapes=[()])

        @tf.function
        def step(x: Any) -> Any:
            q.enqueue(x * 2)
            q.enqueue(x * 3)
            return q.dequeue() + 10 * q.dequeue(), q.size()

        return [step(tf.constant(2.0)), step(tf.constant(1.0))]

    functions = (fifo, named, padded, words, sorted_out, shuffled, any_shape, in_a_function)
    return {f.__name__: f for f in functions}


def refused(tf: Any) -> Answers:
    def of(*steps: Callable[[Any], Any], **options: Any) -> Callable[[], Any]:
        def call() -> Any:
            q = tf.queue.FIFOQueue(3, tf.float32, **options)
            for step in steps:
                step(q)

        return raises(call)

    close, put = lambda q: q.close(), lambda q: q.enqueue(1.0)  # noqa: E731
    return {
        "empty and closed": of(close, lambda q: q.dequeue()), "closed": of(close, put), "too few": of(put, close, lambda q: q.dequeue_many(2), shapes=[()]),
        "none up to": of(close, lambda q: q.dequeue_up_to(2), shapes=[()]), "no shapes": of(put, lambda q: q.dequeue_many(1)),
        "another shape": of(put, shapes=[[2]]), "a dictionary": of(lambda q: q.enqueue({"a": 1.0})), "no dictionary": of(put, names="a"),
        "other names": of(lambda q: q.enqueue({"b": 1.0}), names="a"), "another dtype": of(lambda q: q.enqueue("a")),
        "fewer than none": of(lambda q: q.dequeue_many(-1), shapes=[()]), "unknown shapes": of(shapes=[[None]]), "other sizes": of(shapes=[[], []]),
        "a number of many": of(lambda q: q.enqueue_many([1.0])), "no list": raises(lambda: tf.queue.QueueBase.from_list(0, [])),
        "no shapes to pad": raises(lambda: tf.queue.PaddingFIFOQueue(3, [tf.int32, tf.int32], [[None]])),
        "components": raises(lambda: tf.queue.FIFOQueue(3, [tf.int32, tf.int32]).enqueue(1)),
    }  # fmt: skip
