"""Ragged tensors as text: what `tf.strings.format` and `tf.print` write of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.dtypes import ANY, INDEX, string
from ...ir.apply import convert_to_tensor
from ...ir.op import define
from ...ir.tensor import TensorType
from ...ops.array.type_rules import Array
from ...ops.effects.operations import STRING_FORMAT
from ..strings.join import join
from .tensor import RaggedTensor


def _write_list(value: Any, most: int) -> str:
    """A nested list, `most` elements of each end of every row; all when negative."""
    if isinstance(value, list):
        cut = 0 <= 2 * most < len(value)
        first, last = (value[:most], value[len(value) - most :]) if cut else (value, [])
        return f"[{', '.join([*(_write_list(v, most) for v in first), *['...'] * cut, *(_write_list(v, most) for v in last)])}]"
    if isinstance(value, bytes):
        return f"'{value.decode('utf-8', 'replace')}'"
    if isinstance(value, complex):
        return f"({value.real:f},{value.imag:f})"
    return f"{value:f}" if isinstance(value, float) else str(value).lower()


def _text(values: Array, splits: list[Array], *, summarize: int = 3) -> Array:
    rows = values.tolist()
    for ends in reversed(splits):
        rows = [rows[start:end] for start, end in zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True)]
    out: Array = np.empty((), object)
    out[()] = _write_list(rows, summarize).encode()
    return out


RAGGED_TEXT = define(
    "RaggedText",
    "values *splits:Tsplits",
    lambda values, splits, *, summarize=3: TensorType((), string),
    _text,
    {},
    dtypes={"T": ANY, "Tsplits": INDEX},
    batch="one text of a whole row",
)


def format(template: str, inputs: object, placeholder: str = "{}", summarize: int = 3, name: str | None = None) -> Any:
    """`tf.strings.format` with ragged tensors among its inputs.

    >>> tf.strings.format("rows: {}", tf.ragged.constant([[1, 2], []])).numpy()
    b'rows: [[1, 2], []]'
    """
    given = list(inputs) if isinstance(inputs, (list, tuple)) else [inputs]
    pieces = template.split(placeholder)
    if len(pieces) != len(given) + 1:
        raise ValueError(f"The template expects {len(pieces) - 1} tensors, but the inputs only has {len(given)}.")
    parts: list[Any] = []
    tensors: list[Any] = []
    text = pieces[0]
    for piece, x in zip(pieces[1:], given, strict=True):
        if isinstance(x, RaggedTensor):
            rows = RAGGED_TEXT(x.flat_values, list(x.nested_row_splits), summarize=summarize)
            parts += [_format_plain(text, tensors, placeholder, summarize), rows]
            text, tensors = piece, []
        else:
            text += placeholder + piece
            tensors.append(convert_to_tensor(x))
    return join([*parts, _format_plain(text, tensors, placeholder, summarize)], name=name)


def _format_plain(template: str, tensors: list[Any], placeholder: str, summarize: int) -> Any:
    if not tensors:
        return convert_to_tensor(template)
    return STRING_FORMAT(tensors, template=template, placeholder=placeholder, summarize=summarize)


RaggedTensor.functions.update(format=format)
