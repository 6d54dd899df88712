"""Object code from the disk, or else from the compiler."""

from __future__ import annotations

import marshal
import sys
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from ...base.lazy_import import LazyModule
from ...base.version import VERSION
from ..compile_times import stage
from ..llvm_loading import native
from . import disk_cache
from .fingerprint import host_stamp
from .linking import Pieces, link_pieces
from .loaded import Image, Loaded, NativeError, ObjectCode

if TYPE_CHECKING:
    from . import ahead
    from .machine import Machine
else:  # what is on the disk needs none of it
    ahead = LazyModule("pullback.engine.runtime.ahead")

#: The bytes of a module's text that LLVM takes in a second, roughly, where it takes seconds.
_RATE = 5e5


def pack(pieces: Pieces, source: str | None = None) -> bytes:
    """Code as one blob, which every version of Python reads; source: the text of baseline code."""
    return marshal.dumps((source, [(type(made) is Image, *vars(made).values()) for made in pieces]), 4)


def unpack(blob: bytes) -> tuple[Pieces, str | None]:
    """What `pack` was given."""
    source, pieces = marshal.loads(blob)
    return tuple([(Image if is_image else ObjectCode)(*values) for is_image, *values in pieces]), source


def place_of(text: str, machine: Machine | None = None, level: int = 1) -> bytes:
    """The key under which the object code of a module is kept: LLVM's version and the machine, the host when None, are part of it."""
    kind = machine.key if machine is not None else host_stamp() or native("runtime.machine").host().key
    return disk_cache.key("linked pieces", text, kind, str(level), VERSION)


Symbols = Mapping[str, int] | Callable[[Iterable[str]], Mapping[str, int]] | None


def recall(place: bytes, symbols: Symbols = None, keep: Any = None, baseline: bool = True) -> Loaded | None:
    """The object code under a key, linked; None where there is none, or none that links here.

    symbols: addresses of what it needs, or a function that gives them for names.  baseline: whether baseline code will do (`baseline`).
    """
    with stage("disk"):
        blob = disk_cache.lookup(place)
    if blob is None:
        return None
    pieces, source = unpack(blob)
    if source is not None and not baseline:
        return None
    try:
        return _link_pieces(pieces, symbols, keep, source)
    except NativeError:
        # Compiled where a library had functions that this system lacks.
        return None


def load_cached(
    text: str,
    symbols: Symbols = None,
    machine: Machine | None = None,
    level: int = 1,
    keep: Any = None,
    baseline: bool = False,
) -> Loaded:
    """A module from the disk when it was compiled before, else compiled and stored.

    Args:
        text: the module in LLVM's language.
        symbols, baseline: as `recall` has them.
        machine, level, keep: as `codegen.load` has them.

    Raises:
        NativeError: as `codegen.load`.
    """
    place = place_of(text, machine, level)
    found = recall(place, symbols, keep, baseline)
    return found or _compile_pieces(place, lambda: text, symbols, machine, level, keep, baseline)


def load_named(name: str, make: Callable[[], str], symbols: Symbols = None, level: int = 1) -> Loaded:
    """A module whose name, with our source files, says all that it is made from: its text is made only where it is not on the disk.

    Raises:
        NativeError: as `codegen.load`.
    """
    place = _place_of_named(name, level)
    return recall(place, symbols) or _compile_pieces(place, make, symbols, level=level)


def order_compiler() -> None:
    """Have what compiles loaded, where it is installed."""
    compiler = native("runtime.codegen")
    if compiler is None:
        return
    load = native("runtime.llvm_library").make_loader()

    def prepare() -> tuple[()]:
        load()
        compiler.prepare()
        return ()

    ahead.AHEAD.order(b"LLVM", prepare, sys.maxsize)


def order_named(name: str, make: Callable[[], str], level: int = 1) -> None:
    """Have a module compiled that `load_named` will be asked for, if it is not on the disk.

    The text is made at once: what compiles others meanwhile need not wait for Python.
    """
    place = _place_of_named(name, level)
    if ahead.AHEAD.accepts(place) and disk_cache.lookup(place) is None:
        text = make()
        ahead.AHEAD.order(place, lambda: native("runtime.codegen").compile_laid_out(text, level), len(text))


def _place_of_named(name: str, level: int) -> bytes:
    return place_of(f"{name} of {disk_cache.package_stamp()}", level=level)


def _compile_pieces(
    place: bytes,
    make: Callable[[], str],
    symbols: Symbols,
    machine: Machine | None = None,
    level: int = 1,
    keep: Any = None,
    baseline: bool = False,
) -> Loaded:
    compiler = native("runtime.codegen")
    source = None
    with stage("LLVM"):
        made = ahead.AHEAD.take(place)
    if made is None:
        text = make()
        source = text if baseline else None
        with stage("LLVM", expected=len(text) / _RATE):
            made = compiler.compile_pieces(text, machine or compiler.host(), 0 if baseline else level)
            ahead.AHEAD.help()
    with stage("disk"):
        disk_cache.store(place, pack(made, source))
    return _link_pieces(made, symbols, keep, source)


def _link_pieces(pieces: Pieces, symbols: Symbols, keep: Any, source: str | None) -> Loaded:
    with stage("link"):
        needs = [name for made in pieces for name in made.needs]
        loaded = link_pieces(pieces, symbols(needs) if callable(symbols) else symbols or {}, keep)
        loaded.source = source
        return loaded
