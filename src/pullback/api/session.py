"""`Session`: a graph's nodes, pruned to what is fetched, run one after the other by their NumPy kernels.

A plan is made once per set of fetches and feeds: a list of small closures over numbered places, with what may be forgotten after
each.  A run that fails puts the variables it had written back as they were.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from ..base import nest
from ..base.errors import InvalidArgumentError, OpError
from ..ir.apply import Site, explained
from ..ir.context import current
from ..ir.convert import array_of
from ..ir.graph import Graph, default_sessions
from ..ir.node import Node
from ..ir.tensor import EagerTensor, IndexedSlices, SymbolicTensor, Tensor
from .default import get_default_graph
from .fetches import Fetch, feeds_of, fetch_of

Places = list[Any]


class Plan:
    """The nodes that a set of fetches needs, in order, as closures over numbered places."""

    def __init__(self, fetched: list[Any], fed: list[SymbolicTensor], memory: dict[str, Any], states: dict[str, dict[str, Any]]) -> None:
        self.place: dict[int, int] = {}
        self.template: Places = []
        for tensor in fed:
            self._place_of(tensor)
        fed_uids = set(self.place)
        self.nodes = _needed(fetched, fed_uids)
        self.handles = [node.attrs["shared_name"] for node in self.nodes if node.op.name == "VarHandleOp"]
        self.steps: list[tuple[Callable[[Places], None], tuple[int, ...]]] = []
        self.stepped: list[Node] = []
        last: dict[int, int] = {}
        made: dict[int, int] = {}
        for node in self.nodes:
            if node.op.name == "Const":
                self.template[self._place_of(node.outputs[0])] = node.attrs["value"]
                continue
            inputs = [self._place_of(t) for t in node.inputs]
            outputs = [self._place_of(t) if t.uid not in fed_uids else self._nowhere() for t in node.outputs]
            self.stepped.append(node)
            self.steps.append((_step(node, inputs, outputs, memory, states), ()))
            last.update(dict.fromkeys(inputs, len(self.steps) - 1))
            made.update(dict.fromkeys(outputs, len(self.steps) - 1))
        keep = {self.place[t.uid] for t in fetched if isinstance(t, SymbolicTensor) and t.uid in self.place}
        self._forget(last, made, keep)

    def _forget(self, last: dict[int, int], made: dict[int, int], keep: set[int]) -> None:
        dead: dict[int, list[int]] = {}
        for place, step in made.items():
            if place not in keep:
                dead.setdefault(max(step, last.get(place, step)), []).append(place)
        for step, places in dead.items():
            self.steps[step] = (self.steps[step][0], tuple(places))

    def _place_of(self, tensor: SymbolicTensor) -> int:
        if tensor.uid not in self.place:
            self.place[tensor.uid] = self._nowhere()
        return self.place[tensor.uid]

    def _nowhere(self) -> int:
        self.template.append(None)
        return len(self.template) - 1

    def run(self, fed: list[tuple[SymbolicTensor, np.ndarray]], fetched: list[Any], memory: dict[str, Any]) -> list[Any]:
        """The values of the fetched tensors (None for operations)."""
        places = self.template.copy()
        for tensor, value in fed:
            places[self.place[tensor.uid]] = value
        variables = memory.setdefault("variables", {})
        before = {name: variables[name].value for name in self.handles if name in variables}
        at = 0
        try:
            with np.errstate(all="ignore"):
                for at, (step, dead) in enumerate(self.steps):  # noqa: B007  # read when a step fails
                    step(places)
                    for place in dead:
                        places[place] = None
        except BaseException as error:
            for name in self.handles:
                if name in variables:
                    variables[name].value = before.get(name)
            if isinstance(error, (OpError, ValueError, TypeError, IndexError, OverflowError, ZeroDivisionError)):
                raise _failed(self.stepped[at], places, self.place, error) from None
            raise
        return [places[self.place[t.uid]] if isinstance(t, SymbolicTensor) else None for t in fetched]


def _needed(fetched: list[Any], fed: set[int]) -> list[Node]:
    seen: set[Node] = set()
    pending = [t.node if isinstance(t, SymbolicTensor) else t for t in fetched if not (isinstance(t, SymbolicTensor) and t.uid in fed)]
    while pending:
        node = pending.pop()
        if node not in seen:
            seen.add(node)
            pending += [t.node for t in node.inputs if t.uid not in fed]
            pending += node._control_inputs
    return sorted(seen, key=lambda node: node.position)


def _step(node: Node, inputs: list[int], outputs: list[int], memory: dict[str, Any], states: dict[str, dict[str, Any]]) -> Callable[[Places], None]:
    """One node as a closure over places."""
    op, kernel = node.op, node.op.kernel
    attrs = {name: node.attrs[name] for name in op.attributes}
    if op.stateful:
        attrs["site"] = Site(memory, node.name, states.setdefault(node.name, {}))
    if op.variadic is None and len(outputs) == 1 and len(inputs) <= 2:
        return _short_step(kernel, inputs, outputs[0], attrs)
    numbers = op.arguments(tuple(inputs))

    def step(places: Places) -> None:
        values = [[places[i] for i in n] if isinstance(n, tuple) else places[n] for n in numbers]
        result = kernel(*values, **attrs)
        if isinstance(result, (tuple, list)):
            for place, value in zip(outputs, result, strict=True):
                places[place] = value
        elif outputs:
            places[outputs[0]] = result

    return step


def _short_step(kernel: Callable[..., Any], inputs: list[int], out: int, attrs: dict[str, Any]) -> Callable[[Places], None]:
    if not inputs:

        def none(places: Places) -> None:
            places[out] = kernel(**attrs)

        return none
    first = inputs[0]
    if len(inputs) == 1:

        def one(places: Places) -> None:
            places[out] = kernel(places[first], **attrs)

        return one
    second = inputs[1]
    if attrs:

        def two_with(places: Places) -> None:
            places[out] = kernel(places[first], places[second], **attrs)

        return two_with

    def two(places: Places) -> None:
        places[out] = kernel(places[first], places[second])

    return two


def _failed(node: Node, places: Places, place: dict[int, int], error: Exception) -> Exception:
    values = tuple(EagerTensor(np.asarray(places[place[t.uid]])) for t in node.inputs)
    attrs = {name: node.attrs[name] for name in node.op.attributes}
    told = explained(node.op, node.op.arguments(values), attrs, error)
    message = told.message.split(" [Op:")[0] if isinstance(told, OpError) else str(told)
    where = f"\n\t [[{{{{node {node.name}}}}}]] (op {node.op.name}, made at {node.where})"
    kind = type(told) if isinstance(told, OpError) else InvalidArgumentError
    return kind(None, node, message + where)


class Session:
    """Runs the operations of a graph and keeps the values of its variables.

    target, config: accepted and not needed.  graph: the graph to run, the default graph when None.

    >>> import pullback.compat.v1 as tf
    >>> with tf.Graph().as_default(), tf.Session() as sess:
    ...     x = tf.placeholder(tf.float32)
    ...     print(sess.run(x * 2.0, {x: 3.0}))
    6.0
    """

    def __init__(self, target: str = "", graph: Graph | None = None, config: Any = None) -> None:
        self.graph = graph if graph is not None else get_default_graph()
        self.memory: dict[str, Any] = {}
        self._states: dict[str, dict[str, Any]] = {}
        self._plans: dict[Any, Plan] = {}
        self._closed = False
        self._target = target
        self._entered: list[Any] = []

    @property
    def graph_def(self) -> Any:
        """The names and types of the graph's operations, as text."""
        return "\n".join(str(node) for node in self.graph.nodes)

    @property
    def sess_str(self) -> str:
        """The target of the session."""
        return self._target

    def run(self, fetches: Any, feed_dict: Any = None, options: Any = None, run_metadata: Any = None) -> Any:
        """Compute `fetches` with the values of `feed_dict`.

        fetches: a tensor, operation (gives None), variable, name, IndexedSlices, or a list, tuple or dict of them; the result has that
        structure, with arrays, scalars as NumPy scalars.  feed_dict: values by tensor; any tensor may be fed.
        Raises TypeError and ValueError for what cannot be fetched or fed, InvalidArgumentError and its kin when an operation fails;
        then the variables stay as they were.
        """
        if self._closed:
            raise RuntimeError("Attempted to use a closed Session.")
        if not self.graph.nodes:
            raise RuntimeError("The Session graph is empty. Add operations to the graph before calling run().")
        fetch = fetch_of(fetches, self.graph)
        fed = feeds_of(feed_dict, self.graph)
        return fetch.build(self._values(fetch, fed))

    def _values(self, fetch: Fetch, fed: dict[SymbolicTensor, np.ndarray]) -> list[Any]:
        key = (tuple(id(t) for t in fetch.elements), tuple(t.uid for t in fed))
        plan = self._plans.get(key)
        if plan is None:
            plan = self._plans[key] = Plan(fetch.elements, list(fed), self.memory, self._states)
        values = plan.run(list(fed.items()), fetch.elements, self.memory)
        return [_handed_out(v, t in fed) for v, t in zip(values, fetch.elements, strict=True)]

    def make_callable(self, fetches: Any, feed_list: Any = None, accept_options: bool = False) -> Callable[..., Any]:
        """A function of the values of `feed_list` that runs `fetches`."""
        feeds = list(feed_list or ())
        return lambda *values: self.run(fetches, dict(zip(feeds, values, strict=True)))

    def close(self) -> None:
        """Release the variables; the session cannot run any more."""
        self._closed = True
        self.memory.clear()
        self._plans.clear()

    def reset(self) -> None:
        """Forget all variables."""
        self.memory.clear()

    def list_devices(self) -> list[Any]:
        """The devices: one CPU."""
        return ["/job:localhost/replica:0/task:0/device:CPU:0"]

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


class InteractiveSession(Session):
    """A session that makes itself and its graph the default until it is closed."""

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


def _handed_out(value: Any, was_fed: bool) -> Any:
    if value is None:
        return None
    if hasattr(value, "read"):
        value = value.read()
    if isinstance(value, np.ndarray):
        if value.ndim or was_fed:
            return value.copy()
        return value[()]
    return value


def get_default_session() -> Any:
    """The innermost session made the default, or None."""
    return default_sessions.stack[-1] if default_sessions.stack else None


__all__ = ["IndexedSlices", "InteractiveSession", "Session", "Tensor", "array_of", "current", "get_default_session", "nest"]
