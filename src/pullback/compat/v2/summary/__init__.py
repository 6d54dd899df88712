"""The names of `tf.summary`."""

from ....interop.event_files import (
    SummaryWriter,
    create_file_writer,
    flush,
    histogram,
    image,
    record_if,
    scalar,
    should_record_summaries,
    text,
)
from ....interop.names import missing as _missing
from . import experimental

__all__ = [
    "SummaryWriter",
    "create_file_writer",
    "experimental",
    "flush",
    "histogram",
    "image",
    "record_if",
    "scalar",
    "should_record_summaries",
    "text",
]

__getattr__ = _missing("tf.summary", __all__)
