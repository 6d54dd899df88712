"""Object code linked into this process: by ourselves where it is of the usual kind, else by LLVM.

What the disk keeps is an image, machine code laid out for memory in one piece: code and what is only read first, then, from a page
of their own, the data that are written.  What depends on where it lies, or on what lies elsewhere, are words of eight bytes, which are
filled in here; all else was settled when the code was compiled (`elf`).
"""

from __future__ import annotations

import ctypes
import platform
import struct
import sys
import weakref
from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from ...base.lazy_import import LazyModule
from ..llvm_loading import native
from .loaded import Image, Loaded, NativeError, ObjectCode, needed_addresses

if TYPE_CHECKING:
    from . import elf
else:  # what is on the disk has been laid out
    elf = LazyModule("pullback.engine.runtime.elf")

# Linux's numbers, and those of its mmap on x86-64.
_READ, _WRITE, _RUN = 1, 2, 4
_PRIVATE, _ANONYMOUS = 2, 32
_FAILED = ctypes.c_void_p(-1).value


Pieces = tuple[Image | ObjectCode, ...]


@cache
def can_lay_out() -> bool:
    """Whether this system's object code is of the kind that is laid out here."""
    return sys.platform == "linux" and platform.machine() == "x86_64" and struct.calcsize("P") == 8


def _load_image(image: Image, addresses: Mapping[str, int], keep: object = None) -> Loaded:
    """An image in memory, its needs at `addresses`; the memory is given back when nobody holds the answer.

    Raises:
        NativeError: the system gives no memory for code.
    """
    library = _c_library()
    base = library.mmap(None, image.size, _READ | _WRITE, _PRIVATE | _ANONYMOUS, -1, 0)
    if base == _FAILED:
        raise NativeError(f"The system gives no {image.size} bytes of memory for code: errno {ctypes.get_errno()}.")
    loaded = Loaded({name: base + at for name, at in image.defines.items()}, keep)
    # not at exit: other threads may still run it
    weakref.finalize(loaded, library.munmap, base, image.size).atexit = False
    ctypes.memmove(base, image.content, len(image.content))
    for at, name, added in image.words:
        ctypes.c_int64.from_address(base + at).value = (addresses[name] if name else base) + added
    if library.mprotect(base, image.fixed, _READ | _RUN):
        raise NativeError(f"The system lets no code be run that was written to memory: errno {ctypes.get_errno()}.")
    return loaded


def lay_out(made: ObjectCode) -> Image | ObjectCode:
    """Object code as the disk keeps it: an image where it is of the usual kind."""
    if not can_lay_out():
        return made
    try:
        return elf.lay_out(made)
    except elf.Foreign:
        return made


def link(made: Image | ObjectCode, symbols: Mapping[str, int] | None = None, keep: Any = None) -> Loaded:
    """Object code, linked into this process.

    Args:
        symbols: addresses of names that the code needs; the C library's, libm's and libmvec's functions need not be named.
        keep: something to be kept alive as long as the code.

    Raises:
        NativeError: a name that the code needs is nowhere, or the system gives no memory for code.
    """
    addresses = needed_addresses(made.needs, symbols)
    if isinstance(made, ObjectCode):
        made = lay_out(made)
    if isinstance(made, Image):
        return _load_image(made, addresses, keep)
    loaded: Loaded = native("runtime.orc").link(made, addresses, keep)
    return loaded


def link_pieces(pieces: Sequence[Image | ObjectCode], symbols: Mapping[str, int], keep: Any = None) -> Loaded:
    """Pieces of object code, each linked with those before it; the names asked for are the last one's. Arguments as `link` has them."""
    *others, last = pieces
    known = dict(symbols)
    for made in others:
        keep = loaded = link(made, known, keep)
        known |= {name: loaded.address(name) for name in made.defines}
    return link(last, known, keep)


@cache
def _c_library() -> Any:
    library = ctypes.CDLL(None, use_errno=True)
    pointer, size, number = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int
    library.mmap.restype, library.mmap.argtypes = pointer, (pointer, size, number, number, number, ctypes.c_long)
    library.munmap.argtypes = pointer, size
    library.mprotect.argtypes = pointer, size, number
    return library
