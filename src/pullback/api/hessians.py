"""`tf.hessians`: the rows of the Jacobian of a gradient, all pulled back in one vectorized pass.

The graph grows by one call, whatever the number of elements; shapes may be unknown until it runs, and the result can be differentiated
again.
"""

from __future__ import annotations

from typing import Any

from ..base.export import export
from ..ir.context import enter_graph
from ..ir.tensor import Tensor
from ..transforms.reverse import find_between_graphs
from ..transforms.sparse import densify
from .endpoints import as_list, source_of
from .gradients import gradients
from .jacobian_blocks import pull_blocks, zeros_block
from .linearization import Linearization


@export(v2="hessians")
def hessians(
    ys: object,
    xs: object,
    gate_gradients: bool = False,
    aggregation_method: int | None = None,
    name: str | None = "hessians",
) -> list[Tensor]:
    """The second derivatives of the sum of `ys` with respect to each of `xs`, of shape `x.shape + x.shape`.

    ys, xs: a tensor or variable, or a list of them; shapes may be unknown.  Raises ValueError where `ys` do not depend on an x.

    >>> with tf1.Graph().as_default(), tf1.Session() as sess:
    ...     x = tf1.constant([1.0, 2.0])
    ...     print(sess.run(tf1.hessians(x * x * x, x))[0].tolist())
    [[6.0, 0.0], [0.0, 12.0]]
    """
    xs = as_list(xs)
    first = gradients(ys, xs, name=name, gate_gradients=gate_gradients, aggregation_method=aggregation_method)
    return [_hessian(g, x) for g, x in zip(first, xs, strict=True)]


def _hessian(g: Any, x: Any) -> Any:
    if g is None:
        raise ValueError(
            "Tried to convert 'tensor' to a tensor and failed. Error: None values not supported. (the targets do not depend on this source)"
        )
    with enter_graph(g.graph):
        g, source = densify(g), source_of(x)
        (rows,) = pull_blocks(Linearization(find_between_graphs([g], [source]), x, [source], g, [g]))
        return zeros_block(g, x) if rows is None else rows
