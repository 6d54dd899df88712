"""JAX: `jit`, with the state donated."""

from collections.abc import Callable
from typing import Any

import jax
import numpy as np

from benchmarks.engine.program import Program, Running


def ready(make: Callable[[], Program], mode: str) -> Callable[[], Running]:
    program = make()
    if any(a.dtype == np.float64 for a in program.arguments):
        jax.config.update("jax_enable_x64", True)
    arguments = [jax.numpy.array(a) for a in program.arguments]
    state = jax.tree.map(jax.numpy.array, program.state)
    jax.block_until_ready((arguments, state))
    return lambda: without_state(program, arguments) if state is None else with_state(program, arguments, state)


def without_state(program: Program, arguments: list[Any]) -> Running:
    function = jax.jit(program.function)
    return Running(lambda: jax.block_until_ready(function(*arguments)), lambda found: program.layout(arrays(found)))


def with_state(program: Program, arguments: list[Any], state: Any) -> Running:
    function = jax.jit(program.function, donate_argnums=0)

    def step() -> Any:
        nonlocal state
        state, outputs = jax.block_until_ready(function(state, *arguments))
        return outputs

    return Running(step, lambda found: program.layout(arrays([found, state])))


def arrays(found: Any) -> list[Any]:
    return [np.array(value) for value in jax.tree.leaves(found)]
