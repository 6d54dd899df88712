"""sum(tanh(x)*exp(-x*x) + log1p(x*x)) with its gradient: as much arithmetic an element as fits between reading and writing it."""

from types import SimpleNamespace
from typing import Any

import numpy as np

from benchmarks.engine.program import Program

TINY = {"n": 5}


def data(n: int) -> Any:
    return SimpleNamespace(x=np.random.default_rng(0).normal(size=n).astype(np.float32))


def in_tensorflow(tf: Any, d: Any) -> Program:
    def step(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.reduce_sum(tf.tanh(x) * tf.exp(-x * x) + tf.math.log1p(x * x))
        return y, tape.gradient(y, x)

    return Program(step, [d.x], wrt=(0,))


def in_jax(d: Any) -> Program:
    import jax
    import jax.numpy as jnp

    return Program(jax.value_and_grad(lambda x: jnp.sum(jnp.tanh(x) * jnp.exp(-x * x) + jnp.log1p(x * x))), [d.x])


def in_torch(d: Any, compiled: bool) -> Program:
    import torch

    def value(x: Any) -> Any:
        return torch.sum(torch.tanh(x) * torch.exp(-x * x) + torch.log1p(x * x))

    forward = torch.compile(value) if compiled else value

    def step(x: Any) -> Any:
        x = x.requires_grad_()
        y = forward(x)
        return y, *torch.autograd.grad(y, x)

    return Program(step, [d.x])


def in_casadi(d: Any) -> Program:
    import casadi

    def build() -> Any:
        x = casadi.SX.sym("x")
        y = casadi.tanh(x) * casadi.exp(-x * x) + casadi.log1p(x * x)
        each = casadi.Function("each", [x], [y, casadi.gradient(y, x)]).map(d.x.size)
        xs = casadi.MX.sym("xs", 1, d.x.size)
        ys, gs = each(xs)
        return casadi.Function("fused", [xs], [casadi.sum2(ys), gs])

    return Program(build, [d.x], layout=lambda found: [found[0].reshape(()), found[1]])


def in_autograd(d: Any) -> Program:
    import autograd.numpy as np
    from autograd import value_and_grad

    return Program(value_and_grad(lambda x: np.sum(np.tanh(x) * np.exp(-x * x) + np.log1p(x * x))), [d.x])
