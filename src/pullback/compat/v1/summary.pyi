"""The names of `pullback.compat.v1.summary`, written by docs/make_exports.py."""

from pullback.ops.effects.summary import histogram
from pullback.ops.effects.summary import image
from pullback.ops.effects.summary import merge
from pullback.ops.effects.summary import merge_all
from pullback.ops.effects.summary import scalar
from pullback.ops.effects.summary import text
from pullback.tensorflow.summary.event_files import FileWriter
from pullback.tensorflow.summary.message import Summary
from pullback.tensorflow.summary.writers import FileWriterCache

__all__ = [
    "FileWriter",
    "FileWriterCache",
    "Summary",
    "histogram",
    "image",
    "merge",
    "merge_all",
    "scalar",
    "text",
]
