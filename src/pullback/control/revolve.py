"""Loops that keep few states: the gradient runs parts of the forward loop again instead of reading what every step pushed.

`checkpoint=k` keeps every k-th state while the gradient goes backwards, then the states of one stretch of k steps at a time.
`checkpoint="log"` keeps about log2(n) states: Griewank's binomial schedule (treeverse; A. Griewank, "Achieving logarithmic growth of
temporal and spatial complexity in reverse automatic differentiation", 1992).  With s states to spare and r runs of any step, C(s + r, s)
steps can be reversed, so 10,000 steps with 14 states need no step more than 6 times.

`WhileRevolve` is the gradient of such a loop as one op: the number of steps, the loop's inputs and the cotangents go in, the cotangents
of the inputs come out.  Its own gradient is that of an ordinary loop's gradient, so higher orders are right but keep every step.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import comb
from typing import Any

from ..ir.apply import Site
from ..ir.arrays import copy_array
from ..ir.context import current, enter_graph, stop_recorders
from ..ir.function_graph import Body, FunctionGraph, bodies_of
from ..ir.in_place import changed_variables
from ..ir.node import Node
from ..ir.op import Traits, define
from ..ir.plan import Run
from ..ir.tensor import TensorType
from ..ops.array.basic import zeros_of
from ..ops.tensor_list.push_pop import EMPTY
from .call import body_of, call
from .derivative import Flags, dense_derivative, derivative
from .loop import WHILE, flag_asked, while_vjp


def states_to_spare(steps: int) -> int:
    """How many states the logarithmic schedule holds besides the first."""
    return max(1, steps.bit_length())


def first_stretch(steps: int, spare: int) -> int:
    """How far to go before the next state is kept, when `steps` steps are to be reversed with `spare` states."""
    runs = 1
    while comb(spare + runs, spare) < steps:
        runs += 1
    return min(steps - 1, comb(spare + runs - 1, spare))


class Revolve:
    """One gradient under way: the state's cotangents, the invariants' sums, and how to run a step forwards and back."""

    def __init__(self, invariants: list[Any], gs: list[Any], sums: list[Any], forwards: Any, backwards: Any) -> None:
        self.invariants, self.gs, self.sums = invariants, gs, sums
        self.forwards, self.backwards = forwards, backwards

    def advance(self, state: list[Any], steps: int) -> list[Any]:
        """The state after so many steps."""
        for _ in range(steps):
            state = self.forwards([*state, *self.invariants])
        return state

    def back(self, state: list[Any]) -> None:
        """Pull the cotangents back through the step that begins with `state`."""
        answers = self.backwards(state, [*self.gs, *self.sums])
        given = len(self.gs)
        self.gs, self.sums = answers[:given], answers[given:]

    def periodically(self, state: list[Any], steps: int, every: int) -> None:
        """Reverse `steps` steps with every `every`-th state kept."""
        kept = [state]
        while len(kept) * every < steps:
            kept.append(self.advance(kept[-1], every))
        for at in reversed(range(len(kept))):
            stretch = [kept.pop()]
            while at * every + len(stretch) < min(steps, (at + 1) * every):
                stretch.append(self.advance(stretch[-1], 1))
            while stretch:
                self.back(stretch.pop())

    def sparingly(self, state: list[Any], steps: int, spare: int) -> None:
        """Reverse `steps` steps with no more than `spare` states kept besides `state`."""
        while steps > 1:
            stretch = first_stretch(steps, spare) if spare > 1 else steps - 1
            self.sparingly(self.advance(state, stretch), steps - stretch, spare - 1)
            steps = stretch
        self.back(state)


def _revolve_type(steps: Any, args: tuple[Any, ...], *, backward: Body, **_: Any) -> tuple[TensorType, ...]:
    return tuple(TensorType(t.dims, t.dtype) for t in backward.outputs)


def _revolve_kernel(
    steps: Any, args: Sequence[Any], *, site: Site, cond: Body, step: Body, taped: Body, backward: Body, tick: Any, flags: Flags,
    given: int, every: int,
) -> list[Any]:  # fmt: skip
    if site.run is None:
        raise RuntimeError("a WhileRevolve node runs as part of a plan")
    run: Run = site.run
    count, inputs = len(step.outputs), len(step.inputs)
    outside = len(backward.inputs) - len(backward.outputs) - len(taped.outputs)
    values = list(args)
    state, invariants, extra = values[:count], values[count:inputs], values[inputs : inputs + outside]
    owned = frozenset(changed_variables(backward.plan().chains))
    cotangents = [copy_array(v) if at in owned else v for at, v in enumerate(values[inputs + outside :])]

    def pull_step(state: list[Any], cotangents: list[Any]) -> Sequence[Any]:
        return backward.run([*cotangents, *taped.run([*state, *invariants], run), *extra], run, owned)

    revolve = Revolve(invariants, cotangents[:given], cotangents[given:], lambda values: step.run(values, run), pull_step)
    total = int(steps)
    if total and every:
        revolve.periodically(state, total, every)
    elif total:
        revolve.sparingly(state, total, states_to_spare(total))
    return [*revolve.gs, *revolve.sums]


def _revolve_vjp(gs: list[Any], node: Node, active: Flags) -> list[Any]:
    """That of the ordinary gradient of an ordinary loop, computed again."""
    args = node.inputs[1:]
    graph, outputs = _build_ordinary(node)
    ordinary, captured = body_of(graph, outputs)
    given = tuple(g is not None for g in gs)
    places = {t.uid: len(args) + i for i, t in enumerate(captured)}
    asked = tuple(flag and t.dtype.trainable for flag, t in zip(active[1:], args, strict=True)) + tuple(t.dtype.trainable for t in captured)
    d = derivative(ordinary, given, asked)
    residuals = call(ordinary.with_outputs(d.residuals), [*args, *captured]) if d.residuals else []
    answers = iter(d.rebuilt(call(d.backward, [*(g for g in gs if g is not None), *residuals, *d.outside])))
    found = [next(answers) if flag else None for flag in asked]
    return [g if g is not None or t.uid not in places else found[places[t.uid]] for t, g in zip(args, found, strict=False)]


def _build_ordinary(node: Node) -> tuple[FunctionGraph, list[Any]]:
    """The graph of what a node computes, by a loop that keeps what every step made."""
    step, flags = node.attrs["step"], node.attrs["flags"]
    count, inputs = len(step.outputs), len(step.inputs)
    graph = FunctionGraph(f"again_{step.graph.function_name}", current().graph)
    with stop_recorders(), enter_graph(graph):
        args = [graph.declare_like(t, "argument") for t in node.inputs[1:]]
        empty = EMPTY()
        loop = WHILE(args[:inputs], cond=node.attrs["cond"], body=step)[0].node
        loop.attrs = {**loop.attrs, "_empty": empty, "_tick": node.attrs["tick"]}
        starts = iter(args[len(args) - len(node.outputs) :])
        cotangents = [next(starts) if flag and t.dtype.trainable else None for flag, t in zip(flags[:count], step.outputs, strict=True)]
        found = while_vjp(cotangents, loop, flags)
    return graph, [g for g in found if g is not None]


REVOLVE = define(
    "WhileRevolve", "steps:int32 *args:captured", _revolve_type, _revolve_kernel, {"args": _revolve_vjp},
    outputs="*outputs", holomorphic=False, stateful=True, effects=False, fills=False,
    batch="a loop of its own for each row",
    traits=Traits(repeatable=True),
)  # fmt: skip


def revolve_rule(every: int) -> Callable[[list[Any], Node, Flags], list[Any]]:
    """The gradient rule of a loop whose first variable counts the steps; `every` 0: the logarithmic schedule."""

    def vjp(gs: list[Any], node: Node, active: Flags) -> list[Any]:
        body: Body = node.attrs["body"]
        count = len(body.outputs)
        asked = flag_asked(body, gs, active)
        given = asked[:count]
        if not any(asked):
            return [None] * len(asked)
        d = dense_derivative(body, given, asked, (*[False] * count, *asked[count:]))
        starts = [g if g is not None else zeros_of(t) for g, t, flag in zip(gs, node.outputs, given, strict=False) if flag]
        sums = [zeros_of(t) for t, flag in zip(node.inputs[count:], asked[count:], strict=True) if flag]
        found = iter(
            REVOLVE(
                node.outputs[0], [*node.inputs, *d.outside, *starts, *sums], cond=node.attrs["cond"], step=body,
                taped=body.with_outputs(d.residuals), backward=d.backward, tick=node.attrs["_tick"], flags=asked, given=len(starts),
                every=every,
            )
        )  # fmt: skip
        return [next(found) if flag else None for flag in asked]

    return vjp


def check_repeatable(body: Body) -> None:
    """Refuse a body that does something else when it is run again."""
    for node in body.graph.nodes:
        for inner in bodies_of(node):
            check_repeatable(inner)
        if node.primitive.stateful and not node.primitive.traits.repeatable:
            raise ValueError(
                f"while_loop(checkpoint=...) runs its body again, and {node.primitive.name} ({node.name}, made at {node.where}) would not "
                "do the same: move it out of the loop, take a stateless random function, or leave checkpoint out."
            )
