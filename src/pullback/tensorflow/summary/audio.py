"""`tf.compat.v1.summary.audio`: a summary of sounds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...base.dtypes import string
from ...base.errors import InvalidArgumentError
from ...base.export import export
from ...ir.op import define
from ...ir.tensor import Tensor, TensorLike, TensorType
from ...ops.effects import summary_kernels
from ...ops.effects.summary import collect_summary, make_tag
from ..audio import wav_file


def _audio(tag: np.ndarray, tensor: np.ndarray, sample_rate: np.ndarray, *, max_outputs: int) -> np.ndarray:
    if tensor.ndim not in (2, 3):
        raise InvalidArgumentError(None, None, f"Tensor must be 3-D or 2-D, got: {list(tensor.shape)}")
    if sample_rate.ndim:
        raise InvalidArgumentError(None, None, f"sample_rate must be a scalar, got shape {list(sample_rate.shape)}")
    sounds = tensor[:, :, np.newaxis] if tensor.ndim == 2 else tensor
    rate = float(sample_rate)
    files = [wav_file(sound, max(round(rate), 1) if rate > 0 else 0) for sound in sounds[:max_outputs]]
    found = np.empty((), object)
    found[()] = summary_kernels.audio(tag.item().decode(), files, rate, sounds.shape[1:], max_outputs)
    return found


def _audio_type(tag: Any, tensor: Any, sample_rate: Any, *, max_outputs: int = 3) -> TensorType:
    if max_outputs < 1:
        raise ValueError(f"Attr 'max_outputs' of 'AudioSummaryV2' Op passed {max_outputs} less than minimum 1.")
    return TensorType((), string)


AUDIO = define(
    "AudioSummaryV2", "tag:string tensor:float32 sample_rate:float32", _audio_type, _audio, {}, batch="one file at a time"
)  # fmt: skip


@export(v1="summary.audio")
def audio(
    name: str, tensor: TensorLike, sample_rate: TensorLike, max_outputs: int = 3, collections: Sequence[str] | str | None = None,
    family: str | None = None
) -> Tensor:  # fmt: skip
    """A summary of sounds, as WAV files of 16 bits.

    Args:
        name: what the series is called; made unique in the graph.
        tensor: float32, [batch, moments, channels] or [batch, moments], from -1 to 1; what lies beyond is cut off.
        sample_rate: float32, how many moments there are in a second.
        max_outputs: how many of the batch to keep.
        collections: the graph's collections to add the summary to; `GraphKeys.SUMMARIES` when None.
        family: a prefix that groups series.

    Returns:
        A string scalar, the serialized summary.

    Raises:
        TypeError: no float32. ValueError: `max_outputs` below 1. InvalidArgumentError: when run, another shape, no positive rate.

    >>> with tf1.Graph().as_default(), tf1.Session() as sess:
    ...     found = tf1.Summary.FromString(sess.run(tf1.summary.audio("tone", tf1.zeros([1, 80]), 8000.0)))
    >>> [(value.tag, value.audio.length_frames) for value in found.value]
    [('tone/audio/0', 80)]
    """
    with make_tag(name, family) as (tag, scope):
        return collect_summary(AUDIO(tag, tensor, sample_rate, max_outputs=max_outputs, name=scope), collections)
