"""Keys of tensors with arrays among their parts, as `tf.experimental.numpy` reads them.

Integers and slices come first, then the arrays on what is left. So an integer beside an array does not move the array's axis to the
front, as it does in NumPy, and new axes may stand among them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..array_api._manipulation import getitem as advanced
from ..compat import v2 as tf

_VALID = "only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) and integer or boolean arrays are valid indices, got {!r}"


def getitem(x: Any, key: Any, basic: Callable[[Any, Any], Any]) -> Any:
    """`x[key]`, where `basic` does it for keys without arrays."""
    parts = [_with_array(part) for part in (key if isinstance(key, tuple) else (key,))]
    if not any(map(_is_array, parts)):
        return basic(x, key)
    if len(parts) == 1 and _is_mask(parts[0]):
        return tf.boolean_mask(x, parts[0])
    spelled = _spelled_out([_places(part) if _is_array(part) else part for part in parts], x)
    left = basic(x, tuple(slice(None) if _is_array(part) else part for part in spelled))
    kept = [part for part in spelled if part is None or isinstance(part, slice) or _is_array(part)]
    return advanced(left, tuple(part if _is_array(part) else slice(None) for part in kept), basic)


def _with_array(part: Any) -> Any:
    return np.array(part, None if part else np.int64) if isinstance(part, list) else part


def _is_array(part: Any) -> bool:
    return isinstance(part, (tf.Tensor, np.ndarray)) and part.ndim > 0


def _is_mask(part: Any) -> bool:
    return bool(tf.as_dtype(part.dtype) == tf.bool)


def _places(part: Any) -> Any:
    """An array of integers; a vector of truth values becomes the places that are true."""
    if _is_mask(part):
        if part.ndim != 1:
            raise NotImplementedError(f"Need rank 1 for bool index {part}: a mask of more axes has to be the whole key")
        return tf.where(part)[:, 0]
    if not tf.as_dtype(part.dtype).is_integer:
        raise IndexError(_VALID.format(part))
    return part


def _spelled_out(parts: list[Any], x: Any) -> list[Any]:
    """A key with a part for each axis in place of the ellipsis."""
    at = next((i for i, part in enumerate(parts) if part is Ellipsis), len(parts))
    missing = x.ndim - sum(part is not None and part is not Ellipsis for part in parts)
    if missing < 0:
        raise IndexError(f"too many indices: {len(parts)} for {x.ndim} axes")
    return [*parts[:at], *[slice(None)] * missing, *parts[at + 1 :]]
