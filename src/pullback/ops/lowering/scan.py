"""How running sums, products and log-sum-exps, and linear recurrences are lowered for the engine."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .array import sizes
from .reduce import wide


def scan(function: str) -> Callable[..., Any]:
    """The lowering of Cumsum, Cumprod or CumulativeLogsumexp."""

    def lower(steps: Any, x: Any, axis: Any, *, exclusive: bool = False, reverse: bool = False) -> Any:
        if not x.size:
            return x
        at = sizes(steps, axis)[0] % len(x.dims)
        given = wide(steps, x) if function == "logaddexp" else x
        return steps.cast(steps.scan(function, given, at, exclusive=exclusive, reverse=reverse), x.dtype)

    return lower


def recurrence(steps: Any, a: Any, b: Any, axis: Any, *, reverse: bool = False) -> Any:
    """LinearRecurrence."""
    if not b.size:
        return b
    return steps.scan("recurrence", b, sizes(steps, axis)[0] % len(b.dims), reverse=reverse, factors=steps.broadcast(a, b.dims))
