"""`tf.__internal__.decorator`: wrappers of functions that say what they wrap."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any


def make_decorator(target: Callable[..., Any], decorator_func: Callable[..., Any], *args: Any, **kwargs: Any) -> Callable[..., Any]:
    """`decorator_func` with the name, documentation and signature of `target`, which it wraps.

    >>> unwrap(make_decorator(len, lambda *args: len(*args)))[1] is len
    True
    """
    return functools.wraps(target)(decorator_func)


def unwrap(maybe_tf_decorator: Any) -> tuple[list[Any], Any]:
    """The wrappers around a function, outermost first, and the function."""
    wrappers, inner = [], maybe_tf_decorator
    while hasattr(inner, "__wrapped__"):
        wrappers.append(inner)
        inner = inner.__wrapped__
    return wrappers, inner


__all__ = ["make_decorator", "unwrap"]
