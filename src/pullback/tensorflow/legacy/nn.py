"""`tf.nn` as TensorFlow 1 has it, but for convolutions: other argument orders, and arguments with two names."""

from __future__ import annotations

from typing import Any

from ...base.export import export
from ...base.renamed_arguments import resolve_renamed
from ...ir.apply import convert_to_tensor
from ...ir.composite import takes_composites
from ...ir.context import scope
from ...ir.tensor import IntLike, NumberLike, Padding, Tensor, TensorLike
from ...nn import activations, losses, normalization, pooling
from ...nn.dropout import dropout as _dropout
from ...nn.embedding import look_up
from ...ops.array.identity import stop_gradient


@export(v1="nn.max_pool")
def max_pool(
    value: NumberLike,
    ksize: IntLike,
    strides: IntLike,
    padding: Padding,
    data_format: str = "NHWC",
    name: str | None = None,
    input: NumberLike | None = None,
) -> Tensor:
    """`tf.nn.max_pool2d` of TensorFlow 2, with `value` for `input`.

    >>> image = tf.reshape(tf.range(16.0), [1, 4, 4, 1])
    >>> tf.compat.v1.nn.max_pool(image, ksize=[1, 2, 2, 1], strides=[1, 2, 2, 1], padding="VALID").numpy()[0, ..., 0].tolist()
    [[5.0, 7.0], [13.0, 15.0]]
    """
    return pooling.max_pool2d(resolve_renamed("input", input, "value", value), ksize, strides, padding, data_format, name or "MaxPool")


@export(v1=("nn.avg_pool", "nn.avg_pool2d"))
def avg_pool(
    value: NumberLike,
    ksize: IntLike,
    strides: IntLike,
    padding: Padding,
    data_format: str = "NHWC",
    name: str | None = None,
    input: NumberLike | None = None,
) -> Tensor:
    """`tf.nn.avg_pool2d` of TensorFlow 2, with `value` for `input`.

    >>> image = tf.reshape(tf.range(16.0), [1, 4, 4, 1])
    >>> tf.compat.v1.nn.avg_pool(image, ksize=[1, 2, 2, 1], strides=[1, 2, 2, 1], padding="VALID").numpy()[0, ..., 0].tolist()
    [[2.5, 4.5], [10.5, 12.5]]
    """
    return pooling.avg_pool2d(resolve_renamed("input", input, "value", value), ksize, strides, padding, data_format, name or "AvgPool")


@export(v1="nn.max_pool_v2")
def max_pool_v2(
    input: NumberLike, ksize: IntLike, strides: IntLike, padding: Padding, data_format: str | None = None, name: str | None = None
) -> Tensor:
    """`tf.nn.max_pool` of TensorFlow 2.

    >>> tf.compat.v1.nn.max_pool_v2([[[1.0], [3.0], [2.0], [0.0]]], ksize=2, strides=2, padding="VALID").numpy().ravel()
    array([3., 2.], dtype=float32)
    """
    return pooling.max_pool(input, ksize, strides, padding, data_format, name)


@export(v1="nn.dropout")
def dropout(
    x: NumberLike,
    keep_prob: Any = None,
    noise_shape: Any = None,
    seed: IntLike | None = None,
    name: str | None = None,
    rate: NumberLike | None = None,
) -> Tensor:
    """`tf.nn.dropout` of TensorFlow 2, or with `keep_prob` = 1 - rate.

    >>> with tf1.Graph().as_default(), tf1.Session() as session:
    ...     session.run(tf1.nn.dropout([1.0, 2.0], keep_prob=1.0)).tolist()
    [1.0, 2.0]
    """
    if keep_prob is not None and rate is not None:
        raise ValueError("dropout: cannot specify both `keep_prob` and `rate`.")
    if keep_prob is None and rate is None:
        raise ValueError("dropout: `rate` must be specified. Received: rate=None")
    if rate is None:
        if isinstance(keep_prob, (list, tuple, str)):
            raise ValueError(f"dropout: `keep_prob` must be a floating point number or Tensor. Received: keep_prob={keep_prob}")
        rate = 1 - keep_prob
    return _dropout(x, rate, noise_shape, seed, name)


@export(v1=("math.softmax", "nn.softmax"))
def softmax(logits: NumberLike, axis: IntLike | None = None, name: str | None = None, dim: IntLike | None = None) -> Tensor:
    """`tf.nn.softmax` of TensorFlow 2, with `dim` for `axis`.

    >>> tf.compat.v1.nn.softmax([[0.0, 0.0], [1.0, 1.0]], dim=1).numpy().tolist()
    [[0.5, 0.5], [0.5, 0.5]]
    """
    return activations.softmax(logits, resolve_renamed("axis", axis, "dim", dim), name)


@export(v1=("math.log_softmax", "nn.log_softmax"))
def log_softmax(logits: NumberLike, axis: IntLike | None = None, name: str | None = None, dim: IntLike | None = None) -> Tensor:
    """`tf.nn.log_softmax` of TensorFlow 2, with `dim` for `axis`.

    >>> tf.compat.v1.nn.log_softmax([0.0, 0.0], dim=0).numpy().round(4)
    array([-0.6931, -0.6931], dtype=float32)
    """
    return activations.log_softmax(logits, resolve_renamed("axis", axis, "dim", dim), name)


@export(v1="nn.crelu")
def crelu(features: NumberLike, name: str | None = None, axis: int = -1) -> Tensor:
    """`tf.nn.crelu` of TensorFlow 2.

    >>> tf.compat.v1.nn.crelu([-1.0, 2.0]).numpy()
    array([0., 2., 1., 0.], dtype=float32)
    """
    return activations.crelu(features, axis, name)


def _named_arguments(what: str, labels: Any, logits: Any) -> None:
    if labels is None or logits is None:
        raise ValueError(f"{what}: Both `labels` and `logits` must be provided. Received: labels={labels} and logits={logits}")


@export(v1="nn.softmax_cross_entropy_with_logits")
def softmax_cross_entropy_with_logits(
    labels: TensorLike | None = None, logits: NumberLike | None = None, dim: int = -1, name: str | None = None, axis: IntLike | None = None
) -> Tensor:
    """`tf.nn.softmax_cross_entropy_with_logits` of TensorFlow 2 with the labels held constant: no gradient reaches them.

    >>> labels, logits = tf.constant([0.0, 1.0]), tf.constant([0.0, 0.0])
    >>> with tf.GradientTape() as tape:
    ...     tape.watch([labels, logits])
    ...     loss = tf.compat.v1.nn.softmax_cross_entropy_with_logits(labels=labels, logits=logits)
    >>> [None if g is None else g.numpy() for g in tape.gradient(loss, [labels, logits])]
    [None, array([ 0.5, -0.5], dtype=float32)]
    """
    _named_arguments("softmax_cross_entropy_with_logits", labels, logits)
    dim = resolve_renamed("axis", axis, "dim", dim)
    default = "softmax_cross_entropy_with_logits_sg"
    with scope(name, default) as own:
        labels = stop_gradient(convert_to_tensor(labels, name="labels"), name="labels_stop_gradient")
        return losses.dense(labels, logits, dim, own, default)


@export(v1="nn.softmax_cross_entropy_with_logits_v2")
def softmax_cross_entropy_with_logits_v2(
    labels: NumberLike, logits: NumberLike, axis: IntLike | None = None, name: str | None = None, dim: IntLike | None = None
) -> Tensor:
    """`tf.nn.softmax_cross_entropy_with_logits` of TensorFlow 2, with `dim` for `axis`.

    >>> tf.compat.v1.nn.softmax_cross_entropy_with_logits_v2(labels=[[0.0, 1.0]], logits=[[0.0, 0.0]], dim=1).numpy().round(4)
    array([0.6931], dtype=float32)
    """
    axis = resolve_renamed("axis", axis, "dim", dim)
    return losses.softmax_cross_entropy_with_logits(labels, logits, -1 if axis is None else axis, name)


@export(v1="nn.sparse_softmax_cross_entropy_with_logits")
def sparse_softmax_cross_entropy_with_logits(labels: Any = None, logits: Any = None, name: str | None = None) -> Tensor:
    """`tf.nn.sparse_softmax_cross_entropy_with_logits` of TensorFlow 2.

    >>> tf.compat.v1.nn.sparse_softmax_cross_entropy_with_logits(labels=[1, 0], logits=[[0.0, 0.0], [3.0, 0.0]]).numpy().round(4)
    array([0.6931, 0.0486], dtype=float32)
    """
    _named_arguments("sparse_softmax_cross_entropy_with_logits", labels, logits)
    return losses.sparse_softmax_cross_entropy_with_logits(labels, logits, name)


@export(v1="nn.sigmoid_cross_entropy_with_logits")
def sigmoid_cross_entropy_with_logits(
    labels: NumberLike | None = None, logits: NumberLike | None = None, name: str | None = None
) -> Tensor:
    """`tf.nn.sigmoid_cross_entropy_with_logits` of TensorFlow 2.

    >>> tf.compat.v1.nn.sigmoid_cross_entropy_with_logits(labels=[1.0, 0.0], logits=[0.0, 2.0]).numpy().round(4)
    array([0.6931, 2.1269], dtype=float32)
    """
    _named_arguments("sigmoid_cross_entropy_with_logits", labels, logits)
    return losses.sigmoid_cross_entropy_with_logits(labels, logits, name)


@export(v1="nn.weighted_cross_entropy_with_logits")
def weighted_cross_entropy_with_logits(
    labels: NumberLike | None = None,
    logits: NumberLike | None = None,
    pos_weight: Any = None,
    name: str | None = None,
    targets: NumberLike | None = None,
) -> Tensor:
    """`tf.nn.weighted_cross_entropy_with_logits` of TensorFlow 2, with `targets` for `labels`.

    >>> tf.compat.v1.nn.weighted_cross_entropy_with_logits(targets=[1.0, 0.0], logits=[0.0, 0.0], pos_weight=3.0).numpy().round(4)
    array([2.0794, 0.6931], dtype=float32)
    """
    return losses.weighted_cross_entropy_with_logits(resolve_renamed("labels", labels, "targets", targets), logits, pos_weight, name)


@export(v1="nn.moments")
def moments(
    x: NumberLike,
    axes: IntLike,
    shift: IntLike | None = None,
    name: str | None = None,
    keep_dims: bool | None = None,
    keepdims: bool | None = None,
) -> tuple[Tensor, Tensor]:
    """`tf.nn.moments` of TensorFlow 2, with `keep_dims` for `keepdims`.

    >>> mean, variance = tf.compat.v1.nn.moments(tf.constant([[1.0, 3.0], [2.0, 6.0]]), axes=[1], keep_dims=True)
    >>> mean.numpy().tolist(), variance.numpy().tolist()
    ([[2.0], [4.0]], [[1.0], [4.0]])
    """
    return normalization.moments(x, axes, shift, bool(resolve_renamed("keepdims", keepdims, "keep_dims", keep_dims)), name)


@export(v1="nn.weighted_moments")
def weighted_moments(
    x: NumberLike,
    axes: IntLike,
    frequency_weights: Any,
    name: str | None = None,
    keep_dims: bool | None = None,
    keepdims: bool | None = None,
) -> tuple[Tensor, Tensor]:
    """`tf.nn.weighted_moments` of TensorFlow 2, with `keep_dims` for `keepdims`.

    >>> mean, variance = tf.compat.v1.nn.weighted_moments([1.0, 3.0, 100.0], axes=[0], frequency_weights=[1.0, 1.0, 0.0])
    >>> float(mean), float(variance)
    (2.0, 1.0)
    """
    return normalization.weighted_moments(
        x, axes, frequency_weights, bool(resolve_renamed("keepdims", keepdims, "keep_dims", keep_dims)), name
    )


@export(v1="nn.sufficient_statistics")
def sufficient_statistics(
    x: NumberLike,
    axes: IntLike,
    shift: IntLike | None = None,
    keep_dims: bool | None = None,
    name: str | None = None,
    keepdims: bool | None = None,
) -> tuple[Tensor, Tensor, Tensor, Tensor | None]:
    """`tf.nn.sufficient_statistics` of TensorFlow 2, with `keep_dims` for `keepdims`.

    >>> count, total, squares, shift = tf.compat.v1.nn.sufficient_statistics([1.0, 2.0, 3.0], axes=[0])
    >>> float(count), float(total), float(squares), shift
    (3.0, 6.0, 14.0, None)
    """
    return normalization.sufficient_statistics(x, axes, shift, bool(resolve_renamed("keepdims", keepdims, "keep_dims", keep_dims)), name)


@export(v1="nn.embedding_lookup")
@takes_composites
def embedding_lookup(
    params: NumberLike,
    ids: NumberLike,
    partition_strategy: str = "mod",
    name: str | None = None,
    validate_indices: bool = True,
    max_norm: NumberLike | None = None,
) -> Tensor:
    """`tf.nn.embedding_lookup` of TensorFlow 2 that deals the rows of several tables out by `partition_strategy`, "mod" or "div".

    >>> even, odd = [[0.0], [2.0]], [[1.0], [3.0]]
    >>> tf.compat.v1.nn.embedding_lookup([even, odd], [3, 0], partition_strategy="mod").numpy().tolist()
    [[3.0], [0.0]]
    """
    return look_up(params, ids, partition_strategy, max_norm, name)


@export(v1="nn.batch_norm_with_global_normalization")
def batch_norm_with_global_normalization(
    t: NumberLike | None = None,
    m: NumberLike | None = None,
    v: NumberLike | None = None,
    beta: Any = None,
    gamma: Any = None,
    variance_epsilon: Any = None,
    scale_after_normalization: Any = None,
    name: str | None = None,
    input: NumberLike | None = None,
    mean: Any = None,
    variance: Any = None,
) -> Tensor:
    """`tf.nn.batch_norm_with_global_normalization` of TensorFlow 2, with `t`, `m` and `v` for `input`, `mean` and `variance`.

    >>> x = tf.reshape(tf.constant([1.0, 3.0]), [1, 1, 1, 2])
    >>> found = tf.compat.v1.nn.batch_norm_with_global_normalization(x, [1.0, 1.0], [4.0, 4.0], [0.5, 0.5], [2.0, 2.0], 0.0, True)
    >>> found.numpy().ravel()
    array([0.5, 2.5], dtype=float32)
    """
    x, mean, variance = (
        resolve_renamed("input", input, "t", t),
        resolve_renamed("mean", mean, "m", m),
        resolve_renamed("variance", variance, "v", v),
    )
    return normalization.batch_norm_with_global_normalization(
        x, mean, variance, beta, gamma, variance_epsilon, bool(scale_after_normalization), name
    )


@export(v1="nn.pool")
def pool(
    input: NumberLike,
    window_shape: IntLike | None,
    pooling_type: str,
    padding: str,
    dilation_rate: IntLike | None = None,
    strides: IntLike | None = None,
    name: str | None = None,
    data_format: str | None = None,
    dilations: IntLike | None = None,
) -> Tensor:
    """`tf.nn.pool` of TensorFlow 2, with `dilation_rate` for `dilations`.

    >>> tf.compat.v1.nn.pool([[[1.0], [3.0], [2.0], [0.0]]], [2], "AVG", "VALID", strides=[2]).numpy().ravel()
    array([2., 1.], dtype=float32)
    """
    rates = resolve_renamed("dilations", dilations, "dilation_rate", dilation_rate)
    return pooling.pool(input, window_shape, pooling_type, strides, padding, data_format, rates, name)
