"""Dispatch: `apply` asks the current interpreter for an op's outputs and tells every recorder.

Eagerly the kernel runs at once; in a graph the type rule says what the outputs will be.  Element-wise ops have a short way of
their own (`fast_dispatch`) where all is plain.  Everything else takes `apply`, which also words the errors.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cache
from operator import attrgetter
from typing import Any

import numpy as np

from ..base.dtypes import DType, as_dtype, bool as bool_, float32, int32, string
from ..base.errors import KERNEL_ERRORS, InvalidArgumentError, OpError
from ..base.export import export, is_hot
from ..base.shapes import show as show_dims
from ..ir.tensor import DTypeLike
from ..kernels.memory_limit import translate_memory_error
from ..kernels.strings import OBJECTS, StringArray
from .agreement import convert_inputs, index_hint
from .composite import NotATensor
from .context import Context, Dispatch, ScopeName, current
from .convert import array_of, is_tensor_like, to_tensor
from .graph import Graph
from .node import Node
from .op import Op
from .references import read_references
from .strings import StringTensor, columns_of, tensor_of
from .tensor import EagerTensor, HandleTensor, SymbolicTensor, Tensor, fresh_uid
from .tracebacks import trim

ndarray = np.ndarray
_value_of = attrgetter("value")
new = object.__new__  # an eager operation makes its result by hand: the call of a class costs a third more
NO_ATTRS: dict[str, Any] = {}


class ShapeError(ValueError):
    """Shapes that do not fit: the text that graphs give, and the one eager execution gives; None for the kernel's own."""

    def __init__(self, in_graph: str, eagerly: str | None) -> None:
        super().__init__(in_graph)
        self.eagerly = eagerly


class Site:
    """Where a stateful kernel runs: a session's (or eager execution's) memory, and what this one op remembers in it.

    `run` is the run of a plan that the kernel is part of, None when it is called by itself.
    """

    __slots__ = ("memory", "name", "run", "state")

    def __init__(self, memory: dict[str, Any], name: str, state: dict[str, Any], run: Any = None) -> None:
        self.memory = memory
        self.name = name
        self.state = state
        self.run = run

    def write(self, storage: Any, value: Any) -> None:
        """Give a variable's storage a new value, so that a run that fails can take it back."""
        if self.run is not None:
            self.run.note(storage, value)
        storage.value = value


#: Eager execution's memory, one for the process: `memory` is shared by all ops, `state` is empty at every call.
EAGER_MEMORY: dict[str, Any] = {}


def apply(op: Op, args: tuple[Any, ...], attrs: dict[str, Any], name: str | None = None) -> Any:
    """Apply `op` to `args` (tensors or what converts to them): outputs computed at once or added to a graph.

    Returns a tensor, a tuple for several outputs, a list for a variable number; for no outputs the node (eagerly None).
    Raises TypeError or InvalidArgumentError for dtypes and shapes that do not fit, as TensorFlow.
    """
    if len(args) != len(op.inputs):
        raise TypeError(f"{op.name} takes {len(op.inputs)} inputs ({', '.join(i.name for i in op.inputs)}), {len(args)} given")
    context = current()
    graph = context.graph
    if graph is None or not graph.captures_others:
        for arg in args:
            if type(arg) not in _WITHOUT_GRAPH:
                found = _graph_of(args)
                if found is not None and found.captures_others:
                    raise _leak_error(args)
                graph = found or graph
                break
    try:
        if graph is not None:
            return _add(op, args, attrs, name, graph, context)
        return _run(op, args, attrs, context)
    except NotATensor as error:
        refused = error
    return refused.value._apply(op, args, attrs, name, refused)


_WITHOUT_GRAPH = frozenset({EagerTensor, HandleTensor, StringTensor, np.ndarray, int, float, bool, str, bytes})


def _graph_of(args: tuple[Any, ...]) -> Graph | None:
    for arg in args:
        if type(arg) in _WITHOUT_GRAPH:
            continue
        if isinstance(arg, SymbolicTensor):
            return arg.node.graph
        if isinstance(arg, (list, tuple)):
            found = _graph_of(tuple(arg))
            if found is not None:
                return found
        elif not isinstance(arg, Tensor) and hasattr(arg, "_graph"):
            return arg._graph
    return None


def _leak_error(args: tuple[Any, ...]) -> TypeError:
    """The error of a tensor of a function that is used outside it."""
    flat = [t for a in args for t in (a if isinstance(a, (list, tuple)) else (a,))]
    leaked = next((t for t in flat if isinstance(t, SymbolicTensor) and t.node.graph.captures_others), args)
    made = f" It was made at {leaked.node.where}." if isinstance(leaked, SymbolicTensor) else ""
    return TypeError(
        f"{leaked!r} is out of scope and cannot be used here, outside the function that made it.{made} Return it from there; do not keep "
        "it in a global, an attribute or a list."
    )


# ---- eager


def _run(op: Op, args: tuple[Any, ...], attrs: dict[str, Any], context: Context) -> Any:
    """Apply an op at once: its kernel, called with the values of the arguments."""
    inputs = _cached_inputs(op, args)
    if inputs is None:
        inputs = convert_inputs(op, args, _eager_maker, eager=True)
    arguments: tuple[Any, ...] = inputs if op.variadic is None else op.arguments(inputs)
    kernel = op.kernel
    given = {**attrs, "site": Site(EAGER_MEMORY, "", {})} if op.stateful else attrs
    try:
        if op.packed is not None:
            kernel, values = op.packed, [columns_of(a) for a in arguments]
        elif op.variadic is None:
            values = [*map(_value_of, inputs)]
        else:
            values = [[t.value for t in a] if isinstance(a, tuple) else a.value for a in arguments]
        result = kernel(*values, **given)
    except (RuntimeWarning, FloatingPointError):
        result = call_quietly(kernel, *values, **given)
    except KERNEL_ERRORS as error:
        raise explain_error(op, arguments, attrs, error) from None
    several = isinstance(result, (tuple, list))
    outputs = tuple([wrap(v) for v in result]) if several else () if result is None else (wrap(result),)
    for recorder in context.recorders:
        recorder.record(op, inputs, attrs, outputs, None)
    if not several:
        return outputs[0] if outputs else None
    return list(outputs) if op.outputs[0].startswith("*") else outputs


def apply_eagerly(op: Op, x: EagerTensor, y: EagerTensor, attrs: dict[str, Any]) -> Tensor:
    """`apply` for two eager tensors where no graph is built, of an op that gives one tensor; attrs: all of them, and fit.

    What is not plain goes the way of `apply`: dtypes seen for the first time, errors of the kernel.
    """
    a, b = x.value, y.value
    if (op, a.dtype, b.dtype) not in _cached_kinds:
        return apply(op, (x, y), attrs)
    try:
        value = op.kernel(a, b, **attrs)
    except (RuntimeWarning, FloatingPointError, *KERNEL_ERRORS):
        return apply(op, (x, y), attrs)
    out = new(EagerTensor)
    out.value = value if type(value) is ndarray else np.asarray(value)
    out.uid = fresh_uid()
    for recorder in current().recorders:
        recorder.record_short(op, x, y, attrs, out, op.memory)
    return out


#: Ops and the dtypes of arguments that they took as they were.
_cached_kinds: set[tuple[Any, ...]] = set()


@cache
def _plain_dtypes(op: Op) -> tuple[DType | None, ...]:
    """Of each input, the dtype that a plain Python value becomes there: ints a shape, axes or indices, a bool a bool, a float a float32."""
    found = (index_hint(op, spec) if spec.dtype is None else spec.dtype for spec in op.inputs)
    return tuple(dtype if dtype in _PLAIN else None for dtype in found)


_PLAIN = (int32, bool_, float32, string)
_WHOLE, _SINGLE = (None, int32), (None, float32)


def _convert_quickly(arg: Any, plain: DType | None, default: DType | None) -> EagerTensor | None:
    """A tensor, an array, or a plain value of the dtype that is wanted, as a tensor; None for all that needs a closer look."""
    kind = type(arg)
    if kind is EagerTensor or kind is StringTensor or kind is HandleTensor:
        return arg
    if kind is ndarray:
        return EagerTensor(arg.copy()) if arg.dtype.kind != "O" and (default is None or arg.dtype == default.numpy_dtype) else None
    if plain is int32:
        if (kind is int and default in _WHOLE) or (kind in _SEQUENCES and _has_only(arg, int)):
            try:
                return EagerTensor(np.array(arg, np.int32))
            except (OverflowError, ValueError):  # too large, or lists of several lengths
                return None
    elif plain is bool_:
        if kind is bool or (kind in _SEQUENCES and {*map(type, arg)} == {bool}):
            return EagerTensor(np.array(arg, np.bool_))
    elif plain is float32:
        if kind is float and _is_in_single(arg):
            return EagerTensor(np.array(arg, np.float32))
    elif plain is string and (kind is bytes or kind is str):
        return tensor_of(array_of(arg))
    return None


_SEQUENCES, _TENSORS = frozenset({list, tuple}), frozenset({EagerTensor, HandleTensor, StringTensor})


def _has_only(values: Any, kind: type) -> bool:
    """Whether a list, or a list of lists, has elements of one type alone, and some."""
    kinds = {*map(type, values)}
    return kinds == {kind} or (kinds == {list} and all({*map(type, row)} == {kind} for row in values))


def _is_in_single(x: float) -> bool:
    """Whether single precision holds a number without a warning: it is well within its range, infinite or none."""
    return -1e38 < x < 1e38 or not math.isfinite(x)


def _convert_floats(op: Op, args: tuple[Any, ...], tensors: list[Any]) -> bool:
    """Make Python's floats tensors of the single or double precision that a tensor among the arguments has; whether each has one.

    Where nothing but floats has the dtype, it is single precision.
    """
    dtypes = {spec.variable: t.value.dtype for spec, t in zip(op.inputs, args, strict=True) if type(t) is EagerTensor}
    others = {spec.variable for spec, t in zip(op.inputs, tensors, strict=True) if t is not None}
    for i, (spec, arg) in enumerate(zip(op.inputs, args, strict=True)):
        if tensors[i] is None:
            alone = spec.variable not in others and spec.default in _SINGLE
            dtype = dtypes.get(spec.variable, float32.numpy_dtype if alone else None) if spec.variable else None
            if dtype is None or dtype.char not in "fd":
                return False
            tensors[i] = EagerTensor(np.array(arg, dtype))
    return True


def _dtypes_key(op: Op, tensors: Sequence[Any]) -> tuple[Any, ...]:
    """What `_cached_kinds` holds of a call: the op and the dtypes of its arguments, NumPy's where they are arrays."""
    return (op, *[t.value.dtype if type(t) is EagerTensor else t.dtype for t in tensors])


def _cached_inputs(op: Op, args: tuple[Any, ...]) -> tuple[Tensor, ...] | None:
    """The arguments of a call as `convert_inputs` gives them, when it found before that such dtypes agree as they are; else None."""
    if op.variadic is None and _TENSORS.issuperset(map(type, args)) and _dtypes_key(op, args) in _cached_kinds:
        return args
    tensors: list[Any] = []
    floats = False
    for spec, arg, plain in zip(op.inputs, args, _plain_dtypes(op), strict=True):
        if spec.variadic and type(arg) not in (list, tuple):
            return None
        if type(arg) is EagerTensor:
            tensors.append(arg)
            continue
        for a in arg if spec.variadic else (arg,):
            ready = a if type(a) is EagerTensor else _convert_quickly(a, None if spec.variadic else plain, spec.default)
            if ready is None:
                if type(a) is not float or not _is_in_single(a) or op.variadic is not None:
                    return None
                floats = True
            tensors.append(ready)
    if floats and not _convert_floats(op, args, tensors):
        return None
    key = _dtypes_key(op, tensors)
    if key in _cached_kinds:
        return tuple(tensors)
    inputs = convert_inputs(op, args, _eager_maker, eager=True)
    if key == _dtypes_key(op, inputs):
        _cached_kinds.add(key)
    return inputs


def wrap(value: object) -> EagerTensor:
    """A kernel's result as a tensor; storage of a variable becomes a handle."""
    if type(value) is ndarray:
        if value.dtype is OBJECTS:
            return StringTensor(value)
        out = new(EagerTensor)
        out.value, out.uid = value, fresh_uid()
        return out
    if isinstance(value, (np.generic, np.ndarray)):
        value = np.asarray(value)
        return EagerTensor(value) if value.dtype is not OBJECTS else StringTensor(value)
    if isinstance(value, StringArray):
        return StringTensor(value)
    if isinstance(value, bytes):
        return StringTensor(array_of(value))
    return HandleTensor(value)


def _eager_maker(array: np.ndarray, name: str | None) -> Tensor:
    return tensor_of(array)


def explain_error(op: Op, arguments: tuple[Any, ...], attrs: dict[str, Any], error: Exception) -> Exception:
    """The error of a kernel as TensorFlow would have it: the op named, the shapes given, the class the same."""
    label = f" [Op:{op.name}] name: "
    error = translate_memory_error(error) or error
    if isinstance(error, OpError):
        if "[Op:" not in error.message:
            kind: Any = type(error)
            error = kind(None, None, error.message + label) if kind is not OpError else error
        return error
    message = str(error)
    try:
        op.infer(*arguments, **attrs)
    except ShapeError as shapes:
        message = shapes.eagerly or message
    except ValueError as inferred:
        message = str(inferred)
    else:
        flat = [t for a in arguments for t in (a if isinstance(a, tuple) else (a,))]
        shapes_given = ", ".join(show_dims(t.dims) for t in flat)
        message = (isinstance(error, ShapeError) and error.eagerly) or f"{message} with input shapes: {shapes_given}"
    return InvalidArgumentError(None, None, message + label)


# ---- graphs


def _add(op: Op, args: tuple[Any, ...], attrs: dict[str, Any], name: str | None, graph: Graph, context: Context) -> Any:
    length = len(graph.nodes)
    scope = graph.unique_name(name or op.type_for(args))

    def make(array: np.ndarray, input_name: str | None) -> Tensor:
        return graph.constant(array, f"{scope}/{input_name}/")

    try:
        key, inputs = _describe_nodes(op, args, graph)
        if key not in _cached_kinds:
            given, outer = inputs, graph.scope
            graph.scope = scope  # of what packs a list with tensors in it, and reads a variable
            try:
                inputs = convert_inputs(op, args, make, eager=False)
            finally:
                graph.scope = outer
            if any(type(t) is not SymbolicTensor or t.node.graph is not graph or t.dtype._is_ref_dtype for t in inputs):
                inputs = _own_inputs(op, read_references(op, inputs), graph, scope)
            elif key and [*map(id, inputs)] == [*map(id, given)]:
                _cached_kinds.add(key)
        node = graph.add(op, inputs, attrs, scope)
    except (TypeError, ValueError) as error:
        graph.truncate(length)
        if isinstance(error, NotATensor):  # the value has an answer of its own, which goes by the name
            graph.release_name(scope)
        raise
    if context.recorders:
        node.scope = scope if type(name) is ScopeName or op.traits.opens_scope else graph.scope
        for recorder in context.recorders:
            recorder.record(op, node.inputs, node.attrs, tuple(node.outputs), node)
    return returned_value(node)


def _describe_nodes(op: Op, args: tuple[Any, ...], graph: Graph) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """What `_cached_kinds` holds of a call with tensors of `graph` alone, which convert to themselves, and those; nothing of other calls.

    Lists of tensors are of one dtype, and one argument at most is a list, so that its length does not matter.
    """
    key, given = [op, SymbolicTensor], []
    for arg in args:
        if type(arg) is SymbolicTensor:
            if arg.node.graph is not graph:
                return (), ()
            key.append(arg._dtype)
            given.append(arg)
        elif type(arg) not in _SEQUENCES or op.lists > 1 or not arg:
            return (), ()
        else:
            dtype = getattr(arg[0], "_dtype", None)
            for t in arg:
                if type(t) is not SymbolicTensor or t.node.graph is not graph or t._dtype is not dtype:
                    return (), ()
            key.append((dtype,))
            given += arg
    return tuple(key), tuple(given)


def _own_inputs(op: Op, inputs: tuple[Tensor, ...], graph: Graph, scope: str) -> tuple[Tensor, ...]:
    first = next((t for t in inputs if isinstance(t, SymbolicTensor)), None)
    for t in () if graph.captures_others else inputs:
        if isinstance(t, SymbolicTensor) and first is not None and t.graph is not first.graph:
            raise ValueError(f"{t} must be from the same graph as {first} (graphs are {t.graph} and {first.graph}).")
    return tuple(graph.own(t, f"{scope}/{op.input_name(i, len(inputs))}/") for i, t in enumerate(inputs))


def returned_value(node: Node) -> Any:
    """What a call that made `node` gives its caller."""
    names = node.primitive.outputs
    if len(names) == 1 and not names[0].startswith("*"):
        return node.outputs[0]
    if not names:
        return node
    return list(node.outputs) if names[0].startswith("*") else tuple(node.outputs)


# ---- tensors of the current interpreter


def tensor_maker(name: str | None = None) -> Callable[[np.ndarray, str | None], Tensor]:
    """What turns arrays into tensors of the current interpreter: eager tensors, or `Const` nodes."""
    graph = current().graph
    if graph is None:
        return _eager_maker
    return lambda array, inner: graph.constant(array, inner or name or "Const")


# ---- dispatch


def call_quietly(kernel: Callable[..., Any], *values: Any, **attrs: Any) -> Any:
    """A kernel once more without NumPy's floating-point warnings, for a program that has made them errors: inf and nan are answers."""
    with np.errstate(all="ignore"):
        return kernel(*values, **attrs)


@export(v2="convert_to_tensor")
@is_hot
def convert_to_tensor(
    value: object, dtype: DTypeLike | None = None, dtype_hint: DTypeLike | None = None, name: str | None = None
) -> Tensor:
    """`value` as a tensor of the current interpreter.

    value: a tensor (kept as it is), a variable (its value), numbers, nested lists, NumPy arrays, strings.
    dtype: the dtype wanted: Python numbers adopt it (an int that does not fit loses its high bits, a float never becomes an int), arrays
        are cast, a tensor of another dtype is a ValueError.
    dtype_hint: the dtype to take when `value` leaves it open.

    >>> tf.convert_to_tensor([1, 2], tf.float32).numpy().tolist()
    [1.0, 2.0]
    """
    if type(value) is EagerTensor and dtype_hint is None and (dtype is None or dtype is value.dtype) and current().graph is None:
        return value
    try:
        hint = None if dtype_hint is None else as_dtype(dtype_hint)
        if hint is not None and dtype is None and not is_tensor_like(value) and not hasattr(type(value), "__tf_tensor__"):
            try:
                return to_tensor(value, hint, make=tensor_maker(name), name=name)
            except (TypeError, ValueError):
                hint = None
        tensor = to_tensor(value, dtype, hint, make=tensor_maker(name), name=name)
        graph = current().graph
        return tensor if graph is None or isinstance(tensor, SymbolicTensor) else graph.own(tensor, name or "Const")
    except Exception as error:
        trim(error)
        raise


def as_constants(*values: Any) -> tuple[Any, ...]:
    """What an operation is given, in a graph as tensors of the scope, `Const` and `Const_1`; eagerly as it is."""
    return values if current().graph is None else tuple([convert_to_tensor(value) for value in values])


def tensor_with(value: object, attribute: str, name: str | None = None) -> Tensor:
    """`value` as a tensor, where TensorFlow asks for an attribute before it converts: an AttributeError for what has none.

    Arrays and lists of numbers are converted all the same; None, words and lists that are no arrays are refused with TensorFlow's error.
    """
    if value is not None and not isinstance(value, (str, bytes)):
        try:
            return convert_to_tensor(value, name=name)
        except (TypeError, ValueError):
            if not isinstance(value, (list, tuple)):
                raise
    raise AttributeError(f"'{type(value).__name__}' object has no attribute '{attribute}': a tensor is needed, not {value!r}")


Dispatch.apply, Dispatch.convert = staticmethod(apply), staticmethod(convert_to_tensor)
