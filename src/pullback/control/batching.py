"""Batching rules of calls, branches and loops: ops whose attributes are bodies get batched bodies.

Where all rows go the same way (the condition is the same for every row) only the bodies change.  Where rows part, each branch and each step
of a loop runs on the rows that take it, gathered before and put back afterwards: what a row does not take is not computed for it, so it
cannot spoil its gradient, and a loop runs until its last row is done.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..base.dtypes import bool as boolean, int32, variant
from ..ir.apply import convert_to_tensor
from ..ir.context import current, enter_graph, stop_recorders
from ..ir.function_graph import Body, FunctionGraph, bodies_of
from ..ir.node import Node
from ..ir.tensor import IndexedSlices, Tensor, TensorType
from ..ops.array.basic import SHAPE
from ..ops.array.gather import gather
from ..ops.array.gather_nd import SCATTER_ND
from ..ops.array.join import CONCAT
from ..ops.array.order import invert_permutation
from ..ops.array.scatter import tensor_scatter_nd_update
from ..ops.array.shape import expand_dims, size
from ..ops.array.where import where
from ..ops.batching import Batched, NotBatched, Same, answer_once, batches, rule_of
from ..ops.primitives.compare import equal, greater, less, logical_or
from ..ops.reduce.reductions import ANY_OF, reduce_sum
from ..ops.tensor_list.push_pop import EMPTY
from ..ops.vmap_rules.base import Rows
from ..ops.vmap_rules.branches import TAKEN
from ..transforms.sparse import densify
from .batch import Stack, convert_row, stack_of
from .branch import CASE
from .call import CALL
from .checkpointed import RECOMPUTED
from .custom import CUSTOM
from .loop import WHILE
from .recompute import BARRIER


def counts_rows(body: Body) -> bool:
    """Whether each row must run the body even where nothing it reads differs: it draws random numbers, or has effects."""
    return body.once(
        "counts rows",
        lambda: any(
            any(counts_rows(inner) for inner in bodies_of(node)) or (node.primitive.stateful and not bodies_of(node) and _counts(node))
            for node in body.plan().nodes
        ),
    )


def _counts(node: Node) -> bool:
    return node.primitive.name != "Placeholder" and rule_of(node.primitive) is not answer_once


def _spread(answers: Sequence[Any], flags: Sequence[bool]) -> list[Any]:
    return [t if flag else Same(t) for t, flag in zip(answers, flags, strict=True)]


def _mark_same(answers: Sequence[Any]) -> list[Any]:
    return [Same(t) for t in answers]


# ---- calls


@batches(CALL, RECOMPUTED)
def call(rows: Rows, args: Sequence[Any], *, f: Body) -> list[Any]:
    """A call of the batched body."""
    flags = [rows.has(t) for t in args]
    if not any(flags) and not counts_rows(f):
        return _mark_same(rows.op(list(args), f=f))
    stack = stack_of(f, flags, rows.size)
    return _spread(rows.op(stack.arguments(rows, args), f=stack.body), stack.flags)


# ---- branches


@batches(CASE)
def branch(rows: Rows, branch_index: Tensor, args: Sequence[Any], *, branches: tuple[Body, ...]) -> list[Any]:
    """One of the batched branches; where rows have an index of their own, every branch on its rows."""
    flags = [rows.has(t) for t in args]
    if rows.has(branch_index):
        return _part_rows(rows, branch_index, args, flags, branches)
    if not any(flags) and not any(counts_rows(body) for body in branches):
        return _mark_same(CASE(branch_index, list(args), branches=branches))
    stacks = [stack_of(body, flags, rows.size) for body in branches]
    wanted = [any(column) for column in zip(*(stack.flags for stack in stacks), strict=True)]
    stacks = [stack_of(body, flags, rows.size, wanted) for body in branches]
    answers = CASE(branch_index, stacks[0].arguments(rows, args), branches=tuple(stack.body for stack in stacks))
    return _spread(answers, wanted)


def _part_rows(rows: Rows, index: Any, args: Sequence[Any], flags: Sequence[bool], branches: tuple[Body, ...]) -> list[Any]:
    if any(t.dtype is variant for t in (*(t for t, flag in zip(args, flags, strict=True) if flag), *branches[0].outputs)):
        raise NotBatched("a branch that rows choose for themselves takes or gives lists of tensors")
    if not all(_stack_up(column) for column in zip(*(body.outputs for body in branches), strict=True)):
        raise NotBatched("branches that rows choose for themselves give tensors of different shapes")
    last = len(branches) - 1
    outside = logical_or(less(index, 0), greater(index, last))
    index = where(outside, last, index)
    places, columns = [], []
    for at, body in enumerate(branches):
        own = TAKEN(equal(index, at))
        stack = stack_of(body, flags, None, (True,) * len(body.outputs))
        given = [gather(t, own, axis=0) if flag else t for t, flag in zip(args, flags, strict=True)]
        columns.append(CALL([_count(own), *given], f=stack.body))
        places.append(own)
    order = invert_permutation(CONCAT(places, 0))
    outputs = list(zip(*(body.outputs for body in branches), strict=True))
    answers = [_join_branches(rows, inner, found, places, order) for inner, found in zip(outputs, zip(*columns, strict=True), strict=True)]
    for t, of_row in zip(answers, rows.node.outputs, strict=True):
        if of_row.dims is not None:
            t.set_shape((rows.size if isinstance(rows.size, int) else None, *of_row.dims))
    return answers


def _stack_up(column: Sequence[Any]) -> bool:
    """Whether what the branches give may have one shape; a value that only one makes, for its gradient, need not."""
    shapes = [t.shape for t in column if not _is_unread(t)]
    return all(shape.is_compatible_with(shapes[0]) for shape in shapes)


def _is_unread(t: Any) -> bool:
    """Whether an output of a branch stands in place of a value that only another branch makes, for its gradient."""
    return "_unread" in t.node.attrs


def _count(places: Any) -> Any:
    return size(places, out_type=int32)


def _join_branches(rows: Rows, inner: Sequence[Any], found: Sequence[Any], places: Sequence[Any], order: Any) -> Tensor:
    """What the branches gave to their rows, in the order of the rows.

    Of values that only one branch makes, for its gradient, the others give something that nobody reads.
    """
    real = [i for i, t in enumerate(inner) if not _is_unread(t)]
    if len(real) == 1:
        (at,) = real
        shape = SHAPE(found[at], out_type=int32)
        return SCATTER_ND(expand_dims(places[at], 1), found[at], CONCAT([[rows.count()], shape[1:]], 0))
    return gather(CONCAT(list(found), 0), order, axis=0)


# ---- loops


@batches(WHILE)
def loop(rows: Rows, args: Sequence[Any], *, cond: Body, body: Body) -> list[Any]:
    """The loop over batched bodies; loop variables that become different in some row are stacked from the start."""
    count = len(body.outputs)
    flags = [rows.has(t) for t in args]
    revolve = rows.node.attrs.get("_revolve")
    if not any(flags) and not counts_rows(cond) and not counts_rows(body):
        return _mark_same(while_of(args, cond, body, revolve))
    while True:
        step = stack_of(body, flags, rows.size)
        more = [a or b for a, b in zip(flags[:count], step.flags, strict=True)] + flags[count:]
        if more == flags:
            break
        flags = more
    test = stack_of(cond, flags, rows.size)
    if test.flags[0]:
        return _run_until_done(rows, args, flags, cond, body)
    step = stack_of(body, flags, rows.size, flags[:count])
    state = [rows.stack(t) if flag else t for t, flag in zip(args, flags, strict=True)]
    if step.takes_size:
        state.insert(count, rows.size)
    answers = while_of(state, _size_behind(test, count), _size_behind(step, count), revolve)
    return _spread(answers, flags[:count])


def _size_behind(stack: Stack, count: int) -> Body:
    """The body with the number of rows, where it takes one, behind `count` loop variables: it does not change."""
    if not stack.takes_size:
        return stack.body
    body = stack.body
    size, *rest = body.inputs
    return Body(body.graph, [*rest[:count], size, *rest[count:]], body.outputs)


def while_of(args: Sequence[Any], cond: Body, body: Body, revolve: Callable[..., Any] | None = None) -> list[Any]:
    """A `While` node over finished bodies, with what its gradient needs."""
    with stop_recorders(), body.graph.building():
        tick = convert_to_tensor(0, int32, name="tick")
    empty = EMPTY()
    answers = WHILE(list(args), cond=cond, body=body)
    node = answers[0].node
    node.attrs = {**node.attrs, "_empty": empty, "_tick": tick}
    if revolve is not None:
        node.attrs["_revolve"] = revolve
    return answers


def _run_until_done(rows: Rows, args: Sequence[Any], flags: Sequence[bool], cond: Body, body: Body) -> list[Any]:
    """Rows whose condition fails stop where they are; every step runs on the others."""
    count = len(body.outputs)
    flags = [*[True] * count, *flags[count:]]
    if any(t.dtype is variant and flag for t, flag in zip(args, flags, strict=True)):
        raise NotBatched("a loop that some rows leave before others has lists of tensors among its variables")
    state = [rows.stack(t) if flag else t for t, flag in zip(args, flags, strict=True)]
    test = stack_of(cond, flags, None, (True,))
    step = stack_of(body, flags, None, (True,) * count)
    (alive,) = CALL([rows.count(), *state], f=test.body)
    types = [TensorType(alive.dims, boolean), *_declare_state(rows, state, flags, body)]
    name = f"rows_of_{body.graph.function_name}"
    one, two = FunctionGraph(f"{name}_cond", current().graph), FunctionGraph(name, current().graph)
    with stop_recorders(), enter_graph(one):
        inner = [_declare_stand_in(one, t) for t in types]
        some = Body(one, inner, [ANY_OF(inner[0], [0])])
    with stop_recorders(), enter_graph(two):
        inner = [_declare_stand_in(two, t) for t in types]
        further = Body(two, inner, _step(inner, flags, count, test, step))
    answers = while_of([alive, *state], some, further)
    return answers[1:]


def _declare_state(rows: Rows, state: Sequence[Any], flags: Sequence[bool], body: Body) -> list[Any]:
    """Tensors or types like the loop's inputs; a variable's dims are those that the step keeps."""
    size = rows.size if isinstance(rows.size, int) else None
    found = []
    for t, flag, inner in zip(state, flags, body.inputs, strict=True):
        found.append(TensorType(None if inner.dims is None else (size, *inner.dims), t.dtype) if flag else t)
    return found


def _declare_stand_in(graph: FunctionGraph, like: Any) -> Any:
    return graph.declare(like.dims, like.dtype) if isinstance(like, TensorType) else graph.declare_like(like, "same")


def _step(inner: Sequence[Any], flags: Sequence[bool], count: int, test: Stack, step: Stack) -> list[Any]:
    """One step of the rows that go on: gathered, computed, and put back."""
    alive, *state = inner
    own = TAKEN(alive)
    size = _count(own)
    given = [gather(t, own, axis=0) if flag else t for t, flag in zip(state, flags, strict=True)]
    new = CALL([size, *given], f=step.body)
    (held,) = CALL([size, *new, *given[count:]], f=test.body)
    at = expand_dims(own, 1)
    after = [tensor_scatter_nd_update(t, at, n) for t, n in zip(state[:count], new, strict=True)]
    return [tensor_scatter_nd_update(alive, at, held), *after]


# ---- gradients of one's own


class _RuleOfRows:
    """A custom gradient for many rows: the rule of one row, traced when it is first asked for, and batched."""

    def __init__(self, rows: Rows, node: Node, sources: Sequence[Any]) -> None:
        self.rows, self.node = rows, node
        self.stacked = tuple(rows.has(t) for t in sources)

    def __call__(self, gs: Sequence[Any], active: Sequence[bool]) -> list[Any]:
        rows = self.rows
        given = [g is not None for g in gs]
        graph, inner, found = self.trace_rule(given, active)
        outputs = [graph.own(g) for g in found if g is not None]
        captured = graph.captures()
        outside = [self._find_row(t) for t, _ in captured]
        body = Body(graph, [*inner, *(t for _, t in captured)], outputs)
        flags = [True] * sum(given) + [rows.has(t) for t in outside]
        stack = stack_of(body, flags, rows.size, (True,) * len(outputs))
        answers = iter(CALL(stack.arguments(rows, [*(g for g in gs if g is not None), *outside]), f=stack.body))
        cotangents = [None if g is None else next(answers) for g in found]
        return [g if g is None or flag else reduce_sum(g, 0) for g, flag in zip(cotangents, self.stacked, strict=True)]

    def trace_rule(self, given: Sequence[bool], active: Sequence[bool]) -> tuple[FunctionGraph, list[Any], list[Any]]:
        """The rule of one row as a graph, with its inputs (the cotangents given) and answers."""
        node = self.node
        graph = FunctionGraph("gradient_of_row", node.graph)
        with stop_recorders(), enter_graph(graph):
            inner = [graph.declare(t.dims, t.dtype) if flag else None for t, flag in zip(node.outputs, given, strict=True)]
            found = node.attrs["rule"](inner, tuple(active))
            found = [densify(g) if isinstance(g, IndexedSlices) else g for g in found]
        return graph, [t for t in inner if t is not None], found

    def _find_row(self, tensor: Any) -> Any:
        """What stands for a tensor that the rule reads: of the computation on one row, or from elsewhere."""
        if tensor.uid in self.rows.known or getattr(tensor, "graph", None) is self.node.graph:
            return convert_row(self.rows, tensor)
        return tensor

    def check_reach(self) -> None:
        """Refuse a rule inside a branch or loop that reads what is computed around it and not passed in."""
        graph, _, found = self.trace_rule([t.dtype.trainable for t in self.node.outputs], [True] * len(self.stacked))
        with enter_graph(graph):
            for g in found:
                if g is not None:
                    graph.own(g)
        for t, _ in graph.captures():
            home = getattr(t, "graph", None)
            if t.uid not in self.rows.known and isinstance(home, FunctionGraph) and home is not self.node.graph:
                raise NotBatched("a gradient of one's own reads what is computed around the branch or loop it stands in")


@batches(CUSTOM)
def custom(rows: Rows, args: Sequence[Any], *, count: int, rule: object) -> list[Any]:
    """The results as they are; their gradient is the rule of each row."""
    results = rows.all_stacked(args[:count])
    of_rows = _RuleOfRows(rows, rows.node, args[count:])
    if isinstance(rows.node.graph.outer, FunctionGraph):
        of_rows.check_reach()
    passed: list[Any] = CUSTOM([*results, *args[count:]], count=count, rule=of_rows)
    return passed


@batches(BARRIER)
def barrier(rows: Rows, input: Tensor, after: Sequence[Any]) -> Batched:
    """The input as it is."""
    passed = BARRIER(input, list(after))
    return passed if rows.has(input) else Same(passed)
