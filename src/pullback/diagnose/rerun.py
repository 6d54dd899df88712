"""A run once more, node by node on the kernels, with the nodes of bodies in their place: who looks on sees every value.

`recorded` makes of it what a tape would have recorded, so that what is asked of tapes can be asked of graphs.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..api.endpoints import as_list
from ..control.derivative import activity
from ..ir.apply import convert_to_tensor, wrap
from ..ir.context import Context, enter_context, enter_graph
from ..ir.function_graph import Body, FunctionGraph
from ..ir.node import Node
from ..ir.plan import FAILURES, Plan, Run, annotate_error, kernel_of, needed_nodes
from ..ir.tensor import EagerTensor, IndexedSlices, SymbolicTensor
from ..ops.array.basic import ones_of
from ..transforms.recording import Recording
from ..transforms.reverse import find_between_graphs, find_dependents, is_trainable

if TYPE_CHECKING:
    from ..api.session import Session

#: What stands for the tensors of one graph, by their uids, while its nodes run.
Values = dict[int, EagerTensor]
Taker = Callable[[Node, tuple[EagerTensor, ...], Sequence[EagerTensor], Values], None]


class Rerun:
    """Runs nodes as part of a run, and hands each to `take`: the node, what it was given, what it gave, and what else is known.

    known: the last values of all tensors, those inside bodies too.
    """

    def __init__(self, run: Run, take: Taker) -> None:
        self.known: Values = {}
        self._run, self._take = run, take

    def plan(self, plan: Plan, given: Sequence[EagerTensor]) -> Values:
        """Run a plan; the values of its tensors."""
        plan.refresh()
        values = {t.uid: value for t, value in zip(plan.fed, given, strict=True)}
        self.known |= values
        self.nodes(plan.nodes, values, frozenset(values))
        return values

    def nodes(self, nodes: Sequence[Node], values: Values, fed: Collection[int]) -> None:
        """Run some nodes on the values that there are and add theirs, but for those that were fed."""
        known, take = self.known, self._take
        with enter_context(Context(None, ())), np.errstate(all="ignore"):
            for node in nodes:
                inputs = tuple([values[t.uid] if t.uid in values else self.value(t, values) for t in node.inputs])
                outputs = self._bodies(node, inputs) if node.attrs else None
                if outputs is None:
                    outputs = self._kernel(node, inputs)
                    take(node, inputs, outputs, values)
                for t, out in zip(node.outputs, outputs, strict=True):
                    if t.uid not in fed:
                        values[t.uid] = known[t.uid] = out

    def body(self, body: Body, given: Sequence[EagerTensor]) -> list[EagerTensor]:
        """Run a body; its outputs."""
        values = self.plan(body.plan(), given)
        return [self.value(t, values) for t in body.outputs]

    def value(self, tensor: Any, values: Values) -> EagerTensor:
        """What a tensor of a graph has."""
        uid = tensor.uid
        if uid not in values and tensor.node.primitive.name == "Const":
            if uid not in self.known:
                self.known[uid] = wrap(tensor.node.attrs["value"])
            values[uid] = self.known[uid]
        return values[uid]

    def _kernel(self, node: Node, inputs: tuple[EagerTensor, ...]) -> list[EagerTensor]:
        op = node.primitive
        values: list[Any] = [t.value for t in inputs]
        if op.variadic is not None:
            values = [list(v) if isinstance(v, tuple) else v for v in op.arguments(tuple(values))]
        if op.stateful:
            values.insert(0, self._run)
        try:
            kernel = kernel_of(node)
            result = kernel(*values, **{name: node.attrs[name] for name in op.attributes}) if op.attributes else kernel(*values)
        except FAILURES as error:
            raise annotate_error(node, [t.value for t in inputs], error) from None
        if isinstance(result, (tuple, list)):
            return [wrap(value) for value in result]
        return [wrap(result)] if node.outputs else []

    def _bodies(self, node: Node, inputs: tuple[EagerTensor, ...]) -> list[EagerTensor] | None:
        """What a call, a branch or a loop gives; None for any other node."""
        attrs = node.attrs
        if isinstance(attrs.get("f"), Body):
            return self._call(node, attrs["f"], inputs)
        if "branches" in attrs:
            return self._call(node, attrs["branches"][branch_of(node, inputs[0])], inputs[1:])
        return self._loop(node, inputs) if node.primitive.name == "While" else None

    def _call(self, node: Node, body: Body, given: Sequence[EagerTensor]) -> list[EagerTensor]:
        return self.body(body, given)

    def _loop(self, node: Node, inputs: tuple[EagerTensor, ...]) -> list[EagerTensor]:
        test, step = node.attrs["cond"], node.attrs["body"]
        count = len(step.outputs)
        variables, invariants = list(inputs[:count]), inputs[count:]
        while self.body(test, [*variables, *invariants])[0].value:
            variables = self.body(step, [*variables, *invariants])
        return variables


class _Choice(NamedTuple):
    """A branch that was taken, by its number, or a loop that took no step: None."""

    node: Node
    inputs: tuple[EagerTensor, ...]
    taken: int | None


def branch_of(node: Node, index: EagerTensor) -> int:
    """The number of the branch that is taken."""
    count = len(node.attrs["branches"])
    return int(index.value) if 0 <= int(index.value) < count else count - 1


class GraphRule(NamedTuple):
    """The gradient function of a graph's node, on values: `pull` gives what it computes with the graph's tensors."""

    node: Node
    pull: Callable[[Sequence[Any], Sequence[bool]], list[Any]]

    def __call__(self, gs: Sequence[Any], asked: Sequence[bool]) -> list[Any]:
        return self.pull(gs, asked)


class Recorded(Rerun):
    """A run that is recorded as a tape would have recorded it.

    recording: what it is recorded in.  sources: the tensors of graphs to watch.  held: the uids of those to hold constant.
    """

    def __init__(self, run: Run, recording: Recording, sources: Collection[SymbolicTensor] = (), held: Collection[int] = ()) -> None:
        super().__init__(run, self._record)
        self._recording, self._held = recording, held
        self._sources, self._makers = {x.uid for x in sources}, {x.node for x in sources}
        self._choices: list[_Choice] = []
        for x in sources:
            if x.node.primitive.name == "Const":
                recording.watch(self.value(x, {}))

    def _record(self, node: Node, inputs: tuple[EagerTensor, ...], outputs: Sequence[EagerTensor], values: Values) -> None:
        recording, op, attrs, active = self._recording, node.primitive, node.attrs, self._recording.active
        is_open = op.rules != () and not (self._held and any(t.uid in self._held for t in node.outputs))
        for t in inputs if is_open else ():
            if t.uid in active:
                break
        else:
            recording.pass_by(op, inputs, attrs, outputs, node.source)
            self._watch(node, outputs)
            return
        if op.name == "CustomGradient":
            attrs = {**attrs, "rule": GraphRule(node, functools.partial(self._custom, node, values))}
        made = Node(op, inputs, attrs, tuple(outputs))
        made.source, made.name = node.source, node.name
        recording.nodes.append(made)
        for out in outputs:
            if out.dtype.trainable:
                active[out.uid] = out
        if node in self._makers:
            self._watch(node, outputs)

    def plan(self, plan: Plan, given: Sequence[EagerTensor]) -> Values:
        """Run a plan, with the sources among what it is given watched; the values of its tensors."""
        for t, value in zip(plan.fed, given, strict=True):
            if t.uid in self._sources:
                self._recording.watch(value)
        return super().plan(plan, given)

    def _watch(self, node: Node, outputs: Sequence[EagerTensor]) -> None:
        """Watch what a node gave of the sources."""
        for t, value in zip(node.outputs, outputs, strict=True):
            if t.uid in self._sources:
                self._recording.watch(value)

    def _bodies(self, node: Node, inputs: tuple[EagerTensor, ...]) -> list[EagerTensor] | None:
        outputs = super()._bodies(node, inputs)
        if outputs is not None:
            self._watch(node, outputs)
        if "branches" in node.attrs:
            self._choices.append(_Choice(node, inputs[1:], branch_of(node, inputs[0])))
        elif (
            outputs is not None
            and node.primitive.name == "While"
            and all(given is out for given, out in zip(inputs, outputs, strict=False))
        ):
            self._choices.append(_Choice(node, inputs, None))
        return outputs

    def not_taken(self, x: EagerTensor) -> Node | None:
        """The last branch or loop that would have used `x`, had another branch been taken, or a step."""
        active = find_dependents(self._recording.nodes, [x], is_trainable)
        for choice in reversed(self._choices):
            asked = tuple([t.uid in active for t in choice.inputs])
            others = [body for i, body in enumerate(choice.node.attrs.get("branches") or [choice.node.attrs["body"]]) if i != choice.taken]
            if any(any(activity(body, asked)) for body in others):
                return choice.node
        return None

    def _custom(self, node: Node, values: Values, gs: Sequence[Any], asked: Sequence[bool]) -> list[Any]:
        """The cotangents that the gradient function of a graph's node gives: it computes with the graph's tensors."""
        graph = FunctionGraph("custom_gradient", node.graph)
        with enter_context(Context(graph, ())):
            declared = [None if g is None else graph.declare(g.dims, g.dtype, "cotangent") for g in gs]
            found = node.attrs["rule"](declared, asked)
            parts = [() if g is None else g._components() if isinstance(g, IndexedSlices) else (g,) for g in found]
            outputs = [graph.own(convert_to_tensor(t)) for components in parts for t in components]
        captured = graph.captures()
        with enter_graph(None):
            given = [*(g for g in gs if g is not None), *(self._compute_value(outer, values) for outer, _ in captured)]
            body = Body(graph, [*(t for t in declared if t is not None), *(inner for _, inner in captured)], outputs)
            answers = iter([wrap(value) for value in body.call([t.value for t in given])])
        return [
            None if g is None else IndexedSlices(*[next(answers) for _ in part]) if isinstance(g, IndexedSlices) else next(answers)
            for g, part in zip(found, parts, strict=True)
        ]

    def _compute_value(self, tensor: Any, values: Values) -> EagerTensor:
        """The value of a tensor that a gradient function reads, whether the run came by it or not."""
        if isinstance(tensor, EagerTensor):
            return tensor
        known = {**self.known, **values}
        nodes = [one for one in needed_nodes([tensor], set(known)) if one.primitive.name != "Const"]
        self.nodes(nodes, known, ())
        return self.value(tensor, known)


class GraphRun(NamedTuple):
    """A session's run as a tape would have recorded it: what stands in the recording for targets and sources, and the cotangents."""

    recording: Recording
    ys: list[EagerTensor]
    xs: list[EagerTensor]
    gs: list[Any]
    not_taken: Callable[[EagerTensor], Node | None]


def run_recorded(
    session: Session, feed_dict: Mapping[Any, Any] | None, targets: Sequence[Any], sources: Sequence[Any], weights: object,
    held: Collection[int]
) -> GraphRun:  # fmt: skip
    """Run a graph once more in a session, and leave that as it is.

    weights: of the targets' elements, as `tf.gradients` takes them.  held: the uids of tensors to hold constant.
    """
    given = [None] * len(targets) if weights is None else as_list(weights)
    symbolic = [w for w in given if isinstance(w, (SymbolicTensor, IndexedSlices))]
    plan, arrays, run = session.prepare_run([*targets, *symbolic], feed_dict)
    cut = next((t for t in plan.fed if t.node.inputs and _is_between(t, targets, sources)), None)
    if cut is not None:
        raise ValueError(f"feed_dict gives {cut.name!r}, which lies between the targets and the sources: feed what it is computed from")
    recording = Recording(reads_variables=False)
    rerun = Recorded(run, recording, sources, held)
    try:
        values = rerun.plan(plan, [wrap(value) for value in arrays])
    finally:
        run.take_back()
    xs = [rerun.value(x, values) for x in sources]
    for x in xs:
        recording.watch(x)
    ys = [rerun.value(y, values) for y in targets]
    with enter_context(Context(None, ())):
        gs = [_weight(y, w, lambda t: rerun.value(t, values)) for y, w in zip(ys, given, strict=True)]
    return GraphRun(recording, ys, xs, gs, rerun.not_taken)


def _weight(y: EagerTensor, weight: Any, value: Callable[[Any], EagerTensor]) -> Any:
    if weight is None:
        return ones_of(y)
    if isinstance(weight, IndexedSlices):
        return IndexedSlices(*[value(t) for t in weight._components()])
    return value(weight) if isinstance(weight, SymbolicTensor) else convert_to_tensor(weight, y.dtype.base_dtype)


def _is_between(tensor: SymbolicTensor, targets: Sequence[Any], sources: Sequence[Any]) -> bool:
    return tensor not in sources and any(tensor.node is node for node in find_between_graphs(targets, sources))
