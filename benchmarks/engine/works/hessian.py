"""The Hessian of a regularised logistic loss of 50 parameters."""

from types import SimpleNamespace
from typing import Any

import numpy as np

from benchmarks.engine.program import Program

TINY = {"parameters": 3, "examples": 5}


def data(parameters: int = 50, examples: int = 200) -> Any:
    draw = np.random.default_rng(0)
    rows = draw.normal(size=(examples, parameters)) * draw.choice([-1.0, 1.0], (examples, 1))
    return SimpleNamespace(p=draw.normal(0, 0.3, parameters).astype(np.float32), rows=rows.astype(np.float32))


def in_tensorflow(tf: Any, d: Any) -> Program:
    def step(p: Any, rows: Any) -> Any:
        with tf.GradientTape() as outer:
            outer.watch(p)
            with tf.GradientTape() as inner:
                inner.watch(p)
                loss = tf.reduce_mean(tf.math.softplus(-tf.linalg.matvec(rows, p))) + 0.1 * tf.reduce_sum(p**4)
            g = inner.gradient(loss, p)
        return g, outer.jacobian(g, p)

    return Program(step, [d.p, d.rows])


def in_jax(d: Any) -> Program:
    import jax
    import jax.numpy as jnp

    def loss(p: Any, rows: Any) -> Any:
        return jnp.mean(jax.nn.softplus(-(rows @ p))) + 0.1 * jnp.sum(p**4)

    return Program(lambda p, rows: (jax.grad(loss)(p, rows), jax.hessian(loss)(p, rows)), [d.p, d.rows])


def in_torch(d: Any, compiled: bool) -> Program:
    import torch
    from torch.nn.functional import softplus

    def loss(p: Any, rows: Any) -> Any:
        return torch.mean(softplus(-(rows @ p))) + 0.1 * torch.sum(p**4)

    def step(p: Any, rows: Any) -> Any:
        return torch.func.grad(loss)(p, rows), torch.func.hessian(loss)(p, rows)

    return Program(torch.compile(step) if compiled else step, [d.p, d.rows])


def in_casadi(d: Any) -> Program:
    import casadi

    count = d.p.size

    def build() -> Any:
        p, rows = casadi.MX.sym("p", count), casadi.MX.sym("rows", *d.rows.shape)
        loss = casadi.sum1(casadi.log1p(casadi.exp(-(rows @ p)))) / len(d.rows) + 0.1 * casadi.sum1(p**4)
        h, g = casadi.hessian(loss, p)
        return casadi.Function("hessian", [p, rows], [g, casadi.densify(h)])

    return Program(build, [d.p, d.rows], layout=lambda found: [found[0], found[1].reshape(count, count)])


def in_autograd(d: Any) -> Program:
    import autograd.numpy as np
    from autograd import grad, hessian

    def loss(p: Any, rows: Any) -> Any:
        return np.mean(np.logaddexp(0, -np.dot(rows, p))) + 0.1 * np.sum(p**4)

    return Program(lambda p, rows: (grad(loss)(p, rows), hessian(loss)(p, rows)), [d.p, d.rows])
