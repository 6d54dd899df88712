"""Elements that are read once: in TensorFlow 1's graphs a TensorArray forgets what has been read of it.

Lists of tensors never change, so what has been read is noted beside them.  `FRESH` gives a list a note of its own, empty at every run,
which all lists made of it by writing share; `ONCE` hands a list on when an element may be read, or written, and notes that it was.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.errors import InvalidArgumentError
from ...ir.op import Op, define
from ..batching import answer_once
from .items import LIST
from .value import ListValue

_WRITTEN = "Could not write to TensorArray index {} because it has already been read."
_READ = "Could not read index {} twice because it was cleared after a previous read (perhaps try setting clear_after_read = false?)."


def _start_noting(input_handle: ListValue, *, site: Any) -> ListValue:
    return input_handle.noting(set())


def _note_once(input_handle: ListValue, indices: Any, *, site: Any, every: bool, writes: bool) -> ListValue:
    cleared = input_handle.cleared
    if cleared is None:
        return input_handle
    for at in range(input_handle.length) if every else [int(i) for i in np.ravel(indices)]:
        if at in cleared:
            raise InvalidArgumentError(None, None, (_WRITTEN if writes else _READ).format(at))
        if not writes:
            cleared.add(at)
    return input_handle


FRESH: Op = define(
    "TensorListFresh", "input_handle:variant", lambda input_handle: LIST, _start_noting, {"input_handle": lambda g: g}, holomorphic=False,
    stateful=True, effects=False, batch=answer_once,
)  # fmt: skip
ONCE: Op = define(
    "TensorListOnce", "input_handle:variant indices:int32", lambda input_handle, indices, *, every=False, writes=False: LIST, _note_once,
    {"input_handle": lambda g: g}, holomorphic=False, stateful=True, effects=False, batch=answer_once,
)  # fmt: skip
