"""Cases: frames, windows, cosine transforms, short-time spectra, the mel scale."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .case import Case, ErrorCase, case, error, floats, ints

X32, X64 = floats(2, 11), floats(2, 11, dtype="float64")
SHORT = floats(2, 4, dtype="float64")


def of(name: str, *args: Any, **options: Any) -> Callable[..., Any]:
    return lambda tf, *x: getattr(tf.signal, name)(*x, *args, **options)


def window(name: str, *args: Any, dtype: str = "float32", **options: Any) -> Callable[..., Any]:
    return lambda tf: getattr(tf.signal, name)(*args, dtype=tf.as_dtype(dtype), **options)


def unwindowed(name: str, *args: Any, **options: Any) -> Callable[..., Any]:
    return of(name, *args, window_fn=None, **options)


def windowed(name: str, fn: str, *args: Any, **options: Any) -> Callable[..., Any]:
    return lambda tf, x: getattr(tf.signal, name)(x, *args, window_fn=getattr(tf.signal, fn), **options)


def round_trip(tf: Any, x: Any) -> Any:
    spectra = tf.signal.stft(x, 6, 2, window_fn=tf.signal.hamming_window)
    undo = tf.signal.inverse_stft_window_fn(2, tf.signal.hamming_window)
    return tf.signal.inverse_stft(spectra, 6, 2, window_fn=undo)


WINDOWS = ("hann_window", "hamming_window", "vorbis_window", "kaiser_window", "kaiser_bessel_derived_window")
PERIODIC = ("hann_window", "hamming_window")
CASES: list[Case] = [
    *(case("signal.fftshift", f"{n}", of("fftshift"), floats(n)) for n in (1, 4, 5)),
    *(case(f"signal.{f}", "all axes", of(f), floats(3, 4)) for f in ("fftshift", "ifftshift")),
    *(case(f"signal.{f}", "one axis", of(f, axes=1), floats(3, 5)) for f in ("fftshift", "ifftshift")),
    *(case(f"signal.{f}", "two axes", of(f, axes=[0, -1]), ints(3, 2, 5)) for f in ("fftshift", "ifftshift")),
    case("signal.ifftshift", "axes tensor", of("ifftshift"), floats(3, 5), np.array([1, 0], np.int32)),
    # frames
    case("signal.frame", "overlapping", of("frame", 4, 2), X32),
    case("signal.frame", "with gaps", of("frame", 2, 5), X32),
    case("signal.frame", "side by side", of("frame", 3, 3), X64),
    case("signal.frame", "no common divisor", of("frame", 5, 3), X64),
    case("signal.frame", "padded", of("frame", 4, 3, pad_end=True), X64),
    case("signal.frame", "padded with a value", of("frame", 6, 4, pad_end=True, pad_value=7.0), X32),
    case("signal.frame", "the first axis", of("frame", 4, 2, axis=0), floats(9, 2)),
    case("signal.frame", "a middle axis, padded", of("frame", 4, 3, pad_end=True, axis=-2), floats(2, 7, 2)),
    case("signal.frame", "longer than the signal", of("frame", 20, 2), X32),
    case("signal.frame", "longer than the signal, padded", of("frame", 20, 4, True), X32),
    case("signal.frame", "empty", of("frame", 2, 1), floats(2, 0)),
    case("signal.frame", "integers", of("frame", 3, 2), ints(8)),
    case("signal.frame", "scalar tensors", lambda tf, x, n, s: tf.signal.frame(x, n, s), X64, np.array(4, np.int32), np.array(2, np.int32)),
    case("signal.overlap_and_add", "overlapping", of("overlap_and_add", 2), floats(3, 4, 5)),
    case("signal.overlap_and_add", "side by side", of("overlap_and_add", 3), floats(2, 4, 3, dtype="float64")),
    case("signal.overlap_and_add", "with gaps", of("overlap_and_add", 5), floats(4, 3)),
    case("signal.overlap_and_add", "one by one", of("overlap_and_add", 1), floats(4, 3, dtype="float64")),
    case("signal.overlap_and_add", "complex", of("overlap_and_add", 2), floats(3, 4, dtype="complex64")),
    case("signal.overlap_and_add", "scalar tensor", lambda tf, x, n: tf.signal.overlap_and_add(x, n), floats(4, 3), np.array(2, np.int32)),
    # windows
    *(case(f"signal.{w}", f"{n}", window(w, n)) for w in WINDOWS for n in (1, 2, 6, 7) if w != WINDOWS[-1] or n % 2 == 0),
    *(case(f"signal.{w}", "float64", window(w, 6, dtype="float64")) for w in WINDOWS),
    *(case(f"signal.{w}", "float16", window(w, 6, dtype="float16"), rtol=1e-2) for w in WINDOWS[:3]),
    *(case(f"signal.{w}", f"symmetric {n}", window(w, n, periodic=False)) for w in PERIODIC for n in (1, 6, 7)),
    case("signal.kaiser_window", "beta", lambda tf, b: tf.signal.kaiser_window(5, b), floats(low=3, high=5)),
    case("signal.kaiser_bessel_derived_window", "beta", lambda tf, b: tf.signal.kaiser_bessel_derived_window(6, b), floats(low=3, high=5)),
    *(case(f"signal.{w}", "length tensor", lambda tf, n, w=w: getattr(tf.signal, w)(n), np.array(6, np.int32)) for w in WINDOWS),
    case("signal.hann_window", "length tensor of one", lambda tf, n: tf.signal.hann_window(n), np.array(1, np.int32)),
    case("signal.inverse_stft_window_fn", "hann", lambda tf: tf.signal.inverse_stft_window_fn(3)(8, dtype=tf.float32)),
    # cosine transforms
    *(case("signal.dct", f"type {t}, {d}", of("dct", type=t), floats(2, 5, dtype=d)) for t in (1, 2, 3, 4) for d in ("float32", "float64")),
    *(case("signal.dct", f"type {t}, ortho", of("dct", type=t, norm="ortho"), SHORT) for t in (2, 3, 4)),
    *(case("signal.dct", f"type {t} of {n}", of("dct", type=t, n=n), SHORT) for t in (1, 2, 3, 4) for n in (3, 6)),
    case("signal.dct", "of one sample", of("dct", norm="ortho"), floats(3, 1, dtype="float64")),
    *(case("signal.idct", f"type {t}", of("idct", type=t), SHORT) for t in (1, 2, 3, 4)),
    *(case("signal.idct", f"type {t}, ortho", of("idct", type=t, norm="ortho"), floats(5, dtype="float64")) for t in (2, 3, 4)),
    case("signal.dct", "version 1", lambda tf, x: tf.spectral.idct(tf.spectral.dct(x)), SHORT, face="v1"),
    # spectra of frames
    case("signal.stft", "plain", of("stft", 4, 2), X64),
    case("signal.stft", "float32, fft length", of("stft", 4, 3, 8), X32),
    case("signal.stft", "not a power of two, padded", of("stft", 5, 2, pad_end=True), X64),
    case("signal.stft", "cropped, no window", lambda tf, x: tf.signal.stft(tf.stop_gradient(x), 6, 2, 4, None), X64, smooth=False),
    case("signal.stft", "magnitudes", lambda tf, x: tf.abs(tf.signal.stft(x, 8, 4)), floats(20, dtype="float64")),
    case("signal.inverse_stft", "plain", of("inverse_stft", 4, 2), floats(3, 3, dtype="complex128")),
    case("signal.inverse_stft", "complex64, longer transforms", of("inverse_stft", 5, 2), floats(2, 3, 5, dtype="complex64")),
    case("signal.inverse_stft", "shorter transforms", of("inverse_stft", 6, 3, 4), floats(3, 3, dtype="complex128")),
    case("signal.inverse_stft", "no window", unwindowed("inverse_stft", 4, 4), floats(3, 3, dtype="complex128")),
    case("signal.inverse_stft", "round trip", round_trip, floats(12, dtype="float64")),
    case("signal.mdct", "plain", of("mdct", 8), floats(2, 20, dtype="float64")),
    case("signal.mdct", "float32, ortho, padded", of("mdct", 4, pad_end=True, norm="ortho"), X32),
    case("signal.mdct", "no window", unwindowed("mdct", 4), X64),
    case("signal.mdct", "kaiser", windowed("mdct", "kaiser_bessel_derived_window", 4), X64),
    case("signal.inverse_mdct", "plain", of("inverse_mdct"), floats(2, 3, 4, dtype="float64")),
    case("signal.inverse_mdct", "float32, ortho", of("inverse_mdct", norm="ortho"), floats(3, 2)),
    case("signal.inverse_mdct", "no window", unwindowed("inverse_mdct"), floats(3, 4, dtype="float64")),
    # mel
    case("signal.linear_to_mel_weight_matrix", "defaults", of("linear_to_mel_weight_matrix"), rtol=1e-4),
    case("signal.linear_to_mel_weight_matrix", "float64", window("linear_to_mel_weight_matrix", 5, 9, 8000, 0.0, 4e3, dtype="float64")),
    case("signal.linear_to_mel_weight_matrix", "a tensor", lambda tf, r: of("linear_to_mel_weight_matrix", 4, 17, r)(tf), np.int32(8000)),
    case("signal.mfccs_from_log_mel_spectrograms", "plain", of("mfccs_from_log_mel_spectrograms"), floats(2, 3, 6)),
    case("signal.stft", "version 1", lambda tf, x: tf.signal.inverse_stft(tf.signal.stft(x, 4, 2), 4, 2), X32, face="v1"),
]  # fmt: skip

ERRORS: list[ErrorCase] = [
    error("dct: axis 0", of("dct", axis=0), SHORT),
    error("dct: type 5", of("dct", type=5), SHORT),
    error("dct: norm", of("dct", norm="backward"), SHORT),
    error("dct: type 1, ortho", of("dct", type=1, norm="ortho"), SHORT),
    error("dct: type 1 of one sample", of("dct", type=1), floats(3, 1)),
    error("dct: n of zero", of("dct", n=0), SHORT),
    error("dct: integers", of("dct"), ints(4)),
    error("frame: a scalar", of("frame", 2, 1), floats()),
    error("frame: length of a vector", of("frame", [2, 2], 1), floats(4)),
    error("overlap_and_add: a vector", of("overlap_and_add", 2), floats(4)),
    error("overlap_and_add: float step", of("overlap_and_add", 2.0), floats(4, 4)),
    error("hann_window: integers", window("hann_window", 4, dtype="int32")),
    error("kaiser_window: integers", window("kaiser_window", 4, dtype="int32")),
    error("hann_window: a vector", window("hann_window", [4])),
    error("mdct: no multiple of four", of("mdct", 6), X32),
    error("stft: integers", of("stft", 4, 2), ints(8)),
    error("mel: no bins", window("linear_to_mel_weight_matrix", 0)),
    error("mel: negative edge", window("linear_to_mel_weight_matrix", lower_edge_hertz=-1.0)),
    error("mel: edges in no order", window("linear_to_mel_weight_matrix", lower_edge_hertz=100.0, upper_edge_hertz=50.0)),
    error("mel: beyond half of the rate", window("linear_to_mel_weight_matrix", upper_edge_hertz=5000.0)),
    error("mel: rate of zero", window("linear_to_mel_weight_matrix", sample_rate=0)),
    error("mel: integers", window("linear_to_mel_weight_matrix", dtype="int32")),
    error("mfccs: no bin", of("mfccs_from_log_mel_spectrograms"), floats(2, 0)),
]  # fmt: skip
