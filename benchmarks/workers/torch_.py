"""PyTorch, eager."""

from typing import Any

import torch
from protocol import BIG, X, numbers, peak_bytes, serve, timed


def eager(seconds: float) -> dict[str, Any]:
    x, ones = torch.tensor(X, requires_grad=True), torch.ones(16)

    def step() -> tuple[Any, Any]:
        y = x
        for _ in range(50):
            y = torch.sin(y) * x + y - x
        return y, torch.autograd.grad(y, x, ones)[0]

    y, g = step()
    return {"seconds": timed(step, seconds), "values": numbers(y.tolist(), g.tolist())}


def memory(additions: int) -> dict[str, Any]:
    x = torch.ones(BIG, requires_grad=True)
    ones = torch.ones(BIG)
    before = peak_bytes()
    y = x
    for _ in range(additions):
        y = y + x
    (g,) = torch.autograd.grad(y, x, ones)
    return {"bytes": peak_bytes() - before, "values": [float(g[0])]}


if __name__ == "__main__":
    serve(eager=eager, memory=memory)
