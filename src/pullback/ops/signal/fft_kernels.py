"""Discrete Fourier transforms of arrays: SciPy's pocketfft, which works in the precision it is given, and native code for complex64.

Its threads share out whole lines, so the numbers do not depend on how many there are.
"""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np

from ...base.shapes import show
from ...kernels import blocked, parallel
from ...kernels.backend import ENGINE
from ..array.type_rules import Array, invalid_argument

_LARGE = 1 << 16  # numbers; less is not worth a second thread


@cache
def _scipy() -> Any:
    import scipy.fft

    return scipy.fft


def check_rank(x: Array, rank: int) -> None:
    """Refuse an input with fewer axes than are transformed."""
    if x.ndim < rank:
        raise invalid_argument(f"Input must have rank of at least {rank} but got: {show(x.shape)}")


def check_lengths(fft_length: Array, rank: int) -> tuple[int, ...]:
    """The lengths as integers; refuses another number of them than `rank`, and negative ones."""
    if fft_length.shape != (rank,):
        raise invalid_argument(f"fft_length must have shape [{rank}]")
    lengths = tuple(int(n) for n in fft_length)
    for i, n in enumerate(lengths):
        if n < 0:
            raise invalid_argument(f"fft_length[{i}] must be >= 0, but got: {n}")
    return lengths


def half_size(n: int) -> int:
    """How many of the `n` frequencies of a real signal are stored: the others are their mirror."""
    return n // 2 + 1 if n else 0


def check_long_enough(x: Array, sizes: tuple[int, ...]) -> None:
    """Refuse an input whose last axes are shorter than `sizes`."""
    for i, (found, needed) in enumerate(zip(x.shape[x.ndim - len(sizes) :], sizes, strict=True)):
        if found < needed:
            raise invalid_argument(f"Input dimension {x.ndim - len(sizes) + i} must have length of at least {needed} but got: {found}")


def check_axes(axes: Array, rank: int) -> tuple[int, ...]:
    """The axes counted from the front; refuses those out of range or named twice."""
    if axes.ndim != 1:
        raise invalid_argument(f"axes must be a vector, got shape {show(axes.shape)}")
    found = tuple(int(a) for a in axes)
    for a in found:
        if not -rank <= a < rank:
            raise invalid_argument(f"axes: {a} is not in [{-rank}, {rank})")
    places = tuple(a % rank for a in found)
    if len(set(places)) < len(places):
        raise invalid_argument(f"axes must be different, got {list(found)}")
    return places


def transform(name: str, x: Array, sizes: tuple[int, ...], axes: tuple[int, ...], dtype: np.dtype[Any]) -> Array:
    """`fftn`, `ifftn`, `rfftn` or `irfftn` of `x`, cropped or padded to `sizes`, along `axes`, in `dtype`."""
    if not axes:
        return x.astype(dtype)
    shape = list(x.shape)
    for axis, n in zip(axes, sizes, strict=True):
        shape[axis] = n
    if name == "rfftn":
        shape[axes[-1]] = half_size(sizes[-1])
    if 0 in sizes or not math.prod(shape):
        return np.zeros(shape, dtype)
    narrow = x.dtype in (np.complex64, np.float32) and x.size >= blocked.SHARED
    if narrow and all(x.shape[axis] == n for axis, n in zip(axes[:-1], sizes[:-1], strict=True)):
        return _transform_one_by_one(name, x, sizes, axes).astype(dtype, copy=False)
    return _transform_by_scipy(name, x, sizes, axes).astype(dtype, copy=False)


def _transform_by_scipy(name: str, x: Array, sizes: tuple[int, ...], axes: tuple[int, ...]) -> Array:
    workers = parallel.threads() if x.size > _LARGE else 1
    return np.asarray(getattr(_scipy(), name)(x, sizes, axes, workers=workers))


def _transform_one_by_one(name: str, x: Array, sizes: tuple[int, ...], axes: tuple[int, ...]) -> Array:
    """The transform of single precision along one axis after the other, natively where there is code for a length."""
    real = name in ("rfftn", "irfftn")
    others = axes[:-1] if real or x.shape[axes[-1]] != sizes[-1] else axes
    rest, length = (axes[-1:], sizes[-1:]) if len(others) < len(axes) else ((), ())
    if rest and not name.startswith("i"):
        found = _rows_of_real(x, length[0]) if real and rest[0] == x.ndim - 1 else None
        x = _transform_by_scipy(name, x, length, rest) if found is None else found
    left: list[int] = []
    for axis in reversed(others):
        found = _transform_natively(x, axis, name.startswith("i"))
        x, left = (x, [*left, axis]) if found is None else (found, left)
    if left:
        x = _transform_by_scipy(name.replace("r", ""), x, tuple(x.shape[axis] for axis in left), tuple(left))
    return _transform_by_scipy(name, x, length, rest) if rest and name.startswith("i") else x


def _rows_of_real(x: Array, length: int) -> Array | None:
    """`rfft` along the last axis, natively."""
    if x.dtype != np.float32 or x.shape[-1] != length:
        return None
    found = ENGINE.fourier_of_real(np.ascontiguousarray(x).reshape(-1, length))
    return None if found is None else np.asarray(found.reshape(*x.shape[:-1], half_size(length)))


def _transform_natively(x: Array, axis: int, inverse: bool) -> Array | None:
    if x.dtype != np.complex64:
        return None
    spans = math.prod(x.shape[:axis]), x.shape[axis], math.prod(x.shape[axis + 1 :])
    found = ENGINE.fourier(np.ascontiguousarray(x).reshape(spans), inverse)
    return None if found is None else np.asarray(found.reshape(x.shape))
