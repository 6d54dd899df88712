"""A module's text as several modules, for two processors to compile at once.

A program is one function that calls its kernels, each a function of its own; kernels call helpers, the functions of mathematics above all.
Where helpers are long they are a module, which is linked first.  Half of the kernels, by their length, go into the next; the last has the
rest, and calls the others where they are.  What is inlined, and tables, stand wherever they are needed.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping

#: The characters below which two modules take as long as one, and those below which another one is not worth its while.
_LEAST, _LEAST_MOVED = 10_000, 4_000
#: Compiled when there is a text that is long enough.
_HELD = r'(?ms)^(?:define [^@\n]*@"?([\w.]+).*?^\}|(?:declare [^@\n]*)?@"?([\w.]+)[^\n]*)$'
_NAME = r'@"?([\w.]+)'
_KERNEL = r"define internal (void @\S+\(ptr) \S+ (i64) \S+\)\n"
_HELPER = r"define internal [^\n]* noinline\n"
_FUNCTION, _NAMED = r"define internal ([^(\n]*)\(([^)\n]*)\)", r" %[^\s,]+"
_INTERNAL = r"define internal |\S+ = internal "
_ELSEWHERE = r"declare |\S+ = external "


def split(text: str) -> list[str]:
    """The text's modules, in the order in which they are linked: one where two would gain nothing."""
    if len(text) < _LEAST:
        return [text]
    held = {found[1] or found[2]: found[0] for found in re.finditer(_HELD, text)}
    reads = {name: set(re.findall(_NAME, code)) for name, code in held.items()}
    entries = [name for name, code in held.items() if not re.match(_INTERNAL, code) and not re.match(_ELSEWHERE, code)]
    kernels = [name for name, code in held.items() if re.match(_KERNEL, code)]
    helpers = {name for name, code in held.items() if re.match(_HELPER, code) and name not in kernels}
    head = text[: text.index(next(iter(held.values())))]
    modules, given = [], dict[str, str]()
    for moved in (helpers, _choose_half(kernels, entries, held)):
        there = _find_reached(moved, reads, given)
        if sum(len(held[name]) for name in moved) > _LEAST_MOVED and there.isdisjoint(entries):
            shown = {name: held[name].replace("internal ", "", 1) for name in moved}
            modules.append([(held | shown | given)[name] for name in held if name in there])
            given |= {name: _declare(held[name]) for name in moved}
    modules.append([(held | given)[name] for name in held if name in _find_reached(entries, reads, given)])
    return ["\n".join([head, *module, ""]) for module in modules] if given else [text]


def _choose_half(kernels: Iterable[str], entries: Iterable[str], held: Mapping[str, str]) -> set[str]:
    """The kernels that make about half of the text: the longest first, each to where less is."""
    here, there = sum(len(held[name]) for name in entries), 0
    moved = set()
    for name in sorted(kernels, key=lambda name: -len(held[name])):
        if there < here:
            there += len(held[name])
            moved.add(name)
        else:
            here += len(held[name])
    return moved


def _find_reached(names: Iterable[str], reads: Mapping[str, set[str]], given: Container[str]) -> set[str]:
    """What is held of the names and of all that they read, and so on; what is given reads nothing."""
    found, left = set(), [*names]
    while left:
        name = left.pop()
        if name in reads and name not in found:
            found.add(name)
            left.extend(() if name in given else reads[name])
    return found


def _declare(code: str) -> str:
    """The declaration of a function."""
    found = re.match(_FUNCTION, code)
    assert found is not None
    return f"declare {found[1]}({re.sub(_NAMED, '', found[2])})"
