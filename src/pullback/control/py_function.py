"""`py_function`: a Python function of eager tensors as an operation, differentiable to any order.

The operation gives one output more than the user sees: the recording of what the function did, which the gradient pulls back, so the
function is not called again.  Only derivatives of the gradient call it again.  Eagerly and in graphs it is the same operation.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..base.dtypes import DType, string
from ..base.export import export
from ..ir.apply import convert_to_tensor, wrap
from ..ir.composite import CompositeSpec, CompositeTensor
from ..ir.context import Context, current, enter_context, start_listening, stop_listening
from ..ir.node import Node
from ..ir.op import Traits, define
from ..ir.tensor import IndexedSlices, Tensor, TensorType
from ..ir.type_spec import known_spec
from ..ops.array.basic import zeros_of
from ..ops.effects.py_func import Output, box_object, infer_outputs, list_outputs, make_decorator, merge_calls, translate_error
from ..transforms.recording import Recording
from ..transforms.reverse import find_dependents, pullback
from ..transforms.sparse import densify


class _Done:
    """One call of a function: what it did, with what, and what came of it."""

    __slots__ = ("recording", "xs", "ys")

    def __init__(self, func: Callable[..., Any], xs: Sequence[Any], said: Sequence[Output]) -> None:
        self.xs = xs
        self.recording = Recording(reads_variables=False)
        for x in xs:
            if x.dtype.trainable:
                self.recording.watch(x)
        start_listening(self.recording)
        try:
            self.ys = _answers(func(*xs), said)
        finally:
            stop_listening(self.recording)

    def follows(self, position: int) -> bool:
        """Whether a gradient leads from the results to an argument, by its position."""
        reached = find_dependents(self.recording.nodes, [self.xs[position]], lambda dtype: dtype.trainable)
        return any(y.uid in reached for y in self.ys)

    def pull_back(self, given: Sequence[Any]) -> list[Any]:
        """The cotangents of the trainable arguments; zeros where nothing connects."""
        asked = [x for x in self.xs if x.dtype.trainable]
        found = pullback(tuple(self.recording.nodes), self.ys, given, asked, self.recording.active)
        return [zeros_of(x) if g is None else densify(g) if isinstance(g, IndexedSlices) else g for g, x in zip(found, asked, strict=True)]


def leaves_library(node: Node, position: int) -> bool:
    """Whether a node is a call of a Python function that computes nothing from an argument that a gradient could follow."""
    return node.primitive is EAGER_PY_FUNC and not node.outputs[-1].value[()].follows(position)


def _answers(returned: Any, said: Sequence[Output]) -> list[Any]:
    return [convert_to_tensor(value, one.dtype) for value, one in zip(_values(returned, said), said, strict=False)]


def _values(returned: Any, said: Sequence[Any]) -> Sequence[Any]:
    """What a function returned, as many values as it is said to give."""
    values = returned if isinstance(returned, (tuple, list)) else [] if returned is None else [returned]
    if said and len(values) != len(said):
        raise ValueError(f"the function returns {len(values)} values, but Tout says {len(said)}")
    return values


class _Pull:
    """The gradient of `func` as a function of eager tensors: its arguments, the cotangents of some results, and perhaps its call."""

    def __init__(self, func: Callable[..., Any], count: int, given: tuple[bool, ...], said: tuple[Output, ...], taped: bool) -> None:
        self.func, self.count, self.given, self.said, self.taped = func, count, given, said, taped
        self.__qualname__ = f"the gradient of {getattr(func, '__qualname__', type(func).__name__)}"

    def __call__(self, *args: Any) -> list[Any]:
        if self.taped:
            return self._from(args[-1].value[()], args[self.count : -1])
        return self.again(*args)

    def again(self, *args: Any) -> list[Any]:
        """The same by a call of its own, so that it depends on the arguments."""
        func = self.func.again if isinstance(self.func, _Pull) else self.func
        return self._from(_Done(func, args[: self.count], self.said), args[self.count :])

    def _from(self, done: _Done, gs: Sequence[Any]) -> list[Any]:
        left = iter(gs)
        return done.pull_back([next(left) if flag else None for flag in self.given])


def _types(input: Any, *, func: Any, outputs_types: tuple[Output, ...]) -> tuple[TensorType, ...]:
    return (*infer_outputs(input, func=func, outputs_types=outputs_types), TensorType((), string))


def _kernel(input: Sequence[Any], *, site: Any, func: Callable[..., Any], outputs_types: tuple[Output, ...]) -> list[Any]:
    with enter_context(Context(None, ())):
        try:
            done = _Done(func, [wrap(value) for value in input], outputs_types)
        except Exception as error:
            raise translate_error(error, func) from error
    return [*(y.value for y in done.ys), box_object(done)]


def _vjp(gs: list[Any], input: tuple[Any, ...], outputs: tuple[Any, ...], func: Any, outputs_types: tuple[Output, ...]) -> list[Any]:
    given = tuple(g is not None for g in gs[:-1])
    taped = not isinstance(func, _Pull)
    pull = _Pull(func, len(input), given, outputs_types, taped)
    kinds = [Output(t.dtype) for t in input if t.dtype.trainable]
    for kind, t in zip(kinds, (t for t in input if t.dtype.trainable), strict=True):
        kind.dims = t.dims
    args = [*input, *(g for g in gs[:-1] if g is not None), *([outputs[-1]] if taped else ())]
    if not any(given):
        return [None] * len(input)
    answers = iter(PURE(args, func=pull, outputs_types=tuple(kinds), name="EagerPyFunc"))
    return [next(answers) if t.dtype.trainable else None for t in input]


EAGER_PY_FUNC, PURE = (
    define(
        name,
        "*input:any",
        _types,
        _kernel,
        {"input": _vjp},
        outputs="*outputs",
        holomorphic=False,
        stateful=True,
        effects=effects,
        fills=False,
        batch="a Python function of one row",
        traits=Traits(together=merge_calls),
    )
    for name, effects in (("EagerPyFunc", True), ("EagerPyFuncGrad", False))
)


@export("py_function", v1="contrib.eager.py_func")
def py_function(func: Callable[..., Any] | None = None, inp: Any = None, Tout: Any = None, name: str | None = None) -> Any:
    """`func` of eager tensors as an operation; in a graph it is called when the operation runs.  Differentiable to any order.

    inp: a list of what converts to tensors, and of ragged and other composite values.  Tout: the dtype of the result, or a list of them
    (then a list is returned; for an empty one, in a graph, the operation: a function called for what it does); a `TensorSpec` also says
    the shape, a `RaggedTensorSpec` and the like that the value is of that kind.  Without `func` a decorator.
    In a session functions that do not wait for each other run at the same time.
    Gradients reach `inp`, nothing else that `func` reads; an argument that a result does not depend on gets zeros.
    Raises ValueError for a func that is none; errors of `func` come as InvalidArgumentError (its ValueError and TypeError),
    UnimplementedError (NotImplementedError) or UnknownError.

    >>> @tf.function
    ... def slope(x):
    ...     with tf.GradientTape() as tape:
    ...         tape.watch(x)
    ...         y = tf.py_function(lambda t: t * t if float(t) > 1.0 else t, [x], tf.float32)
    ...     return tape.gradient(y, x)
    >>> slope(tf.constant(3.0)).numpy().item()
    6.0
    """
    if func is None:
        return make_decorator(py_function, inp, Tout, "tf.py_function", name=name)
    if not callable(func):
        raise ValueError(f"Expected func to be callable. Received func={func} of type {type(func)}.")
    if Tout is None:
        raise TypeError("Missing required argument: 'Tout' of tf.py_function")
    wanted = list(Tout) if isinstance(Tout, (list, tuple)) else [Tout]
    specs = [known_spec(x) if not isinstance(x, Tensor) and isinstance(x, CompositeTensor) else None for x in inp]
    takes_parts = any(specs)
    if takes_parts:
        tensors = [t for x, spec in zip(inp, specs, strict=True) for t in ([convert_to_tensor(x)] if spec is None else spec.to_tensors(x))]
    else:
        tensors = [convert_to_tensor(x) for x in inp]
    flat = wanted
    composite = any(type(one) is not DType and isinstance(one, CompositeSpec) for one in wanted)
    if composite:
        flat = [part for one in wanted for part in (one.flatten() if isinstance(one, CompositeSpec) else [one])]
    if composite or takes_parts:
        func = _OfParts(func, specs, wanted)
    said = tuple(list_outputs(flat))
    results = EAGER_PY_FUNC(tensors, func=func, outputs_types=said, name=name)
    if not said and current().graph is not None:
        return results[0].op
    found = results[: len(said)]
    if composite:
        made = iter(found)
        found = [one.from_tensors(made) if isinstance(one, CompositeSpec) else next(made) for one in wanted]
    return found if isinstance(Tout, (list, tuple)) else found[0]


class _OfParts:
    """A function that takes or gives composite values, as one of the tensors that they are made of."""

    def __init__(self, func: Callable[..., Any], given: Sequence[Any], wanted: Sequence[Any]) -> None:
        self.func, self.given, self.wanted = func, given, wanted
        self.__qualname__ = getattr(func, "__qualname__", type(func).__name__)

    def __call__(self, *tensors: Any) -> list[Any]:
        left = iter(tensors)
        values = _values(self.func(*[next(left) if spec is None else spec.from_tensors(left) for spec in self.given]), self.wanted)
        return [t for value, said in zip(values, self.wanted, strict=False) for t in self._parts(value, said)]

    def _parts(self, value: Any, said: Any) -> list[Any]:
        if not isinstance(said, CompositeSpec):
            return [value]
        if not said.is_compatible_with(value):
            raise ValueError(f"py_function: func={self.func} returned {value!r}, which did not match Tout={said!r}")
        return said.to_tensors(value)
