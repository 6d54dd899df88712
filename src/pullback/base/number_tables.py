"""Numbers that a script computed: a text file beside the module that names them, where each line is a row with its name before it."""

from __future__ import annotations

from functools import cache


@cache
def _rows(module: str) -> dict[str, list[tuple[float, ...]]]:
    found: dict[str, list[tuple[float, ...]]] = {}
    with open(f"{module.removesuffix('.py')}.txt", encoding="utf-8") as file:
        for name, *numbers in map(str.split, file):
            found.setdefault(name, []).append(tuple(map(float, numbers)))
    return found


def rows_of(module: str, name: str) -> list[tuple[float, ...]]:
    """The rows of a name in the text file beside a module, which is given by its `__file__`; an AttributeError where there are none."""
    try:
        return _rows(module)[name]
    except KeyError:
        raise AttributeError(f"{module} has no table {name!r}", name=name) from None


def text_of(rows: dict[str, list[tuple[float, ...]]]) -> str:
    """What such a file says."""
    return "".join(f"{name} {' '.join(repr(float(n)) for n in numbers)}\n" for name, lines in rows.items() for numbers in lines)
