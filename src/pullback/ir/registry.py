"""Tables of what modules define when they are imported; asked for a name that is not there yet, they import the module that has it.

Which module that is stands in homes.txt, a line for each module, made by docs/make_homes.py: so a program loads the operations that it
uses and no others.
"""

from __future__ import annotations

import importlib
import os
from functools import cache
from typing import TypeVar

V = TypeVar("V")
HOMES = os.path.join(os.path.dirname(__file__), "homes.txt")


@cache
def homes(kind: str) -> dict[str, str]:
    """In which module each name of a table is defined.

    >>> homes("operations")["MatMul"], homes("methods")["getitem"]
    ('pullback.ops.linalg.products', 'pullback.ops.indexing.index')
    """
    with open(HOMES, encoding="utf-8") as file:
        return {name: module for known, module, *names in map(str.split, file) if known == kind for name in names}


class Registry(dict[str, V]):
    """A table whose names are defined by modules that are imported when one of them is first asked for by `registry[name]`."""

    def __init__(self, kind: str) -> None:
        super().__init__()
        self.kind = kind

    def __missing__(self, name: str) -> V:
        home = homes(self.kind).get(name)
        if home is not None:
            importlib.import_module(home)
            if name in self:
                return self[name]
        raise KeyError(name)

    def find(self, name: str) -> V | None:
        """What is defined under a name; None where nothing is."""
        try:
            return self[name]
        except KeyError:
            return None
