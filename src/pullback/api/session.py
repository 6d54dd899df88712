"""`Session`: plans of a graph, one per set of fetches and feeds, run on the variables that the session keeps.

A run that fails puts the variables it had written back as they were.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import count
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, overload
from weakref import WeakSet

import numpy as np

from ..base import nest
from ..base.errors import InvalidArgumentError
from ..base.export import export, is_hot
from ..base.lazy_import import LazyModule
from ..engine.explain import explain_plan, profile_plan
from ..engine.explanation import Explanation
from ..engine.jit_policy import type_of_given
from ..ir.context import BUILDING, Watcher, current, drop_recorders, enter_context, watchers
from ..ir.graph import Graph, default_sessions
from ..ir.node import Node
from ..ir.plan import Plan, Run
from ..ir.tensor import SymbolicTensor, Tensor
from ..ir.tracebacks import trim
from .default import get_default_graph
from .fetches import Fetch, PreparedPlan, feeds_among, feeds_of, fetch_of, find_ref_reads, give_words_as_fed, hand_out, prepare_plan

if TYPE_CHECKING:
    import numpy.typing as npt

    from . import partial_runs
    from .variable import Variable
else:
    partial_runs = LazyModule("pullback.api.partial_runs")

Key = TypeVar("Key")

#: How many sets of fetches and feeds a session remembers the plans of; beyond that the oldest goes.
_PLANS = 512


#: Those of this process, for `Session.reset`.
_SESSIONS: WeakSet[Session] = WeakSet()


class DeviceAttributes(NamedTuple):
    """What `Session.list_devices` says of a device."""

    name: str
    device_type: str
    memory_limit_bytes: int
    incarnation: int


@export(v1="Session")
class Session:
    """Runs the operations of a graph and keeps the values of its variables.

    target: accepted and not needed.  config: a `ConfigProto`, of which `operation_timeout_in_ms` counts.  graph: the graph to run, the
    default graph when None.

    >>> with tf1.Graph().as_default(), tf1.Session() as sess:
    ...     x = tf1.placeholder(tf1.float32)
    ...     print(sess.run(x * 2.0, {x: 3.0}))
    6.0
    """

    def __init__(self, target: str = "", graph: Graph | None = None, config: Any = None) -> None:
        if not isinstance(target, (str, bytes)):
            raise TypeError(f'Argument `target` must be a string, but got "{type(target).__name__}"')
        if graph is not None and not isinstance(graph, Graph):
            raise TypeError(f'Argument `graph` must be a tf.Graph, but got "{type(graph).__name__}"')
        if config is not None and type(config).__name__ != "ConfigProto":  # of TensorFlow's surface, which is not loaded for it
            raise TypeError(f'Argument `config` must be a tf.ConfigProto, but got "{type(config).__name__}"')
        self.graph = graph if graph is not None else get_default_graph()
        self.memory: dict[str, Any] = {}
        self._states: dict[Node, dict[str, Any]] = {}
        self._plans: dict[Any, PreparedPlan] = {}
        self._partial_runs: dict[str, partial_runs.PartialRun] = {}
        self._handles = count()
        self._closed = False
        self._target = target
        self._config = config
        self._entered: list[Any] = []
        _SESSIONS.add(self)

    @property
    def graph_def(self) -> Any:
        """The graph as a protocol buffer."""
        return self.graph.as_graph_def()

    @property
    def sess_str(self) -> str:
        """The target of the session."""
        return self._target

    @overload
    def run(self, fetches: Node, feed_dict: Mapping[Any, Any] | None = ..., options: object = ..., run_metadata: object = ...) -> None: ...
    @overload
    def run(
        self, fetches: Tensor | Variable, feed_dict: Mapping[Any, Any] | None = ..., options: object = ..., run_metadata: object = ...
    ) -> npt.NDArray[Any] | Any: ...
    @overload
    def run(
        self, fetches: tuple[Any, Any], feed_dict: Mapping[Any, Any] | None = ..., options: object = ..., run_metadata: object = ...
    ) -> tuple[Any, Any]: ...
    @overload
    def run(
        self, fetches: tuple[Any, Any, Any], feed_dict: Mapping[Any, Any] | None = ..., options: object = ..., run_metadata: object = ...
    ) -> tuple[Any, Any, Any]: ...
    @overload
    def run(
        self, fetches: list[Any], feed_dict: Mapping[Any, Any] | None = ..., options: object = ..., run_metadata: object = ...
    ) -> list[Any]: ...
    @overload
    def run(
        self, fetches: Mapping[Key, Any], feed_dict: Mapping[Any, Any] | None = ..., options: object = ..., run_metadata: object = ...
    ) -> dict[Key, Any]: ...
    @overload
    def run(self, fetches: object, feed_dict: Mapping[Any, Any] | None = ..., options: object = ..., run_metadata: object = ...) -> Any: ...
    @is_hot
    def run(self, fetches: object, feed_dict: Mapping[Any, Any] | None = None, options: object = None, run_metadata: object = None) -> Any:
        """Compute `fetches` with the values of `feed_dict`.

        fetches: a tensor, operation (gives None), variable, name, IndexedSlices, or a list, tuple or dict of them; the result has that
        structure, with arrays, scalars as NumPy scalars.  feed_dict: values by tensor; any tensor may be fed.  options: `RunOptions`,
        whose `timeout_in_ms` ends the waiting for a queue with a DeadlineExceededError.
        Raises TypeError and ValueError for what cannot be fetched or fed, InvalidArgumentError and its kin when an operation fails;
        then the variables stay as they were.
        """
        try:
            if self._closed:
                raise RuntimeError("Attempted to use a closed Session.")
            if not self.graph.nodes:
                raise RuntimeError("The Session graph is empty. Add operations to the graph before calling run().")
            fetch = fetch_of(fetches, self.graph)
            fed = feeds_of(feed_dict, self.graph)
            values = self._values(fetch, fed, self._deadline(options))
            if feed_dict and not fed.keys().isdisjoint(fetch.elements):
                values = give_words_as_fed(values, fetch.elements, feed_dict, self.graph)
            return fetch.build(values)
        except Exception as error:  # raised again: what `trims_errors` does, without a call more
            trim(error)
            raise

    def _deadline(self, options: Any) -> float | None:
        limit = getattr(options, "timeout_in_ms", 0) or getattr(self._config, "operation_timeout_in_ms", 0)
        return time.monotonic() + limit / 1000 if limit else None

    def _values(self, fetch: Fetch, fed: dict[SymbolicTensor, np.ndarray], deadline: float | None = None) -> list[Any]:
        key = (tuple(id(t) for t in fetch.elements), tuple(t.uid for t in fed))
        known = self._plans.get(key)
        if known is None:
            with BUILDING:
                if len(self._plans) >= _PLANS:
                    del self._plans[next(iter(self._plans))]
                known = self._plans[key] = prepare_plan(fetch.elements, fed, self.memory)
        plan, ref_reads = known.plan, known.ref_reads
        given = known.give(fed)
        watching = watchers() if current().recorders else []
        if watching:
            values = self._watch_run(plan, given, watching)
            return self._give_values(values, ref_reads, fetch, fed)
        if plan.ready is not None and not ref_reads:
            answers = plan.ready(*given)
            if answers is not None:
                return [hand_out(v, t in fed) for v, t in zip(answers, fetch.elements, strict=True)]
        run = Run(self.memory, self._states, plan, deadline)
        try:
            with np.errstate(all="ignore"):
                values = plan.run(given, run)
        except BaseException:
            run.take_back()
            raise
        return self._give_values(values, ref_reads, fetch, fed)

    def _give_values(self, values: Sequence[Any], ref_reads: Sequence[tuple[int, str]], fetch: Fetch, fed: Collection[Any]) -> list[Any]:
        """The values of a run as the caller gets them."""
        if ref_reads:
            values = list(values)
            for at, variable in ref_reads:
                values[at] = self.memory["variables"][variable].value
        return [hand_out(v, t in fed) for v, t in zip(values, fetch.elements, strict=True)]

    def _watch_run(self, plan: Plan, given: list[Any], watching: list[Watcher]) -> Sequence[Any]:
        """A run that watchers are told of when it is done."""
        before = [(storage, storage.value) for storage in self.memory.get("variables", {}).values()]
        with enter_context(drop_recorders(watching)):
            run = Run(self.memory, self._states, plan)
            try:
                with np.errstate(all="ignore"):
                    values = plan.run(given, run)
            except BaseException:
                run.take_back()
                raise
            for watcher in watching:
                watcher.ran(plan, given, [v for v in values if v is not None], before, Run(self.memory, dict(self._states)))
        return values

    def partial_run_setup(self, fetches: object, feeds: object = None) -> str:
        """The handle of a run in several calls of `partial_run`.

        fetches: all that will be fetched; operations among them are run as soon as they can be.  feeds: the tensors that will be fed.
        Raises InvalidArgumentError: nothing to fetch, a tensor that is fed twice, or fed and fetched.

        >>> with tf1.Graph().as_default(), tf1.Session() as sess:
        ...     x, scale = tf1.placeholder(tf1.float32), tf1.placeholder(tf1.float32)
        ...     y = x + 1.0
        ...     z = y * scale
        ...     handle = sess.partial_run_setup([y, z], [x, scale])
        ...     first = sess.partial_run(handle, y, {x: 2.0})
        ...     print(first, sess.partial_run(handle, z, {scale: first * 10.0}))
        3.0 90.0
        """
        self._require_open()
        known = [tensor for feed in nest.flatten([] if feeds is None else feeds) for tensor in feeds_among(feed, self.graph)]
        with BUILDING:
            plan = prepare_plan(fetch_of(fetches, self.graph).elements, known).plan
        started = partial_runs.PartialRun(plan, known, Run(self.memory, self._states))
        handle = f"partial_run;{next(self._handles)}"
        self._partial_runs[handle] = started
        return handle

    def partial_run(self, handle: str, fetches: object, feed_dict: Mapping[Any, Any] | None = None) -> Any:
        """Go on with a run that `partial_run_setup` set up: feed some of its feeds, fetch some of its fetches, as `run` gives them.

        What can be computed from what is fed by now is, once in all the calls.  Raises InvalidArgumentError: a handle of no run, or of
        one that is over; what was not set up, or comes a second time; a fetch that needs more feeds.  RuntimeError: an operation fetched.
        """
        self._require_open()
        fetch, fed = fetch_of(fetches, self.graph), feeds_of(feed_dict, self.graph)
        operations = [element for element in fetch.elements if isinstance(element, Node)]
        if operations:
            raise RuntimeError(f"partial_run() requires empty `target_list`. Received: target_list={operations} (non-empty)")
        started = self._partial_runs.get(handle)
        if started is None:
            raise InvalidArgumentError(None, None, "Must run 'setup' before performing partial runs!")
        try:
            values = started.fetch(fetch.elements, fed)
        finally:
            if started.is_over:
                del self._partial_runs[handle]
        return fetch.build(self._give_values(values, find_ref_reads(fetch.elements, fed), fetch, fed))

    def _require_open(self) -> None:
        if self._closed:
            raise RuntimeError("Attempted to use a closed Session.")

    def prepare_run(self, fetches: object, feed_dict: Mapping[Any, Any] | None) -> tuple[Plan, list[Any], Run]:
        """What `run` would do, for who goes through it himself: the plan, the values that it is given, and a run to be taken back."""
        self._require_open()
        fetch, fed = fetch_of(fetches, self.graph), feeds_of(feed_dict, self.graph)
        known = prepare_plan(fetch.elements, fed)
        return known.plan, known.give(fed), Run(self.memory, dict(self._states), known.plan)

    def explain(self, fetches: object, feed_dict: Mapping[Any, Any] | None = None) -> Explanation:
        """The native program that `run` would run: kernels, what is fused in them, bytes and operations; or why there is none.

        It is not run.  Sizes are those of `feed_dict`'s values.  `print` it, or show it in a notebook.

        >>> with tf1.Graph().as_default(), tf1.Session() as sess:
        ...     x = tf1.placeholder(tf1.float32)
        ...     kernel, = sess.explain(tf1.tanh(x) * 2.0, {x: [1.0, 2.0, 3.0]}).parts
        >>> kernel.operations, kernel.read
        (('Tanh', 'Mul'), 12)
        """
        fetch, fed = fetch_of(fetches, self.graph), feeds_of(feed_dict, self.graph)
        known = prepare_plan(fetch.elements, fed, self.memory)
        types = [type_of_given(t, v) for t, v in zip(known.plan.fed, known.give(fed), strict=True)]
        return explain_plan("Session.run", known.plan, types)

    def profile(self, fetches: object, feed_dict: Mapping[Any, Any] | None = None) -> Explanation:
        """`explain` with the time of each part of runs, and how far that is from what this machine could do.

        Variables are as before afterwards; other effects, of Python functions and random generators, happen at each run.
        """
        fetch, fed = fetch_of(fetches, self.graph), feeds_of(feed_dict, self.graph)
        known = prepare_plan(fetch.elements, fed, self.memory)
        return profile_plan("Session.run", known.plan, known.give(fed), lambda: Run(self.memory, self._states))

    def make_callable(self, fetches: Any, feed_list: Any = None, accept_options: bool = False) -> Callable[..., Any]:
        """A function of the values of `feed_list` that runs `fetches`."""
        feeds = list(feed_list or ())
        return lambda *values: self.run(fetches, dict(zip(feeds, values, strict=True)))

    def close(self) -> None:
        """Release the variables; the session cannot run any more, and operations that wait for a queue are cancelled."""
        self._closed = True
        for thing in self.memory.get("shared", {}).values():
            thing.cancel("Session has been closed.")
        self.memory.clear()
        self._states.clear()
        self._plans.clear()
        self._partial_runs.clear()

    @staticmethod
    def reset(target: str, containers: Any = None, config: Any = None) -> None:
        """Close every session of this process; `containers` and `config` are for those of other machines.

        Raises ValueError: a `target` that is not this process.
        """
        if target:
            raise ValueError(f"sessions run in this process, whose name is '', not {target!r}")
        for session in list(_SESSIONS):
            session.close()

    def list_devices(self) -> list[Any]:
        """The devices: one CPU, with `name`, `device_type`, `memory_limit_bytes` and `incarnation`."""
        return [DeviceAttributes("/job:localhost/replica:0/task:0/device:CPU:0", "CPU", 1 << 28, 1)]

    @contextmanager
    def as_default(self) -> Iterator[Session]:
        """Make this the session that `Tensor.eval` and `Operation.run` use in the block."""
        default_sessions.stack.append(self)
        try:
            yield self
        finally:
            default_sessions.stack.remove(self)

    def __enter__(self) -> Session:
        graph_block, session_block = self.graph.as_default(), self.as_default()
        graph_block.__enter__()
        session_block.__enter__()
        self._entered.append((graph_block, session_block))
        return self

    def __exit__(self, *error: Any) -> None:
        graph_block, session_block = self._entered.pop()
        session_block.__exit__(*error)
        graph_block.__exit__(*error)
        self.close()


@export(v1="InteractiveSession")
class InteractiveSession(Session):
    """A session that makes itself and its graph the default until it is closed.

    >>> with tf1.Graph().as_default():
    ...     sess = tf1.InteractiveSession()
    ...     print((tf1.constant(2.0) * 3.0).eval())
    ...     sess.close()
    6.0
    """

    def __init__(self, target: str = "", graph: Graph | None = None, config: Any = None) -> None:
        super().__init__(target, graph, config)
        self._graph_block = None if graph is None else self.graph.as_default()
        if self._graph_block is not None:
            self._graph_block.__enter__()
        default_sessions.stack.append(self)

    def close(self) -> None:
        """Stop being the default and release the variables."""
        super().close()
        if self in default_sessions.stack:
            default_sessions.stack.remove(self)
            if self._graph_block is not None:
                self._graph_block.__exit__(None, None, None)


@export(v1="get_default_session")
def get_default_session() -> Session | None:
    """The innermost session made the default, or None.

    >>> with tf1.Graph().as_default(), tf1.Session() as sess:
    ...     print(tf1.get_default_session() is sess)
    True
    >>> tf1.get_default_session() is None
    True
    """
    return default_sessions.stack[-1] if default_sessions.stack else None
