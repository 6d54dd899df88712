"""The one reverse sweep: cotangents of the ys go in, cotangents of the xs come out.

A graph and a tape differ in where the list of nodes comes from (`find_between` follows producers in a graph; a tape has its list
already), never in how it is walked.  Said here once and in no rule: broadcasting is undone, complex rules are conjugated,
sparse cotangents are made dense where a rule wants them so, cotangents of one tensor are added up.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from contextlib import contextmanager
from operator import attrgetter
from typing import Any

from ..base.dtypes import DType, resource
from ..ir.arrays import hush, ndarray, unhush
from ..ir.context import current, drop_recorders, enter_context, watchers
from ..ir.node import Node, show_source
from ..ir.op import Op, Rule
from ..ir.tensor import LATE_BOUND, Dims, EagerTensor, IndexedSlices, SymbolicTensor, Tensor
from ..ops.array.basic import sum_array_to, sum_to, zeros_of
from ..ops.math.complex import conj
from .cotangents import UNSETTLED, ArraySums, Part, Sums, Totals
from .numpy_rules import numpy_rules
from .registry import custom_gradient_of
from .sparse import densify

Cotangents = list[Any]


def is_trainable(dtype: DType) -> bool:
    """Whether gradients flow through tensors of `dtype`: floating, complex, resources and variants."""
    return dtype.base_dtype.trainable


def pullback(
    nodes: Sequence[Node],
    ys: Sequence[Any],
    gs: Sequence[Any],
    xs: Sequence[Any],
    active: Container[int],
    sums: Sums | None = None,
) -> Cotangents:
    """Walk `nodes` backwards once.

    nodes: in an order they can run in.  ys, gs: tensors and their cotangents (tensors or IndexedSlices).  xs: tensors.
    active: the uids of the tensors that depend on the xs (`find_dependents`).  Returns the cotangent of each x, None where no
    differentiable path leads.
    sums: what cotangents are added up in; None: arrays where nobody listens, else tensors.
    Raises LookupError for an op on the path that has no gradient registered.
    """
    context = current()
    if sums is None:
        if context.recorders and context.graph is None:
            watching = watchers()
            followers = [r.sweep for r in context.recorders if r.follows_sweeps]
            if watching or followers:
                followers.append(_MadeByRules(context.recorders).sweep)
                with enter_context(drop_recorders(watching)):
                    with _tell_followers(followers) as tell:
                        found = pullback(nodes, ys, gs, xs, active, Sums(current(), enter=tell))
                    for watcher in watching:
                        watcher.note_sweep(nodes, ys, gs, xs, active, found)
                return found
        sums = ArraySums(context) if context.graph is None and not context.recorders else Sums(context)
    differentiate = _differentiate_arrays if type(sums) is ArraySums else _differentiate
    wanted = set(map(attrgetter("uid"), xs))
    table, give, pop = sums.table, sums.give, sums.table.pop
    for y, g in zip(ys, gs, strict=True):
        if g is not None and (y.uid in active or y.uid in wanted):
            give(y.uid, sums.open_cotangent(g))
    warnings = hush() if type(sums) is ArraySums else None
    try:
        for node in reversed(nodes):
            outputs = node.outputs
            if len(outputs) == 1:
                uid = outputs[0].uid
                g = pop(uid, None)
                if g is None:
                    continue
                if uid in wanted:
                    table[uid] = g
                if type(g) is not ndarray and type(g) in UNSETTLED:
                    if type(g) is Part and node.primitive.passes and custom_gradient_of(node) is None:
                        if node.inputs[0].uid in active:
                            give(node.inputs[0].uid, g)
                        continue
                    g = sums.settle(outputs[0], g)
            else:
                g = [None if one is None else sums.close_cotangent(t, one) for t in outputs for one in (table.get(t.uid),)]
                if all(one is None for one in g):
                    continue
            differentiate(node, g, active, sums)
        return [None if x.uid not in table else sums.close_cotangent(x, table[x.uid]) for x in xs]
    finally:
        if warnings is not None:
            unhush(warnings)


def _differentiate_arrays(node: Node, g: Any, active: Container[int], sums: Sums) -> None:
    """Give the inputs of a node their cotangents without the detour by tensors, where its op has rules over arrays."""
    op = node.primitive
    if type(g) is ndarray and not (node.attrs and "_gradient_op_type" in node.attrs):
        try:
            rules = op.memory.array_rules[g.dtype]
        except KeyError:
            rules = numpy_rules(op, g.dtype)
        if rules is not None:
            inputs, broadcasts, table, take = node.inputs, op.broadcasts, sums.table, sums.take
            for index, rule in rules:
                x = inputs[index]
                uid = x.uid
                if uid in active:
                    gx = rule(node, g)
                    if broadcasts and gx.shape != (x.value.shape if type(x) is EagerTensor else x.dims):
                        gx = sum_array_to(gx, x.dims)
                    if take is not None and not take(node, index, gx):
                        continue
                    if uid in table:
                        sums.give(uid, gx)
                    else:
                        table[uid] = gx
            return
    if op.array_vjp is not None and sums.take is None and custom_gradient_of(node) is None:
        found = op.array_vjp(node, g if type(g) is list else [g], active)
        if found is not None:
            for uid, gx in found:
                sums.give(uid, gx)
            return
    _differentiate(node, g, active, sums)


def _differentiate(node: Node, g: Any, active: Container[int], sums: Sums) -> None:
    """Give the inputs of a node their cotangents by its op's rules, which are made of operations."""
    for t in node.inputs:
        if t.uid in active:
            break
    else:
        return
    if type(g) is not list:
        g = sums.close_cotangent(node.outputs[0], g)
    if sums.enter is not None:
        sums.enter(node)
    found = cotangents_of(node, g, active, sums)
    if sums.finish is not None:
        found = sums.finish(node, found)
    for x, gx in found:
        sums.give(x.uid, sums.open_cotangent(gx))


@contextmanager
def _tell_followers(followers: Sequence[Callable[[Node | None], None]]) -> Iterator[Callable[[Node | None], None]]:
    """What tells followers of a sweep whose rules come next, and when it is over."""

    def tell(node: Node | None) -> None:
        for sweep in followers:
            sweep(node)

    try:
        yield tell
    finally:
        tell(None)


class _MadeByRules:
    """Notes at the nodes that tapes record in a sweep by whose rules they were made: who looks for NaNs names its line."""

    def __init__(self, recorders: Sequence[Any]) -> None:
        self._seen = {id(r): (r.nodes, len(r.nodes)) for r in recorders if hasattr(r, "nodes")}
        self._node: Node | None = None

    def sweep(self, node: Node | None) -> None:
        """The rules of `node` come next; what was recorded until now is of the one before."""
        for key, (nodes, count) in self._seen.items():
            for made in nodes[count:]:
                made._original_op = self._node
            self._seen[key] = nodes, len(nodes)
        self._node = node


def cotangents_of(node: Node, g: object, active: Container[int], sums: Sums | None = None) -> list[tuple[Any, Any]]:
    """The cotangents of the active inputs of one node, each fitted to its input; parts that `sums` will add may not be made yet."""
    op = node.primitive
    if type(g) is not EagerTensor:
        g = _prepare_cotangents(node, g)
    rules = op.rules
    custom = custom_gradient_of(node) if rules is None or "_gradient_op_type" in node.attrs else None
    if custom is not None:
        return [(x, _fit_cotangent(node, i, x, gx)) for i, (x, gx) in enumerate(custom(node, g)) if gx is not None and x.uid in active]
    if rules is None:
        raise LookupError(explain_missing(node))
    conjugate = op.holomorphic and _is_complex(node, g)
    if conjugate:
        g = _conjugate(g)
    inputs = node.inputs
    found: list[tuple[Any, Any]] = []
    for rule in rules:
        if op.variadic is None and len(rule.indices) == 1:
            x = inputs[rule.indices[0]]
            if x.uid in active:
                if rule.into is not None and sums is not None and sums.keeps_parts:
                    gx: Any = Part(rule, node, g, sums.enter, sums.finish)
                else:
                    gx = rule.call(node, g)
                if gx is not None:
                    found.append((x, gx))
        else:
            found += _pull_several(op, rule, node, g, active, sums)
    if conjugate:
        found = [(x, _conjugate(gx)) for x, gx in found]
    if op.broadcasts or type(g) is not EagerTensor:
        return [(x, gx if type(gx) is EagerTensor and gx.value.shape == x.dims else _fit_cotangent(node, None, x, gx)) for x, gx in found]
    return found


def _pull_several(op: Op, rule: Rule, node: Node, g: Any, active: Container[int], sums: Sums | None) -> list[tuple[Any, Any]]:
    """A formula for several inputs at once, or for an input that stands for any number of tensors."""
    inputs = node.inputs
    asked = tuple([x.uid in active for x in inputs])
    spans = op.spans(len(inputs))
    flat = [position for i in rule.indices for position in spans[i]]
    if not any(asked[position] for position in flat):
        return []
    totals = Totals(sums, inputs) if rule.into is not None and sums is not None and sums.keeps_parts else None
    answer = rule.call(node, g, asked) if totals is None else rule.into(node, g, asked, totals)
    answers = answer if len(rule.indices) > 1 else (answer,)
    values = [gx for i, given in zip(rule.indices, answers, strict=True) for gx in (given if op.inputs[i].variadic else (given,))]
    found = [(position, gx) for position, gx in zip(flat, values, strict=True) if gx is not None and asked[position]]
    return [(inputs[position], gx) for position, gx in (found if totals is None else totals.put_back(found))]


def _prepare_cotangents(node: Node, g: Any) -> Any:
    """Sparse cotangents made dense where the op wants them so; outputs that got none filled with zeros."""
    if isinstance(g, list):
        if node.primitive.fills:
            g = [one if one is not None else zeros_of(t) if t.dtype.trainable else None for one, t in zip(g, node.outputs, strict=True)]
        return [densify(one) if isinstance(one, IndexedSlices) else one for one in g]
    if isinstance(g, IndexedSlices) and not (node.primitive.sparse and _keeps_shape(node)):
        return densify(g)
    return g


def _keeps_shape(node: Node) -> bool:
    out = node.outputs[0].dims
    return not node.primitive.broadcasts or all(x.dims == out for x in node.inputs if hasattr(x, "dims"))


def _is_complex(node: Node, g: Any) -> bool:
    if type(g) is EagerTensor:
        return g.value.dtype.kind == "c"
    if isinstance(g, list):
        return any(one is not None and one.dtype.is_complex for one in g)
    return g is not None and bool(g.dtype.is_complex)


def _conjugate(g: Any) -> Any:
    if isinstance(g, list):
        return [None if one is None else _conjugate(one) for one in g]
    if isinstance(g, IndexedSlices):
        return IndexedSlices(conj(g.values), g.indices, g.dense_shape)
    return conj(g)


def _fit_cotangent(node: Node, index: int | None, x: Any, gx: Any) -> Any:
    """`gx` with the shape of `x`: summed over what broadcasting repeated, its static shape completed."""
    if type(gx) is SymbolicTensor and (dims := gx.dims) is not None and dims == x.dims and None not in dims:
        return gx
    if not isinstance(gx, SymbolicTensor) or x.dtype is resource:
        if node.primitive.broadcasts and isinstance(gx, EagerTensor) and isinstance(x.dims, tuple) and None not in x.dims:
            return sum_to(gx, x)
        return gx
    if node.primitive.broadcasts and (gx.dims != x.dims or gx.dims is None or (None in gx.dims and _may_be_repeated(node, x))):
        gx = sum_to(gx, x)
    if gx.dims == x.dims:
        return gx
    if not gx.shape.is_compatible_with(x.shape):
        at = next(i for i, t in enumerate(node.inputs) if t.uid == x.uid)
        raise ValueError(
            f"Incompatible shapes between op input and calculated input gradient. Forward operation: {node.name}. Input index: {at}. "
            f"Original input shape: {x.dims}. Calculated input gradient shape: {gx.dims}"
        )
    gx.set_shape(x.shape)
    return gx


def _may_be_repeated(node: Node, x: Any) -> bool:
    """Whether broadcasting may have repeated an input of an element-wise node."""
    inputs = node.inputs
    if all(t is inputs[0] for t in inputs):
        return False
    return len(inputs) != 2 or repeats_operands(inputs[0].dims, inputs[1].dims)[x is not inputs[0]]


def repeats_operands(a: Dims, b: Dims) -> tuple[bool, bool]:
    """Whether broadcasting repeats, or may repeat, the first and the second of two operands."""
    if a is None or b is None:
        return True, True
    if a == b and None not in a:
        return False, False
    rank = max(len(a), len(b))
    pairs = list(zip((1,) * (rank - len(a)) + a, (1,) * (rank - len(b)) + b, strict=True))
    if any(None in pair and 1 not in pair for pair in pairs):
        return True, True
    return any(m == 1 != n for m, n in pairs), any(n == 1 != m for m, n in pairs)


def explain_missing(node: Node) -> str:
    """The text of the LookupError for an op without a gradient."""
    kind = node.primitive.name
    name = getattr(node, "name", kind)
    where = show_source(getattr(node, "source", None))
    return (
        f"gradient registry has no entry for: {kind}. No gradient defined for operation'{name}' (op type: {kind}), "
        f"made at {where}. Register one with tf.RegisterGradient, or wrap its input in tf.stop_gradient to hold it constant."
    )


def find_dependents(nodes: Sequence[Node], xs: Sequence[Any], flows: Callable[[DType], bool]) -> set[int]:
    """The uids of the tensors that depend on `xs` along differentiable paths."""
    active = {x.uid for x in xs if flows(x.dtype)}
    for node in nodes:
        inputs = node.inputs
        for i in differentiable_inputs(node):
            if inputs[i].uid in active:
                for t in node.outputs:
                    if flows(t.dtype):
                        active.add(t.uid)
                break
    return active


def find_leading(nodes: Sequence[Node], ys: Iterable[Any], flows: Callable[[DType], bool]) -> set[int]:
    """The uids of the tensors that the `ys` depend on along differentiable paths."""
    active = {y.uid for y in ys if flows(y.dtype)}
    for node in reversed(nodes):
        if any(t.uid in active for t in node.outputs):
            active.update(node.inputs[i].uid for i in differentiable_inputs(node) if flows(node.inputs[i].dtype))
    return active


def differentiable_inputs(node: Node) -> Iterable[int]:
    """The flat positions of the inputs that the node's gradient may reach."""
    op = node.primitive
    if op.rules is None or (node.attrs and custom_gradient_of(node) is not None):
        return range(len(node.inputs))
    if op.variadic is None:
        return op.differentiable
    spans = op.spans(len(node.inputs))
    return [j for i in op.differentiable for j in spans[i]]


def find_between(ys: Sequence[Any], xs: Sequence[Any]) -> list[Node]:
    """The nodes of a graph that the `ys` are computed from, in order, back to the `xs` and no further than the first of them."""
    first = min((x.node.position for x in xs), default=0)
    return _find_behind(ys, lambda node: node.position >= first, attrgetter("position"), attrgetter("inputs"))


def find_between_graphs(ys: Sequence[Any], xs: Sequence[Any]) -> list[Node]:
    """`find_between`, out of bodies too: where an x lies further out than the `ys`, with the nodes there that lead to what bodies take in.

    What stands in a body for a tensor from outside has the uid of that, so cotangents come to its maker by themselves.
    """
    homes = [_home(x) for x in xs]
    if all(isinstance(home, SymbolicTensor) and home.node.graph is y.node.graph for home in homes for y in ys):
        return find_between(ys, xs)
    first = min(((0, 0) if not isinstance(home, SymbolicTensor) else _place(home.node) for home in homes), default=(0, 0))
    found = _find_behind(ys, lambda node: _place(node) >= first, _place, _find_inputs)
    return [node for node in found if node.primitive.inputs]


def _find_behind(
    ys: Sequence[Any], wanted: Callable[[Node], bool], place: Callable[[Node], Any], inputs: Callable[[Node], Iterable[Any]]
) -> list[Node]:  # fmt: skip
    seen: set[Node] = set()
    pending = [y.node for y in ys]
    while pending:
        node = pending.pop()
        if node not in seen and wanted(node):
            seen.add(node)
            pending += [t.node for t in inputs(node)]
    return sorted(seen, key=place)


def _place(node: Node) -> tuple[int, int]:
    return node.graph.depth, node.position


def _find_inputs(node: Node) -> Iterable[Any]:
    """The inputs of a node; of what stands in a body for a graph tensor, that one."""
    if node.primitive.name != "Placeholder":
        return node.inputs
    home = _home(node.outputs[0])
    return [home] if isinstance(home, SymbolicTensor) else []


def _home(tensor: Any) -> Tensor:
    return tensor.node.graph.origin(tensor) if isinstance(tensor, SymbolicTensor) else tensor


LATE_BOUND["densify"] = lambda slices, dtype=None, name=None: densify(slices, name)
