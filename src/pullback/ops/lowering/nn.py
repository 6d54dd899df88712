"""How activations, softmax and the fused cross-entropies are lowered for the engine."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from .array import view_array
from .reduce import widen

if TYPE_CHECKING:
    from ...engine.lowering.builder import Builder
    from ...engine.lowering.index_expr import IndexExpr


def gate(is_open: Callable[[Any], Any]) -> Callable[..., Any]:
    """The lowering of a gradient that passes where a gate is open, and is times 0 elsewhere."""
    return lambda builder, gradients, features: times_gate(builder, gradients, is_open(features))


def times_gate(builder: Builder, gradients: Any, is_open: Any) -> IndexExpr:
    """`gradients` times 1 where a condition holds and 0 elsewhere."""
    return gradients * builder.select(is_open, builder.scalar(1, gradients), 0)


def elu(builder: Builder, x: IndexExpr) -> IndexExpr:
    """Elu."""
    return builder.expm1(builder.min(x, 0)) + builder.max(x, 0)


def elu_grad(builder: Builder, gradients: IndexExpr, outputs: IndexExpr) -> IndexExpr:
    """EluGrad."""
    return builder.select(outputs < 0, (outputs + 1.0) * gradients, gradients)


def selu(scale: float, scale_alpha: float) -> Callable[..., Any]:
    """Selu of its two constants."""
    return lambda builder, x: builder.expm1(builder.min(x, 0)) * scale_alpha + builder.max(x, 0) * scale


def selu_grad(scale: float, scale_alpha: float) -> Callable[..., Any]:
    """SeluGrad of its two constants."""

    def lower(builder: Any, gradients: Any, outputs: Any) -> Any:
        return builder.select(outputs < 0, outputs + scale_alpha, builder.scalar(scale, outputs)) * gradients

    return lower


def leaky_relu(builder: Builder, features: IndexExpr, *, alpha: float = 0.2) -> IndexExpr:
    """LeakyRelu."""
    return builder.select(features > 0, features, features * np.float32(alpha))


def leaky_relu_grad(builder: Builder, gradients: IndexExpr, features: IndexExpr, *, alpha: float = 0.2) -> IndexExpr:
    """LeakyReluGrad."""
    return builder.select(features > 0, gradients, gradients * np.float32(alpha))


def softplus_grad(builder: Builder, gradients: IndexExpr, features: IndexExpr) -> IndexExpr:
    """SoftplusGrad."""
    return gradients / (builder.exp(-features) + 1.0)


def softsign(builder: Builder, features: IndexExpr) -> IndexExpr:
    """Softsign."""
    return features / (builder.abs(features) + 1.0)


def softsign_grad(builder: Builder, gradients: IndexExpr, features: IndexExpr) -> IndexExpr:
    """SoftsignGrad."""
    return gradients / builder.square(builder.abs(features) + 1.0)


def bias_add(builder: Builder, value: IndexExpr, bias: IndexExpr, *, data_format: str = "NHWC") -> IndexExpr:
    """BiasAdd."""
    if data_format == "NCHW":
        bias = builder.reshape(bias, (*bias.dims, *(1,) * (len(value.dims) - 2)))
    return value + bias


def bias_add_grad(builder: Builder, out_backprop: IndexExpr, *, data_format: str = "NHWC") -> IndexExpr:
    """BiasAddGrad: the sum over all but the channels."""
    channels = 1 if data_format == "NCHW" else len(out_backprop.dims) - 1
    x = widen(builder, out_backprop)
    return builder.cast(builder.reduce("sum", x, [i for i in range(len(x.dims)) if i != channels]), out_backprop.dtype)


# ---- softmax


def _shift_logits(builder: Builder, logits: Any) -> IndexExpr:
    x = widen(builder, logits)
    return x - builder.reduce("max", x, [-1], True)


def softmax(builder: Builder, logits: IndexExpr) -> IndexExpr:
    """Softmax along the last axis."""
    if not logits.dims:
        raise builder.Unsupported("logits without an axis")
    powers = builder.exp(_shift_logits(builder, logits))
    return builder.cast(powers / builder.reduce("sum", powers, [-1], True), logits.dtype)


def log_softmax(builder: Builder, logits: IndexExpr) -> IndexExpr:
    """LogSoftmax along the last axis."""
    if not logits.dims:
        raise builder.Unsupported("logits without an axis")
    x = _shift_logits(builder, logits)
    return builder.cast(x - builder.log(builder.reduce("sum", builder.exp(x), [-1], True)), logits.dtype)


def cross_entropy(builder: Builder, features: IndexExpr, labels: IndexExpr) -> tuple[IndexExpr, ...]:
    """SoftmaxCrossEntropyWithLogits: the losses and their gradient."""
    dims = tuple(int(n) for n in np.broadcast_shapes(features.dims, labels.dims))
    x, p = _shift_logits(builder, builder.broadcast(features, dims)), widen(builder, builder.broadcast(labels, dims))
    powers = builder.exp(x)
    total = builder.reduce("sum", powers, [1], True)
    loss = builder.reduce("sum", builder.select(builder.compare("eq", p, 0), 0, p * (builder.log(total) - x)), [1])
    return builder.cast(loss, features.dtype), builder.cast(powers / total - p, features.dtype)


def sparse_cross_entropy(builder: Builder, features: IndexExpr, labels: IndexExpr) -> tuple[IndexExpr, ...]:
    """SparseSoftmaxCrossEntropyWithLogits: the losses and their gradient; labels are checked."""
    rows, classes = features.dims
    if not classes:
        raise builder.Unsupported("losses of no classes")
    builder.check(builder.compare("lt", labels, 0) | builder.compare("ge", labels, classes))
    x = builder.memory(_shift_logits(builder, features))
    powers = builder.exp(x)
    total = builder.reduce("sum", powers, [1], True)
    chosen = builder.gather(x, (rows,), ((0, ((0, 1),)), (0, ())), (None, labels))
    loss = builder.log(view_array(builder, total, lambda array: array[:, 0])) - chosen
    own = builder.compare("eq", builder.reshape(labels, (rows, 1)), builder.iota((rows, classes), 1, labels.dtype))
    backprop = powers / total - builder.cast(own, x.dtype)
    return builder.cast(loss, features.dtype), builder.cast(backprop, features.dtype)
