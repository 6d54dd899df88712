"""Softmax and the fused cross-entropies.

A fused cross-entropy computes the loss and its gradient with respect to the logits in one pass and returns both; its rule multiplies
the second by the cotangent of the first.  That second output has a rule too, so second derivatives flow through it, with respect to the
logits and, unlike TensorFlow's, the labels.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ...base import tolerance
from ...base.dtypes import FLOATING, INDEX
from ...base.shapes import show
from ...ir.apply import ShapeError
from ...ir.op import Op, Remedies, Traits, define
from ...ir.tensor import Tensor, TensorType
from ...kernels import blocked, reductions
from ..array.shape import expand_dims
from ..array.type_rules import Array, invalid_argument, require_equal, require_rank
from ..batching import fold_rows, stack_rows
from ..families import broadcast_dims, push_symmetric
from ..lowering import nn as native_nn
from ..math.functions import exp
from ..reduce.reductions import reduce_sum


def _last_axis_type(logits: Any) -> TensorType:
    if logits.dims == ():
        raise ShapeError("Shape must be at least rank 1 but is rank 0", "logits must have at least one dimension, got shape []")
    return TensorType(logits.dims, logits.dtype)


def _widen(x: Array) -> Array:
    return x.astype(np.float32) if x.dtype.itemsize < 4 else x


def _shift_rows(rows: Array) -> Array:
    """Each row less its largest number, wide enough to take exponentials of."""
    x = _widen(rows)
    return x - reductions.row_max(x) if x.size else x.copy()


def _apply_by_rows(kernel: Callable[[Array], tuple[Array]]) -> Callable[[Array], Array]:
    """A kernel of matrices, for the last axis of any array."""
    in_rows = blocked.block_rows(kernel)

    def call(logits: Array) -> Array:
        if not logits.ndim:
            raise invalid_argument("logits must have at least one dimension, got shape []")
        rows = logits.reshape(math.prod(logits.shape[:-1]), logits.shape[-1])
        return in_rows(rows)[0].reshape(logits.shape)

    return call


@_apply_by_rows
def _softmax(rows: Array) -> tuple[Array]:
    x = _shift_rows(rows)
    np.exp(x, out=x)
    x /= reductions.row_sum(x)
    return (x.astype(rows.dtype, copy=False),)


@_apply_by_rows
def _log_softmax(rows: Array) -> tuple[Array]:
    x = _shift_rows(rows)
    x -= np.log(reductions.row_sum(np.exp(x)))
    return (x.astype(rows.dtype, copy=False),)


def _pull_through_softmax(g: Any, out: Any) -> Tensor:
    return (g - reduce_sum(g * out, -1, keepdims=True)) * out


_SOFTMAX = Remedies(of_infinity="a row that is -inf everywhere has no softmax: put a large finite number (-1e9) in place of the infinity")
SOFTMAX: Op = define(
    "Softmax",
    "logits",
    _last_axis_type,
    blocked.allow_native(_softmax),
    {"logits": _pull_through_softmax},
    dtypes=FLOATING,
    jvp=push_symmetric,
    batch=stack_rows(),
    lower=native_nn.softmax,
    tolerance=tolerance.SUMS,
    traits=Traits(remedies=_SOFTMAX, slow=True, by_rows=True, saturates=True),
)
LOG_SOFTMAX: Op = define(
    "LogSoftmax",
    "logits",
    _last_axis_type,
    blocked.allow_native(_log_softmax),
    {"logits": lambda g, out: g - reduce_sum(g, -1, keepdims=True) * exp(out)},
    dtypes=FLOATING,
    batch=stack_rows(),
    lower=native_nn.log_softmax,
    tolerance=tolerance.SUMS,
    traits=Traits(remedies=_SOFTMAX, slow=True, by_rows=True, saturates=True),
)


# ---------------------------------------------------------------------- labels that are distributions


def _dense_type(features: Any, labels: Any) -> tuple[TensorType, TensorType]:
    try:
        dims = broadcast_dims(features.dims, labels.dims)
    except ShapeError as error:
        text = f"logits and labels must be broadcastable: logits_size={show(features.dims)} labels_size={show(labels.dims)}"
        raise ShapeError(str(error), text) from None
    if dims is not None and len(dims) != 2:
        raise ShapeError(f"Shape must be rank 2 but is rank {len(dims)}", f"logits must be a matrix, got shape {show(dims)}")
    dims = dims or (None, None)
    return TensorType(dims[:1], features.dtype), TensorType(dims, features.dtype)


def _dense(features: Array, labels: Array) -> tuple[Array, Array]:
    if features.shape != labels.shape or features.ndim != 2:
        dims = _dense_type(TensorType(features.shape, None), TensorType(labels.shape, None))[1].dims  # type: ignore[arg-type]  # only shapes are asked
        features, labels = np.broadcast_to(features, dims), np.broadcast_to(labels, dims)  # type: ignore[arg-type]  # known, as its parts are
    return _dense_rows(features, labels)  # type: ignore[return-value]  # two results


@blocked.block_rows
def _dense_rows(features: Array, labels: Array) -> tuple[Array, ...]:
    x, p = _shift_rows(features), _widen(labels)
    powers = np.exp(x)
    total = reductions.row_sum(powers)
    np.subtract(np.log(total), x, out=x)
    loss = reductions.row_sum(blocked.select(p == 0, p.dtype.type(0), p * x))[:, 0]
    powers /= total
    powers -= p
    return loss.astype(features.dtype), powers.astype(features.dtype, copy=False)


def column(g: Tensor) -> Any:
    """A vector as a matrix of one column, or in general with a last axis of size one."""
    return expand_dims(g, np.array(-1, np.int32))


def _sum_cotangents(of_loss: Any, of_backprop: Any) -> Tensor:
    """The sum of what the cotangents of the two outputs give; None for an output that nobody used."""
    if of_loss is None or of_backprop is None:
        return of_backprop if of_loss is None else of_loss
    return of_loss + of_backprop


def _dense_logits(g_loss: Any, g_backprop: Any, backprop: Any, features: Any) -> Tensor:
    of_loss = None if g_loss is None else column(g_loss) * backprop
    return _sum_cotangents(of_loss, None if g_backprop is None else _pull_through_softmax(g_backprop, SOFTMAX(features)))


def _dense_labels(g_loss: Any, g_backprop: Any, features: Any) -> Any:
    of_loss = None if g_loss is None else column(g_loss) * -LOG_SOFTMAX(features)
    return _sum_cotangents(of_loss, None if g_backprop is None else -g_backprop)


CROSS_ENTROPY: Op = define(
    "SoftmaxCrossEntropyWithLogits",
    "features labels",
    _dense_type,
    blocked.allow_native(_dense),
    {"features": _dense_logits, "labels": _dense_labels},
    outputs="loss backprop",
    dtypes=FLOATING,
    broadcasts=True,
    fills=False,
    lower=native_nn.cross_entropy,
    tolerance=tolerance.SUMS,
    traits=Traits(saturates=True),
)


# ---------------------------------------------------------------------- labels that are classes


def _sparse_type(features: Any, labels: Any) -> tuple[TensorType, TensorType]:
    require_rank(features, 2, f"logits must be 2-D, but got shape {show(features.dims)}")
    require_rank(labels, 1, f"labels must be 1-D, but got shape {show(labels.dims)}")
    rows = features.dims and features.dims[0]
    count = labels.dims and labels.dims[0]
    text = f"logits and labels must have the same first dimension, got shapes {show(features.dims)} and {show(labels.dims)}"
    require_equal(rows, count, text)
    return TensorType((count if rows is None else rows,), features.dtype), TensorType(features.dims or (None, None), features.dtype)


def _sparse(features: Array, labels: Array) -> tuple[Array, Array]:
    _sparse_type(TensorType(features.shape, None), TensorType(labels.shape, None))  # type: ignore[arg-type]  # only shapes are asked
    classes = features.shape[1]
    if not classes:
        raise invalid_argument(f"Must have at least one class, but got logits shape {show(features.shape)}")
    outside = (labels < 0) | (labels >= classes)
    if outside.any():
        raise invalid_argument(
            f"Received a label value of {labels[outside][0]} which is outside the valid range of [0, {classes}). "
            f"Label values: {' '.join(map(str, labels[:20]))}"
        )
    return _sparse_rows(features, labels)  # type: ignore[return-value]  # two results


@blocked.block_rows
def _sparse_rows(features: Array, labels: Array) -> tuple[Array, ...]:
    rows = np.arange(len(labels))
    x = _shift_rows(features)
    own = x[rows, labels]
    np.exp(x, out=x)
    total = reductions.row_sum(x)
    x /= total
    x[rows, labels] -= 1
    return (np.log(total[:, 0]) - own).astype(features.dtype), x.astype(features.dtype, copy=False)


SPARSE_CROSS_ENTROPY: Op = define(
    "SparseSoftmaxCrossEntropyWithLogits",
    "features labels:Tlabels",
    _sparse_type,
    blocked.allow_native(_sparse),
    {"features": _dense_logits},
    outputs="loss backprop",
    dtypes={"T": FLOATING, "Tlabels": INDEX},
    fills=False,
    batch=fold_rows("features", "labels"),
    lower=native_nn.sparse_cross_entropy,
    tolerance=tolerance.SUMS,
    traits=Traits(saturates=True),
)
