"""From one dtype to another, and what clips on the way."""

from __future__ import annotations

import logging
from typing import Any

import numpy as np

from ...base import quick
from ...base.dtypes import NUMERIC, DType, as_dtype, float64
from ...base.errors import UnimplementedError
from ...base.export import export
from ...ir.apply import convert_to_tensor
from ...ir.composite import takes_composites, works_by_element
from ...ir.op import define
from ...ir.tensor import METHODS, IndexedSlices, TensorType
from ..array.where import where
from ..batching import alike, broadcasting
from ..families import broadcast_dims
from ..native import array as native_array
from ..scopes import scope
from .compare import greater, less, logical_or

Array = np.ndarray[Any, Any]
_log = logging.getLogger("pullback")


def _cast(x: Array, *, DstT: DType) -> Array:
    target = DstT.numpy
    if np.dtype(object) in (x.dtype, target):
        kind = "string" if x.dtype == object else x.dtype.name
        raise UnimplementedError(None, None, f"Cast {kind} to {DstT.name} is not supported")
    if x.dtype.kind == "c" and target.kind != "c":
        x = x.real
    if x.dtype.kind in "fV" and target.kind == "u" and target.itemsize >= 4:
        return _without_sign(x, target)
    return x.astype(target)


def _without_sign(x: Array, target: np.dtype[Any]) -> Array:
    """Floats as uint32 or uint64, wherever in the array they stand: NumPy answers by that for what the integers cannot hold.

    As TensorFlow casts a single number: uint32 has the low bits of 64; NaN and what 64 bits lack have only the highest bit set.
    """
    if target.itemsize == 4:
        return x.astype(np.int64).astype(target)
    return np.where(x >= _TOO_LARGE, _HIGHEST, x.astype(target)) if x.dtype.itemsize > 2 else _without_sign(x.astype(np.float32), target)


_TOO_LARGE, _HIGHEST = 2.0**64, np.uint64(2**63)


def _cast_back(g: Any, x_type: Any) -> Any:
    dtype = x_type.dtype.base_dtype
    return cast(g, dtype) if dtype.trainable and g.dtype.trainable else None


CAST = define(
    "Cast",
    "x:SrcT",
    lambda x, *, DstT: TensorType(x.dims, DstT),
    quick.in_blocks(_cast),
    {"x": lambda g, x_type: _cast_back(g, x_type)},
    holomorphic=False,
    batch=alike(),
    sparse=True,
    lower=native_array.cast,
    by_element=True,
)


@export("cast", "dtypes.cast")
@takes_composites
def cast(x: Any, dtype: Any, name: str | None = None) -> Any:
    """x with its elements of another dtype.

    x: a tensor, an IndexedSlices (its values are cast) or what converts to a tensor.  dtype: a dtype or its name.  Floats are cut
    towards zero for integers, complex numbers lose their imaginary part with a warning in the log, everything but 0 is True.
    The gradient is cast back between floating and complex dtypes; no gradient passes integers.  Raises TypeError for what names no
    dtype, UnimplementedError from and to strings.

    >>> import pullback as tf
    >>> tf.cast([1.8, -2.2], tf.int32).numpy().tolist()
    [1, -2]
    """
    target = as_dtype(dtype).base_dtype
    if isinstance(x, IndexedSlices):
        return IndexedSlices(cast(x.values, target, name), x.indices, x.dense_shape)
    x = convert_to_tensor(x, name="x")
    source = x.dtype.base_dtype
    if source is target:
        return x
    if source.is_complex and target.is_floating:
        _log.warning(
            "You are casting an input of type %s to an incompatible dtype %s.  "
            "This will discard the imaginary part and may not be what you intended.",
            source.name,
            target.name,
        )
    return CAST(x, DstT=target, name=name)


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
    batch=broadcasting,
    lower=native_array.clip,
    by_element=True,
)


@export("saturate_cast", "dtypes.saturate_cast")
@works_by_element
def saturate_cast(value: Any, dtype: Any, name: str | None = None) -> Any:
    """`cast` that brings values into the range of `dtype` first, so that none wraps around.

    value: numeric.  dtype: numeric.  Raises TypeError for dtypes without a range.

    >>> import pullback as tf
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
        low, high = (np.array(limit, source.numpy) for limit in limits)
        return cast(CLIP_BY_VALUE(value, low, high, name="clamp"), target, full)


def _limits(source: DType, target: DType) -> tuple[Any, ...]:
    """The least and greatest numbers of `source` that `target` can hold."""
    if source.is_integer and target.is_integer:
        return max(int(source.min), int(target.min)), min(int(source.max), int(target.max))
    kind = source.numpy
    limits = []
    for own, other in ((source.min, target.min), (source.max, target.max)):
        nearer = np.array(min((own, other), key=lambda v: abs(float(v))), float64.numpy).astype(kind)
        if abs(float(nearer)) > abs(float(other)):  # rounded outwards
            nearer = np.nextafter(nearer, kind.type(0)) if source.is_floating else nearer
        limits.append(nearer)
    return tuple(limits)


METHODS["cast"] = cast
