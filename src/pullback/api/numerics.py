"""`tf.debugging.enable_check_numerics`: the first operation that gives an infinity or a NaN is an error that says which it was.

Eagerly a listener looks at what each operation gave. In a graph, a node made while checking is on runs its operation by a kernel
that looks at its own results, and is not lowered; graphs made before stay as they are. As in TensorFlow, what only moves values
(constants, reshapes, parts of tensors) is not looked at, nor are complex numbers.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from ..base.errors import InvalidArgumentError
from ..base.export import export
from ..ir.context import Recorder, current, start_listening, stop_listening
from ..ir.graph import Graph
from ..ir.node import user_frame
from ..ir.op import Op
from ..ir.tensor import EagerTensor, Tensor
from .nonfinite import describe, is_finite


class _Checks(Recorder):
    """A listener of the interpreter: hears of every eager operation."""

    def __init__(self) -> None:
        self.active: dict[int, Any] = {}

    def record(self, op: Op, inputs: tuple[Tensor, ...], attrs: dict[str, Any], outputs: tuple[Tensor, ...], node: Any) -> None:
        """Look at what an operation gave."""
        if node is None and not op.traits.copies:
            values = [t.value if isinstance(t, EagerTensor) else None for t in outputs]
            _look(op, values, [str(t) for t in inputs], "eagerly-executing op", [t.value for t in inputs if isinstance(t, EagerTensor)])

    def read(self, variable: Any) -> None:
        """Variables hold what was looked at."""


_checks = _Checks()


def _look(op: Op, values: list[Any], inputs: list[str], what: str, given: list[Any] | None = None) -> None:
    for i, value in enumerate(values):
        if type(value) is np.ndarray and value.dtype.kind != "c" and not is_finite(value):
            report = _report(op, i, len(values), value, inputs, what)
            if given is not None:
                report += f"\n{describe(op.name, user_frame(), value, given)}"
            raise InvalidArgumentError(None, None, report)


def _report(op: Op, place: int, count: int, value: np.ndarray[Any, Any], inputs: list[str], what: str) -> str:
    wide = value.astype(np.float64)
    kinds = {"-Inf": int(np.sum(np.isneginf(wide))), "+Inf": int(np.sum(np.isposinf(wide))), "NaN": int(np.sum(np.isnan(wide)))}
    found = [f"  # of {kind} elements: {number}" for kind, number in kinds.items() if number]
    told = [f"  Input {i}: {text}" for i, text in enumerate(inputs)]
    words = " and ".join(kind for kind, number in kinds.items() if number)
    head = f'\n\n!!! Detected Infinity or NaN in output {place} of {what} "{op.name}" (# of outputs: {count}) !!!'
    return "\n".join([head, f"  dtype: {value.dtype}", f"  shape: {value.shape}", *found, *told, f"\n : Tensor had {words} values"])


@functools.cache
def _checked(op: Op) -> Op:
    """The operation with a kernel that looks at what it gives."""
    if op.traits.copies or op.stateful or op.effects or op.lower is None:
        return op
    kernel = op.kernel

    @functools.wraps(kernel)
    def looking(*values: Any, **attrs: Any) -> Any:
        result = kernel(*values, **attrs)
        several = isinstance(result, (tuple, list))
        given = [np.asarray(v) if isinstance(v, np.generic) else v for v in (result if several else (result,))]
        _look(op, given, [str(v) for v in values], "graph op")
        return result

    return op.altered(kernel=looking, lower=None)


_add: Callable[..., Any] = Graph.add


def _adding(self: Graph, op: Op, inputs: tuple[Tensor, ...], attrs: dict[str, Any], name: str) -> Any:
    return _add(self, _checked(op), inputs, attrs, name)


@export("debugging.enable_check_numerics")
def enable_check_numerics(stack_height_limit: int = 30, path_length_limit: int = 50) -> None:
    """From now on, an operation that gives an infinity or a NaN raises an InvalidArgumentError that names it and shows its inputs.

    Eager operations of this thread are looked at, those of gradients too, and the operations of graphs and functions that are made
    from now on; of functions traced before, what they return.

    Args:
        stack_height_limit, path_length_limit: of the trace in TensorFlow's message; accepted, Python's own trace says where it was.

    >>> import pullback as tf
    >>> tf.debugging.enable_check_numerics()
    >>> try:
    ...     tf.math.log(-1.0)
    ... except tf.errors.InvalidArgumentError as error:
    ...     print('output 0 of eagerly-executing op "Log"' in str(error))
    ... finally:
    ...     tf.debugging.disable_check_numerics()
    True
    """
    if _checks not in current().recorders:
        start_listening(_checks)
    Graph.add = _adding  # type: ignore[method-assign]  # so that it costs nothing while it is off


@export("debugging.disable_check_numerics")
def disable_check_numerics() -> None:
    """Undo `enable_check_numerics`, in this thread; functions traced in between still look.

    >>> import pullback as tf
    >>> tf.debugging.enable_check_numerics()
    >>> tf.debugging.disable_check_numerics()
    >>> tf.math.log(0.0).numpy()
    np.float32(-inf)
    """
    if _checks in current().recorders:
        stop_listening(_checks)
    Graph.add = _add  # type: ignore[method-assign]

