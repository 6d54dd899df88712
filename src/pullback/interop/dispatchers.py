"""`tf.__internal__.dispatch`: functions of a library's that ask others for an answer where they have none themselves.

Those of `tf.experimental.dispatch_for_api` answer before a call, by what annotations say of its arguments; these after a function has
refused them.  Pullback's own functions ask when the first dispatcher is registered: tf_keras makes layers of them by it.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any, ClassVar, TypeVar

from ..base import nest
from ..ir.operators import LATE_BOUND
from ..ir.tracebacks import ANSWERS, UNANSWERED, find_answer
from ..ops.indexing.index import getitem
from .faces import load_again, load_name

F = TypeVar("F", bound=Callable[..., Any])

_DISPATCHERS = "_tf_fallback_dispatchers"


class OpDispatcher:
    """Something that may answer for a function: a class's `handle(args, kwargs)`, or NOT_SUPPORTED where it has no answer."""

    NOT_SUPPORTED: ClassVar[object] = UNANSWERED

    def handle(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """The answer to a call."""
        return self.NOT_SUPPORTED

    def register(self, op: Callable[..., Any]) -> None:
        """Be asked by a function: one of the library's, or one that `add_dispatch_support` marks."""
        vars(inspect.unwrap(op)).setdefault(_DISPATCHERS, []).append(self)
        _let_functions_ask()


class GlobalOpDispatcher:
    """An `OpDispatcher` of all functions: `handle(op, args, kwargs)`."""

    NOT_SUPPORTED: ClassVar[object] = OpDispatcher.NOT_SUPPORTED
    _registered: ClassVar[list[GlobalOpDispatcher]] = []

    def handle(self, op: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """The answer to a call of a function."""
        return self.NOT_SUPPORTED

    def register(self) -> None:
        """Be asked by every function of the library's, and every one that `add_dispatch_support` marks."""
        self._registered.append(self)
        _let_functions_ask()


def _answer(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """What dispatchers answer to a call: those of the function, then those of all functions."""
    own: list[OpDispatcher] = vars(inspect.unwrap(function)).get(_DISPATCHERS, [])
    for dispatcher in own:
        if (found := dispatcher.handle(args, kwargs)) is not UNANSWERED:
            return found
    for everywhere in GlobalOpDispatcher._registered:
        if (found := everywhere.handle(function, args, kwargs)) is not UNANSWERED:
            return found
    return UNANSWERED


#: What operators call, and the public functions that answer for them.
_OPERATORS: dict[str, Any] = {
    "add": "tf.math.add", "sub": "tf.math.subtract", "mul": "tf.math.multiply", "truediv": "tf.math.truediv", "div": "tf.math.divide",
    "floordiv": "tf.math.floordiv", "mod": "tf.math.floormod", "pow": "tf.math.pow", "matmul": "tf.linalg.matmul",
    "and": "tf.math.logical_and", "or": "tf.math.logical_or", "xor": "tf.math.logical_xor", "invert": "tf.math.logical_not",
    "neg": "tf.math.negative", "abs": "tf.math.abs", "less": "tf.math.less", "less_equal": "tf.math.less_equal",
    "greater": "tf.math.greater", "greater_equal": "tf.math.greater_equal", "equal_operator": "tf.math.equal",
    "not_equal_operator": "tf.math.not_equal", "getitem": getitem,
}  # fmt: skip


def _let_functions_ask() -> None:
    """Have the functions of the namespaces, and the operators, ask the dispatchers; programs without dispatchers pay nothing."""
    if _answer in ANSWERS:
        return
    ANSWERS.append(_answer)
    load_again()
    for name, public in _OPERATORS.items():
        LATE_BOUND[name] = _wrap_operator(LATE_BOUND[name], load_name(*public.rsplit(".", 1)) if isinstance(public, str) else public)


def _wrap_operator(function: Callable[..., Any], public: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def call(*args: Any) -> Any:
        try:
            return function(*args)
        except (TypeError, ValueError) as error:
            if (found := find_answer(public, args[:2], {}, error)) is UNANSWERED:
                raise
            return found

    return call


class _TypeDispatcher(OpDispatcher):
    def __init__(self, answer: Callable[..., Any], kinds: tuple[type, ...]) -> None:
        self._answer, self._kinds = answer, kinds

    def handle(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        values = nest.flatten([args, kwargs], expand_composites=False)
        return self._answer(*args, **kwargs) if any(isinstance(v, self._kinds) for v in values) else self.NOT_SUPPORTED


def add_dispatch_support(target: Callable[..., Any] | None = None, iterable_parameters: object = None) -> Callable[..., Any]:
    """A function that asks its dispatchers, then those of all functions, where it refuses its arguments (TypeError or ValueError).

    >>> @add_dispatch_support
    ... def twice(x):
    ...     return x + 0 + x
    >>> @dispatch_for_types(twice, str)
    ... def twice_a_word(x):
    ...     return x * 2
    >>> twice(2), twice("ab")
    (4, 'abab')
    """
    if target is None:
        return functools.partial(add_dispatch_support, iterable_parameters=iterable_parameters)
    if inspect.isclass(target):
        return target

    @functools.wraps(target)
    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            return target(*args, **kwargs)
        except (TypeError, ValueError):
            if (found := _answer(call, args, kwargs)) is UNANSWERED:
                raise
            return found

    return call


def dispatch_for_types(op: Callable[..., Any], *types: type) -> Callable[[F], F]:
    """The mark of a function that answers for another where an argument is of one of these classes."""

    def mark(answer: F) -> F:
        _TypeDispatcher(answer, types).register(op)
        return answer

    return mark
