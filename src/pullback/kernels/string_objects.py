"""Arrays of `bytes` read and made in memory's form, natively, where CPython lays its objects out as it mostly does."""

from __future__ import annotations

import ctypes
import sys
from functools import cache
from typing import Any

import numpy as np

from .loops import Bytes, Ints, Words, copy, load64, native_loop, new_bytes, release, word

Array = np.ndarray[Any, Any]

_FEW = 16  # strings that are as quickly looked at one by one
_KIND, _SIZE, _DATA = 8, 16, 32  # where an object of bytes has its class, its length and its content


@cache
def _has_known_layout() -> bool:
    """Whether objects of bytes are laid out as the loops here have it."""
    probe = b"pullback probes"
    if sys.implementation.name != "cpython" or sys.byteorder != "little" or bytes.__basicsize__ != _DATA + 1:
        return False
    if ctypes.c_int64.from_address(id(probe) + _KIND).value != id(bytes):
        return False
    return ctypes.c_int64.from_address(id(probe) + _SIZE).value == len(probe) and ctypes.string_at(id(probe) + _DATA, len(probe)) == probe


def _starts_of(memory: Bytes, objects: int, stride: int, count: int, kind: int, starts: Ints) -> bool:
    """Where strings begin that lie one behind another; whether all objects are bytes."""
    end = 0
    starts[0] = 0
    for i in range(count):
        place = int(load64(memory, objects + i * stride))
        if place == 0 or int(load64(memory, place + _KIND)) != kind:
            return False
        end += int(load64(memory, place + _SIZE))
        starts[i + 1] = end
    return True


def _contents(memory: Bytes, objects: int, stride: int, count: int, starts: Ints, data: Bytes) -> None:
    for i in range(count):
        begin = starts[i]
        copy(data, begin, memory, int(load64(memory, objects + i * stride)) + _DATA, starts[i + 1] - begin)


def _make(data: Bytes, starts: Ints, count: int, objects: Words) -> bool:
    for i in range(count):
        place = new_bytes(data, starts[i], starts[i + 1] - starts[i])
        if place == 0:
            return False
        release(int(objects[i]))
        objects[i] = word(place)
    return True


def read(strings: Array) -> tuple[Array, Array] | None:
    """The content of a flat array of bytes and where each begins; None where that is not to be had natively."""
    count = len(strings)
    if count < _FEW or not _has_known_layout():
        return None
    if (sizes := native_loop(_starts_of, count)) is None or (contents := native_loop(_contents, count)) is None:
        return None
    starts, at, stride = np.empty(count + 1, np.int64), strings.ctypes.data, strings.strides[0]
    if not sizes(0, at, stride, count, id(bytes), starts):
        return None
    data = np.empty(starts[-1], np.uint8)
    contents(0, at, stride, count, starts, data)
    return data, starts


def make_objects(data: Array, starts: Array) -> Array | None:
    """A flat array of new objects; None as before."""
    count = len(starts) - 1
    if count < _FEW or not _has_known_layout() or (make := native_loop(_make, count)) is None:
        return None
    found = np.empty(count, object)
    make(data, starts, count, found.ctypes.data)
    return found
