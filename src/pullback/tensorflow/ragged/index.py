"""Indexing of ragged tensors: rows by number and slice, slices of each row, and items under the ragged axes."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.dtypes import int64
from ...ir.apply import convert_to_tensor
from ...ir.tensor import Tensor
from ...ops.array.basic import reshape, shape
from ...ops.array.create import RANGE
from ...ops.array.gather import gather
from ...ops.array.join import CONCAT
from ...ops.array.shape import expand_dims
from ...ops.array.where import where
from ...ops.math.arithmetic import ADD
from ...ops.primitives.cast import cast
from ...ops.primitives.compare import less
from ...ops.reduce.scan import cumsum
from .array import gather_rows
from .items import SLICES
from .tensor import RaggedTensor


def getitem(x: RaggedTensor, key: object) -> Any:
    """`x[key]`: key as Python's, with slices, ellipsis and new axes; an inner ragged axis takes slices only."""
    keys = list(key) if isinstance(key, (tuple, list)) else [key]
    if not keys:
        return x
    return _rows(x, _expand_ellipsis(keys, x))


def _expand_ellipsis(keys: list[Any], x: Any) -> list[Any]:
    at = [i for i, k in enumerate(keys) if k is Ellipsis]
    if not at:
        return keys
    if len(at) > 1:
        raise ValueError("Only a single ellipsis is allowed in an index")
    if x.shape.rank is None:
        raise ValueError("Ellipsis not supported for unknown shape RaggedTensors")
    used = sum(k is not None and k is not Ellipsis for k in keys)
    if used > x.shape.rank:
        raise IndexError(f"Too many indices for RaggedTensor of rank {x.shape.rank}: {used}")
    return [*keys[: at[0]], *[slice(None)] * (x.shape.rank - used), *keys[at[0] + 1 :]]


def _rows(x: Any, keys: list[Any]) -> Any:
    """The first key on the first axis, the others on those that follow."""
    if not keys:
        return x
    if not isinstance(x, RaggedTensor):
        return x[tuple(keys)]
    first, rest = keys[0], keys[1:]
    if first is None:
        inner = _rows(x, rest)
        count = inner.nrows() if isinstance(inner, RaggedTensor) else shape(inner, out_type=x.row_splits.dtype)[0]
        found = RaggedTensor.from_uniform_row_length(inner, cast(count, x.row_splits.dtype), np.int64(1), validate=False)
        return found if isinstance(inner, RaggedTensor) else expand_dims(inner, 0)
    if isinstance(first, slice):
        return _inner(_sliced_rows(x, first), rest)
    _check_row(x, first)
    splits = x.row_splits
    return _rows(x.values[splits[:-1][first] : splits[1:][first]], rest)


def _check_row(x: RaggedTensor, key: Any) -> None:
    if not isinstance(key, (int, np.integer, Tensor)) or isinstance(key, bool):
        raise TypeError(f"slice offsets must be integers or None, got {key!r}")
    count = x.dims[0] if x.dims is not None else None
    if isinstance(key, (int, np.integer)) and count is not None and not -count <= key < count:
        raise IndexError(f"Row key {key} out of bounds")


def _sliced_rows(x: RaggedTensor, key: slice) -> RaggedTensor:
    if key == slice(None):
        return x
    if key.step is None or (isinstance(key.step, int) and key.step == 1):
        starts, limits = x.row_splits[:-1][key], x.row_splits[1:][key]
        splits = CONCAT.call([x.row_splits[:1] * 0, cumsum(limits - starts, 0)], 0)
        lead = CONCAT.call([starts, x.row_splits[-1:]], 0)[0]
        return RaggedTensor(x.values[lead : lead + splits[-1]], splits, internal=True, uniform=x._uniform)
    numbers = RANGE.call(np.array(0, x.row_splits.dtype.numpy_dtype), x.nrows(), np.array(1, x.row_splits.dtype.numpy_dtype))[key]
    return gather_rows(x, numbers)


def _inner(x: Any, keys: list[Any]) -> Any:
    """Keys on the axes after the first."""
    if not keys:
        return x
    if not isinstance(x, RaggedTensor):
        return x[(slice(None), *keys)]
    first, rest = keys[0], keys[1:]
    if first is None:
        inner = _inner(x, rest)
        count = inner.nrows() if isinstance(inner, RaggedTensor) else shape(inner, out_type=x.row_splits.dtype)[0]
        return RaggedTensor.from_uniform_row_length(inner, 1, count, validate=False)
    if isinstance(first, slice):
        found = x if first == slice(None) else _sliced_items(x, first)
        return found.with_values(_inner(found.values, rest))
    length = x._uniform
    if length is None:
        raise ValueError("Cannot index into an inner ragged dimension.")
    return _inner(_column(x, first), rest)


def _column(x: RaggedTensor, key: Any) -> Any:
    """One item of each row of an axis of one size."""
    size = x.uniform_row_length
    at = cast(convert_to_tensor(key), size.dtype)
    known = x._uniform if isinstance(x._uniform, int) else None
    if isinstance(key, int) and known is not None and not -known <= key < known:
        raise IndexError(f"Index out of bounds when indexing into a ragged tensor: {key} of {known}")
    at = where(less(at, np.array(0, size.dtype.numpy_dtype)), ADD.call(at, size), at)
    places = ADD.call(x.row_starts(), at)
    return gather_rows(x.values, places) if isinstance(x.values, RaggedTensor) else gather(x.values, places)


def _sliced_items(x: RaggedTensor, key: slice) -> RaggedTensor:
    """The same slice of each row."""
    splits, items = SLICES.call(x.row_splits, *(_bound_vector(k) for k in (key.start, key.stop, key.step)))
    values = gather_rows(x.values, items) if isinstance(x.values, RaggedTensor) else gather(x.values, items)
    uniform = None if x._uniform is None or not isinstance(x._uniform, int) else len(range(x._uniform)[key])
    return RaggedTensor(values, splits, internal=True, uniform=uniform)


def _bound_vector(value: Any) -> Any:
    """A bound of a slice as a vector: empty for none."""
    if value is None:
        return np.zeros(0, np.int64)
    if not isinstance(value, (int, np.integer, Tensor)) or isinstance(value, bool):
        raise TypeError(f"slice offsets must be integers or None, got {value!r}")
    if isinstance(value, Tensor):
        return reshape(cast(value, int64), [1])
    return np.array([value], np.int64)


RaggedTensor.functions.update(getitem=getitem)
