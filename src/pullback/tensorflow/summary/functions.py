"""`tf.summary`: what is written to the default writer, and the step and the condition that summaries have without their own."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...api.names import get_current_name_scope
from ...base.dtypes import bool as bool_, int64
from ...base.export import export
from ...control.smart_cond import smart_cond
from ...ir.apply import convert_to_tensor
from ...ir.context import executing_eagerly
from ...ir.tensor import IntLike, Tensor, TensorLike
from ...ops.effects import summary_kernels as kernels
from ...ops.effects.py_func import numpy_function
from ...pictures.png import encode_png
from .event_files import SummaryWriter, default
from .graph_events import graph_event

if TYPE_CHECKING:
    from ...api.variable import Variable

Encode = Callable[[NDArray[Any]], NDArray[Any]]


@export(v2="summary.experimental.set_step")
def set_step(step: IntLike | None) -> None:
    """The step of summaries that give none.

    >>> tf.summary.experimental.set_step(7)
    >>> tf.summary.experimental.get_step()
    7
    >>> tf.summary.experimental.set_step(None)
    """
    default.step = step


@export(v2="summary.experimental.get_step")
def get_step() -> int | Tensor | Variable | None:
    """The step of summaries that give none; None when nobody set one.

    >>> print(tf.summary.experimental.get_step())
    None
    """
    return default.step


@export(v2="summary.record_if")
@contextlib.contextmanager
def record_if(condition: TensorLike) -> Iterator[None]:
    """Write summaries in the block only where `condition` (a bool, or a function that gives one) holds.

    >>> import tempfile
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
    before, default.recording = default.recording, condition
    try:
        yield
    finally:
        default.recording = before


@export(v2="summary.should_record_summaries")
def should_record_summaries() -> bool | Tensor:
    """Whether a summary written now would reach a file; in a function a tensor where the condition is one.

    >>> tf.summary.should_record_summaries()
    False
    """
    wanted = default.recording() if callable(default.recording) else default.recording
    if isinstance(wanted, Tensor) and not executing_eagerly():
        return False if default.writer is None else wanted
    return default.writer is not None and bool(wanted)


@export(v2="summary.scalar")
def scalar(name: str, data: TensorLike, step: IntLike | None = None, description: str | None = None) -> bool | Tensor:
    """Write one number to the default writer; in a function at each of its calls, to the writer that was the default one at its trace.

    Returns:
        Whether there was a writer to write to.

    Raises:
        ValueError: `data` is not a single number, or no step is known.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as logs:
    ...     writer = tf.summary.create_file_writer(logs)
    ...     with writer.as_default():
    ...         print(tf.summary.scalar("loss", 0.5, step=3))
    ...     writer.close()
    True
    """
    value = convert_to_tensor(data)
    if value.shape.rank not in (0, None):
        raise ValueError(f"Expected scalar shape, saw shape: {value.shape}. tf.summary.scalar({name!r}) takes a single number.")
    return write_page(name, value, step, "scalars", 1, description, encode=lambda number: number.astype(np.float32))


@export(v2="summary.histogram")
def histogram(
    name: str, data: TensorLike, step: IntLike | None = None, buckets: int | None = None, description: str | None = None
) -> bool | Tensor:
    """Write how values are distributed: `buckets` (30) bins of equal width between the smallest and the largest.

    Returns:
        Whether there was a writer to write to.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as logs:
    ...     writer = tf.summary.create_file_writer(logs)
    ...     with writer.as_default():
    ...         print(tf.summary.histogram("weights", [0.1, 0.2, 0.9], step=3, buckets=10))
    ...     writer.close()
    True
    """
    return write_page(name, data, step, "histograms", 2, description, encode=lambda values: _histogram(values, buckets))


def _histogram(data: NDArray[Any], buckets: int | None) -> NDArray[Any]:
    values = data.astype(np.float64).ravel()
    count = 30 if buckets is None else buckets
    if not values.size or not count:
        table = np.zeros((count, 3))
    elif values.min() == values.max():
        table = np.tile([values[0], values[0], 0.0], (count, 1))
        table[-1, 2] = values.size
    else:
        counts, edges = np.histogram(values, bins=count)
        table = np.stack([edges[:-1], edges[1:], counts], axis=1)
    return table


@export(v2="summary.image")
def image(name: str, data: TensorLike, step: IntLike | None = None, max_outputs: int = 3, description: str | None = None) -> bool | Tensor:
    """Write up to `max_outputs` pictures [batch, height, width, 1, 2, 3 or 4]; floats are shades from 0 to 1.

    Returns:
        Whether there was a writer to write to.

    Raises:
        ValueError: `data` is not of rank 4.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as logs:
    ...     writer = tf.summary.create_file_writer(logs)
    ...     with writer.as_default():
    ...         print(tf.summary.image("digits", tf.random.uniform([2, 8, 8, 1]), step=3))
    ...     writer.close()
    True
    """
    given = convert_to_tensor(data)
    if given.shape.rank not in (4, None):
        raise ValueError(f"tf.summary.image({name!r}) takes a tensor of rank 4, not of shape {given.shape}")
    return write_page(name, given, step, "images", 3, description, encode=lambda pictures: _encode_pictures(pictures, max_outputs))


def _encode_pictures(pictures: NDArray[Any], max_outputs: int) -> NDArray[Any]:
    if pictures.dtype != np.uint8:
        pictures = (np.clip(pictures, 0, 1) * 255.5).astype(np.uint8)
    encoded = [encode_png(picture) for picture in pictures[:max_outputs]]
    return np.array([str(pictures.shape[2]).encode(), str(pictures.shape[1]).encode(), *encoded], object)


@export(v2="summary.text")
def text(name: str, data: TensorLike, step: IntLike | None = None, description: str | None = None) -> bool | Tensor:
    """Write a string or strings.

    Returns:
        Whether there was a writer to write to.

    >>> tf.summary.text("note", "nobody writes this down", step=3)
    False
    """
    return write_page(name, data, step, "text", 2, description)


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
    >>> square = tf.function(lambda x: x * x).get_concrete_function(tf.TensorSpec([]))
    >>> with tempfile.TemporaryDirectory() as logs, tf.summary.create_file_writer(logs).as_default():
    ...     tf.summary.graph(square.graph)
    True
    """
    if not executing_eagerly():
        raise RuntimeError("graph() cannot be invoked inside a graph context.")
    if default.writer is None or not should_record_summaries():
        return False
    event = graph_event(graph_data, 0)
    if event is None:
        raise ValueError(
            "Argument 'graph_data' is not tf.Graph or tf.compat.v1.GraphDef. "
            f"Received graph_data={graph_data} of type {type(graph_data).__name__}."
        )
    default.writer.write_graph(event)
    return True


@export(v2="summary.flush")
def flush(writer: SummaryWriter | None = None, name: str | None = None) -> None:
    """Flush a writer, or the default one.

    >>> tf.summary.flush()
    """
    chosen = writer or default.writer
    if chosen is not None:
        chosen.flush()


@export(v2="summary.write")
def write(tag: str, tensor: Any, step: IntLike | None = None, metadata: Any = None, name: str | None = None) -> bool | Tensor:
    """Write a tensor to the default writer, for a page of TensorBoard that its metadata name.

    Args:
        tag: what the series is called, in full.
        tensor: a tensor, or a function that gives one and is called where the summary is written.
        metadata: a `SummaryMetadata`, or one serialized.

    Returns:
        Whether there was a writer to write to.

    Raises:
        ValueError: no step is known.

    >>> tf.summary.write("layers/first", [1.0, 2.0], step=3)
    False
    """
    about = metadata if metadata is None or isinstance(metadata, bytes) else metadata.SerializeToString()
    return _write(tag, tensor, step, about, np.asarray)


def write_page(
    name: str, value: object, step: object, plugin: str, data_class: int = 0, description: str | None = None, content: bytes = b"",
    encode: Encode = np.asarray,
) -> bool | Tensor:  # fmt: skip
    """Write what `encode` makes of a tensor for one of TensorBoard's pages to the default writer, in the scope of names."""
    if default.writer is None:
        return False
    scope = get_current_name_scope()
    return _write(f"{scope}/{name}" if scope else name, value, step, kernels.page(plugin, content, data_class, description or ""), encode)


def _write(tag: str, tensor: Any, step: Any, about: bytes | None, encode: Encode) -> bool | Tensor:
    """Write a summary, or make the operation that does so; whether there is a writer and summaries are wanted."""
    writer = default.writer
    wanted = writer is not None and should_record_summaries()
    if writer is None or wanted is False:
        return False
    at = default.step if step is None else step
    if at is None:
        raise ValueError(
            "No step set. Please specify one either through the `step` argument or through tf.summary.experimental.set_step() "
            f"[summary {tag!r}]"
        )

    def record(step: Any, value: Any) -> np.bool_:
        array = np.asarray(value, object if isinstance(value, (bytes, str)) else None)
        writer.write(kernels.tensor(tag, encode(array), about), step)
        return np.True_

    def place() -> bool | Tensor:
        given = convert_to_tensor(tensor() if callable(tensor) else tensor)
        if executing_eagerly():
            return bool(record(at, given.numpy()))
        return numpy_function(record, [convert_to_tensor(at, int64), given], bool_)

    return smart_cond(wanted, place, lambda: convert_to_tensor(False))
