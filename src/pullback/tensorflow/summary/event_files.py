"""Event files that TensorBoard opens: `FileWriter` of TensorFlow 1, `create_file_writer` of TensorFlow 2.

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
from typing import TYPE_CHECKING, Any

import numpy as np

from ...api.names import get_current_name_scope
from ...base.export import export
from ...base.files import local_path
from ...ir.apply import convert_to_tensor
from ...ir.context import executing_eagerly
from ...ir.tensor import IntLike, Tensor, TensorLike
from ...ops.effects import summary_kernels as kernels
from .graph_events import graph_event

if TYPE_CHECKING:
    from ...api.variable import Variable


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
            os.makedirs(self.logdir, exist_ok=True)
            own = f".{os.getpid()}.{next(_numbers)}{self._suffix}"
            self._writer = EventsWriter(os.path.join(self.logdir, "events"), own)
            self._closer = weakref.finalize(self, self._writer.close)

    def write(self, event: Any) -> None:
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

    >>> import tempfile, pullback.compat.v1 as tf
    >>> with tf.Graph().as_default(), tempfile.TemporaryDirectory() as logs, FileWriter(logs) as writer:
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

    def add_event(self, event: Any) -> None:
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

        >>> import tempfile, pullback.compat.v1 as tf
        >>> with tf.Graph().as_default() as graph, tempfile.TemporaryDirectory() as logs, FileWriter(logs) as writer:
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


@export(v2="summary.SummaryWriter")
class SummaryWriter:
    """TensorFlow 2's writer: what is summarised while it is the default goes into its event file.

    >>> import os, tempfile
    >>> import pullback as tf
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
        before, before_step = _now.writer, _now.step
        self.set_as_default(step)
        try:
            yield self
        finally:
            _now.writer, _now.step = before, before_step
            self.flush()

    def set_as_default(self, step: IntLike | None = None) -> None:
        """Make this the default writer from now on."""
        _now.writer = self
        if step is not None:
            _now.step = step

    def write(self, summary: bytes, step: Any) -> None:
        """Append a serialized summary."""
        self._file.write(summary_event(summary, int(step)))

    def write_graph(self, event: Any) -> None:
        """Append an event that holds a graph."""
        self._file.write(event)

    def flush(self) -> None:
        """Let other programs see what was written."""
        self._file.flush()

    def close(self) -> None:
        """Write what is left."""
        self._file.close()


class _Now(threading.local):
    """Where this thread's summaries go: the writer, their step, and whether they are wanted."""

    writer: SummaryWriter | None = None
    step: Any = None
    recording: Any = True


_now = _Now()


@export(v2="summary.create_file_writer")
def create_file_writer(
    logdir: str | os.PathLike[str],
    max_queue: int | None = None,
    flush_millis: int | None = None,
    filename_suffix: str | None = None,
    name: str | None = None,
    experimental_trackable: bool = False,
    experimental_mesh: Any = None,
) -> SummaryWriter:
    """A writer of event files in a directory.

    Args:
        logdir: the directory; made where it is missing.
        max_queue, flush_millis: taken; events are written at once.
        filename_suffix: what the file's name ends with.
        name, experimental_trackable, experimental_mesh: taken for TensorFlow's sake.

    >>> import tempfile
    >>> import pullback as tf
    >>> with tempfile.TemporaryDirectory() as logs:
    ...     writer = tf.summary.create_file_writer(logs, filename_suffix=".train")
    ...     with writer.as_default(step=0):
    ...         print(tf.summary.text("note", "begun"))
    ...     writer.close()
    True
    """
    return SummaryWriter(logdir, filename_suffix)


@export(v2="summary.experimental.set_step")
def set_step(step: IntLike | None) -> None:
    """The step of summaries that give none.

    >>> import pullback as tf
    >>> tf.summary.experimental.set_step(7)
    >>> tf.summary.experimental.get_step()
    7
    >>> tf.summary.experimental.set_step(None)
    """
    _now.step = step


@export(v2="summary.experimental.get_step")
def get_step() -> int | Tensor | Variable | None:
    """The step of summaries that give none; None when nobody set one.

    >>> import pullback as tf
    >>> print(tf.summary.experimental.get_step())
    None
    """
    return _now.step


@export(v2="summary.record_if")
@contextlib.contextmanager
def record_if(condition: TensorLike) -> Iterator[None]:
    """Write summaries in the block only where `condition` (a bool, or a function that gives one) holds.

    >>> import tempfile
    >>> import pullback as tf
    >>> with tempfile.TemporaryDirectory() as logs:
    ...     writer = tf.summary.create_file_writer(logs)
    ...     with writer.as_default():
    ...         for step in range(3):
    ...             with tf.summary.record_if(step % 2 == 0):
    ...                 print(tf.summary.scalar("loss", 0.5, step=step))
    ...     writer.close()
    True
    False
    True
    """
    before, _now.recording = _now.recording, condition
    try:
        yield
    finally:
        _now.recording = before


@export(v2="summary.should_record_summaries")
def should_record_summaries() -> bool:
    """Whether a summary written now would reach a file.

    >>> import pullback as tf
    >>> tf.summary.should_record_summaries()
    False
    """
    wanted = _now.recording() if callable(_now.recording) else _now.recording
    return _now.writer is not None and bool(wanted)


@export(v2="summary.scalar")
def scalar(name: str, data: TensorLike, step: IntLike | None = None, description: str | None = None) -> bool:
    """Write one number to the default writer.

    Returns:
        Whether there was a writer to write to.

    Raises:
        ValueError: `data` is not a single number, or no step is known.

    >>> import tempfile
    >>> import pullback as tf
    >>> with tempfile.TemporaryDirectory() as logs:
    ...     writer = tf.summary.create_file_writer(logs)
    ...     with writer.as_default():
    ...         print(tf.summary.scalar("loss", 0.5, step=3))
    ...     writer.close()
    True
    """
    value = np.asarray(data, np.float32)
    if value.ndim:
        raise ValueError(f"Expected scalar shape, saw shape: {value.shape}. tf.summary.scalar({name!r}) takes a single number.")
    return write_page(name, value, step, "scalars", 1, description)


@export(v2="summary.histogram")
def histogram(name: str, data: TensorLike, step: IntLike | None = None, buckets: int | None = None, description: str | None = None) -> bool:
    """Write how values are distributed: `buckets` (30) bins of equal width between the smallest and the largest.

    Returns:
        Whether there was a writer to write to.

    >>> import tempfile
    >>> import pullback as tf
    >>> with tempfile.TemporaryDirectory() as logs:
    ...     writer = tf.summary.create_file_writer(logs)
    ...     with writer.as_default():
    ...         print(tf.summary.histogram("weights", [0.1, 0.2, 0.9], step=3, buckets=10))
    ...     writer.close()
    True
    """
    values = np.asarray(data, np.float64).ravel()
    count = 30 if buckets is None else buckets
    if not values.size or not count:
        table = np.zeros((count, 3))
    elif values.min() == values.max():
        table = np.tile([values[0], values[0], 0.0], (count, 1))
        table[-1, 2] = values.size
    else:
        counts, edges = np.histogram(values, bins=count)
        table = np.stack([edges[:-1], edges[1:], counts], axis=1)
    return write_page(name, table, step, "histograms", 2, description)


@export(v2="summary.image")
def image(name: str, data: TensorLike, step: IntLike | None = None, max_outputs: int = 3, description: str | None = None) -> bool:
    """Write up to `max_outputs` pictures [batch, height, width, 1, 2, 3 or 4]; floats are shades from 0 to 1.

    Returns:
        Whether there was a writer to write to.

    Raises:
        ValueError: `data` is not of rank 4.

    >>> import tempfile
    >>> import pullback as tf
    >>> with tempfile.TemporaryDirectory() as logs:
    ...     writer = tf.summary.create_file_writer(logs)
    ...     with writer.as_default():
    ...         print(tf.summary.image("digits", tf.random.uniform([2, 8, 8, 1]), step=3))
    ...     writer.close()
    True
    """
    pictures = np.asarray(data)
    if pictures.ndim != 4:
        raise ValueError(f"tf.summary.image({name!r}) takes a tensor of rank 4, not of shape {pictures.shape}")
    if pictures.dtype != np.uint8:
        pictures = (np.clip(pictures, 0, 1) * 255.5).astype(np.uint8)
    encoded = [kernels.png(picture) for picture in pictures[:max_outputs]]
    strings = [str(pictures.shape[2]).encode(), str(pictures.shape[1]).encode(), *encoded]
    return write_page(name, np.array(strings, object), step, "images", 3, description)


@export(v2="summary.text")
def text(name: str, data: TensorLike, step: IntLike | None = None, description: str | None = None) -> bool:
    """Write a string or strings.

    Returns:
        Whether there was a writer to write to.

    >>> import pullback as tf
    >>> tf.summary.text("note", "nobody writes this down", step=3)
    False
    """
    return write_page(name, np.array(data, object), step, "text", 2, description)


@export(v2="summary.graph")
def graph(graph_data: Any) -> bool:
    """Write a graph to the default writer, for TensorBoard's page of graphs.

    Args:
        graph_data: a graph, such as that of a `ConcreteFunction`, or a GraphDef.

    Returns:
        Whether there was a writer to write to.

    Raises:
        RuntimeError: inside a graph or a function.
        ValueError: neither a graph nor a GraphDef.

    >>> import tempfile
    >>> import pullback as tf
    >>> square = tf.function(lambda x: x * x).get_concrete_function(tf.TensorSpec([]))
    >>> with tempfile.TemporaryDirectory() as logs, tf.summary.create_file_writer(logs).as_default():
    ...     tf.summary.graph(square.graph)
    True
    """
    if not executing_eagerly():
        raise RuntimeError("graph() cannot be invoked inside a graph context.")
    if _now.writer is None or not should_record_summaries():
        return False
    event = graph_event(graph_data, 0)
    if event is None:
        raise ValueError(
            "Argument 'graph_data' is not tf.Graph or tf.compat.v1.GraphDef. "
            f"Received graph_data={graph_data} of type {type(graph_data).__name__}."
        )
    _now.writer.write_graph(event)
    return True


@export(v2="summary.flush")
def flush(writer: SummaryWriter | None = None, name: str | None = None) -> None:
    """Flush a writer, or the default one.

    >>> import pullback as tf
    >>> tf.summary.flush()
    """
    chosen = writer or _now.writer
    if chosen is not None:
        chosen.flush()


@export(v2="summary.write")
def write(tag: str, tensor: Any, step: IntLike | None = None, metadata: Any = None, name: str | None = None) -> bool:
    """Write a tensor to the default writer, for a page of TensorBoard that its metadata name.

    Args:
        tag: what the series is called, in full.
        tensor: a tensor, or a function that gives one and is called where the summary is written.
        metadata: a `SummaryMetadata`, or one serialized.

    Returns:
        Whether there was a writer to write to.

    Raises:
        ValueError: no step is known.

    >>> import pullback as tf
    >>> tf.summary.write("layers/first", [1.0, 2.0], step=3)
    False
    """
    if _now.writer is None or not should_record_summaries():
        return False
    at = _now.step if step is None else step
    if at is None:
        raise ValueError(
            "No step set. Please specify one either through the `step` argument or through tf.summary.experimental.set_step() "
            f"[summary {tag!r}]"
        )
    given = convert_to_tensor(tensor() if callable(tensor) else tensor).numpy()
    about = metadata if metadata is None or isinstance(metadata, bytes) else metadata.SerializeToString()
    _now.writer.write(kernels.tensor(tag, np.asarray(given, object if isinstance(given, bytes) else None), about), at)
    return True


def write_page(
    name: str, value: Any, step: Any, plugin: str, data_class: int = 0, description: str | None = None, content: bytes = b""
) -> bool:  # fmt: skip
    """Write a tensor for one of TensorBoard's pages to the default writer, in the scope of names; whether there is one."""
    if _now.writer is None:
        return False
    scope = get_current_name_scope()
    return write(f"{scope}/{name}" if scope else name, value, step, kernels.page(plugin, content, data_class, description or ""))
