"""Kernels that are others in some intervals."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import Any

import numpy as np

from ..math.kernels import block_costly

Array = np.ndarray[Any, Any]
Piece = tuple[float, float, Callable[[Array], Array]]


def piece_together(base: Callable[..., Any], *pieces: Piece, symmetry: int = 0, reach: float = inf) -> Callable[[Array], Any]:
    """A kernel that is `base`, but for float64 in the intervals [low, high) of `pieces`.

    symmetry: 1 for an even function, -1 for an odd one, whose pieces are named for positive x.  reach: up to where `base` serves
    narrower numbers.
    """

    def mirror(value: Array, x: Array) -> Array:
        return np.asarray(np.where(x < 0, -value, value)) if symmetry < 0 else value

    def kernel(x: Array) -> Any:
        if x.dtype != np.float64:
            return base(x) if reach == inf else extend_reach(x)
        flat = x.reshape(-1)
        at = np.abs(flat) if symmetry else flat
        out, left = np.empty_like(flat), np.ones(flat.shape, bool)
        for low, high, f in pieces:
            chosen = (at >= low) & (at < high)
            if chosen.all():
                return mirror(f(at), flat).reshape(x.shape)
            if chosen.any():
                out[chosen] = mirror(f(at[chosen]), flat[chosen])
                left &= ~chosen
        if left.any():
            out[left] = base(flat[left])
        return out.reshape(x.shape)

    def extend_reach(x: Array) -> Any:
        out, far = np.asarray(base(x)), np.abs(x) > x.dtype.type(reach)
        if not far.any():
            return out
        return np.where(far, np.asarray(kernel(np.where(far, x, x.dtype.type(1)).astype(np.float64))).astype(x.dtype), out)

    return block_costly(kernel)
