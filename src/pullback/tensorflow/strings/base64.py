"""Bytes as text in base 64 (RFC 4648), with the digits of the web."""

from __future__ import annotations

from string import ascii_letters, digits

import numpy as np

from ...base.dtypes import string
from ...base.export import export
from ...ir.op import define
from ...ir.tensor import Tensor, TensorType, TextLike
from ...kernels.loops import Bytes, Ints, native_or_python
from ...kernels.strings import StringArray
from ...ops.array.type_rules import invalid_argument
from ...ops.batching import stack_rows

_DIGITS = (ascii_letters[26:] + ascii_letters[:26] + digits + "-_").encode()
_NO_DIGIT = 0x80
_VALUES = np.full(256, _NO_DIGIT, np.uint8)
_VALUES[[*_DIGITS]] = np.arange(64)


def _encode_loop(data: Bytes, starts: Ints, count: int, pad: bool, out: Bytes, ends: Ints) -> None:
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


def _decode_loop(data: Bytes, starts: Ints, count: int, out: Bytes, ends: Ints) -> bool:
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
    out, ends = np.empty(len(input.data) * 4 // 3 + 4 * input.size, np.uint8), np.empty(input.size + 1, np.int64)
    encode = native_or_python(_encode_loop, len(input.data) + input.size)
    encode(input.data, input.starts, input.size, pad, out, ends)
    return StringArray(out[: ends[-1]], ends, input.shape)


def _strip_padding(s: bytes) -> bytes:
    if len(s) % 4 == 0 and s.endswith(b"="):
        return s[:-2] if s.endswith(b"==") else s[:-1]
    return s


def _decode_web(input: StringArray) -> StringArray:
    out, ends = np.empty(len(input.data), np.uint8), np.empty(input.size + 1, np.int64)
    decode = native_or_python(_decode_loop, len(input.data) + input.size)
    if not decode(input.data, input.starts, input.size, out, ends):
        odd = any(len(_strip_padding(s)) % 4 == 1 for s in input.tolist())
        raise invalid_argument("Base64 string length cannot be 1 modulo 4." if odd else "Invalid character found in base64.")
    return StringArray(out[: ends[-1]], ends, input.shape)


ENCODE_BASE64 = define(
    "EncodeBase64",
    "input:string",
    lambda input, *, pad=False: TensorType(input.dims, string),
    _encode,
    {},
    batch=stack_rows(),
    packed=True,
    by_element=True,
)
DECODE_BASE64 = define(
    "DecodeBase64",
    "input:string",
    lambda input: TensorType(input.dims, string),
    _decode_web,
    {},
    batch=stack_rows(),
    packed=True,
    by_element=True,
)


@export("io.encode_base64", v1="encode_base64")
def encode_base64(input: TextLike, pad: bool = False, name: str | None = None) -> Tensor:
    """Strings in base 64, with - and _ for + and /.  pad: whether = fills up the last four.

    >>> tf.io.encode_base64("ab", pad=True).numpy()
    b'YWI='
    """
    return ENCODE_BASE64(input, pad=pad, name=name)


@export("io.decode_base64", v1="decode_base64")
def decode_base64(input: TextLike, name: str | None = None) -> Tensor:
    """What strings in base 64, filled up or not, stand for.  Raises InvalidArgumentError for a string that stands for nothing.

    >>> tf.io.decode_base64("YWI").numpy()
    b'ab'
    """
    return DECODE_BASE64(input, name=name)
