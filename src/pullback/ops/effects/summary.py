"""TensorFlow 1's summary operations: each gives a string, the summary's bytes, that a `FileWriter` puts into an event file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from ...base.dtypes import REAL, string
from ...base.errors import InvalidArgumentError
from ...base.export import export
from ...ir.context import current, executing_eagerly, scope as name_scope
from ...ir.op import define
from ...ir.tensor import Tensor, TensorLike, TensorType
from . import summary_kernels as kernels

SUMMARIES = "summaries"
_ILLEGAL = re.compile(r"[^-/\w.]")
_STRING = TensorType((), string)


def _text(tag: np.ndarray) -> str:
    value = tag.item()
    return value.decode() if isinstance(value, bytes) else str(value)


def _string(serialized: bytes) -> np.ndarray:
    return np.array(serialized, object)


def _scalar(tags: np.ndarray, values: np.ndarray) -> np.ndarray:
    if np.shape(tags) != np.shape(values):
        shapes = f"{list(np.shape(tags))} != {list(np.shape(values))}"
        raise InvalidArgumentError(None, None, f"tags and values are not the same shape: {shapes}")
    pairs = zip(tags.ravel(), values.ravel(), strict=True)
    return _string(kernels.merge([kernels.scalar(tag.decode(), value) for tag, value in pairs]))


def _histogram(tag: np.ndarray, values: np.ndarray) -> np.ndarray:
    if not np.isfinite(values).all():
        wrong = "Nan" if np.isnan(values).any() else "Infinity"
        raise InvalidArgumentError(None, None, f"{wrong} in summary histogram for: {_text(tag)}")
    return _string(kernels.histogram(_text(tag), values))


def _image(tag: np.ndarray, tensor: np.ndarray, *, max_images: int) -> np.ndarray:
    if tensor.ndim != 4 or tensor.shape[3] not in (1, 3, 4):
        raise InvalidArgumentError(None, None, f"Tensor must be 4-D with last dim 1, 3, or 4, not {list(tensor.shape)}")
    return _string(kernels.image(_text(tag), tensor, max_images))


SCALAR = define("ScalarSummary", "tags:string values", lambda tags, values: _STRING, _scalar, {}, dtypes=REAL, batch="one file at a time")
HISTOGRAM = define(
    "HistogramSummary",
    "tag:string values:T=float32",
    lambda tag, values: _STRING,
    _histogram,
    {},
    dtypes=REAL,
    batch="one file at a time",
)
IMAGE = define(
    "ImageSummary",
    "tag:string tensor:T=float32",
    lambda tag, tensor, *, max_images=3: _STRING,
    _image,
    {},
    dtypes=REAL,
    batch="one file at a time",
)
MERGE = define(
    "MergeSummary",
    "*inputs:string",
    lambda inputs: _STRING,
    lambda inputs: _string(kernels.merge([x.item() for x in inputs])),
    {},
    batch="one file at a time",
)
TEXT = define(
    "TensorSummaryV2",
    "tag:string tensor:string",
    lambda tag, tensor: _STRING,
    lambda tag, tensor: _string(kernels.text(_text(tag), tensor)),
    {},
    batch="one file at a time",
)


@contextmanager
def make_tag(name: str, family: str | None) -> Iterator[tuple[str, str]]:
    """The tag of a summary and its scope: the name with what is not allowed in names replaced, in the family's scope if any."""
    clean = _ILLEGAL.sub("_", name).lstrip("/")
    group = None if family is None else _ILLEGAL.sub("_", family).lstrip("/")
    with name_scope(clean if group is None else f"{group}/{clean}", "summary") as scope:
        own = scope.rstrip("/") or (clean if group is None else f"{group}/{clean}")
        yield (own if group is None else f"{group}/{own}"), scope


def collect_summary(summary: Any, collections: Any) -> Any:
    """A summary, which is put into collections of its graph."""
    graph = current().graph
    if graph is not None:
        graph.add_to_collections([SUMMARIES] if collections is None else list(collections), summary)
    return summary


@export(v1="summary.scalar")
def scalar(name: str, tensor: TensorLike, collections: Sequence[str] | str | None = None, family: str | None = None) -> Tensor:
    """A summary of one number.

    Args:
        name: what the series is called; made unique in the graph.
        tensor: a real scalar.
        collections: the graph's collections to add the summary to; `GraphKeys.SUMMARIES` when None.
        family: a prefix that groups series.

    Returns:
        A string scalar, the serialized summary.

    Raises:
        InvalidArgumentError: when run, if `tensor` is not a scalar.

    >>> with tf1.Graph().as_default(), tf1.Session() as sess:
    ...     print(sess.run(tf1.summary.scalar("loss", 0.5)))
    b'\\n\\x0b\\n\\x04loss\\x15\\x00\\x00\\x00?'
    """
    with make_tag(name, family) as (tag, scope):
        return collect_summary(SCALAR(tag, tensor, name=scope), collections)


@export(v1="summary.histogram")
def histogram(name: str, values: TensorLike, collections: Sequence[str] | str | None = None, family: str | None = None) -> Tensor:
    """A summary of how values are distributed.

    Args:
        name, collections, family: as `scalar`.
        values: real, of any shape.

    Raises:
        InvalidArgumentError: when run, if a value is infinite or not a number.

    >>> with tf1.Graph().as_default(), tf1.Session() as sess:
    ...     found = tf1.Summary.FromString(sess.run(tf1.summary.histogram("weights", [1.0, 2.0, 3.0])))
    >>> found.value[0].tag, found.value[0].histo.num
    ('weights', 3.0)
    """
    with make_tag(name, family) as (tag, scope):
        return collect_summary(HISTOGRAM(tag, values, name=scope), collections)


@export(v1="summary.image")
def image(
    name: str, tensor: TensorLike, max_outputs: int = 3, collections: Sequence[str] | str | None = None, family: str | None = None
) -> Tensor:
    """A summary of pictures.

    Args:
        name, collections, family: as `scalar`.
        tensor: [batch, height, width, channels] with 1 (grey), 3 (RGB) or 4 (RGBA) channels; uint8 as it is, others scaled.
        max_outputs: how many of the batch to show.

    Raises:
        InvalidArgumentError: when run, if the shape is another.

    >>> with tf1.Graph().as_default(), tf1.Session() as sess:
    ...     found = tf1.Summary.FromString(sess.run(tf1.summary.image("digits", tf1.zeros([2, 8, 6, 1]))))
    >>> [(value.tag, value.image.height, value.image.width) for value in found.value]
    [('digits/image/0', 8, 6), ('digits/image/1', 8, 6)]
    """
    with make_tag(name, family) as (tag, scope):
        return collect_summary(IMAGE(tag, tensor, max_images=max_outputs, name=scope), collections)


@export(v1="summary.text")
def text(name: str, tensor: TensorLike, collections: Sequence[str] | str | None = None) -> Tensor:
    """A summary of strings; `tensor` is a string tensor.

    >>> with tf1.Graph().as_default(), tf1.Session() as sess:
    ...     found = tf1.Summary.FromString(sess.run(tf1.summary.text("note", tf1.constant("begun"))))
    >>> found.value[0].tensor.string_val[0]
    b'begun'
    """
    with make_tag(name, None) as (tag, scope):
        return collect_summary(TEXT(tag, tensor, name=scope), collections)


def _require_graph() -> None:
    if executing_eagerly():
        raise RuntimeError("Merging tf.summary.* ops is not compatible with eager execution: write each summary where it is made.")


@export(v1="summary.merge")
def merge(inputs: Any, collections: Any = None, name: str | None = None) -> Tensor:
    """Several summaries as one.

    Args:
        inputs: string tensors that summary functions gave.
        collections: the graph's collections to add the result to; none when None.

    Raises:
        RuntimeError: eagerly.

    >>> with tf1.Graph().as_default(), tf1.Session() as sess:
    ...     both = tf1.summary.merge([tf1.summary.scalar("loss", 0.5), tf1.summary.scalar("rate", 0.1)])
    ...     found = tf1.Summary.FromString(sess.run(both))
    >>> [value.tag for value in found.value]
    ['loss', 'rate']
    """
    _require_graph()
    with name_scope(name, "Merge"):
        return collect_summary(MERGE(list(inputs)), [] if collections is None else collections)


@export(v1="summary.merge_all")
def merge_all(key: str = SUMMARIES, scope: str | None = None, name: str | None = None) -> Tensor | None:
    """All summaries of the graph as one; None where there are none.

    Args:
        key: the collection to merge.
        scope: a pattern that the names of the summaries start with.

    Raises:
        RuntimeError: eagerly.

    >>> with tf1.Graph().as_default(), tf1.Session() as sess:
    ...     a, b = tf1.summary.scalar("loss", 0.5), tf1.summary.scalar("rate", 0.1)
    ...     found = tf1.Summary.FromString(sess.run(tf1.summary.merge_all()))
    >>> [value.tag for value in found.value]
    ['loss', 'rate']
    """
    _require_graph()
    graph = current().graph
    found = [] if graph is None else graph.get_collection(key, scope)
    return merge(found, name=name) if found else None
