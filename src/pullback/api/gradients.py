"""`tf.gradients` and `tf.hessians`: the sweep in a graph, with TensorFlow's names, scopes, colocation and gating around it."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..base.dtypes import DType, variant
from ..base.export import export
from ..base.garbage import pause_collection
from ..base.lazy_import import LazyModule
from ..ir.apply import convert_to_tensor
from ..ir.composite import CompositeTensor
from ..ir.context import current, enter_graph, executing_eagerly
from ..ir.graph import Graph
from ..ir.node import Node, show_source, user_frame
from ..ir.tensor import Gradient, IndexedSlices, SymbolicTensor, Tensor
from ..ops.array.basic import fill, identity, shape_of, zeros_of
from ..ops.effects.operations import tuple_
from ..ops.math.sums import ADD_N
from ..transforms.cotangents import DeferredSums, plus
from ..transforms.explain import remember_none
from ..transforms.gradient_names import name_cotangents, order_nodes, places, reached_inputs
from ..transforms.reverse import find_between_graphs, find_dependents, is_trainable, pullback
from .default import get_default_graph
from .endpoints import AggregationMethod, UnconnectedGradients, as_list, as_option, graph_target, source_of

if TYPE_CHECKING:
    from ..diagnose import notes
    from .source_types import Unconnected
else:
    notes = LazyModule("pullback.diagnose.notes")


@export(v2="gradients")
def gradients(
    ys: object,
    xs: object,
    grad_ys: object = None,
    name: str | None = "gradients",
    gate_gradients: bool = False,
    aggregation_method: int | None = None,
    stop_gradients: object = None,
    unconnected_gradients: Unconnected = UnconnectedGradients.NONE,
) -> list[Gradient]:
    """The gradients of the sum of all elements of all `ys` with respect to each of `xs`, as tensors of the graph.

    ys, xs: a tensor or variable, or a list of them.  grad_ys: weights of the elements of each of `ys`, ones where None.
    stop_gradients: tensors to hold constant.  unconnected_gradients: 'none' or 'zero', the answer where no path leads.
    Returns a list as long as `xs`: tensors of the shape and dtype of each x, `IndexedSlices` where sparse.
    Raises RuntimeError when executing eagerly, LookupError for an op without a gradient, ValueError and TypeError for weights that do
    not fit.

    >>> with tf1.Graph().as_default(), tf1.Session() as sess:
    ...     x = tf1.constant([1.0, 2.0])
    ...     print(sess.run(tf1.gradients(x * x, x)))
    [array([2., 4.], dtype=float32)]
    """
    return _gradients(ys, xs, grad_ys, name, False, gate_gradients, aggregation_method, stop_gradients, unconnected_gradients, is_trainable)


@export(v1="gradients")
def gradients_v1(
    ys: object,
    xs: object,
    grad_ys: object = None,
    name: str | None = "gradients",
    colocate_gradients_with_ops: bool = False,
    gate_gradients: bool = False,
    aggregation_method: int | None = None,
    stop_gradients: object = None,
    unconnected_gradients: Unconnected = UnconnectedGradients.NONE,
) -> list[Gradient]:
    """`gradients` with TensorFlow 1's signature; gradients flow through integers too, as they did in TensorFlow 1.

    colocate_gradients_with_ops: ask that the gradient of each operation shares its device.  Else as `pullback.gradients`.

    >>> with tf1.Graph().as_default(), tf1.Session() as sess:
    ...     x = tf1.placeholder(tf1.float32, [2])
    ...     (slope,) = tf1.gradients(x**3.0, x, grad_ys=[tf1.constant([1.0, 10.0])])
    ...     print(sess.run(slope, {x: [1.0, 2.0]}))
    [  3. 120.]
    """
    return _gradients(
        ys,
        xs,
        grad_ys,
        name,
        colocate_gradients_with_ops,
        gate_gradients,
        aggregation_method,
        stop_gradients,
        unconnected_gradients,
        _is_trainable_or_integer,
    )


def _is_trainable_or_integer(dtype: DType) -> bool:
    return dtype.base_dtype.trainable or dtype.base_dtype.is_integer


def _gradients(
    ys: Any, xs: Any, grad_ys: Any, name: str | None, colocate: bool, gate: Any, aggregation: Any, stop: Any, unconnected_gradients: Any,
    flows: Callable[[DType], bool],
) -> list[Any]:  # fmt: skip
    if executing_eagerly():
        raise RuntimeError("tf.gradients is not supported when eager execution is enabled. Use tf.GradientTape instead.")
    option = as_option(unconnected_gradients)
    if aggregation not in (None, 0, 1, 2):
        raise ValueError(f"Invalid `aggregation_method` specified {aggregation}. Accepted values are [0, 1, 2].")
    ys, xs = as_list(ys), as_list(xs)
    weights = [None] * len(ys) if grad_ys is None else as_list(grad_ys)
    if len(weights) != len(ys):
        raise ValueError(f"Length mismatch. Passed {len(weights)} grad_ys for {len(ys)} ys")
    current_graph = current().graph
    graph = current_graph if current_graph is not None and current_graph.captures_others else _graph_of([*ys, *xs])
    with enter_graph(graph), graph.name_scope(name or "gradients") as scope, pause_collection():
        targets = [graph.own(graph_target(y, "y")) if graph.captures_others else graph_target(y, "y") for y in ys]
        sources = [graph.own(source_of(x)) if graph.captures_others else source_of(x) for x in xs]
        _require_same_graph(graph, [*targets, *sources])
        hooks = _GraphHooks(graph, scope, colocate, bool(gate), aggregation, flows)
        seeds = [hooks.seed(i, y, g) for i, (y, g) in enumerate(zip(targets, weights, strict=True))]
        held = {_source_of_stop(t).uid for t in ([] if stop is None else as_list(stop))}
        nodes = [node for node in find_between_graphs(targets, sources) if held.isdisjoint(t.uid for t in node.outputs)]
        active = find_dependents(nodes, sources, flows)
        try:
            nodes = order_nodes(nodes, targets)
            found = pullback(nodes, targets, seeds, sources, active, DeferredSums(current(), hooks.total, hooks.begin, hooks.finish))
        except Exception as error:
            notes.note_sources(error, xs)
            raise
        finally:
            hooks.restore()
    return [_answer(option, g, x, s, targets, held) for g, x, s in zip(found, xs, sources, strict=True)]


def _graph_of(things: Sequence[Any]) -> Graph:
    for thing in things:
        thing = thing._get_differentiated() if isinstance(thing, CompositeTensor) else thing
        graph = getattr(thing, "_graph", None) or (thing.graph if isinstance(thing, (SymbolicTensor, IndexedSlices)) else None)
        if isinstance(graph, Graph):
            return graph
    return get_default_graph()


def _source_of_stop(t: Any) -> Any:
    if not (isinstance(t, Tensor) or hasattr(t, "handle")):
        raise AttributeError(f"'{type(t).__name__}' object has no attribute 'op': stop_gradients takes tensors and variables, not {t!r}")
    return source_of(t)


def _require_same_graph(graph: Graph, tensors: list[Any]) -> None:
    for t in tensors:
        if t.graph is not graph:
            raise ValueError(f"{t} must be from the same graph as {tensors[0]} (graphs are {t.graph} and {graph}).")


def _answer(option: UnconnectedGradients, g: Any, x: Any, source: Any, targets: list[Any], held: set[int]) -> Any:
    if g is not None:
        return x._with_differentiated(g) if isinstance(x, CompositeTensor) else g
    if option is UnconnectedGradients.ZERO:
        with source.graph.name_scope(None), enter_graph(source.graph):
            dims, dtype = (x.dims, x.dtype.base_dtype) if hasattr(x, "handle") else (source.dims, source.dtype)
            if dims is not None and None not in dims:
                return convert_to_tensor(np.zeros(dims, dtype.numpy_dtype), name="zeros" if hasattr(x, "handle") else "zeros_like")
            return zeros_of(source)
    remember_none(source.graph, targets, source, show_source(user_frame()), held)
    return None


class _GraphHooks:
    """Names, colocation, gating and aggregation of the gradient ops of one call."""

    def __init__(self, graph: Graph, scope: str, colocate: bool, gate: bool, aggregation: Any, flows: Callable[[DType], bool]) -> None:
        self.graph = graph
        self.flows = flows
        self.scope = scope.rstrip("/")
        self.colocate = colocate
        self.gate = gate
        self.aggregation = aggregation
        self.first = len(graph.nodes)
        self._before = (graph.scope, graph.original_op, graph._colocation, graph.source)
        graph.source = user_frame()

    def restore(self) -> None:
        """Leave the graph's scope as it was."""
        self.graph.scope, self.graph.original_op, self.graph._colocation, self.graph.source = self._before

    def seed(self, i: int, y: Any, weight: Any) -> Any:
        """The cotangent of target `i`: ones, or the weight given once its dtype is checked."""
        with self.graph.colocate_with(y.op) if self.colocate else contextlib.nullcontext():
            if weight is None:
                return self._ones(i, y)
            weight = weight._get_differentiated() if isinstance(weight, CompositeTensor) else weight
            if isinstance(weight, IndexedSlices):
                _check_weight(y, weight)
                return IndexedSlices(
                    *(
                        identity(convert_to_tensor(t), name=f"grad_ys_{i}_{part}")
                        for t, part in zip(weight._components(), ("values", "indices", "shape"), strict=False)
                    )
                )
            tensor = convert_to_tensor(weight, name=f"grad_ys_{i}")
            _check_weight(y, tensor)
            return identity(tensor, name=f"grad_ys_{i}")

    def _ones(self, i: int, y: Any) -> Any:
        dtype = y.dtype.base_dtype
        if dtype.is_complex:
            raise TypeError(f"Gradients of complex tensors ({y}) must set grad_ys (y.dtype = {dtype.name})")
        if dtype.numpy_dtype is None or dtype.name == "string":
            raise TypeError(f"Tensor {y} with type {dtype.name} must be numeric to obtain a default gradient")
        shape = shape_of(y)
        if isinstance(shape, np.ndarray):
            shape = self.graph.constant(shape, "Shape")
        one = self.graph.constant(np.ones((), dtype.numpy_dtype), f"grad_ys_{i}/Const")
        return fill(shape, one, name=f"grad_ys_{i}")

    def begin(self, node: Node) -> None:
        graph = self.graph
        graph.scope = self.scope
        graph.scope = graph.unique_name(f"{node.name}_grad")
        graph.original_op = node
        self.first = len(graph.nodes)
        graph._colocation = self._before[2]
        if self.colocate:
            graph._colocation = tuple(node.colocation_groups())

    def finish(self, node: Node, found: list[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
        if len(self.graph.nodes) > self.first:
            name_cotangents(self.graph, node, found, self.first)
        if not self.gate or not found or len(asked := reached_inputs(node, self.flows)) < 2:
            return found
        gated = tuple_([g for _, g in found])
        for place, g in reversed(list(zip(places(node, found), gated, strict=False))):
            if isinstance(g, SymbolicTensor) and (count := asked.index(place)):
                self.graph.rename(g.node, f"{self.graph.scope}/tuple/control_dependency_{count}", self.first)
        return [(x, g) for (x, _), g in zip(found, gated, strict=True)]

    def total(self, tensor: Tensor, cotangents: list[Any]) -> Any:
        method = AggregationMethod.DEFAULT if self.aggregation is None else self.aggregation
        if method not in (0, 1, 2):
            raise ValueError(f"Invalid `aggregation_method` specified {method}. Accepted values are [0, 1, 2].")
        graph = self.graph
        graph.scope, graph.original_op = self.scope, None
        maker = _maker(cotangents[0])
        graph._colocation = maker.colocation or tuple(maker.colocation_groups())
        if cotangents[0].dtype is variant or any(isinstance(g, IndexedSlices) for g in cotangents):
            total = cotangents[0]
            for g in cotangents[1:]:
                total = plus(total, g)
            return total
        if method == AggregationMethod.ADD_N:
            return ADD_N(cotangents)
        graph.scope = graph.unique_name(f"{tensor.op.name}_gradient_sum")
        total = cotangents[0]
        for g in cotangents[1:]:
            total = ADD_N([total, g])
        return total


def _maker(g: Any) -> Node:
    tensor: Any = g.values if isinstance(g, IndexedSlices) else g
    return tensor.op


def _check_weight(y: Any, weight: Any) -> None:
    have, given = y.dtype.base_dtype, weight.dtype.base_dtype
    if have.is_complex:
        if not given.is_complex:
            raise TypeError(f"Gradient type {given.name} generated for complex-valued tensor {y} with type {have.name} must be real")
    elif have.is_floating or have.is_integer:
        if not (given.is_floating or given.is_integer):
            raise TypeError(
                f"Gradient type {given.name} generated for real or integer-valued tensor {y} with type {have.name} must be real or integer"
            )
    elif have.name == "variant":
        if given.name != "variant":
            raise TypeError(f"Gradient type {given.name} generated for variant tensor {y} with type {have.name} must be variant")
    elif have.name == "resource":
        raise TypeError(f"Input gradient {weight} for resource tensor {y} should not be a resource")
    else:
        raise TypeError(f"Tensor {y} with type {have.name} must be numeric to obtain a default gradient")
