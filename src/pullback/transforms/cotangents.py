"""How the cotangents of one tensor are added up while a sweep goes on: by uid, in one of four ways with one protocol.

`DeferredSums` keeps all of them for a graph, which sums them by one node when it needs the sum.  `Sums` adds tensors as they come, so that
a tape which listens records the additions and memory holds one sum.  `NodeSums` is between them, for a tape in a graph: tensors of the
graph wait for one node, what belongs into rows is added as it comes.  `ArraySums` adds arrays, in place where the sum is its own:
nobody listens, and nobody else can hold what it changes.

A cotangent that is a part of a large tensor (of a row that was read) is not made at once, where its op says how it is added to another
(`Rule.into`): as long as it is alone it is a `Part`, and a sum of n rows costs n rows and one tensor, not n tensors.  Sparse ones are kept
as a list until the sum is needed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import reduce
from typing import TYPE_CHECKING, Any

from ..base.dtypes import variant
from ..base.lazy_import import LazyModule
from ..ir.accumulator import Owned, add_into
from ..ir.arrays import add_arrays, is_array, ndarray, wrap_array
from ..ir.context import Context
from ..ir.node import Node
from ..ir.op import Rule
from ..ir.tensor import EagerTensor, IndexedSlices, SymbolicTensor
from ..ops.array.basic import reshape
from ..ops.array.gather_nd import ADD
from ..ops.math.arithmetic import add
from .sparse import add_sparse

if TYPE_CHECKING:
    from ..ops.tensor_list import push_pop as lists
else:
    lists = LazyModule("pullback.ops.tensor_list.push_pop")


Found = list[tuple[Any, Any]]
Enter = Callable[[Node], None]
Finish = Callable[[Node, Found], Found]
Take = Callable[[Node, int, Any], bool]


class Part:
    """A cotangent that is a part of a large tensor and not made yet: what `rule` gives for `node` and `g`.

    enter, finish: as of `Sums`.
    """

    __slots__ = ("enter", "finish", "g", "node", "rule")

    def __init__(self, rule: Rule, node: Node, g: Any, enter: Enter | None, finish: Finish | None) -> None:
        self.rule, self.node, self.g, self.enter, self.finish = rule, node, g, enter, finish

    def make(self) -> Any:
        """The whole tensor, or slices."""
        if self.enter is not None:
            self.enter(self.node)
        made = self.rule.call(self.node, self.g)
        if self.finish is not None:
            ((_, made),) = self.finish(self.node, [(self.node.inputs[self.rule.indices[0]], made)])
        return made

    def add_to(self, total: object) -> Any:
        """A total with this added; None where it must be made first."""
        if self.enter is not None:
            self.enter(self.node)
        return self.rule.into(self.node, self.g, None, total)


class Terms(list[Any]):
    """Cotangents of one tensor of a graph, which one node sums."""

    __slots__ = ("total",)

    def __init__(self, terms: Iterable[Any], total: Callable[[list[Any]], Any]) -> None:
        super().__init__(terms)
        self.total = total

    def make(self) -> Any:
        """The sum."""
        return self.total(self)


#: What a table holds that rules do not take as it is.
UNSETTLED = frozenset({Part, Owned, Terms, list})


def plus(a: Any, b: Any) -> Any:
    """The sum of two cotangents; two sparse ones stay sparse, and the rows of one are added to a tensor."""
    if isinstance(a, IndexedSlices) and isinstance(b, IndexedSlices):
        return add_sparse([a, b])
    if isinstance(a, IndexedSlices):
        a, b = b, a
    if isinstance(b, IndexedSlices):
        if 0 in (b.values.dims or ()):  # rows without numbers, which a graph refuses to add
            return a
        return add_into(ADD, a, reshape(b.indices, [-1, 1]), b.values)
    if a.dtype is variant:
        return lists.ADD(a, b)
    return add(a, b)


def add_in_turn(tensor: object, cotangents: list[Any]) -> Any:
    """The sum of all cotangents of a tensor, in the order in which they came."""
    return reduce(plus, cotangents)


class Sums:
    """Tensors, added as they come.

    totals: what there is already of some tensors' cotangents, by uid; tensors of the graph that the sweep adds to.
    enter: called with a node before its rules are.
    """

    keeps_parts = True
    #: Called with a node and the cotangents that its rules gave, (input, cotangent); gives those that count.
    finish: Finish | None = None
    #: In place of `enter` and `finish` where arrays give arrays: called with a node, the position of an input and its cotangent; whether
    #: that counts.
    take: Take | None = None

    def __init__(self, context: Context, totals: dict[int, Any] | None = None, enter: Enter | None = None) -> None:
        self.table: dict[int, Any] = {} if totals is None else dict(totals)
        self.ours: set[int] = set()  # totals that are nobody else's
        self.enter = enter
        self.recorders = context.recorders
        self.is_eager = context.graph is None

    def give(self, uid: int, g: object) -> None:
        """One more cotangent of the tensor `uid`."""
        before = self.table.get(uid)
        self.table[uid] = g if before is None else self.sum(before, g)

    def sum(self, before: object, g: object) -> Any:
        """What the table holds for two of what it may hold."""
        if type(before) is Part and isinstance(g, (Part, IndexedSlices)):
            before = before.make()
        for part, other in ((g, before), (before, g)):
            if type(part) is Part and not isinstance(other, (list, IndexedSlices)):
                found = part.add_to(self.own(other))
                return self.sum(other, part.make()) if found is None else found
        if type(g) is Part:
            g = g.make()
        sparse = [one for one in (before, g) if isinstance(one, (list, IndexedSlices))]
        if len(sparse) == 2:
            return [*(before if type(before) is list else [before]), *(g if type(g) is list else [g])]
        if sparse:
            (dense,) = [one for one in (before, g) if one is not sparse[0]]
            return plus(self.own(dense), settle_cotangent(sparse[0]))
        return plus(settle_cotangent(before), g)

    def own(self, tensor: object) -> Any:
        """A total to add parts to: one that the sweep may change, where tensors have values."""
        return Owned(tensor.value.copy(), tensor, self.recorders) if type(tensor) is EagerTensor and self.is_eager else tensor

    def open_cotangent(self, g: object) -> Any:
        """A cotangent in the form this table holds."""
        return g

    def settle(self, tensor: Any, g: Any) -> Any:
        """What the table holds for `tensor`, once nothing more will be added, as a cotangent."""
        g = settle_cotangent(g)
        if tensor.uid in self.table:
            self.table[tensor.uid] = g
        return g

    def close_cotangent(self, tensor: object, g: object) -> Any:
        """What the table holds for `tensor`, as rules and callers take it."""
        return self.settle(tensor, g) if type(g) in UNSETTLED else g


def settle_cotangent(g: object) -> Any:
    """A cotangent that may not have been made, or be several, as one."""
    if type(g) is Part or type(g) is Terms:
        return g.make()
    if type(g) is Owned:
        return g.settle()
    return add_sparse(g) if type(g) is list else g


class Totals:
    """What there is already of the cotangents of a node's inputs, in a graph, for a formula that adds to it."""

    def __init__(self, sums: Sums, inputs: Sequence[Any]) -> None:
        self._sums, self._inputs = sums, inputs
        self._taken: dict[int, int] = {}

    def take(self, position: int) -> Any:
        """The total of the input at a flat position, which the formula gives back with its cotangent added; None where there is none."""
        uid = self._inputs[position].uid
        total = self._sums.table.get(uid)
        if self._sums.is_eager or uid in self._taken or total is None or type(total) in UNSETTLED or isinstance(total, IndexedSlices):
            return None
        self._taken[uid] = position
        return total

    def put_back(self, found: list[tuple[int, Any]]) -> list[tuple[int, Any]]:
        """Give the sweep the totals that were taken; what is left of `found`, cotangents by position, is to be added."""
        taken = set(self._taken.values())
        self._sums.table.update((self._inputs[position].uid, total) for position, total in found if position in taken)
        return [(position, g) for position, g in found if position not in taken]


class NodeSums(Sums):
    """Tensors of a graph: those of one tensor are summed by one node, when the sum is needed; the rest as `Sums` does.

    total: the sum of a list of tensors.
    """

    def __init__(self, context: Context, total: Callable[[list[Any]], Any], enter: Enter, finish: Finish) -> None:
        super().__init__(context, enter=enter)
        self.total, self.finish = total, finish

    def sum(self, before: object, g: object) -> Any:
        """What the table holds for two of what it may hold."""
        if type(g) is SymbolicTensor and g.dtype is not variant:
            if type(before) is Terms:
                before.append(g)
                return before
            if type(before) is SymbolicTensor:
                return Terms((before, g), self.total)
        return super().sum(before.make() if type(before) is Terms else before, g)


class DeferredSums(Sums):
    """Lists of tensors, summed when they are needed.

    total: the sum of the cotangents of a tensor.
    """

    keeps_parts = False

    def __init__(
        self,
        context: Context,
        total: Callable[[Any, list[Any]], Any] = add_in_turn,
        enter: Enter | None = None,
        finish: Finish | None = None,
    ) -> None:
        super().__init__(context, enter=enter)
        self.total, self.finish = total, finish

    def give(self, uid: int, g: object) -> None:
        """Add a cotangent of the tensor with this uid."""
        before = self.table.get(uid)
        if before is None:
            self.table[uid] = g
        elif type(before) is list:
            before.append(g)
        else:
            self.table[uid] = [before, g]

    def settle(self, tensor: Any, g: Any) -> Any:
        """The sum for a tensor, which is complete."""
        if type(g) is not list:
            return g
        total = self.table[tensor.uid] = self.total(tensor, g)
        return total


class ArraySums(Sums):
    """Arrays (and IndexedSlices), added in place where the sum is ours."""

    def give(self, uid: int, g: Any) -> None:
        """Add a cotangent of the tensor with this uid."""
        before = self.table.get(uid)
        if before is None:
            self.table[uid] = g
        elif uid in self.ours and type(g) is ndarray:
            try:
                add_arrays(before, g, before)
            except ValueError:
                self.table[uid] = before + g
        elif is_array(g) and is_array(before):
            total = self.table[uid] = add_arrays(before, g)
            if type(total) is ndarray:
                self.ours.add(uid)
        else:
            total = self.sum(Owned(before) if uid in self.ours else wrap_array(before), wrap_array(g))
            if type(total) is Owned:
                self.ours.add(uid)
            else:
                self.ours.discard(uid)
            self.table[uid] = self.open_cotangent(total)

    def open_cotangent(self, g: object) -> Any:
        """A cotangent as these sums keep it."""
        return g.array if type(g) is Owned else g.value if type(g) is EagerTensor else g

    def settle(self, tensor: object, g: object) -> Any:
        """The sum for a tensor, which is complete."""
        return self.open_cotangent(super().settle(tensor, g))

    def close_cotangent(self, tensor: object, g: object) -> Any:
        """A sum as what reads it takes it, a tensor."""
        return EagerTensor(g) if type(g) is ndarray else wrap_array(self.settle(tensor, g) if type(g) in UNSETTLED else g)
