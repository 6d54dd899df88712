"""JAX, un-jitted, and tracing."""

import time
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from protocol import BATCH, BIG, W, X, numbers, peak_bytes, serve, timed


def chain(x: Any, length: int) -> Any:
    y = x
    for _ in range(length // 4):
        y = jnp.sin(y) * x + y - x
    return y


def chain_and_gradient(x: Any, length: int) -> tuple[Any, Any]:
    y, pull = jax.vjp(lambda x: chain(x, length), x)
    return y, pull(jnp.ones_like(y))[0]


def eager(seconds: float) -> dict[str, Any]:
    x = jnp.array(X, jnp.float32)

    def step() -> tuple[Any, Any]:
        found: tuple[Any, Any] = jax.block_until_ready(chain_and_gradient(x, 200))
        return found

    y, g = step()
    return {"seconds": timed(step, seconds), "values": numbers(y.tolist(), g.tolist())}


def build(length: int, evaluate: bool) -> dict[str, Any]:
    x = jnp.array(X, jnp.float32)
    start = time.perf_counter()
    program = jax.make_jaxpr(lambda x: chain_and_gradient(x, length))(x)
    seconds = time.perf_counter() - start
    if not evaluate:
        return {"seconds": seconds}
    return {"seconds": seconds, "values": numbers(*(v.tolist() for v in jax.core.eval_jaxpr(program.jaxpr, program.consts, x)))}


def step(seconds: float) -> dict[str, Any]:
    """A step of training, jitted: two dense layers, the gradients, the new weights."""

    def loss_of(w: Any, v: Any, x: Any) -> Any:
        return jnp.mean(jnp.square(jnp.tanh(x @ w) @ v))

    def train(x: Any, w: Any, v: Any) -> Any:
        loss, (of_w, of_v) = jax.value_and_grad(loss_of, (0, 1))(w, v, x)
        return loss, w - 0.1 * of_w, v - 0.1 * of_v

    x, w, compiled = jnp.array(BATCH, jnp.float32), jnp.array(W, jnp.float32), jax.jit(train)
    values = compiled(x, w, w)
    return {"seconds": timed(lambda: jax.block_until_ready(compiled(x, w, w)), seconds), "values": numbers(*(v.tolist() for v in values))}


def memory(additions: int) -> dict[str, Any]:
    x = jnp.array(np.ones(BIG, np.float32))
    jax.block_until_ready(x + x)
    before = peak_bytes()

    def add_up(x: Any) -> Any:
        y = x
        for _ in range(additions):
            y = y + x
        return y

    y, pull = jax.vjp(add_up, x)
    (g,) = pull(jnp.ones_like(y))
    return {"bytes": peak_bytes() - before, "values": [float(g[0])]}


if __name__ == "__main__":
    serve(eager=eager, build=build, memory=memory, step=step)
