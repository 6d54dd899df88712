"""`arg_scope`: arguments that functions are given in a block, when a call leaves them out (`tf.contrib.framework`, `tf.contrib.slim`)."""

from __future__ import annotations

import functools
import inspect
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar, cast

from ...base.export import export

F = TypeVar("F", bound=Callable[..., Any])
Scope = dict[Any, dict[str, Any]]

_current: ContextVar[Scope | None] = ContextVar("arg_scope", default=None)


class _Scoped:
    """A function that takes arguments from `arg_scope`."""

    def __init__(self, function: Callable[..., Any]) -> None:
        functools.update_wrapper(self, function)
        self._function = function

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._function(*args, **{**current_arg_scope().get(self, {}), **kwargs})

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        return self if instance is None else types.MethodType(self, instance)

    def __repr__(self) -> str:
        return f"<function {self._function.__qualname__} in arg_scope>"


@export(v1=("contrib.framework.add_arg_scope", "contrib.slim.add_arg_scope"))
def add_arg_scope(func: F) -> F:
    """A decorator: calls of the function take from `arg_scope` what they leave out.

    >>> @tf1.contrib.framework.add_arg_scope
    ... def scaled(x, factor=1):
    ...     return x * factor
    >>> with tf1.contrib.framework.arg_scope([scaled], factor=10):
    ...     scaled(2), scaled(2, factor=3)
    (20, 6)
    """
    return cast("F", _Scoped(func))


@export(v1=("contrib.framework.arg_scope", "contrib.slim.arg_scope"))
@contextmanager
def arg_scope(list_ops_or_scope: Sequence[Callable[..., Any]] | Mapping[Any, dict[str, Any]], **kwargs: Any) -> Iterator[Scope]:
    """In the block, calls of these functions get `kwargs` where they do not say otherwise.

    Args:
        list_ops_or_scope: functions decorated with `add_arg_scope`; or what an `arg_scope` gave, to be in force again, without `kwargs`.

    Raises:
        TypeError: it is neither.
        ValueError: a function is not decorated, or there are arguments beside a scope.

    >>> slim = tf1.contrib.slim
    >>> with tf1.Graph().as_default(), slim.arg_scope([slim.fully_connected], activation_fn=tf1.nn.tanh):
    ...     print(slim.fully_connected(tf1.ones([2, 3]), 4).op.type)
    Tanh
    """
    if isinstance(list_ops_or_scope, Mapping):
        if kwargs:
            raise ValueError("When attempting to re-use a scope by suppling a dictionary, kwargs must be empty.")
        scope = dict(list_ops_or_scope)
    elif isinstance(list_ops_or_scope, (list, tuple)):
        scope = dict(current_arg_scope())
        for function in list_ops_or_scope:
            if not has_arg_scope(function):
                raise ValueError(f"{getattr(function, '__name__', function)} is not decorated with @add_arg_scope")
            scope[function] = {**scope.get(function, {}), **kwargs}
    else:
        raise TypeError("list_ops_or_scope must either be a list/tuple or reused scope (i.e. dict)")
    token = _current.set(scope)
    try:
        yield scope
    finally:
        _current.reset(token)


@export(v1=("contrib.framework.current_arg_scope", "contrib.slim.current_arg_scope"))
def current_arg_scope() -> Scope:
    """The arguments in force, by function.

    >>> tf1.contrib.framework.current_arg_scope()
    {}
    """
    return _current.get() or {}


@export(v1=("contrib.framework.has_arg_scope", "contrib.slim.has_arg_scope"))
def has_arg_scope(func: Callable[..., Any]) -> bool:
    """Whether a function takes arguments from `arg_scope`.

    >>> tf1.contrib.framework.has_arg_scope(tf1.contrib.layers.conv2d), tf1.contrib.framework.has_arg_scope(tf1.nn.conv2d)
    (True, False)
    """
    return isinstance(func, _Scoped)


@export(v1=("contrib.framework.arg_scoped_arguments", "contrib.slim.arg_scoped_arguments"))
def arg_scoped_arguments(func: Callable[..., Any]) -> tuple[str, ...]:
    """The names of a function's arguments that `arg_scope` can set: those with defaults.

    >>> tf1.contrib.framework.arg_scoped_arguments(tf1.contrib.layers.flatten)
    ('outputs_collections', 'scope')
    """
    return tuple(p.name for p in inspect.signature(func).parameters.values() if p.default is not p.empty)
