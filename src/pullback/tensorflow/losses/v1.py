"""`tf.losses` of TensorFlow 1: losses weighted, reduced to a scalar, and gathered in a collection of the graph.

Each function computes a loss for every element or row and hands it to `compute_weighted_loss`.
"""

from __future__ import annotations

from typing import Any

from ...base.dtypes import float32
from ...base.export import export
from ...ir.apply import convert_to_tensor
from ...ir.context import current, scope
from ...ir.tensor import NumberLike, Tensor
from ...nn import losses
from ...ops.array.basic import broadcast_to, ones_of, shape_of, zeros_of
from ...ops.array.identity import stop_gradient
from ...ops.array.shape import size, squeeze
from ...ops.array.where import where
from ...ops.math.arithmetic import add, minimum, multiply, squared_difference, subtract
from ...ops.math.division import divide_no_nan
from ...ops.math.functions import log
from ...ops.math.sums import add_n
from ...ops.nn.activations import RELU
from ...ops.primitives.cast import cast
from ...ops.primitives.compare import not_equal
from ...ops.reduce.reductions import reduce_sum
from .weights import require_broadcastable

LOSSES, REGULARIZATION = "losses", "regularization_losses"


@export(v1="losses.Reduction")
class Reduction:
    """How the losses of all elements become one.

    >>> tf.compat.v1.losses.absolute_difference([0.0, 0.0], [1.0, 3.0], reduction=tf.compat.v1.losses.Reduction.SUM).numpy()
    np.float32(4.0)
    """

    NONE = "none"
    SUM = "weighted_sum"
    MEAN = "weighted_mean"
    SUM_OVER_BATCH_SIZE = "weighted_sum_over_batch_size"
    SUM_BY_NONZERO_WEIGHTS = "weighted_sum_by_nonzero_weights"
    SUM_OVER_NONZERO_WEIGHTS = SUM_BY_NONZERO_WEIGHTS

    @classmethod
    def all(cls) -> tuple[str, ...]:
        """All the names."""
        return (cls.NONE, cls.SUM, cls.MEAN, cls.SUM_OVER_BATCH_SIZE, cls.SUM_OVER_NONZERO_WEIGHTS, cls.SUM_BY_NONZERO_WEIGHTS)

    @classmethod
    def validate(cls, key: str) -> None:
        """Refuse what is no name."""
        if key not in cls.all():
            raise ValueError(f"Invalid Reduction Key {key}. Key should be one of {cls.all()}.")


_USUAL = Reduction.SUM_BY_NONZERO_WEIGHTS


@export(v1="losses.compute_weighted_loss")
def compute_weighted_loss(
    losses: NumberLike, weights: NumberLike = 1.0, scope: str | None = None, loss_collection: str | None = LOSSES, reduction: str = _USUAL
) -> Tensor:
    """The `losses` times `weights`, reduced, and added to `loss_collection`.

    weights: a scalar, or of the rank of the losses with each size theirs or 1; a ValueError otherwise.  reduction: the sum over the
    number of weights that are not 0 unless told otherwise; a ValueError for an unknown one.

    >>> with tf1.Graph().as_default(), tf1.Session() as session:
    ...     session.run(tf1.losses.compute_weighted_loss([1.0, 3.0])).item()
    2.0
    """
    Reduction.validate(reduction)
    with _scope(scope, "weighted_loss"):
        return _reduce_losses(losses, weights, loss_collection, reduction)


_scope = scope


def _reduce_losses(values: Any, weights: Any, loss_collection: Any, reduction: str) -> Any:
    Reduction.validate(reduction)
    values = convert_to_tensor(values)
    dtype = values.dtype
    values, weights = cast(values, float32), cast(convert_to_tensor(weights), float32)
    require_broadcastable(weights, values)
    weighted = multiply(values, weights)
    if reduction == Reduction.NONE:
        loss = weighted
    else:
        loss = reduce_sum(weighted)
        if reduction == Reduction.MEAN:
            loss = divide_no_nan(loss, reduce_sum(ones_of(values) * weights))
        elif reduction == Reduction.SUM_OVER_BATCH_SIZE:
            loss = divide_no_nan(loss, cast(size(values), float32))
        elif reduction == Reduction.SUM_BY_NONZERO_WEIGHTS:
            present = where(not_equal(weights, zeros_of(weights)), ones_of(weights), zeros_of(weights))
            loss = divide_no_nan(loss, reduce_sum(broadcast_to(present, shape_of(values))), name="value")
    loss = cast(loss, dtype)
    add_loss(loss, loss_collection)
    return loss


@export(v1="losses.add_loss")
def add_loss(loss: NumberLike, loss_collection: str | None = LOSSES) -> None:
    """Add `loss` to a collection of the graph; eagerly there is none.

    >>> with tf1.Graph().as_default(), tf1.Session() as session:
    ...     tf1.losses.add_loss(tf1.constant(3.0))
    ...     session.run(tf1.losses.get_total_loss()).item()
    3.0
    """
    graph = current().graph
    if graph is not None and loss_collection:
        graph.add_to_collection(loss_collection, loss)


@export(v1=("losses.get_losses", "contrib.losses.get_losses", "contrib.slim.losses.get_losses"))
def get_losses(scope: str | None = None, loss_collection: str | None = LOSSES) -> list[Tensor]:
    """The losses of a collection, those whose name begins with `scope` if given.

    >>> with tf1.Graph().as_default():
    ...     loss = tf1.losses.mean_squared_error([1.0], [3.0])
    ...     tf1.losses.get_losses() == [loss]
    True
    """
    graph = current().graph
    return [] if graph is None else graph.get_collection(loss_collection, scope)


@export(
    v1=(
        "losses.get_regularization_losses",
        "contrib.losses.get_regularization_losses", "contrib.slim.losses.get_regularization_losses",
    )
)  # fmt: skip
def get_regularization_losses(scope: str | None = None) -> list[Tensor]:
    """The losses that regularizers added.

    >>> with tf1.Graph().as_default():
    ...     w = tf1.get_variable("w", [2], regularizer=tf1.reduce_sum)
    ...     len(tf1.losses.get_regularization_losses())
    1
    """
    return get_losses(scope, REGULARIZATION)


@export(v1="losses.get_regularization_loss")
def get_regularization_loss(scope: str | None = None, name: str = "total_regularization_loss") -> Tensor:
    """The sum of the losses that regularizers added; 0 without any.

    >>> with tf1.Graph().as_default(), tf1.Session() as session:
    ...     for name in "ab":
    ...         v = tf1.get_variable(name, [2], initializer=tf1.ones_initializer(), regularizer=tf1.reduce_sum)
    ...     session.run(tf1.global_variables_initializer())
    ...     session.run(tf1.losses.get_regularization_loss()).item()
    4.0
    """
    found = get_regularization_losses(scope)
    return add_n(found, name=name) if found else convert_to_tensor(0.0)


@export(v1="losses.get_total_loss")
def get_total_loss(add_regularization_losses: bool = True, name: str = "total_loss", scope: str | None = None) -> Tensor:
    """The sum of all losses of the graph.

    >>> with tf1.Graph().as_default():
    ...     loss = tf1.losses.mean_squared_error([1.0], [3.0])
    ...     tf1.Session().run(tf1.losses.get_total_loss()).item()
    4.0
    """
    found = get_losses(scope) + (get_regularization_losses(scope) if add_regularization_losses else [])
    if not found:
        raise ValueError("get_total_loss: no losses were added to this graph")
    return add_n(found, name=name)


def _pair(labels: Any, predictions: Any, what: str) -> tuple[Any, Any]:
    """Both as float32 tensors of one shape."""
    if labels is None or predictions is None:
        raise ValueError(f"{what}: Argument `{'labels' if labels is None else 'predictions'}` must not be None.")
    predictions, labels = cast(convert_to_tensor(predictions), float32), cast(convert_to_tensor(labels), float32)
    predictions.shape.assert_is_compatible_with(labels.shape)
    return labels, predictions


@export(v1="losses.mean_squared_error")
def mean_squared_error(
    labels: Any, predictions: Any, weights: Any = 1.0, scope: str | None = None, loss_collection: Any = LOSSES, reduction: str = _USUAL
) -> Tensor:
    """The mean of (predictions - labels)**2; weights, collection and reduction as `compute_weighted_loss`.

    >>> with tf1.Graph().as_default(), tf1.Session() as session:
    ...     session.run(tf1.losses.mean_squared_error([1.0, 2.0], [1.0, 4.0])).item()
    2.0
    """
    with _scope(scope, "mean_squared_error"):
        labels, predictions = _pair(labels, predictions, "mean_squared_error")
        return _reduce_losses(squared_difference(predictions, labels), weights, loss_collection, reduction)


@export(v1="losses.absolute_difference")
def absolute_difference(
    labels: NumberLike,
    predictions: NumberLike,
    weights: NumberLike = 1.0,
    scope: str | None = None,
    loss_collection: str | None = LOSSES,
    reduction: str = _USUAL,
) -> Tensor:
    """The mean of |predictions - labels|; the rest as `mean_squared_error`.

    >>> tf.compat.v1.losses.absolute_difference([1.0, 2.0], [1.0, 5.0], weights=[1.0, 2.0]).numpy()
    np.float32(3.0)
    """
    with _scope(scope, "absolute_difference"):
        labels, predictions = _pair(labels, predictions, "absolute_difference")
        return _reduce_losses(abs(subtract(predictions, labels)), weights, loss_collection, reduction)


@export(v1="losses.huber_loss")
def huber_loss(
    labels: Any,
    predictions: Any,
    weights: NumberLike = 1.0,
    delta: float = 1.0,
    scope: str | None = None,
    loss_collection: Any = LOSSES,
    reduction: str = _USUAL,
) -> Tensor:
    """The mean of half the squared error up to an error of `delta`, linear beyond (Huber, 1964); the rest as `mean_squared_error`.

    >>> tf.compat.v1.losses.huber_loss([0.0, 0.0], [0.5, 3.0], reduction="none").numpy()
    array([0.125, 2.5  ], dtype=float32)
    """
    with _scope(scope, "huber_loss"):
        labels, predictions = _pair(labels, predictions, "huber_loss")
        error = abs(subtract(predictions, labels))
        quadratic = minimum(error, delta)
        linear, half = subtract(error, quadratic), convert_to_tensor(0.5, quadratic.dtype)
        values = add(multiply(half, multiply(quadratic, quadratic)), multiply(delta, linear))
        return _reduce_losses(values, weights, loss_collection, reduction)


@export(v1="losses.log_loss")
def log_loss(
    labels: Any,
    predictions: Any,
    weights: NumberLike = 1.0,
    epsilon: float = 1e-7,
    scope: str | None = None,
    loss_collection: Any = LOSSES,
    reduction: str = _USUAL,
) -> Tensor:
    """The mean of -labels * log(predictions + epsilon) - (1 - labels) * log(1 - predictions + epsilon).

    >>> tf.compat.v1.losses.log_loss([1.0, 0.0], [0.5, 0.5]).numpy().round(4)
    np.float32(0.6931)
    """
    with _scope(scope, "log_loss"):
        labels, predictions = _pair(labels, predictions, "log_loss")
        values = -(labels * log(predictions + epsilon)) - (1 - labels) * log(1 - predictions + epsilon)
        return _reduce_losses(values, weights, loss_collection, reduction)


@export(v1="losses.hinge_loss")
def hinge_loss(
    labels: Any, logits: Any, weights: Any = 1.0, scope: str | None = None, loss_collection: Any = LOSSES, reduction: str = _USUAL
) -> Tensor:
    """The mean of max(0, 1 - y * logits) with y = -1 for labels 0 and 1 for labels 1.

    >>> tf.compat.v1.losses.hinge_loss([1.0, 0.0], [0.75, 0.75], reduction="none").numpy()
    array([0.25, 1.75], dtype=float32)
    """
    with _scope(scope, "hinge_loss"):
        labels, logits = _pair(labels, logits, "hinge_loss")
        return _reduce_losses(RELU.call(1.0 - (2 * labels - 1.0) * logits), weights, loss_collection, reduction)


@export(v1="losses.cosine_distance")
def cosine_distance(
    labels: Any,
    predictions: Any,
    axis: Any = None,
    weights: Any = 1.0,
    scope: str | None = None,
    loss_collection: Any = LOSSES,
    reduction: str = _USUAL,
    dim: Any = None,
) -> Tensor:
    """The mean of 1 - sum(labels * predictions) along `axis`, for labels and predictions of length 1.

    >>> tf.compat.v1.losses.cosine_distance([[1.0, 0.0], [1.0, 0.0]], [[1.0, 0.0], [0.0, 1.0]], axis=1).numpy()
    np.float32(0.5)
    """
    axis = dim if axis is None else axis
    if axis is None:
        raise ValueError("cosine_distance: You must specify argument `axis`.")
    with _scope(scope, "cosine_distance_loss"):
        labels, predictions = _pair(labels, predictions, "cosine_distance")
        return _reduce_losses(1.0 - reduce_sum(multiply(predictions, labels), [axis], keepdims=True), weights, loss_collection, reduction)


@export(v1="losses.sigmoid_cross_entropy")
def sigmoid_cross_entropy(
    multi_class_labels: NumberLike,
    logits: NumberLike,
    weights: NumberLike = 1.0,
    label_smoothing: float = 0,
    scope: str | None = None,
    loss_collection: str | None = LOSSES,
    reduction: str = _USUAL,
) -> Tensor:
    """The mean of `sigmoid_cross_entropy_with_logits`, its labels moved towards a half by `label_smoothing`.

    >>> tf.compat.v1.losses.sigmoid_cross_entropy([1.0, 0.0], [0.0, 2.0]).numpy().round(4)
    np.float32(1.41)
    """
    with _scope(scope, "sigmoid_cross_entropy_loss"):
        logits = convert_to_tensor(logits)
        labels = cast(convert_to_tensor(multi_class_labels), logits.dtype)
        logits.shape.assert_is_compatible_with(labels.shape)
        if label_smoothing > 0:
            labels = labels * (1 - label_smoothing) + 0.5 * label_smoothing
        return _reduce_losses(losses.sigmoid_cross_entropy_with_logits(labels, logits, "xentropy"), weights, loss_collection, reduction)


@export(v1="losses.softmax_cross_entropy")
def softmax_cross_entropy(
    onehot_labels: NumberLike,
    logits: NumberLike,
    weights: NumberLike = 1.0,
    label_smoothing: float = 0,
    scope: str | None = None,
    loss_collection: str | None = LOSSES,
    reduction: str = _USUAL,
) -> Tensor:
    """The mean of `softmax_cross_entropy_with_logits`, its labels held constant and moved towards equal ones by `label_smoothing`.

    >>> tf.compat.v1.losses.softmax_cross_entropy([[0.0, 1.0]], [[0.0, 0.0]]).numpy().round(4)
    np.float32(0.6931)
    """
    with _scope(scope, "softmax_cross_entropy_loss"):
        logits = convert_to_tensor(logits)
        labels = cast(convert_to_tensor(onehot_labels), logits.dtype)
        logits.shape.assert_is_compatible_with(labels.shape)
        if label_smoothing > 0:
            classes = cast(shape_of(labels)[-1], logits.dtype)
            labels = labels * (1 - label_smoothing) + label_smoothing / classes
        values = losses.dense(stop_gradient(labels, name="labels_stop_gradient"), logits, -1, "xentropy", "xentropy")
        return _reduce_losses(values, weights, loss_collection, reduction)


@export(v1="losses.sparse_softmax_cross_entropy")
def sparse_softmax_cross_entropy(
    labels: NumberLike,
    logits: NumberLike,
    weights: NumberLike = 1.0,
    scope: str | None = None,
    loss_collection: str | None = LOSSES,
    reduction: str = _USUAL,
) -> Tensor:
    """The mean of `sparse_softmax_cross_entropy_with_logits`; labels and weights may have a last dimension of 1.

    >>> tf.compat.v1.losses.sparse_softmax_cross_entropy([[1], [0]], [[0.0, 0.0], [0.0, 0.0]], weights=[[1.0], [0.0]]).numpy().round(4)
    np.float32(0.6931)
    """
    with _scope(scope, "sparse_softmax_cross_entropy_loss"):
        labels, logits, weights = convert_to_tensor(labels), convert_to_tensor(logits), convert_to_tensor(weights)
        rank = None if logits.dims is None else len(logits.dims)
        if rank is not None and labels.dims and len(labels.dims) == rank and labels.dims[-1] in (1, None):
            labels = squeeze(labels, [-1])
        if labels.dims is not None and weights.dims is not None and len(weights.dims) == len(labels.dims) + 1:
            weights = squeeze(weights, [-1])
        values = losses.sparse_softmax_cross_entropy_with_logits(labels, logits, "xentropy")
        return _reduce_losses(values, weights, loss_collection, reduction)
