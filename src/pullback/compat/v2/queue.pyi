"""The names of `pullback.compat.v2.queue`, written by docs/make_exports.py."""

from pullback.api.queues import FIFOQueue
from pullback.api.queues import PaddingFIFOQueue
from pullback.api.queues import PriorityQueue
from pullback.api.queues import QueueBase
from pullback.api.queues import RandomShuffleQueue

__all__ = [
    "FIFOQueue",
    "PaddingFIFOQueue",
    "PriorityQueue",
    "QueueBase",
    "RandomShuffleQueue",
]
