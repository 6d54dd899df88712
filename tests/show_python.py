"""A graph prints as the Python that computes it.

The program is a function of the tensors it is fed: placeholders, variables' handles, and anything named in `inputs`.  It calls ops
through the registry, so it runs eagerly, in another graph, or under a tape.  Bodies of loops and branches are functions of their own, and
a program with loops runs in graphs (`tf.function(program)`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from pullback.base.dtypes import DType
from pullback.ir.context import enter_graph, stop_recorders
from pullback.ir.function_graph import Body, FunctionGraph
from pullback.ir.node import Node
from pullback.ir.tensor import SymbolicTensor

_GIVEN = frozenset({"Placeholder", "VarHandleOp"})


def show_python(outputs: Sequence[SymbolicTensor], inputs: Sequence[SymbolicTensor] = (), name: str = "program") -> str:
    """The source of a Python function that computes `outputs` from `inputs` and the placeholders they need.

    The parameters are the given inputs, then placeholders and variable handles in the order they were made.
    """
    written = _Writer()
    text = written.function(outputs, inputs, name)
    head = ["import numpy as np", "from pullback.base import dtypes", "from pullback.ir.op import OPS"]
    head += ["from tests.show_python import body"] * bool(written.bodies)
    return "\n".join([*head, *written.bodies, "", "", *text, ""])


def body(function: Callable[..., Any], *kinds: tuple[Any, Any]) -> Body:
    """A function as the body of a loop, a branch or a call, traced for inputs of these dims and dtypes: what printed programs call."""
    graph = FunctionGraph(function.__name__, None)
    with stop_recorders(), enter_graph(graph):
        inputs = [graph.declare(dims, dtype) for dims, dtype in kinds]
        outputs = function(*inputs)
    return Body(graph, inputs, outputs)


class _Writer:
    """Writes functions, and before them those that are bodies of their operations."""

    def __init__(self) -> None:
        self.bodies: list[str] = []
        self._known: dict[Body, str] = {}

    def function(self, outputs: Sequence[SymbolicTensor], inputs: Sequence[SymbolicTensor], name: str) -> list[str]:
        """The lines of one function."""
        names: dict[int, str] = {}
        parameters: list[str] = []

        def parameter(tensor: SymbolicTensor) -> None:
            names[tensor.uid] = _identifier(tensor.node.name, names)
            parameters.append(names[tensor.uid])

        for tensor in inputs:
            parameter(tensor)
        lines: list[str] = []
        for node in _needed(outputs, {t.uid for t in inputs}):
            if node.primitive.name in _GIVEN:
                parameter(node.outputs[0])
            else:
                for tensor in node.outputs:
                    names[tensor.uid] = _identifier(node.name + (f"_{tensor.index}" if len(node.outputs) > 1 else ""), names)
                lines.append("    " + self._line(node, names))
        answers = "".join(f"{names[t.uid]}, " for t in outputs)
        return [f"def {name}({', '.join(parameters)}):", *lines, f"    return ({answers.rstrip()})"]

    def _line(self, node: Node, names: dict[int, str]) -> str:
        if node.primitive.name == "Const":
            return f"{names[node.outputs[0].uid]} = {_literal(node.attrs['value'])}"
        arguments = []
        for given in node.primitive.arguments(node.inputs):
            many = isinstance(given, tuple)
            arguments.append("[" + ", ".join(names[t.uid] for t in given) + "]" if many else names[given.uid])
        arguments += [f"{attribute}={self._attribute(node.attrs[attribute])}" for attribute in node.primitive.attributes]
        targets = ", ".join(names[t.uid] for t in node.outputs)
        target = f"[{targets}] = " if len(node.outputs) > 1 or _is_list(node) else f"{targets} = " if targets else ""
        return f"{target}OPS[{node.primitive.name!r}]({', '.join(arguments)})"

    def _attribute(self, value: Any) -> str:
        if isinstance(value, Body):
            return self._body(value)
        if isinstance(value, tuple) and any(isinstance(v, Body) for v in value):
            return "(" + "".join(f"{self._attribute(v)}, " for v in value) + ")"
        return _literal(value)

    def _body(self, value: Body) -> str:
        """What makes a body again; its function is written before."""
        name = self._known.get(value)
        if name is None:
            base = _identifier(value.graph.function_name, dict(enumerate(self._known.values())))
            name = self._known[value] = base
            self.bodies += ["", "", *self.function(value.outputs, value.inputs, name)]
        kinds = "".join(f", ({t.dims!r}, {_literal(t.dtype)})" for t in value.inputs)
        return f"body({name}{kinds})"


def _needed(outputs: Sequence[SymbolicTensor], given: set[int]) -> list[Node]:
    seen: set[Node] = set()
    pending = [t.node for t in outputs if t.uid not in given]
    while pending:
        node = pending.pop()
        if node not in seen:
            seen.add(node)
            pending += [t.node for t in node.inputs if t.uid not in given]
    return sorted(seen, key=lambda node: node.position)


def _identifier(name: str, taken: dict[int, str]) -> str:
    base = "".join(c if c.isalnum() else "_" for c in name)
    base = base if base[0].isalpha() else "t" + base
    used, candidate, i = set(taken.values()), base, 1
    while candidate in used:
        candidate, i = f"{base}__{i}", i + 1
    return candidate


def _is_list(node: Node) -> bool:
    """Whether the op gives a list, be it of one tensor."""
    op = node.primitive
    inferred = op.infer(*op.arguments(node.inputs), **{name: node.attrs[name] for name in op.attributes})
    return isinstance(inferred, (list, tuple))


def _literal(value: Any) -> str:
    if isinstance(value, np.ndarray):
        kind = "object" if value.dtype == object else f"dtypes.{_dtype_name(value)}.numpy_dtype"
        if not value.size:
            return f"np.zeros({value.shape}, {kind})"
        return f"np.array({value.tolist()!r}, {kind})".replace("nan", "np.nan").replace("inf", "np.inf")
    if isinstance(value, DType):
        return f"dtypes.{value.name}"
    return repr(value)


def _dtype_name(value: np.ndarray) -> str:
    return str(value.dtype)
