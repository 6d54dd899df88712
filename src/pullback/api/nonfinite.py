"""What is said of the first infinity or NaN: which operation gave it, where in the program, from what value, and what to write instead."""

from __future__ import annotations

import linecache
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..base.dtypes import FLOATING
from ..base.errors import InvalidArgumentError
from ..ir.node import Node, Source, place_of
from ..ir.op import Op
from ..ir.tensor import EagerTensor
from ..ops.math.division import RATIO
from ..ops.reduce.reductions import NORM

Array = np.ndarray[Any, Any]

_HALF = "half precision holds no more than 65504: scale the loss, or keep this part in float32"
_LOGARITHM = "the sum overflows before the logarithm is taken: use tf.reduce_logsumexp"
_SOFTMAX = "a softmax written by hand overflows: use tf.nn.softmax, or subtract the maximum first"


class NotFinite(NamedTuple):
    """The first operation that gave an infinity or a NaN from finite values, or a NaN from infinite ones.

    backward: whether its gradient did; operation, file and line are the forward operation's then.  kind: "NaN", "+Inf" or "-Inf".
    place: the first element of the result that is not finite, one of `number`.  values: what its inputs have there, as far as is known.
    """

    operation: str
    file: str | None
    line: int | None
    backward: bool
    kind: str
    number: int
    size: int
    place: tuple[int, ...]
    values: tuple[Any, ...]
    dtype: str
    remedy: str | None

    @property
    def message(self) -> str:
        """The finding as a sentence."""
        what = f"the gradient of {self.operation}" if self.backward else self.operation
        where = f" at {self.file}:{self.line}" if self.line is not None else ""
        shown = ", ".join(str(v) for v in self.values)
        given = f", from {shown}" if shown else ""
        return (
            f"{what}{where} gave the first {self.kind}: {self.number} of {self.size} elements of its {self.dtype} result, the first at "
            f"{list(self.place)}{given}."
        )

    def __str__(self) -> str:
        return self.message + (f" Instead: {self.remedy}." if self.remedy else "")


class NotFiniteError(InvalidArgumentError):
    """What `pullback.trace_nans` raises; `found` tells all about it."""

    def __init__(self, found: NotFinite) -> None:
        super().__init__(None, None, str(found))
        self.found = found


def is_finite(value: object) -> bool:
    """Whether an array has neither infinities nor NaNs; what is no array of floating numbers has none."""
    if type(value) is not np.ndarray:
        if not isinstance(value, np.generic):
            return True
        value = np.asarray(value)
    kind = value.dtype.kind
    if kind in "fc":
        if value.ndim and kind == "f" and value.itemsize > 2 and value.flags.c_contiguous:
            flat = value.reshape(-1)
            if np.isfinite(np.dot(flat, flat)):  # one pass without a temporary, which tells more often than not
                return True
        return bool(np.isfinite(value).all())
    return not _is_small_float(value) or bool(np.isfinite(value).all())


def has_nan(value: Any) -> bool:
    """Whether an array has a NaN."""
    return not is_finite(value) and bool(np.isnan(value).any())


def is_first_nonfinite(result: object, inputs: Sequence[Any]) -> bool:
    """Whether a result has an infinity or a NaN although all that it was computed from is finite, or a NaN where that has none."""
    if is_finite(result):
        return False
    return all(is_finite(v) for v in inputs) or (has_nan(result) and not any(has_nan(v) for v in inputs))


def _is_small_float(value: Array) -> bool:
    return any(value.dtype == d.numpy_dtype for d in FLOATING)


def describe(
    op: Op, source: Source | None, result: Array, inputs: Sequence[Any], backward: bool = False, forward: Sequence[Any] = ()
) -> NotFinite:
    """What is said of a result that is not finite.

    inputs: the values that it was computed from.  backward: whether by the gradient of `op`, whose inputs were `forward`, as
    far as they are known.
    """
    file, line = place_of(source)[:2] if source is not None else (None, None)
    result = np.asarray(result)
    is_given = not all(is_finite(v) for v in (*inputs, *forward))
    bad = np.isnan(result) if is_given and has_nan(result) else ~np.isfinite(result)
    index = tuple(int(i) for i in np.argwhere(bad)[0]) if result.ndim else ()
    first = result[index]
    kind = "NaN" if np.isnan(first) else "+Inf" if not np.signbit(np.real(first)) else "-Inf"
    values = tuple(_take_element(v, index, result.shape) for v in (forward if backward else inputs))
    text = linecache.getline(file or "", line or 0)
    is_at_infinity = kind == "NaN" or any(v is not None and np.any(np.isinf(v)) for v in values)
    of_infinity = is_given and is_at_infinity and (not backward or not op.traits.remedies.backward)
    remedy = _remedy_for_infinity(op, values, kind) if of_infinity else _remedy(op, values, result, text, backward, kind)
    known = tuple(v for v in values if v is not None)
    return NotFinite(
        op.name, file, line, backward, kind, int(np.count_nonzero(bad)), result.size, index, known, result.dtype.name, remedy
    )  # fmt: skip


def describe_gradient(node: Node, result: Array) -> NotFinite:
    """What is said of a result of the gradient of a node that a tape kept: of the operation of the program by whose rules it came."""
    return _describe_backward(_first_of(node), result, lambda t: t.value if isinstance(t, EagerTensor) else None)


def describe_node(node: Node, result: Array, inputs: Sequence[Any], value_of: Callable[[Any], Any]) -> NotFinite:
    """What is said of a result of a node of a graph: of one that a gradient made, the forward operation.

    value_of: the value of a tensor, None where it is not known.
    """
    forward = _first_of(node)
    return describe(node.primitive, node.source, result, inputs) if forward is node else _describe_backward(forward, result, value_of)


def _first_of(node: Node) -> Node:
    """The operation of the program by whose rules, or the rules of those that they made, a node came; else the node."""
    while (maker := getattr(node, "_original_op", None)) is not None:
        node = maker
    return node


def _describe_backward(forward: Node, result: Array, value_of: Callable[[Any], Any]) -> NotFinite:
    values = [value_of(t) for t in forward.inputs]
    if forward.primitive.name == "Sqrt" and values[0] is None and (root := value_of(forward.outputs[0])) is not None:
        values = [root**2]
    return describe(forward.primitive, getattr(forward, "source", None), result, (), True, values)


def _take_element(value: Any, index: tuple[int, ...], shape: tuple[int, ...]) -> Any:
    """What an input has where the result has `index`; None where it has no such place."""
    if isinstance(value, np.generic):
        value = np.asarray(value)
    if not isinstance(value, np.ndarray) or value.dtype == object:
        return None
    if not value.ndim:
        return value.item() if value.dtype.kind != "V" else value[()]
    try:
        found = np.broadcast_to(value, shape)[index]
    except ValueError:
        return None
    return found.item() if isinstance(found, np.generic) and found.dtype.kind != "V" else found


def _remedy_for_infinity(op: Op, values: Sequence[Any], kind: str) -> str:
    if op.name == "RealDiv" and len(values) == 2 and not values[1]:
        return RATIO
    return (op.traits.remedies.of_infinity if kind == "NaN" else "") or "an infinity came in: keep its inputs finite"


def _remedy(op: Op, values: Sequence[Any], result: Array, text: str, backward: bool, kind: str) -> str | None:
    name, known = op.name, op.traits.remedies
    if backward:
        if "norm" in text and name in ("Sqrt", "Sum"):
            return NORM.traits.remedies.backward
        if not known.backward and kind != "NaN":
            return f"the gradient grows beyond what {result.dtype.name} holds: keep the factors on its way near 1, or scale the loss down"
        return known.backward or known.of_infinity or None
    if name == "Exp" and "sum" in text and ("/" in text or "log" in text):
        return _SOFTMAX if "/" in text else _LOGARITHM
    if result.dtype == np.float16 and name not in ("Log", "Sqrt", "RealDiv", "Pow"):
        return _HALF
    if kind == "NaN" and known.of_infinity:
        return known.forward or known.of_infinity
    is_overflow = name == "Pow" and kind != "NaN" and values[0]
    return (not is_overflow and known.forward) or f"the result is beyond what {result.dtype.name} holds: scale its inputs down"
