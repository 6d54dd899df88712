"""`tf.compat.v1.graph_util`: parts of a GraphDef, and a graph whose variables have become constants."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from typing import Any, Protocol

from ..api.session import Session
from ..base.dtypes import int32, string
from ..base.export import export
from ..base.shapes import TensorShape
from ..ir.graph import Graph
from ..ir.graph_def import tensor_proto
from ..ir.node import Node

_VARIABLES = ("VariableV2", "VarHandleOp")

#: By operation, the attribute and its dtypes that TensorFlow keeps on the CPU.
_ON_CPU = {"Const": ("dtype", (string, int32)), "DynamicStitch": ("T", (int32,)), "Cast": ("SrcT", (int32,))}


class GraphDef(Protocol):
    """A graph as a protocol buffer, whose package is loaded with the first."""

    node: Any
    versions: Any

    def SerializeToString(self) -> bytes: ...


@export(v1="graph_util.extract_sub_graph")
def extract_sub_graph(graph_def: GraphDef, dest_nodes: Iterable[str]) -> GraphDef:
    """The part of a graph that some nodes need, as a GraphDef.

    Args:
        graph_def: what `Graph.as_graph_def` gives. dest_nodes: names of nodes.

    Raises:
        TypeError: not a GraphDef, or one name by itself. AssertionError: a name that is not in the graph.

    >>> with tf1.Graph().as_default() as graph:
    ...     x = tf1.placeholder(tf1.float32, name="x")
    ...     y, z = tf1.negative(x, name="y"), tf1.exp(x, name="z")
    >>> [node.name for node in tf1.graph_util.extract_sub_graph(graph.as_graph_def(), ["z"]).node]
    ['x', 'z']
    """
    if type(graph_def).__name__ != "GraphDef":
        raise TypeError(f"graph_def must be a graph_pb2.GraphDef proto, but got type {type(graph_def)}.")
    if isinstance(dest_nodes, str):
        raise TypeError(f"dest_nodes must be an iterable of strings, but got type {type(dest_nodes)}.")
    nodes = {node.name: node for node in graph_def.node}
    pending = list(dest_nodes)
    for name in pending:
        if name not in nodes:
            raise AssertionError(f"{name} is not in graph")
    needed: set[str] = set()
    while pending:
        name = pending.pop()
        if name not in needed:
            needed.add(name)
            pending += map(_name_of, nodes[name].input)
    return _with_nodes(graph_def, (node for node in graph_def.node if node.name in needed))


@export(v1="graph_util.remove_training_nodes")
def remove_training_nodes(input_graph: GraphDef, protected_nodes: Container[str] | None = None) -> GraphDef:
    """A graph without nodes that inference does not need, as a GraphDef.

    An `Identity` that neither waits for a node nor is waited for gives way to its input. `CheckNumerics` goes, and with it, as in
    TensorFlow, the inputs that others have from it: protect those.

    Args:
        input_graph: what `Graph.as_graph_def` gives. protected_nodes: names of nodes that stay.

    >>> with tf1.Graph().as_default() as graph:
    ...     x = tf1.placeholder(tf1.float32, name="x")
    ...     y = tf1.exp(tf1.identity(x), name="y")
    >>> [(node.name, list(node.input)) for node in tf1.graph_util.remove_training_nodes(graph.as_graph_def()).node]
    [('x', []), ('y', ['x'])]
    """
    protected = protected_nodes or ()
    removed = {node.name for node in input_graph.node if node.op == "CheckNumerics" and node.name not in protected}
    inputs = {
        node.name: [one for one in node.input if _name_of(one) not in removed] for node in input_graph.node if node.name not in removed
    }
    waited_for = {_name_of(one) for given in inputs.values() for one in given if one[0] == "^"}
    spliced = {
        node.name: inputs[node.name][0]
        for node in input_graph.node
        if node.op == "Identity" and node.name not in protected and node.name not in waited_for and len(inputs[node.name]) == 1
    }

    def rest() -> Iterator[Any]:
        for node in input_graph.node:
            if node.name in inputs and node.name not in spliced:
                yield _with_inputs(node, [_follow(one, spliced) for one in inputs[node.name]])

    return _with_nodes(input_graph, rest())


@export(v1="graph_util.convert_variables_to_constants")
def convert_variables_to_constants(
    sess: Session, input_graph_def: GraphDef, output_node_names: Iterable[str],
    variable_names_whitelist: Container[str] | None = None, variable_names_blacklist: Container[str] | None = None
) -> GraphDef:  # fmt: skip
    """What some nodes need of a graph, with the values that a session has in place of its variables: a frozen graph, as a GraphDef.

    Args:
        sess: a session of the graph. input_graph_def: what the graph's `as_graph_def` gives. output_node_names: names of nodes.
        variable_names_whitelist: names of the variables to freeze, all when None. variable_names_blacklist: of those to leave.

    Raises:
        TypeError, AssertionError: as `extract_sub_graph`. FailedPreconditionError: a variable without a value. ValueError: a branch,
        loop or function that takes a variable, whose body a GraphDef of Pullback's has not; or an operation that writes one.

    >>> with tf1.Graph().as_default() as graph, tf1.Session() as sess:
    ...     y = tf1.add(tf1.get_variable("w", initializer=2.0), 1.0, name="y")
    ...     sess.run(tf1.global_variables_initializer())
    ...     frozen = tf1.graph_util.convert_variables_to_constants(sess, graph.as_graph_def(), ["y"])
    >>> [node.op for node in frozen.node if node.name in ("w", "y")]
    ['Const', 'AddV2']
    """
    found = extract_sub_graph(input_graph_def, output_node_names)

    def is_frozen(name: str) -> bool:
        listed = variable_names_whitelist is None or name in variable_names_whitelist
        return listed and (variable_names_blacklist is None or name not in variable_names_blacklist)

    names = [node.name for node in found.node if node.op in _VARIABLES and is_frozen(node.name)]
    values = dict(zip(names, sess.run([f"{name}:0" for name in names]) if names else [], strict=True))
    resources = {node.name for node in found.node if node.name in values and node.op == "VarHandleOp"}
    return _with_nodes(found, (_freeze_node(node, values, resources) for node in found.node))


@export(v1="graph_util.must_run_on_cpu")
def must_run_on_cpu(node: Any, pin_variables_on_cpu: bool = False) -> bool:
    """Whether TensorFlow runs a node on the CPU where there is a GPU too: strings, and the small integers that sizes are.

    Args:
        node: an operation, or a node of a GraphDef. pin_variables_on_cpu: whether TensorFlow 1's variables count.

    Raises:
        AssertionError: neither of them.

    >>> with tf1.Graph().as_default():
    ...     tf1.graph_util.must_run_on_cpu(tf1.constant("a").op), tf1.graph_util.must_run_on_cpu(tf1.constant(1.0).op)
    (True, False)
    """
    definition = node.node_def if isinstance(node, Node) else node
    if type(definition).__name__ != "NodeDef":
        raise AssertionError(f"{node!r} is neither an operation nor a node of a GraphDef")
    kind = definition.op
    if kind in ("Variable", "VariableV2"):
        return bool(pin_variables_on_cpu)
    attribute, dtypes = _ON_CPU.get(kind, ("", ()))
    return bool(attribute) and definition.attr[attribute].type in [dtype.as_datatype_enum for dtype in dtypes]


@export(v1="graph_util.tensor_shape_from_node_def_name")
def tensor_shape_from_node_def_name(graph: Graph, input_name: str) -> TensorShape:
    """The shape of a tensor, by the name that a node of a GraphDef has for its input: `split` is `split:0`.

    Raises:
        KeyError: there is none of this name.

    >>> with tf1.Graph().as_default() as graph:
    ...     x = tf1.zeros([2, 3], name="x")
    ...     print(tf1.graph_util.tensor_shape_from_node_def_name(graph, "x"))
    (2, 3)
    """
    shape: TensorShape = graph.get_tensor_by_name(input_name if ":" in input_name else f"{input_name}:0").shape
    return shape


def _name_of(name: str) -> str:
    """The node that an input is from, which it is a result of or waits for."""
    return name.removeprefix("^").split(":")[0]


def _follow(name: str, spliced: dict[str, str]) -> str:
    while name in spliced:
        name = spliced[name]
    return name


def _with_nodes(graph_def: GraphDef, nodes: Iterable[Any]) -> GraphDef:
    """A GraphDef that is like another one but for its nodes."""
    made: Any = type(graph_def)()
    made.CopyFrom(graph_def)
    del made.node[:]
    made.node.extend(nodes)
    found: GraphDef = made
    return found


def _with_inputs(node: Any, inputs: Iterable[str]) -> Any:
    made = type(node)()
    made.CopyFrom(node)
    del made.input[:]
    made.input.extend(inputs)
    return made


def _freeze_node(node: Any, values: dict[str, Any], resources: Container[str]) -> Any:
    """A node of a graph in which some variables, of which `resources` are handles, have become constants."""
    if node.name in values:
        made = type(node)(name=node.name, op="Const", device=node.device)
        made.attr["dtype"].CopyFrom(node.attr["dtype"])
        made.attr["value"].tensor.CopyFrom(tensor_proto(values[node.name]))
        return made
    if not any(name in resources for name in node.input):
        return node
    if node.op != "ReadVariableOp":
        raise ValueError(
            f"{node.name!r} ({node.op}) needs the variable {node.input[0]!r} itself, not its value: only reads of variables can be frozen. "
            "Name it in variable_names_blacklist, or read it outside the branch, loop or function"
        )
    made = type(node)(name=node.name, op="Identity", input=node.input[:1], device=node.device)
    made.attr["T"].CopyFrom(node.attr["dtype"])
    return made
