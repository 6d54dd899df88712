"""Why a gradient is None: where the way from a target back to a source ends.

One answer for graphs, functions and tapes: `breaks` looks at the operations behind the targets (`provenance`) and names each place on
a way from the source to a target where no gradient passes, the nearest to the targets first.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from ..ir.graph import Graph
from .provenance import Key, Provenance, Step, stores

if TYPE_CHECKING:
    from ..ir.tensor import Tensor

#: Of an input through which no gradient is meant to pass, because another one stands for it.
_ELSEWHERE = "elsewhere"


class Break(NamedTuple):
    """A place where no gradient passes: the code of the cause, the operation, and which of its inputs leads on to the source."""

    code: str
    step: Step
    position: int

    @property
    def is_of_shape(self) -> bool:
        """Whether nothing but a shape passes there: it decides only where nothing else does."""
        return self.step.op.traits.reads_shape


class Ways:
    """The ways from a source to some targets.

    reached: whether one of them is open all along, as far as the operations' rules tell.  breaks: where the others end, nearest to the
    targets first.  users: the operations that read the source on an open way.
    """

    def __init__(self, connected: bool, breaks: list[Break], users: list[tuple[Step, int]]) -> None:
        self.connected = connected
        self.breaks = breaks
        self.users = users


def follow(found: Provenance, ys: Sequence[Key], x: Key, held: Collection[Key] = ()) -> Ways:
    """The ways from `x` to `ys`.  held: what `stop_gradients` holds constant."""
    fed = _find_computed(found, x)
    order = {id(step): i for i, step in enumerate(found.steps)}
    reached = {y for y in ys if y in fed}
    breaks: dict[tuple[int, int], Break] = {}
    users: list[tuple[Step, int]] = []
    pending: list[Key] = list(reached)
    while pending:
        key = pending.pop()
        if key == x:
            continue
        for step in found.makers.get(key, ()):
            for i, given in enumerate(step.inputs):
                if given not in fed:
                    continue
                code = "stopped by stop_gradients" if key in held else _code_of(found, step, i, key, given == x, fed)
                if code is _ELSEWHERE:
                    continue
                if code is not None:
                    breaks.setdefault((order[id(step)], i), Break(code, step, i))
                    continue
                if given == x:
                    users.append((step, i))
                if given not in reached:
                    reached.add(given)
                    pending.append(given)
            for store in step.stored:
                if len(store.inputs) > 1 and any(k in fed for k in store.inputs[1:]):
                    breaks.setdefault((order[id(store)], 1), Break("reassigned", store, 1))
    users.sort(key=lambda use: -order[id(use[0])])
    ordered = [breaks[place] for place in sorted(breaks, reverse=True)]
    return Ways(any(y in fed for y in ys), [cut for cut in ordered if not cut.is_of_shape] or ordered, users)


def _find_computed(found: Provenance, x: Key) -> set[Key]:
    """What is computed from `x`, by operations with a derivative or without."""
    fed = {x}
    before = 0
    while before != len(fed):  # once, and again where there are loops
        before = len(fed)
        for step in found.steps:
            for key in step.inputs:
                if key in fed:
                    break
            else:
                if not any(k in fed for store in step.stored for k in store.inputs[1:]):
                    continue
            fed.update(step.outputs)
    return fed


def _code_of(
    found: Provenance, step: Step, index: int, result: Key, is_source: bool, fed: Container[Key]
) -> str | None:  # fmt: skip
    """Why no gradient passes from an operation to one of its inputs; None where it does, or where what makes the input will tell."""
    op = step.op
    if op.name == "CustomGradient" and index < step.attrs["count"]:
        return "custom gradient gave None" if not any(k in fed for k in step.inputs[step.attrs["count"] :]) else _ELSEWHERE
    if not found.is_trainable(step.inputs[index]):
        return "integer" if is_source else None
    if op.rules == ():
        return op.traits.ends or ("reassigned" if stores(op) else "no derivative")
    if not found.is_trainable(result):
        return "integer" if op.name == "Cast" else "no derivative"
    if not step.passes(index):
        return "no derivative"
    return "reassigned" if index and stores(op) else None


# ---- graphs

#: The collection of the gradients that were None; as it is no string, its name is not among those of a program's own.
_NOTED = ("_none_gradients",)
#: How many of them a graph knows of.
_MOST = 100


class Noted(NamedTuple):
    """A gradient that was None: of what, with respect to what, with what held constant, and where it was asked for."""

    ys: list[Any]
    x: Any
    held: frozenset[Key]
    where: str


def remember_none(graph: Graph, ys: list[Any], x: Tensor, where: str, held: Collection[Key] = ()) -> None:
    """Keep, for messages, that the gradient of `ys` with respect to `x` was None.  held: the uids of what was held constant."""
    noted = graph.get_collection_ref(_NOTED)
    noted.append(Noted(ys, x, frozenset(held), where))
    del noted[:-_MOST]


def find_held(graph: Graph, ys: Sequence[Any], x: Tensor) -> frozenset[Key]:
    """What was held constant when the gradient of `ys` with respect to `x` was None last."""
    uids = [y.uid for y in ys]
    for noted in reversed(graph.get_collection(_NOTED)):
        if noted.x is x and [y.uid for y in noted.ys] == uids:
            held: frozenset[Key] = noted.held
            return held
    return frozenset()


def find_last_none(graph: Graph, x: Tensor | None = None) -> Noted | None:
    """What is known of the last gradient that was None in a graph, with respect to `x` where that is given."""
    return next((noted for noted in reversed(graph.get_collection(_NOTED)) if x is None or noted.x is x), None)


def last_nones(graph: Graph) -> list[Noted]:
    """What is known of the gradients that were None when a graph gave such a one last."""
    noted = list(graph.get_collection(_NOTED))
    asked = [(one.where, [y.uid for y in one.ys]) for one in noted]
    first = next((i for i in range(len(noted), 0, -1) if asked[i - 1] != asked[-1]), 0)
    return noted[first:]
