"""`checkpointed`: a function whose gradient stays within a number of bytes, at the least extra work.

The function is traced to a body; `memory_plan` cuts the body's nodes into segments.  A segment that is kept is a call like any other;
one that is run again is a `RecomputedCall`, which remembers its arguments only.  Both are made of ops, so the result works under
tapes, in graphs and in functions, and can be differentiated again; the plan counts what a first derivative holds.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Generic, ParamSpec, TypeVar, overload

from ..base import nest
from ..base.dtypes import variant
from ..base.export import export
from ..ir.apply import Site, convert_to_tensor
from ..ir.context import Context, current, enter_context
from ..ir.function_graph import Body, bodies_of
from ..ir.node import Node
from ..ir.op import VALUE, Traits, define
from ..ir.tensor import EagerTensor, SymbolicTensor, Tensor, TensorType
from ..transforms.reverse import find_between
from .call import body_of, call
from .cond import build
from .custom import Decorated, Flags, name_of
from .derivative import derivative
from .memory_plan import Impossible, Planner, Segment, Step
from .recompute import BARRIER
from .revolve import states_to_spare
from .variable_reads import VariableReads

P = ParamSpec("P")
R = TypeVar("R")

_WHOLE = frozenset({"TensorListStack", "TensorListConcatV2"})
#: Steps that a loop is taken to have where nothing says how many.
_STEPS = 1000


# ---- the op: a call that remembers only its arguments


def _type(args: tuple[Any, ...], *, f: Body) -> tuple[TensorType, ...]:
    return tuple(TensorType(t.dims, t.dtype) for t in f.outputs)


def _kernel(args: Sequence[Any], *, site: Site, f: Body) -> Sequence[Any]:
    return f.call(args) if site.run is None else f.run(args, site.run)


def _vjp(gs: list[Any], args: tuple[Any, ...], f: Body, active: Flags) -> list[Any]:
    asked = tuple(flag and t.dtype.trainable for flag, t in zip(active, f.inputs, strict=True))
    d = derivative(f, tuple(g is not None for g in gs), asked)
    given = [g for g in gs if g is not None]
    residuals = call(f.with_outputs(d.residuals), [BARRIER(t, given) for t in args]) if d.residuals else []
    answers = iter(d.rebuilt(call(d.backward, [*given, *residuals, *d.outside])))
    return [next(answers) if flag else None for flag in asked]


RECOMPUTED = define(
    "RecomputedCall", "*args:captured", _type, _kernel, {"args": _vjp}, outputs="*outputs", holomorphic=False, stateful=True,
    effects=False, fills=False,
    traits=Traits(siteless=True),
)  # fmt: skip


# ---- the plan


class MemoryPlan:
    """What `checkpointed` decided for one signature: `print` it for a table.

    budget: bytes allowed.  kept: bytes held from the forward pass until the gradient is done, beyond arguments and variables.  peak:
    `kept` and the room of the hungriest segment that is run again or has a loop.  whole: bytes that keeping everything would hold.
    segments: (first node, last node, "keep" or "recompute", bytes handed on or kept, bytes of room, extra work) in order.
    recomputed: the names of the nodes that run again.  extra: their work, as a share of the forward pass.
    """

    def __init__(self, name: str, steps: Sequence[Step], segments: Sequence[Segment], budget: int, whole: int) -> None:
        self.name, self.budget, self.whole = name, budget, whole
        self.kept = sum(s.held for s in segments)
        self.peak = self.kept + max((s.room for s in segments), default=0)
        total = sum(step.work for step in steps)
        self.extra = sum(s.work for s in segments) / total if total else 0.0
        self.recomputed = [step.label for s in segments if s.again for step in steps[s.start : s.stop]]
        self.segments = [
            (steps[s.start].label, steps[s.stop - 1].label, "recompute" if s.again else "keep", s.held, s.room, s.work / (total or 1.0))
            for s in segments
            if s.start < s.stop
        ]

    def __str__(self) -> str:
        lines = [
            f"{self.name}: at most {self.peak:,} of {self.budget:,} bytes for the gradient; keeping everything takes {self.whole:,}",
            f"kept {self.kept:,} bytes, {len(self.recomputed)} nodes run again, extra work {self.extra:.0%} of the forward pass",
            f"{'from':<24} {'to':<24} {'':<10} {'kept bytes':>14} {'room':>14} {'extra':>7}",
        ]
        lines += [f"{a:<24} {b:<24} {kind:<10} {held:>14,} {room:>14,} {work:>7.1%}" for a, b, kind, held, room, work in self.segments]
        return "\n".join(lines)

    __repr__ = __str__


def _size(t: Any, measured: dict[int, int]) -> int:
    if t.uid in measured:
        return measured[t.uid]
    if t.dtype is variant:
        return _list_size(t, measured)
    if t.dims is None or None in t.dims or t.dtype.size == 0:
        raise ValueError(
            f"checkpointed plans with the sizes of all tensors, and {t.name} (made at {t.node.where}) has shape {t.dims} and dtype "
            f"{t.dtype.name}. Give arguments of known shapes, or call it eagerly, where sizes are measured by the first call."
        )
    return _elements(t) * int(t.dtype.size)


def _list_size(t: Any, measured: dict[int, int]) -> int:
    """The bytes of a list of tensors: those of what it is made of, or of what is made of it."""
    node = t.node
    while True:
        whole = next((n.outputs[0] for n in node.graph.nodes if n.primitive.name in _WHOLE and n.inputs[0].uid == t.uid), None)
        if node.primitive.name == "TensorListFromTensor":
            whole = node.inputs[0]
        if whole is not None:
            return _size(whole, measured)
        if node.primitive.name == "While":
            t = node.inputs[t.index]
        elif node.primitive.lists == 0 and node.inputs and node.inputs[0].dtype is variant:
            t = node.inputs[0]  # what an operation makes of a list is about as large
        else:
            return 0  # nothing in it that anybody reads whole
        node = t.node


def _elements(t: Any) -> int:
    count = 1
    for n in t.dims or ():
        count *= n or 1
    return count


def _work(node: Node) -> float:
    """Rough: one for an element, eight for one of a function of the C library, two for each product and sum."""
    if node.primitive.name == "While":
        return _STEPS * sum(_work(inner) for inner in node.attrs["body"].graph.nodes if inner.outputs)
    each = 8.0 if node.primitive.traits.slow else 1.0
    made = sum(_elements(t) for t in node.outputs)
    factors = [t for t in node.inputs if t.dtype.trainable]
    if node.primitive.traits.multiplies and not node.primitive.pointwise and len(factors) == 2:
        return 2.0 * math.sqrt(_elements(factors[0]) * _elements(factors[1]) * made)
    return each * max(made, *(_elements(t) for t in node.inputs), 1)


def _is_repeatable(node: Node) -> bool:
    bodies = bodies_of(node)
    if bodies:
        return all(_is_repeatable(inner) for body in bodies for inner in body.graph.nodes)
    return not node.primitive.stateful or node.primitive.name in ("Placeholder", "Const")


# ---- the traced function


class _Traced:
    """One signature of a function: its body in segments."""

    def __init__(
        self, name: str, body: Body, outside: list[Any], variables: list[Any], template: Any, memory: int, values: Sequence[Any]
    ) -> None:
        self.outside, self.variables, self.template, self.outputs = outside, variables, template, body.outputs
        if body.effects():
            node = body.effects()[0]
            raise ValueError(
                f"{name} cannot be checkpointed: its {node.primitive.name} (made at {node.where}) changes something when run again"
            )
        self.body = body
        nodes = [n for n in find_between(body.outputs, ()) if n.primitive.name not in ("Placeholder", "Const")]
        self.reads = [n for n in nodes if n.primitive.name == "ReadVariableOp"]
        self.nodes = [n for n in nodes if n.primitive.name != "ReadVariableOp"]
        d = derivative(body, tuple(t.dtype.trainable for t in body.outputs), tuple(t.dtype.trainable for t in body.inputs))
        self.residuals = {t.uid for t in d.residuals}
        measured = _measure_bytes(body, [t for n in self.nodes for t in n.outputs if t.dtype.size], [*values, *outside])
        self.sizes = {t.uid: _size(t, measured) for n in self.nodes for t in n.outputs if t.uid in self.residuals or t.dtype.trainable}
        results = {t.uid for t in body.outputs}
        steps = [self._step(n) for n in self.nodes]
        planner = Planner(steps, {uid: size for uid, size in self.sizes.items() if uid not in results})
        whole = planner.segment(0, len(steps), again=False).held
        try:
            segments = planner.plan(memory)
        except Impossible as error:
            raise ValueError(
                f"the gradient of {name} cannot be had with {memory:,} bytes: {error.least:,} is the least that is possible, and keeping "
                f"everything takes {whole:,}"
            ) from None
        self.plan = MemoryPlan(name, steps, segments, memory, whole)
        self.parts: list[tuple[Body, bool]] = []
        for s in reversed([s for s in segments if s.start < s.stop]):
            results |= {t.uid for body, _ in self.parts[:1] for t in body.inputs}
            self.parts.insert(0, (self._part(s, results), s.again))

    def _room(self, node: Node) -> int:
        """What the gradient of a loop holds while it is under way: a logarithmic number of states, and what one step makes."""
        inside = node.attrs["body"]
        state = sum(_elements(t) * max(int(t.dtype.size), 1) for t in inside.outputs)
        once = sum(_elements(t) * int(t.dtype.size) for n in inside.graph.nodes for t in n.outputs)
        return state * (states_to_spare(_STEPS) + 1) + once

    def _step(self, node: Node) -> Step:
        op = node.primitive
        keeps = op.keeps if op.variadic is None else [k for k, span in zip(op.keeps, op.spans(len(node.inputs)), strict=True) for _ in span]
        read = [t.uid for t, keep in zip(node.inputs, keeps, strict=True) if keep == VALUE and t.uid in self.residuals]
        read += [t.uid for t in node.outputs if t.uid in self.residuals]
        return Step(
            node.name,
            tuple(t.uid for t in node.outputs),
            tuple(t.uid for t in node.inputs),
            tuple(read),
            _work(node),
            _is_repeatable(node),
            self._room(node) if node.primitive.name == "While" else 0,
        )

    def _part(self, segment: Segment, wanted: set[int]) -> Body:
        """A segment as a body: its inputs are what it, or its gradient, reads of earlier ones; `wanted` is what later ones read."""
        own = self.nodes[segment.start : segment.stop]
        made = {t.uid for n in own for t in n.outputs}
        outputs = [t for n in own for t in n.outputs if t.uid in wanted]
        inputs = {t.uid: t for n in own for t in n.inputs if t.uid not in made and t.node.primitive.name != "Const"}
        body = Body(self.body.graph, list(inputs.values()), outputs, frozenset(own))
        d = derivative(body, tuple(t.dtype.trainable for t in outputs), tuple(t.dtype.trainable for t in body.inputs))
        more = {t.uid: t for t in d.residuals if t.uid not in made and t.uid not in inputs and t.node.primitive.name != "Const"}
        return body if not more else Body(self.body.graph, [*inputs.values(), *more.values()], outputs, frozenset(own))

    def __call__(self, values: Sequence[Any]) -> Any:
        for variable in self.variables:
            for recorder in current().recorders:
                recorder.read(variable)
        known: dict[int, Any] = {t.uid: v for t, v in zip(self.body.inputs, [*values, *self.outside], strict=True)}
        for node in self.reads:
            known[node.outputs[0].uid] = node.primitive(
                *(known[t.uid] for t in node.inputs), **{a: node.attrs[a] for a in node.primitive.attributes}
            )
        for body, again in self.parts:
            args = [known[t.uid] for t in body.inputs]
            found = RECOMPUTED(args, f=body) if again else call(body, args)
            known.update((t.uid, v) for t, v in zip(body.outputs, found, strict=True))
        results = iter([known[t.uid] if t.uid in known else _constant(t) for t in self.outputs])
        flat = [None if t is None else next(results) for t in nest.flatten(self.template, expand_composites=True)]
        return nest.pack_sequence_as(self.template, flat, expand_composites=True)


def _measure_bytes(body: Body, tensors: Sequence[Any], values: Sequence[Any]) -> dict[int, int]:
    """The bytes of those tensors whose shapes say nothing, found by running the body once, where there are values and that does no harm."""
    unknown = [t for t in tensors if t.dims is None or None in t.dims]
    if not unknown or not all(isinstance(v, EagerTensor) for v in values) or not all(map(_is_repeatable, find_between(unknown, ()))):
        return {}
    found = body.with_outputs(unknown).call([v.value for v in values])
    return {t.uid: int(a.nbytes) for t, a in zip(unknown, found, strict=True)}


def _constant(t: SymbolicTensor) -> Any:
    return convert_to_tensor(t.node.attrs["value"])


class Checkpointed(Decorated, Generic[P, R]):
    """What `checkpointed` returns: call it as the function; `plan(*args)` tells what was decided for such arguments."""

    def __init__(self, f: Callable[P, R], memory: int) -> None:
        super().__init__(f, self._run)
        self._memory = memory
        self._known: dict[Any, _Traced] = {}

    def _run(self, f: Callable[..., Any], args: Any, kwargs: Any) -> Tensor:
        traced, values = self._prepare_call(args, kwargs)
        return traced(values)

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else Checkpointed(self._f.__get__(instance, owner), self._memory)

    if TYPE_CHECKING:

        def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R: ...

    def plan(self, *args: P.args, **kwargs: P.kwargs) -> MemoryPlan:
        """The plan for arguments like these."""
        return self._prepare_call(args, kwargs)[0].plan

    def _prepare_call(self, args: Any, kwargs: Any) -> tuple[_Traced, list[Any]]:
        given = [list(args), kwargs]
        leaves = nest.flatten(given, expand_composites=True)
        free = [i for i, leaf in enumerate(leaves) if hasattr(leaf, "dtype") and not hasattr(leaf, "handle")]
        values = [convert_to_tensor(leaves[i]) for i in free]
        key = (
            str(nest.map_structure(lambda _: 0, given, expand_composites=True)),
            tuple((t.dims, t.dtype) for t in values),
            tuple(id(leaf) if hasattr(leaf, "handle") else leaf for i, leaf in enumerate(leaves) if i not in free),
        )
        if current().graph is not None:
            return self._trace_function(given, leaves, free, values), values
        if key not in self._known:
            self._known[key] = self._trace_function(given, leaves, free, values)
        return self._known[key], values

    def _trace_function(self, given: Any, leaves: list[Any], free: list[int], values: list[Any]) -> _Traced:
        def call_on_tensors(*tensors: Any) -> Tensor:
            current().graph.spares_states = True  # type: ignore[union-attr]  # the graph being built
            flat = list(leaves)
            for i, t in zip(free, tensors, strict=True):
                flat[i] = t
            args, kwargs = nest.pack_sequence_as(given, flat, expand_composites=True)
            return self._f(*args, **kwargs)

        graph: Any = current().graph
        reads = VariableReads()
        with enter_context(Context(graph, (reads,))):
            inner, returned = build(graph, call_on_tensors, "checkpointed", values)
        flat = [t for t in nest.flatten(returned, expand_composites=True) if t is not None]
        body, outside = body_of(inner, flat)
        return _Traced(name_of(self._f), body, outside, list(reads.found.values()), returned, self._memory, values)


@overload
def checkpointed(f: Callable[P, R], *, memory: int) -> Checkpointed[P, R]: ...
@overload
def checkpointed(f: None = None, *, memory: int) -> Callable[[Callable[P, R]], Checkpointed[P, R]]: ...
@export(ours="checkpointed")
def checkpointed(f: Any = None, *, memory: int) -> Any:
    """`f` with a gradient that holds at most `memory` bytes: some intermediates are kept, the others are computed again.

    memory: bytes allowed between the forward pass and the end of the gradient, beyond the arguments, the variables, the results and the
    cotangents themselves.  What costs least extra work is chosen, by the static shapes of the first call with such arguments; sizes that
    these leave open are measured by running the first call once more, eagerly.  Loops keep few states and run their steps again, as with
    `while_loop(checkpoint="log")`; they are taken to have a thousand steps, and count by what their gradient holds then.
    The result is called as `f`; `.plan(*args)` gives a `MemoryPlan`, which prints as a table.  `f` is traced once for each set of
    shapes, dtypes and Python values, as a `function` is; random operations in it are kept, never drawn again.
    Raises ValueError where no plan is small enough (it says what the least is), where a size is unknown in a graph, or where `f`, or a
    step of a loop in it, changes something or draws random numbers in a loop.

    >>> def deep(x):
    ...     for _ in range(16):
    ...         x = tf.sin(x) * 1.1
    ...     return x
    >>> small = tf.checkpointed(deep, memory=40_000)
    >>> x = tf.ones([1000])
    >>> small.plan(x).peak <= 40_000 < small.plan(x).whole
    True
    >>> with tf.GradientTape(persistent=True) as tape:
    ...     tape.watch(x)
    ...     y, z = small(x), deep(x)
    >>> bool(tf.reduce_all(tape.gradient(y, x) == tape.gradient(z, x)))
    True
    """
    if f is None:
        return functools.partial(checkpointed, memory=memory)
    if memory < 0:
        raise ValueError(f"memory is a number of bytes, not {memory}")
    return Checkpointed(f, int(memory))
