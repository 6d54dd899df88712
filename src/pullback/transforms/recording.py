"""A list of nodes recorded with values: what a tape holds.

A recording takes a node only when it depends on something watched, and keeps of it only what a rule will read; everything else is
`Forgotten`, so it holds little and frees all of it at once when dropped.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..base.dtypes import FROM_NUMPY, float32, string, variant
from ..ir.node import Node, user_frame
from ..ir.op import NOTHING, VALUE, Op
from ..ir.strings import StringTensor
from ..ir.tensor import EagerTensor, Forgotten

_UNREAD = Forgotten(0, (), float32.numpy)
_TRAINABLE_KINDS = frozenset(kind for kind, dtype in FROM_NUMPY.items() if dtype.trainable)


class Recording:
    """The nodes of a tape, and what stands for each tensor that depends on a watched one, by uid.

    persistent: whether gradients taken while it listens may be differentiated by it again, to any order.
    """

    __slots__ = ("active", "nodes", "persistent", "reads_variables", "sources", "variables")

    def __init__(self, reads_variables: bool, persistent: bool = False) -> None:
        self.nodes: list[Node] = []
        self.active: dict[int, Any] = {}
        self.sources: set[int] = set()
        self.variables: dict[int, Any] = {}
        self.reads_variables = reads_variables
        self.persistent = persistent

    def record(self, op: Op, inputs: tuple[Any, ...], attrs: dict[str, Any], outputs: tuple[Any, ...], node: Node | None) -> None:
        """Keep the node when it depends on something watched; of its values only what its rules read."""
        active = self.active
        if node is None and op.plain and len(inputs) == 2:
            x, y = inputs
            a, b = active.get(x.uid), active.get(y.uid)
            if a is None and b is None:
                return
            keep_x, keep_y = op.keeps
            if keep_x == VALUE:
                a = x
            elif a is None:
                a = _UNREAD if keep_x == NOTHING else _type_of(x)
            if keep_y == VALUE:
                b = y
            elif b is None:
                b = _UNREAD if keep_y == NOTHING else _type_of(y)
            kept: tuple[Any, ...] = (a, b)
        elif node is None and op.plain and len(inputs) == 1:
            x = inputs[0]
            a = active.get(x.uid)
            if a is None:
                return
            kept = (x,) if op.keeps[0] == VALUE else (a,)
        else:
            for t in inputs:
                if t.uid in active:
                    break
            else:
                return
            if op.rules == ():
                return
            if node is not None:
                self.nodes.append(node)
                active.update((t.uid, t) for t in outputs if t.dtype.trainable)
                return
            kept = inputs if op.rules is None else _kept(op, inputs, active)
        if len(outputs) == 1 and not op.keeps_output and type(outputs[0]) is EagerTensor:
            out = outputs[0]
            value = out.value
            kind = value.dtype
            if kind in _TRAINABLE_KINDS:
                uid = out.uid
                result = active[uid] = Forgotten(uid, value.shape, kind)
                self.nodes.append(Node(op, kept, attrs, (result,)))
            return
        self.nodes.append(Node(op, kept, attrs, self._results(op, outputs)))
        if op.rules is None:
            self.nodes[-1].source = user_frame()

    def record_call(self, op: Op, inputs: tuple[Any, ...], attrs: dict[str, Any], outputs: tuple[Any, ...]) -> None:
        """Keep a node that depends on something watched, of an op whose rules read its outputs and no input."""
        active = self.active
        self.nodes.append(Node(op, tuple([active.get(t.uid, _UNREAD) for t in inputs]), attrs, outputs))
        for t in outputs:
            if type(t) is not StringTensor and (type(t) is not EagerTensor or t.value.dtype in _TRAINABLE_KINDS):
                active[t.uid] = t

    def _results(self, op: Op, outputs: tuple[Any, ...]) -> tuple[Any, ...]:
        """What stands for the outputs of a node: themselves where a rule reads them; the trainable ones become active."""
        results = []
        for t in outputs:
            kind = t.value.dtype if type(t) is EagerTensor else None
            result = t if op.keeps_output or op.rules is None else _type_of(t)
            if kind in _TRAINABLE_KINDS or (kind is None and type(t) is not StringTensor):
                self.active[t.uid] = result
            results.append(result)
        return tuple(results)

    def read(self, variable: Any) -> None:
        """Watch a trainable variable that is being read."""
        if self.reads_variables and variable.trainable:
            self.watch_variable(variable)

    def read_all(self, known: Sequence[tuple[Any, int, Any]]) -> None:
        """`read` of several trainable variables, each with its handle's uid and its handle."""
        if self.reads_variables:
            active, sources, variables = self.active, self.sources, self.variables
            for variable, uid, handle in known:
                variables[id(variable)] = variable
                if uid not in active:
                    active[uid] = handle
                sources.add(uid)

    def watch_variable(self, variable: Any) -> None:
        """Watch a variable."""
        self.variables.setdefault(id(variable), variable)
        self.watch(variable.handle)

    def watch(self, tensor: Any) -> None:
        """Watch a tensor."""
        self.active.setdefault(tensor.uid, tensor)
        self.sources.add(tensor.uid)


def _kept(op: Op, inputs: tuple[Any, ...], active: dict[int, Any]) -> tuple[Any, ...]:
    """What a node keeps of its inputs: values that a rule reads, types, or only what stands for an active tensor."""
    keeps = op.keeps if op.variadic is None else _spread(op, len(inputs))
    kept = []
    for t, keep in zip(inputs, keeps, strict=True):
        known = t if keep == VALUE else active.get(t.uid)
        kept.append(known if known is not None else _UNREAD if keep == NOTHING else _type_of(t))
    return tuple(kept)


def _type_of(tensor: Any) -> Any:
    if type(tensor) is EagerTensor:
        return Forgotten(tensor.uid, tensor.value.shape, tensor.value.dtype)
    if type(tensor) is StringTensor:
        return Forgotten(tensor.uid, tensor.dims, string)
    return Forgotten(tensor.uid, (), variant) if isinstance(tensor, EagerTensor) and tensor.dtype is variant else tensor


def _spread(op: Op, count: int) -> list[int]:
    return [keep for keep, span in zip(op.keeps, op.spans(count), strict=True) for _ in span]
