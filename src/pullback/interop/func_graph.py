"""`tf.__internal__.FuncGraph`: a graph that a library traces a function into, to see the shapes of what it gives."""

from __future__ import annotations

from typing import Any

from ..ir.context import current
from ..ir.function_graph import FunctionGraph


class FuncGraph(FunctionGraph):
    """A graph that takes in tensors from outside, in the graph or eager block that it is made in."""

    def __init__(
        self, name: str, collections: Any = None, capture_by_value: bool | None = None, structured_input_signature: Any = None,
        structured_outputs: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(name, current().graph)
        self.structured_input_signature, self.structured_outputs = structured_input_signature, structured_outputs
