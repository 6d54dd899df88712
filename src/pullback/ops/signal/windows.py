"""Window functions: what a frame of a signal is multiplied by so that its ends fade out."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ...base.dtypes import DType, bool as boolean, float32, int32
from ...base.export import export
from ...ir.apply import convert_to_tensor
from ...ir.context import scope
from ...ir.tensor import DTypeLike, IntLike, NumberLike, Tensor, TensorLike
from ..array.basic import reshape, shape_of
from ..array.create import range as range_of
from ..array.join import concat, stack
from ..array.where import where
from ..batching import content
from ..indexing.index import getitem
from ..math.arithmetic import square
from ..math.functions import exp, sqrt
from ..math.power import POW
from ..math.trigonometric import cos, sin
from ..nn.activations import relu
from ..primitives.cast import cast
from ..primitives.compare import equal
from ..reduce.reductions import PROD
from ..reduce.scan import cumsum
from ..special.functions import bessel_i0e


def _length(window_length: Any) -> Any:
    n = convert_to_tensor(window_length, int32, name="window_length")
    require_scalar(n)
    return n


def require_scalar(t: Tensor) -> None:
    """Raise ValueError for a tensor known not to be a scalar."""
    if t.dims is not None and t.dims != ():
        raise ValueError(f"Shape {t.shape} must have rank 0")


def _check_floating(dtype: Any) -> DType:
    if not isinstance(dtype, DType):
        raise AttributeError(f"'{type(dtype).__name__}' object has no attribute 'is_floating': a dtype is needed, not {dtype!r}")
    kind = dtype
    if not kind.is_floating:
        raise ValueError(f"dtype must be a floating point type. Found {kind}")
    return kind


def known_scalar(t: Tensor) -> int | None:
    """The value of an integer scalar where it is known."""
    known = content(t)
    return None if known is None else int(known)


def resolve_scalar(t: Tensor) -> Any:
    """An integer scalar as a number where it is known, else as it is."""
    known = known_scalar(t)
    return t if known is None else known


def apply_to_rows(x: Tensor, inner: int, call: Callable[[Any], Tensor]) -> Tensor:
    """`call` of a tensor; one of unknown rank has all its axes but the last `inner` as one meanwhile."""
    if x.dims is not None:
        return call(x)
    sizes = shape_of(x)
    found = call(reshape(x, stack([PROD.call(sizes[:-inner], 0), *(sizes[i] for i in range(-inner, 0))])))
    return reshape(found, concat([sizes[:-inner], shape_of(found)[1:]], 0))


@export("signal.hann_window")
def hann_window(window_length: IntLike, periodic: TensorLike = True, dtype: DTypeLike = float32, name: str | None = None) -> Tensor:
    """A Hann window: 0.5 - 0.5 cos(2 pi k / n) for k below `window_length`.

    window_length: an integer scalar.  periodic: n is the length, as for the analysis of spectra; otherwise the window is symmetric, as for
    the design of filters, and n one less (an odd length gives the symmetric one in any case, as in TensorFlow).  dtype: floating.
    Raises ValueError for another dtype or a length that is not a scalar.

    >>> tf.signal.hann_window(4).numpy().tolist()
    [0.0, 0.5, 1.0, 0.5]
    """
    return _raised_cosine("hann_window", window_length, periodic, dtype, 0.5, 0.5, name)


@export("signal.hamming_window")
def hamming_window(window_length: IntLike, periodic: TensorLike = True, dtype: DTypeLike = float32, name: str | None = None) -> Tensor:
    """A Hamming window: 0.54 - 0.46 cos(2 pi k / n); the rest as `hann_window`.

    >>> tf.signal.hamming_window(4).numpy().round(2).tolist()
    [0.07999999821186066, 0.5400000214576721, 1.0, 0.5400000214576721]
    """
    return _raised_cosine("hamming_window", window_length, periodic, dtype, 0.54, 0.46, name)


def _raised_cosine(default: str, window_length: Any, periodic: Any, dtype: Any, a: float, b: float, name: str | None) -> Any:
    kind = _check_floating(dtype)
    with scope(name, default):
        length = _length(window_length)
        if known_scalar(length) == 1:
            return convert_to_tensor(np.ones(1, kind.numpy_dtype))
        around = cast(convert_to_tensor(periodic, boolean, name="periodic"), int32)
        require_scalar(around)
        even = 1 - length % 2
        n = cast(length + around * even - 1, kind)
        places = cast(range_of(length), kind)
        phase = convert_to_tensor(2 * math.pi, kind) * places / n
        window = cast(a - b * cos(phase), kind)
        if known_scalar(length) is not None:
            return window
        return where(equal(length, 1), np.ones((), kind.numpy_dtype), window)


@export("signal.vorbis_window")
def vorbis_window(window_length: IntLike, dtype: DTypeLike = float32, name: str | None = None) -> Tensor:
    """The window of Vorbis: sin(pi / 2 sin(pi (k + 0.5) / n) ^ 2), whose square and its shift by half a frame add up to one.

    >>> tf.signal.vorbis_window(4).numpy().round(3).tolist()
    [0.2280000001192093, 0.9739999771118164, 0.9739999771118164, 0.2280000001192093]
    """
    with scope(name, "vorbis_window"):
        kind = _check_floating(dtype)
        length = _length(window_length)
        places = cast(range_of(length), kind) + 0.5
        inner = sin(math.pi / cast(length, kind) * places)
        return sin(math.pi / 2.0 * POW.call(inner, 2.0))


@export("signal.kaiser_window")
def kaiser_window(window_length: IntLike, beta: NumberLike = 12.0, dtype: DTypeLike = float32, name: str | None = None) -> Tensor:
    """A Kaiser window: I0(beta sqrt(1 - t ^ 2)) / I0(beta) for t from -1 to 1.

    window_length: an integer scalar.  beta: how narrow it is; gradients reach it.  dtype: floating.  Raises ValueError as `hann_window`.

    >>> tf.signal.kaiser_window(3, beta=1.0).numpy().round(3).tolist()
    [0.7900000214576721, 1.0, 0.7900000214576721]
    """
    with scope(name, "kaiser_window"):
        kind = _check_floating(dtype)
        length = _length(window_length)
        if known_scalar(length) == 1:
            return convert_to_tensor(np.ones(1, kind.numpy_dtype))
        half = (cast(length, float32) - 1.0) / 2.0
        t = cast(range_of(-half, half + 0.1), kind) / cast(half, kind)
        beta = cast(beta, kind)
        inside = beta * sqrt(relu(1.0 - square(t)))
        return exp(inside - beta) * (bessel_i0e(inside) / bessel_i0e(beta))


@export("signal.kaiser_bessel_derived_window")
def kaiser_bessel_derived_window(
    window_length: IntLike, beta: NumberLike = 12.0, dtype: DTypeLike = float32, name: str | None = None
) -> Tensor:
    """Roots of the running sums of a Kaiser window, and their mirror: squares of it and its shift by half a frame add up to one.

    window_length: an even integer scalar; the rest as `kaiser_window`.

    >>> tf.signal.kaiser_bessel_derived_window(4, beta=1.0).numpy().round(3).tolist()
    [0.5529999732971191, 0.8330000042915344, 0.8330000042915344, 0.5529999732971191]
    """
    with scope(name, "kaiser_bessel_derived_window"):
        kind = _check_floating(dtype)
        length = _length(window_length)
        sums = cumsum(kaiser_window(length // 2 + 1, beta, dtype=kind))
        rising = sqrt(sums[:-1] / sums[-1])
        return concat([rising, getitem(rising, slice(None, None, -1))], 0)
