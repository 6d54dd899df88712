"""Native Fourier transforms of single precision against SciPy's of double."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import pullback as tf
from pullback.engine.fragments import fourier, fourier_of_real
from pullback.kernels.backend import ENGINE

pytest.importorskip("llvmlite")
native = pytest.importorskip("pullback.engine.fourier")


def numbers(*shape: int, seed: int = 0) -> Any:
    rng = np.random.default_rng(seed)
    return (rng.standard_normal(shape) + 1j * rng.standard_normal(shape)).astype(np.complex64)


def assert_near(found: Any, exact: Any) -> None:
    assert found.dtype in (np.complex64, np.float32)
    assert np.abs(found - exact).max() <= 4e-7 * np.abs(exact).max()


@pytest.mark.parametrize("inverse", [False, True])
@pytest.mark.parametrize("n", [4, 8, 12, 20, 48, 60, 100, 1000, 1024, 8192])
def test_along_rows_and_across_them(n: int, inverse: bool) -> None:
    """The number of lines is no multiple of eight."""
    function = np.fft.ifft if inverse else np.fft.fft
    for shape in ((19, n, 1), (2, n, 11), (1, n, 8)):
        x = numbers(*shape)
        assert native.fits(shape)
        assert_near(native.transform(x, inverse), function(x.astype(complex), axis=1))


@pytest.mark.parametrize("n", [8, 24, 40, 200, 1000, 2048])
def test_of_real_rows(n: int) -> None:
    for rows in (8, 19):
        x = np.ascontiguousarray(numbers(rows, n).real)
        assert native.fits_real(x.shape)
        assert_near(native.transform_real(x), np.fft.rfft(x.astype(float)))


def test_what_does_not_fit() -> None:
    assert [native.radices(n) for n in (4, 60, 14, 18, 10, 1, 0)] == [[4], [4, 3, 5], None, None, None, None, None]
    assert not native.fits((7, 100, 1))
    assert not native.fits((100, 100, 7))
    assert not native.fits((100, 1 << 14, 1))
    assert not native.fits((0, 100, 8))
    assert [native.fits_real(shape) for shape in ((7, 1000), (8, 999), (8, 100), (8, 200))] == [False, False, False, True]


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Whether each axis was transformed natively."""
    found: list[bool] = []

    def noting(x: Any, inverse: bool) -> Any:
        answer = fourier(x, inverse)
        found.append(answer is not None)
        return answer

    def noting_real(x: Any) -> Any:
        answer = fourier_of_real(x)
        found.append(answer is not None)
        return answer

    monkeypatch.setattr(ENGINE, "fourier", noting)
    monkeypatch.setattr(ENGINE, "fourier_of_real", noting_real)
    return found


def test_transforms_of_large_arrays(asked: list[bool]) -> None:
    square, box, odd = numbers(600, 240), numbers(60, 48, 60), numbers(601, 240)
    wide, real = square.astype(complex), np.ascontiguousarray(square.real)
    signal = tf.signal
    assert_near(signal.fft(square).numpy(), np.fft.fft(wide))
    assert_near(signal.ifft2d(square).numpy(), np.fft.ifft2(wide))
    assert_near(signal.fft3d(box).numpy(), np.fft.fftn(box.astype(complex)))
    assert_near(signal.rfft2d(real).numpy(), np.fft.rfft2(real.astype(float)))
    assert_near(signal.irfft2d(square).numpy(), np.fft.irfft2(wide))
    assert asked == [True] * 9
    assert_near(signal.fft2d(odd).numpy(), np.fft.fft2(odd.astype(complex)))
    assert asked[9:] == [True, False]
    turned = tf.transpose(tf.constant(square))
    assert_near(signal.fft(turned).numpy(), np.fft.fft(wide.T))
    assert_near(signal.fft2d(tf.constant(np.tile(square, 2)[:, ::2])).numpy(), np.fft.fft2(np.tile(wide, 2)[:, ::2]))
    assert_near(signal.rfft2d(real, [600, 200]).numpy(), np.fft.rfft2(real.astype(float), (600, 200)))
    assert_near(signal.rfft2d(real, [200, 240]).numpy(), np.fft.rfft2(real.astype(float), (200, 240)))
    assert_near(signal.irfft2d(square, [600, 400]).numpy(), np.fft.irfft2(wide, (600, 400)))
