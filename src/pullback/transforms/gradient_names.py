"""What `tf.gradients` calls the cotangents of an operation's inputs: TensorFlow's names, whatever the rules here end in.

A rule's last node takes the name that TensorFlow's has: that of the record (`gradient_names`), or `Reshape` where broadcasting is undone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import is_, itemgetter
from typing import TYPE_CHECKING, Any

from ..base.dtypes import DType
from ..base.lazy_import import LazyModule
from ..ir.graph import Graph
from ..ir.node import Node
from ..ir.tensor import SymbolicTensor, Tensor
from ..ops.array.basic import SUM_TO
from .reverse import differentiable_inputs, repeats_operands

if TYPE_CHECKING:
    from ..ops.math import sums
else:  # few gradients are of tensors that are read twice
    sums = LazyModule("pullback.ops.math.sums")


def reached_inputs(node: Node, flows: Callable[[DType], bool]) -> list[int]:
    """The positions of the inputs that TensorFlow computes a cotangent for, asked for or not."""
    return [i for i in differentiable_inputs(node) if flows(node.inputs[i].dtype)]


def places(node: Node, found: Sequence[tuple[Any, Any]]) -> Sequence[int]:
    """The position among the node's inputs of each (input, cotangent)."""
    inputs = node.inputs
    if len(found) == len(inputs) and all(map(is_, inputs, map(itemgetter(0), found))):
        return range(len(inputs))
    uids = [x.uid for x in inputs]
    at = []
    for x, _ in found:
        if x.uid not in uids:
            return []
        at.append(uids.index(x.uid))
        uids[at[-1]] = 0
    return at


def name_cotangents(graph: Graph, node: Node, found: Sequence[tuple[Any, Any]], first: int, on_tape: bool = False) -> None:
    """Rename what the rules of `node` made, the nodes from position `first` on, as TensorFlow would have named it.

    on_tape: whether the scope may hold other nodes, and cotangents that nobody asks for are not made, which TensorFlow's graphs make too.
    """
    inputs, op = node.inputs, node.primitive
    repeats = op.broadcasts and not (op.by_element and len(inputs) == 2 and _have_same_dims(*inputs))
    conjugates = bool(graph.nodes) and graph.nodes[-1].primitive.name == "Conj"
    if not (op.gradient_names or repeats or conjugates):
        return
    summed: Sequence[int] | None = None if repeats else ()
    if repeats and not op.by_element:  # its shapes do not tell, and it is all of them or none
        summed = places(node, found) if any(_is_summed(g) for _, g in found) else []
    labels = _labels(node, on_tape and len(found) == 1 and len(inputs) == 2 and found[0][0] is inputs[1] is not inputs[0], summed)
    if not (labels or conjugates):
        return
    named: dict[str, Node] = {}
    for place, (_, g) in zip(places(node, found), found, strict=False):
        if isinstance(g, SymbolicTensor) and (made := g.node).position >= first and made.graph is graph:
            label = labels[place] if place < len(labels) else None
            if label:  # one that several operands have is of one operation for all of them, or of one for each
                kind, number = label, 0
                while named.setdefault(label, made) is not made:
                    number += 1
                    label = f"{kind}_{number}"
            elif made.primitive.name == "Conj" and (result := made.inputs[0].node).position >= first:
                label = result.name.rpartition("/")[2]  # what the sweep conjugated
            if label and on_tape:
                graph.relabel(made, label, first)
            elif label and made.name != (name := f"{graph.scope}/{label}"):
                graph.rename(made, name, first)


def _is_summed(g: Any) -> bool:
    return isinstance(g, SymbolicTensor) and g.node.primitive is SUM_TO


def _labels(node: Node, is_second: bool, summed: Sequence[int] | None) -> Sequence[str | None]:
    """The label of each input's cotangent, None for the name that the rules give; no labels where all keep that.

    is_second: whether the second operand's is the only one that is made.  summed: the operands whose cotangents undo broadcasting, None
    where their shapes say.
    """
    op, inputs = node.primitive, node.inputs
    names = op.gradient_names
    if callable(names):
        names = names(node)
    if is_second and (when := op.traits.numbers_made) and (when == "always" or not _have_same_dims(*inputs)):
        names = names[:1] * 2
    if summed is None:
        summed = _broadcast_operands(node)
        summed = [1] if is_second and 1 in summed else summed
    named = op.differentiable
    if not summed and (not names or (op.variadic is None and named and named[-1] + 1 == len(named))):
        return names
    labels: list[str | None] = [None] * len(inputs)
    if op.variadic is None:
        for place, label in zip(named, names, strict=False):
            labels[place] = label
    elif names:
        labels = [names[0]] * len(labels)
    for count, place in enumerate(summed):
        if not (labels[place] or "").startswith("Reshape"):
            labels[place] = f"Reshape_{count}" if count else "Reshape"
    return labels


def _broadcast_operands(node: Node) -> Sequence[int]:
    """The operands that differ in shape from the result."""
    op, inputs = node.primitive, node.inputs
    if not op.broadcasts:
        return ()
    if len(inputs) == 2:
        first, second = repeats_operands(inputs[0].dims, inputs[1].dims)
        return [i for i, repeats in enumerate((first, second)) if repeats] if first or second else []
    return [i for i in op.differentiable if inputs[i].dims != node.outputs[0].dims]


def _have_same_dims(x: Tensor, y: Tensor) -> bool:
    dims = x.dims
    return dims is not None and dims == y.dims and None not in dims


def order_nodes(nodes: Sequence[Any], ys: Sequence[Any], on_tape: bool = False) -> list[Any]:
    """The nodes that `ys` depend on, in the order in which TensorFlow has them: from the end on it comes to their gradients.

    Nodes whose outputs have their whole cotangents wait in a queue, in the order of the inputs that lead to them.
    on_tape: whether the last node comes first of those that make `ys`, and not the first of `ys`.
    """
    producers = {t.uid: at for at, node in enumerate(nodes) for t in node.outputs}
    inputs = [[producers[x.uid] for x in node.inputs if x.uid in producers] for node in nodes]
    begun = dict.fromkeys(producers[y.uid] for y in ys if y.uid in producers)
    uses = dict.fromkeys(begun, 0)  # by the node's number, how many times its outputs are read by nodes that lead to the ys
    waiting = list(begun)
    while waiting:
        for at in inputs[waiting.pop()]:
            if at in uses:
                uses[at] += 1
            else:
                uses[at] = 1
                waiting.append(at)
    order = [at for at in (sorted(begun, reverse=True) if on_tape else begun) if not uses[at]]
    for reader in order:
        for at in inputs[reader]:
            uses[at] = left = uses[at] - 1
            if not left:
                order.append(at)
    return [nodes[at] for at in reversed(order)]


class RulesOnTape:
    """Names of what the gradient of a tape adds to a graph: by the scope of the node whose gradient it is, and TensorFlow's there."""

    def __init__(self, graph: Graph) -> None:
        self.graph, self.scope, self.first = graph, graph.scope, 0

    def enter(self, node: Node) -> None:
        """The rules of `node` come next."""
        graph = self.graph
        scope = getattr(node, "scope", None)
        if scope is None:
            scope = getattr(node, "name", "").rpartition("/")[0]
        if node.primitive.traits.calls_gradient:
            graph.scope = self.scope
        else:
            graph.scope = f"gradient_tape/{scope}" if scope else "gradient_tape"
        graph.original_op = node if hasattr(node, "graph") else None
        self.first = len(graph.nodes)

    def finish(self, node: Node, found: list[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
        """The cotangents that the rules of `node` gave, renamed."""
        name_cotangents(self.graph, node, found, self.first, on_tape=True)
        return found

    def total(self, cotangents: list[Any]) -> Any:
        """The sum of one tensor's cotangents, made where the gradient was asked for."""
        self.leave()
        return sums.ADD_N(cotangents)

    def leave(self) -> None:
        """Go back to the scope in which the gradient was asked for."""
        self.graph.scope, self.graph.original_op = self.scope, None
