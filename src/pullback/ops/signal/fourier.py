"""The Fourier transforms of `tf.signal`: fitting a signal to the length that is asked for, and what goes by default."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...base.dtypes import complex64, complex128, float32, float64, int32
from ...base.export import export
from ...base.shapes import TensorShape
from ...ir.apply import convert_to_tensor
from ...ir.context import executing_eagerly, scope
from ...ir.op import Op
from ...ir.tensor import IntLike, NumberLike, Tensor
from ..array.basic import shape_of
from ..array.gather import gather
from ..array.join import CONCAT, stack
from ..array.order import roll
from ..array.shape import RANK
from ..array.slice import PAD
from ..batching import content
from ..math.arithmetic import maximum
from ..math.division import floormod
from ..math.functions import sqrt
from ..primitives.cast import cast
from ..reduce.reductions import PROD
from .fft import (
    FFT,
    FFT2D,
    FFT3D,
    FFTND,
    IFFT,
    IFFT2D,
    IFFT3D,
    IFFTND,
    IRFFT,
    IRFFT2D,
    IRFFT3D,
    IRFFTND,
    RFFT,
    RFFT2D,
    RFFT3D,
    RFFTND,
    WIDE,
)


@export("signal.fft", v1=("fft", "spectral.fft"))
def fft(input: NumberLike, name: str | None = None) -> Tensor:
    """The discrete Fourier transform along the last axis: sum of x[n] exp(-2 pi i k n / N).

    input: [..., N], complex64 or complex128.  Raises InvalidArgumentError (in graphs ValueError or TypeError) for other dtypes and for a
    scalar.

    >>> tf.signal.fft([1 + 0j, 2, 3, 4]).numpy().tolist()
    [(10+0j), (-2+2j), (-2+0j), (-2-2j)]
    """
    return FFT(input, name=name)


@export("signal.ifft", v1=("ifft", "spectral.ifft"))
def ifft(input: NumberLike, name: str | None = None) -> Tensor:
    """The inverse of `fft`, which it divides by N; arguments and errors as there.

    >>> tf.signal.ifft([10 + 0j, -2 + 2j, -2, -2 - 2j]).numpy().real.tolist()
    [1.0, 2.0, 3.0, 4.0]
    """
    return IFFT(input, name=name)


@export("signal.fft2d", v1=("fft2d", "spectral.fft2d"))
def fft2d(input: NumberLike, name: str | None = None) -> Tensor:
    """The discrete Fourier transform along the last two axes; the rest as `fft`.

    >>> tf.signal.fft2d([[1 + 0j, 2], [3, 4]]).numpy().real.tolist()
    [[10.0, -2.0], [-4.0, 0.0]]
    """
    return FFT2D(input, name=name)


@export("signal.ifft2d", v1=("ifft2d", "spectral.ifft2d"))
def ifft2d(input: NumberLike, name: str | None = None) -> Tensor:
    """The inverse of `fft2d`.

    >>> tf.signal.ifft2d([[10 + 0j, -2], [-4, 0]]).numpy().real.tolist()
    [[1.0, 2.0], [3.0, 4.0]]
    """
    return IFFT2D(input, name=name)


@export("signal.fft3d", v1=("fft3d", "spectral.fft3d"))
def fft3d(input: NumberLike, name: str | None = None) -> Tensor:
    """The discrete Fourier transform along the last three axes; the rest as `fft`.

    >>> tf.signal.fft3d(tf.ones([2, 2, 2], tf.complex64)).numpy().real.ravel().tolist()
    [8.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]
    """
    return FFT3D(input, name=name)


@export("signal.ifft3d", v1=("ifft3d", "spectral.ifft3d"))
def ifft3d(input: NumberLike, name: str | None = None) -> Tensor:
    """The inverse of `fft3d`.

    >>> tf.signal.ifft3d(tf.ones([2, 2, 2], tf.complex64)).numpy().real.ravel().tolist()
    [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]
    """
    return IFFT3D(input, name=name)


# ---- real signals


@export("signal.rfft", v1="spectral.rfft")
def rfft(input_tensor: NumberLike, fft_length: IntLike | None = None, name: str | None = None) -> Tensor:
    """The discrete Fourier transform of real signals along the last axis: its first N // 2 + 1 numbers, whose mirror the others are.

    input_tensor: [..., samples], float32 or float64.  fft_length: [N]; signals are cropped to it, or padded with zeros.
    Raises ValueError for other dtypes, InvalidArgumentError (in graphs ValueError) for `fft_length` of another shape.

    >>> tf.signal.rfft([1.0, 2.0, 3.0, 4.0]).numpy().tolist()
    [(10+0j), (-2+2j), (-2+0j)]
    """
    return _transform_real(RFFT, 1, "rfft", input_tensor, fft_length, name)


@export("signal.rfft2d", v1="spectral.rfft2d")
def rfft2d(input_tensor: NumberLike, fft_length: IntLike | None = None, name: str | None = None) -> Tensor:
    """The discrete Fourier transform of real signals along the last two axes, of which the last is halved; the rest as `rfft`.

    >>> tf.signal.rfft2d([[1.0, 2.0], [3.0, 4.0]]).numpy().real.tolist()
    [[10.0, -2.0], [-4.0, 0.0]]
    """
    return _transform_real(RFFT2D, 2, "rfft2d", input_tensor, fft_length, name)


@export("signal.rfft3d", v1="spectral.rfft3d")
def rfft3d(input_tensor: NumberLike, fft_length: IntLike | None = None, name: str | None = None) -> Tensor:
    """The discrete Fourier transform of real signals along the last three axes, of which the last is halved; the rest as `rfft`.

    >>> tf.signal.rfft3d(tf.ones([2, 2, 4])).shape
    TensorShape([2, 2, 3])
    """
    return _transform_real(RFFT3D, 3, "rfft3d", input_tensor, fft_length, name)


@export("signal.irfft", v1="spectral.irfft")
def irfft(input_tensor: NumberLike, fft_length: IntLike | None = None, name: str | None = None) -> Tensor:
    """The inverse of `rfft`: real signals from the first N // 2 + 1 numbers of their transforms.

    input_tensor: [..., N // 2 + 1], complex64 or complex128; the imaginary parts of the first number and, of an even N, of the last are
    not read.  fft_length: [N], by default twice the last size less two.  Raises as `rfft`.

    >>> tf.signal.irfft([10 + 0j, -2 + 2j, -2]).numpy().tolist()
    [1.0, 2.0, 3.0, 4.0]
    """
    return _to_real(IRFFT, 1, "irfft", input_tensor, fft_length, name)


@export("signal.irfft2d", v1="spectral.irfft2d")
def irfft2d(input_tensor: NumberLike, fft_length: IntLike | None = None, name: str | None = None) -> Tensor:
    """The inverse of `rfft2d`; the rest as `irfft`.

    >>> tf.signal.irfft2d([[10 + 0j, -2], [-4, 0]]).numpy().tolist()
    [[1.0, 2.0], [3.0, 4.0]]
    """
    return _to_real(IRFFT2D, 2, "irfft2d", input_tensor, fft_length, name)


@export("signal.irfft3d", v1="spectral.irfft3d")
def irfft3d(input_tensor: NumberLike, fft_length: IntLike | None = None, name: str | None = None) -> Tensor:
    """The inverse of `rfft3d`; the rest as `irfft`.

    >>> tf.signal.irfft3d(tf.ones([2, 2, 3], tf.complex64)).shape
    TensorShape([2, 2, 4])
    """
    return _to_real(IRFFT3D, 3, "irfft3d", input_tensor, fft_length, name)


def _real_input(input_tensor: Any) -> Tensor:
    x = convert_to_tensor(input_tensor, dtype_hint=float32)
    if x.dtype.base_dtype not in (float32, float64):
        raise ValueError(f"RFFT requires tf.float32 or tf.float64 inputs, got: {x}")
    return x


def _complex_input(input_tensor: Any) -> Tensor:
    x = convert_to_tensor(input_tensor, dtype_hint=complex64)
    if x.dtype.base_dtype not in (complex64, complex128):
        raise ValueError(f"IRFFT requires tf.complex64 or tf.complex128 inputs, got: {x}")
    return x


def _transform_real(op: Op, rank: int, default: str, input_tensor: Any, fft_length: Any, name: str | None) -> Tensor:
    with scope(name, default) as full:
        x = _real_input(input_tensor)
        _require_rank(x, rank)
        lengths = _last_sizes(x, rank) if fft_length is None else _sizes(fft_length)
        return op(_pad_axes(x, lengths, rank), lengths, Tcomplex=WIDE[x.dtype.base_dtype], name=full or None)


def _to_real(op: Op, rank: int, default: str, input_tensor: Any, fft_length: Any, name: str | None) -> Tensor:
    with scope(name, default) as full:
        x = _complex_input(input_tensor)
        _require_rank(x, rank)
        lengths = _signal_sizes(_last_sizes(x, rank)) if fft_length is None else _sizes(fft_length)
        return op(_pad_axes(x, _stored_count(lengths), rank), lengths, Treal=x.dtype.real_dtype, name=full or None)


def _require_rank(x: Any, rank: int) -> None:
    TensorShape(x.dims).with_rank_at_least(rank)


def _lengths(fft_length: Any, name: str = "fft_length") -> Any:
    """The lengths, or axes, as an array where they are known, else a tensor."""
    if isinstance(fft_length, (list, tuple)) and all(isinstance(n, (int, np.integer)) for n in fft_length):
        return np.array(fft_length, np.int32)
    given = convert_to_tensor(fft_length, int32)
    known = content(given)
    if known is not None and not known.ndim:
        refused = IndexError if name == "axes" else TypeError if executing_eagerly() else ValueError  # as TensorFlow
        raise refused(f"{name}: a number for each axis is needed, in a list, not {known}")
    return given if known is None else known


def _sizes(fft_length: Any) -> np.ndarray:
    """The lengths, of which eagerly none may be below -1; -1 is refused by the operation."""
    lengths = _lengths(fft_length)
    if isinstance(lengths, np.ndarray) and executing_eagerly():
        TensorShape([None if n == -1 else n for n in lengths.tolist()])  # which says so
    return lengths


def _last_sizes(x: Any, rank: int) -> Any:
    dims = x.dims and x.dims[-rank:]
    if dims is not None and None not in dims:
        return np.array(dims, np.int32)
    return shape_of(x)[-rank:]


def _signal_sizes(stored: Any) -> np.ndarray:
    """The sizes of signals of whose transforms so many numbers are stored."""
    if isinstance(stored, np.ndarray):
        return np.append(stored[:-1], max(0, 2 * (int(stored[-1]) - 1))).astype(np.int32)
    return CONCAT([stored[:-1], maximum(0, 2 * (stored[-1:] - 1))], 0)


def _stored_count(lengths: Any) -> np.ndarray:
    """How many numbers are stored of transforms of signals of these sizes."""
    if isinstance(lengths, np.ndarray):
        return lengths if lengths.ndim != 1 or not lengths.size else np.append(lengths[:-1], lengths[-1] // 2 + 1).astype(np.int32)
    return CONCAT([lengths[:-1], lengths[-1:] // 2 + 1], 0)


def _pad_axes(x: Any, sizes: Any, rank: int) -> Tensor:
    """`x` with zeros after its last axes, so that they have at least `sizes`; what is empty stays so."""
    dims = x.dims
    if isinstance(sizes, np.ndarray) and sizes.shape != (rank,):
        return x  # the operation finds the words
    if dims is not None and 0 in dims:
        return x
    if isinstance(sizes, np.ndarray) and dims is not None and None not in dims[-rank:]:
        missing = np.maximum(0, sizes - np.array(dims[-rank:], np.int32))
        if not missing.any():
            return x
        return PAD.call(x, np.array([[0, 0]] * (len(dims) - rank) + [[0, n] for n in missing], np.int32))
    whole = shape_of(x)
    missing = CONCAT([whole[:-rank] * 0, maximum(0, sizes - whole[-rank:])], 0)
    return PAD.call(x, stack([missing * 0, missing], 1))


# ---- along any axes


@export("signal.fftnd")
def fftnd(
    input_tensor: NumberLike,
    fft_length: IntLike | None = None,
    axes: IntLike | None = None,
    norm: str | None = None,
    name: str | None = None,
) -> Tensor:
    """The discrete Fourier transform along `axes`, all of them when None.

    input_tensor: complex64 or complex128.  fft_length: a size for each of `axes`, to which the input is cropped or padded with zeros; its
    own when None.  norm: "backward" (when None) leaves the sum as it is, "forward" divides it by the number of its terms, "ortho" by that
    number's root.  Raises ValueError for another norm, InvalidArgumentError (in graphs ValueError) for axes out of range or named twice,
    or not as many sizes as axes.

    >>> tf.signal.fftnd([[1 + 0j, 2], [3, 4]], axes=[0]).numpy().real.tolist()
    [[4.0, 6.0], [-2.0, -2.0]]
    """
    return _transform_axes(FFTND, "fftnd", _complex_any(input_tensor), fft_length, axes, norm, name)


@export("signal.ifftnd")
def ifftnd(
    input_tensor: NumberLike,
    fft_length: IntLike | None = None,
    axes: IntLike | None = None,
    norm: str | None = None,
    name: str | None = None,
) -> Tensor:
    """The inverse of `fftnd` for the same `norm`.

    >>> tf.signal.ifftnd([[4 + 0j, 6], [-2, -2]], axes=[0]).numpy().real.tolist()
    [[1.0, 2.0], [3.0, 4.0]]
    """
    return _transform_axes(IFFTND, "ifftnd", _complex_any(input_tensor), fft_length, axes, norm, name)


@export("signal.rfftnd")
def rfftnd(
    input_tensor: NumberLike,
    fft_length: IntLike | None = None,
    axes: IntLike | None = None,
    norm: str | None = None,
    name: str | None = None,
) -> Tensor:
    """The discrete Fourier transform of real signals along `axes`, of which the last is halved; the rest as `fftnd`.

    >>> tf.signal.rfftnd([[1.0, 2.0], [3.0, 4.0]]).numpy().real.tolist()
    [[10.0, -2.0], [-4.0, 0.0]]
    """
    x = _real_input(input_tensor)
    return _transform_axes(RFFTND, "rfftnd", x, fft_length, axes, norm, name, Tcomplex=WIDE[x.dtype.base_dtype])


@export("signal.irfftnd")
def irfftnd(
    input_tensor: NumberLike,
    fft_length: IntLike | None = None,
    axes: IntLike | None = None,
    norm: str | None = None,
    name: str | None = None,
) -> Tensor:
    """The inverse of `rfftnd` for the same `norm`.

    >>> tf.signal.irfftnd([[10 + 0j, -2], [-4, 0]]).numpy().tolist()
    [[1.0, 2.0], [3.0, 4.0]]
    """
    x = _complex_input(input_tensor)
    return _transform_axes(IRFFTND, "irfftnd", x, fft_length, axes, norm, name, Treal=x.dtype.real_dtype)


def _complex_any(input_tensor: Any) -> Tensor:
    return convert_to_tensor(input_tensor, dtype_hint=complex64)


_INVERSES = (IFFTND, IRFFTND)


def _transform_axes(op: Op, default: str, x: Any, fft_length: Any, axes: Any, norm: str | None, name: str | None, **attrs: Any) -> Tensor:
    if norm not in (None, "backward", "forward", "ortho"):
        raise ValueError(f"Argument `norm` must be None, 'backward', 'forward' or 'ortho'. Received: {norm}")
    with scope(name, default) as full:
        places = _all_axes(x) if axes is None else _lengths(axes, "axes")
        if isinstance(places, np.ndarray):
            _require_rank(x, len(places))
        lengths = _sizes_along(x, places) if fft_length is None else _sizes(fft_length)
        if fft_length is None and op is IRFFTND:
            lengths = _signal_sizes(lengths)
        if norm in ("forward", "ortho"):
            size = cast(PROD.call(cast(convert_to_tensor(lengths), float64), 0), x.dtype.real_dtype)
            factor = cast(sqrt(size) if norm == "ortho" else size, x.dtype)
            x = x * factor if op in _INVERSES else x / factor
        return op(x, lengths, places, **attrs, name=full or None)


def _all_axes(x: Any) -> np.ndarray:
    if x.dims is None:
        raise ValueError("The axes of a tensor of unknown rank must be given")
    return np.arange(len(x.dims), dtype=np.int32)


def _sizes_along(x: Any, axes: Any) -> Any:
    dims = x.dims
    if isinstance(axes, np.ndarray) and dims is not None and all(-len(dims) <= a < len(dims) for a in axes):
        found = [dims[int(a)] for a in axes]
        if None not in found:
            return np.array(found, np.int32)
    rank = RANK.call(x)
    return gather(shape_of(x), floormod(axes, rank), axis=0)


# ---- the middle of a spectrum


@export("signal.fftshift")
def fftshift(x: NumberLike, axes: IntLike | None = None, name: str | None = None) -> Tensor:
    """`x` rolled so that the frequency zero, which is first, comes to the middle of each of `axes`; all axes when None.

    >>> tf.signal.fftshift([0, 1, 2, -2, -1]).numpy().tolist()
    [-2, -1, 0, 1, 2]
    """
    return _roll_axes(x, axes, name, "fftshift", 1)


@export("signal.ifftshift")
def ifftshift(x: NumberLike, axes: IntLike | None = None, name: str | None = None) -> Tensor:
    """What undoes `fftshift`.

    >>> tf.signal.ifftshift([-2, -1, 0, 1, 2]).numpy().tolist()
    [0, 1, 2, -2, -1]
    """
    return _roll_axes(x, axes, name, "ifftshift", -1)


def _roll_axes(x: Any, axes: Any, name: str | None, default: str, sign: int) -> Any:
    with scope(name, default) as full:
        x = convert_to_tensor(x)
        whole = shape_of(x)
        if axes is None and x.dims is None:
            raise TypeError("The axes of a tensor of unknown rank must be given")
        if isinstance(axes, (str, bytes)):
            raise TypeError(f"axes: whole numbers are needed, not {axes!r}")
        if axes is None:
            places: Any = _all_axes(x) if x.dims else []  # which the operation refuses
        else:
            places = np.array(axes, np.int32) if isinstance(axes, (int, Sequence)) else convert_to_tensor(axes)
        rank = len(x.dims) if x.dims is not None else RANK.call(x)
        positive = np.mod(places, rank) if isinstance(places, np.ndarray) and isinstance(rank, int) and rank else places
        halves = gather(convert_to_tensor(whole), positive, axis=0) // 2
        return roll(x, sign * halves, places, full or None)
