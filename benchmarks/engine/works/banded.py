"""A tridiagonal Jacobian in three passes: rows three apart read no common input, so one pass backwards gives a third of them.

Every library is told the bands and their colours. The answer is the three passes, from which the diagonals are read off.
"""

from types import SimpleNamespace
from typing import Any

import numpy as np

from benchmarks.engine.program import Program

TINY = {"jacobian": True, "n": 7}
COLOURS = 3


def data(jacobian: bool, n: int = 100_000) -> Any:
    seeds = np.zeros((COLOURS, n))
    seeds[np.arange(n) % COLOURS, np.arange(n)] = 1
    return SimpleNamespace(x=np.random.default_rng(0).normal(size=n), seeds=seeds, jacobian=jacobian)


def bands(x: Any, left: Any, right: Any, tanh: Any) -> Any:
    return x * (right - left) + tanh(x)


def in_tensorflow(tf: Any, d: Any) -> Program:
    def function(x: Any) -> Any:
        return bands(x, tf.pad(x[:-1], [[1, 0]]), tf.pad(x[1:], [[0, 1]]), tf.tanh)

    def step(x: Any, seeds: Any) -> Any:
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y = function(x)
        return y, tf.stack([tape.gradient(y, x, seed) for seed in tf.unstack(seeds)])

    return Program(step, [d.x, d.seeds]) if d.jacobian else Program(function, [d.x])


def in_jax(d: Any) -> Program:
    import jax
    import jax.numpy as jnp

    def function(x: Any) -> Any:
        return bands(x, jnp.pad(x[:-1], (1, 0)), jnp.pad(x[1:], (0, 1)), jnp.tanh)

    def step(x: Any, seeds: Any) -> Any:
        y, pull = jax.vjp(function, x)
        return y, jnp.stack([pull(seed)[0] for seed in seeds])

    return Program(step, [d.x, d.seeds]) if d.jacobian else Program(function, [d.x])


def in_torch(d: Any, compiled: bool) -> Program:
    import torch
    from torch.nn.functional import pad

    def function(x: Any) -> Any:
        return bands(x, pad(x[:-1], (1, 0)), pad(x[1:], (0, 1)), torch.tanh)

    def step(x: Any, seeds: Any) -> Any:
        y, pull = torch.func.vjp(function, x)
        return y, torch.stack([pull(seed)[0] for seed in seeds.unbind()])

    chosen = step if d.jacobian else function
    return Program(torch.compile(chosen) if compiled else chosen, [d.x, d.seeds] if d.jacobian else [d.x])


def in_autograd(d: Any) -> Program:
    import autograd.numpy as np
    from autograd import make_vjp

    def function(x: Any) -> Any:
        zero = np.zeros(1)
        return bands(x, np.concatenate([zero, x[:-1]]), np.concatenate([x[1:], zero]), np.tanh)

    def step(x: Any, seeds: Any) -> Any:
        pull, y = make_vjp(function)(x)
        return y, np.stack([pull(seed) for seed in seeds])

    return Program(step, [d.x, d.seeds]) if d.jacobian else Program(function, [d.x])
