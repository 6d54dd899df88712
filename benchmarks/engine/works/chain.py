"""A chain of 200 cheap operations, y = sin(y)*x + y - x fifty times, with its gradient."""

from types import SimpleNamespace
from typing import Any

import numpy as np

from benchmarks.engine.program import Program

TINY = {"n": 3}
TIMES = 50


def data(n: int) -> Any:
    return SimpleNamespace(x=np.linspace(0.1, 0.85, n, dtype=np.float32))


def chain(sin: Any, x: Any) -> Any:
    y = x
    for _ in range(TIMES):
        y = sin(y) * x + y - x
    return y


def in_tensorflow(tf: Any, d: Any) -> Program:
    def step(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = chain(tf.sin, x)
        return y, tape.gradient(y, x)

    return Program(step, [d.x], wrt=(0,))


def in_jax(d: Any) -> Program:
    import jax

    def step(x: Any) -> Any:
        y, pull = jax.vjp(lambda x: chain(jax.numpy.sin, x), x)
        return y, *pull(jax.numpy.ones_like(y))

    return Program(step, [d.x])


def in_torch(d: Any, compiled: bool) -> Program:
    """Compiled, intermediates are kept early: PyTorch's compiler otherwise writes each out where it is read, two to the fifty times."""
    import torch

    ones = torch.ones(d.x.shape)

    def step(x: Any) -> Any:
        x = x.requires_grad_()
        y = chain(torch.sin, x)
        return y, *torch.autograd.grad(y, x, ones)

    def pulled(x: Any) -> Any:
        y, pull = torch.func.vjp(lambda x: chain(torch.sin, x), x)
        return y, *pull(ones)

    early = {"realize_opcount_threshold": 10, "realize_reads_threshold": 2}
    return Program(torch.compile(pulled, options=early) if compiled else step, [d.x])


def in_casadi(d: Any) -> Program:
    import casadi

    def build() -> Any:
        x = casadi.SX.sym("x")
        y = chain(casadi.sin, x)
        return casadi.Function("chain", [x], [y, casadi.gradient(y, x)]).map(d.x.size)

    return Program(build, [d.x])


def in_autograd(d: Any) -> Program:
    import autograd.numpy as np
    from autograd import make_vjp

    def step(x: Any) -> Any:
        pull, y = make_vjp(lambda x: chain(np.sin, x))(x)
        return y, pull(np.ones_like(y))

    return Program(step, [d.x])
