"""The short way from arrays to a kernel, for operations of one or two inputs and no attributes, which programs call most.

What it cannot do (other dtypes, graphs that are listened to, values that are no tensors) goes the long way, by `apply`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..base.dtypes import float32
from ..base.errors import OpError
from ..kernels import blocked
from ..kernels.memory_limit import WIDE, require_room_together
from .apply import NO_ATTRS, apply, call_quietly, explain_error, new
from .context import current
from .graph import Graph
from .op import Memory, Op
from .operators import Operators
from .tensor import EagerTensor, SymbolicTensor, Tensor, fresh_uid
from .tracebacks import trim

ndarray, asarray = np.ndarray, np.asarray
_SINGLE = float32.numpy_dtype


def _kernels(op: Op) -> dict[np.dtype[Any], Callable[..., Any]]:
    """What computes an element-wise op, by dtype: its kernel, native for large arrays of dtypes that NumPy has slow loops for."""
    allowed = op.dtypes.get("T")
    if allowed is None:
        raise TypeError(f"{op.name}: an element-wise op names its dtypes")
    large = blocked.block_kernel(op.kernel, op) if op.lower is not None else op.kernel
    return {d.numpy_dtype: large if d.is_complex or (d.is_floating and d.size == 2) else op.kernel for d in allowed}


def _is_plain(graph: Graph) -> bool:
    """Whether `graph` is the one that is being built and nobody listens."""
    context = current()
    return context.graph is graph and not context.recorders


def dispatch_unary(op: Op) -> Callable[..., Any]:
    """The short way for one input and no attributes."""
    kernels, dtypes, memory = _kernels(op), op.dtypes["T"], op.memory
    of_single = kernels.get(_SINGLE)

    def call(x: Any, name: str | None = None) -> Any:
        try:
            if type(x) is not EagerTensor:
                if type(x) is SymbolicTensor and x.dtype in dtypes and _is_plain(x.node.graph):
                    graph = x.node.graph
                    return graph.add(op, (x,), NO_ATTRS, graph.unique_name(name or op.name)).outputs[0]
                at_hand = _convert_at_hand(x, x) if current().graph is None else None
                if at_hand is None:
                    return apply(op, (x,), NO_ATTRS, name)
                x = at_hand
            value = x.value
            dtype = value.dtype
            kernel = of_single if dtype is _SINGLE else kernels.get(dtype)
            context = current()
            if kernel is None or context.graph is not None:
                return apply(op, (x,), NO_ATTRS, name)
            try:
                value = kernel(value)
            except (RuntimeWarning, FloatingPointError):
                value = call_quietly(kernel, value)
            except MemoryError as error:
                raise explain_error(op, (x,), NO_ATTRS, error) from None
            out = new(EagerTensor)
            out.value = value if type(value) is ndarray else asarray(value)
            out.uid = fresh_uid()
            for recorder in context.recorders:
                recorder.record_short(op, x, None, NO_ATTRS, out, memory)
            return out
        except Exception as error:
            trim(error)
            raise

    return call


def dispatch_binary(op: Op, otherwise: Callable[..., Any] | None = None, memory: Memory | None = None) -> Callable[..., Any]:
    """The short way for two inputs of one dtype and no attributes; `otherwise(x, y, name)` is the long way, `apply` when None."""
    kernels, dtypes = _kernels(op), op.dtypes["T"]
    memory = memory or op.memory
    of_single = kernels.get(_SINGLE)

    def call(x: Any, y: Any, name: str | None = None) -> Any:
        try:
            if type(x) is not EagerTensor or type(y) is not EagerTensor:
                if type(x) is SymbolicTensor and type(y) is SymbolicTensor:
                    graph, symbolic = x.node.graph, x.dtype
                    if graph is y.node.graph and symbolic is y.dtype and symbolic in dtypes and _is_plain(graph):
                        return graph.add(op, (x, y), NO_ATTRS, graph.unique_name(name or op.name)).outputs[0]
                    return apply(op, (x, y), NO_ATTRS, name) if otherwise is None else otherwise(x, y, name)
                first = second = None
                if current().graph is None and (first := _convert_at_hand(x, y)) is not None:
                    second = _convert_at_hand(y, x)
                if first is None or second is None:
                    return apply(op, (x, y), NO_ATTRS, name) if otherwise is None else otherwise(x, y, name)
                x, y = first, second
            a, b = x.value, y.value
            dtype = a.dtype
            kernel = of_single if dtype is _SINGLE else kernels.get(dtype)
            context = current()
            if dtype is not b.dtype or kernel is None or context.graph is not None:
                return apply(op, (x, y), NO_ATTRS, name) if otherwise is None else otherwise(x, y, name)
            try:
                if a.size * b.size > WIDE and a.shape != b.shape:
                    require_room_together(a, b)
                value = kernel(a, b)
            except (ValueError, OpError, MemoryError) as error:
                raise explain_error(op, (x, y), NO_ATTRS, error) from None
            except (RuntimeWarning, FloatingPointError):
                value = call_quietly(kernel, a, b)
            out = new(EagerTensor)
            out.value = value if type(value) is ndarray else asarray(value)
            out.uid = fresh_uid()
            for recorder in context.recorders:
                recorder.record_short(op, x, y, NO_ATTRS, out, memory)
            return out
        except Exception as error:
            trim(error)
            raise

    return call


def dispatch_operators(**ops: Op) -> None:
    """Let operators of eager tensors, by name, go straight to operations: a call less than by way of `Operators`."""
    for name, op in ops.items():
        _OPERATORS[f"__{name}__"] = dispatch_binary(op, _drop_name(getattr(Operators, f"__{name}__")), Memory(2))
    use_operators(True)


def _drop_name(operator: Callable[[Any, Any], Any]) -> Callable[..., Any]:
    return lambda x, y, name: operator(x, y)


def use_operators(are_direct: bool) -> None:
    """Whether the operators of `dispatch_operators` do so: they must not where `LATE_BOUND` has been exchanged."""
    for name, call in _OPERATORS.items():
        if are_direct:
            setattr(EagerTensor, name, call)
        elif name in vars(EagerTensor):
            delattr(EagerTensor, name)


_OPERATORS: dict[str, Callable[..., Any]] = {}


def _convert_at_hand(x: Any, beside: Any) -> EagerTensor | None:
    """An operand of an eager op as a tensor, if that is easily done: a tensor, a variable's value, a number beside one of them."""
    if type(x) is EagerTensor:
        return x
    if type(x) in (float, int):
        if type(beside) is EagerTensor:
            return plain_number(x, beside.value.dtype)
        return plain_number(x, beside.dtype.numpy_dtype) if hasattr(beside, "__as_tensor__") else None
    if isinstance(x, Tensor) or not hasattr(x, "__as_tensor__"):
        return None
    value = x.__as_tensor__()
    return value if type(value) is EagerTensor else None


def plain_number(value: object, dtype: np.dtype[Any]) -> EagerTensor | None:
    """A Python float, or an int that every dtype holds, as an eager tensor of `dtype`; None for all that needs a closer look."""
    kind = dtype.kind
    fits = kind in "fcV" if type(value) is float else type(value) is int and 0 <= value < 128 and kind in "fcViu"
    return EagerTensor(np.array(value, dtype)) if fits and current().graph is None else None
