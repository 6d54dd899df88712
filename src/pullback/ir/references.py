"""TensorFlow 1's ref variables in a graph: their value is a reference, which shows what stands in the variable when it is used.

A ref variable is read once, by its `read` node, and what reads that node, what passes its value on as it is and what writes the
variable all share the variable's memory there.  So an operation that waits for a write sees the new value, wherever the value it
uses was made.  Here a value never changes once it is made; a plan reads the variable again before such an operation instead.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeGuard

from ..base.dtypes import DType, resource
from .node import Node
from .op import Input, Op, Traits, define
from .tensor import Dims, HandleTensor, SymbolicTensor, Tensor, TensorType

_READERS = frozenset({"ReadVariableOp", "VarIsInitializedOp"})


READ = define(
    "ReadVariableOp", "resource:R", lambda resource, *, dtype, shape: TensorType(shape, dtype),
    lambda resource, *, site, dtype, shape: resource.read(),
    {"resource": lambda g: g}, holomorphic=False, sparse=True, stateful=True, passes=True,
    types=("Identity", "ReadVariableOp"),
    traits=Traits(shares=True, copies=True, repeatable=True, siteless=True),
)  # fmt: skip


def is_handle(of: Tensor | TensorType) -> bool:
    """Whether a tensor, or one of a type, is a handle: of a variable, or of another resource."""
    return of.dtype is resource or of.dtype._is_ref_dtype


def variable_type(handle: Tensor) -> tuple[DType, Dims]:
    """The dtype and dims of what a variable's handle stands for: eager, of a graph, or a function's stand-in of one of those."""
    if isinstance(handle, HandleTensor):
        return handle.value.dtype, handle.value.dims
    if isinstance(handle, SymbolicTensor):
        attrs = handle.node.attrs
        if "variable" in attrs or "dtype" in attrs:
            dtype, dims = attrs["variable"] if "variable" in attrs else (attrs["dtype"], attrs["shape"])
            return dtype, dims
        return resource, None  # a queue
    raise TypeError(f"{handle!r} is no handle of a variable")


def is_snapshot(tensor: Any) -> TypeGuard[SymbolicTensor]:
    """Whether a tensor is the value of a ref variable that all its readers share."""
    if not isinstance(tensor, SymbolicTensor) or tensor.node.primitive.name != "ReadVariableOp":
        return False
    handle = tensor.node.inputs[0]
    return _is_ref_variable(handle) and tensor.node.name == handle.node.name + "/read"


def _is_ref_variable(tensor: SymbolicTensor) -> bool:
    return tensor.dtype._is_ref_dtype and tensor.node.primitive.name == "VarHandleOp"


def written_handle(tensor: Any) -> SymbolicTensor | None:
    """The handle of the ref variable that a tensor is the value of just after a write; None for any other tensor."""
    if not isinstance(tensor, SymbolicTensor) or not tensor.node.primitive.traits.shares or tensor.node.primitive.name in _READERS:
        return None
    handle = tensor.node.inputs[0]
    return handle if _is_ref_variable(handle) else None


def read_references(op: Op, inputs: tuple[Tensor, ...]) -> tuple[Tensor, ...]:
    """The inputs of a call; for a ref variable itself, which programs look up by its name, its value where the op computes with values."""
    specs = [spec for spec, places in zip(op.inputs, op.spans(len(inputs)), strict=True) for _ in places]
    return tuple(t if _takes_variable(op, spec) else read_reference(t) for spec, t in zip(specs, inputs, strict=True))


def _takes_variable(op: Op, spec: Input) -> bool:
    """Whether an input takes a variable itself, which `R`, `R0` and `R1` say, or whatever a body captures."""
    return spec.captures or (spec.dtype is None and spec.variable not in op.dtypes and spec.variable[:1] == "R")


def read_reference(tensor: Any) -> Any:
    """A tensor; for a ref variable itself its value, which all its readers share."""
    if not isinstance(tensor, SymbolicTensor) or not _is_ref_variable(tensor):
        return tensor
    graph, shared = tensor.node.graph, f"{tensor.node.name}/read"
    if shared in graph.by_name:
        return graph.by_name[shared].outputs[0]
    return READ.call(tensor, dtype=tensor.dtype.base_dtype, shape=tensor.dims, name="read")


def _written_handles(node: Node) -> list[SymbolicTensor]:
    """The handles of the ref variables that a node may write: what holds a body may."""
    return [] if node.primitive.name in _READERS else [t for t in node.inputs if _is_ref_variable(t)]


def defer_reads(nodes: Sequence[Node], fetched: Iterable[Any], fed: Sequence[SymbolicTensor]) -> list[Node]:
    """The nodes of a plan, with ref variables read again for those that wait for a write after the value they use was read."""
    handles = [*fed, *(t for node in nodes if node.primitive.name == "VarHandleOp" for t in node.outputs)]
    if not any(map(_is_ref_variable, handles)) or not any(map(_written_handles, nodes)):
        return list(nodes)
    late = _DeferredReads({t.uid for t in fed})
    for node in nodes:
        late.add(node)
    for t in fetched:
        if isinstance(t, SymbolicTensor) and not is_snapshot(t):
            late.refresh(t, late.written)
    return late.nodes


class _Reference:
    """A tensor that shares a variable's memory: the node that makes it again, of which other tensor, and the writes it has seen."""

    __slots__ = ("handle", "node", "of", "seen")

    def __init__(self, handle: SymbolicTensor, node: Node, of: SymbolicTensor | None, seen: int) -> None:
        self.handle, self.node, self.of, self.seen = handle, node, of, seen


class _DeferredReads:
    """A list of nodes that grows, and what is known of the references in it; a set of writes is a number with a bit for each."""

    def __init__(self, fed: set[int]) -> None:
        self.nodes: list[Node] = []
        self.fed = fed
        self.written = 0
        self._writes_of: dict[int, int] = {}
        self._after: dict[Node, int] = {}
        self._references: dict[int, _Reference] = {}

    def add(self, node: Node) -> None:
        """Add a node, and before it what it has to read again."""
        after = 0
        for maker in (*(t.node for t in node.inputs), *node._control_inputs):
            after |= self._after.get(maker, 0)
        for t in node.inputs:
            self.refresh(t, after)
        self.nodes.append(node)
        for handle in _written_handles(node):
            write = self.written + 1
            self.written |= write
            self._writes_of[handle.uid] = self._writes_of.get(handle.uid, 0) | write
            after |= write
        self._after[node] = after
        self._note(node)

    def refresh(self, t: SymbolicTensor, after: int) -> None:
        """Read a reference again where one of the writes in `after` was made since."""
        reference = self._references.get(t.uid)
        if reference is None or not after & self._writes_of.get(reference.handle.uid, 0) & ~reference.seen:
            return
        if reference.of is not None:
            self.refresh(reference.of, after)
        self.nodes.append(reference.node)
        reference.seen = self.written

    def _note(self, node: Node) -> None:
        """Remember what shares a variable's memory among the outputs of a node."""
        if not node.primitive.traits.shares or node.outputs[0].uid in self.fed:
            return
        (out,), first = node.outputs, node.inputs[0]
        if _is_ref_variable(first):
            self._references[out.uid] = _Reference(first, _read_into(out, first), None, self.written)
        elif first.uid in self._references:
            known = self._references[first.uid]
            self._references[out.uid] = _Reference(known.handle, node, first, known.seen)


def _read_into(out: SymbolicTensor, handle: SymbolicTensor) -> Node:
    """A node that reads a variable and gives `out`, which another node gave before."""
    maker = out.node
    attrs = {"dtype": out.dtype, "shape": out.dims}
    node = Node(READ, (handle,), attrs, (out,))
    node.graph, node.name, node.position, node.source = maker.graph, maker.name, maker.position, maker.source
    node._control_inputs, node.device, node.colocation, node._original_op = (), maker.device, maker.colocation, None
    return node
