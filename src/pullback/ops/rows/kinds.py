"""What batching rules are written with: tensors that have a leading axis of rows, and how an op meets them.

Batching turns a computation on one row into the same computation on many at once.  A tensor of it is then *stacked* (it has a new leading
axis, one entry for each row) or *the same* for every row.  `Op.batch` says how an op works on stacked inputs: a function of a `Rows` and
the op's inputs and attributes, as the kernel takes them, that gives the outputs, stacked unless wrapped in `Same`.  A rule may decline by
giving `NotImplemented`: the op then runs in a loop over the rows.

Most ops are of a few kinds, and their rules are made by functions of this module: `alike` (leading axes are a batch already), `folded`
(the first axis is a batch: rows become more of it), `shifted` (an axis is named by number).  Rules call ops by name, so that every
module of ops can use this one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from ...base.dtypes import int32, variant
from ...ir.op import OPS, Op, is_known
from ...ir.tensor import Tensor

Rule = Callable[..., Any]


class NotBatched(Exception):
    """What cannot be batched: lists whose length differs from row to row, other sizes that do, lists that an op without a rule takes."""


class Same:
    """A rule's output that is the same for every row."""

    __slots__ = ("tensor",)

    def __init__(self, tensor: Any) -> None:
        self.tensor = tensor


class Rows:
    """The rows of one batching: how many, which tensors are stacked, and the node whose turn it is.

    size: an int where the number is known, else an int32 scalar.
    """

    __slots__ = ("known", "node", "op", "size", "uids")
    node: Any
    op: Op

    def __init__(self, size: Any) -> None:
        self.size = size
        self.uids: set[int] = set()
        #: What stands for each tensor of the computation on one row, by uid.
        self.known: dict[int, Any] = {}

    def has(self, *tensors: Any) -> bool:
        """Whether any of these is stacked."""
        return any(t.uid in self.uids for t in tensors)

    def rank(self, tensor: Any) -> int | None:
        """The rank of one row of `tensor`."""
        return None if tensor.dims is None else len(tensor.dims) - (tensor.uid in self.uids)

    def dims(self, tensor: Any) -> Any:
        """What is known of the shape of one row of `tensor`."""
        return tensor.dims[1:] if tensor.uid in self.uids and tensor.dims is not None else tensor.dims

    def count(self) -> Any:
        """The number of rows as an array or an int32 scalar."""
        return np.int32(self.size) if isinstance(self.size, int) else self.size

    def before(self, shape: Any, dtype: Any = int32) -> Any:
        """`shape` (a vector of integers) with the number of rows in front."""
        return joined([self.count()], shape, dtype=dtype)

    def shape(self, tensor: Any, dtype: Any = int32) -> Any:
        """The shape of one row of `tensor`: an array where it is known, else a tensor."""
        dims = self.dims(tensor)
        if dims is not None and None not in dims:
            return np.array(dims, dtype.numpy)
        whole = OPS["Shape"](tensor, out_type=dtype)
        return cut(whole, 1) if tensor.uid in self.uids else whole

    def stacked(self, tensor: Any) -> Any:
        """`tensor` with its leading axis of rows: repeated if it is the same for every row."""
        if tensor.uid in self.uids:
            return tensor
        if tensor.dtype is variant:
            return self.mark(OPS["TensorListRepeatRows"](tensor, self.count()))
        return self.mark(OPS["BroadcastTo"](tensor, self.before(self.shape(tensor))))

    def all_stacked(self, tensors: Iterable[Any]) -> list[Any]:
        """Each of `tensors` with its leading axis."""
        return [self.stacked(t) for t in tensors]

    def mark(self, tensor: Any) -> Any:
        """Note that `tensor` is stacked."""
        self.uids.add(tensor.uid)
        return tensor

    def numbers(self, like: Any) -> Any:
        """0, 1, 2, ... for the rows, in the dtype of `like`."""
        if isinstance(self.size, int):
            return np.arange(self.size, dtype=like.dtype.numpy)
        return cast(OPS["Range"](0, self.size, 1), like.dtype)

    def widened(self, tensor: Any, rank: Any) -> Any:
        """A stacked tensor whose rows get axes of length 1 in front until they have `rank` axes, so that they broadcast as rows did."""
        own = self.rank(tensor)
        if own is not None and isinstance(rank, int):
            if own >= rank or tensor.uid not in self.uids:
                return tensor
            dims = tensor.dims
            ones = (1,) * (rank - own)
            if None not in dims[1:]:
                return self.mark(OPS["Reshape"](tensor, self.before(np.array((*ones, *dims[1:]), np.int32))))
            return self.mark(OPS["Reshape"](tensor, self.before(joined(ones, self.shape(tensor)))))
        if tensor.uid not in self.uids:
            return tensor
        missing = OPS["Sub"](_as_scalar(rank), OPS["Sub"](OPS["Rank"](tensor), 1))
        ones = OPS["Fill"](OPS["Reshape"](missing, [1]), 1)
        return self.mark(OPS["Reshape"](tensor, self.before(joined(ones, self.shape(tensor)))))

    def merged(self, tensor: Any, axis: int) -> Any:
        """A tensor whose rows have become more of one axis of a row: entry k of row r stands at r * size + k."""
        tensor = self.moved(self.stacked(tensor), 0, axis)
        whole = sizes(tensor)
        return OPS["Reshape"](
            tensor, joined(joined(whole[:axis], [times(whole[axis], whole[axis + 1])]), cut(whole, axis + 2))
        )

    def parted(self, tensor: Any, axis: int, size: Any = None) -> Any:
        """The undoing of `merged`; size: that of the axis in one row, where it is known."""
        whole = sizes(tensor)
        if size is None and isinstance(self.size, int) and self.size and isinstance(whole[axis], (int, np.integer)):
            size = int(whole[axis]) // self.size
        if size is None:
            size = OPS["FloorDiv"](whole[axis], OPS["Maximum"](self.count(), 1))
        pieces = joined(joined(whole[:axis], [self.count(), size]), cut(whole, axis + 1))
        return self.mark(self.moved(OPS["Reshape"](tensor, pieces), axis, 0))

    def fold(self, tensor: Any) -> Any:
        """A tensor whose rows have become more of the first axis of a row."""
        return self.merged(tensor, 0)

    def unfold(self, tensor: Any, size: Any = None) -> Any:
        """The undoing of `fold`."""
        return self.parted(tensor, 0, size)

    def moved(self, tensor: Any, axis: int, to: int) -> Any:
        """`tensor` with one of its axes in another place."""
        if axis == to:
            return tensor
        count = len(tensor.dims) if tensor.dims is not None else max(axis, to) + 1
        order = [i for i in range(count) if i != axis]
        order.insert(to, axis)
        perm: Any = np.array(order, np.int32)
        if tensor.dims is None:
            perm = joined(perm, OPS["Range"](count, OPS["Rank"](tensor), 1))
        return OPS["Transpose"](tensor, perm)

    def swapped(self, tensor: Any) -> Any:
        """`tensor` with its first two axes exchanged."""
        return self.moved(tensor, 0, 1)


# ---- shapes that may be known or not


def _as_scalar(value: Any) -> Any:
    return np.int32(value) if isinstance(value, int) else value


def content(tensor: Any) -> Any:
    """What an array or a tensor holds, where that is known, else None."""
    if isinstance(tensor, Tensor):
        constant = tensor.constant
        return constant if is_known(constant) else None
    array = np.asarray(tensor)
    return array if array.dtype != object else None


def joined(first: Any, second: Any, dtype: Any = int32) -> Any:
    """Two vectors of integers, one after the other; an array where both are known."""
    first, second = _vector(first, dtype), _vector(second, dtype)
    a, b = content(first), content(second)
    if a is not None and b is not None:
        return np.concatenate([a.astype(dtype.numpy), b.astype(dtype.numpy)])
    return OPS["ConcatV2"]([cast(first, dtype), cast(second, dtype)], 0)


def _vector(entries: Any, dtype: Any) -> Any:
    if isinstance(entries, Tensor) or not any(isinstance(n, Tensor) for n in entries):
        return entries
    return OPS["Pack"]([cast(n, dtype) for n in entries], axis=0)


def cut(shape: Any, start: int) -> Any:
    """A vector without its first `start` entries."""
    known = content(shape)
    return known[start:] if known is not None else shape[start:]


def sizes(tensor: Any) -> Any:
    """The shape of a tensor: an array where it is known, else a tensor."""
    dims = tensor.dims
    if dims is not None and None not in dims:
        return np.array(dims, np.int32)
    return OPS["Shape"](tensor, out_type=int32)


def times(m: Any, n: Any) -> Any:
    """The product of two sizes, known where both are."""
    a, b = content(m), content(n)
    return np.int32(a * b) if a is not None and b is not None else OPS["Mul"](cast(m, int32), cast(n, int32))


def cast(value: Any, dtype: Any) -> Any:
    """An array or a tensor of integers in another dtype."""
    if not isinstance(value, Tensor):
        return np.asarray(value).astype(dtype.numpy)
    return value if value.dtype is dtype else OPS["Cast"](value, DstT=dtype)


def later(axis: Any) -> Any:
    """Numbers of axes of a row as numbers of axes of the stack: counted from the end they stay, else there is one more before them."""
    known = content(axis)
    if known is not None:
        return np.where(known >= 0, known + 1, known).astype(known.dtype)
    return OPS["AddV2"](axis, cast(OPS["GreaterEqual"](axis, np.zeros((), axis.dtype.numpy)), axis.dtype))


def next_axis(axis: int) -> int:
    """`later` for one axis that is an attribute."""
    return axis + 1 if axis >= 0 else axis


def widest(rows: Rows, tensors: Sequence[Any]) -> Any:
    """The largest rank of a row among `tensors`: an int, or a scalar where ranks are unknown."""
    ranks = [rows.rank(t) for t in tensors]
    known = [r for r in ranks if r is not None]
    if len(known) == len(ranks):
        return max(known)
    found: Any = None
    for t, r in zip(tensors, ranks, strict=True):
        one = np.int32(r) if r is not None else OPS["Sub"](OPS["Rank"](t), np.int32(t.uid in rows.uids))
        found = one if found is None else OPS["Maximum"](found, one)
    return found


# ---- kinds of rules


def _described(rule: Any, kind: str, names: tuple[str, ...]) -> Rule:
    """A rule that says what it knows of the op's axes, for those who ask which elements depend on which."""
    rule.kind, rule.names = kind, names
    return rule  # type: ignore[no-any-return]  # a function


def broadcasting(rows: Rows, *inputs: Any, **attrs: Any) -> Any:
    """For an op whose inputs broadcast against each other: ranks of rows are made equal, and the op applied."""
    if len(inputs) > 1:
        rank = widest(rows, inputs)
        inputs = tuple(rows.widened(t, rank) for t in inputs)
    return rows.op(*inputs, **attrs)


def broadcasting_or_scalar(rows: Rows, *inputs: Any, **attrs: Any) -> Any:
    """As `broadcasting`, for an op whose inputs have one rank, unless they are scalars."""
    return broadcasting(rows, *(t if t.dims == () else rows.stacked(t) for t in inputs), **attrs)


def alike(*names: str) -> Rule:
    """For an op to which leading axes of the inputs `names` (all when none is named) are a batch; the others are the same for all rows."""

    def rule(rows: Rows, *inputs: Any, **attrs: Any) -> Any:
        given = []
        for spec, t in zip(rows.op.inputs, inputs, strict=True):
            if not names or spec.name in names:
                given.append(rows.all_stacked(t) if spec.variadic else rows.stacked(t))
            elif rows.has(t):
                return NotImplemented
            else:
                given.append(t)
        return rows.op(*given, **attrs)

    return _described(rule, "alike", names)


def folded(*names: str) -> Rule:
    """For an op to which the first axis of the inputs `names`, and of every output, is a batch: rows become more of that axis."""

    def rule(rows: Rows, *inputs: Any, **attrs: Any) -> Any:
        given = []
        for spec, t in zip(rows.op.inputs, inputs, strict=True):
            if spec.name in names:
                given.append(rows.fold(t))
            elif rows.has(t):
                return NotImplemented
            else:
                given.append(t)
        return unfolded(rows, rows.op(*given, **attrs))

    return _described(rule, "folded", names)


def unfolded(rows: Rows, answer: Any) -> Any:
    """The outputs of a folded op as rows."""
    several = isinstance(answer, (tuple, list))
    found = []
    for t, of_row in zip(answer if several else [answer], rows.node.outputs, strict=True):
        found.append(rows.unfold(t, None if of_row.dims is None else of_row.dims[0]))
    return tuple(found) if several else found[0]


def shifted(*axes: str, others: Sequence[str] = ()) -> Rule:
    """For an op that names axes by number, in the inputs or attributes `axes`; inputs among `others` are the same for all rows."""

    def rule(rows: Rows, *inputs: Any, **attrs: Any) -> Any:
        given = []
        for spec, t in zip(rows.op.inputs, inputs, strict=True):
            if spec.name in axes or spec.name in others:
                if rows.has(t):
                    return NotImplemented
                given.append(later(t) if spec.name in axes else t)
            else:
                given.append(rows.all_stacked(t) if spec.variadic else rows.stacked(t))
        attrs = {k: next_axis(v) if k in axes else v for k, v in attrs.items()}
        return rows.op(*given, **attrs)

    return rule


def prefixed(*names: str, first: int = 0) -> Rule:
    """For an op of one tensor and vectors `names` with an entry for each of its axes: the entry of the axis of rows is `first`."""

    def rule(rows: Rows, *inputs: Any, **attrs: Any) -> Any:
        given = []
        for spec, t in zip(rows.op.inputs, inputs, strict=True):
            if spec.name in names:
                if rows.has(t):
                    return NotImplemented
                known = content(t)
                entry = np.full((1, *known.shape[1:]) if known is not None else (1, *t.dims[1:]), first, t.dtype.numpy)
                given.append(np.concatenate([entry, known]) if known is not None else OPS["ConcatV2"]([entry, t], 0))
            else:
                given.append(rows.stacked(t))
        return rows.op(*given, **attrs)

    return rule


def unchanged(rows: Rows, *inputs: Any, **attrs: Any) -> Any:
    """For an op that answers every row alike, once for all: reading a variable, making a list."""
    if any(rows.has(*(t if isinstance(t, (tuple, list)) else (t,))) for t in inputs):
        return NotImplemented
    answer = rows.op(*(list(t) if isinstance(t, tuple) else t for t in inputs), **attrs)
    if not rows.node.outputs:
        return answer
    return tuple(Same(t) for t in answer) if isinstance(answer, (tuple, list)) else Same(answer)
