"""`tf.raw_ops.Switch`, `Merge` and their kind: TensorFlow 1's control flow by tensors that may be dead.

In a graph each output of a Switch is a node that fails where it is dead, and a Merge is a conditional: its branches hold the nodes
between the switches and its inputs once more, so that those of the dead side do not run and gradients are the live side's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial, reduce
from typing import Any, NamedTuple

import numpy as np

from ...base.dtypes import bool as boolean, int32
from ...base.errors import InvalidArgumentError
from ...control.cond import cond
from ...ir.apply import apply, convert_to_tensor
from ...ir.context import current
from ...ir.node import Node
from ...ir.op import Op, define
from ...ir.tensor import Tensor, TensorLike, TensorType
from ...ops.array.basic import identity
from ...ops.constant import constant
from ...ops.primitives.compare import logical_and, logical_not

_DEAD = "Retval[0] does not have value: this output of a Switch is dead. Merge it with the live one, or use tf.cond"


class Switch(NamedTuple):
    """What goes on where the condition fails, and where it holds; the other is dead."""

    output_false: Any
    output_true: Any


class Merge(NamedTuple):
    """The live input and its number."""

    output: Any
    value_index: Any


def _check(pred: Any) -> None:
    if pred.dims not in ((), None):
        raise InvalidArgumentError(None, None, f"The second input must be a scalar, but it has shape {list(pred.dims)}")


def _side(data: Any, pred: Any, *, holds: bool) -> Any:
    if bool(pred) is not holds:
        raise InvalidArgumentError(None, None, _DEAD)
    return data


SWITCH: Op = define(
    "Switch", "data:any pred:bool", lambda data, pred, *, holds: TensorType(data.dims, data.dtype), _side,
    {"data": lambda g: g}, holomorphic=False, batch="a row may be dead where another is not",
)  # fmt: skip


def switch(data: TensorLike, pred: TensorLike, name: str | None = None) -> Switch:
    """`data` as the output that the scalar `pred` chooses; eagerly the other one is an empty tensor.

    >>> tf.raw_ops.Switch(data=[1.0, 2.0], pred=True).output_true.numpy().tolist()
    [1.0, 2.0]
    """
    data, pred = convert_to_tensor(data), convert_to_tensor(pred, boolean)
    _check(pred)
    if current().graph is not None:
        return Switch(SWITCH(data, pred, holds=False, name=name), SWITCH(data, pred, holds=True, name=name))
    dead, live = constant(np.zeros(0, np.float32)), identity(data)
    return Switch(dead, live) if bool(pred) else Switch(live, dead)


def merge(inputs: Sequence[Any], name: str | None = None) -> Merge:
    """The first of some tensors of one dtype that is not dead, and its number; eagerly the first.

    Raises InvalidArgumentError for no inputs, or where all are dead.
    """
    if not inputs:
        raise InvalidArgumentError(None, None, "Value for attr 'N' of 0 must be at least minimum 1 [Op:Merge]")
    first = convert_to_tensor(inputs[0])
    tensors = [first, *(t if isinstance(t, Tensor) else convert_to_tensor(t, first.dtype) for t in inputs[1:])]
    if current().graph is None:
        return Merge(identity(first), constant(0, int32))
    ways: list[tuple[Any, Callable[[], tuple[Any, Any]]]] = []
    for number, tensor in enumerate(tensors):
        switches, between = _find_switches(tensor)
        alive = [s.inputs[1] if s.attrs["holds"] else logical_not(s.inputs[1]) for s in switches]
        ways.append((reduce(logical_and, alive) if alive else None, partial(_repeat_nodes, tensor, switches, between, number)))
    return Merge(*_choose_first(ways, name or "Merge"))


def _find_switches(tensor: Any) -> tuple[list[Node], list[Node]]:
    """The switches that a tensor comes from, and the nodes between, in order."""
    seen: dict[Node, bool] = {}
    stack = [tensor.node]
    while stack:  # a node is looked at again once what it reads is known
        node = stack[-1]
        if node in seen:
            stack.pop()
            continue
        makers = [] if node.primitive is SWITCH else [*(t.node for t in node.inputs), *node.control_inputs]
        ahead = [m for m in makers if m not in seen]
        if ahead:
            stack += ahead
            continue
        seen[stack.pop()] = node.primitive is SWITCH or any(seen[m] for m in makers)
    found = [node for node, depends in seen.items() if depends]
    return [n for n in found if n.primitive is SWITCH], [n for n in found if n.primitive is not SWITCH]


def _repeat_nodes(tensor: Any, switches: Sequence[Node], between: Sequence[Node], number: int) -> tuple[Any, Any]:
    """A tensor and its number, made once more, with the switches."""
    graph = current().graph
    known: dict[int, Any] = {}
    copies: dict[Node, Node] = {}
    assert graph is not None
    for node in (*switches, *between):
        given = node.primitive.arguments(tuple(known.get(t.uid, t) for t in node.inputs))
        attrs = {name: node.attrs[name] for name in node.primitive.attributes}
        with graph.control_dependencies([copies[c] for c in node.control_inputs if c in copies]):
            apply(node.primitive, tuple(list(a) if isinstance(a, tuple) else a for a in given), attrs)
        copies[node] = graph.nodes[-1]
        known.update(zip((t.uid for t in node.outputs), copies[node].outputs, strict=True))
    return identity(known.get(tensor.uid, tensor)), constant(number, int32)


def _choose_first(ways: Sequence[tuple[Any, Callable[[], tuple[Any, Any]]]], name: str | None) -> tuple[Any, Any]:
    """The first way whose condition holds; the last one's switches fail where it does not."""
    (alive, way), rest = ways[0], ways[1:]
    if alive is None or not rest:
        return way()
    named: tuple[Any, Any] = cond(alive, way, lambda: _choose_first(rest, None), name=name)
    found = named[0].node.inputs[0], named[1].node.inputs[0]
    for body in found[0].node.attrs["branches"]:
        body.inlined = True
    return found


def _define_identity(kind: str) -> Callable[..., Any]:
    def call(data: Any, name: str | None = None) -> Any:
        return identity(data, name=name or kind)

    call.__doc__ = f"""`data`: {kind} says where a loop begins, ends or goes on; here tf.while_loop makes loops."""
    return call


def enter(data: TensorLike, frame_name: str, is_constant: bool = False, parallel_iterations: int = 10, name: str | None = None) -> Any:
    """`data`: Enter says where a loop begins; here tf.while_loop makes loops."""
    return identity(data, name=name or "Enter")


def loop_cond(input: TensorLike, name: str | None = None) -> Any:
    """`input`, the condition of a loop."""
    return identity(convert_to_tensor(input, boolean), name=name or "LoopCond")


#: The operations by name.
SWITCHES: dict[str, Callable[..., Any]] = {
    "Switch": switch,
    "Merge": merge,
    "Enter": enter,
    "Exit": _define_identity("Exit"),
    "NextIteration": _define_identity("NextIteration"),
    "LoopCond": loop_cond,
}
