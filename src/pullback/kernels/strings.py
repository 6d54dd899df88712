"""Strings in columns: the bytes of all of them in one array, and where each begins.

A string as an object of Python's costs 20 ns to look at and 30 to 60 to make, more than most kernels take for what is in it.  So kernels
over strings work on columns, and objects are made when somebody asks for them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import Any

import numpy as np

from . import string_objects

Array = np.ndarray[Any, Any]
OBJECTS = np.dtype(object)
_FEW = 32


class StringArray:
    """Strings that nobody changes: string i, counted through the whole shape, is `data[starts[i] : starts[i + 1]]`.

    data: uint8, contiguous.  starts: int64, contiguous, one more than there are strings, from 0 to the length of `data`.
    """

    __slots__ = ("data", "shape", "starts")
    dtype = OBJECTS  #: of the array that it stands for

    def __init__(self, data: Array, starts: Array, shape: tuple[int, ...]) -> None:
        self.data = data
        self.starts = starts
        self.shape = shape

    @property
    def size(self) -> int:
        """How many strings there are."""
        return len(self.starts) - 1

    @property
    def ndim(self) -> int:
        """How many axes there are."""
        return len(self.shape)

    def __len__(self) -> int:
        return self.shape[0]

    def lengths(self) -> Array:
        """How many bytes each string has, int64, flat."""
        return self.starts[1:] - self.starts[:-1]

    def item(self, i: int = 0) -> bytes:
        """String i, counted through the whole shape."""
        return self.data[self.starts[i] : self.starts[i + 1]].tobytes()

    def reshape(self, shape: tuple[int, ...]) -> StringArray:
        """The same strings in another shape, all of whose sizes are known."""
        return StringArray(self.data, self.starts, shape)

    def is_ascii(self) -> bool:
        """Whether no byte has its highest bit set."""
        return not len(self.data) or int(self.data.max()) < 128

    def tolist(self) -> list[bytes]:
        """All strings, flat."""
        whole = self.data.tobytes()
        return [whole[a:b] for a, b in pairwise(self.starts.tolist())]

    def objects(self) -> Array:
        """The strings as an array of `bytes`."""
        found = string_objects.make_objects(self.data, self.starts)
        if found is None:
            found = np.empty(self.size, object)
            found[:] = self.tolist()
        return found.reshape(self.shape)

    def __repr__(self) -> str:
        return f"StringArray({self.objects()!r})"


def pack_strings(strings: Array) -> StringArray:
    """An array of `bytes` as a column; a TypeError for objects of another kind."""
    flat = strings.reshape(-1)
    found = string_objects.read(flat)
    if found is not None:
        return StringArray(*found, strings.shape)
    return from_list(flat.tolist(), strings.shape)


def from_list(rows: Sequence[bytes], shape: tuple[int, ...] | None = None) -> StringArray:
    """Strings as a column, of one dimension where no shape is given."""
    if len(rows) < _FEW:
        starts = np.array([0, *accumulate(map(len, rows))], np.int64)
    else:
        starts = np.zeros(len(rows) + 1, np.int64)
        np.cumsum(np.fromiter(map(len, rows), np.int64, len(rows)), out=starts[1:])
    return StringArray(np.frombuffer(b"".join(rows), np.uint8), starts, (len(rows),) if shape is None else shape)


def from_lengths(data: Array, lengths: Array, shape: tuple[int, ...]) -> StringArray:
    """Bytes, and how many of them each string has."""
    starts = np.zeros(math.prod(shape) + 1, np.int64)
    np.cumsum(lengths, out=starts[1:])
    return StringArray(data, starts, shape)
