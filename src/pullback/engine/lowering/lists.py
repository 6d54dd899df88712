"""Lists of tensors in native programs: what their values are, and how the ops on them become steps.

Those that loops push to and pop from are in `stacks`.
A list of known length is one array, its rows; as a loop variable it is changed where it is.  The order of reads and changes is kept by
versions: each change makes a new one, after all that read the one before.  Lists used in other ways are refused.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...ir.function_graph import bodies_of
from ...ir.node import Node
from ...ir.tensor import SymbolicTensor
from . import index_expr
from .builder import Builder, PartMove, Unsupported
from .index_expr import Buffer, Dims, IndexExpr, Place
from .partial_updates import PartState
from .stacks import STACKS, Empty, Filled, Growing, Shrinking, note_in, take_for_empty, unsupported_list


class Rows:
    """A list whose elements are the rows of an array; not `is_whole`: as far as they are known, more may follow that are zeros."""

    def __init__(self, expr: IndexExpr, is_whole: bool = True) -> None:
        self.expr, self.is_whole = expr, is_whole


class Reserved:
    """A list of `count` elements of which none is written yet, and of whose shape nothing is said."""

    def __init__(self, count: int, dtype: np.dtype[Any]) -> None:
        self.count, self.dtype = count, dtype

    def rows(self, dims: Dims) -> Rows:
        """The list for elements of `dims`: zeros, which stand for what is not written."""
        return Rows(index_expr.Scalar(0, self.dtype, (self.count, *dims)))


class RowState:
    """The rows of a loop variable, changed where they are: one version of them.

    before: what stands for its having been made, and for each of its reads; a change waits for all of them, also for those asked for
    after it.  outer: in a loop in a loop, the version before the loop.
    """

    def __init__(self, buffer: Buffer, version: Place | None = None, is_whole: bool = True, outer: RowState | None = None) -> None:
        self.buffer, self.is_whole, self.outer = buffer, is_whole, outer
        self.version = [] if version is None else [version]
        self.before = list(self.version)
        self.is_changed = False

    def next(self, version: Place) -> RowState:
        """The version after a change, which `version` stands for."""
        if self.is_changed:
            raise Unsupported("a list of which two changed ones are made")
        self.is_changed = True
        return RowState(self.buffer, version, self.is_whole, self.outer)


class Placed:
    """A list with one element at a place, to be added to another."""

    def __init__(self, element: IndexExpr, index: IndexExpr) -> None:
        self.element, self.index = element, index

    def rows(self, builder: Builder) -> Rows:
        """The list as long as any of the program, and up to the element, whose place must be known where there is no other."""
        known = builder.is_known(self.index) or not builder.root.most_rows
        count = max(builder.root.most_rows, int(builder.get_constant(self.index)) + 1 if known else 0)
        zeros = index_expr.Scalar(0, self.element.dtype, (count, *self.element.dims))
        row = index_expr.reshape(self.element, (1, *self.element.dims))
        found = row if count == 1 else builder.scatter(zeros, index_expr.reshape(self.index, (1,)), row, "put")
        return Rows(found, is_whole=False)


Value = IndexExpr | Empty | Growing | Filled | Shrinking | Rows | RowState | Placed | Reserved | PartState


#: How operations on lists are lowered, by name.
LISTS = dict(STACKS)


def lower_list(node: Node, builder: Builder, inputs: Sequence[Any]) -> list[Value]:
    """The outputs of an op on lists."""
    found = LISTS[node.primitive.name](builder, node, *inputs)
    return list(found) if isinstance(found, tuple) else [found]


@note_in(LISTS, "TensorListLength")
def _length(builder: Builder, node: Node, given: Any) -> Value:
    if isinstance(given, (Rows, RowState)) and given.is_whole:
        dims = given.expr.dims if isinstance(given, Rows) else given.buffer.dims
        return index_expr.Scalar(dims[0], np.dtype(np.int32))
    if not isinstance(given, Filled) or not given.is_whole:
        raise unsupported_list(node, given)
    return index_expr.cast(given.bound(1) - given.bound(0), np.int32)


# ---- rows


@note_in(LISTS, "TensorListFromTensor")
def _from_tensor(builder: Builder, node: Node, tensor: Any, shape: Any) -> Value:
    return Rows(tensor)


@note_in(LISTS, "TensorListReserve")
def _reserve(builder: Builder, node: Node, shape: Any, count: Any) -> Value:
    dims = tuple(int(n) for n in builder.get_constant(shape).ravel())
    reserved = Reserved(int(builder.get_constant(count)), node.attrs["element_dtype"].numpy_dtype)
    builder.root.most_rows = max(builder.root.most_rows, reserved.count)
    return reserved if -1 in dims or not shape.dims else reserved.rows(dims)


@note_in(LISTS, "TensorListZerosLike")
def _zeros_like(builder: Builder, node: Node, given: Any) -> Value:
    if isinstance(given, (Empty, Reserved)):
        return given
    if isinstance(given, Filled) and given.left is not None:
        return take_for_empty(builder, given)
    if isinstance(given, Filled) and given.stack.of is not None and given.stack.inner is None:
        dims, dtype = given.stack.of
        return Filled(given.stack, index_expr.Scalar(0, dtype, dims), given.bounds)
    if not isinstance(given, Rows):
        raise unsupported_list(node, given)
    return Rows(index_expr.Scalar(0, given.expr.dtype, given.expr.dims), given.is_whole)


@note_in(LISTS, "TensorListStack", "TensorListRowsOrZeros")
def _stack(builder: Builder, node: Node, given: Any, shape: Any) -> Value:
    if not isinstance(given, Rows) or not given.is_whole:
        raise unsupported_list(node, given)
    count = node.attrs.get("num_elements", -1)
    if count not in (-1, given.expr.dims[0]) or node.outputs[0].dims not in (None, given.expr.dims):
        raise Unsupported("a list stacked as another number or shape of elements than it has")
    return given.expr


@note_in(LISTS, "TensorListGetItem", "TensorListTakeOrZeros")
def _read(builder: Builder, node: Node, given: Any, index: Any, shape: Any) -> Value:
    if index.dims != ():
        raise Unsupported("several rows of a list at once")
    _check_known(builder, given, index)
    if isinstance(given, Rows):
        dims = given.expr.dims[1:]
        builder.check(index_expr.compare("lt", index, 0) | index_expr.compare("ge", index, given.expr.dims[0]))
        rows = ((0, ()), *((0, ((i, 1),)) for i in range(len(dims))))
        return index_expr.Gather(given.expr, dims, rows, (index_expr.broadcast(index, dims), *(None,) * len(dims)))
    if not isinstance(given, RowState):
        raise unsupported_list(node, given)
    taken = builder.temporary(given.buffer.dims[1:], given.buffer.dtype)
    builder.steps.append(PartMove("read", given.buffer, builder.memory(index), taken, given.version, taken.place))
    given.before.append(taken.place)
    return taken


def _check_known(builder: Builder, given: Any, index: Any) -> None:
    """Of a list that is known in part, only the rows that are known are read and changed: others are a fault when the program runs."""
    if isinstance(given, (Rows, RowState)) and not given.is_whole and builder.is_known(index):
        count = (given.expr if isinstance(given, Rows) else given.buffer).dims[0]
        if not 0 <= int(builder.get_constant(index)) < count:
            raise Unsupported("a list of which a part is known")


def _change_row(builder: Builder, node: Node, given: Any, index: Any, element: Any, function: str) -> Value:
    """A new version of rows, with one of them changed."""
    array = given.expr if isinstance(given, Rows) else given.buffer if isinstance(given, RowState) else None
    if array is None or index.dims != () or not isinstance(element, IndexExpr):
        raise unsupported_list(node, given)
    if (element.dims, element.dtype) != (array.dims[1:], array.dtype):
        raise unsupported_list(node, given)
    _check_known(builder, given, index)
    if isinstance(given, Rows):
        row = index_expr.reshape(element, (1, *element.dims))
        return Rows(builder.scatter(given.expr, index_expr.reshape(index, (1,)), row, function), given.is_whole)
    made = Place("version", -1, 0)
    after: RowState = given.next(made)
    builder.steps.append(PartMove(function, given.buffer, builder.memory(index), builder.memory(element), given.before, made))
    return after


@note_in(LISTS, "TensorListSetItem")
def _write(builder: Builder, node: Node, given: Any, index: Any, element: Any) -> Value:
    if node.attrs.get("resize_if_index_out_of_bounds") or node.attrs.get("once"):
        raise Unsupported("a TensorArray that grows, or whose elements are written once")
    return _change_row(builder, node, given, index, element, "put")


@note_in(LISTS, "TensorListClear")
def _clear(builder: Builder, node: Node, given: Any, index: Any) -> Value:
    buffer = given.expr if isinstance(given, Rows) else given.buffer if isinstance(given, RowState) else None
    if buffer is None:
        raise unsupported_list(node, given)
    return _change_row(builder, node, given, index, index_expr.Scalar(0, buffer.dtype, buffer.dims[1:]), "put")


@note_in(LISTS, "TensorListPlace")
def _place(builder: Builder, node: Node, element: Any, index: Any) -> Value:
    if index.dims != ():
        raise Unsupported("several rows of a list at once")
    return Placed(element, index)


@note_in(LISTS, "TensorListAdd")
def _add(builder: Builder, node: Node, x: Value, y: Value) -> Value:
    if isinstance(x, Placed):
        x, y = y, x
    if isinstance(x, Placed):
        x = x.rows(builder)
    if isinstance(y, Placed):
        return _change_row(builder, node, x, y.index, y.element, "add")
    if isinstance(x, Empty) or isinstance(y, Empty):
        return y if isinstance(x, Empty) else x
    if isinstance(x, Rows) and isinstance(y, Rows) and x.expr.dims == y.expr.dims:
        return Rows(x.expr + y.expr, x.is_whole and y.is_whole)
    raise unsupported_list(node, x)


def element_dims(value: object) -> Dims | None:
    """The dims of a list's elements, where they are known."""
    if isinstance(value, Placed):
        return value.element.dims
    if isinstance(value, Filled):
        return None if value.stack.of is None or value.stack.inner is not None else value.stack.of[0]
    return value.expr.dims[1:] if isinstance(value, Rows) else value.buffer.dims[1:] if isinstance(value, RowState) else None


def written_dims(nodes: Sequence[Node], start: SymbolicTensor) -> Dims:
    """The dims of the element that the nodes of a loop's body write to a list which they are given, in every turn."""
    found = _find_written_dims(nodes, start)
    if found is None:
        raise Unsupported("a TensorArray whose elements' shape is not known; give element_shape")
    return found


def _find_written_dims(nodes: Sequence[Node], start: SymbolicTensor) -> Dims | None:
    for node in nodes:
        places = [place for place, t in enumerate(node.inputs) if t.uid == start.uid]
        if node.primitive.name == "TensorListSetItem" and places == [0]:
            dims: Dims | None = node.inputs[2].dims
            if dims is not None and None not in dims:
                return dims
        for body in bodies_of(node) if places else ():
            inner = body.inputs[places[0] - len(node.inputs) + len(body.inputs)]
            found = _find_written_dims(body.plan().nodes, inner)
            if found is not None:
                return found
    return None


# ---- as loop variables


def enter(builder: Builder, value: object) -> tuple[Value, Any]:
    """What a list is in the body of a loop that it is a variable of, and for rows, the buffer to put its first value in."""
    if isinstance(value, Empty):
        return Growing(builder.stack(), False), None
    if isinstance(value, Filled) and value.is_whole:
        return Shrinking(value, Place("word", builder.word(2), 8)), None
    if isinstance(value, Rows):
        first = builder.temporary(value.expr.dims, value.expr.dtype)
        return RowState(builder.slot(value.expr.dims, value.expr.dtype, (first.place,)), is_whole=value.is_whole), first
    if isinstance(value, RowState):
        slot = builder.slot(value.buffer.dims, value.buffer.dtype, (value.buffer.place,))
        return RowState(slot, is_whole=value.is_whole, outer=value), value.buffer
    raise Unsupported("a list of an outer loop in an inner one")


def leave_loop(now: object, answer: object) -> Value:
    """What a list is after the loop; `answer` is what the body made of it."""
    if isinstance(now, Growing) and isinstance(answer, Growing) and answer.stack is now.stack:
        return Filled(now.stack, answer.same)
    if isinstance(now, Shrinking) and isinstance(answer, Shrinking) and answer.given is now.given:
        left = Buffer((), index_expr.INT64, Place("word", now.place.index, 8, (now.place,)))
        return Filled(now.given.stack, now.given.same, now.given.bounds, left)
    if isinstance(now, RowState) and isinstance(answer, RowState) and answer.buffer is now.buffer:
        return Rows(now.buffer, now.is_whole) if now.outer is None else now.outer.next(now.buffer.place)
    raise Unsupported("a list that a loop replaces by another one")
