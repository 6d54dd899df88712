"""The names of `tf.compat.v1.summary`."""

from typing import TYPE_CHECKING

from ...interop.event_files import FileWriter
from ...interop.names import missing as _missing
from ...interop.summary_message import Summary
from ...ops.effects.summary import histogram, image, merge, merge_all, scalar, text

if TYPE_CHECKING:  # these load when first asked for
    from ...interop.summary_writers import FileWriterCache as FileWriterCache

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

__getattr__ = _missing("tf1.summary", __all__, __name__)
