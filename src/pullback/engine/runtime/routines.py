"""Routines that programs share, each compiled once for a machine, as a module of its own, and called by address.

The inner loops of products and the copies that turn and reorder matrices are the same in every program, and would be a third of what LLVM
is given for a small network.  A routine's name says all that it is made from (what it does, dtype, lanes and the like), so a program that
comes from the disk finds its routines by their names: on the disk too, or else made from the name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial

from ..llvm_loading import native
from . import objects
from .loaded import ROUTINES, Loaded, NativeError

_LOADED: dict[str, Loaded] = {}


def address(name: str, symbols: Callable[[Iterable[str]], Mapping[str, int]]) -> int:
    """Where a routine begins; symbols: gives the addresses of what it calls itself."""
    known = _LOADED.get(name)
    if known is None:
        # two threads may come here at once: what the first one keeps is what both get, and it stays
        known = _LOADED.setdefault(name, objects.load_named(name, lambda: text_of(name), symbols))
    return known.address(name)


def compile_ahead(name: str) -> None:
    """Have a routine compiled that will have to be, and those that it calls."""

    def compile_called(called: str) -> None:
        if called != name:
            compile_ahead(called)

    if name.startswith(ROUTINES) and name not in _LOADED:
        objects.order_named(name, partial(text_of, name, compile_called))


def text_of(name: str, named: Callable[[str], object] | None = None) -> str:
    """A routine as a module in LLVM's language; named: is told the functions that are in it."""
    code = native("emission.routine")
    if code is None:
        raise NativeError(f"{name} is not on the disk, and there is no llvmlite to compile it.")
    return str(code.text_of(name, named))
