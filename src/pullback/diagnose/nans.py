"""`trace_nans`: where the first infinity or NaN began, forward or backward, eagerly, in functions and in sessions.

Eager operations are looked at as they run. Sweeps, functions and sessions run as always and are looked at as a whole; only where
one gave what is not finite is it gone through once more, operation by operation, from the values that it started with.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from ..api.nonfinite import NotFinite, NotFiniteError, describe, is_finite
from ..api.tape import active_of
from ..control.call import CALL
from ..ir.context import Context, start_listening, stop_listening, unrecorded, within
from ..ir.function_graph import Body, bodies_of
from ..ir.node import Node, user_frame
from ..ir.op import Op
from ..ir.plan import Plan, Run, run_steps
from ..ir.tensor import EagerTensor, IndexedSlices
from ..ir.watcher import Watcher
from ..transforms.cotangents import Hooks, plus
from ..transforms.recording import Recording
from ..transforms.reverse import pullback


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
                if all(is_finite(v) for v in values):
                    self._tell(describe(op.name, user_frame(), t.value, values))
                return

    def swept(
        self, nodes: Sequence[Node], ys: Sequence[Any], gs: Sequence[Any], xs: Sequence[Any], active: Any, found: Sequence[Any]
    ) -> None:  # fmt: skip
        """Look at the gradients of a tape; where they are not finite, find the operation whose gradient was the first."""
        if all(is_finite_tensor(g) for g in found) or not all(is_finite_tensor(g) for g in gs):
            return
        first = _first_of_sweep(nodes, ys, gs, xs, active)
        if first is not None:
            self._tell(first)

    def ran(self, body: Any, values: Sequence[Any], answers: Sequence[Any], before: Sequence[tuple[Any, Any]], run: Run) -> None:
        """Look at what a function or a session gave and stored; where that is not finite, go through it again."""
        written = [(storage, old, storage.value) for storage, old in before if storage.value is not old]
        if all(is_finite(v) for v in answers) and all(is_finite(new) for _, _, new in written):
            return
        if not all(is_finite(v) for v in values) or not all(is_finite(old) for _, old in before):
            return
        for storage, old, _ in written:
            storage.value = old
        found = None
        try:
            with unrecorded(), np.errstate(all="ignore"):
                _instrumented(body, {}).run_on_kernels(list(values), run)
        except _Located as located:
            found = located.found
        finally:
            run.take_back()
        if found is None or not self._raises:
            for storage, _, new in written:
                storage.value = new
        if found is not None:
            self._tell(found)


def is_finite_tensor(g: Any) -> bool:
    """Whether a tensor or the values of a sparse one have neither infinities nor NaNs."""
    if isinstance(g, IndexedSlices):
        g = g.values
    return not isinstance(g, EagerTensor) or is_finite(g.value)


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


class _Looking(Hooks):
    """A sweep that ends at the first operation whose gradient is not finite although what came to it was."""

    def finish(self, node: Node, found: list[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
        for _, g in found:
            value = g.values if isinstance(g, IndexedSlices) else g
            if isinstance(value, EagerTensor) and not is_finite(value.value):
                raise _Located(_described_backward(node, value.value))
        return found

    def total(self, tensor: Any, cotangents: list[Any]) -> Any:
        total = cotangents[0]
        for g in cotangents[1:]:
            total = plus(total, g)
        return total


def _first_of_sweep(nodes: Sequence[Node], ys: Sequence[Any], gs: Sequence[Any], xs: Sequence[Any], active: Any) -> NotFinite | None:
    """The first operation of a sweep that gave what is not finite; None where there is none."""
    try:
        with within(Context(None, (_Inside(),))):
            pullback(nodes, ys, gs, xs, active, _Looking())
    except _Located as located:
        return located.found
    return None


def first_of_tape(recording: Recording, ys: Sequence[Any], gs: Sequence[Any], xs: Sequence[Any]) -> NotFinite | None:
    """The first operation that a tape recorded, or whose gradient it takes, that gave an infinity or a NaN, as far as it kept values."""
    for node in recording.nodes:
        given = [t.value for t in node.inputs if isinstance(t, EagerTensor)]
        for t in node.outputs:
            if isinstance(t, EagerTensor) and not is_finite(t.value) and all(is_finite(v) for v in given):
                return describe(node.op.name, node.source, t.value, given)
    return _first_of_sweep(recording.nodes, ys, gs, xs, active_of(recording, xs))


def _described_backward(node: Node, result: Any) -> NotFinite:
    forward = [t.value for t in node.inputs if isinstance(t, EagerTensor)]
    if not forward and node.op.name == "Sqrt" and isinstance(node.outputs[0], EagerTensor):
        forward = [node.outputs[0].value ** 2]
    return describe(node.op.name, node.source, result, (), True, forward)


# ---- functions and sessions, once more


def _instrumented(body: Any, known: dict[int, Any]) -> Plan:
    """A plan of a body, or a session's plan, whose kernels look at what they give.  known: the values of tensors, as they become known."""
    plan = Plan(body.outputs, body.inputs, body.effects()) if isinstance(body, Body) else Plan(body.fetched, body.fed)
    plan.kernels = [_looking(node, kernel, known) for node, kernel in zip(plan.nodes, plan.kernels, strict=True)]
    return plan


def _looking(node: Node, kernel: Callable[..., Any], known: dict[int, Any]) -> Callable[..., Any]:
    stateful = node.op.stateful
    inside = _through(node, known)

    def looking(*given: Any, **attrs: Any) -> Any:
        values = given[1:] if stateful else given
        flat = [v for one in values for v in (one if isinstance(one, (list, tuple)) else (one,))]
        known.update(zip([t.uid for t in node.inputs], flat, strict=False))
        result = kernel(*given, **attrs) if inside is None else inside(given[0], flat)
        several = isinstance(result, (tuple, list))
        for value in result if several else (result,):
            if not is_finite(value) and all(is_finite(v) for v in flat):
                raise _Located(_described(node, value, flat, known))
        return result

    return looking


def _described(node: Node, result: Any, inputs: Sequence[Any], known: dict[int, Any]) -> NotFinite:
    """What is said of a node of a graph: of one that a gradient made, the forward operation."""
    forward = node._original_op
    if forward is None:
        return describe(node.op.name, node.source, result, inputs)
    while forward._original_op is not None:
        forward = forward._original_op
    return describe(forward.op.name, forward.source, result, inputs, True, [known.get(t.uid) for t in forward.inputs])


def _through(node: Node, known: dict[int, Any]) -> Callable[[Run, list[Any]], Any] | None:
    """What runs the bodies of a node so that they are looked at too; None for a node without any that we know how to run."""
    attrs = node.attrs
    if not bodies_of(node):
        return None
    if isinstance(attrs.get("f"), Body):
        return lambda run, values: _instrumented(attrs["f"], known).run_on_kernels(values, run)
    if "branches" in attrs:
        branches = attrs["branches"]

        def chosen(run: Run, values: list[Any]) -> Any:
            index = int(values[0])
            body = branches[index if 0 <= index < len(branches) else -1]
            return _instrumented(body, known).run_on_kernels(values[1:], run)

        return chosen
    if node.op.name == "While":
        body, cond = attrs["body"], attrs["cond"]
        count = len(body.outputs)
        return lambda run, values: list(
            run_steps(cond.plan(), _Stepping(_instrumented(body, known)), values[:count], values[count:], run)  # type: ignore[arg-type]
        )
    return None


class _Stepping:
    """The step of a loop that runs on kernels each time."""

    _program = None

    def __init__(self, plan: Plan) -> None:
        self._plan = plan

    def run(self, values: Any, run: Run) -> Sequence[Any]:
        """One step."""
        return self._plan.run_on_kernels(values, run)


@contextmanager
def trace_nans(raises: bool = True) -> Iterator[NanTrace]:
    """Find the first operation whose inputs were finite and whose result is not, forward or backward, in the block.

    Eager operations, tapes, functions, compiled programs, sessions and optimizers' steps of this thread are looked at. `found` of what
    it gives tells the operation, file and line (for a gradient those of the forward operation), the element and the values it came
    from, and what to write instead.

    raises: whether that is an error right away, a `tf.errors.InvalidArgumentError` with `found`; else the program goes on.

    >>> import pullback as tf
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


__all__ = ["NanTrace", "trace_nans"]
