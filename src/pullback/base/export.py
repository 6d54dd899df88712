"""`@export`: under which of TensorFlow's names a function, a class or a value is public.

Nothing happens when the mark is run. `make exports` (docs/make_exports.py) reads the marks in the source, and writes the table that the
faces load names by, and the stubs that type checkers and editors read.
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
    return _same


def _same(value: T) -> T:
    return value


__all__ = ["export"]
