"""The names of `tf.summary`."""

from typing import TYPE_CHECKING

from ....interop.faces import missing as _missing

if TYPE_CHECKING:  # these load when first asked for
    from ....interop.event_files import (
        SummaryWriter,
        create_file_writer,
        flush,
        graph,
        histogram,
        image,
        record_if,
        scalar,
        should_record_summaries,
        text,
    )
    from ....interop.summary_writers import create_noop_writer
    from . import experimental

__all__ = [
    "SummaryWriter",
    "create_file_writer",
    "create_noop_writer",
    "experimental",
    "flush",
    "graph",
    "histogram",
    "image",
    "record_if",
    "scalar",
    "should_record_summaries",
    "text",
]

__getattr__ = _missing("tf.summary", __all__, __name__)
