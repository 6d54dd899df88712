"""`tf.hessians`: a loop over the elements of a gradient, each row one sweep of the graph.

The sweep is built once, into the body of a `While`, so the graph does not grow with the number of elements, shapes may be unknown
until the graph runs, and the result can be differentiated again.
"""

from __future__ import annotations

from typing import Any

from ..base.dtypes import int32
from ..control.loop import while_node
from ..ir.apply import convert_to_tensor
from ..ir.context import entered
from ..ir.function_graph import FunctionGraph
from ..ir.op import OPS
from ..ir.tensor import METHODS
from ..ops.array_basic import shape_of, zeros_of
from ..ops.tensor_list import EMPTY, PUSH
from ..ops.tensor_list_whole import STACK
from ..transforms.reverse import between, depending_on, pullback, trainable
from ..transforms.sparse import densify
from .gradients import gradients, listed, source_of


def hessians(
    ys: Any,
    xs: Any,
    gate_gradients: Any = False,
    aggregation_method: Any = None,
    name: str | None = "hessians",
) -> list[Any]:
    """The second derivatives of the sum of `ys` with respect to each of `xs`, of shape `x.shape + x.shape`.

    ys, xs: a tensor or variable, or a list of them; shapes may be unknown.  Raises ValueError where `ys` do not depend on an x.

    >>> import pullback.compat.v1 as tf
    >>> with tf.Graph().as_default(), tf.Session() as sess:
    ...     x = tf.constant([1.0, 2.0])
    ...     print(sess.run(tf.hessians(x * x * x, x))[0].tolist())
    [[6.0, 0.0], [0.0, 12.0]]
    """
    xs = listed(xs)
    first = gradients(ys, xs, name=name, gate_gradients=gate_gradients, aggregation_method=aggregation_method)
    return [_hessian(g, x) for g, x in zip(first, xs, strict=True)]


def _hessian(g: Any, x: Any) -> Any:
    if g is None:
        raise ValueError(
            "Tried to convert 'tensor' to a tensor and failed. Error: None values not supported. (the targets do not depend on this source)"
        )
    graph = g.graph
    with entered(graph):
        flat = METHODS["reshape"](densify(g), [-1])
        source = source_of(x)
        rows = _rows(graph, flat, source)
        shape = shape_of(flat if hasattr(x, "handle") and x.dims is None else g)
        return METHODS["reshape"](rows, OPS["ConcatV2"].call([shape, shape], 0))


def _rows(graph: Any, flat: Any, source: Any) -> Any:
    """The gradients of the elements of `flat` with respect to `source`, stacked."""
    nodes = between([flat], [source])
    active = depending_on(nodes, [source], trainable)
    count = METHODS["getitem"](convert_to_tensor(shape_of(flat)), 0)
    start = [graph.own(convert_to_tensor(0, int32)), EMPTY()]
    condition, body = FunctionGraph("hessian_cond", graph), FunctionGraph("hessian_body", graph)
    with condition.building():
        i, _ = [condition.declare(t.dims, t.dtype) for t in start]
        verdict = METHODS["less"](i, count)
    with body.building():
        i, rows = [body.declare(t.dims, t.dtype) for t in start]
        positions = OPS["Range"].call(0, count, 1)
        unit = METHODS["cast"](OPS["Equal"].call(positions, i), flat.dtype)
        row = densify(pullback(nodes, [flat], [unit], [source], active)[0])
        row = METHODS["reshape"](zeros_of(source) if row is None else row, [-1])
        outputs = [METHODS["add"](i, 1), PUSH(rows, row)]
    _, rows = while_node(start, (condition, verdict), body, outputs, "hessian")
    return STACK(rows, METHODS["reshape"](count, [1]), element_dtype=flat.dtype)
