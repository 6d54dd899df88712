"""Losses that look at a few classes instead of all: noise-contrastive estimation and sampled softmax."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..base.dtypes import int32, int64
from ..base.errors import InvalidArgumentError
from ..base.export import export
from ..ir.apply import convert_to_tensor
from ..ir.context import scope
from ..ir.tensor import IntLike, Tensor, TensorLike
from ..ops.array.basic import ones_of, reshape, shape_of, zeros_of
from ..ops.array.gather_nd import scatter_nd
from ..ops.array.identity import stop_gradient
from ..ops.array.join import concat, stack
from ..ops.array.shape import expand_dims
from ..ops.array.where import where
from ..ops.linalg.products import matmul
from ..ops.math.functions import log
from ..ops.primitives.cast import cast
from ..ops.primitives.compare import greater
from ..ops.random.candidate import compute_accidental_hits, log_uniform_candidate_sampler
from ..ops.reduce.reductions import reduce_sum
from .embedding import look_up
from .losses import sigmoid_cross_entropy_with_logits, softmax_cross_entropy_with_logits


def _cast_like(t: Any, like: Any) -> Any:
    return t if t.dtype.base_dtype is like.dtype.base_dtype else cast(t, like.dtype)


def sampled_logits(
    weights: Any, biases: Any, labels: Any, inputs: Any, num_sampled: Any, num_classes: Any, num_true: int, sampled_values: Any,
    remove_accidental_hits: bool, partition_strategy: str, name: str | None, seed: Any,
) -> tuple[Any, Any]:  # fmt: skip
    """Logits [batch, num_true + num_sampled] of the true classes and the drawn ones, less the logarithms of how often each was expected,
    and the targets that belong to them.
    """
    with scope(name, "compute_sampled_logits"):
        inputs = convert_to_tensor(inputs, name="inputs")
        labels = cast(convert_to_tensor(labels, dtype_hint=int64), int64)
        true = reshape(labels, [-1])
        if sampled_values is None:
            sampled_values = log_uniform_candidate_sampler(labels, num_true, num_sampled, True, num_classes, seed)
        drawn, true_count, drawn_count = map(stop_gradient, map(convert_to_tensor, sampled_values))
        drawn = cast(drawn, int64)
        classes, count = concat([true, drawn], 0), shape_of(true)
        rows = _cast_like(look_up(weights, classes, partition_strategy, None, None), inputs)
        offsets = _cast_like(look_up(biases, classes, partition_strategy, None, None), inputs)
        size = count[0]
        of_true, of_drawn = rows[:size], rows[size:]
        dim = shape_of(of_true)[1:2]
        products = expand_dims(inputs, 1) * reshape(of_true, concat([[-1, num_true], dim], 0))
        true_logits = reshape(reduce_sum(products, 2), [-1, num_true]) + reshape(offsets[:size], [-1, num_true])
        drawn_logits = matmul(inputs, of_drawn, transpose_b=True) + offsets[size:]
        if remove_accidental_hits:
            if not convert_to_tensor(num_sampled).dtype.is_integer:
                words = f"num_sampled was expected to be a int32 tensor, and is {num_sampled!r} [Op:ConcatV2]"
                raise InvalidArgumentError(None, None, words)
            drawn_logits = drawn_logits + _penalize_hits(labels, drawn, num_true, drawn_logits)
        true_logits = true_logits - log(_cast_like(true_count, inputs))
        drawn_logits = drawn_logits - log(_cast_like(drawn_count, inputs))
        targets = concat([ones_of(true_logits) / num_true, zeros_of(drawn_logits)], 1)
        return concat([true_logits, drawn_logits], 1), targets


def _penalize_hits(labels: Any, drawn: Any, num_true: int, like: Any) -> Any:
    """For each row about -inf where a drawn class is a true one."""
    rows, places, weights = compute_accidental_hits(labels, drawn, num_true)
    at = stack([rows, cast(places, int32)], 1)
    hit = scatter_nd(at, ones_of(weights), shape_of(like))
    lowest = np.array(np.finfo(np.float32).min, np.float32)
    return cast(where(greater(hit, 0.0), lowest, zeros_of(hit)), like.dtype)


@export(v2="nn.nce_loss")
def nce_loss(
    weights: TensorLike, biases: TensorLike, labels: TensorLike, inputs: TensorLike, num_sampled: IntLike, num_classes: IntLike,
    num_true: int = 1, sampled_values: Sequence[TensorLike] | None = None,
    remove_accidental_hits: bool = False, name: str = "nce_loss",
) -> Tensor:  # fmt: skip
    """The loss of noise-contrastive estimation: telling the true classes from drawn ones, a number for each row.

    weights: [num_classes, dim], or several whose rows follow one another.  biases: [num_classes].  labels: integers of shape
    [batch, num_true].  inputs: [batch, dim].  sampled_values: what a candidate sampler gave; `log_uniform_candidate_sampler` is asked
    when None.  remove_accidental_hits: whether drawn classes that are true do not count.
    Source: M. Gutmann and A. Hyvärinen, "Noise-contrastive estimation" (2010).

    >>> drawn = tf.random.all_candidate_sampler([[1]], 1, 2, True)
    >>> tf.nn.nce_loss(tf.zeros([2, 1]), tf.zeros([2]), [[1]], [[1.0]], 2, 2, sampled_values=drawn).numpy().round(3).tolist()
    [2.0789999961853027]
    """
    return nce_loss_by(
        weights, biases, labels, inputs, num_sampled, num_classes, num_true, sampled_values, remove_accidental_hits, "div", name
    )


@export(v1="nn.nce_loss")
def nce_loss_by(
    weights: TensorLike, biases: TensorLike, labels: TensorLike, inputs: TensorLike, num_sampled: IntLike, num_classes: IntLike,
    num_true: int = 1, sampled_values: Sequence[TensorLike] | None = None,
    remove_accidental_hits: bool = False, partition_strategy: str = "mod", name: str = "nce_loss",
) -> Tensor:  # fmt: skip
    """`nce_loss` with a strategy for several tables: "mod" deals their rows out in turn, "div" in runs.

    >>> drawn = tf.random.all_candidate_sampler([[1]], 1, 2, True)
    >>> tf.compat.v1.nn.nce_loss(tf.zeros([2, 1]), tf.zeros([2]), [[1]], [[1.0]], 2, 2, sampled_values=drawn).numpy().round(3)
    array([2.079], dtype=float32)
    """
    logits, targets = sampled_logits(
        weights, biases, labels, inputs, num_sampled, num_classes, num_true, sampled_values, remove_accidental_hits, partition_strategy,
        name, None,
    )  # fmt: skip
    return reduce_sum(sigmoid_cross_entropy_with_logits(labels=targets, logits=logits, name="sampled_losses"), 1)


@export(v2="nn.sampled_softmax_loss")
def sampled_softmax_loss(
    weights: TensorLike, biases: TensorLike, labels: TensorLike, inputs: TensorLike, num_sampled: IntLike, num_classes: IntLike,
    num_true: int = 1, sampled_values: Sequence[TensorLike] | None = None,
    remove_accidental_hits: bool = True, seed: IntLike | None = None, name: str = "sampled_softmax_loss",
) -> Tensor:  # fmt: skip
    """The cross-entropy of a softmax over the true classes and drawn ones, a number for each row; arguments as `nce_loss`.

    seed: of the sampler, see `tf.random.set_seed`.
    Source: S. Jean and others, "On using very large target vocabulary for neural machine translation" (2015).

    >>> drawn = tf.random.all_candidate_sampler([[1]], 1, 2, True)
    >>> tf.nn.sampled_softmax_loss(tf.zeros([2, 1]), tf.zeros([2]), [[1]], [[1.0]], 2, 2, sampled_values=drawn).numpy().round(3).tolist()
    [0.6930000185966492]
    """
    return sampled_softmax_loss_by(
        weights, biases, labels, inputs, num_sampled, num_classes, num_true, sampled_values, remove_accidental_hits, "div", name, seed
    )


@export(v1="nn.sampled_softmax_loss")
def sampled_softmax_loss_by(
    weights: TensorLike, biases: TensorLike, labels: TensorLike, inputs: TensorLike, num_sampled: IntLike, num_classes: IntLike,
    num_true: int = 1, sampled_values: Sequence[TensorLike] | None = None,
    remove_accidental_hits: bool = True, partition_strategy: str = "mod", name: str = "sampled_softmax_loss", seed: IntLike | None = None,
) -> Tensor:  # fmt: skip
    """`sampled_softmax_loss` with a strategy for several tables: "mod" deals their rows out in turn, "div" in runs.

    >>> drawn = tf.random.all_candidate_sampler([[1]], 1, 2, True)
    >>> tf.compat.v1.nn.sampled_softmax_loss(tf.zeros([2, 1]), tf.zeros([2]), [[1]], [[1.0]], 2, 2, sampled_values=drawn).numpy().round(3)
    array([0.693], dtype=float32)
    """
    logits, targets = sampled_logits(
        weights, biases, labels, inputs, num_sampled, num_classes, num_true, sampled_values, remove_accidental_hits, partition_strategy,
        name, seed,
    )  # fmt: skip
    return softmax_cross_entropy_with_logits(labels=stop_gradient(targets), logits=logits)
