"""What programs and libraries import of `tensorflow.python.util`: marks on functions, which change nothing but for a warning."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any, ParamSpec, TypeVar

from ..base.renamed_arguments import resolve_renamed
from ..tensorflow.logging import warning

F = TypeVar("F", bound=Callable[..., Any])
P = ParamSpec("P")
R = TypeVar("R")

_PACKAGE = __name__.partition(".")[0]


def getfullargspec(obj: Callable[..., Any]) -> inspect.FullArgSpec:
    """The parameters of a function: of one of Pullback's without annotations, as TensorFlow's have none.

    >>> getfullargspec(tf.rank).annotations
    {}
    """
    found = inspect.getfullargspec(obj)
    return found._replace(annotations={}) if (getattr(obj, "__module__", None) or "").startswith(f"{_PACKAGE}.") else found


def leave_unmarked(function: F) -> F:
    """The mark of something for those who write documentation: it stays as it is."""
    return function


def leave_unregistered(*args: Any, **kwargs: Any) -> None:
    """Nothing: a library registers what is called by parts of TensorFlow that are not here."""


def load_context(load_options: object) -> AbstractContextManager[None]:
    """A block in which a library loads a model; its options are for TensorFlow's own loader, which is not here."""
    return nullcontext()


class KerasModeKeys:
    """What a model is made for."""

    TRAIN, TEST, PREDICT = "train", "test", "predict"


def deprecated_endpoints(*names: str) -> Callable[[F], F]:
    """The mark of older public names."""
    return leave_unmarked


def deprecated(date: str | None, instructions: str, warn_once: bool = True) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """A function or a class that is to go: its first call is logged, with what to do instead."""

    def mark(function: Callable[P, R]) -> Callable[P, R]:
        if isinstance(function, type):
            maker = "__new__" if any("__new__" in vars(kind) for kind in function.__mro__[:-1]) else "__init__"
            setattr(function, maker, mark(getattr(function, maker)))
            return function
        said: list[bool] = []

        @functools.wraps(function)
        def call(*args: P.args, **kwargs: P.kwargs) -> R:
            if not _Silence.depth and (not said or not warn_once):
                said.append(True)
                when = "in a future version" if date is None else f"after {date}"
                warning("%s is deprecated and will be removed %s. %s", function.__qualname__, when, instructions)
            return function(*args, **kwargs)

        return call

    return mark


class _Silence:
    """How many blocks are open within which nothing is said of what is to go."""

    depth = 0


@contextmanager
def silence() -> Iterator[None]:
    """A block within which nothing is logged of what is to go."""
    _Silence.depth += 1
    try:
        yield
    finally:
        _Silence.depth -= 1


def deprecated_args(date: str | None, instructions: str, *names: Any, **kwargs: Any) -> Callable[[F], F]:
    """The mark of arguments that are to go."""
    return lambda function: function


deprecated_arg_values = deprecated_args


def deprecated_alias(deprecated_name: str, name: str, func_or_class: Callable[P, R], warn_once: bool = True) -> Callable[P, R]:
    """Another name of a function, or of a class, that is to go."""
    if isinstance(func_or_class, type):
        return func_or_class
    return deprecated(None, f"Please use {name} instead.", warn_once)(func_or_class)


deprecated_argument_lookup = resolve_renamed


def should_use_result(function: F | None = None, warn_in_eager: bool = False, error_in_function: bool = False) -> Any:
    """The mark of a function whose result is to be used."""
    return (lambda given: given) if function is None else function
