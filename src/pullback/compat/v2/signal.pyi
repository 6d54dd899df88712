"""The names of `pullback.compat.v2.signal`, written by docs/make_exports.py."""

from pullback.ops.signal.dct import dct
from pullback.ops.signal.dct import idct
from pullback.ops.signal.fourier import fft
from pullback.ops.signal.fourier import fft2d
from pullback.ops.signal.fourier import fft3d
from pullback.ops.signal.fourier import fftnd
from pullback.ops.signal.fourier import fftshift
from pullback.ops.signal.fourier import ifft
from pullback.ops.signal.fourier import ifft2d
from pullback.ops.signal.fourier import ifft3d
from pullback.ops.signal.fourier import ifftnd
from pullback.ops.signal.fourier import ifftshift
from pullback.ops.signal.fourier import irfft
from pullback.ops.signal.fourier import irfft2d
from pullback.ops.signal.fourier import irfft3d
from pullback.ops.signal.fourier import irfftnd
from pullback.ops.signal.fourier import rfft
from pullback.ops.signal.fourier import rfft2d
from pullback.ops.signal.fourier import rfft3d
from pullback.ops.signal.fourier import rfftnd
from pullback.ops.signal.frames import frame
from pullback.ops.signal.frames import overlap_and_add
from pullback.ops.signal.mel import linear_to_mel_weight_matrix
from pullback.ops.signal.mel import mfccs_from_log_mel_spectrograms
from pullback.ops.signal.spectral import inverse_mdct
from pullback.ops.signal.spectral import inverse_stft
from pullback.ops.signal.spectral import inverse_stft_window_fn
from pullback.ops.signal.spectral import mdct
from pullback.ops.signal.spectral import stft
from pullback.ops.signal.windows import hamming_window
from pullback.ops.signal.windows import hann_window
from pullback.ops.signal.windows import kaiser_bessel_derived_window
from pullback.ops.signal.windows import kaiser_window
from pullback.ops.signal.windows import vorbis_window

__all__ = [
    "dct",
    "fft",
    "fft2d",
    "fft3d",
    "fftnd",
    "fftshift",
    "frame",
    "hamming_window",
    "hann_window",
    "idct",
    "ifft",
    "ifft2d",
    "ifft3d",
    "ifftnd",
    "ifftshift",
    "inverse_mdct",
    "inverse_stft",
    "inverse_stft_window_fn",
    "irfft",
    "irfft2d",
    "irfft3d",
    "irfftnd",
    "kaiser_bessel_derived_window",
    "kaiser_window",
    "linear_to_mel_weight_matrix",
    "mdct",
    "mfccs_from_log_mel_spectrograms",
    "overlap_and_add",
    "rfft",
    "rfft2d",
    "rfft3d",
    "rfftnd",
    "stft",
    "vorbis_window",
]
