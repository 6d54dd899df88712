"""`Node`: one application of one op, all that a graph or a tape ever holds; users of graphs know it as `Operation`.

A tape's node has the first five fields.  The rest is its place in a graph, set by `Graph.add` alone.
"""

from __future__ import annotations

import itertools
import linecache
import os
import sys
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from types import CodeType, FrameType
from typing import TYPE_CHECKING, Any

from ..base.export import export, is_hot
from ..base.lazy_import import LazyModule

if TYPE_CHECKING:
    from ..api.session import Session
    from . import graph_def, op_defs
    from .graph import Graph
    from .op import Op
    from .tensor import Tensor
else:
    graph_def = LazyModule("pullback.ir.graph_def")
    op_defs = LazyModule("pullback.ir.op_defs")

PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
Source = tuple[CodeType, int]
#: Lines of code that was rewritten (AutoGraph's), by file and line: the file, line and function of the user's that they come from.
REWRITTEN: dict[tuple[str, int], tuple[str, int, str]] = {}
#: Of such lines that the user has on several: the user's line by the column where an expression begins.
COLUMNS: dict[tuple[str, int], dict[int, int]] = {}
#: The lines of code that was asked for, by its identity, with itself: where each begins and its number.
_LINES: dict[int, tuple[CodeType, list[int], list[int | None]]] = {}
_MANY = 256


#: Where Keras is installed: its layers' operations are the program's, at the line that calls the layer.
_KERAS = os.path.join("-packages", "keras", "src", "")


class _Inside(dict[str, bool]):
    def __missing__(self, file: str) -> bool:
        found = self[file] = file.startswith(PACKAGE) or _KERAS in file
        return found


#: Whether a source file is one of this package, or of Keras, by name: asked of some twenty frames for every operation of a graph.
INSIDE = _Inside()


def is_inside(file: str) -> bool:
    """Whether a source file is one of this package, or of Keras."""
    return INSIDE[file]


class Nested:
    """What an attribute holds that has nodes of its own: a body."""

    __slots__ = ()


@export("Operation")
class Node:
    """One application of one op (TensorFlow's `Operation`).

    >>> with tf1.Graph().as_default():
    ...     op = (tf1.constant(1.0, name="x") + 2.0).op
    >>> op.type, op.name, [x.name for x in op.inputs]
    ('AddV2', 'add', ['x:0', 'add/y:0'])
    """

    __slots__ = (
        "__dict__", "__weakref__", "_control_inputs", "_original_op", "attrs", "colocation", "device", "graph", "inputs", "name",
        "outputs", "position", "primitive", "read", "scope", "source",
    )  # fmt: skip
    #: The record of what was applied; not `op`, by which programs tell a tensor from an operation.
    primitive: Op
    inputs: tuple[Any, ...]
    attrs: dict[str, Any]
    outputs: Sequence[Any]
    source: Source | None
    #: The uids of a tape's node's inputs, where it keeps nothing of some of them.
    read: tuple[int, ...]
    graph: Graph
    name: str
    #: The name scope that the function which made it had opened, where a tape listened.
    scope: str
    device: str
    position: int
    colocation: tuple[bytes, ...]
    _control_inputs: tuple[Node, ...]
    _original_op: Node | None

    @is_hot
    def __init__(self, primitive: Op, inputs: tuple[Any, ...], attrs: dict[str, Any], outputs: Sequence[Any]) -> None:
        self.primitive = primitive
        self.inputs = inputs
        self.attrs = attrs
        self.outputs = outputs

    @property
    @is_hot
    def type(self) -> str:
        """The op's name, such as `MatMul`."""
        return self.primitive.type_for(self.inputs or self.outputs)

    @property
    def node_def(self) -> Any:
        """The operation as a protocol buffer, a NodeDef."""
        return graph_def.node_def(self)

    @property
    def op_def(self) -> op_defs.OpDef:
        """What the operation takes and gives: `name`, `input_arg`, `output_arg`, `attr`."""
        return op_defs.op_def(self)

    @property
    def control_inputs(self) -> list[Node]:
        """The operations that must run before this one although it reads nothing of theirs."""
        return list(self._control_inputs)

    @property
    def where(self) -> str:
        """The file and line of the user's program that made this node."""
        return show_source(self.source)

    @property
    def traceback(self) -> list[tuple[str, int, str, str]]:
        """The user's file, line number, function and line that made this node."""
        if self.source is None:
            return []
        file, line, name = place_of(self.source)
        return [(file, line, name, linecache.getline(file, line).strip())]

    def get_attr(self, name: str) -> Any:
        """The attribute `name`, arrays and shapes as protocol buffers; a ValueError that lists what there is where it is missing."""
        known = {**self.primitive.type_attrs(self), **self.attrs}
        if name == "container" and name not in known and self.primitive.stateful:
            return self.graph.containers.get(self.name, "").encode()
        if name == "_class" and self.colocation:
            return list(self.colocation)
        if name not in known:
            raise ValueError(f"Operation '{self.name}' has no attr named '{name}'; it has {sorted(known)}.")
        return graph_def.as_message(known[name], is_shape=name == "shape")

    def _set_attr(self, name: str, value: Any) -> None:
        self.attrs[name] = value

    @is_hot
    def colocation_groups(self) -> list[bytes]:
        """The names of the operations this one wants to share a device with."""
        return list(self.colocation) or [f"loc:@{self.name}".encode()]

    def values(self) -> tuple[Tensor, ...]:
        """The outputs; TensorFlow's older name."""
        return tuple(self.outputs)

    def run(self, feed_dict: Mapping[Any, Any] | None = None, session: Session | None = None) -> None:
        """Run this operation in `session`, the default session when None."""
        session = session or self.graph.default_session()
        if session is None:
            raise ValueError(
                "Cannot execute operation using `run()`: No default session is registered. "
                "Use `with sess.as_default()` or pass an explicit session to `run(session=sess)`"
            )
        session.run(self, feed_dict)

    def __str__(self) -> str:
        return str(self.node_def) if hasattr(self, "graph") else f'op: "{self.type}"\n'

    def __repr__(self) -> str:
        if hasattr(self, "name"):
            return f"<tf.Operation '{self.name}' type={self.type}>"
        return f"<tf.Operation of a tape, type={self.primitive.name}>"


#: What programs that look at `type(op).__name__` find.
Node.__name__ = Node.__qualname__ = "Operation"


def user_frame() -> Source | None:
    """The innermost frame outside this package: the line of the program that asked."""
    frame = user_caller()
    return (frame.f_code, frame.f_lasti) if frame is not None else None


def user_caller() -> FrameType | None:
    """The innermost frame outside this package itself: what names stand for there."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and INSIDE[frame.f_code.co_filename]:
        frame = frame.f_back
    return frame


def line_of(source: Source) -> int:
    """The line number of a source position."""
    code, instruction = source
    known = _LINES.get(id(code))
    if known is None:
        if len(_LINES) >= _MANY:
            _LINES.clear()
        lines = [(start, line) for start, _, line in code.co_lines()]
        known = _LINES[id(code)] = (code, [start for start, _ in lines], [line for _, line in lines])
    _, starts, lines_there = known
    at = bisect_right(starts, instruction) - 1
    return (lines_there[at] if at >= 0 else None) or code.co_firstlineno


def place_of(source: Source) -> tuple[str, int, str]:
    """The file, line and function of a source position."""
    code, line = source[0], line_of(source)
    found = REWRITTEN.get((code.co_filename, line))
    if found is None:
        return code.co_filename, line, code.co_name
    columns = COLUMNS.get((code.co_filename, line))
    return found if columns is None else locate_column(found, columns, column_of(source))


def column_of(source: Source) -> int | None:
    """The column of a source position, in bytes."""
    code, instruction = source
    return next(itertools.islice(code.co_positions(), max(instruction, 0) // 2, None), (None,) * 4)[2]


def locate_column(place: tuple[str, int, str], columns: dict[int, int], column: int | None) -> tuple[str, int, str]:
    """The place in the program of what stands in a column of a rewritten line, which has what the program has on several."""
    file, line, name = place
    return file, line if column is None else columns.get(column, line), name


def show_source(source: Source | None) -> str:
    """`file:line` of a source position."""
    if source is None:
        return "an unknown place"
    file, line, _ = place_of(source)
    return f"{file}:{line}"


# ---- what keeps a loop going

_LESS = {"Less": False, "LessEqual": True}
_GREATER = {"Greater": False, "GreaterEqual": True}


def comparisons(condition: Any) -> Iterator[tuple[Any, Any, bool]]:
    """The comparisons of which a condition, a tensor of a graph, is the conjunction; what else is in it is passed over.

    Each is the tensor that is smaller, the one that is larger, and whether they may be equal.
    """
    pending = [condition]
    while pending:
        node = getattr(pending.pop(), "node", None)
        if node is None:
            continue
        if node.primitive.name in ("LogicalAnd", "Identity"):
            pending += node.inputs
        elif node.primitive.name in _LESS:
            yield (*node.inputs, _LESS[node.primitive.name])
        elif node.primitive.name in _GREATER:
            yield (*reversed(node.inputs), _GREATER[node.primitive.name])
