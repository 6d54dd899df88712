"""Residuals that are computed again: what a call under a tape does once its body runs natively.

Native code computes an element-wise residual in less time than it takes to store and load it, and in a small function handing an array
from forward to backward costs more than either.  So the forward pass keeps what is dear (products, sums, values of variables), and the
derivative starts by computing the rest from that.  It is decided residual by residual, by rough costs in nanoseconds.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from ..ir.context import stop_recorders
from ..ir.function_graph import Body, FunctionGraph
from ..ir.node import Node
from ..ir.op import Op
from ..ir.tensor import SymbolicTensor
from .derivative import Derivative

#: Nanoseconds: to hand an array over, for each of its bytes; for an element of a plain operation, and of a slow one.
_KEEP, _KEEP_BYTE, _FAST, _SLOWLY = 700.0, 0.08, 0.12, 1.0
_UNKNOWN = 1000


class Rematerialised:
    """A body, called under one tape, whose derivative computes what is cheap again.

    body: as it is called.  full: with all residuals as outputs, for which derivatives are made.  kept: what the derivative is given of
    the arguments and of what `forward` computes; `places` says where each stands among both.  call: the operation that calls a body.
    """

    def __init__(self, body: Body, full: Body, call: Op) -> None:
        self.body, self.full, self._call = body, full, call
        residuals = full.outputs[len(body.outputs) :]
        self.again, self.kept = choose_nodes(body, residuals)
        have = {t.uid: i for i, t in reversed([*enumerate((*body.inputs, *body.outputs))])}
        more = [t for t in self.kept if t.uid not in have]
        have |= {t.uid: len(body.inputs) + len(body.outputs) + i for i, t in enumerate(more)}
        self.places = [have[t.uid] for t in self.kept]
        self.forward = compile_soon(body.with_outputs((*body.outputs, *more)), body)
        #: The ways in which calls are differentiated (`call._Way`), by outputs and inputs.
        self.ways: dict[Any, Any] = {}

    def backward(self, d: Derivative) -> tuple[Body, list[int]]:
        """The body of a derivative in terms of the call's outputs and of `kept`, and which of those it takes after the cotangents."""
        at = {t.uid: i for i, t in enumerate((*self.body.outputs, *self.kept))}
        if all(t.uid in at for t in d.residuals):
            return compile_soon(d.backward, self.body), [at[t.uid] for t in d.residuals]
        kept = {t.uid: t for t in (*self.kept, *(t for t in d.residuals if t.uid in at))}
        return compile_soon(self._with_residuals(d, list(kept.values())), self.body), [at[uid] for uid in kept]

    def _with_residuals(self, d: Derivative, kept: list[SymbolicTensor]) -> Body:
        """The body of a derivative that computes its residuals from `kept` first."""
        inside = d.backward
        count = len(inside.inputs) - len(d.residuals) - len(d.outside)
        graph = FunctionGraph(inside.graph.function_name, self.body.graph.outer)
        with stop_recorders(), graph.building():
            gs = [graph.declare_like(t, "cotangent") for t in inside.inputs[:count]]
            given = [graph.declare_like(t, "kept") for t in kept]
            outside = [graph.declare_like(t, "outside") for t in d.outside]
            known = {t.uid: stand_in for t, stand_in in zip(kept, given, strict=True)}
            wanted = [t for t in d.residuals if t.uid not in known]
            again = Body(self.body.graph, kept, wanted, self.again)
            known.update(zip([t.uid for t in wanted], self._call(given, f=again), strict=True))
            answers = self._call([*gs, *[known[t.uid] for t in d.residuals], *outside], f=inside)
        return Body(graph, [*gs, *given, *outside], answers)


def compile_soon(body: Body, like: Body) -> Body:
    """`body`, to be run natively as soon as can be; a call waits for that as one of `like` does."""
    plan = body.plan()
    plan.soon, plan.waits = True, bool(like.graph.jit)
    return body


def runs_natively(body: Body) -> bool:
    """Whether there is a native program of `body` by now."""
    jit_state = body.plan().jit_state
    return jit_state is not None and any(program is not None for program in jit_state.programs.values())


def choose_nodes(body: Body, residuals: Sequence[SymbolicTensor]) -> tuple[frozenset[Node], list[SymbolicTensor]]:
    """The nodes to run again, and the tensors to keep for them and for the derivative."""
    free = {t.uid for t in (*body.inputs, *body.outputs)}
    kept: dict[int, SymbolicTensor] = {t.uid: t for t in residuals if t.uid in free}
    again: set[Node] = set()
    for t in sorted(residuals, key=lambda t: t.node.position):
        if t.uid in free or t.node in again:
            kept |= {t.uid: t} if t.uid in free else {}
            continue
        path = _path(t, free, again)
        if path is not None and sum(map(_cost, path)) <= _KEEP + _KEEP_BYTE * _elements(t) * t.dtype.size:
            again.update(path)
        else:
            free.add(t.uid)
            kept[t.uid] = t
    made = {t.uid for node in again for t in node.outputs}
    kept |= {t.uid: t for node in again for t in node.inputs if t.uid not in made and t.node.primitive.name != "Const"}
    return frozenset(again), list(kept.values())


def _path(tensor: SymbolicTensor, free: set[int], again: set[Node]) -> set[Node] | None:
    """The nodes between `tensor` and what there is; None where one of them cannot be run again cheaply."""
    found: set[Node] = set()
    pending = [tensor.node]
    while pending:
        node = pending.pop()
        if node in found or node in again or node.primitive.name == "Const":
            continue
        if not node.primitive.pointwise or node.primitive.stateful or node._control_inputs:
            return None
        found.add(node)
        pending += [t.node for t in node.inputs if t.uid not in free]
    return found


def _elements(t: Any) -> int:
    return math.prod(_UNKNOWN if n is None else n for n in t.dims or (None,) * (t.dims is None))


def _cost(node: Node) -> float:
    return (_SLOWLY if node.primitive.traits.slow else _FAST) * _elements(node.outputs[0])
