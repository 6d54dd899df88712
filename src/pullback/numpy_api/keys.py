"""Keys of tensors with arrays among their parts, as `tf.experimental.numpy` reads them.

Integers and slices come first, then the arrays on what is left. So an integer beside an array does not move the array's axis to the
front, as it does in NumPy, and new axes may stand among them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..array_api._manipulation import getitem as advanced, widen_scalars
from ..compat import v2 as tf
from ..ir.tensor import EagerTensor, Tensor, TensorLike
from .arrays import invalid_argument, spread
from .shapes import moveaxis

_VALID = "only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) and integer or boolean arrays are valid indices, got {!r}"


def getitem(x: Tensor, key: object, basic: Callable[[Any, Any], Any]) -> Any:
    """`x[key]`, where `basic` does it for keys without arrays."""
    parts = [_readable(part) for part in (key if isinstance(key, tuple) else (key,))]
    if not any(map(_is_array, parts)):
        return basic(x, tuple(parts) if isinstance(key, tuple) else parts[0])
    if len(parts) == 1 and _is_mask(parts[0]) and (parts[0].ndim > 1 or not isinstance(key, list)):
        return tf.boolean_mask(x, parts[0])
    spelled = _expand_key([_places(part) if _is_array(part) else part for part in parts], x)
    left = basic(x, tuple(slice(None) if _is_array(part) else part for part in spelled))
    for part, size in zip((p for p in spelled if p is not None), x.shape.as_list(), strict=True):
        if _is_array(part):
            _check_places(part, size)
    kept = [part for part in spelled if part is None or isinstance(part, slice) or _is_array(part)]
    if left.shape.is_fully_defined() and all(tf.TensorShape(part.shape).is_fully_defined() for part in kept if _is_array(part)):
        return advanced(left, tuple(part if _is_array(part) else slice(None) for part in kept), basic)
    return _gather_places(left, {axis: part for axis, part in enumerate(kept) if _is_array(part)})


def _gather_places(x: Tensor, arrays: dict[int, Any]) -> Any:
    """The elements at the places of arrays along their axes, where sizes are known only when the graph runs."""
    axes, sizes = list(arrays), tf.shape(x, out_type=tf.int64)
    wide = ((axis, tf.cast(part, tf.int64)) for axis, part in arrays.items())
    places = spread(*(tf.where(part < 0, part + sizes[axis], part) for axis, part in wide))
    found = tf.gather_nd(moveaxis(x, axes, list(range(len(axes)))), tf.stack(places, -1))
    if axes != list(range(axes[0], axes[0] + len(axes))):
        return found
    rank = places[0].ndim
    return moveaxis(found, list(range(rank)), list(range(axes[0], axes[0] + rank)))


def _readable(part: Any) -> Any:
    """A part of a key, a list or tuple as an array, scalar tensors of integers as int64; an IndexError for text and floats."""
    for value in (part.start, part.stop, part.step) if isinstance(part, slice) else (part,):
        if isinstance(value, (str, bytes, float, complex)) or (isinstance(value, tf.Tensor) and not _may_index(value)):
            raise IndexError(_VALID.format(value))
    return np.array(part, None if part else np.int64) if isinstance(part, (list, tuple)) else widen_scalars(part)


def _may_index(value: Tensor) -> bool:
    """Whether TensorFlow takes a tensor for a place: not floats, nor uint64, which does not fit in int64."""
    return value.dtype == tf.bool or (value.dtype.is_integer and value.dtype != tf.uint64)


def _is_array(part: Any) -> bool:
    return isinstance(part, (tf.Tensor, np.ndarray)) and part.ndim > 0


def _is_mask(part: Any) -> bool:
    return bool(tf.as_dtype(part.dtype) == tf.bool)


def _places(part: Any) -> Any:
    """An array of integers; a vector of truth values becomes the places that are true."""
    if _is_mask(part):
        if part.ndim != 1:
            raise NotImplementedError(f"Need rank 1 for bool index {part}: a mask of more axes has to be the whole key")
        return np.flatnonzero(part) if isinstance(part, np.ndarray) else tf.where(part)[:, 0]
    if not tf.as_dtype(part.dtype).is_integer:
        raise IndexError(_VALID.format(part))
    return part


def _check_places(part: TensorLike, size: int | None) -> None:
    values = part.value if isinstance(part, EagerTensor) else part if isinstance(part, np.ndarray) else None
    if size is not None and values is not None and values.size and not (-size <= values.min() and values.max() < size):
        raise invalid_argument(
            f"the key {values.tolist()} has places that an axis of size {size} has not: they go from {-size} to {size - 1}"
        )


def _expand_key(parts: list[Any], x: Tensor) -> list[Any]:
    """A key with a part for each axis in place of the ellipsis."""
    at = next((i for i, part in enumerate(parts) if part is Ellipsis), len(parts))
    missing = x.ndim - sum(part is not None and part is not Ellipsis for part in parts)
    if missing < 0:
        raise invalid_argument(f"too many indices: {len(parts)} for {x.ndim} axes")
    return [*parts[:at], *[slice(None)] * missing, *parts[at + 1 :]]
