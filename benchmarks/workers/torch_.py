"""PyTorch, eager and with torch.compile (which needs a C++ compiler)."""

from typing import Any

import torch
from protocol import BATCH, BIG, W, X, numbers, peak_bytes, serve, timed


def eager(seconds: float) -> dict[str, Any]:
    x, ones = torch.tensor(X, requires_grad=True), torch.ones(16)

    def step() -> tuple[Any, Any]:
        y = x
        for _ in range(50):
            y = torch.sin(y) * x + y - x
        return y, torch.autograd.grad(y, x, ones)[0]

    y, g = step()
    return {"seconds": timed(step, seconds), "values": numbers(y.tolist(), g.tolist())}


def step(seconds: float) -> dict[str, Any]:
    """A step of training: two dense layers, the gradients, the new weights. The loss and its gradients are compiled, as PyTorch does it."""

    def loss_of(x: Any, w: Any, v: Any) -> Any:
        return torch.mean(torch.square(torch.tanh(x @ w) @ v))

    compiled = torch.compile(loss_of)
    x, w = torch.tensor(BATCH, dtype=torch.float32), torch.tensor(W, dtype=torch.float32, requires_grad=True)
    v = w.detach().clone().requires_grad_()

    def train() -> tuple[Any, Any, Any]:
        loss = compiled(x, w, v)
        of_w, of_v = torch.autograd.grad(loss, (w, v))
        with torch.no_grad():
            return loss, w - 0.1 * of_w, v - 0.1 * of_v

    values = train()
    return {"seconds": timed(train, seconds), "values": numbers(*(part.tolist() for part in values))}


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
    serve(eager=eager, memory=memory, step=step)
