"""Variables that a function makes: they belong outside it, and to its first call alone.

While a function is traced a variable is made as if outside of all functions: eagerly, or in the graph that the outermost function is
called in.  Its initial value may be computed by the function; then the nodes that it needs are run at once, on the arguments of the
call.  A trace that made variables is thrown away and the function traced again, now without leave to make more: so a variable is made
once, or the program hears that it is not.
"""

from __future__ import annotations

from typing import Any

from ..ir.apply import EAGER_MEMORY, wrap
from ..ir.function_graph import FunctionGraph
from ..ir.plan import Plan, Run
from ..ir.tensor import EagerTensor, SymbolicTensor, Tensor


class VariableKeeper:
    """Whether the function being traced may make variables, and how many it made; `given` are the arguments of each graph."""

    def __init__(self, name: str, allowed: bool) -> None:
        self.name = name
        self.allowed = allowed
        self.made = 0

    def admit(self) -> None:
        """Count a variable; a ValueError where the function may make none."""
        if not self.allowed:
            raise ValueError(
                f"tf.function only supports singleton tf.Variables created on the first call: {self.name!r} makes one again in a later "
                "trace. Make the variable outside the function, or only where there is none yet "
                "(`if self.v is None: self.v = tf.Variable(...)`)."
            )
        self.made += 1

    def initial(self, value: object) -> Any:
        """An initial value that can be read outside the function."""
        if isinstance(value, SymbolicTensor) and isinstance(value.node.graph, FunctionGraph):
            return wrap(_value_of(value))
        return value


def _value_of(tensor: Tensor) -> Any:
    """The value of a tensor of a function that is being called, computed from the arguments."""
    if isinstance(tensor, EagerTensor):
        return tensor.value
    assert isinstance(tensor, SymbolicTensor)
    graph = tensor.node.graph
    if not isinstance(graph, FunctionGraph):
        raise ValueError(
            f"the initial value of a variable depends on {tensor}, which has no value while the graph is being built; pass a function that "
            "makes the initial value"
        )
    fed = {inner.uid: (inner, outer) for outer, inner in graph.captures()}
    fed |= {inner.uid: (inner, outer) for inner, outer in zip(graph.inputs, graph.given or (), strict=False)}
    needed = _inputs_of(tensor)
    for stand_in in needed:
        if stand_in.uid not in fed:
            raise ValueError(
                f"the initial value of a variable depends on the argument {stand_in.name!r}, which has no value here: call the function "
                "with tensors before asking for a concrete function, or give an initial value that does not depend on its arguments"
            )
    values = [_value_of(fed[t.uid][1]) for t in needed]
    return Plan([tensor], needed).run(values, Run(EAGER_MEMORY, {}))[0]


def _inputs_of(tensor: SymbolicTensor) -> list[SymbolicTensor]:
    """The placeholders that a tensor depends on."""
    seen, pending, found = set(), [tensor.node], []
    while pending:
        node = pending.pop()
        if node not in seen:
            seen.add(node)
            pending += [t.node for t in node.inputs]
            if node.primitive.name == "Placeholder":
                found.append(node.outputs[0])
    return found
