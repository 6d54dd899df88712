"""A plan as one Python function: for bodies of loops, functions, and small graphs that run again and again.

Kernels are called straight from local variables, without a table of places and a closure a node; a value is forgotten after its last
use.  Each node is one line, so when a kernel fails the line tells which.  Printing and compiling cost some 20 us a node, so a large
graph is walked (`Plan.run`) until it has run a few times.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import CodeType
from typing import Any, NamedTuple

from .node import PACKAGE, Node
from .tensor import SymbolicTensor

FIRST_LINE = 2
#: The name of the file that the functions are compiled under.
PROGRAM_FILE = PACKAGE + "program"
#: And that of functions that call a native program.
NATIVE_FILE = PACKAGE + "native"
#: The code of native programs' slower ways in.
NATIVE_RUNS: set[CodeType] = set()


class PlanFunction(NamedTuple):
    """A plan as a function of the run and the given values, the local name of each tensor in it, and the node of each line."""

    function: Callable[..., Any]
    names: dict[int, str]
    nodes: Sequence[Node]

    def ran(self, error: Exception) -> bool:
        """Whether an error came out of this program, and not from another's called by the same caller."""
        trace = error.__traceback__
        while trace is not None and trace.tb_frame.f_code is not self.function.__code__:
            trace = trace.tb_next
        return trace is not None


def compile_nodes(
    nodes: Sequence[Node], fed: Sequence[SymbolicTensor], fetched: Sequence[Any], kernels: Sequence[Callable[..., Any]]
) -> PlanFunction:
    """A function that gives the values of `fetched` (None for operations).

    nodes: without constants, in an order they can run in; the kernel of a stateful one takes the run first.
    """
    names: dict[int, str] = {}
    scope: dict[str, Any] = {}
    parameters = [names.setdefault(t.uid, f"a{i}") for i, t in enumerate(fed)]
    given = set(names)
    last = _last_uses(nodes)
    keep = {t.uid for t in fetched if isinstance(t, SymbolicTensor)}
    lines = []
    for i, (node, kernel) in enumerate(zip(nodes, kernels, strict=True)):
        scope[f"k{i}"] = kernel
        lines.append(_line(i, node, names, given, scope, [uid for uid in last.get(i, ()) if uid not in keep]))
    answers = "".join(f"{_read(t, names, scope)}, " if isinstance(t, SymbolicTensor) else "None, " for t in fetched)
    head = f"def program(run{''.join(', ' + p for p in parameters)}):"
    exec(compile("\n".join([head, *lines, f" return ({answers})", ""]), PROGRAM_FILE, "exec"), scope)
    return PlanFunction(scope["program"], names, nodes)


def _last_uses(nodes: Sequence[Node]) -> dict[int, list[int]]:
    """By the position of a node, the uids that no later node reads."""
    at: dict[int, int] = {}
    for i, node in enumerate(nodes):
        at.update((t.uid, i) for t in (*node.outputs, *node.inputs))
    found: dict[int, list[int]] = {}
    for uid, i in at.items():
        found.setdefault(i, []).append(uid)
    return found


def _read(tensor: SymbolicTensor, names: dict[int, str], scope: dict[str, Any]) -> str:
    name = names.get(tensor.uid)
    if name is None:
        name = names[tensor.uid] = f"c{len(scope)}"
        scope[name] = tensor.node.attrs["value"]
    return name


def _line(i: int, node: Node, names: dict[int, str], fed: set[int], scope: dict[str, Any], dead: Sequence[int]) -> str:
    op = node.primitive
    parts = ["run"] if op.stateful else []
    for given in op.arguments(node.inputs):
        many = isinstance(given, tuple)
        parts.append("[" + ", ".join(_read(t, names, scope) for t in given) + "]" if many else _read(given, names, scope))
    for j, attribute in enumerate(op.attributes):
        scope[f"x{i}_{j}"] = node.attrs[attribute]
        parts.append(f"{attribute}=x{i}_{j}")
    targets = []
    for j, t in enumerate(node.outputs):
        targets.append("_" if t.uid in fed else names.setdefault(t.uid, f"t{i}_{j}"))
    several = len(targets) > 1 or (targets and op.outputs[0].startswith("*"))
    target = f"[{', '.join(targets)}] = " if several else f"{targets[0]} = " if targets else ""
    forget = "".join(f"; {names[uid]} = None" for uid in dead if names.get(uid, "c")[0] in "ta")
    return f" {target}k{i}({', '.join(parts)}){forget}"
