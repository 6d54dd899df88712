"""The names of `tf.compat.v1.summary`."""

from typing import TYPE_CHECKING

from ...interop.faces import missing as _missing

if TYPE_CHECKING:  # these load when first asked for
    from ...interop.event_files import FileWriter
    from ...interop.summary_message import Summary
    from ...interop.summary_writers import FileWriterCache
    from ...ops.effects.summary import histogram, image, merge, merge_all, scalar, text

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
