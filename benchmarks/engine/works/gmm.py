"""The log-likelihood of a Gaussian mixture with a Wishart prior and its gradient, as GradBench (ADBench) defines it.

In two forms: the plain vectorised one, and one whose large work is a single matrix product: every Cholesky factor side by side.
"""

import math
from types import SimpleNamespace
from typing import Any

import numpy as np

from benchmarks.engine.program import Array, Program

TINY = {"n": 4, "d": 3, "k": 2, "products": False}
GAMMA, M = 1.0, 0


def data(n: int, d: int, k: int, products: bool) -> Any:
    draw = np.random.default_rng(0)
    return SimpleNamespace(
        alphas=draw.normal(size=k),
        means=draw.uniform(size=(k, d)),
        icf=draw.normal(size=(k, d + d * (d - 1) // 2)),
        x=draw.uniform(size=(n, d)),
        products=products,
    )


def places(d: int) -> Array:
    """Where each element of a strictly lower triangle stands in the packed columns, behind one zero for all others."""
    place = np.zeros((d, d), np.int32)
    place.T[np.triu_indices(d, 1)] = np.arange(1, d * (d - 1) // 2 + 1)
    return place


def constants(n: int, d: int, k: int) -> float:
    """What the objective holds besides the parameters."""
    degrees = d + M + 1
    gamma = 0.25 * d * (d - 1) * math.log(math.pi) + sum(math.lgamma(0.5 * (degrees - j)) for j in range(d))
    return -0.5 * n * d * math.log(2 * math.pi) - k * (degrees * d * (math.log(GAMMA) - 0.5 * math.log(2)) - gamma)


def in_tensorflow(tf: Any, d: Any) -> Program:
    (n, dims), k = d.x.shape, len(d.alphas)
    place, constant = places(dims), constants(n, dims, k)

    def objective(alphas: Any, means: Any, icf: Any, x: Any) -> Any:
        logs, packed = icf[:, :dims], icf[:, dims:]
        q, sums = tf.exp(logs), tf.reduce_sum(logs, 1)
        lower = tf.gather(tf.concat([tf.zeros([k, 1], icf.dtype), packed], 1), place, axis=1)
        if d.products:
            factors = lower + tf.linalg.diag(q)
            along = tf.reshape(tf.matmul(x, tf.reshape(factors, [k * dims, dims]), transpose_b=True), [n, k, dims])
            z = along - tf.linalg.matvec(factors, means)
        else:
            centred = x[:, None, :] - means
            z = q * centred + tf.einsum("kij,nkj->nki", lower, centred)
        inner = alphas + sums - 0.5 * tf.reduce_sum(z * z, 2)
        prior = tf.reduce_sum(0.5 * GAMMA**2 * (tf.reduce_sum(q * q, 1) + tf.reduce_sum(packed * packed, 1)) - M * sums)
        return constant + tf.reduce_sum(tf.reduce_logsumexp(inner, 1)) - n * tf.reduce_logsumexp(alphas) + prior

    def step(alphas: Any, means: Any, icf: Any, x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch([alphas, means, icf])
            y = objective(alphas, means, icf, x)
        return y, *tape.gradient(y, [alphas, means, icf])

    return Program(step, [d.alphas, d.means, d.icf, d.x], wrt=(0, 1, 2))


def in_numpy_names(np: Any, logsumexp: Any, d: Any) -> Any:
    """The objective for a library that has NumPy's names: JAX, and autograd."""
    (n, dims), k = d.x.shape, len(d.alphas)
    place, constant = places(dims), constants(n, dims, k)

    def objective(parameters: Any, x: Any) -> Any:
        alphas, means, icf = parameters
        logs, packed = icf[:, :dims], icf[:, dims:]
        q, sums = np.exp(logs), np.sum(logs, axis=1)
        lower = np.concatenate([np.zeros((k, 1)), packed], axis=1)[:, place]
        if d.products:
            factors = lower + q[:, None, :] * np.eye(dims)
            along = np.reshape(np.dot(x, np.reshape(factors, (k * dims, dims)).T), (n, k, dims))
            z = along - np.einsum("kij,kj->ki", factors, means)
        else:
            centred = x[:, None, :] - means
            z = q * centred + np.einsum("kij,nkj->nki", lower, centred)
        inner = alphas + sums - 0.5 * np.sum(z * z, axis=2)
        prior = np.sum(0.5 * GAMMA**2 * (np.sum(q * q, axis=1) + np.sum(packed * packed, axis=1)) - M * sums)
        return constant + np.sum(logsumexp(inner, axis=1)) - n * logsumexp(alphas) + prior

    return objective


def in_jax(d: Any) -> Program:
    import jax

    gradient = jax.value_and_grad(in_numpy_names(jax.numpy, jax.scipy.special.logsumexp, d))
    return Program(lambda alphas, means, icf, x: gradient((alphas, means, icf), x), [d.alphas, d.means, d.icf, d.x])


def in_autograd(d: Any) -> Program:
    import autograd.numpy as np
    from autograd import value_and_grad
    from autograd.scipy.special import logsumexp

    gradient = value_and_grad(in_numpy_names(np, logsumexp, d))
    return Program(lambda alphas, means, icf, x: gradient((alphas, means, icf), x), [d.alphas, d.means, d.icf, d.x])


def in_torch(d: Any, compiled: bool) -> Program:
    import torch

    (n, dims), k = d.x.shape, len(d.alphas)
    place, constant = torch.tensor(places(dims), dtype=torch.int64), constants(n, dims, k)

    def objective(alphas: Any, means: Any, icf: Any, x: Any) -> Any:
        logs, packed = icf[:, :dims], icf[:, dims:]
        q, sums = torch.exp(logs), torch.sum(logs, 1)
        lower = torch.cat([torch.zeros((k, 1), dtype=icf.dtype), packed], 1)[:, place]
        if d.products:
            factors = lower + torch.diag_embed(q)
            along = torch.reshape(x @ torch.reshape(factors, (k * dims, dims)).T, (n, k, dims))
            z = along - torch.einsum("kij,kj->ki", factors, means)
        else:
            centred = x[:, None, :] - means
            z = q * centred + torch.einsum("kij,nkj->nki", lower, centred)
        inner = alphas + sums - 0.5 * torch.sum(z * z, 2)
        prior = torch.sum(0.5 * GAMMA**2 * (torch.sum(q * q, 1) + torch.sum(packed * packed, 1)) - M * sums)
        return constant + torch.sum(torch.logsumexp(inner, 1)) - n * torch.logsumexp(alphas, 0) + prior

    forward: Any = torch.compile(objective) if compiled else objective

    def step(alphas: Any, means: Any, icf: Any, x: Any) -> Any:
        parameters = [p.requires_grad_() for p in (alphas, means, icf)]
        y = forward(*parameters, x)
        return y, *torch.autograd.grad(y, parameters)

    return Program(step, [d.alphas, d.means, d.icf, d.x])
