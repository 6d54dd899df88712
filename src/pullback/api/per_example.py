"""`per_example_gradients`: a gradient for each example of a batch, from one recording of the whole batch.

The losses are pulled back once, with ones, through everything that has a row for each example: rows do not mix, so row b of a cotangent
is that of loss b.  Only where such rows meet what all examples share (a weight, a bias, a table of embeddings) is the operation
differentiated row by row, in one vectorized pass; what lies between shared tensors and the parameters, likewise.  So a dense layer costs
one product of rows and cotangents, and a lookup keeps the rows it read.

That rows do not mix is not believed: a second pull, with weights that differ from row to row, must give the same cotangents times the
weights.  Where it does not, or where the structure is another, each loss is pulled back by itself, all in one vectorized pass.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Unpack, overload

from ..base import nest
from ..base.dtypes import int32
from ..base.export import export
from ..control.vectorize import vectorize
from ..ir.apply import convert_to_tensor
from ..ir.context import current, stop_recorders
from ..ir.node import Node
from ..ir.tensor import EagerTensor, Forgotten, IndexedSlices, Tensor
from ..ops.array.basic import identity, ones_of, reshape, shape_of
from ..ops.array.eye import eye
from ..ops.array.join import concat
from ..ops.effects.operations import Assert
from ..ops.math.arithmetic import add
from ..ops.primitives.compare import greater, logical_not
from ..ops.reduce.reductions import reduce_any
from ..transforms.reverse import cotangents_of, pullback
from ..transforms.sparse import densify
from .batch_probe import TOLERANCE, vary_elements
from .endpoints import UnconnectedGradients
from .jacobian_blocks import pull_blocks, zeros_block
from .linearization import Linearization, linearization, option_of

if TYPE_CHECKING:
    from ..ir.tensor import Gradient
    from .source_types import ExampleOptions, Key, Part, Point, PointList, Record
    from .tape import GradientTape

    Losses = Callable[..., Any] | Tensor

_ADVICE = (
    "per_example_gradients: the loss of one example depends on another example, so use jacobian, which pulls back each loss by itself."
)


@export(ours="ExampleSlices")
@dataclass(frozen=True)
class ExampleSlices:
    """Sparse gradients of a batch: example b has `values[b]`, for the rows `indices[b]` of a tensor of shape `dense_shape`.

    values: `[examples, rows, ...]`.  indices: `[examples, rows]`, where one row may be named several times.

    >>> table, words = tf.ones([4, 1]), tf.constant([[3, 0], [1, 1]])
    >>> found = tf.per_example_gradients(lambda t: tf.reduce_sum(tf.gather(t, words) ** 2.0, [1, 2]), table)
    >>> found.indices.numpy().tolist(), found.values.shape
    ([[3, 0], [1, 1]], TensorShape([2, 2, 1]))
    >>> found.dense().numpy()[..., 0].tolist()
    [[2.0, 0.0, 0.0, 2.0], [0.0, 4.0, 0.0, 0.0]]
    """

    values: Any
    indices: Any
    dense_shape: tuple[int, ...]

    def __getitem__(self, example: int) -> IndexedSlices:
        """The gradient of one example."""
        return IndexedSlices(self.values[example], self.indices[example], self._shape())

    def dense(self) -> Any:
        """All of them as one tensor `[examples, *dense_shape]`."""
        shape = self._shape()
        return vectorize(lambda v, i: densify(IndexedSlices(v, i, shape)), self.values, self.indices)

    def _shape(self) -> Any:
        return convert_to_tensor(self.dense_shape, int32)


@overload
def per_example_gradients(losses: Losses, params: Point, **options: Unpack[ExampleOptions]) -> Gradient: ...
@overload
def per_example_gradients(losses: Losses, params: Record, **options: Unpack[ExampleOptions]) -> Record: ...
@overload
def per_example_gradients(losses: Losses, params: tuple[Point, ...], **options: Unpack[ExampleOptions]) -> tuple[Gradient, ...]: ...
@overload
def per_example_gradients(losses: Losses, params: PointList, **options: Unpack[ExampleOptions]) -> list[Gradient]: ...
@overload
def per_example_gradients(losses: Losses, params: Mapping[Key, Point], **options: Unpack[ExampleOptions]) -> dict[Key, Gradient]: ...
@overload
def per_example_gradients(losses: Losses, params: Sequence[Part] | Mapping[Any, Part], **options: Unpack[ExampleOptions]) -> Any: ...
@export(ours="per_example_gradients")
def per_example_gradients(
    losses: Losses, params: Part | Sequence[Part], *, tape: GradientTape | None = None, unconnected_gradients: Any = None
) -> Any:
    """The gradient of the loss of each example with respect to each of `params`.

    losses: a function of `params` (or of no arguments, reading variables among them) that returns a vector with a loss for each example;
    or that vector itself, of a graph or recorded by `tape`.  params: a tensor or variable or a structure of them.
    Returns a structure like `params`: for each a tensor `[examples, *param.shape]`, or `ExampleSlices` where only some of its rows are
    read.  Raises ValueError where the losses are no vector or do not depend on a parameter (unless `unconnected_gradients` is 'none' or
    'zero').

    >>> x, w = tf.constant([[1.0, 2.0], [3.0, 4.0]]), tf.constant([[1.0], [1.0]])
    >>> tf.per_example_gradients(lambda w: tf.reduce_sum((x @ w) ** 2, axis=1), w).numpy()[..., 0].tolist()
    [[6.0, 12.0], [42.0, 56.0]]
    """
    option = option_of(unconnected_gradients)
    way = linearization(losses, params, tape)
    y = way.ys[0]
    if len(way.ys) != 1 or (y.dims is not None and len(y.dims) != 1):
        shapes = ", ".join(str(tuple(t.shape)) for t in way.ys)
        raise ValueError(
            f"per_example_gradients needs one vector with a loss for each example, and got shape {shapes}: take the mean or sum over "
            "what is inside an example, and nothing over the examples"
        )
    way.check_connected(option)
    with way.place():
        found = _compute_rows(way)
        if found is None:
            found = pull_blocks(way)
        if option is not UnconnectedGradients.NONE:
            found = [zeros_block(y, s) if g is None else g for g, s in zip(found, way.flat_sources, strict=True)]
        return nest.pack_sequence_as(way.sources, found)


# ---- rows and what they share


def _compute_rows(way: Linearization) -> list[Any] | None:
    """The rows by the structure of the computation; None where it has another one."""
    (losses,) = way.ys
    size = None if losses.dims is None else losses.dims[0]
    count = size if size is not None else convert_to_tensor(shape_of(losses), int32)[0]
    parted = _part_rows(way, size)
    if parted is None:
        return None
    rows, meetings = parted
    targets = [node.outputs[0] for node in meetings]
    ones = pullback(way.nodes, way.ys, [ones_of(losses)], targets, rows)
    if any(g is None for g in ones) or not meetings:
        return None
    gs = [densify(g) for g in ones]
    if size not in (0, 1):
        with stop_recorders():
            weights = vary_elements(losses)
            verdict = _mixes(gs, pullback(way.nodes, way.ys, [weights], targets, rows), weights, count)
        if isinstance(verdict, EagerTensor):
            if bool(verdict):
                return None
        else:
            graph = current().graph
            assert graph is not None  # the verdict is symbolic
            with graph.control_dependencies([Assert(logical_not(verdict), [_ADVICE])]):
                gs = [identity(g) for g in gs]
    shared: dict[int, tuple[Any, Any]] = {}
    for node, g in zip(meetings, gs, strict=True):
        for x, stacked in _row_by_row(node, g, rows, way.active, size, count):
            before = shared.get(x.uid)
            shared[x.uid] = (x, stacked if before is None else add(_dense(before[1]), _dense(stacked)))
    return _to_sources(way, list(shared.values()))


def _part_rows(way: Linearization, size: int | None) -> tuple[set[int], list[Node]] | None:
    """The uids of the active tensors that have rows, and the nodes where rows meet something shared; None for another structure."""
    rows: set[int] = set()
    meetings = []
    for node in way.needed:
        active = [t for t in node.inputs if t.uid in way.active]
        mine = [t for t in active if t.uid in rows]
        data = any(_has_rows(t, size) for t in node.inputs if t.uid not in way.active)
        if not mine and not data:
            continue  # parameters among themselves
        out = node.outputs[0]
        if not all(_has_rows(t, size) for t in node.outputs if t.uid in way.active):
            return None
        rows.update(t.uid for t in node.outputs if t.uid in way.active)
        if len(mine) < len(active):
            if len(node.outputs) != 1 or out.dtype.numpy_dtype is None:
                return None
            meetings.append(node)
    return (rows, meetings) if way.ys[0].uid in rows else None


def _has_rows(t: Any, size: int | None) -> bool:
    """Whether a tensor may have one or more rows for each example: its first axis is as long as the batch, or so many times as long."""
    if t.dims is None or not t.dims or t.dtype.numpy_dtype is None:
        return False
    if size is None or t.dims[0] is None:
        return bool(t.dims[0] == size)
    return t.dims[0] == size or (size > 1 and t.dims[0] > 0 and t.dims[0] % size == 0)


def _blocks(t: Any, count: Any) -> Any:
    """A tensor as `[examples, rows of an example, ...]`."""
    dims = t.dims
    if isinstance(count, int) and None not in dims:
        return reshape(t, [count, dims[0] // max(count, 1) or 1, *dims[1:]])
    return reshape(t, concat([[count, -1], convert_to_tensor(shape_of(t), int32)[1:]], 0))


def _mixes(gs: Sequence[Any], weighted: Sequence[Any], weights: Any, count: Any) -> Any:
    """Whether some cotangent, pulled back with weights, is not the one pulled back with ones times the weights of its row."""
    verdict = None
    for g, w in zip(gs, weighted, strict=True):
        blocks = _blocks(g, count)
        expected = blocks * reshape(weights, concat([[count], [1] * (len(blocks.dims) - 1)], 0))
        apart = abs(_blocks(densify(w), count) - expected)
        wrong = reduce_any(greater(apart, (abs(expected) + abs(blocks)) * TOLERANCE[g.dtype.name]))
        verdict = wrong if verdict is None else verdict | wrong
    return verdict


def _row_by_row(node: Node, g: Any, rows: set[int], active: set[int], size: int | None, count: Any) -> list[tuple[Any, Any]]:
    """The cotangents of the shared inputs of a node for each row of its output, stacked."""
    shared = [t for t in node.inputs if t.uid in active and t.uid not in rows]
    slices = _slices(node, g, shared, size, count)
    if slices is not None:
        return [(shared[0], slices)]
    uids = {t.uid for t in shared}
    sliced = _sliced_inputs(node, rows, uids, size)
    if sliced is not None:
        return _pull_slices(node, g, shared, uids, sliced, count)
    blocks = _blocks(g, count)

    def pull_masked(mark: Any) -> list[Any]:
        alone = reshape(blocks * mark, shape_of(g))
        found = {x.uid: gx for x, gx in cotangents_of(node, alone, uids)}
        return [densify(found[t.uid]) for t in shared]

    return list(zip(shared, vectorize(pull_masked, _marks(count, blocks)), strict=True))


def _marks(count: Any, g: Any) -> Any:
    """For each row a tensor that broadcasts against g: one in that row, zero in others."""
    return reshape(eye(count, dtype=g.dtype), concat([[count, count], [1] * (len(g.dims) - 1)], 0))


def _sliced_inputs(node: Node, rows: set[int], shared: set[int], size: int | None) -> list[int] | None:
    """The inputs of which row b alone goes into row b of the output, where the op's kind promises that; else None."""
    op, out = node.primitive, node.outputs[0]
    if any(isinstance(t, Forgotten) for t in node.inputs):
        return None
    if op.pointwise:
        rank = len(out.dims)
        mine = [i for i, t in enumerate(node.inputs) if _has_rows(t, size) and len(t.dims) == rank and t.uid not in shared]
        free = all(i in mine or len(t.dims) < rank or t.dims[0] == 1 for i, t in enumerate(node.inputs))
        return mine if mine and free else None
    if not (op.traits.by_rows or op.traits.stacked) or node.inputs[0].uid in shared or not _has_rows(node.inputs[0], size):
        return None
    if node.attrs.get("transpose_a"):
        return None
    if op.traits.stacked and (len(node.inputs[1].dims) >= len(out.dims) or len(out.dims) < 3):
        return None
    return [0]


def _pull_slices(node: Node, g: Any, shared: list[Any], uids: set[int], sliced: list[int], count: Any) -> list[tuple[Any, Any]]:
    attrs = {name: node.attrs[name] for name in node.primitive.attributes}

    def pull_row(g_rows: Any, *given: Any) -> list[Any]:
        inputs = list(node.inputs)
        for i, t in zip(sliced, given, strict=True):
            inputs[i] = t
        out = node.primitive.call(*inputs, **attrs)
        found = {x.uid: gx for x, gx in cotangents_of(Node(node.primitive, tuple(inputs), node.attrs, (out,)), g_rows, uids)}
        return [densify(found[t.uid]) for t in shared]

    stacked = vectorize(pull_row, _blocks(g, count), *[_blocks(node.inputs[i], count) for i in sliced])
    return list(zip(shared, stacked, strict=True))


def _slices(node: Node, g: Any, shared: list[Any], size: int | None, count: Any) -> ExampleSlices | None:
    """A lookup in a shared table: the rows of the cotangent, with where they came from."""
    if node.primitive.name != "GatherV2" or len(shared) != 1 or node.inputs[0].uid != shared[0].uid or node.attrs.get("batch_dims"):
        return None
    table, indices, axis = node.inputs
    if not _has_rows(indices, size) or isinstance(indices, Forgotten) or isinstance(axis, Forgotten):
        return None
    if axis.constant is None or int(axis.constant) != 0 or table.dims is None or None in table.dims:
        return None
    values = reshape(g, concat([[count, -1], list(table.dims[1:])], 0)) if table.dims[1:] else reshape(g, concat([[count, -1]], 0))
    return ExampleSlices(values, reshape(indices, concat([[count, -1]], 0)), tuple(table.dims))


def _dense(stacked: Any) -> Any:
    return stacked.dense() if isinstance(stacked, ExampleSlices) else stacked


def _to_sources(way: Linearization, shared: list[tuple[Any, Any]]) -> list[Any]:
    """From stacked cotangents of shared tensors to those of the sources, through what lies between them."""
    uids = {x.uid: i for i, x in enumerate(way.xs)}
    read = {node.outputs[0].uid: node.inputs[0].uid for node in way.nodes if node.primitive.name in ("ReadVariableOp", "Identity")}
    found: list[Any] = [None] * len(way.xs)
    further = []
    for x, stacked in shared:
        uid = x.uid
        while uid in read and uid not in uids:
            uid = read[uid]
        if uid in uids:
            before = found[uids[uid]]
            found[uids[uid]] = stacked if before is None else add(_dense(before), _dense(stacked))
        else:
            further.append((x, _dense(stacked)))
    if further:
        tensors = [x for x, _ in further]

        def pull_sources(*gs: Any) -> list[Any]:
            return [None if g is None else densify(g) for g in pullback(way.nodes, tensors, gs, way.xs, way.active)]

        more = vectorize(pull_sources, *[stacked for _, stacked in further])
        found = [b if a is None else a if b is None else add(_dense(a), b) for a, b in zip(found, more, strict=True)]
    return found
