"""Gradients of one's own: `custom_gradient` and what is made of it.

A decorated function runs as it is; then one node, `CustomGradient`, passes its results on and, when it is differentiated, asks the
user's function for the cotangents of the arguments and of the variables that were read.  The same node serves tapes, graphs and
functions; it is transposed for forward mode, and the operations inside the user's function are differentiated for higher orders.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from typing import Any

from ..base import nest
from ..ir.apply import convert_to_tensor
from ..ir.context import Context, current, start_listening, stop_listening, within
from ..ir.node import show_source, user_frame
from ..ir.op import define
from ..ir.tensor import METHODS, IndexedSlices, Tensor, TensorType
from ..transforms.recording import Recording
from ..transforms.reverse import pullback

Flags = tuple[bool, ...]


def _passed(args: tuple[Any, ...], *, count: int, rule: Any) -> tuple[TensorType, ...]:
    return tuple(TensorType(t.dims, t.dtype, t.constant) for t in args[:count])


def _custom_vjp(gs: list[Any], rule: Any, count: int) -> list[Any]:
    return [*[None] * count, *rule(gs)]


CUSTOM = define(
    "CustomGradient", "*args:any", _passed, lambda args, *, count, rule: list(args[:count]), {"args": _custom_vjp}, outputs="*outputs", holomorphic=False
)


class VariableReads:
    """A recorder that only notes which variables are read."""

    active: dict[int, Any] = {}  # noqa: RUF012  # always empty: it follows no tensor

    def __init__(self) -> None:
        self.found: dict[int, Any] = {}

    def record(self, *_: Any) -> None:
        """Nodes do not matter."""

    def read(self, variable: Any) -> None:
        """Note a variable."""
        if variable.trainable:
            self.found.setdefault(id(variable), variable)


def custom_gradient(f: Callable[..., Any] | None = None) -> Any:
    """Decorator: a function that returns its result and a function for its gradient.

    f: takes tensors (perhaps nested, and anything by keyword) and returns `(result, grad_fn)`.  grad_fn takes one cotangent for each
    tensor of the result and returns one for each tensor among the positional arguments (None allowed); where `f` reads variables it
    must accept `variables=` and return `(argument cotangents, variable cotangents)`.
    Raises TypeError where variables are read and grad_fn takes none; ValueError, when differentiated, for a wrong number of cotangents.

    >>> import pullback as tf
    >>> @tf.custom_gradient
    ... def clipped(x):
    ...     return x, lambda g: tf.clip_by_value(g, -1.0, 1.0)
    >>> x = tf.constant(2.0)
    >>> with tf.GradientTape() as tape:
    ...     tape.watch(x)
    ...     y = 10.0 * clipped(x)
    >>> tape.gradient(y, x).numpy().item()
    1.0
    """
    if f is None:
        return custom_gradient
    function = f

    @functools.wraps(function)
    def decorated(*args: Any, **kwargs: Any) -> Any:
        flat = [convert_to_tensor(t) if not hasattr(t, "handle") else t for t in nest.flatten(list(args), expand_composites=True)]
        given = nest.pack_sequence_as(list(args), flat, expand_composites=True)
        reads = VariableReads()
        start_listening(reads)
        try:
            result, grad_fn = function(*given, **kwargs)
        finally:
            stop_listening(reads)
        return _joined(function, flat, result, grad_fn, reads)

    return decorated


def _joined(function: Any, flat: list[Any], result: Any, grad_fn: Any, reads: VariableReads) -> Any:
    """The results, passed through a node that knows the gradient."""
    sources = [t.handle if hasattr(t, "handle") else t for t in flat]
    uids = {t.uid for t in sources}
    variables = [v for v in reads.found.values() if v.handle.uid not in uids]
    for variable in variables:
        for recorder in current().recorders:
            recorder.read(variable)
    if variables and not _takes_variables(grad_fn):
        raise TypeError(
            f"@tf.custom_gradient grad_fn must accept keyword argument 'variables', since function uses variables: {variables} "
            f"(in {getattr(function, '__qualname__', function)}, called at {show_source(user_frame())})"
        )
    results = [convert_to_tensor(t) for t in nest.flatten(result, expand_composites=True)]
    if not results:
        return result
    rule = _Rule(getattr(function, "__qualname__", "custom_gradient"), grad_fn, len(flat), variables, show_source(user_frame()))
    passed = CUSTOM([*results, *sources, *(v.handle for v in variables)], count=len(results), rule=rule)
    return nest.pack_sequence_as(result, passed, expand_composites=True)


def _takes_variables(grad_fn: Any) -> bool:
    parameters = inspect.signature(grad_fn).parameters.values()
    return any(p.name == "variables" or p.kind is p.VAR_KEYWORD for p in parameters)


class _Rule:
    """The user's gradient function, its answers checked."""

    __slots__ = ("count", "grad_fn", "name", "variables", "where")

    def __init__(self, name: str, grad_fn: Any, count: int, variables: list[Any], where: str) -> None:
        self.name, self.grad_fn, self.count, self.variables, self.where = name, grad_fn, count, variables, where

    def __call__(self, gs: Sequence[Any]) -> list[Any]:
        if self.variables:
            answer = self.grad_fn(*gs, variables=list(self.variables))
            if not isinstance(answer, (tuple, list)) or len(answer) != 2:
                raise ValueError(f"the gradient of {self.name} reads variables, so it must return (argument cotangents, variable cotangents), not {answer!r}")
            of_args, of_variables = answer
            of_variables = nest.flatten(of_variables)
            if len(of_variables) != len(self.variables):
                raise ValueError(
                    f"Must return gradient for each variable from @custom_gradient grad_fn: {self.name} (used at {self.where}) reads "
                    f"{len(self.variables)} variables and returned {len(of_variables)} cotangents for them."
                )
        else:
            of_args, of_variables = self.grad_fn(*gs), []
        found = nest.flatten(of_args) if isinstance(of_args, (list, tuple, dict)) else [of_args]
        if len(found) != self.count:
            raise ValueError(
                f"custom_gradient function expected to return {self.count} gradients, but returned {len(found)} instead. (Num gradients {len(found)} "
                f"do not match num inputs {self.count} of {self.name}, used at {self.where})"
            )
        return [_cotangent(g) for g in (*found, *of_variables)]


def _cotangent(g: Any) -> Any:
    return g if g is None or isinstance(g, (Tensor, IndexedSlices)) else convert_to_tensor(g)


def grad_pass_through(f: Callable[..., Any]) -> Callable[..., Any]:
    """`f` with the gradient of the identity: cotangents of its results go to its arguments as they are, variables get None.

    >>> import pullback as tf
    >>> x = tf.constant(2.3)
    >>> with tf.GradientTape() as tape:
    ...     tape.watch(x)
    ...     y = tf.grad_pass_through(tf.round)(x)
    >>> tape.gradient(y, x).numpy().item()
    1.0
    """

    @custom_gradient
    def passing(*args: Any, **kwargs: Any) -> Any:
        def grad(*gs: Any, variables: Any = None) -> Any:
            if variables is not None:
                return gs, [None] * len(variables)
            return gs

        return f(*args, **kwargs), grad

    return functools.wraps(f)(passing)


def recompute_grad(f: Callable[..., Any]) -> Callable[..., Any]:
    """`f` without memory of what it computed: a gradient runs it again.

    The arguments' tensors and the results are kept, nothing between.  Right with repeated arguments, with variables, inside functions
    and loops, under forward mode, to any order.

    >>> import pullback as tf
    >>> x = tf.constant(2.0)
    >>> with tf.GradientTape() as tape:
    ...     tape.watch(x)
    ...     y = tf.recompute_grad(lambda x: tf.exp(x * x) * x)(x)
    >>> bool(abs(tape.gradient(y, x) - 9 * tf.exp(4.0)) < 1e-3)
    True
    """

    @custom_gradient
    def forgetful(*args: Any, **kwargs: Any) -> Any:
        reads = next(r for r in reversed(current().recorders) if isinstance(r, VariableReads))
        with within(Context(current().graph, (reads,))):
            result = f(*args, **kwargs)

        def grad(*gs: Any, variables: Any = None) -> Any:
            return _again(f, args, kwargs, gs, variables)

        return result, grad

    return functools.wraps(f)(forgetful)


def _again(f: Any, args: Any, kwargs: Any, gs: Sequence[Any], variables: Any) -> Any:
    """Run `f` once more, on copies of its arguments so that one that was passed twice counts twice, and pull `gs` back through it."""
    flat = nest.flatten(list(args), expand_composites=True)
    copies = [t if hasattr(t, "handle") else METHODS["identity"](t) for t in flat]
    recording = Recording(reads_variables=True)
    for t in copies:
        recording.watch(t.handle if hasattr(t, "handle") else t)
    start_listening(recording)
    try:
        result = f(*nest.pack_sequence_as(list(args), copies, expand_composites=True), **kwargs)
    finally:
        stop_listening(recording)
    ys = [convert_to_tensor(t) for t in nest.flatten(result, expand_composites=True)]
    sources = [t.handle if hasattr(t, "handle") else t for t in copies] + [v.handle for v in variables or ()]
    found = pullback(tuple(recording.nodes), ys, gs, sources, recording.active)
    return (found[: len(flat)], found[len(flat) :]) if variables is not None else found


__all__ = ["CUSTOM", "VariableReads", "custom_gradient", "grad_pass_through", "recompute_grad"]
