"""Loops that no array operation says, written as plain functions of arrays and numbers, which the engine compiles.

Such a function is in a small part of Python (`engine.loop_compiler` says which), with the words of this module, and means the same
where Python itself runs it.  That takes a hundred times as long, and is done where there is little to do (`native_or_python`), unless
a kernel has another way then, on NumPy (`native_loop`).  Its parameters are arrays of one dimension and numbers; keyword-only ones are
constants of the code, and so are the numbers, bytes and arrays that its module names.  It writes its results into arrays it is given, and
returns a number or nothing; to other loops it may return several.

What it is compiled for are the dtypes of the arguments it meets, or what its annotations say:

    int, bool, Word, Double     numbers: of 64 bits with a sign, truth values, 64 bits without a sign, double precision
    Bytes, Bools, Ints32, Ints, Words, Floats32, Floats     arrays of uint8, bool, int32, int64, uint64, float32, float64
    Array, float, Any           what the argument is; `-> float` is of single precision

Words wrap, and what is computed of one is one, with another or a whole number that is written down: an int beside it says `word(i)`, and
`int(w)` has its bits.  Nothing looks whether an index is within its array, and no array that is written may be given twice.
"""

from __future__ import annotations

import math
import struct
import typing
from collections.abc import Callable
from functools import cache, partial
from typing import Annotated, Any, TypeAlias

import numpy as np

from .backend import ENGINE

Array = np.ndarray[Any, Any]
Loop = Callable[..., Any]
#: What an argument is: an array's dtype, or of numbers int, bool, float (of single precision), np.float64, np.uint64.
Kind = np.dtype[Any] | type

Word: TypeAlias = Annotated[Any, np.uint64]
Double: TypeAlias = Annotated[Any, np.float64]
Bytes: TypeAlias = Annotated[Array, np.dtype(np.uint8)]
Bools: TypeAlias = Annotated[Array, np.dtype(np.bool_)]
Ints32: TypeAlias = Annotated[Array, np.dtype(np.int32)]
Ints: TypeAlias = Annotated[Array, np.dtype(np.int64)]
Words: TypeAlias = Annotated[Array, np.dtype(np.uint64)]
Floats32: TypeAlias = Annotated[Array, np.dtype(np.float32)]
Floats: TypeAlias = Annotated[Array, np.dtype(np.float64)]

f32: Any = np.float32
f64: Any = np.float64
_WORD = (1 << 64) - 1


def sqrt(x: Any) -> Any:
    """The square root of a number, for loops."""
    return type(x)(math.sqrt(x))


def exp(x: Any) -> Any:
    """e to the power of a number, for loops."""
    return type(x)(math.exp(x))


def log1p(x: Any) -> Any:
    """The natural logarithm of 1 + x, for loops."""
    return type(x)(math.log1p(x))


def floor(x: Any) -> Any:
    """The largest whole number that is not above x, for loops."""
    return type(x)(math.floor(x))


def ceil(x: Any) -> Any:
    """The smallest whole number that is not below x, for loops."""
    return type(x)(math.ceil(x))


def rint(x: Any) -> Any:
    """The nearest whole number, halves to the even one."""
    return type(x)(round(x))


def f16(x: Any) -> Any:
    """A number of single precision rounded to half precision."""
    return np.float32(np.float16(x))


def bits(x: Any) -> Any:
    """The bits of a number: of double precision as a word, of single precision as an integer with a sign."""
    if isinstance(x, np.float32):
        return int(struct.unpack("<i", struct.pack("<f", x))[0])
    return np.uint64(struct.unpack("<Q", struct.pack("<d", x))[0])


def from_bits(x: Word) -> Any:
    """The number of double precision that has the bits of a word."""
    return np.float64(struct.unpack("<d", struct.pack("<Q", int(x)))[0])


def word(x: Any) -> Any:
    """A number as 64 bits without a sign: the bits of an integer, the last ones of a wide number, a float without its fraction."""
    return np.uint64(int(x) & _WORD)


def to_uint128(x: Any) -> Any:
    """A number as 128 bits without a sign."""
    return int(x) & ((1 << 128) - 1)


def low_zeros(x: Word) -> int:
    """How many zeros a word ends with."""
    return (int(x) & -int(x)).bit_length() - 1 if x else 64


def high_zeros(x: Word) -> int:
    """How many zeros a word begins with."""
    return 64 - int(x).bit_length()


def _load(array: Bytes, at: int, size: int) -> Any:
    return np.uint64(int.from_bytes(array[at : at + size].tobytes(), "little"))


def load8(array: Bytes, at: int) -> Any:
    """A byte, as a word."""
    return _load(array, at, 1)


def load32(array: Bytes, at: int) -> Any:
    """The word that four bytes are, the lowest first."""
    return _load(array, at, 4)


def load64(array: Bytes, at: int) -> Any:
    """The word that eight bytes are, the lowest first."""
    return _load(array, at, 8)


def _store(array: Bytes, at: int, x: Word, size: int) -> None:
    array[at : at + size] = np.frombuffer(int(x).to_bytes(8, "little")[:size], np.uint8)


def store8(array: Bytes, at: int, x: Word) -> None:
    """The last byte of a word."""
    _store(array, at, x, 1)


def store32(array: Bytes, at: int, x: Word) -> None:
    """The last four bytes of a word, the lowest first."""
    _store(array, at, x, 4)


def store64(array: Bytes, at: int, x: Word) -> None:
    """The eight bytes of a word, the lowest first."""
    _store(array, at, x, 8)


def move(to: Bytes, at: int, source: Bytes, place: int, count: int) -> None:
    """Many bytes from one array to another."""
    to[at : at + count] = source[place : place + count]


def copy(to: Bytes, at: int, source: Bytes, place: int, count: int) -> None:
    """Bytes from one array to another: mostly few, for which a call takes longer than two moves that may overlap."""
    if count > 16:
        move(to, at, source, place, count)
    elif count >= 8:
        first, last = load64(source, place), load64(source, place + count - 8)
        store64(to, at, first)
        store64(to, at + count - 8, last)
    elif count >= 4:
        first, last = load32(source, place), load32(source, place + count - 4)
        store32(to, at, first)
        store32(to, at + count - 4, last)
    elif count > 0:
        first, middle, last = load8(source, place), load8(source, place + (count >> 1)), load8(source, place + count - 1)
        store8(to, at, first)
        store8(to, at + (count >> 1), middle)
        store8(to, at + count - 1, last)


def print_number(to: Bytes, at: int, room: int, form: Bytes, number: Any) -> int:
    """C's snprintf of one number, `form` ending with a zero: how many bytes it takes, or less than 0.  For the engine only."""
    raise TypeError("printed is the C library's, which loops call that are compiled")


def new_bytes(source: Bytes, at: int, count: int) -> int:
    """The place of a new object of bytes, 0 where there is no room; a loop that makes some holds the interpreter's lock."""
    raise TypeError("new_bytes makes objects in loops that are compiled")


def release(place: int) -> None:
    """Lets go of the object at a place."""
    raise TypeError("release lets go of objects in loops that are compiled")


def unroll(count: int) -> range:
    """A range whose turns are written out one by one; `count` is a constant of the code."""
    return range(count)


class Signature(typing.NamedTuple):
    """What a loop takes and gives: the kinds of its parameters, None where arguments say them, and of what it returns."""

    parameters: dict[str, Kind | None]
    results: tuple[Kind, ...]


def _kind(hint: Any) -> Kind | None:
    is_annotated = typing.get_origin(hint) is Annotated
    kind: Kind | None = hint if hint in (int, bool) else hint.__metadata__[0] if is_annotated else None
    return kind


@cache
def signature(function: Loop) -> Signature:
    """What the annotations of a function say; one without any for what it returns gives an integer."""
    hints = typing.get_type_hints(function, include_extras=True)
    names = function.__code__.co_varnames[: function.__code__.co_argcount]
    result = hints.get("return", int)
    parts = () if result is type(None) else typing.get_args(result) if typing.get_origin(result) is tuple else (result,)
    return Signature({name: _kind(hints.get(name)) for name in names}, tuple(float if p is float else _kind(p) or int for p in parts))


def native_loop(function: Loop, work: int | None) -> Callable[..., Any] | None:
    """Native code for a loop that goes some `work` times around, None for as often as one likes; None where Python would have to run it,
    which a caller does not want.

    Called, it takes the arguments of `function`, arrays without gaps.  Where their dtypes say which code it is, it gives None again if they
    have no code; where annotations do, it raises TypeError for an array of another dtype, and an address may stand for an array.
    """
    return ENGINE.find_loop(function, work, False)


def native_or_python(function: Loop, work: int | None) -> Callable[..., Any]:
    """Native code for a loop as `native_loop` gives it; where there is none yet, or none at all, the function itself, which Python runs."""
    return ENGINE.find_loop(function, work, True) or partial(run_in_python, function)


def run_in_python(function: Loop, *given: Any, **constants: int) -> Any:
    """What a loop returns, run by Python itself."""
    kinds = signature(function).parameters.values()
    with np.errstate(all="ignore"):  # words wrap, and floats are what IEEE 754 says
        return function(*[_argument_of(kind, x) for kind, x in zip(kinds, given, strict=True)], **constants)


def _argument_of(kind: Kind | None, x: Any) -> Any:
    """An argument as loops take it: a number of its kind, and bytes whose elements are integers."""
    if type(x) is int and kind is np.uint64:
        return word(x)
    if type(x) is float:
        return f64(x) if kind is np.float64 else f32(x)
    return _Bytes(x) if kind == np.uint8 and isinstance(x, np.ndarray) else x


class _Bytes:
    """An array of bytes of which Python reads integers, so that they may be shifted, and of what is written keeps the last byte."""

    def __init__(self, array: Array) -> None:
        self._array = array

    def __getitem__(self, at: Any) -> Any:
        return self._array[at] if isinstance(at, slice) else int(self._array[at])

    def __setitem__(self, at: Any, x: Any) -> None:
        self._array[at] = x if isinstance(at, slice) else int(x) & 0xFF
