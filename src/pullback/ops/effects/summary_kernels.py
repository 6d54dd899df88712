"""Summaries as the bytes that event files hold: protocol buffers that TensorBoard reads.

A kernel takes arrays and gives a serialized `Summary`. The messages are tensorboardX's, imported when the first summary is made.
The histogram has the buckets that TensorFlow 1 has: limits that grow by a tenth from 1e-12 to 1e20 on both sides of zero, with
every run of empty buckets written as one.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...base.dtypes import as_dtype
from ...pictures.png import encode_png

LARGEST = float(np.finfo(np.float64).max)
BAD_PIXEL = (255, 0, 0, 255)


def _messages() -> Any:
    from tensorboardX.proto import summary_pb2

    return summary_pb2


def scalar(tag: str, value: NDArray[Any]) -> bytes:
    """A summary of one number."""
    proto = _messages()
    return bytes(proto.Summary(value=[proto.Summary.Value(tag=tag, simple_value=float(value))]).SerializeToString())


@cache
def bucket_limits() -> NDArray[np.float64]:
    """The upper limits of the histogram's buckets, ascending."""
    positive, limit = [], 1e-12
    while limit < 1e20:
        positive.append(limit)
        limit *= 1.1
    upper = [*positive, LARGEST]
    return np.array([*(-x for x in reversed(upper)), 0.0, *upper])


#: Numbers whose first 16 bits are the same (sign, exponent, four bits) are a sixteenth apart at most: one limit is between them, or none.
_LEFT_OUT = 48
_BLOCK = 1 << 14


@cache
def _first_places() -> tuple[NDArray[np.int16], int]:
    """The place among the limits that the smallest number with each 16 bits has, and how far behind it the largest one is at most."""
    first = np.arange(1 << 16, dtype=np.uint64) << _LEFT_OUT
    ends = np.stack([first, first | ((1 << _LEFT_OUT) - 1)]).view(np.float64)
    ends[:, ~np.isfinite(ends).all(axis=0)] = 0.0
    places = np.searchsorted(bucket_limits(), np.sort(ends, axis=0), side="right")
    return places[0].astype(np.int16), int((places[1] - places[0]).max())


def _count_buckets(x: NDArray[np.float64]) -> NDArray[np.intp]:
    """How many finite numbers each bucket has."""
    limits = bucket_limits()
    first, most = _first_places()
    padded = np.append(limits, np.inf)
    counts = np.zeros(limits.size + 1, np.intp)
    for at in range(0, x.size, _BLOCK):
        part = x[at : at + _BLOCK]
        places = first[part.view(np.uint64) >> _LEFT_OUT]
        for _ in range(most):
            places += padded[places] <= part
        counts += np.bincount(places, minlength=counts.size)
    counts[-2] += counts[-1]  # the largest number of all is in the last bucket too
    return counts[:-1]


def _total(x: NDArray[np.float64]) -> float:
    """The sum, one number after another as TensorFlow adds them."""
    return float(np.add.accumulate(x)[-1]) if x.size else 0.0


def histogram(tag: str, values: NDArray[Any]) -> bytes:
    """A summary of how values are distributed; the values are finite."""
    proto = _messages()
    x = values.astype(np.float64).ravel()
    limits, counts = bucket_limits(), _count_buckets(x)
    last_of_run = np.append((counts[:-1] > 0) | (counts[1:] > 0), True)
    histo = proto.HistogramProto(
        min=x.min() if x.size else LARGEST,
        max=x.max() if x.size else -LARGEST,
        num=x.size,
        sum=_total(x),
        sum_squares=_total(x * x),
        bucket_limit=limits[last_of_run],
        bucket=counts[last_of_run],
    )
    return bytes(proto.Summary(value=[proto.Summary.Value(tag=tag, histo=histo)]).SerializeToString())


def image(tag: str, images: NDArray[Any], max_images: int) -> bytes:
    """A summary of up to `max_images` pictures [batch, height, width, 1, 3 or 4]."""
    proto = _messages()
    shown = images[:max_images]
    summary = proto.Summary()
    for i, picture in enumerate(shown):
        height, width, channels = picture.shape
        content = proto.Summary.Image(height=height, width=width, colorspace=channels, encoded_image_string=encode_png(pixels(picture)))
        summary.value.add(tag=f"{tag}/image" if max_images == 1 else f"{tag}/image/{i}", image=content)
    return bytes(summary.SerializeToString())


def audio(tag: str, files: Sequence[bytes], rate: float, shape: tuple[int, ...], max_outputs: int) -> bytes:
    """A summary of WAV files, each of samples [moments, channels]."""
    proto = _messages()
    summary = proto.Summary()
    frames, channels = shape
    for i, file in enumerate(files):
        content = proto.Summary.Audio(
            sample_rate=rate, num_channels=channels, length_frames=frames, encoded_audio_string=file, content_type="audio/wav"
        )
        summary.value.add(tag=f"{tag}/audio" if max_outputs == 1 else f"{tag}/audio/{i}", audio=content)
    return bytes(summary.SerializeToString())


def text(tag: str, value: NDArray[Any]) -> bytes:
    """A summary of strings, as TensorBoard's text page shows them."""
    return tensor(tag, value, page("text"))


def page(plugin: str, content: bytes = b"", data_class: int = 0, about: str = "") -> bytes:
    """What a summary says of itself, for one of TensorBoard's pages.

    Args:
        plugin: the page: "scalars", "histograms", "images", "text".
        content: what that page wants to know of the series.
        data_class: 1 a scalar, 2 a tensor, 3 a sequence of blobs; 0 leaves it out.
        about: a description in Markdown.
    """
    proto = _messages()
    known = proto.SummaryMetadata(
        plugin_data=proto.SummaryMetadata.PluginData(plugin_name=plugin, content=content), summary_description=about
    )
    # The class of the data is field 4, which is younger than tensorboardX's messages; they pass it on as they find it.
    return bytes(known.SerializeToString()) + (bytes([4 << 3, data_class]) if data_class else b"")


def tensor(tag: str, value: NDArray[Any], metadata: bytes | None = None) -> bytes:
    """A summary of a whole tensor.

    Args:
        tag: what the series is called.
        value: numbers, or strings as an array of objects.
        metadata: what the summary says of itself.
    """
    from tensorboardX.proto import tensor_pb2, tensor_shape_pb2, types_pb2

    proto = _messages()
    shape = tensor_shape_pb2.TensorShapeProto(dim=[tensor_shape_pb2.TensorShapeProto.Dim(size=n) for n in value.shape])
    if value.dtype == object or value.dtype.kind in "SU":
        strings = [v if isinstance(v, bytes) else str(v).encode() for v in value.ravel()]
        packed = tensor_pb2.TensorProto(dtype=types_pb2.DT_STRING, tensor_shape=shape, string_val=strings)
    else:
        packed = tensor_pb2.TensorProto(dtype=as_dtype(value.dtype).as_datatype_enum, tensor_shape=shape, tensor_content=value.tobytes())
    about = {} if metadata is None else {"metadata": proto.SummaryMetadata.FromString(metadata)}
    return bytes(proto.Summary(value=[proto.Summary.Value(tag=tag, tensor=packed, **about)]).SerializeToString())


def merge(serialized: list[bytes]) -> bytes:
    """Several summaries in one; a repeated field's bytes simply follow each other."""
    return b"".join(serialized)


def pixels(picture: NDArray[Any]) -> NDArray[np.uint8]:
    """Bytes to show: floats scaled so that the largest is 255, or about 128 where some are negative."""
    if picture.dtype == np.uint8:
        return picture
    x = picture.astype(np.float32)
    finite = np.asarray(np.isfinite(x).all(axis=-1))
    known = x[finite]
    if known.size and known.min() < 0:
        scale, offset = np.float32(127.0) / np.abs(known).max(), np.float32(128.0)
    else:
        largest = known.max(initial=np.float32(0.0))
        scale, offset = np.float32(255.0 / largest if largest > 0 else 0.0), np.float32(0.0)
    shown: NDArray[Any] = np.where(finite[..., None], x, 0.0) * scale + offset
    shown[~finite] = BAD_PIXEL[: x.shape[-1]]
    return np.asarray(shown.astype(np.uint8))
