"""`tensorflow.python.util.tf_export`: marks of a library's public names, by which saved models name its classes.

A name lasts as long as the library: what it marks are its own functions and classes, which it holds for good too.
"""

from __future__ import annotations

import sys
from typing import Any, TypeVar

from .decorators import unwrap

T = TypeVar("T")

_symbols: dict[str, Any] = {}
_NAMES = "_{}_api_names"


class tf_export:  # it is called as a function
    """The mark of a public name.

    >>> @keras_export("keras.layers.Twice", v1=[])
    ... class Twice:
    ...     pass
    >>> get_canonical_name_for_symbol(Twice, "keras"), get_symbol_from_name("keras.layers.Twice") is Twice
    ('keras.layers.Twice', True)
    """

    _api = "tensorflow"

    def __init__(self, *names: str, v1: Any = None, allow_multiple_exports: bool = True, api_name: str = "", **kwargs: Any) -> None:
        self._names, self._older = names, names if v1 is None else tuple(v1)
        self._api = api_name or self._api

    def __call__(self, symbol: T) -> T:
        """Take down the names of a function or a class, and give it back."""
        inner = unwrap(symbol)[1]
        names = self._names + tuple(name for name in self._older if name not in self._names)
        if hasattr(inner, "__dict__"):
            setattr(inner, _NAMES.format(self._api), names)
            setattr(inner, _NAMES.format(self._api) + "_v1", self._older)
        _symbols.update(dict.fromkeys(names, symbol))
        return symbol

    def export_constant(self, module_name: str, name: str) -> None:
        """Take down the names of a module's constant."""
        _symbols.update(dict.fromkeys(self._names, getattr(sys.modules[module_name], name, None)))


class keras_export(tf_export):
    """`tf_export` for the names of Keras."""

    _api = "keras"


def get_symbol_from_name(name: str) -> Any:
    """What has a public name; None where nothing has."""
    return _symbols.get(name)


def get_canonical_name_for_symbol(symbol: object, api_name: str = "tensorflow", add_prefix_to_v1_names: bool = False) -> str | None:
    """The first of the public names of a function or a class; None where it has none."""
    names: tuple[str, ...] = vars(unwrap(symbol)[1]).get(_NAMES.format(api_name), ()) if hasattr(symbol, "__dict__") else ()
    return names[0] if names else None
