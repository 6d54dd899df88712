"""A plan's nodes for known shapes: calls opened, branches that cannot be taken gone, constants folded, equal nodes merged, algebra done.

The result is a graph again: its nodes were added through type rules, so it can be verified and printed like any other.
Nodes with effects keep their order, and each new node knows the node it stands for, whose memory it uses when it runs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from ...base.dtypes import FROM_NUMPY, variant
from ...ir.context import enter_graph, stop_recorders
from ...ir.function_graph import FunctionGraph
from ...ir.graph import CONST
from ...ir.node import Node
from ...ir.op import OPS, is_known
from ...ir.plan import FAILURES
from ...ir.references import READ, is_handle, variable_type
from ...ir.tensor import Dims, SymbolicTensor, TensorType
from .builder import Unsupported
from .simplify import simplify_node

_FOLDED = 1024
CALLS = frozenset({"PartitionedCall", "RecomputedCall"})


class Specialised:
    """A graph for known shapes: its inputs and outputs (None where an operation was fetched), and where each node comes from."""

    def __init__(self, graph: FunctionGraph, inputs: list[Any], outputs: list[Any], origin: dict[Node, Node]) -> None:
        self.graph, self.inputs, self.outputs, self.origin = graph, inputs, outputs, origin


def specialise_graph(
    nodes: Sequence[Node], fed: Sequence[SymbolicTensor], fetched: Sequence[Any], types: Sequence[TensorType],
    elements: Mapping[int, Dims] | None = None,
) -> Specialised:  # fmt: skip
    """The graph that computes `fetched` from values of `types` for the tensors `fed`.

    nodes: in an order they can run in, without constants.  elements: the dims of the elements of lists among `fed`, by number.
    """
    graph = FunctionGraph("specialised", None)
    maker = _Maker(graph)
    with stop_recorders(), enter_graph(graph):
        inputs = [maker.declare_input(t, kind) for t, kind in zip(fed, types, strict=True)]
        maker.elements = {inputs[number].uid: dims for number, dims in (elements or {}).items()}
        maker.run(nodes)
        outputs = [maker.get_new(t) if isinstance(t, SymbolicTensor) else None for t in fetched]
    return Specialised(graph, inputs, outputs, maker.origin)


class _Maker:
    def __init__(self, graph: FunctionGraph) -> None:
        self.graph = graph
        self.origin: dict[Node, Node] = {}
        #: By the uid of a list, the dims of its elements.
        self.elements: dict[int, Dims] = {}
        self._new: dict[int, SymbolicTensor] = {}
        self._same: dict[Any, Sequence[SymbolicTensor]] = {}
        #: How often a variable was assigned to, by its handle's uid; of None, how often any may have been changed.
        self._changes: Counter[int | None] = Counter()
        #: Arrays whose `id` is a key: it is nobody else's while they live.
        self._kept: list[np.ndarray] = []

    def declare_input(self, tensor: SymbolicTensor, kind: TensorType) -> SymbolicTensor:
        made = self.graph.declare(kind.dims, kind.dtype)
        if is_handle(tensor):
            made.node.attrs = {**made.node.attrs, "variable": variable_type(tensor)}
        self._new[tensor.uid] = made
        return made

    def get_new(self, tensor: SymbolicTensor) -> SymbolicTensor:
        """What stands for a tensor in the new graph."""
        if tensor.uid not in self._new:
            if tensor.node.primitive.name == "Const":
                self._new[tensor.uid] = self._constant(tensor.node.attrs["value"])
            else:  # A loop that was differentiated after it was planned keeps lists, which begin as outputs of new nodes.
                self._add(tensor.node)
        return self._new[tensor.uid]

    def run(self, nodes: Iterable[Node]) -> None:
        """Add nodes, one after another; the bodies of calls in place of the calls."""
        pending = [iter(nodes)]
        while pending:
            for node in pending[-1]:
                inside = self._open_call(node)
                if inside is not None:
                    pending.append(inside)
                    break
                self._add(node)
            else:
                pending.pop()

    def _open_call(self, node: Node) -> Any:
        """The nodes of the body that a call runs, and after them those that tie its results to the call's."""
        body = self._body_of(node)
        if body is None:
            return None
        args = node.inputs[1:] if node.primitive.name == "Case" else node.inputs
        for inner, arg in zip(body.inputs, args, strict=True):
            self._new[inner.uid] = self.get_new(arg)
        plan = body.plan()
        for inner_node in plan.nodes:
            for t in inner_node.outputs:
                if not any(t is given for given in body.inputs):
                    self._new.pop(t.uid, None)
        return self._tie_results(node, body, plan.nodes)

    def _tie_results(self, node: Node, body: Any, inside: Sequence[Node]) -> Any:
        yield from inside
        for out, inner in zip(node.outputs, body.outputs, strict=False):
            self._new[out.uid] = self.get_new(inner)

    def _body_of(self, node: Node) -> Any:
        if node.primitive.name in CALLS:
            return node.attrs.get("f")
        if node.primitive.name == "Case":
            index = self.get_new(node.inputs[0])
            if index.node.primitive.name == "Const":
                branches = node.attrs["branches"]
                at = int(index.node.attrs["value"])
                return branches[at if 0 <= at < len(branches) else -1]
        return None

    def _add(self, node: Node) -> None:
        inputs = tuple([self.get_new(t) for t in node.inputs])
        outputs = self._make_outputs(node, inputs)
        for old, new in zip(node.outputs, outputs, strict=True):
            self._new[old.uid] = new

    def _make_outputs(self, node: Node, inputs: tuple[SymbolicTensor, ...]) -> Sequence[SymbolicTensor]:
        op = node.primitive
        if op is READ:
            read = (op, inputs[0].uid, self._changes[inputs[0].uid], self._changes[None])
            if read not in self._same:
                self._same[read] = self._node(node, inputs).outputs
            return self._same[read]
        if op.stateful:
            is_assignment = op.effects and op.lower is not None
            self._changes.update([t.uid for t in inputs] if is_assignment else [None])
            return self._node(node, inputs).outputs
        if op.traits.same and inputs[0].dims is not None and None not in inputs[0].dims:
            return inputs[:1]
        attrs = {name: node.attrs[name] for name in op.attributes}
        simpler = simplify_node(self._apply_op, op.name, inputs, attrs)
        if simpler is not None:
            return (simpler,)
        key = (op.name, tuple([t.uid for t in inputs]), _freeze_attrs(attrs))
        known = self._same.get(key)
        if known is None:
            known = self._same[key] = self._fold_node(self._node(node, inputs))
        return known

    def _apply_op(self, name: str, *inputs: Any, **attrs: Any) -> SymbolicTensor:
        """The result of an operation that the plan does not have; inputs may be arrays."""
        given = tuple([t if isinstance(t, SymbolicTensor) else self._constant(np.asarray(t)) for t in inputs])
        simpler = simplify_node(self._apply_op, name, given, attrs)
        if simpler is not None:
            return simpler
        key = (name, tuple([t.uid for t in given]), _freeze_attrs(attrs))
        known = self._same.get(key)
        if known is None:
            node = self.graph.add(OPS[name], given, attrs, f"n{len(self.graph.nodes)}")
            self.origin[node] = node
            known = self._same[key] = self._fold_node(node)
        return known[0]

    def _node(self, node: Node, inputs: tuple[SymbolicTensor, ...]) -> Node:
        known = {name: node.attrs[name] for name in node.primitive.attributes}
        try:
            made = self.graph.add(node.primitive, inputs, known, f"n{len(self.graph.nodes)}")
        except ValueError as error:
            raise Unsupported(f"{node.name}: {error}") from error
        made.attrs = node.attrs
        self.origin[made] = node
        dims = self.elements.get(inputs[0].uid) if inputs and inputs[0].dtype is variant else None
        for t in made.outputs if dims is not None else ():
            if t.dtype is variant:
                self.elements[t.uid] = dims
            elif node.primitive.name in ("TensorListPopBack", "TensorListGetItem"):
                t.set_shape(dims)
        return made

    def _fold_node(self, node: Node) -> Sequence[SymbolicTensor]:
        """The outputs of a node, constants where its inputs are and they are small."""
        outputs = node.outputs
        if len(outputs) == 1 and is_known(outputs[0].constant):
            return (self._constant(np.asarray(outputs[0].constant, outputs[0].dtype.numpy_dtype)),)
        if not all(t.node.primitive.name == "Const" for t in node.inputs) or not all(_is_small(t) for t in outputs):
            return outputs
        values = node.primitive.arguments(tuple([t.node.attrs["value"] for t in node.inputs]))
        values = tuple(list(v) if isinstance(v, tuple) else v for v in values)
        try:
            result = node.primitive.kernel(*values, **{name: node.attrs[name] for name in node.primitive.attributes})
        except FAILURES:  # perhaps it never runs: where it does, it says what is wrong
            return outputs
        several = result if isinstance(result, (tuple, list)) else (result,)
        return tuple([self._constant(np.asarray(v)) for v in several])

    def _constant(self, value: np.ndarray) -> SymbolicTensor:
        """A constant; one for all that are equal, where they are small."""
        key = (value.dtype.str, value.shape, value.tobytes()) if value.size <= 64 and value.dtype.kind != "O" else id(value)
        if key not in self._same:
            self._kept.append(value)
            value = np.array(value)
            value.setflags(write=False)
            node = self.graph.add(CONST, (), {"value": value, "dtype": FROM_NUMPY[value.dtype]}, f"n{len(self.graph.nodes)}")
            self._same[key] = node.outputs
        return self._same[key][0]


def _is_small(t: SymbolicTensor) -> bool:
    return t.dtype.is_numpy_compatible and t.size is not None and t.size <= _FOLDED


def _freeze_attrs(attrs: dict[str, Any]) -> Any:
    """Attributes as a key: what cannot be hashed is equal only to itself."""
    found = []
    for name, value in attrs.items():
        try:
            hash(value)
        except TypeError:
            value = id(value)
        found.append((name, type(value), value))
    return tuple(found)
