"""The numbers that strings hold in memory's form."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.dtypes import (
    DType,
    bfloat16,
    bool as boolean,
    complex64,
    complex128,
    float16,
    float32,
    float64,
    int8,
    int16,
    int32,
    int64,
    uint8,
    uint16,
)  # fmt: skip
from ...base.export import export
from ...base.shapes import show
from ...ir.op import define
from ...ir.tensor import DTypeLike, Tensor, TensorType, TextLike
from ...kernels.loops import Bytes, Ints, copy, native_or_python
from ...kernels.strings import StringArray
from ...ops.array.type_rules import Array, invalid_argument, known_int, require_rank
from ...ops.batching import stack_rows
from .columns import find_common_length, run_over_ranges

_PADDED = (float16, float32, float64, int32, uint16, uint8, int16, int8, int64, bfloat16)
_DECODED = (*_PADDED, complex64, complex128, boolean)


def _numbers(data: Array, dtype: np.dtype[Any], little_endian: bool) -> Array:
    """The numbers that bytes hold, which nothing else reads."""
    if dtype.kind == "b":
        return data.astype(bool)
    if dtype.itemsize == 1 or little_endian:
        return data.view(dtype)
    width = dtype.itemsize // 2 if dtype.kind == "c" else dtype.itemsize
    return data.view(f"u{width}").byteswap().view(dtype)


def _decode_type(bytes: Any, *, out_type: DType, little_endian: bool = True) -> TensorType:
    return TensorType(None if bytes.dims is None else (*bytes.dims, None), out_type)


def _decode(bytes: StringArray, *, out_type: DType, little_endian: bool = True) -> Array:
    width, size = out_type.numpy_dtype.itemsize, find_common_length(bytes)
    if size is None:
        lengths = bytes.lengths()
        size, i = int(lengths[0]), int((lengths != lengths[0]).argmax())
        raise invalid_argument(f"DecodeRaw requires input strings to all be the same size, but element {i} has size {lengths[i]} != {size}")
    if size % width:
        raise invalid_argument(f"Input to DecodeRaw has length {size} that is not a multiple of {width}, the size of {out_type.name}")
    return _numbers(bytes.data.copy(), out_type.numpy_dtype, little_endian).reshape(*bytes.shape, size // width)


DECODE_RAW = define("DecodeRaw", "bytes:string", _decode_type, _decode, {}, dtypes={"out_type": _DECODED}, batch=stack_rows(), packed=True)


def _decode_padded_type(input_bytes: Any, fixed_length: Any, *, out_type: DType, little_endian: bool = True) -> TensorType:
    require_rank(fixed_length, 0, f"fixed_length must be a scalar, got shape {show(fixed_length.dims)}")
    length = known_int(fixed_length)
    size = None if length is None or length <= 0 else length // out_type.size
    return TensorType(None if input_bytes.dims is None else (*input_bytes.dims, size), out_type)


def _fit_length(data: Bytes, starts: Ints, count: int, length: int, out: Bytes) -> None:
    """Strings cut to one length, or filled up with zeros."""
    for i in range(count):
        begin = starts[i]
        size = min(starts[i + 1] - begin, length)
        to = i * length
        copy(out, to, data, begin, size)
        for at in range(to + size, to + length):
            out[at] = 0


def _decode_padded(input_bytes: StringArray, fixed_length: Array, *, out_type: DType, little_endian: bool = True) -> Array:
    width, length, x = out_type.numpy_dtype.itemsize, int(fixed_length), input_bytes
    if length <= 0 or length % width:
        raise invalid_argument(f"fixed_length ({length}) must be a multiple of the size of out_type ({width})")
    fitted, data = native_or_python(_fit_length, x.size), np.empty(x.size * length, np.uint8)
    run_over_ranges(x.size, lambda a, b: fitted(x.data, x.starts[a : b + 1], b - a, length, data[a * length : b * length]))
    return _numbers(data, out_type.numpy_dtype, little_endian).reshape(*x.shape, length // width)


DECODE_PADDED_RAW = define(
    "DecodePaddedRaw",
    "input_bytes:string fixed_length:int32",
    _decode_padded_type,
    _decode_padded,
    {},
    dtypes={"out_type": _PADDED},
    batch=stack_rows("input_bytes"),
    packed=True,
)


@export(v2="io.decode_raw")
def decode_raw(
    input_bytes: TextLike, out_type: DTypeLike, little_endian: bool = True, fixed_length: int | None = None, name: str | None = None
) -> Tensor:
    """The numbers that strings hold in memory's form: one more dimension.

    input_bytes: strings of one length, or of any where `fixed_length` says to how many bytes they are cut or filled up with zeros.
    out_type: of the numbers.  Raises InvalidArgumentError for lengths that differ, or are no multiple of the dtype's.

    >>> tf.io.decode_raw("abcd", tf.int16).numpy().tolist()
    [25185, 25699]
    """
    if fixed_length is None:
        return DECODE_RAW(input_bytes, out_type=out_type, little_endian=little_endian, name=name)
    return DECODE_PADDED_RAW(input_bytes, fixed_length, out_type=out_type, little_endian=little_endian, name=name)
