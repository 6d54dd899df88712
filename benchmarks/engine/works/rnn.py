"""A while_loop of 1,000 small steps, h = tanh(h W + x) on one row, with its gradient."""

from types import SimpleNamespace
from typing import Any

import numpy as np

from benchmarks.engine.program import Program

TINY = {"steps": 4, "hidden": 3}


def data(steps: int = 1_000, hidden: int = 64) -> Any:
    draw = np.random.default_rng(0)
    w = draw.normal(0, 0.7 * hidden**-0.5, (hidden, hidden)).astype(np.float32)
    return SimpleNamespace(w=w, x=draw.normal(0, 0.5, (1, hidden)).astype(np.float32), steps=steps)


def in_tensorflow(tf: Any, d: Any) -> Program:
    def step(w: Any, x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch([w, x])
            first = (0, tf.zeros_like(x))
            cell = lambda i, h: (i + 1, tf.tanh(tf.matmul(h, w) + x))
            h = tf.while_loop(lambda i, _: i < d.steps, cell, first, maximum_iterations=d.steps)[1]
            y = tf.reduce_sum(h * h)
        return y, *tape.gradient(y, [w, x])

    return Program(step, [d.w, d.x], wrt=(0, 1))


def in_jax(d: Any) -> Program:
    import jax
    import jax.numpy as jnp

    def loss(w: Any, x: Any) -> Any:
        h, _ = jax.lax.scan(lambda h, _: (jnp.tanh(h @ w + x), None), jnp.zeros_like(x), length=d.steps)
        return jnp.sum(h * h)

    return Program(jax.value_and_grad(loss, argnums=(0, 1)), [d.w, d.x])


def in_torch(d: Any, compiled: bool) -> Program:
    """A Python loop: PyTorch's while_loop has no gradient that its compiler takes on a CPU, and its compiler unrolls a loop of Python."""
    import torch

    cell = torch.compile(lambda h, w, x: torch.tanh(h @ w + x)) if compiled else lambda h, w, x: torch.tanh(h @ w + x)

    def step(w: Any, x: Any) -> Any:
        w, x = w.requires_grad_(), x.requires_grad_()
        h = torch.zeros_like(x)
        for _ in range(d.steps):
            h = cell(h, w, x)
        y = torch.sum(h * h)
        return y, *torch.autograd.grad(y, (w, x))

    return Program(step, [d.w, d.x])


def in_autograd(d: Any) -> Program:
    import autograd.numpy as np
    from autograd import value_and_grad

    def loss(parameters: Any) -> Any:
        w, x = parameters
        h = np.zeros_like(d.x)
        for _ in range(d.steps):
            h = np.tanh(np.dot(h, w) + x)
        return np.sum(h * h)

    gradient = value_and_grad(loss)
    return Program(lambda w, x: gradient((w, x)), [d.w, d.x])
