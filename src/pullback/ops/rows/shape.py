"""Batching rules of ops about shapes: asking for them, and giving the elements another one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...base.dtypes import bfloat16, float16, float32, int32
from ...ir.op import OPS
from .kinds import Rows, Same, cast, content, joined, later


def shape(rows: Rows, input: Any, *, out_type: Any) -> Any:
    """The shape of a row, which all rows share."""
    return Same(_tensor(rows.shape(input, out_type)))


def _tensor(value: Any) -> Any:
    return value if hasattr(value, "uid") else OPS["Identity"](value)


def shape_n(rows: Rows, input: Sequence[Any], *, out_type: Any) -> Any:
    """The shapes of rows."""
    return [Same(_tensor(rows.shape(t, out_type))) for t in input]


def size(rows: Rows, input: Any, *, out_type: Any) -> Any:
    """How many elements a row has."""
    return Same(OPS["Prod"](rows.shape(input, out_type), [0]))


def rank(rows: Rows, input: Any) -> Any:
    """The rank of a row."""
    known = rows.rank(input)
    return Same(_tensor(np.int32(known) if known is not None else OPS["Sub"](OPS["Rank"](input), 1)))


def reshape(rows: Rows, tensor: Any, shape: Any) -> Any:
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
        wanted = _filled(rows, tensor, shape)
    return OPS["Reshape"](tensor, rows.before(wanted))


def _filled(rows: Rows, tensor: Any, shape: Any) -> Any:
    """`shape` with -1 replaced by the size it stands for."""
    shape = cast(shape, int32)
    others = OPS["Prod"](OPS["Abs"](shape), [0])
    own = OPS["Prod"](rows.shape(tensor), [0])
    return OPS["SelectV2"](OPS["Less"](shape, 0), OPS["FloorDiv"](own, OPS["Maximum"](others, 1)), shape)


def broadcast_to(rows: Rows, input: Any, shape: Any) -> Any:
    """Each row repeated."""
    if rows.has(shape):
        return NotImplemented
    return OPS["BroadcastTo"](rows.widened(input, _length(shape)), rows.before(shape))


def _length(shape: Any) -> Any:
    dims = shape.dims
    return dims[0] if dims is not None and dims[0] is not None else OPS["Size"](shape, out_type=int32)


def sum_to(rows: Rows, input: Any, shape: Any) -> Any:
    """Each row summed: the missing axes stand behind the axis of rows, with size 1, until they are dropped."""
    if rows.has(shape):
        return NotImplemented
    own, wanted = rows.rank(input), _length(shape)
    if own is not None and isinstance(wanted, int):
        ones: Any = (1,) * (own - wanted)
    else:
        ones = OPS["Fill"](OPS["Reshape"](OPS["Sub"](OPS["Rank"](input), OPS["AddV2"](wanted, 1)), [1]), 1)
    full = rows.before(joined(ones, shape))
    return OPS["Reshape"](OPS["SumTo"](input, full), rows.before(shape))


def transpose(rows: Rows, x: Any, perm: Any) -> Any:
    """The axes of each row in another order."""
    if rows.has(perm):
        return NotImplemented
    return rows.op(x, joined((0,), later(perm), perm.dtype))


def fill(rows: Rows, dims: Any, value: Any) -> Any:
    """Each row filled with its own value."""
    if rows.has(dims):
        return NotImplemented
    return OPS["BroadcastTo"](rows.widened(value, _length(dims)), rows.before(dims))


def squeeze(rows: Rows, input: Any, *, squeeze_dims: Any) -> Any:
    """The axes of length 1 of a row, which need not be named."""
    if squeeze_dims:
        return OPS["Squeeze"](input, squeeze_dims=tuple(a + 1 if a >= 0 else a for a in squeeze_dims))
    dims = rows.dims(input)
    if dims is not None and None not in dims:
        return OPS["Reshape"](input, rows.before(np.array([n for n in dims if n != 1], np.int32)))
    own = rows.shape(input)
    return OPS["Reshape"](input, rows.before(OPS["GatherNd"](own, OPS["Where"](OPS["NotEqual"](own, 1)))))


def ensure_shape(rows: Rows, input: Any, *, shape: Any) -> Any:
    """The shape of each row checked."""
    known = rows.size if isinstance(rows.size, int) else None
    return OPS["EnsureShape"](input, shape=None if shape is None else (known, *shape))


def identity_n(rows: Rows, input: Sequence[Any]) -> Any:
    """Several tensors as they are; those that all rows share stay so."""
    return [t if rows.has(given) else Same(t) for t, given in zip(OPS["IdentityN"](list(input)), input, strict=True)]


def element_count(rows: Rows, tensor: Any) -> Any:
    """How many elements a row has, known or not."""
    own = rows.shape(tensor)
    known = content(own)
    if known is not None:
        return np.int32(np.prod(known, dtype=np.int64))
    return OPS["Prod"](own, [0])


def select(rows: Rows, condition: Any, t: Any, e: Any) -> Any:
    """The condition of a row may be a vector that chooses rows of its row: it gets axes behind, then all broadcast."""
    own, wanted = rows.rank(condition), rows.rank(t)
    if own is None or wanted is None:
        return NotImplemented
    if 0 < own < wanted:
        stacked = rows.stacked(condition)
        condition = rows.mark(OPS["Reshape"](stacked, rows.before(joined(rows.shape(stacked), (1,) * (wanted - own)))))
    return OPS["SelectV2"](*(rows.widened(x, wanted) for x in (condition, t, e)))


def linspace(rows: Rows, start: Any, stop: Any, num: Any) -> Any:
    """As the kernel has it: narrow numbers in float32, and the ends themselves, for they may be infinite."""
    if rows.has(num):
        return NotImplemented
    dtype, count = start.dtype, cast(num, int32)
    kind = float32 if dtype in (float16, bfloat16) else dtype
    places = OPS["Range"](np.int32(0), count, np.int32(1))
    last = OPS["Sub"](count, np.int32(1))
    first, final = (OPS["ExpandDims"](OPS["StopGradient"](cast(rows.stacked(t), kind)), np.int32(1)) for t in (start, stop))
    step = OPS["RealDiv"](OPS["Sub"](final, first), cast(OPS["Maximum"](last, np.int32(1)), kind))
    found = OPS["AddV2"](first, OPS["Mul"](cast(places, kind), step))
    found = OPS["SelectV2"](OPS["Equal"](places, last), final, found)
    return cast(OPS["SelectV2"](OPS["Equal"](places, np.int32(0)), first, found), dtype)


def reduced_size(rows: Rows, shape: Any, reduction_indices: Any) -> Any:
    """The sizes along axes that rows share."""
    if rows.has(reduction_indices):
        return NotImplemented
    flat = OPS["Reshape"](reduction_indices, np.array([-1], np.int32))
    axes = OPS["FloorMod"](flat, cast(OPS["Shape"](shape, out_type=int32)[1], flat.dtype))
    return OPS["Prod"](OPS["GatherV2"](shape, axes, np.int32(1), batch_dims=0), np.array([1], np.int32), keep_dims=False)
