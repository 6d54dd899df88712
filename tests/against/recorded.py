"""Calls that are right, to be made wrong: what the case tables call, with which arguments.

A case is a function of the library; given a stand-in that writes down what is called, it says so itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from tests import cases


@dataclass(frozen=True)
class Named:
    """A name of the library, as `float32`."""

    path: str


@dataclass(frozen=True, eq=False)
class Given:
    """An array that becomes a tensor first."""

    array: np.ndarray[Any, Any]


@dataclass
class Call:
    """A call of a public function."""

    name: str
    given: list[Any]
    named: dict[str, Any]

    def __str__(self) -> str:
        parts = [shown(x) for x in self.given] + [f"{k}={shown(x)}" for k, x in self.named.items()]
        return f"{self.name}({', '.join(parts)})"


def shown(x: Any) -> str:
    """An argument, short enough for a line."""
    if isinstance(x, Given):
        return f"{x.array.dtype.name}{list(x.array.shape)}"
    if isinstance(x, np.ndarray):
        return f"np.{x.dtype.name}{list(x.shape)}"
    if isinstance(x, Named):
        return f"tf.{x.path}"
    if isinstance(x, (list, tuple)):
        return f"[{', '.join(map(shown, x[:6]))}{', ...' if len(x) > 6 else ''}]"
    return repr(x) if len(repr(x)) < 40 else f"{repr(x)[:36]} ..."


class _Nothing:
    """What a written-down call gives: anything may be asked of it, and it is no argument for another call."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def __call__(self, *given: Any, **named: Any) -> Any:
        return self

    def __getitem__(self, key: Any) -> Any:
        return self

    def __iter__(self) -> Iterator[Any]:
        return iter((self, self))

    def _same(self, *others: Any) -> Any:
        return self

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = __matmul__ = __neg__ = __pow__ = _same


class _Writer:
    """Stands in for the library, or for a name of it."""

    def __init__(self, path: str, calls: list[Call]) -> None:
        self._path, self._calls = path, calls

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return _Writer(f"{self._path}.{name}" if self._path else name, self._calls)

    def __call__(self, *given: Any, **named: Any) -> Any:
        try:
            call = Call(self._path, [_kept(x) for x in given], {k: _kept(x) for k, x in named.items()})
        except TypeError:
            return _Nothing()
        self._calls.append(call)
        return _Nothing()

    def kept(self) -> Named:
        """As an argument."""
        return Named(self._path)


def _kept(x: Any) -> Any:
    """An argument that can be sent; TypeError where it cannot."""
    if isinstance(x, _Writer):
        return x.kept()
    if isinstance(x, (list, tuple)) and type(x) in (list, tuple):
        return type(x)(_kept(part) for part in x)
    if isinstance(x, np.generic):
        return np.asarray(x)
    if x is None or type(x) in (bool, int, float, complex, str, bytes) or isinstance(x, np.ndarray):
        return x
    raise TypeError(f"{type(x)} cannot be sent")


def calls() -> dict[str, list[Call]]:
    """The calls of the case tables, by the function's name."""
    written: list[Call] = []
    for family in cases.families():
        for case in cases.cases(family):
            if not case.beyond and all(x.size <= 400 for x in case.inputs):
                writer = _Writer("" if case.face == "v2" else "compat.v1", written)
                inputs = [np.array(x) for x in case.inputs]
                try:
                    case.f(writer, *inputs)
                except Exception:  # noqa: BLE001, S112 - a case that looks at what it computed says no more
                    continue
    found: dict[str, list[Call]] = {}
    for call in written:
        found.setdefault(call.name, []).append(call)
    return found
