"""What the picture of a tape shows: what it recorded, in groups by the function of the program that asked for it."""

from __future__ import annotations

from collections import Counter
from types import CodeType
from typing import Any

from ..ir.node import place_of
from ..ir.picture import Sketch
from ..pictures.diagram import Diagram
from .recording import Recording


def picture_of_recording(recording: Recording) -> Diagram:
    """A diagram of the nodes that a tape took, and of the sources that it watches."""
    sketch = Sketch(f"a tape with {len(recording.nodes)} operations")
    for uid in recording.sources:
        if uid in recording.active:
            name, shown = _source_of(recording, uid)
            sketch.add_source((0, uid), name, shown)
    sketch.add_nodes(recording.nodes, scope_of=Functions(recording.source[0] if recording.source is not None else None))
    return sketch.diagram


def _source_of(recording: Recording, uid: int) -> tuple[str, Any]:
    """What to call a source, and the thing with its type."""
    for variable in recording.variables.values():
        if variable.handle.uid == uid:
            return str(variable.name).removesuffix(":0"), variable
    return "watched", recording.active[uid]


class Functions:
    """Groups for nodes: each run of operations asked for by one function of the program, other than the one with the tape, is a group."""

    def __init__(self, outermost: CodeType | None) -> None:
        self._outermost, self._last = outermost, outermost
        self._scope: tuple[str, ...] = ()
        self._times: Counter[str] = Counter()

    def __call__(self, node: Any) -> tuple[str, ...]:
        """The groups of the next node."""
        code = node.source[0] if getattr(node, "source", None) is not None else self._outermost
        if code is not self._last:
            self._last = code
            name = "" if code in (None, self._outermost) else place_of(node.source)[2]
            self._times[name] += 1
            self._scope = () if not name or name.startswith("<") else (f"{name}_{self._times[name]}",)
        return self._scope
