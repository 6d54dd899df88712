"""A module's text as two modules, for two processors to compile at once.

A program is one function that calls its kernels, each a function of its own.  Half of the kernels, by their length, go into a module that
is linked first; the other has the rest, and calls them where they are.  Helpers and tables that both need stand in both.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

#: The characters below which two modules take as long as one, and a second one is not worth its while.
_LEAST, _LEAST_MOVED = 16_000, 4_000
#: Compiled when there is a text that is long enough.
_HELD = r'(?ms)^(?:define [^@\n]*@"?([\w.]+).*?^\}|(?:declare [^@\n]*)?@"?([\w.]+)[^\n]*)$'
_NAME = r'@"?([\w.]+)'
_KERNEL = r"define internal (void @\S+\(ptr) \S+ (i64) \S+\)\n"
_INTERNAL = r"define internal |\S+ = internal "
_ELSEWHERE = r"declare |\S+ = external "


def split(text: str) -> list[str]:
    """The text's modules, in the order in which they are linked: one where two would gain nothing."""
    if len(text) < _LEAST:
        return [text]
    held = {found[1] or found[2]: found[0] for found in re.finditer(_HELD, text)}
    reads = {name: set(re.findall(_NAME, code)) for name, code in held.items()}
    entries = [name for name, code in held.items() if not re.match(_INTERNAL, code) and not re.match(_ELSEWHERE, code)]
    moved = _choose_half([name for name, code in held.items() if re.match(_KERNEL, code)], entries, held)
    there = _find_reached(moved, reads)
    if not moved or not there.isdisjoint(entries):
        return [text]
    here = _find_reached(entries, {name: set() if name in moved else found for name, found in reads.items()})
    head = [text[: text.index(next(iter(held.values())))]]
    kernels = [code.replace("internal ", "", 1) if name in moved else code for name, code in held.items() if name in there]
    rest = [_declare_kernel(code) if name in moved else code for name, code in held.items() if name in here]
    return ["\n".join([*head, *kernels, ""]), "\n".join([*head, *rest, ""])]


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
    return moved if there > _LEAST_MOVED else set()


def _find_reached(names: Iterable[str], reads: Mapping[str, set[str]]) -> set[str]:
    """What is held of the names and of all that they read, and so on."""
    found, left = set(), [*names]
    while left:
        name = left.pop()
        if name in reads and name not in found:
            found.add(name)
            left.extend(reads[name])
    return found


def _declare_kernel(code: str) -> str:
    """A kernel's declaration."""
    kernel = re.match(_KERNEL, code)
    assert kernel is not None
    return kernel.expand(r"declare \1, \2)")
