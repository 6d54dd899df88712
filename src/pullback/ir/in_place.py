"""Which outputs of a list of nodes are inputs of which only parts were changed, so that they may be changed where they are.

A step of a loop that puts a row in a matrix, or adds to one, gives a new matrix; but nobody reads the old one any more, so no copy is
needed if the loop owns it.  That is so for an output that leads back to an input through ops which change a part of a tensor, when all else
that reads a version between the two takes a part of it, and can do so before the next change.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from heapq import heappop, heappush
from typing import Any, NamedTuple

from .node import Node
from .tensor import SymbolicTensor


class Link(NamedTuple):
    """A node that changes the input at `position`, and those that take a part of that before."""

    node: Node
    position: int
    parts: list[Node]


class Chain(NamedTuple):
    """An output that is a changed input: the input's number, what changes it, first to last, and what takes a part of the result."""

    start: int
    links: list[Link]
    parts: list[Node]

    @property
    def is_changed(self) -> bool:
        """Whether anything is changed at all, and not only handed on."""
        return any(link.node.primitive.changes or link.node.primitive.hands_on for link in self.links)


def find_chains(nodes: Sequence[Node], inputs: Sequence[SymbolicTensor], outputs: Sequence[Any]) -> dict[int, Chain]:
    """By its number, each output that is an input changed where it is, or as it was."""
    uses = _Uses(nodes, inputs, outputs)
    arrays = {number: out for number, out in enumerate(outputs) if isinstance(out, SymbolicTensor) and out.dtype.is_numpy_compatible}
    found = {number: uses.chain(out) for number, out in arrays.items()}
    chains = {number: chain for number, chain in found.items() if chain is not None}
    return chains if order_nodes(nodes, chains.values()) is not None else {}


def chained_links(nodes: Sequence[Node], outputs: Sequence[Any]) -> dict[Node, int]:
    """The nodes that change a part of what another such node made and nobody else reads, and the first ones before them.

    Each with the length of the chain that it is in.
    """
    readers = Counter(t.uid for node in nodes for t in node.inputs)
    readers.update(t.uid for t in outputs if isinstance(t, SymbolicTensor))
    lengths: dict[Node, list[int]] = {}
    for node in nodes:
        if node.primitive.changes is not None:
            before = node.inputs[0].node if readers[node.inputs[0].uid] == 1 else None
            length = lengths[node] = lengths.get(before, [0]) if before is not None else [0]
            length[0] += 1
    return {node: length for node, (length,) in lengths.items() if length > 1}


def changed_variables(chains: dict[int, Chain]) -> set[int]:
    """Of the chains of a loop's body, the loop variables that each turn changes where they are."""
    return {number for number, chain in chains.items() if chain.start == number and chain.is_changed}


def links_of(node: Node) -> dict[int, int]:
    """The outputs of a node that are inputs which it changed, or handed on: by number, the number of the input."""
    op = node.primitive
    if op.changes is not None or (op.passes and not op.stateful):
        return {0: 0}
    return {} if op.hands_on is None else op.hands_on(node)


class _Uses:
    def __init__(self, nodes: Sequence[Node], inputs: Sequence[SymbolicTensor], outputs: Sequence[Any]) -> None:
        self.nodes = nodes
        self.inside = set(nodes)
        self.starts = {t.uid: number for number, t in enumerate(inputs)}
        self.fetched = Counter(t.uid for t in outputs if isinstance(t, SymbolicTensor))
        self.readers: dict[int, list[tuple[Node, int]]] = {}
        for node in nodes:
            for position, t in enumerate(node.inputs):
                self.readers.setdefault(t.uid, []).append((node, position))

    def chain(self, out: SymbolicTensor) -> Chain | None:
        """How an output comes from an input; None where it does not so."""
        last = self._parts(out, None, 0)
        if self.fetched[out.uid] != 1 or last is None:
            return None
        t, links = out, list[Link]()
        while t.uid not in self.starts:
            node = t.node
            position = links_of(node).get(t.index) if node in self.inside else None
            if position is None:
                return None
            t = node.inputs[position]
            parts = self._parts(t, node, position)
            if parts is None or self.fetched[t.uid]:
                return None
            links.append(Link(node, position, parts))
        return Chain(self.starts[t.uid], links[::-1], last)

    def _parts(self, t: SymbolicTensor, link: Node | None, position: int) -> list[Node] | None:
        """The nodes that take a part of a tensor, which `link` changes afterwards; None where others read it."""
        others = [node for node, p in self.readers.get(t.uid, ()) if (node, p) != (link, position)]
        return None if any(not node.primitive.takes_part or any(x.uid == t.uid for x in node.inputs[1:]) for node in others) else others


def order_nodes(nodes: Sequence[Node], chains: Iterable[Chain]) -> list[Node] | None:
    """The nodes in an order in which what takes a part of a tensor comes before what changes that, as they were otherwise.

    None where there is no such order, or only one in which those with a state come in another one.
    """
    waits: dict[Node, list[Node]] = {}
    for link in [link for chain in chains for link in chain.links]:
        waits.setdefault(link.node, []).extend(link.parts)
    if all(part.position < node.position for node, parts in waits.items() for part in parts):
        return list(nodes)
    inside = set(nodes)
    left: dict[Node, int] = {}
    after: dict[Node, list[Node]] = {}
    for node in nodes:
        before = {*(t.node for t in node.inputs), *node._control_inputs, *waits.get(node, ())} & inside - {node}
        left[node] = len(before)
        for other in before:
            after.setdefault(other, []).append(node)
    ready = [(node.position, node) for node in nodes if not left[node]]
    order = []
    while ready:
        _, node = heappop(ready)
        order.append(node)
        for other in after.get(node, ()):
            left[other] -= 1
            if not left[other]:
                heappush(ready, (other.position, other))
    stateful = [node for node in order if node.primitive.stateful]
    return order if len(order) == len(nodes) and stateful == [node for node in nodes if node.primitive.stateful] else None
