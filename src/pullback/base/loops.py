"""Loops that no array operation says, written as plain functions of arrays and numbers, which the engine compiles.

Such a function is in a small part of Python (`compile.native.written` says which), with the words of this module, and means the same
where Python itself runs it; that takes a hundred times as long, so a kernel has another way for where there is no engine.  Its parameters
are arrays of one dimension and numbers; keyword-only ones are constants of the code.  It writes its results into arrays it is given, and
returns an integer.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]
Loop = Callable[..., int]

f32: Any = np.float32
f64: Any = np.float64


def sqrt(x: Any) -> Any:
    return type(x)(math.sqrt(x))


def exp(x: Any) -> Any:
    return type(x)(math.exp(x))


def log1p(x: Any) -> Any:
    return type(x)(math.log1p(x))


def floor(x: Any) -> Any:
    return type(x)(math.floor(x))


def ceil(x: Any) -> Any:
    return type(x)(math.ceil(x))


def rint(x: Any) -> Any:
    """The nearest whole number, halves to the even one."""
    return type(x)(round(x))


def bits(x: Any) -> int:
    """The bits of a number of single precision, as a signed integer."""
    return int(struct.unpack("<i", struct.pack("<f", x))[0])


def f16(x: Any) -> Any:
    """A number of single precision rounded to half precision."""
    return np.float32(np.float16(x))


def unrolled(count: int) -> range:
    """A range whose turns are written out one by one; `count` is a constant of the code."""
    return range(count)


class Found:
    """Who has native code for loops.

    loop: of such a function and how much it has to do this time; a function of its arguments that gives what it returns, or None where
    there is no code for it, or not yet.
    """

    loop: Callable[[Loop, int], Callable[..., int | None] | None] | None = None


FOUND = Found()


def native_loop(function: Loop, work: int) -> Callable[..., int | None] | None:
    """Native code for a loop that goes some `work` times around; None where Python would have to run it, which a caller does not want.

    Called, it takes the arguments of `function`, arrays without gaps and with dtypes that say which code it is; None again where they have
    no code.
    """
    return None if FOUND.loop is None else FOUND.loop(function, work)
