"""`tf.train.Supervisor`: a session that starts from the last checkpoint, with threads beside it that save and write summaries."""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from ...api.collections import global_variables, global_variables_initializer, report_uninitialized_variables
from ...api.default import get_default_graph
from ...api.names import GraphKeys
from ...api.session import Session
from ...base.dtypes import int32, int64
from ...base.errors import AbortedError
from ...base.export import export
from ...ir.context import executing_eagerly
from ...ir.graph import Graph
from ...ops.effects.summary import merge_all
from ...train.coordinator import Coordinator, LooperThread
from ...train.global_step import global_step as read_global_step
from ..meta_graphs.saver import Saver
from ..queues.runners import start_queue_runners
from ..summary.event_files import FileWriter
from ..summary.message import Summary
from .session_manager import SessionManager
from .sessions import Scaffold

_log = logging.getLogger("tensorflow")
_DEFAULT = 0


@export(v1="train.Supervisor")
class Supervisor:
    """Prepares a session, and saves checkpoints and summaries in threads of their own.  The graph is finalized.

    Args:
        graph: what is run; the default graph when None.
        init_op, ready_op, local_init_op, ready_for_local_init_op, summary_op, saver, global_step: what the graph keeps under its
            `GraphKeys`, or else a new one, when `Supervisor.USE_DEFAULT`; None for none.
        init_feed_dict: what `init_op` is fed. init_fn(session): run after it. local_init_run_options: options of `local_init_op`'s run.
        logdir: the folder of checkpoints and summaries; nothing is written without. checkpoint_basename: how checkpoints are called.
        save_summaries_secs, save_model_secs: how often; 0 for never.
        is_chief: False writes nothing, and waits for others to give variables values. recovery_wait_secs: see `SessionManager`.
        stop_grace_secs: how long threads may go on after a stop was asked for. session_manager: what makes sessions.
        summary_writer: what writes summaries, a `FileWriter` of `logdir` by default.

    Raises:
        RuntimeError: eager execution. ValueError: not the chief, and a ref variable without a device.

    >>> with tf1.Graph().as_default():
    ...     counted = tf1.assign_add(tf1.train.get_or_create_global_step(), 1)
    ...     supervisor = tf1.train.Supervisor()
    ...     with supervisor.managed_session() as session:
    ...         while not supervisor.should_stop():
    ...             if session.run(counted) == 3:
    ...                 supervisor.request_stop()
    ...         print(session.run(supervisor.global_step))
    3
    """

    USE_DEFAULT = _DEFAULT

    def __init__(
        self, graph: Graph | None = None, ready_op: Any = _DEFAULT, ready_for_local_init_op: Any = _DEFAULT, is_chief: bool = True,
        init_op: Any = _DEFAULT, init_feed_dict: Mapping[Any, Any] | None = None, local_init_op: Any = _DEFAULT,
        logdir: str | None = None, summary_op: Any = _DEFAULT, saver: Any = _DEFAULT, global_step: Any = _DEFAULT,
        save_summaries_secs: float = 120, save_model_secs: float = 600, recovery_wait_secs: float = 30, stop_grace_secs: float = 120,
        checkpoint_basename: str = "model.ckpt", session_manager: SessionManager | None = None, summary_writer: Any = _DEFAULT,
        init_fn: Callable[[Session], Any] | None = None, local_init_run_options: Any = None,
    ) -> None:  # fmt: skip
        if executing_eagerly():
            raise RuntimeError("Supervisors are incompatible with eager execution.")
        self._graph = graph or get_default_graph()
        with self._graph.as_default():
            self.ready_op = _choose(ready_op, GraphKeys.READY_OP, report_uninitialized_variables)
            self.ready_for_local_init_op = _choose(ready_for_local_init_op, GraphKeys.READY_FOR_LOCAL_INIT_OP, lambda: None)
            self.init_op, self.init_feed_dict = _choose(init_op, GraphKeys.INIT_OP, global_variables_initializer), init_feed_dict
            self._local_init_op = _choose(local_init_op, GraphKeys.LOCAL_INIT_OP, Scaffold.default_local_init_op)
            self.saver = _choose(saver, GraphKeys.SAVERS, lambda: Saver() if global_variables() else None)
            self.summary_op = _choose(summary_op, GraphKeys.SUMMARY_OP, merge_all)
            self.global_step = _choose(global_step, GraphKeys.GLOBAL_STEP, self._find_global_step)
        self.is_chief, self.coord, self._init_fn, self._grace = is_chief, Coordinator(), init_fn, stop_grace_secs
        self._logdir = logdir if is_chief else None
        self.save_path = os.path.join(self._logdir, checkpoint_basename) if self._logdir else None
        self.save_summaries_secs = save_summaries_secs if is_chief else None
        self.save_model_secs = save_model_secs if is_chief else None
        if summary_writer is _DEFAULT:
            summary_writer = FileWriter(self._logdir) if self._logdir else None
        self.summary_writer: Any = summary_writer if is_chief else None
        self.session_manager = session_manager or SessionManager(
            self._local_init_op, self.ready_op, self.ready_for_local_init_op, self._graph, recovery_wait_secs, local_init_run_options
        )
        for op in () if is_chief else self._graph.get_operations():
            if op.type == "VariableV2" and not op.device:
                raise ValueError(f"When using replicas, all Variables must have their device set: {op}")
        self._graph.finalize()

    def _find_global_step(self) -> Any:
        """The tensor `global_step:0`, if the graph has one of integers."""
        node = self._graph.by_name.get("global_step")
        return node.outputs[0] if node is not None and node.outputs and node.outputs[0].dtype.base_dtype in (int32, int64) else None

    # ---- sessions

    def prepare_or_wait_for_session(
        self, master: str = "", config: Any = None, wait_for_checkpoint: bool = False, max_wait_secs: float = 7200,
        start_standard_services: bool = True,
    ) -> Session:  # fmt: skip
        """A session that is ready, with its threads started unless `start_standard_services` is False."""
        self.coord.clear_stop()
        if self.summary_writer is not None:
            self.summary_writer.reopen()
        if self.is_chief:
            session = self.session_manager.prepare_session(
                master, self.init_op, self.saver, self._logdir, None, wait_for_checkpoint, max_wait_secs, config, self.init_feed_dict,
                self._init_fn,
            )  # fmt: skip
            if self.summary_writer is not None:
                self.summary_writer.add_graph(self._graph)
        else:
            session = self.session_manager.wait_for_session(master, config, max_wait_secs)
        if start_standard_services:
            if self.is_chief:
                self.start_standard_services(session)
            self.start_queue_runners(session)
        return session

    @contextmanager
    def managed_session(
        self, master: str = "", config: Any = None, start_standard_services: bool = True, close_summary_writer: bool = True
    ) -> Iterator[Session]:
        """A block with a session, which is closed at its end.

        An error of the block, or of a thread, stops all threads and is raised at the end; an OutOfRangeError, the end of the data, is not.
        """
        session = None
        try:
            session = self.prepare_or_wait_for_session(master, config, start_standard_services=start_standard_services)
            yield session
        except Exception as error:  # noqa: BLE001  # whatever it is, `stop` raises it
            self.request_stop(error)
        finally:
            try:
                self.stop(close_summary_writer=close_summary_writer, ignore_live_threads=False)
            finally:
                if session is not None:
                    session.close()

    # ---- threads

    def start_standard_services(self, sess: Session) -> list[LooperThread] | None:
        """Start the threads that save and write summaries; None without a `logdir`.  RuntimeError where this is not the chief."""
        if not self.is_chief:
            raise RuntimeError("Only chief supervisor can start standard services. Because only chief supervisors can write events.")
        if not self._logdir:
            _log.warning("Standard services need a 'logdir' passed to the SessionManager")
            return None
        threads = []
        if self.save_summaries_secs and self.summary_writer is not None:
            if self.summary_op is not None:
                threads.append(self.loop(self.save_summaries_secs, self._write_summary, (sess,)))
            if self.global_step is not None:
                threads.append(self.loop(self.save_summaries_secs, _StepRate(self, sess)))
        if self.saver is not None and self.save_model_secs:
            threads.append(self.loop(self.save_model_secs, self._save, (sess,)))
        return threads

    def _write_summary(self, session: Session) -> None:
        summary, step = session.run([self.summary_op, [] if self.global_step is None else self.global_step])
        self.summary_writer.add_summary(summary, None if self.global_step is None else step)

    def _save(self, session: Session) -> None:
        _log.info("Saving checkpoint to path %s", self.save_path)
        self.saver.save(session, self.save_path, global_step=self.global_step)

    def start_queue_runners(self, sess: Session, queue_runners: Iterable[Any] | None = None) -> list[Any]:
        """Start threads that fill queues, those of the graph's queue runners when None, and give them."""
        if queue_runners is None:
            return start_queue_runners(sess, self.coord)
        return [thread for runner in queue_runners for thread in runner.create_threads(sess, self.coord, daemon=True, start=True)]

    def loop(
        self, timer_interval_secs: float | None, target: Callable[..., Any], args: Iterable[Any] | None = None,
        kwargs: Mapping[str, Any] | None = None,
    ) -> LooperThread:  # fmt: skip
        """Call a function every so many seconds in a thread, or without a pause when None, until a stop is asked for."""
        return LooperThread.loop(self.coord, timer_interval_secs, target, args, kwargs)

    def stop(self, threads: Iterable[Any] | None = None, close_summary_writer: bool = True, ignore_live_threads: bool = False) -> None:
        """Stop the threads, and raise what the first of them that failed reported; the session stays open."""
        self.coord.request_stop()
        try:
            self.coord.join(threads, self._grace, ignore_live_threads)
        finally:
            if close_summary_writer and self.summary_writer is not None:
                self.summary_writer.close()

    def request_stop(self, ex: Any = None) -> None:
        """`Coordinator.request_stop`."""
        self.coord.request_stop(ex)

    def should_stop(self) -> bool:
        """Whether a stop was asked for."""
        return self.coord.should_stop()

    def stop_on_exception(self) -> AbstractContextManager[None]:
        """`Coordinator.stop_on_exception`."""
        return self.coord.stop_on_exception()

    def wait_for_stop(self) -> None:
        """Wait until a stop is asked for."""
        self.coord.wait_for_stop()

    def summary_computed(self, sess: Session, summary: Any, global_step: int | None = None) -> None:
        """Write a summary of the program's own, at the global step when no step is given.  RuntimeError without a writer."""
        if self.summary_writer is None:
            raise RuntimeError("Writing a summary requires a summary writer.")
        if global_step is None and self.global_step is not None:
            global_step = read_global_step(sess, self.global_step)
        self.summary_writer.add_summary(summary, global_step)

    PrepareSession, StartQueueRunners, StartStandardServices = prepare_or_wait_for_session, start_queue_runners, start_standard_services
    Stop, RequestStop, Loop, ShouldStop, StopOnException, WaitForStop = (
        stop, request_stop, loop, should_stop, stop_on_exception, wait_for_stop,
    )  # fmt: skip
    SummaryComputed = summary_computed


class _StepRate:
    """Writes the steps per second since its last call."""

    def __init__(self, supervisor: Supervisor, session: Session) -> None:
        self._supervisor, self._session = supervisor, session
        self._last = time.monotonic(), read_global_step(session, supervisor.global_step)

    def __call__(self) -> None:
        step, now = read_global_step(self._session, self._supervisor.global_step), time.monotonic()
        (before, first), self._last = self._last, (now, step)
        rate = Summary.Value(tag=f"{self._supervisor.global_step.op.name}/sec", simple_value=(step - first) / max(now - before, 1e-9))
        self._supervisor.summary_writer.add_summary(Summary(value=[rate]), step)


def _choose(given: Any, key: str, make: Callable[[], Any]) -> Any:
    """What was given, even None; by default what the graph keeps first under a key, or what is made, which it keeps then."""
    if given is not _DEFAULT:
        return given
    kept = get_default_graph().get_collection(key)
    if kept:
        return kept[0]
    made = make()
    if made is not None:
        get_default_graph().add_to_collection(key, made)
    return made


@export(v1="train.basic_train_loop")
def basic_train_loop(
    supervisor: Supervisor, train_step_fn: Callable[..., Any], args: Iterable[Any] | None = None, kwargs: Mapping[str, Any] | None = None,
    master: str = "",
) -> None:  # fmt: skip
    """Call `train_step_fn(session, *args, **kwargs)` until the supervisor is asked to stop; after an AbortedError, start again.

    >>> with tf1.Graph().as_default():
    ...     counted = tf1.assign_add(tf1.train.get_or_create_global_step(), 1)
    ...     supervisor = tf1.train.Supervisor()
    ...     tf1.train.basic_train_loop(supervisor, lambda session: session.run(counted) < 3 or supervisor.request_stop())
    """
    given, named = tuple(args or ()), dict(kwargs or {})
    while True:
        try:
            with supervisor.managed_session(master) as session:
                while not supervisor.should_stop():
                    train_step_fn(session, *given, **named)
            return
        except AbortedError:
            _log.info("Starting again from the last checkpoint.")
