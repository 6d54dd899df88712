"""Object code from the disk, or else from the compiler."""

from __future__ import annotations

import marshal
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from ...base.version import VERSION
from ..compile_times import stage
from ..llvm_loading import native
from . import disk_cache
from .fingerprint import host_stamp
from .linking import link
from .loaded import Loaded, NativeError, ObjectCode

if TYPE_CHECKING:
    from .machine import Machine

#: The bytes of a module's text that LLVM takes in a second, roughly, where it takes seconds.
_RATE = 5e5


def pack(made: ObjectCode) -> bytes:
    """Object code as one blob, which every version of Python reads."""
    return marshal.dumps((made.defines, made.needs, made.code), 4)


def unpack(blob: bytes) -> ObjectCode:
    """What `pack` was given."""
    defines, needs, code = marshal.loads(blob)
    return ObjectCode(code, defines, needs)


def place_of(text: str, machine: Machine | None = None, level: int = 1) -> bytes:
    """The key under which the object code of a module is kept: LLVM's version and the machine, the host when None, are part of it."""
    kind = machine.key if machine is not None else host_stamp() or native("runtime.machine").host().key
    return disk_cache.key("object", text, kind, str(level), VERSION)


Symbols = Mapping[str, int] | Callable[[Iterable[str]], Mapping[str, int]] | None


def recall(place: bytes, symbols: Symbols = None, keep: Any = None) -> Loaded | None:
    """The object code under a key, linked; None where there is none, or none that links here.

    symbols: addresses of what it needs, or a function that gives them for names.
    """
    with stage("disk"):
        blob = disk_cache.lookup(place)
    if blob is None:
        return None
    made = unpack(blob)
    try:
        with stage("link"):
            return link(made, symbols(made.needs) if callable(symbols) else symbols, keep)
    except NativeError:
        # Compiled where a library had functions that this system lacks.
        return None


def load_cached(
    text: str,
    symbols: Symbols = None,
    machine: Machine | None = None,
    level: int = 1,
    keep: Any = None,
    meanwhile: Callable[[], None] | None = None,
) -> Loaded:
    """A module from the disk when it was compiled before, else compiled and stored.

    Args:
        text: the module in LLVM's language.
        symbols: as `recall` has them.
        machine, level, keep: as `machine.load` has them.
        meanwhile: what to do while LLVM works, if it does.

    Raises:
        NativeError: as `machine.load`.
    """
    place = place_of(text, machine, level)
    return recall(place, symbols, keep) or _compiled(place, text, symbols, machine, level, keep, meanwhile)


def load_named(name: str, make: Callable[[], str], symbols: Symbols = None, level: int = 1) -> Loaded:
    """A module whose name, with our source files, says all that it is made from: its text is made only where it is not on the disk.

    Raises:
        NativeError: as `machine.load`.
    """
    place = _place_of_named(name, level)
    return recall(place, symbols) or _compiled(place, make(), symbols, level=level)


def has_named(name: str, level: int = 1) -> bool:
    """Whether such a module is on the disk."""
    return disk_cache.lookup(_place_of_named(name, level)) is not None


def _place_of_named(name: str, level: int) -> bytes:
    return place_of(f"{name} of {disk_cache.package_stamp()}", level=level)


def _compiled(
    place: bytes,
    text: str,
    symbols: Symbols,
    machine: Machine | None = None,
    level: int = 1,
    keep: Any = None,
    meanwhile: Callable[[], None] | None = None,
) -> Loaded:
    compiler = native("runtime.machine")
    with stage("LLVM", expected=len(text) / _RATE):
        made = compiler.compile_object(text, machine or compiler.host(), level, meanwhile)
    with stage("disk"):
        disk_cache.store(place, pack(made))
    with stage("link"):
        return link(made, symbols(made.needs) if callable(symbols) else symbols, keep)
