"""`tf.Summary`: a summary that a program fills in itself, `tf.Summary(value=[tf.Summary.Value(tag="loss", simple_value=0.5)])`.

The messages are tensorboardX's; they are imported when the first one is made, as protocol buffers are slow to load.
"""

from __future__ import annotations

from typing import Any

from ...base.export import export


def _messages() -> Any:
    from tensorboardX.proto import summary_pb2

    return summary_pb2


@export(v1="HistogramProto")
class HistogramProto:
    """How values are distributed: min, max, num, sum, sum_squares, bucket_limit, bucket.

    >>> import pullback.compat.v1 as tf
    >>> tf.HistogramProto(min=0.0, max=1.0, bucket_limit=[0.5, 1.0], bucket=[3, 4]).bucket[1]
    4.0
    """

    def __new__(cls, **fields: Any) -> Any:
        """A message with these fields."""
        return _messages().HistogramProto(**fields)


@export(v1="SummaryMetadata")
class SummaryMetadata:
    """What a summary says of itself: the plugin that shows it (`plugin_data`), display_name, summary_description.

    >>> import pullback.compat.v1 as tf
    >>> tf.SummaryMetadata(display_name="loss").display_name
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
