"""Sums over processes that go on while the program computes: a thread calls them in the order in which they were started."""

from __future__ import annotations

from concurrent.futures import Future
from itertools import count

import numpy as np

from . import arrays
from .summation import Array
from .world import world

_ticket = count()
_started: dict[int, Future[Array]] = {}


def start_all_reduce(x: Array, *, fast: bool) -> Array:
    """Begin `all_reduce` of an array, which nobody changes until it has ended: a ticket for `finish_all_reduce`."""
    ticket, channel = next(_ticket), world().channel
    if channel is not None:
        _started[ticket] = channel.submit(lambda: arrays.all_reduce(x, fast=fast))
    return np.array(ticket)


def finish_all_reduce(x: Array, ticket: Array) -> Array:
    """The sum of the arrays that the processes started with this ticket, `x` here."""
    channel = world().channel
    return x if channel is None else channel.result(_started.pop(int(ticket)))
