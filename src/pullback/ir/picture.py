"""What the picture of a graph or a tape shows: its nodes by type, with shapes and lines, and bodies as groups."""

from __future__ import annotations

import linecache
from collections.abc import Callable, Hashable, Iterable, Sequence
from itertools import count
from typing import TYPE_CHECKING, Any

import numpy as np

from ..base.dtypes import float32, resource, variant
from ..base.shapes import show as show_dims
from ..pictures.diagram import Arrow, Diagram, Leaf, shorten
from .node import Nested, Node, Source, place_of

if TYPE_CHECKING:
    from ..api.variable import Variable
    from .function_graph import Body
    from .graph import Graph
    from .tensor import Tensor

#: How many boxes a picture may have before bodies stay closed.
_MOST = 20_000
#: How many elements of a constant are told.
_TOLD = 4
_SOURCES = frozenset({"Placeholder", "PlaceholderWithDefault", "VarHandleOp", "VariableV2"})

Key = Hashable


class Sketch:
    """A diagram that is being made of nodes.  scopes: the groups of each node, from its name where nothing else is said."""

    def __init__(self, title: str) -> None:
        self.diagram = Diagram(title)
        self.makers: dict[Key, list[int]] = {}
        self._calls = count(1)
        self._groups: dict[tuple[tuple[str, ...], str], int] = {}

    def add_source(self, key: Key, label: str, tensor: Variable, hover: str = "") -> None:
        """A leaf for what comes in from outside."""
        self.add_leaf(Leaf(label, (), "source", note_of([tensor]), hover or f"{label}: {type_text(tensor)}"), [key])

    def add_result(self, key: Key, label: str, tensor: Tensor) -> None:
        """A leaf for what goes out."""
        made = self.add_leaf(Leaf(label, (), "source", "", f"{label}: {type_text(tensor)}"))
        self.add_arrows(self.makers.get(key, ()), made)

    def add_nodes(self, nodes: Iterable[Node], outer: tuple[str, ...] = (), call: int = 0,
                  scope_of: Callable[[Node], tuple[str, ...]] | None = None) -> None:  # fmt: skip
        """Leaves for nodes, and groups for those that hold bodies.  call: in which call of a body they are."""
        for node in nodes:
            read = getattr(node, "read", None)
            inputs = [(call, t.uid) for t in node.inputs] if read is None else [(call, uid) for uid in read]
            outputs = [(call, t.uid) for t in node.outputs]
            if node.primitive.traits.same and inputs and _gives_body_results(node.inputs[0]):
                self.makers[outputs[0]] = self.makers.get(inputs[0], [])  # a name of what a branch or a loop gives
                continue
            scope = outer + (scope_of(node) if scope_of is not None else tuple(getattr(node, "name", "").split("/")[:-1]))
            if len(self.diagram.leaves) >= _MOST or not self._add_bodies(node, inputs, outputs, scope):
                given = [*dict.fromkeys(maker for key in inputs for maker in self.makers.get(key, ()))]
                awaited = [(call, t.uid) for n in getattr(node, "_control_inputs", ()) for t in n.outputs]
                made = self.add_leaf(leaf_of(node, scope), outputs)
                self.add_arrows(given, made)
                self.add_arrows({maker for key in awaited for maker in self.makers.get(key, ())} - set(given), made, " (runs after it)")

    def add_leaf(self, leaf: Leaf, outputs: Iterable[Key] = ()) -> int:
        """A leaf that makes `outputs`; its number."""
        self.diagram.leaves.append(leaf)
        number = len(self.diagram.leaves) - 1
        self.makers.update({key: [number] for key in outputs})
        return number

    def add_arrows(self, starts: Iterable[int], end: int, words: str = "", gradient: float | None = None) -> None:
        """Arrows between leaves.  words: what the pointer shows after the labels and the type.  gradient: the norm of what comes back."""
        leaves = self.diagram.leaves
        if gradient is not None:
            words += f"\nthe gradient that comes back has norm {gradient:.4g}"
        for start in starts:
            told = f"{leaves[start].label} to {leaves[end].label}: {leaves[start].note}".removesuffix(": ")
            self.diagram.arrows.append(Arrow(start, end, told + words, gradient))

    def _add_bodies(self, node: Node, inputs: Sequence[Key], outputs: Sequence[Key], scope: tuple[str, ...]) -> bool:
        attrs = node.attrs
        if isinstance(attrs.get("f"), Nested):
            parts = [(attrs["f"].graph.function_name, attrs["f"], inputs, True)]
        elif isinstance(attrs.get("branches"), tuple):
            parts = [(f"branch {i}", body, inputs[1:], True) for i, body in enumerate(attrs["branches"])]
        elif isinstance(attrs.get("body"), Nested) and isinstance(attrs.get("cond"), Nested):
            parts = [("condition", attrs["cond"], inputs, False), ("step", attrs["body"], inputs, True)]
        else:
            return False
        if not all(isinstance(part[1], Nested) for part in parts):
            return False
        if len(parts) > 1:
            scope = (*scope, self._fresh(scope, node.type))
        if len(parts) > 1 and "branches" in attrs:
            self.add_arrows(self.makers.get(inputs[0], ()), self.add_leaf(leaf_of(node, scope)))
        given: dict[Key, list[int]] = {}
        for name, body, taken, gives in parts:
            inside = next(self._calls)
            for key, t in zip(taken, body.inputs, strict=False):
                self.makers[inside, t.uid] = self.makers.get(key, [])
            own = [n for n in body.graph.nodes if (body.part is None or n in body.part) and n.primitive.name != "Placeholder"]
            self.add_nodes(own, (*scope, self._fresh(scope, name)), inside)
            for key, t in zip(outputs, body.outputs if gives else (), strict=False):
                given.setdefault(key, []).extend(self.makers.get((inside, t.uid), []))
        self.makers.update({key: [*dict.fromkeys(makers)] for key, makers in given.items()})
        return True

    def _fresh(self, scope: tuple[str, ...], name: str) -> str:
        """A name for a group that no other group beside it has."""
        times = self._groups[scope, name] = self._groups.get((scope, name), 0) + 1
        return name if times == 1 else f"{name} {times}"


def _gives_body_results(tensor: Any) -> bool:
    return hasattr(tensor, "node") and tensor.node.primitive.traits.applies_bodies


def picture_of_graph(graph: Graph) -> Diagram:
    """A diagram of all nodes of a graph."""
    sketch = Sketch(f"a graph of {len(graph.nodes)} operations")
    sketch.add_nodes(graph.nodes)
    return sketch.diagram


def picture_of_body(body: Body, title: str) -> Diagram:
    """A diagram of a body: what it takes, what it does and what it gives."""
    sketch = Sketch(title)
    sketch.add_nodes([n for n in body.graph.nodes if body.part is None or n in body.part])
    for i, t in enumerate(body.outputs):
        sketch.add_result((0, t.uid), f"result {i}" if len(body.outputs) > 1 else "result", t)
    return sketch.diagram


def leaf_of(node: Node, scope: tuple[str, ...] = ()) -> Leaf:
    """What the picture shows of one node."""
    label, kind = node.type, "operation"
    name = getattr(node, "name", "")
    if node.primitive.name == "Const":
        label, kind = constant_text(node.attrs["value"]), "constant"
    elif node.primitive.name in _SOURCES:
        label, kind = name.rpartition("/")[2] or label, "source"
    elif node.primitive.rules == ():
        kind = "passed"
    lines = [f"{name} ({node.type})" if name else node.type]
    lines += [f"takes {type_text(t)}" for t in node.inputs if getattr(t, "uid", 0)]
    lines += [f"gives {type_text(t)}" for t in node.outputs]
    return Leaf(label, scope, kind, note_of(node.outputs), "\n".join([*lines, *line_text(getattr(node, "source", None))]))


def line_text(source: Source | None) -> list[str]:
    """A place in the program, and what stands there."""
    if source is None:
        return []
    file, line, name = place_of(source)
    return [f"{file}:{line} in {name}", *filter(None, [linecache.getline(file, line).strip()])]


def type_text(tensor: Any) -> str:
    """The type of a tensor in words, with its name where it has one."""
    name = getattr(getattr(tensor, "node", None), "name", "")
    return f"{name + ' ' if name else ''}{tensor.dtype.name} {show_dims(tensor.shape.dims and tuple(tensor.shape.as_list()))}"


def note_of(outputs: Sequence[Any]) -> str:
    """The words on the arrows that leave a box: the shape of the first output, and how many more there are."""
    if not outputs or outputs[0].dtype in (resource, variant):
        return ""
    shape, dtype = outputs[0].shape, outputs[0].dtype
    dims = None if shape.rank is None else shape.as_list()
    text = "any shape" if dims is None else "×".join("?" if n is None else str(n) for n in dims) or "scalar"
    more = f" +{len(outputs) - 1}" if len(outputs) > 1 else ""
    return f"{text}{'' if dtype.base_dtype is float32 else ' ' + dtype.base_dtype.name}{more}"


def constant_text(value: object) -> str:
    """A constant as its box says it."""
    array = np.asarray(value)
    return shorten(str(array.tolist())) if array.size <= _TOLD else "Const"
