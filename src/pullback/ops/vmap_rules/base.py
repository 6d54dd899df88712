"""Rows: what batching rules are written with, tensors that have a leading axis of rows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ...base.dtypes import int32, variant
from ...base.lazy_import import LazyModule
from ...ir.op import Op
from ...ir.tensor import DTypeLike, IntLike, ShapeLike, Tensor
from ..array.basic import TRANSPOSE, broadcast_to, fill, reshape, shape
from ..array.create import RANGE
from ..array.join import CONCAT, STACK
from ..array.shape import RANK, rank
from ..batching import content
from ..math.arithmetic import ADD, maximum, multiply, subtract
from ..math.division import FLOOR_DIV
from ..primitives.cast import CAST
from ..primitives.compare import greater_equal
from ..reduce.reductions import PROD

if TYPE_CHECKING:
    from ..tensor_list import vmap_rules as lists
else:
    lists = LazyModule("pullback.ops.tensor_list.vmap_rules")


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

    def rank(self, tensor: Tensor) -> int | None:
        """The rank of one row of `tensor`."""
        return None if tensor.dims is None else len(tensor.dims) - (tensor.uid in self.uids)

    def dims(self, tensor: Tensor) -> Any:
        """What is known of the shape of one row of `tensor`."""
        return tensor.dims[1:] if tensor.uid in self.uids and tensor.dims is not None else tensor.dims

    def count(self) -> Any:
        """The number of rows as an array or an int32 scalar."""
        return np.int32(self.size) if isinstance(self.size, int) else self.size

    def before(self, shape: ShapeLike, dtype: DTypeLike = int32) -> Any:
        """`shape` (a vector of integers) with the number of rows in front."""
        return join_vectors([self.count()], shape, dtype=dtype)

    def shape(self, tensor: Any, dtype: Any = int32) -> Any:
        """The shape of one row of `tensor`: an array where it is known, else a tensor."""
        dims = self.dims(tensor)
        if dims is not None and None not in dims:
            return np.array(dims, dtype.numpy_dtype)
        whole = shape(tensor, out_type=dtype)
        return cut_start(whole, 1) if tensor.uid in self.uids else whole

    def stack(self, tensor: Any) -> Any:
        """`tensor` with its leading axis of rows: repeated if it is the same for every row."""
        if tensor.uid in self.uids:
            return tensor
        if tensor.dtype is variant:
            return self.mark(lists.REPEAT(tensor, self.count()))
        return self.mark(broadcast_to(tensor, self.before(self.shape(tensor))))

    def all_stacked(self, tensors: Iterable[Any]) -> list[Any]:
        """Each of `tensors` with its leading axis."""
        return [self.stack(t) for t in tensors]

    def mark(self, tensor: Tensor) -> Any:
        """Note that `tensor` is stacked."""
        self.uids.add(tensor.uid)
        return tensor

    def element_count(self, tensor: Any) -> Any:
        """How many elements a row has, known or not."""
        own = self.shape(tensor)
        known = content(own)
        if known is not None:
            return np.int32(np.prod(known, dtype=np.int64))
        return PROD(own, [0])

    def numbers(self, like: Any) -> Any:
        """0, 1, 2, ... for the rows, in the dtype of `like`."""
        if isinstance(self.size, int):
            return np.arange(self.size, dtype=like.dtype.numpy_dtype)
        return cast(RANGE(0, self.size, 1), like.dtype)

    def widen(self, tensor: Any, rank: Any) -> Tensor:
        """A stacked tensor whose rows get axes of length 1 in front until they have `rank` axes, so that they broadcast as rows did."""
        own = self.rank(tensor)
        if own is not None and isinstance(rank, int):
            if own >= rank or tensor.uid not in self.uids:
                return tensor
            dims = tensor.dims
            ones = (1,) * (rank - own)
            if None not in dims[1:]:
                return self.mark(reshape(tensor, self.before(np.array((*ones, *dims[1:]), np.int32))))
            return self.mark(reshape(tensor, self.before(join_vectors(ones, self.shape(tensor)))))
        if tensor.uid not in self.uids:
            return tensor
        missing = subtract(_as_scalar(rank), subtract(RANK(tensor), 1))
        return self.mark(reshape(tensor, self.before(join_vectors(fill(reshape(missing, [1]), 1), self.shape(tensor)))))

    def merge(self, tensor: Any, axis: int) -> Tensor:
        """A tensor whose rows have become more of one axis of a row: entry k of row r stands at r * size + k."""
        tensor = self.move_axis(self.stack(tensor), 0, axis)
        whole = sizes(tensor)
        return reshape(tensor, join_vectors(join_vectors(whole[:axis], [times(whole[axis], whole[axis + 1])]), cut_start(whole, axis + 2)))

    def unmerge(self, tensor: Tensor, axis: int, size: IntLike | None = None) -> Tensor:
        """The undoing of `merge`; size: that of the axis in one row, where it is known."""
        whole = sizes(tensor)
        if size is None and isinstance(self.size, int) and self.size and isinstance(whole[axis], (int, np.integer)):
            size = int(whole[axis]) // self.size
        if size is None:
            size = FLOOR_DIV(whole[axis], maximum(self.count(), 1))
        pieces = join_vectors(join_vectors(whole[:axis], [self.count(), size]), cut_start(whole, axis + 1))
        return self.mark(self.move_axis(reshape(tensor, pieces), axis, 0))

    def fold(self, tensor: Any) -> Tensor:
        """A tensor whose rows have become more of the first axis of a row."""
        return self.merge(tensor, 0)

    def unfold(self, tensor: Tensor, size: IntLike | None = None) -> Tensor:
        """The undoing of `fold`."""
        return self.unmerge(tensor, 0, size)

    def move_axis(self, tensor: Tensor, axis: int, to: int) -> Tensor:
        """`tensor` with one of its axes in another place."""
        if axis == to:
            return tensor
        count = len(tensor.dims) if tensor.dims is not None else max(axis, to) + 1
        order = [i for i in range(count) if i != axis]
        order.insert(to, axis)
        perm: Any = np.array(order, np.int32)
        if tensor.dims is None:
            perm = join_vectors(perm, RANGE(count, rank(tensor), 1))
        return TRANSPOSE(tensor, perm)

    def swap_axes(self, tensor: Tensor) -> Tensor:
        """`tensor` with its first two axes exchanged."""
        return self.move_axis(tensor, 0, 1)

    def widest(self, tensors: Sequence[Any]) -> Any:
        """The largest rank of a row among `tensors`: an int, or a scalar where ranks are unknown."""
        ranks = [self.rank(t) for t in tensors]
        known = [r for r in ranks if r is not None]
        if len(known) == len(ranks):
            return max(known)
        found: Any = None
        for t, r in zip(tensors, ranks, strict=True):
            one = np.int32(r) if r is not None else subtract(rank(t), np.int32(t.uid in self.uids))
            found = one if found is None else maximum(found, one)
        return found

    def later(self, axis: Tensor) -> Any:
        """Numbers of axes of a row as numbers of axes of the stack: counted from the end they stay, else there is one more before them."""
        known = content(axis)
        if known is not None:
            return np.where(known >= 0, known + 1, known).astype(known.dtype)
        return ADD(axis, cast(greater_equal(axis, np.zeros((), axis.dtype.numpy_dtype)), axis.dtype))

    def prefix(self, vector: Any, first: int) -> Any:
        """A vector (or table) with an entry for each axis of a row, with `first` as the entry of the axis of rows."""
        known = content(vector)
        entry = np.full((1, *(vector.dims if known is None else known.shape)[1:]), first, vector.dtype.numpy_dtype)
        return np.concatenate([entry, known]) if known is not None else CONCAT([entry, vector], 0)


# ---- shapes that may be known or not


def _as_scalar(value: Any) -> Any:
    return np.int32(value) if isinstance(value, int) else value


def join_vectors(first: Any, second: Any, dtype: Any = int32) -> Any:
    """Two vectors of integers, one after the other; an array where both are known."""
    first, second = _vector(first, dtype), _vector(second, dtype)
    a, b = content(first), content(second)
    if a is not None and b is not None:
        return np.concatenate([a.astype(dtype.numpy_dtype), b.astype(dtype.numpy_dtype)])
    return CONCAT([cast(first, dtype), cast(second, dtype)], 0)


def _vector(entries: Any, dtype: Any) -> Any:
    if isinstance(entries, Tensor) or not any(isinstance(n, Tensor) for n in entries):
        return entries
    return STACK([cast(n, dtype) for n in entries], axis=0)


def cut_start(shape: Any, start: int) -> Any:
    """A vector without its first `start` entries."""
    known = content(shape)
    return known[start:] if known is not None else shape[start:]


def sizes(tensor: Tensor) -> Any:
    """The shape of a tensor: an array where it is known, else a tensor."""
    dims = tensor.dims
    if dims is not None and None not in dims:
        return np.array(dims, np.int32)
    return shape(tensor, out_type=int32)


def times(m: object, n: object) -> Any:
    """The product of two sizes, known where both are."""
    a, b = content(m), content(n)
    return np.int32(a * b) if a is not None and b is not None else multiply(cast(m, int32), cast(n, int32))


def cast(value: Any, dtype: Any) -> Any:
    """An array or a tensor of integers in another dtype."""
    if not isinstance(value, Tensor):
        return np.asarray(value).astype(dtype.numpy_dtype)
    return value if value.dtype is dtype else CAST(value, DstT=dtype)
