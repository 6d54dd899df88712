"""`tf.debugging.enable_check_numerics`: the first operation that gives an infinity or a NaN is an error that says which it was.

Eagerly a listener looks at what each operation gave. In a graph, a node made while checking is on runs its operation by a kernel
that looks at its own results, and is not lowered; graphs made before stay as they are. As in TensorFlow, what only moves values
(constants, reshapes, parts of tensors) is not looked at, nor are complex numbers.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..base.errors import InvalidArgumentError
from ..base.export import export
from ..ir.context import Recorder, current, start_listening, stop_listening
from ..ir.graph import Graph
from ..ir.node import Node, user_frame
from ..ir.op import Op
from ..ir.tensor import EagerTensor, Tensor
from .nonfinite import Array, NotFinite, describe, describe_gradient, describe_node, is_finite


class _Checks(Recorder):
    """A listener of the interpreter: hears of every eager operation."""

    follows_sweeps = True

    def __init__(self) -> None:
        self.active: dict[int, Any] = {}
        self.swept: Node | None = None

    def record(self, op: Op, inputs: tuple[Tensor, ...], attrs: dict[str, Any], outputs: tuple[Tensor, ...], node: Any) -> None:
        """Look at what an operation gave."""
        if node is None and not op.traits.copies:
            values = [t.value if isinstance(t, EagerTensor) else None for t in outputs]
            _look(op, values, inputs, "eagerly-executing op", functools.partial(self._describe, op, inputs))

    def _describe(self, op: Op, inputs: tuple[Tensor, ...], value: Array) -> NotFinite:
        if self.swept is not None and self.swept.primitive.name != "CustomGradient":
            return describe_gradient(self.swept, value)
        return describe(op, user_frame(), value, [t.value for t in inputs if isinstance(t, EagerTensor)])

    def sweep(self, node: Node | None) -> None:
        """The gradient of `node` comes next."""
        self.swept = node

    def read(self, variable: Any) -> None:
        """Variables hold what was looked at."""


_checks = _Checks()


def _look(op: Op, values: list[Any], inputs: Sequence[Any], what: str, told: Callable[[Array], NotFinite]) -> None:
    for i, value in enumerate(values):
        if type(value) is np.ndarray and value.dtype.kind != "c" and not is_finite(value):
            raise InvalidArgumentError(None, None, f"{_report(op, i, len(values), value, inputs, what)}\n{told(value)}")


def _report(op: Op, place: int, count: int, value: Array, inputs: Sequence[Any], what: str) -> str:
    wide = value.astype(np.float64)
    kinds = {"-Inf": int(np.sum(np.isneginf(wide))), "+Inf": int(np.sum(np.isposinf(wide))), "NaN": int(np.sum(np.isnan(wide)))}
    found = [f"  # of {kind} elements: {number}" for kind, number in kinds.items() if number]
    given = [f"  Input {i}: {x!s}" for i, x in enumerate(inputs)]
    words = " and ".join(kind for kind, number in kinds.items() if number)
    head = f'\n\n!!! Detected Infinity or NaN in output {place} of {what} "{op.name}" (# of outputs: {count}) !!!'
    return "\n".join([head, f"  dtype: {value.dtype}", f"  shape: {value.shape}", *found, *given, f"\n : Tensor had {words} values"])


def _check_node(node: Node) -> Op:
    """The operation of a node with a kernel that looks at what it gives."""
    op = node.primitive
    if op.traits.copies or op.stateful or op.effects or op.lower is None:
        return op
    kernel = op.kernel

    @functools.wraps(kernel)
    def check_call(*values: Any, **attrs: Any) -> Any:
        result = kernel(*values, **attrs)
        several = isinstance(result, (tuple, list))
        given = [np.asarray(v) if isinstance(v, np.generic) else v for v in (result if several else (result,))]
        _look(op, given, values, "graph op", functools.partial(describe_it, values))
        return result

    def describe_it(values: tuple[Any, ...], value: Array) -> NotFinite:
        flat = [v for one in values for v in (one if isinstance(one, (list, tuple)) else (one,))]
        known = dict(zip([t.uid for t in node.inputs], flat, strict=True))
        return describe_node(node, value, flat, lambda t: known.get(t.uid))

    return op.replace_fields(kernel=check_call, lower=None)


_add = Graph.add


def _add_checked(self: Graph, op: Op, inputs: tuple[Tensor, ...], attrs: dict[str, Any], name: str) -> Node:
    node = _add(self, op, inputs, attrs, name)
    node.primitive = _check_node(node)
    return node


@export("debugging.enable_check_numerics")
def enable_check_numerics(stack_height_limit: int = 30, path_length_limit: int = 50) -> None:
    """From now on, an operation that gives an infinity or a NaN raises an InvalidArgumentError that names it and shows its inputs,
    and says as `pullback.trace_nans` does which line of the program it was (of a gradient that of the forward operation), from what value,
    and what to write instead.

    Eager operations of this thread are looked at, those of gradients too, and the operations of graphs and functions that are made
    from now on; of functions traced before, what they return.

    Args:
        stack_height_limit, path_length_limit: of the trace in TensorFlow's message; accepted, Python's own trace says where it was.

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
    Graph.add = _add_checked  # type: ignore[method-assign]  # so that it costs nothing while it is off


@export("debugging.disable_check_numerics")
def disable_check_numerics() -> None:
    """Undo `enable_check_numerics`, in this thread; functions traced in between still look.

    >>> tf.debugging.enable_check_numerics()
    >>> tf.debugging.disable_check_numerics()
    >>> tf.math.log(0.0).numpy()
    np.float32(-inf)
    """
    if _checks in current().recorders:
        stop_listening(_checks)
    Graph.add = _add  # type: ignore[method-assign]

