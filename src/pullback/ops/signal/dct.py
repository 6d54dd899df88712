"""Discrete cosine transforms, made of Fourier transforms of real signals as TensorFlow makes them.

Type 2 is the transform of the signal and its mirror, so `rfft` of twice the length, turned by half a sample; type 3 is its transpose;
type 1 mirrors without repeating the ends; type 4 is every other number of a type 2 of twice the length (J. Makhoul, "A fast cosine
transform in one and two dimensions", 1980).
"""

from __future__ import annotations

import math
import operator
from typing import Any

import numpy as np

from ...base.dtypes import float64
from ...base.export import export
from ...ir.apply import convert_to_tensor, tensor_with
from ...ir.context import scope
from ...ir.tensor import IntLike, NumberLike, SymbolicTensor, Tensor
from ..array.basic import shape_of, zeros_of
from ..array.create import range as range_of
from ..array.join import concat
from ..array.slice import PAD
from ..array.where import where
from ..math.complex import complex as complex_of, real
from ..math.functions import sqrt
from ..math.trigonometric import cos, sin
from ..primitives.cast import cast
from ..primitives.compare import equal
from .fft import WIDE
from .fourier import irfft, rfft
from .windows import apply_to_rows

_INVERSE = {1: 1, 2: 3, 3: 2, 4: 4}


def _signal(input: Any, kind: Any) -> Any:
    """The signal as a tensor; type 1 asks for its shape first."""
    return tensor_with(input, "shape") if isinstance(kind, int) and kind == 1 else convert_to_tensor(input)


@export("signal.dct", v1="spectral.dct")
def dct(
    input: NumberLike, type: int = 2, n: int | None = None, axis: IntLike = -1, norm: str | None = None, name: str | None = None
) -> Tensor:
    """The discrete cosine transform of `type` 1, 2, 3 or 4 along the last axis.

    input: [..., samples], float32 or float64 (a TypeError otherwise).  n: the signal is cropped to it, or padded with zeros.  norm: None,
    or "ortho" for an orthonormal one, which type 1 has not.  Raises NotImplementedError for an axis other than -1, ValueError for another
    type or norm, `n` below 1, and for type 1 of less than two samples.

    >>> tf.signal.dct([1.0, 2.0, 3.0]).numpy().round(3).tolist()
    [12.0, -3.4639999866485596, -0.0]
    """
    type = _as_index(type)
    x = _signal(input, type)
    _check(x, type, n, axis, norm)
    return _apply_transform(x, type, n, norm, name)


@export("signal.idct", v1="spectral.idct")
def idct(
    input: NumberLike, type: int = 2, n: int | None = None, axis: IntLike = -1, norm: str | None = None, name: str | None = None
) -> Tensor:
    """What undoes `dct` of the same `type`: up to the factor 2 samples (2 samples - 2 for type 1), unless norm is "ortho".

    >>> (tf.signal.idct(tf.signal.dct([1.0, 2.0, 3.0])) / 6.0).numpy().round(3).tolist()
    [1.0, 2.0, 3.0]
    """
    type = _as_index(type)
    x = _signal(input, type)
    _check(x, type, n, axis, norm)
    return _apply_transform(x, _INVERSE[type], n, norm, name)


def _as_index(number: Any) -> Any:
    """An array or tensor of one integer as that integer; anything else as it is, to be refused by its place."""
    if isinstance(number, SymbolicTensor):
        return None  # which is no type
    return operator.index(number) if hasattr(number, "__index__") else number


def _check(x: Any, type: Any, n: Any, axis: Any, norm: str | None) -> None:
    if axis != -1:
        raise NotImplementedError(f"axis must be -1. Got: {axis}")
    if n is not None and n < 1:
        raise ValueError("n should be a positive integer or None")
    if type not in (*_INVERSE,):  # not in the table itself, for a list has no hash
        raise ValueError("Types I, II, III and IV (I)DCT are supported.")
    if type == 1 and norm == "ortho":
        raise ValueError("Normalization is not supported for the Type-I DCT.")
    if type == 1 and x.dims and x.dims[-1] is not None and x.dims[-1] < 2:
        raise ValueError("Type-I DCT requires the dimension to be greater than one.")
    if norm not in (None, "ortho"):
        raise ValueError(f"Unknown normalization. Expected None or 'ortho', got: {norm}")
    if x.dtype.base_dtype not in WIDE:
        raise TypeError(f"dct takes float32 or float64, got {x.dtype.name}")
    if x.dims == ():
        raise IndexError("dct needs a signal of at least one axis")


def _apply_transform(x: Any, type: int, n: Any, norm: str | None, name: str | None) -> Any:
    with scope(name, "dct"):
        return apply_to_rows(x, 1, lambda rows: _transform(rows if n is None else fit_last_axis(rows, int(n)), type, norm))


def _transform(x: Any, type: int, norm: str | None) -> Any:
    size = x.dims[-1] if x.dims[-1] is not None else shape_of(x)[-1]
    if type == 1:
        return real(rfft(concat([x, x[..., -2:0:-1]], -1)))
    if type == 2:
        return _second(x, size, norm)
    if type == 3:
        return _transform_third(x, size, norm)
    found = _second(fit_last_axis(x, 2 * size), 2 * size, None)[..., 1::2]
    return found * _round_factor(math.sqrt(0.5) / _root(size), x.dtype) if norm == "ortho" else found


def fit_last_axis(x: Any, n: Any) -> Any:
    """The last axis cropped to `n`, or padded with zeros."""
    have = x.dims[-1]
    if isinstance(n, int) and have is not None and n <= have:
        return x[..., :n]
    x = x[..., :n]
    missing = n - (shape_of(x)[-1] if x.dims[-1] is None else x.dims[-1])
    if isinstance(missing, int):
        return PAD.call(x, np.array([[0, 0]] * (len(x.dims) - 1) + [[0, missing]], np.int32))
    corner = np.zeros((len(x.dims), 2), np.int32)
    corner[-1, 1] = 1
    return PAD.call(x, corner * missing)


def _second(x: Any, size: Any, norm: str | None) -> Any:
    doubled = rfft(x, [2 * size])[..., :size]
    found = real(doubled * _turn(size, x.dtype, -1))
    return found * _ends(0.5 / _root(size), math.sqrt(2.0), size, x.dtype) if norm == "ortho" else found


def _transform_third(x: Any, size: Any, norm: str | None) -> Any:
    x = x * (_ends(_root(size), math.sqrt(0.5), size, x.dtype) if norm == "ortho" else cast(convert_to_tensor(size), x.dtype))
    turned = complex_of(x, zeros_of(x)) * _turn(size, x.dtype, 1)
    return irfft(turned, [2 * size])[..., :size]


# Factors are made in double precision, as arrays where the size is known, and then rounded: one number either way.


def _root(size: Any) -> Any:
    return np.sqrt(np.float64(size)) if isinstance(size, int) else sqrt(cast(size, float64))


def _round_factor(factor: Any, dtype: Any) -> Any:
    return np.asarray(factor).astype(dtype.numpy_dtype) if isinstance(factor, (np.ndarray, np.generic)) else cast(factor, dtype)


def _turn(size: Any, dtype: Any, sign: int) -> Any:
    """2 exp(+-i pi k / (2 size))."""
    quarter = sign * math.pi * 0.5
    wide = WIDE[dtype.base_dtype]
    if isinstance(size, int):
        phase = np.arange(size, dtype=np.float64) * quarter / np.float64(max(size, 1))
        return (2.0 * np.cos(phase) + 2.0j * np.sin(phase)).astype(wide.numpy_dtype)
    places = cast(range_of(size), float64) * quarter / cast(size, float64)
    return cast(complex_of(2.0 * cos(places), 2.0 * sin(places)), wide)


def _ends(first: Any, ratio: float, size: Any, dtype: Any) -> Any:
    """`first`, and `ratio` times it for all other places."""
    if isinstance(size, int):
        return _round_factor(np.where(np.arange(size) == 0, first, first * ratio), dtype)
    return cast(where(equal(range_of(size), 0), first, first * ratio), dtype)
