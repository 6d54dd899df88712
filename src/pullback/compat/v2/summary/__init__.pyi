"""The names of `pullback.compat.v2.summary`, written by docs/make_exports.py."""

from pullback.compat.v2.summary import experimental
from pullback.interop.summary_trace import trace_export
from pullback.interop.summary_trace import trace_off
from pullback.interop.summary_trace import trace_on
from pullback.tensorflow.summary.event_files import SummaryWriter
from pullback.tensorflow.summary.event_files import create_file_writer
from pullback.tensorflow.summary.event_files import flush
from pullback.tensorflow.summary.event_files import graph
from pullback.tensorflow.summary.event_files import histogram
from pullback.tensorflow.summary.event_files import image
from pullback.tensorflow.summary.event_files import record_if
from pullback.tensorflow.summary.event_files import scalar
from pullback.tensorflow.summary.event_files import should_record_summaries
from pullback.tensorflow.summary.event_files import text
from pullback.tensorflow.summary.writers import create_noop_writer

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
    "trace_export",
    "trace_off",
    "trace_on",
]
