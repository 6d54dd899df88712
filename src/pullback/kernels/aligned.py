"""Arrays that begin where a line of the processor's caches does, as TensorFlow's do: loads of whole vectors then touch one line, not two.

The C library begins at multiples of 16 bytes, so that three arrays of four are read more slowly, by up to a sixth where they are read from
the caches.  NumPy asks the handler of the moment for an array's memory, and gives it back to the same one: here that handler is NumPy's own
but for the function that makes memory, which is the C library's `aligned_alloc`.  It is asked for arrays that are read often: constants,
variables and results of programs; to change it and back takes 1 us, so smaller ones are as they happen to be, and larger ones,
which come from the memory, as NumPy makes them.

Format: NumPy's C interface, "Memory management" (NEP 49).
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]
#: Where arrays begin.
_LINE = 64
#: Places in the table of NumPy's C interface.
_SET_HANDLER, _GET_HANDLER = 304, 305
_NAME = b"mem_handler"


class _Handler(ctypes.Structure):
    """NumPy's PyDataMem_Handler; `ctx` is the first argument of each function."""

    _fields_ = (
        ("name", ctypes.c_char * 127), ("version", ctypes.c_uint8),
        *[(name, ctypes.c_void_p) for name in ("ctx", "malloc", "calloc", "realloc", "free")],
    )  # fmt: skip


def numpy_function(index: int) -> int:
    """The address of a function of NumPy's C interface."""
    return ctypes.c_int64.from_address(_pointer(vars(sys.modules["numpy._core.multiarray"])["_ARRAY_API"], None) + 8 * index).value


def _pointer(capsule: object, name: bytes | None) -> int:
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, (ctypes.py_object, ctypes.c_char_p)
    found: int = pointer(capsule, name)
    return found


@cache
def _set_handler() -> tuple[Callable[[object], object], object, _Handler] | None:
    """What sets NumPy's handler and gives the one before, our handler, and its memory; None where NumPy's is not known here."""
    if sys.platform != "linux" or sys.implementation.name != "cpython":
        return None
    own = ctypes.PYFUNCTYPE(ctypes.py_object)(numpy_function(_GET_HANDLER))()
    made = _Handler.from_buffer_copy(_Handler.from_address(_pointer(own, _NAME)))
    if (made.name, made.version) != (b"default_allocator", 1):
        return None
    made.name, made.ctx = b"pullback", _LINE
    made.malloc = ctypes.cast(ctypes.CDLL(None).aligned_alloc, ctypes.c_void_p).value
    capsule = ctypes.pythonapi.PyCapsule_New
    capsule.restype, capsule.argtypes = ctypes.py_object, (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
    set_handler = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.py_object)(numpy_function(_SET_HANDLER))
    return set_handler, capsule(ctypes.addressof(made), _NAME, None), made


def make_aligned(make: Callable[[], Array]) -> Array:
    """The array that a function of NumPy's makes, from where a line begins, if that can be done here.

    make: not `np.zeros`, whose memory is made by another function.

    >>> make_aligned(lambda: np.empty(5000)).ctypes.data % 64 == 0 or sys.platform != "linux"
    True
    """
    known = _set_handler()
    if known is None:
        return make()
    set_handler, ours, _ = known
    before = set_handler(ours)
    try:
        return make()
    finally:
        set_handler(before)
