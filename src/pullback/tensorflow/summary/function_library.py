"""Graphs as the bytes of a GraphDef with its library of functions: the bodies of branches, loops and calls, each once.

tensorboardX's GraphDef has no field for the library, so that field and the messages in it are put together by hand.
"""

from __future__ import annotations

from ...ir.function_graph import Body
from ...ir.graph import Graph
from ...ir.graph_def import graph_def, node_def
from ...ir.node import Node
from ...ir.tensor import SymbolicTensor

#: Fields of TensorFlow's messages: of GraphDef, of FunctionDefLibrary, of FunctionDef, of its signature (an OpDef) and of an ArgDef.
_LIBRARY, _FUNCTION = 2, 1
_SIGNATURE, _NODE, _RETURNS = 1, 3, 4
_NAME, _INPUT, _OUTPUT = 1, 2, 3
_TYPE = 3


def graph_bytes(graph: Graph) -> bytes:
    """A GraphDef of a graph, its shapes and its functions in it."""
    library = _Library()
    nodes = graph_def(graph, add_shapes=True, named=library.name_of).SerializeToString()
    functions = b"".join(field(_FUNCTION, one) for one in library.functions())
    return nodes + field(_LIBRARY, functions) if functions else nodes


class _Library:
    """The bodies that a graph names, and those in them."""

    def __init__(self) -> None:
        self._names: dict[int, str] = {}
        self._bodies: list[Body] = []

    def name_of(self, body: object, name: str) -> str:
        """The name of a body: its function's, or for what has none of its own what it is to the operation that holds it, and a number."""
        if not isinstance(body, Body):
            return name
        if id(body) not in self._names:
            own = body.graph.function_name if name.endswith("_f") else name
            self._names[id(body)] = f"{own.replace('/', '_')}_{len(self._bodies)}"
            self._bodies.append(body)
        return self._names[id(body)]

    def functions(self) -> list[bytes]:
        """A FunctionDef of each body; while they are written, further ones are found."""
        return [self._function(body) for body in self._bodies]

    def _function(self, body: Body) -> bytes:
        inside = {t.node for t in body.inputs}
        nodes = [n for n in body.graph.nodes if n not in inside and (body.part is None or n in body.part)]
        results = [(f"result_{i}", t) for i, t in enumerate(body.outputs)]
        signature = field(_NAME, self._names[id(body)].encode())
        signature += b"".join(field(_INPUT, _argument(t.node.name, t)) for t in body.inputs)
        signature += b"".join(field(_OUTPUT, _argument(name, t)) for name, t in results)
        made = field(_SIGNATURE, signature)
        for node in nodes:
            message = node_def(node, add_shapes=True, named=self.name_of)
            message.input[: len(node.inputs)] = [_place(t, inside) for t in node.inputs]
            made += field(_NODE, message.SerializeToString())
        for name, t in results:
            made += field(_RETURNS, field(1, name.encode()) + field(2, _place(t, inside).encode()))
        return made


def _argument(name: str, tensor: SymbolicTensor) -> bytes:
    return field(_NAME, name.encode()) + bytes([_TYPE << 3]) + _varint(tensor.dtype.as_datatype_enum)


def _place(tensor: SymbolicTensor, inside: set[Node]) -> str:
    """A tensor as a function names it: an argument by its name, an output of an operation by that and its number."""
    node = tensor.node
    if node in inside:
        return node.name
    first = node.primitive.outputs[0]
    if first.startswith("*"):
        return f"{node.name}:{first[1:]}:{tensor.value_index}"
    return f"{node.name}:{node.primitive.outputs[tensor.value_index]}:0"


def field(number: int, message: bytes) -> bytes:
    """A field of a protocol buffer that holds a message or a text, as bytes."""
    return bytes([number << 3 | 2]) + _varint(len(message)) + message


def _varint(number: int) -> bytes:
    found = b""
    while number > 0x7F:
        found += bytes([number & 0x7F | 0x80])
        number >>= 7
    return found + bytes([number])
