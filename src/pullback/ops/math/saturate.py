"""Values brought between two bounds, and casts that do so on the way."""

from __future__ import annotations

from typing import Any, overload

import numpy as np

from ...base.dtypes import NUMERIC, DType, as_dtype, float64
from ...base.export import export
from ...ir.apply import as_constants, convert_to_tensor
from ...ir.composite import works_by_element
from ...ir.context import scope
from ...ir.op import Traits, define
from ...ir.tensor import DTypeLike, IndexedSlices, NumberLike, Tensor, TensorType
from ..array.where import where
from ..batching import broadcast_rows
from ..families import broadcast_dims
from ..lowering import array as native_array
from ..primitives.cast import cast
from ..primitives.compare import greater, less, logical_or
from .arithmetic import maximum, minimum


def _clip_type(t: Any, clip_value_min: Any, clip_value_max: Any) -> TensorType:
    dims = broadcast_dims(broadcast_dims(t.dims, clip_value_min.dims), clip_value_max.dims)
    return TensorType(dims, t.dtype)


CLIP_BY_VALUE = define(
    "ClipByValue",
    "t clip_value_min clip_value_max",
    _clip_type,
    lambda t, low, high: np.maximum(np.minimum(t, high), low),
    {
        "t": lambda g, t, clip_value_min, clip_value_max: where(logical_or(less(t, clip_value_min), greater(t, clip_value_max)), 0, g),
        "clip_value_min": lambda g, t, clip_value_min: where(less(t, clip_value_min), g, 0),
        "clip_value_max": lambda g, t, clip_value_max: where(greater(t, clip_value_max), g, 0),
    },
    dtypes=NUMERIC,
    broadcasts=True,
    holomorphic=False,
    batch=broadcast_rows,
    lower=native_array.clip,
    by_element=True,
    traits=Traits(flat=True),
)


@export("saturate_cast", "dtypes.saturate_cast")
@works_by_element
def saturate_cast(value: NumberLike, dtype: DTypeLike, name: str | None = None) -> Tensor:
    """`cast` that brings values into the range of `dtype` first, so that none wraps around.

    value: numeric.  dtype: numeric.  Raises TypeError for dtypes without a range.

    >>> tf.saturate_cast([-5.0, 3.7, 300.0], tf.uint8).numpy().tolist()
    [0, 3, 255]
    """
    with scope(name, "saturate_cast") as full:
        value = convert_to_tensor(value, name="value")
        target = as_dtype(dtype).base_dtype
        source = value.dtype.base_dtype
        if source.is_complex and not target.is_complex:
            value = cast(value, source.real_dtype)
            source = source.real_dtype
        limits = _limits(source.real_dtype, target.real_dtype)
        if source.is_complex:
            limits = tuple(complex(limit, limit) for limit in limits)
        low, high = as_constants(*(np.array(limit, source.numpy_dtype) for limit in limits))
        return cast(CLIP_BY_VALUE(value, low, high, name="clamp"), target, full)


def _limits(source: DType, target: DType) -> tuple[Any, ...]:
    """The least and greatest numbers of `source` that `target` can hold."""
    if source.is_integer:  # whole numbers, as 2**64 - 1 has no place among floats
        least, most = (int(limit if target.is_integer else float(limit)) for limit in (target.min, target.max))
        return max(int(source.min), least), min(int(source.max), most)
    kind = source.numpy_dtype
    limits = []
    for own, other in ((source.min, target.min), (source.max, target.max)):
        nearer = np.array(min((own, other), key=lambda v: abs(float(v))), float64.numpy_dtype).astype(kind)
        if abs(float(nearer)) > abs(float(other)):  # rounded outwards
            nearer = np.nextafter(nearer, kind.type(0))
        limits.append(nearer)
    return tuple(limits)


def values_of(t: object, name: str) -> Tensor:
    """The numbers of `IndexedSlices`, or of anything that becomes a tensor."""
    return convert_to_tensor(t.values if isinstance(t, IndexedSlices) else t, name=name)


def restore_form(values: Tensor, t: object) -> Any:
    """Numbers in the form that they were given in."""
    return IndexedSlices(values, t.indices, t.dense_shape) if isinstance(t, IndexedSlices) else values


@overload
def clip_by_value(t: IndexedSlices, clip_value_min: NumberLike, clip_value_max: NumberLike, name: str | None = None) -> IndexedSlices: ...
@overload
def clip_by_value(t: NumberLike, clip_value_min: NumberLike, clip_value_max: NumberLike, name: str | None = None) -> Tensor: ...
@export("clip_by_value")
@works_by_element
def clip_by_value(t: object, clip_value_min: NumberLike, clip_value_max: NumberLike, name: str | None = None) -> Tensor | IndexedSlices:
    """t brought into [clip_value_min, clip_value_max], element by element.

    t: real, or an IndexedSlices of real values.  The bounds: of t's dtype, scalars or shapes that broadcast to t's.  Raises ValueError
    where the bounds would make the result larger than t, TypeError or InvalidArgumentError where dtypes differ.
    The gradient passes to t within the bounds and on them, outside to the bound.

    >>> tf.clip_by_value([-1.0, 0.5, 2.0], 0.0, 1.0).numpy().tolist()
    [0.0, 0.5, 1.0]
    """
    with scope(name, "clip_by_value") as full:
        values = values_of(t, "t")
        low = minimum(values, clip_value_max)
        values.shape.assert_is_compatible_with(low.shape)
        clipped = maximum(low, clip_value_min, full)
        values.shape.assert_is_compatible_with(clipped.shape)
        return restore_form(clipped, t)
