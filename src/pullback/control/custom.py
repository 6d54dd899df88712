"""Gradients of one's own: `custom_gradient` and what is made of it.

A decorated function runs as it is; then one node, `CustomGradient`, passes its results on and, when it is differentiated, asks the
user's function for the cotangents of the arguments and of the variables that were read.  The same node serves tapes, graphs and
functions; it is transposed for forward mode, and the operations inside the user's function are differentiated for higher orders.
`recompute.py` makes the same node with a rule of its own.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from typing import Any, ParamSpec, TypeVar, overload

from ..base import nest
from ..base.export import export
from ..ir.apply import convert_to_tensor
from ..ir.composite import CompositeTensor
from ..ir.context import current, start_listening, stop_listening
from ..ir.node import show_source, user_frame
from ..ir.op import Remedies, Traits, define
from ..ir.tensor import IndexedSlices, Tensor, TensorType
from ..transforms.registry import OF_A_RULE
from ..transforms.sparse import densify
from .variable_reads import VariableReads

P = ParamSpec("P")
R = TypeVar("R")

Flags = tuple[bool, ...]


def _pass_types(args: tuple[Any, ...], *, count: int, rule: Any) -> tuple[TensorType, ...]:
    return tuple(TensorType(t.dims, t.dtype, t.constant) for t in args[:count])


def _custom_vjp(gs: list[Any], rule: Any, count: int, active: Flags) -> list[Any]:
    return [*[None] * count, *rule(gs, active[count:])]


CUSTOM = define(
    "CustomGradient",
    "*args:captured",
    _pass_types,
    lambda args, *, count, rule: list(args[:count]),
    {"args": _custom_vjp},
    outputs="*outputs",
    holomorphic=False,
    lower=lambda builder, args, *, count, rule: list(args[:count]),
    traits=Traits(
        calls_gradient=True,
        remedies=Remedies(
            backward="look at what its gradient function computes there: guard its divisions, roots and logs, or write it in a stable form"
        ),
    ),
)


@overload
def custom_gradient(f: Callable[P, tuple[R, Callable[..., Any]]]) -> Callable[P, R]: ...
@overload
def custom_gradient(f: None = None) -> Callable[[Callable[P, tuple[R, Callable[..., Any]]]], Callable[P, R]]: ...
@export("custom_gradient", v1="contrib.eager.custom_gradient")
def custom_gradient(f: Any = None) -> Any:
    """Decorator: a function that returns its result and a function for its gradient.

    f: takes tensors (perhaps nested, and anything by keyword) and returns `(result, grad_fn)`.  grad_fn takes one cotangent for each
    tensor of the result and returns one for each tensor among the positional arguments (None allowed); where `f` reads variables it
    must accept `variables=` and return `(argument cotangents, variable cotangents)`.
    Raises TypeError where variables are read and grad_fn takes none, or `f` returns no such pair; ValueError, when differentiated, for
    a wrong number of cotangents.

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

    def record_call(function: Any, args: Any, kwargs: Any) -> Any:
        if current().graph is not None:
            args = tuple(_convert_arguments(list(args)))
        else:
            _note_variables(args)
        reads = VariableReads()
        start_listening(reads)
        try:
            returned = function(*args, **kwargs)
        finally:
            stop_listening(reads)
        result, grad_fn = _pair(function, returned)
        sources = [source for t in nest.flatten(list(args)) if t is not None for source in _parts(t)]
        variables = reads.beyond(sources)
        if variables and not _takes_variables(grad_fn):
            raise TypeError(
                f"@tf.custom_gradient grad_fn must accept keyword argument 'variables', since function uses variables: {variables} "
                f"(in {name_of(function)}, called at {show_source(user_frame())})"
            )
        rule = _Rule(name_of(function), grad_fn, len(sources), variables, show_source(user_frame()), nest.flatten(result))
        return _attach_rule(result, [*sources, *(v.handle for v in variables)], rule)

    return Decorated(f, record_call)


class Decorated:
    """`f` called as `by(f, args, kwargs)`; on a method `f` is the bound one, so that its object is no argument."""

    def __init__(self, f: Callable[..., Any], by: Callable[[Any, Any, Any], Any]) -> None:
        functools.update_wrapper(self, f)
        self._f, self._by = f, by

    @property
    def __signature__(self) -> inspect.Signature:
        return inspect.signature(self._f)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._by(self._f, args, kwargs)

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else Decorated(self._f.__get__(instance, owner), self._by)


def _convert_arguments(args: list[Any]) -> list[Tensor]:
    """Arguments as tensors of the graph that is being built."""
    return nest.map_structure(lambda t: None if t is None else convert_to_tensor(t), args, expand_composites=True)


def _note_variables(args: tuple[Any, ...]) -> None:
    """Variables among the arguments count as read, though perhaps the gradient function alone reads them."""
    recorders = current().recorders
    for variable in nest.flatten(args) if recorders else ():
        if hasattr(variable, "handle"):
            for recorder in recorders:
                recorder.read(variable)


def _pair(function: Any, returned: Any) -> tuple[Any, Any]:
    if not isinstance(returned, (tuple, list)) or len(returned) != 2 or not callable(returned[1]):
        shown = f"{len(returned)} values" if isinstance(returned, (tuple, list)) else type(returned).__name__
        raise TypeError(
            f"a function under @tf.custom_gradient must return (result, grad_fn): {name_of(function)}, called at "
            f"{show_source(user_frame())}, returned {shown}"
        )
    return returned[0], returned[1]


def name_of(function: object) -> str:
    """What errors call a function."""
    return str(getattr(function, "__qualname__", function))


def source_of(thing: object) -> Tensor:
    """The tensor that stands for an argument: a variable's handle, a tensor, what converts to one."""
    return thing.handle if hasattr(thing, "handle") else convert_to_tensor(thing)


def _parts(argument: Any) -> list[Any]:
    """The tensors that stand for an argument: a composite value gives the one that is differentiated, where it has such a one."""
    if isinstance(argument, CompositeTensor):
        return [argument._get_differentiated()] if _stands_for_one(argument) else [source_of(t) for t in argument._components()]
    return [source_of(argument)]


def _stands_for_one(thing: Any) -> bool:
    """Whether a composite value has one tensor that is differentiated in its place."""
    return isinstance(thing, CompositeTensor) and type(thing)._get_differentiated is not CompositeTensor._get_differentiated


def _remake_leaves(leaves: Sequence[Any], parts: Sequence[Any]) -> list[Any]:
    """The like of `leaves` made of other parts; of those that do not stand for one tensor, the parts."""
    rest = iter(parts)
    found: list[Any] = []
    for leaf in leaves:
        if _stands_for_one(leaf):
            part = next(rest)
            found.append(None if part is None else leaf._with_differentiated(densify(part)))
        else:
            found += [next(rest) for _ in (leaf._components() if isinstance(leaf, CompositeTensor) else (leaf,))]
    return found


def _attach_rule(result: Any, sources: Sequence[Any], rule: Callable[[Sequence[Any], Flags], list[Any]]) -> Any:
    """`attach_gradient`, where a composite value among the results may stand for one tensor."""
    leaves = nest.flatten(result)
    if not any(_stands_for_one(leaf) for leaf in leaves):
        return attach_gradient(result, sources, rule)
    parts = [convert_to_tensor(t) for leaf in leaves for t in _parts(leaf)]
    passed = iter(_remake_leaves(leaves, CUSTOM([*parts, *sources], count=len(parts), rule=rule, name="IdentityN")))
    found = [
        leaf._from_components([next(passed) for _ in leaf._components()])
        if isinstance(leaf, CompositeTensor) and not _stands_for_one(leaf)
        else next(passed)
        for leaf in leaves
    ]
    return nest.pack_sequence_as(result, found)


def attach_gradient(result: object, sources: Sequence[Any], rule: Callable[[Sequence[Any], Flags], list[Any]]) -> Any:
    """`result` through a node whose gradient is `rule(cotangents, which sources are asked for)`, a cotangent for each of `sources`."""
    results = [convert_to_tensor(t) for t in nest.flatten(result, expand_composites=True)]
    if not results:
        return result
    passed = CUSTOM([*results, *sources], count=len(results), rule=rule, name="IdentityN")
    return nest.pack_sequence_as(result, passed, expand_composites=True)


def _takes_variables(grad_fn: Any) -> bool:
    parameters = inspect.signature(grad_fn).parameters.values()
    return any(p.name == "variables" or p.kind is p.VAR_KEYWORD for p in parameters)


class _Rule:
    """The user's gradient function, its answers checked."""

    __slots__ = ("composites", "count", "grad_fn", "name", "variables", "where")

    def __init__(self, name: str, grad_fn: Any, count: int, variables: list[Any], where: str, results: list[Any]) -> None:
        self.name, self.grad_fn, self.count, self.variables, self.where = name, grad_fn, count, variables, where
        #: The results, where composite values among them have cotangents like themselves.
        self.composites = results if any(_stands_for_one(r) for r in results) else None

    def __call__(self, gs: Sequence[Any], active: Flags) -> list[Any]:
        try:
            return self._answers(gs)
        except Exception as error:
            error.add_note(f"{OF_A_RULE} {self.name}, used at {self.where}.")
            raise

    def _answers(self, gs: Sequence[Any]) -> list[Any]:
        """The cotangents of the sources."""
        if self.composites is not None:
            gs = _remake_leaves(self.composites, gs)
        if self.variables:
            answer = self.grad_fn(*gs, variables=list(self.variables))
            if not isinstance(answer, (tuple, list)) or len(answer) != 2:
                raise ValueError(
                    f"the gradient of {self.name} (used at {self.where}) reads variables, so it must return (argument cotangents, "
                    f"variable cotangents), not {answer!r}"
                )
            of_args, of_variables = answer
            of_variables = nest.flatten(of_variables)
            if len(of_variables) != len(self.variables):
                raise ValueError(
                    f"Must return gradient for each variable from @custom_gradient grad_fn: {self.name} (used at {self.where}) reads "
                    f"{len(self.variables)} variables and returned {len(of_variables)} cotangents for them."
                )
        else:
            of_args, of_variables = self.grad_fn(*gs), []
        found = nest.flatten(of_args) if nest.is_nested(of_args) else [of_args]
        found = [g._get_differentiated() if _stands_for_one(g) else g for g in found]
        if len(found) != self.count:
            raise ValueError(
                f"custom_gradient function expected to return {self.count} gradients, but returned {len(found)} instead. (Num gradients "
                f"{len(found)} do not match num inputs {self.count} of {self.name}, used at {self.where})"
            )
        return [_cotangent(g) for g in (*found, *of_variables)]


def _cotangent(g: Any) -> Any:
    return g if g is None or isinstance(g, (Tensor, IndexedSlices)) else convert_to_tensor(g)


@export("grad_pass_through")
def grad_pass_through(f: Callable[P, R]) -> Callable[P, R]:
    """`f` with the gradient of the identity: cotangents of its results go to its arguments as they are, variables get None.

    >>> x = tf.constant(2.3)
    >>> with tf.GradientTape() as tape:
    ...     tape.watch(x)
    ...     y = tf.grad_pass_through(tf.round)(x)
    >>> tape.gradient(y, x).numpy().item()
    1.0
    """

    def pass_through(*args: P.args, **kwargs: P.kwargs) -> tuple[R, Callable[..., Any]]:
        def grad(*gs: Any, variables: Any = None) -> Any:
            if variables is not None:
                return gs, [None] * len(variables)
            return gs

        return f(*args, **kwargs), grad

    return custom_gradient(functools.wraps(f)(pass_through))
