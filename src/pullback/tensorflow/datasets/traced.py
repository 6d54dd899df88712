"""The functions that programs give to `map`, `filter` and their like: traced once, called on raw values."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ...base.shapes import as_dims
from ...control.call import body_of
from ...ir.context import current
from ...ir.function_graph import FunctionGraph
from ...ir.node import Node
from ...ir.tensor import Tensor
from ...trace.autograph import convert_function
from .source import Pass
from .structure import Layout, as_leaf, map_leaves, spec_of

#: A function of the raw values of its arguments and of what it reads from outside.
Call = Callable[[Iterable[Any]], Sequence[Any]]


class TracedFunction:
    """A function of elements.

    takes: the specs of the arguments, one structure each.  what: the method it was given to, for messages.
    """

    def __init__(self, function: Callable[..., Any], takes: Sequence[Any], what: str) -> None:
        if not callable(function):
            raise ValueError(f"Argument `func` must be a callable. Received func={function} (of type {type(function)}).")
        self.name = getattr(function, "__name__", type(function).__name__).strip("<>")
        graph = FunctionGraph(self.name, current().graph)
        with graph.building():
            given = []
            for layout in map(Layout, takes):
                given.append(layout.pack([graph.declare(as_dims(part.shape), part.dtype) for part in layout.flat]))
            returned = convert_function(function)(*given)
            if isinstance(returned, list):  # of tensors, most often, that need not be alike
                returned = tuple(returned)
            self.returned = map_leaves(lambda leaf: _as_answer(leaf, what), returned)
            self.layout = Layout(spec_of(self.returned))
            outputs = [graph.own(t) for t in self.layout.tensors(self.returned)]
        #: What it reads from outside, to be given after the arguments.
        self.captured: list[Tensor]
        self.body, self.captured = body_of(graph, outputs)

    @property
    def spec(self) -> Any:
        """The spec of what it returns."""
        return self.layout.spec

    def bind_captures(self, run: Pass, captured: Sequence[Any]) -> Call:
        """The function for one pass; captured: the raw values of what it reads from outside."""
        body, memory, outside = self.body, run.memory, tuple(captured)
        return lambda values: body.call((*values, *outside), memory)


def _as_answer(value: Any, what: str) -> Tensor | None:
    if isinstance(value, Node):
        raise TypeError(f"Unsupported return value from function passed to {what}: {value!r}.")
    try:
        return as_leaf(value)
    except (TypeError, ValueError) as error:
        raise TypeError(f"Unsupported return value from function passed to {what}: {value!r}.") from error
