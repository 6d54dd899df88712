"""How the programs are written down: a heading with the code and the operation that are right, and the text.

`#!` marks the line that decides.
"""

from __future__ import annotations

import itertools
import linecache
import re
from typing import Any, NamedTuple

_fresh = itertools.count(1)
HEAD = """import numpy as np
import pullback as tf
import pullback.compat.v1 as tf1
"""


class Program(NamedTuple):
    """A program, and what `why` must answer: `result` in the program is the answer."""

    name: str
    code: str | None
    operation: str | None
    text: str

    @property
    def line(self) -> int | None:
        """The line that decides, where one is marked."""
        marked = [i for i, line in enumerate(self.text.splitlines(), 1) if "#!" in line]
        return marked[0] if marked else None

    def run(self) -> dict[str, Any]:
        """The names of the program after it has run."""
        file = f"<why program {next(_fresh)}: {self.name}>"
        linecache.cache[file] = (len(self.text), None, self.text.splitlines(keepends=True), file)
        names: dict[str, Any] = {"__name__": "__main__", "__file__": file}
        exec(compile(self.text, file, "exec"), names)
        return names


_ENTRY = re.compile(r"^## (?P<name>[^:\n]+): (?P<code>[^|\n]+?)(?: \| (?P<operation>\w+))?$", re.MULTILINE)


def programs(text: str) -> list[Program]:
    """The programs of a table."""
    found = []
    heads = list(_ENTRY.finditer(text))
    for head, after in zip(heads, [*heads[1:], None], strict=True):
        body = text[head.end() : after.start() if after is not None else None].strip("\n")
        code = None if head["code"] == "None" else head["code"]
        found.append(Program(head["name"], code, head["operation"], HEAD + body + "\n"))
    return found
