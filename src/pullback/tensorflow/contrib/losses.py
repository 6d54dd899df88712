"""`tf.contrib.losses` and `slim.losses`: the losses of `tf.losses`, with predictions before labels."""

from __future__ import annotations

from typing import Any

from ...base.export import export
from ...ir.tensor import NumberLike, Tensor
from ..losses import v1
from .arg_scope import add_arg_scope


@export(v1=("contrib.losses.absolute_difference", "contrib.slim.losses.absolute_difference"))
@add_arg_scope
def absolute_difference(predictions: Any, labels: Any = None, weights: Any = 1.0, scope: str | None = None) -> Tensor:
    """`tf.losses.absolute_difference`.

    >>> tf.compat.v1.contrib.losses.absolute_difference([1.0, 3.0], [0.0, 0.0]).numpy()
    np.float32(2.0)
    """
    return v1.absolute_difference(labels, predictions, weights, scope)


@export(v1=("contrib.losses.mean_squared_error", "contrib.slim.losses.mean_squared_error"))
@add_arg_scope
def mean_squared_error(predictions: Any, labels: Any = None, weights: Any = 1.0, scope: str | None = None) -> Tensor:
    """`tf.losses.mean_squared_error`.

    >>> tf.compat.v1.contrib.losses.mean_squared_error([1.0, 3.0], [0.0, 0.0]).numpy()
    np.float32(5.0)
    """
    return v1.mean_squared_error(labels, predictions, weights, scope)


@export(v1=("contrib.losses.log_loss", "contrib.slim.losses.log_loss"))
@add_arg_scope
def log_loss(
    predictions: NumberLike, labels: NumberLike | None = None, weights: NumberLike = 1.0, epsilon: float = 1e-7, scope: str | None = None
) -> Tensor:
    """`tf.losses.log_loss`.

    >>> tf.compat.v1.contrib.losses.log_loss([0.5], [1.0]).numpy().round(4)
    np.float32(0.6931)
    """
    return v1.log_loss(labels, predictions, weights, epsilon, scope)


@export(v1=("contrib.losses.sigmoid_cross_entropy", "contrib.slim.losses.sigmoid_cross_entropy"))
@add_arg_scope
def sigmoid_cross_entropy(
    logits: NumberLike, multi_class_labels: NumberLike, weights: NumberLike = 1.0, label_smoothing: float = 0, scope: str | None = None
) -> Tensor:
    """`tf.losses.sigmoid_cross_entropy`.

    >>> tf.compat.v1.contrib.losses.sigmoid_cross_entropy([0.0], [1.0]).numpy().round(4)
    np.float32(0.6931)
    """
    return v1.sigmoid_cross_entropy(multi_class_labels, logits, weights, label_smoothing, scope)


@export(v1=("contrib.losses.softmax_cross_entropy", "contrib.slim.losses.softmax_cross_entropy"))
@add_arg_scope
def softmax_cross_entropy(
    logits: NumberLike, onehot_labels: NumberLike, weights: NumberLike = 1.0, label_smoothing: float = 0, scope: str | None = None
) -> Tensor:
    """`tf.losses.softmax_cross_entropy`.

    >>> tf.compat.v1.contrib.losses.softmax_cross_entropy([[0.0, 0.0]], [[1.0, 0.0]]).numpy().round(4)
    np.float32(0.6931)
    """
    return v1.softmax_cross_entropy(onehot_labels, logits, weights, label_smoothing, scope)


@export(v1=("contrib.losses.sparse_softmax_cross_entropy", "contrib.slim.losses.sparse_softmax_cross_entropy"))
@add_arg_scope
def sparse_softmax_cross_entropy(logits: NumberLike, labels: NumberLike, weights: NumberLike = 1.0, scope: str | None = None) -> Tensor:
    """`tf.losses.sparse_softmax_cross_entropy`.

    >>> tf.compat.v1.contrib.losses.sparse_softmax_cross_entropy([[0.0, 0.0]], [1]).numpy().round(4)
    np.float32(0.6931)
    """
    return v1.sparse_softmax_cross_entropy(labels, logits, weights, scope)


@export(v1=("contrib.losses.hinge_loss", "contrib.slim.losses.hinge_loss"))
@add_arg_scope
def hinge_loss(logits: Any, labels: Any = None, scope: str | None = None) -> Tensor:
    """The hinge loss of each element, which is in no collection.

    >>> tf.compat.v1.contrib.losses.hinge_loss([0.5, 2.0], [1.0, 1.0]).numpy().tolist()
    [0.5, 0.0]
    """
    return v1.hinge_loss(labels, logits, 1.0, scope, None, v1.Reduction.NONE)


@export(v1=("contrib.losses.add_loss", "contrib.slim.losses.add_loss"))
@add_arg_scope
def add_loss(loss: NumberLike, loss_collection: str | None = v1.LOSSES) -> None:
    """Add a loss to a collection of the graph.

    >>> with tf1.Graph().as_default():
    ...     tf1.contrib.slim.losses.add_loss(tf1.constant(1.0))
    ...     len(tf1.losses.get_losses())
    1
    """
    v1.add_loss(loss, loss_collection)


@export(v1=("contrib.losses.get_total_loss", "contrib.slim.losses.get_total_loss"))
def get_total_loss(add_regularization_losses: bool = True, name: str = "total_loss") -> Tensor:
    """The sum of the losses of the graph.

    >>> with tf1.Graph().as_default(), tf1.Session() as sess:
    ...     loss = tf1.contrib.slim.losses.mean_squared_error([2.0], [0.0])
    ...     sess.run(tf1.contrib.slim.losses.get_total_loss()).item()
    4.0
    """
    return v1.get_total_loss(add_regularization_losses, name)
