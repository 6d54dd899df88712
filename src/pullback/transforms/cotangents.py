"""How the cotangents of one tensor are added up while a sweep goes on: by uid, in one of three ways.

`Late` keeps all of them for a graph, which sums them by one node when it needs the sum.  `Sums` adds tensors as they come, so that
a tape which listens records the additions and memory holds one sum.  `Bare` adds arrays, in place where the sum is its own:
nobody listens, and nobody else can hold what it changes.
"""

from __future__ import annotations

from typing import Any

from ..base.dtypes import variant
from ..ir.arrays import add_arrays, is_array, ndarray, wrapped
from ..ir.node import Node
from ..ir.tensor import METHODS, EagerTensor, IndexedSlices
from ..ops.math.arithmetic import add
from .sparse import add_sparse, densify


class Hooks:
    """What a graph adds around a sweep: name scopes, colocation, gating, and how cotangents of one tensor are summed."""

    def begin(self, node: Node) -> None:
        """The gradient of `node` comes next."""

    def finish(self, node: Node, found: list[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
        """The cotangents of `node`'s inputs are made: (input, cotangent)."""
        return found

    def total(self, tensor: Any, cotangents: list[Any]) -> Any:
        """The sum of all `cotangents` of one tensor."""
        raise NotImplementedError


def plus(a: Any, b: Any) -> Any:
    """The sum of two cotangents; two sparse ones stay sparse."""
    if isinstance(a, IndexedSlices) and isinstance(b, IndexedSlices):
        return add_sparse([a, b])
    if a.dtype is variant:
        return METHODS["add_lists"](a, b)
    return add(densify(a), densify(b))


class Sums:
    """Tensors, added as they come."""

    def __init__(self) -> None:
        self.table: dict[int, Any] = {}

    def give(self, uid: int, g: Any) -> None:
        """One more cotangent of the tensor `uid`."""
        before = self.table.get(uid)
        self.table[uid] = g if before is None else plus(before, g)

    def opened(self, g: Any) -> Any:
        """A cotangent in the form this table holds."""
        return g

    def closed(self, tensor: Any, g: Any) -> Any:
        """What the table holds for `tensor`, as rules and callers take it."""
        return g


class Late(Sums):
    """Lists of tensors, summed by the graph's hooks when they are needed."""

    def __init__(self, hooks: Hooks) -> None:
        super().__init__()
        self.hooks = hooks

    def give(self, uid: int, g: Any) -> None:
        before = self.table.get(uid)
        if before is None:
            self.table[uid] = g
        elif type(before) is list:
            before.append(g)
        else:
            self.table[uid] = [before, g]

    def closed(self, tensor: Any, g: Any) -> Any:
        if type(g) is not list:
            return g
        total = self.table[tensor.uid] = self.hooks.total(tensor, g)
        return total


class Bare(Sums):
    """Arrays (and IndexedSlices), added in place where the sum is ours."""

    def __init__(self) -> None:
        super().__init__()
        self.owned: set[int] = set()

    def give(self, uid: int, g: Any) -> None:
        before = self.table.get(uid)
        if before is None:
            self.table[uid] = g
        elif uid in self.owned and type(g) is ndarray:
            try:
                add_arrays(before, g, before)
            except ValueError:
                self.table[uid] = before + g
        elif not (is_array(g) and is_array(before)):
            self.table[uid] = self.opened(plus(wrapped(before), wrapped(g)))
            self.owned.discard(uid)
        else:
            total = self.table[uid] = add_arrays(before, g)
            if type(total) is ndarray:
                self.owned.add(uid)

    def opened(self, g: Any) -> Any:
        return g.value if type(g) is EagerTensor else g

    def closed(self, tensor: Any, g: Any) -> Any:
        return wrapped(g)
