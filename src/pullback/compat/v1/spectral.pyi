"""The names of `pullback.compat.v1.spectral`, written by docs/make_exports.py."""

from pullback.ops.signal.dct import dct as dct
from pullback.ops.signal.dct import idct as idct
from pullback.ops.signal.fourier import fft as fft
from pullback.ops.signal.fourier import fft2d as fft2d
from pullback.ops.signal.fourier import fft3d as fft3d
from pullback.ops.signal.fourier import ifft as ifft
from pullback.ops.signal.fourier import ifft2d as ifft2d
from pullback.ops.signal.fourier import ifft3d as ifft3d
from pullback.ops.signal.fourier import irfft as irfft
from pullback.ops.signal.fourier import irfft2d as irfft2d
from pullback.ops.signal.fourier import irfft3d as irfft3d
from pullback.ops.signal.fourier import rfft as rfft
from pullback.ops.signal.fourier import rfft2d as rfft2d
from pullback.ops.signal.fourier import rfft3d as rfft3d

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
