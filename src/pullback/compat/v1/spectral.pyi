"""The names of `pullback.compat.v1.spectral`, written by docs/make_exports.py."""

from pullback.ops.signal.dct import dct
from pullback.ops.signal.dct import idct
from pullback.ops.signal.fourier import fft
from pullback.ops.signal.fourier import fft2d
from pullback.ops.signal.fourier import fft3d
from pullback.ops.signal.fourier import ifft
from pullback.ops.signal.fourier import ifft2d
from pullback.ops.signal.fourier import ifft3d
from pullback.ops.signal.fourier import irfft
from pullback.ops.signal.fourier import irfft2d
from pullback.ops.signal.fourier import irfft3d
from pullback.ops.signal.fourier import rfft
from pullback.ops.signal.fourier import rfft2d
from pullback.ops.signal.fourier import rfft3d

__all__ = [
    "dct",
    "fft",
    "fft2d",
    "fft3d",
    "idct",
    "ifft",
    "ifft2d",
    "ifft3d",
    "irfft",
    "irfft2d",
    "irfft3d",
    "rfft",
    "rfft2d",
    "rfft3d",
]
