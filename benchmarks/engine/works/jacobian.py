"""The Jacobian of every output by every input, example by example, of a tanh network of two layers."""

from types import SimpleNamespace
from typing import Any

import numpy as np

from benchmarks.engine.program import Program

TINY = {"batch": 3, "width": 4}


def data(batch: int = 64, width: int = 100) -> Any:
    draw = np.random.default_rng(0)
    w1, w2 = draw.normal(0, width**-0.5, (2, width, width)).astype(np.float32)
    b1, b2 = draw.normal(0, 0.1, (2, width)).astype(np.float32)
    return SimpleNamespace(parameters=[w1, b1, w2, b2], x=draw.normal(size=(batch, width)).astype(np.float32))


def in_tensorflow(tf: Any, d: Any) -> Program:
    def step(x: Any, w1: Any, b1: Any, w2: Any, b2: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.tanh(tf.matmul(tf.tanh(tf.matmul(x, w1) + b1), w2) + b2)
        return y, tape.batch_jacobian(y, x)

    return Program(step, [d.x, *d.parameters])


def in_jax(d: Any) -> Program:
    import jax
    import jax.numpy as jnp

    def one(x: Any, w1: Any, b1: Any, w2: Any, b2: Any) -> Any:
        y = jnp.tanh(jnp.tanh(x @ w1 + b1) @ w2 + b2)
        return y, y

    def step(x: Any, *parameters: Any) -> Any:
        jacobian, y = jax.vmap(jax.jacrev(one, has_aux=True), in_axes=(0, None, None, None, None))(x, *parameters)
        return y, jacobian

    return Program(step, [d.x, *d.parameters])


def in_torch(d: Any, compiled: bool) -> Program:
    import torch

    def one(x: Any, w1: Any, b1: Any, w2: Any, b2: Any) -> Any:
        y = torch.tanh(torch.tanh(x @ w1 + b1) @ w2 + b2)
        return y, y

    def step(x: Any, *parameters: Any) -> Any:
        jacobian, y = torch.vmap(torch.func.jacrev(one, has_aux=True), in_dims=(0, None, None, None, None))(x, *parameters)
        return y, jacobian

    return Program(torch.compile(step) if compiled else step, [d.x, *d.parameters])
