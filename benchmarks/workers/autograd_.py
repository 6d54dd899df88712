"""HIPS autograd: derivatives of NumPy programs."""

from typing import Any

import autograd.numpy as np
from autograd import make_vjp
from protocol import BIG, X, numbers, peak_bytes, serve, timed


def chain(x: Any) -> Any:
    y = x
    for _ in range(50):
        y = np.sin(y) * x + y - x
    return y


def eager(seconds: float) -> dict[str, Any]:
    x, ones = np.array(X, np.float32), np.ones(16, np.float32)

    def step() -> tuple[Any, Any]:
        pull, y = make_vjp(chain)(x)
        return y, pull(ones)

    y, g = step()
    return {"seconds": timed(step, seconds), "values": numbers(y.tolist(), g.tolist())}


def memory(additions: int) -> dict[str, Any]:
    x, ones = np.ones(BIG, np.float32), np.ones(BIG, np.float32)
    before = peak_bytes()

    def add_up(x: Any) -> Any:
        y = x
        for _ in range(additions):
            y = y + x
        return y

    pull, _ = make_vjp(add_up)(x)
    return {"bytes": peak_bytes() - before, "values": [float(pull(ones)[0])]}


if __name__ == "__main__":
    serve(eager=eager, memory=memory)
