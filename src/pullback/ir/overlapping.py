"""Which nodes of a plan run at the same time.

In a session, calls of Python functions of which none waits for another: TensorFlow runs them so, and programs whose functions wait for
each other (at a barrier, for a queue) end only so.  Everything else keeps its order: a call moves forward only over nodes without effects.

What goes on by itself once it is begun (sums over processes) is begun as soon as what it reads is known.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType

from .node import Node

#: How many calls run at the same time at most, each on a thread.
_MOST = 32


def join_calls(nodes: Sequence[Node], fed: Collection[int]) -> list[Node]:
    """The nodes of a plan with such calls as one node, in an order they can run in."""
    calls = [node for node in nodes if node.primitive.traits.together is not None and not node.graph.building_function]
    if len(calls) < 2:
        return list(nodes)
    found: list[Node] = []
    placed: set[Node] = set()
    for at, node in enumerate(nodes):
        if node in placed:
            continue
        if node.primitive.traits.together is None or node.graph.building_function:
            found.append(node)
            placed.add(node)
            continue
        group = [node]
        for other in nodes[at + 1 :]:
            if len(group) == _MOST or (other.primitive.effects and other.primitive.traits.together is None and other not in placed):
                break
            if (
                other.primitive.traits.together is node.primitive.traits.together
                and not other.graph.building_function
                and other not in placed
            ):
                ahead = _list_missing(other, fed, placed, nodes)
                if not any(n.primitive.traits.together is not None for n in ahead):
                    found += ahead
                    placed.update(ahead)
                    group.append(other)
        found.append(node if len(group) == 1 else node.primitive.traits.together(group))
        placed.update(group)
    return found


def order_early_starts(nodes: Sequence[Node], fed: Collection[int]) -> list[Node]:
    """The nodes of a plan, those of the trait `early` each as soon as what it reads is known.

    Other nodes with a state keep their order.  All of it depends on the plan alone, so that it is the same in all processes.
    """
    stateful = [node for node in nodes if node.primitive.stateful and not node.primitive.traits.early]
    before = dict(zip(stateful[1:], stateful, strict=False))
    found: list[Node] = []
    placed: set[Node] = set()
    for node in nodes:
        if node.primitive.traits.early:
            ahead = [*_list_missing(node, fed, placed, nodes, before), node]
            found += ahead
            placed.update(ahead)
    return [*found, *(node for node in nodes if node not in placed)]


def _list_missing(
    node: Node, fed: Collection[int], placed: set[Node], nodes: Sequence[Node], after: Mapping[Node, Node] = MappingProxyType({})
) -> list[Node]:
    """The nodes not placed yet that a node waits for, in order; `after` has what else some nodes wait for."""
    seen: set[Node] = set()
    pending = [node]
    while pending:
        one = pending.pop()
        before = [*(t.node for t in one.inputs if t.uid not in fed), *one._control_inputs, *([after[one]] if one in after else [])]
        fresh = [n for n in before if n not in placed and n not in seen]
        seen.update(fresh)
        pending += fresh
    return [n for n in nodes if n in seen]
