"""Object code, and code in memory: what the compiler makes, the disk keeps and the linkers load.  LLVM is not needed here."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any

from ...base.named_values import NamedValues

#: What the names of SciPy's loops begin with (`ufunc_loops`), and those of routines that programs share (`routines`).
UFUNC, ROUTINES = "pullback.ufunc.", ("pb_tiles_", "pb_copy_", "pb_turn_", "pb_square_")


class NativeError(Exception):
    """Text that is not LLVM's language, a symbol that is nowhere, a host without a code generator: the reason is the message."""


class ObjectCode(NamedValues):
    """Machine code, the names it defines that may be asked for, and the names it needs."""

    code: bytes
    defines: tuple[str, ...]
    needs: tuple[str, ...]


class Image(NamedValues):
    """Machine code laid out for memory.

    content: its bytes, without the zeros at the end.  fixed: how many of them, in whole pages, are not written.  size: bytes in all.
    defines: the names that may be asked for, and where they are.  needs: the names that it needs.
    words: where an address goes, whose it is (the image's own where there is no name), and what is added to it.
    """

    content: bytes
    fixed: int
    size: int
    defines: dict[str, int]
    needs: tuple[str, ...]
    words: tuple[tuple[int, str, int], ...]


class Loaded:
    """Code in memory; it stays there as long as this object lives."""

    #: The text of baseline code, until it has been compiled with more effort; and what came of that.
    source: str | None = None
    optimised: Loaded | None = None

    def __init__(self, addresses: Mapping[str, int], keep: Any) -> None:
        self._addresses = dict(addresses)
        self._keep = keep

    def address(self, name: str) -> int:
        """Where a function or a variable of the module starts.

        Raises:
            KeyError: the module does not define the name.
        """
        return self._addresses[name]

    def function(self, name: str, result: Any, *arguments: Any) -> Callable[..., Any]:
        """A function called through ctypes: slow (a microsecond), and without the GIL."""
        call = ctypes.CFUNCTYPE(result, *arguments)(self._addresses[name])
        call.code = self  # type: ignore[attr-defined]  # functions take attributes
        return call


# Functions that code generation calls for instructions a processor lacks, and for LLVM's memory and math intrinsics.
_RUNTIME = (
    "__extendhfsf2 __truncsfhf2 __truncdfhf2 __truncsfbf2 __truncdfbf2 __gnu_h2f_ieee __gnu_f2h_ieee "
    "memcpy memmove memset memcmp fma fmaf fmod fmodf exp expf exp2 exp2f log logf log2 log2f log10 log10f sin sinf cos cosf tan tanf "
    "pow powf ceil ceilf floor floorf trunc truncf rint rintf nearbyint nearbyintf round roundf roundeven roundevenf ldexp ldexpf "
    "asin asinf acos acosf atan atanf atan2 atan2f sinh sinhf cosh coshf tanh tanhf sincos sincosf"
)
_RUNTIME_ENTRIES = [(name, name.encode() + b"\0") for name in _RUNTIME.split()]


#: Where functions are looked for: libm, the C library, libmvec where it is, and compiler support for what an older processor lacks.
_LIBRARIES: dict[str, tuple[str | None, ...]] = {"win32": ("ucrtbase", "vcruntime140", "kernel32"), "darwin": (None,)}
_OF_LINUX = "libm.so.6", "libc.so.6", "libmvec.so.1", "libgcc_s.so.1", None


@cache
def _open_library(name: str | None) -> Any:
    """A library, loaded; None where it is not installed."""
    try:
        return ctypes.CDLL(name)
    except OSError:
        return None


@cache
def library_symbol(name: str) -> int | None:
    """The address of a function of the C library, libm or libmvec; None where there is none of that name."""
    for library in map(_open_library, _LIBRARIES.get(sys.platform, _OF_LINUX)):
        function = getattr(library, name, None)
        if function is not None:
            return ctypes.cast(function, ctypes.c_void_p).value
    return None


def python_symbols(names: Iterable[str]) -> dict[str, int]:
    """The addresses of functions of CPython's C interface."""
    return {name: ctypes.cast(getattr(ctypes.pythonapi, name), ctypes.c_void_p).value or 0 for name in names}


def find_runtime_needs(code: bytes) -> list[str]:
    """The names, of functions that code generation calls by itself, that object code has in it."""
    return [name for name, entry in _RUNTIME_ENTRIES if entry in code]


def needed_addresses(needs: Iterable[str], symbols: Mapping[str, int] | None) -> dict[str, int]:
    """The addresses of all names that code needs: those given in `symbols`, and the C library's, libm's and libmvec's.

    Raises:
        NativeError: a name is nowhere.
    """
    given = symbols or {}
    found = {}
    for name in needs:
        address = given.get(name) or library_symbol(name)
        if address is None:
            raise NativeError(f"Native code needs {name}, which is in no library of this system.")
        found[name] = address
    return found
