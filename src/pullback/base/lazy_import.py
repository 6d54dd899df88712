"""Modules that few programs reach, imported when first asked for one of their names; and packages that are imported whole or not at all.

Type checkers see the import itself:

    if TYPE_CHECKING:
        from . import jacobians
    else:
        jacobians = LazyModule("pullback.api.jacobians")
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any


class LazyModule:
    """Stands for a module that is imported when first asked for a name.

    Its functions and classes are remembered; a setting is read from the module each time, because it may have changed.
    """

    def __init__(self, name: str) -> None:
        self.__name__ = name
        self.__module: ModuleType | None = None

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(f"{self.__name__} is not asked for {name!r} before it is imported", name=name)
        if self.__module is None:
            self.__module = importlib.import_module(self.__name__)
        value = getattr(self.__module, name)
        if callable(value):
            setattr(self, name, value)
        return value


@contextmanager
def undo_broken_imports(package: str) -> Iterator[None]:
    """Imports of a package whose modules import one another in circles: where they are broken off, by Ctrl-C say, the next try begins anew.

    Python forgets the modules that it was in the middle of, and keeps others, which have lost those that they came from.
    """
    before = set(sys.modules)
    try:
        yield
    except BaseException:
        for name in set(sys.modules) - before:
            if name.partition(".")[0] == package:
                del sys.modules[name]
        raise
