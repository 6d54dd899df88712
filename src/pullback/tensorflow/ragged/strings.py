"""Strings taken apart into rows of parts, characters, code points and n-grams: functions whose results are ragged tensors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...base.dtypes import int64, string
from ...base.export import export
from ...ir.attributes import choose
from ...ir.context import executing_eagerly, scope
from ...ir.tensor import Tensor, TensorLike
from ...ops.array.basic import reshape, shape_of
from ...ops.array.create import range as range_of
from ...ops.array.join import concat, stack
from ..strings.join import join
from ..strings.ngrams import STRING_NGRAMS
from ..strings.split import SPLIT, SPLIT_V2
from ..strings.unicode import UNICODE_DECODE, UNICODE_DECODE_WITH_OFFSETS, UNICODE_ENCODE
from .classes import RaggedTensor
from .convert import as_ragged
from .elementwise import map_ragged

_REPLACEMENT = 0xFFFD


def rows_of(parts: Any) -> Any:
    """A ragged matrix of what `StringSplit` gives: indices, values and the shape of a sparse matrix."""
    indices, values, shape = parts
    return RaggedTensor.from_value_rowids(values, indices[:, 0], nrows=shape[0], validate=False)


def strings_of(input: TensorLike, name: str = "input") -> Any:
    """Strings as a tensor or ragged tensor; a ValueError for a tensor of another dtype."""
    x = as_ragged(input, dtype=string)
    if x.dtype.base_dtype is not string:
        raise ValueError(f"{name}: Tensor conversion requested dtype string for Tensor with dtype {x.dtype.name}: {x!r}")
    return x


def _take_apart(x: Any, apart: Callable[[Any], Any]) -> Any:
    """Strings of any rank, each as the row of parts that `apart` makes of a vector's entries."""
    if isinstance(x, RaggedTensor):
        return x.with_flat_values(_take_apart(x.flat_values, apart))
    if x.dims == ():
        return apart(stack([x]))[0]
    if x.dims is None or len(x.dims) == 1:
        return apart(x)
    return _take_apart(RaggedTensor.from_tensor(x), apart)


@export(v2="strings.split")
def split(input: TensorLike, sep: TensorLike | None = None, maxsplit: int = -1, name: str | None = None) -> RaggedTensor | Tensor:
    """Strings split at `sep`: one more dimension, ragged; of a scalar a vector.

    input: strings of any shape, or a ragged tensor of them.  sep: a scalar; at white space, of which none is left, when None or "".
    maxsplit: how often at most; always when negative.

    >>> tf.strings.split(["a b", "c"]).to_list()
    [[b'a', b'b'], [b'c']]
    """
    with scope(name, "StringSplit"):
        at = "" if sep is None else sep
        return _take_apart(strings_of(input), lambda x: rows_of(SPLIT_V2(x, at, maxsplit=maxsplit)))


@export("strings.bytes_split")
def bytes_split(input: TensorLike, name: str | None = None) -> RaggedTensor | Tensor:
    """Strings split into their bytes: one more dimension, ragged; of a scalar a vector.

    >>> tf.strings.bytes_split(["ab", "c"]).to_list()
    [[b'a', b'b'], [b'c']]
    """
    with scope(name, "StringsByteSplit"):
        x = as_ragged(input)
        return _take_apart(strings_of(x) if executing_eagerly() else x, lambda x: rows_of(SPLIT(x, "", skip_empty=False)))


# ---- code points and characters


@export("strings.unicode_decode")
def unicode_decode(
    input: TensorLike,
    input_encoding: str,
    errors: str = "replace",
    replacement_char: int = _REPLACEMENT,
    replace_control_characters: bool = False,
    name: str | None = None,
) -> RaggedTensor | Tensor:
    """The code points of strings, int32: one more dimension, ragged; of a scalar a vector.

    Arguments and errors as `unicode_transcode`.  Raises ValueError for an unknown rank.

    >>> tf.strings.unicode_decode(["hé", "a"], "UTF-8").to_list()
    [[104, 233], [97]]
    """
    with scope(name, "UnicodeDecode"):
        return _decode_strings(input, input_encoding, errors, replacement_char, replace_control_characters, False)


@export("strings.unicode_decode_with_offsets")
def unicode_decode_with_offsets(
    input: TensorLike,
    input_encoding: str,
    errors: str = "replace",
    replacement_char: int = _REPLACEMENT,
    replace_control_characters: bool = False,
    name: str | None = None,
) -> tuple[RaggedTensor | Tensor, RaggedTensor | Tensor]:
    """`unicode_decode`, and the byte at which each character begins, int64.

    >>> points, starts = tf.strings.unicode_decode_with_offsets(["éa"], "UTF-8")
    >>> starts.to_list()
    [[0, 2]]
    """
    with scope(name, "UnicodeDecodeWithOffsets"):
        found: tuple[Any, Any] = _decode_strings(input, input_encoding, errors, replacement_char, replace_control_characters, True)
        return found


def _decode_strings(input: Any, encoding: str, errors: str, replacement: int, control: bool, with_offsets: bool) -> Any:
    x = as_ragged(input)
    if x.dims is None:
        raise ValueError("Rank of `input` must be statically known.")
    flat = reshape(x.flat_values if isinstance(x, RaggedTensor) else x, [-1])
    op = UNICODE_DECODE_WITH_OFFSETS if with_offsets else UNICODE_DECODE
    splits, *found = op(
        flat, input_encoding=encoding, errors=errors, replacement_char=replacement, replace_control_characters=control, Tsplits=int64
    )
    outer = _as_rows(x) if len(x.dims) > 1 else None
    shaped = found if not x.dims else [RaggedTensor.from_row_splits(values, splits, validate=False) for values in found]
    if outer is not None:
        shaped = [outer.with_flat_values(rows) for rows in shaped]
    return tuple(shaped) if with_offsets else shaped[0]


def _as_rows(x: Any) -> Any:
    """Strings of two or more dimensions as a ragged tensor over a vector of them."""
    rank = len(x.dims)
    if not isinstance(x, RaggedTensor):
        return RaggedTensor.from_tensor(x, ragged_rank=rank - 1)
    if x.ragged_rank < rank - 1:
        return x.with_flat_values(RaggedTensor.from_tensor(x.flat_values, ragged_rank=rank - x.ragged_rank - 1))
    return x


@export("strings.unicode_split")
def unicode_split(
    input: TensorLike, input_encoding: str, errors: str = "replace", replacement_char: int = _REPLACEMENT, name: str | None = None
) -> RaggedTensor | Tensor:
    """Strings split into their characters, in UTF-8: one more dimension, ragged; of a scalar a vector.

    Arguments and errors as `unicode_transcode`.

    >>> tf.strings.unicode_split(["hé", "a"], "UTF-8").to_list()
    [[b'h', b'\\xc3\\xa9'], [b'a']]
    """
    with scope(name, "UnicodeSplit"):
        return _characters(_decode_strings(input, _as_output(input_encoding), errors, replacement_char, False, False))


@export("strings.unicode_split_with_offsets")
def unicode_split_with_offsets(
    input: TensorLike, input_encoding: str, errors: str = "replace", replacement_char: int = _REPLACEMENT, name: str | None = None
) -> tuple[Tensor, Tensor]:
    """`unicode_split`, and the byte at which each character begins, int64.

    >>> characters, starts = tf.strings.unicode_split_with_offsets("éa", "UTF-8")
    >>> starts.numpy().tolist()
    [0, 2]
    """
    with scope(name, "UnicodeSplitWithOffsets"):
        points, starts = _decode_strings(input, _as_output(input_encoding), errors, replacement_char, False, True)
        return _characters(points), starts


def _as_output(encoding: str) -> str:
    """An encoding that TensorFlow writes too."""
    return choose("output_encoding", encoding, "UnicodeEncode")


def _characters(points: Any) -> Any:
    """Each code point as a string."""
    flat = points.flat_values if isinstance(points, RaggedTensor) else points
    count = shape_of(flat)[0]
    each = range_of(count + 1)
    characters = UNICODE_ENCODE(flat, each, output_encoding="UTF-8", errors="replace", replacement_char=_REPLACEMENT)
    return points.with_flat_values(characters) if isinstance(points, RaggedTensor) else characters


@export("strings.unicode_encode")
def unicode_encode(
    input: TensorLike, output_encoding: str, errors: str = "replace", replacement_char: int = _REPLACEMENT, name: str | None = None
) -> Tensor:
    """Strings of code points, which stand along the last dimension.

    input: int32 of one or more dimensions, or a ragged tensor of them.  output_encoding, errors, replacement_char: as `unicode_transcode`,
    for numbers that are no code point.  Raises ValueError for a scalar and an unknown rank.

    >>> tf.strings.unicode_encode([[104, 233], [97, 98]], "UTF-8").numpy().tolist()
    [b'h\\xc3\\xa9', b'ab']
    """
    with scope(name, "UnicodeEncode"):
        return _encode_strings(
            as_ragged(input), {"output_encoding": output_encoding, "errors": errors, "replacement_char": replacement_char}
        )


def _encode_strings(x: Any, attrs: dict[str, Any]) -> Any:
    if x.dims is None:
        raise ValueError("Rank of input_tensor must be statically known.")
    if isinstance(x, RaggedTensor):
        if x.flat_values.dims is not None and len(x.flat_values.dims) > 1:
            return x.with_flat_values(_encode_strings(x.flat_values, attrs))
        if x.ragged_rank > 1:
            return x.with_values(_encode_strings(x.values, attrs))
        return UNICODE_ENCODE(x.values, x.row_splits, **attrs)
    if not x.dims:
        raise ValueError("input_tensor's rank must be at least 1.")
    if len(x.dims) == 1:
        return reshape(UNICODE_ENCODE(x, stack([0, shape_of(x)[0]]), **attrs), [])
    if len(x.dims) == 2:
        return _encode_strings(RaggedTensor.from_tensor(x), attrs)
    whole = shape_of(x)
    return reshape(_encode_strings(reshape(x, stack([-1, whole[-1]])), attrs), whole[:-1])


# ---- n-grams


@export("strings.ngrams")
def ngrams(
    data: TensorLike,
    ngram_width: Any,
    separator: str = " ",
    pad_values: Any = None,
    padding_width: int | None = None,
    preserve_short_sequences: bool = False,
    name: str | None = None,
) -> Tensor:
    """Strings that stand side by side along the last dimension, put together: so many at a time, `separator` between them.

    data: strings of one or more dimensions, or a ragged tensor of them.  ngram_width: how many at a time; several widths follow one
    another.  pad_values: what stands before and behind each row, one string or two; so often as the width less one, or at most
    `padding_width` times.  preserve_short_sequences: a row too short for a width is put together whole.  The result is dense where
    `data` is.  Raises TypeError for what is no string to pad with, ValueError for widths below 1, a scalar, or an unknown rank.

    >>> tf.strings.ngrams(["a", "b", "c"], 2).numpy().tolist()
    [b'a b', b'b c']
    """
    left, right = _pads(pad_values)
    if padding_width is not None and padding_width < 1:
        raise ValueError("padding_width must be greater than 0.")
    if padding_width is not None and pad_values is None:
        raise ValueError("pad_values must be provided if padding_width is set.")
    widths = list(ngram_width) if isinstance(ngram_width, (list, tuple)) else [ngram_width]
    if any(width < 1 for width in widths):
        raise ValueError(f"All ngram_widths must be greater than 0. Got {ngram_width}")
    pad_width = 0 if pad_values is None else -1 if padding_width is None else padding_width
    attrs = {
        "separator": separator, "ngram_widths": widths, "left_pad": left, "right_pad": right, "pad_width": pad_width,
        "preserve_short_sequences": preserve_short_sequences,
    }  # fmt: skip
    with scope(name, "StringNGrams"):
        x = strings_of(data, "data")
        if x.dims is None:
            raise ValueError("Rank of data must be known.")
        if not x.dims:
            raise ValueError("Data must have rank>0")
        if isinstance(x, RaggedTensor):
            return _grams(x, attrs)
        if len(x.dims) == 1:
            return STRING_NGRAMS(x, stack([np.int64(0), shape_of(x, int64)[0]]), **attrs)[0]
        whole = concat([shape_of(x)[:-1], [-1]], 0)
        return reshape(_grams(RaggedTensor.from_tensor(x, ragged_rank=len(x.dims) - 1), attrs).flat_values, whole)


def _grams(x: Any, attrs: dict[str, Any]) -> Any:
    if x.ragged_rank > 1:
        return x.with_values(_grams(x.values, attrs))
    found, splits = STRING_NGRAMS(x.flat_values, x.row_splits, **attrs)
    return RaggedTensor.from_row_splits(found, splits, validate=False)


def _pads(pad_values: Any) -> Sequence[Any]:
    pads = ["", ""] if pad_values is None else pad_values if isinstance(pad_values, (list, tuple)) else [pad_values, pad_values]
    if len(pads) < 2 or not all(isinstance(pad, (str, bytes)) for pad in pads):
        raise TypeError("pad_values must be a string, tuple of strings, or None.")
    return pads[:2]


def _join_strings(inputs: Sequence[Any], separator: str = "", name: str | None = None) -> Any:
    """`tf.strings.join` of what is partly ragged."""
    return map_ragged(lambda *flat: join(list(flat), separator, name), tuple(inputs))


RaggedTensor.functions["join"] = _join_strings
