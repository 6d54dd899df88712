"""Loops over bytes that NumPy has no words for, written as Python functions and compiled by the engine where it is there.

Such a loop is a function in a small part of Python: numbers, one-dimensional arrays, `if`, `while`, `for i in range(...)`, and calls of
other loops.  It is never run by Python.  Its annotations say what it takes:

    int, Word, float, bool      numbers: of 64 bits with a sign, of 64 bits without, float64, truth values
    Bytes, Bools, Ints32, Ints, Words, Floats32, Floats     contiguous arrays of uint8, bool, int32, int64, uint64, float32, float64

An element is read as the widest number of its kind, and cut to its width when written.  Integers wrap; `//` and `%` of ints cut towards
zero, as C's; `>>` of an int keeps the sign.  Kinds do not mix: `int(x)`, `word(x)`, `float(x)` convert (an int and a word by their bits),
and `wide(word)` has 128 bits without sign.  A local number has the kind of what it is first given.  Numbers, bytes and arrays that a
module names are constants.  A loop returns nothing, a number, or to other loops several: `tuple[Word, Word]`.  What else there is:

    load32(bytes, at), load64(bytes, at), store64(bytes, at, word)      words at any place, little-endian
    copy(to, at, source, place, count)      bytes from one array to another
    low_zeros(word), high_zeros(word)       how many zeros a word ends or begins with
    bits(float), from_bits(word)            the bits of a float64
    min(a, b), max(a, b), abs(a)
    printed(to, at, room, form, number)     C's snprintf of one number, `form` ending with a zero: how many bytes it takes, or less than 0

Nothing looks whether an index lies within its array, and no array that is written may be given twice.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np

Array = np.ndarray[Any, Any]
Bytes: TypeAlias = Array
Bools: TypeAlias = Array
Ints32: TypeAlias = Array
Ints: TypeAlias = Array
Words: TypeAlias = Array
Floats32: TypeAlias = Array
Floats: TypeAlias = Array
Word: TypeAlias = Any


class Host:
    """Who compiles loops: of a loop and how much it is to go over (None for as much as one likes), a function of arrays and numbers, or
    None where there is none, or none yet.
    """

    compiled: Callable[[Loop, int | None], Callable[..., Any] | None] | None = None


HOST = Host()


class Loop:
    """A function to be compiled.  holds_lock: whether it makes objects of Python's, so that no other thread may run."""

    def __init__(self, function: Callable[..., Any], holds_lock: bool = False) -> None:
        self.function, self.holds_lock = function, holds_lock
        self.__doc__ = function.__doc__

    @property
    def name(self) -> str:
        return self.function.__name__

    def __call__(self, *args: Any) -> Any:
        """Stands for a call in another loop; raises TypeError when Python runs it: `over` gives what can be called."""
        raise TypeError(f"{self.name} is a loop to be compiled: call what its `over` gives")

    @property
    def native(self) -> Callable[..., Any] | None:
        """The compiled function, None where there is no engine."""
        return self.over(None)

    def over(self, work: int | None) -> Callable[..., Any] | None:
        """The compiled function to go over so many strings or bytes; None too where these, and those of earlier calls, are too few for it
        to be compiled, which takes a tenth of a second.
        """
        return None if HOST.compiled is None or sys.byteorder != "little" else HOST.compiled(self, work)


def loop(function: Callable[..., Any]) -> Loop:
    """The loop of a function."""
    return Loop(function)


def loop_with_objects(function: Callable[..., Any]) -> Loop:
    """The loop of a function that makes objects: `new_bytes(bytes, at, count)` gives the place of new ones, `release(place)` lets go."""
    return Loop(function, holds_lock=True)


def _stands_for_code(name: str) -> Callable[..., Any]:
    def only_in_loops(*args: Any) -> Any:
        raise TypeError(f"{name} means something in loops that are compiled, and nothing elsewhere")

    return only_in_loops


word, wide, bits, from_bits, low_zeros, high_zeros = map(
    _stands_for_code, ["word", "wide", "bits", "from_bits", "low_zeros", "high_zeros"]
)
load32, load64, store64, copy, printed, new_bytes, release = map(
    _stands_for_code, ["load32", "load64", "store64", "copy", "printed", "new_bytes", "release"]
)
