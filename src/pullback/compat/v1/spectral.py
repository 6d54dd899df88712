"""The names of `tf.compat.v1.spectral`."""

from ...interop.names import missing as _missing
from ...ops.signal.dct import dct, idct
from ...ops.signal.fourier import fft, fft2d, fft3d, ifft, ifft2d, ifft3d, irfft, irfft2d, irfft3d, rfft, rfft2d, rfft3d

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

__getattr__ = _missing("tf1.spectral", __all__)
