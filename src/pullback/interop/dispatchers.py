"""`tf.__internal__.dispatch`: functions of a library's that ask others for an answer where they have none themselves.

Pullback's own functions ask classes of composite values (`ir.composite`) and `tf.experimental.dispatch_for_api`, not these dispatchers.
Those answer before a call, by what annotations say of its arguments; these after a function has refused them.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any, ClassVar, TypeVar

from ..base import nest

F = TypeVar("F", bound=Callable[..., Any])

_DISPATCHERS = "_tf_fallback_dispatchers"


class OpDispatcher:
    """Something that may answer for a function: a class's `handle(args, kwargs)`, or NOT_SUPPORTED where it has no answer."""

    NOT_SUPPORTED: ClassVar[object] = object()

    def handle(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """The answer to a call."""
        return self.NOT_SUPPORTED

    def register(self, op: Callable[..., Any]) -> None:
        """Be asked by a function that `add_dispatch_support` marks."""
        getattr(op, _DISPATCHERS, []).append(self)


class GlobalOpDispatcher:
    """An `OpDispatcher` of all functions: `handle(op, args, kwargs)`."""

    NOT_SUPPORTED: ClassVar[object] = OpDispatcher.NOT_SUPPORTED
    _registered: ClassVar[list[GlobalOpDispatcher]] = []

    def handle(self, op: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """The answer to a call of a function."""
        return self.NOT_SUPPORTED

    def register(self) -> None:
        """Be asked by every function that `add_dispatch_support` marks."""
        self._registered.append(self)


class _TypeDispatcher(OpDispatcher):
    def __init__(self, answer: Callable[..., Any], kinds: tuple[type, ...]) -> None:
        self._answer, self._kinds = answer, kinds

    def handle(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        values = nest.flatten([args, kwargs], expand_composites=False)
        return self._answer(*args, **kwargs) if any(isinstance(v, self._kinds) for v in values) else self.NOT_SUPPORTED


def add_dispatch_support(target: Callable[..., Any] | None = None, iterable_parameters: object = None) -> Any:
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
    dispatchers: list[OpDispatcher] = []

    @functools.wraps(target)
    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            return target(*args, **kwargs)
        except (TypeError, ValueError):
            answers = (dispatcher.handle(args, kwargs) for dispatcher in dispatchers)
            for answer in answers:
                if answer is not OpDispatcher.NOT_SUPPORTED:
                    return answer
            for everywhere in GlobalOpDispatcher._registered:
                answer = everywhere.handle(call, args, kwargs)
                if answer is not OpDispatcher.NOT_SUPPORTED:
                    return answer
            raise

    setattr(call, _DISPATCHERS, dispatchers)
    return call


def dispatch_for_types(op: Callable[..., Any], *types: type) -> Callable[[F], F]:
    """The mark of a function that answers for another where an argument is of one of these classes."""

    def mark(answer: F) -> F:
        _TypeDispatcher(answer, types).register(op)
        return answer

    return mark
