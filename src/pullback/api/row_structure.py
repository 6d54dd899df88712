"""What the operations of a batch promise about its rows, so that nothing has to be computed to know it.

`keeps_rows_apart` proves that row b of every target reads row b of the sources alone; where it cannot, `batch_probe` finds out by a pass.
`find_product` finds the product of matrices that a target comes from: rows pulled back to it are the matrix's own, scaled, and the
products with unit vectors that would give them need not be computed.
"""

from __future__ import annotations

from typing import Any

from ..ir.node import Node
from ..ir.tensor import Forgotten, Tensor
from ..ops.array.basic import ones_of
from ..ops.array.shape import expand_dims
from ..ops.array.transpose import transpose
from ..transforms.registry import custom_gradient_of
from ..transforms.reverse import pullback
from ..transforms.sparse import densify
from .linearization import Linearization


def keeps_rows_apart(way: Linearization, size: int) -> bool:
    """Whether every operation between sources and targets is known to keep `size` rows apart."""
    if not all(_has_rows(t, size) for t in (*way.xs, *way.ys)):
        return False
    return all(_keeps_rows(node, way.active, size) for node in way.needed if any(t.uid in way.active for t in node.outputs))


def _has_rows(t: Any, size: int) -> bool:
    return t.dtype.numpy_dtype is not None and bool(t.dims) and t.dims[0] == size


def _keeps_rows(node: Node, active: set[int], size: int) -> bool:
    op, inputs = node.primitive, node.inputs
    mine = [i for i, t in enumerate(inputs) if t.uid in active]
    if custom_gradient_of(node) is not None or not all(_has_rows(t, size) for t in (*node.outputs, *(inputs[i] for i in mine))):
        return False
    rank = len(node.outputs[0].dims)
    if op.pointwise:
        return all(len(inputs[i].dims) == rank for i in mine)
    if op.traits.stacked:
        return rank > 2 and all(len(inputs[i].dims) == rank for i in mine)
    if mine != [0]:
        return False
    if op.traits.by_rows:
        return rank > 1 and not node.attrs.get("transpose_a", False)
    if op.traits.reduces:
        axes = inputs[1]
        return not isinstance(axes, Forgotten) and axes.constant is not None and not _names_first(axes.constant, len(inputs[0].dims))
    return op.name in ("Identity", "Reshape")  # a reshape that keeps the first size keeps what stands in each row


def _names_first(axes: Any, rank: int) -> bool:
    return any(int(axis) % rank == 0 for axis in axes.ravel())


def find_product(way: Linearization, y: Tensor) -> tuple[Any, Any] | None:
    """The matrix of rows that y is a product of, and the rows of y's Jacobian by it: `[size of a row, rows, n]`; None for another way.

    y is a function, element by element, of `h @ w`, where nothing differentiable is in w: the Jacobian of row b by row b of h is w,
    each column scaled by the slope of its element.
    """
    if y.dims is None or len(y.dims) != 2 or None in y.dims or not y.dtype.is_floating:
        return None
    producers = {t.uid: node for node in way.needed for t in node.outputs}
    sources = {x.uid for x in way.xs}
    path: list[Node] = []
    t = y
    while t.uid in producers and t.uid not in sources:
        node = producers[t.uid]
        mine = [x for x in node.inputs if x.uid in way.active]
        if len(mine) != 1 or not mine[0].dtype.is_floating or custom_gradient_of(node) is not None:
            return None
        if node.primitive.name == "MatMul":
            return _seed_product(node, path, y, way.active) if node.inputs[0] is mine[0] and not node.attrs["transpose_a"] else None
        if (
            not (node.primitive.pointwise or node.primitive.name in ("BiasAdd", "Identity"))
            or len(node.outputs) != 1
            or mine[0].dims != y.dims
        ):
            return None
        path.insert(0, node)
        t = mine[0]
    return None


def _seed_product(product: Node, path: list[Node], y: Any, active: set[int]) -> tuple[Any, Any] | None:
    h, w = product.inputs
    (z,) = product.outputs
    if isinstance(w, Forgotten):
        return None
    columns = expand_dims(w if product.attrs["transpose_b"] else transpose(w), 1)
    (slopes,) = pullback(path, [y], [ones_of(y)], [z], active)
    return h, columns * expand_dims(transpose(densify(slopes)), 2)
