"""A training step of a logistic model over rows of a large table: only the rows that were read are moved."""

from types import SimpleNamespace
from typing import Any

import numpy as np

from benchmarks.engine import training
from benchmarks.engine.program import Program

TINY = {"rows": 6, "width": 3, "ids": 8}


def data(rows: int, width: int = 64, ids: int = 4_096) -> Any:
    draw = np.random.default_rng(0)
    return SimpleNamespace(
        table=draw.normal(size=(rows, width)).astype(np.float32),
        w=draw.normal(0, width**-0.5, (width, 1)).astype(np.float32),
        ids=draw.integers(0, rows, ids).astype(np.int32),
        labels=draw.integers(0, 2, (ids, 1)).astype(np.float32),
    )


def in_tensorflow(tf: Any, d: Any) -> Program:
    variables = table, w = [tf.Variable(d.table), tf.Variable(d.w)]

    def loss(ids: Any, labels: Any) -> Any:
        logits = tf.matmul(tf.gather(table, ids), w)
        return tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits))

    return Program(training.in_tensorflow(tf, loss, variables), [d.ids, d.labels], variables)


def in_jax(d: Any) -> Program:
    """By rows: the gradient is taken of the rows that were read, and added into the table that was given away."""
    import jax
    import jax.numpy as jnp

    def loss(read: Any, w: Any, labels: Any) -> Any:
        logits = read @ w
        return jnp.mean(jax.nn.softplus(logits) - labels * logits)

    def step(state: Any, ids: Any, labels: Any) -> Any:
        table, w = state
        value, (by_rows, by_w) = jax.value_and_grad(loss, argnums=(0, 1))(table[ids], w, labels)
        return (table.at[ids].add(-training.RATE * by_rows), w - training.RATE * by_w), value

    return Program(step, [d.ids, d.labels], (d.table, d.w))


def in_torch(d: Any, compiled: bool) -> Program:
    """By rows, too: quicker than PyTorch's sparse gradients, which its compiler does not take."""
    import torch
    from torch.nn.functional import binary_cross_entropy_with_logits

    table, w = torch.tensor(d.table), torch.tensor(d.w)

    def loss(read: Any, w: Any, labels: Any) -> Any:
        return binary_cross_entropy_with_logits(read @ w, labels)

    forward = torch.compile(loss) if compiled else loss

    def step(ids: Any, labels: Any) -> Any:
        read, free = table[ids].requires_grad_(), w.detach().requires_grad_()
        value = forward(read, free, labels)
        by_rows, by_w = torch.autograd.grad(value, (read, free))
        table.index_add_(0, ids, by_rows, alpha=-training.RATE)
        w.add_(by_w, alpha=-training.RATE)
        return value.detach()

    return Program(step, [d.ids.astype(np.int64), d.labels], [table, w])
