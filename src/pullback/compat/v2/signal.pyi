"""The names of `pullback.compat.v2.signal`, written by docs/make_exports.py."""

from pullback.ops.signal.dct import dct as dct
from pullback.ops.signal.dct import idct as idct
from pullback.ops.signal.fourier import fft as fft
from pullback.ops.signal.fourier import fft2d as fft2d
from pullback.ops.signal.fourier import fft3d as fft3d
from pullback.ops.signal.fourier import fftnd as fftnd
from pullback.ops.signal.fourier import fftshift as fftshift
from pullback.ops.signal.fourier import ifft as ifft
from pullback.ops.signal.fourier import ifft2d as ifft2d
from pullback.ops.signal.fourier import ifft3d as ifft3d
from pullback.ops.signal.fourier import ifftnd as ifftnd
from pullback.ops.signal.fourier import ifftshift as ifftshift
from pullback.ops.signal.fourier import irfft as irfft
from pullback.ops.signal.fourier import irfft2d as irfft2d
from pullback.ops.signal.fourier import irfft3d as irfft3d
from pullback.ops.signal.fourier import irfftnd as irfftnd
from pullback.ops.signal.fourier import rfft as rfft
from pullback.ops.signal.fourier import rfft2d as rfft2d
from pullback.ops.signal.fourier import rfft3d as rfft3d
from pullback.ops.signal.fourier import rfftnd as rfftnd
from pullback.ops.signal.frames import frame as frame
from pullback.ops.signal.frames import overlap_and_add as overlap_and_add
from pullback.ops.signal.mel import linear_to_mel_weight_matrix as linear_to_mel_weight_matrix
from pullback.ops.signal.mel import mfccs_from_log_mel_spectrograms as mfccs_from_log_mel_spectrograms
from pullback.ops.signal.spectral import inverse_mdct as inverse_mdct
from pullback.ops.signal.spectral import inverse_stft as inverse_stft
from pullback.ops.signal.spectral import inverse_stft_window_fn as inverse_stft_window_fn
from pullback.ops.signal.spectral import mdct as mdct
from pullback.ops.signal.spectral import stft as stft
from pullback.ops.signal.windows import hamming_window as hamming_window
from pullback.ops.signal.windows import hann_window as hann_window
from pullback.ops.signal.windows import kaiser_bessel_derived_window as kaiser_bessel_derived_window
from pullback.ops.signal.windows import kaiser_window as kaiser_window
from pullback.ops.signal.windows import vorbis_window as vorbis_window

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
