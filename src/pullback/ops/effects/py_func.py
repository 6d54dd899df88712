"""`PyFunc`: a Python function of NumPy arrays as an operation, without a gradient.

In a graph the function is called when the operation runs; what it raises becomes the error class TensorFlow gives, with the
function's own file and line.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Sequence
from contextvars import copy_context
from threading import Thread
from typing import Any

import numpy as np

from ...base import nest
from ...base.dtypes import FROM_NUMPY, DType, as_dtype, name_in_c
from ...base.errors import (
    InvalidArgumentError,
    OpError,
    OutOfRangeError,
    ResourceExhaustedError,
    UnimplementedError,
    UnknownError,
)
from ...base.export import export
from ...ir.apply import convert_to_tensor
from ...ir.context import Context, current, enter_context
from ...ir.convert import array_of, plain_array
from ...ir.node import Node
from ...ir.op import Traits, define
from ...ir.plan import annotate_error
from ...ir.tensor import Dims, TensorType

_CLASSES: tuple[tuple[type[Exception], type[OpError]], ...] = (
    (StopIteration, OutOfRangeError),
    (MemoryError, ResourceExhaustedError),
    (NotImplementedError, UnimplementedError),
    (ValueError, InvalidArgumentError),
    (TypeError, InvalidArgumentError),
)


class Output:
    """What a function is said to give: a dtype, and a shape if it is known."""

    __slots__ = ("dims", "dtype")

    def __init__(self, said: Any) -> None:
        shape = None if isinstance(said, DType) else getattr(said, "shape", None)
        self.dtype: DType = as_dtype(said if shape is None else said.dtype)
        self.dims: Dims = None if shape is None or shape.rank is None else tuple(shape.as_list())


def list_outputs(tout: object) -> list[Output]:
    """`Tout` as a list."""
    return [Output(said) for said in (tout if isinstance(tout, (list, tuple)) else [tout])]


def translate_error(error: Exception, func: Callable[..., Any]) -> OpError:
    """What a user's function raised, as the operation's error."""
    if isinstance(error, OpError):
        return error
    kind: Any = next((to for of, to in _CLASSES if isinstance(error, of)), UnknownError)
    frames = traceback.extract_tb(error.__traceback__)
    own = frames[-1]
    where = f"{own.filename}:{own.lineno}" if frames else "an unknown place"
    named = getattr(func, "__qualname__", type(func).__name__)
    return kind(None, None, f"{type(error).__name__}: {error}\nraised by the Python function {named} at {where}: {own.line}")


def box_object(thing: object) -> np.ndarray:
    """Any object as a value that a node can hand on."""
    box = np.empty((), object)
    box[()] = thing
    return box


def _array(value: Any) -> np.ndarray:
    """What a function returned as an array, text as bytes."""
    array = plain_array(value)
    return array_of(array) if array.dtype.kind in "SUO" else array


def _kernel(input: Sequence[Any], *, site: Any, func: Callable[..., Any], outputs_types: tuple[Output, ...]) -> list[Any]:
    given = [v.copy() if v.ndim else v.item() if v.dtype == object else v[()] for v in map(np.asarray, input)]
    try:
        with enter_context(Context(None, ())):
            returned = func(*given)
        answers = [_array(r) for r in (returned if isinstance(returned, (tuple, list)) else [] if returned is None else [returned])]
    except Exception as error:
        raise translate_error(error, func) from error
    name = getattr(func, "__qualname__", type(func).__name__)
    if len(answers) != len(outputs_types):
        raise InvalidArgumentError(None, None, f"{name} returns {len(answers)} values, but expects to see {len(outputs_types)} values.")
    for i, (answer, wanted) in enumerate(zip(answers, outputs_types, strict=True)):
        found = FROM_NUMPY[answer.dtype]
        if found is not wanted.dtype:
            names = [name_in_c(d) for d in (found, wanted.dtype)]
            raise InvalidArgumentError(None, None, f"{i}-th value returned by {name} is {names[0]}, but expects {names[1]}")
    return answers


def infer_outputs(input: object, *, func: object, outputs_types: tuple[Output, ...]) -> tuple[TensorType, ...]:
    """The types of the outputs of a function: what `Tout` says."""
    return tuple(TensorType(said.dims, said.dtype) for said in outputs_types)


def _call_in_turn(input: Sequence[Any], *, site: Any, calls: Sequence[Node]) -> list[Any]:
    """What several calls give: the first on this thread, each of the others on its own."""
    left, failed = iter(input), []
    answers: list[list[Any]] = [[] for _ in calls]

    def call(number: int, node: Node, given: list[Any]) -> None:
        try:
            attrs = {name: node.attrs[name] for name in node.primitive.attributes}
            answers[number] = list(node.primitive.kernel(given, site=site, **attrs))
        except OpError as error:
            failed.append((number, annotate_error(node, given, error)))

    work = [(number, node, [next(left) for _ in node.inputs]) for number, node in enumerate(calls)]
    threads = [Thread(target=copy_context().run, args=(call, *one), daemon=True) for one in work[1:]]
    for thread in threads:
        thread.start()
    call(*work[0])
    for thread in threads:
        thread.join()
    for _, error in sorted(failed, key=lambda one: one[0]):
        raise error
    return [value for each in answers for value in each]


def _types_of_calls(input: Any, *, calls: Sequence[Node]) -> tuple[TensorType, ...]:
    return tuple(TensorType(t.dims, t.dtype) for node in calls for t in node.outputs)


TOGETHER = define(
    "PyFuncsTogether", "*input:any", _types_of_calls, _call_in_turn, {}, outputs="*outputs", stateful=True, effects=True,
    batch="Python functions of one row",
)


def merge_calls(calls: Sequence[Node]) -> Node:
    """One node of several calls of which none waits for another; they run at the same time."""
    inputs, outputs = (tuple(t for node in calls for t in getattr(node, side)) for side in ("inputs", "outputs"))
    node, first = Node(TOGETHER, inputs, {"calls": tuple(calls)}, outputs), calls[0]
    node.graph, node.name, node.position, node.source = first.graph, first.name, first.position, first.source
    node._control_inputs, node.device, node.colocation, node._original_op = (), first.device, first.colocation, None
    return node


_TRAITS = Traits(together=merge_calls, ends="left the library")
PY_FUNC = define(
    "PyFunc", "*input:any", infer_outputs, _kernel, {}, outputs="*outputs", stateful=True, effects=True, traits=_TRAITS,
    batch="a Python function of one row",
)
PY_FUNC_STATELESS = define(
    "PyFuncStateless", "*input:any", infer_outputs, _kernel, {}, outputs="*outputs", stateful=True, effects=False,
    traits=_TRAITS,
    batch="a Python function of one row",
)


@export("numpy_function")
def numpy_function(
    func: Callable[..., Any] | None = None, inp: object = None, Tout: object = None, stateful: bool = True, name: str | None = None
) -> Any:
    """`func` of NumPy arrays as an operation; in a graph it is called when the operation runs.  Its gradient is None.

    inp: a list of what converts to tensors.  Tout: the dtype of the result, or a list of them (then a list is returned; TensorSpecs
    also say shapes; for none, in a graph, the operation).  stateful: False for a function that always gives the same for the same
    arguments, and need not be called when nobody reads its result.  Without `func` a decorator.
    In a session functions that do not wait for each other run at the same time.
    Raises ValueError for a func that is none; in a graph, when run, InvalidArgumentError for a wrong number or dtype of results and
    the errors of `func`: ValueError and TypeError as InvalidArgumentError, others as UnknownError.  Eagerly these come as they are.

    >>> import numpy as np, pullback as tf
    >>> tf.numpy_function(lambda a: a.max(axis=0), [[[1.0, 4.0], [3.0, 2.0]]], tf.float32).numpy().tolist()
    [3.0, 4.0]
    """
    if func is None:
        return make_decorator(numpy_function, inp, Tout, "tf.numpy_function", stateful=stateful, name=name)
    if Tout is None:
        raise TypeError("Missing required argument: 'Tout' of tf.numpy_function")
    return py_func(func, inp, Tout, stateful, name)


@export(v1="py_func")
def py_func(func: Callable[..., Any], inp: Any, Tout: Any, stateful: bool = True, name: str | None = None) -> Any:
    """`numpy_function` with TensorFlow 1's signature.

    >>> with tf1.Graph().as_default(), tf1.Session() as session:
    ...     session.run(tf1.py_func(lambda a: a + a, [tf1.constant(2.0)], tf1.float32))
    np.float32(4.0)
    """
    if not callable(func):
        raise ValueError(f"Expected func to be callable. Received func={func} of type {type(func)}.")
    graph = current().graph
    if graph is None:
        result = nest.flatten(func(*map(np.array, inp)))  # numbers are NumPy's here, not those of a tensor: float64, int64
        tensors = [None if r is None else convert_to_tensor(r) for r in result]
        return tensors[0] if len(tensors) == 1 else tensors
    said = tuple(list_outputs(Tout))
    made = (PY_FUNC if stateful else PY_FUNC_STATELESS)([convert_to_tensor(x) for x in inp], func=func, outputs_types=said, name=name)
    if not said:  # what was made is an operation alone
        return graph.nodes[-1]
    return made if isinstance(Tout, (list, tuple)) else made[0]


def make_decorator(
    function: Callable[..., Any], inp: object, tout: object, called: str, **options: Any
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A decorator that makes a Python function one of tensors, by `function(func, inp, Tout, **options)`."""
    if tout is None:
        raise TypeError(f"Missing required argument: 'Tout': as a decorator write `@{called}(Tout=...)`")
    if inp is not None:
        raise TypeError(f"Don't set the `inp` argument when using {called} as a decorator (`func=None`).")

    def decorator(func: Callable[..., Any]) -> Callable[..., Any]:
        def call_on_tensors(*args: Any) -> Any:
            return function(func, list(args), tout, **options)

        call_on_tensors.__name__ = getattr(func, "__name__", "function")
        return call_on_tensors

    return decorator
