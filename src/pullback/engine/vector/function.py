"""What is said of a mathematical function: how it is built, and how exact it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ...base.named_values import NamedValues
from .code import Number


class Function(NamedValues):
    """A mathematical function.

    build: gives the value.  ulps: how many units in the last place it may be off, by the bits of the format.  long: whether it stays a
    call.  library: the C library's name, called by machines without fused multiply-adds; where None, `build` serves them too.
    own: whether the value is computed here rather than by the C library.
    """

    build: Callable[..., Number]
    ulps: Mapping[int, float]
    arity: int = 1
    long: bool = False
    library: str | None = None
    own: bool = True


def ulps(single: float, double: float | None = None) -> dict[int, float]:
    """A tolerance in units of the last place, for single and for double precision (the same where None)."""
    return {32: single, 64: single if double is None else double}
