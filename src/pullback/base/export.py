"""`@export`: under which of TensorFlow's names a function, a class or a value is public.

`make exports` (docs/make_exports.py) reads the marks in the source, and writes the table that the faces load names by, and the stubs that
type checkers and editors read. When the mark is run nothing happens, but that who asked for it is told of a class (`prepare_classes`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")
Names = str | tuple[str, ...]


def export(*names: str, v1: Names = (), v2: Names = (), ours: Names = ()) -> Callable[[T], T]:
    """Mark what is public.  It decorates a function or a class, wraps a value, or stands below what other code defines:

        @export("math.softplus", v1="math.log1pexp")
        def softplus(features, name=None): ...

        newaxis = export("newaxis")(None)
        export("half", "dtypes.half")(float16)

    A module that is a namespace by itself gives its own name: `export("raw_ops")(__name__)`.

    Args:
        names: the names in both of TensorFlow's versions, without `tf.`.
        v1: the names that only `tf.compat.v1` has.
        v2: the names that only `tf` of TensorFlow 2 has.
        ours: the names in `pullback` that TensorFlow has not.

    >>> export("newaxis")(None) is None
    True
    """
    return _mark


def _mark(value: T) -> T:
    if isinstance(value, type):
        _classes.append(value)
        for prepare in _prepare:
            prepare(value)
    return value


_classes: list[type] = []
_prepare: list[Callable[[type], None]] = []


def prepare_classes(prepare: Callable[[type], None]) -> None:
    """Call a function with each class that is public, now with those that are there and later with every other."""
    _prepare.append(prepare)
    for one in _classes:
        prepare(one)


F = TypeVar("F", bound=Callable[..., object])


def is_hot(function: F) -> F:
    """Mark a public function, or a method of a public class, that must not cost a call more: it takes care of its errors itself."""
    vars(function)["is_hot"] = True
    return function


__all__ = ["export", "is_hot", "prepare_classes"]
