"""The losses of `tf.contrib.legacy_seq2seq` and `tf.contrib.seq2seq`, and models for several lengths."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...api.names import name_scope
from ...api.variable_scope import get_variable_scope, variable_scope
from ...base.export import export
from ...ir.apply import convert_to_tensor
from ...ir.tensor import Tensor, TensorLike
from ...nn.losses import sparse_softmax_cross_entropy_with_logits
from ...ops.array.basic import reshape, shape_of
from ...ops.array.join import concat
from ...ops.math.division import divide_no_nan
from ...ops.math.sums import add_n
from ...ops.primitives.cast import cast
from ...ops.reduce.composed import count_nonzero
from ...ops.reduce.reductions import reduce_sum
from .legacy_seq2seq import Steps


@export(v1="contrib.legacy_seq2seq.sequence_loss_by_example")
def sequence_loss_by_example(
    logits: Steps,
    targets: Steps,
    weights: Steps,
    average_across_timesteps: bool = True,
    softmax_loss_function: Callable[..., Any] | None = None,
    name: str | None = None,
) -> Tensor:
    """The weighted cross entropy of each example of lists of logits [batch, symbols], targets [batch] and weights [batch].

    Args:
        average_across_timesteps: divide by the sum of the example's weights.
        softmax_loss_function: of `labels` and `logits`, in place of the cross entropy.

    Raises:
        ValueError: the lists have not the same length.

    >>> loss = tf.compat.v1.contrib.legacy_seq2seq.sequence_loss_by_example
    >>> loss([tf.zeros([2, 4])], [tf.constant([1, 2])], [tf.constant([1.0, 0.0])]).numpy().round(4)
    array([1.3863, 0.    ], dtype=float32)
    """
    if not len(logits) == len(targets) == len(weights):
        raise ValueError(f"Lengths of logits, weights, and targets must be the same {len(logits)}, {len(weights)}, {len(targets)}.")
    with name_scope(name, "sequence_loss_by_example"):
        losses = []
        for logit, target, weight in zip(logits, targets, weights, strict=True):
            if softmax_loss_function is None:
                losses.append(sparse_softmax_cross_entropy_with_logits(reshape(target, [-1]), logit) * weight)
            else:
                losses.append(softmax_loss_function(labels=target, logits=logit) * weight)
        total = add_n(losses)
        return total / (add_n(list(weights)) + 1e-12) if average_across_timesteps else total


@export(v1="contrib.legacy_seq2seq.sequence_loss")
def sequence_loss(
    logits: Steps,
    targets: Steps,
    weights: Steps,
    average_across_timesteps: bool = True,
    average_across_batch: bool = True,
    softmax_loss_function: Callable[..., Any] | None = None,
    name: str | None = None,
) -> Tensor:
    """The sum of `sequence_loss_by_example`, or its mean over the batch.

    >>> loss = tf.compat.v1.contrib.legacy_seq2seq.sequence_loss
    >>> loss([tf.zeros([2, 4])], [tf.constant([1, 2])], [tf.ones([2])]).numpy().round(4)
    np.float32(1.3863)
    """
    with name_scope(name, "sequence_loss"):
        total = reduce_sum(sequence_loss_by_example(logits, targets, weights, average_across_timesteps, softmax_loss_function))
        return total / cast(shape_of(targets[0])[0], total.dtype) if average_across_batch else total


@export(v1="contrib.seq2seq.sequence_loss")
def loss_of_sequences(
    logits: TensorLike,
    targets: TensorLike,
    weights: TensorLike,
    average_across_timesteps: bool = True,
    average_across_batch: bool = True,
    sum_over_timesteps: bool = False,
    sum_over_batch: bool = False,
    softmax_loss_function: Callable[..., Any] | None = None,
    name: str | None = None,
) -> Tensor:
    """The weighted cross entropy of logits [batch, time, symbols], targets and weights [batch, time].

    Args:
        average_across_timesteps, average_across_batch: sum along that axis, divided by the sum of the weights.
        sum_over_timesteps, sum_over_batch: sum along that axis, divided by the number of weights that are not zero.
        softmax_loss_function: of `labels` and `logits`, in place of the cross entropy.

    Raises:
        ValueError: tensors of other ranks, or an axis that is to be averaged and summed.

    >>> loss = tf.compat.v1.contrib.seq2seq.sequence_loss
    >>> loss(tf.zeros([2, 3, 4]), tf.ones([2, 3], tf.int32), tf.ones([2, 3])).numpy().round(4)
    np.float32(1.3863)
    """
    logits, targets, weights = convert_to_tensor(logits), convert_to_tensor(targets), convert_to_tensor(weights)
    for what, given, rank in (("Logits", logits, 3), ("Targets", targets, 2), ("Weights", weights, 2)):
        if given.dims is not None and len(given.dims) != rank:
            raise ValueError(f"{what} must be a tensor of rank {rank}, and not of shape {given.shape}")
    if (average_across_timesteps and sum_over_timesteps) or (average_across_batch and sum_over_batch):
        raise ValueError("An axis is averaged or summed: average_across_... and sum_over_... cannot be set to True at same time.")
    if (average_across_batch and sum_over_timesteps) or (average_across_timesteps and sum_over_batch):
        raise ValueError("Both axes are averaged, or both are summed: not one of each.")
    with name_scope(name, "sequence_loss"):
        labels, flat = reshape(targets, [-1]), reshape(logits, concat([[-1], shape_of(logits)[2:]], 0))
        if softmax_loss_function is None:
            losses = sparse_softmax_cross_entropy_with_logits(labels, flat)
        else:
            losses = softmax_loss_function(labels=labels, logits=flat)
        losses = reshape(losses, shape_of(targets)) * weights
        axes = [i for i, on in enumerate((average_across_batch or sum_over_batch, average_across_timesteps or sum_over_timesteps)) if on]
        if not axes:
            return losses
        sums = sum_over_timesteps or sum_over_batch
        size = cast(count_nonzero(weights, axes), losses.dtype) if sums else reduce_sum(weights, axes)
        return divide_no_nan(reduce_sum(losses, axes), size)


@export(v1="contrib.legacy_seq2seq.model_with_buckets")
def model_with_buckets(
    encoder_inputs: Steps,
    decoder_inputs: Steps,
    targets: Steps,
    weights: Steps,
    buckets: Sequence[tuple[int, int]],
    seq2seq: Callable[[Steps, Steps], tuple[list[Any], Any]],
    softmax_loss_function: Callable[..., Any] | None = None,
    per_example_loss: bool = False,
    name: str | None = None,
) -> tuple[list[Any], list[Any]]:
    """A model for each pair of lengths, all with the same variables: (outputs, losses) of each.

    Raises:
        ValueError: a list is shorter than the last pair of lengths.

    >>> legacy = tf1.contrib.legacy_seq2seq
    >>> with tf1.Graph().as_default():
    ...     ids, ones = [tf1.constant([1, 2])] * 4, [tf1.ones([2])] * 4
    ...     model = lambda x, y: legacy.embedding_rnn_seq2seq(x, y, tf1.contrib.rnn.GRUCell(4), 10, 10, 6)
    ...     outputs, losses = legacy.model_with_buckets(ids, ids, ids, ones, [(2, 2), (4, 4)], model)
    ...     [len(o) for o in outputs], len(losses)
    ([2, 4], 2)
    """
    reads, writes = buckets[-1]
    for given, least in ((encoder_inputs, reads), (targets, writes), (weights, writes)):
        if len(given) < least:
            raise ValueError(f"Length of a list ({len(given)}) must be at least that of last bucket ({least}).")
    outputs, losses = [], []
    loss = sequence_loss_by_example if per_example_loss else sequence_loss
    with name_scope(name, "model_with_buckets"):
        for number, (reads, writes) in enumerate(buckets):
            with variable_scope(get_variable_scope(), reuse=True if number else None):
                found, _ = seq2seq(encoder_inputs[:reads], decoder_inputs[:writes])
            outputs.append(found)
            losses.append(loss(found, targets[:writes], weights[:writes], softmax_loss_function=softmax_loss_function))
    return outputs, losses
