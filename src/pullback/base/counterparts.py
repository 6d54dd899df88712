"""The names that TensorFlow's classes have: libraries tell tensors and data sets by the module and name of their class.

While `import tensorflow` gives Pullback, its classes are called as TensorFlow's, also those that are loaded later; else as they are here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

C = TypeVar("C", bound=type)

_known: list[tuple[type, str]] = []


class _Served:
    on = False


def name_class(path: str) -> Callable[[C], C]:
    """A class that TensorFlow has as `tensorflow.python.<path>`."""

    def note(kind: C) -> C:
        _known.append((kind, path))
        if _Served.on:
            _rename(kind, path)
        return kind

    return note


def take_names() -> None:
    """From now on classes are called as TensorFlow's."""
    _Served.on = True
    for kind, path in _known:
        _rename(kind, path)


def _rename(kind: type, path: str) -> None:
    module, _, name = path.rpartition(".")
    kind.__module__, kind.__name__, kind.__qualname__ = f"tensorflow.python.{module}", name, name
