"""Lists that loops push to and pop from, in native programs: what their values are, and how the ops on them become steps.

A list that a loop pushes one element to in every turn becomes a stack in memory that grows; a loop that pops from it reads it from its end
with a cursor of its own, so several loops may read one stack.  Pushed values that the loop does not change are not stored at all.
Where a loop in the loop leaves such a list and each turn pushes it to a list of its own, the elements of all turns lie in one stack, and
the outer list has where those of each turn begin and end.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...ir.node import Node
from . import index_expr
from .builder import Builder, Materialise, Point, Stack, Unsupported
from .index_expr import Buffer, IndexExpr, Place


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


#: How operations on these lists are lowered, by name.
STACKS: dict[str, Callable[..., Any]] = {}


def note_in(rules: dict[str, Callable[..., Any]], *names: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """The function after this one is how these operations are lowered."""

    def note(rule: Callable[..., Any]) -> Callable[..., Any]:
        rules.update(dict.fromkeys(names, rule))
        return rule

    return note


def unsupported_list(node: Node, given: Any) -> Unsupported:
    """Why a list that is used in another way has no native code."""
    return Unsupported(f"{node.primitive.name} of a list used in this way ({type(given).__name__.lower()})")


@note_in(STACKS, "EmptyTensorList")
def _make_empty(builder: Builder, node: Node) -> Empty:
    return Empty()


@note_in(STACKS, "TensorListPushBack")
def _push(builder: Builder, node: Node, given: Any, element: Any) -> Growing:
    if not isinstance(given, Growing) or given.pushed:
        raise unsupported_list(node, given)
    if not isinstance(element, IndexExpr):
        return _push_list(builder, node, given, element)
    given.stack.of = element.dims, element.dtype
    if isinstance(element, (Buffer, index_expr.Scalar)) and element in builder.steady:
        return Growing(given.stack, True, element)
    _push_values(builder, given.stack, element)
    return Growing(given.stack, True)


@note_in(STACKS, "TensorListPushNothing")
def _push_nothing(builder: Builder, node: Node, given: Any) -> Growing:
    if not isinstance(given, Growing) or given.pushed:
        raise unsupported_list(node, given)
    return Growing(given.stack, True, Empty())


def _push_values(builder: Builder, stack: Stack, element: IndexExpr) -> None:
    """Put the values of an expression in a new element of a stack; memory that this turn makes for them lies there in the first place."""
    slot = builder.slot(element.dims, element.dtype)
    builder.steps.append(Point(stack, slot.place, None))
    builder.leave(element, slot)


def take_for_empty(builder: Builder, given: Filled) -> Empty:
    """A list that a loop has popped from: as a rule all its elements; where it has left some, that is a fault."""
    assert given.left is not None
    builder.check(index_expr.compare("ne", given.left, given.bound(0)))
    return Empty()


def _push_list(builder: Builder, node: Node, given: Growing, element: Any) -> Growing:
    """Push the list that a loop has left which stands in the body of this one, or one that was popped from another list."""
    if isinstance(element, Filled) and not element.is_whole:
        element = take_for_empty(builder, element)
    if isinstance(element, Empty):
        return Growing(given.stack, True, element)
    if not isinstance(element, Filled) or any(stack.is_borrowing for stack in element.stack.list_all()):
        raise unsupported_list(node, element)
    outer, inner, same = given.stack, element.stack, element.same
    outer.of, outer.inner = ((2,), index_expr.INT64), inner
    if inner.home.turn is builder:
        inner.is_kept = True
    elif element.bounds is not None:
        outer.is_borrowing = True
    else:
        raise unsupported_list(node, element)
    _push_values(builder, outer, element.list_bounds())
    if same is None or isinstance(same, (index_expr.Scalar, Empty)) or same in builder.steady:
        outer.same = same
    else:
        outer.values = outer.home.stack()
        outer.values.of = same.dims, same.dtype
        _push_values(builder, outer.values, same)
    return Growing(outer, True)


@note_in(STACKS, "TensorListPopBack")
def _pop(builder: Builder, node: Node, given: Any) -> tuple[Shrinking, IndexExpr | Empty | Filled]:
    if not isinstance(given, Shrinking) or given.popped:
        raise unsupported_list(node, given)
    stack, same = given.given.stack, given.given.same
    rest = Shrinking(given.given, given.place, True)
    if same is not None:
        return rest, same
    if stack.of is None:
        raise unsupported_list(node, given)
    element = _pop_values(builder, stack, given.place.index)
    if stack.inner is None:
        return rest, element
    same = stack.same if stack.values is None else _pop_values(builder, stack.values, given.place.index + 1)
    return rest, Filled(stack.inner, same, bounds=element)


@note_in(STACKS, "TensorListDropBack")
def _drop(builder: Builder, node: Node, given: Any) -> Shrinking:
    rest: Shrinking = _pop(builder, node, given)[0]
    return rest


def _pop_values(builder: Builder, stack: Stack, cursor: int) -> Buffer:
    assert stack.of is not None
    slot = builder.slot(*stack.of)
    builder.steps.append(Point(stack, slot.place, cursor))
    return slot


# ---- as results of branches


def join_lists(builder: Builder, parts: Sequence[Builder], column: Sequence[Any], steady: Sequence[Any]) -> tuple[Filled, list[Buffer]]:
    """The list that one branch fills and the others leave empty, and the results that say what it is.

    parts, column: the steps of the branches, and what each of them makes of it.  steady: what they read from outside.
    """
    ((filling, made),) = [(part, v) for part, v in zip(parts, column, strict=True) if isinstance(v, Filled)]
    if made.stack.home.turn is not builder.turn:
        raise Unsupported("a branch whose result is a list from elsewhere")
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
