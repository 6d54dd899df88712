"""A plan: the nodes that a set of outputs needs, run one after the other by their NumPy kernels.

A plan is made once per graph, outputs and given inputs: a list of small closures over numbered places, with what may be forgotten
after each.  Place 0 holds the `Run`: the memory that stateful kernels work on, so one plan serves many sessions and many calls.
A run keeps a journal of the storages it writes; whoever started it takes the writes back when it fails.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from ..base.errors import InvalidArgumentError, OpError
from .apply import Site, explained
from .node import Node
from .tensor import EagerTensor, SymbolicTensor, TensorType

Places = list[Any]
Step = Callable[[Places], None]
FAILURES = (OpError, ValueError, TypeError, IndexError, OverflowError, ZeroDivisionError)


class Run:
    """What stateful kernels work on: the memory all share, what each node remembers, and the values that writes replaced."""

    __slots__ = ("journal", "memory", "states")

    def __init__(self, memory: dict[str, Any], states: dict[Node, dict[str, Any]]) -> None:
        self.memory = memory
        self.states = states
        self.journal: dict[Any, Any] = {}

    def take_back(self) -> None:
        """Give every storage written the value it had."""
        for storage, before in self.journal.items():
            storage.value = before


class Plan:
    """The nodes that `fetched` needs when `fed` is given, in order, as closures over numbered places."""

    def __init__(self, fetched: Sequence[Any], fed: Iterable[SymbolicTensor], always: Iterable[Node] = ()) -> None:
        self.place: dict[int, int] = {}
        self.template: Places = [None]
        self.fed = [self._place_of(tensor) for tensor in fed]
        given = set(self.place)
        self.steps: list[tuple[Step, tuple[int, ...]]] = []
        self.nodes: list[Node] = []
        last: dict[int, int] = {}
        made: dict[int, int] = {}
        for node in _needed([*fetched, *always], given):
            if node.op.name == "Const":
                if node.outputs[0].uid not in given:
                    self.template[self._place_of(node.outputs[0])] = node.attrs["value"]
                continue
            inputs = [self._place_of(t) for t in node.inputs]
            outputs = [self._place_of(t) if t.uid not in given else self._nowhere() for t in node.outputs]
            last.update(dict.fromkeys(inputs, len(self.steps)))
            made.update(dict.fromkeys(outputs, len(self.steps)))
            self.nodes.append(node)
            self.steps.append((_step(node, inputs, outputs), ()))
        self.fetched = [self.place[t.uid] if isinstance(t, SymbolicTensor) else None for t in fetched]
        self._forget(last, made)

    def _forget(self, last: dict[int, int], made: dict[int, int]) -> None:
        keep = set(self.fetched)
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

    def run(self, values: Iterable[Any], run: Run) -> list[Any]:
        """The values of the fetched tensors (None for operations), given those of the fed ones."""
        places = self.template.copy()
        places[0] = run
        for place, value in zip(self.fed, values, strict=True):
            places[place] = value
        at = 0
        try:
            for at, (step, dead) in enumerate(self.steps):  # noqa: B007  # read when a step fails
                step(places)
                for place in dead:
                    places[place] = None
        except FAILURES as error:
            raise self._failed(self.nodes[at], places, error) from None
        return [None if place is None else places[place] for place in self.fetched]

    def _failed(self, node: Node, places: Places, error: Exception) -> Exception:
        if isinstance(error, OpError) and error.op is not None:
            return error
        values = tuple(_as_type(t, places[self.place[t.uid]]) for t in node.inputs)
        attrs = {name: node.attrs[name] for name in node.op.attributes}
        told = explained(node.op, node.op.arguments(values), attrs, error)
        message = told.message.split(" [Op:")[0] if isinstance(told, OpError) else str(told)
        where = f"\n\t [[{{{{node {node.name}}}}}]] (op {node.op.name}, made at {node.where})"
        kind: Any = type(told) if isinstance(told, OpError) and type(told) is not OpError else InvalidArgumentError
        return kind(None, node, message + where)  # type: ignore[no-any-return]


def _as_type(tensor: SymbolicTensor, value: Any) -> Any:
    """What an op's type rule is told of an input's value."""
    known = isinstance(value, (np.ndarray, np.generic))
    return EagerTensor(np.asarray(value)) if known else TensorType(tensor.dims, tensor.dtype)


def _needed(fetched: Sequence[Any], fed: set[int]) -> list[Node]:
    seen: set[Node] = set()
    pending = [t.node if isinstance(t, SymbolicTensor) else t for t in fetched if not (isinstance(t, SymbolicTensor) and t.uid in fed)]
    while pending:
        node = pending.pop()
        if node not in seen:
            seen.add(node)
            pending += [t.node for t in node.inputs if t.uid not in fed]
            pending += [c for c in node._control_inputs if c.op.name != "Placeholder" or c.outputs[0].uid not in fed]
    return sorted(seen, key=lambda node: node.position)


def _step(node: Node, inputs: list[int], outputs: list[int]) -> Step:
    """One node as a closure over places."""
    op, kernel = node.op, node.op.kernel
    attrs = {name: node.attrs[name] for name in op.attributes}
    if op.stateful:
        kernel = _at_site(node)
    if op.variadic is None and len(outputs) == 1 and not op.outputs[0].startswith("*") and len(inputs) <= 2 and not op.stateful:
        return _short_step(kernel, inputs, outputs[0], attrs)
    numbers = op.arguments(tuple(inputs))
    stateful = op.stateful

    def step(places: Places) -> None:
        values = [[places[i] for i in n] if isinstance(n, tuple) else places[n] for n in numbers]
        result = kernel(places[0], *values, **attrs) if stateful else kernel(*values, **attrs)
        if isinstance(result, (tuple, list)):
            for place, value in zip(outputs, result, strict=True):
                places[place] = value
        elif outputs:
            places[outputs[0]] = result

    return step


def _at_site(node: Node) -> Callable[..., Any]:
    kernel, name = node.op.kernel, node.graph.site_prefix + node.name

    def at_site(run: Run, *values: Any, **attrs: Any) -> Any:
        states = run.states
        state = states.get(node)
        if state is None:
            state = states[node] = {}
        return kernel(*values, site=Site(run.memory, name, state, run), **attrs)

    return at_site


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
