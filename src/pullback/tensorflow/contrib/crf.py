"""`tf.contrib.crf`: the likelihood of sequences of tags in a linear chain, and the best sequence.

Scores are potentials [batch, time, tags] of each tag at each step and transitions [tags, tags] from one tag to the next; a sequence of
lengths says how many steps of each example count.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...api.names import name_scope
from ...api.variable_scope import get_variable
from ...base.dtypes import int32
from ...base.export import export
from ...control.functional import scan
from ...ir.apply import convert_to_tensor
from ...ir.tensor import NumberLike, Tensor, TensorLike
from ...ops.array.basic import shape_of
from ...ops.array.gather import gather
from ...ops.array.gather_nd import gather_nd
from ...ops.array.join import concat, stack
from ...ops.array.order import reverse_sequence
from ...ops.array.shape import expand_dims
from ...ops.array.transpose import transpose
from ...ops.array.where import where
from ...ops.math.arithmetic import maximum
from ...ops.primitives.cast import cast
from ...ops.primitives.compare import greater
from ...ops.reduce.composed import reduce_logsumexp
from ...ops.reduce.reductions import reduce_max, reduce_sum
from ...ops.search.composed import sequence_mask
from ...ops.search.sort import argmax


def _count_steps(lengths: Any, time: Any, like: Tensor) -> Tensor:
    """1 for steps that count, 0 for others: [batch, time]."""
    return sequence_mask(lengths, time, like.dtype)


def _move_time_first(tensor: Tensor) -> Tensor:
    """The steps first."""
    rank = tensor.shape.rank or 3
    return transpose(tensor, [1, 0, *range(2, rank)])


@export(v1="contrib.crf.crf_unary_score")
def crf_unary_score(tag_indices: TensorLike, sequence_lengths: TensorLike, inputs: NumberLike) -> Tensor:
    """The sum of the potentials of each example's tags.

    >>> tf1.contrib.crf.crf_unary_score([[1, 0]], [2], [[[1.0, 2.0], [3.0, 4.0]]]).numpy()
    array([5.], dtype=float32)
    """
    inputs, tags = convert_to_tensor(inputs), cast(tag_indices, int32)
    chosen = gather(inputs, tags, batch_dims=2)
    return reduce_sum(chosen * _count_steps(sequence_lengths, shape_of(inputs)[1], inputs), 1)


@export(v1="contrib.crf.crf_binary_score")
def crf_binary_score(tag_indices: TensorLike, sequence_lengths: TensorLike, transition_params: NumberLike) -> Tensor:
    """The sum of the transitions between each example's tags.

    >>> tf1.contrib.crf.crf_binary_score([[1, 0, 0]], [2], [[1.0, 2.0], [3.0, 4.0]]).numpy()
    array([3.], dtype=float32)
    """
    transitions, tags = convert_to_tensor(transition_params), cast(tag_indices, int32)
    chosen = gather_nd(transitions, stack([tags[:, :-1], tags[:, 1:]], -1))
    left = maximum(cast(sequence_lengths, int32) - 1, 0)
    return reduce_sum(chosen * _count_steps(left, shape_of(tags)[1] - 1, transitions), 1)


@export(v1="contrib.crf.crf_sequence_score")
def crf_sequence_score(
    inputs: NumberLike, tag_indices: TensorLike, sequence_lengths: TensorLike, transition_params: NumberLike
) -> Tensor:  # fmt: skip
    """The score of each example's tags: potentials and transitions; 0 for an example of no steps.

    >>> tf1.contrib.crf.crf_sequence_score([[[1.0, 2.0], [3.0, 4.0]]], [[1, 0]], [2], [[1.0, 2.0], [3.0, 4.0]]).numpy()
    array([8.], dtype=float32)
    """
    with name_scope(None, "crf_sequence_score"):
        transitions = crf_binary_score(tag_indices, sequence_lengths, transition_params)
        return crf_unary_score(tag_indices, sequence_lengths, inputs) + transitions


def _forward(inputs: Tensor, lengths: Tensor, step: Any) -> Tensor:
    """What `step` makes of the scores of all tags, one step after the other, for the steps that count: [time, batch, tags]."""
    first = inputs[:, 0]
    counts = _move_time_first(_count_steps(lengths, shape_of(inputs)[1], inputs))[1:]

    def next_scores(scores: Any, given: Any) -> Any:
        potentials, counted = given
        return where(greater(expand_dims(counted, -1), 0), step(scores) + potentials, scores)

    return concat([expand_dims(first, 0), scan(next_scores, (_move_time_first(inputs)[1:], counts), first)], 0)


@export(v1="contrib.crf.crf_log_norm")
def crf_log_norm(inputs: NumberLike, sequence_lengths: TensorLike, transition_params: NumberLike) -> Tensor:
    """The logarithm of the sum of `exp` of the scores of all sequences of tags; 0 for an example of no steps.

    >>> tf1.contrib.crf.crf_log_norm([[[1.0, 2.0]]], [1], [[0.0, 0.0], [0.0, 0.0]]).numpy().round(4)
    array([2.3133], dtype=float32)
    """
    with name_scope(None, "crf_log_norm"):
        inputs, transitions = convert_to_tensor(inputs), convert_to_tensor(transition_params)
        lengths = cast(sequence_lengths, int32)
        scores = _forward(inputs, lengths, lambda scores: reduce_logsumexp(expand_dims(scores, 2) + transitions, 1))
        found = reduce_logsumexp(scores[-1], 1)
        return where(greater(lengths, 0), found, found * 0)


@export(v1="contrib.crf.crf_log_likelihood")
def crf_log_likelihood(
    inputs: NumberLike, tag_indices: TensorLike, sequence_lengths: TensorLike, transition_params: Any = None
) -> tuple[Tensor, Any]:  # fmt: skip
    """The logarithm of the likelihood of each example's tags, and the transitions: a variable `transitions` where none are given.

    >>> likelihood, _ = tf1.contrib.crf.crf_log_likelihood([[[1.0, 2.0]]], [[1]], [1], [[0.0, 0.0], [0.0, 0.0]])
    >>> likelihood.numpy().round(4)
    array([-0.3133], dtype=float32)
    """
    inputs = convert_to_tensor(inputs)
    tags = inputs.shape[2]
    transitions = get_variable("transitions", [tags, tags]) if transition_params is None else transition_params
    scores = crf_sequence_score(inputs, tag_indices, sequence_lengths, transitions)
    return scores - crf_log_norm(inputs, sequence_lengths, transitions), transitions


@export(v1="contrib.crf.crf_decode")
def crf_decode(potentials: NumberLike, transition_params: NumberLike, sequence_length: TensorLike) -> tuple[Tensor, Tensor]:
    """The best tags of each example, int32 [batch, time] with zeros after its end, and their scores.

    >>> tags, scores = tf1.contrib.crf.crf_decode([[[1.0, 2.0], [4.0, 3.0]]], [[0.0, 0.0], [0.0, 0.0]], [2])
    >>> tags.numpy(), scores.numpy()
    (array([[1, 0]], dtype=int32), array([6.], dtype=float32))
    """
    with name_scope(None, "crf_decode"):
        inputs, transitions = convert_to_tensor(potentials), convert_to_tensor(transition_params)
        lengths = cast(sequence_length, int32)
        scores = _forward(inputs, lengths, lambda scores: reduce_max(expand_dims(scores, 2) + transitions, 1))
        before = cast(argmax(expand_dims(scores[:-1], 3) + transitions, 2), int32)
        last = cast(argmax(scores[-1], 1), int32)
        back = reverse_sequence(_move_time_first(before), maximum(lengths - 1, 0), 1)
        rest = scan(lambda tag, of: gather(of, expand_dims(tag, 1), batch_dims=1)[:, 0], _move_time_first(back), last)
        tags = reverse_sequence(concat([expand_dims(last, 1), transpose(rest)], 1), lengths, 1)
        return tags * _count_steps(lengths, shape_of(inputs)[1], tags), reduce_max(scores[-1], 1)


@export(v1="contrib.crf.viterbi_decode")
def viterbi_decode(score: Any, transition_params: Any) -> tuple[list[int], Any]:
    """The best tags of one sequence, a list, and their score, by NumPy: of scores [time, tags].

    >>> tf1.contrib.crf.viterbi_decode([[1.0, 2.0], [4.0, 3.0]], [[0.0, 0.0], [0.0, 0.0]])
    ([1, 0], np.float64(6.0))
    """
    potentials, transitions = np.asarray(score), np.asarray(transition_params)
    best, before = potentials[0], []
    for row in potentials[1:]:
        each = best[:, None] + transitions
        before.append(each.argmax(0))
        best = row + each.max(0)
    tags = [int(best.argmax())]
    for row in reversed(before):
        tags.append(int(row[tags[-1]]))
    return tags[::-1], best.max()
