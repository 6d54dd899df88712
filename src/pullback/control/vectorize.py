"""Functions of one row applied to many rows at once: traced into a body, which is batched and called."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..base import nest
from ..base.dtypes import int32
from ..ir.apply import convert_to_tensor
from ..ir.context import Context, current, enter_context
from ..ir.function_graph import Body, FunctionGraph
from ..ir.node import Node
from ..ir.tensor import IndexedSlices, Tensor, TensorType
from ..ops.array.basic import SHAPE
from ..ops.vmap_rules.base import Rows
from ..transforms.sparse import densify
from .batch import stack_of
from .call import body_of, call
from .variable_reads import VariableReads


class Traced:
    """A function of rows as a body: what it reads from outside, and the structure of its results."""

    __slots__ = ("body", "outside", "returned")

    def __init__(self, body: Body, outside: list[Any], returned: Any) -> None:
        self.body = body
        self.outside = outside
        self.returned = returned

    def pack_outputs(self, answers: Sequence[Any]) -> Any:
        """Tensors in the structure that the function returned; None where it gave None or an operation."""
        given = iter(answers)
        flat = [next(given) if isinstance(t, Tensor) else None for t in nest.flatten(self.returned)]
        return nest.pack_sequence_as(self.returned, flat)


def trace_rows(f: Callable[..., Any], kinds: Sequence[Any], name: str) -> Traced:
    """`f` run once on stand-ins for rows of the dims and dtypes of `kinds`; sparse results are made dense."""
    context = current()
    graph = FunctionGraph(name, context.graph)
    reads = VariableReads()
    with enter_context(Context(graph, (reads,))):
        returned = f(*[graph.declare(t.dims, t.dtype, "row") for t in kinds])
        flat = [_result(graph, t) for t in nest.flatten(returned)]
    for recorder in context.recorders:
        for variable in reads.found.values():
            recorder.read(variable)
    body, outside = body_of(graph, [t for t in flat if isinstance(t, Tensor)])
    return Traced(body, outside, nest.pack_sequence_as(returned, flat))


def _result(graph: FunctionGraph, value: Any) -> Any:
    if value is None or isinstance(value, Node):
        return value
    return graph.own(densify(value) if isinstance(value, IndexedSlices) else convert_to_tensor(value))


def vectorize(f: Callable[..., Any], *stacked: Any, name: str = "vectorized") -> Any:
    """`f` of each row of the tensors `stacked`, computed for all rows at once: its results, stacked.

    stacked: tensors with one leading size.  f: takes a row of each, and returns a nest of tensors.  What it reads from outside is the
    same for every row.  Gradients flow to `stacked` and to what `f` reads, to any order.
    Raises ValueError: no tensors, or (where they are known) sizes that differ.

    >>> from pullback.control.vectorize import vectorize
    >>> w = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    >>> vectorize(lambda row: tf.linalg.matvec(w, row), tf.eye(2)).numpy().tolist()
    [[1.0, 3.0], [2.0, 4.0]]
    """
    tensors = [convert_to_tensor(t) for t in stacked]
    sizes = {t.dims[0] for t in tensors if t.dims and t.dims[0] is not None}
    if not tensors or len(sizes) > 1:
        raise ValueError(f"{name}: the leading sizes of the stacked tensors must agree, got {sorted(sizes)}")
    traced = trace_rows(f, [TensorType(None if t.dims is None else t.dims[1:], t.dtype) for t in tensors], name)
    size = sizes.pop() if sizes else SHAPE(tensors[0], out_type=int32)[0]
    return apply_rows(traced, tensors, size)


def apply_rows(traced: Traced, stacked: Sequence[Any], size: object) -> Any:
    """A traced function on stacked tensors, with `size` rows (an int or an int32 scalar)."""
    body = traced.body
    flags = (*[True] * len(stacked), *[False] * len(traced.outside))
    stack = stack_of(body, flags, size, (True,) * len(body.outputs), part=False)
    stack.body.inlined = current().graph is not None
    rows = Rows(size)
    return traced.pack_outputs(call(stack.body, stack.arguments(rows, [*stacked, *traced.outside])))
