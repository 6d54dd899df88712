"""Connectionist temporal classification as users call it: the loss for sparse and dense labels, decoders, and work on labels."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.dtypes import bfloat16, float16, float32, int32, int64
from ...base.export import export
from ...ir.apply import convert_to_tensor
from ...ir.attributes import as_whole, refused_value
from ...ir.context import scope
from ...ir.tensor import Tensor, TensorLike
from ...ops.array.basic import shape_of
from ...ops.array.create import range as range_
from ...ops.array.gather_nd import scatter_nd
from ...ops.array.join import concat, stack
from ...ops.array.shape import ensure_shape
from ...ops.array.transpose import transpose
from ...ops.array.where import where
from ...ops.indexing.mask import boolean_mask
from ...ops.primitives.cast import cast
from ...ops.primitives.compare import equal, less, logical_and, not_equal
from ...ops.reduce.reductions import reduce_max, reduce_sum
from ...ops.reduce.scan import cumsum
from ...ops.search.sort import argmax
from ...ops.sparse.tensor import SparseTensor
from .decoders import CTC_BEAM_SEARCH_DECODER, CTC_GREEDY_DECODER
from .losses import CTC_LOSS, CTC_LOSS_DENSE

_HALVES = (float16, bfloat16)


@export(v2="nn.ctc_loss", v1="nn.ctc_loss_v2")
def ctc_loss(
    labels: TensorLike,
    logits: TensorLike,
    label_length: TensorLike | None,
    logit_length: TensorLike,
    logits_time_major: bool = True,
    unique: object = None,
    blank_index: int | None = None,
    name: str | None = None,
) -> Tensor:
    """The loss of connectionist temporal classification (Graves et al., 2006), one number for each example.

    labels: a matrix of integers [batch, length], of which each example uses the first `label_length`; or a `SparseTensor`, for which
    label_length is not read and `blank_index` must be given.  logits: [frames, batch, classes], batch first when not
    logits_time_major; of which each example uses the first `logit_length` frames.  blank_index: the class of the blank, 0 for a matrix
    unless told otherwise; negative from the end.  unique: what `ctc_unique_labels` gives, not needed here.  Differentiable twice; halves
    are computed in float32.  Raises InvalidArgumentError for labels and lengths that do not fit.

    >>> tf.nn.ctc_loss([[1]], tf.zeros([2, 1, 2]), [1], [2]).numpy().round(4).tolist()
    [0.28769999742507935]
    """
    with scope(name, "ctc_loss"):
        x = convert_to_tensor(logits, name="logits")
        if isinstance(labels, SparseTensor):
            if blank_index is None:
                raise ValueError("Argument `blank_index` must be provided when `labels` is a `SparseTensor`.")
            blank = blank_index + shape_of(x)[2] if blank_index < 0 else blank_index
            x = concat([x[:, :, :blank], x[:, :, blank + 1 :], x[:, :, blank : blank + 1]], 2)
            values = where(labels.values < blank, labels.values, labels.values - 1)
            return sparse_loss(SparseTensor(labels.indices, values, labels.dense_shape), x, logit_length, {}, logits_time_major)
        dtype = x.dtype
        x = cast(x, float32) if dtype in _HALVES else x
        x = x if logits_time_major else transpose(x, [1, 0, 2])
        given = convert_to_tensor(labels, name="labels")
        if blank_index:
            blank = blank_index + shape_of(x)[2] if blank_index < 0 else blank_index
            x = concat([x[:, :, blank : blank + 1], x[:, :, :blank], x[:, :, blank + 1 :]], 2)
            given = where(given < cast(blank, given.dtype), given + 1, given)
        loss = CTC_LOSS_DENSE(x, given, convert_to_tensor(label_length), convert_to_tensor(logit_length))[0]
        return cast(loss, dtype) if dtype in _HALVES else loss


def sparse_loss(labels: SparseTensor, logits: Tensor, sequence_length: object, flags: dict[str, Any], time_major: bool) -> Tensor:
    """The loss for sparse labels, the blank being the last class."""
    x = convert_to_tensor(logits, name="logits")
    x = x if time_major else transpose(x, [1, 0, 2])
    dtype = x.dtype
    wide = cast(x, float32) if dtype in _HALVES else x
    loss = CTC_LOSS(wide, labels.indices, cast(labels.values, int32), cast(convert_to_tensor(sequence_length), int32), **flags)[0]
    return cast(loss, dtype) if dtype in _HALVES else loss


@export("nn.ctc_greedy_decoder")
def ctc_greedy_decoder(
    inputs: TensorLike, sequence_length: TensorLike, merge_repeated: bool = True, blank_index: int | None = None
) -> tuple[list[SparseTensor], Tensor]:
    """The best class of each frame, without blanks and, when `merge_repeated`, without repetitions.

    inputs: logits [frames, batch, classes], float32 or float64.  sequence_length: how many frames of each example count.  blank_index:
    the last class when None.  Returns ([decoded], neg_sum_logits): a `SparseTensor` of int64 and [batch, 1].  No gradient.

    >>> decoded, _ = tf.nn.ctc_greedy_decoder(tf.constant([[[9.0, 0.0, 0.0]], [[0.0, 9.0, 0.0]]]), [2])
    >>> decoded[0].values.numpy().tolist()
    [0, 1]
    """
    blank = -1 if blank_index is None else as_whole("blank_index", blank_index)
    found = CTC_GREEDY_DECODER(inputs, sequence_length, merge_repeated=merge_repeated, blank_index=blank)
    return [SparseTensor(*found[:3])], found[3]


def beam_search(inputs: Any, sequence_length: Any, beam_width: int, top_paths: int, merge_repeated: bool) -> Any:
    """The decoder of both faces: ([decoded, ...], log_probability)."""
    found = CTC_BEAM_SEARCH_DECODER(inputs, sequence_length, beam_width=beam_width, top_paths=top_paths, merge_repeated=merge_repeated)
    parts = [found[i * top_paths : (i + 1) * top_paths] for i in range(3)]
    return [SparseTensor(*part) for part in zip(*parts, strict=True)], found[-1]


@export(v2="nn.ctc_beam_search_decoder", v1="nn.ctc_beam_search_decoder_v2")
def ctc_beam_search_decoder(
    inputs: TensorLike, sequence_length: TensorLike, beam_width: int = 100, top_paths: int = 1
) -> tuple[list[SparseTensor], Tensor]:
    """The likeliest sequences of labels, found by a beam search.

    inputs: logits [frames, batch, classes], float32 or float64, the blank being the last class.  sequence_length: how many frames of each
    example count.  beam_width: how many sequences are kept from frame to frame.  top_paths: how many are returned, at most beam_width.
    Returns (decoded, log_probability): a list of `SparseTensor`s of int64, the best first, and [batch, top_paths].  No gradient.

    >>> decoded, _ = tf.nn.ctc_beam_search_decoder(tf.constant([[[9.0, 0.0, 0.0]], [[0.0, 9.0, 0.0]]]), [2])
    >>> decoded[0].values.numpy().tolist()
    [0, 1]
    """
    return beam_search(inputs, sequence_length, beam_width, top_paths, False)


@export("nn.ctc_unique_labels")
def ctc_unique_labels(labels: TensorLike, name: str | None = None) -> list[Tensor]:
    """The distinct labels of each row in the order in which they come, padded with zeros, and which of them each label is.

    labels: [batch, length].  Returns (int64, int32) tensors of that shape.

    >>> [t.numpy().tolist() for t in tf.nn.ctc_unique_labels([[3, 4, 4, 3]])]
    [[[3, 4, 0, 0]], [[0, 1, 1, 0]]]
    """
    with scope(name, "ctc_unique_labels"):
        given = convert_to_tensor(labels, name="labels")
        if given.dims == ():
            raise ValueError("ctc_unique_labels: labels must have rows, a scalar has none")
        if given.dims is None:
            given = ensure_shape(given, [None, None])
        elif len(given.dims) != 2:
            raise refused_value(f"unique expects a 1D vector: each row of labels is one, got labels of shape {given.shape}")
        first = argmax(cast(equal(given[:, :, None], given[:, None, :]), int32), 2, output_type=int32)
        places = range_(0, shape_of(given)[1])
        is_first = equal(first, places)
        number = cumsum(cast(is_first, int32), 1) - 1
        index = reduce_sum(where(equal(first[:, :, None], places), number[:, None, :], 0), 2)
        values = cast(given, int64)
        chosen = logical_and(is_first[:, None, :], equal(places[:, None], number[:, None, :]))
        return [reduce_sum(where(chosen, values[:, None, :], np.int64(0)), 2), index]


@export("nn.collapse_repeated")
def collapse_repeated(labels: TensorLike, seq_length: TensorLike, name: str | None = None) -> tuple[Tensor, Tensor]:
    """Labels without repetitions of the one before, and how many are left in each row.

    labels: [batch, length].  seq_length: how many of each row count.  Returns the labels, padded with zeros to the longest row, and the
    new lengths in the dtype of seq_length.

    >>> [t.numpy().tolist() for t in tf.nn.collapse_repeated([[1, 1, 2], [3, 3, 3]], [3, 2])]
    [[[1, 2], [3, 0]], [2, 1]]
    """
    with scope(name, "collapse_repeated_labels"):
        given, lengths = convert_to_tensor(labels, name="labels"), convert_to_tensor(seq_length, name="seq_length")
        given, lengths = (ensure_shape(t, [None] * n) if t.dims is None else t for t, n in ((given, 2), (lengths, 1)))
        shape = shape_of(given)
        differs = not_equal(given[:, 1:], given[:, :-1])
        kept = concat([equal(given[:, :1], given[:, :1]), differs], 1)
        kept = logical_and(kept, less(range_(0, shape[1]), cast(lengths[:, None], int32)))
        counts = reduce_sum(cast(kept, int32), 1)
        rows = given[:, :] * 0 + cast(range_(0, shape[0]), given.dtype)[:, None]
        columns = cumsum(cast(kept, int32), 1) - 1
        places = boolean_mask(stack([cast(rows, int32), columns], 2), kept)
        found = scatter_nd(places, boolean_mask(given, kept), stack([shape[0], reduce_max(counts)]))
        return found, cast(counts, lengths.dtype)
