"""The parts of a native program, as `explain` and `profile` tell of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

#: What stands for the caller among the parts that a part takes from.
ARGUMENTS = "arguments"


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
            return _count_names(self.operations)
        return " ".join(name if n == 1 else f"{n} {name}" for name, n in self.functions)

    def walk(self, depth: int = 0) -> Iterator[tuple[int, Part]]:
        """It and all that is inside, with how deep."""
        yield depth, self
        for part in self.inside:
            yield from part.walk(depth + 1)


def measure_part(part: Part, times: dict[str, tuple[float, float]], limits: Callable[..., Any]) -> Part:
    """A part with the (count, seconds) that `times` has for its name, and the limit that `limits` gives for it; all inside too."""
    inside = tuple([measure_part(p, times, limits) for p in part.inside])
    count, seconds = times.get(part.name, (None, None))
    return replace(part, inside=inside, count=count, seconds=seconds, limit=None if count is None else limits(part))


def _count_names(names: Sequence[str]) -> str:
    found = {name: names.count(name) for name in dict.fromkeys(names)}
    return " ".join(name if n == 1 else f"{n} {name}" for name, n in found.items())
