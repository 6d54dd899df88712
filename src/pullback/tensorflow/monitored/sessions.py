"""`tf.train.MonitoredSession` and its kind: a session in a loop of `while not session.should_stop()`, which hooks watch.

There is one process with one session: what TensorFlow has for servers that come and go is not here.
"""

from __future__ import annotations

import inspect
import logging
from collections.abc import Callable, Mapping, Sequence
from types import TracebackType
from typing import Any, Self

from ...api.collections import global_variables_initializer, local_variables_initializer, report_uninitialized_variables, tables_initializer
from ...api.default import get_default_graph
from ...api.names import GraphKeys
from ...api.session import Session
from ...base.errors import OutOfRangeError
from ...base.export import export
from ...ops.effects.operations import group
from ...ops.effects.summary import merge_all
from ...train.coordinator import Coordinator
from ..queues.runners import start_queue_runners
from .hooks import SessionRunArgs, SessionRunContext, SessionRunHook, SessionRunValues, check_hooks
from .saving_hooks import CheckpointSaverHook, StepCounterHook, SummarySaverHook, default_saver
from .session_manager import SessionManager

_log = logging.getLogger("tensorflow")
USE_DEFAULT = object()
_CLEAN_ENDS = (OutOfRangeError, StopIteration)


@export(v1="train.Scaffold")
class Scaffold:
    """The parts of a graph that a training program needs: what initialises it, saves it, sums it up. What is None is found or made.

    init_op, init_feed_dict, init_fn(scaffold, session): run where there is no checkpoint.  local_init_op: run always.  ready_op: gives the
    names of variables that have no value.  copy_from_scaffold: what is None is taken from it.

    >>> with tf1.Graph().as_default():
    ...     v = tf1.get_variable("v", [], initializer=tf1.zeros_initializer())
    ...     scaffold = tf1.train.Scaffold(init_fn=lambda scaffold, session: v.load(5.0, session))
    ...     with tf1.train.SingularMonitoredSession(scaffold=scaffold) as session:
    ...         print(session.run(v))
    5.0
    """

    def __init__(
        self, init_op: Any = None, init_feed_dict: Mapping[Any, Any] | None = None, init_fn: Callable[..., Any] | None = None,
        ready_op: Any = None, ready_for_local_init_op: Any = None, local_init_op: Any = None, summary_op: Any = None, saver: Any = None,
        copy_from_scaffold: Scaffold | None = None, local_init_feed_dict: Mapping[Any, Any] | None = None,
    ) -> None:  # fmt: skip
        other = copy_from_scaffold
        if other is not None and not isinstance(other, Scaffold):
            raise TypeError("copy_from_scaffold is not a Scaffold instance.")

        def choose(given: Any, name: str) -> Any:
            return given if given is not None or other is None else getattr(other, name)

        self._init_fn = choose(init_fn, "_init_fn")
        self.init_op, self.ready_op = choose(init_op, "init_op"), choose(ready_op, "ready_op")
        self.ready_for_local_init_op = choose(ready_for_local_init_op, "ready_for_local_init_op")
        self.local_init_op, self.summary_op = choose(local_init_op, "local_init_op"), choose(summary_op, "summary_op")
        self.saver, self.init_feed_dict = choose(saver, "saver"), choose(init_feed_dict, "init_feed_dict")
        self.local_init_feed_dict = choose(local_init_feed_dict, "local_init_feed_dict")

    @property
    def init_fn(self) -> Callable[[Session], Any] | None:
        """The function given, of a session."""
        return None if self._init_fn is None else lambda session: self._init_fn(self, session)

    def finalize(self) -> Scaffold:
        """Make what is not there."""
        made: dict[str, tuple[str, Callable[[], Any]]] = {
            "init_op": (GraphKeys.INIT_OP, lambda: group(global_variables_initializer())),
            "ready_op": (GraphKeys.READY_OP, report_uninitialized_variables),
            "local_init_op": (GraphKeys.LOCAL_INIT_OP, self.default_local_init_op),
            "summary_op": (GraphKeys.SUMMARY_OP, merge_all),
        }
        for part, (key, make) in made.items():
            if getattr(self, part) is None:
                setattr(self, part, self.get_or_default(part, key, make))
        if self.saver is None:
            self.saver = default_saver(get_default_graph())
        self.saver.build()
        return self

    @staticmethod
    def get_or_default(arg_name: str, collection_key: str, default_constructor: Callable[[], Any]) -> Any:
        """What the graph keeps under a key; else what is made, which it keeps then.  RuntimeError where it keeps several."""
        graph = get_default_graph()
        kept = graph.get_collection(collection_key)
        if len(kept) > 1:
            raise RuntimeError(
                f'More than one item in the collection "{collection_key}". Please indicate which one to use by passing it to the '
                f"tf.Scaffold constructor as:  tf.Scaffold({arg_name}=item to use)"
            )
        if kept:
            return kept[0]
        found = default_constructor()
        if found is not None:
            graph.add_to_collection(collection_key, found)
        return found

    @staticmethod
    def default_local_init_op() -> Any:
        """What initialises local variables and tables."""
        return group(local_variables_initializer(), tables_initializer())


@export(v1="train.SessionCreator")
class SessionCreator:
    """What makes the session of a `MonitoredSession`.

    >>> class Plain(tf1.train.SessionCreator):
    ...     def create_session(self):
    ...         return tf1.Session()
    >>> with tf1.Graph().as_default():
    ...     x = tf1.constant(2.0)
    ...     with tf1.train.MonitoredSession(Plain()) as session:
    ...         print(session.run(x))
    2.0
    """

    def create_session(self) -> Session:
        """A session that is ready to run."""
        raise NotImplementedError("create_session is not implemented for this SessionCreator")


@export(v1="train.ChiefSessionCreator")
class ChiefSessionCreator(SessionCreator):
    """Makes a session whose variables have values: those of the last checkpoint in a folder, or of a file, or their initial ones.

    Raises RuntimeError where something has no value then.

    >>> with tf1.Graph().as_default():
    ...     v = tf1.get_variable("v", [], initializer=tf1.ones_initializer())
    ...     with tf1.train.MonitoredSession(tf1.train.ChiefSessionCreator()) as session:
    ...         print(session.run(v))
    1.0
    """

    def __init__(
        self, scaffold: Scaffold | None = None, master: str = "", config: Any = None, checkpoint_dir: str | None = None,
        checkpoint_filename_with_path: str | None = None,
    ) -> None:  # fmt: skip
        self._scaffold = scaffold or Scaffold()
        self._master, self._config, self._folder, self._file = master, config, checkpoint_dir, checkpoint_filename_with_path

    def create_session(self) -> Session:
        """The session; the graph is finalized."""
        scaffold = self._scaffold.finalize()
        manager = SessionManager(
            scaffold.local_init_op, scaffold.ready_op, scaffold.ready_for_local_init_op, local_init_feed_dict=scaffold.local_init_feed_dict
        )
        session = manager.prepare_session(
            self._master, scaffold.init_op, scaffold.saver, self._folder, self._file, config=self._config,
            init_feed_dict=scaffold.init_feed_dict, init_fn=scaffold.init_fn,
        )  # fmt: skip
        get_default_graph().finalize()
        return session


@export(v1="train.WorkerSessionCreator")
class WorkerSessionCreator(ChiefSessionCreator):
    """As `ChiefSessionCreator`: there is one process, which waits for no other.

    >>> with tf1.Graph().as_default():
    ...     x = tf1.constant(1.0)
    ...     with tf1.train.MonitoredSession(tf1.train.WorkerSessionCreator()) as session:
    ...         print(session.run(x))
    1.0
    """

    def __init__(self, scaffold: Scaffold | None = None, master: str = "", config: Any = None, max_wait_secs: int = 1800) -> None:
        super().__init__(scaffold, master, config)


@export(v1="train.MonitoredSession")
class MonitoredSession:
    """A session that hooks watch. An OutOfRangeError of its block, the end of the data, ends the block and no more.

    session_creator: what makes it, a `ChiefSessionCreator` when None.  stop_grace_period_secs: how long threads of queues may take to end.

    >>> with tf1.Graph().as_default():
    ...     step = tf1.train.get_or_create_global_step()
    ...     counted = tf1.assign_add(step, 1)
    ...     with tf1.train.MonitoredSession(hooks=[tf1.train.StopAtStepHook(last_step=3)]) as session:
    ...         while not session.should_stop():
    ...             print(session.run(counted))
    1
    2
    3
    """

    def __init__(
        self,
        session_creator: SessionCreator | None = None,
        hooks: Sequence[SessionRunHook] | None = None,
        stop_grace_period_secs: float = 120,
    ) -> None:
        self._graph = get_default_graph()
        self._was_finalized = self._graph.finalized
        self._hooks = check_hooks(hooks)
        self._grace, self._should_stop = stop_grace_period_secs, False
        for hook in self._hooks:
            hook.begin()
        self._coordinator = Coordinator(clean_stop_exception_types=_CLEAN_ENDS)
        self._session: Session | None = (session_creator or ChiefSessionCreator()).create_session()
        start_queue_runners(self._session, self._coordinator)
        for hook in self._hooks:
            hook.after_create_session(self._session, self._coordinator)

    @property
    def graph(self) -> Any:
        """The graph."""
        return self._graph

    def raw_session(self) -> Session:
        """The session below, whose runs no hook sees."""
        return self._running()

    def should_stop(self) -> bool:
        """Whether a hook, a thread or the end of the session asks to stop."""
        return self._session is None or self._should_stop or self._coordinator.should_stop()

    def _running(self) -> Session:
        if self._session is None:
            raise RuntimeError("Session is already closed.")
        return self._session

    def run(self, fetches: Any, feed_dict: Mapping[Any, Any] | None = None, options: Any = None, run_metadata: Any = None) -> Any:
        """`Session.run`, with what hooks fetch and feed beside.

        Raises RuntimeError once it is closed or was asked to stop, and where a hook and the program feed the same tensor.
        """
        if self._session is None or self._should_stop:
            raise RuntimeError("Run called even after should_stop requested.")
        context = SessionRunContext(SessionRunArgs(fetches, feed_dict), self._session)
        asked, feeds = self._ask(context, feed_dict)
        options = next((o for o in (options, *(args.options for args in asked.values())) if o is not None), None)
        wanted = {-1: fetches} | {i: args.fetches for i, args in asked.items() if args.fetches is not None}
        try:
            found = self._session.run(wanted, feeds or None, options=options, run_metadata=run_metadata)
        except Exception:
            self._coordinator.raise_requested_exception()  # a thread that fills a queue failed first: its error says more
            raise
        for i, hook in enumerate(self._hooks):
            hook.after_run(context, SessionRunValues(found.get(i), options, run_metadata))
        if context.stop_requested:
            self._should_stop = True
        return found[-1]

    def _ask(self, context: SessionRunContext, feed_dict: Mapping[Any, Any] | None) -> tuple[dict[int, SessionRunArgs], dict[Any, Any]]:
        asked, fed, given = dict[int, SessionRunArgs](), dict[Any, Any](), dict(feed_dict or {})
        for i, hook in enumerate(self._hooks):
            args = hook.before_run(context)
            if args is None:
                continue
            asked[i] = args
            for others, who in ((fed, "two hooks"), (given, "a SessionRunHook and user")):
                twice = [t for t in args.feed_dict or () if any(t is other for other in others)]
                if twice:
                    raise RuntimeError(f"Same tensor is fed by {who}. Conflict(s): {twice}")
            fed.update(args.feed_dict or {})
        return asked, {**given, **fed}

    def run_step_fn(self, step_fn: Callable[..., Any]) -> Any:
        """What `step_fn(step_context)` gives; the context has `session`, `run_with_hooks` and `request_stop`.

        Raises ValueError for a function of other arguments.
        """
        names = tuple(inspect.signature(step_fn).parameters)
        if names != ("step_context",):
            raise ValueError(
                "`step_fn` may either have one `step_context` argument, or `self` and `step_context` arguments if it's an instance method. "
                f"Got {names} instead."
            )
        return step_fn(StepContext(self))

    def close(self) -> None:
        """End the session: hooks are told, threads of queues stop, and the graph may grow again where it could before."""
        self._close(told=True)

    def _close(self, told: bool) -> None:
        session = self._session
        if session is None:
            return
        try:
            for hook in self._hooks if told else ():
                hook.end(session)
        finally:
            self._session = None
            self._graph.finalized = self._was_finalized
            self._coordinator.request_stop()
            session.close()
            self._coordinator.join(stop_grace_period_secs=self._grace, ignore_live_threads=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None) -> bool:
        is_end = kind is not None and issubclass(kind, _CLEAN_ENDS)
        self._close(told=kind is None or is_end)
        return is_end


class StepContext:
    """What `run_step_fn` gives a function."""

    def __init__(self, monitored: MonitoredSession) -> None:
        self._monitored = monitored

    @property
    def session(self) -> Session:
        """The session below, whose runs no hook sees."""
        return self._monitored.raw_session()

    def run_with_hooks(self, *args: Any, **kwargs: Any) -> Any:
        """`MonitoredSession.run`."""
        return self._monitored.run(*args, **kwargs)

    def request_stop(self) -> None:
        """Ask the session to stop."""
        self._monitored._should_stop = True


@export(v1="train.SingularMonitoredSession")
class SingularMonitoredSession(MonitoredSession):
    """A `MonitoredSession` that is made of a `Scaffold` and a folder of checkpoints.

    >>> with tf1.Graph().as_default():
    ...     v = tf1.get_variable("v", [], initializer=tf1.ones_initializer())
    ...     with tf1.train.SingularMonitoredSession() as session:
    ...         print(session.run(v))
    1.0
    """

    def __init__(
        self, hooks: Sequence[SessionRunHook] | None = None, scaffold: Scaffold | None = None, master: str = "", config: Any = None,
        checkpoint_dir: str | None = None, stop_grace_period_secs: float = 120, checkpoint_filename_with_path: str | None = None,
    ) -> None:  # fmt: skip
        creator = ChiefSessionCreator(scaffold, master, config, checkpoint_dir, checkpoint_filename_with_path)
        super().__init__(creator, hooks, stop_grace_period_secs)


@export(v1="train.MonitoredTrainingSession")
def MonitoredTrainingSession(
    master: str = "", is_chief: bool = True, checkpoint_dir: str | None = None, scaffold: Scaffold | None = None,
    hooks: Sequence[SessionRunHook] | None = None, chief_only_hooks: Sequence[SessionRunHook] | None = None,
    save_checkpoint_secs: Any = USE_DEFAULT, save_summaries_steps: Any = USE_DEFAULT, save_summaries_secs: Any = USE_DEFAULT,
    config: Any = None, stop_grace_period_secs: float = 120, log_step_count_steps: int | None = 100, max_wait_secs: int = 7200,
    save_checkpoint_steps: Any = USE_DEFAULT, summary_dir: str | None = None, save_graph_def: bool = True,
) -> MonitoredSession:  # fmt: skip
    """A `MonitoredSession` for training: it starts from the last checkpoint of a folder, and saves checkpoints and summaries there.

    checkpoint_dir: the folder; None saves nothing.  save_checkpoint_secs, save_checkpoint_steps: how often, 600 s when neither is given.
    save_summaries_steps, save_summaries_secs: likewise, 100 steps.  log_step_count_steps: how often the steps per second are written.
    chief_only_hooks: further hooks, left out unless `is_chief`.  Raises RuntimeError where the graph has no global step and needs one.

    >>> with tf1.Graph().as_default():
    ...     v = tf1.get_variable("v", [], initializer=tf1.ones_initializer())
    ...     with tf1.train.MonitoredTrainingSession() as session:
    ...         print(session.run(v))
    1.0
    """
    if save_summaries_steps is USE_DEFAULT and save_summaries_secs is USE_DEFAULT:
        save_summaries_steps, save_summaries_secs = 100, None
    if save_checkpoint_secs is USE_DEFAULT and save_checkpoint_steps is USE_DEFAULT:
        save_checkpoint_secs, save_checkpoint_steps = 600, None
    summary_steps, summary_secs = _wanted_interval(save_summaries_steps), _wanted_interval(save_summaries_secs)
    checkpoint_steps, checkpoint_secs = _wanted_interval(save_checkpoint_steps), _wanted_interval(save_checkpoint_secs)
    scaffold = scaffold or Scaffold()
    found = [*(hooks or ())]
    folder = summary_dir or checkpoint_dir
    if is_chief and chief_only_hooks:
        found += chief_only_hooks
    if is_chief and folder:
        if log_step_count_steps:
            found.append(StepCounterHook(every_n_steps=log_step_count_steps, output_dir=folder))
        if summary_steps or summary_secs:
            found.append(SummarySaverHook(summary_steps, summary_secs, folder, scaffold=scaffold))
    if is_chief and checkpoint_dir and (checkpoint_secs or checkpoint_steps):
        found.append(CheckpointSaverHook(checkpoint_dir, checkpoint_secs, checkpoint_steps, scaffold=scaffold))
    return MonitoredSession(ChiefSessionCreator(scaffold, master, config, checkpoint_dir), found, stop_grace_period_secs)


def _wanted_interval(given: Any) -> Any:
    return given if given is not USE_DEFAULT and given and given > 0 else None
