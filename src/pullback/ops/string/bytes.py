"""Bytes: base 64 of the web, and the numbers that strings hold in memory's form."""

from __future__ import annotations

import binascii
from operator import add
from string import ascii_letters, digits
from typing import Any

import numpy as np

from ...base.byte_loops import Bytes, Ints, copy, loop
from ...base.byte_loops import Bytes, Ints, loop
from ...base.dtypes import (
    DType,
    as_dtype,
    bfloat16,
    complex64,
    complex128,
    float16,
    float32,
    float64,
    int8,
    int16,
    int32,
    int64,
    string,
    uint8,
    uint16,
)  # fmt: skip
from ...base.dtypes import (
    bool as boolean,
)
from ...base.shapes import show
from ...base.strings import StringArray, from_list
from ...base.strings import StringArray
from ...ir.op import define
from ...ir.tensor import TensorType
from ..array.types import Array, invalid, known_int, require_rank
from ..rows.kinds import alike
from .columns import same_length

_DIGITS = (ascii_letters[26:] + ascii_letters[:26] + digits + "-_").encode()
_LINES = _DIGITS + b"\n"
_OF_WEB, _FROM_WEB = bytes.maketrans(b"+/", b"-_"), bytes.maketrans(b"-_", b"+/")
_PADS = np.array([b"", b"", b"==", b"="], object)  # by what is left of the length
_NO_DIGIT = 0x80
_VALUES = np.full(256, _NO_DIGIT, np.uint8)
_VALUES[[*_DIGITS]] = np.arange(64)


@loop
def _encoded(data: Bytes, starts: Ints, count: int, pad: bool, out: Bytes, ends: Ints) -> None:
    """Four digits for every three bytes; what is left over has as few as hold it, or is filled up."""
    filled = 0
    ends[0] = 0
    for i in range(count):
        at = starts[i]
        end = starts[i + 1]
        while at + 3 <= end:
            bits = data[at] << 16 | data[at + 1] << 8 | data[at + 2]
            out[filled] = _DIGITS[bits >> 18]
            out[filled + 1] = _DIGITS[bits >> 12 & 63]
            out[filled + 2] = _DIGITS[bits >> 6 & 63]
            out[filled + 3] = _DIGITS[bits & 63]
            filled += 4
            at += 3
        if at < end:
            bits = data[at] << 16
            if at + 2 == end:
                bits = bits | data[at + 1] << 8
            out[filled] = _DIGITS[bits >> 18]
            out[filled + 1] = _DIGITS[bits >> 12 & 63]
            filled += 2
            if at + 2 == end:
                out[filled] = _DIGITS[bits >> 6 & 63]
                filled += 1
            elif pad:
                out[filled] = 61
                filled += 1
            if pad:
                out[filled] = 61
                filled += 1
        ends[i + 1] = filled


@loop
def _decoded(data: Bytes, starts: Ints, count: int, out: Bytes, ends: Ints) -> bool:
    """The other way; whether there was nothing else than digits, and no one digit left over."""
    filled = 0
    wrong = 0
    ends[0] = 0
    for i in range(count):
        at = starts[i]
        end = starts[i + 1]
        if end > at and (end - at) & 3 == 0 and data[end - 1] == 61:
            end -= 1
            if data[end - 1] == 61:
                end -= 1
        while at + 4 <= end:
            a = int(_VALUES[data[at]])
            b = int(_VALUES[data[at + 1]])
            c = int(_VALUES[data[at + 2]])
            d = int(_VALUES[data[at + 3]])
            wrong = wrong | a | b | c | d
            bits = a << 18 | b << 12 | c << 6 | d
            out[filled] = bits >> 16
            out[filled + 1] = bits >> 8
            out[filled + 2] = bits
            filled += 3
            at += 4
        if at + 1 == end:
            return False
        if at < end:
            a = int(_VALUES[data[at]])
            b = int(_VALUES[data[at + 1]])
            wrong = wrong | a | b
            out[filled] = a << 2 | b >> 4
            filled += 1
            if at + 3 == end:
                c = int(_VALUES[data[at + 2]])
                wrong = wrong | c
                out[filled] = b << 4 | c >> 2
                filled += 1
        ends[i + 1] = filled
    return wrong < _NO_DIGIT


def _encode(input: StringArray, *, pad: bool = False) -> StringArray:
    if (run := _encoded.native) is not None:
        out, ends = np.empty(len(input.data) * 4 // 3 + 4 * input.size, np.uint8), np.empty(input.size + 1, np.int64)
        run(input.data, input.starts, input.size, pad, out, ends)
        return StringArray(out[: ends[-1]], ends, input.shape)
    # A line each, so that what the web wants otherwise is changed for all at once.
    lines = b"".join(map(binascii.b2a_base64, input.tolist()))
    return from_list(lines.translate(_OF_WEB, b"" if pad else b"=").split(b"\n")[:-1], input.shape)


def _unpadded(s: bytes) -> bytes:
    if len(s) % 4 == 0 and s.endswith(b"="):
        return s[:-2] if s.endswith(b"==") else s[:-1]
    return s


def _decode_web(input: StringArray) -> StringArray:
    if (run := _decoded.native) is not None:
        out, ends = np.empty(len(input.data), np.uint8), np.empty(input.size + 1, np.int64)
        if run(input.data, input.starts, input.size, out, ends):
            return StringArray(out[: ends[-1]], ends, input.shape)
    rows = [*map(_unpadded, input.tolist())]
    lines = b"\n".join(rows)
    left = np.fromiter(map(len, rows), np.intp, len(rows)) & 3
    if (left == 1).any():
        raise invalid("Base64 string length cannot be 1 modulo 4.")
    if lines.translate(None, _LINES) or (rows and lines.count(b"\n") != len(rows) - 1):
        raise invalid("Invalid character found in base64.")
    whole = lines.translate(_FROM_WEB).split(b"\n") if rows else []
    return from_list([*map(binascii.a2b_base64, map(add, whole, _PADS[left].tolist()))], input.shape)


ENCODE_BASE64 = define(
    "EncodeBase64",
    "input:string",
    lambda input, *, pad=False: TensorType(input.dims, string),
    _encode,
    {},
    batch=alike(),
    packed=True,
)
DECODE_BASE64 = define(
    "DecodeBase64",
    "input:string",
    lambda input: TensorType(input.dims, string),
    _decode_web,
    {},
    batch=alike(),
    packed=True,
)


def encode_base64(input: Any, pad: bool = False, name: str | None = None) -> Any:
    """Strings in base 64, with - and _ for + and /.  pad: whether = fills up the last four.

    >>> import pullback as tf
    >>> tf.io.encode_base64("ab", pad=True).numpy()
    b'YWI='
    """
    return ENCODE_BASE64(input, pad=bool(pad), name=name)


def decode_base64(input: Any, name: str | None = None) -> Any:
    """What strings in base 64, filled up or not, stand for.  Raises InvalidArgumentError for a string that stands for nothing.

    >>> import pullback as tf
    >>> tf.io.decode_base64("YWI").numpy()
    b'ab'
    """
    return DECODE_BASE64(input, name=name)


# ---- numbers in memory's form

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
    width, size = out_type.numpy.itemsize, same_length(bytes)
    if size is None:
        lengths = bytes.lengths()
        size, i = int(lengths[0]), int((lengths != lengths[0]).argmax())
        raise invalid(f"DecodeRaw requires input strings to all be the same size, but element {i} has size {size} != {lengths[i]}")
    if size % width:
        raise invalid(f"Input to DecodeRaw has length {size} that is not a multiple of {width}, the size of {out_type.name}")
    return _numbers(bytes.data.copy(), out_type.numpy, little_endian).reshape(*bytes.shape, size // width)


DECODE_RAW = define("DecodeRaw", "bytes:string", _decode_type, _decode, {}, batch=alike(), packed=True)


def _decode_padded_type(input_bytes: Any, fixed_length: Any, *, out_type: DType, little_endian: bool = True) -> TensorType:
    require_rank(fixed_length, 0, f"fixed_length must be a scalar, got shape {show(fixed_length.dims)}")
    length = known_int(fixed_length)
    size = None if length is None or length <= 0 else length // out_type.size
    return TensorType(None if input_bytes.dims is None else (*input_bytes.dims, size), out_type)


@loop
def _fitted(data: Bytes, starts: Ints, count: int, length: int, out: Bytes) -> None:
    """Strings cut to one length, or filled up with zeros."""
    for i in range(count):
        begin = starts[i]
        size = min(starts[i + 1] - begin, length)
        to = i * length
        copy(out, to, data, begin, size)
        for at in range(to + size, to + length):
            out[at] = 0


def _decode_padded(input_bytes: StringArray, fixed_length: Array, *, out_type: DType, little_endian: bool = True) -> Array:
    width, length, x = out_type.numpy.itemsize, int(fixed_length), input_bytes
    if length <= 0 or length % width:
        raise invalid(f"fixed_length ({length}) must be a multiple of the size of out_type ({width})")
    if (fitted := _fitted.native) is not None:
        data = np.empty(x.size * length, np.uint8)
        fitted(x.data, x.starts, x.size, length, data)
    else:
        data = np.array(x.tolist(), f"S{length}").view(np.uint8)
    return _numbers(data, out_type.numpy, little_endian).reshape(*x.shape, length // width)


DECODE_PADDED_RAW = define(
    "DecodePaddedRaw",
    "input_bytes:string fixed_length:int32",
    _decode_padded_type,
    _decode_padded,
    {},
    batch=alike("input_bytes"),
    packed=True,
)


def decode_raw(
    input_bytes: Any, out_type: Any, little_endian: bool = True, fixed_length: int | None = None, name: str | None = None
) -> Any:
    """The numbers that strings hold in memory's form: one more dimension.

    input_bytes: strings of one length, or of any where `fixed_length` says to how many bytes they are cut or filled up with zeros.
    out_type: of the numbers.  Raises InvalidArgumentError for lengths that differ, or are no multiple of the dtype's.

    >>> import pullback as tf
    >>> tf.io.decode_raw("abcd", tf.int16).numpy().tolist()
    [25185, 25699]
    """
    kind = as_dtype(out_type)
    allowed = _DECODED if fixed_length is None else _PADDED
    if kind not in allowed:
        words = ", ".join(d.name for d in allowed)
        op = "DecodeRaw" if fixed_length is None else "DecodePaddedRaw"
        raise invalid(f"Value for attr 'out_type' of {kind.name} is not in the list of allowed values: {words} [Op:{op}] name: ")
    if fixed_length is None:
        return DECODE_RAW(input_bytes, out_type=kind, little_endian=little_endian, name=name)
    return DECODE_PADDED_RAW(input_bytes, fixed_length, out_type=kind, little_endian=little_endian, name=name)
