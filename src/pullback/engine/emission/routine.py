"""The text of a routine (see `routines`), from its name."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .. import llvm_ir as ir
from ..runtime.machine import host
from . import reorder as reorder_code, tiles, transpose

_WRITERS: dict[str, Callable[..., ir.Function]] = {
    "tiles": tiles.write_routine,
    "copy": reorder_code.write_copy,
    "turn": reorder_code.write_turn,
    "square": transpose.write_square,
}


def text_of(name: str, named: Callable[[str], object] | None = None) -> str:
    """The module of the routine `pb_<what>_<dtype>_<lanes>...`, in LLVM's language; named: is told the functions that are in it."""
    _, what, dtype, *numbers = name.split("_")
    module = ir.Module(name, named)
    module.triple = host().triple
    written = _WRITERS[what](module, np.dtype(dtype), *map(int, numbers))
    assert written.name == name
    return str(module)
