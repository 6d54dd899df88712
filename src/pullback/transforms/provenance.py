"""What a tensor was computed from: the operations behind it, those that a tape did not take and those inside bodies among them.

A tensor is known by a key: its uid, or inside the call of a body `(call, uid)`, so that the tensors of two calls are told apart.
A step knows of each of its inputs whether a gradient may pass: that is all that `explain` asks.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import count
from typing import Any, NamedTuple

from ..base.dtypes import DType
from ..ir.function_graph import Body
from ..ir.node import Node, Source
from ..ir.op import Op
from ..ir.tensor import SymbolicTensor
from .recording import PassedBy, Recording
from .reverse import differentiable_inputs, is_trainable

Key = Hashable
_READS = frozenset({"ReadVariableOp", "ResourceGather", "ResourceGatherNd"})


def stores(op: Op) -> bool:
    """Whether an operation stores a value in a variable: what is read of the variable afterwards was computed from it."""
    return op.effects and op.inputs[0].variable == "R"


class Step:
    """One operation: what it read and gave, where the program asked for it, and which of its inputs a gradient may reach."""

    __slots__ = ("attrs", "inputs", "node", "op", "outputs", "source", "stored", "when")

    def __init__(
        self, op: Op, inputs: tuple[Key, ...], outputs: tuple[Key, ...], attrs: dict[str, Any], source: Source | None, when: int
    ) -> None:
        self.op, self.inputs, self.outputs, self.attrs, self.source, self.when = op, inputs, outputs, attrs, source, when
        self.node: Node | None = None
        #: Of a read of a variable: the steps that stored something in it before, the last first.
        self.stored: tuple[Step, ...] = ()

    def passes(self, index: int) -> bool:
        """Whether the rules of the operation give a cotangent for an input."""
        if self.op.rules is None:
            return True
        if self.node is not None:
            return index in differentiable_inputs(self.node)
        if self.op.variadic is None:
            return index in self.op.differentiable
        spans = self.op.spans(len(self.inputs))
        return any(index in spans[i] for i in self.op.differentiable)

    def __repr__(self) -> str:
        return f"<step {self.op.name} {self.inputs} -> {self.outputs}>"


class Place(NamedTuple):
    """Where a node stands: in which call of a body (None: in none), asked for where, and when, as uids tell it."""

    call: int | None
    source: Source | None
    when: int


class Provenance:
    """Steps in an order they can run in, and who made each tensor."""

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self.makers: dict[Key, list[Step]] = {}
        #: The dtypes of tensors, as far as they are known.
        self.dtypes: dict[Key, DType] = {}
        #: What was stored in a variable, by the key of its handle.
        self.stores: dict[Key, list[Step]] = {}
        #: Whether there are branches, of which one was run.
        self.chooses = False
        self._calls = count(1)
        self._alias: dict[Key, Key] = {}

    def add(self, step: Step) -> None:
        """Take in one step."""
        self.steps.append(step)
        for key in step.outputs:
            self.makers.setdefault(key, []).append(step)
        if stores(step.op):
            self.stores.setdefault(step.inputs[0], []).append(step)
        elif self.stores and step.op.name in _READS:
            step.stored = tuple(reversed(self.stores.get(step.inputs[0], ())))

    def add_node(self, node: Node, place: Place | None = None) -> None:
        """Take in a node of a graph or a tape, and what is in its bodies in its place.  place: the call of a body that it belongs to."""
        read = getattr(node, "read", None)
        uids = [t.uid for t in node.inputs] if read is None else read
        outs = [t.uid for t in node.outputs]
        dtypes = self.dtypes
        if place is None:
            inputs, outputs, when = tuple(uids), tuple(outs), max(outs, default=0)
        else:
            inputs, outputs, when = tuple([self._key(place, u) for u in uids]), tuple([self._key(place, u) for u in outs]), place.when
        for key, t in zip(inputs, node.inputs, strict=False):
            if key not in dtypes and t.uid:
                dtypes[key] = t.dtype
        for key, t in zip(outputs, node.outputs, strict=True):
            dtypes.setdefault(key, t.dtype)
        source = getattr(node, "source", None)
        if node.attrs and self.add_bodies(node.attrs, inputs, outputs, place or Place(None, source, when)):
            return
        step = Step(node.primitive, inputs, outputs, node.attrs, source or (place.source if place is not None else None), when)
        step.node = node
        self.add(step)

    def add_bodies(self, attrs: dict[str, Any], inputs: tuple[Key, ...], outputs: tuple[Key, ...], place: Place) -> bool:
        """The steps of the bodies of a call, a branch or a loop; whether there are any."""
        if isinstance(attrs.get("f"), Body):
            self._add_body(attrs["f"], inputs, outputs, place, 0)
        elif "branches" in attrs:
            self.chooses = True
            for body in attrs["branches"]:
                self._add_body(body, inputs[1:], outputs, place, 0)
        elif isinstance(attrs.get("body"), Body) and len(attrs["body"].outputs) <= len(inputs):
            body = attrs["body"]
            variables = self._add_body(body, inputs, outputs, place, len(body.outputs))
            for given, variable in zip(outputs, variables, strict=False):  # what a step gives is what the next one takes
                self.add(Step(SAME, (given,), (variable,), {}, None, place.when))
            for given, start in zip(outputs, inputs, strict=False):  # and a loop may take no step
                self.add(Step(SAME, (start,), (given,), {}, None, place.when))
        else:
            return False
        return True

    def _add_body(self, body: Body, inputs: Sequence[Key], outputs: Sequence[Key], place: Place, changing: int) -> list[Key]:
        """The steps of a body: what it takes is known by the keys outside, but for the first inputs, which change from step to step."""
        inside = Place(next(self._calls), place.source, place.when)
        variables: list[Key] = []
        for i, (key, t) in enumerate(zip(inputs, body.inputs, strict=False)):
            if i < changing:
                variables.append((inside.call, t.uid))
                self.add(Step(SAME, (key,), (variables[-1],), {}, None, place.when))
            else:
                self._alias[inside.call, t.uid] = key
        for node in body.graph.nodes:
            if node.primitive.name != "Placeholder":
                self.add_node(node, inside)
        for key, t in zip(outputs, body.outputs, strict=False):
            self.add(Step(SAME, (self._key(inside, t.uid),), (key,), {}, None, place.when))
        return variables

    def _key(self, place: Place | None, uid: int) -> Key:
        key = uid if place is None or place.call is None else (place.call, uid)
        return self._alias.get(key, key)

    def maker_of(self, keys: Iterable[Key]) -> Step | None:
        """The operation that made one of several tensors, where it is known."""
        seen: set[Key] = set()
        pending = list(keys)
        while pending:
            key = pending.pop(0)
            for step in self.makers.get(key, ()) if key not in seen else ():
                if step.op is not SAME:
                    return step
                pending += step.inputs
            seen.add(key)
        return None

    def is_trainable(self, key: Key) -> bool:
        """Whether gradients flow through a tensor; True where its type is not known."""
        dtype = self.dtypes.get(key)
        return dtype is None or is_trainable(dtype)


class _Same:
    """The operation of a step that hands a tensor into a body or out of it."""

    name = "Identity"
    rules = None
    types = None
    stateful = effects = False


SAME: Any = _Same()


def trace_graph(ys: Sequence[SymbolicTensor]) -> Provenance:
    """What tensors of a graph were computed from, back to its beginning and out of bodies that are being built."""
    found = Provenance()
    seen: set[Node] = set()
    pending = [y.node for y in ys]
    while pending:
        node = pending.pop()
        if node not in seen:
            seen.add(node)
            pending += [t.node for t in node.inputs if isinstance(t, SymbolicTensor)]
            pending += node.control_inputs
            home = node.graph.origin(node.outputs[0]) if node.primitive.name == "Placeholder" and node.outputs else None
            if isinstance(home, SymbolicTensor) and home.node is not node:
                pending.append(home.node)
    for node in sorted(seen, key=lambda n: (n.graph.depth, n.position)):
        if node.primitive.name != "Placeholder":
            found.add_node(node)
    return found


def trace_recording(recording: Recording) -> Provenance:
    """What a tape knows: the nodes it took, and in their order the operations it did not take."""
    found = Provenance()
    for one in merge_in_order(recording):
        if isinstance(one, Node):
            found.add_node(one)
        else:
            _add_passed(found, one)
    return found


def merge_in_order(recording: Recording) -> Iterator[Node | PassedBy]:
    """The nodes that a tape took and the operations that it did not take, as they came."""
    passed = sorted(recording.find_passed(), key=lambda one: one.when)
    at = 0
    for node in recording.nodes:
        when = max((t.uid for t in node.outputs), default=0)
        while at < len(passed) and passed[at].when < when:
            yield passed[at]
            at += 1
        yield node
    yield from passed[at:]


def _add_passed(found: Provenance, passed: PassedBy) -> None:
    op, attrs, source, dtypes, outputs, inputs = passed
    found.dtypes.update(zip(outputs, dtypes or [found.dtypes[k] for k in inputs[:1] if k in found.dtypes], strict=False))
    if not found.add_bodies(attrs, inputs, outputs, Place(None, source, passed.when)):
        found.add(Step(op, inputs, outputs, attrs, source, passed.when))
