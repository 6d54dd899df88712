"""The gradient of every example's own loss by all parameters of a tanh network."""

from types import SimpleNamespace
from typing import Any

import numpy as np

from benchmarks.engine.program import Program

TINY = {"batch": 3, "widths": (5, 4, 3)}


def data(batch: int = 128, widths: tuple[int, int, int] = (784, 128, 10)) -> Any:
    draw = np.random.default_rng(0)
    n, hidden, m = widths
    parameters = [draw.normal(0, n**-0.5, shape).astype(np.float32) for shape in [(n, hidden), (hidden,), (hidden, m), (m,)]]
    x, labels = draw.normal(size=(batch, n)).astype(np.float32), draw.integers(0, m, batch).astype(np.int32)
    return SimpleNamespace(parameters=parameters, x=x, labels=labels)


def in_tensorflow(tf: Any, d: Any) -> Program:
    def step(x: Any, labels: Any, w1: Any, b1: Any, w2: Any, b2: Any) -> Any:
        def one(example: Any) -> Any:
            x, label = example
            with tf.GradientTape() as tape:
                tape.watch([w1, b1, w2, b2])
                logits = tf.matmul(tf.tanh(tf.matmul(x[None], w1) + b1), w2) + b2
                loss = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=label[None], logits=logits)
            return tape.gradient(loss, [w1, b1, w2, b2])

        return tf.vectorized_map(one, (x, labels))

    return Program(step, [d.x, d.labels, *d.parameters])


def in_jax(d: Any) -> Program:
    import jax
    import jax.numpy as jnp

    def loss(parameters: Any, x: Any, label: Any) -> Any:
        w1, b1, w2, b2 = parameters
        return -jax.nn.log_softmax(jnp.tanh(x @ w1 + b1) @ w2 + b2)[label]

    def step(x: Any, labels: Any, *parameters: Any) -> Any:
        return jax.vmap(jax.grad(loss), in_axes=(None, 0, 0))(parameters, x, labels)

    return Program(step, [d.x, d.labels, *d.parameters])


def in_torch(d: Any, compiled: bool) -> Program:
    import torch
    from torch.nn.functional import cross_entropy

    def loss(parameters: Any, x: Any, label: Any) -> Any:
        w1, b1, w2, b2 = parameters
        return cross_entropy(torch.tanh(x @ w1 + b1) @ w2 + b2, label)

    def step(x: Any, labels: Any, *parameters: Any) -> Any:
        return torch.vmap(torch.func.grad(loss), in_dims=(None, 0, 0))(parameters, x, labels)

    return Program(torch.compile(step) if compiled else step, [d.x, d.labels.astype(np.int64), *d.parameters])
