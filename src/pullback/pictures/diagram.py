"""What a picture is of: boxes with words, in scopes, and arrows between them."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, field
from typing import NamedTuple

#: The longest label, in characters; of a longer one the middle is left out.
_LONGEST = 30


@dataclass(slots=True)
class Leaf:
    """One box that holds no others.

    label: the words in it.  scope: the names of the groups that it is in, the outermost first.  kind: `operation`, `source`, `constant`,
    `passed` (no gradient goes through it) or `broken`.  note: the words on the arrows that leave it.  hover: what the pointer shows.
    sentence: what stands below it in red.
    """

    label: str
    scope: tuple[str, ...] = ()
    kind: str = "operation"
    note: str = ""
    hover: str = ""
    sentence: str = ""


class Arrow(NamedTuple):
    """An arrow from one leaf to another, by number.  gradient: the norm of what comes back along it, None where that is not known."""

    start: int
    end: int
    hover: str = ""
    gradient: float | None = None


@dataclass(slots=True)
class Diagram:
    """Leaves in an order they can run in, and the arrows between them."""

    title: str
    leaves: list[Leaf] = field(default_factory=list)
    arrows: list[Arrow] = field(default_factory=list)


def shorten(text: str, longest: int = _LONGEST) -> str:
    """A text in one line, the middle left out where it is long."""
    text = " ".join(text.split())
    if len(text) <= longest:
        return text
    end = (longest - 1) // 2
    return f"{text[: longest - 1 - end]}…{text[-end:]}"


def columns(text: str) -> int:
    """How many columns of a font of one width a text takes."""
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 0 if unicodedata.combining(c) else 1 for c in text)
