"""`tf.strings.unicode_script`: in which script a character is written."""

from __future__ import annotations

from functools import cache

import numpy as np

from ...base.dtypes import int32
from ...base.export import export
from ...ir.op import define
from ...ir.tensor import Tensor, TensorType, TextLike
from ...ops.array.type_rules import Array
from ...ops.batching import stack_rows
from .scripts import RUNS

_NONE = -1


@cache
def _table() -> Array:
    """The script of each character, and at last of what is none."""
    pairs = np.array([[int(n, 16) for n in run.split(":")] for run in RUNS.split()])
    return np.append(np.repeat(pairs[:, 1], pairs[:, 0]), _NONE).astype(np.int16)


def _scripts(input: Array) -> Array:
    table = _table()
    places = np.minimum(input.view(np.uint32), np.uint32(len(table) - 1))  # a negative number is a large one
    return table[places].astype(np.int32)


UNICODE_SCRIPT = define(
    "UnicodeScript", "input:int32", lambda input: TensorType(input.dims, int32), _scripts, {}, batch=stack_rows(), by_element=True
)


@export("strings.unicode_script")
def unicode_script(input: TextLike, name: str | None = None) -> Tensor:
    """The script of each code point, int32: a number of the ICU library (25 is Latin), -1 for what is no code point.

    >>> tf.strings.unicode_script([65, 0x391, 0x4E00, 32, -1]).numpy().tolist()
    [25, 14, 17, 0, -1]
    """
    return UNICODE_SCRIPT(input, name=name)
