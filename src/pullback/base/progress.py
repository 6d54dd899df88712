"""A bar for what takes long: after two seconds, on a terminal or in a notebook, and nowhere else unless asked for.

What is shorter pays for a look at the clock, and where nobody looks on not even that.  `PULLBACK_PROGRESS=0` turns bars off.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Collection, Iterable, Iterator
from shutil import get_terminal_size
from types import TracebackType
from typing import Any, TextIO, TypeVar

T = TypeVar("T")
#: Seconds before a bar is shown, and between two times that it is drawn.
PATIENCE, PAUSE = 2.0, 0.1


def is_watched(stream: Any = None) -> bool:
    """Whether somebody sees what is written to a stream, the standard error stream when None: on a terminal or in a notebook."""
    stream = stream or sys.stderr
    if stream is None or os.environ.get("PULLBACK_PROGRESS") == "0":
        return False
    is_closed = getattr(stream, "closed", False)  # a program may have closed it while a thread compiles
    return (not is_closed and bool(stream.isatty())) or _is_in_notebook()


def _is_in_notebook() -> bool:
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return type(shell).__name__ == "ZMQInteractiveShell"


class Progress:
    """A bar for a task: `advance` it, and `end` it, or use it as a block.

    what: the task.  total: how many steps it has, where that is known: then the bar has an estimate.  unit: what the steps are; None for
    a task without any, of which the time that it has taken is shown.
    wanted: True for a bar at once and on any stream, False for none; when None, as the head of this file says.  begun: when it began
    (`time.monotonic`), if not now.
    """

    def __init__(
        self, what: str, total: int | None = None, wanted: bool | None = None, unit: str | None = "", stream: TextIO | None = None,
        begun: float | None = None,
    ) -> None:  # fmt: skip
        self._what, self._total, self._unit, self._stream = what, total, unit, stream or sys.stderr
        self._is_shown = is_watched(stream) if wanted is None else wanted
        self._begun = time.monotonic() if begun is None else begun
        self._due = self._begun + (PATIENCE if wanted is None else 0.0)
        self._count = 0
        self._bar: Any = None

    def advance(self, steps: int = 1, value: object = None) -> None:
        """So many steps more are done.  value: a number to show beside them."""
        self.reach(self._count + steps, value)

    def reach(self, count: int, value: object = None, total: int | None = None) -> None:
        """So many steps are done in all.  total: how many there are, by a new estimate."""
        self._count, self._total = count, self._total if total is None else total
        if self._is_shown and (now := time.monotonic()) >= self._due:
            self._due = now + PAUSE
            self._draw(value)

    def _draw(self, value: Any) -> None:
        if self._bar is None:
            self._bar = _bar(self._what, self._total, self._unit, self._stream, self._begun)
        self._bar.n, self._bar.total = self._count, self._total
        if value is not None:
            self._bar.set_postfix_str(f"value {float(value):.6g}", refresh=False)
        self._bar.refresh()

    def end(self) -> None:
        """Leave the last line standing."""
        if self._bar is not None:
            self._bar.close()
            self._bar = None

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.end()


def _bar(what: str, total: int | None, unit: str | None, stream: TextIO, begun: float) -> Any:
    from tqdm import tqdm

    without_thread = type("Bar", (tqdm,), {"monitor_interval": 0})
    # a terminal that does not know its size gets the usual one
    columns, lines = get_terminal_size() if stream.isatty() else (None, None)
    bar = without_thread(
        desc=what, total=total, unit=f" {unit}", unit_scale=unit == "B", file=stream, delay=1e-9, ncols=columns, nrows=lines,
        bar_format="{desc}: {elapsed}" if unit is None else None,
    )  # fmt: skip
    bar.start_t -= time.monotonic() - begun
    return bar


def show_progress(things: Collection[T], what: str, unit: str = "") -> Iterable[T]:
    """`things`, one after the other, with a bar."""
    return _follow(things, what, unit) if is_watched() and len(things) > 1 else things


def _follow(things: Collection[T], what: str, unit: str) -> Iterator[T]:
    with Progress(what, len(things), unit=unit) as bar:
        for thing in things:
            yield thing
            bar.advance()
