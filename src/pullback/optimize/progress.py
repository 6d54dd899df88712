"""A line that tells how a long run is going, on a terminal and nowhere else unless asked for."""

from __future__ import annotations

import sys
import time
from typing import Any, TextIO


class Progress:
    """One line on the standard error stream, written over again and again: evaluations, the value, the time.

    wanted: True, False, or None for a line that comes after two seconds and on a terminal only.
    """

    PATIENCE = 2.0
    PAUSE = 0.1

    def __init__(self, name: str, wanted: bool | None, stream: TextIO | None = None) -> None:
        self.name = name
        self.stream = stream or sys.stderr
        self.wanted = self.stream.isatty() if wanted is None else wanted
        self.begun = time.monotonic()
        self.next = self.begun + (self.PATIENCE if wanted is None else 0.0)
        self.count = 0
        self.width = 0

    def tell(self, value: Any) -> None:
        """One more evaluation, with this value."""
        self.count += 1
        now = time.monotonic()
        if self.wanted and now >= self.next:
            self.next = now + self.PAUSE
            self._write(f"{self.name}: {self.count} evaluations, value {float(value):.6g}, {now - self.begun:.1f} s")

    def end(self) -> None:
        """Leave the last line standing."""
        if self.width:
            self.stream.write("\n")
            self.stream.flush()
            self.width = 0

    def _write(self, line: str) -> None:
        self.stream.write("\r" + line.ljust(self.width))
        self.stream.flush()
        self.width = len(line)
