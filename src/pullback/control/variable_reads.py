"""Which variables a function reads besides what it is given."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..ir.context import Recorder


class VariableReads(Recorder):
    """A recorder that only notes which variables are read."""

    active: dict[int, Any] = {}  # noqa: RUF012  # always empty: it follows no tensor

    def __init__(self) -> None:
        self.found: dict[int, Any] = {}

    def record(self, *_: Any) -> None:
        """Nodes do not matter."""

    def read(self, variable: Any) -> None:
        """Note a variable."""
        if variable.trainable:
            self.found.setdefault(id(variable), variable)

    def beyond(self, sources: Sequence[Any]) -> list[Any]:
        """The variables that are not among `sources`."""
        uids = {t.uid for t in sources}
        return [v for v in self.found.values() if v.handle.uid not in uids]
