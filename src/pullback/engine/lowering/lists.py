"""Lists of tensors in native programs: what their values are, and how the ops on them become steps.

A list that a loop pushes one element to in every turn becomes a stack in memory that grows; a loop that pops from it reads it from its end
with a cursor of its own, so several loops may read one stack.  Pushed values that the loop does not change are not stored at all.
A list of known length is one array, its rows; as a loop variable it is changed where it is.  The order of reads and changes is kept by
versions: each change makes a new one, after all that read the one before.  Lists used in other ways are refused.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...ir.node import Node
from ...ir.tensor import SymbolicTensor
from . import index_expr
from .builder import Builder, Materialise, PartMove, Point, Stack, Unsupported
from .index_expr import Buffer, Dims, IndexExpr, Place
from .partial_updates import PartState


class Empty:
    """A list without elements."""


class Growing:
    """The list of a loop that pushes to it: `pushed` in this turn, or not yet; `same` is an element that every turn pushes."""

    def __init__(self, stack: Stack, pushed: bool, same: IndexExpr | Empty | None = None) -> None:
        self.stack, self.pushed, self.same = stack, pushed, same


class Filled:
    """The list that a loop left; read from its end.

    bounds: where its elements begin and end in the stack, of a list that was an element of a list; else they are the last ones.
    left: of a list that a loop has popped from, the word that says where the rest of it ends.
    """

    def __init__(
        self, stack: Stack, same: IndexExpr | Empty | None = None, bounds: Buffer | None = None, left: Buffer | None = None
    ) -> None:  # fmt: skip
        self.stack, self.same, self.bounds, self.left = stack, same, bounds, left

    @property
    def is_whole(self) -> bool:
        """Whether no loop has popped from it: where the rest of it ends is known when the program runs."""
        return self.left is None

    def list_bounds(self) -> IndexExpr:
        """Where its elements begin and end in the stack, two numbers."""
        begin, end = (index_expr.broadcast(self.bound(which), (2,)) for which in (0, 1))
        return index_expr.select(index_expr.compare("eq", index_expr.iota((2,), 0, index_expr.INT64), 0), begin, end)

    def bound(self, which: int) -> IndexExpr:
        """Where its elements begin (0) and end (1) in the stack."""
        if self.bounds is not None:
            return index_expr.Affine(self.bounds, (), ((which, ()),))
        return Buffer((), index_expr.INT64, Place("word", self.stack.word + 3 - which, 8, (self.stack.place,)))


class Shrinking:
    """The list of a loop that pops from it."""

    def __init__(self, given: Filled, place: Place, popped: bool = False) -> None:
        self.given, self.place, self.popped = given, place, popped

    def list_cursors(self, builder: Builder) -> list[tuple[Place, Stack, Buffer | None]]:
        """The words that say how far it is read, the stacks that they are of, and where they begin if not at the end of those."""
        end = None if self.given.bounds is None else builder.memory(self.given.bound(1))
        cursors = [(self.place, self.given.stack, end)]
        if self.given.stack.values is not None:
            cursors.append((Place("word", self.place.index + 1, 8), self.given.stack.values, end))
        return cursors


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
    after it.
    """

    def __init__(self, buffer: Buffer, version: Place | None = None, is_whole: bool = True) -> None:
        self.buffer, self.is_whole = buffer, is_whole
        self.version = [] if version is None else [version]
        self.before = list(self.version)
        self.is_changed = False


class Placed:
    """A list with one element at a place, to be added to another."""

    def __init__(self, element: IndexExpr, index: IndexExpr) -> None:
        self.element, self.index = element, index

    def rows(self, builder: Builder) -> Rows:
        """The list up to the element, whose place must be known."""
        count = int(builder.get_constant(self.index)) + 1
        zeros = index_expr.Scalar(0, self.element.dtype, (count, *self.element.dims))
        row = index_expr.reshape(self.element, (1, *self.element.dims))
        found = row if count == 1 else builder.scatter(zeros, index_expr.reshape(self.index, (1,)), row, "put")
        return Rows(found, is_whole=False)


Value = IndexExpr | Empty | Growing | Filled | Shrinking | Rows | RowState | Placed | Reserved | PartState


#: How operations on lists are lowered, by name.
LISTS: dict[str, Callable[..., Any]] = {}


def _lowers(*names: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """The function after this one lowers these operations."""

    def note(rule: Callable[..., Any]) -> Callable[..., Any]:
        LISTS.update(dict.fromkeys(names, rule))
        return rule

    return note


def lower_list(node: Node, builder: Builder, inputs: Sequence[Any]) -> list[Value]:
    """The outputs of an op on lists."""
    found = LISTS[node.primitive.name](builder, node, *inputs)
    return list(found) if isinstance(found, tuple) else [found]


def _unsupported_list(node: Node, given: Any) -> Unsupported:
    return Unsupported(f"{node.primitive.name} of a list used in this way ({type(given).__name__.lower()})")


# ---- stacks


@_lowers("EmptyTensorList")
def _make_empty(builder: Builder, node: Node) -> Value:
    return Empty()


@_lowers("TensorListPushBack")
def _push(builder: Builder, node: Node, given: Any, element: Any) -> Value:
    if not isinstance(given, Growing) or given.pushed:
        raise _unsupported_list(node, given)
    if not isinstance(element, IndexExpr):
        return _push_list(builder, node, given, element)
    given.stack.of = element.dims, element.dtype
    if isinstance(element, (Buffer, index_expr.Scalar)) and element in builder.steady:
        return Growing(given.stack, True, element)
    _push_values(builder, given.stack, element)
    return Growing(given.stack, True)


@_lowers("TensorListPushNothing")
def _push_nothing(builder: Builder, node: Node, given: Any) -> Value:
    if not isinstance(given, Growing) or given.pushed:
        raise _unsupported_list(node, given)
    return Growing(given.stack, True, Empty())


def _push_values(builder: Builder, stack: Stack, element: IndexExpr) -> None:
    """Put the values of an expression in a new element of a stack; memory that this turn makes for them lies there in the first place."""
    slot = builder.slot(element.dims, element.dtype)
    made = element if isinstance(element, Buffer) else builder.realised.get(element)
    if made is not None and builder.is_own(made.place) and made.place.size == slot.place.size:
        made.place.kind, made.place.index = "slot", slot.place.index
        builder.steps.insert(0, Point(stack, made.place, None))
    else:
        builder.steps.append(Point(stack, slot.place, None))
        builder.steps.append(Materialise(element, slot, over=True))


def take_for_empty(builder: Builder, given: Filled) -> Empty:
    """A list that a loop has popped from: as a rule all its elements; where it has left some, that is a fault."""
    assert given.left is not None
    builder.check(index_expr.compare("ne", given.left, given.bound(0)))
    return Empty()


def _push_list(builder: Builder, node: Node, given: Growing, element: Any) -> Value:
    """Push the list that a loop has left which stands in the body of this one, or one that was popped from another list."""
    if isinstance(element, Filled) and not element.is_whole:
        element = take_for_empty(builder, element)
    if isinstance(element, Empty):
        return Growing(given.stack, True, element)
    if not isinstance(element, Filled) or any(stack.is_borrowing for stack in element.stack.list_all()):
        raise _unsupported_list(node, element)
    outer, inner, same = given.stack, element.stack, element.same
    outer.of, outer.inner = ((2,), index_expr.INT64), inner
    if inner.home.turn is builder:
        inner.is_kept = True
    elif element.bounds is not None:
        outer.is_borrowing = True
    else:
        raise _unsupported_list(node, element)
    _push_values(builder, outer, element.list_bounds())
    if same is None or isinstance(same, (index_expr.Scalar, Empty)) or same in builder.steady:
        outer.same = same
    else:
        outer.values = outer.home.stack()
        outer.values.of = same.dims, same.dtype
        _push_values(builder, outer.values, same)
    return Growing(outer, True)


@_lowers("TensorListPopBack")
def _pop(builder: Builder, node: Node, given: Any) -> Any:
    if not isinstance(given, Shrinking) or given.popped:
        raise _unsupported_list(node, given)
    stack, same = given.given.stack, given.given.same
    rest = Shrinking(given.given, given.place, True)
    if same is not None:
        return rest, same
    if stack.of is None:
        raise _unsupported_list(node, given)
    element = _pop_values(builder, stack, given.place.index)
    if stack.inner is None:
        return rest, element
    same = stack.same if stack.values is None else _pop_values(builder, stack.values, given.place.index + 1)
    return rest, Filled(stack.inner, same, bounds=element)


@_lowers("TensorListDropBack")
def _drop(builder: Builder, node: Node, given: Any) -> Value:
    rest: Value = _pop(builder, node, given)[0]
    return rest


def _pop_values(builder: Builder, stack: Stack, cursor: int) -> Buffer:
    assert stack.of is not None
    slot = builder.slot(*stack.of)
    builder.steps.append(Point(stack, slot.place, cursor))
    return slot


@_lowers("TensorListLength")
def _length(builder: Builder, node: Node, given: Any) -> Value:
    if isinstance(given, (Rows, RowState)) and given.is_whole:
        dims = given.expr.dims if isinstance(given, Rows) else given.buffer.dims
        return index_expr.Scalar(dims[0], np.dtype(np.int32))
    if not isinstance(given, Filled) or not given.is_whole:
        raise _unsupported_list(node, given)
    return index_expr.cast(given.bound(1) - given.bound(0), np.int32)


# ---- rows


@_lowers("TensorListFromTensor")
def _from_tensor(builder: Builder, node: Node, tensor: Any, shape: Any) -> Value:
    return Rows(tensor)


@_lowers("TensorListReserve")
def _reserve(builder: Builder, node: Node, shape: Any, count: Any) -> Value:
    dims = tuple(int(n) for n in builder.get_constant(shape).ravel())
    reserved = Reserved(int(builder.get_constant(count)), node.attrs["element_dtype"].numpy_dtype)
    return reserved if -1 in dims or not shape.dims else reserved.rows(dims)


@_lowers("TensorListZerosLike")
def _zeros_like(builder: Builder, node: Node, given: Any) -> Value:
    if isinstance(given, (Empty, Reserved)):
        return given
    if isinstance(given, Filled) and given.left is not None:
        return take_for_empty(builder, given)
    if isinstance(given, Filled) and given.stack.of is not None and given.stack.inner is None:
        dims, dtype = given.stack.of
        return Filled(given.stack, index_expr.Scalar(0, dtype, dims), given.bounds)
    if not isinstance(given, Rows):
        raise _unsupported_list(node, given)
    return Rows(index_expr.Scalar(0, given.expr.dtype, given.expr.dims), given.is_whole)


@_lowers("TensorListStack", "TensorListRowsOrZeros")
def _stack(builder: Builder, node: Node, given: Any, shape: Any) -> Value:
    if not isinstance(given, Rows) or not given.is_whole:
        raise _unsupported_list(node, given)
    count = node.attrs.get("num_elements", -1)
    if count not in (-1, given.expr.dims[0]) or node.outputs[0].dims not in (None, given.expr.dims):
        raise Unsupported("a list stacked as another number or shape of elements than it has")
    return given.expr


@_lowers("TensorListGetItem", "TensorListTakeOrZeros")
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
        raise _unsupported_list(node, given)
    taken = builder.temporary(given.buffer.dims[1:], given.buffer.dtype)
    builder.steps.append(PartMove("read", given.buffer, builder.memory(index), taken, given.version, taken.place))
    given.before.append(taken.place)
    return taken


def _check_known(builder: Builder, given: Any, index: Any) -> None:
    """Of a list that is known in part, only the rows that are known are read and changed."""
    if isinstance(given, (Rows, RowState)) and not given.is_whole:
        count = (given.expr if isinstance(given, Rows) else given.buffer).dims[0]
        if not 0 <= int(builder.get_constant(index)) < count:
            raise Unsupported("a list of which a part is known")


def _change_row(builder: Builder, node: Node, given: Any, index: Any, element: Any, function: str) -> Value:
    """A new version of rows, with one of them changed."""
    array = given.expr if isinstance(given, Rows) else given.buffer if isinstance(given, RowState) else None
    if array is None or index.dims != () or not isinstance(element, IndexExpr):
        raise _unsupported_list(node, given)
    if (element.dims, element.dtype) != (array.dims[1:], array.dtype):
        raise _unsupported_list(node, given)
    _check_known(builder, given, index)
    if isinstance(given, Rows):
        row = index_expr.reshape(element, (1, *element.dims))
        return Rows(builder.scatter(given.expr, index_expr.reshape(index, (1,)), row, function), given.is_whole)
    if given.is_changed:
        raise Unsupported("a list of which two changed ones are made")
    given.is_changed, version = True, Place("version", -1, 0)
    builder.steps.append(PartMove(function, given.buffer, builder.memory(index), builder.memory(element), given.before, version))
    return RowState(given.buffer, version, given.is_whole)


@_lowers("TensorListSetItem")
def _write(builder: Builder, node: Node, given: Any, index: Any, element: Any) -> Value:
    if node.attrs.get("resize_if_index_out_of_bounds") or node.attrs.get("once"):
        raise Unsupported("a TensorArray that grows, or whose elements are written once")
    return _change_row(builder, node, given, index, element, "put")


@_lowers("TensorListClear")
def _clear(builder: Builder, node: Node, given: Any, index: Any) -> Value:
    buffer = given.expr if isinstance(given, Rows) else given.buffer if isinstance(given, RowState) else None
    if buffer is None:
        raise _unsupported_list(node, given)
    return _change_row(builder, node, given, index, index_expr.Scalar(0, buffer.dtype, buffer.dims[1:]), "put")


@_lowers("TensorListPlace")
def _place(builder: Builder, node: Node, element: Any, index: Any) -> Value:
    if index.dims != ():
        raise Unsupported("several rows of a list at once")
    return Placed(element, index)


@_lowers("TensorListAdd")
def _add(builder: Builder, node: Node, x: Value, y: Value) -> Value:
    if isinstance(x, Placed):
        x, y = y, x
    if isinstance(y, Placed):
        return _change_row(builder, node, x, y.index, y.element, "add")
    if isinstance(x, Empty) or isinstance(y, Empty):
        return y if isinstance(x, Empty) else x
    if isinstance(x, Rows) and isinstance(y, Rows) and x.expr.dims == y.expr.dims:
        return Rows(x.expr + y.expr, x.is_whole and y.is_whole)
    raise _unsupported_list(node, x)


def element_dims(value: object) -> Dims | None:
    """The dims of a list's elements, where they are known."""
    if isinstance(value, Placed):
        return value.element.dims
    if isinstance(value, Filled):
        return None if value.stack.of is None or value.stack.inner is not None else value.stack.of[0]
    return value.expr.dims[1:] if isinstance(value, Rows) else value.buffer.dims[1:] if isinstance(value, RowState) else None


def written_dims(nodes: Sequence[Node], start: SymbolicTensor) -> Dims:
    """The dims of the element that the nodes of a loop's body write to a list which they are given, in every turn."""
    for node in nodes:
        if node.primitive.name == "TensorListSetItem" and node.inputs[0].uid == start.uid:
            dims: Dims | None = node.inputs[2].dims
            if dims is not None and None not in dims:
                return dims
    raise Unsupported("a TensorArray whose elements' shape is not known; give element_shape")


# ---- as results of branches


def join_lists(builder: Builder, parts: Sequence[Builder], column: Sequence[Any], steady: Sequence[Any]) -> tuple[Filled, list[Buffer]]:
    """The list that one branch fills and the others leave empty, and the results that say what it is.

    parts, column: the steps of the branches, and what each of them makes of it.  steady: what they read from outside.
    """
    ((filling, made),) = [(part, v) for part, v in zip(parts, column, strict=True) if isinstance(v, Filled)]
    bounds = builder.temporary((2,), index_expr.INT64)
    for part, v in zip(parts, column, strict=True):
        expr = v.list_bounds() if isinstance(v, Filled) else index_expr.Scalar(0, index_expr.INT64, (2,))
        part.steps.append(Materialise(expr, bounds))
    same = made.same
    if same is None or isinstance(same, (index_expr.Scalar, Empty)) or any(same is v for v in steady):
        return Filled(made.stack, same, bounds=bounds), [bounds]
    carried = builder.temporary(same.dims, same.dtype)
    filling.steps.append(Materialise(same, carried))
    return Filled(made.stack, carried, bounds=bounds), [bounds, carried]


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
    raise Unsupported("a list of an outer loop in an inner one")


def leave_loop(now: object, answer: object) -> Value:
    """What a list is after the loop; `answer` is what the body made of it."""
    if isinstance(now, Growing) and isinstance(answer, Growing) and answer.stack is now.stack:
        return Filled(now.stack, answer.same)
    if isinstance(now, Shrinking) and isinstance(answer, Shrinking) and answer.given is now.given:
        left = Buffer((), index_expr.INT64, Place("word", now.place.index, 8, (now.place,)))
        return Filled(now.given.stack, now.given.same, now.given.bounds, left)
    if isinstance(now, RowState) and isinstance(answer, RowState) and answer.buffer is now.buffer:
        return Rows(now.buffer, now.is_whole)
    raise Unsupported("a list that a loop replaces by another one")
