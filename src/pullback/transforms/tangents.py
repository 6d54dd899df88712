"""The tangents of one node's outputs, from those of its inputs: by the cheapest of four ways that its record allows.

- `Op.jvp`, where the record has one.
- An element-wise op: its partial derivatives are a diagonal matrix, which is its own transpose; so its VJP rules, given tangents for
  cotangents, give the JVP, for one multiplication an input.
- An op that is linear in its inputs (no rule reads a value that gradients flow through), or in each of two of them (each rule reads the
  other alone): the op itself, applied to tangents.
- Any other: a VJP is linear in its cotangent, so transposing it gives the JVP.  The rules are recorded once as a function of the
  cotangent, and that recording is pulled back.

So every op has a forward rule, and no table of rules is kept beside the one of the records.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from ..base.dtypes import variant
from ..ir.context import start_listening, stop_listening
from ..ir.node import Node
from ..ir.op import Op
from ..ir.tensor import Forgotten, IndexedSlices
from ..ops.array.basic import broadcast_to, ones_of, shape_of, zeros_of
from ..ops.math.arithmetic import add
from .recording import Recording
from .registry import custom_gradient_of
from .reverse import cotangents_of, explain_missing, pullback
from .sparse import densify

Tangents = list[Any]
#: Ops that look linear by what their rules read, but whose rules are not the transposes of their kernels.
_ONLY_BACKWARDS = frozenset({"Bitcast", "PlaceholderWithDefault", "PreventGradient"})


def tangents_of(node: Node, given: Tangents) -> Tangents:
    """The tangents of the outputs of `node`, None where an output does not depend on an input that has one.

    given: for each flat input its tangent, or None.  Raises LookupError for an op that has no gradient registered.
    """
    if all(t is None for t in given) or not any(t.dtype.trainable for t in node.outputs):
        return [None] * len(node.outputs)
    if custom_gradient_of(node) is None:
        rule = forward_rule(node.primitive)
        if rule is not None:
            found = rule(node, given)
            if found is not None:
                return found
    return transpose_vjp(node, given)


@cache
def forward_rule(op: Op) -> Callable[[Node, Tangents], Tangents | None] | None:
    """How tangents go through `op` without transposing a VJP: a function that gives None where a node does not allow it; or None."""
    if op.jvp is not None:
        return op.jvp
    if op.rules is None:
        return _refuse_node
    if not op.rules:
        return lambda node, given: [None] * len(node.outputs)
    if op.pointwise:
        return _pointwise
    if op.name == "ReadVariableOp":
        return lambda node, given: [given[0]]
    if op.stateful or op.name in _ONLY_BACKWARDS:
        return None
    if is_linear(op):
        return _linear
    return _bilinear if is_bilinear(op) else None


def is_linear(op: Op) -> bool:
    """Whether an op's outputs are linear, without a constant part, in all inputs that gradients flow through, taken together."""
    if not op.rules:
        return False
    names, constants = _inputs_by_gradient(op)
    variables = {spec.variable for spec in op.inputs if spec.name in names}
    if any(spec.variable in variables for spec in constants):
        return False  # an input of the same dtype that no gradient flows through, such as padding with a constant
    reads = [set(rule.reads) for rule in op.rules]
    cotangents = {"g", "gs", *(f"g_{output}" for output in op.outputs)}
    values = {*names, *op.outputs, "out", "node", "active"}
    return all(r & cotangents and not r & values for r in reads)


def is_bilinear(op: Op) -> bool:
    """Whether an op has two inputs that gradients flow through and is linear in each, as a product is."""
    names, constants = _inputs_by_gradient(op)
    if len(names) != 2 or constants or op.variadic is not None or any(len(rule.indices) != 1 for rule in op.rules or ()):
        return False
    values = {*names, *op.outputs, "out", "node", "active"}
    return all(set(rule.reads) & values == names - set(rule.names) for rule in op.rules or ())


def _inputs_by_gradient(op: Op) -> tuple[set[str], list[Any]]:
    names = {op.inputs[i].name for i in op.differentiable}
    return names, [spec for spec in op.inputs if spec.name not in names and spec.dtype is None]


def _refuse_node(node: Node, given: Tangents) -> Tangents:
    raise LookupError(explain_missing(node))


def _pointwise(node: Node, given: Tangents) -> Tangents | None:
    """Tangents for cotangents in the rules of an element-wise node."""
    op, out = node.primitive, node.outputs[0]
    if not op.holomorphic and not op.sparse and any(t is not None and t.dtype.is_complex for t in (*given, out)):
        return None
    total = None
    for rule in op.rules or ():
        (index,) = rule.indices
        tangent = given[index]
        if tangent is not None:
            term = rule.call(node, _as_large_as(out, tangent) if op.broadcasts else tangent)
            if term is not None:
                total = term if total is None else add(total, term)
    return [total]


def _as_large_as(out: Any, tangent: Any) -> Any:
    if tangent.dims == out.dims and tangent.dims is not None and None not in tangent.dims:
        return tangent
    return broadcast_to(tangent, shape_of(out))


def _linear(node: Node, given: Tangents) -> Tangents | None:
    """The op itself on tangents, zeros for those that are missing."""
    op = node.primitive
    flows = {position for i in op.differentiable for position in op.spans(len(node.inputs))[i]}
    if any(t.dtype is variant or (isinstance(t, Forgotten) and (i not in flows or not t.uid)) for i, t in enumerate(node.inputs)):
        return None  # a list, or an input of which the tape kept too little
    return _apply_op(node, [t if i not in flows else zeros_of(t) if given[i] is None else given[i] for i, t in enumerate(node.inputs)])


def _bilinear(node: Node, given: Tangents) -> Tangents | None:
    """`op(tangent, y) + op(x, tangent)`."""
    live = [i for i, tangent in enumerate(given) if tangent is not None]
    if any(isinstance(t, Forgotten) and live != [i] for i, t in enumerate(node.inputs)):
        return None
    total: list[Any] = [None] * len(node.outputs)
    for i, tangent in enumerate(given):
        if tangent is not None:
            found = _apply_op(node, [tangent if j == i else t for j, t in enumerate(node.inputs)])
            total = [b if a is None else add(a, b) for a, b in zip(total, found, strict=True)]
    return total


def _apply_op(node: Node, inputs: list[Any]) -> Tangents:
    """The op of `node`, with its attributes, on other inputs."""
    attrs = {name: node.attrs[name] for name in node.primitive.attributes}
    answer = node.primitive.call(*[list(a) if isinstance(a, tuple) else a for a in node.primitive.arguments(tuple(inputs))], **attrs)
    found = list(answer) if isinstance(answer, (list, tuple)) else [answer]
    return [t if y.dtype.trainable else None for t, y in zip(found, node.outputs, strict=True)]


def transpose_vjp(node: Node, given: Tangents, count: int | None = None) -> Tangents:
    """The transpose of the node's VJP, applied to the tangents of its inputs; for the first `count` outputs, all when None."""
    known = {x.uid: t for x, t in zip(node.inputs, given, strict=True) if t is not None}
    wanted = [t.dtype.trainable and (count is None or i < count) for i, t in enumerate(node.outputs)]
    seeds = [(zeros_of if t.dtype is variant else ones_of)(t) if flag else None for t, flag in zip(node.outputs, wanted, strict=True)]
    recording = Recording(reads_variables=False)
    for seed in seeds:
        if seed is not None:
            recording.watch(seed)
    start_listening(recording)
    try:
        found = cotangents_of(node, seeds[0] if len(seeds) == 1 else seeds, known)
        pulled = [(known[x.uid], densify(gx) if isinstance(gx, IndexedSlices) else gx) for x, gx in found]
    finally:
        stop_listening(recording)
    tangents: list[Any] = [None] * len(seeds)
    watched = [(i, seed) for i, seed in enumerate(seeds) if seed is not None]
    answers = pullback(
        tuple(recording.nodes), [gx for _, gx in pulled], [t for t, _ in pulled], [seed for _, seed in watched], recording.active
    )
    for (i, _), answer in zip(watched, answers, strict=True):
        tangents[i] = densify(answer)
    return tangents


def walk(nodes: Sequence[Node], known: dict[int, Any]) -> None:
    """Add to `known` (tangents by uid) the tangents of all that `nodes` compute from what it holds."""
    for node in nodes:
        given = [known.get(t.uid) for t in node.inputs]
        if any(t is not None for t in given):
            for out, tangent in zip(node.outputs, tangents_of(node, given), strict=True):
                if tangent is not None:
                    known[out.uid] = tangent
