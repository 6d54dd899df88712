"""Discrete Fourier transforms: of complex numbers and of real ones, along the last one, two or three axes, or along any.

All are linear, and so are their rules.  A transform of complex numbers is undone, up to its size, by its adjoint.  Of a real signal only
half of the frequencies are kept, the others being their mirror: the adjoint of `rfft` is `irfft` of a cotangent whose mirrored entries
count half, and the adjoint of `irfft` is `rfft` with those entries twice.  Where a transform crops its input the adjoint pads with zeros.

TensorFlow has no rule for three-dimensional real transforms, nor for those along any axes, and for the latter no kernel on a processor.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.dtypes import COMPLEX, DType, complex64, complex128, float32, float64
from ...base.shapes import Shape, show
from ...ir.apply import ShapeError
from ...ir.op import Op, define
from ...ir.tensor import Tensor, TensorType
from ..array.basic import fill, reshape, shape_of
from ..array.create import RANGE
from ..array.join import stack
from ..array.scatter import tensor_scatter_nd_update
from ..array.shape import RANK, size
from ..array.slice import PAD, slice
from ..array.type_rules import Array, dims_in, elements, invalid_argument, made_sizes
from ..array.where import where
from ..batching import content, shift_axes, stack_rows
from ..math.arithmetic import minimum
from ..math.division import floormod
from ..primitives.cast import cast
from ..primitives.compare import equal, logical_or
from ..reduce.reductions import PROD
from . import fft_kernels as kernels

_REAL = frozenset({float32, float64})
WIDE = {float32: complex64, float64: complex128}

# ---- type rules


def _require_axes(input: Any, rank: int) -> None:
    if input.dims is not None and len(input.dims) < rank:
        text = f"Input must have rank of at least {rank} but got: {show(input.dims)}"
        raise ShapeError(f"Shape must be at least rank {rank} but is rank {len(input.dims)}", text)


def _same_type(rank: int) -> Any:
    def infer(input: Any) -> TensorType:
        _require_axes(input, rank)
        return TensorType(input.dims, input.dtype)

    return infer


def _lengths(fft_length: Any, rank: int) -> Shape:
    if fft_length.dims is not None and fft_length.dims not in ((rank,), (None,)):
        raise ShapeError(f"fft_length must have shape [{rank}], not {show(fft_length.dims)}", f"fft_length must have shape [{rank}]")
    return made_sizes(fft_length, rank)


def _half_lengths(lengths: Shape) -> Shape:
    assert lengths is not None
    return lengths if not lengths or lengths[-1] is None else (*lengths[:-1], kernels.half_size(lengths[-1]))


def _last_axes(input: Any, fft_length: Any, rank: int, dtype: DType, halved: bool) -> TensorType:
    _require_axes(input, rank)
    lengths = _lengths(fft_length, rank)
    if input.dims is None:
        return TensorType(None, dtype)
    return TensorType((*input.dims[: len(input.dims) - rank], *((_half_lengths(lengths) if halved else lengths) or ())), dtype)


def _any_axes(input: Any, fft_length: Any, axes: Any, dtype: DType, halved: bool) -> TensorType:
    for name, t in (("fft_length", fft_length), ("axes", axes)):
        if t.dims is not None and len(t.dims) != 1:
            raise ShapeError(f"Shape must be rank 1 but is rank {len(t.dims)}", f"{name} must be a vector, got shape {show(t.dims)}")
    if input.dims == ():
        raise ShapeError("Shape must be at least rank 1 but is rank 0", None)
    places, lengths = dims_in_or_negative(axes), dims_in(fft_length)
    if input.dims is None:
        return TensorType(None, dtype)
    dims = list(input.dims)
    if places is None:
        return TensorType((None,) * len(dims), dtype)
    if lengths is None:
        lengths = (None,) * len(places)
    elif len(lengths) != len(places):
        text = f"fft_length and axes must have the same length, got {len(lengths)} and {len(places)}"
        raise ShapeError(text, text)
    for axis, n in zip(places, _half_lengths(lengths) or () if halved else lengths, strict=True):
        if not -len(dims) <= axis < len(dims):
            text = f"axes: {axis} is not in [{-len(dims)}, {len(dims)})"
            raise ShapeError(text, text)
        dims[axis] = n
    return TensorType(tuple(dims), dtype)


def dims_in_or_negative(axes: Tensor) -> list[int] | None:
    """The axes, where all are known."""
    found = elements(axes)
    return None if found is None or None in found else [int(a) for a in found if a is not None]


# ---- kernels


def _define_plain(name: str, rank: int) -> Any:
    def kernel(input: Array) -> Array:
        kernels.check_rank(input, rank)
        axes = tuple(range(input.ndim - rank, input.ndim))
        return kernels.transform(name, input, input.shape[input.ndim - rank :], axes, input.dtype)

    return kernel


def _define_real(rank: int) -> Any:
    def kernel(input: Array, fft_length: Array, *, Tcomplex: DType = complex64) -> Array:
        kernels.check_rank(input, rank)
        sizes = kernels.check_lengths(fft_length, rank)
        _check_pair(input.dtype, Tcomplex.numpy_dtype, "forward")
        kernels.check_long_enough(input, sizes)
        return kernels.transform("rfftn", input, sizes, tuple(range(input.ndim - rank, input.ndim)), Tcomplex.numpy_dtype)

    return kernel


def _to_real(rank: int) -> Any:
    def kernel(input: Array, fft_length: Array, *, Treal: DType = float32) -> Array:
        kernels.check_rank(input, rank)
        sizes = kernels.check_lengths(fft_length, rank)
        _check_pair(Treal.numpy_dtype, input.dtype, "inverse")
        kernels.check_long_enough(input, (*sizes[:-1], kernels.half_size(sizes[-1])))
        return kernels.transform("irfftn", input, sizes, tuple(range(input.ndim - rank, input.ndim)), Treal.numpy_dtype)

    return kernel


def _check_pair(real: np.dtype[Any], wide: np.dtype[Any], which: str) -> None:
    if wide.itemsize != 2 * real.itemsize:
        raise invalid_argument(f"Wrong types for {which} real FFT: {real.name} and {wide.name} are not of one precision")


def _transform_along(name: str, input: Array, fft_length: Array, axes: Array, dtype: np.dtype[Any]) -> Array:
    places = kernels.check_axes(axes, input.ndim)
    return kernels.transform(name, input, kernels.check_lengths(fft_length, len(places)), places, dtype)


# ---- rules


def _crop_or_pad(x: Any, like: Any) -> Tensor:
    """`x` cropped, or padded with zeros at the end, to the shape of `like`."""
    if x.dims is not None and x.dims == like.dims and None not in x.dims:
        return x
    found, wanted = shape_of(x), shape_of(like)
    kept = minimum(found, wanted)
    x = slice(x, kept - kept, kept)
    return PAD.call(x, stack([kept - kept, wanted - kept], 1))


def _size(t: Any, rank: int, dtype: DType) -> Any:
    """The number of elements in the last `rank` axes."""
    dims = t.dims and t.dims[len(t.dims) - rank :]
    if dims is not None and None not in dims:
        return np.prod(dims, dtype=np.float64).astype(dtype.numpy_dtype)
    return cast(PROD.call(shape_of(t)[-rank:], 0), dtype)


def _weights(fft_length: Any, mirrored: float, dtype: DType, inverse: bool) -> Any:
    """For each kept frequency how often it counts, times the size of the transform or divided by it."""
    known = content(fft_length)
    if known is not None:
        places = np.arange(kernels.half_size(int(known[-1])))
        counts = np.where((places == 0) | (2 * places == known[-1]), 1.0, mirrored)
        total = np.prod(known, dtype=np.float64)
        return (counts / total if inverse else counts * total).astype(dtype.numpy_dtype)
    n = fft_length[-1]
    k = RANGE.call(0, n // 2 + 1, 1)
    edge = logical_or(equal(k, 0), equal(2 * k, n))
    kind = dtype.real_dtype
    weights = where(edge, np.ones((), kind.numpy_dtype), np.array(mirrored, kind.numpy_dtype))
    product = PROD.call(cast(fft_length, kind), 0)
    return cast(weights / product if inverse else weights * product, dtype)


def _lay_on_axis(weights: Any, axes: Any, like: Any) -> Any:
    """A vector laid along the last of `axes` of a tensor like `like`."""
    known = content(axes)
    if isinstance(weights, np.ndarray) and known is not None and like.dims is not None:
        shape = [1] * len(like.dims)
        shape[int(known[-1])] = len(weights)
        return weights.reshape(shape)
    rank = RANK.call(like)
    places = floormod(axes, rank)
    ones = fill(reshape(rank, [1]), 1)
    count = size(weights)
    return reshape(weights, tensor_scatter_nd_update(ones, reshape(places[-1], [1, 1]), reshape(count, [1])))


# ---- the operations


def _complex_pair(suffix: str, rank: int) -> tuple[Op, Op]:
    def forward_rule(g: Any) -> Any:
        return inverse(g) * _size(g, rank, g.dtype)

    def inverse_rule(g: Any) -> Any:
        return forward(g) / _size(g, rank, g.dtype)

    given: dict[str, Any] = {"dtypes": {"Tcomplex": COMPLEX}, "holomorphic": False, "batch": stack_rows()}
    forward = define("FFT" + suffix, "input:Tcomplex", _same_type(rank), _define_plain("fftn", rank), {"input": forward_rule}, **given)
    inverse = define(
        "IFFT" + suffix, "input:Tcomplex", _same_type(rank), _define_plain("ifftn", rank), {"input": inverse_rule},
        gradient_names="mul", **given,
    )  # fmt: skip
    return forward, inverse


FFT, IFFT = _complex_pair("", 1)
FFT2D, IFFT2D = _complex_pair("2D", 2)
FFT3D, IFFT3D = _complex_pair("3D", 3)


def _real_pair(suffix: str, rank: int) -> tuple[Op, Op]:
    def forward_rule(g: Any, input_type: Any, fft_length: Any) -> Any:
        weighted = g * _weights(fft_length, 0.5, g.dtype, inverse=False)
        return _crop_or_pad(inverse(weighted, fft_length, Treal=g.dtype.real_dtype), input_type)

    def inverse_rule(g: Any, input_type: Any, fft_length: Any) -> Any:
        wide = input_type.dtype.base_dtype
        return _crop_or_pad(forward(g, fft_length, Tcomplex=wide) * _weights(fft_length, 2.0, wide, inverse=True), input_type)

    forward = define(
        "RFFT" + suffix,
        "input:Treal fft_length:int32",
        lambda input, fft_length, *, Tcomplex=complex64: _last_axes(input, fft_length, rank, Tcomplex, halved=True),
        _define_real(rank),
        {"input": forward_rule},
        dtypes={"Treal": _REAL},
        holomorphic=False,
        batch=stack_rows("input"),
    )
    inverse = define(
        "IRFFT" + suffix,
        "input:Tcomplex fft_length:int32",
        lambda input, fft_length, *, Treal=float32: _last_axes(input, fft_length, rank, Treal, halved=False),
        _to_real(rank),
        {"input": inverse_rule},
        dtypes={"Tcomplex": COMPLEX},
        holomorphic=False,
        batch=stack_rows("input"),
    )
    return forward, inverse


RFFT, IRFFT = _real_pair("", 1)
RFFT2D, IRFFT2D = _real_pair("2D", 2)
RFFT3D, IRFFT3D = _real_pair("3D", 3)


def _size_along(fft_length: Any, dtype: DType) -> Tensor:
    return cast(PROD.call(cast(fft_length, dtype.real_dtype), 0), dtype)


def _pull_from_waves(g: Any, input_type: Any, fft_length: Any, axes: Any) -> Tensor:
    return _crop_or_pad(IFFTND(g, fft_length, axes) * _size_along(fft_length, g.dtype), input_type)


def _pull_to_waves(g: Any, input_type: Any, fft_length: Any, axes: Any) -> Tensor:
    return _crop_or_pad(FFTND(g, fft_length, axes) / _size_along(fft_length, g.dtype), input_type)


def _pull_to_real(g: Any, input_type: Any, fft_length: Any, axes: Any) -> Tensor:
    weighted = g * _lay_on_axis(_weights(fft_length, 0.5, g.dtype, inverse=False), axes, g)
    return _crop_or_pad(IRFFTND(weighted, fft_length, axes, Treal=g.dtype.real_dtype), input_type)


def _pull_from_real(g: Any, input_type: Any, fft_length: Any, axes: Any) -> Tensor:
    wide = input_type.dtype.base_dtype
    found = RFFTND(g, fft_length, axes, Tcomplex=wide)
    return _crop_or_pad(found * _lay_on_axis(_weights(fft_length, 2.0, wide, inverse=True), axes, g), input_type)


_ALONG: dict[str, Any] = {"holomorphic": False, "batch": shift_axes("axes", others=("fft_length",))}
FFTND = define(
    "FFTND",
    "input:Tcomplex fft_length:int32 axes:int32",
    lambda input, fft_length, axes: _any_axes(input, fft_length, axes, input.dtype, halved=False),
    lambda input, fft_length, axes: _transform_along("fftn", input, fft_length, axes, input.dtype),
    {"input": _pull_from_waves},
    dtypes={"Tcomplex": COMPLEX},
    **_ALONG,
)
IFFTND = define(
    "IFFTND",
    "input:Tcomplex fft_length:int32 axes:int32",
    lambda input, fft_length, axes: _any_axes(input, fft_length, axes, input.dtype, halved=False),
    lambda input, fft_length, axes: _transform_along("ifftn", input, fft_length, axes, input.dtype),
    {"input": _pull_to_waves},
    dtypes={"Tcomplex": COMPLEX},
    **_ALONG,
)
RFFTND = define(
    "RFFTND",
    "input:Treal fft_length:int32 axes:int32",
    lambda input, fft_length, axes, *, Tcomplex=complex64: _any_axes(input, fft_length, axes, Tcomplex, halved=True),
    lambda input, fft_length, axes, *, Tcomplex=complex64: _transform_along("rfftn", input, fft_length, axes, Tcomplex.numpy_dtype),
    {"input": _pull_to_real},
    dtypes={"Treal": _REAL},
    **_ALONG,
)
IRFFTND = define(
    "IRFFTND",
    "input:Tcomplex fft_length:int32 axes:int32",
    lambda input, fft_length, axes, *, Treal=float32: _any_axes(input, fft_length, axes, Treal, halved=False),
    lambda input, fft_length, axes, *, Treal=float32: _transform_along("irfftn", input, fft_length, axes, Treal.numpy_dtype),
    {"input": _pull_from_real},
    dtypes={"Tcomplex": COMPLEX},
    **_ALONG,
)
