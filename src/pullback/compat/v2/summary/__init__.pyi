"""The names of `pullback.compat.v2.summary`, written by docs/make_exports.py."""

from pullback.compat.v2.summary import experimental as experimental
from pullback.interop.summary_trace import trace_export as trace_export
from pullback.interop.summary_trace import trace_off as trace_off
from pullback.interop.summary_trace import trace_on as trace_on
from pullback.tensorflow.summary.event_files import SummaryWriter as SummaryWriter
from pullback.tensorflow.summary.event_files import create_file_writer as create_file_writer
from pullback.tensorflow.summary.functions import flush as flush
from pullback.tensorflow.summary.functions import graph as graph
from pullback.tensorflow.summary.functions import histogram as histogram
from pullback.tensorflow.summary.functions import image as image
from pullback.tensorflow.summary.functions import record_if as record_if
from pullback.tensorflow.summary.functions import scalar as scalar
from pullback.tensorflow.summary.functions import should_record_summaries as should_record_summaries
from pullback.tensorflow.summary.functions import text as text
from pullback.tensorflow.summary.functions import write as write
from pullback.tensorflow.summary.writers import create_noop_writer as create_noop_writer

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
    "write",
]
