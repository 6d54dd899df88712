"""Queues and accumulators shared by threads: who waits goes on, nothing is lost, and what is closed ends the waiting."""

import threading
from collections.abc import Callable
from typing import Any

import pytest

import pullback as tf
import pullback.compat.v1 as tf1


def _started(*calls: Callable[[], Any]) -> Callable[[], list[Any]]:
    """Threads that run the calls; what waits for them gives their answers, or the errors."""
    answers: list[Any] = [None] * len(calls)

    def run(i: int) -> None:
        try:
            answers[i] = calls[i]()
        except tf.errors.OpError as error:
            answers[i] = type(error)

    threads = [threading.Thread(target=run, args=(i,), daemon=True) for i in range(len(calls))]
    for thread in threads:
        thread.start()

    def wait() -> list[Any]:
        for thread in threads:
            thread.join(60)
            assert not thread.is_alive(), "a thread waits for ever"
        return answers

    return wait


def test_a_queue_hands_on_every_element_once() -> None:
    queue = tf.queue.FIFOQueue(3, tf.int32, shapes=[()])

    def put(first: int) -> None:
        for i in range(50):
            queue.enqueue(first + i)

    def take() -> list[int]:
        return [int(queue.dequeue()) for _ in range(100)]

    *_, a, b = _started(*[lambda k=k: put(50 * k) for k in range(4)], take, take)()
    assert sorted(a + b) == list(range(200))


def test_a_request_may_be_larger_than_the_queue() -> None:
    queue = tf.queue.FIFOQueue(2, tf.int32, shapes=[()])
    wait = _started(lambda: queue.dequeue_many(7).numpy().tolist(), lambda: queue.enqueue_many([list(range(7))]))
    assert wait()[0] == list(range(7))


def test_closing_ends_the_waiting() -> None:
    queue = tf.queue.FIFOQueue(1, tf.int32, shapes=[()])
    queue.enqueue(1)
    wait = _started(lambda: queue.enqueue(2))
    queue.close(cancel_pending_enqueues=True)
    assert wait() == [tf.errors.CancelledError]
    assert int(queue.dequeue()) == 1
    assert _started(queue.dequeue)() == [tf.errors.OutOfRangeError]


def test_who_waits_to_put_in_still_may_when_the_queue_closes() -> None:
    queue = tf.queue.FIFOQueue(1, tf.int32, shapes=[()])
    queue.enqueue(1)
    givers = threading.Event()

    def put() -> None:
        givers.set()
        queue.enqueue(2)

    wait = _started(put)
    givers.wait()
    handle = queue.queue_ref.value
    while not handle._givers:
        pass
    queue.close()
    assert not bool(queue.is_closed())
    assert queue.dequeue_up_to(5).numpy().tolist() == [1, 2]
    assert wait() == [None] and bool(queue.is_closed())


def test_a_failed_request_puts_back_what_it_took() -> None:
    numbers = tf.constant([1, 2, 3], tf.int64)
    plain, first = tf.queue.FIFOQueue(9, tf.int64, shapes=[()]), tf.queue.PriorityQueue(9, [tf.int64], [()])
    for queue, given in ((plain, [numbers]), (first, [numbers, numbers])):
        queue.enqueue_many(given)
        wait = _started(lambda queue=queue: queue.dequeue_many(5))
        queue.close()
        assert wait() == [tf.errors.OutOfRangeError]
        found = queue.dequeue_many(3)
        assert (found if queue is plain else found[1]).numpy().tolist() == [1, 2, 3]


def test_sessions_wait_for_each_other_until_they_are_closed() -> None:
    with tf.Graph().as_default():
        queue = tf1.FIFOQueue(2, tf.float32, shapes=[()])
        value = tf1.placeholder(tf.float32, [])
        put, taken = queue.enqueue(value), queue.dequeue() * 2.0
        session = tf1.Session()
        wait = _started(lambda: [float(session.run(taken)) for _ in range(20)], lambda: [session.run(put, {value: i}) for i in range(20)])
        assert wait()[0] == [2.0 * i for i in range(20)]
        wait = _started(lambda: session.run(taken))
        while not session.memory["shared"]["", queue.name]._takers:
            pass
        session.close()
        assert wait() == [tf.errors.CancelledError]


@pytest.mark.parametrize("number", [1, 4])
def test_an_accumulator_waits_for_enough_gradients(number: int) -> None:
    with tf.Graph().as_default(), tf1.Session() as session:
        accumulator = tf1.ConditionalAccumulator(tf.float32, [])
        put, taken = accumulator.apply_grad(3.0), accumulator.take_grad(number)
        wait = _started(lambda: float(session.run(taken)), *[lambda: session.run(put)] * number)
        assert wait()[0] == 3.0
        assert int(session.run(accumulator.num_accumulated())) == 0
