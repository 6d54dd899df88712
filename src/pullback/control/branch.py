"""`If` and `Case`: one of several bodies, applied to tensors.

One op does both: `Case(index, args; branches)`.  All branches take the same inputs and give outputs of the same dtypes.  The gradient
is a `Case` of the branches' derivatives; a branch that does not make another's residual gives an empty value in its place, which
nobody reads.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ..ir.apply import Site
from ..ir.function_graph import IDENTITY, Body
from ..ir.node import Node
from ..ir.op import Traits, define
from ..ir.tensor import Dims, SymbolicTensor, Tensor, TensorType
from ..ops.array.basic import zeros_of
from ..ops.array.type_rules import invalid_argument
from ..transforms.cotangents import Totals
from .call import export_tensors
from .derivative import Derivative, Flags, add_linked, common_kind, derivative, find_linked, find_unrelated


def _case_type(branch_index: Any, args: tuple[Any, ...], *, branches: tuple[Body, ...]) -> tuple[TensorType, ...]:
    columns = zip(*(body.outputs for body in branches), strict=True)
    return tuple(TensorType(common_dims([t.dims for t in column]), column[0].dtype) for column in columns)


def _case_kernel(
    branch_index: Any, args: Sequence[Any], *, site: Site, branches: tuple[Body, ...], owned: frozenset[int] = frozenset()
) -> Sequence[Any]:  # fmt: skip
    if branch_index.size != 1:
        raise invalid_argument(f"the index of a branch must be a scalar, but it has shape {list(branch_index.shape)}")
    index = int(branch_index.item())
    body = branches[index if 0 <= index < len(branches) else -1]
    return body.call(args) if site.run is None else body.run(args, site.run, frozenset(at - 1 for at in owned))


def _case_vjp(gs: list[Any], branch_index: Any, node: Node, active: Flags, total: Totals | None = None) -> list[Any]:
    branches: tuple[Body, ...] = node.attrs["branches"]
    given = tuple(g is not None for g in gs)
    asked = tuple(flag and t.dtype.trainable for flag, t in zip(active[1:], branches[0].inputs, strict=True))
    reached = [derivative(body, given, asked).kinds() for body in branches]
    wanted = tuple(common_kind(column) for column in zip(*reached, strict=True))
    own = min(node.attrs.get("_carried", {}).values(), default=len(gs))  # outputs beyond these carry residuals
    answers: Iterator[Any] = iter([None] * len(wanted))
    if any(kind is not None for kind in wanted):
        kinds, places = iter(wanted), [i for i, flag in enumerate(asked, 1) if flag]
        totals = {i: None if total is None or next(kinds) is None else total.take(i) for i in places}
        wanted = tuple("dense" if totals[i] is not None else kind for i, kind in zip(places, wanted, strict=True))
        onto = tuple(totals.get(i) is not None for i in range(1, len(asked) + 1))
        found = [derivative(body, given, asked, wanted, onto if any(onto) else None) for body in branches]
        outside = {t.uid: t for d in found for t in d.outside}
        seeds = [t for t in (*gs, *totals.values()) if t is not None]
        flat = [*seeds, *_export_residuals(node, found), *outside.values()]
        linked = _linked_inputs(node, own, asked)
        among = {t.uid: i for i, t in enumerate(flat) if t.uid in linked}
        more = [t for uid, t in linked.items() if uid not in among]
        bodies = _align_bodies(found, outside)
        if linked:
            bodies = tuple(add_linked(body, more, among.values()) for body in bodies)
        results = case(branch_index, [*flat, *more], bodies)
        results = [IDENTITY(t) if isinstance(t, SymbolicTensor) else t for t in results]  # as TensorFlow names them
        answers = iter(found[0].rebuilt(results))
    # An input that only outputs without a cotangent depend on gets zeros, as TensorFlow gives; and one that TensorFlow's gradient reads.
    cotangents = [next(answers) if flag else None for flag in asked]
    doubtful = tuple(flag and g is None for flag, g in zip(asked, cotangents, strict=True))
    given = (*given[:own], *[True] * (len(given) - own))
    zero = [any(column) for column in zip(*(find_unrelated(body, given, doubtful) for body in branches), strict=True)]
    return [zeros_of(t) if flag else g for t, g, flag in zip(node.inputs[1:], cotangents, zero, strict=True)]


def _linked_inputs(node: Node, own: int, asked: Flags) -> dict[int, Any]:
    """The inputs, by uid, that the gradient for all inputs would depend on, where not all are asked for."""
    branches: tuple[Body, ...] = node.attrs["branches"]
    if asked == branches[0].trainable or branches[0].inlined:
        return {}
    given = tuple(i < own and t.dtype.trainable for i, t in enumerate(branches[0].outputs))
    return {t.uid: t for t, flag in zip(node.inputs[1:], find_linked(branches, given), strict=True) if flag}


def _changed_inputs(node: Node) -> dict[int, int]:
    """The outputs that are one and the same input in every branch, changed or not."""
    every = [{number: chain.start for number, chain in body.plan().chains.items()} for body in node.attrs["branches"]]
    return {number: start + 1 for number, start in every[0].items() if all(found.get(number) == start for found in every)}


CASE = define(
    "Case",
    "branch_index:int32 *args:captured",
    _case_type,
    _case_kernel,
    {"args": lambda gs, branch_index, node, active: _case_vjp(gs, branch_index, node, active)},
    into={"args": _case_vjp},
    outputs="*outputs",
    holomorphic=False,
    stateful=True,
    fills=False,
    hands_on=_changed_inputs,
    traits=Traits(chooses="the branch that was run took", applies_bodies=True, repeatable=True, siteless=True, opens_scope=True),
)


def _export_residuals(node: Node, found: list[Derivative]) -> list[Any]:
    """The residuals of each branch in turn: inputs of the node, or outputs that carry them; a graph's node is given those it lacks."""
    places = []
    for at, (body, d) in enumerate(zip(node.attrs["branches"], found, strict=True)):
        inputs = {t.uid: outer for t, outer in zip(body.inputs, node.inputs[1:], strict=True)}
        own = iter(export_tensors(node, at, [t for t in d.residuals if t.uid not in inputs]))
        places += [inputs[t.uid] if t.uid in inputs else next(own) for t in d.residuals]
    return places


def _align_bodies(found: list[Derivative], outside: dict[int, Tensor]) -> tuple[Body, ...]:
    """The backward bodies of the branches, brought to the same inputs: the cotangents, every branch's residuals, what is outside."""
    bodies = []
    for at, d in enumerate(found):
        graph = d.backward.graph
        count = len(d.backward.inputs) - len(d.residuals) - len(d.outside)
        own = d.backward.inputs[count:]
        stand_ins = {t.uid: inner for t, inner in zip(d.outside, own[len(d.residuals) :], strict=True)}
        residuals: list[SymbolicTensor] = []
        for other, e in enumerate(found):
            residuals += own[: len(d.residuals)] if other == at else [graph.declare_like(t, "unused") for t in e.residuals]
        rest = [stand_ins[uid] if uid in stand_ins else graph.declare_like(t, "unused") for uid, t in outside.items()]
        body = Body(graph, [*d.backward.inputs[:count], *residuals, *rest], d.backward.outputs)
        body.inlined = d.backward.inlined
        bodies.append(body)
    return tuple(bodies)


def common_dims(every: Sequence[Dims]) -> Dims:
    """The dims that all of `every` fit: unknown where they differ."""
    first = every[0]
    if any(dims is None or first is None or len(dims) != len(first) for dims in every):
        return None
    return tuple(column[0] if all(n == column[0] for n in column) else None for column in zip(*every, strict=True))


def case(branch_index: Tensor, args: Sequence[Any], branches: tuple[Body, ...], name: str | None = None) -> list[Any]:
    """The outputs of the branch that `branch_index` (an int32 scalar) names; the last one for an index out of range."""
    return CASE(branch_index, args, branches=branches, name=name)
