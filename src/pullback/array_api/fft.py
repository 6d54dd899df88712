"""The Array API's Fourier transforms, differentiable.

norm: "backward" divides the inverse by the number of points, "forward" the transform, "ortho" both by its root.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from ..base.dtypes import as_dtype, complex64, complex128, float32, float64
from ..compat import v2 as tf
from ..ir.tensor import DTypeLike, EagerTensor, Tensor
from ._dtypes import kind_of
from ._inspection import check_device
from ._manipulation import moveaxis, normalize_axis


def _scale(norm: str, forward: bool, points: int) -> float:
    """What a transform without a factor is multiplied by."""
    if norm not in ("backward", "ortho", "forward"):
        raise ValueError(f"norm is 'backward', 'ortho' or 'forward', not {norm!r}")
    if norm == "ortho":
        return 1 / math.sqrt(points)
    return 1 / points if (norm == "forward") == forward else 1.0


def _complex(x: Tensor) -> Tensor:
    if kind_of(x.dtype) not in ("real floating", "complex floating"):
        raise TypeError(f"Fourier transforms are of floats, not of {x.dtype.name}")
    return tf.cast(x, complex128 if x.dtype in (float64, complex128) else complex64)


def _fit_sizes(x: Tensor, sizes: dict[int, int]) -> Tensor:
    """`x` cut, or filled up with zeros, to `sizes` by axis."""
    for axis, size in sizes.items():
        if size < 1:
            raise ValueError(f"a transform of {size} points")
        if x.shape[axis] > size:
            x = tf.gather(x, tf.range(size), axis=axis)
        elif x.shape[axis] < size:
            x = tf.pad(x, [[0, size - x.shape[axis] if a == axis else 0] for a in range(len(x.shape))])
    return x


def _transform_along(x: Tensor, axis: int, transform: Callable[[Tensor], Tensor]) -> Tensor:
    return moveaxis(transform(moveaxis(x, axis, -1)), -1, axis)


def _transform_axis(x: Tensor, n: int | None, axis: int, norm: str, forward: bool, name: str) -> Tensor:
    axis = normalize_axis(axis, len(x.shape), name)
    points = n or x.shape[axis]
    x = _fit_sizes(_complex(x), {axis: points})
    found = _transform_along(x, axis, tf.signal.fft if forward else tf.signal.ifft)
    return found * tf.constant(_scale(norm, forward, points) * (1 if forward else points), found.dtype)


def fft(x: Tensor, /, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Tensor:
    """The transform along an axis, of `n` points.

    >>> xp.fft.fft(xp.asarray([1.0, 0.0, 0.0])).numpy().tolist()
    [(1+0j), (1+0j), (1+0j)]
    """
    return _transform_axis(x, n, axis, norm, True, "fft")


def ifft(x: Tensor, /, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Tensor:
    """The inverse of `fft`.

    >>> xp.real(xp.fft.ifft(xp.fft.fft(xp.asarray([1.0, 2.0, 3.0], dtype=xp.complex64)))).numpy().round(4).tolist()
    [1.0, 2.0, 3.0]
    """
    return _transform_axis(x, n, axis, norm, False, "ifft")


def _axes(x: Tensor, s: tuple[int, ...] | None, axes: tuple[int, ...] | None, name: str) -> tuple[list[int], list[int]]:
    rank = len(x.shape)
    if axes is None:
        found = list(range(rank)) if s is None else list(range(rank - len(s), rank))
    else:
        found = [normalize_axis(a, rank, name) for a in axes]
    if s is not None and len(s) != len(found):
        raise ValueError(f"{name}: {len(s)} sizes for {len(found)} axes")
    return found, [x.shape[a] if n is None or n == -1 else n for a, n in zip(found, s or [None] * len(found), strict=True)]


def fftn(x: Tensor, /, *, s: tuple[int, ...] | None = None, axes: tuple[int, ...] | None = None, norm: str = "backward") -> Tensor:
    """The transform along several axes, of `s` points; all axes where None.

    >>> xp.real(xp.fft.fftn(xp.ones((2, 2), dtype=xp.complex64))).numpy().tolist()
    [[4.0, 0.0], [0.0, 0.0]]
    """
    for axis, n in zip(*_axes(x, s, axes, "fftn"), strict=True):
        x = fft(x, n=n, axis=axis, norm=norm)
    return _complex(x)


def ifftn(x: Tensor, /, *, s: tuple[int, ...] | None = None, axes: tuple[int, ...] | None = None, norm: str = "backward") -> Tensor:
    """The inverse of `fftn`.

    >>> xp.real(xp.fft.ifftn(xp.ones((2, 2), dtype=xp.complex64))).numpy().tolist()
    [[1.0, 0.0], [0.0, 0.0]]
    """
    for axis, n in zip(*_axes(x, s, axes, "ifftn"), strict=True):
        x = ifft(x, n=n, axis=axis, norm=norm)
    return _complex(x)


def rfft(x: Tensor, /, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Tensor:
    """The transform of real numbers: the n // 2 + 1 parts that the others follow from.

    >>> xp.fft.rfft(xp.asarray([1.0, 1.0, 1.0, 1.0])).numpy().tolist()
    [(4+0j), 0j, 0j]
    """
    if kind_of(x.dtype) != "real floating":
        raise TypeError(f"rfft: of real floats, not of {x.dtype.name}")
    axis = normalize_axis(axis, len(x.shape), "rfft")
    points = n or x.shape[axis]
    found = _transform_along(_fit_sizes(x, {axis: points}), axis, lambda a: tf.signal.rfft(a, [points]))
    return found * tf.constant(_scale(norm, True, points), found.dtype)


def irfft(x: Tensor, /, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Tensor:
    """The inverse of `rfft`: `n` real numbers, 2 (m - 1) of m parts where None.

    >>> xp.fft.irfft(xp.fft.rfft(xp.asarray([1.0, 2.0, 3.0])), n=3).numpy().round(4).tolist()
    [1.0, 2.0, 3.0]
    """
    axis = normalize_axis(axis, len(x.shape), "irfft")
    points = n or 2 * (x.shape[axis] - 1)
    x = _fit_sizes(_complex(x), {axis: points // 2 + 1})
    found = _transform_along(x, axis, lambda a: tf.signal.irfft(a, [points]))
    return found * tf.constant(_scale(norm, False, points) * points, found.dtype)


def rfftn(x: Tensor, /, *, s: tuple[int, ...] | None = None, axes: tuple[int, ...] | None = None, norm: str = "backward") -> Tensor:
    """`rfft` along the last of several axes, then `fft` along the others.

    >>> xp.fft.rfftn(xp.ones((4, 6))).shape
    TensorShape([4, 4])
    """
    found, sizes = _axes(x, s, axes, "rfftn")
    x = rfft(x, n=sizes[-1], axis=found[-1], norm=norm)
    for axis, n in list(zip(found, sizes, strict=True))[-2::-1]:
        x = fft(x, n=n, axis=axis, norm=norm)
    return x


def irfftn(x: Tensor, /, *, s: tuple[int, ...] | None = None, axes: tuple[int, ...] | None = None, norm: str = "backward") -> Tensor:
    """The inverse of `rfftn`.

    >>> xp.fft.irfftn(xp.fft.rfftn(xp.ones((4, 6)))).shape
    TensorShape([4, 6])
    """
    found, sizes = _axes(x, s, axes, "irfftn")
    for axis, n in list(zip(found, sizes, strict=True))[:-1]:
        x = ifft(x, n=n, axis=axis, norm=norm)
    last = 2 * (x.shape[found[-1]] - 1) if s is None else sizes[-1]
    return irfft(x, n=last, axis=found[-1], norm=norm)


_OPPOSITE = {"backward": "forward", "forward": "backward", "ortho": "ortho"}


def hfft(x: Tensor, /, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Tensor:
    """The real transform of a signal that is its own conjugate in reverse, given by its first half.

    >>> xp.fft.hfft(xp.asarray([1.0, 0.0, 0.0], dtype=xp.complex64)).numpy().round(4).tolist()
    [1.0, 1.0, 1.0, 1.0]
    """
    return irfft(tf.math.conj(_complex(x)), n=n, axis=axis, norm=_flip_norm(norm))


def ihfft(x: Tensor, /, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Tensor:
    """The inverse of `hfft`.

    >>> xp.fft.ihfft(xp.asarray([1.0, 1.0, 1.0, 1.0])).shape
    TensorShape([3])
    """
    return tf.math.conj(rfft(x, n=n, axis=axis, norm=_flip_norm(norm)))


def _flip_norm(norm: str) -> str:
    if norm not in _OPPOSITE:
        raise ValueError(f"norm is 'backward', 'ortho' or 'forward', not {norm!r}")
    return _OPPOSITE[norm]


def fftfreq(n: int, /, *, d: float = 1.0, dtype: DTypeLike | None = None, device: str | None = None) -> Tensor:
    """The frequencies of `fft`'s parts, in cycles per unit of `d`, the distance of samples.

    >>> xp.fft.fftfreq(4, d=0.5).numpy().tolist()
    [0.0, 0.5, -1.0, -0.5]
    """
    check_device(device)
    return EagerTensor(np.fft.fftfreq(n, d).astype(as_dtype(dtype or float32).numpy_dtype))


def rfftfreq(n: int, /, *, d: float = 1.0, dtype: DTypeLike | None = None, device: str | None = None) -> Tensor:
    """The frequencies of `rfft`'s parts.

    >>> xp.fft.rfftfreq(4, d=0.5).numpy().tolist()
    [0.0, 0.5, 1.0]
    """
    check_device(device)
    return EagerTensor(np.fft.rfftfreq(n, d).astype(as_dtype(dtype or float32).numpy_dtype))


def fftshift(x: Tensor, /, *, axes: tuple[int, ...] | None = None) -> Tensor:
    """The frequency zero moved to the middle.

    >>> xp.fft.fftshift(xp.asarray([0, 1, 2, -2, -1])).numpy().tolist()
    [-2, -1, 0, 1, 2]
    """
    return _shift_axes(x, axes, lambda n: n // 2)


def ifftshift(x: Tensor, /, *, axes: tuple[int, ...] | None = None) -> Tensor:
    """The inverse of `fftshift`.

    >>> xp.fft.ifftshift(xp.asarray([-2, -1, 0, 1, 2])).numpy().tolist()
    [0, 1, 2, -2, -1]
    """
    return _shift_axes(x, axes, lambda n: -(n // 2))


def _shift_axes(x: Tensor, axes: int | tuple[int, ...] | None, by: Callable[[int], int]) -> Tensor:
    rank = len(x.shape)
    given = range(rank) if axes is None else axes if isinstance(axes, (tuple, list)) else (axes,)
    found = [normalize_axis(a, rank, "fftshift") for a in given]
    return tf.roll(x, [by(x.shape[a]) for a in found], found) if found else tf.identity(x)


__all__ = [
    "fft", "fftfreq", "fftn", "fftshift", "hfft", "ifft", "ifftn", "ifftshift", "ihfft", "irfft", "irfftn", "rfft", "rfftfreq", "rfftn",
]  # fmt: skip
