"""Text in its encodings: code points of strings, strings of code points, strings in another encoding."""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from typing import Any

import numpy as np

from ...base.dtypes import INDEX, DType, int32, int64, string
from ...base.export import export
from ...base.shapes import show
from ...ir.attributes import read_text
from ...ir.op import define
from ...ir.tensor import Tensor, TensorType, TextLike
from ...kernels.strings import StringArray, from_list
from ...ops.array.type_rules import Array, invalid_argument, require_rank
from ...ops.batching import stack_rows
from .utf8 import Points, are_valid, encode_points, has_controls, points_of, replace_controls

_REPLACEMENT = 0xFFFD
_LARGEST = 0x10FFFF
_BAD = "\udc00"  # stands where bytes mean nothing; no decoder gives a lone surrogate
_MARKED = "pullback.marked"


def _mark_bad(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeDecodeError)
    return _BAD, error.end


codecs.register_error(_MARKED, _mark_bad)


def _codec(encoding: Any) -> str:
    name = read_text(encoding)
    try:
        return codecs.lookup(name).name
    except LookupError:
        raise invalid_argument(f"Could not create converter for input encoding: {name}") from None


def _python_name(encoding: str) -> str:
    return encoding.replace("-BE", "BE").lower()


class _Reader:
    """Code points of strings, by the attributes of an op."""

    def __init__(self, encoding: Any, errors: Any, replacement: int, control: bool) -> None:
        self.codec = _codec(encoding)
        self.errors = errors
        if not _is_valid(replacement):
            raise invalid_argument("replacement_char out of unicode codepoint range")
        self.replacement, self.control = replacement, control

    def text(self, s: bytes) -> str:
        """The string as text, what means nothing already replaced, or left out."""
        return "".join(chr(point) for point, _ in self.points(s, with_places=False))

    def whole(self, x: StringArray, with_places: bool) -> Points | None:
        """The code points of all strings at once; None where they are looked at one by one."""
        found = points_of(x, with_places) if self.codec == "utf-8" else None
        if found is None or not self.control or not has_controls(found):
            return found
        return None if self.errors == "ignore" else replace_controls(found, self.replacement)

    def points(self, s: bytes, with_places: bool) -> Iterator[tuple[int, int]]:
        """Code points and the bytes at which they begin."""
        text = s.decode(self.codec, _MARKED)
        places = self._places(s, text) if with_places else [0] * len(text)
        for c, at in zip(text, places, strict=True):
            if c == _BAD and self.errors == "strict":
                raise invalid_argument("Invalid formatting on input string")
            if c != _BAD and not (self.control and ord(c) <= 0x1F):
                yield ord(c), at
            elif self.errors != "ignore":
                yield self.replacement, at

    def _places(self, s: bytes, text: str) -> list[int]:
        places, at = [], 0
        for i, c in enumerate(text):
            places.append(at)
            if c != _BAD:
                at += len(c.encode(self.codec))
            else:  # so many bytes as leave the rest of the text for the rest of the bytes
                at = next(n for n in range(at + 1, len(s) + 1) if s[n:].decode(self.codec, _MARKED) == text[i + 1 :])
        return places


def _is_valid(point: int) -> bool:
    return 0 <= point <= _LARGEST and not 0xD800 <= point <= 0xDFFF


def _decode(
    input: StringArray, encoding: Any, errors: Any, replacement: int, control: bool, dtype: DType, with_places: bool
) -> tuple[Array, Array, Array]:
    reader = _Reader(encoding, errors, replacement, control)
    quick = reader.whole(input, with_places)
    if quick is not None:
        splits = np.concatenate([[0], np.cumsum(quick.counts)]).astype(dtype.numpy_dtype)
        return splits, quick.points, np.zeros(0, np.int64) if quick.places is None else quick.places
    found, places, ends = [], [], [0]
    for s in input.tolist():
        for point, at in reader.points(s, with_places):
            found.append(point)
            places.append(at)
        ends.append(len(found))
    return np.array(ends, dtype.numpy_dtype), np.array(found, np.int32), np.array(places, np.int64)


def _rows_type(input: Any, dtype: DType) -> tuple[TensorType, TensorType, TensorType]:
    count: int | None = 1
    for n in (None,) if input.dims is None else input.dims:
        count = None if count is None or n is None else count * n
    return TensorType((None if count is None else count + 1,), dtype), TensorType((None,), int32), TensorType((None,), int64)


def _decoder(name: str, outputs: str, count: int) -> Any:
    def infer(input: Any, *, Tsplits: DType = int64, **_: Any) -> tuple[TensorType, ...]:
        return _rows_type(input, Tsplits)[:count]

    def kernel(
        input: StringArray,
        *,
        input_encoding: str,
        errors: str = "replace",
        replacement_char: int = _REPLACEMENT,
        replace_control_characters: bool = False,
        Tsplits: DType = int64,
    ) -> tuple[Array, ...]:
        return _decode(input, input_encoding, errors, replacement_char, replace_control_characters, Tsplits, count == 3)[:count]

    return define(name, "input:string", infer, kernel, {}, outputs=outputs, batch="shape depends on values", packed=True)


UNICODE_DECODE = _decoder("UnicodeDecode", "row_splits char_values", 2)
UNICODE_DECODE_WITH_OFFSETS = _decoder("UnicodeDecodeWithOffsets", "row_splits char_values char_to_byte_starts", 3)

# ---- the other way


def _encode(
    input_values: Array, input_splits: Array, *, output_encoding: str, errors: str = "replace", replacement_char: int = _REPLACEMENT
) -> StringArray:
    codec = _python_name(output_encoding)
    if not _is_valid(replacement_char):
        raise invalid_argument("replacement_char out of unicode codepoint range")
    before = np.concatenate([[0], input_splits[:-1]])
    bad = (input_splits < before) | (input_splits > len(input_values))
    if bad.any():
        i = int(bad.argmax())
        raise invalid_argument(
            f"Values in input_splits must be in order and at most {len(input_values)}, got {input_splits[i]} after {before[i]}"
        )
    if len(input_splits) and input_splits[0]:
        raise invalid_argument(f"The first value in input_splits must be zero, not {input_splits[0]}")
    if len(input_splits) and input_splits[-1] != len(input_values):
        raise invalid_argument(
            f"The last value in input_splits must be the number of input_values, {len(input_values)}, not {input_splits[-1]}"
        )
    good = are_valid(input_values)
    if good.all():
        points, splits = input_values, input_splits
    elif errors == "strict":
        raise invalid_argument("Code point is out of range for Unicode, or is a surrogate.")
    elif errors == "replace":
        points, splits = np.where(good, input_values, np.int32(replacement_char)), input_splits
    else:
        points, splits = input_values[good], np.concatenate([[0], np.cumsum(good)])[input_splits]
    return encode_points(points, splits, codec, (max(len(splits) - 1, 0),))


def _encode_type(input_values: Any, input_splits: Any, **_: Any) -> TensorType:
    require_rank(input_values, 1, f"input_values must be a vector, got shape {show(input_values.dims)}")
    require_rank(input_splits, 1, f"input_splits must be a vector, got shape {show(input_splits.dims)}")
    size = None if input_splits.dims is None or input_splits.dims[0] is None else max(input_splits.dims[0] - 1, 0)
    return TensorType((size,), string)


UNICODE_ENCODE = define(
    "UnicodeEncode",
    "input_values:int32 input_splits:Tsplits",
    _encode_type,
    _encode,
    {},
    dtypes={"Tsplits": INDEX},
    packed=True,
)


def _transcode(
    input: StringArray,
    *,
    input_encoding: str,
    output_encoding: str,
    errors: str = "replace",
    replacement_char: int = _REPLACEMENT,
    replace_control_characters: bool = False,
) -> StringArray:
    codec = _python_name(output_encoding)
    reader = _Reader(input_encoding, errors, replacement_char, replace_control_characters)
    found = reader.whole(input, False)
    if found is None:
        return from_list([reader.text(s).encode(codec) for s in input.tolist()], input.shape)
    if codec == "utf-8" and not reader.control:
        return input
    return encode_points(found.points, np.concatenate([[0], np.cumsum(found.counts)]), codec, input.shape)


def _transcode_type(input: Any, **_: Any) -> TensorType:
    return TensorType(input.dims, string)


UNICODE_TRANSCODE = define(
    "UnicodeTranscode", "input:string", _transcode_type, _transcode, {}, batch=stack_rows(), packed=True, by_element=True
)


@export("strings.unicode_transcode")
def unicode_transcode(
    input: TextLike,
    input_encoding: str,
    output_encoding: str,
    errors: str = "replace",
    replacement_char: int = _REPLACEMENT,
    replace_control_characters: bool = False,
    name: str | None = None,
) -> Tensor:
    """Strings in another encoding.

    input_encoding: any that Python knows.  output_encoding: "UTF-8", "UTF-16-BE" or "UTF-32-BE".  errors: "replace" puts
    `replacement_char` where bytes mean nothing, "ignore" leaves them out, "strict" raises InvalidArgumentError.
    replace_control_characters: whether code points below 32 are replaced too.  Raises InvalidArgumentError for an unknown encoding.

    >>> tf.strings.unicode_transcode("hé", "UTF-8", "UTF-16-BE").numpy()
    b'\\x00h\\x00\\xe9'
    """
    return UNICODE_TRANSCODE(
        input,
        input_encoding=input_encoding,
        output_encoding=output_encoding,
        errors=errors,
        replacement_char=replacement_char,
        replace_control_characters=replace_control_characters,
        name=name,
    )
