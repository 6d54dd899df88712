"""`While`: a body applied again and again while a condition holds.

Inputs are the loop variables, then the invariants (what condition and body read from outside); outputs are the final loop variables.
The gradient is a `While` of its own that goes through the iterations backwards: it pops, from lists the forward loop pushed to, only
what the rules read.  Both are built of ops with gradients, so a loop can be differentiated to any order.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..base.dtypes import int32, variant
from ..ir.apply import Site, convert_to_tensor
from ..ir.context import current, enter_graph, stop_recorders
from ..ir.function_graph import IDENTITY, Body, FunctionGraph
from ..ir.graph import Graph
from ..ir.in_place import changed_variables
from ..ir.node import Node
from ..ir.op import Traits, define
from ..ir.plan import Run, run_steps
from ..ir.tensor import Dims, SymbolicTensor, Tensor, TensorType
from ..ops.array.basic import zeros_of
from ..ops.array.identity import stop_gradient
from ..ops.math.arithmetic import subtract
from ..ops.primitives.compare import greater
from ..ops.tensor_list.push_pop import EMPTY, LENGTH, POP, PUSH
from ..transforms.cotangents import Totals
from .call import call, grow
from .derivative import Derivative, Flags, activity, dense_derivative, derivative, find_read, find_values_read, is_number
from .tensor_array_checks import is_version_1


def _while_type(args: tuple[Any, ...], *, cond: Body, body: Body) -> tuple[TensorType, ...]:
    return tuple(TensorType(t.dims, t.dtype) for t in body.inputs[: len(body.outputs)])


def _while_kernel(args: Sequence[Any], *, site: Site, cond: Body, body: Body, owned: frozenset[int] = frozenset()) -> list[Any]:
    if site.run is None:
        raise RuntimeError("a While node runs as part of a plan")
    return run_loop(list(args), cond, body, site.run, owned)


def run_loop(args: list[Any], cond: Body, body: Body, run: Run, owned: frozenset[int] = frozenset()) -> list[Any]:
    """The loop variables after the last iteration; the arrays of those `owned` may be changed."""
    count = len(body.outputs)
    return list(run_steps(cond.plan(), body.plan(), args[:count], args[count:], run, owned))


def while_vjp(gs: list[Any], node: Node, active: Flags, total: Totals | None = None) -> list[Any]:
    """The cotangents of a loop's inputs; `_revolve` of a node, where it is there, finds them in another way.

    Those of invariants are added up in the loop, on top of what there is of them in `total`.
    """
    if "_revolve" in node.attrs:
        return node.attrs["_revolve"](gs, node, active)
    body: Body = node.attrs["body"]
    count = len(body.outputs)
    asked = flag_asked(body, gs, active)
    stacks = node.attrs.get("_stacks", {}).values()
    asked = tuple(flag and not (i in stacks and gs[i] is None) for i, flag in enumerate(asked))
    if "_version_1" in node.attrs:
        asked = _keep_reached(body, gs, asked)
    given = asked[:count]
    if not any(asked):
        return [None] * len(asked)
    steady_asked = (*[False] * count, *asked[count:])
    d = dense_derivative(body, given, asked, steady_asked)
    steady = {inner.uid: t for inner, t in zip(body.inputs[count:], node.inputs[count:], strict=True)}
    changing = [t for t in d.residuals if t.uid not in steady]
    tick, read = node.attrs["_tick"], {t.uid for t in find_read(d)}
    reaching = [t.uid in read or is_number(t) for t in changing]
    if not any(reaching) and _reads_numbers(body):
        changing, reaching = [*changing, tick], [*reaching, True]
    lists = _stack_residuals(node, changing or [tick])
    steps = LENGTH(lists[0])
    # Who differentiates the gradient goes through this loop only for what it reads of numbers.
    lists = [t if flag else stop_gradient(t) for t, flag in zip(lists, reaching, strict=False)]
    starts = [g if g is not None else zeros_of(t) for g, t, flag in zip(gs, node.outputs, given, strict=False) if flag]
    places = [i for i in range(count, len(asked)) if asked[i]]
    lists_before = len(node.inputs) - len(asked)
    sums = [_start(node.inputs[i + lists_before], None if total is None else total.take(i)) for i in places]
    shapes = [t.dims for t, flag in zip(body.inputs, given, strict=False) if flag]
    answers = iter(_run_backwards(d, changing, steps, lists, starts, shapes, sums, steady))
    return [next(answers) if flag else None for flag in asked]


def _keep_reached(body: Body, gs: Sequence[Any], asked: Flags) -> Flags:
    """Of the inputs asked for those that a result with a cotangent depends on: TensorFlow 1 gives the others None, and not zeros."""
    count = len(body.outputs)
    given = tuple(flag and g is not None for g, flag in zip(gs, asked[:count], strict=False))
    while True:
        parts = iter(derivative(body, given, asked).parts)
        reached = tuple(flag and bool(next(parts)) for flag in asked)
        more = tuple(a or b for a, b in zip(given, reached, strict=False))
        if more == given:
            return (*given, *reached[count:])
        given = more


def _reads_numbers(body: Body) -> bool:
    """Whether TensorFlow's gradient of a loop's body reads numbers of it."""
    read = find_values_read(body, tuple(t.dtype.trainable for t in body.outputs))
    return any(t.node.primitive.name != "Const" for t in read)


def _start(invariant: Any, total: Any) -> Tensor:
    return zeros_of(invariant) if total is None else total


def flag_asked(body: Body, gs: Sequence[Any], active: Flags) -> Flags:
    """The loop's inputs that get a cotangent: those that matter, but none where only integers have cotangents."""
    if not any(g is not None and t.dtype.trainable for g, t in zip(gs, body.outputs, strict=False)):
        return (False,) * len(body.inputs)
    return tuple(flag and t.dtype.trainable for flag, t in zip(flag_relevant(body, active), body.inputs, strict=True))


def flag_relevant(body: Body, active: Flags) -> tuple[bool, ...]:
    """Which inputs matter: loop variables that become active in some iteration, and the invariants asked for."""
    count = len(body.outputs)
    flags = list(active)
    while True:
        reached = activity(body, tuple(flags))
        more = [a or b for a, b in zip(flags[:count], reached, strict=True)] + flags[count:]
        if more == flags:
            return tuple(flags)
        flags = more


def _stack_residuals(node: Node, residuals: Sequence[SymbolicTensor]) -> list[Any]:
    """The lists, outputs of the forward loop, that hold what each iteration computed for `residuals`; made for those it lacks."""
    kept: dict[int, int] = node.attrs.get("_stacks", {})
    missing = [t for t in residuals if t.uid not in kept]
    if missing:
        body, cond = node.attrs["body"], node.attrs["cond"]
        count = len(body.outputs)
        graph = body.graph
        with stop_recorders(), enter_graph(graph):
            stacks = [graph.declare((), variant, "stack") for _ in missing]
            pushed = [PUSH(stack, t) for stack, t in zip(stacks, missing, strict=True)]
        with enter_graph(cond.graph):
            unread = [cond.graph.declare((), variant, "stack") for _ in missing]
        Graph.changes += 1
        node.inputs = (*node.inputs[:count], *[node.attrs["_empty"]] * len(missing), *node.inputs[count:])
        node.attrs = {
            **node.attrs,
            "body": Body(graph, [*body.inputs[:count], *stacks, *body.inputs[count:]], [*body.outputs, *pushed]),
            "cond": Body(cond.graph, [*cond.inputs[:count], *unread, *cond.inputs[count:]], cond.outputs),
            "_stacks": {**kept, **{t.uid: count + i for i, t in enumerate(missing)}},
        }
        node.graph.growths += 1
        Graph.changes += 1
        grow(node, [TensorType((), variant)] * len(missing))
    kept = node.attrs.get("_stacks", {})
    return [node.outputs[kept[t.uid]] for t in residuals]


def _run_backwards(
    d: Derivative,
    changing: list[SymbolicTensor],
    steps: Tensor,
    lists: list[Any],
    starts: list[Any],
    shapes: list[Dims],
    sums: list[Any],
    steady: dict[int, Any],
) -> list[Any]:
    """The reverse loop: cotangents of the initial loop variables, then of the invariants.

    steps: how many there were.
    changing, lists: the residuals that differ from iteration to iteration and where they are kept; steady: those that do not, by uid.
    starts, shapes: the cotangents of the final loop variables, and what is known of their shapes in every iteration.
    sums: what those of the invariants are added to.
    """
    graph = FunctionGraph(d.backward.graph.function_name, current().graph)
    state = [steps, *lists, *starts, *sums]
    with stop_recorders(), graph.building():
        dims = [*(t.dims for t in state[: 1 + len(lists)]), *shapes, *(t.dims for t in sums)]
        inner = [graph.declare(n, t.dtype, "state") for n, t in zip(dims, state, strict=True)]
        left, stacks, gs, totals = (
            inner[0],
            inner[1 : 1 + len(lists)],
            inner[1 + len(lists) : 1 + len(lists) + len(starts)],
            inner[1 + len(lists) + len(starts) :],
        )
        popped = [POP(s, element_dtype=t.dtype, dims=t.dims) for s, t in zip(stacks, changing, strict=True)]
        known = {**steady, **{t.uid: element for t, (_, element) in zip(changing, popped, strict=True)}}
        answers = call(d.backward, [*gs, *totals, *(known[t.uid] for t in d.residuals), *d.outside])
        outputs = [subtract(left, 1), *(rest for rest, _ in popped), *answers]
    final = while_node(state, _build_condition(graph, state), graph, outputs)
    return final[1 + len(lists) :]


def _build_condition(beside: FunctionGraph, state: Sequence[Any]) -> tuple[FunctionGraph, Any]:
    graph = FunctionGraph(beside.function_name + "_cond", beside.outer)
    with stop_recorders(), graph.building():
        inner = [graph.declare(t.dims, t.dtype, "state") for t in state]
        return graph, greater(inner[0], convert_to_tensor(0, int32))


def while_node(
    state: Sequence[Any], condition: tuple[FunctionGraph, Any], graph: FunctionGraph, outputs: Sequence[Any], name: str | None = None
) -> list[Any]:
    """A `While` node from a condition's and a body's finished graphs, whose declared inputs are the loop variables."""
    cond_graph, verdict = condition
    inner = [graph.own(t) for t in outputs]
    with stop_recorders(), graph.building():
        tick = convert_to_tensor(0, int32, name="tick")
    verdict = cond_graph.own(verdict)
    of_body, of_cond = graph.captures(), cond_graph.captures()
    outside: dict[int, Tensor] = {t.uid: t for t, _ in (*of_cond, *of_body)}
    body = Body(graph, [*graph.inputs, *align_captures(graph, of_body, outside)], inner)
    cond = Body(cond_graph, [*cond_graph.inputs, *align_captures(cond_graph, of_cond, outside)], [verdict])
    empty = EMPTY()
    answers = WHILE([*state, *outside.values()], cond=cond, body=body, name=name)
    node = answers[0].node
    marks = {"_version_1": True} if is_version_1() else {}
    node.attrs = {**node.attrs, "_empty": empty, "_tick": tick, **marks}
    return answers


def name_results(results: Sequence[Any], older: str, first: int = 0) -> list[Any]:
    """The results of a branch or a loop as TensorFlow names them: `cond/Identity`, `while/Identity_2`, in TensorFlow 1 `cond/Merge`.

    older: their name in TensorFlow 1.  first: the number of the first one where it is not TensorFlow 1's.
    """
    kind, first = (older, 0) if is_version_1() else ("Identity", first)
    numbers = enumerate(results, first)
    return [IDENTITY(t, name=f"{t.node.name}/{kind}_{i}/" if i else f"{t.node.name}/{kind}/") for i, t in numbers]


def align_captures(graph: FunctionGraph, captured: list[tuple[Tensor, SymbolicTensor]], outside: dict[int, Tensor]) -> list[SymbolicTensor]:
    """The stand-ins in `graph` of all the tensors `outside`; new ones, which nobody reads, for those it does not know."""
    stand_ins = {t.uid: inner for t, inner in captured}
    return [stand_ins[uid] if uid in stand_ins else graph.stand_in_like(t, "unused") for uid, t in outside.items()]


WHILE = define(
    "While",
    "*args:captured",
    _while_type,
    _while_kernel,
    {"args": lambda gs, node, active: while_vjp(gs, node, active)},
    into={"args": while_vjp},
    outputs="*outputs",
    holomorphic=False,
    stateful=True,
    fills=False,
    hands_on=lambda node: {number: number for number in changed_variables(node.attrs["body"].plan().chains)},
    traits=Traits(applies_bodies=True, repeatable=True, siteless=True, opens_scope=True),
)
