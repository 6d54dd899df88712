"""The sentences of `why` for messages of others: why gradients that a program has in its hands are None."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ..base import nest
from ..ir.context import current
from ..ir.graph import Graph
from ..ir.node import user_caller
from ..ir.tensor import SymbolicTensor
from ..transforms.explain import Noted, find_last_none, last_nones
from ..transforms.recording import Unanswered
from .answer import Why
from .notes import MOST
from .why import why_in_function, why_in_graph, why_on_tape

if TYPE_CHECKING:
    from ..api.tape import GradientTape


def why_none_for(variables: Sequence[Any], names: Sequence[str] = ()) -> str:
    """Why the last gradients with respect to some variables were None, a sentence for each.  names: of the variables, if not their own."""
    names = names or [v.name.removesuffix(":0") for v in variables]
    more = f" (and {len(variables) - MOST} more)" if len(variables) > MOST else ""
    return "".join(f" {_sentence(v, name)}" for v, name in zip(variables[:MOST], names, strict=False)) + more


def _sentence(variable: Any, name: str) -> str:
    found = _find_reason(variable)
    if found is None:
        return f"What was given for the variable {name!r} is None, and no tape or graph knows of such a gradient."
    return f"The gradient with respect to the variable {name!r} is None: {_tell_reason(found)}"


def _find_reason(variable: Any) -> Why | None:
    graph = getattr(variable, "_graph", None) or current().graph
    noted = None if graph is None else find_last_none(graph, getattr(variable, "handle", variable))
    if noted is not None:
        return why_in_graph(noted.ys, noted.x, variable, noted.held, user_caller())
    tape = Unanswered.tape
    if tape is None or tape.asked is None:
        return None
    found = why_on_tape(tape.asked, variable, tape, user_caller())
    return None if found.connected else found


def _tell_reason(found: Why) -> str:
    return found.message + (f" ({found.file}:{found.line})" if found.line is not None else "")


def explain_none(ys: Sequence[Any], x: object) -> str:
    """Why no gradient leads from `ys` to `x`, tensors of one graph, as a sentence."""
    return _tell_reason(why_in_graph(ys, x, x, (), user_caller()))


def explain_on_tape(ys: object, x: object, tape: GradientTape) -> str:
    """Why no gradient leads from `ys` to `x` on a tape, as a sentence."""
    return _tell_reason(why_on_tape(ys, x, tape, user_caller()))


def explain_in_function(function: Callable[..., Any], sources: object, i: int) -> str:
    """Why no gradient leads from the result of a function to the source of number `i`, as a sentence; the function runs once more."""
    return _tell_reason(why_in_function(function, sources, user_caller())[i])


def _explain(noted: Sequence[Noted]) -> str:
    frame = user_caller()
    found = [why_in_graph(one.ys, one.x, one.x, one.held, frame) for one in noted[:MOST]]
    return f"{'the gradient' if len(noted) == 1 else 'one of the gradients'} asked for at {noted[0].where}: {_tell_all(found, len(noted))}"


def _tell_all(found: Sequence[Why], number: int) -> str:
    more = f" (and {number - len(found)} more)" if number > len(found) else ""
    return " ".join(dict.fromkeys(map(_tell_reason, found))) + more


def why_none_is_fetched(graph: Graph) -> str:
    """What is known of the last gradients that were None in a graph, as a sentence for a None that a session is to compute."""
    noted = last_nones(graph)
    if not noted:
        return "A fetch is a tensor, an operation or a name; None often comes from tf.gradients where a target does not depend on a source."
    return f"It is {_explain(noted)}"


def why_none_is_used() -> str:
    """Why the last gradients that were None are: for a None that a program uses as a tensor; nothing where none was."""
    graph = current().graph
    noted = [] if graph is None else last_nones(graph)
    if noted:
        return f" If this is {_explain(noted)}"
    tape = Unanswered.tape
    if tape is None or tape.asked is None or any(isinstance(y, SymbolicTensor) for y in nest.flatten(tape.asked)) is (graph is None):
        return ""
    frame = user_caller()
    found = [why_on_tape(tape.asked, x, tape, frame) for x in tape.missed[:MOST]]
    known = [one for one in found if not one.connected]
    what = "the gradient" if len(tape.missed) == 1 else "a gradient"
    return f" If this is {what} that the last tape gave as None: {_tell_all(known, len(tape.missed))}" if known else ""
