"""Lowering of control flow: `While`, `Case` and the lists that loops keep for their gradients, as steps inside the native program.

A list that a loop pushes one element to in every turn becomes a stack in memory that grows; a loop that pops from it reads it from
its end with a cursor of its own, so several loops may read one stack.  Lists used in other ways, and bodies with an op that has no
native code, are refused: then the node's kernel runs the loop.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...base.dtypes import resource
from ...ir.function_graph import Body, node_has_effects
from ...ir.node import Node
from ...ir.plan import needed_nodes
from ...ir.tensor import SymbolicTensor, TensorType
from . import forms
from .forms import Buffer, Form
from .lower import constant, is_native, lowered
from .specialise import specialised
from .steps import Branch, Loop, Materialise, Point, Stack, Steps, Unsupported, Variable


class Empty:
    """A list without elements."""


class Growing:
    """The list of a loop that pushes to it: `pushed` in this turn, or not yet."""

    def __init__(self, stack: Stack, pushed: bool) -> None:
        self.stack, self.pushed = stack, pushed


class Filled:
    """The list that a loop left; read from its end."""

    def __init__(self, stack: Stack) -> None:
        self.stack = stack


class Shrinking:
    """The list of a loop that pops from it."""

    def __init__(self, stack: Stack, cursor: int, popped: bool) -> None:
        self.stack, self.cursor, self.popped = stack, cursor, popped


Value = Form | Empty | Growing | Filled | Shrinking
CONTROL = frozenset({"While", "Case"})
LISTS = frozenset({"EmptyTensorList", "TensorListPushBack", "TensorListPopBack", "TensorListLength"})


def lower_node(node: Node, steps: Steps, inputs: Sequence[Value]) -> list[Value]:
    """The outputs of a node; raises Unsupported where it has no native code."""
    name = node.op.name
    if name == "While":
        return _while(node, steps, inputs)
    if name == "Case":
        return _case(node, steps, inputs)
    if name in LISTS:
        return _list(node, steps, inputs)
    if name == "ReadVariableOp":
        return [inputs[0]]
    if node.op.stateful or not all(isinstance(v, Form) for v in inputs):
        raise Unsupported(f"{name} in a loop or a branch")
    return list(lowered(node, steps, inputs))  # type: ignore[arg-type]  # forms all


def _list(node: Node, steps: Steps, inputs: Sequence[Value]) -> list[Value]:
    name = node.op.name
    if name == "EmptyTensorList":
        return [Empty()]
    given = inputs[0]
    if name == "TensorListLength" and isinstance(given, Filled):
        return [forms.cast(Buffer((), forms.INT64, _length(given.stack)), "int32")]
    if name == "TensorListPushBack" and isinstance(given, Growing) and not given.pushed:
        element = inputs[1]
        if not isinstance(element, Form):
            raise Unsupported("a list of lists")
        given.stack.of = element.dims, element.dtype
        slot = steps.slot(element.dims, element.dtype)
        steps.steps.append(Point(given.stack, slot.place, None))
        steps.steps.append(Materialise(element, slot, over=True))
        return [Growing(given.stack, True)]
    if name == "TensorListPopBack" and isinstance(given, Shrinking) and not given.popped:
        if given.stack.of is None:
            raise Unsupported("a list that nothing was pushed to")
        slot = steps.slot(*given.stack.of)
        steps.steps.append(Point(given.stack, slot.place, given.cursor))
        return [Shrinking(given.stack, given.cursor, True), slot]
    raise Unsupported(f"{name} of a list that is used in another way than pushed to or popped from once a turn")


def _length(stack: Stack) -> forms.Place:
    """The word that counts a stack's elements; it is read after the loop that fills it."""
    return forms.Place("word", stack.word + 2, 8, (stack.place,))


# ---- bodies


def lower_body(body: Body, steps: Steps, given: Sequence[Value], types: Sequence[TensorType]) -> list[Value]:
    """The outputs of a body whose inputs are `given`, with its steps added to `steps`."""
    spec = specialised(body.plan().nodes, body.inputs, body.outputs, types)
    known: dict[int, Value] = {t.uid: v for t, v in zip(spec.inputs, given, strict=True)}

    def value(t: SymbolicTensor) -> Value:
        if t.uid not in known:
            known[t.uid] = constant(t.node.attrs["value"], steps)
        return known[t.uid]

    effects = [node for node in spec.graph.nodes if node_has_effects(node)]
    inputs = {t.uid for t in spec.inputs}
    for node in needed_nodes([*spec.outputs, *effects], inputs):
        if node.op.name == "Const" or any(t.uid in inputs for t in node.outputs):
            continue
        for t in node.inputs:
            if t.node.op.name == "Const" and not is_native(t.dtype, t.dims):
                raise Unsupported(f"a constant of {t.dtype.name} in a loop or a branch")
        known.update(zip([t.uid for t in node.outputs], lower_node(node, steps, [value(t) for t in node.inputs]), strict=True))
    return [value(t) for t in spec.outputs]


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
    steady = [steps.memory(v) if isinstance(v, Form) and not isinstance(v, forms.Scalar) else v for v in inputs[count:]]
    state = [now for now, _, _ in start]
    types = [_type(v, t) for v, t in zip([*state, *steady], body.inputs, strict=True)]
    verdict = lower_body(cond, test, [*state, *steady], types)[0]
    assert isinstance(verdict, Form)
    answers = lower_body(body, turn, [*state, *steady], types)
    loop = Loop(test, test.memory(verdict), turn, [])
    results = [_next(loop, turn, *s, answer) for s, answer in zip(start, answers, strict=True)]
    for now, _, initial in start:
        if isinstance(now, Growing):
            loop.grown.append(now.stack)
        elif isinstance(now, Shrinking):
            loop.cursors.append((now.cursor, now.stack))
        elif isinstance(initial, tuple):
            steps.steps.append(Materialise(*initial))
    steps.steps.append(loop)
    return results


def _state(steps: Steps, value: Value) -> tuple[Any, Any, Any]:
    """What a loop variable is in the body, its other slot, and what its first value is put in."""
    if isinstance(value, Empty):
        return Growing(steps.stack(), False), None, None
    if isinstance(value, Filled):
        return Shrinking(value.stack, steps.word(), False), None, None
    if not isinstance(value, Form):
        raise Unsupported("a list of an outer loop in an inner one")
    first, second = (steps.temporary(value.dims, value.dtype) for _ in range(2))
    backing = (first.place, second.place)
    now, after = (steps.slot(value.dims, value.dtype, backing) for _ in range(2))
    return now, (after, first, second), (value, first)


def _next(loop: Loop, turn: Steps, now: Any, after: Any, initial: Any, answer: Value) -> Value:
    """Give a loop variable its next value; gives what it is after the loop."""
    if isinstance(now, Growing):
        if not isinstance(answer, Growing) or answer.stack is not now.stack:
            raise Unsupported("a list that a loop replaces")
        return Filled(now.stack)
    if isinstance(now, Shrinking):
        if not isinstance(answer, Shrinking) or answer.stack is not now.stack:
            raise Unsupported("a list that a loop replaces")
        return Filled(now.stack)
    slot, first, second = after
    if not isinstance(answer, Form) or answer.dims != now.dims or answer.dtype != now.dtype:
        raise Unsupported("a loop variable that changes its shape")
    if answer is now:
        loop.variables.append(Variable(now.place, None, (first, second)))
    else:
        turn.leave(answer, slot)
        loop.variables.append(Variable(now.place, slot.place, (first, second)))
    return now  # type: ignore[no-any-return]


# ---- branches


def _case(node: Node, steps: Steps, inputs: Sequence[Value]) -> list[Value]:
    index, *given = inputs
    assert isinstance(index, Form)
    steady = [steps.memory(v) if isinstance(v, Form) and not isinstance(v, forms.Scalar) else v for v in given]
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


__all__ = ["CONTROL", "LISTS", "Filled", "Value", "lower_body", "lower_node"]
