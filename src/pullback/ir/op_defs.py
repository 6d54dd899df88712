"""`Operation.op_def`: what an operation takes and gives, as TensorFlow registers it.

op_defs.txt has a line for each operation of TensorFlow's, made by tests/golden/make_op_defs.py, which tells how it is written.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from ..base.dtypes import as_dtype
from ..base.shapes import TensorShape
from . import graph_def

if TYPE_CHECKING:
    from .node import Node

DEFINITIONS = os.path.join(os.path.dirname(__file__), "op_defs.txt")
_ATTRIBUTE = re.compile(r"(\w+):([\w()]+)(?:\{(.*?)\})?(?:>=(-?\d+))?(?:=(.*))?")


@dataclass
class Argument:
    """An input or output of an operation: its name, its dtype or the attribute that says it, and whether it is a variable itself."""

    name: str
    type: int = 0
    type_attr: str = ""
    number_attr: str = ""
    type_list_attr: str = ""
    is_ref: bool = False


@dataclass
class Attribute:
    """An attribute of an operation: its name, the type of its value, such as `int` or `list(shape)`, and which values it may have.

    default_value and allowed_values are messages, None where there are none.
    """

    name: str
    type: str
    default_value: Any = None
    has_minimum: bool = False
    minimum: int = 0
    allowed_values: Any = None


@dataclass
class OpDef:
    """What there is to say of an operation; fields as in TensorFlow's message of this name."""

    name: str
    input_arg: list[Argument] = field(default_factory=list)
    output_arg: list[Argument] = field(default_factory=list)
    attr: list[Attribute] = field(default_factory=list)
    is_commutative: bool = False
    is_aggregate: bool = False
    is_stateful: bool = False
    allows_uninitialized_input: bool = False


@cache
def _definitions() -> dict[str, str]:
    with open(DEFINITIONS, encoding="utf-8") as file:
        return {name: rest for name, _, rest in (line.rstrip("\n").partition(" ") for line in file)}


def op_def(node: Node) -> OpDef:
    """The definition of a node's operation: TensorFlow's, or of an operation that it lacks what the record and the node say."""
    known = _definitions().get(node.type)
    if known is not None:
        return parse_definition(node.type, known)
    op, given = node.primitive, graph_def.node_def(node).attr
    inputs = [
        Argument(i.name, 0 if i.dtype is None else i.dtype.as_datatype_enum, i.variable, "N" if i.variadic else "") for i in op.inputs
    ]
    attributes = [Attribute(name, _type_of(given[name])) for name in sorted(given) if not name.startswith("_")]
    return OpDef(node.type, inputs, [Argument(output.removeprefix("*")) for output in op.outputs], attributes, is_stateful=op.stateful)


def parse_definition(name: str, text: str) -> OpDef:
    """A definition from the rest of its line in op_defs.txt."""
    signature, attributes, flags = (part.split() for part in re.split(r"(?<= )\|(?= |$)", text))
    arrow = signature.index("->")
    attrs = [_parse_attribute(one) for one in attributes]
    types = {attr.name: attr.type for attr in attrs}
    inputs, outputs = ([_parse_argument(one, types) for one in some] for some in (signature[:arrow], signature[arrow + 1 :]))
    return OpDef(name, inputs, outputs, attrs, **dict.fromkeys(flags, True))


def _parse_argument(text: str, attributes: Mapping[str, str]) -> Argument:
    name, _, kind = text.partition(":")
    is_ref, kind = kind.startswith("&"), kind.removeprefix("&")
    if kind.startswith("*"):
        return Argument(name, type_list_attr=kind[1:])
    number, _, dtype = kind.rpartition("*")
    if dtype in attributes:
        return Argument(name, 0, dtype, number, is_ref=is_ref)
    return Argument(name, as_dtype(dtype).as_datatype_enum, "", number, is_ref=is_ref)


def _parse_attribute(text: str) -> Attribute:
    found = _ATTRIBUTE.fullmatch(text)
    assert found is not None, text
    name, kind, allowed, minimum, default = found.groups()
    made = Attribute(name, kind, has_minimum=minimum is not None, minimum=int(minimum or 0))
    if default is not None:
        made.default_value = _message(kind, json.loads(default))
    if allowed is not None:
        made.allowed_values = _message(f"list({kind.removeprefix('list(').removesuffix(')')})", allowed.split("|"))
    return made


def _message(kind: str, value: Any) -> Any:
    """An AttrValue of a type of attribute."""
    from tensorboardX.proto import attr_value_pb2

    made = attr_value_pb2.AttrValue()
    if kind == "tensor":  # its numbers stand one by one
        dtype, array = as_dtype(value[0]), np.array(value[1])
        made.tensor.dtype = dtype.as_datatype_enum
        made.tensor.tensor_shape.CopyFrom(graph_def.shape_proto(array.shape))
        for number in array.ravel():
            graph_def.add_number(made.tensor, dtype, number)
        return made
    one = kind.removeprefix("list(").removesuffix(")")
    convert: Any = {"type": as_dtype, "shape": TensorShape}.get(one)
    if convert is not None:
        value = convert(value) if one == kind else [convert(item) for item in value]
    graph_def.set_attribute(made, value, str, is_shape=kind == "shape")
    return made


def _type_of(value: Any) -> str:
    """What an AttrValue holds, in the words of an OpDef; an empty list is one of integers."""
    kind = value.WhichOneof("value") or "s"
    if kind != "list":
        return _TYPES.get(kind, kind)
    held = [field.name for field, _ in value.list.ListFields()]
    return f"list({_TYPES.get(held[0], held[0]) if held else 'int'})"


_TYPES = {"s": "string", "i": "int", "f": "float", "b": "bool"}
