"""What `explain` and `profile` answer: a native program as a tree of parts, printed as a table.

Bytes are those of the distinct elements that a part reads and writes, once each.  Operations are additions and the like as one each, and
functions such as `exp` or a division as ten.  A part's limit is the least time that this machine could take for them: its measured copy
speed for so many bytes, or its measured peak of fused multiply-adds, whichever is longer.
"""

from __future__ import annotations

import html
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ..base.figures import show_amount, show_seconds
from ..base.lazy_import import LazyModule
from ..ir.drawable import Drawn
from .parts import Part

if TYPE_CHECKING:
    from ..pictures.diagram import Diagram
    from . import program_picture
else:
    program_picture = LazyModule("pullback.engine.program_picture")

#: Seconds below which a part mostly starts and ends, so that its distance from the limit says nothing.
_TOO_SHORT = 1e-6


@dataclass(frozen=True)
class Explanation(Drawn):
    """A function's, or a session run's, native program for one set of shapes; `print` shows a table, `to_svg` and `to_html` a picture.

    native: whether there is one.  reason: why there is none, or not more of it.  parts: in the order in which they run.
    in_use: whether such a program has been made by now for calls.  baseline: whether it runs baseline code until there is optimised code.
    runs, seconds: of the profile, and the shortest run; None without.
    compiling: the seconds that making it took, by stage: of the one in use, else of the one that was made to explain it.
    """

    name: str
    native: bool
    reason: str | None = None
    parts: tuple[Part, ...] = ()
    in_use: bool = False
    runs: int | None = None
    seconds: float | None = None
    trace: Any = field(default=None, repr=False, compare=False)
    compiling: Mapping[str, float] = field(default_factory=dict)
    baseline: bool = False

    def all_parts(self) -> list[Part]:
        """The parts, those inside loops and branches too, in the order in which they are printed."""
        return [part for whole in self.parts for _, part in whole.walk()]

    def __str__(self) -> str:
        return "\n".join([*self._head(), *_table(*self._rows())]) if self.parts else "\n".join(self._head())

    def _repr_html_(self) -> str:
        head, *rows = self._rows() if self.parts else ([""],)
        cells = ["".join(f"<{tag}>{html.escape(c)}</{tag}>" for c in row) for tag, row in [("th", head), *(("td", r) for r in rows)]]
        table = "".join(f"<tr>{row}</tr>" for row in cells) if self.parts else ""
        picture = super()._repr_html_() if self.parts else ""
        return f"<p>{'<br>'.join(html.escape(line) for line in self._head())}</p><table>{table}</table>{picture}"

    def _diagram(self) -> Diagram:
        if not self.parts:
            raise ValueError(f"there is no program to draw: {self._head()[0]}")
        return program_picture.picture_of_program(self)

    def write_chrome_trace(self, path: str | os.PathLike[str]) -> None:
        """Write what a profile recorded as a file that chrome://tracing and ui.perfetto.dev open.

        Raises ValueError where nothing was profiled.
        """
        if self.trace is None:
            raise ValueError("there is no trace: `explain` runs nothing, `profile` does, and needs a native program")
        self.trace.write_chrome_trace(path)

    def _head(self) -> list[str]:
        if not self.native:
            return [f"{self.name}: on NumPy kernels, because {self.reason}"]
        kinds = [part.kind for part in self.all_parts()]
        summary = ", ".join(f"{kinds.count(kind)} {kind}{'s' if kinds.count(kind) > 1 else ''}" for kind in dict.fromkeys(kinds))
        head = [f"{self.name}: {summary or 'nothing to compute'}{'' if self.in_use else ' (not in use yet)'}"]
        if self.runs is not None:
            head[0] += f"; {show_seconds(self.seconds)} a run, the shortest of {self.runs}"
        if self.compiling:
            stages = sorted(self.compiling.items(), key=lambda item: -item[1])
            listed = ", ".join(f"{stage} {show_seconds(seconds)}" for stage, seconds in stages)
            head.append(f"compiled in {show_seconds(sum(self.compiling.values()))}: {listed}")
        if self.baseline:
            head.append("runs baseline code until optimised code has been made in the background")
        return [*head, f"not all of it is native: {self.reason}"] if self.reason else head

    def _rows(self) -> list[list[str]]:
        timed = self.runs is not None
        rows = [["part", "loops", "computes", "read", "written", "ops", *(["times", "time", "GB/s", "Gop/s", "of limit"] if timed else [])]]
        for whole in self.parts:
            for depth, part in whole.walk():
                row = ["  " * depth + part.kind, part.shape, part.what]
                row += [show_amount(n, "B") if part.kind != "call" else "" for n in (part.read, part.written)]
                row.append(show_amount(part.flops, ""))
                if timed:
                    speeds = ["" if v is None else f"{v / 1e9:.3g}" for v in (part.bytes_a_second, part.flops_a_second)]
                    times = "" if part.count is None else f"{part.count:g}"
                    far = "" if part.of_limit is None or (part.each or 0.0) < _TOO_SHORT else f"{part.of_limit:.1f}x"
                    row += [times, show_seconds(part.seconds), *speeds, far]
                rows.append(row)
        return rows


def _table(head: list[str], *rows: list[str]) -> list[str]:
    """Rows as lines of columns, the first three to the left, the others to the right."""
    limit = 60
    cut = [[cell if len(cell) <= limit or i != 2 else cell[: limit - 3] + "..." for i, cell in enumerate(row)] for row in (head, *rows)]
    widths = [max(len(row[i]) for row in cut) for i in range(len(head))]
    sides = [str.ljust] * 3 + [str.rjust] * (len(head) - 3)
    return ["  ".join(put(c, w) for put, c, w in zip(sides, row, widths, strict=True)).rstrip() for row in cut]
