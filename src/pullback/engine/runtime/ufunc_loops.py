"""The loops inside SciPy's functions by address, for native code to call: the very same code as the kernels run, so the same bits.

A ufunc keeps, for each list of dtypes, a C function of (pointers, count, steps, data).  They are read from NumPy's object as its header
`ufuncobject.h` lays it out; where what is read there is not what Python says of the ufunc, there are none.
"""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any

from .loaded import UFUNC


class _Ufunc(ctypes.Structure):
    """The beginning of NumPy's PyUFuncObject."""

    _fields_ = (
        ("references", ctypes.c_ssize_t),
        ("type", ctypes.c_void_p),
        ("inputs", ctypes.c_int),
        ("outputs", ctypes.c_int),
        ("arguments", ctypes.c_int),
        ("identity", ctypes.c_int),
        ("functions", ctypes.POINTER(ctypes.c_void_p)),
        ("data", ctypes.POINTER(ctypes.c_void_p)),
        ("count", ctypes.c_int),
        ("reserved", ctypes.c_int),
        ("name", ctypes.c_char_p),
        ("types", ctypes.POINTER(ctypes.c_char)),
    )


@cache
def loop(name: str, kinds: str) -> tuple[int, int] | None:
    """The addresses of the function and the data of a loop of `scipy.special.<name>`; kinds: its dtypes, as in "dd->d".

    >>> loop("no such function", "d->d") is None
    True
    """
    import scipy.special

    ufunc: Any = getattr(scipy.special, name, None)
    if not hasattr(ufunc, "types"):  # a function of Python around it
        ufunc = getattr(scipy.special._ufuncs, f"_{name}", None)
    types = getattr(ufunc, "types", ())
    if kinds not in types:
        return None
    inside = _Ufunc.from_address(id(ufunc))
    found = (inside.type, inside.inputs, inside.outputs, inside.arguments, inside.count)
    if found != (id(type(ufunc)), ufunc.nin, ufunc.nout, ufunc.nargs, ufunc.ntypes) or inside.name != ufunc.__name__.encode():
        return None
    at = types.index(kinds)
    return inside.functions[at] or 0, inside.data[at] or 0


def symbols(name: str, kinds: str) -> tuple[str, str]:
    """What modules call the function and the data of a loop."""
    start = f"{UFUNC}{name}.{kinds.replace('->', '.')}"
    return f"{start}.loop", f"{start}.data"


def address(symbol: str) -> int | None:
    """The address of what `symbols` names; None where this SciPy has none."""
    name, given, result, part = symbol.removeprefix(UFUNC).split(".")
    found = loop(name, f"{given}->{result}")
    return None if found is None else found[part == "data"]
