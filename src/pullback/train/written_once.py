"""What is written for variables that several replicas have: by one of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from ..base.lazy_import import LazyModule

if TYPE_CHECKING:
    from ..kernels.collective import agreement
else:
    agreement = LazyModule("pullback.kernels.collective.agreement")


def write_once(things: Iterable[Any], action: Callable[[], object]) -> None:
    """Do something that writes `things`: on replica 0 alone, for which the others wait, where one of them is on several replicas."""
    strategies = (getattr(thing, "_distribute_strategy", None) for thing in things)
    if any(strategy is not None and strategy.num_replicas_in_sync > 1 for strategy in strategies):
        agreement.run_on_first_replica(action)
    else:
        action()
