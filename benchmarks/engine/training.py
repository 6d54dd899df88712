"""A step of gradient descent, as each library writes it: the loss, its gradients, and the parameters moved against them."""

from collections.abc import Callable, Sequence
from typing import Any

RATE = 0.01


def in_tensorflow(tf: Any, loss: Callable[..., Any], variables: Sequence[Any]) -> Callable[..., Any]:
    """`loss` reads the variables; rows that a gather read are moved alone."""

    def step(*batch: Any) -> Any:
        with tf.GradientTape() as tape:
            value = loss(*batch)
        for variable, g in zip(variables, tape.gradient(value, variables), strict=True):
            if isinstance(g, tf.IndexedSlices):
                variable.scatter_sub(tf.IndexedSlices(RATE * g.values, g.indices))
            else:
                variable.assign_sub(RATE * g)
        return value

    return step


def in_jax(loss: Callable[..., Any]) -> Callable[..., Any]:
    """`loss` takes the parameters first."""
    import jax

    def step(parameters: Any, *batch: Any) -> Any:
        value, gradients = jax.value_and_grad(loss)(parameters, *batch)
        return jax.tree.map(lambda p, g: p - RATE * g, parameters, gradients), value

    return step


def in_torch(loss: Callable[..., Any], parameters: Sequence[Any], compiled: bool) -> Callable[..., Any]:
    """`loss` takes the parameters first, as a list; what needs no gradient stays as it is."""
    import torch

    free = [p for p in parameters if p.requires_grad]
    forward = torch.compile(loss) if compiled else loss

    def step(*batch: Any) -> Any:
        value = forward(parameters, *batch)
        gradients = torch.autograd.grad(value, free)
        with torch.no_grad():
            torch._foreach_add_(free, gradients, alpha=-RATE)
        return value.detach()

    return step
