"""`PartitionedCall`: a body applied to tensors.

Its gradient is a call of the body's derivative.  The residuals that one reads are extra outputs of the forward call: under a tape the
forward runs with them from the start; in a graph the node is given them when somebody differentiates it.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from contextlib import ExitStack
from itertools import chain, count
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from ..base.dtypes import variant
from ..base.lazy_import import LazyModule
from ..ir.apply import EAGER_MEMORY, Site, wrap
from ..ir.arrays import is_array
from ..ir.context import BUILDING, Watcher, current, drop_recorders, enter_context, enter_graph, stop_recorders, watchers
from ..ir.function_graph import Body, FunctionGraph
from ..ir.node import Node
from ..ir.op import Traits, define
from ..ir.plan import Run
from ..ir.tensor import EagerTensor, Forgotten, IndexedSlices, SymbolicTensor, Tensor, TensorType
from ..ops.array.basic import zeros_of
from ..ops.array.create import zeros
from ..ops.state.variables import Repeating, Storage
from ..transforms.cotangents import Totals
from ..transforms.recording import Recording, caller_of
from ..transforms.tangents import transpose_vjp
from .derivative import Derivative, Flags, add_linked, derivative, find_linked_by_call, find_unrelated
from .rematerialise import Rematerialised, runs_natively

if TYPE_CHECKING:
    from ..diagnose import notes
    from ..ops.tensor_list import push_pop
else:
    notes, push_pop = LazyModule("pullback.diagnose.notes"), LazyModule("pullback.ops.tensor_list.push_pop")


def _call_type(args: tuple[Any, ...], *, f: Body) -> tuple[TensorType, ...]:
    return tuple(TensorType(t.dims, t.dtype, t.constant if t.node.primitive.name == "Const" else None) for t in f.outputs)


def _call_kernel(args: Sequence[Any], *, site: Site, f: Body, owned: frozenset[int] = frozenset()) -> Sequence[Any]:
    return f.call(args) if site.run is None else f.run(args, site.run, owned)


class _Way:
    """How a call is differentiated for certain outputs and inputs: made once for all eager calls of a body, anew for a graph's node."""

    __slots__ = ("asked", "backward", "derivative", "direct", "given", "outside", "picked", "reached", "taken", "unrelated")

    def __init__(self, node: Node, given: Flags, active: Flags, onto: Flags | None = None) -> None:
        body, rematerialised = node.attrs["f"], node.attrs.get("_rematerialised")
        given = (*given, *[False] * (len(body.outputs) - len(given)))
        self.asked = tuple(flag and t.dtype.trainable for flag, t in zip(active, body.inputs, strict=True))
        self.given = given
        self.derivative = derivative(body, given, self.asked, onto=onto)
        if not hasattr(node, "graph") and not _gives_residuals(body, self.derivative):
            self.given, self.asked = _widen_outputs(body, given), body.cache.get("prepared for inputs", self.asked)
            self.derivative = derivative(body, self.given, self.asked)
        self.unrelated = _find_unrelated(body, self.given, self.asked, self.derivative.parts)
        if any(self.unrelated):  # zeros that the derivative gives depend on what it reads
            zeros = [flag for flag, asked in zip(self.unrelated, self.asked, strict=True) if asked]
            kinds = tuple(kind or ("dense" if flag else None) for kind, flag in zip(self.derivative.kinds(), zeros, strict=True))
            whole = derivative(body, self.given, self.asked, kinds, onto)
            if hasattr(node, "graph") or _gives_residuals(body, whole):  # it may read of what shape they are
                self.derivative, self.unrelated = whole, (False,) * len(self.asked)
        #: The residuals, by uid, that are inputs of a graph's node; and what the derivative's body takes after the cotangents of such a
        #: node's inputs and outputs, or of a recorded one's outputs and what was kept besides.
        self.taken = {t.uid: i for i, t in enumerate(body.inputs)} if hasattr(node, "graph") else {}
        if rematerialised is None:
            self.backward, places = self.derivative.backward, _place_residuals(node, self.derivative.residuals, self.taken)
        else:
            self.backward, places = rematerialised.backward(self.derivative)
        self.picked = _picker(places)
        parts, outside = self.derivative.parts, self.derivative.outside
        #: Whether arrays alone will do: one for every cotangent, nothing to fill in, and values for what is read from outside.
        self.direct = self.given == given and not any(self.unrelated) and all(n < 2 for n in parts)
        self.direct = self.direct and all(isinstance(t, EagerTensor) for t in outside)
        self.outside = [t.value for t in outside] if self.direct else []  # type: ignore[attr-defined]  # they have values
        self.reached = [i for i, n in zip([i for i, flag in enumerate(self.asked) if flag], parts, strict=True) if n]

    def linking(self, body: Body) -> tuple[Body, list[int]]:
        """`backward` with an input for each input of the call that TensorFlow's would depend on besides, and which those are."""
        return self.backward.once("linking", lambda: self._link(body))

    def _link(self, body: Body) -> tuple[Body, list[int]]:
        own = body.cache.get("prepared for", len(body.outputs))
        given = tuple(i < own and t.dtype.trainable for i, t in enumerate(body.outputs))
        linked = find_linked_by_call(body, given, self.derivative, self.taken)
        return (add_linked(self.backward, [body.inputs[i] for i in linked]) if linked else self.backward), linked


def _call_vjp(gs: list[Any], node: Node, active: Flags, total: Totals | None = None) -> list[Any]:
    kept = node.attrs.get("_kept", ())
    asked = [i for i, (flag, t) in enumerate(zip(active, node.attrs["f"].inputs, strict=True)) if flag and t.dtype.trainable]
    taken = {i: total.take(i) for i in asked} if total is not None and hasattr(node, "graph") else {}
    totals = [taken.get(i) for i in range(len(active))]
    onto = tuple([t is not None for t in totals])
    way = _way(node, tuple([g is not None for g in gs]), tuple(active), onto if any(onto) else None)
    gs = [zeros_of(t) if flag and g is None else g for t, g, flag in zip(node.outputs, gs, way.given, strict=False)]
    d = way.derivative
    have = [*node.inputs, *node.outputs] if hasattr(node, "graph") else [*node.outputs, *kept]
    residuals = [t if isinstance(t, Tensor) else wrap(t) for t in way.picked(have)]
    given = [*[g for g in gs if g is not None], *[t for t in totals if t is not None]]
    given += [*residuals, *d.outside]
    backward = way.backward
    if hasattr(node, "graph") or current().recorders:
        backward, linked = way.linking(node.attrs["f"])
        given += [_make_known(node, i) for i in linked]
    answers = iter(d.rebuilt(call(backward, given, "PartitionedCall")))
    found = [next(answers) if flag else None for flag in way.asked]
    found = [g if flag else None for g, flag in zip(found, active, strict=True)]
    if not any(way.unrelated):
        return found
    return [zeros_of(t) if flag else g for t, g, flag in zip(node.inputs, found, way.unrelated, strict=True)]


def _make_known(node: Node, at: int) -> Any:
    """An input of a call; where a tape forgot it, a tensor in its place for who does not read its value."""
    tensor = node.inputs[at]
    if not isinstance(tensor, Forgotten):
        return tensor
    with stop_recorders():
        made = zeros_of(tensor)
    made.uid = node.read[at] if hasattr(node, "read") else tensor.uid
    return made


def _picker(places: list[int]) -> Callable[[list[Any]], Any]:
    """What takes the elements at certain places out of a list."""
    if len(places) < 2 or places == list(range(places[0], places[-1] + 1)):
        first, last = (places[0], places[-1] + 1) if places else (0, 0)
        return lambda have: have[first:last]
    return itemgetter(*places)


def _way(node: Node, given: Flags, active: Flags, onto: Flags | None = None) -> _Way:
    """How a call is differentiated: worked out once for all eager calls of a body."""
    if hasattr(node, "graph"):
        return _Way(node, given, active, onto)
    rematerialised = node.attrs.get("_rematerialised")
    key = ("way", given, active)
    if rematerialised is None:
        body: Body = node.attrs["f"]
        return body.once(key, lambda: _Way(node, given, active))
    found = rematerialised.ways.get(key)
    if found is None:
        with BUILDING:
            found = rematerialised.ways[key] = _Way(node, given, active)
    return found


def _call_arrays(node: Node, gs: list[Any], active: Container[int]) -> list[tuple[int, Any]] | None:
    """`_call_vjp` on arrays: the derivative's body is called straight away."""
    inputs = node.inputs
    way = _way(node, tuple([g is not None for g in gs]), tuple([t.uid in active for t in inputs]))
    values = [g.value if isinstance(g, EagerTensor) else g for g in gs if g is not None]
    if not way.direct or any(isinstance(g, IndexedSlices) for g in values):
        return None
    values += way.picked([t.value for t in node.outputs] + node.attrs.get("_kept", []))
    answers = way.backward.call(values + way.outside)
    return [(inputs[i].uid, answer if is_array(answer) else wrap(answer)) for i, answer in zip(way.reached, answers, strict=True)]


def _gives_residuals(body: Body, d: Derivative) -> bool:
    """Whether a call that was recorded gave all that a derivative reads."""
    have = {t.uid for t in body.outputs}
    return all(t.uid in have for t in d.residuals)


def _widen_outputs(body: Body, given: Flags) -> Flags:
    """All the outputs that the call was prepared for: with zeros where there is no cotangent, what is read then has been kept."""
    count = body.cache.get("prepared for", 0)
    return tuple(flag or (i < count and t.dtype.trainable) for i, (flag, t) in enumerate(zip(given, body.outputs, strict=True)))


def _find_unrelated(body: Body, given: Flags, asked: Flags, parts: Sequence[int]) -> Flags:
    """The inputs that no output with a cotangent depends on, but another one does: they get zeros, as TensorFlow gives."""
    if all(parts) or (all(given) and not body.linked):
        return (False,) * len(asked)
    path = iter(parts)
    return find_unrelated(body, given, tuple(flag and not next(path) for flag in asked))


def _call_jvp(node: Node, given: list[Any]) -> list[Any] | None:
    """The transposed derivative; an eager call was prepared to be differentiated by its first outputs, not by the last residuals."""
    body = node.attrs["f"]
    return None if hasattr(node, "graph") else transpose_vjp(node, given, body.cache.get("prepared for", len(body.outputs)))


CALL = define(
    "PartitionedCall",
    "*args:captured",
    _call_type,
    _call_kernel,
    {"args": lambda gs, node, active: _call_vjp(gs, node, active)},
    into={"args": _call_vjp},
    outputs="*outputs",
    holomorphic=False,
    stateful=True,
    fills=False,
    jvp=_call_jvp,
    hands_on=lambda node: {number: chain.start for number, chain in node.attrs["f"].plan().chains.items()},
    array_vjp=_call_arrays,
    traits=Traits(applies_bodies=True, repeatable=True, siteless=True, calls_gradient=True),
)


def _place_residuals(node: Node, residuals: Sequence[SymbolicTensor], taken: dict[int, int]) -> list[int]:
    """Where the residuals are among the inputs that are `taken` of a call node, if any are, and its outputs."""
    outputs = iter(_export_outputs(node, [t for t in residuals if t.uid not in taken]))
    return [taken[t.uid] if t.uid in taken else len(taken) + next(outputs) for t in residuals]


def _export_outputs(node: Node, wanted: Sequence[SymbolicTensor]) -> list[int]:
    """Which outputs of a call node carry the inner tensors `wanted`; a graph's node is given those it lacks."""
    body = node.attrs["f"]
    have = {t.uid: i for i, t in enumerate(body.outputs)}
    missing = [t for t in wanted if t.uid not in have]
    if missing:
        if not hasattr(node, "graph"):
            raise RuntimeError(
                f"{body!r} was recorded without {len(missing)} of the values its gradient reads; record it under the tape that "
                "differentiates it"
            )
        extended = body.with_outputs((*body.outputs, *missing))
        node.attrs = {**node.attrs, "f": extended}
        grow(node, missing)
        have = {t.uid: i for i, t in enumerate(extended.outputs)}
    return [have[t.uid] for t in wanted]


def export_tensors(node: Node, at: int, wanted: Sequence[SymbolicTensor]) -> list[SymbolicTensor]:
    """The outputs of a branching node that carry tensors of one of its branches; a graph's node is given those it lacks."""
    branches: tuple[Body, ...] = node.attrs["branches"]
    carried: dict[tuple[int, int], int] = node.attrs.get("_carried", {})
    places = {t.uid: i for i, t in enumerate(branches[at].outputs)} | {uid: i for (branch, uid), i in carried.items() if branch == at}
    missing = list({t.uid: t for t in wanted if t.uid not in places}.values())
    if missing:
        if not hasattr(node, "graph"):
            raise RuntimeError("a branch was recorded without the values its gradient reads")
        new = {t.uid: i for i, t in enumerate(missing, len(branches[at].outputs))}
        more = [missing if i == at else [_make_unread(b.graph, t) for t in missing] for i, b in enumerate(branches)]
        wider = tuple(b.with_outputs((*b.outputs, *own)) for b, own in zip(branches, more, strict=True))
        node.attrs = {**node.attrs, "branches": wider, "_carried": carried | {(at, uid): i for uid, i in new.items()}}
        grow(node, missing)
        places |= new
    return [node.outputs[places[t.uid]] for t in wanted]


def _make_unread(graph: FunctionGraph, like: SymbolicTensor) -> SymbolicTensor:
    """A tensor of `graph` of the dtype of `like` and a shape that `like` may have, whose value nobody reads."""
    with stop_recorders(), enter_graph(graph):
        sizes = [n or 0 for n in like.dims or ()]
        made: Any = push_pop.EMPTY() if like.dtype is variant else zeros(sizes, like.dtype.base_dtype, name="unread")
    made.node.attrs = {**made.node.attrs, "_unread": True}
    return made


def grow(node: Node, types: Sequence[Any]) -> None:
    """Give a graph's node more outputs; the tapes that recorded it follow them."""
    new = tuple(SymbolicTensor(node, i, t.dims, t.dtype, None) for i, t in enumerate(types, len(node.outputs)))
    node.outputs = [*node.outputs, *new]
    for recorder in current().recorders:
        if any(t.uid in recorder.active for t in node.inputs):
            recorder.active.update((t.uid, t) for t in new if t.dtype.trainable)


def call(body: Body, args: Sequence[Any], name: str | None = None) -> list[Any]:
    """The outputs of `body` applied to `args`, one tensor for each of its inputs."""
    context = current()
    if context.graph is None and all(isinstance(t, EagerTensor) for t in args):
        if context.recorders:
            return call_listened(body, args, context.recorders)
        return [wrap(value) for value in body.call([t.value for t in args])]
    return CALL(args, f=body, name=name or body.graph.function_name)


def call_listened(body: Body, args: Sequence[Any], recorders: Sequence[Any]) -> list[Any]:
    """`call` with values, the short way (dtypes have been agreed on when the body was made), for recorders that listen."""
    inputs, values = tuple(args), [t.value for t in args]
    if len(recorders) == 1 and type(recorders[0]) is Recording and not recorders[0].persistent:
        return _call_taped(body, inputs, values, recorders[0])
    if any(isinstance(r, Watcher) for r in recorders):
        return _call_watched(body, args)
    persistent = any(type(r) is Recording and r.persistent for r in recorders)
    asked = tuple([flag and any(a.uid in r.active for r in recorders) for flag, a in zip(body.trainable, inputs, strict=True)])
    full = _add_residuals(body, asked, None if persistent else len(recorders))
    outputs = tuple([wrap(value) for value in full.call(values)])
    for recorder in recorders:
        recorder.record(CALL, inputs, {"f": full}, outputs, None)
    return list(outputs[: len(body.outputs)])


def _call_watched(body: Body, args: Sequence[Any]) -> list[Any]:
    """A call that watchers are told of when it has run."""
    watching = watchers()
    with enter_context(drop_recorders(watching)):
        left, values = current().recorders, [t.value for t in args]
        before = [(value, value.value) for value in values if isinstance(value, Storage)]
        with ExitStack() as remembering:
            for value in values:
                if isinstance(value, Repeating):
                    remembering.enter_context(value.remembering())
            outputs = call_listened(body, args, left) if left else [wrap(value) for value in body.call(values)]
            for watcher in watching:
                watcher.ran(body, values, [t.value for t in outputs], before, Run(EAGER_MEMORY, dict(body.states)))
    return outputs


def _call_taped(body: Body, inputs: tuple[Any, ...], values: list[Any], tape: Recording) -> list[Any]:
    """A call under one tape: it gets the residuals as arrays, in the attribute `_kept`, because nobody else can ask for them."""
    active, number = tape.active, len(body.outputs)
    asked = tuple([flag and a.uid in active for flag, a in zip(body.trainable, inputs, strict=True)])
    rematerialised = body.cache.get(("rematerialised", asked))
    if rematerialised is not None:
        full, answers = rematerialised.full, rematerialised.forward.call(values)
        have = values + list(answers)
        attrs = {"f": full, "_rematerialised": rematerialised, "_kept": [have[i] for i in rematerialised.places]}
    else:
        try:
            full = _add_residuals(body, asked, 1)
        except Exception as error:
            notes.note_sources(error, list(tape.variables.values()) or [t for t in inputs if t.uid in active])
            raise
        answers = full.call(values)
        attrs = {"f": full, "_kept": list(answers[number:])}
        if full is not body and runs_natively(full):
            body.once(("rematerialised", asked), lambda: Rematerialised(body, full, CALL))
    outputs = [wrap(value) for value in answers[:number]]
    if full is not body or any(t.uid in active for t in inputs):
        tape.record_call(CALL, inputs, attrs, tuple(outputs))
    else:
        tape.pass_by(CALL, inputs, {"f": body}, outputs, caller_of(CALL))
    return outputs


def find_kept_values(node: Node) -> tuple[Body, dict[int, Any]]:
    """The body that a recorded call ran, and the values of it that the tape has, by the uids of the body's tensors."""
    rematerialised = node.attrs.get("_rematerialised")
    full: Body = node.attrs["f"]
    if rematerialised is None:
        body, tensors = full, full.outputs
    else:
        body, tensors = rematerialised.body, (*rematerialised.body.outputs, *rematerialised.kept)
    values = [*(t.value for t in node.outputs), *node.attrs.get("_kept", ())]
    return body, dict(zip([t.uid for t in tensors], values, strict=False))  # what is no residual was not kept


def _add_residuals(body: Body, asked: Flags, depth: int | None) -> Body:
    """`body` with what gradients up to order `depth` (None: of any order) read as extra outputs, for the inputs `asked`."""
    return body.once(("residuals", asked, depth), lambda: _prepare_derivative(body, asked, depth))


def _prepare_derivative(body: Body, asked: Flags, depth: int | None) -> Body:
    if not any(asked):
        return body
    full, indices = body, _indices(body)
    if indices:  # nothing but `why` asks for them
        full = body.with_outputs((*body.outputs, *indices))
        full.cache["prepared for"] = len(body.outputs)
    for _ in count() if depth is None else range(depth):
        more = _extend_body(full, asked)
        if len(more.outputs) == len(full.outputs):
            full.cache.update({"prepared for": len(full.outputs), "prepared for inputs": asked})
            break
        more.cache.update({"prepared for": len(full.outputs), "prepared for inputs": asked})
        full = more
    return full


def _indices(body: Body) -> list[SymbolicTensor]:
    """What tells of each branch of a body which one is taken, and of branches in it."""
    known = {t.uid for t in body.outputs}
    found = []
    for node in body.graph.nodes:
        if "branches" in node.attrs and (body.part is None or node in body.part):
            inner = [export_tensors(node, at, _indices(branch)) for at, branch in enumerate(node.attrs["branches"])]
            for t in chain([node.inputs[0]], *inner):
                if t.uid not in known and t.node.primitive.name != "Const":
                    known.add(t.uid)
                    found.append(t)
    return found


def _extend_body(body: Body, asked: Flags) -> Body:
    every = tuple(t.dtype.trainable for t in body.outputs)
    residuals = derivative(body, every, asked).residuals
    have = {t.uid for t in body.outputs}
    return body.with_outputs((*body.outputs, *(t for t in residuals if t.uid not in have)))


def body_of(graph: FunctionGraph, outputs: Sequence[Any]) -> tuple[Body, list[Any]]:
    """The body that a finished graph is, and the outside tensors to pass after its declared inputs."""
    inner = [graph.own(t) for t in outputs]
    captured = graph.captures()
    return Body(graph, [*graph.inputs, *(i for _, i in captured)], inner), [outer for outer, _ in captured]
