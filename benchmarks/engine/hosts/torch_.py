"""PyTorch, eager or through `torch.compile`: the work itself says what is compiled."""

from collections.abc import Callable
from typing import Any

import torch

from benchmarks.engine.program import Program, Running


def ready(make: Callable[[], Program], mode: str) -> Callable[[], Running]:
    program = make()
    arguments = [torch.tensor(a) for a in program.arguments]

    def read(outputs: Any) -> Any:
        leaves = torch.utils._pytree.tree_leaves([outputs, program.state])
        return program.layout([leaf.detach().numpy().copy() for leaf in leaves if leaf is not None])

    return lambda: Running(lambda: program.function(*arguments), read)
