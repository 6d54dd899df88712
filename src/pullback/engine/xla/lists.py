"""Lists of tensors in XLA's modules: arrays of known length.

A list that a loop pushes to has room for as many elements as the loop can have turns, and a count of those that are there.  So how often
it turns must follow from a counter, a limit and a step that are known.  A list of known length is its rows, as on the engine here.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from ...ir.node import Node, comparisons
from ..lowering import lists
from ..lowering.builder import Unsupported
from ..lowering.index_expr import Buffer, IndexExpr
from ..lowering.lists import Placed, Reserved, Rows, written_dims
from ..lowering.specialise import Specialised
from ..lowering.stacks import Empty
from .builder import XlaBuilder
from .module import is_known_dtype
from .views import pad, reshape

#: The bytes that a list may need at most.
_MOST = 1 << 30
_COUNT = np.dtype(np.int32)
_BY = {"TensorListPushBack": 1, "TensorListPopBack": -1}


class Pushed(NamedTuple):
    """The first `length` of the rows."""

    rows: IndexExpr
    length: IndexExpr


class Repeated(NamedTuple):
    """One element `length` times, with room for `room`: what a loop pushes that it only reads."""

    element: IndexExpr
    length: IndexExpr
    room: int

    def push_rows(self, builder: XlaBuilder) -> Pushed:
        """The same list as rows."""
        dims = (self.room, *self.element.dims)
        return Pushed(builder.memory(builder.broadcast(builder.reshape(self.element, (1, *dims[1:])), dims)), self.length)


def _lower_repeated(node: Node, builder: XlaBuilder, given: Repeated, inputs: Sequence[Any]) -> list[Any] | None:
    """The outputs of an operation that leaves a list what it is; None for others."""
    w, count = builder.writer, builder.value(given.length)
    if node.primitive.name == "TensorListLength":
        length = builder.define(w.op("convert", (count,), (), np.int32))
        builder.root.at_most[length] = given.room
        return [length]
    if node.primitive.name == "TensorListPushBack" and builder.value(inputs[1]).name == builder.value(given.element).name:
        more = w.op("add", (count, w.constant(1, _COUNT)), (), _COUNT)
        return [given._replace(length=builder.define(more))]
    if node.primitive.name == "TensorListPopBack":
        fewer = w.op("subtract", (count, w.constant(1, _COUNT)), (), _COUNT)
        return [given._replace(length=builder.define(fewer)), given.element]
    return None


def lower_list(node: Node, builder: XlaBuilder, inputs: Sequence[Any]) -> list[Any]:
    """The outputs of an operation on lists."""
    given = inputs[0] if inputs else None
    if isinstance(given, Repeated):
        found = _lower_repeated(node, builder, given, inputs)
        if found is not None:
            return found
    inputs = [x.push_rows(builder) if isinstance(x, Repeated) else x for x in inputs]
    given = inputs[0] if inputs else None
    if not isinstance(given, Pushed):
        return lists.lower_list(node, builder, inputs)
    w, rows, count = builder.writer, builder.value(given.rows), builder.value(given.length)
    if node.primitive.name == "TensorListLength":
        length = builder.define(w.op("convert", (count,), (), np.int32))
        builder.root.at_most[length] = rows.dims[0]
        return [length]
    if node.primitive.name == "TensorListZerosLike":
        return [Pushed(builder.define(w.constant(0, rows.dtype, rows.dims)), given.length)]
    if node.primitive.name == "TensorListAdd" and isinstance(inputs[1], Pushed) and inputs[1].rows.dims == rows.dims:
        return [Pushed(given.rows + inputs[1].rows, given.length)]
    first = [w.constant(0, _COUNT)] * (len(rows.dims) - 1)
    if node.primitive.name == "TensorListPushBack" and isinstance(inputs[1], IndexExpr):
        element = builder.value(inputs[1])
        if (element.dims, element.dtype) == (rows.dims[1:], rows.dtype):
            new = w.op("dynamic_update_slice", (rows, reshape(w, element, (1, *element.dims)), count, *first), rows.dims, rows.dtype)
            more = w.op("add", (count, w.constant(1, _COUNT)), (), _COUNT)
            return [Pushed(builder.define(new), builder.define(more))]
    if node.primitive.name == "TensorListPopBack":
        fewer = w.op("subtract", (count, w.constant(1, _COUNT)), (), _COUNT)
        sizes = ", ".join(map(str, (1, *rows.dims[1:])))
        last = w.op("dynamic_slice", (rows, fewer, *first), (1, *rows.dims[1:]), rows.dtype, f"slice_sizes = array<i64: {sizes}>")
        return [Pushed(given.rows, builder.define(fewer)), builder.define(reshape(w, last, rows.dims[1:]))]
    raise Unsupported(f"{node.primitive.name} of a list used in this way")


# ---- as values of loops and branches


def element_dims(value: object) -> tuple[int, ...] | None:
    """The dims of a list's elements, where they are known."""
    if isinstance(value, Repeated):
        return value.element.dims
    return value.rows.dims[1:] if isinstance(value, Pushed) else lists.element_dims(value)


def parts_of(value: Any) -> list[IndexExpr]:
    """The arrays that a value consists of."""
    if isinstance(value, Repeated):
        return [value.length]
    if isinstance(value, Pushed):
        return [*value]
    if isinstance(value, Rows):
        return [value.expr]
    if isinstance(value, Empty):
        return []
    if not isinstance(value, IndexExpr):
        raise Unsupported("a list of an outer loop in an inner one")
    return [value]


def replace_parts(value: Any, parts: Iterator[Buffer]) -> Any:
    """A value like this one of other arrays, taken from `parts`."""
    if isinstance(value, Repeated):
        return value._replace(length=next(parts))
    if isinstance(value, Pushed):
        return Pushed(next(parts), next(parts))
    if isinstance(value, Rows):
        return Rows(next(parts), value.is_whole)
    return value if isinstance(value, Empty) else next(parts)


def enter_loop(builder: XlaBuilder, values: Sequence[Any], steady: Sequence[Any], cond: Specialised, body: Specialised) -> list[Any]:
    """The first values of a loop's variables, lists as arrays that have room for all turns."""
    found = []
    for at, value in enumerate(values):
        if isinstance(value, (Empty, Pushed, Repeated)):
            by, most, push = _growth(body, at)
            if push is not None and most > 0:
                turns = bound_turns(builder, cond, body, [*values, *steady]) if by > 0 else 1
                room, element = by * (max(turns, 1) - 1) + most, _steady_element(body, at, push, steady)
                if isinstance(value, Empty) and element is not None:
                    value = Repeated(element, builder.define(builder.writer.constant(0, _COUNT)), room)
                else:
                    value = value.push_rows(builder) if isinstance(value, Repeated) else value
                    value = _add_room(builder, value, room, push.inputs[1])
        elif isinstance(value, Reserved):
            value = value.rows(written_dims(body.graph.nodes, body.inputs[at]))
        elif isinstance(value, Placed):
            value = value.rows(builder)
        found.append(value)
    return found


def _steady_element(body: Specialised, at: int, push: Node, steady: Sequence[Any]) -> IndexExpr | None:
    """What a loop only reads, where that is all it does to a list: to push it once each turn."""
    if body.outputs[at] is not push.outputs[0] or push.inputs[0] is not body.inputs[at]:
        return None
    if sum(t is body.inputs[at] for node in body.graph.nodes for t in node.inputs) > 1:
        return None
    t = push.inputs[1]
    if t.node.primitive.name == "ReadVariableOp":
        t = t.node.inputs[0]
    first = len(body.outputs)
    found = next((expr for given, expr in zip(body.inputs[first:], steady, strict=True) if given is t), None)
    wanted = push.inputs[1]
    is_same = isinstance(found, IndexExpr) and found.dims == wanted.dims and found.dtype == wanted.dtype.numpy_dtype
    return found if is_same else None


def _growth(body: Specialised, at: int) -> tuple[int, int, Node | None]:
    """How many elements more a list has after a turn, how many more at most within it, and a node that pushes to it."""
    more, most, push = {body.inputs[at].uid: 0}, 0, None
    for node in body.graph.nodes:
        if node.primitive.name in _BY and node.inputs[0].uid in more:
            now = more[node.outputs[0].uid] = more[node.inputs[0].uid] + _BY[node.primitive.name]
            most, push = max(most, now), node if now > 0 else push
    if body.outputs[at].uid not in more:
        raise Unsupported("a list that a loop replaces by another one")
    return more[body.outputs[at].uid], most, push


def _add_room(builder: XlaBuilder, value: Empty | Pushed, more: int, element: Any) -> Pushed:
    w, dims, dtype = builder.writer, element.dims, element.dtype.numpy_dtype
    if dims is None or None in dims or not is_known_dtype(dtype):
        raise Unsupported(f"a list of elements of {element.dtype.name} whose shape is {dims}")
    rows = more + (value.rows.dims[0] if isinstance(value, Pushed) else 0)
    if rows * math.prod(dims) * dtype.itemsize > _MOST:
        raise Unsupported(f"a list that may become {rows} elements of {list(dims)}")
    if isinstance(value, Empty):
        return Pushed(builder.define(w.constant(0, dtype, (rows, *dims))), builder.define(w.constant(0, _COUNT)))
    none = [0] * len(dims)
    return Pushed(builder.define(pad(w, builder.value(value.rows), 0, [0, *none], [more, *none], [0, *none])), value.length)


# ---- how often a loop turns


def bound_turns(builder: XlaBuilder, cond: Specialised, body: Specialised, values: Sequence[Any]) -> int:
    """How many turns a loop has at most; raises Unsupported where it does not say.  values: of its variables, and what it reads."""
    found = []
    for smaller, larger, may_equal in comparisons(cond.outputs[0]):
        found.append(_turns(builder, cond, body, values, smaller, larger, True, may_equal))
        found.append(_turns(builder, cond, body, values, larger, smaller, False, may_equal))
    known = [turns for turns in found if turns is not None]
    if not known:
        raise Unsupported("a list in a loop that does not say how many turns it has")
    return max(0, min(known))


def _turns(
    builder: XlaBuilder, cond: Specialised, body: Specialised, values: Sequence[Any], counter: Any, limit: Any, above: bool, reached: bool
) -> int | None:
    """The turns until a counter is at its limit, which is `above` it, or below, and may be `reached`; None where that is not known."""
    number = {t.uid: i for i, t in enumerate(cond.inputs)}
    at = number.get(counter.uid, len(body.outputs))
    if at >= len(body.outputs):
        return None
    step = _step(body, at)
    end = _constant(limit)
    if end is None and limit.uid in number:
        where = number[limit.uid]
        if where >= len(body.outputs) or body.outputs[where] is body.inputs[where]:
            end = _integer(builder, values[where])
    start = _integer(builder, values[at])
    if start is None and not above:
        start = builder.root.at_most.get(values[at])
    if step is None or end is None or start is None or (step > 0) is not above:
        return None
    way, pace = (end - start, step) if above else (start - end, -step)
    return way // pace + 1 if reached else -(-way // pace)


def _step(body: Specialised, at: int) -> int | None:
    """What each turn adds to a variable, where that is known and not 0."""
    node, variable = body.outputs[at].node, body.inputs[at]
    if node.primitive.name not in ("AddV2", "Add", "Sub"):
        return None
    x, y = node.inputs
    if node.primitive.name != "Sub" and y is variable:
        x, y = y, x
    by = _constant(y) if x is variable else None
    return -by if by and node.primitive.name == "Sub" else by or None


def _constant(t: Any) -> int | None:
    value = t.node.attrs["value"] if t.node.primitive.name == "Const" else None
    return int(value) if value is not None and value.dtype.kind in "iu" and value.shape == () else None


def _integer(builder: XlaBuilder, value: Any) -> int | None:
    if not isinstance(value, IndexExpr) or not builder.is_known(value):
        return None
    known = builder.get_constant(value)
    return int(known) if known.dtype.kind in "iu" and known.shape == () else None
