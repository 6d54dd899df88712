"""The gradient of a tanh network's loss, and its Hessian times a vector."""

from types import SimpleNamespace
from typing import Any

import numpy as np

from benchmarks.engine.program import Program

TINY = {"product": True, "batch": 4, "widths": (6, 5, 3)}


def data(product: bool, batch: int = 128, widths: tuple[int, int, int] = (784, 256, 10)) -> Any:
    draw = np.random.default_rng(0)
    n, hidden, m = widths
    shapes = [(n, hidden), (hidden,), (hidden, m), (m,)]
    parameters, v = ([draw.normal(0, n**-0.5, shape).astype(np.float32) for shape in shapes] for _ in range(2))
    labels = draw.integers(0, m, batch).astype(np.int32)
    return SimpleNamespace(parameters=parameters, v=v, x=draw.normal(size=(batch, n)).astype(np.float32), labels=labels, product=product)


def in_tensorflow(tf: Any, d: Any) -> Program:
    """Forward over reverse."""

    def gradient(parameters: Any, x: Any, labels: Any) -> Any:
        w1, b1, w2, b2 = parameters
        with tf.GradientTape() as tape:
            tape.watch(parameters)
            logits = tf.matmul(tf.tanh(tf.matmul(x, w1) + b1), w2) + b2
            loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits))
        return tape.gradient(loss, parameters)

    def product(*values: Any) -> Any:
        parameters, v, (x, labels) = values[:4], values[4:8], values[8:]
        with tf.autodiff.ForwardAccumulator(list(parameters), list(v)) as pushed:
            g = gradient(list(parameters), x, labels)
        return g, pushed.jvp(g)

    if d.product:
        return Program(product, [*d.parameters, *d.v, d.x, d.labels])
    return Program(lambda *values: gradient(list(values[:4]), *values[4:]), [*d.parameters, d.x, d.labels])


def in_jax(d: Any) -> Program:
    import jax
    import jax.numpy as jnp

    def loss(parameters: Any, x: Any, labels: Any) -> Any:
        w1, b1, w2, b2 = parameters
        logs = jax.nn.log_softmax(jnp.tanh(x @ w1 + b1) @ w2 + b2)
        return -jnp.mean(jnp.take_along_axis(logs, labels[:, None], axis=1))

    def product(*values: Any) -> Any:
        x, labels = values[8:]
        return jax.jvp(lambda parameters: jax.grad(loss)(parameters, x, labels), (values[:4],), (values[4:8],))

    if d.product:
        return Program(product, [*d.parameters, *d.v, d.x, d.labels])
    return Program(lambda *values: jax.grad(loss)(values[:4], *values[4:]), [*d.parameters, d.x, d.labels])


def in_torch(d: Any, compiled: bool) -> Program:
    """Eager, the gradient of the gradient's product with v; compiled, forward over reverse."""
    import torch
    from torch.nn.functional import cross_entropy

    def loss(parameters: Any, x: Any, labels: Any) -> Any:
        w1, b1, w2, b2 = parameters
        return cross_entropy(torch.tanh(x @ w1 + b1) @ w2 + b2, labels)

    def gradient(*values: Any) -> Any:
        parameters = [p.requires_grad_() for p in values[:4]]
        return torch.autograd.grad(loss(parameters, *values[4:]), parameters)

    def product(*values: Any) -> Any:
        parameters = [p.requires_grad_() for p in values[:4]]
        g = torch.autograd.grad(loss(parameters, *values[8:]), parameters, create_graph=True)
        return g, torch.autograd.grad(g, parameters, values[4:8])

    def pushed_gradient(*values: Any) -> Any:
        return torch.func.grad(loss)(values[:4], *values[4:])

    def pushed_product(*values: Any) -> Any:
        x, labels = values[8:]
        return torch.func.jvp(lambda *parameters: torch.func.grad(loss)(parameters, x, labels), values[:4], values[4:8])

    labels = d.labels.astype(np.int64)
    if d.product:
        return Program(torch.compile(pushed_product) if compiled else product, [*d.parameters, *d.v, d.x, labels])
    return Program(torch.compile(pushed_gradient) if compiled else gradient, [*d.parameters, d.x, labels])
