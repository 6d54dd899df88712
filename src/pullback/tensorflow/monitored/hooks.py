"""What is told of each run of a monitored session, and may add to it: `SessionRunHook`, and those that need no files."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from ...api.session import Session
from ...base.export import export
from ...train.coordinator import Coordinator
from ...train.global_step import get_global_step

_log = logging.getLogger("tensorflow")


@export(v1="train.SessionRunArgs")
class SessionRunArgs(NamedTuple):
    """What a hook adds to a run: things to fetch, in any structure, values to feed, options.

    >>> tf1.train.SessionRunArgs(None, {"x": 1.0}).feed_dict
    {'x': 1.0}
    """

    fetches: Any
    feed_dict: Mapping[Any, Any] | None = None
    options: Any = None


@export(v1="train.SessionRunValues")
class SessionRunValues(NamedTuple):
    """What a hook is told of a run: the values of what it fetched.

    >>> tf1.train.SessionRunValues(results=3.0, options=None, run_metadata=None).results
    3.0
    """

    results: Any
    options: Any
    run_metadata: Any


@export(v1="train.SessionRunContext")
class SessionRunContext:
    """A run, as hooks see it; `request_stop` makes it the last one.

    >>> class Once(tf1.train.SessionRunHook):
    ...     def after_run(self, run_context, run_values):
    ...         run_context.request_stop()
    >>> with tf1.Graph().as_default(), tf1.train.MonitoredSession(hooks=[Once()]) as session:
    ...     session.should_stop()
    False
    """

    def __init__(self, original_args: SessionRunArgs, session: Session) -> None:
        self._original_args, self._session = original_args, session
        self._stop_requested = False

    @property
    def original_args(self) -> SessionRunArgs:
        """What the program asked for."""
        return self._original_args

    @property
    def session(self) -> Session:
        """The session below, whose runs no hook sees."""
        return self._session

    @property
    def stop_requested(self) -> bool:
        """Whether a hook asked to stop."""
        return self._stop_requested

    def request_stop(self) -> None:
        """Ask the session to stop after this run."""
        self._stop_requested = True


@export(v1="train.SessionRunHook")
class SessionRunHook:
    """Something that a monitored session tells of its runs; a class of one's own says what it does by these methods.

    >>> class Count(tf1.train.SessionRunHook):
    ...     runs = 0
    ...     def after_run(self, run_context, run_values):
    ...         self.runs += 1
    >>> count = Count()
    >>> with tf1.Graph().as_default():
    ...     x = tf1.constant(1.0)
    ...     with tf1.train.MonitoredSession(hooks=[count]) as session:
    ...         _ = session.run(x), session.run(x)
    >>> count.runs
    2
    """

    def begin(self) -> None:
        """Before there is a session: the graph may still be added to."""

    def after_create_session(self, session: Session, coord: Coordinator) -> None:
        """A session is there; the graph is finalized."""

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs | None:
        """Before each run: what it is to fetch and feed beside."""
        return None

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        """After each run that raised nothing."""

    def end(self, session: Session) -> None:
        """The last call, unless an exception ended the session."""


@export(v1="train.SecondOrStepTimer")
class SecondOrStepTimer:
    """Says when it is time again, by seconds or by steps.

    >>> timer = tf1.train.SecondOrStepTimer(every_steps=2)
    >>> [step for step in range(5) if timer.should_trigger_for_step(step) and timer.update_last_triggered_step(step)]
    [0, 2, 4]
    """

    def __init__(self, every_secs: float | None = None, every_steps: int | None = None) -> None:
        if every_secs is None and every_steps is None:
            raise ValueError("Either every_secs or every_steps should be provided.")
        if every_secs is not None and every_steps is not None:
            raise ValueError("Can not provide both every_secs and every_steps.")
        self._every_secs, self._every_steps = every_secs, every_steps
        self.reset()

    def reset(self) -> None:
        """Forget when it last was time."""
        self._last_step: int | None = None
        self._last_time: float | None = None

    def should_trigger_for_step(self, step: int) -> bool:
        """Whether it is time at `step`; always at the first."""
        if self._last_step is None or self._last_time is None:
            return True
        if step == self._last_step:
            return False
        if self._every_secs is not None:
            return time.time() >= self._last_time + self._every_secs
        return self._every_steps is not None and step >= self._last_step + self._every_steps

    def update_last_triggered_step(self, step: int) -> tuple[float | None, int | None]:
        """Note that it was time at `step`; the seconds and steps since the time before, None at the first."""
        now = time.time()
        first = self._last_time is None or self._last_step is None
        elapsed = (None, None) if first else (now - self._last_time, step - self._last_step)  # type: ignore[operator]
        self._last_time, self._last_step = now, step
        return elapsed

    def last_triggered_step(self) -> int | None:
        """The step at which it last was time."""
        return self._last_step


class NeverTriggerTimer(SecondOrStepTimer):
    """A timer whose time never comes."""

    def __init__(self) -> None:
        self.reset()

    def should_trigger_for_step(self, step: int) -> bool:
        """False."""
        return False


def step_of(hook: object) -> Any:
    """The global step of the graph; a RuntimeError that names the hook where there is none."""
    step = get_global_step()
    if step is None:
        raise RuntimeError(f"Global step should be created to use {type(hook).__name__}.")
    return step


def step_if_due(timer: SecondOrStepTimer, run_context: SessionRunContext, before: Any, step: Any) -> int | None:
    """The global step after a run, where `timer` says that it is time; before: its value when the run began."""
    if not timer.should_trigger_for_step(int(before) + 1):
        return None
    now = int(run_context.session.run(step))
    return now if timer.should_trigger_for_step(now) else None


@export(v1="train.StopAtStepHook")
class StopAtStepHook(SessionRunHook):
    """Stops after `num_steps` steps, or at the global step `last_step`; ValueError unless just one of the two is given.

    >>> with tf1.Graph().as_default():
    ...     counted = tf1.assign_add(tf1.train.get_or_create_global_step(), 1)
    ...     with tf1.train.MonitoredSession(hooks=[tf1.train.StopAtStepHook(num_steps=1)]) as session:
    ...         print(session.run(counted), session.should_stop())
    1 True
    """

    def __init__(self, num_steps: int | None = None, last_step: int | None = None) -> None:
        if num_steps is None and last_step is None:
            raise ValueError("One of num_steps or last_step must be specified.")
        if num_steps is not None and last_step is not None:
            raise ValueError("Only one of num_steps or last_step can be specified.")
        self._num_steps, self._last_step = num_steps, last_step

    def begin(self) -> None:
        """Find the global step."""
        self._global_step = step_of(self)

    def after_create_session(self, session: Session, coord: Coordinator) -> None:
        """Count from where the global step is now."""
        if self._last_step is None:
            self._last_step = int(session.run(self._global_step)) + (self._num_steps or 0)

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs:
        """Fetch the global step."""
        return SessionRunArgs(self._global_step)

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        """Stop where it is far enough, by its value after the run."""
        last = self._last_step
        if last is not None and run_values.results + 1 >= last and int(run_context.session.run(self._global_step)) >= last:
            run_context.request_stop()


@export(v1="train.LoggingTensorHook")
class LoggingTensorHook(SessionRunHook):
    """Logs the values of tensors every so many runs or seconds, or at the end.

    tensors: by tag, or a list.  formatter: makes the line of the values by tag.  ValueError for no or several ways to say when.

    >>> with tf1.Graph().as_default():
    ...     counted = tf1.assign_add(tf1.train.get_or_create_global_step(), 1)
    ...     hook = tf1.train.LoggingTensorHook({"step": counted}, every_n_iter=10)
    ...     with tf1.train.MonitoredSession(hooks=[hook]) as session:
    ...         print(session.run(counted))
    1
    """

    def __init__(
        self, tensors: Any, every_n_iter: int | None = None, every_n_secs: float | None = None, at_end: bool = False,
        formatter: Callable[[dict[str, Any]], str] | None = None,
    ) -> None:  # fmt: skip
        only_at_end = at_end and every_n_iter is None and every_n_secs is None
        if not only_at_end and (every_n_iter is None) == (every_n_secs is None):
            raise ValueError("either at_end and/or exactly one of every_n_iter and every_n_secs must be provided.")
        if every_n_iter is not None and every_n_iter <= 0:
            raise ValueError(f"invalid every_n_iter={every_n_iter}.")
        self._tensors = dict(tensors) if isinstance(tensors, Mapping) else {getattr(t, "name", t): t for t in tensors}
        self._timer = NeverTriggerTimer() if only_at_end else SecondOrStepTimer(every_n_secs, every_n_iter)
        self._formatter, self._at_end = formatter, at_end

    def begin(self) -> None:
        """Start anew."""
        self._timer.reset()
        self._iterations, self._due = 0, False

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs | None:
        """Fetch the tensors where it is time."""
        self._due = self._timer.should_trigger_for_step(self._iterations)
        return SessionRunArgs(self._tensors) if self._due else None

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        """Log them."""
        if self._due:
            self._write(run_values.results)
        self._iterations += 1

    def end(self, session: Session) -> None:
        """Log them once more, if asked to."""
        if self._at_end:
            self._write(session.run(self._tensors))

    def _write(self, values: dict[str, Any]) -> None:
        elapsed, _ = self._timer.update_last_triggered_step(self._iterations)
        line = self._formatter(values) if self._formatter else ", ".join(f"{tag} = {value}" for tag, value in values.items())
        _log.info("%s%s", line, "" if elapsed is None or self._formatter else f" ({elapsed:.3f} sec)")


@export(v1="train.NanLossDuringTrainingError")
class NanLossDuringTrainingError(RuntimeError):
    """A loss is NaN.

    >>> str(tf1.train.NanLossDuringTrainingError())
    'NaN loss during training.'
    """

    def __str__(self) -> str:
        return "NaN loss during training."


@export(v1="train.NanTensorHook")
class NanTensorHook(SessionRunHook):
    """Raises NanLossDuringTrainingError where a tensor is NaN, or stops the session, unless `fail_on_nan_loss`.

    >>> with tf1.Graph().as_default():
    ...     counted = tf1.assign_add(tf1.train.get_or_create_global_step(), 1)
    ...     hook = tf1.train.NanTensorHook(tf1.constant(1.0))
    ...     with tf1.train.MonitoredSession(hooks=[hook]) as session:
    ...         print(session.run(counted))
    1
    """

    def __init__(self, loss_tensor: Any, fail_on_nan_loss: bool = True) -> None:
        self._loss_tensor, self._fails = loss_tensor, fail_on_nan_loss

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs:
        """Fetch the tensor."""
        return SessionRunArgs(self._loss_tensor)

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        """Look at it."""
        if not np.isnan(run_values.results):
            return
        if self._fails:
            _log.error("Model diverged with loss = NaN.")
            raise NanLossDuringTrainingError
        _log.warning("Model diverged with loss = NaN.")
        run_context.request_stop()


@export(v1="train.GlobalStepWaiterHook")
class GlobalStepWaiterHook(SessionRunHook):
    """Holds the first run until the global step, which another session moves, has reached `wait_until_step`.

    >>> with tf1.Graph().as_default():
    ...     counted = tf1.assign_add(tf1.train.get_or_create_global_step(), 1)
    ...     hook = tf1.train.GlobalStepWaiterHook(0)
    ...     with tf1.train.MonitoredSession(hooks=[hook]) as session:
    ...         print(session.run(counted))
    1
    """

    def __init__(self, wait_until_step: int) -> None:
        self._wait_until_step = wait_until_step

    def begin(self) -> None:
        """Find the global step."""
        self._global_step = step_of(self)

    def before_run(self, run_context: SessionRunContext) -> None:
        """Wait."""
        while int(run_context.session.run(self._global_step)) < self._wait_until_step:
            time.sleep(0.5)


@export(v1="train.FinalOpsHook")
class FinalOpsHook(SessionRunHook):
    """Runs something at the end, whose values are `final_ops_values` then.

    >>> with tf1.Graph().as_default():
    ...     counted = tf1.assign_add(tf1.train.get_or_create_global_step(), 1)
    ...     hook = tf1.train.FinalOpsHook(counted)
    ...     with tf1.train.MonitoredSession(hooks=[hook]) as session:
    ...         print(session.run(counted))
    1
    >>> int(hook.final_ops_values)
    2
    """

    def __init__(self, final_ops: Any, final_ops_feed_dict: Mapping[Any, Any] | None = None) -> None:
        self._final_ops, self._feed = final_ops, final_ops_feed_dict
        self.final_ops_values: Any = None

    def end(self, session: Session) -> None:
        """Run it."""
        if self._final_ops is not None:
            self.final_ops_values = session.run(self._final_ops, self._feed)


@export(v1="train.FeedFnHook")
class FeedFnHook(SessionRunHook):
    """Feeds each run with what a function gives.

    >>> with tf1.Graph().as_default():
    ...     x = tf1.placeholder(tf1.float32)
    ...     with tf1.train.MonitoredSession(hooks=[tf1.train.FeedFnHook(lambda: {x: 2.0})]) as session:
    ...         print(session.run(x))
    2.0
    """

    def __init__(self, feed_fn: Callable[[], Mapping[Any, Any]]) -> None:
        self.feed_fn = feed_fn

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs:
        """Feed."""
        return SessionRunArgs(None, self.feed_fn())


def check_hooks(hooks: Sequence[Any] | None) -> list[Any]:
    """A list of hooks; a TypeError for what is none of its kind."""
    found = list(hooks or ())
    for hook in found:
        if not isinstance(hook, SessionRunHook):
            raise TypeError(f"hooks are tf.train.SessionRunHooks, got {hook!r}, a {type(hook).__name__}")
    return found
