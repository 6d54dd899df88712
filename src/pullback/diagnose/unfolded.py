"""A tape whose calls of functions are unfolded: in place of each call the operations inside, with the values that its gradient reads.

A call under a tape keeps what its gradient reads and nothing else.  That is what a tape keeps of any operation, so the inside of a call
can be had as nodes of a tape: where a value was not kept, a `Forgotten` stands for it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..control.call import CALL, find_kept_values
from ..ir.apply import EAGER_MEMORY, wrap
from ..ir.function_graph import Body
from ..ir.node import Node
from ..ir.plan import Run
from ..ir.tensor import EagerTensor, Forgotten, SymbolicTensor, TensorType, fresh_uid
from ..transforms.provenance import merge_in_order
from ..transforms.recording import Recording
from .rerun import Recorded


class _Call(Recorded):
    """A recorded call, gone through from the values that were kept of it."""

    def __init__(self, recording: Recording) -> None:
        super().__init__(Run(EAGER_MEMORY, {}), recording)
        #: Whether there is a branch in it.
        self.chooses = False
        #: By the uids of tensors of the body that is gone through: their values, as arrays.
        self._kept: dict[int, Any] = {}

    def unfold(self, node: Node, given: Sequence[Any]) -> list[Any]:
        """The outputs of a tape's node.  given: what stands for its inputs."""
        body, kept = find_kept_values(node)
        return self._with(kept, body, given)[: len(node.outputs)]

    def _with(self, kept: dict[int, Any], body: Body, given: Sequence[Any]) -> list[Any]:
        before, self._kept = self._kept, kept
        inputs = [
            _renumber(wrap(kept[inner.uid]), t.uid) if isinstance(t, Forgotten) and inner.uid in kept else t
            for t, inner in zip(given, body.inputs, strict=True)
        ]
        try:
            return self.body(body, inputs)
        finally:
            self._kept = before

    def _bodies(self, node: Node, inputs: tuple[Any, ...]) -> list[Any] | None:
        if "branches" in node.attrs:
            self.chooses = True
            if isinstance(inputs[0], Forgotten):
                return self._pass_by(node, inputs)
        return super()._bodies(node, inputs)

    def _pass_by(self, node: Node, inputs: tuple[Any, ...]) -> list[Any]:
        """The outputs of a branch or a loop that no gradient goes through, of which it is not known what was run."""
        outputs = [wrap(self._kept[t.uid]) if t.uid in self._kept else _make_stand_in(t) for t in node.outputs]
        self._recording.pass_by(node.primitive, inputs, node.attrs, outputs, node.source)
        return outputs

    def _call(self, node: Node, body: Body, given: Sequence[Any]) -> list[Any]:
        kept = self._kept
        return self._with(
            {inner.uid: kept[t.uid] for inner, t in zip(body.outputs, node.outputs, strict=True) if t.uid in kept}, body, given
        )

    def _loop(self, node: Node, inputs: tuple[Any, ...]) -> list[Any]:
        step: Body = node.attrs["body"]
        count = len(step.outputs)
        stacks = {
            uid: self._kept[node.outputs[i].uid] for uid, i in node.attrs.get("_stacks", {}).items() if node.outputs[i].uid in self._kept
        }
        if not stacks:
            return self._pass_by(node, inputs)
        elements = {uid: stack.items() for uid, stack in stacks.items()}
        variables, invariants = list(inputs[:count]), inputs[count:]
        for i in range(min(len(items) for items in elements.values())):
            variables = self._with({uid: items[i] for uid, items in elements.items()}, step, [*variables, *invariants])
        return variables

    def _kernel(self, node: Node, inputs: tuple[Any, ...]) -> list[Any]:
        kept = self._kept
        if all(t.uid in kept for t in node.outputs):
            return [wrap(kept[t.uid]) for t in node.outputs]
        if not node.primitive.stateful and all(isinstance(t, EagerTensor) for t in inputs):
            return super()._kernel(node, inputs)
        inferred = node.primitive.infer(*node.primitive.arguments(inputs), **{name: node.attrs[name] for name in node.primitive.attributes})
        types = inferred if isinstance(inferred, tuple) else (inferred,)
        return [wrap(kept[t.uid]) if t.uid in kept else _make_stand_in(found) for t, found in zip(node.outputs, types, strict=True)]


def _make_stand_in(kind: TensorType | SymbolicTensor, uid: int | None = None) -> Forgotten:
    """What stands for a tensor of a body whose value was not kept; a shape that is not known either is read by no rule."""
    return Forgotten(uid or fresh_uid(), kind.dims, kind.dtype)


def _renumber(tensor: Any, uid: int) -> Any:
    """The same under another number."""
    if isinstance(tensor, Forgotten):
        return Forgotten(uid, tensor.dims, tensor.kind)
    made = wrap(tensor.value)
    made.uid = uid
    return made


class Unfolded:
    """A recording with its calls unfolded; everything in it is numbered anew, so that what comes later has higher numbers still.

    recording: the same one where it has no calls of functions, or the targets have no values.
    """

    def __init__(self, recording: Recording, targets: Sequence[Any]) -> None:
        self._names: dict[int, int] = {}
        self.recording = recording
        #: The last branch or loop that would have used a tensor, had another branch been taken, or a step.
        self.not_taken: Callable[[Any], Node | None] = lambda x: None
        #: Whether there are branches in its calls.
        self.chooses = False
        if not any(node.primitive is CALL for node in recording.nodes) or any(isinstance(y, SymbolicTensor) for y in targets):
            return
        made = self.recording = Recording(recording.reads_variables)
        made.sources, made.spans, made.source = recording.sources, recording.spans, recording.source
        made.active = {uid: t for uid, t in recording.active.items() if uid in recording.sources}
        self._calls = _Call(made)
        self.not_taken = self._calls.not_taken
        for one in merge_in_order(recording):
            if not isinstance(one, Node):
                fresh = tuple([self._fresh(uid) for uid in one.outputs])
                made.passed_by.append(one._replace(outputs=fresh, inputs=self._rename_uids(one.inputs)))
            elif one.primitive is CALL and not hasattr(one, "graph"):
                self._unfold(one)
            elif not hasattr(one, "graph"):
                self._copy(one)  # nodes of graphs come from functions that were traced in between

    def of(self, tensor: Any) -> Any:
        """What stands for a tensor of the recording."""
        uid = self._names.get(tensor.uid)
        return tensor if uid is None else _renumber(tensor, uid)

    def _rename_uids(self, uids: Sequence[int]) -> tuple[int, ...]:
        return tuple([self._names.get(uid, uid) for uid in uids])

    def _fresh(self, uid: int) -> int:
        found = self._names[uid] = fresh_uid()
        return found

    def _copy(self, node: Node) -> None:
        inputs = tuple([self.of(t) for t in node.inputs])
        copied = Node(node.primitive, inputs, node.attrs, tuple([_renumber(t, self._fresh(t.uid)) for t in node.outputs]))
        copied.source = node.source
        if hasattr(node, "read"):
            copied.read = self._rename_uids(node.read)
        self._take(copied)

    def _take(self, node: Node) -> None:
        self.recording.nodes.append(node)
        self.recording.active.update((t.uid, t) for t in node.outputs if t.dtype.trainable)

    def _unfold(self, call: Node) -> None:
        """Take the operations inside a call in its place."""
        uids = self._rename_uids(getattr(call, "read", None) or [t.uid for t in call.inputs])
        inside = call.attrs["f"].inputs
        given = [self.of(t) if t.uid else _make_stand_in(inner, uid) for t, inner, uid in zip(call.inputs, inside, uids, strict=True)]
        outputs = self._calls.unfold(call, given)
        self._names.update((t.uid, out.uid) for t, out in zip(call.outputs, outputs, strict=True))
        self.chooses = self._calls.chooses
