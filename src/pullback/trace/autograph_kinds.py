"""What rewritten code takes as it takes tensors: these classes are known before the modules that make such values are loaded."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar


class HasRows:
    """What Python's built-in functions take as a tensor: it has so many rows as is known when the graph runs."""


class Grown(HasRows):
    """A list that grew by tensors."""

    def size(self) -> Any:
        """How many elements it has: a number where that is known, else a scalar tensor."""
        raise NotImplementedError(f"{type(self).__name__} does not say how many elements it has")


class GraphLoops:
    """What a `for` in a graph goes through element by element until there is none left: datasets and their iterators."""

    #: Whether variables of a loop may lose what is known of their shapes, as those of a dataset's `reduce`.
    _relaxes_shapes = False
    #: What Python's built-in functions are called on these, by name.
    _builtins: ClassVar[dict[str, Callable[..., Any]]] = {}

    def _graph_loop(self) -> tuple[Callable[[], Any], Callable[[], Any]]:
        """Whether there is another element, and the next one: functions that add to the graph being built."""
        raise NotImplementedError(f"{type(self).__name__} does not say what a loop goes through")
