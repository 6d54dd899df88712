"""Threads that fill queues in the background of a session: `tf.train.QueueRunner` and `start_queue_runners`."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from ...api.default import get_default_graph
from ...api.names import GraphKeys
from ...api.session import Session, get_default_session
from ...base.errors import CancelledError, OutOfRangeError
from ...base.export import export
from ...ir.node import Node


@export(v1=("train.QueueRunner", "train.queue_runner.QueueRunner"))
class QueueRunner:
    """Threads for a queue, each of which runs one of `enqueue_ops` again and again, until the queue is closed or there is nothing left.

    >>> with tf1.Graph().as_default(), tf1.Session() as sess:
    ...     queue = tf1.FIFOQueue(2, tf1.float32, [[]])
    ...     tf1.train.add_queue_runner(tf1.train.QueueRunner(queue, [queue.enqueue(3.0)]))
    ...     coord = tf1.train.Coordinator()
    ...     threads = tf1.train.start_queue_runners(sess, coord)
    ...     print(sess.run(queue.dequeue()))
    ...     coord.request_stop()
    ...     coord.join(threads)
    3.0
    """

    def __init__(
        self,
        queue: Any = None,
        enqueue_ops: Sequence[Any] | None = None,
        close_op: Any = None,
        cancel_op: Any = None,
        queue_closed_exception_types: tuple[type[Exception], ...] | None = None,
        queue_runner_def: Any = None,
        import_scope: str | None = None,
    ) -> None:
        if queue is None or not enqueue_ops:
            raise ValueError("Must provide queue and enqueue_ops.")
        self._queue, self._enqueue_ops = queue, list(enqueue_ops)
        self._close_op = queue.close() if close_op is None else close_op
        self._cancel_op = queue.close(cancel_pending_enqueues=True) if cancel_op is None else cancel_op
        self._ends: tuple[type[Exception], ...] = (OutOfRangeError, CancelledError, *(queue_closed_exception_types or ()))
        self._running = 0
        self._lock = threading.Lock()
        self._raised: list[Exception] = []

    @property
    def name(self) -> str:
        """The name of the operation that makes the queue."""
        return str(self._queue.queue_ref.op.name)

    @property
    def queue(self) -> Any:
        """The queue."""
        return self._queue

    @property
    def enqueue_ops(self) -> list[Any]:
        """What the threads run."""
        return self._enqueue_ops

    @property
    def exceptions_raised(self) -> list[Exception]:
        """Errors of the threads, where no coordinator was told of them."""
        return self._raised

    def create_threads(self, sess: Session, coord: Any = None, daemon: bool = False, start: bool = False) -> list[threading.Thread]:
        """The threads, one for each operation, and one that closes the queue when `coord` stops."""
        self._running = len(self._enqueue_ops)
        work = [threading.Thread(target=self._run, args=(sess, op, coord), daemon=daemon) for op in self._enqueue_ops]
        if coord is not None:
            work.append(threading.Thread(target=self._close_on_stop, args=(sess, coord), daemon=daemon))
        for thread in work:
            if coord is not None:
                coord.register_thread(thread)
            if start:
                thread.start()
        return work

    def _run(self, session: Any, op: Node, coord: Any) -> None:
        try:
            while coord is None or not coord.should_stop():
                session.run(op)
        except self._ends:
            pass
        except Exception as error:  # noqa: BLE001  # handed to whoever joins the threads
            if coord is not None:
                coord.request_stop(error)
            else:
                self._raised.append(error)
        with self._lock:
            self._running -= 1
            last = self._running == 0
        if last:
            _run_if_open(session, self._close_op)

    def _close_on_stop(self, session: Any, coord: Any) -> None:
        coord.wait_for_stop()
        _run_if_open(session, self._cancel_op)


def _run_if_open(session: Any, op: Node) -> None:
    with suppress(RuntimeError):  # a session that is closed has no queues to close
        session.run(op)


@export(v1=("train.add_queue_runner", "train.queue_runner.add_queue_runner"))
def add_queue_runner(qr: QueueRunner, collection: str = GraphKeys.QUEUE_RUNNERS) -> None:
    """Have `start_queue_runners` start a runner.

    >>> with tf1.Graph().as_default():
    ...     queue = tf1.FIFOQueue(2, tf1.float32)
    ...     tf1.train.add_queue_runner(tf1.train.QueueRunner(queue, [queue.enqueue(3.0)]))
    ...     len(tf1.get_collection(tf1.GraphKeys.QUEUE_RUNNERS))
    1
    """
    get_default_graph().add_to_collection(collection, qr)


@export(v1=("train.start_queue_runners", "train.queue_runner.start_queue_runners"))
def start_queue_runners(
    sess: Session | None = None, coord: object = None, daemon: bool = True, start: bool = True, collection: str = GraphKeys.QUEUE_RUNNERS
) -> list[threading.Thread]:
    """Start the threads of the graph's queue runners, and give them; none where there is no runner.

    Raises:
        ValueError: there is no session.

    >>> with tf1.Graph().as_default(), tf1.Session() as sess:
    ...     tf1.train.start_queue_runners(coord=tf1.train.Coordinator())
    []
    """
    session = get_default_session() if sess is None else sess
    if session is None:
        raise ValueError(
            "Cannot start queue runners: No default session is registered. Use `with sess.as_default()` or pass an explicit session to "
            "tf.start_queue_runners(sess=sess)"
        )
    runners = session.graph.get_collection(collection)
    return [thread for runner in runners for thread in runner.create_threads(session, coord, daemon, start)]
