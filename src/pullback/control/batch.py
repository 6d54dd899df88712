"""Batching: from a body that computes one row to a body that computes many at once.

A walk over the nodes, forwards: a node none of whose inputs is stacked is copied, any other one is asked for its `Op.batch`, and an op that
has none, or declines, runs in a loop over the rows.  Element-wise ops and ops that
broadcast need no rule.  An op that draws random numbers or has effects is asked even when nothing is stacked, for each row counts.

The result is made of ops: it has gradients of any order, and can be batched again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ..base.dtypes import int32, variant
from ..base.lazy_import import LazyModule
from ..ir.apply import convert_to_tensor
from ..ir.context import current, enter_graph, stop_recorders
from ..ir.function_graph import Body, FunctionGraph
from ..ir.node import Node
from ..ir.op import Op
from ..ops.array.basic import shape
from ..ops.array.create import RANGE
from ..ops.batching import NotBatched, Same, broadcast_rows, rule_of
from ..ops.constant import TensorSpec
from ..ops.vmap_rules.base import Rows
from .call import call

if TYPE_CHECKING:
    from . import functional
else:  # most functions have rules for stacks throughout
    functional = LazyModule("pullback.control.functional")

Flags = tuple[bool, ...]
#: Whether an op has a rule, works element by element, or runs in a loop over the rows.
WAYS = ("rule", "element by element", "loop")


class Stack:
    """A batched body, which of its outputs are stacked, and whether its first input is the number of rows."""

    __slots__ = ("body", "flags", "takes_size")

    def __init__(self, body: Body, flags: Flags, takes_size: bool) -> None:
        self.body = body
        self.flags = flags
        self.takes_size = takes_size

    def arguments(self, rows: Rows, given: Sequence[Any]) -> list[Any]:
        """What the body is called with."""
        return [rows.size, *given] if self.takes_size else list(given)


def batch_body(body: Body, flags: Flags) -> Body:
    """The body that computes many rows: inputs flagged have a new leading axis, and so do all outputs.

    The other inputs are the same for all rows; the inputs keep their order.  At least one tensor must be flagged.  Made once for each body
    and flags.  Raises ValueError: no tensor is flagged, so that nothing says how many rows there are.

    >>> from pullback.control.batch import batch_body
    >>> body = tf.function(lambda x, w: tf.reduce_sum(x * w)).get_concrete_function(tf.zeros([2]), tf.zeros([2])).body
    >>> batch_body(body, (True, False)).inputs[0].shape
    TensorShape([None, 2])
    """
    first = next((i for i, (t, flag) in enumerate(zip(body.inputs, flags, strict=True)) if flag and t.dtype is not variant), None)
    if first is None:
        raise ValueError(f"{body!r} cannot be batched: no input has rows, so nothing says how many there are")
    made = body.once(("batched", tuple(flags)), lambda: _make_stack(body, tuple(flags), None, (True,) * len(body.outputs), first, False))
    return made.body


def stack_of(body: Body, flags: Sequence[bool], size: object, wanted: Sequence[bool] | None = None, part: bool = True) -> Stack:
    """A body batched for `size` rows (an int, or anything else when it is known at run time only).

    wanted: the outputs that are to be stacked even where they are the same for all rows.  part: whether it is part of a larger one.
    """
    known = size if isinstance(size, int) else None
    asked = tuple(wanted) if wanted is not None else (False,) * len(body.outputs)
    key = ("stack", tuple(flags), known, asked, part)
    return body.once(key, lambda: _make_stack(body, tuple(flags), known, asked, None, part))


def _make_stack(body: Body, flags: Flags, size: int | None, wanted: Flags, first: int | None, part: bool) -> Stack:
    """first: the input whose leading axis tells the number of rows; None when it is known, or an input of its own.

    What cannot be batched runs in a loop over the rows as a whole: the smallest body around it from which nothing comes whose shape may
    differ from row to row, or the whole that is not part of a larger one.
    """
    try:
        return _build_stack(body, flags, size, wanted, first, _walk_body)
    except NotBatched:
        given = [t for t, flag in zip(body.inputs, flags, strict=True) if flag]
        if any(t.dtype is variant for t in (*given, *body.outputs)) or (part and any(_may_differ(t.dims) for t in body.outputs)):
            raise
        return _build_stack(body, flags, size, wanted, first, _loop_over_body)


def _may_differ(dims: Any) -> bool:
    """Whether a shape may differ from row to row, as far as is known."""
    return dims is None or None in dims


def _walk_body(body: Body, rows: Rows, inputs: Sequence[Any]) -> list[Any]:
    walk(body.plan().nodes, rows)
    return [convert_row(rows, t) for t in body.outputs]


def _build_stack(body: Body, flags: Flags, size: int | None, wanted: Flags, first: int | None, compute: Callable[..., list[Any]]) -> Stack:
    graph = FunctionGraph(f"rows_of_{body.graph.function_name}", body.graph.outer)
    takes_size = size is None and first is None
    with stop_recorders(), enter_graph(graph):
        told = graph.declare((), int32, "rows") if takes_size else None
        inputs = [_declare_input(graph, t, flag, size) for t, flag in zip(body.inputs, flags, strict=True)]
        count = size if first is None else shape(inputs[first], out_type=int32)[0]
        rows = Rows(told if takes_size else count)
        for old, new, flag in zip(body.inputs, inputs, flags, strict=True):
            rows.known[old.uid] = rows.mark(new) if flag else new
        outputs = compute(body, rows, inputs)
        outputs = [rows.stack(t) if flag else t for t, flag in zip(outputs, wanted, strict=True)]
    captured = graph.captures()
    if captured:
        raise RuntimeError(f"{body!r} reads {[t for t, _ in captured]}, which are not among its inputs")
    return Stack(Body(graph, [told, *inputs] if told is not None else inputs, outputs), tuple(rows.has(t) for t in outputs), takes_size)


def _declare_input(graph: FunctionGraph, t: Any, flag: bool, size: int | None) -> Any:
    if not flag or t.dtype is variant:
        return graph.declare_like(t, "row_argument")
    return graph.declare(None if t.dims is None else (size, *t.dims), t.dtype, "rows_argument")


def convert_row(rows: Rows, tensor: Any) -> Any:
    """What stands for a tensor of one row's computation; a constant is copied when it is first asked for."""
    found = rows.known.get(tensor.uid)
    if found is None:
        node = tensor.node
        if node.primitive.name != "Const":
            raise RuntimeError(f"{tensor} is read by the body, but neither given to it nor made in it")
        graph = current().graph
        assert graph is not None
        found = rows.known[tensor.uid] = graph.constant(node.attrs["value"], "Const")
    return found


def walk(nodes: Sequence[Node], rows: Rows) -> None:
    """Add to `rows.known` what stands for each output of `nodes`."""
    for node in nodes:
        inputs = tuple([convert_row(rows, t) for t in node.inputs])
        for out, (value, is_stacked) in zip(node.outputs, _batch_node(node, inputs, rows), strict=True):
            rows.known[out.uid] = rows.mark(value) if is_stacked else value


def _batch_node(node: Node, inputs: tuple[Any, ...], rows: Rows) -> list[tuple[Any, bool]]:
    op = node.primitive
    if not op.stateful and not rows.has(*inputs):
        return [(t, False) for t in as_outputs(apply_like(node, inputs))]
    rule = rule_of(op)
    rows.node, rows.op = node, op
    answer: Any = NotImplemented
    if rule is not None:
        attrs = {name: node.attrs[name] for name in op.attributes}
        answer = rule(rows, *op.arguments(inputs), **attrs)
    if answer is NotImplemented:
        answer = _loop_over_rows(rows, node, inputs)
    return [(t.tensor, False) if isinstance(t, Same) else (t, True) for t in as_outputs(answer)]


def way_of(op: Op) -> str:
    """One of `WAYS`: how an op is batched."""
    rule = rule_of(op)
    return WAYS[2] if rule is None else WAYS[1] if rule is broadcast_rows and op.batch is None else WAYS[0]


def apply_like(node: Node, inputs: Sequence[Any]) -> Any:
    """The op of `node`, with its attributes, on other inputs."""
    op = node.primitive
    attrs = {name: node.attrs[name] for name in op.attributes}
    return op.call(*[list(a) if isinstance(a, tuple) else a for a in op.arguments(tuple(inputs))], **attrs)


def as_outputs(answer: object) -> list[Any]:
    """The outputs of a call as a list."""
    if isinstance(answer, (list, tuple)):
        return list(answer)
    return [] if answer is None or isinstance(answer, Node) else [answer]


# ---- the loop


def _loop_over_rows(rows: Rows, node: Node, inputs: Sequence[Any]) -> list[Any]:
    """The outputs of `node` for every row, by a loop that applies its op to one row after the other."""
    if any(t.dtype is variant for t in (*node.outputs, *(t for t in inputs if rows.has(t)))):
        raise NotBatched(f"{node.primitive.name} ({node.name}, made at {node.where}) has no batching rule for lists of tensors")
    return _map_over_rows(rows, inputs, node.outputs, lambda given: as_outputs(apply_like(node, given)))


def _loop_over_body(body: Body, rows: Rows, inputs: Sequence[Any]) -> list[Any]:
    """The outputs of a whole body for every row, by a loop that calls it for one row after the other."""
    return [rows.mark(t) for t in _map_over_rows(rows, inputs, body.outputs, lambda given: call(body, given))]


def _map_over_rows(rows: Rows, inputs: Sequence[Any], types: Sequence[Any], compute: Callable[[list[Any]], list[Any]]) -> list[Any]:
    places = [i for i, t in enumerate(inputs) if rows.has(t)]
    elems = [inputs[i] for i in places] or [RANGE(0, rows.size, 1)]

    def step(given: list[Any]) -> Any:
        of_row = dict(zip(places, given, strict=False))
        found = compute([of_row.get(i, t) for i, t in enumerate(inputs)])
        return found or [convert_to_tensor(0)]

    specs: list[Any] = [TensorSpec(t.dims, t.dtype) for t in types] or [int32]
    return list(functional.map_fn(step, elems, fn_output_signature=specs, name="rows"))[: len(types)]


__all__ = ["WAYS", "Stack", "apply_like", "as_outputs", "batch_body", "convert_row", "rule_of", "stack_of", "walk", "way_of"]
