"""The gradient of a body: a second body, from cotangents of the outputs and residuals to cotangents of the inputs.

The sweep walks the body's nodes while a new graph is being built; what its rules read of the body become captures of the new graph.
Those are the residuals: the forward body gives them as extra outputs, and keeps nothing else.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from typing import Any

from ..base.dtypes import DType, int64, resource
from ..ir.apply import convert_to_tensor
from ..ir.context import current, enter_graph, stop_recorders
from ..ir.function_graph import Body, FunctionGraph, bodies_of
from ..ir.op import VALUE
from ..ir.references import variable_type
from ..ir.tensor import Dims, IndexedSlices, SymbolicTensor, Tensor
from ..ops.array.basic import shape_of, zeros_of
from ..ops.array.create import range as array_range
from ..ops.primitives.cast import cast
from ..transforms.cotangents import Sums
from ..transforms.reverse import differentiable_inputs, find_between, find_dependents, find_leading, is_trainable, pullback
from ..transforms.sparse import densify

Flags = tuple[bool, ...]
#: What an input's cotangent is to be: None for none, "dense" for a tensor, a dtype for slices with indices of that dtype.
Kind = Any


class Derivative:
    """The gradient of one body for certain outputs and inputs.

    backward: the body that computes it; its inputs are the given cotangents, then the totals that it adds to, then `residuals` (tensors of
    the forward body), then `outside` (tensors from elsewhere).  parts: for each input of the forward body asked for, how many of the
    backward outputs are its cotangent: 0 (none), 1 (a tensor), 2 or 3 (an IndexedSlices).
    """

    def __init__(self, backward: Body, residuals: list[SymbolicTensor], outside: list[Tensor], parts: list[int]) -> None:
        self.backward = backward
        self.residuals = residuals
        self.outside = outside
        self.parts = parts

    def kinds(self) -> list[Kind]:
        """What the cotangent of each input asked for is."""
        found: list[Kind] = []
        at = 0
        for count in self.parts:
            found.append(None if not count else "dense" if count == 1 else self.backward.outputs[at + 1].dtype)
            at += count
        return found

    def rebuilt(self, answers: Sequence[Any]) -> list[Any]:
        """The backward outputs as one cotangent (or None) for each input asked for."""
        found, at = [], 0
        for count in self.parts:
            given = answers[at : at + count]
            found.append(None if not count else given[0] if count == 1 else IndexedSlices(*given))
            at += count
        return found


def derivative(
    body: Body, given: Flags, asked: Flags, kinds: tuple[Kind, ...] | None = None, onto: Flags | None = None
) -> Derivative:  # fmt: skip
    """The gradient of `body` with cotangents of the outputs flagged `given`, for the inputs flagged `asked`; made once.

    kinds: what the cotangent of each input asked for must be, with zeros where no path leads; as it comes where None.
    onto: the inputs asked for whose cotangents are added to totals that the backward body is given.
    """
    return body.once((given, asked, kinds, onto), lambda: _make_derivative(body, given, asked, kinds, onto))


def dense_derivative(body: Body, given: Flags, asked: Flags, onto: Flags | None = None) -> Derivative:
    """The gradient of `body` with a tensor for every input asked for."""
    return derivative(body, given, asked, ("dense",) * sum(asked), onto)


def _make_derivative(body: Body, given: Flags, asked: Flags, kinds: tuple[Kind, ...] | None, onto: Flags | None) -> Derivative:
    graph = FunctionGraph(f"gradient_of_{body.graph.function_name}", body.graph)
    graph.copies_constants = True
    ys = [y for y, flag in zip(body.outputs, given, strict=True) if flag]
    xs = [x for x, flag in zip(body.inputs, asked, strict=True) if flag]
    nodes = _nodes(body, ys, xs)
    active = find_dependents(nodes, xs, is_trainable)
    with stop_recorders(), enter_graph(graph):
        gs = [graph.declare(*_cotangent_type(y), "cotangent") for y in ys]
        totals = {x.uid: graph.declare(*_cotangent_type(x), "total") for x, flag in zip(body.inputs, onto or (), strict=False) if flag}
        found = pullback(nodes, ys, gs, xs, active, Sums(current(), totals, graph.begin_gradient_of))
        graph.original_op = None
        if kinds is not None:
            found = [None if kind is None else _as_kind(g, x, kind) for g, x, kind in zip(found, xs, kinds, strict=True)]
        outputs: list[SymbolicTensor] = []
        parts = []
        for g in found:
            components = [] if g is None else g._components() if isinstance(g, IndexedSlices) else [g]
            outputs += [graph.own(convert_to_tensor(t)) for t in components]
            parts.append(len(components))
    captured = graph.captures()
    residuals = [(outer, inner) for outer, inner in captured if isinstance(outer, SymbolicTensor) and outer.graph is body.graph]
    outside = [(outer, inner) for outer, inner in captured if not (isinstance(outer, SymbolicTensor) and outer.graph is body.graph)]
    backward = Body(graph, [*gs, *totals.values(), *(i for _, i in residuals), *(i for _, i in outside)], outputs)
    backward.inlined = body.inlined
    return Derivative(backward, [o for o, _ in residuals], [o for o, _ in outside], parts)


def _as_kind(g: Any, x: SymbolicTensor, kind: Kind) -> Any:
    """The cotangent of `x` as a tensor, or as slices with indices of the dtype `kind`."""
    if kind == "dense" or g is None or not isinstance(g, IndexedSlices):
        g = zeros_of(x) if g is None else densify(g)
    if kind == "dense":
        return g
    if isinstance(g, IndexedSlices) and g.dense_shape is not None:
        return IndexedSlices(g.values, cast(g.indices, kind), g.dense_shape)
    if isinstance(g, IndexedSlices):
        return IndexedSlices(g.values, cast(g.indices, kind), convert_to_tensor(shape_of(zeros_of(x))))
    sizes = convert_to_tensor(shape_of(g))
    return IndexedSlices(g, array_range(cast(sizes[0], kind)), sizes)


def common_kind(kinds: Sequence[Kind]) -> Kind:
    """What cotangents of several kinds can all be made: slices where one of them is, with wider indices where these differ."""
    sparse = {kind for kind in kinds if isinstance(kind, DType)}
    return int64 if len(sparse) > 1 else next(iter(sparse), None) or next((kind for kind in kinds if kind is not None), None)


def _cotangent_type(y: SymbolicTensor) -> tuple[Dims, DType]:
    """The dims and dtype of a cotangent: for a variable's handle those of its value."""
    if y.dtype is resource or y.dtype._is_ref_dtype:
        dtype, dims = variable_type(y)
        return dims, dtype
    return y.dims, y.dtype


def _nodes(body: Body, ys: Sequence[Any], xs: Sequence[Any]) -> list[Any]:
    """The nodes that lead from the inputs `xs` to the outputs `ys`."""
    found = find_between(ys, xs)
    return found if body.part is None else [node for node in found if node in body.part]


def activity(body: Body, asked: Flags) -> tuple[bool, ...]:
    """Which outputs of `body` depend, along differentiable paths, on the inputs flagged `asked`."""
    xs = [x for x, flag in zip(body.inputs, asked, strict=True) if flag]
    active = find_dependents(_nodes(body, body.outputs, xs), xs, is_trainable)
    return tuple(y.uid in active for y in body.outputs)


def find_unrelated(body: Body, given: Flags, doubtful: Flags) -> Flags:
    """Which of the `doubtful` inputs, that no output flagged `given` depends on, another output depends on, or are linked.

    An input handed on for a gradient is no output of the function's.
    """
    if body.inlined:
        return (False,) * len(doubtful)
    own = {t.uid for t in body.inputs}
    others = tuple(t.dtype.trainable and t.uid not in own and not flag for t, flag in zip(body.outputs, given, strict=True))
    if not any(doubtful) or not any(others):
        return tuple(flag and i in body.linked for i, flag in enumerate(doubtful))
    found = iter(derivative(body, others, doubtful).parts)
    return tuple(flag and (bool(next(found)) or i in body.linked) for i, flag in enumerate(doubtful))


def find_linked(bodies: Sequence[Body], given: Flags) -> Flags:
    """Which inputs of branches the gradient of the outputs flagged `given` for all inputs depends on.

    TensorFlow makes that one, whatever is asked for: where it is differentiated again, each of these inputs gets zeros, not None.
    """
    asked = bodies[0].trainable
    linked: set[int] = set()
    ends: list[list[SymbolicTensor]] = []
    for body in bodies:
        places = {t.uid: i for i, t in enumerate(body.inputs)}
        read = find_read(derivative(body, given, asked))
        linked.update(places[t.uid] for t in read if t.uid in places)
        inner = [*read, *(t for t in find_values_read(body, given) if t.node.primitive.name != "Const")]
        if any(t.uid not in places for t in inner):  # the node gives them as results, and its gradient goes through all of these
            ends = [[*_select_flagged(b.outputs, given), *derivative(b, given, asked).residuals] for b in bodies]
    for body, targets in zip(bodies, ends, strict=False):
        behind = _find_behind(body, targets)
        linked.update(i for i, t in enumerate(body.inputs) if t.uid in behind)
    return tuple(flag and i in linked for i, flag in enumerate(asked))


def find_linked_by_call(body: Body, given: Flags, d: Derivative, direct: Container[int] = ()) -> list[int]:
    """Which inputs of a called body TensorFlow's gradient for all inputs depends on, by number, but the derivative `d` does not.

    Such a gradient takes what it reads from the results of the call, constants too, so one that reads anything depends on all that these
    depend on.  direct: the uids of the residuals that `d` takes from elsewhere; through any other one it depends on all of them as well.
    """
    if body.inlined:
        return []
    read = {t.uid for t in find_read(d)}
    if any(uid not in direct for uid in read):
        return []
    if not read and not _reads_anything(d) and not _reads_anything(derivative(body, given, body.trainable)):
        return []
    behind = _find_behind(body, _select_flagged(body.outputs, given)) - read
    return [i for i, t in enumerate(body.inputs) if t.uid in behind]


def _reads_anything(d: Derivative) -> bool:
    """Whether a derivative depends on residuals, or on constants of the forward body, along differentiable paths."""
    copies = [
        inner for outer, inner in d.backward.graph.captured.values() if inner.node.primitive.name == "Const" and outer.dtype.trainable
    ]
    if not copies:
        return bool(find_read(d))
    behind = find_leading(_nodes(d.backward, d.backward.outputs, copies), d.backward.outputs, is_trainable)
    return any(t.uid in behind for t in copies) or bool(find_read(d))


def _select_flagged(tensors: Sequence[SymbolicTensor], flags: Flags) -> list[SymbolicTensor]:
    return [t for t, flag in zip(tensors, flags, strict=True) if flag]


def find_read(d: Derivative) -> list[SymbolicTensor]:
    """The residuals that a derivative depends on along differentiable paths."""
    end = len(d.backward.inputs) - len(d.outside)
    own = d.backward.inputs[end - len(d.residuals) : end]
    behind = find_leading(_nodes(d.backward, d.backward.outputs, own), d.backward.outputs, is_trainable) if own else set()
    return [outer for outer, inner in zip(d.residuals, own, strict=True) if inner.uid in behind]


def find_values_read(body: Body, given: Flags) -> list[SymbolicTensor]:
    """What TensorFlow's gradient of the outputs flagged `given` reads of a body, for all inputs: floating and complex tensors.

    There an operation's gradient is for all that it takes: that of a product with a constant reads both factors.
    """
    return body.once(("values read", given), lambda: _find_values_read(body, given))


def _find_values_read(body: Body, given: Flags) -> list[SymbolicTensor]:
    ys = _select_flagged(body.outputs, given)
    nodes = _nodes(body, ys, body.inputs)
    between_them = find_dependents(nodes, body.inputs, is_trainable) & find_leading(nodes, ys, is_trainable)
    read = [t for node in nodes if any(t.uid in between_them for t in node.outputs) for t in _values_read_by(node)]
    return list({t.uid: t for t in read if is_number(t)}.values())


def is_number(tensor: Any) -> bool:
    """Whether a tensor holds floating or complex numbers, not a list or a handle."""
    return bool(tensor.dtype.is_floating or tensor.dtype.is_complex)


def _applied_bodies(node: Any) -> list[Body]:
    """The bodies that a node applies to its last inputs; none of what runs bodies in other ways."""
    return bodies_of(node) if node.primitive.traits.applies_bodies else []


def _values_read_by(node: Any) -> list[Any]:
    """What the rules of a node read, where every input is asked for."""
    bodies = _applied_bodies(node)
    if not bodies:
        read = [
            node.inputs[j]
            for i, span in enumerate(node.primitive.spans(len(node.inputs)))
            if node.primitive.keeps[i] == VALUE
            for j in span
        ]
        return [*read, *(node.outputs if node.primitive.keeps_output else ())]
    found: list[Any] = []
    for body in bodies:
        taken = dict(zip([t.uid for t in body.inputs], node.inputs[len(node.inputs) - len(body.inputs) :], strict=True))
        if "branches" not in node.attrs:  # a call, or the variables of a loop: what is read of them is a result
            taken = {t.uid: taken[t.uid] for t in body.inputs[len(body.outputs) :] if "body" in node.attrs}
        for t in find_values_read(body, tuple(y.dtype.trainable for y in body.outputs)):
            if t.node.primitive.name != "Const" or "f" in node.attrs:
                found += [taken[t.uid]] if t.uid in taken else node.outputs
    return found


def _find_behind(body: Body, targets: Sequence[SymbolicTensor]) -> set[int]:
    """The uids of what the `targets` in a body depend on along differentiable paths."""
    behind = {t.uid for t in targets if is_trainable(t.dtype)}
    for node in reversed(_nodes(body, targets, body.inputs)):
        if any(t.uid in behind for t in node.outputs):
            behind.update(t.uid for t in _inputs_behind(node, behind) if is_trainable(t.dtype))
    return behind


def _inputs_behind(node: Any, behind: Container[int]) -> list[Any]:
    """The inputs that those of a node's outputs that are among `behind` may depend on: a call's and a branch's each by itself."""
    bodies = [] if "body" in node.attrs else _applied_bodies(node)
    if not bodies:
        return [node.inputs[i] for i in differentiable_inputs(node)]
    own = node.inputs[len(node.inputs) - len(bodies[0].inputs) :]
    found: list[Any] = []
    for body in bodies:
        inner = _find_behind(body, [y for y, t in zip(body.outputs, node.outputs, strict=True) if t.uid in behind])
        found += [t for t, stand_in in zip(own, body.inputs, strict=True) if stand_in.uid in inner]
    return found


def add_linked(body: Body, like: Sequence[Any], linked: Iterable[int] = ()) -> Body:
    """`body` with an input, which it does not read, for each tensor of `like`; those, and the inputs numbered `linked`, are linked."""
    count = len(body.inputs)
    wider = Body(body.graph, [*body.inputs, *[body.graph.declare_like(t, "unused") for t in like]], body.outputs)
    wider.linked = frozenset((*linked, *range(count, len(wider.inputs))))
    return wider
