"""Where floating numbers stand among the levels of a quantised dtype, and what levels stand for.

Each is a pass or several of NumPy, and one native loop for a tensor with one range.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.dtypes import DType
from ...kernels import blocked, parallel
from ...kernels.native_loops import LEAST_ENTRIES, run_natively
from ...ops.array.type_rules import Array
from . import entry_loops

FLOAT = np.float32


def integer_dtype(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """The integers that a quantised dtype is made of."""
    assert dtype.names is not None and dtype.fields is not None
    return np.dtype(dtype.fields[dtype.names[0]][0])


def numbers_of(array: Array) -> Array:
    """The whole numbers of a quantised array."""
    whole: Array = np.ascontiguousarray(array).view(integer_dtype(array.dtype)).reshape(array.shape)
    return whole


def _round_away(x: Array) -> Array:
    """Rounded to whole numbers, halves away from 0."""
    whole: Array = np.copysign(np.floor(np.abs(x) + x.dtype.type(0.5)), x)
    return whole


def as_quantised(levels: Array, dtype: DType) -> Array:
    """Whole floating numbers as a quantised tensor; what no integer holds becomes the lowest."""
    whole = integer_dtype(dtype.numpy_dtype)
    if whole.itemsize < 4:
        return levels.astype(np.int32).astype(whole).view(dtype.numpy_dtype).reshape(levels.shape)
    bounds = np.iinfo(whole)
    wide = levels.astype(np.float64)
    fits = np.where((wide < -(2.0**31)) | (wide > bounds.max), bounds.min, wide)
    out: Array = fits.astype(np.int64).astype(whole)
    return out.view(dtype.numpy_dtype).reshape(levels.shape)


def _half_range(whole: np.dtype[Any]) -> Any:
    bounds = np.iinfo(whole)
    return FLOAT((int(bounds.max) - int(bounds.min) + 1) / 2) if whole.kind == "i" else FLOAT(0)


# ---- to levels


def _combined_scale(low: Array, high: Array, whole: np.dtype[Any]) -> Array:
    bounds = np.iinfo(whole)
    return np.asarray(FLOAT(float(bounds.max) - float(bounds.min)) / (high - low), FLOAT)


def _first_scale(low: Array, high: Array, whole: np.dtype[Any]) -> Array:
    steps = 2.0 ** (8 * whole.itemsize) - 1.0
    return np.where(high == low, 0.0, steps / np.where(high == low, 1.0, (high - low).astype(np.float64))).astype(FLOAT)


def _quantize_min_combined(input: Array, low: Array, high: Array, whole: np.dtype[Any]) -> Array:
    scale = _combined_scale(low, high, whole)
    placed = np.asarray(np.clip(input, low, high))  # whose loop is one of vectors
    placed -= low
    placed *= scale
    if whole.kind == "i":
        return _round_away(placed - _half_range(whole))
    placed += FLOAT(0.5)
    return placed if whole.itemsize < 4 else np.floor(placed, out=placed)  # positive, so that what comes next rounds down too


def min_first(input: Array, low: Array, high: Array, whole: np.dtype[Any]) -> Array:
    """The levels of floats between low and high, the lowest first."""
    bounds, scale = np.iinfo(whole), _first_scale(low, high, whole)
    level = _round_away(input * scale) - (_round_away(low * scale) - FLOAT(bounds.min))
    return np.minimum(np.maximum(level, max(FLOAT(bounds.min), FLOAT(-(2.0**31)))), min(FLOAT(bounds.max), FLOAT(2147483520.0)))


def scaled_ends(low: Array, high: Array, whole: np.dtype[Any], narrow: bool) -> tuple[Array, Array, Array]:
    """The factor of a range, and its ends as they are met exactly."""
    bounds = np.iinfo(whole)
    first, last = FLOAT(int(bounds.min) + narrow), FLOAT(bounds.max)
    most = np.finfo(FLOAT).max
    from_low = np.where(first * low > 0, first / np.where(low == 0, FLOAT(1), low), most)
    from_high = np.where(last * high > 0, last / np.where(high == 0, FLOAT(1), high), most)
    scale = np.minimum(from_low, from_high).astype(FLOAT)
    return scale, np.asarray(first / scale, FLOAT), np.asarray(last / scale, FLOAT)


def _scale_numbers(input: Array, low: Array, high: Array, whole: np.dtype[Any], round_mode: str, narrow: bool) -> Array:
    scale, low, high = scaled_ends(low, high, whole, narrow)
    placed = np.clip(input, low, high) * scale
    return np.asarray(np.rint(placed) if round_mode == "HALF_TO_EVEN" else _round_away(placed))


@blocked.block_kernel
def levels(input: Array, low: Array, high: Array, *, T: DType, mode: str, round_mode: str, narrow_range: bool) -> Array:
    """The quantised numbers of a range, or of one for each slice."""
    whole = integer_dtype(T.numpy_dtype)
    if mode == "SCALED":
        return as_quantised(np.asarray(_scale_numbers(input, low, high, whole, round_mode, narrow_range)), T)
    return as_quantised(np.asarray((_quantize_min_combined if mode == "MIN_COMBINED" else min_first)(input, low, high, whole)), T)


def compute_levels_natively(
    input: Array, low: Array, high: Array, whole: np.dtype[Any], mode: str, round_mode: str, narrow: bool
) -> Array | None:
    """`levels` of one range as the integers they are made of, natively; None where that has not been done."""
    if whole.itemsize == 4 or not input.flags.c_contiguous or input.size < LEAST_ENTRIES:
        return None
    out, bounds, shift = np.empty(input.shape, whole), np.iinfo(whole), np.zeros((), FLOAT)
    if mode == "MIN_COMBINED":
        how = entry_loops.COMBINED_SIGNED if whole.kind == "i" else entry_loops.COMBINED
        scale, shift = _combined_scale(low, high, whole), np.asarray(_half_range(whole) if whole.kind == "i" else FLOAT(0.5))
    elif mode == "MIN_FIRST":
        how, scale = entry_loops.FIRST, _first_scale(low, high, whole)
        shift = np.asarray(_round_away(low * scale) - FLOAT(bounds.min))
    else:
        how = entry_loops.SCALED_EVENLY if round_mode == "HALF_TO_EVEN" else entry_loops.SCALED
        scale, low, high = scaled_ends(low, high, whole, narrow)
    numbers = [float(x) for x in (low, high, scale, shift, bounds.min, bounds.max)]
    return out if _run_in_parts(entry_loops.levels, out, input, *numbers, how=how) else None


def _run_in_parts(loop: Any, out: Array, x: Array, *numbers: float, **constants: int) -> bool:
    """Whether a loop from contiguous `x` to `out` has been done natively, over threads."""
    flat, to = x.reshape(-1), out.reshape(-1)
    if run_natively(loop, flat.size, to[:0], flat[:0], 0, *numbers, **constants) is None:
        return False
    each = -(-flat.size // 16) if flat.size >= blocked.SHARED and parallel.threads() > 1 else flat.size
    parts = [slice(at, at + each) for at in range(0, flat.size, each)]

    def part(i: int) -> None:
        here = flat[parts[i]]
        run_natively(loop, flat.size, to[parts[i]], here, len(here), *numbers, **constants)

    parallel.run(part, len(parts))
    return True


# ---- from them


def dequantized_values(numbers: Array, low: Array, high: Array, mode: str, narrow_range: bool) -> Array:
    """What quantised numbers stand for."""
    before, scale, after = _line(numbers.dtype, low, high, mode, narrow_range)
    if not scale.ndim and numbers.flags.c_contiguous and numbers.size >= LEAST_ENTRIES:
        out = np.empty(numbers.shape, FLOAT)
        if _run_in_parts(entry_loops.dequantize_numbers, out, numbers, float(before), float(scale), float(after)):
            return out
    return np.asarray((numbers.astype(FLOAT) + before) * scale + after)


def _line(whole: np.dtype[Any], low: Array, high: Array, mode: str, narrow_range: bool) -> tuple[Array, Array, Array]:
    """What is added to quantised numbers, what that is multiplied by, and what is added then."""
    bounds, nothing = np.iinfo(whole), np.asarray(-0.0, FLOAT)  # which leaves zeros their sign
    if mode == "MIN_COMBINED":
        return np.asarray(_half_range(whole)), np.asarray((high - low) / (FLOAT(bounds.max) - FLOAT(bounds.min))), low
    if mode == "MIN_FIRST":
        scale = ((high - low).astype(np.float64) / (2.0 ** (8 * whole.itemsize) - 1.0)).astype(FLOAT)
        nearest = np.where(high == low, low, _round_away(low / np.where(scale == 0, FLOAT(1), scale)) * scale)
        return nothing, np.asarray(scale), nearest - FLOAT(bounds.min) * scale
    last = high / FLOAT(bounds.max)
    return nothing, np.asarray(last if bounds.min == 0 else np.maximum(low / FLOAT(int(bounds.min) + narrow_range), last)), nothing
