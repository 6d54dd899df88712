"""How activations, softmax and the fused cross-entropies are lowered for the engine."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .array import viewed
from .reduce import wide


def gate(is_open: Callable[[Any], Any]) -> Callable[..., Any]:
    """The lowering of a gradient that passes where a gate is open, and is times 0 elsewhere."""
    return lambda steps, gradients, features: times_gate(steps, gradients, is_open(features))


def times_gate(steps: Any, gradients: Any, is_open: Any) -> Any:
    """`gradients` times 1 where a condition holds and 0 elsewhere."""
    return gradients * steps.select(is_open, steps.scalar(1, gradients), 0)


def elu(steps: Any, x: Any) -> Any:
    """Elu."""
    return steps.expm1(steps.min(x, 0)) + steps.max(x, 0)


def elu_grad(steps: Any, gradients: Any, outputs: Any) -> Any:
    """EluGrad."""
    return steps.select(outputs < 0, (outputs + 1.0) * gradients, gradients)


def selu(scale: float, scale_alpha: float) -> Callable[..., Any]:
    """Selu of its two constants."""
    return lambda steps, x: steps.expm1(steps.min(x, 0)) * scale_alpha + steps.max(x, 0) * scale


def selu_grad(scale: float, scale_alpha: float) -> Callable[..., Any]:
    """SeluGrad of its two constants."""

    def lower(steps: Any, gradients: Any, outputs: Any) -> Any:
        return steps.select(outputs < 0, outputs + scale_alpha, steps.scalar(scale, outputs)) * gradients

    return lower


def leaky_relu(steps: Any, features: Any, *, alpha: float = 0.2) -> Any:
    """LeakyRelu."""
    return steps.select(features > 0, features, features * np.float32(alpha))


def leaky_relu_grad(steps: Any, gradients: Any, features: Any, *, alpha: float = 0.2) -> Any:
    """LeakyReluGrad."""
    return steps.select(features > 0, gradients, gradients * np.float32(alpha))


def softplus_grad(steps: Any, gradients: Any, features: Any) -> Any:
    """SoftplusGrad."""
    return gradients / (steps.exp(-features) + 1.0)


def softsign(steps: Any, features: Any) -> Any:
    """Softsign."""
    return features / (steps.abs(features) + 1.0)


def softsign_grad(steps: Any, gradients: Any, features: Any) -> Any:
    """SoftsignGrad."""
    return gradients / steps.square(steps.abs(features) + 1.0)


def bias_add(steps: Any, value: Any, bias: Any, *, data_format: str = "NHWC") -> Any:
    """BiasAdd."""
    if data_format == "NCHW":
        bias = steps.reshape(bias, (*bias.dims, *(1,) * (len(value.dims) - 2)))
    return value + bias


def bias_add_grad(steps: Any, out_backprop: Any, *, data_format: str = "NHWC") -> Any:
    """BiasAddGrad: the sum over all but the channels."""
    channels = 1 if data_format == "NCHW" else len(out_backprop.dims) - 1
    x = wide(steps, out_backprop)
    return steps.cast(steps.reduce("sum", x, [i for i in range(len(x.dims)) if i != channels]), out_backprop.dtype)


def add_n(steps: Any, inputs: Any) -> Any:
    """AddN."""
    total = inputs[0]
    for x in inputs[1:]:
        total = total + x
    return total


# ---- softmax


def _shifted(steps: Any, logits: Any) -> Any:
    x = wide(steps, logits)
    return x - steps.reduce("max", x, [-1], True)


def softmax(steps: Any, logits: Any) -> Any:
    """Softmax along the last axis."""
    if not logits.dims:
        raise steps.Unsupported("logits without an axis")
    powers = steps.exp(_shifted(steps, logits))
    return steps.cast(powers / steps.reduce("sum", powers, [-1], True), logits.dtype)


def log_softmax(steps: Any, logits: Any) -> Any:
    """LogSoftmax along the last axis."""
    if not logits.dims:
        raise steps.Unsupported("logits without an axis")
    x = _shifted(steps, logits)
    return steps.cast(x - steps.log(steps.reduce("sum", steps.exp(x), [-1], True)), logits.dtype)


def cross_entropy(steps: Any, features: Any, labels: Any) -> Any:
    """SoftmaxCrossEntropyWithLogits: the losses and their gradient."""
    dims = tuple(int(n) for n in np.broadcast_shapes(features.dims, labels.dims))
    x, p = _shifted(steps, steps.broadcast(features, dims)), wide(steps, steps.broadcast(labels, dims))
    powers = steps.exp(x)
    total = steps.reduce("sum", powers, [1], True)
    loss = steps.reduce("sum", steps.select(steps.compare("eq", p, 0), 0, p * (steps.log(total) - x)), [1])
    return steps.cast(loss, features.dtype), steps.cast(powers / total - p, features.dtype)


def sparse_cross_entropy(steps: Any, features: Any, labels: Any) -> Any:
    """SparseSoftmaxCrossEntropyWithLogits: the losses and their gradient; labels are checked."""
    rows, classes = features.dims
    steps.check(steps.compare("lt", labels, 0) | steps.compare("ge", labels, classes))
    x = steps.memory(_shifted(steps, features))
    powers = steps.exp(x)
    total = steps.reduce("sum", powers, [1], True)
    chosen = steps.gather(x, (rows,), ((0, ((0, 1),)), (0, ())), (None, labels))
    loss = steps.log(viewed(steps, total, lambda array: array[:, 0])) - chosen
    own = steps.compare("eq", steps.reshape(labels, (rows, 1)), steps.iota((rows, classes), 1, labels.dtype))
    backprop = powers / total - steps.cast(own, x.dtype)
    return steps.cast(loss, features.dtype), steps.cast(backprop, features.dtype)
