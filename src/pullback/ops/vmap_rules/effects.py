"""Batching rules of ops with effects, as TensorFlow's: what no row makes different happens once, checks are made for all rows at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..array.basic import identity
from ..batching import Batched, Same, batches
from ..effects.debugging import DEBUG_GRADIENT_REF_IDENTITY
from ..effects.operations import ASSERT, PRINT, PRINT_V2, STRING_FORMAT
from ..primitives.compare import equal, logical_or
from ..reduce.reductions import ALL_OF
from ..resources.operations import REF_IDENTITY
from ..state.variables import PLACEHOLDER_WITH_DEFAULT
from .base import Rows

if TYPE_CHECKING:
    from ...ir.tensor import Tensor


@batches(ASSERT)
def check(rows: Rows, condition: Tensor, data: Sequence[Any], *, summarize: object) -> Batched:
    """All rows must fulfil the condition, if there are any."""
    held = ALL_OF(condition, [0], keep_dims=False) if rows.has(condition) else condition
    if not isinstance(rows.size, int):
        held = logical_or(held, equal(rows.size, 0))
    return ASSERT(held, list(data), summarize=summarize)


@batches(PRINT)
def show(rows: Rows, input: Tensor, data: Sequence[Any], **attrs: Any) -> Batched:
    """All rows are shown at once."""
    passed = PRINT(input, list(data), **attrs)
    return passed if rows.has(input) else Same(passed)


@batches(STRING_FORMAT)
def text(rows: Rows, *inputs: Any, **attrs: Any) -> Batched:
    """All rows in one text."""
    return Same(rows.op(*(list(t) if isinstance(t, tuple) else t for t in inputs), **attrs))


@batches(PRINT_V2)
def show_text(rows: Rows, input: Tensor, **attrs: Any) -> Batched:
    """All rows are shown at once."""
    return PRINT_V2(input, **attrs)


@batches(PLACEHOLDER_WITH_DEFAULT, REF_IDENTITY, DEBUG_GRADIENT_REF_IDENTITY)
def pass_input(rows: Rows, input: Tensor, **attrs: Any) -> Batched:
    """The input as it is."""
    return identity(input)
