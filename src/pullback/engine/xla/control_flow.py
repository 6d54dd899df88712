"""Loops and branches as StableHLO's own: bodies are specialised like programs and written in regions, which see what is around them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...ir.function_graph import Body, node_has_effects
from ...ir.node import Node
from ...ir.plan import needed_nodes
from ...ir.tensor import TensorType
from ..lower import constant, expressions_of, is_list_operation
from ..lowering.builder import Unsupported
from ..lowering.index_expr import IndexExpr
from ..lowering.specialise import Specialised, specialise_graph
from .builder import XlaBuilder
from .fourier import is_transform, lower_transform
from .lists import Repeated, element_dims, enter_loop, lower_list, parts_of, replace_parts
from .module import Value, Writer


def lower_node(node: Node, builder: XlaBuilder, inputs: Sequence[Any]) -> list[Any]:
    """The outputs of a node; raises Unsupported where XLA does not take it."""
    if node.primitive.name == "While":
        return _while(node, builder, inputs)
    if node.primitive.name == "Case":
        return _case(node, builder, inputs)
    if node.primitive.name == "ReadVariableOp":
        return [inputs[0]]
    if is_list_operation(node):
        return lower_list(node, builder, inputs)
    if node.primitive.name == "OptimizationBarrier":
        values = [builder.value(v) for v in inputs]
        return [builder.define(builder.writer.ops("optimization_barrier", values, [(v.dims, v.dtype) for v in values], "", [])[0])]
    if is_transform(node):
        return lower_transform(node, builder, inputs)
    if node.primitive.stateful:
        raise Unsupported(f"{node.primitive.name} in a loop or a branch")
    return list(expressions_of(node, builder, list(inputs)))


def _specialise_body(body: Body, given: Sequence[Any]) -> Specialised:
    """A body for values of these shapes."""
    plan = body.plan()
    types = [TensorType(v.dims if isinstance(v, IndexExpr) else t.dims, t.dtype) for v, t in zip(given, body.inputs, strict=True)]
    elements = {number: dims for number, v in enumerate(given) if (dims := element_dims(v)) is not None}
    return specialise_graph(plan.nodes, body.inputs, body.outputs, types, elements)


def _lower_body(spec: Specialised, builder: XlaBuilder, given: Sequence[Any]) -> list[Any]:
    """The outputs of a body whose inputs are `given`."""
    known: dict[int, Any] = dict(zip([t.uid for t in spec.inputs], given, strict=True))
    effects = [node for node in spec.graph.nodes if node_has_effects(node)]
    if effects:
        raise Unsupported(f"{effects[0].primitive.name} in a loop or a branch")

    def value(t: Any) -> Any:
        if t.uid not in known:
            known[t.uid] = constant(t.node.attrs["value"], builder)
        return known[t.uid]

    wanted = [t for t in spec.outputs if t is not None]
    for node in needed_nodes(wanted, set(known)):
        if node.primitive.name == "Const" or any(t.uid in known for t in node.outputs):
            continue
        found = lower_node(node, builder, [value(t) for t in node.inputs])
        known.update(zip([t.uid for t in node.outputs], found, strict=True))
    return [value(t) for t in wanted]


def _parts(values: Sequence[Any]) -> list[IndexExpr]:
    return [part for value in values for part in parts_of(value)]


def _rebuild_like(values: Sequence[Any], builder: XlaBuilder, parts: Sequence[Value]) -> list[Any]:
    """Values like these of other tensors."""
    made = map(builder.define, parts)
    return [replace_parts(value, made) for value in values]


def _while(node: Node, builder: XlaBuilder, inputs: Sequence[Any]) -> list[Any]:
    if node.attrs.get("_maximum") is not None:
        raise Unsupported("a loop with a limit of its own")
    count = len(node.attrs["body"].outputs)
    steady = list(inputs[count:])
    cond, body = (_specialise_body(node.attrs[name], inputs) for name in ("cond", "body"))
    start = enter_loop(builder, inputs[:count], steady, cond, body)
    first = [builder.value(v) for v in _parts(start)]
    faults = [builder.writer.constant(False)]
    types = [(v.dims, v.dtype) for v in (*first, *faults)]

    def test(w: Writer, *state: Value) -> list[Value]:
        inner = type(builder)(builder, w)
        verdict = inner.value(_lower_body(cond, inner, [*_rebuild_like(start, inner, state[:-1]), *steady])[0])
        if inner.checks:
            raise Unsupported("a check in the condition of a loop")
        if not checked:  # so that XLA sees how many turns there are
            return [verdict]
        going = w.op("not", (state[-1],), (), np.bool_)
        return [w.op("and", (verdict, going), (), np.bool_)]

    def turn(w: Writer, *state: Value) -> list[Value]:
        inner = type(builder)(builder, w)
        answers = _lower_body(body, inner, [*_rebuild_like(start, inner, state[:-1]), *steady])
        found = [inner.value(v) for v in _parts(answers)]
        if [_kind(v) for v in answers] != [_kind(v) for v in start] or [(v.dims, v.dtype) for v in found] != types[:-1]:
            raise Unsupported("a loop variable that changes its shape")
        checked.extend(inner.checks)
        return [*found, w.op("or", (state[-1], inner.fault()), (), np.bool_) if checked else state[-1]]

    checked: list[IndexExpr] = []
    body_region = builder.writer.region(types, turn)
    *results, fault = builder.writer.ops("while", [*first, *faults], types, "", [builder.writer.region(types, test), body_region])
    if checked:
        builder.checks.append(builder.define(fault))
    return _rebuild_like(start, builder, results)


def _kind(value: Any) -> Any:
    """What two values have in common that consist of the same arrays."""
    return IndexExpr if isinstance(value, IndexExpr) else (type(value), getattr(value, "is_whole", True))


def _case(node: Node, builder: XlaBuilder, inputs: Sequence[Any]) -> list[Any]:
    index, *given = inputs
    found: list[list[Any]] = []
    kinds: list[list[Any]] = []

    def branch(body: Body) -> Any:
        def write(w: Writer) -> list[Value]:
            inner = type(builder)(builder, w)
            answers = _lower_body(_specialise_body(body, given), inner, given)
            found.append([v.push_rows(inner) if isinstance(v, Repeated) else v for v in answers])
            results = [inner.value(v) for v in _parts(found[-1])]
            kinds.append([(v.dims, v.dtype) for v in results])
            return [*results, inner.fault()]

        return builder.writer.region([], write)

    regions = [branch(body) for body in node.attrs["branches"]]
    if any(kind != kinds[0] for kind in kinds) or any([_kind(v) for v in each] != [_kind(v) for v in found[0]] for each in found):
        raise Unsupported("branches whose results differ in shape")
    at = builder.value(builder.cast(index, np.int32))
    *results, fault = builder.writer.ops("case", (at,), [*kinds[0], ((), np.dtype(np.bool_))], "", regions)
    builder.checks.append(builder.define(fault))
    return _rebuild_like(found[0], builder, results)
