"""Batching rules: how operations meet a leading axis of rows.

Batching turns a computation on one row into the same computation on many at once.  A tensor of it is then *stacked* (it has a new leading
axis, one entry for each row) or *the same* for every row.  A rule says how an op works on stacked inputs: a function of a `Rows`
(rows/base.py) and the op's inputs and attributes, as the kernel takes them, that gives the outputs, stacked unless wrapped in `Same`.  A
rule may decline by giving `NotImplemented`: the op then runs in a loop over the rows.

Most ops are of a few kinds, and their rules are made by functions of this module: `stack_rows` (leading axes are a batch already),
`fold_rows` (the first axis is a batch: rows become more of it), `shift_axes` (an axis is named by number).  They stand on the record,
`batch=stack_rows()`.
A rule that calls operations that lie as high as its own is written above them and registered, `@batches(GATHER)`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import NotImplementedType
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from ..ir.op import Op, is_known
from ..ir.registry import Registry
from ..ir.tensor import Tensor

if TYPE_CHECKING:
    from .vmap_rules.base import Rows

Rule = Callable[..., Any]
R = TypeVar("R", bound=Rule)

#: Rules that stand in modules of their own, by the names of operations.
RULES: Registry[Rule] = Registry("batching")


def batches(*ops: Op) -> Callable[[R], R]:
    """Registers a function as the batching rule of operations."""

    def register(rule: R) -> R:
        for op in ops:
            RULES[op.name] = rule
        return rule

    return register


def rule_of(op: Op) -> Rule | None:
    """The batching rule of an operation: its own, or what its family gives; None for a loop over the rows."""
    if op.batch is not None:
        return op.batch if callable(op.batch) else None
    return RULES.find(op.name) or (broadcast_rows if op.pointwise else None)


class NotBatched(Exception):
    """What cannot be batched: lists whose length differs from row to row, other sizes that do, lists that an op without a rule takes."""


class Same:
    """A rule's output that is the same for every row."""

    __slots__ = ("tensor",)

    def __init__(self, tensor: Any) -> None:
        self.tensor = tensor


#: What a rule answers: the outputs, or that it declines.
Batched = Tensor | Same | Sequence[Tensor | Same] | NotImplementedType


def content(tensor: object) -> Any:
    """What an array or a tensor holds, where that is known, else None."""
    if isinstance(tensor, Tensor):
        constant = tensor.constant
        return constant if is_known(constant) else None
    array = np.asarray(tensor)
    return array if array.dtype != object else None


def next_axis(axis: int) -> int:
    """The number of an axis of a row, as an axis of the stack: counted from the end it stays, else there is one more before it."""
    return axis + 1 if axis >= 0 else axis


# ---- kinds of rules


def _describe_rule(rule: Any, kind: str, names: tuple[str, ...]) -> Rule:
    """A rule that says what it knows of the op's axes, for those who ask which elements depend on which."""
    rule.kind, rule.names = kind, names
    return rule


def broadcast_rows(rows: Rows, *inputs: Any, **attrs: Any) -> Tensor:
    """For an op whose inputs broadcast against each other: ranks of rows are made equal, and the op applied."""
    if len(inputs) > 1:
        rank = rows.widest(inputs)
        inputs = tuple(rows.widen(t, rank) for t in inputs)
    return rows.op(*inputs, **attrs)


def stack_rows(*names: str) -> Rule:
    """For an op to which leading axes of the inputs `names` (all when none is named) are a batch; the others are the same for all rows."""

    def rule(rows: Rows, *inputs: Any, **attrs: Any) -> Batched:
        given = []
        for spec, t in zip(rows.op.inputs, inputs, strict=True):
            if not names or spec.name in names:
                given.append(rows.all_stacked(t) if spec.variadic else rows.stack(t))
            elif rows.has(t):
                return NotImplemented
            else:
                given.append(t)
        return rows.op(*given, **attrs)

    return _describe_rule(rule, "alike", names)


def fold_rows(*names: str) -> Rule:
    """For an op to which the first axis of the inputs `names`, and of every output, is a batch: rows become more of that axis."""

    def rule(rows: Rows, *inputs: Any, **attrs: Any) -> Batched:
        given = []
        for spec, t in zip(rows.op.inputs, inputs, strict=True):
            if spec.name in names:
                given.append(rows.fold(t))
            elif rows.has(t):
                return NotImplemented
            else:
                given.append(t)
        return unfold_rows(rows, rows.op(*given, **attrs))

    return _describe_rule(rule, "folded", names)


def unfold_rows(rows: Rows, answer: Any) -> Any:
    """The outputs of a folded op as rows."""
    several = isinstance(answer, (tuple, list))
    found = []
    for t, of_row in zip(answer if several else [answer], rows.node.outputs, strict=True):
        found.append(rows.unfold(t, None if of_row.dims is None else of_row.dims[0]))
    return tuple(found) if several else found[0]


def shift_axes(*axes: str, others: Sequence[str] = ()) -> Rule:
    """For an op that names axes by number, in the inputs or attributes `axes`; inputs among `others` are the same for all rows."""

    def rule(rows: Rows, *inputs: Any, **attrs: Any) -> Batched:
        given = []
        for spec, t in zip(rows.op.inputs, inputs, strict=True):
            if spec.name in axes or spec.name in others:
                if rows.has(t):
                    return NotImplemented
                given.append(rows.later(t) if spec.name in axes else t)
            else:
                given.append(rows.all_stacked(t) if spec.variadic else rows.stack(t))
        attrs = {k: next_axis(v) if k in axes else v for k, v in attrs.items()}
        return rows.op(*given, **attrs)

    return rule


def prefix_vectors(*names: str, first: int = 0) -> Rule:
    """For an op of one tensor and vectors `names` with an entry for each of its axes: the entry of the axis of rows is `first`."""

    def rule(rows: Rows, *inputs: Any, **attrs: Any) -> Batched:
        given = []
        for spec, t in zip(rows.op.inputs, inputs, strict=True):
            if spec.name in names:
                if rows.has(t):
                    return NotImplemented
                given.append(rows.prefix(t, first))
            else:
                given.append(rows.stack(t))
        return rows.op(*given, **attrs)

    return rule


def answer_once(rows: Rows, *inputs: Any, **attrs: Any) -> Batched:
    """For an op that answers every row alike, once for all: reading a variable, making a list."""
    if any(rows.has(*(t if isinstance(t, (tuple, list)) else (t,))) for t in inputs):
        return NotImplemented
    answer = rows.op(*(list(t) if isinstance(t, tuple) else t for t in inputs), **attrs)
    if not rows.node.outputs:
        return answer
    return tuple(Same(t) for t in answer) if isinstance(answer, (tuple, list)) else Same(answer)


def write_once(rows: Rows, *inputs: Any, **attrs: Any) -> Batched:
    """What writes the same value for every row writes it once; where rows write values of their own, they run one after the other."""
    if rows.has(*inputs):
        raise NotBatched("a variable that each row writes")
    return answer_once(rows, *inputs, **attrs) if isinstance(rows.size, int) and rows.size else NotImplemented
