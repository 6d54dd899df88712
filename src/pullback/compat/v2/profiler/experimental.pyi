"""The names of `pullback.compat.v2.profiler.experimental`, written by docs/make_exports.py."""

from pullback.tensorflow.profiler import Trace as Trace

__all__ = [
    "Trace",
]
