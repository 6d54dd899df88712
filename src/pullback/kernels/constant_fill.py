"""Large arrays of one number.

NumPy writes them number by number; copies of a block that stays in the cache take half as long, and zeros the C library writes at once.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from .memory_limit import require_room

Array = np.ndarray[Any, Any]

#: Bytes of an array from which its blocks are copied, and of a block.
_LARGE, _BLOCK = 1 << 19, 1 << 16


def fill_array(shape: Sequence[int], value: object, dtype: np.dtype[Any]) -> Array:
    """`np.full(shape, value, dtype)`.

    >>> fill_array((2, 2), 1.5, np.dtype("float32")).tolist()
    [[1.5, 1.5], [1.5, 1.5]]
    """
    count, item = math.prod(shape), dtype.itemsize
    if count * item < _LARGE or dtype.hasobject or item > 16:
        require_room(shape, dtype)
        return np.full(shape, value, dtype)
    require_room(shape, dtype)
    one = np.asarray(value, dtype)
    if not any(one.tobytes()):
        return np.zeros(shape, dtype)
    out, block = np.empty(count, dtype), _BLOCK // item
    whole = count // block * block
    out[:block] = one
    out[block:whole].reshape(-1, block)[...] = out[:block]
    out[whole:] = one
    return out.reshape(shape)


def zeros_like(x: Array) -> Array:
    """`np.zeros_like(x)`, of a large array in row-major order."""
    return np.zeros_like(x) if x.nbytes < _LARGE or x.dtype.hasobject else np.zeros(x.shape, x.dtype)


def ones_like(x: Array) -> Array:
    """`np.ones_like(x)`, of a large array in row-major order."""
    return np.ones_like(x) if x.nbytes < _LARGE or x.dtype.hasobject else fill_array(x.shape, 1, x.dtype)


def steps_between(start: Any, limit: Any, delta: Any) -> Any:
    """How many numbers of `start`, `start + delta`, ... come before `limit`: floats, computed in their own dtype."""
    with np.errstate(all="ignore"):
        return np.ceil(np.abs((limit - start) / delta))
