"""`fully_connected`, `embed_sequence`, `dropout` and the other layers of `tf.contrib.layers` and `slim` that are no convolutions."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Any

from ...api.initializers import Zeros
from ...api.names import name_scope
from ...api.variable_scope import VariableScope, variable_scope
from ...base.dtypes import float32, int64
from ...base.export import export
from ...ir.apply import convert_to_tensor
from ...ir.tensor import NumberLike, Tensor, TensorLike
from ...nn.activations import softmax as softmax_rows
from ...nn.embedding import embedding_lookup
from ...ops.array.create import one_hot
from ...ops.linalg.products import matmul, tensordot
from ...ops.math.arithmetic import square
from ...ops.math.functions import sqrt
from ...ops.nn.activations import relu
from ...ops.nn.bias import bias_add as add_bias
from ...ops.primitives.cast import cast
from ...ops.reduce.reductions import reduce_sum
from ..layers import functions
from .arg_scope import add_arg_scope
from .collections import channels_of, collect_named_outputs, make_variable
from .regularizers import Regularizer, xavier_initializer

Function = Callable[..., Any] | None


def finish(
    y: TensorLike, activation_fn: Function, normalizer_fn: Function, normalizer_params: Mapping[str, Any] | None,
    collections: Iterable[Hashable] | None, alias: str,
) -> Tensor:  # fmt: skip
    """What a layer's result goes through: the normalizer, the activation, the collections."""
    if normalizer_fn is not None:
        y = normalizer_fn(y, **(normalizer_params or {}))
    if activation_fn is not None:
        y = activation_fn(y)
    return collect_named_outputs(collections, alias, y)


def add_biases(
    y: Tensor, size: int, layout: str | None, normalizer: Function, initializer: Callable[..., Any] | TensorLike | None,
    regularizer: Regularizer | None, trainable: bool, collections: Iterable[Hashable] | None,
) -> Tensor:  # fmt: skip
    """A layer's product plus its variable "biases", where there is no normalizer in their place."""
    if normalizer is not None or initializer is None:
        return y
    return add_bias(y, make_variable("biases", [size], y.dtype, initializer, regularizer, trainable, collections), data_format=layout)


@export(v1=("contrib.layers.fully_connected", "contrib.slim.fully_connected"))
@add_arg_scope
def fully_connected(
    inputs: NumberLike,
    num_outputs: int,
    activation_fn: Function = relu,
    normalizer_fn: Function = None,
    normalizer_params: dict[str, Any] | None = None,
    weights_initializer: Callable[..., Any] | None = None,
    weights_regularizer: Regularizer | None = None,
    biases_initializer: Callable[..., Any] | None = Zeros,
    biases_regularizer: Regularizer | None = None,
    reuse: bool | None = None,
    variables_collections: Iterable[Hashable] | None = None,
    outputs_collections: Sequence[str] | str | None = None,
    trainable: bool = True,
    scope: str | VariableScope | None = None,
) -> Tensor:
    """activation_fn(inputs . weights + biases) along the last axis, whose size is known.

    Args:
        num_outputs: the size of the result's last axis.
        activation_fn: relu; nothing when None.
        normalizer_fn, normalizer_params: applied in place of the biases.
        weights_initializer: Xavier's when None.
        biases_initializer: None for no biases.
        weights_regularizer, biases_regularizer: losses added to `GraphKeys.REGULARIZATION_LOSSES`.
        reuse, scope: whether and from where to share the variables "weights" and "biases"; "fully_connected" made unique when None.
        variables_collections, outputs_collections: collections to add to.
        trainable: whether optimizers change the variables.

    Raises:
        ValueError: the inputs have no last axis of a known size.

    >>> with tf1.Graph().as_default(), tf1.Session() as sess:
    ...     y = tf1.contrib.layers.fully_connected(tf1.ones([2, 3]), 4, weights_initializer=tf1.ones_initializer(), scope="out")
    ...     sess.run(tf1.global_variables_initializer())
    ...     print(sess.run(y).tolist(), [v.name for v in tf1.trainable_variables()])
    [[3.0, 3.0, 3.0, 3.0], [3.0, 3.0, 3.0, 3.0]] ['out/weights:0', 'out/biases:0']
    """
    with variable_scope(scope, default_name="fully_connected", reuse=reuse) as entered:
        x = convert_to_tensor(inputs)
        rank = x.shape.ndims
        if rank is None or rank < 2 or x.shape.as_list()[-1] is None:
            raise ValueError(f"fully_connected takes a matrix or more, whose last dimension is known, not the shape {x.shape}")
        dtype, first = x.dtype.base_dtype, weights_initializer or xavier_initializer()
        shape = [x.shape.as_list()[-1], num_outputs]
        weights = make_variable("weights", shape, dtype, first, weights_regularizer, trainable, variables_collections)
        y = matmul(x, weights) if rank == 2 else tensordot(x, weights, [[rank - 1], [0]])
        biases = normalizer_fn, biases_initializer, biases_regularizer, trainable, variables_collections
        y = add_biases(y, num_outputs, None, *biases)
        return finish(y, activation_fn, normalizer_fn, normalizer_params, outputs_collections, entered.name)


@export(v1="contrib.layers.linear")
def linear(inputs: NumberLike, num_outputs: int, **kwargs: Any) -> Tensor:
    """`fully_connected` without an activation.

    >>> with tf1.Graph().as_default():
    ...     tf1.contrib.layers.linear(tf1.ones([2, 3]), 4).shape
    TensorShape([2, 4])
    """
    return fully_connected(inputs, num_outputs, **{"activation_fn": None, **kwargs})


@export(v1=("contrib.layers.bias_add", "contrib.slim.bias_add"))
@add_arg_scope
def bias_add(
    inputs: NumberLike,
    activation_fn: Function = None,
    initializer: Any = Zeros,
    regularizer: Regularizer | None = None,
    reuse: bool | None = None,
    variables_collections: Any = None,
    outputs_collections: Sequence[str] | str | None = None,
    trainable: bool = True,
    data_format: str = "NHWC",
    scope: Any = None,
) -> Tensor:
    """A bias for each channel, as a layer with one variable, "biases".

    >>> with tf1.Graph().as_default(), tf1.Session() as sess:
    ...     y = tf1.contrib.layers.bias_add(tf1.ones([1, 2]), initializer=tf1.ones_initializer())
    ...     sess.run(tf1.global_variables_initializer())
    ...     sess.run(y).tolist()
    [[2.0, 2.0]]
    """
    with variable_scope(scope, default_name="BiasAdd", reuse=reuse) as entered:
        x = convert_to_tensor(inputs)
        _, size = channels_of(x, data_format)
        biases = make_variable("biases", [size], x.dtype.base_dtype, initializer, regularizer, trainable, variables_collections)
        return finish(add_bias(x, biases, data_format=data_format), activation_fn, None, None, outputs_collections, entered.name)


@export(v1=("contrib.layers.flatten", "contrib.slim.flatten"))
@add_arg_scope
def flatten(inputs: NumberLike, outputs_collections: Sequence[str] | str | None = None, scope: Any = None) -> Tensor:
    """All axes but the first as one.

    >>> tf.compat.v1.contrib.layers.flatten(tf.ones([2, 3, 4])).shape
    TensorShape([2, 12])
    """
    with name_scope(scope, "Flatten") as alias:
        return collect_named_outputs(outputs_collections, alias, functions.flatten(inputs))


@export(v1=("contrib.layers.dropout", "contrib.slim.dropout"))
@add_arg_scope
def dropout(
    inputs: NumberLike,
    keep_prob: Any = 0.5,
    noise_shape: Any = None,
    is_training: Any = True,
    outputs_collections: Any = None,
    scope: Any = None,
    seed: Any = None,
) -> Tensor:
    """Each element kept with probability `keep_prob` and divided by it while training; `inputs` itself otherwise.

    >>> tf.compat.v1.contrib.layers.dropout(tf.ones([2]), 0.5, is_training=False).numpy().tolist()
    [1.0, 1.0]
    """
    with name_scope(scope, "Dropout") as alias:
        return collect_named_outputs(outputs_collections, alias, functions.dropout(inputs, 1 - keep_prob, noise_shape, seed, is_training))


@export(v1=("contrib.layers.softmax", "contrib.slim.softmax"))
def softmax(logits: NumberLike, scope: str | None = None) -> Tensor:
    """Probabilities along the last axis of logits of any rank.

    >>> tf.compat.v1.contrib.layers.softmax(tf.zeros([1, 1, 2])).numpy().tolist()
    [[[0.5, 0.5]]]
    """
    with name_scope(scope, "softmax"):
        return softmax_rows(logits)


@export(v1=("contrib.layers.one_hot_encoding", "contrib.slim.one_hot_encoding"))
@add_arg_scope
def one_hot_encoding(
    labels: NumberLike,
    num_classes: int,
    on_value: float = 1.0,
    off_value: float = 0.0,
    outputs_collections: Sequence[str] | str | None = None,
    scope: Any = None,
) -> Tensor:
    """`tf.one_hot` of labels of any integer dtype, in float32.

    >>> tf.compat.v1.contrib.layers.one_hot_encoding([1, 0], 2).numpy().tolist()
    [[0.0, 1.0], [1.0, 0.0]]
    """
    with name_scope(scope, "OneHotEncoding") as alias:
        found = one_hot(cast(convert_to_tensor(labels), int64), num_classes, on_value, off_value, dtype=float32)
        return collect_named_outputs(outputs_collections, alias, found)


@export(v1="contrib.layers.embed_sequence")
def embed_sequence(
    ids: NumberLike,
    vocab_size: int | None = None,
    embed_dim: int | None = None,
    unique: bool = False,
    initializer: Any = None,
    regularizer: Regularizer | None = None,
    trainable: bool = True,
    scope: Any = None,
    reuse: bool | None = None,
) -> Tensor:
    """Rows of a variable "embeddings" [vocab_size, embed_dim] for each id.

    Args:
        unique: taken; each row is looked up where it stands.

    Raises:
        ValueError: a size is missing and there is no variable to reuse.

    >>> with tf1.Graph().as_default():
    ...     tf1.contrib.layers.embed_sequence([[1, 2, 1]], vocab_size=4, embed_dim=8).shape
    TensorShape([1, 3, 8])
    """
    if not (reuse or (vocab_size and embed_dim)):
        sizes = f"vocab_size={vocab_size} and embed_dim={embed_dim}"
        raise ValueError(f"Must specify vocab size and embedding dimension when not reusing. Got {sizes}")
    with variable_scope(scope, default_name="EmbedSequence", reuse=reuse):
        shape = None if vocab_size is None or embed_dim is None else [vocab_size, embed_dim]
        embeddings = make_variable("embeddings", shape, float32, initializer, regularizer, trainable)
        return embedding_lookup(embeddings, ids)


@export(v1="contrib.layers.unit_norm")
@add_arg_scope
def unit_norm(inputs: NumberLike, dim: int, epsilon: float = 1e-7, scope: Any = None) -> Tensor:
    """The inputs divided by their length along axis `dim`.

    >>> tf.compat.v1.contrib.layers.unit_norm(tf.constant([[3.0, 4.0]]), 1).numpy().round(4)
    array([[0.6, 0.8]], dtype=float32)
    """
    with name_scope(scope, "UnitNorm"):
        x = convert_to_tensor(inputs)
        return x / sqrt(reduce_sum(square(x), dim, keepdims=True) + epsilon)
