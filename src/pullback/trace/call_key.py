"""The short way through a call: a key of what is given, without binding and parting it, and results nested without a walk.

A key stands for one way of writing a call: how many arguments, which of them by name, nested how, tensors of which dtypes and shapes,
which numbers and strings.  What else may be passed (arrays, variables, objects) takes the long way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Any

from ..base import nest
from ..ir.strings import StringTensor
from ..ir.tensor import EagerTensor
from ..kernels.strings import OBJECTS

_NUMBERS = frozenset({int, float, complex, str, bytes, bool, type(None)})


def note_call(args: tuple[Any, ...], kwargs: dict[str, Any], tensors: list[EagerTensor]) -> tuple[Any, ...] | None:
    """The key of a call, its tensors put into `tensors`; None for a call that takes the long way."""
    key: list[Any] = []
    for arg in args:
        if type(arg) is EagerTensor:
            tensors.append(arg)
            value = arg.value
            key += (value.dtype, value.shape)
        elif type(arg) is StringTensor:
            tensors.append(arg)
            key += (OBJECTS, arg.dims)
        elif not _note(arg, key, tensors):
            return None
    for name, arg in kwargs.items():
        key.append(name)
        if not _note(arg, key, tensors):
            return None
    return tuple(key)


def _note(arg: Any, key: list[Any], tensors: list[EagerTensor]) -> bool:
    kind = type(arg)
    if kind is EagerTensor:
        tensors.append(arg)
        key += (arg.value.dtype, arg.value.shape)
        return True
    if kind is StringTensor:
        tensors.append(arg)
        key += (OBJECTS, arg.dims)
        return True
    if kind in _NUMBERS:
        key += (kind, arg)
        return bool(arg == arg)  # nan is no key  # noqa: PLR0124
    if kind is list or kind is tuple:
        key += (kind, len(arg))
        return all(_note(part, key, tensors) for part in arg)
    if kind is dict:
        key += (dict, *arg)
        return all(_note(part, key, tensors) for part in arg.values())
    return False


def order_of(tensors: Sequence[Any], leaves: Sequence[Any]) -> list[int] | None:
    """Where each of `leaves` stands among `tensors`; None where that cannot be told."""
    places = {id(t): i for i, t in enumerate(tensors)}
    if len(places) != len(tensors) or len(leaves) != len(tensors) or any(id(t) not in places for t in leaves):
        return None
    return [places[id(t)] for t in leaves]


def packer(structure: object, flat: Sequence[Any]) -> Callable[[Sequence[Any]], Any]:
    """What nests tensors as `structure` does.  flat: its leaves, True where a tensor comes, else None."""
    text = _write_structure(structure, iter(flat), iter(range(len(flat))))
    if text is None:
        return lambda given: _pack_structure(structure, flat, given)
    return _packer_of(text)


@lru_cache(maxsize=1024)
def _packer_of(text: str) -> Callable[[Sequence[Any]], Any]:
    found: Callable[[Sequence[Any]], Any] = eval(f"lambda given: {text}")
    return found


def _write_structure(structure: Any, flat: Iterator[Any], places: Iterator[int]) -> str | None:
    """`structure` as an expression over `given`, where it is made of plain lists, tuples and dictionaries."""
    kind = type(structure)
    if kind is list or kind is tuple:
        parts = [_write_structure(part, flat, places) for part in structure]
        inside = "".join(f"{part}, " for part in parts)
        return None if None in parts else f"[{inside}]" if kind is list else f"({inside})"
    if kind is dict:
        found = {key: _write_structure(structure[key], flat, places) for key in nest.sorted_keys(structure)}
        plain = None not in found.values() and all(type(key) in (str, int) for key in structure)
        return "{" + "".join(f"{key!r}: {found[key]}, " for key in structure) + "}" if plain else None
    if nest.is_nested(structure) or getattr(kind, "_is_composite", False):
        return None
    return f"given[{next(places)}]" if next(flat) is True else "None"


def _pack_structure(structure: Any, flat: Sequence[Any], given: Sequence[Any]) -> Any:
    rest = iter(given)
    return nest.pack_sequence_as(structure, [next(rest) if t is True else None for t in flat], expand_composites=True)
