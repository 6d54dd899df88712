"""A training step of dense layers with relu, softmax cross-entropy, plain gradient descent."""

from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import numpy as np

from benchmarks.engine import training
from benchmarks.engine.program import Program

TINY = {"batch": 4, "widths": (6, 5, 4, 3)}


def data(batch: int = 128, widths: tuple[int, ...] = (784, 512, 512, 10)) -> Any:
    draw = np.random.default_rng(0)
    weights = [draw.normal(0, (2 / n) ** 0.5, (n, m)).astype(np.float32) for n, m in pairwise(widths)]
    biases = [np.full(m, 0.1, np.float32) for m in widths[1:]]
    x = draw.normal(size=(batch, widths[0])).astype(np.float32)
    return SimpleNamespace(weights=weights, biases=biases, x=x, labels=draw.integers(0, widths[-1], batch).astype(np.int32))


def in_tensorflow(tf: Any, d: Any) -> Program:
    weights, biases = [tf.Variable(w) for w in d.weights], [tf.Variable(b) for b in d.biases]

    def loss(x: Any, labels: Any) -> Any:
        for w, b in zip(weights[:-1], biases[:-1], strict=True):
            x = tf.nn.relu(tf.matmul(x, w) + b)
        logits = tf.matmul(x, weights[-1]) + biases[-1]
        return tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits))

    variables = weights + biases
    return Program(training.in_tensorflow(tf, loss, variables), [d.x, d.labels], variables)


def in_jax(d: Any) -> Program:
    import jax
    import jax.numpy as jnp

    def loss(parameters: Any, x: Any, labels: Any) -> Any:
        weights, biases = parameters
        for w, b in zip(weights[:-1], biases[:-1], strict=True):
            x = jax.nn.relu(x @ w + b)
        logs = jax.nn.log_softmax(x @ weights[-1] + biases[-1])
        return -jnp.mean(jnp.take_along_axis(logs, labels[:, None], axis=1))

    return Program(training.in_jax(loss), [d.x, d.labels], (d.weights, d.biases))


def in_torch(d: Any, compiled: bool) -> Program:
    import torch
    from torch.nn.functional import cross_entropy, linear, relu

    depth = len(d.weights)
    parameters = [torch.tensor(w.T.copy(), requires_grad=True) for w in d.weights]  # PyTorch keeps (out, in)
    parameters += [torch.tensor(b, requires_grad=True) for b in d.biases]

    def loss(parameters: Any, x: Any, labels: Any) -> Any:
        weights, biases = parameters[:depth], parameters[depth:]
        for w, b in zip(weights[:-1], biases[:-1], strict=True):
            x = relu(linear(x, w, b))
        return cross_entropy(linear(x, weights[-1], biases[-1]), labels)

    def layout(found: Any) -> Any:
        return [a.T if a.ndim == 2 else a for a in found]

    return Program(training.in_torch(loss, parameters, compiled), [d.x, d.labels.astype(np.int64)], parameters, layout=layout)


def in_autograd(d: Any) -> Program:
    import autograd.numpy as np
    from autograd import value_and_grad

    depth = len(d.weights)
    parameters = [p.copy() for p in (*d.weights, *d.biases)]

    def loss(parameters: Any, x: Any, labels: Any) -> Any:
        weights, biases = parameters[:depth], parameters[depth:]
        for w, b in zip(weights[:-1], biases[:-1], strict=True):
            x = np.maximum(np.dot(x, w) + b, 0)
        logits = np.dot(x, weights[-1]) + biases[-1]
        top = np.max(logits, axis=1, keepdims=True)
        totals = np.log(np.sum(np.exp(logits - top), axis=1)) + top[:, 0]
        return np.mean(totals - logits[np.arange(len(labels)), labels])

    def step(x: Any, labels: Any) -> Any:
        value, gradients = value_and_grad(loss)(parameters, x, labels)
        for p, g in zip(parameters, gradients, strict=True):
            p -= training.RATE * g
        return value, parameters

    return Program(step, [d.x, d.labels])
