"""`tf.Summary`: a summary that a program fills in itself, `tf.Summary(value=[tf.Summary.Value(tag="loss", simple_value=0.5)])`.

The messages are tensorboardX's; they are imported when the first one is made, as protocol buffers are slow to load.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from ...base.export import export
from ..datasets.records import tf_record_iterator


def _messages() -> Any:
    from tensorboardX.proto import summary_pb2

    return summary_pb2


@export(v1="HistogramProto")
class HistogramProto:
    """How values are distributed: min, max, num, sum, sum_squares, bucket_limit, bucket.

    >>> tf1.HistogramProto(min=0.0, max=1.0, bucket_limit=[0.5, 1.0], bucket=[3, 4]).bucket[1]
    4.0
    """

    def __new__(cls, **fields: Any) -> Any:
        """A message with these fields."""
        return _messages().HistogramProto(**fields)


@export(v1="SummaryMetadata")
class SummaryMetadata:
    """What a summary says of itself: the plugin that shows it (`plugin_data`), display_name, summary_description.

    >>> tf1.SummaryMetadata(display_name="loss").display_name
    'loss'
    """

    def __new__(cls, **fields: Any) -> Any:
        """A message with these fields."""
        return _messages().SummaryMetadata(**fields)


@export(v1=("Summary", "summary.Summary"))
class Summary:
    """Values with their tags.

    >>> summary = Summary(value=[Summary.Value(tag="loss", simple_value=0.5)])
    >>> Summary.FromString(summary.SerializeToString()).value[0].tag
    'loss'
    """

    class Value:
        """One value: `tag`, and `simple_value`, `histo` or `image`."""

        def __new__(cls, **fields: Any) -> Any:
            """A message with these fields."""
            return _messages().Summary.Value(**fields)

    class Image:
        """A picture: height, width, colorspace, encoded_image_string."""

        def __new__(cls, **fields: Any) -> Any:
            """A message with these fields."""
            return _messages().Summary.Image(**fields)

    def __new__(cls, **fields: Any) -> Any:
        """A message with these fields."""
        return _messages().Summary(**fields)

    @staticmethod
    def FromString(data: bytes) -> Any:
        """The message that `data` holds."""
        return _messages().Summary.FromString(data)


@export(v1=("Event", "summary.Event"))
class Event:
    """An entry of an event file: wall_time, step, and a `summary` or another message.

    >>> event = Event(step=3, summary=Summary(value=[Summary.Value(tag="loss", simple_value=0.5)]))
    >>> Event.FromString(event.SerializeToString()).step
    3
    """

    def __new__(cls, **fields: Any) -> Any:
        """A message with these fields."""
        return _events().Event(**fields)

    @staticmethod
    def FromString(data: bytes) -> Any:
        """The message that `data` holds."""
        return _events().Event.FromString(data)


def _events() -> Any:
    from tensorboardX.proto import event_pb2

    return event_pb2


@export(v1="train.summary_iterator")
def summary_iterator(path: str | os.PathLike[str]) -> Iterator[Any]:
    """The events of a file.

    >>> import glob, tempfile, pullback as tf
    >>> with tempfile.TemporaryDirectory() as logs:
    ...     with tf.summary.create_file_writer(logs).as_default():
    ...         _ = tf.summary.scalar("loss", 0.5, step=3)
    ...     events = list(tf.compat.v1.train.summary_iterator(glob.glob(logs + "/*")[0]))
    >>> [(event.step, value.tag) for event in events for value in event.summary.value]
    [(3, 'loss')]
    """
    return map(Event.FromString, tf_record_iterator(path))
