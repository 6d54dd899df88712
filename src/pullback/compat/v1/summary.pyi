"""The names of `pullback.compat.v1.summary`, written by docs/make_exports.py."""

from pullback.interop.event_files import FileWriter
from pullback.interop.summary_message import Summary
from pullback.interop.summary_writers import FileWriterCache
from pullback.ops.effects.summary import histogram
from pullback.ops.effects.summary import image
from pullback.ops.effects.summary import merge
from pullback.ops.effects.summary import merge_all
from pullback.ops.effects.summary import scalar
from pullback.ops.effects.summary import text

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
