"""A list of nodes recorded with values: what a tape holds.

A recording takes a node only when it depends on something watched, and keeps of it only what a rule will read; everything else is
`Forgotten`, so it holds little and frees all of it at once when dropped.
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Iterator, Sequence
from operator import attrgetter
from types import CodeType, FrameType
from typing import TYPE_CHECKING, Any, NamedTuple

from ..base.dtypes import FROM_NUMPY, DType, float32, string, variant
from ..base.lazy_import import LazyModule
from ..ir.context import Recorder, current
from ..ir.node import INSIDE, Node, Source
from ..ir.op import NOTHING, VALUE, Memory, Op
from ..ir.strings import StringTensor
from ..ir.tensor import EagerTensor, Forgotten, Tensor, fresh_uid
from .cotangents import NodeSums
from .reverse import find_dependents, is_trainable, pullback

if TYPE_CHECKING:
    from . import gradient_names
else:
    gradient_names = LazyModule("pullback.transforms.gradient_names")


class PassedBy(NamedTuple):
    """An operation that a tape did not take, without any value: who asked for it, and the uids of its outputs and inputs.

    dtypes: of the outputs, where they may not be the inputs'.
    """

    op: Op
    attrs: dict[str, Any]
    source: Source | None
    dtypes: Sequence[DType] | None
    outputs: tuple[int, ...]
    inputs: tuple[int, ...]

    @property
    def when(self) -> int:
        """The uid that tells what came before and after."""
        return max(self.outputs or self.inputs, default=0)


#: `PassedBy` of an operation of one tensor or two that gave one, in one flat tuple, as each costs one: op, attributes, code and instruction
#: that asked for it, and the uids of the output and the inputs.
Short = tuple[Any, ...]

_UNREAD = Forgotten(0, (), float32.numpy_dtype)
_SINGLE = float32.numpy_dtype
#: The NumPy dtypes of tensors that gradients flow through.
TRAINABLE_KINDS = frozenset(kind for kind, dtype in FROM_NUMPY.items() if dtype.trainable)
_frame = sys._getframe
_new = object.__new__  # what is made for every operation is made by hand: the call of a class costs a third of it
#: How deep a call is whose depth is not worth to be kept for the next time.
_DEEP = 16
#: How many operations that it does not take a recording knows of: those that come last.
_PASSED_BY = 20_000


class Recording(Recorder):
    """The nodes of a tape, and what stands for each tensor that depends on a watched one, by uid.

    persistent: whether gradients taken while it listens may be differentiated by it again, to any order.

    sources: what is watched, by uid, with the uid that the next tensor would have had then.

    For `explain`, which tells why a gradient is None: `passed_by` has the operations that were not taken, without any value, and
    `spans` the uids at the beginning and the end of each stretch of listening: uids only grow, so they tell what came before what.
    """

    __slots__ = (
        "_note", "active", "nodes", "passed_by", "persistent", "reads_variables", "source", "sources", "spans", "variables",
    )  # fmt: skip

    def __init__(self, reads_variables: bool, persistent: bool = False) -> None:
        self.nodes: list[Node] = []
        self.active: dict[int, Any] = {}
        self.sources: dict[int, int] = {}
        self.variables: dict[int, Any] = {}
        self.reads_variables = reads_variables
        self.persistent = persistent
        self.passed_by: deque[PassedBy | Short] = deque(maxlen=_PASSED_BY)
        self._note = self.passed_by.append
        self.spans: list[int] = []
        self.source: Source | None = None

    def record_short(self, op: Op, x: Tensor, y: Tensor | None, attrs: dict[str, Any], out: Tensor, memory: Memory) -> None:
        """`record` of an eager operation of one tensor (y is None) or two that gave one."""
        code: CodeType | None
        try:
            frame = _frame(memory.depth)
            code = frame.f_code
            at = frame.f_lasti
            if code is not memory.caller:
                is_near = memory.depth == memory.nearest
                if INSIDE[code.co_filename] or not (is_near or INSIDE[_frame(memory.depth - 1).f_code.co_filename]):
                    code, at = _look_for_caller(memory)
                elif is_near:
                    memory.caller = code
        except ValueError:  # the stack is not that deep
            code, at = _look_for_caller(memory)
        active = self.active
        if y is None:
            if x.uid not in active and op.plain:
                self._note((op, attrs, code, at, out.uid, x.uid))
                return
        elif not (active and (x.uid in active or y.uid in active)) and op.plain:
            self._note((op, attrs, code, at, out.uid, x.uid, y.uid))
            return
        source = None if code is None else (code, at)
        if not op.plain:
            self._record_other(op, (x,) if y is None else (x, y), attrs, (out,), None, source)
            return
        read = None
        kept: tuple[Any, ...]
        if y is None:
            kept = (x,) if op.keeps[0] == VALUE else (active[x.uid],)
        else:
            keep_x, keep_y = op.keeps
            a = x if keep_x == VALUE else active.get(x.uid)
            b = y if keep_y == VALUE else active.get(y.uid)
            if a is None or b is None:
                read = x.uid, y.uid
                if a is None:
                    a = _UNREAD if keep_x == NOTHING else _type_of(x)
                else:
                    b = _UNREAD if keep_y == NOTHING else _type_of(y)
            kept = a, b
        if type(out) is EagerTensor:
            value = out.value
            kind = value.dtype
            if kind is not _SINGLE and kind not in TRAINABLE_KINDS:
                self.pass_by(op, (x,) if y is None else (x, y), attrs, (out,), source)
                return
            if not op.keeps_output:
                result: Any = _new(Forgotten)
                result.uid = out.uid
                result.dims = value.shape
                result.kind = kind
                out = result
            active[out.uid] = out
            results: tuple[Any, ...] = (out,)
        else:
            results = self._results(op, (out,))
        node = _new(Node)
        node.primitive = op
        node.inputs = kept
        node.attrs = attrs
        node.outputs = results
        node.source = source
        if read is not None:
            node.read = read
        self.nodes.append(node)

    def record(self, op: Op, inputs: tuple[Any, ...], attrs: dict[str, Any], outputs: tuple[Any, ...], node: Node | None) -> None:
        """Keep the node when it depends on something watched; of its values only what its rules read."""
        if node is None and op.plain and 1 <= len(inputs) <= 2:
            self.record_short(op, inputs[0], inputs[1] if len(inputs) == 2 else None, attrs, outputs[0], op.memory)
        else:
            self._record_other(op, inputs, attrs, outputs, node, caller_of(op))

    def _record_other(
        self, op: Op, inputs: tuple[Any, ...], attrs: dict[str, Any], outputs: tuple[Any, ...], node: Node | None, source: Source | None
    ) -> None:  # fmt: skip
        """`record` of any operation, whose caller is known."""
        active = self.active
        if op.rules == () or active.keys().isdisjoint([t.uid for t in inputs]):
            self.pass_by(op, inputs, attrs, outputs, source)
            return
        if node is not None:
            self.nodes.append(node)
            active.update((t.uid, t) for t in outputs if t.dtype.trainable)
            return
        kept = inputs if op.rules is None else _keep_inputs(op, inputs, active)
        if len(outputs) == 1 and type(outputs[0]) is EagerTensor and outputs[0].value.dtype not in TRAINABLE_KINDS:
            self.pass_by(op, inputs, attrs, outputs, source)
            return
        made = Node(op, kept, attrs, self._results(op, outputs))
        made.source = source
        if any(k is _UNREAD for k in kept):
            made.read = tuple([t.uid for t in inputs])
        self.nodes.append(made)

    def pass_by(
        self, op: Op, inputs: Sequence[Any], attrs: dict[str, Any], outputs: Sequence[Any], source: Source | None
    ) -> None:  # fmt: skip
        """Take note of an operation that is not taken."""
        dtypes, uids = [t.dtype for t in outputs], tuple([t.uid for t in inputs])
        self.passed_by.append(PassedBy(op, attrs, source, dtypes, tuple([t.uid for t in outputs]), uids))

    def find_passed(self) -> Iterator[PassedBy]:
        """The operations that were not taken, the last of them, in their order."""
        for one in self.passed_by:
            if isinstance(one, PassedBy):
                yield one
            else:
                op, attrs, code, at, out, *inputs = one
                yield PassedBy(op, attrs, None if code is None else (code, at), None, (out,), tuple(inputs))

    def record_call(self, op: Op, inputs: tuple[Any, ...], attrs: dict[str, Any], outputs: tuple[Any, ...]) -> None:
        """Keep a node that depends on something watched, of an op whose rules read its outputs and no input."""
        active = self.active
        node = Node(op, tuple([active.get(t.uid, _UNREAD) for t in inputs]), attrs, outputs)
        node.source, node.read = caller_of(op), tuple([t.uid for t in inputs])
        self.nodes.append(node)
        for t in outputs:
            if type(t) is not StringTensor and (type(t) is not EagerTensor or t.value.dtype in TRAINABLE_KINDS):
                active[t.uid] = t

    def _results(self, op: Op, outputs: tuple[Any, ...]) -> tuple[Any, ...]:
        """What stands for the outputs of a node: themselves where a rule reads them; the trainable ones become active."""
        results = []
        for t in outputs:
            kind = t.value.dtype if type(t) is EagerTensor else None
            result = t if op.keeps_output or op.rules is None else _type_of(t)
            if kind in TRAINABLE_KINDS or (kind is None and type(t) is not StringTensor):
                self.active[t.uid] = result
            results.append(result)
        return tuple(results)

    def read(self, variable: Any) -> None:
        """Watch a trainable variable that is being read."""
        if self.reads_variables and variable._trainable:
            self.watch_variable(variable)

    def read_all(self, known: Sequence[tuple[Any, int, Any]]) -> None:
        """`read` of several trainable variables, each with its handle's uid and its handle."""
        if self.reads_variables:
            active, sources, variables = self.active, self.sources, self.variables
            for variable, uid, handle in known:
                variables[id(variable)] = variable
                if uid not in active:
                    active[uid] = handle
                if uid not in sources:
                    sources[uid] = fresh_uid()

    def watch_variable(self, variable: Any) -> None:
        """Watch a variable."""
        self.variables.setdefault(id(variable), variable)
        self.watch(variable.handle)

    def watch(self, tensor: Tensor) -> None:
        """Watch a tensor."""
        uid = tensor.uid
        self.active.setdefault(uid, tensor)
        if uid not in self.sources:
            self.sources[uid] = fresh_uid()


def caller_of(op: Op) -> Source | None:
    """The code and the instruction of the program that asked for an operation that is being recorded."""
    depth = op.memory.depth
    try:
        frame = _frame(depth)
        code = frame.f_code
        if not INSIDE[code.co_filename] and (depth <= 4 or INSIDE[_frame(depth - 1).f_code.co_filename]):
            return code, frame.f_lasti
    except ValueError:  # the stack is not that deep
        pass
    found = _look_for_caller(op.memory)
    return None if found[0] is None else (found[0], found[1])


def _look_for_caller(memory: Memory) -> tuple[CodeType | None, int]:
    """`caller_of`, however far out of the function that calls this it is, which is kept for the next time."""
    depth = 2
    frame: FrameType | None = _frame(depth)
    while frame is not None and INSIDE[frame.f_code.co_filename]:
        frame = frame.f_back
        depth += 1
    memory.depth, memory.caller = depth - 1 if depth < _DEEP else memory.nearest, None
    return (frame.f_code, frame.f_lasti) if frame is not None else (None, 0)


def _keep_inputs(op: Op, inputs: tuple[Any, ...], active: dict[int, Any]) -> tuple[Any, ...]:
    """What a node keeps of its inputs: values that a rule reads, types, or only what stands for an active tensor."""
    keeps = op.keeps if op.variadic is None else _spread(op, len(inputs))
    kept = []
    for t, keep in zip(inputs, keeps, strict=True):
        known = t if keep == VALUE else active.get(t.uid)
        kept.append(known if known is not None else _UNREAD if keep == NOTHING else _type_of(t))
    return tuple(kept)


def _type_of(tensor: Any) -> Any:
    if type(tensor) is EagerTensor:
        return Forgotten(tensor.uid, tensor.value.shape, tensor.value.dtype)
    if type(tensor) is StringTensor:
        return Forgotten(tensor.uid, tensor.dims, string)
    return Forgotten(tensor.uid, (), variant) if isinstance(tensor, EagerTensor) and tensor.dtype is variant else tensor


def _spread(op: Op, count: int) -> list[int]:
    return [keep for keep, span in zip(op.keeps, op.spans(count), strict=True) for _ in span]


# ---- gradients


def sweep(recording: Recording, ys: list[Any], gs: list[Any], xs: list[Any]) -> list[Any]:
    """The gradient of each of `xs` by what a tape recorded, None where nothing connects."""
    nodes, active = tuple(recording.nodes), active_of(recording, xs)
    graph = current().graph
    if graph is None:
        return pullback(nodes, ys, gs, xs, active)
    rules = gradient_names.RulesOnTape(graph)
    nodes = tuple(gradient_names.order_nodes(nodes, ys, on_tape=True))
    try:
        return pullback(nodes, ys, gs, xs, active, NodeSums(current(), rules.total, rules.enter, rules.finish))
    finally:
        rules.leave()


def active_of(recording: Recording, xs: Sequence[Any]) -> Any:
    """The uids of the tensors that depend on `xs`, for a sweep."""
    active: Any = recording.active
    if not recording.sources.keys() <= set(map(_uid_of, xs)):
        active = find_dependents(recording.nodes, [x for x in xs if x.uid in recording.active], is_trainable)
    for x in xs:
        if (type(x) is not EagerTensor or x.value.dtype not in TRAINABLE_KINDS) and not x.dtype.base_dtype.trainable:
            return set(active) - {x.uid for x in xs if not x.dtype.base_dtype.trainable}
    return active


_uid_of = attrgetter("uid")


class Unanswered:
    """The tape whose gradient was None last, as long as no other one has begun: for messages that tell why."""

    tape: Any = None
