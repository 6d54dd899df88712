"""What messages call tensors and variables, and what is noted on errors of gradients."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..base.dtypes import resource
from ..ir.node import user_caller
from ..ir.tensor import SymbolicTensor
from ..transforms.registry import OF_A_RULE
from .program import name_in

#: How many variables a message tells of.
MOST = 3


def note_sources(error: Exception, sources: Sequence[Any]) -> None:
    """Let the error of a gradient function, which says whose it is, say as well for what it was asked."""
    if any(note.startswith(OF_A_RULE) for note in getattr(error, "__notes__", ())):
        frame = user_caller()
        names = [name_thing(x, name_in(frame, x) or "the source") for x in sources[:MOST]]
        error.add_note(f"It is on the way from the target to {', '.join(names)}{', ...' if len(sources) > MOST else ''}.")


def name_thing(thing: Any, otherwise: str) -> str:
    """What messages call a tensor or variable."""
    if hasattr(thing, "handle"):
        name = (getattr(thing, "path", None) or thing.name).removesuffix(":0")
        return f"the variable {name!r}" if name.split("_")[0] != "Variable" else otherwise
    if isinstance(thing, SymbolicTensor):
        return f"the variable {thing.name.removesuffix(':0')!r}" if thing.dtype is resource else repr(thing.name)
    return otherwise
