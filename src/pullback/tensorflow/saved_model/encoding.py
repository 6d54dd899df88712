"""Graphs and the values in them as plain JSON, with arrays beside it, and back.

What JSON has not is an object of one key that says what it is: `{"tuple": [...]}`, `{"array": 3}`.  Nothing of it names Python code: an
operation is known by its name in the registry, and a node is made as any other, so that its type rule checks what a file says of it.
"""

from __future__ import annotations

import base64
import collections
import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from ...base import nest
from ...base.dtypes import DType, as_dtype
from ...base.errors import DataLossError, InvalidArgumentError
from ...base.shapes import TensorShape
from ...control.call import body_of, call
from ...control.custom import CUSTOM
from ...ir.apply import convert_to_tensor
from ...ir.function_graph import Body, FunctionGraph
from ...ir.graph import Graph
from ...ir.node import Node
from ...ir.op import OPS
from ...ir.tensor import EagerTensor, SymbolicTensor
from ...ir.type_spec import TypeSpec
from ...transforms.sparse import densify
from .spec_names import class_of_spec, name_of_spec

Json = Any
#: What a file that nobody checked can make a reader raise.
DAMAGE = (
    ArithmeticError, AssertionError, AttributeError, LookupError, NotImplementedError, RecursionError, StopIteration, TypeError, ValueError,
    InvalidArgumentError, DataLossError,
)  # fmt: skip
#: Attributes that hold what a run or a gradient has found out, which is found again.
_PASSING = frozenset({"_revolve", "_stacks", "_carried", "_kept", "_rematerialised"})
#: Attributes that nodes may have beside those of their operation.
_BESIDE = frozenset({"variable", "_empty", "_tick", "_unread", "_maximum", "_version_1", "_gradient_op_type"})
#: How deep gradients of `custom_gradient` are written: of a gradient's own gradients, the third has none.
_ORDERS = 3


class NotEncodable(TypeError):
    """A Python object that no file can hold."""


class Encoder:
    """Writes values, graphs and bodies, each graph and body once.

    Args:
        custom_gradients: whether the functions given to `custom_gradient` are traced, so that a loaded function has their gradients.
    """

    def __init__(self, custom_gradients: bool = True) -> None:
        self.arrays: list[np.ndarray] = []
        self.graphs: list[Json] = []
        self.bodies: list[Json] = []
        #: The numbers of objects that functions read by a handle, by the uids of these.
        self.objects: dict[int, int] = {}
        self._custom_gradients, self._order = custom_gradients, 0
        self._graph_numbers: dict[Graph, int] = {}
        self._body_numbers: dict[int, tuple[int, Body]] = {}

    def value(self, value: object) -> Json:
        """A value; NotEncodable for an object of Python's."""
        if value is None or type(value) in (bool, int, float, str):
            return value
        if isinstance(value, (np.ndarray, np.generic)):
            self.arrays.append(np.asarray(value))
            return {"array" if isinstance(value, np.ndarray) else "number": len(self.arrays) - 1}
        if isinstance(value, Mapping):
            return {"dict": [[self.value(key), self.value(item)] for key, item in value.items()]}
        if isinstance(value, (list, tuple)):
            items = [self.value(item) for item in value]
            if isinstance(value, list):
                return items
            return {"namedtuple": [type(value).__name__, *value._fields], "items": items} if hasattr(value, "_fields") else {"tuple": items}
        if isinstance(value, TypeSpec):
            return {"spec": name_of_spec(type(value)), "of": [self.value(part) for part in value._serialize()]}
        for kind, write in self._writers.items():
            if isinstance(value, kind):
                return write(self, value)
        raise NotEncodable(f"{value!r}, a {type(value).__name__}")

    def _tensor(self, tensor: SymbolicTensor) -> Json:
        return {"tensor": [self.graph(tensor.node.graph), tensor.node.position, tensor.index]}

    def body(self, body: Body) -> Json:
        """A body, by the number it has in `bodies`."""
        if id(body) not in self._body_numbers:
            graph = self.graph(body.graph)
            inputs, outputs = ([[t.node.position, t.index] for t in tensors] for tensors in (body.inputs, body.outputs))
            part = None if body.part is None else sorted(node.position for node in body.part)
            self._body_numbers[id(body)] = len(self.bodies), body
            self.bodies.append([graph, inputs, outputs, part])
        return {"body": self._body_numbers[id(body)][0]}

    def graph(self, graph: Graph) -> int:
        """The number of a graph in `graphs`."""
        if graph not in self._graph_numbers:
            self._graph_numbers[graph] = len(self.graphs)
            self.graphs.append(None)
            nodes = [self._node(node) for node in graph.nodes]
            self.graphs[self._graph_numbers[graph]] = {"name": getattr(graph, "function_name", ""), "nodes": nodes}
        return self._graph_numbers[graph]

    def _node(self, node: Node) -> Json:
        try:
            attrs = {name: self._attribute(node, name, value) for name, value in node.attrs.items() if name not in _PASSING}
        except NotEncodable as why:
            raise ValueError(
                f"The operation {node.name} ({node.type}), made at {node.where}, cannot be saved: it holds {why}. A SavedModel has "
                "operations, constants and variables, and no Python: py_function and its kin have to stay outside of what is saved."
            ) from None
        inputs = [[t.node.position, t.index] for t in node.inputs]
        outputs = [None if t.dims is None else list(t.dims) for t in node.outputs]
        return [node.primitive.name, node.name, inputs, attrs, [other.position for other in node.control_inputs], outputs, node.device]

    def _attribute(self, node: Node, name: str, value: Any) -> Json:
        return self._rule(node, value) if node.primitive is CUSTOM and name == "rule" else self.value(value)

    def _rule(self, node: Node, rule: Callable[..., list[Any]]) -> Json:
        """The gradient function of a `custom_gradient` as a body: from cotangents, and tensors of the graph, to cotangents."""
        if (isinstance(rule, RestoredRule) and rule.body is None) or not self._custom_gradients or self._order == _ORDERS:
            return {"rule": None}
        graph = FunctionGraph(f"gradient_of_{node.name}", node.graph)
        count = node.attrs["count"]
        self._order += 1
        try:
            with graph.building():
                gs = [graph.declare(t.dims, t.dtype, "cotangent") for t in node.outputs]
                answers = rule(gs, (True,) * (len(node.inputs) - count))
                found = [None if g is None else graph.own(convert_to_tensor(densify(g))) for g in answers]
            body, outside = body_of(graph, [g for g in found if g is not None])
            given = [self._from_outside(node, tensor) for tensor in outside]
            return {"rule": self.body(body)["body"], "given": given, "reached": [g is not None for g in found]}
        finally:
            self._order -= 1

    def _from_outside(self, node: Node, tensor: Any) -> Json:
        """What a gradient function reads: a tensor of the node's graph, or a constant."""
        graph = node.graph
        if isinstance(tensor, SymbolicTensor) and tensor.node.graph is graph:
            return self._tensor(tensor)
        if isinstance(graph, FunctionGraph) and tensor.uid in graph.captured:
            return self._tensor(graph.captured[tensor.uid][1])
        if tensor.uid in self.objects:
            return {"object": self.objects[tensor.uid]}
        if type(tensor) is EagerTensor:
            return self.value(np.asarray(tensor.numpy()))
        raise ValueError(
            f"The gradient function of {node.name}, made at {node.where}, reads {tensor!r}, which the function around it does not: it "
            "cannot be saved. SaveOptions(experimental_custom_gradients=False) saves the function without its own gradient."
        )

    _writers: ClassVar[dict[type, Callable[[Encoder, Any], Json]]] = {
        Body: body,
        SymbolicTensor: _tensor,
        DType: lambda self, value: {"dtype": value.name},
        TensorShape: lambda self, value: {"shape": None if value.rank is None else value.as_list()},
        bytes: lambda self, value: {"bytes": base64.b64encode(value).decode()},
        complex: lambda self, value: {"complex": [value.real, value.imag]},
        slice: lambda self, value: {"slice": [self.value(value.start), self.value(value.stop), self.value(value.step)]},
    }


class RestoredRule:
    """The gradient of a `custom_gradient` that was loaded: a body over cotangents and tensors of the function it is in."""

    def __init__(self, body: Body | None, given: Sequence[Any], reached: Sequence[bool]) -> None:
        self.body, self._given, self._reached = body, given, reached

    def __call__(self, gs: Sequence[Any], active: Sequence[bool]) -> list[Any]:
        if self.body is None:
            raise LookupError(
                "No gradient defined for operation 'CustomGradient': the function was saved without the gradients of custom_gradient "
                f"(SaveOptions(experimental_custom_gradients=False)), or this is a gradient of an order above {_ORDERS}."
            )
        found = iter(call(self.body, [*gs, *self._given]))
        return [next(found) if reached else None for reached in self._reached]


class Decoder:
    """Reads what an `Encoder` wrote; KeyError, IndexError, TypeError or ValueError for what it cannot have written."""

    def __init__(
        self, graphs: Sequence[Json], bodies: Sequence[Json], arrays: Sequence[np.ndarray], handle_of: Callable[[int], Any]
    ) -> None:
        self._graphs, self._bodies, self._arrays, self._handle_of = graphs, bodies, arrays, handle_of
        self._made_graphs: dict[int, Graph] = {}
        self._made_bodies: dict[int, Body] = {}
        #: The nodes of each graph that was begun, in the order in which they were written.
        self._nodes: dict[int, list[Node]] = {}

    def value(self, written: Json) -> Any:
        """A value."""
        if isinstance(written, list):
            return [self.value(item) for item in written]
        if not isinstance(written, dict):
            return written
        kind, content = next(iter(written.items()))
        if kind == "namedtuple":
            return collections.namedtuple(content[0], content[1:])(*map(self.value, written["items"]))  # fields are known late
        if kind == "spec":
            return class_of_spec(content)._deserialize([self.value(part) for part in written["of"]])
        if kind == "rule":
            body = None if content is None else self.body(content)
            given = [convert_to_tensor(v) if isinstance(v, np.ndarray) else v for v in self.value(written.get("given", []))]
            return RestoredRule(body, given, written.get("reached", []))
        return self._readers[kind](self, content)

    def _place(self, content: Json) -> SymbolicTensor:
        number, position, index = content
        if number not in self._nodes:
            self.graph(number)
        return self._nodes[number][position].outputs[index]

    def body(self, number: int) -> Body:
        """The body of a number."""
        if number not in self._made_bodies:
            graph_number, inputs, outputs, part = self._bodies[number]
            graph = self.graph(graph_number)
            taken, given = ([graph.nodes[position].outputs[index] for position, index in places] for places in (inputs, outputs))
            if not isinstance(graph, FunctionGraph) or (part is None and any(t.node.primitive.name != "Placeholder" for t in taken)):
                raise ValueError(f"body {number} takes what is no input of its graph")
            own = None if part is None else frozenset(graph.nodes[position] for position in part)
            self._made_bodies[number] = Body(graph, taken, given, own)
        return self._made_bodies[number]

    def graph(self, number: int, into: Graph | None = None, rename: Callable[[str], str] | None = None) -> Graph:
        """The graph of a number: a function's, or one whose nodes are added to the graph `into`, under the names that `rename` gives."""
        if number not in self._made_graphs:
            if number in self._nodes:
                raise ValueError(f"graph {number} holds itself")
            made = self._nodes[number] = []
            written = self._graphs[number]
            graph = FunctionGraph(str(written["name"]), None) if into is None else into
            for op_name, name, *rest in written["nodes"]:
                if into is None:
                    self._made_graphs[number] = graph  # so that a node can name one before it; one behind it is not there yet
                made.append(self._node(graph, made, op_name, name if rename is None else rename(name), *rest))
            self._made_graphs[number] = graph
        return self._made_graphs[number]

    def _node(
        self, graph: Graph, made: list[Node], op_name: str, name: str, inputs: Json, attrs: Json, control: Json, dims: Json, device: str
    ) -> Node:
        op = OPS[op_name]
        found = {key: self.value(value) for key, value in attrs.items()}
        if not op.attribute_names <= found.keys() or not found.keys() <= op.attribute_names | _BESIDE:
            raise ValueError(f"{name} ({op_name}) has the attributes {sorted(found)}, its operation {sorted(op.attribute_names)}")
        given = [made[position].outputs[index] for position, index in inputs]
        if len(given) < len(op.inputs) - op.lists or (op.variadic is None and len(given) != len(op.inputs)):
            raise ValueError(f"{name} ({op_name}) has {len(given)} inputs")
        beside = {key: found.pop(key) for key in _BESIDE & found.keys() - op.attribute_names}
        if found.get("is_ref"):
            found["shared_name"] = name
        node = graph.add(op, tuple(given), found, name)
        node.attrs = {**node.attrs, **beside}
        graph._names.setdefault(name.lower(), 1)
        node._control_inputs = tuple(made[position] for position in control)
        node.device = device
        for output, known in zip(node.outputs, dims, strict=True):
            output.set_shape(known)
        return node

    _readers: ClassVar[dict[str, Callable[[Decoder, Any], Any]]] = {
        "array": lambda self, content: self._arrays[content],
        "number": lambda self, content: self._arrays[content][()],
        "object": lambda self, content: self._handle_of(content),
        "dict": lambda self, content: {self.value(key): self.value(item) for key, item in content},
        "tuple": lambda self, content: tuple(map(self.value, content)),
        "tensor": _place,
        "body": body,
        "dtype": lambda self, content: as_dtype(content),
        "shape": lambda self, content: TensorShape(content),
        "bytes": lambda self, content: base64.b64decode(content),
        "complex": lambda self, content: complex(*content),
        "slice": lambda self, content: slice(*map(self.value, content)),
    }


# ---- what functions take and give


def encode_signature(encoder: Encoder, signature: inspect.Signature) -> Json:
    """The parameters of a function; a default that no file can hold is left out, and the parameter has to be given."""
    found = []
    for p in signature.parameters.values():
        default: list[Json] = []
        if p.default is not p.empty:
            try:
                default = [encoder.value(p.default)]
            except NotEncodable:
                default = []
        found.append([p.name, p.kind.name, default])
    return found


def decode_signature(decoder: Decoder, written: Json) -> inspect.Signature:
    """What `encode_signature` wrote."""
    empty = inspect.Parameter.empty
    kinds = {kind.name: kind for kind in map(inspect._ParameterKind, range(5))}
    parameters = [
        inspect.Parameter(name, kinds[kind], default=decoder.value(default[0]) if default else empty) for name, kind, default in written
    ]
    return inspect.Signature(parameters)


def pack_results(template: object, tensors: Sequence[Any]) -> Any:
    """The results of a function, from a structure of specs and the tensors that it gives."""
    rest = iter(tensors)
    leaves = [leaf.from_tensors(rest) if isinstance(leaf, TypeSpec) else leaf for leaf in nest.flatten(template)]
    return nest.pack_sequence_as(template, leaves)
