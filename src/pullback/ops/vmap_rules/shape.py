"""Batching rules of ops about shapes: asking for them, and giving the elements another one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ...base.dtypes import DType, bfloat16, float16, float32, int32
from ..array.basic import BROADCAST_TO, CONJUGATE_TRANSPOSE, FILL, RESHAPE, SHAPE, SUM_TO, TRANSPOSE, identity
from ..array.create import LINSPACE, RANGE
from ..array.gather import gather
from ..array.gather_nd import GATHER_ND
from ..array.identity import IDENTITY_N, stop_gradient
from ..array.shape import ENSURE_SHAPE, RANK, SHAPE_N, SIZE, SQUEEZE, expand_dims
from ..array.where import SELECT, SELECT_V2, where
from ..batching import Batched, Same, batches, content
from ..math.arithmetic import ABS, ADD, maximum, multiply, subtract
from ..math.division import FLOOR_DIV, floormod, realdiv
from ..primitives.compare import equal, less, not_equal
from ..reduce.reductions import PROD, REDUCED_SIZE
from .base import Rows, cast, join_vectors

if TYPE_CHECKING:
    from ...ir.tensor import Tensor


@batches(SHAPE)
def shape(rows: Rows, input: Tensor, *, out_type: DType) -> Batched:
    """The shape of a row, which all rows share."""
    return Same(_tensor(rows.shape(input, out_type)))


def _tensor(value: Any) -> Tensor:
    return value if hasattr(value, "uid") else identity(value)


@batches(SHAPE_N)
def shape_n(rows: Rows, input: Sequence[Any], *, out_type: DType) -> Batched:
    """The shapes of rows."""
    return [Same(_tensor(rows.shape(t, out_type))) for t in input]


@batches(SIZE)
def size(rows: Rows, input: Tensor, *, out_type: DType) -> Batched:
    """How many elements a row has."""
    return Same(PROD(rows.shape(input, out_type), [0]))


@batches(RANK)
def rank(rows: Rows, input: Tensor) -> Batched:
    """The rank of a row."""
    known = rows.rank(input)
    return Same(_tensor(np.int32(known) if known is not None else subtract(RANK(input), 1)))


@batches(RESHAPE)
def reshape(rows: Rows, tensor: Tensor, shape: Tensor) -> Batched:
    """The same elements in each row; what -1 stands for is worked out, since with no rows at all it could be anything."""
    if rows.has(shape):
        return NotImplemented
    dims = rows.node.outputs[0].dims
    known = content(shape)
    if dims is not None and None not in dims:
        wanted: Any = np.array(dims, np.int32)
    elif known is not None and -1 not in known:
        wanted = known
    else:
        wanted = _fill_shape(rows, tensor, shape)
    return RESHAPE(tensor, rows.before(wanted))


def _fill_shape(rows: Rows, tensor: Any, shape: Any) -> Tensor:
    """`shape` with -1 replaced by the size it stands for."""
    shape = cast(shape, int32)
    others = PROD(ABS(shape), [0])
    own = PROD(rows.shape(tensor), [0])
    return where(less(shape, 0), FLOOR_DIV(own, maximum(others, 1)), shape)


@batches(BROADCAST_TO)
def broadcast_to(rows: Rows, input: Tensor, shape: Tensor) -> Batched:
    """Each row repeated."""
    if rows.has(shape):
        return NotImplemented
    return BROADCAST_TO(rows.widen(input, _length(shape)), rows.before(shape))


def _length(shape: Any) -> Any:
    dims = shape.dims
    return dims[0] if dims is not None and dims[0] is not None else SIZE(shape, out_type=int32)


@batches(SUM_TO)
def sum_to(rows: Rows, input: Tensor, shape: Tensor) -> Tensor:
    """Each row summed: the missing axes stand behind the axis of rows, with size 1, until they are dropped."""
    if rows.has(shape):
        return NotImplemented
    own, wanted = rows.rank(input), _length(shape)
    if own is not None and isinstance(wanted, int):
        ones: Any = (1,) * (own - wanted)
    else:
        ones = FILL(RESHAPE(subtract(RANK(input), ADD(wanted, 1)), [1]), 1)
    full = rows.before(join_vectors(ones, shape))
    return RESHAPE(SUM_TO(input, full), rows.before(shape))


@batches(TRANSPOSE, CONJUGATE_TRANSPOSE)
def transpose(rows: Rows, x: Tensor, perm: Tensor) -> Tensor:
    """The axes of each row in another order."""
    if rows.has(perm):
        return NotImplemented
    return rows.op(x, join_vectors((0,), rows.later(perm), perm.dtype))


@batches(FILL)
def fill(rows: Rows, dims: Tensor, value: Tensor) -> Batched:
    """Each row filled with its own value."""
    if rows.has(dims):
        return NotImplemented
    return BROADCAST_TO(rows.widen(value, _length(dims)), rows.before(dims))


@batches(SQUEEZE)
def squeeze(rows: Rows, input: Tensor, *, squeeze_dims: Any) -> Tensor:
    """The axes of length 1 of a row, which need not be named."""
    if squeeze_dims:
        return SQUEEZE(input, squeeze_dims=tuple(a + 1 if a >= 0 else a for a in squeeze_dims))
    dims = rows.dims(input)
    if dims is not None and None not in dims:
        return RESHAPE(input, rows.before(np.array([n for n in dims if n != 1], np.int32)))
    own = rows.shape(input)
    return RESHAPE(input, rows.before(GATHER_ND(own, where(not_equal(own, 1)))))


@batches(ENSURE_SHAPE)
def ensure_shape(rows: Rows, input: Tensor, *, shape: Any) -> Tensor:
    """The shape of each row checked."""
    known = rows.size if isinstance(rows.size, int) else None
    return input if shape is None else ENSURE_SHAPE(input, shape=(known, *shape))


@batches(IDENTITY_N)
def identity_n(rows: Rows, input: Sequence[Any]) -> Batched:
    """Several tensors as they are; those that all rows share stay so."""
    return [t if rows.has(given) else Same(t) for t, given in zip(IDENTITY_N(list(input)), input, strict=True)]


@batches(SELECT)
def select(rows: Rows, condition: Tensor, t: Tensor, e: Tensor) -> Batched:
    """The condition of a row may be a vector that chooses rows of its row: it gets axes behind, then all broadcast."""
    own, wanted = rows.rank(condition), rows.rank(t)
    if own is None or wanted is None:
        return NotImplemented
    if 0 < own < wanted:
        stacked = rows.stack(condition)
        condition = rows.mark(RESHAPE(stacked, rows.before(join_vectors(rows.shape(stacked), (1,) * (wanted - own)))))
    return SELECT_V2(*(rows.widen(x, wanted) for x in (condition, t, e)))


@batches(LINSPACE)
def linspace(rows: Rows, start: Tensor, stop: Tensor, num: Tensor) -> Tensor:
    """As the kernel has it: narrow numbers in float32, and the ends themselves, for they may be infinite."""
    if rows.has(num):
        return NotImplemented
    dtype, count = start.dtype, cast(num, int32)
    kind = float32 if dtype in (float16, bfloat16) else dtype
    places = RANGE(np.int32(0), count, np.int32(1))
    last = subtract(count, np.int32(1))
    first, final = (expand_dims(stop_gradient(cast(rows.stack(t), kind)), np.int32(1)) for t in (start, stop))
    step = realdiv(subtract(final, first), cast(maximum(last, np.int32(1)), kind))
    found = ADD(first, multiply(cast(places, kind), step))
    found = where(equal(places, last), final, found)
    return cast(where(equal(places, np.int32(0)), first, found), dtype)


@batches(REDUCED_SIZE)
def reduced_size(rows: Rows, shape: Tensor, reduction_indices: Tensor) -> Batched:
    """The sizes along axes that rows share."""
    if rows.has(reduction_indices):
        return NotImplemented
    flat = RESHAPE(reduction_indices, np.array([-1], np.int32))
    axes = floormod(flat, cast(SHAPE(shape, out_type=int32)[1], flat.dtype))
    return PROD(gather(shape, axes, axis=np.int32(1), batch_dims=0), np.array([1], np.int32), keep_dims=False)
