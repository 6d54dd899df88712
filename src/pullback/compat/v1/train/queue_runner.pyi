"""The names of `pullback.compat.v1.train.queue_runner`, written by docs/make_exports.py."""

from pullback.tensorflow.queues.runners import QueueRunner as QueueRunner
from pullback.tensorflow.queues.runners import add_queue_runner as add_queue_runner
from pullback.tensorflow.queues.runners import start_queue_runners as start_queue_runners

__all__ = [
    "QueueRunner",
    "add_queue_runner",
    "start_queue_runners",
]
