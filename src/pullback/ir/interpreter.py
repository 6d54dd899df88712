"""A plan walked node by node: a list of small closures over numbered places, with what may be forgotten after each.

The way for graphs too large to print and compile before they have run a few times.  Place 0 holds the run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from .node import Node
from .tensor import SymbolicTensor

Places = list[Any]
Step = Callable[[Places], None]
Kernel = Callable[..., Any]


class Interpreter:
    """Nodes as closures over numbered places."""

    def __init__(self, nodes: Sequence[Node], fed: Sequence[SymbolicTensor], fetched: Sequence[Any], kernels: Sequence[Kernel]) -> None:
        self.nodes = nodes
        self.place: dict[int, int] = {}
        self.template: Places = [None]
        self.fed = [self._place_of(tensor) for tensor in fed]
        given = set(self.place)

        steps: list[Step] = []
        last: dict[int, int] = {}
        made: dict[int, int] = {}
        for node, kernel in zip(nodes, kernels, strict=True):
            inputs = [self._place_of(t) for t in node.inputs]
            outputs = [self._place_of(t) if t.uid not in given else self._nowhere() for t in node.outputs]
            last.update(dict.fromkeys(inputs, len(steps)))
            made.update(dict.fromkeys(outputs, len(steps)))
            steps.append(_step(node, kernel, inputs, outputs))
        self.fetched = [self._place_of(t) if isinstance(t, SymbolicTensor) else None for t in fetched]
        self.steps = list(zip(steps, self._dead(len(steps), last, made), strict=True))

    def _dead(self, count: int, last: dict[int, int], made: dict[int, int]) -> list[tuple[int, ...]]:
        """The places that nobody reads any more, by step."""
        keep = set(self.fetched)
        dead: list[list[int]] = [[] for _ in range(count)]
        for place, step in made.items():
            if place not in keep:
                dead[max(step, last.get(place, step))].append(place)
        return [tuple(places) for places in dead]

    def _place_of(self, tensor: SymbolicTensor) -> int:
        if tensor.uid not in self.place:
            self.place[tensor.uid] = self._nowhere()
            if tensor.node.primitive.name == "Const":
                self.template[-1] = tensor.node.attrs["value"]
        return self.place[tensor.uid]

    def _nowhere(self) -> int:
        self.template.append(None)
        return len(self.template) - 1

    def run(self, run: object, values: Iterable[Any], places: Places) -> Iterable[int]:
        """Run the steps on `places` (emptied first), giving the number of each before it runs."""
        places[:] = self.template
        places[0] = run
        for place, value in zip(self.fed, values, strict=True):
            places[place] = value

        for at, (step, dead) in enumerate(self.steps):
            yield at
            step(places)
            for place in dead:
                places[place] = None

    def answers(self, places: Places) -> list[Any]:
        """The fetched values (None for operations)."""
        return [None if place is None else places[place] for place in self.fetched]


def _step(node: Node, kernel: Kernel, inputs: list[int], outputs: list[int]) -> Step:
    """One node as a closure over places."""
    op = node.primitive
    attrs = {name: node.attrs[name] for name in op.attributes}
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


def _short_step(kernel: Callable[..., Any], inputs: list[int], out: int, attrs: dict[str, Any]) -> Callable[[Places], None]:
    if not inputs:

        def call_none(places: Places) -> None:
            places[out] = kernel(**attrs)

        return call_none
    first = inputs[0]
    if len(inputs) == 1:

        def call_one(places: Places) -> None:
            places[out] = kernel(places[first], **attrs)

        return call_one
    second = inputs[1]
    if attrs:

        def call_two_with(places: Places) -> None:
            places[out] = kernel(places[first], places[second], **attrs)

        return call_two_with

    def call_two(places: Places) -> None:
        places[out] = kernel(places[first], places[second])

    return call_two
