"""Lowering of control flow: `While` and `Case` as steps inside the native program; the lists that loops keep are in `lists`.

Bodies are specialised and lowered like programs.  One with an op that has no native code is refused: then the node's kernel runs it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...base.dtypes import resource
from ...ir.function_graph import Body, node_has_effects
from ...ir.node import Node
from ...ir.plan import needed_nodes
from ...ir.tensor import SymbolicTensor, TensorType
from .code.panels import pack_steady
from .lower import constant, is_native, lowered
from .steps import forms
from .steps.forms import Buffer, Form
from .steps.late import LateProduct, LateSum, late_sums, turns_kept
from .steps.lists import LISTS, Growing, Rows, RowState, Shrinking, Value, enter, leave, lower_list
from .steps.specialise import specialised
from .steps.steps import Branch, Loop, Materialise, Steps, Unsupported, Variable

CONTROL = frozenset({"While", "Case"})


def lower_node(node: Node, steps: Steps, inputs: Sequence[Value]) -> list[Value]:
    """The outputs of a node; raises Unsupported where it has no native code."""
    name = node.op.name
    if name == "While":
        return _while(node, steps, inputs)
    if name == "Case":
        return _case(node, steps, inputs)
    if name in LISTS:
        return lower_list(node, steps, inputs)
    if name == "ReadVariableOp":
        return [inputs[0]]
    if node.op.stateful or not all(isinstance(v, Form) for v in inputs):
        raise Unsupported(f"{name} in a loop or a branch")
    return list(lowered(node, steps, inputs))  # type: ignore[arg-type]  # forms all


# ---- bodies


def lower_body(body: Body, steps: Steps, given: Sequence[Value], types: Sequence[TensorType], again: bool = False) -> list[Any]:
    """The outputs of a body whose inputs are `given`, with its steps added to `steps`.

    again: whether the outputs are inputs of the next turn; those that are sums of products may then be a `LateSum`.
    """
    spec = specialised(body.plan().nodes, body.inputs, body.outputs, types)
    known: dict[int, Value] = {t.uid: v for t, v in zip(spec.inputs, given, strict=True)}

    def value(t: SymbolicTensor) -> Value:
        if t.uid not in known:
            known[t.uid] = constant(t.node.attrs["value"], steps)
        return known[t.uid]

    effects = [node for node in spec.graph.nodes if node_has_effects(node)]
    inputs = {t.uid for t in spec.inputs}
    late = late_sums(spec.graph.nodes, spec.inputs, spec.outputs) if again else {}
    wanted = [t for i, t in enumerate(spec.outputs) if i not in late] + [t for pairs in late.values() for pair in pairs for t in pair]
    for node in needed_nodes([*wanted, *effects], inputs):
        if node.op.name == "Const" or any(t.uid in inputs for t in node.outputs):
            continue
        for t in node.inputs:
            if t.node.op.name == "Const" and not is_native(t.dtype, t.dims):
                raise Unsupported(f"a constant of {t.dtype.name} in a loop or a branch")
        known.update(zip([t.uid for t in node.outputs], lower_node(node, steps, [value(t) for t in node.inputs]), strict=True))
    sums = {i: LateSum([(value(a), value(b)) for a, b in pairs]) for i, pairs in late.items()}
    return [sums[i] if i in sums else value(t) for i, t in enumerate(spec.outputs)]


def _type(value: Value, t: Any) -> TensorType:
    """The type of a body's input: that of the value where it is one."""
    if isinstance(value, Form) and t.dtype is not resource and not t.dtype._is_ref_dtype:
        return TensorType(value.dims, t.dtype)
    return TensorType(t.dims, t.dtype)


# ---- loops


def _while(node: Node, steps: Steps, inputs: Sequence[Value]) -> list[Value]:
    cond, body = node.attrs["cond"], node.attrs["body"]
    count = len(body.outputs)
    test, turn = Steps(steps), Steps(steps)
    if node.attrs.get("_maximum") is not None:
        raise Unsupported("a loop with a limit of its own")
    start = [_state(steps, v) for v in inputs[:count]]
    steady = [_held(steps, v) for v in inputs[count:]]
    turn.steady = {v for v in steady if isinstance(v, Form)}
    turn.around = steps
    state = [now for now, _ in start]
    types = [_type(v, t) for v, t in zip([*state, *steady], body.inputs, strict=True)]
    verdict = lower_body(cond, test, [*state, *steady], types)[0]
    assert isinstance(verdict, Form)
    answers = lower_body(body, turn, [*state, *steady], types, again=True)
    loop = Loop(test, test.memory(verdict), turn, [])
    pack_steady(turn)
    results = [_next(steps, loop, *s, answer) for s, answer in zip(start, answers, strict=True)]
    for (now, memory), initial in zip(start, inputs[:count], strict=True):
        if isinstance(now, Growing):
            loop.grown.append(now.stack)
        elif isinstance(now, Shrinking):
            loop.cursors.append((now.cursor, now.stack))
        elif isinstance(initial, (Form, Rows)):
            steps.steps.append(Materialise(initial.form if isinstance(initial, Rows) else initial, memory[0]))
    steps.steps.append(loop)
    return results


def _held(steps: Steps, value: Value) -> Value:
    """A value that a loop or a branch reads from outside, in memory."""
    if isinstance(value, Rows):
        return Rows(steps.memory(value.form))
    return steps.memory(value) if isinstance(value, Form) and not isinstance(value, forms.Scalar) else value


def _state(steps: Steps, value: Value) -> tuple[Any, Any]:
    """What a loop variable is in the body, and its buffers and the slot of the next value."""
    if not isinstance(value, Form):
        now, first = enter(steps, value)
        return now, (first, first, None)
    first, second = (steps.temporary(value.dims, value.dtype) for _ in range(2))
    now, after = (steps.slot(value.dims, value.dtype, (first.place, second.place)) for _ in range(2))
    return now, (first, second, after)


def _next(steps: Steps, loop: Loop, now: Any, memory: Any, answer: Any) -> Value:
    """Give a loop variable its next value; gives what it is after the loop."""
    first, second, slot = memory
    if isinstance(answer, LateSum):
        loop.variables.append(Variable(now.place, None, (first, second)))
        loop.late += [_late(steps, loop.body, now, *pair) for pair in answer.pairs]
        return now  # type: ignore[no-any-return]  # a slot's buffer
    if not isinstance(now, Form):
        result = leave(now, answer)
        if isinstance(now, RowState):
            loop.variables.append(Variable(now.buffer.place, None, (first, second)))
        return result
    if not isinstance(answer, Form) or answer.dims != now.dims or answer.dtype != now.dtype:
        raise Unsupported("a loop variable that changes its shape")
    if answer is now:
        loop.variables.append(Variable(now.place, None, (first, second)))  # type: ignore[attr-defined]  # a slot's buffer
    else:
        loop.body.leave(answer, slot)
        loop.variables.append(Variable(now.place, slot.place, (first, second)))  # type: ignore[attr-defined]
    return now


def _late(steps: Steps, turn: Steps, total: Buffer, a: Form, b: Form) -> LateProduct:
    """Let a turn keep two matrices, whose product is added to a total later."""
    turns = turns_kept(a.dims[0])
    kept = [steps.temporary((turns * form.dims[0], form.dims[1]), form.dtype) for form in (a, b)]
    late = LateProduct(turn.memory(a), turn.memory(b), total, (kept[0], kept[1]), turns, steps.word())
    turn.steps.append(late)
    return late


# ---- branches


def _case(node: Node, steps: Steps, inputs: Sequence[Value]) -> list[Value]:
    index, *given = inputs
    assert isinstance(index, Form)
    steady = [_held(steps, v) for v in given]
    parts, answers = [], []
    for body in node.attrs["branches"]:
        part = Steps(steps)
        types = [_type(v, t) for v, t in zip(steady, body.inputs, strict=True)]
        answers.append(lower_body(body, part, steady, types))
        parts.append(part)
    results: list[Any] = []
    for column in zip(*answers, strict=True):
        if not all(isinstance(v, Form) for v in column) or len({(v.dims, v.dtype) for v in column}) > 1:
            raise Unsupported("branches whose results differ in shape, or are lists")
        results.append(steps.temporary(column[0].dims, column[0].dtype))
        for part, v in zip(parts, column, strict=True):
            part.steps.append(Materialise(v, results[-1]))
    steps.steps.append(Branch(steps.memory(index), parts, results))
    return results


__all__ = ["CONTROL", "LISTS", "lower_body", "lower_node"]
