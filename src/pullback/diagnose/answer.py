"""`Why`: the answer to one question about a gradient, as text, as a page, and with what a program may read of it."""

from __future__ import annotations

import html
import os
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from ..base.export import export
from ..base.garbage import pause_collection
from ..ir.drawable import Drawn
from ..pictures.diagram import Diagram
from ..transforms.provenance import Provenance
from .picture import picture_of_why
from .place import Place, Question
from .sums import Flow, Share, Sum, flow_of, shares_of, summary_of, sums_of
from .traced import Trace, norm_of

NO_VALUES = (
    "a graph has numbers when a session runs it: ask in the block of a session or give session=, and feed_dict= for its placeholders; or "
    "ask pullback.why(function, xs) for a function and its arguments"
)


@export(ours="Why")
class Why(Drawn):
    """What became of one gradient, or why there is none.

    connected: whether there is a gradient.  gradient: it, as `gradient` returns it, or None.  code: the cause, where it is None or all
    zeros.  operation, file, line: the place that decides.  message: the sentence.  remedy: what to write instead.  breaks: all the places
    where ways from the targets to the source end, the nearest to the targets first.

    >>> x = tf.Variable(2.0)
    >>> with tf.GradientTape() as tape:
    ...     y = tf.stop_gradient(x)
    >>> found = tf.why(y, x, tape)
    >>> found.connected, found.gradient, found.code, found.operation
    (False, None, 'stop_gradient', 'StopGradient')
    """

    def __init__(
        self,
        question: Question,
        gradient: Any,
        places: Sequence[Place],
        found: Callable[[], Provenance],
        trace: Callable[[], Trace] | None,
        missing: Exception | None = None,
    ) -> None:
        self._question, self._sweep, self._found = question, trace, found
        #: Of a graph that was not run: why there are no numbers.
        self._missing = missing or ValueError(NO_VALUES)
        self.gradient = gradient
        self.breaks = list(places)

    @property
    def connected(self) -> bool:
        """Whether there is a gradient at all."""
        return self.gradient is not None

    @cached_property
    def _place(self) -> Place | None:
        return self.breaks[0] if self.breaks else None

    @property
    def code(self) -> str | None:
        """The cause, in a word or two; None where nothing is wrong."""
        return self._place.code if self._place is not None else None

    @property
    def file(self) -> str | None:
        """The file of the place that decides."""
        return self._place.file if self._place is not None else None

    @property
    def line(self) -> int | None:
        """The line of the place that decides."""
        return self._place.line if self._place is not None else None

    @property
    def operation(self) -> str | None:
        """The type of the operation that decides, as TensorFlow calls it."""
        return self._place.operation if self._place is not None else None

    @property
    def message(self) -> str:
        """The answer as a sentence."""
        if self._place is not None:
            return self._place.message
        if self._sweep is None:
            return f"there is a way for it. Its numbers are not known: {str(self._missing).splitlines()[0]}"
        return "it has a finite number for every element."

    @property
    def remedy(self) -> str | None:
        """What to write instead, where something is wrong."""
        return self._place.remedy if self._place is not None else None

    @property
    def provenance(self) -> Provenance:
        """The operations behind the targets: those that the tape took and those that it did not."""
        return self._found()

    @property
    def trace(self) -> Trace:
        """The sweep with all its terms; in a graph that was not run, what kept it from running is raised."""
        if self._sweep is None:
            raise self._missing
        return self._sweep()

    @cached_property
    def sums(self) -> list[Sum]:
        """Every place where terms were added up to the gradient: (what, number, file, line)."""
        return sums_of(self.trace, self._found, self._question.source) if self.connected else []

    def shares(self) -> list[Share]:
        """What each use of the source contributes, for each of the targets: together the gradient, to rounding."""
        return shares_of(self.trace) if self.connected else []

    @cached_property
    def flow(self) -> list[Flow]:
        """The norm of the cotangent at each operation on the way, from the targets to the source."""
        return flow_of(self.trace)

    @pause_collection()
    def __str__(self) -> str:
        what = "None" if self.gradient is None else "there"
        if self._place is not None and self.gradient is not None:
            what = "not finite" if self.code == "not finite" else "all zeros"
        lines = [f"The gradient of {self._question.target} with respect to {self._question.source} is {what}: {self.message}"]
        if self.line is not None:
            lines.append(f"  at {self.file}:{self.line}" + (f" ({self.operation})" if self.operation else ""))
        if self.remedy:
            lines.append(f"  Instead: {self.remedy}.")
        lines += [f"  Also: {said}" for said in dict.fromkeys(other.message for other in self.breaks[1:]) if said != self.message]
        if self.connected and self._sweep is not None and not self.breaks:
            told = summary_of(self.trace, lambda: self.flow, norm_of(self.gradient))
            lines += [f"  {told}"] if told is not None else []
            said = {"elements of y": f"elements of {self._question.target}", "several ys": "targets"}
            added = Counter(f"{one.number} {said.get(one.what, one.what)} (line {one.line}" for one in self.sums)
            lines += [f"  Added up: {one}{f', {count} times' if count > 1 else ''})." for one, count in added.items()]
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"<Why {self.code or 'connected'}: {self.message}>"

    def to_html(self, path: str | os.PathLike[str] | None = None) -> str:
        """The answer and its picture as a page, whose groups fold and unfold by a click; written to `path` too where one is given."""
        page = super().to_html().replace("<body>", f"<body>{self._write_html()}", 1)
        if path is not None:
            Path(path).write_text(page, encoding="utf-8")
        return page

    def _repr_html_(self) -> str:
        return self._write_html() + super()._repr_html_()

    def _write_html(self) -> str:
        return f'<pre style="white-space:pre-wrap">{html.escape(str(self))}</pre>'

    def _diagram(self) -> Diagram:
        return picture_of_why(self, self._question, self._sweep() if self._sweep is not None else None)
