"""Why a gradient is None: where the path from the target back to the source ends."""

from __future__ import annotations

from typing import Any

from ..ir.graph import Graph
from ..ir.node import Node
from ..ir.tensor import SymbolicTensor
from .reverse import differentiable_inputs, trainable

_WAY_OUT = {
    "StopGradient": "it stops gradients on purpose",
    "Cast": "casting to or from an integer cuts the gradient; keep the tensors floating",
}


def remember_none(graph: Graph, ys: list[Any], x: Any, where: str) -> None:
    """Keep, for the message of a fetch of None, that the gradient of `ys` with respect to `x` was None."""
    graph.collections["_none_gradients"] = [(ys, x, where)]


def why_none(graph: Graph) -> str:
    """What is known of the last gradient that was None in this graph, as a sentence for an error."""
    noted = graph.collections.get("_none_gradients")
    if not noted:
        return "A fetch is a tensor, an operation or a name; None often comes from tf.gradients where a target does not depend on a source."
    ys, x, where = noted[0]
    return f"It is the gradient asked for at {where}: {explain_none(ys, x)}"


def explain_none(ys: list[Any], x: Any) -> str:
    """A sentence that tells why no gradient leads from `ys` to `x`, both tensors of one graph."""
    target = ", ".join(repr(y.name) for y in ys)
    route = _route(ys, x)
    if route is None:
        return f"{target} does not depend on {x.name!r}; pass unconnected_gradients='zero' for zeros instead of None."
    if not trainable(x.dtype):
        return f"{x.name!r} is {x.dtype.name}, and gradients flow through floating and complex tensors only; make it tf.float32."
    for node in route:
        reached = list(differentiable_inputs(node))
        cut = not reached or not any(trainable(t.dtype) for t in node.outputs) or node.op.name in _WAY_OUT
        if cut:
            reason = _why_cut(node)
            return f"{target} depends on {x.name!r} only through {node.name!r} (op {node.op.name}, made at {node.where}): {reason}."
    return f"every path from {target} to {x.name!r} was cut by stop_gradients or by an input that its op holds constant."


def _why_cut(node: Node) -> str:
    if node.op.name in _WAY_OUT:
        return _WAY_OUT[node.op.name]
    if node.op.rules and not any(trainable(t.dtype) for t in node.outputs):
        return f"its result is {node.outputs[0].dtype.name}, and gradients flow through floating and complex tensors only"
    return "it is not differentiable, so it is constant in the eyes of a gradient"


def _route(ys: list[Any], x: Any) -> list[Node] | None:
    """The nodes of one path from `x` to one of `ys`, from x on; None where there is none."""
    came: dict[Node, Node | None] = {y.node: None for y in ys if isinstance(y, SymbolicTensor)}
    pending = list(came)
    while pending:
        node = pending.pop()
        if any(t is x for t in node.inputs):
            route: list[Node] = []
            step: Node | None = node
            while step is not None:
                route.append(step)
                step = came[step]
            return route
        for t in node.inputs:
            if t.node not in came:
                came[t.node] = node
                pending.append(t.node)
    return None
