"""The names of `pullback.compat.v2.queue`, written by docs/make_exports.py."""

from pullback.tensorflow.queues.classes import FIFOQueue
from pullback.tensorflow.queues.classes import PaddingFIFOQueue
from pullback.tensorflow.queues.classes import PriorityQueue
from pullback.tensorflow.queues.classes import QueueBase
from pullback.tensorflow.queues.classes import RandomShuffleQueue

__all__ = [
    "FIFOQueue",
    "PaddingFIFOQueue",
    "PriorityQueue",
    "QueueBase",
    "RandomShuffleQueue",
]
