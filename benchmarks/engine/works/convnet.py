"""A training step of a small convolutional network: 5x5x32, pool, 5x5x64, pool, dense 512, dense 10."""

from types import SimpleNamespace
from typing import Any

import numpy as np

from benchmarks.engine import training
from benchmarks.engine.program import Program

TINY = {"batch": 2, "side": 4, "channels": (2, 3), "dense": 4}


def data(batch: int = 64, side: int = 28, channels: tuple[int, int] = (32, 64), dense: int = 512) -> Any:
    draw = np.random.default_rng(0)
    (first, second), flat = channels, (side // 4) ** 2 * channels[1]
    shapes = [(5, 5, 1, first), (5, 5, first, second), (flat, dense), (dense, 10)]
    weights = [draw.normal(0, (2 / np.prod(shape[:-1])) ** 0.5, shape).astype(np.float32) for shape in shapes]
    biases = [np.full(shape[-1], 0.1, np.float32) for shape in shapes]
    x = draw.normal(size=(batch, side, side, 1)).astype(np.float32)
    return SimpleNamespace(weights=weights, biases=biases, x=x, labels=draw.integers(0, 10, batch).astype(np.int32))


def in_tensorflow(tf: Any, d: Any) -> Program:
    variables = [tf.Variable(p) for p in (*d.weights, *d.biases)]
    k1, k2, w1, w2, b1, b2, b3, b4 = variables

    def loss(x: Any, labels: Any) -> Any:
        for k, b in ((k1, b1), (k2, b2)):
            x = tf.nn.max_pool2d(tf.nn.relu(tf.nn.conv2d(x, k, 1, "SAME") + b), 2, 2, "VALID")
        x = tf.nn.relu(tf.matmul(tf.reshape(x, [len(d.x), -1]), w1) + b3)
        logits = tf.matmul(x, w2) + b4
        return tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits))

    return Program(training.in_tensorflow(tf, loss, variables), [d.x, d.labels], variables)


def in_jax(d: Any) -> Program:
    import jax
    import jax.numpy as jnp
    from jax import lax

    def loss(parameters: Any, x: Any, labels: Any) -> Any:
        k1, k2, w1, w2, b1, b2, b3, b4 = parameters
        for k, b in ((k1, b1), (k2, b2)):
            x = jax.nn.relu(lax.conv_general_dilated(x, k, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")) + b)
            x = lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
        x = jax.nn.relu(x.reshape(len(x), -1) @ w1 + b3)
        logs = jax.nn.log_softmax(x @ w2 + b4)
        return -jnp.mean(jnp.take_along_axis(logs, labels[:, None], axis=1))

    return Program(training.in_jax(loss), [d.x, d.labels], [*d.weights, *d.biases])


def in_torch(d: Any, compiled: bool) -> Program:
    """Channels come first, as PyTorch prefers; its axes are put back in `layout`."""
    import torch
    from torch.nn.functional import conv2d, cross_entropy, linear, max_pool2d, relu

    side, second = d.x.shape[1] // 4, d.weights[1].shape[-1]
    k1, k2, w1, w2 = d.weights
    flat = w1.reshape(side, side, second, -1).transpose(3, 2, 0, 1).reshape(w1.shape[1], -1)
    moved = [k1.transpose(3, 2, 0, 1), k2.transpose(3, 2, 0, 1), flat, w2.T, *d.biases]
    parameters = [torch.tensor(np.ascontiguousarray(p), requires_grad=True) for p in moved]

    def loss(parameters: Any, x: Any, labels: Any) -> Any:
        k1, k2, w1, w2, b1, b2, b3, b4 = parameters
        for k, b in ((k1, b1), (k2, b2)):
            x = max_pool2d(relu(conv2d(x, k, b, padding=2)), 2)
        return cross_entropy(linear(relu(linear(x.flatten(1), w1, b3)), w2, b4), labels)

    def layout(found: Any) -> Any:
        value, k1, k2, w1, w2, *biases = found
        w1 = w1.reshape(-1, second, side, side).transpose(2, 3, 1, 0).reshape(d.weights[2].shape)
        return [value, k1.transpose(2, 3, 1, 0), k2.transpose(2, 3, 1, 0), w1, w2.T, *biases]

    x, labels = np.ascontiguousarray(d.x.transpose(0, 3, 1, 2)), d.labels.astype(np.int64)
    return Program(training.in_torch(loss, parameters, compiled), [x, labels], parameters, layout=layout)
