"""Object code, linked into this process: by ourselves where it is of the usual kind, else by LLVM."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..llvm_loading import native
from . import elf
from .loaded import Loaded, ObjectCode, needed_addresses


def link(made: ObjectCode, symbols: Mapping[str, int] | None = None, keep: Any = None) -> Loaded:
    """Object code, linked into this process.

    Args:
        symbols: addresses of names that the code needs; the C library's, libm's and libmvec's functions need not be named.
        keep: something to be kept alive as long as the code.

    Raises:
        NativeError: a name that the code needs is nowhere.
    """
    addresses = needed_addresses(made, symbols)
    try:
        return elf.load(made, addresses, keep)
    except elf.Foreign:
        loaded: Loaded = native("runtime.orc").link(made, addresses, keep)
        return loaded


def link_pieces(pieces: Sequence[ObjectCode], symbols: Mapping[str, int], keep: Any = None) -> Loaded:
    """Pieces of object code, each linked with those before it; the names asked for are the last one's. Arguments as `link` has them."""
    *others, last = pieces
    known = dict(symbols)
    for made in others:
        keep = loaded = link(made, known, keep)
        known |= {name: loaded.address(name) for name in made.defines}
    return link(last, known, keep)
