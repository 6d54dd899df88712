"""The names of `pullback.compat.v1.queue`, written by docs/make_exports.py."""

from pullback.tensorflow.queues.classes import FIFOQueue as FIFOQueue
from pullback.tensorflow.queues.classes import PaddingFIFOQueue as PaddingFIFOQueue
from pullback.tensorflow.queues.classes import PriorityQueue as PriorityQueue
from pullback.tensorflow.queues.classes import QueueBase as QueueBase
from pullback.tensorflow.queues.classes import RandomShuffleQueue as RandomShuffleQueue

__all__ = [
    "FIFOQueue",
    "PaddingFIFOQueue",
    "PriorityQueue",
    "QueueBase",
    "RandomShuffleQueue",
]
