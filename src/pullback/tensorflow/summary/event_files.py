"""Event files that TensorBoard opens, and their writers: `FileWriter` of TensorFlow 1, `create_file_writer` of TensorFlow 2.

The records and their checksums are written by tensorboardX's event writer, at once and in this thread, so that a file is
complete when the program ends.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import threading
import time
import weakref
from collections.abc import Iterator
from typing import Any

from ...base.export import export
from ...base.files import file_errors, local_path, make_folders
from ...ir.context import executing_eagerly
from ...ir.tensor import IntLike
from ...ops.effects.py_func import numpy_function
from .graph_events import graph_event


class EventFile:
    """One event file in a directory; made when the first event comes, as a writer nobody uses leaves nothing."""

    def __init__(self, logdir: str | os.PathLike[str], suffix: str | None = None) -> None:
        self.logdir = local_path(logdir)
        self._suffix = suffix or ""
        self._writer: Any = None

    def open(self) -> None:
        """Make the file."""
        from tensorboardX.event_file_writer import EventsWriter

        if self._writer is None:
            with file_errors(self.logdir):
                make_folders(self.logdir)
            own = f".{os.getpid()}.{next(_numbers)}{self._suffix}"
            self._writer = EventsWriter(os.path.join(self.logdir, "events"), own)
            self._closer = weakref.finalize(self, self._writer.close)

    def write(self, event: object) -> None:
        """Append an event."""
        self.open()
        self._writer.write_event(event)

    def flush(self) -> None:
        """Let other programs see what was written."""
        if self._writer is not None:
            self._writer.flush()

    def close(self) -> None:
        """Write what is left; a later event starts a new file."""
        if self._writer is not None:
            self._closer()
            self._writer = None


_numbers = itertools.count()


def summary_event(summary: bytes, step: int | None) -> Any:
    """An event that holds a serialized summary."""
    from tensorboardX.proto import event_pb2, summary_pb2

    event = event_pb2.Event(wall_time=time.time(), summary=summary_pb2.Summary.FromString(summary))
    if step is not None:
        event.step = int(step)
    return event


@export(v1="summary.FileWriter")
class FileWriter:
    """TensorFlow 1's writer of summaries into an event file.

    Args:
        logdir: the directory; made where it is missing.
        graph: what TensorBoard's page of graphs shows; see `add_graph`.
        max_queue, flush_secs: taken; events are written at once.
        graph_def: the older name of `graph`.
        filename_suffix: what the file's name ends with.
        session: taken; summaries come to `add_summary` as values.

    Raises:
        RuntimeError: eagerly.
        ValueError, TypeError: as `add_graph`.

    >>> import tempfile
    >>> with tf1.Graph().as_default(), tempfile.TemporaryDirectory() as logs, FileWriter(logs) as writer:
    ...     writer.get_logdir() == logs
    True
    """

    def __init__(
        self,
        logdir: str | os.PathLike[str],
        graph: Any = None,
        max_queue: int = 10,
        flush_secs: float = 120,
        graph_def: Any = None,
        filename_suffix: str | None = None,
        session: Any = None,
    ) -> None:
        if executing_eagerly():
            raise RuntimeError(
                "v1.summary.FileWriter is not compatible with eager execution: use tf.summary.create_file_writer, or a graph "
                "(`with tf.Graph().as_default()`)"
            )
        self._file = EventFile(logdir, filename_suffix)
        self._file.open()
        if graph is not None or graph_def is not None:
            self.add_graph(graph, graph_def=graph_def)

    def get_logdir(self) -> str:
        """The directory that the event file is in."""
        return self._file.logdir

    def add_summary(self, summary: Any, global_step: Any = None) -> None:
        """Write a summary.

        Args:
            summary: what running a summary op gave (bytes), or a Summary message.
            global_step: the step it belongs to.
        """
        serialized = summary if isinstance(summary, bytes) else summary.SerializeToString()
        self._file.write(summary_event(serialized, None if global_step is None else int(global_step)))

    def add_event(self, event: object) -> None:
        """Write an event of tensorboardX's messages."""
        self._file.write(event)

    def add_graph(self, graph: Any, global_step: IntLike | None = None, graph_def: Any = None) -> None:
        """Write a graph, for TensorBoard's page of graphs.

        Args:
            graph: a graph, or a GraphDef.
            global_step: the step it belongs to.
            graph_def: the older name of `graph`.

        Raises:
            ValueError: both `graph` and `graph_def`.
            TypeError: neither a graph nor a GraphDef.

        >>> import tempfile
        >>> with tf1.Graph().as_default() as graph, tempfile.TemporaryDirectory() as logs, FileWriter(logs) as writer:
        ...     writer.add_graph(graph)
        """
        if graph is not None and graph_def is not None:
            raise ValueError("Please pass only graph, or graph_def (deprecated), but not both.")
        event = graph_event(graph if graph is not None else graph_def, global_step)
        if event is None:
            raise TypeError("The passed graph must be an instance of `Graph` or the deprecated `GraphDef`")
        self._file.write(event)

    def flush(self) -> None:
        """Let other programs see what was written."""
        self._file.flush()

    def close(self) -> None:
        """Write what is left; `reopen` or a later summary starts a new file."""
        self._file.close()

    def reopen(self) -> None:
        """Start a new file."""
        self._file.open()

    def __enter__(self) -> FileWriter:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


class _Default(threading.local):
    """Where this thread's summaries go: the writer, their step, and whether they are wanted."""

    writer: SummaryWriter | None = None
    step: Any = None
    recording: Any = True


default = _Default()


@export(v2="summary.SummaryWriter")
class SummaryWriter:
    """TensorFlow 2's writer: what is summarised while it is the default goes into its event file.

    >>> import os, tempfile
    >>> with tempfile.TemporaryDirectory() as logs:
    ...     writer = tf.summary.create_file_writer(logs)
    ...     with writer.as_default(step=3):
    ...         print(tf.summary.scalar("loss", 0.5))
    ...     writer.close()
    ...     print(len(os.listdir(logs)))
    True
    1
    """

    def __init__(self, logdir: str | os.PathLike[str], filename_suffix: str | None = None) -> None:
        self._file = EventFile(logdir, filename_suffix)
        self._file.open()

    @contextlib.contextmanager
    def as_default(self, step: IntLike | None = None) -> Iterator[SummaryWriter]:
        """Make this the writer that `tf.summary.scalar` and the others write to; `step` is their step where they give none."""
        before, before_step = default.writer, default.step
        self.set_as_default(step)
        try:
            yield self
        finally:
            default.writer, default.step = before, before_step
            self.flush()

    def set_as_default(self, step: IntLike | None = None) -> None:
        """Make this the default writer from now on."""
        default.writer = self
        if step is not None:
            default.step = step

    def write(self, summary: bytes, step: Any) -> None:
        """Append a serialized summary."""
        self._file.write(summary_event(summary, int(step)))

    def write_graph(self, event: object) -> None:
        """Append an event that holds a graph."""
        self._file.write(event)

    def flush(self) -> None:
        """Let other programs see what was written; in a function at each of its calls."""
        if executing_eagerly():
            self._file.flush()
        else:
            numpy_function(self._file.flush, [], [])

    def close(self) -> None:
        """Write what is left."""
        self._file.close()


@export(v2="summary.create_file_writer")
def create_file_writer(
    logdir: str | os.PathLike[str],
    max_queue: int | None = None,
    flush_millis: int | None = None,
    filename_suffix: str | None = None,
    name: str | None = None,
    experimental_trackable: bool = False,
    experimental_mesh: object = None,
) -> SummaryWriter:
    """A writer of event files in a directory.

    Args:
        logdir: the directory; made where it is missing.
        max_queue, flush_millis: taken; events are written at once.
        filename_suffix: what the file's name ends with.
        name, experimental_trackable, experimental_mesh: taken for TensorFlow's sake.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as logs:
    ...     writer = tf.summary.create_file_writer(logs, filename_suffix=".train")
    ...     with writer.as_default(step=0):
    ...         print(tf.summary.text("note", "begun"))
    ...     writer.close()
    True
    """
    return SummaryWriter(logdir, filename_suffix)
