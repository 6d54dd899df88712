"""Cross-entropies and other losses of `tf.nn`."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from ..base.dtypes import INDEX, DType, as_dtype, bfloat16, float16, float32, int32
from ..base.errors import InvalidArgumentError, OperatorNotAllowedInGraphError
from ..base.export import export
from ..base.lazy_import import LazyModule
from ..ir.apply import convert_to_tensor
from ..ir.attributes import refused_value
from ..ir.composite import works_by_element
from ..ir.context import current, executing_eagerly, scope
from ..ir.tensor import IntLike, NumberLike, SymbolicTensor, Tensor
from ..ops.array.basic import reshape, shape, shape_of, zeros_of
from ..ops.array.create import zeros_like
from ..ops.array.join import concat
from ..ops.array.transpose import transpose
from ..ops.array.where import choose, where
from ..ops.math.arithmetic import add, negative
from ..ops.math.functions import exp, log, log1p
from ..ops.nn.softmax import CROSS_ENTROPY, SPARSE_CROSS_ENTROPY
from ..ops.primitives.cast import cast
from ..ops.primitives.compare import greater_equal
from .axes import orders_to_last

if TYPE_CHECKING:
    from ..ops.nn import activations
else:
    activations = LazyModule("pullback.ops.nn.activations")

_HALVES = (float16, bfloat16)


@export(v2="nn.softmax_cross_entropy_with_logits")
def softmax_cross_entropy_with_logits(labels: NumberLike, logits: NumberLike, axis: IntLike = -1, name: str | None = None) -> Tensor:
    """-sum(labels * log_softmax(logits)) along `axis`: shape of logits without it, dtype of logits.

    labels: a distribution for each row, of the shape of logits; gradients reach them too.  Raises InvalidArgumentError (in graphs
    ValueError) for shapes that do not fit.

    >>> loss = tf.nn.softmax_cross_entropy_with_logits(labels=[[0.0, 1.0]], logits=[[0.0, 0.0]])
    >>> loss.numpy().round(4).tolist()
    [0.6930999755859375]
    """
    return dense(labels, logits, axis, name, "softmax_cross_entropy_with_logits")


def dense(labels: NumberLike | None, logits: Any, axis: Any, name: str | None, default: str) -> Tensor:
    """`softmax_cross_entropy_with_logits` under another name."""
    with scope(name, default) as inner:
        logits, labels = convert_to_tensor(logits, name="logits"), convert_to_tensor(labels, name="labels")
        precise = cast(logits, float32) if logits.dtype in _HALVES else logits
        labels = cast(labels, precise.dtype)
        axis, rank = -1 if axis is None else axis, None if logits.dims is None else len(logits.dims)
        is_other = isinstance(axis, (bool, float, list, tuple, DType)) or as_dtype(getattr(axis, "dtype", int32)) not in INDEX
        is_open = isinstance(axis, SymbolicTensor)
        if is_other or (rank is not None and not is_open and axis != -1 and not -rank <= int(axis) < rank):
            text = f"softmax cross-entropy: `axis` is a whole number in [{-(rank or 0)}, {rank}), not {axis!r}"
            if isinstance(axis, DType):
                raise ValueError(text) if executing_eagerly() else TypeError(text)
            raise OperatorNotAllowedInGraphError(text) if is_open else refused_value(text)
        axis = axis if is_open else int(axis)
        if is_open or (axis != -1 and axis + 1 != rank):
            order, _ = orders_to_last(axis, logits)
            precise, labels = transpose(precise, order), transpose(labels, order)
        if rank == 2 and labels.dims and current().graph is None:
            loss, _ = CROSS_ENTROPY(precise, labels, name=inner or None)
        else:
            rows = _outer(precise)
            loss, _ = CROSS_ENTROPY(_flatten_rows(precise), _flatten_rows(labels), name=inner or None)
            loss = reshape(loss, rows)
        return cast(loss, logits.dtype)


def _outer(x: Any) -> Any:
    """The shape without its last dimension, a constant where it is known."""
    return shape_of(x)[:-1]


def _flatten_rows(x: Any) -> Any:
    """All rows of the last axis as a matrix."""
    if x.dims == ():
        raise InvalidArgumentError(None, None, "softmax cross-entropy: labels and logits are vectors at least, got a scalar")
    if x.dims is not None and x.dims and x.dims[-1] is not None:
        return reshape(x, np.array([math.prod(x.dims[:-1]) if None not in x.dims else -1, x.dims[-1]], np.int32))
    return reshape(x, concat([[-1], shape_of(x)[-1:]], 0))


@export(v2="nn.sparse_softmax_cross_entropy_with_logits")
def sparse_softmax_cross_entropy_with_logits(labels: NumberLike, logits: NumberLike, name: str | None = None) -> Tensor:
    """-log_softmax(logits)[label] for each row: the shape of labels, the dtype of logits.

    labels: int32 or int64 classes, of the shape of logits without its last dimension.  Raises ValueError for shapes that do not fit,
    InvalidArgumentError for a class that is none.

    >>> tf.nn.sparse_softmax_cross_entropy_with_logits(labels=[1], logits=[[0.0, 0.0]]).numpy().round(4).tolist()
    [0.6930999755859375]
    """
    with scope(name, "SparseSoftmaxCrossEntropyWithLogits"):
        labels, logits = convert_to_tensor(labels), convert_to_tensor(logits)
        _check_sparse(labels, logits)
        rows = shape(labels)
        precise = cast(logits, float32) if logits.dtype in _HALVES else logits
        if precise.dims is not None and len(precise.dims) == 2:
            loss, _ = SPARSE_CROSS_ENTROPY(precise, labels, name="SparseSoftmaxCrossEntropyWithLogits")
        else:
            loss, _ = SPARSE_CROSS_ENTROPY(_flatten_rows(precise), reshape(labels, [-1]))
            loss = reshape(loss, rows)
        return cast(loss, logits.dtype)


def _check_sparse(labels: Tensor, logits: Tensor) -> None:
    name = "SparseSoftmaxCrossEntropyWithLogits: "
    if logits.dims == ():
        raise ValueError(f"{name}`logits` cannot be a scalar. Received logits={logits}")
    if labels.dims is None or logits.dims is None:
        return
    if len(labels.dims) != len(logits.dims) - 1:
        raise ValueError(
            f"{name}`labels.shape.rank` must equal `logits.shape.rank - 1`. Received: labels.shape={labels.shape} of rank "
            f"{len(labels.dims)} and logits.shape={logits.shape} of rank {len(logits.dims)}"
        )
    if not labels.shape.is_compatible_with(logits.shape[:-1]):
        raise ValueError(
            f"{name}`labels.shape` must equal `logits.shape` except for the last dimension. "
            f"Received: labels.shape={labels.shape} and logits.shape={logits.shape}"
        )


def _require_same_shape(what: str, a_name: str, a: Any, b_name: str, b: Any) -> None:
    if not a.shape.is_compatible_with(b.shape) or (a.dims is not None and b.dims is not None and len(a.dims) != len(b.dims)):
        raise ValueError(f"{what}: `{a_name}` and `{b_name}` must have the same shape, received ({a.shape} vs {b.shape}).")


@export(v2="nn.sigmoid_cross_entropy_with_logits")
@works_by_element
def sigmoid_cross_entropy_with_logits(
    labels: NumberLike | None = None, logits: NumberLike | None = None, name: str | None = None
) -> Tensor:
    """-labels * log(sigmoid(logits)) - (1 - labels) * log(1 - sigmoid(logits)), element by element, exact for large logits.

    labels, logits: floating, of one shape and dtype; a ValueError otherwise.

    >>> tf.nn.sigmoid_cross_entropy_with_logits(labels=[1.0], logits=[0.0]).numpy().round(4).tolist()
    [0.6930999755859375]
    """
    if labels is None or logits is None:
        received = f"Received: labels={labels} and logits={logits}"
        raise ValueError(f"Both `labels` and `logits` must be provided for sigmoid_cross_entropy_with_logits. {received}")
    with scope(name, "logistic_loss") as inner:
        logits, labels = convert_to_tensor(logits, name="logits"), convert_to_tensor(labels, name="labels")
        _require_same_shape("sigmoid_cross_entropy_with_logits", "logits", logits, "labels", labels)
        zeros = zeros_like(logits)
        is_positive = greater_equal(logits, zeros)  # one gate for both terms, so that the slope at 0 comes out right
        positive, minus_abs = choose(is_positive, logits, zeros), choose(is_positive, negative(logits), logits)
        del zeros, is_positive  # whose memory, which is in the cache, is used again
        return add(positive - logits * labels, log1p(exp(minus_abs)), inner or None)


@export(v2="nn.weighted_cross_entropy_with_logits")
def weighted_cross_entropy_with_logits(
    labels: NumberLike | None = None, logits: NumberLike | None = None, pos_weight: NumberLike | None = None, name: str | None = None
) -> Tensor:
    """`sigmoid_cross_entropy_with_logits` with the part of the positive labels multiplied by `pos_weight`.

    >>> tf.nn.weighted_cross_entropy_with_logits(labels=[0.0], logits=[0.0], pos_weight=9.0).numpy().round(4).tolist()
    [0.6930999755859375]
    """
    if pos_weight is None:
        raise TypeError("Missing required positional argument: weighted_cross_entropy_with_logits takes labels, logits and pos_weight")
    with scope(name, "logistic_loss") as inner:
        logits, labels = convert_to_tensor(logits, name="logits"), convert_to_tensor(labels, name="labels")
        _require_same_shape("weighted_cross_entropy_with_logits", "logits", logits, "labels", labels)
        if isinstance(pos_weight, (list, tuple)):
            raise TypeError(f"weighted_cross_entropy_with_logits: `pos_weight` must be a number or a tensor, not {pos_weight!r}")
        if not isinstance(pos_weight, (int, float)):
            pos_weight = convert_to_tensor(pos_weight, dtype_hint=labels.dtype)
        weight, none = 1.0 + (pos_weight - 1.0) * labels, (1.0 - labels) * logits
        rest = log1p(exp(negative(abs(logits)))) + activations.relu(negative(logits))
        return add(none, weight * rest, inner or None)


@export("nn.log_poisson_loss")
def log_poisson_loss(targets: NumberLike, log_input: NumberLike | None, compute_full_loss: bool = False, name: str | None = None) -> Tensor:
    """exp(log_input) - targets * log_input, the Poisson loss; with `compute_full_loss` plus Stirling's approximation of log(targets!).

    targets, log_input: floating, of one shape and dtype; a ValueError otherwise.

    >>> tf.nn.log_poisson_loss([2.0], [0.0]).numpy().tolist()
    [1.0]
    """
    with scope(name, "log_poisson_loss"):
        log_input, targets = convert_to_tensor(log_input, name="log_input"), convert_to_tensor(targets, name="targets")
        _require_same_shape("log_poisson_loss", "log_input", log_input, "targets", targets)
        result = exp(log_input) - log_input * targets
        if not compute_full_loss:
            return result
        stirling = targets * log(targets) - targets + 0.5 * log(2 * math.pi * targets)
        small = greater_equal(1.0, targets) & greater_equal(targets, 0.0)
        return result + where(small, zeros_of(targets), stirling)
