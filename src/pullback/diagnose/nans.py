"""`trace_nans`: where the first infinity or NaN began, forward or backward, eagerly, in functions and in sessions.

Eager operations are looked at as they run. Sweeps, functions and sessions run as always and are looked at as a whole; only where
one gave what is not finite is it gone through once more, operation by operation, from the values that it started with.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any

from ..api.nonfinite import Array, NotFinite, NotFiniteError, describe, describe_gradient, describe_node, is_finite, is_first_nonfinite
from ..base.export import export
from ..control.call import CALL
from ..ir.apply import wrap
from ..ir.context import Context, Watcher, current, enter_context, start_listening, stop_listening
from ..ir.function_graph import Body
from ..ir.node import Node, user_frame
from ..ir.op import Op
from ..ir.plan import Run
from ..ir.tensor import EagerTensor, IndexedSlices
from ..ops.state.variables import Repeating
from ..transforms.cotangents import DeferredSums
from ..transforms.reverse import pullback
from .rerun import Rerun
from .traced import Trace


class NanTrace(Watcher):
    """What `trace_nans` gives: `found` is the first operation that gave an infinity or a NaN, None while there is none."""

    def __init__(self, raises: bool) -> None:
        super().__init__()
        self.found: NotFinite | None = None
        self._raises = raises

    def _tell(self, found: NotFinite) -> None:
        if self.found is None:
            self.found = found
        if self._raises:
            raise NotFiniteError(found)

    def record(self, op: Op, inputs: tuple[Any, ...], attrs: dict[str, Any], outputs: tuple[Any, ...], node: Node | None) -> None:
        """Look at what an eager operation gave."""
        if node is not None or op is CALL:
            return
        for t in outputs:
            if type(t) is EagerTensor and not is_finite(t.value):
                values = [x.value for x in inputs if isinstance(x, EagerTensor)]
                if is_first_nonfinite(t.value, values):
                    self._tell(describe(op, user_frame(), t.value, values))
                return

    def note_sweep(
        self, nodes: Sequence[Node], ys: Sequence[Any], gs: Sequence[Any], xs: Sequence[Any], active: object, found: Sequence[Any]
    ) -> None:  # fmt: skip
        """Look at the gradients of a tape; where they are not finite, find the operation whose gradient was the first."""
        given = _arrays(gs)
        if not any(is_first_nonfinite(value, given) for value in _arrays(found)):
            return
        first = _first_of_sweep(nodes, ys, gs, xs, active)
        if first is not None:
            self._tell(first)

    def ran(
        self, body: Callable[..., Any], values: Sequence[Any], answers: Sequence[Any], before: Sequence[tuple[Any, Any]], run: Run
    ) -> None:
        """Look at what a function or a session gave and stored; where that is not finite, go through it again."""
        written = [(storage, old, storage.value) for storage, old in before if storage.value is not old]
        given = [*values, *(old for _, old in before)]
        if not any(is_first_nonfinite(value, given) for value in (*answers, *(new for _, _, new in written))):
            return
        for storage, old, _ in written:
            storage.value = old
        found = None
        try:
            with ExitStack() as repeating:
                for value in values:
                    if isinstance(value, Repeating):
                        repeating.enter_context(value.repeating())
                _look_inside(body, values, run)
        except _Located as located:
            found = located.found
        finally:
            run.take_back()
        if found is None or not self._raises:
            for storage, _, new in written:
                storage.value = new
        if found is not None:
            self._tell(found)


def _arrays(tensors: Sequence[Any]) -> list[Array]:
    """What tensors hold that have values; of sparse ones the rows."""
    dense = [g.values if isinstance(g, IndexedSlices) else g for g in tensors]
    return [g.value for g in dense if isinstance(g, EagerTensor)]


def is_finite_tensor(g: object) -> bool:
    """Whether a tensor or the values of a sparse one have neither infinities nor NaNs."""
    return all(is_finite(value) for value in _arrays([g]))


class _Located(Exception):
    """The operation that is looked for."""

    def __init__(self, found: NotFinite) -> None:
        super().__init__(str(found))
        self.found = found


class _Inside(NanTrace):
    """Looks at the functions that a sweep calls, and at nothing else."""

    def __init__(self) -> None:
        super().__init__(True)

    def _tell(self, found: NotFinite) -> None:
        raise _Located(found)

    def record(self, op: Op, inputs: tuple[Any, ...], attrs: dict[str, Any], outputs: tuple[Any, ...], node: Node | None) -> None:
        """What the rules of operations do is looked at as a whole."""


class _Looking(DeferredSums):
    """Sums of a sweep that ends at the first gradient that is not finite although what came in was, or is NaN where that was not."""

    def __init__(self, gs: Sequence[Any]) -> None:
        super().__init__(current(), finish=self._look)
        self._given = _arrays(gs)

    def _look(self, node: Node, found: list[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
        for value in _arrays([g for _, g in found]):
            if is_first_nonfinite(value, self._given):
                raise _Located(describe_gradient(node, value))
        return found


def _first_of_sweep(nodes: Sequence[Node], ys: Sequence[Any], gs: Sequence[Any], xs: Sequence[Any], active: Any) -> NotFinite | None:
    """The first operation of a sweep that gave what is not finite; None where there is none."""
    try:
        with enter_context(Context(None, (_Inside(),))):
            pullback(nodes, ys, gs, xs, active, _Looking(gs))
    except _Located as located:
        return located.found
    return None


def first_of_tape(trace: Trace) -> NotFinite | None:
    """The first operation of a recording, or whose gradient a sweep takes, that gave an infinity or a NaN, as far as values were kept."""
    nodes = trace.recording.nodes
    kept = {t.uid: t.value for node in nodes for t in (*node.inputs, *node.outputs) if isinstance(t, EagerTensor)}
    for node in nodes:
        given = [kept[t.uid] for t in node.inputs if t.uid in kept]
        for t in node.outputs:
            if t.uid in kept and is_first_nonfinite(kept[t.uid], given):
                return describe(node.primitive, node.source, kept[t.uid], given)
    return _first_of_sweep(nodes, trace.ys, trace.gs, trace.xs, trace.active)


# ---- functions and sessions, once more


def _look_inside(body: Any, values: Sequence[Any], run: Run) -> None:
    """Run a body, or a session's plan, once more; what is not finite is raised as a `_Located`."""

    def look(node: Node, inputs: tuple[EagerTensor, ...], outputs: Sequence[EagerTensor], _: Any) -> None:
        given = [t.value for t in inputs]
        for t in outputs:
            if is_first_nonfinite(t.value, given):
                raise _Located(describe_node(node, t.value, given, value_of))

    def value_of(t: Any) -> Any:
        return rerun.known[t.uid].value if t.uid in rerun.known else None

    rerun = Rerun(run, look)
    rerun.plan(body.plan() if isinstance(body, Body) else body, [wrap(value) for value in values])


@export(ours="trace_nans")
@contextmanager
def trace_nans(raises: bool = True) -> Iterator[NanTrace]:
    """Find the first operation whose inputs were finite and whose result is not, forward or backward, in the block.

    So is one found that makes a NaN of an infinity which was given: a constant, an argument (`0 * inf`, `inf - inf`).

    Eager operations, tapes, functions, compiled programs, sessions and optimizers' steps of this thread are looked at. `found` of what
    it gives tells the operation, file and line (for a gradient those of the forward operation), the element and the values it came
    from, and what to write instead.

    raises: whether that is an error right away, a `tf.errors.InvalidArgumentError` with `found`; else the program goes on.

    >>> x = tf.Variable(0.0)
    >>> with tf.trace_nans(raises=False) as trace:
    ...     with tf.GradientTape() as tape:
    ...         y = tf.sqrt(x)
    ...     slope = tape.gradient(y, x)
    >>> trace.found.operation, trace.found.backward, trace.found.kind
    ('Sqrt', True, '+Inf')
    """
    trace = NanTrace(raises)
    start_listening(trace)
    try:
        yield trace
    finally:
        stop_listening(trace)
