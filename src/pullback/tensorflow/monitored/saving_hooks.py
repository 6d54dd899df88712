"""Hooks that write files: checkpoints, summaries, steps per second."""

from __future__ import annotations

import logging
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ...api.names import GraphKeys
from ...api.session import Session
from ...base.export import export
from ...ir.graph import Graph
from ...train.coordinator import Coordinator
from ..meta_graphs.saver import Saver
from ..summary.message import Summary
from ..summary.writers import FileWriterCache
from .hooks import SecondOrStepTimer, SessionRunArgs, SessionRunContext, SessionRunHook, SessionRunValues, step_if_due, step_of

if TYPE_CHECKING:
    from .sessions import Scaffold

_log = logging.getLogger("tensorflow")


@export(v1="train.CheckpointSaverListener")
class CheckpointSaverListener:
    """Something that a `CheckpointSaverHook` tells of its saves.

    >>> class Told(tf1.train.CheckpointSaverListener):
    ...     def after_save(self, session, global_step_value):
    ...         print("saved at", global_step_value)
    >>> Told().after_save(None, 3)
    saved at 3
    """

    def begin(self) -> None:
        """Before there is a session."""

    def before_save(self, session: Session, global_step_value: int) -> None:
        """A checkpoint is about to be written."""

    def after_save(self, session: Session, global_step_value: int) -> bool | None:
        """One was written; True stops the session."""

    def end(self, session: Session, global_step_value: int) -> None:
        """The last one was written."""


@export(v1="train.CheckpointSaverHook")
class CheckpointSaverHook(SessionRunHook):
    """Saves a checkpoint at the first run, every so many steps or seconds, and at the end.

    saver, scaffold: what saves; else the graph's saver.  Raises ValueError for both, RuntimeError for a graph without a global step.

    >>> import os, tempfile
    >>> with tf1.Graph().as_default(), tempfile.TemporaryDirectory() as folder:
    ...     counted = tf1.assign_add(tf1.train.get_or_create_global_step(), 1)
    ...     with tf1.train.MonitoredSession(hooks=[tf1.train.CheckpointSaverHook(folder, save_steps=1)]) as session:
    ...         _ = session.run(counted)
    ...     os.path.basename(tf1.train.latest_checkpoint(folder))
    'model.ckpt-1'
    """

    def __init__(
        self, checkpoint_dir: str, save_secs: float | None = None, save_steps: int | None = None, saver: Any = None,
        checkpoint_basename: str = "model.ckpt", scaffold: Scaffold | None = None, listeners: Sequence[Any] | None = None,
        save_graph_def: bool = True,
    ) -> None:  # fmt: skip
        if saver is not None and scaffold is not None:
            raise ValueError("You cannot provide both saver and scaffold.")
        self._saver, self._scaffold = saver, scaffold
        self._path = os.path.join(checkpoint_dir, checkpoint_basename)
        self._timer = SecondOrStepTimer(save_secs, save_steps)
        self._listeners = list(listeners or ())

    def begin(self) -> None:
        """Find the global step."""
        self._global_step = step_of(self)
        for listener in self._listeners:
            listener.begin()

    def after_create_session(self, session: Session, coord: Coordinator) -> None:
        """Save what there is before the first run."""
        step = int(session.run(self._global_step))
        self._save(session, step)
        self._timer.update_last_triggered_step(step)

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs:
        """Fetch the global step."""
        return SessionRunArgs(self._global_step)

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        """Save where it is time."""
        step = step_if_due(self._timer, run_context, run_values.results, self._global_step)
        if step is not None:
            self._timer.update_last_triggered_step(step)
            if self._save(run_context.session, step):
                run_context.request_stop()

    def end(self, session: Session) -> None:
        """Save what is not saved yet."""
        step = int(session.run(self._global_step))
        if step != self._timer.last_triggered_step():
            self._save(session, step)
        for listener in self._listeners:
            listener.end(session, step)

    def _save(self, session: Session, step: int) -> bool:
        for listener in self._listeners:
            listener.before_save(session, step)
        saver = self._saver or (default_saver(session.graph) if self._scaffold is None else self._scaffold.saver)
        _log.info("Saving checkpoints for %d into %s.", step, self._path)
        saver.save(session, self._path, global_step=step)
        answers = [listener.after_save(session, step) for listener in self._listeners]
        return any(answers)


def default_saver(graph: Graph) -> Any:
    """The saver that a graph keeps; one of all variables is made and kept where there is none.  RuntimeError for several."""
    kept = graph.get_collection(GraphKeys.SAVERS)
    if len(kept) > 1:
        raise RuntimeError(f"More than one item in collection {GraphKeys.SAVERS}. Please indicate which one to use by passing it.")
    if not kept:
        graph.add_to_collection(GraphKeys.SAVERS, Saver(allow_empty=True))
    return graph.get_collection(GraphKeys.SAVERS)[0]


@export(v1="train.SummarySaverHook")
class SummarySaverHook(SessionRunHook):
    """Writes summaries every so many steps or seconds.

    summary_op: a tensor of a summary, or a list; or a `scaffold` that has one.  Raises ValueError unless just one of the two is given.

    >>> import os, tempfile
    >>> with tf1.Graph().as_default(), tempfile.TemporaryDirectory() as folder:
    ...     counted = tf1.assign_add(tf1.train.get_or_create_global_step(), 1)
    ...     hook = tf1.train.SummarySaverHook(1, output_dir=folder, summary_op=tf1.summary.scalar("x", 1.0))
    ...     with tf1.train.MonitoredSession(hooks=[hook]) as session:
    ...         _ = session.run(counted)
    ...     any("tfevents" in name for name in os.listdir(folder))
    True
    """

    def __init__(
        self, save_steps: int | None = None, save_secs: float | None = None, output_dir: str | None = None, summary_writer: Any = None,
        scaffold: Scaffold | None = None, summary_op: Any = None,
    ) -> None:  # fmt: skip
        if (scaffold is None) == (summary_op is None):
            raise ValueError("Exactly one of scaffold or summary_op must be provided.")
        self._summary_op, self._scaffold, self._writer, self._folder = summary_op, scaffold, summary_writer, output_dir
        self._timer = SecondOrStepTimer(save_secs, save_steps)

    def begin(self) -> None:
        """Find the global step, and open a file."""
        self._global_step = step_of(self)
        self._writer = self._writer or (FileWriterCache.get(self._folder) if self._folder else None)
        self._next: int | None = None

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs:
        """Fetch the global step, and the summaries where it is time."""
        self._due = self._next is None or self._timer.should_trigger_for_step(self._next)
        op = self._summary_op if self._scaffold is None else self._scaffold.summary_op
        wanted = {"global_step": self._global_step}
        return SessionRunArgs(wanted | ({"summary": op} if self._due and op is not None else {}))

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        """Write them."""
        step = int(run_context.session.run(self._global_step)) if self._due else int(run_values.results["global_step"]) + 1
        if self._due:
            self._timer.update_last_triggered_step(step)
            found = run_values.results.get("summary")
            for summary in found if isinstance(found, list) else [found]:
                if self._writer is not None and summary is not None:
                    self._writer.add_summary(summary, step)
        self._next = step + 1

    def end(self, session: Session) -> None:
        """Write out."""
        if self._writer is not None:
            self._writer.flush()


@export(v1="train.StepCounterHook")
class StepCounterHook(SessionRunHook):
    """Logs, and writes as a summary, the steps per second, every so many steps or seconds.

    >>> with tf1.Graph().as_default():
    ...     counted = tf1.assign_add(tf1.train.get_or_create_global_step(), 1)
    ...     with tf1.train.MonitoredSession(hooks=[tf1.train.StepCounterHook(every_n_steps=10)]) as session:
    ...         print(session.run(counted))
    1
    """

    def __init__(
        self, every_n_steps: int | None = 100, every_n_secs: float | None = None, output_dir: str | None = None, summary_writer: Any = None
    ) -> None:
        if (every_n_steps is None) == (every_n_secs is None):
            raise ValueError("exactly one of every_n_steps and every_n_secs should be provided.")
        self._timer = SecondOrStepTimer(every_n_secs, every_n_steps)
        self._writer, self._folder = summary_writer, output_dir

    def begin(self) -> None:
        """Find the global step, and open a file."""
        self._global_step = step_of(self)
        self._writer = self._writer or (FileWriterCache.get(self._folder) if self._folder else None)
        self._tag = f"{self._global_step.op.name}/sec"

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs:
        """Fetch the global step."""
        return SessionRunArgs(self._global_step)

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        """Write the rate where it is time."""
        step = step_if_due(self._timer, run_context, run_values.results, self._global_step)
        if step is None:
            return
        seconds, steps = self._timer.update_last_triggered_step(step)
        if seconds is None or steps is None:
            return
        rate = steps / max(seconds, 1e-9)
        _log.info("%s: %g", self._tag, rate)
        if self._writer is not None:
            self._writer.add_summary(Summary(value=[Summary.Value(tag=self._tag, simple_value=rate)]), step)

    def end(self, session: Session) -> None:
        """Write out."""
        if self._writer is not None:
            self._writer.flush()
