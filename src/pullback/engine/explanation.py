"""What `explain` and `profile` answer: a native program as a tree of parts, printed as a table.

Bytes are those of the distinct elements that a part reads and writes, once each.  Operations are additions and the like as one each, and
functions such as `exp` or a division as ten.  A part's limit is the least time that this machine could take for them: its measured copy
speed for so many bytes, or its measured peak of fused multiply-adds, whichever is longer.
"""

from __future__ import annotations

import html
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from ..base.figures import show_amount, show_seconds
from ..base.lazy_import import LateModule
from ..ir.drawable import Drawn

if TYPE_CHECKING:
    from ..pictures.diagram import Diagram
    from . import program_picture
else:
    program_picture = LateModule("pullback.engine.program_picture")

#: What stands for the caller among the parts that a part takes from.
ARGUMENTS = "arguments"
#: Seconds below which a part mostly starts and ends, so that its distance from the limit says nothing.
_TOO_SHORT = 1e-6


@dataclass(frozen=True)
class LoopShape:
    """A loop of a kernel: how many turns, whether it reduces, and how many elements a vector takes and how many vectors a turn."""

    size: int
    reduces: bool = False
    lanes: int = 1
    vectors: int = 1

    def __str__(self) -> str:
        wide = f"/{self.lanes}" if self.lanes > 1 else ""
        wide += f"x{self.vectors}" if self.vectors > 1 else ""
        return f"{'over ' if self.reduces else ''}{self.size}{wide}"


@dataclass(frozen=True)
class Part:
    """A part of a native program.

    kind: "kernel", "product", "scatter", "loop", "branch", "call" (of an operation's NumPy kernel) or what else a step is called.
    operations: the graph's operations whose results it computes.  functions: the scalar functions fused in its loops, with their counts.
    sizes: of a product (stack, rows, columns, summed over).  reason: why it is a call.  inside: the parts of a loop or a branch.
    takes: the names of the parts whose results it reads, "arguments" for the caller's.  gives: whether the caller gets something of it.
    count, seconds: how often it ran in a run, and for how long in all, by the shortest of the times; limit: the least time for one.  These
    are None without a profile.
    """

    kind: str
    name: str
    operations: tuple[str, ...] = ()
    functions: tuple[tuple[str, int], ...] = ()
    loops: tuple[LoopShape, ...] = ()
    sizes: tuple[int, ...] = ()
    read: int = 0
    written: int = 0
    flops: int = 0
    dtype: str = ""
    reason: str | None = None
    inside: tuple[Part, ...] = ()
    takes: tuple[str, ...] = ()
    gives: bool = False
    count: float | None = None
    seconds: float | None = None
    limit: float | None = None

    @property
    def each(self) -> float | None:
        """Seconds for one time."""
        return None if self.seconds is None or not self.count else self.seconds / self.count

    @property
    def bytes_a_second(self) -> float | None:
        """Bytes read and written a second."""
        return (self.read + self.written) / self.each if self.each and self.read + self.written else None

    @property
    def flops_a_second(self) -> float | None:
        """Operations a second."""
        return self.flops / self.each if self.each and self.flops else None

    @property
    def of_limit(self) -> float | None:
        """How many times the limit it takes; 1 is the best there can be."""
        return None if not self.each or not self.limit else self.each / self.limit

    @property
    def shape(self) -> str:
        """Its loops or sizes in short."""
        if self.sizes:
            batch, *sizes = self.sizes
            return ("" if batch == 1 else f"{batch} of ") + " x ".join(map(str, sizes))
        return ", ".join(map(str, self.loops))

    @property
    def what(self) -> str:
        """What it does in short."""
        if self.reason is not None:
            return f"{', '.join(self.operations)}: {self.reason}"
        if self.operations:
            return _counted(self.operations)
        return " ".join(name if n == 1 else f"{n} {name}" for name, n in self.functions)

    def walk(self, depth: int = 0) -> Iterator[tuple[int, Part]]:
        """It and all that is inside, with how deep."""
        yield depth, self
        for part in self.inside:
            yield from part.walk(depth + 1)


@dataclass(frozen=True)
class Explanation(Drawn):
    """A function's, or a session run's, native program for one set of shapes; `print` shows a table, `to_svg` and `to_html` a picture.

    native: whether there is one.  reason: why there is none, or not more of it.  parts: in the order in which they run.
    in_use: whether such a program has been made by now for calls.  runs, seconds: of the profile, and the shortest run; None without.
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


def measured(part: Part, times: dict[str, tuple[float, float]], limits: Callable[..., Any]) -> Part:
    """A part with the (count, seconds) that `times` has for its name, and the limit that `limits` gives for it; all inside too."""
    inside = tuple([measured(p, times, limits) for p in part.inside])
    count, seconds = times.get(part.name, (None, None))
    return replace(part, inside=inside, count=count, seconds=seconds, limit=None if count is None else limits(part))


def _counted(names: Sequence[str]) -> str:
    found = {name: names.count(name) for name in dict.fromkeys(names)}
    return " ".join(name if n == 1 else f"{n} {name}" for name, n in found.items())


def _table(head: list[str], *rows: list[str]) -> list[str]:
    """Rows as lines of columns, the first three to the left, the others to the right."""
    limit = 60
    cut = [[cell if len(cell) <= limit or i != 2 else cell[: limit - 3] + "..." for i, cell in enumerate(row)] for row in (head, *rows)]
    widths = [max(len(row[i]) for row in cut) for i in range(len(head))]
    sides = [str.ljust] * 3 + [str.rjust] * (len(head) - 3)
    return ["  ".join(put(c, w) for put, c, w in zip(sides, row, widths, strict=True)).rstrip() for row in cut]
