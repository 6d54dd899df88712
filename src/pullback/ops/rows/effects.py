"""Batching rules of ops with effects, as TensorFlow's: what no row makes different happens once, checks are made for all rows at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...ir.op import OPS
from .kinds import NotBatched, Rows, Same, unchanged


def once(rows: Rows, *inputs: Any, **attrs: Any) -> Any:
    """What writes the same value for every row writes it once; where rows write values of their own, they run one after the other."""
    if rows.has(*inputs):
        raise NotBatched("a variable that each row writes")
    return unchanged(rows, *inputs, **attrs) if isinstance(rows.size, int) and rows.size else NotImplemented


def check(rows: Rows, condition: Any, data: Sequence[Any], *, summarize: Any) -> Any:
    """All rows must fulfil the condition, if there are any."""
    held = OPS["All"](condition, [0], keep_dims=False) if rows.has(condition) else condition
    if not isinstance(rows.size, int):
        held = OPS["LogicalOr"](held, OPS["Equal"](rows.size, 0))
    return OPS["Assert"](held, list(data), summarize=summarize)


def show(rows: Rows, input: Any, data: Sequence[Any], **attrs: Any) -> Any:
    """All rows are shown at once."""
    passed = OPS["Print"](input, list(data), **attrs)
    return passed if rows.has(input) else Same(passed)


def text(rows: Rows, *inputs: Any, **attrs: Any) -> Any:
    """All rows in one text."""
    return Same(rows.op(*(list(t) if isinstance(t, tuple) else t for t in inputs), **attrs))


def show_text(rows: Rows, input: Any, **attrs: Any) -> Any:
    """All rows are shown at once."""
    return OPS["PrintV2"](input, **attrs)


def passed(rows: Rows, input: Any, **attrs: Any) -> Any:
    """The input as it is."""
    return OPS["Identity"](input)
