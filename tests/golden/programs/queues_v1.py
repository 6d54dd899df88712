"""Queues and accumulators of gradients in graphs and sessions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .kit import Answers, raises

FACE = "v1"


def in_sessions(tf: Any) -> Answers:
    def runs(program: Callable[[Any], Any]) -> Callable[[], Any]:
        def answer() -> Any:
            with tf.Graph().as_default(), tf.Session() as session:
                return program(session)

        return answer

    def names(session: Any) -> Any:
        q = tf.FIFOQueue(3, tf.float32, shapes=[()])
        put, many, taken, size = q.enqueue(1.0), q.enqueue_many([[1.0]]), q.dequeue(), q.size()
        found = [q.name, put.name, many.name, taken.name, size.name, q.close().name, q.is_closed().name, put.type, many.type, taken.op.type]
        shapes = [taken.shape, q.dequeue_many(2).shape, q.dequeue_up_to(2).shape, q.dequeue_many(tf.placeholder(tf.int32, [])).shape]
        return [*found, shapes, q.queue_ref.dtype, q.queue_ref.op.type]

    def values(session: Any) -> Any:
        q = tf.FIFOQueue(3, tf.float32, shapes=[()])
        session.run(q.enqueue_many([[1.0, 2.0, 3.0]]))
        taken = q.dequeue()
        return [session.run(taken), session.run([taken, q.size()])[0], session.run(q.size())]

    def shared(session: Any) -> Any:
        one, other = (tf.FIFOQueue(3, tf.float32, shapes=[()], shared_name="both") for _ in range(2))
        session.run(one.enqueue(4.0))
        return session.run(other.dequeue())

    def shuffled(session: Any) -> Any:
        tf.set_random_seed(2)
        q = tf.RandomShuffleQueue(20, 0, tf.int32, shapes=[()], seed=3)
        session.run(q.enqueue_many([list(range(20))]))
        return session.run(q.dequeue_many(20))

    def late(session: Any) -> Any:
        session.run(tf.FIFOQueue(3, tf.float32).dequeue(), options=tf.RunOptions(timeout_in_ms=50))

    def full(session: Any) -> Any:
        q = tf.FIFOQueue(1, tf.float32)
        session.run(q.enqueue(1.0))
        session.run(q.enqueue(1.0), options=tf.RunOptions(timeout_in_ms=50))

    def mean(session: Any) -> Any:
        a = tf.ConditionalAccumulator(tf.float32, [2])
        one, two, old = a.apply_grad([1.0, 2.0], 1), a.apply_grad([3.0, 5.0], 1), a.apply_grad([9.0, 9.0])
        taken, number = a.take_grad(2), a.num_accumulated()
        found = [session.run(number)]
        session.run([one, two])
        found += [session.run(number), session.run(taken), session.run(number)]
        session.run(old)  # of step 0, and the accumulator is at 1
        found.append(session.run(number))
        session.run(a.set_global_step(2))
        session.run(one)
        return [*found, session.run(number), taken.shape, taken.name, number.name, one.name, one.type, taken.op.type, a.name, a.dtype]

    def total(session: Any) -> Any:
        a = tf.ConditionalAccumulator(tf.float32, [2], reduction_type="SUM")
        put = a.apply_grad([1.0, 2.0])
        session.run(put)
        session.run(put)
        return session.run(a.take_grad(1))

    def unshaped(session: Any) -> Any:
        a = tf.ConditionalAccumulator(tf.float64)
        session.run(a.apply_grad([[1.0, 2.0]]))
        taken = a.take_grad(1)
        return [taken.shape, session.run(taken)]

    def rows(session: Any) -> Any:
        a = tf.SparseConditionalAccumulator(tf.float32, [3, 2])
        puts = [a.apply_grad([0, 2], [[1.0, 2.0], [3.0, 4.0]], grad_shape=[3, 2]), a.apply_grad([2], [[5.0, 6.0]]), a.apply_grad([1], [[7.0, 8.0]])]
        for put in puts:
            session.run(put)
        found = session.run(a.take_grad(3))
        return [*found, session.run(a.num_accumulated())]

    def rows_in_any_order(session: Any) -> Any:
        a = tf.SparseConditionalAccumulator(tf.float32)
        for given in (([2, 0], [[1.0], [2.0]]), ([1, 1], [[3.0], [4.0]])):
            session.run(a.apply_grad(*given))
        return list(session.run(a.take_grad(1)))

    def slices(session: Any) -> Any:
        a = tf.SparseConditionalAccumulator(tf.float32, [3, 2], reduction_type="SUM")
        put = a.apply_indexed_slices_grad(tf.IndexedSlices(tf.constant([[1.0, 2.0]]), tf.constant([1], tf.int64)))
        session.run(put)
        session.run(put)
        return list(session.run(a.take_indexed_slices_grad(2)))

    def refused(make: Callable[[Any], Any]) -> Callable[[], Any]:
        return raises(runs(lambda session: session.run(make(tf))))

    of_two = lambda: tf.ConditionalAccumulator(tf.float32, [2])  # noqa: E731
    of_rows = lambda: tf.SparseConditionalAccumulator(tf.float32, [3, 2])  # noqa: E731
    programs = (names, values, shared, shuffled, mean, total, unshaped, rows, rows_in_any_order, slices)
    return {f.__name__: runs(f) for f in programs} | {
        "late": raises(runs(late)), "full": raises(runs(full)), "none required": refused(lambda tf: of_two().take_grad(0)),
        "another shape": refused(lambda tf: of_two().apply_grad([1.0])), "another reduction": refused(lambda tf: tf.ConditionalAccumulator(tf.float32, reduction_type="MAX")),
        "a row too far": refused(lambda tf: of_rows().apply_grad([5], [[1.0, 2.0]])), "longer rows": refused(lambda tf: of_rows().apply_grad([1], [[1.0, 2.0, 3.0]])),
        "other numbers of rows": refused(lambda tf: of_rows().apply_grad([0, 1], [[1.0, 2.0]])),
    }  # fmt: skip
