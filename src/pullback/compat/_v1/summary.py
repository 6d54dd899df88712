"""The names of `tf.compat.v1.summary`."""

from ...interop.event_files import FileWriter
from ...interop.names import missing as _missing
from ...interop.summary_message import Summary
from ...ops.summary import histogram, image, merge, merge_all, scalar, text

__all__ = [
    "FileWriter",
    "Summary",
    "histogram",
    "image",
    "merge",
    "merge_all",
    "scalar",
    "text",
]

__getattr__ = _missing("tf1.summary", __all__)
