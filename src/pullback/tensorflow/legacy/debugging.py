"""What TensorFlow 1 puts into whole graphs to find faults."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...base.dtypes import float16, float32, float64
from ...base.export import export
from ...ir.context import current
from ...ops.effects.checks import check_numerics
from ...ops.effects.operations import group

if TYPE_CHECKING:
    from ...ir.node import Node


@export(v1="add_check_numerics_ops")
def add_check_numerics_ops() -> Node | None:
    """An operation that checks every floating tensor of the default graph, in the order in which they were made.

    Run it beside a step: InvalidArgumentError, which names the tensor, where an element is infinite or NaN.  RuntimeError when executing
    eagerly.

    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     x = tf.compat.v1.placeholder(tf.float32, name="x")
    ...     y = tf.math.log(x, name="y")
    ...     checks = tf.compat.v1.add_check_numerics_ops()
    ...     session.run(checks, {x: 1.0})
    ...     session.run(checks, {x: 0.0})
    Traceback (most recent call last):
    pullback.base.errors.InvalidArgumentError: y:0 : Tensor had Inf values...
    """
    graph = current().graph
    if graph is None:
        raise RuntimeError(
            "add_check_numerics_ops() is not compatible with eager execution. To check for Inf's and NaN's under eager execution, call "
            "tf.debugging.check_numerics on the tensors in question."
        )
    last: list[Any] = []
    for node in list(graph.nodes):
        for tensor in node.outputs:
            if tensor.dtype in (float16, float32, float64):
                with graph.control_dependencies(last):
                    last = [check_numerics(tensor, message=tensor.name)]
    return group(*last)
