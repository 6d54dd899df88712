"""The mel scale of pitch, and cepstra made with it, as the Hidden Markov Model Toolkit defines them."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.dtypes import as_dtype, float32
from ...base.export import export
from ...base.shapes import show
from ...ir.apply import convert_to_tensor
from ...ir.attributes import refused_value
from ...ir.context import scope
from ...ir.tensor import DTypeLike, Tensor, TensorLike
from ..array.basic import reshape, shape_of
from ..array.slice import PAD
from ..batching import content
from ..math.arithmetic import maximum, minimum
from ..math.functions import log, rsqrt
from ..primitives.cast import cast
from ..search.composed import linspace
from .dct import dct


def _mel(hertz: Any) -> Any:
    return 1127.0 * log(1.0 + hertz / 700.0)


@export("signal.linear_to_mel_weight_matrix")
def linear_to_mel_weight_matrix(
    num_mel_bins: Any = 20,
    num_spectrogram_bins: Any = 129,
    sample_rate: Any = 8000,
    lower_edge_hertz: Any = 125.0,
    upper_edge_hertz: Any = 3800.0,
    dtype: DTypeLike = float32,
    name: str | None = None,
) -> Tensor:
    """The matrix [num_spectrogram_bins, num_mel_bins] that brings spectra to the mel scale, mel(f) = 1127 log(1 + f / 700).

    Column k is a triangle in mel with its peak, 1, at the middle of band k.  The first bin, the mean of the signal, is left out.
    sample_rate: a number or a tensor; the bins go to half of it.  Raises ValueError for bands that are not positive in number, not in
    order, or beyond half of the sample rate, and for a dtype that is not floating.

    >>> tf.signal.linear_to_mel_weight_matrix(3, 5, 8000, 0.0, 4000.0).numpy().round(2).tolist()[1]
    [0.14000000059604645, 0.8600000143051147, 0.0]
    """
    with scope(name, "linear_to_mel_weight_matrix") as full:
        kind = as_dtype(dtype)
        rate = sample_rate
        if isinstance(rate, Tensor) and content(rate) is not None:
            rate = content(rate)
        _check_bands(num_mel_bins, rate, lower_edge_hertz, upper_edge_hertz, kind)
        rate = cast(rate, kind, name="sample_rate")
        if rate.dims:
            text = f"sample_rate must be a scalar, got shape {show(rate.dims)}"
            raise refused_value(text)
        low = convert_to_tensor(lower_edge_hertz, kind, name="lower_edge_hertz")
        high = convert_to_tensor(upper_edge_hertz, kind, name="upper_edge_hertz")
        zero = np.zeros((), kind.numpy_dtype)
        frequencies = reshape(_mel(linspace(zero, rate / 2.0, num_spectrogram_bins)[1:]), [-1, 1])
        edges = linspace(_mel(low), _mel(high), num_mel_bins + 2)
        left, middle, right = edges[:-2], edges[1:-1], edges[2:]
        rising, falling = (frequencies - left) / (middle - left), (right - frequencies) / (right - middle)
        weights = maximum(zero, minimum(rising, falling))
        return PAD.call(weights, [[1, 0], [0, 0]], name=full or None)


def _check_bands(bins: Any, rate: Any, low: float, high: float, dtype: Any) -> None:
    if bins <= 0:
        raise ValueError(f"num_mel_bins must be positive. Got: {bins}")
    if low < 0.0:
        raise ValueError(f"lower_edge_hertz must be non-negative. Got: {low}")
    if low >= high:
        raise ValueError(f"lower_edge_hertz {low:.1f} >= upper_edge_hertz {high:.1f}")
    if not isinstance(rate, Tensor):
        if rate <= 0.0:
            raise ValueError(f"sample_rate must be positive. Got: {rate}")
        if high > rate / 2:
            raise ValueError(
                f"upper_edge_hertz must not be larger than the Nyquist frequency (sample_rate / 2). Got {high} for sample_rate: {rate}"
            )
    if not dtype.is_floating:
        raise ValueError(f"dtype must be a floating point type. Got: {dtype}")


@export("signal.mfccs_from_log_mel_spectrograms")
def mfccs_from_log_mel_spectrograms(log_mel_spectrograms: TensorLike, name: str | None = None) -> Tensor:
    """Mel-frequency cepstral coefficients: `dct` of type 2 of the logarithms of mel spectra, over sqrt(2 bins).

    log_mel_spectrograms: [..., num_mel_bins], float32 or float64.  Raises ValueError where there is no bin.

    >>> tf.signal.mfccs_from_log_mel_spectrograms([[1.0, 2.0]]).numpy().round(3).tolist()
    [[3.0, -0.7070000171661377]]
    """
    with scope(name, "mfccs_from_log_mel_spectrograms"):
        x = convert_to_tensor(log_mel_spectrograms)
        if x.dims == ():
            raise refused_value("log_mel_spectrograms must have an axis of mel bins, a scalar has none")
        bins = x.dims[-1] if x.dims else None
        if bins == 0:
            raise ValueError(f"num_mel_bins must be positive. Got: {x}")
        size = cast(convert_to_tensor(shape_of(x)[-1] if bins is None else bins), x.dtype)
        return dct(x, type=2) * rsqrt(size * 2.0)
