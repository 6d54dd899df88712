"""Cases: Fourier transforms, of complex and real signals, along the last axes or along any."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .case import Case, ErrorCase, case, error, floats

WIDE = {"float32": "complex64", "float64": "complex128"}


def of(name: str, *args: Any, **options: Any) -> Callable[..., Any]:
    return lambda tf, x: getattr(tf.signal, name)(x, *args, **options)


def raw(name: str, **options: Any) -> Callable[..., Any]:
    return lambda tf, x: getattr(tf.raw_ops, name)(input=x, **options)


def complexes(*shape: int, dtype: str = "complex128") -> Any:
    return floats(*shape, dtype=dtype)


def signals(*shape: int, dtype: str = "float64") -> Any:
    return floats(*shape, dtype=dtype)


CASES: list[Case] = [
    *(case(op, f"{op} {dtype}", of(name), complexes(*shape, dtype=dtype))
      for op, name, shape in (("FFT", "fft", (2, 5)), ("IFFT", "ifft", (2, 6)), ("FFT2D", "fft2d", (2, 3, 4)), ("IFFT2D", "ifft2d", (3, 5)),
                              ("FFT3D", "fft3d", (2, 3, 2)), ("IFFT3D", "ifft3d", (2, 2, 3, 2)))
      for dtype in ("complex64", "complex128")),
    *(case(op, f"{op} {n}", of(name), complexes(n)) for op, name in (("FFT", "fft"), ("IFFT", "ifft")) for n in (1, 2, 7)),
    case("FFT", "empty", of("fft"), complexes(0)),
    case("FFT", "no rows", of("fft"), complexes(0, 3)),
    case("FFT2D", "empty", of("fft2d"), complexes(3, 0)),
    case("FFT", "version 1", lambda tf, x: tf.fft(tf.ifft(x)), complexes(4), face="v1"),
    case("FFT2D", "version 1", lambda tf, x: tf.spectral.fft2d(tf.ifft2d(x)), complexes(2, 4), face="v1"),
    case("FFT3D", "version 1", lambda tf, x: tf.fft3d(tf.spectral.ifft3d(x)), complexes(2, 2, 2), face="v1"),
    *(case("RFFT", f"{dtype} {n}", of("rfft"), signals(2, n, dtype=dtype)) for dtype in WIDE for n in (1, 2, 5, 6)),
    case("RFFT", "padded", of("rfft", [8]), signals(2, 5)),
    case("RFFT", "padded to an odd length", of("rfft", [7]), signals(5)),
    case("RFFT", "cropped, no gradient", lambda tf, x: tf.signal.rfft(tf.stop_gradient(x), [4]), signals(2, 5), smooth=False),
    case("RFFT", "raw, cropped", lambda tf, x: raw("RFFT", fft_length=[3])(tf, tf.stop_gradient(x)), floats(5), smooth=False),
    case("RFFT", "length tensor", lambda tf, x, n: tf.signal.rfft(x, n), signals(6), np.array([6], np.int32)),
    case("RFFT", "list", lambda tf: tf.signal.rfft([1, 2, 4])),
    case("RFFT", "empty", of("rfft"), signals(0)),
    case("RFFT", "no rows", of("rfft"), signals(0, 4)),
    case("RFFT2D", "float32", of("rfft2d"), signals(3, 4, dtype="float32")),
    case("RFFT2D", "odd", of("rfft2d"), signals(2, 4, 3)),
    case("RFFT2D", "padded", of("rfft2d", [4, 6]), signals(3, 5)),
    case("RFFT2D", "one row", of("rfft2d"), signals(1, 6)),
    case("RFFT3D", "even", of("rfft3d"), signals(2, 3, 4)),
    case("RFFT3D", "odd, float32", of("rfft3d"), signals(2, 2, 3, 3, dtype="float32")),
    case("RFFT3D", "padded", of("rfft3d", [2, 3, 4]), signals(2, 2, 3)),
    *(case("IRFFT", f"{dtype} {n}", of("irfft"), complexes(2, n, dtype=dtype)) for dtype in WIDE.values() for n in (2, 4)),
    case("IRFFT", "odd", of("irfft", [5]), complexes(2, 3)),
    case("IRFFT", "one", of("irfft", [1]), complexes(1)),
    case("IRFFT", "padded", of("irfft", [9]), complexes(2, 3)),
    case("IRFFT", "cropped, no gradient", lambda tf, x: tf.signal.irfft(tf.stop_gradient(x), [4]), complexes(2, 5), smooth=False),
    case("IRFFT", "length tensor", lambda tf, x, n: tf.signal.irfft(x, n), complexes(4), np.array([6], np.int32)),
    case("IRFFT", "no rows", of("irfft"), complexes(0, 3)),
    case("IRFFT2D", "even", of("irfft2d"), complexes(3, 3)),
    case("IRFFT2D", "odd", of("irfft2d", [3, 5]), complexes(2, 3, 3)),
    case("IRFFT2D", "complex64, padded", of("irfft2d", [4, 6]), complexes(3, 3, dtype="complex64")),
    case("IRFFT3D", "even", of("irfft3d"), complexes(2, 3, 3)),
    case("IRFFT3D", "odd, complex64", of("irfft3d", [2, 2, 5]), complexes(2, 2, 2, 3, dtype="complex64")),
    case("RFFT", "version 1", lambda tf, x: tf.spectral.irfft(tf.spectral.rfft(x)), signals(4), face="v1"),
    case("RFFT2D", "version 1", lambda tf, x: tf.spectral.irfft2d(tf.spectral.rfft2d(x)), signals(4, 4), face="v1"),
    # along any axes: TensorFlow has no kernel for these on a processor
    case("FFTND", "all axes", of("fftnd"), complexes(2, 3)),
    case("FFTND", "the first axis", of("fftnd", [2], [0]), complexes(2, 3)),
    case("FFTND", "sizes of its own", of("fftnd", None, [-1]), complexes(2, 3)),
    case("FFTND", "cropped and padded", of("fftnd", [2, 4], [1, 0]), complexes(3, 3, 2)),
    *(case("FFTND", f"{norm}", of("fftnd", None, None, norm), complexes(2, 3, dtype="complex64")) for norm in ("forward", "ortho")),
    case("FFTND", "names of tf", lambda tf, x: tf.ifftnd(tf.fftnd(x, [2, 3], [0, 1]), [2, 3], [0, 1]), complexes(2, 3)),
    case("IFFTND", "the last axis", of("ifftnd", [3], [1]), complexes(2, 3)),
    case("IFFTND", "padded", of("ifftnd", [4], [0]), complexes(2, 3)),
    *(case("IFFTND", f"{norm}", of("ifftnd", None, None, norm), complexes(2, 3)) for norm in ("forward", "ortho")),
    case("RFFTND", "all axes", of("rfftnd"), signals(3, 4)),
    case("RFFTND", "halved in the middle", of("rfftnd", [5, 3], [2, 1]), signals(2, 3, 5)),
    case("RFFTND", "cropped and padded", of("rfftnd", [2, 6], [0, 1]), signals(3, 4)),
    case("RFFTND", "ortho, float32", of("rfftnd", None, None, "ortho"), signals(2, 4, dtype="float32")),
    case("IRFFTND", "all axes", of("irfftnd"), complexes(3, 3)),
    case("IRFFTND", "an odd first axis", of("irfftnd", [5], [0]), complexes(3, 2)),
    case("IRFFTND", "cropped", of("irfftnd", [2, 4], [1, 0]), complexes(4, 3)),
    case("IRFFTND", "forward, complex64", of("irfftnd", None, None, "forward"), complexes(2, 3, dtype="complex64")),
]  # fmt: skip

ERRORS: list[ErrorCase] = [
    *(error("FFT: a scalar", of("fft"), complexes(), mode=mode) for mode in ("eager", "graph")),
    *(error("FFT2D: a vector", of("fft2d"), complexes(3), mode=mode) for mode in ("eager", "graph")),
    error("FFT3D: a matrix", of("fft3d"), complexes(3, 3)),
    *(error("FFT: real numbers", of("fft"), signals(3), mode=mode) for mode in ("eager", "graph")),
    *(error("rfft: integers", of("rfft"), np.arange(3), mode=mode) for mode in ("eager", "graph")),
    error("rfft: float16", of("rfft"), signals(3, dtype="float16")),
    error("rfft: a scalar", of("rfft"), signals()),
    error("irfft: real numbers", of("irfft"), signals(3)),
    error("RFFT: two lengths", of("rfft", [2, 2]), signals(4)),
    error("RFFT: a negative length", raw("RFFT", fft_length=[-2]), signals(4, dtype="float32")),
    error("RFFT: too short", raw("RFFT", fft_length=[8]), signals(4, dtype="float32")),
    error("IRFFT: too short", raw("IRFFT", fft_length=[8]), complexes(3, dtype="complex64")),
    error("RFFT: types of two precisions", lambda tf, x: raw("RFFT", fft_length=[4], Tcomplex=tf.complex128)(tf, x), floats(4)),
]  # fmt: skip
