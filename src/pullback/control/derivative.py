"""The gradient of a body: a second body, from cotangents of the outputs and residuals to cotangents of the inputs.

The sweep walks the body's nodes while a new graph is being built; what its rules read of the body become captures of the new graph.
Those are the residuals: the forward body gives them as extra outputs, and keeps nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..base.dtypes import DType, resource
from ..ir.apply import convert_to_tensor
from ..ir.context import entered, unrecorded
from ..ir.function_graph import Body, FunctionGraph
from ..ir.tensor import Dims, IndexedSlices, SymbolicTensor, Tensor
from ..ops.array.basic import zeros_of
from ..ops.state.variables import variable_type
from ..transforms.reverse import between, depending_on, pullback, trainable
from ..transforms.sparse import densify

Flags = tuple[bool, ...]


class Derivative:
    """The gradient of one body for certain outputs and inputs.

    backward: the body that computes it; its inputs are the given cotangents, then `residuals` (tensors of the forward body), then
    `outside` (tensors from elsewhere).  shapes: for each input of the forward body asked for, how many of the backward outputs are its
    cotangent: 0 (none), 1 (a tensor), 2 or 3 (an IndexedSlices).
    """

    def __init__(self, backward: Body, residuals: list[SymbolicTensor], outside: list[Tensor], parts: list[int]) -> None:
        self.backward = backward
        self.residuals = residuals
        self.outside = outside
        self.parts = parts

    def rebuilt(self, answers: Sequence[Any]) -> list[Any]:
        """The backward outputs as one cotangent (or None) for each input asked for."""
        found, at = [], 0
        for count in self.parts:
            given = answers[at : at + count]
            found.append(None if not count else given[0] if count == 1 else IndexedSlices(*given))
            at += count
        return found


def derivative(body: Body, given: Flags, asked: Flags, dense: Flags | None = None) -> Derivative:
    """The gradient of `body` with cotangents of the outputs flagged `given`, for the inputs flagged `asked`; made once.

    dense: which of the inputs asked for get exactly one dense tensor, zeros where no path leads; the others get none.
    """
    return body.once((given, asked, dense), lambda: _made(body, given, asked, dense))  # type: ignore[no-any-return]


def _made(body: Body, given: Flags, asked: Flags, dense: Flags | None) -> Derivative:
    graph = FunctionGraph(f"gradient_of_{body.graph.function_name}", body.graph)
    graph.copies_constants = True
    ys = [y for y, flag in zip(body.outputs, given, strict=True) if flag]
    xs = [x for x, flag in zip(body.inputs, asked, strict=True) if flag]
    nodes = _nodes(body, ys, xs)
    active = depending_on(nodes, xs, trainable)
    with unrecorded(), entered(graph):
        gs = [graph.declare(*_cotangent_type(y), "cotangent") for y in ys]
        found = pullback(nodes, ys, gs, xs, active)
        if dense is not None:
            found = [(zeros_of(x) if g is None else densify(g)) if flag else None for g, x, flag in zip(found, xs, dense, strict=True)]
        outputs: list[SymbolicTensor] = []
        parts = []
        for g in found:
            components = [] if g is None else g._components() if isinstance(g, IndexedSlices) else [g]
            outputs += [graph.own(convert_to_tensor(t)) for t in components]
            parts.append(len(components))
    captured = graph.captures()
    residuals = [(outer, inner) for outer, inner in captured if isinstance(outer, SymbolicTensor) and outer.graph is body.graph]
    outside = [(outer, inner) for outer, inner in captured if not (isinstance(outer, SymbolicTensor) and outer.graph is body.graph)]
    backward = Body(graph, [*gs, *(i for _, i in residuals), *(i for _, i in outside)], outputs)
    return Derivative(backward, [o for o, _ in residuals], [o for o, _ in outside], parts)


def _cotangent_type(y: SymbolicTensor) -> tuple[Dims, DType]:
    """The dims and dtype of a cotangent: for a variable's handle those of its value."""
    if y.dtype is resource or y.dtype._is_ref_dtype:
        dtype, dims = variable_type(y)
        return dims, dtype
    return y.dims, y.dtype


def _nodes(body: Body, ys: Sequence[Any], xs: Sequence[Any]) -> list[Any]:
    """The nodes that lead from the inputs `xs` to the outputs `ys`."""
    found = between(ys, xs)
    return found if body.part is None else [node for node in found if node in body.part]


def activity(body: Body, asked: Flags) -> tuple[bool, ...]:
    """Which outputs of `body` depend, along differentiable paths, on the inputs flagged `asked`."""
    xs = [x for x, flag in zip(body.inputs, asked, strict=True) if flag]
    active = depending_on(_nodes(body, body.outputs, xs), xs, trainable)
    return tuple(y.uid in active for y in body.outputs)
