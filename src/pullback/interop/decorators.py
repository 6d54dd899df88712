"""`tf.__internal__.decorator`: wrappers of functions that say what they wrap."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any, NamedTuple


class TFDecorator(NamedTuple):
    """What is known of a wrapper: what it wraps, and the signature that it has instead of that one's."""

    decorator_name: str
    decorated_target: Callable[..., Any]
    decorator_doc: str = ""
    decorator_argspec: inspect.FullArgSpec | None = None


def make_decorator(
    target: Callable[..., Any],
    decorator_func: Callable[..., Any],
    decorator_name: str | None = None,
    decorator_doc: str = "",
    decorator_argspec: inspect.FullArgSpec | None = None,
) -> Callable[..., Any]:
    """`decorator_func` with the name, documentation and signature of `target`, which it wraps.

    >>> unwrap(make_decorator(len, lambda *args: len(*args)))[1] is len
    True
    """
    made = functools.wraps(target)(decorator_func)
    vars(made)["_tf_decorator"] = TFDecorator(decorator_name or decorator_func.__name__, target, decorator_doc, decorator_argspec)
    return made


def unwrap(maybe_tf_decorator: object) -> tuple[list[TFDecorator], Any]:
    """What is known of the wrappers around a function, outermost first, and the function."""
    wrappers: list[TFDecorator] = []
    inner = maybe_tf_decorator
    while hasattr(inner, "__wrapped__"):
        known: TFDecorator | None = getattr(inner, "_tf_decorator", None)
        target = inner.__wrapped__
        if known is None or known.decorated_target is not target:
            known = TFDecorator(getattr(inner, "__name__", ""), target)
        wrappers.append(known)
        inner = target
    return wrappers, inner
