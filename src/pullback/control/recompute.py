"""What `recompute_grad` is made of: a function that keeps its arguments and results and nothing between; its gradient runs it again.

The first run is hidden from tapes; a recorder of our own notes which variables and which tensors from outside it reads, so these get
their gradients as the arguments do.  The second run reads copies that depend on the cotangents (`BARRIER`): it cannot be merged with
the first nor be run early, and an argument passed twice counts twice.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any

from ..base import nest
from ..ir.apply import convert_to_tensor
from ..ir.context import Context, current, enter_context, start_listening, stop_listening
from ..ir.op import define
from ..ir.tensor import TensorType
from ..transforms.recording import Recording
from ..transforms.reverse import pullback
from .custom import Decorated, Flags, attach_gradient, source_of
from .variable_reads import VariableReads

Around = Callable[[], AbstractContextManager[Any]]
Surroundings = Callable[[], Around]

BARRIER = define(
    "OptimizationBarrier",
    "input:any *after:any",
    lambda input, after: TensorType(input.dims, input.dtype),
    lambda input, after: input,
    {"input": lambda g: g},
    holomorphic=False,
)


class Reads(VariableReads):
    """A recorder that notes which variables, and which tensors made before, a run reads."""

    def __init__(self, args: Sequence[Any]) -> None:
        super().__init__()
        self.graph, self.behind = current().graph, current().recorders
        self.known = {t.uid for t in args}
        self.outside: dict[int, Any] = {}

    def record(self, op: Any, inputs: Any, attrs: Any, outputs: Any, node: Any = None) -> None:
        """Note what an operation reads that was made outside, where gradients flow."""
        if (None if node is None else node.graph) is not self.graph:
            return
        for t in inputs:
            if t.uid not in self.known and t.dtype.trainable and self.follows(t):
                self.outside[t.uid] = t
        self.known.update(t.uid for t in outputs)

    def follows(self, tensor: Any) -> bool:
        """Whether somebody may ask for the gradient of a tensor: a graph may ask for any, eagerly it takes a tape."""
        if self.graph is not None:
            return bool(tensor.node.primitive.name != "Const")
        return any(r.follows(tensor) if isinstance(r, Reads) else tensor.uid in r.active for r in self.behind)


def recompute_in_gradient(f: Callable[..., Any], surroundings: Surroundings) -> Decorated:
    """`f` whose gradient runs it again.

    surroundings: called when `f` runs; what it returns makes the context in which `f` runs again.
    """

    def forget_intermediates(f: Any, args: Any, kwargs: Any) -> Any:
        flat = [t if t is None or hasattr(t, "handle") else convert_to_tensor(t) for t in nest.flatten(list(args), expand_composites=True)]
        sources = [source_of(t) for t in flat if t is not None]
        reads = Reads(sources)
        around = surroundings()
        with enter_context(Context(current().graph, (reads,))):
            result = _tensors(f(*nest.pack_sequence_as(list(args), flat, expand_composites=True), **kwargs))
        for variable in reads.beyond(sources):
            reads.outside.setdefault(variable.handle.uid, variable.handle)
        for variable in reads.found.values():
            for recorder in current().recorders:
                recorder.read(variable)
        again = Recomputation(f, around, args, kwargs, flat, list(reads.outside.values()))
        return attach_gradient(result, [*sources, *again.outside], again)

    return Decorated(f, forget_intermediates)


def _tensors(result: Any) -> Any:
    return nest.map_structure(convert_to_tensor, result, expand_composites=True)


class Recomputation:
    """The gradient of one call: `f` once more, on copies of its arguments, and the cotangents pulled back through it."""

    __slots__ = ("args", "around", "f", "flat", "kwargs", "outside")

    def __init__(self, f: Any, around: Around, args: Any, kwargs: Any, flat: list[Any], outside: list[Any]) -> None:
        self.f, self.around, self.args, self.kwargs, self.flat, self.outside = f, around, args, kwargs, flat, outside

    def __call__(self, gs: Sequence[Any], active: Flags) -> list[Any]:
        given = [g for g in gs if g is not None]
        copies = [t if t is None or hasattr(t, "handle") else BARRIER(t, given) for t in self.flat]
        sources = [source_of(t) for t in copies if t is not None] + self.outside
        recording = Recording(reads_variables=False)
        asked = [t for t, flag in zip(sources, active, strict=True) if flag]
        ys = [recording.active.get(t.uid, t) for t in self.record(recording, asked, copies)]  # stand-ins hold no values
        found = iter(pullback(tuple(recording.nodes), ys, gs, asked, recording.active))
        return [next(found) if flag else None for flag in active]

    def record(self, recording: Recording, sources: Sequence[Any], args: Sequence[Any] | None = None) -> list[Any]:
        """Run `f` once more, on its own arguments or on copies of them, while a recording that watches `sources` listens: its results."""
        for t in sources:
            recording.watch(t)
        start_listening(recording)
        try:
            with self.around():
                given = nest.pack_sequence_as(list(self.args), self.flat if args is None else list(args), expand_composites=True)
                result = _tensors(self.f(*given, **self.kwargs))
        finally:
            stop_listening(recording)
        return nest.flatten(result, expand_composites=True)
