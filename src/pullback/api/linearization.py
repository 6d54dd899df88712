"""The way from some sources to some targets: a list of nodes that can be walked backwards and forwards, whatever it comes from.

A function is run once while a journal listens; a tape has its list already; in a graph producers are followed back.  All that has a
name in `derivatives.py` and `jacobians.py` is a question to this list.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ..base import nest
from ..base.lazy_import import LazyModule
from ..ir.apply import convert_to_tensor
from ..ir.context import Recorder, current, enter_graph, start_listening, stop_listening
from ..ir.node import Node
from ..ir.op import Op
from ..ir.tensor import IndexedSlices, SymbolicTensor, Tensor
from ..ops.array.basic import zeros_of
from ..transforms.forward import pushforward
from ..transforms.recording import Recording, caller_of
from ..transforms.reverse import find_between_graphs, find_dependents, is_trainable, pullback
from .endpoints import UnconnectedGradients, as_sources, call_with, source_tensor, targets_of

if TYPE_CHECKING:
    from ..diagnose import reasons
else:
    reasons = LazyModule("pullback.diagnose.reasons")


class Journal(Recorder):
    """A recorder that keeps the nodes that depend on what it follows whole, values included: what a walk forwards needs."""

    def __init__(self, followed: Sequence[Any]) -> None:
        self.active: dict[int, Any] = {t.uid: t for t in followed}
        self.nodes: list[Node] = []
        self.graph = current().graph

    def record(self, op: Op, inputs: tuple[Any, ...], attrs: dict[str, Any], outputs: tuple[Any, ...], node: Node | None) -> None:
        """Keep the node when it depends on something followed and belongs to where the journal was opened, not to a body."""
        if any(t.uid in self.active for t in inputs) and (node is None or node.graph is self.graph):
            if node is None:
                node = Node(op, inputs, attrs, outputs)
                node.source = caller_of(op)
            self.nodes.append(node)
            self.active.update((t.uid, t) for t in outputs if t.dtype.trainable)

    def read(self, variable: Any) -> None:
        """Variables are followed by their handles."""


class Linearization:
    """What leads from `sources` to `target`, both as they were given and flat (`xs`, `ys`).

    explain: why nothing leads from the target to the source of a number, as a sentence; where it is not given, the graph tells.
    """

    def __init__(
        self, nodes: Sequence[Node], sources: Any, xs: Sequence[Any], target: Any, ys: Sequence[Any],
        explain: Callable[[int], str] | None = None,
    ) -> None:  # fmt: skip
        self.nodes = tuple(nodes)
        self.sources, self.xs = sources, list(xs)
        self.target, self.ys = target, list(ys)
        self._explain = explain or (lambda i: reasons.explain_none(self.ys, self.xs[i]))
        self.flat_sources = nest.flatten(sources)
        self.flat_targets = [t if hasattr(t, "handle") else y for t, y in zip(nest.flatten(target), self.ys, strict=True)]
        self.active = find_dependents(self.nodes, self.xs, is_trainable)

    def pull(self, cotangents: Sequence[Any]) -> list[Any]:
        """The cotangent of each x (a tensor, an IndexedSlices, None) for cotangents of the ys, some of which may be None."""
        return pullback(self.nodes, self.ys, cotangents, self.xs, self.active)

    def push(self, tangents: Sequence[Any]) -> list[Any]:
        """The tangent of each y, or None, for tangents of the xs, some of which may be None."""
        given = [(x, t) for x, t in zip(self.xs, tangents, strict=True) if t is not None]
        return pushforward(self.needed, [x for x, _ in given], [t for _, t in given], self.ys)

    @cached_property
    def needed(self) -> list[Node]:
        """The nodes that some y depends on."""
        leads = _find_leading(self.nodes, self.ys, self.active)
        return [node for node in self.nodes if any(t.uid in leads for t in node.outputs)]

    def place(self) -> AbstractContextManager[None]:
        """Where operations on these tensors belong: the graph that they are in, or eager execution."""
        graph = next((t.graph for t in (*self.ys, *self.xs) if isinstance(t, SymbolicTensor)), None)
        return enter_graph(graph if graph is not None and not graph.captures_others else current().graph)

    def check_connected(self, option: UnconnectedGradients | None) -> None:
        """A ValueError for a source that no differentiable path leads from; nothing when an option says what to give for it."""
        if option is not None:
            return
        leads = _find_leading(self.nodes, self.ys, self.active)
        for i, x in enumerate(self.xs):
            if x.uid not in leads:
                raise ValueError(self._explain_unconnected(i))

    def _explain_unconnected(self, i: int) -> str:
        source = self.flat_sources[i]
        name = getattr(source, "name", None) if not isinstance(source, Tensor) or isinstance(source, SymbolicTensor) else None
        named = repr(name) if name else f"the source of shape {tuple(source.shape)}"
        return (
            f"no gradient leads from the target to {named}: {self._explain(i)} Where zeros are the right answer, ask for them with "
            "unconnected_gradients='zero'; for None with 'none'."
        )


def _find_leading(nodes: Sequence[Node], ys: Sequence[Any], active: set[int]) -> set[int]:
    """The uids of the active tensors that some y depends on."""
    found = {y.uid for y in ys}
    for node in reversed(nodes):
        if any(t.uid in found and t.uid in active for t in node.outputs):
            found.update(node.inputs[i].uid for i in _list_differentiable(node))
    return found


def _list_differentiable(node: Node) -> Sequence[int]:
    op = node.primitive
    if op.rules is None:
        return range(len(node.inputs))
    spans = op.spans(len(node.inputs))
    return [j for i in op.differentiable for j in spans[i]]


def linearization(target: Any, sources: Any, tape: Any = None, forwards: bool = True) -> Linearization:
    """The way from `sources` to `target`.

    target: a function of `sources` (or of nothing, reading variables among them), tensors of a graph, or tensors that `tape` recorded.
    sources: a tensor, variable or number, or a structure of them.  forwards: whether it will be walked forwards, which keeps more.
    Raises TypeError for sources that gradients do not flow through and for eager tensors without a tape.
    """
    if callable(target) and not isinstance(target, Tensor):
        return _linearize_function(target, sources, forwards)
    xs = [source_tensor(s) for s in nest.flatten(sources)]
    _check_sources(nest.flatten(sources))
    ys = targets_of(target)
    if tape is not None:
        recording = tape._recording
        if recording is None:
            raise RuntimeError("A non-persistent GradientTape can only be used to compute one set of gradients (or jacobians)")
        explain = None if _is_in_graph(ys) else lambda i: reasons.explain_on_tape(target, xs[i], tape)
        return Linearization(recording.nodes, sources, xs, target, ys, explain)
    if not _is_in_graph(ys):
        raise TypeError(
            "an eager tensor does not know what it was computed from: give the function that computes it from the sources, or the tape "
            "that recorded it as tape="
        )
    with enter_graph(ys[0].graph):
        return Linearization(find_between_graphs(ys, xs), sources, xs, target, ys)


def _linearize_function(function: Callable[..., Any], sources: Any, forwards: bool) -> Linearization:
    flat = as_sources(nest.flatten(sources))
    _check_sources(flat)
    sources = nest.pack_sequence_as(sources, flat)
    xs = [source_tensor(s) for s in flat]
    recorder: Any
    if forwards:
        recorder = Journal(xs)
    else:
        recorder = Recording(reads_variables=False)
        for x in xs:
            recorder.watch(x)
    start_listening(recorder)
    try:
        target = call_with(function, sources)
    finally:
        stop_listening(recorder)
    ys = targets_of(target)
    explain = None if _is_in_graph(ys) else lambda i: reasons.explain_in_function(function, sources, i)
    return Linearization(recorder.nodes, sources, xs, target, ys, explain)


def _is_in_graph(ys: Sequence[Any]) -> bool:
    return all(isinstance(y, SymbolicTensor) for y in ys)


def _check_sources(flat: Sequence[Any]) -> None:
    if not flat:
        raise ValueError("there is nothing to differentiate with respect to: the sources are empty")
    for s in flat:
        if not is_trainable(s.dtype):
            raise TypeError(
                f"a source is {s.dtype.base_dtype.name} ({s!r}), and derivatives are with respect to floating or complex tensors: cast it "
                "before the function, for example tf.cast(x, tf.float32)"
            )


def dense(g: Any, like: Any) -> Any:
    """A cotangent or tangent as a tensor, zeros for a missing one."""
    if g is None:
        return zeros_of(like)
    return convert_to_tensor(g) if isinstance(g, IndexedSlices) else g


def option_of(unconnected_gradients: Any) -> UnconnectedGradients | None:
    """The argument as the enum; None where nothing was said, and an unconnected source is an error."""
    return None if unconnected_gradients is None else UnconnectedGradients(unconnected_gradients)
