"""Lowering of control flow: `While` and `Case` as steps inside the native program; the lists that loops keep are in `lists`.

Bodies are specialised and lowered like programs.  One with an op that has no native code is refused: then the node's kernel runs it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..base.dtypes import resource
from ..base.lazy_import import LazyModule
from ..ir.function_graph import Body, bodies_of, node_has_effects
from ..ir.in_place import changed_variables, find_chains, links_of
from ..ir.node import Node
from ..ir.plan import needed_nodes
from ..ir.references import is_handle
from ..ir.tensor import SymbolicTensor, TensorType
from .lower import CONTROL, WITH_BODIES, constant, is_native, is_plain, lower_operation, replaces_value
from .lowering import index_expr
from .lowering.builder import Branch, Builder, Loop, Materialise, Unsupported, Variable
from .lowering.deferred_sums import DeferredProduct, DeferredSum, count_turns, find_deferred_sums
from .lowering.draws import Draws
from .lowering.index_expr import Buffer, IndexExpr
from .lowering.lists import (
    LISTS,
    Placed,
    Reserved,
    Rows,
    RowState,
    Value,
    element_dims,
    enter,
    leave_loop,
    lower_list,
    written_dims,
)
from .lowering.partial_updates import PartState, choose_chained, state_of
from .lowering.specialise import Specialised, specialise_graph
from .lowering.stacks import Empty, Filled, Growing, Shrinking, join_lists, take_for_empty

if TYPE_CHECKING:
    from ..ops.random import random_lowering
    from .emission import panels
else:  # few loops have products or draws
    panels = LazyModule("pullback.engine.emission.panels")
    random_lowering = LazyModule("pullback.ops.random.random_lowering")


def lower_node(node: Node, builder: Builder, inputs: Sequence[Value], writes: bool = False) -> list[Value]:
    """The outputs of a node, or with `writes` the new values of its variables; raises Unsupported where it has no native code."""
    given = [v for v in inputs if isinstance(v, IndexExpr)]
    if is_plain(node, builder, inputs):
        return list(lower_operation(node, builder, given))
    name = node.primitive.name
    if name == "While":
        return _while(node, builder, inputs)
    if name == "Case":
        return _case(node, builder, inputs)
    if name in LISTS:
        return lower_list(node, builder, inputs)
    if node in builder.root.chained and isinstance(inputs[0], IndexExpr):
        state = state_of(builder, inputs[0]) or PartState.copy_of(builder, inputs[0])
        return [_form_of(v) for v in _lower_on_parts(node, builder, [state, *inputs[1:]])]
    if any(isinstance(v, PartState) for v in inputs):
        return _lower_on_parts(node, builder, inputs)
    if name == "ReadVariableOp":
        return [inputs[0]]
    if node in builder.streams:
        return list(lower_operation(node, builder, [*builder.streams[node], *given]))
    if (node.primitive.stateful and not (writes and replaces_value(node))) or len(given) < len(inputs):
        raise Unsupported(f"{name} in a loop or a branch")
    return list(lower_operation(node, builder, given))


def _lower_on_parts(node: Node, builder: Builder, inputs: Sequence[Any]) -> list[Any]:
    """The outputs of a node that takes a part of a loop variable, or changes one where it is; any other one reads a copy of it."""
    if node.primitive.takes_part and not any(isinstance(v, PartState) for v in inputs[1:]):
        return [inputs[0].read(builder, expr) for expr in lower_operation(node, builder, [inputs[0].buffer, *inputs[1:]])]
    if node.primitive.changes is None:
        return lower_node(node, builder, [_read_whole(builder, v) for v in inputs])
    given = [v.buffer if at == 0 and isinstance(v, PartState) else _read_whole(builder, v) for at, v in enumerate(inputs)]
    found = lower_operation(node, builder, given)
    return [state_of(builder, expr) or expr for expr in found]


def _form_of(value: Any) -> Any:
    return value.buffer if isinstance(value, PartState) else value


def _read_whole(builder: Builder, value: Any) -> Any:
    return value.read(builder, value.buffer) if isinstance(value, PartState) else value


# ---- bodies


def lower_body(body: Body, builder: Builder, given: Sequence[Value], types: Sequence[TensorType]) -> list[Any]:
    """The outputs of a body whose inputs are `given`, with its steps added to `builder`."""
    return _lower_specialised(specialise_graph(body.plan().nodes, body.inputs, body.outputs, types), builder, given)


def _lower_specialised(
    spec: Specialised, builder: Builder, given: Sequence[Value], again: bool = False, replaced: Sequence[SymbolicTensor] = ()
) -> list[Any]:
    """`lower_body`; replaced: inputs that are variables to which the body gives values, the last of which follow the outputs.

    again: whether the outputs are inputs of the next turn; those that are sums of products may then be a `DeferredSum`.
    """
    known: dict[int, Value] = {t.uid: v for t, v in zip(spec.inputs, given, strict=True)}

    def value(t: SymbolicTensor) -> Value:
        if t.uid not in known:
            known[t.uid] = constant(t.node.attrs["value"], builder)
        return known[t.uid]

    builder.root.chained |= choose_chained(spec.graph.nodes, spec.outputs)
    effects = [node for node in spec.graph.nodes if node_has_effects(node)]
    inputs = {t.uid for t in spec.inputs}
    deferred = find_deferred_sums(spec.graph.nodes, spec.inputs, spec.outputs) if again else {}
    wanted = [t for i, t in enumerate(spec.outputs) if i not in deferred]
    wanted += [t for pairs in deferred.values() for pair in pairs for t in pair]
    for node in needed_nodes([*wanted, *effects], inputs):
        if node.primitive.name in ("Const", "NoOp") or any(t.uid in inputs for t in node.outputs):
            continue
        for t in node.inputs:
            if t.node.primitive.name == "Const" and not is_native(t.dtype, t.dims):
                raise Unsupported(f"a constant of {t.dtype.name} in a loop or a branch")
        found = lower_node(node, builder, [value(t) for t in node.inputs], bool(replaced))
        if node.primitive.name in CONTROL:
            known.update(zip([node.inputs[place].uid for place in builder.replaced], found[len(node.outputs) :], strict=True))
            known.update(zip([t.uid for t in node.outputs], found, strict=False))
        elif replaced and replaces_value(node):
            known.update(zip([t.uid for t in node.inputs if is_handle(t)], found, strict=True))
            known.update(zip([t.uid for t in node.outputs], found, strict=False))
        else:
            known.update(zip([t.uid for t in node.outputs], found, strict=True))
    sums = {i: DeferredSum([(value(a), value(b)) for a, b in pairs]) for i, pairs in deferred.items()}
    return [*(sums[i] if i in sums else value(t) for i, t in enumerate(spec.outputs)), *map(value, replaced)]


def _find_written(node: Node) -> list[SymbolicTensor]:
    """The variables among a node's inputs to which it, or what is inside it, gives values."""
    if replaces_value(node):
        return [t for t in node.inputs if is_handle(t)]
    if node.primitive.name not in WITH_BODIES:
        return []
    found: list[SymbolicTensor] = []
    for body in bodies_of(node):
        given = dict(zip([t.uid for t in body.inputs], node.inputs[len(node.inputs) - len(body.inputs) :], strict=True))
        found += [given[t.uid] for inner in body.plan().nodes for t in _find_written(inner) if t.uid in given]
    return found


def _find_replaced(inputs: Sequence[SymbolicTensor], nodes: Iterable[Node]) -> list[int]:
    """The places of those inputs that are variables to which nodes give values."""
    handles = {t.uid for node in nodes for t in _find_written(node)}
    return [place for place, t in enumerate(inputs) if t.uid in handles]


def _type(value: Value, t: Any) -> TensorType:
    """The type of a body's input: that of the value where it is one."""
    value = _form_of(value)
    if isinstance(value, IndexExpr) and t.dtype is not resource and not t.dtype._is_ref_dtype:
        return TensorType(value.dims, t.dtype)
    return TensorType(t.dims, t.dtype)


# ---- loops


def _while(node: Node, builder: Builder, inputs: Sequence[Value]) -> list[Value]:
    cond, body = node.attrs["cond"], node.attrs["body"]
    count = len(body.outputs)
    test, turn = Builder(builder), Builder(builder)
    if node.attrs.get("_maximum") is not None:
        raise Unsupported("a loop with a limit of its own")
    steady = [_put_in_memory(builder, v) for v in inputs[count:]]
    types = [_type(v, t) for v, t in zip([*inputs[:count], *steady], body.inputs, strict=True)]
    elements = {number: dims for number, v in enumerate(inputs) if (dims := element_dims(v)) is not None}
    spec = specialise_graph(body.plan().nodes, body.inputs, body.outputs, types, elements)
    changed = changed_variables(find_chains(spec.graph.nodes, spec.inputs, spec.outputs))
    first = [v if number in changed else _read_whole(builder, v) for number, v in enumerate(inputs[:count])]
    pairs = zip(first, spec.inputs, strict=False)
    first = [v.rows(written_dims(spec.graph.nodes, t)) if isinstance(v, Reserved) else v for v, t in pairs]
    first = [v.rows(builder) if isinstance(v, Placed) else v for v in first]
    start = [_state(builder, v, number in changed) for number, v in enumerate(first)]
    turn.steady = {v for v in steady if isinstance(v, IndexExpr)}
    turn.around = builder
    state = [now for now, _ in start]
    replaced = _find_replaced(spec.inputs, spec.graph.nodes)
    for place in replaced:
        first.append(steady[place - count])
        start.append(_state(builder, first[-1], False))
        steady[place - count] = start[-1][0]
    seen = [_form_of(v) for v in state]
    verdict = lower_body(cond, test, [*seen, *steady], types)[0]
    assert isinstance(verdict, IndexExpr)
    drawing = Draws.find_bodies(spec.graph.nodes, body)
    for inner in drawing:
        first.append(_times_before(builder, inner))
        start.append(_state(builder, first[-1], False))
        turn.times[inner] = start[-1][0]
    _open_streams(body, spec, turn)
    answers = _lower_specialised(spec, turn, [*state, *steady], True, [spec.inputs[place] for place in replaced])
    answers += _times_after(turn, drawing, body)
    loop = Loop(test, test.memory(verdict), turn, [])
    loop.after = [v.before for v in first if isinstance(v, (PartState, RowState))]
    panels.pack_steady(turn)
    results: list[Any] = [_advance_variable(builder, loop, *s, answer) for s, answer in zip(start, answers, strict=True)]
    for (now, memory), initial, answer in zip(start, first, answers, strict=True):
        if isinstance(now, Growing):
            loop.grown.append(now.stack)
            if answer.same is not None:
                loop.counted.append((now.stack.word + 2, 1))
        elif isinstance(now, Shrinking):
            loop.cursors += now.list_cursors(builder)
            if now.given.same is not None and answer.popped:
                loop.counted.append((now.place.index, -1))
        elif isinstance(initial, (IndexExpr, Rows)):
            builder.steps.append(Materialise(initial.expr if isinstance(initial, Rows) else initial, memory[0]))
    builder.steps.append(loop)
    _note_times(builder, drawing, results)
    builder.replaced = replaced
    for at, outer in enumerate(inputs[:count]):
        if isinstance(outer, PartState) and at not in changed:
            results[at] = outer.replace_values(builder, results[at])
    return results


def _put_in_memory(builder: Builder, value: Value) -> Value:
    """A value that a loop or a branch reads from outside, in memory."""
    value = _read_whole(builder, value)
    if isinstance(value, Rows):
        return Rows(builder.memory(value.expr))
    return builder.memory(value) if isinstance(value, IndexExpr) and not isinstance(value, index_expr.Scalar) else value


def _state(builder: Builder, value: Any, is_changed: bool) -> tuple[Any, Any]:
    """What a loop variable is in the body, and its buffers and the slot of the next value.

    is_changed: whether each turn changes a part of it, so that it has one buffer; that of the outer loop where it is one of its so too.
    """
    if isinstance(value, PartState):
        return value.inside(builder), (value.buffer, value.buffer, None)
    if isinstance(value, IndexExpr) and is_changed:
        first = builder.temporary(value.dims, value.dtype)
        return PartState.hold(builder, builder.slot(value.dims, value.dtype, (first.place,))), (first, first, None)
    if not isinstance(value, IndexExpr):
        now, first = enter(builder, value)
        return now, (first, first, None)
    first, second = (builder.temporary(value.dims, value.dtype) for _ in range(2))
    now, after = (builder.slot(value.dims, value.dtype, (first.place, second.place)) for _ in range(2))
    return now, (first, second, after)


def _advance_variable(builder: Builder, loop: Loop, now: Any, memory: Any, answer: Any) -> Value:
    """Give a loop variable its next value; gives what it is after the loop."""
    first, second, slot = memory
    if isinstance(now, PartState):
        if not isinstance(answer, PartState) or not answer.is_in(now):
            raise Unsupported("a loop variable changed where it is that is replaced by another")
        loop.variables.append(Variable(now.buffer.place, None, (first, second)))
        if state_of(builder, first) is None:
            return now.buffer
        return PartState.hold(builder, now.buffer, [now.buffer.place])
    if isinstance(answer, DeferredSum):
        total: Buffer = now
        loop.variables.append(Variable(total.place, None, (first, second)))
        loop.deferred += [_defer_product(builder, loop.body, total, *pair) for pair in answer.pairs]
        return total
    if not isinstance(now, IndexExpr):
        result = leave_loop(now, answer)
        if isinstance(now, RowState):
            loop.variables.append(Variable(now.buffer.place, None, (first, second)))
        return result
    if not isinstance(answer, IndexExpr) or answer.dims != now.dims or answer.dtype != now.dtype:
        raise Unsupported("a loop variable that changes its shape")
    assert isinstance(now, Buffer)
    if answer is now:
        loop.variables.append(Variable(now.place, None, (first, second)))
    else:
        loop.body.leave(answer, slot)
        loop.variables.append(Variable(now.place, slot.place, (first, second)))
    return now


def _defer_product(builder: Builder, turn: Builder, total: Buffer, a: IndexExpr, b: IndexExpr) -> DeferredProduct:
    """Let a turn keep two matrices, whose product is added to a total later."""
    turns = count_turns(a.dims[0])
    kept = [builder.temporary((turns * expr.dims[0], expr.dims[1]), expr.dtype) for expr in (a, b)]
    deferred = DeferredProduct(turn.memory(a), turn.memory(b), total, (kept[0], kept[1]), turns, builder.word())
    turn.steps.append(deferred)
    return deferred


# ---- draws


def _open_streams(body: Body, spec: Specialised, builder: Builder) -> None:
    """Let each draw of a body begin where its stream stands after the body has run so many times."""
    for node in filter(Draws.has, spec.graph.nodes):
        draws = builder.root.loop_draws
        if draws is None:
            raise Unsupported(f"{node.primitive.name} in a loop or a branch")
        key, counter, blocks = draws.open(body, node, spec.origin[node])
        builder.streams[node] = key, random_lowering.move_counter(builder, counter, builder.times[body] * blocks)


def _times_before(builder: Builder, body: Body) -> IndexExpr:
    """How often a body with draws has run before the loop or the branch that is lowered."""
    if builder.root is builder:
        return index_expr.Scalar(0, np.dtype(np.uint64))
    if body not in builder.times:
        raise Unsupported("a draw, in a loop or a branch inside another, whose shape is known when the program is compiled")
    return builder.times[body]


def _times_after(inside: Builder, drawing: Sequence[Body], own: Body) -> list[IndexExpr]:
    """How often bodies with draws have run when the steps `inside` have, which are those of the body `own`."""
    return [inside.times[body] + 1 if body is own else inside.times[body] for body in drawing]


def _note_times(builder: Builder, drawing: Sequence[Body], results: list[Any]) -> None:
    """Take from the results of a loop or a branch, the last of which they are, how often bodies with draws have run by now."""
    if drawing:
        found = dict(zip(drawing, results[-len(drawing) :], strict=True))
        del results[-len(drawing) :]
        builder.times.update(found)
        if builder.loop_draws is not None:
            builder.loop_draws.counts.update(found)


# ---- branches


def _case(node: Node, builder: Builder, inputs: Sequence[Value]) -> list[Value]:
    index, *given = inputs
    assert isinstance(index, IndexExpr)
    links: dict[int, int] = {out: at - 1 for out, at in links_of(node).items() if isinstance(given[at - 1], PartState)}
    steady = [v if at in links.values() else _put_in_memory(builder, v) for at, v in enumerate(given)]
    replaced = _find_replaced(node.inputs[1:], [node])
    bodies: tuple[Body, ...] = node.attrs["branches"]
    specs = []
    for body in bodies:
        types = [_type(v, t) for v, t in zip(steady, body.inputs, strict=True)]
        specs.append(specialise_graph(body.plan().nodes, body.inputs, body.outputs, types))
    pairs = list(zip(bodies, specs, strict=True))
    drawing = list(dict.fromkeys(inner for body, spec in pairs for inner in Draws.find_bodies(spec.graph.nodes, body)))
    parts, answers = [], []
    for body, spec in pairs:
        part = Builder(builder)
        part.turn = builder.turn
        part.times = {inner: _times_before(builder, inner) for inner in drawing}
        _open_streams(body, spec, part)
        inside = [_enter_branch(part, v) for v in steady]
        found = _lower_specialised(spec, part, inside, replaced=[spec.inputs[place] for place in replaced])
        answers.append(found + _times_after(part, drawing, body))
        parts.append(part)
    branch = Branch(builder.memory(index), parts)
    results: list[Any] = []
    for number, column in enumerate(zip(*answers, strict=True)):
        if number in links:
            state = steady[links[number]]
            assert isinstance(state, PartState)
            if any(not isinstance(v, PartState) or not v.is_in(state) for v in column):
                raise Unsupported("a loop variable changed where it is that a branch replaces by another")
            results.append(state.next(builder))
            branch.results.append(results[-1].buffer)
        else:
            results.append(_join_values(builder, branch, column, steady))
    branch.after = [v.before for v in steady if isinstance(v, (PartState, RowState))]
    builder.steps.append(branch)
    _note_times(builder, drawing, results)
    builder.replaced = [place + 1 for place in replaced]
    return results


def _enter_branch(part: Builder, value: Any) -> Any:
    """What a value from outside is in a branch."""
    if isinstance(value, RowState):
        return RowState(value.buffer, is_whole=value.is_whole, outer=value)
    return value.inside(part) if isinstance(value, PartState) else value


def _join_values(builder: Builder, branch: Branch, column: Sequence[Any], steady: Sequence[Any]) -> Value:
    """One result of several branches, where each puts its own."""
    outer = column[0].outer if isinstance(column[0], RowState) else None
    if outer is not None and all(isinstance(v, RowState) and v.outer is outer for v in column):
        return outer.next(branch.makes)
    if all(isinstance(v, Rows) for v in column):
        rows = _join_values(builder, branch, [v.expr for v in column], steady)
        assert isinstance(rows, IndexExpr)
        return Rows(rows, all(v.is_whole for v in column))
    pairs = list(zip(branch.branches, column, strict=True))
    column = [take_for_empty(part, v) if isinstance(v, Filled) and v.left is not None else v for part, v in pairs]
    if all(isinstance(v, Empty) for v in column):
        return Empty()
    if all(isinstance(v, (Empty, Filled)) for v in column) and sum(isinstance(v, Filled) for v in column) == 1:
        joined, said = join_lists(builder, branch.branches, column, steady)
        branch.results += said
        branch.grown.append(joined.stack)
        return joined
    if not all(isinstance(v, IndexExpr) for v in column) or len({(v.dims, v.dtype) for v in column}) > 1:
        raise Unsupported("branches whose results differ in shape, or are lists")
    made = builder.temporary(column[0].dims, column[0].dtype)
    for part, v in zip(branch.branches, column, strict=True):
        part.steps.append(Materialise(v, made))
    branch.results.append(made)
    return made


__all__ = ["lower_body", "lower_node"]
