"""What `tf.gradients` calls the cotangents of an operation's inputs: TensorFlow's names, whatever the rules here end in.

A rule's last node takes the name that TensorFlow's has: that of the record (`gradient_names`), or `Reshape` where broadcasting is undone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..base.dtypes import DType
from ..ir.graph import Graph
from ..ir.node import Node
from ..ir.tensor import SymbolicTensor
from ..transforms.reverse import differentiable_inputs, repeats_operands


def reached_inputs(node: Node, flows: Callable[[DType], bool]) -> list[int]:
    """The positions of the inputs that TensorFlow computes a cotangent for, asked for or not."""
    return [i for i in differentiable_inputs(node) if flows(node.inputs[i].dtype)]


def places(node: Node, found: Sequence[tuple[Any, Any]]) -> list[int]:
    """The position among the node's inputs of each (input, cotangent)."""
    left = list(enumerate(node.inputs))
    at = []
    for x, _ in found:
        place = next((entry for entry in left if entry[1].uid == x.uid), None)
        if place is None:
            return []
        left.remove(place)
        at.append(place[0])
    return at


def name_cotangents(graph: Graph, node: Node, found: Sequence[tuple[Any, Any]], first: int) -> None:
    """Rename what the rules of `node` made, the nodes from position `first` on, as TensorFlow would have named it."""
    labels = _labels(node)
    if not labels:
        return
    for place, (_, g) in zip(places(node, found), found, strict=False):
        label = labels[place] if place < len(labels) else None
        if label and isinstance(g, SymbolicTensor) and g.graph is graph and g.node.position >= first:
            graph.rename(g.node, f"{graph.scope}/{label}", first)


def _labels(node: Node) -> list[str | None]:
    """The label of each input's cotangent, None for the name that the rules give; no labels where all keep that."""
    told = node.op.gradient_names
    names = told(node) if callable(told) else told
    summed: list[int] = []
    if node.op.broadcasts and len(node.inputs) == 2:
        summed = [i for i, sums in enumerate(repeats_operands(*[x.dims for x in node.inputs])) if sums]
    if not names and not summed:
        return []
    labels: list[str | None] = [None] * len(node.inputs)
    if node.op.variadic is None:
        for place, label in zip(node.op.differentiable, names, strict=False):
            labels[place] = label
    elif names:
        labels = [names[0]] * len(labels)
    for count, place in enumerate(summed):
        if not (labels[place] or "").startswith("Reshape"):
            labels[place] = f"Reshape_{count}" if count else "Reshape"
    return labels
