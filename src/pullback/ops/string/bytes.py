"""Bytes: base 64 of the web, and the numbers that strings hold in memory's form."""

from __future__ import annotations

import binascii
from operator import add
from string import ascii_letters, digits
from typing import Any

import numpy as np

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
from ...ir.op import define
from ...ir.tensor import TensorType
from ..array.types import Array, invalid, known_int, require_rank
from ..rows.kinds import alike
from .kernels import strings

_DIGITS = (ascii_letters + digits + "-_\n").encode()  # lines of them
_OF_WEB, _FROM_WEB = bytes.maketrans(b"+/", b"-_"), bytes.maketrans(b"-_", b"+/")
_PADS = np.array([b"", b"", b"==", b"="], object)  # by what is left of the length


def _encode(input: Array, *, pad: bool = False) -> Array:
    """All strings a line each, so that what the web wants otherwise is changed for all at once."""
    lines = b"".join(map(binascii.b2a_base64, input.ravel().tolist()))
    return strings(lines.translate(_OF_WEB, b"" if pad else b"=").split(b"\n")[:-1], input.shape)


def _unpadded(s: bytes) -> bytes:
    if len(s) % 4 == 0 and s.endswith(b"="):
        return s[:-2] if s.endswith(b"==") else s[:-1]
    return s


def _decode_web(input: Array) -> Array:
    rows = input.ravel().tolist()
    lines = b"\n".join(rows)
    if b"=" in lines:
        rows = [*map(_unpadded, rows)]
        lines = b"\n".join(rows)
    left = np.fromiter(map(len, rows), np.intp, len(rows)) & 3
    if (left == 1).any():
        raise invalid("Base64 string length cannot be 1 modulo 4.")
    if lines.translate(None, _DIGITS) or (rows and lines.count(b"\n") != len(rows) - 1):
        raise invalid("Invalid character found in base64.")
    whole = lines.translate(_FROM_WEB).split(b"\n") if rows else []
    return strings(map(binascii.a2b_base64, map(add, whole, _PADS[left].tolist())), input.shape)


ENCODE_BASE64 = define(
    "EncodeBase64",
    "input:string",
    lambda input, *, pad=False: TensorType(input.dims, string),
    _encode,
    {},
    batch=alike(),
)
DECODE_BASE64 = define(
    "DecodeBase64",
    "input:string",
    lambda input: TensorType(input.dims, string),
    _decode_web,
    {},
    batch=alike(),
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


def _decode(bytes: Array, *, out_type: DType, little_endian: bool = True) -> Array:
    rows = bytes.ravel().tolist()
    width = out_type.numpy.itemsize
    size = len(rows[0]) if rows else 0
    if {*map(len, rows)} - {size}:
        i, other = next((i, len(s)) for i, s in enumerate(rows) if len(s) != size)
        raise invalid(f"DecodeRaw requires input strings to all be the same size, but element {i} has size {size} != {other}")
    if size % width:
        raise invalid(f"Input to DecodeRaw has length {size} that is not a multiple of {width}, the size of {out_type.name}")
    return _numbers(np.frombuffer(bytearray().join(rows), np.uint8), out_type.numpy, little_endian).reshape(*bytes.shape, size // width)


DECODE_RAW = define("DecodeRaw", "bytes:string", _decode_type, _decode, {}, batch=alike())


def _decode_padded_type(input_bytes: Any, fixed_length: Any, *, out_type: DType, little_endian: bool = True) -> TensorType:
    require_rank(fixed_length, 0, f"fixed_length must be a scalar, got shape {show(fixed_length.dims)}")
    length = known_int(fixed_length)
    size = None if length is None or length <= 0 else length // out_type.size
    return TensorType(None if input_bytes.dims is None else (*input_bytes.dims, size), out_type)


def _decode_padded(input_bytes: Array, fixed_length: Array, *, out_type: DType, little_endian: bool = True) -> Array:
    width, length = out_type.numpy.itemsize, int(fixed_length)
    if length <= 0 or length % width:
        raise invalid(f"fixed_length ({length}) must be a multiple of the size of out_type ({width})")
    data = np.array(input_bytes.ravel().tolist(), f"S{length}").view(np.uint8)  # cut, or filled up with zeros
    return _numbers(data, out_type.numpy, little_endian).reshape(*input_bytes.shape, length // width)


DECODE_PADDED_RAW = define(
    "DecodePaddedRaw", "input_bytes:string fixed_length:int32", _decode_padded_type, _decode_padded, {}, batch=alike("input_bytes")
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
