"""The sentences of `why` for messages of others: why gradients that a program has in its hands are None."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..api.tape import unanswered
from ..ir.context import current
from ..ir.node import user_caller
from ..transforms.explain import sentence_before
from .why import why_on_tape

#: How many variables a message tells of.
_MOST = 3


def why_none_for(variables: Sequence[Any]) -> str:
    """Why the last gradients with respect to some variables were None, a sentence for each; nothing where that is not known."""
    told = [sentence for v in variables[:_MOST] for sentence in (_sentence(v),) if sentence is not None]
    more = f" (and {len(variables) - _MOST} more)" if told and len(variables) > _MOST else ""
    return "".join(f" {one}" for one in told) + more


def _sentence(variable: Any) -> str | None:
    graph = getattr(variable, "_graph", None) or current().graph
    if graph is not None:
        before = sentence_before(graph, getattr(variable, "handle", variable))
        if before is not None:
            return f"The gradient with respect to the variable {variable.name.removesuffix(':0')!r} is None: {before}"
    tape = unanswered()
    if tape is None or tape.asked is None:
        return None
    found = why_on_tape(tape.asked, variable, tape, user_caller())
    if found.connected:
        return None
    where = f" ({found.file}:{found.line})" if found.line is not None else ""
    return f"The gradient with respect to the variable {variable.name.removesuffix(':0')!r} is None: {found.message}{where}"


def why_none_at_all() -> str:
    """Why the last gradient that was None is: for a None that a program uses as a tensor."""
    tape = unanswered()
    if tape is None or tape.asked is None:
        return ""
    found = why_on_tape(tape.asked, tape.missed, tape, user_caller())
    if found.connected:
        return ""
    where = f" ({found.file}:{found.line})" if found.line is not None else ""
    return f" If this is the gradient that the last tape gave as None: {found.message}{where}"
