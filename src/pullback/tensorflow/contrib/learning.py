"""`slim.learning.train`: a loop of training steps with checkpoints and summaries in a directory."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from ...api.collections import global_variables_initializer, local_variables_initializer, tables_initializer
from ...api.default import get_default_graph
from ...api.names import name_scope
from ...api.session import Session
from ...base.errors import OutOfRangeError
from ...base.export import export
from ...ir.graph import Graph
from ...ops.effects.summary import merge_all
from ...ops.math.division import floormod
from ...ops.primitives.compare import equal, greater_equal
from ...train.coordinator import Coordinator
from ...train.files import latest_checkpoint
from ...train.global_step import get_or_create_global_step
from ..logging import info
from ..meta_graphs.saver import Saver
from ..queues.runners import start_queue_runners
from ..summary.event_files import FileWriter

if TYPE_CHECKING:
    from ...ir.tensor import IntLike

#: What stands for arguments that were not given, where None has a meaning.
DEFAULT = object()
Step = Callable[[Any, Any, Any, dict[str, Any]], tuple[Any, bool]]


@export(v1="contrib.slim.learning.train_step")
def train_step(sess: Session, train_op: object, global_step: IntLike | None, train_step_kwargs: dict[str, Any]) -> tuple[Any, bool]:
    """One step: (the loss, whether to stop).

    Args:
        train_step_kwargs: tensors that say whether to log ("should_log") and to stop ("should_stop"); none, or both.

    >>> slim = tf1.contrib.slim
    >>> with tf1.Graph().as_default(), tf1.Session() as sess:
    ...     slim.learning.train_step(sess, tf1.constant(2.0), tf1.constant(7), {"should_stop": tf1.constant(True)})
    (np.float32(2.0), True)
    """
    began = time.monotonic()
    loss, step = sess.run([train_op, global_step])
    if "should_log" in train_step_kwargs and sess.run(train_step_kwargs["should_log"]):
        info("global step %d: loss = %.4f (%.3f sec/step)", step, loss, time.monotonic() - began)
    return loss, bool(sess.run(train_step_kwargs["should_stop"])) if "should_stop" in train_step_kwargs else False


@export(v1="contrib.slim.learning.train")
def train(
    train_op: Any,
    logdir: str | None,
    train_step_fn: Step = train_step,
    train_step_kwargs: Any = DEFAULT,
    log_every_n_steps: int = 1,
    graph: Graph | None = None,
    master: str = "",
    is_chief: bool = True,
    global_step: IntLike | None = None,
    number_of_steps: int | None = None,
    init_op: object = DEFAULT,
    init_feed_dict: Mapping[Any, Any] | None = None,
    local_init_op: object = DEFAULT,
    init_fn: Callable[[Any], Any] | None = None,
    ready_op: object = DEFAULT,
    summary_op: object = DEFAULT,
    save_summaries_secs: float = 600,
    summary_writer: object = DEFAULT,
    startup_delay_steps: int = 0,
    saver: Saver | None = None,
    save_interval_secs: float = 600,
    sync_optimizer: object = None,
    session_config: object = None,
    session_wrapper: Callable[[Any], Any] | None = None,
    trace_every_n_steps: int | None = None,
    ignore_live_threads: bool = False,
) -> Any:
    """Run `train_op` until there are `number_of_steps`, or a queue or dataset has ended; the last loss.

    Variables are those of the last checkpoint in the directory, or else what `init_op` and `init_fn` make them.

    Args:
        train_op: what `create_train_op` gives.
        logdir: the directory of checkpoints and summaries; None for neither.
        train_step_fn, train_step_kwargs: in place of `train_step`, and what it is given last.
        log_every_n_steps: how often the loss is logged.
        number_of_steps: the most steps, by the global step; None for no end.
        init_op, local_init_op: run before the first step: initializers of variables; and of local ones and tables.
        init_fn: a function of the session, called after `init_op`: it may restore what was trained elsewhere.
        summary_op: what is written every `save_summaries_secs`: all summaries.
        save_interval_secs: how often a checkpoint is written, beside that at the end.
        session_wrapper: of the session, gives what steps run in.
        master, is_chief, ready_op, startup_delay_steps, ignore_live_threads, trace_every_n_steps: taken; there is one process.

    Raises:
        ValueError: no `train_op`, no positive number of steps, or what needs a directory without one.
        NotImplementedError: `sync_optimizer`.

    >>> slim = tf1.contrib.slim
    >>> with tf1.Graph().as_default():
    ...     w = tf1.get_variable("w", [], initializer=tf1.ones_initializer())
    ...     step = slim.learning.create_train_op(w * w, tf1.train.GradientDescentOptimizer(0.25))
    ...     slim.learning.train(step, None, number_of_steps=3).item()
    0.0625
    """
    if train_op is None:
        raise ValueError("train_op cannot be None.")
    if logdir is None and (saver is not None or summary_op not in (DEFAULT, None)):
        raise ValueError("Cannot provide saver or summary_op because logdir=None")
    if number_of_steps is not None and number_of_steps <= 0:
        raise ValueError("`number_of_steps` must be either None or a positive number.")
    if sync_optimizer is not None:
        raise NotImplementedError("slim.learning.train: sync_optimizer is not in Pullback, where there is one process")
    with (graph or get_default_graph()).as_default() as entered:
        step = get_or_create_global_step() if global_step is None else global_step
        first = global_variables_initializer() if init_op is DEFAULT else init_op
        local = [local_variables_initializer(), tables_initializer()] if local_init_op is DEFAULT else local_init_op
        if train_step_kwargs is DEFAULT:
            with name_scope("train_step"):
                train_step_kwargs = {"should_log": equal(floormod(step, log_every_n_steps), 0)}
                if number_of_steps is not None:
                    train_step_kwargs["should_stop"] = greater_equal(step, number_of_steps)
        summaries = merge_all() if summary_op is DEFAULT else summary_op
        files = None if logdir is None else _Files(logdir, step, saver or Saver(), summaries, summary_writer)
        with Session(graph=entered, config=session_config) as session:
            if files is None or not files.restore(session):
                if first is not None:
                    session.run(first, init_feed_dict)
                if init_fn is not None:
                    init_fn(session)
            if local is not None:
                session.run(local)
            wrapped = session if session_wrapper is None else session_wrapper(session)
            return _run_steps(wrapped, train_op, step, train_step_fn, train_step_kwargs, files, save_summaries_secs, save_interval_secs)


def _run_steps(
    session: Any, train_op: Any, step: Any, function: Step, kwargs: dict[str, Any], files: _Files | None, summary_seconds: float,
    checkpoint_seconds: float,
) -> Any:  # fmt: skip
    coordinator = Coordinator()
    threads = start_queue_runners(session, coordinator)
    loss, summarized, saved = None, float("-inf"), time.monotonic()
    try:
        while not coordinator.should_stop():
            loss, stops = function(session, train_op, step, kwargs)
            now = time.monotonic()
            if files is not None and now - summarized >= summary_seconds > 0:
                files.summarize(session)
                summarized = now
            if files is not None and now - saved >= checkpoint_seconds > 0:
                files.save(session)
                saved = now
            if stops:
                info("Stopping Training.")
                break
    except OutOfRangeError as error:
        info("Caught OutOfRangeError. Stopping Training. %s", error)
    coordinator.request_stop()
    if files is not None:
        info("Finished training! Saving model to disk.")
        files.save(session)
    coordinator.join(threads)
    return loss


class _Files:
    """The checkpoints and summaries of a run."""

    def __init__(self, folder: str, step: Any, saver: Saver, summaries: Any, writer: Any) -> None:
        self._folder, self._step, self._saver, self._summaries = folder, step, saver, summaries
        self._writer = FileWriter(folder, get_default_graph()) if writer is DEFAULT else writer

    def restore(self, session: Any) -> bool:
        """Make variables those of the last checkpoint, if there is one."""
        path = latest_checkpoint(self._folder)
        if path is not None:
            self._saver.restore(session, path)
        return path is not None

    def save(self, session: Any) -> None:
        """Write a checkpoint, and what is left of the summaries."""
        self._saver.save(session, os.path.join(self._folder, "model.ckpt"), self._step)
        if self._writer is not None:
            self._writer.flush()

    def summarize(self, session: Any) -> None:
        """Write the summaries of now."""
        if self._writer is not None and self._summaries is not None:
            found, step = session.run([self._summaries, self._step])
            self._writer.add_summary(found, step)
