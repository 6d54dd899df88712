"""Graphs as TensorFlow's protocol buffers: `Graph.as_graph_def` and `Operation.node_def`.

The messages are tensorboardX's, and imported when the first is made, as protocol buffers are slow to load.  Bodies of branches, loops and
functions are named in a node's attributes, but are not in the graph's library: that is `tensorflow.summary.function_library`'s.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from ..base import dtypes
from ..base.dtypes import DType, complex64, complex128, find_dtype, float16, float32, float64, int64, resource, string, uint32, uint64
from ..base.shapes import TensorShape

if TYPE_CHECKING:
    from .graph import Graph
    from .node import Node

#: The version of TensorFlow's graphs that these are like.
PRODUCER = 2474


#: What a function in an attribute is called: from it, and from what it would be called as a thing of that attribute.
Names = Callable[[Any, str], str]


def _as_attribute(thing: object, name: str) -> str:
    return name


def graph_def(graph: Graph, add_shapes: bool = False, named: Names = _as_attribute) -> Any:
    """A GraphDef of all nodes.  add_shapes: an attribute `_output_shapes` says the shapes of each node's outputs."""
    from tensorboardX.proto import graph_pb2, versions_pb2

    nodes = [node_def(node, add_shapes, named) for node in graph.nodes]
    for node in nodes:
        if len(node.input) > 1:
            node.input.sort(key=lambda name: name if name[0] == "^" else "")  # what it waits for goes by name
    return graph_pb2.GraphDef(node=nodes, versions=versions_pb2.VersionDef(producer=PRODUCER))


def node_def(node: Node, add_shapes: bool = False, named: Names = _as_attribute) -> Any:
    """A NodeDef: name, type, inputs, the device and the attributes."""
    from tensorboardX.proto import node_def_pb2

    inputs = [t.name.removesuffix(":0") for t in node.inputs] + [f"^{other.name}" for other in node.control_inputs]
    made = node_def_pb2.NodeDef(name=node.name, op=node.type, input=inputs, device=getattr(node, "device", "") or "")
    known = _attributes(node)
    if node.colocation:
        known["_class"] = list(node.colocation)
    if add_shapes:
        known["_output_shapes"] = [t.shape for t in node.outputs]
    for name, value in known.items():
        set_attribute(made.attr[name], value, lambda thing, name=name: named(thing, f"{node.name}_{name}"), is_shape=name == "shape")  # type: ignore[misc]
    return made


def _attributes(node: Node) -> dict[str, Any]:
    """The attributes under TensorFlow's names, which are others for a variable that is a reference and one that is a resource."""
    kind = node.type
    known = {**node.primitive.type_attrs(node), **node.attrs}
    known = {name: value for name, value in known.items() if name not in ("R", "is_ref")}
    if kind in ("VariableV2", "VarHandleOp"):
        return {**known, "container": "", "shared_name": "" if kind == "VariableV2" else known["shared_name"]}
    if kind == "Identity" and "dtype" in known:  # a ref variable that is read
        return {"T": known["dtype"]}
    if node.inputs and node.inputs[0].dtype is resource:
        known.pop("shape", None)
        return {"dtype" if name == "T" else name: value for name, value in known.items()}
    if node.inputs and node.inputs[0].dtype._is_ref_dtype:
        known.pop("shape", None)
    return known


def set_attribute(attribute: Any, value: Any, named: Callable[[Any], str], is_shape: bool) -> None:
    """Fill in an AttrValue; what is no number, word, dtype, shape or array is a function."""
    if _is_shape(value, is_shape):
        attribute.shape.CopyFrom(shape_proto(value))
    elif isinstance(value, (list, tuple)):
        attribute.list.SetInParent()
        for item in value:
            _append(attribute.list, item, named)
    elif _is_array(value):
        attribute.tensor.CopyFrom(tensor_proto(value))
    else:
        kind = _kind(value)
        if kind is None:
            attribute.func.name = named(value)
        elif value is not None:
            setattr(attribute, kind, _encode_value(value))


def _is_shape(value: Any, is_shape: bool) -> bool:
    return isinstance(value, TensorShape) or (is_shape and (value is None or isinstance(value, (list, tuple))))


def _is_array(value: Any) -> bool:
    return isinstance(value, (np.ndarray, np.generic)) and not isinstance(value, np.bool_ | np.integer | np.floating)


def as_message(value: Any, is_shape: bool) -> Any:
    """An attribute's value as `get_attr` gives it: a message for an array and for a shape, bytes for words, lists for tuples."""
    if _is_shape(value, is_shape):
        return shape_proto(value)
    if isinstance(value, (list, tuple)):
        return [as_message(item, is_shape=False) for item in value]
    if isinstance(value, str):
        return value.encode()
    return tensor_proto(value) if _is_array(value) else value


def _append(found: Any, item: Any, named: Callable[[Any], str]) -> None:
    if isinstance(item, TensorShape) or item is None or isinstance(item, (list, tuple)):
        found.shape.append(shape_proto(item))
        return
    kind = _kind(item)
    if kind is None:
        found.func.add().name = named(item)
    else:
        getattr(found, kind).append(_encode_value(item))


def _kind(value: Any) -> str | None:
    """The field of an AttrValue that holds a value."""
    if isinstance(value, (bool, np.bool_)):
        return "b"
    return next((name for kinds, name in _KINDS if isinstance(value, kinds)), None)


_KINDS: tuple[tuple[tuple[type, ...], str], ...] = (
    ((int, np.integer), "i"),
    ((float, np.floating), "f"),
    ((str, bytes, type(None)), "s"),
    ((DType,), "type"),
)


def _encode_value(value: Any) -> Any:
    if isinstance(value, DType):
        return value.as_datatype_enum
    return value.encode() if isinstance(value, str) else value.item() if isinstance(value, np.generic) else value


def shape_proto(shape: Any) -> Any:
    """A TensorShapeProto."""
    from tensorboardX.proto import tensor_shape_pb2

    dims = TensorShape(shape)
    if dims.rank is None:
        return tensor_shape_pb2.TensorShapeProto(unknown_rank=True)
    sizes: Iterable[int | None] = dims.as_list()
    return tensor_shape_pb2.TensorShapeProto(dim=[tensor_shape_pb2.TensorShapeProto.Dim(size=-1 if n is None else n) for n in sizes])


def tensor_proto(array: np.ndarray | np.generic) -> Any:
    """A TensorProto: one number by itself, more as bytes, words one by one."""
    from tensorboardX.proto import tensor_pb2

    value = np.asarray(array)
    dtype = find_dtype(value)
    made = tensor_pb2.TensorProto(dtype=dtype.as_datatype_enum, tensor_shape=shape_proto(value.shape))
    if dtype is string:
        made.string_val.extend(value.ravel().tolist())
    elif value.size > 1 or dtype in (uint32, uint64):
        made.tensor_content = value.tobytes()
    elif value.size:
        add_number(made, dtype, value.ravel()[0])
    return made


def add_number(made: Any, dtype: DType, number: Any) -> None:
    """Add a number to those that a TensorProto has one by one."""
    fields = {float32: "float_val", float64: "double_val", dtypes.bool: "bool_val", complex64: "scomplex_val", complex128: "dcomplex_val"}
    if dtype.is_complex:
        getattr(made, fields[dtype]).extend([number.real, number.imag])
    elif dtype in fields:
        getattr(made, fields[dtype]).append(number.item())
    elif dtype is float16 or dtype.name == "bfloat16":
        made.half_val.append(int(number.view(np.uint16)))
    else:
        getattr(made, "int64_val" if dtype is int64 else "int_val").append(int(number))
