"""What to answer for a source that no differentiable path reaches."""

from __future__ import annotations

import enum
from typing import Any

from ..ops.array_basic import zeros_of


class UnconnectedGradients(enum.Enum):
    """None, or zeros of the source's shape and dtype."""

    NONE = "none"
    ZERO = "zero"


class AggregationMethod:
    """How the cotangents of one tensor are summed: one AddN, or pairwise."""

    ADD_N = 0
    DEFAULT = ADD_N
    EXPERIMENTAL_TREE = 1
    EXPERIMENTAL_ACCUMULATE_N = 2


def unconnected(option: Any) -> UnconnectedGradients:
    """`option` as the enum; a ValueError for anything but 'none' and 'zero'."""
    if type(option) is UnconnectedGradients:
        return option
    try:
        return UnconnectedGradients(option)
    except ValueError:
        raise ValueError(f"Unknown value for unconnected_gradients: {option!r}; it may be 'none' or 'zero'") from None


def filled(option: UnconnectedGradients, gradient: Any, source: Any) -> Any:
    """`gradient`, or what stands for a missing one."""
    return zeros_of(source) if gradient is None and option is UnconnectedGradients.ZERO else gradient
