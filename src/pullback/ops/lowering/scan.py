"""How running sums, products and log-sum-exps, and linear recurrences are lowered for the engine."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from .array import sizes
from .reduce import widen

if TYPE_CHECKING:
    from ...engine.lowering.builder import Builder
    from ...engine.lowering.index_expr import IndexExpr


def scan(function: str) -> Callable[..., Any]:
    """The lowering of Cumsum, Cumprod or CumulativeLogsumexp."""

    def lower(builder: Any, x: Any, axis: Any, *, exclusive: bool = False, reverse: bool = False) -> Any:
        if not x.size:
            return x
        at = sizes(builder, axis)[0] % len(x.dims)
        given = widen(builder, x) if function == "logaddexp" else x
        return builder.cast(builder.scan(function, given, at, exclusive=exclusive, reverse=reverse), x.dtype)

    return lower


def recurrence(builder: Builder, a: IndexExpr, b: IndexExpr, axis: IndexExpr, *, reverse: bool = False) -> IndexExpr:
    """LinearRecurrence."""
    if not b.size:
        return b
    return builder.scan("recurrence", b, sizes(builder, axis)[0] % len(b.dims), reverse=reverse, factors=builder.broadcast(a, b.dims))
