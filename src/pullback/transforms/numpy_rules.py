"""The formula of an element-wise op as a NumPy closure, for a sweep that nobody listens to.

A formula is written once, in public ops.  When no tape and no graph listens, running it through dispatch tensor by tensor costs
more than its kernels; so it is traced once per dtype, on stand-ins of unknown shape, and the trace, if it is made of element-wise
kernels only, becomes straight Python over arrays: the same kernels in the same order, so the same numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..base.dtypes import FROM_NUMPY
from ..ir.context import enter_graph, stop_recorders
from ..ir.function_graph import PLACEHOLDER
from ..ir.graph import Graph
from ..ir.node import PACKAGE, Node
from ..ir.op import VALUE, Op, Rule
from ..ir.tensor import SymbolicTensor

#: `(node, g) -> array` for the input at a position, in the order of the op's rules.
ArrayRule = tuple[int, Callable[[Node, Any], Any]]


def numpy_rules(op: Op, kind: object) -> tuple[ArrayRule, ...] | None:
    """The rules of `op` for arrays of `kind` as closures over arrays, or None where the formulas need more than that."""
    try:
        return op.memory.array_rules[kind]
    except KeyError:
        found = op.memory.array_rules[kind] = _trace_rules(op, kind)
        return found


def _trace_rules(op: Op, kind: Any) -> tuple[ArrayRule, ...] | None:
    if not op.pointwise or op.attributes or not op.rules or kind.kind == "c" or any(len(rule.indices) != 1 for rule in op.rules):
        return None
    if any(spec.variable != "T" for spec in op.inputs):
        return None
    found = []
    for rule in op.rules:
        closure = _closure(op, rule, kind)
        if closure is None:
            return None
        found.append((rule.indices[0], closure))
    return tuple(found)


def _closure(op: Op, rule: Rule, kind: Any) -> Callable[[Node, Any], Any] | None:
    graph = Graph()
    dtype = FROM_NUMPY[kind]
    with stop_recorders(), enter_graph(graph):
        g, out, *inputs = [PLACEHOLDER(dtype=dtype, shape=None) for _ in range(2 + len(op.inputs))]
        result = rule.call(Node(op, tuple(inputs), {}, (out,)), g)
    if not isinstance(result, SymbolicTensor):
        return None
    names = {g.uid: "g"}
    if op.keeps_output:
        names[out.uid] = "n.outputs[0].value"
    names |= {t.uid: f"n.inputs[{i}].value" for i, t in enumerate(inputs) if op.keeps[i] == VALUE}
    if result is g:
        return lambda n, g: g
    lines: list[str] = []
    scope: dict[str, Any] = {}
    for i, node in enumerate(graph.nodes[2 + len(inputs) :]):
        if node.primitive.name == "Const":
            scope[f"c{i}"] = node.attrs["value"]
            names[node.outputs[0].uid] = f"c{i}"
        elif (
            node.primitive.pointwise and not node.primitive.attributes and all(t.uid in names for t in node.inputs)
        ):  # a tape has no other values
            scope[f"k{i}"] = node.primitive.kernel
            lines.append(f"    t{i} = k{i}({', '.join(names[t.uid] for t in node.inputs)})")
            names[node.outputs[0].uid] = f"t{i}"
        else:
            return None
    text = "\n".join(["def rule(n, g):", *lines, f"    return {names[result.uid]}"])
    exec(compile(text, PACKAGE + "rules", "exec"), scope)
    compiled: Callable[[Node, Any], Any] = scope["rule"]
    return compiled
