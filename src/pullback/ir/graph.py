"""A graph: a list of nodes recorded without values, in the order they were made, which is an order they can run in.

Names follow TensorFlow: unique within the graph without regard to case, prefixed by the scopes that are open.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from ..base.dtypes import FROM_NUMPY, DType
from ..base.export import export, is_hot
from ..base.lazy_import import LazyModule
from ..base.shapes import show as show_dims
from .context import enter_graph
from .graph_elements import Elements
from .node import Node, Source, user_frame
from .op import Op, Traits, define, outputs_of
from .tensor import FOLDED_ELEMENTS, EagerTensor, HandleTensor, SymbolicTensor, Tensor, TensorType

if TYPE_CHECKING:
    from ..base import device_spec
    from ..pictures.diagram import Diagram
    from . import folding, graph_def, picture
else:
    device_spec = LazyModule("pullback.base.device_spec")
    folding, graph_def, picture = map(LazyModule, ("pullback.ir.folding", "pullback.ir.graph_def", "pullback.ir.picture"))

_ROOT_NAME = re.compile(r"^[A-Za-z0-9.][A-Za-z0-9_.\\/>-]*$")
_INNER_NAME = re.compile(r"^[A-Za-z0-9_.\\/>-]*$")


def _text_of(name: object) -> str:
    if isinstance(name, bytes):
        return name.decode()
    raise TypeError(f"expected string or bytes-like object, got {type(name).__name__!r}: a name is a text, not {name!r}")


class ControlScope:
    """The operations that every node made in a `control_dependencies` block waits for, and the nodes made there."""

    __slots__ = ("made", "waits_for")

    def __init__(self, waits_for: tuple[Node, ...]) -> None:
        self.waits_for = waits_for
        self.made: set[Node] = set()


@export("Graph")
class Graph(Elements):
    """A dataflow graph.

    >>> g = tf1.Graph()
    >>> with g.as_default():
    ...     x = tf1.constant(3.0, name="x")
    >>> [op.name for op in g.get_operations()]
    ['x']
    """

    #: Whether tensors of other graphs become inputs of this one (a function's body) instead of being refused.
    captures_others = False
    #: How many graphs are around this one.
    depth = 0
    #: Whether `==` on tensors compares their elements (in a function that is called eagerly) or asks whether they are the same tensor.
    compares_elements = False
    #: How often somebody began or ended to give nodes more inputs, in any graph: what was read of one meanwhile may not fit together.
    changes = 0

    def __init__(self) -> None:
        super().__init__()
        self.nodes: list[Node] = []
        self.by_name: dict[str, Node] = {}
        self.scope = ""
        self.seed: int | None = None
        self.source: Source | None = None
        self.finalized = False
        self.sessions: list[Any] = []
        self.original_op: Node | None = None
        self.gradient_overrides: dict[str, str] = {}
        self._names: dict[str, int] = {}
        self._captured: dict[int, SymbolicTensor] = {}
        self._control: list[ControlScope] = []
        self._devices: list[Any] = []
        self._colocation: tuple[bytes, ...] = ()
        self.site_prefix = ""
        #: How often nodes were given more inputs after they were made, so that a plan of them is out of date.
        self.growths = 0
        #: Of nodes that were asked for, whether they are not made of constants, see `folding.evaluate_constant`.
        self.fed_nodes: dict[Node, bool] = {}
        #: In which container of resources a node was made whose operation has no attribute for it, where that has a name.
        self.containers: dict[str, str] = {}
        self._container = ""

    # ---- building

    @is_hot
    def add(self, op: Op, inputs: tuple[Tensor, ...], attrs: dict[str, Any], name: str) -> Node:
        """Add a node with the unique name `name`; its output types come from the op's type rule."""
        if self.finalized:
            raise RuntimeError("Graph is finalized and cannot be modified.")
        types = self._infer(op, inputs, attrs, name)
        node = Node(op, inputs, attrs, ())
        node.graph, node.name, node.position, node.source = self, name, len(self.nodes), self.source or user_frame()
        if len(types) == 1:
            made = types[0]
            node.outputs = [SymbolicTensor(node, 0, made.dims, made.dtype, made.constant)]
        else:
            node.outputs = [SymbolicTensor(node, i, t.dims, t.dtype, t.constant) for i, t in enumerate(types)]
        node._control_inputs = self._controls(node) if self._control else ()
        node.device = self._device(node) if self._devices else ""
        node.colocation = self._colocation
        node._original_op = self.original_op
        if op.stateful:
            self._place_state(node)
        if self.gradient_overrides and op.name in self.gradient_overrides:
            node.attrs = {**node.attrs, "_gradient_op_type": self.gradient_overrides[op.name]}
        self.nodes.append(node)
        self.by_name[name] = node
        return node

    def _place_state(self, node: Node) -> None:
        """Say where what a stateful node changes lies: on the device of the reference that it reads, in the container of this block."""
        attrs, inputs = node.attrs, node.inputs
        if node.primitive.types is not None and inputs and inputs[0].dtype._is_ref_dtype:
            node.colocation = _joined_groups(self._colocation, inputs[0].node)
        if self._container:
            if "container" not in attrs:
                self.containers[node.name] = self._container
            elif not attrs["container"]:
                node.attrs = {**attrs, "container": self._container}

    def begin_gradient_of(self, node: Node) -> None:
        """What is added from now on is part of the gradient of `node`."""
        self.original_op = node

    def _infer(self, op: Op, inputs: tuple[Tensor, ...], attrs: dict[str, Any], name: str) -> tuple[TensorType, ...]:
        arguments = inputs if op.variadic is None else op.arguments(inputs)
        try:
            types = outputs_of(op.infer(*arguments, **attrs))
        except ValueError as error:
            shapes = ", ".join(show_dims(t.dims) for t in inputs)
            sources = ", ".join(t.name for t in inputs)
            dtypes = inputs[0].dtype.name if inputs else ""
            raise ValueError(f"{error} for '{{{{node {name}}}}} = {op.name}[T={dtypes}]({sources})' with input shapes: {shapes}.") from None
        if len(types) == 1 and inputs:
            made = types[0]
            dtype = made.dtype
            if (dtype.is_integer or dtype.is_bool or op.name == "Fill") and made.constant is None:
                if not op.stateful and not op.traits.may_be_fed:
                    made.constant = folding.fold_constant(op, inputs, arguments, attrs, made)
        return types

    @is_hot
    def constant(self, value: np.ndarray, name: str) -> SymbolicTensor:
        """A `Const` node named `name` (made unique) that holds `value`."""
        value.setflags(write=False)
        return self.add(CONST, (), {"value": value, "dtype": FROM_NUMPY[value.dtype]}, self.unique_name(name)).outputs[0]

    @is_hot
    def own(self, tensor: Tensor, name: str = "Const") -> SymbolicTensor:
        """`tensor` as a tensor of this graph: an eager one becomes a constant, one of another graph is refused."""
        if isinstance(tensor, SymbolicTensor):
            if tensor.node.graph is not self:
                raise ValueError(
                    f"{tensor} must be from the same graph as the rest of the operation (it belongs to {tensor.graph}, not {self})."
                )
            return tensor
        if isinstance(tensor, HandleTensor):
            raise RuntimeError(
                "a variable made while executing eagerly is used in a graph, which cannot change it; make the variable inside the graph "
                "(`with graph.as_default(): ...`)"
            )
        assert isinstance(tensor, EagerTensor)
        if tensor.uid not in self._captured:
            self._captured[tensor.uid] = self.constant(tensor.value, name)
        return self._captured[tensor.uid]

    @is_hot
    def origin(self, tensor: SymbolicTensor) -> Tensor:
        """What a tensor of this graph stands for outside it; the tensor itself, where this graph takes nothing in."""
        return tensor

    @is_hot
    def truncate(self, length: int) -> None:
        """Take back the nodes from position `length` on: what a call that failed half-way had added."""
        for node in self.nodes[length:]:
            del self.by_name[node.name]
        kept = {uid: t for uid, t in self._captured.items() if t.node.position < length}
        self._captured = kept
        del self.nodes[length:]

    def _diagram(self) -> Diagram:
        return picture.picture_of_graph(self)

    # ---- names

    @is_hot
    def unique_name(self, name: str | bytes, mark_as_used: bool = True) -> str:
        """`name` in the current scope, with `_1`, `_2`, ... appended when it is taken; a trailing slash means the name as it is."""
        if not isinstance(name, str):
            name = _text_of(name)
        if name.endswith("/"):
            return name[:-1]
        scope, names = self.scope, self._names
        if not (name.isidentifier() and name.isascii() and name[0] != "_"):  # which fits both patterns, and is quicker
            pattern = _INNER_NAME if scope else _ROOT_NAME
            if not pattern.match(name):
                kind = "scope name" if scope else "root scope name"
                raise ValueError(f"'{name}' is not a valid {kind}. A {kind} has to match the following pattern: {pattern.pattern}")
        full = f"{scope}/{name}" if scope else str(name)  # a plain one
        key = full.lower()
        count = names.get(key, 0)
        if mark_as_used:
            names[key] = count + 1
        if not count:
            return full
        while (numbered := f"{key}_{count}") in names:
            count += 1
        if mark_as_used:
            names[numbered] = 1
        return f"{full}_{count}"

    def release_name(self, name: str) -> None:
        """Let the full name `name`, the last that `unique_name` gave in its scope, be given again."""
        names, key = self._names, name.lower()
        first, _, number = key.rpartition("_")
        names.pop(key, None)
        if number.isdigit() and first in names:
            names[first] -= 1

    @is_hot
    def rename(self, node: Node, name: str, first: int = 0) -> None:
        """Give a node the full name `name`; one from position `first` on that has it takes the old name in exchange."""
        if node.name == name:
            return
        holder = next((n for n in self.nodes[first:] if n.name.lower() == name.lower()), None)
        if holder is None:
            del self.by_name[node.name]
            self._names.setdefault(name.lower(), 1)
        else:
            del self.by_name[holder.name]
            holder.name, self.by_name[node.name] = node.name, holder
        node.name, self.by_name[name] = name, node

    @is_hot
    def relabel(self, node: Node, label: str, first: int) -> None:
        """Give a node the name that `label` is in the current scope; what has it since position `first` takes the old name in exchange.

        Where nodes before `first` have names of that kind, the number at the end of `label` counts on from theirs.
        """
        kind, _, number = label.rpartition("_")
        kind, count = (kind, int(number)) if number.isdigit() else (label, 0)
        scope = f"{self.scope}/" if self.scope else ""
        key = f"{scope}{kind}".lower()
        known = self._names.get(key, 0)
        before = known and known - sum(_is_of_kind(n.name.lower(), key) for n in self.nodes[first:])
        if before > 0:
            count += before
            label = f"{kind}_{count}"
        self.rename(node, scope + label, first)
        if known <= count:
            self._names[key] = count + 1

    @contextmanager
    def name_scope(self, name: str | None) -> Iterator[str]:
        """Prefix the names of the nodes made in the block; gives the prefix with its slash, which re-enters the scope."""
        before = self.scope
        self.scope = self.unique_name(name) if name else ""
        try:
            yield self.scope + "/" if self.scope else ""
        finally:
            self.scope = before

    def _get_control_flow_context(self) -> None:
        """What libraries ask: None, for branches and loops are functions of their own."""

    def get_name_scope(self) -> str:
        """The current name scope, without a trailing slash."""
        return self.scope

    # ---- control, devices, colocation

    @contextmanager
    def control_dependencies(self, control_inputs: Sequence[Any] | None) -> Iterator[None]:
        """Every node made in the block runs after all of `control_inputs`; None forgets the outer blocks."""
        outer = self._control
        if control_inputs is None:
            self._control = []
            scope = ControlScope(())
        else:
            scope = ControlScope(tuple(dict.fromkeys(self._find_awaited(c) for c in control_inputs)))
        self._control = [*self._control, scope]
        try:
            yield
        finally:
            self._control = outer

    def _find_awaited(self, control: Any) -> Node:
        """The operation of this graph that `control_dependencies([control])` waits for."""
        return self.as_operation(control)

    def _controls(self, node: Node) -> tuple[Node, ...]:
        makers = [t.node for t in node.inputs]
        waits: dict[Node, None] = {}
        for scope in self._control:
            if not any(maker in scope.made for maker in makers):
                waits.update(dict.fromkeys(scope.waits_for))
            scope.made.add(node)
        return tuple(w for w in waits if w not in makers)

    @contextmanager
    def device(self, device_name_or_function: object) -> Iterator[None]:
        """Ask for a device for the nodes made in the block: a string, a function of the node, or None for no wish."""
        self._devices.append(device_name_or_function)
        try:
            yield
        finally:
            self._devices.pop()

    def _device(self, node: Node) -> str:
        found: Any = ""
        for wish in reversed(self._devices):
            if wish is None:
                break
            if callable(wish):
                found = wish(node) or ""
            else:
                found = _device_spec(wish).make_merged_spec(_device_spec(found)).to_string()
        return found.to_string() if isinstance(found, device_spec.DeviceSpec) else found

    @contextmanager
    def colocate_with(self, op: object, ignore_existing: bool = False) -> Iterator[None]:
        """Ask that the nodes made in the block share the device of `op`; None for no wish."""
        before = self._colocation
        self._colocation = () if op is None or ignore_existing else before
        if op is not None:
            self._colocation = _joined_groups(self._colocation, self.as_operation(op))
        try:
            yield
        finally:
            self._colocation = before

    @contextmanager
    def colocate_as(self, name: str) -> Iterator[None]:
        """Ask that the nodes made in the block share the device of the operation that is going to be called `name`."""
        before = self._colocation
        self._colocation = before or (f"loc:@{name}".encode(),)
        try:
            yield
        finally:
            self._colocation = before

    @contextmanager
    def gradient_override_map(self, op_type_map: object) -> Iterator[None]:
        """Nodes of type k made in the block are differentiated by the gradient registered as op_type_map[k]."""
        if not isinstance(op_type_map, dict) or not all(isinstance(s, str) for pair in op_type_map.items() for s in pair):
            raise TypeError("op_type_map must be a dictionary mapping strings to strings")
        before = self.gradient_overrides
        self.gradient_overrides = {**before, **op_type_map}
        try:
            yield
        finally:
            self.gradient_overrides = before

    # ---- the whole graph

    def as_graph_def(self, from_version: int | None = None, add_shapes: bool = False, use_pybind11_proto: bool = False) -> Any:
        """The graph as a protocol buffer, a GraphDef.

        from_version, use_pybind11_proto: accepted and not needed.  add_shapes: an attribute `_output_shapes` says shapes.
        Branches, loops and functions are in the attributes by name only; there is no library of functions.
        """
        return graph_def.graph_def(self, add_shapes)

    @contextmanager
    def as_default(self) -> Iterator[Graph]:
        """Make this the graph that ops are added to, for the length of the block."""
        with enter_graph(self):
            yield self

    def default_session(self) -> Any:
        """The innermost session that was made the default (`Session.as_default`), or None."""
        return default_sessions.stack[-1] if default_sessions.stack else None

    def finalize(self) -> None:
        """Refuse any further node."""
        self.finalized = True

    @property
    def version(self) -> int:
        """A number that grows with every node."""
        return len(self.nodes)

    @contextmanager
    def container(self, container_name: str) -> Iterator[str]:
        """Name the container of resources that the nodes made in the block say they belong to."""
        before = self._container
        self._container = container_name
        try:
            yield container_name
        finally:
            self._container = before

    def switch_to_thread_local(self) -> None:
        """Give each thread its own name scope, control dependencies, devices, colocation and container from now on; for good."""
        if type(self) is Graph:
            kept = {name: self.__dict__.pop(name) for name in BLOCKS}
            self.__dict__["_own"] = _PerThread(kept, threading.get_ident())
            self.__class__ = ThreadLocalGraph

    @property
    @is_hot
    def building_function(self) -> bool:
        """Whether this graph is a function's body."""
        return False


#: What the blocks that a program is in have set, and what they find outside of all blocks.
BLOCKS: dict[str, Any] = {"scope": "", "_control": [], "_devices": [], "_colocation": (), "_container": ""}


class _PerThread(threading.local):
    """What blocks have set, by thread: in the thread `first` as it was, in the others nothing."""

    def __init__(self, kept: dict[str, Any], first: int) -> None:
        self.__dict__.update(kept if threading.get_ident() == first else BLOCKS)


class ThreadLocalGraph(Graph):
    """A graph after `switch_to_thread_local`."""

    _own: _PerThread


def _block_property(name: str) -> property:
    return property(lambda graph: getattr(graph._own, name), lambda graph, value: setattr(graph._own, name, value))


for _name in BLOCKS:
    setattr(ThreadLocalGraph, _name, _block_property(_name))


class _Sessions(threading.local):
    def __init__(self) -> None:
        self.stack: list[Any] = []


#: The sessions made the default, innermost last; each thread has its own.
default_sessions = _Sessions()


def _is_of_kind(name: str, kind: str) -> bool:
    return name.startswith(kind) and (len(name) == len(kind) or (name[len(kind)] == "_" and name[len(kind) + 1 :].isdigit()))


def _joined_groups(groups: tuple[bytes, ...], node: Node) -> tuple[bytes, ...]:
    return tuple(sorted({*groups, *node.colocation_groups()}))


def _device_spec(wish: Any) -> device_spec.DeviceSpec:
    return wish if isinstance(wish, device_spec.DeviceSpec) else device_spec.DeviceSpec.from_string(wish)


def _const_type(*, value: np.ndarray, dtype: DType) -> TensorType:
    return TensorType(value.shape, dtype, value if value.size <= FOLDED_ELEMENTS else None)


CONST = define("Const", "", _const_type, lambda *, value, dtype: value, {}, traits=Traits(copies=True))
