"""`tf.fftnd` and its kin: the operations themselves, whose lengths and axes must be given; those of `tf.signal` find them."""

from __future__ import annotations

from ...base.dtypes import as_dtype, complex64, float32
from ...base.export import export
from ...ir.tensor import DTypeLike, IntLike, NumberLike, Tensor
from .fft import FFTND, IFFTND, IRFFTND, RFFTND


@export("fftnd")
def fftnd(input: NumberLike, fft_length: IntLike, axes: IntLike, name: str | None = None) -> Tensor:
    """The discrete Fourier transform along `axes`, of the sizes `fft_length`; see `tf.signal.fftnd`.

    >>> tf.fftnd([1 + 0j, 2], [2], [0]).numpy().real.tolist()
    [3.0, -1.0]
    """
    return FFTND(input, fft_length, axes, name=name)


@export("ifftnd")
def ifftnd(input: NumberLike, fft_length: IntLike, axes: IntLike, name: str | None = None) -> Tensor:
    """The inverse of `tf.fftnd`.

    >>> tf.ifftnd([3 + 0j, -1], [2], [0]).numpy().real.tolist()
    [1.0, 2.0]
    """
    return IFFTND(input, fft_length, axes, name=name)


@export("rfftnd")
def rfftnd(input: NumberLike, fft_length: IntLike, axes: IntLike, Tcomplex: DTypeLike = complex64, name: str | None = None) -> Tensor:
    """The discrete Fourier transform of real signals along `axes`, of which the last is halved.

    >>> tf.rfftnd([1.0, 2.0], [2], [0]).numpy().real.tolist()
    [3.0, -1.0]
    """
    return RFFTND(input, fft_length, axes, Tcomplex=as_dtype(Tcomplex), name=name)


@export("irfftnd")
def irfftnd(input: NumberLike, fft_length: IntLike, axes: IntLike, Treal: DTypeLike = float32, name: str | None = None) -> Tensor:
    """The inverse of `tf.rfftnd`.

    >>> tf.irfftnd([3 + 0j, -1], [2], [0]).numpy().tolist()
    [1.0, 2.0]
    """
    return IRFFTND(input, fft_length, axes, Treal=as_dtype(Treal), name=name)
