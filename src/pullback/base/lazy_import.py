"""Modules of ours that few programs reach, imported when first asked for one of their names.

Type checkers see the import itself:

    if TYPE_CHECKING:
        from . import jacobians
    else:
        jacobians = LazyModule("pullback.api.jacobians")
"""

from __future__ import annotations

import importlib
from typing import Any


class LazyModule:
    """Stands for a module that is imported when first asked for a name.

    Its functions and classes are remembered; a setting is read from the module each time, because it may have changed.
    """

    def __init__(self, name: str) -> None:
        self.__name__ = name

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(f"{self.__name__} is not asked for {name!r} before it is imported", name=name)
        value = getattr(importlib.import_module(self.__name__), name)
        if callable(value):
            setattr(self, name, value)
        return value
