"""Short-time Fourier transforms, modified cosine transforms, and what brings their frames back to a signal."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ...base.dtypes import INDEX, as_dtype, float32, int32
from ...base.export import export
from ...base.shapes import TensorShape
from ...ir.apply import convert_to_tensor
from ...ir.context import scope
from ...ir.tensor import IntLike, NumberLike, Tensor, TensorLike
from ..array.basic import reshape, zeros_of
from ..array.join import concat, split, stack
from ..array.order import reverse
from ..array.tile import tile
from ..array.where import where
from ..math.arithmetic import ceil, square
from ..math.functions import log
from ..math.power import POW
from ..primitives.cast import cast
from ..primitives.compare import equal
from ..reduce.reductions import SUM
from .dct import dct, fit_last_axis
from .fourier import irfft, rfft
from .frames import frame, overlap_and_add
from .windows import apply_to_rows, hann_window, known_scalar, require_scalar, resolve_scalar, vorbis_window


def _scalar(value: Any, name: str) -> Any:
    t = convert_to_tensor(value, name=name)
    require_scalar(t)
    return t


def _power_of_two(length: Any) -> Any:
    """The least power of two that is at least `length`."""
    known = known_scalar(length)
    if known is not None:
        return 1 << max(0, known - 1).bit_length()
    power = ceil(log(cast(length, float32)) / math.log(2.0))
    return cast(POW.call(2.0, power), length.dtype)


def _as_lengths(n: Any) -> Any:
    return [n] if isinstance(n, int) else stack([cast(n, int32)])


@export("signal.stft")
def stft(
    signals: NumberLike,
    frame_length: IntLike,
    frame_step: IntLike,
    fft_length: IntLike | None = None,
    window_fn: Callable[..., Any] | None = hann_window,
    pad_end: bool = False,
    name: str | None = None,
) -> Tensor:
    """The short-time Fourier transform: frames of the signals, windowed, each transformed by `rfft`.

    signals: [..., samples], float32 or float64.  frame_length, frame_step, fft_length: integer scalars; the last is the least power of
    two that holds a frame when None.  window_fn: gives the window, from its length and `dtype`; None for none.  pad_end: whether frames
    that reach beyond the end are there, filled up with zeros.  The result is [..., frames, fft_length // 2 + 1], complex.
    Raises ValueError for what ought to be a scalar and is not, and for a signal without axes.

    >>> tf.signal.stft(tf.ones([8]), frame_length=4, frame_step=2).shape
    TensorShape([3, 3])
    """
    with scope(name, "stft"):
        x = convert_to_tensor(signals, name="signals")
        TensorShape(x.dims).with_rank_at_least(1)
        length, step = _scalar(frame_length, "frame_length"), _scalar(frame_step, "frame_step")
        size = _power_of_two(length) if fft_length is None else resolve_scalar(_scalar(fft_length, "fft_length"))
        frames = frame(x, length, step, pad_end=pad_end)
        if window_fn is not None:
            frames = frames * window_fn(resolve_scalar(length), dtype=frames.dtype)
        return rfft(frames, _as_lengths(size))


@export("signal.inverse_stft")
def inverse_stft(
    stfts: TensorLike,
    frame_length: IntLike,
    frame_step: IntLike,
    fft_length: IntLike | None = None,
    window_fn: Callable[..., Any] | None = hann_window,
    name: str | None = None,
) -> Tensor:
    """Signals from their short-time Fourier transforms: each frame by `irfft`, windowed, and the frames added up.

    stfts: [..., frames, fft_length // 2 + 1], complex64 or complex128; the rest as `stft`.  The signals come back whole where window_fn is
    `inverse_stft_window_fn(frame_step)`.

    >>> spectra = tf.signal.stft(tf.range(8.0), 4, 2)
    >>> back = tf.signal.inverse_stft(spectra, 4, 2, window_fn=tf.signal.inverse_stft_window_fn(2))
    >>> back.numpy().round(3).tolist()[2:6]
    [2.0, 3.0, 4.0, 5.0]
    """
    with scope(name, "inverse_stft"):
        x = convert_to_tensor(stfts, name="stfts")
        TensorShape(x.dims).with_rank_at_least(2)
        length, step = _scalar(frame_length, "frame_length"), _scalar(frame_step, "frame_step")
        size = _power_of_two(length) if fft_length is None else resolve_scalar(_scalar(fft_length, "fft_length"))
        if length.dtype not in INDEX:
            raise TypeError(f"frame_length must be a whole number, int32 or int64, not {frame_length!r}")

        whole = resolve_scalar(length)
        if isinstance(whole, int) and whole < 0:
            raise ValueError(f"inverse_stft: frame_length must be at least 0, got {whole}")

        def add_frames(spectra: Any) -> Tensor:
            frames = fit_last_axis(irfft(spectra, _as_lengths(size)), resolve_scalar(length))
            if window_fn is not None:
                frames = frames * window_fn(resolve_scalar(length), dtype=x.dtype.real_dtype)
            return overlap_and_add(frames, step)

        return apply_to_rows(x, 2, add_frames)


@export("signal.inverse_stft_window_fn")
def inverse_stft_window_fn(
    frame_step: IntLike, forward_window_fn: Callable[..., Any] = hann_window, name: str | None = None
) -> Callable[..., Any]:
    """The window function with which `inverse_stft` undoes a `stft` of `forward_window_fn`.

    Each sample is divided by the sum of the squares of all windows that lie over it (D. Griffin and J. Lim, "Signal estimation from
    modified short-time Fourier transform", 1984, equation 7); 0 where that is 0.

    >>> tf.signal.inverse_stft_window_fn(2)(4, dtype=tf.float32).numpy().tolist()
    [0.0, 1.0, 1.0, 1.0]
    """

    def window_of(frame_length: Any, dtype: Any) -> Any:
        with scope(name, "inverse_stft_window_fn"):
            step, length = resolve_scalar(_scalar(frame_step, "frame_step")), resolve_scalar(_scalar(frame_length, "frame_length"))
            window = forward_window_fn(length, dtype=as_dtype(dtype))
            parts = -(-length // step)
            squares = square(window)
            sums = SUM.call(reshape(fit_last_axis(squares, parts * step), _pair(parts, step)), 0, keep_dims=True)
            whole = reshape(tile(sums, _pair(parts, 1)), [-1])[:length]
            return where(equal(whole, 0.0), zeros_of(window), window / whole)

    return window_of


def _pair(a: Any, b: Any) -> Any:
    return np.array([a, b], np.int32) if isinstance(a, int) and isinstance(b, int) else stack([a, b])


# ---- the modified discrete cosine transform


@export("signal.mdct")
def mdct(
    signals: NumberLike,
    frame_length: IntLike,
    window_fn: Callable[..., Any] | None = vorbis_window,
    pad_end: bool = False,
    norm: str | None = None,
    name: str | None = None,
) -> Tensor:
    """The modified discrete cosine transform: frames that overlap by half, windowed, folded to half their length, by `dct` of type 4.

    signals: [..., samples], float32 or float64.  frame_length: an integer scalar, a multiple of 4.  window_fn, pad_end: as `stft`; None
    for a constant window of 1 / sqrt(2).  norm: None or "ortho".  The result is [..., frames, frame_length // 2].
    Raises ValueError for a length that is no multiple of 4 or no scalar.

    >>> tf.signal.mdct(tf.range(8.0), 4).shape
    TensorShape([3, 2])
    """
    with scope(name, "mdct"):
        x = convert_to_tensor(signals, name="signals")
        TensorShape(x.dims).with_rank_at_least(1)
        length = _scalar(frame_length, "frame_length")
        known = known_scalar(length)
        if known is not None and known % 4:
            raise ValueError("The frame length must be a multiple of 4.")
        frames = frame(x, length, length // 2, pad_end=pad_end)
        frames = frames * (1.0 / math.sqrt(2.0) if window_fn is None else window_fn(resolve_scalar(length), dtype=frames.dtype))
        a, b, c, d = split(frames, 4, axis=-1)
        return dct(concat([-reverse(c, [-1]) - d, a - reverse(b, [-1])], -1), type=4, norm=norm)


@export("signal.inverse_mdct")
def inverse_mdct(
    mdcts: TensorLike, window_fn: Callable[..., Any] | None = vorbis_window, norm: str | None = None, name: str | None = None
) -> Tensor:
    """Signals from their modified discrete cosine transforms; the first and the last half of a frame excepted, which nothing overlaps.

    mdcts: [..., frames, n], n even and known; the rest as `mdct`.

    >>> tf.signal.inverse_mdct(tf.signal.mdct(tf.range(8.0), 4)).numpy().round(3).tolist()[2:6]
    [2.0, 3.0, 4.0, 5.0]
    """
    with scope(name, "inverse_mdct"):
        x = convert_to_tensor(mdcts, name="mdcts")
        TensorShape(x.dims).with_rank_at_least(2)
        if norm not in (None, "ortho"):
            raise ValueError(f"Unknown normalization. Expected None or 'ortho', got: {norm}")
        if x.dims is None or x.dims[-1] is None:
            raise ValueError("inverse_mdct: the size of the last axis of `mdcts` must be known")
        half = int(x.dims[-1])
        found = dct(x, type=4, norm=norm)
        a, b = split(found if norm == "ortho" else found * np.array(0.5 / half, x.dtype.numpy_dtype), 2, axis=-1)
        frames = concat([b, -reverse(b, [-1]), -reverse(a, [-1]), -a], -1)
        frames = frames * (1.0 / math.sqrt(2.0) if window_fn is None else window_fn(2 * half, dtype=x.dtype))
        return overlap_and_add(frames, half)
