"""Which way to walk for a whole Jacobian: backwards once for each element of the targets, forwards once for each element of the sources,
or both from a narrow place between them.

A pass is counted in elements that its rules touch: those of a node's inputs and outputs, for a product of matrices its multiplications
(the square root of the sizes of both and of the result, multiplied), for a function of a matrix those that its trait `by_matrix` says.
Forwards an op whose rule is its own partials or itself costs one such count for each input on the way, and one whose VJP must be transposed
three; backwards it is one for each input.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, sqrt
from typing import Any, NamedTuple

from ..base.shapes import num_elements
from ..ir.context import current
from ..ir.node import Node
from ..ir.tensor import Tensor
from ..transforms.tangents import forward_rule
from .linearization import Linearization

MODES = ("forward", "reverse", "mixed")
#: From how many elements touched on directions are carried in parts, and in how many at most.
_LONG, _PARTS = 3e8, 32
#: A part has at least so many directions, or touches so many elements, and so many more for each operation that is called for it.
_LEAST, _TOUCHED, _CALLED = 64, 3e7, 2e4


class JacobianPlan(NamedTuple):
    """How a Jacobian is computed.

    mode: "forward", "reverse" or "mixed".  passes: how many directions are pushed or pulled.  costs: by mode the elements touched, for
    those that are possible; empty where a size is unknown.  through: for "mixed", the shape of the narrow place.
    """

    mode: str
    passes: int | None
    costs: dict[str, float]
    through: tuple[int, ...] | None = None
    cut: Any = None

    def __str__(self) -> str:
        if not self.costs:
            return f"{self.mode}: sizes are known only at run time"
        shown = ", ".join(f"{mode} {cost:.3g}" for mode, cost in sorted(self.costs.items(), key=lambda pair: pair[1]))
        where = f" through a tensor of shape {self.through}" if self.through is not None else ""
        return f"{self.mode}{where}, {self.passes} directions; elements touched: {shown}"


def plan(way: Linearization, mode: str | None = None, *, rows: int = 1) -> JacobianPlan:
    """The cheapest way, or the one asked for by `mode`.

    rows: a leading size that all targets and sources share and that is not multiplied with itself, as for a batch Jacobian.
    Raises ValueError for a mode that is none, or that is not possible here.
    """
    if mode not in (None, *MODES):
        raise ValueError(f"mode must be one of {', '.join(MODES)} or None, got {mode!r}")
    if any(t.dtype.base_dtype.is_complex for t in (*way.ys, *way.flat_sources)):
        if mode not in (None, "reverse"):
            raise ValueError(
                f"mode={mode!r} is for real numbers: a Jacobian with complex ones has TensorFlow's conjugates, and is pulled back"
            )
        return JacobianPlan("reverse", None, {})
    ys = [_size(y) for y in way.ys]
    xs = [_size(s) for s in way.flat_sources]
    if None in ys or None in xs:
        if mode == "mixed":
            raise ValueError("mode='mixed' needs known shapes")
        return JacobianPlan(mode or "reverse", None, {})
    targets, sources = sum(n or 0 for n in ys) // rows, sum(n or 0 for n in xs) // rows
    nodes = [node for node in way.nodes if any(t.uid in way.active for t in node.outputs)]
    ahead = [_estimate_forward(node, way.active) for node in nodes]
    back = [_estimate_backward(node, way.active) for node in nodes]
    passes = {"reverse": targets, "forward": sources}
    costs = {"reverse": targets * (sum(back) + 1.0), "forward": sources * (sum(ahead) + 1.0)}
    cut = None if rows != 1 else _find_narrowest(way, nodes, ahead, back, targets, sources)
    if cut is not None:
        tensor, costs["mixed"] = cut
        passes["mixed"] = 2 * (num_elements(tensor.dims) or 0)
    elif mode == "mixed":
        raise ValueError("mode='mixed' needs a tensor between sources and targets that everything passes through; there is none")
    chosen = mode or min(costs, key=lambda m: (costs[m], m != "reverse"))
    through = cut[0] if cut is not None and chosen == "mixed" else None
    return JacobianPlan(chosen, passes[chosen], costs, None if through is None else through.dims, through)


def choose_chunk(way: Linearization, chunk: int | None, count: int | None, forwards: bool = False) -> int | None:
    """How many of `count` directions to carry together: `chunk`, else all (None), but parts where that takes seconds.

    Parts take less memory, which makes them faster too, and one can see how far they are.  It depends on sizes alone, so that results are
    the same on every machine.
    """
    if chunk is not None or current().graph is not None or count is None or count < 2:
        return chunk
    nodes = [node for node in way.nodes if any(t.uid in way.active for t in node.outputs)]
    each = 1.0 + sum((_estimate_forward if forwards else _estimate_backward)(node, way.active) for node in nodes)
    if count * each < _LONG:
        return None
    return max(min(_LEAST, ceil((_TOUCHED + _CALLED * len(nodes)) / each)), -(-count // _PARTS))


def _size(t: Tensor) -> int | None:
    dims = t.dims
    return None if dims is None else num_elements(dims)


def _work(node: Node) -> float:
    sizes = [float(_size(t) or 1) for t in (*node.inputs, *node.outputs) if t.dtype.trainable and t.dtype.numpy_dtype is not None]
    rule = forward_rule(node.primitive)
    if getattr(rule, "__name__", "") == "_bilinear" and len(sizes) == 3:
        return sqrt(sizes[0] * sizes[1] * sizes[2])
    return sum(sizes) * (node.primitive.traits.by_matrix * (node.inputs[0].dims or (1,))[-1] or 1)


def _count_active(node: Node, active: set[int]) -> int:
    return sum(t.uid in active for t in node.inputs)


def _estimate_forward(node: Node, active: set[int]) -> float:
    if not _count_active(node, active):
        return 0.0
    return _work(node) * (3.0 if forward_rule(node.primitive) is None else float(_count_active(node, active)))


def _estimate_backward(node: Node, active: set[int]) -> float:
    return _work(node) * _count_active(node, active)


def _find_narrowest(
    way: Linearization, nodes: Sequence[Node], ahead: Sequence[float], back: Sequence[float], targets: int, sources: int
) -> tuple[Any, float] | None:
    """The tensor that all paths pass through with which a mixed pass costs least, and that cost."""
    last: dict[int, int] = {}
    for at, node in enumerate(nodes):
        last.update((t.uid, at) for t in node.inputs if t.uid in way.active)
    last.update((y.uid, len(nodes)) for y in way.ys)
    alive = {x.uid for x in way.xs if x.uid in last}
    total, before_back, before_ahead = sum(ahead), 0.0, 0.0
    best: tuple[Any, float] | None = None
    for at, node in enumerate(nodes):
        before_back += back[at]
        before_ahead += ahead[at]
        made = [t for t in node.outputs if t.uid in way.active and last.get(t.uid, -1) > at]
        alive = {uid for uid in alive if last[uid] > at} | {t.uid for t in made}
        if len(alive) == 1 and len(made) == 1 and not made[0].dtype.is_complex and made[0].uid not in {y.uid for y in way.ys}:
            size = _size(made[0])
            if size is not None and made[0].dtype.numpy_dtype is not None:
                cost = size * (before_back + (total - before_ahead)) + float(targets) * size * sources
                if best is None or cost < best[1]:
                    best = made[0], cost
    return best
