"""`tf.losses`: TensorFlow 1's losses, weighted, reduced to a scalar, and kept in the collection `GraphKeys.LOSSES`.

Every loss multiplies its element-wise values by `weights` and reduces them; by default it divides by the number of values whose
weight is not zero. `get_total_loss` adds up what was collected.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ..api.default import get_default_graph
from ..api.names import GraphKeys, name_scope
from ..base.dtypes import float32, float64
from ..ir.apply import convert_to_tensor
from ..ir.context import executing_eagerly
from ..nn.losses import sigmoid_cross_entropy_with_logits, softmax_cross_entropy_with_logits, sparse_softmax_cross_entropy_with_logits
from ..ops.array_basic import broadcast_to
from ..ops.array_create import ones_like
from ..ops.array_identity import identity, stop_gradient
from ..ops.array_shape import shape, size, squeeze
from ..ops.cast import cast
from ..ops.compare import not_equal
from ..ops.math import abs as absolute
from ..ops.math import minimum, multiply, squared_difference, subtract
from ..ops.math_division import divide_no_nan
from ..ops.math_functions import log
from ..ops.math_sums import add_n
from ..ops.nn_activations import relu
from ..ops.reduce import reduce_sum


class Reduction:
    """How a loss's values become one."""

    NONE = "none"
    SUM = "weighted_sum"
    SUM_OVER_BATCH_SIZE = "weighted_sum_over_batch_size"
    MEAN = "weighted_mean"
    SUM_BY_NONZERO_WEIGHTS = "weighted_sum_by_nonzero_weights"
    SUM_OVER_NONZERO_WEIGHTS = SUM_BY_NONZERO_WEIGHTS

    @classmethod
    def all(cls) -> tuple[str, ...]:
        """Every way."""
        return cls.NONE, cls.SUM, cls.MEAN, cls.SUM_OVER_BATCH_SIZE, cls.SUM_OVER_NONZERO_WEIGHTS, cls.SUM_BY_NONZERO_WEIGHTS

    @classmethod
    def validate(cls, key: str) -> None:
        """Raises ValueError where `key` is none of them."""
        if key not in cls.all():
            raise ValueError(f"Invalid Reduction Key {key}. Key should be one of {cls.all()}.")


_BY_NONZERO = Reduction.SUM_BY_NONZERO_WEIGHTS


def compute_weighted_loss(
    losses: Any,
    weights: Any = 1.0,
    scope: str | None = None,
    loss_collection: str | None = GraphKeys.LOSSES,
    reduction: str = _BY_NONZERO,
) -> Any:
    """`losses` times `weights`, reduced.

    Args:
        losses: floating, of any shape.
        weights: a scalar, or of the rank of `losses` with each dimension equal to its or 1.
        scope: the name scope.
        loss_collection: the collection that the result joins; none for None.
        reduction: one of `Reduction`.

    Raises:
        ValueError: another reduction, or weights of another shape.

    >>> import pullback as tf
    >>> float(tf.compat.v1.losses.compute_weighted_loss([1.0, 2.0, 6.0], weights=[1.0, 1.0, 0.0]))
    1.5
    """
    Reduction.validate(reduction)
    with name_scope(scope, "weighted_loss"):
        given = convert_to_tensor(losses)
        dtype = given.dtype.base_dtype
        wide = dtype if dtype is float64 else float32
        values, factors = cast(given, wide), cast(weights, wide)
        _check_weights(values, factors)
        weighted = multiply(values, factors)
        result = weighted if reduction == Reduction.NONE else _reduced(weighted, factors, reduction)
        return add_loss(cast(result, dtype), loss_collection)


def _reduced(weighted: Any, weights: Any, reduction: str) -> Any:
    total = reduce_sum(weighted)
    if reduction == Reduction.SUM:
        return total
    if reduction == Reduction.SUM_OVER_BATCH_SIZE:
        return divide_no_nan(total, cast(size(weighted), total.dtype))
    counted = weights if reduction == Reduction.MEAN else cast(not_equal(weights, 0.0), total.dtype)
    everywhere = broadcast_to(counted, shape(weighted)) if counted.shape.ndims == 0 else multiply(counted, ones_like(weighted))
    return divide_no_nan(total, reduce_sum(everywhere))


def _check_weights(values: Any, weights: Any) -> None:
    if weights.shape.ndims in (0, None) or values.shape.ndims is None:
        return
    mine, theirs = weights.shape.as_list(), values.shape.as_list()
    fits = len(mine) == len(theirs) and all(w in (v, 1, None) or v is None for w, v in zip(mine, theirs, strict=True))
    if not fits:
        raise ValueError(f"weights can not be broadcast to values. values.shape={tuple(theirs)}, weights.shape={tuple(mine)}")


def add_loss(loss: Any, loss_collection: str | None = GraphKeys.LOSSES) -> Any:
    """Add a loss to the graph's collection, and give it back."""
    if loss_collection and not executing_eagerly():
        get_default_graph().add_to_collection(loss_collection, loss)
    return loss


def get_losses(scope: str | None = None, loss_collection: str = GraphKeys.LOSSES) -> list[Any]:
    """The losses collected, those whose names start with `scope`."""
    return get_default_graph().get_collection(loss_collection, scope)


def get_regularization_losses(scope: str | None = None) -> list[Any]:
    """The losses of regularizers, those whose names start with `scope`."""
    return get_default_graph().get_collection(GraphKeys.REGULARIZATION_LOSSES, scope)


def get_regularization_loss(scope: str | None = None, name: str = "total_regularization_loss") -> Any:
    """The sum of the losses of regularizers; 0 where there are none."""
    losses = get_regularization_losses(scope)
    return add_n(losses, name=name) if losses else convert_to_tensor(0.0)


def get_total_loss(add_regularization_losses: bool = True, name: str = "total_loss", scope: str | None = None) -> Any:
    """The sum of the losses collected and, where asked for, those of regularizers."""
    losses = get_losses(scope)
    if add_regularization_losses:
        losses += get_regularization_losses(scope)
    return add_n(losses, name=name)


@contextmanager
def _two(scope: str | None, kind: str, labels: Any, label_name: str, others: Any, other_name: str) -> Iterator[tuple[Any, Any]]:
    """The two arguments of a loss as floating tensors of one shape, in the loss's scope."""
    for name, value in ((label_name, labels), (other_name, others)):
        if value is None:
            raise ValueError(f"Argument `{name}` must not be None.")
    with name_scope(scope, kind):
        found = convert_to_tensor(others)
        dtype = found.dtype.base_dtype if found.dtype.is_floating else float32
        first, second = cast(labels, dtype), cast(found, dtype)
        if not second.shape.is_compatible_with(first.shape):
            raise ValueError(f"Shapes {second.shape} and {first.shape} are incompatible")
        yield first, second


def absolute_difference(
    labels: Any,
    predictions: Any,
    weights: Any = 1.0,
    scope: str | None = None,
    loss_collection: str | None = GraphKeys.LOSSES,
    reduction: str = _BY_NONZERO,
) -> Any:
    """|predictions - labels|; further arguments as `compute_weighted_loss`."""
    with _two(scope, "absolute_difference", labels, "labels", predictions, "predictions") as (y, p):
        return compute_weighted_loss(absolute(subtract(p, y)), weights, None, loss_collection, reduction)


def mean_squared_error(
    labels: Any,
    predictions: Any,
    weights: Any = 1.0,
    scope: str | None = None,
    loss_collection: str | None = GraphKeys.LOSSES,
    reduction: str = _BY_NONZERO,
) -> Any:
    """(predictions - labels) ** 2; further arguments as `compute_weighted_loss`."""
    with _two(scope, "mean_squared_error", labels, "labels", predictions, "predictions") as (y, p):
        return compute_weighted_loss(squared_difference(p, y), weights, None, loss_collection, reduction)


def huber_loss(
    labels: Any,
    predictions: Any,
    weights: Any = 1.0,
    delta: float = 1.0,
    scope: str | None = None,
    loss_collection: str | None = GraphKeys.LOSSES,
    reduction: str = _BY_NONZERO,
) -> Any:
    """Half the squared error up to `delta`, and linear from there (Huber, 1964); further arguments as `compute_weighted_loss`."""
    with _two(scope, "huber_loss", labels, "labels", predictions, "predictions") as (y, p):
        error = absolute(subtract(p, y))
        near = minimum(error, delta)
        return compute_weighted_loss(0.5 * near * near + delta * (error - near), weights, None, loss_collection, reduction)


def log_loss(
    labels: Any,
    predictions: Any,
    weights: Any = 1.0,
    epsilon: float = 1e-7,
    scope: str | None = None,
    loss_collection: str | None = GraphKeys.LOSSES,
    reduction: str = _BY_NONZERO,
) -> Any:
    """-labels log(predictions + epsilon) - (1 - labels) log(1 - predictions + epsilon); further arguments as `compute_weighted_loss`."""
    with _two(scope, "log_loss", labels, "labels", predictions, "predictions") as (y, p):
        losses = -y * log(p + epsilon) - (1.0 - y) * log(1.0 - p + epsilon)
        return compute_weighted_loss(losses, weights, None, loss_collection, reduction)


def hinge_loss(
    labels: Any,
    logits: Any,
    weights: Any = 1.0,
    scope: str | None = None,
    loss_collection: str | None = GraphKeys.LOSSES,
    reduction: str = _BY_NONZERO,
) -> Any:
    """max(0, 1 - y logits), y being -1 and 1 for the labels 0 and 1; further arguments as `compute_weighted_loss`."""
    with _two(scope, "hinge_loss", labels, "labels", logits, "logits") as (y, z):
        return compute_weighted_loss(relu(1.0 - (2.0 * y - 1.0) * z), weights, None, loss_collection, reduction)


def cosine_distance(
    labels: Any,
    predictions: Any,
    axis: int | None = None,
    weights: Any = 1.0,
    scope: str | None = None,
    loss_collection: str | None = GraphKeys.LOSSES,
    reduction: str = _BY_NONZERO,
    dim: int | None = None,
) -> Any:
    """1 - sum(labels * predictions) along `axis`, for vectors of length 1; further arguments as `compute_weighted_loss`.

    Args:
        axis: kept with size 1; `dim` is its older name.

    Raises:
        ValueError: neither is given.
    """
    along = dim if axis is None else axis
    if along is None:
        raise ValueError("You must specify argument `axis`.")
    with _two(scope, "cosine_distance_loss", labels, "labels", predictions, "predictions") as (y, p):
        return compute_weighted_loss(1.0 - reduce_sum(y * p, along, keepdims=True), weights, None, loss_collection, reduction)


def sigmoid_cross_entropy(
    multi_class_labels: Any,
    logits: Any,
    weights: Any = 1.0,
    label_smoothing: float = 0,
    scope: str | None = None,
    loss_collection: str | None = GraphKeys.LOSSES,
    reduction: str = _BY_NONZERO,
) -> Any:
    """The cross-entropy of labels and sigmoid(logits), element by element; `label_smoothing` moves the labels towards 1/2."""
    with _two(scope, "sigmoid_cross_entropy_loss", multi_class_labels, "multi_class_labels", logits, "logits") as (y, z):
        if label_smoothing > 0:
            y = y * (1 - label_smoothing) + 0.5 * label_smoothing
        losses = sigmoid_cross_entropy_with_logits(labels=y, logits=z)
        return compute_weighted_loss(losses, weights, None, loss_collection, reduction)


def softmax_cross_entropy(
    onehot_labels: Any,
    logits: Any,
    weights: Any = 1.0,
    label_smoothing: float = 0,
    scope: str | None = None,
    loss_collection: str | None = GraphKeys.LOSSES,
    reduction: str = _BY_NONZERO,
) -> Any:
    """The cross-entropy of labels and softmax(logits) of each row; no gradient reaches the labels.

    Args:
        label_smoothing: moves the labels towards one over the number of classes.
    """
    with _two(scope, "softmax_cross_entropy_loss", onehot_labels, "onehot_labels", logits, "logits") as (y, z):
        if label_smoothing > 0:
            classes = cast(shape(y)[-1], z.dtype)
            y = y * (1 - label_smoothing) + label_smoothing / classes
        losses = softmax_cross_entropy_with_logits(labels=stop_gradient(y), logits=z)
        return compute_weighted_loss(losses, weights, None, loss_collection, reduction)


def sparse_softmax_cross_entropy(
    labels: Any,
    logits: Any,
    weights: Any = 1.0,
    scope: str | None = None,
    loss_collection: str | None = GraphKeys.LOSSES,
    reduction: str = _BY_NONZERO,
) -> Any:
    """The cross-entropy of class numbers and softmax(logits); labels and weights may have a last dimension of 1 too many."""
    for name, value in (("labels", labels), ("logits", logits)):
        if value is None:
            raise ValueError(f"Argument `{name}` must not be None.")
    with name_scope(scope, "sparse_softmax_cross_entropy_loss"):
        z, y, w = convert_to_tensor(logits), convert_to_tensor(labels), convert_to_tensor(weights)
        rank = z.shape.ndims
        y, w = (squeeze(t, [-1]) if t.shape.ndims == rank and t.shape.as_list()[-1] == 1 else identity(t) for t in (y, w))
        losses = sparse_softmax_cross_entropy_with_logits(labels=y, logits=z)
        return compute_weighted_loss(losses, w, None, loss_collection, reduction)
