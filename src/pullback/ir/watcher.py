"""`Watcher`: a recorder that looks at values and takes part in nothing.

Sweeps and calls run as if it were not there, at their full speed, and it is told of them as a whole.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .context import Context, Recorder, current


class Watcher(Recorder):
    """Who is told what operations, sweeps and calls gave."""

    def __init__(self) -> None:
        self.active: dict[int, Any] = {}  # always empty: it follows no tensor

    def record(self, op: Any, inputs: tuple[Any, ...], attrs: dict[str, Any], outputs: tuple[Any, ...], node: Any) -> None:
        """An operation has run, or a node was made."""

    def read(self, variable: Any) -> None:
        """A variable was read."""

    def swept(
        self, nodes: Sequence[Any], ys: Sequence[Any], gs: Sequence[Any], xs: Sequence[Any], active: Any, found: Sequence[Any]
    ) -> None:  # fmt: skip
        """A reverse sweep over a tape's nodes gave `found`."""

    def ran(self, body: Any, values: Sequence[Any], answers: Sequence[Any], before: Sequence[tuple[Any, Any]], run: Any) -> None:
        """A body (or a session's plan) ran on arrays.  before: storages that it may write, and what they had.  run: for another run."""


def watchers() -> list[Watcher]:
    """Those who watch now."""
    return [r for r in current().recorders if isinstance(r, Watcher)]


def without(found: Sequence[Watcher]) -> Context:
    """The current context without some watchers."""
    context = current()
    return Context(context.graph, tuple([r for r in context.recorders if r not in found]))
