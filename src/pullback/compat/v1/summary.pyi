"""The names of `pullback.compat.v1.summary`, written by docs/make_exports.py."""

from pullback.ops.effects.summary import histogram as histogram
from pullback.ops.effects.summary import image as image
from pullback.ops.effects.summary import merge as merge
from pullback.ops.effects.summary import merge_all as merge_all
from pullback.ops.effects.summary import scalar as scalar
from pullback.ops.effects.summary import text as text
from pullback.tensorflow.summary.audio import audio as audio
from pullback.tensorflow.summary.event_files import FileWriter as FileWriter
from pullback.tensorflow.summary.message import Event as Event
from pullback.tensorflow.summary.message import Summary as Summary
from pullback.tensorflow.summary.writers import FileWriterCache as FileWriterCache

__all__ = [
    "Event",
    "FileWriter",
    "FileWriterCache",
    "Summary",
    "audio",
    "histogram",
    "image",
    "merge",
    "merge_all",
    "scalar",
    "text",
]
