"""A graph prints as the Python that computes it.

The program is a function of the tensors it is fed: placeholders, variables' handles, and anything named in `inputs`.  It calls ops
through the registry, so it runs eagerly, in another graph, or under a tape.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..base.dtypes import DType
from .node import Node
from .tensor import SymbolicTensor

_GIVEN = frozenset({"Placeholder", "VarHandleOp"})


def show_python(outputs: Sequence[SymbolicTensor], inputs: Sequence[SymbolicTensor] = (), name: str = "program") -> str:
    """The source of a Python function that computes `outputs` from `inputs` and the placeholders they need.

    The parameters are the given inputs, then placeholders and variable handles in the order they were made.
    """
    names: dict[int, str] = {}
    parameters: list[str] = []

    def parameter(tensor: SymbolicTensor) -> None:
        names[tensor.uid] = _identifier(tensor.node.name, names)
        parameters.append(names[tensor.uid])

    for tensor in inputs:
        parameter(tensor)
    body: list[str] = []
    for node in _needed(outputs, {t.uid for t in inputs}):
        if node.op.name in _GIVEN:
            parameter(node.outputs[0])
        else:
            for tensor in node.outputs:
                names[tensor.uid] = _identifier(node.name + (f"_{tensor.index}" if len(node.outputs) > 1 else ""), names)
            body.append("    " + _line(node, names))
    answers = "".join(f"{names[t.uid]}, " for t in outputs)
    head = ["import numpy as np", "from pullback.base import dtypes", "from pullback.ir.op import OPS", "", ""]
    return "\n".join([*head, f"def {name}({', '.join(parameters)}):", *body, f"    return ({answers.rstrip()})", ""])


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


def _line(node: Node, names: dict[int, str]) -> str:
    if node.op.name == "Const":
        return f"{names[node.outputs[0].uid]} = {_literal(node.attrs['value'])}"
    arguments = []
    for given in node.op.arguments(node.inputs):
        many = isinstance(given, tuple)
        arguments.append("[" + ", ".join(names[t.uid] for t in given) + "]" if many else names[given.uid])
    arguments += [f"{attribute}={_literal(node.attrs[attribute])}" for attribute in node.op.attributes]
    targets = ", ".join(names[t.uid] for t in node.outputs)
    target = f"[{targets}] = " if len(node.outputs) > 1 or _is_list(node) else f"{targets} = " if targets else ""
    return f"{target}OPS[{node.op.name!r}]({', '.join(arguments)})"


def _is_list(node: Node) -> bool:
    """Whether the op gives a list, be it of one tensor."""
    op = node.op
    inferred = op.infer(*op.arguments(node.inputs), **{name: node.attrs[name] for name in op.attributes})
    return isinstance(inferred, (list, tuple))


def _literal(value: Any) -> str:
    if isinstance(value, np.ndarray):
        kind = "object" if value.dtype == object else f"dtypes.{_dtype_name(value)}.numpy"
        if not value.size:
            return f"np.zeros({value.shape}, {kind})"
        return f"np.array({value.tolist()!r}, {kind})".replace("nan", "np.nan").replace("inf", "np.inf")
    if isinstance(value, DType):
        return f"dtypes.{value.name}"
    return repr(value)


def _dtype_name(value: np.ndarray) -> str:
    return str(value.dtype)
