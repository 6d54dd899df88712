"""The reverse sweep once more, with all that it adds up kept: which operation gave which term of which cotangent."""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import AbstractContextManager
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from ..ir.arrays import wrap_array
from ..ir.context import Context, current, enter_context
from ..ir.node import Node
from ..ir.tensor import EagerTensor, IndexedSlices
from ..transforms.cotangents import ArraySums, DeferredSums, Sums, add_in_turn
from ..transforms.recording import Recording, active_of
from ..transforms.reverse import differentiable_inputs, pullback
from ..transforms.sparse import densify

#: Of arrays of fewer elements than this it is faster to count those that are not zero than to ask for any.
_SMALL = 1000
_new = tuple.__new__  # a term is made for every input of every operation: the call of its class costs twice as much


def compute_aside(values: Sequence[Any]) -> AbstractContextManager[None]:
    """Let nobody listen for the length of a block; where tensors have values, operations on them run at once, in a graph's block too."""
    known = all(g is None or isinstance(g.values if isinstance(g, IndexedSlices) else g, EagerTensor) for g in values)
    return enter_context(Context(None if known else current().graph, ()))


class Term(NamedTuple):
    """What one operation adds to the cotangent of one of its inputs; no operation for what comes in at a target."""

    node: Node | None
    position: int
    value: Any


class Trace:
    """One sweep: the nodes in the order of the sweep, and the terms of every cotangent by the uid of the tensor.

    ends_at_zeros: whether operations to which nothing but zeros come are left out; `shut` has the terms that are zero then.
    """

    def __init__(
        self, recording: Recording, ys: Sequence[Any], gs: Sequence[Any], xs: Sequence[Any], ends_at_zeros: bool = False
    ) -> None:  # fmt: skip
        self.recording, self.ys, self.gs, self.xs, self._ends_at_zeros = recording, list(ys), list(gs), list(xs), ends_at_zeros
        self.nodes: list[Node] = []
        self.terms: dict[int, list[Term]] = {}
        #: What each node gave, by its identity.
        self.given: dict[int, list[Term]] = {}
        self.shut: list[Term] = []
        self.active = active_of(recording, xs)
        for y, g in zip(ys, gs, strict=True):
            if g is not None:
                self.terms.setdefault(y.uid, []).append(Term(None, 0, g))
        with compute_aside(gs):
            self.found = pullback(tuple(recording.nodes), ys, gs, xs, self.active, self._sums(current()))

    def _sums(self, context: Context) -> Sums:
        """The sums that the sweep fills, every part added at once, and that note here what is added."""
        if context.graph is not None:
            return DeferredSums(context, enter=self.begin, finish=self.finish)
        sums = ArraySums(context, enter=self.begin)
        sums.keeps_parts, sums.finish, sums.take = False, self.finish, self.take
        return sums

    def begin(self, node: Node) -> None:
        """Note that the sweep comes to a node."""
        self.nodes.append(node)

    def take(self, node: Node, position: int, array: object) -> bool:
        """Note the array that a node gives as a cotangent of an input."""
        if not self.nodes or self.nodes[-1] is not node:
            self.nodes.append(node)
            self.given[id(node)] = []
        return self._add(node, position, EagerTensor(array) if type(array) is np.ndarray else wrap_array(array))

    def _add(self, node: Node, position: int, g: Any) -> bool:
        """Take in a term; whether the sweep goes on with it."""
        term = _new(Term, (node, position, g))
        self.given[id(node)].append(term)
        uid, terms = node.inputs[position].uid, self.terms
        if uid in terms:
            terms[uid].append(term)
        else:
            terms[uid] = [term]
        if self._ends_at_zeros and is_zero(g):
            self.shut.append(term)
            return False
        return True

    def finish(self, node: Node, found: list[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
        """Note the cotangents that a node gives."""
        self.given[id(node)] = []
        inputs, start = node.inputs, 0
        live = []
        for x, g in found:
            uid, position = x.uid, start
            if position >= len(inputs) or inputs[position].uid != uid:
                later = (i for i in range(start, len(inputs)) if inputs[i].uid == uid)
                position = next(later, None) or next(i for i, t in enumerate(inputs) if t.uid == uid)
            start = position + 1
            if self._add(node, position, g):
                live.append((x, g))
        return live

    def cotangent(self, uid: int) -> Any:
        """What all terms of one tensor add up to; None without any."""
        terms = self.terms.get(uid)
        if not terms:
            return None
        if len(terms) == 1:
            return terms[0].value
        with compute_aside(self.gs):
            return add_in_turn(None, [term.value for term in terms])

    def array(self, uid: int) -> np.ndarray[Any, Any] | None:
        """`cotangent` as an array."""
        g = self.cotangent(uid)
        return None if g is None else array_of(g)

    def norm(self, term: Term) -> float:
        """The norm of a term; those of all terms are found together."""
        return self._norms[id(term.value)]

    @cached_property
    def _norms(self) -> dict[int, float]:
        return norms_of([term.value for terms in self.terms.values() for term in terms])

    @cached_property
    def leads(self) -> set[int]:
        """The uids of the tensors through which the targets depend on the sources."""
        return set(self.active)

    def withheld(self) -> list[tuple[Node, int]]:
        """The inputs that lead to a source and for which an operation gave no cotangent, although it got one."""
        found = []
        for node in self.nodes:
            given = {term.position for term in self.given[id(node)]}
            found += [(node, i) for i in differentiable_inputs(node) if i not in given and node.inputs[i].uid in self.leads]
        return found


def array_of(g: object) -> np.ndarray[Any, Any]:
    """A cotangent as an array; a sparse one made dense."""
    if isinstance(g, IndexedSlices):
        with compute_aside([g]):
            g = densify(g)
    assert isinstance(g, EagerTensor)
    return g.value


def is_zero(g: object) -> bool:
    """Whether all elements of a cotangent are zero; no for what is no array, such as a list of tensors."""
    value = getattr(g.values if isinstance(g, IndexedSlices) else g, "value", None)
    if not isinstance(value, np.ndarray):
        return False
    return not (np.count_nonzero(value) if value.size < _SMALL else value.any())


def norm_of(g: object) -> float:
    """The Euclidean norm of a cotangent; zero for what is no array."""
    return norms_of([g])[id(g)]


def norms_of(cotangents: Sequence[object]) -> dict[int, float]:
    """`norm_of` of each by its identity: the small ones one after the other in one array."""
    norms = {}
    small: dict[int, np.ndarray[Any, Any]] = {}
    for g in cotangents:
        value = g.value if type(g) is EagerTensor else getattr(g.values if isinstance(g, IndexedSlices) else g, "value", None)
        if not isinstance(value, np.ndarray) or not value.size:
            norms[id(g)] = 0.0
        elif value.size < _SMALL and value.dtype.kind != "c":
            small[id(g)] = value.ravel()
        elif id(g) not in norms:
            flat = value.ravel().astype(np.complex128 if value.dtype.kind == "c" else np.float64, copy=False)
            norms[id(g)] = math.sqrt(np.vdot(flat, flat).real)
    if small:
        starts = np.cumsum([0, *(flat.size for flat in small.values())][:-1])
        with np.errstate(all="ignore"):
            squares = np.concatenate(list(small.values()), dtype=np.float64, casting="unsafe") ** 2
            norms.update(zip(small, np.sqrt(np.add.reduceat(squares, starts)).tolist(), strict=True))
    return norms
