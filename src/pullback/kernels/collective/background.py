"""Sums over processes that go on while the program computes: a thread calls them in the order in which they were started."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future
from itertools import count

import numpy as np

from . import arrays
from .summation import Array
from .world import world

#: The ticket of a sum that nobody has started.
NOW = -1
_ticket = count()
_started: dict[int, Future[list[Array]]] = {}


def start_all_reduce(values: Sequence[Array], *, fast: bool) -> Array:
    """Begin `all_reduce` of arrays, which nobody changes until it has ended: a ticket for `finish_all_reduce`."""
    ticket, channel = next(_ticket), world().channel
    if channel is not None:
        _started[ticket] = channel.submit(lambda: arrays.all_reduce_each(values, fast=fast))
    return np.array(ticket)


def finish_all_reduce(values: Sequence[Array], ticket: Array, *, fast: bool) -> list[Array]:
    """The sums of the arrays that the processes started with this ticket, or give now; `values` here."""
    channel = world().channel
    if channel is None or ticket == NOW:
        return arrays.all_reduce_each(values, fast=fast)
    return channel.result(_started.pop(int(ticket)))
