"""When a plan is run natively: after it has run a few times, or at once where the user asks.

Compiling takes some milliseconds, more than most plans ever cost that run once (initialisers, single fetches), so the first runs use the
NumPy executor.  A plan is compiled anew for each set of shapes; one that meets ever new shapes stays on the executor, and so does what
has no native program, with a reason that can be asked for.

`set_jit(True)` or PULLBACK_JIT=1: at the first run.  `set_jit(False)` or PULLBACK_JIT=0: never.  Between
them `jit_compile` of a function decides for its own plans.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from ..base.dtypes import resource
from ..base.garbage import held_back
from ..ir.context import BUILDING
from ..ir.function_graph import FunctionGraph
from ..ir.plan import Plan, Run
from ..ir.tensor import TensorType
from .late import native

#: Runs on the executor before a plan is compiled, and how many nodes add one more.
_RUNS, _NODES_A_RUN = 2, 2000
_SHAPES = 16
_MODES = {"0": False, "1": True}


class Settings:
    """What `set_jit` sets: True, False, or None for when it pays."""

    jit: bool | None = _MODES.get(os.environ.get("PULLBACK_JIT", ""))


def set_jit(enabled: Any) -> None:
    """Compile functions and sessions to native programs at their first run, or never; otherwise that is done once it pays.

    enabled: True or "autoclustering" for the first run, anything else for never, as TensorFlow reads it.  Programs that are there already
    stay in use.  Never is never, for functions with `jit_compile=True` too; one with `jit_compile=False` stays on NumPy kernels always.

    >>> import pullback as tf
    >>> before = tf.config.optimizer.get_jit()
    >>> tf.config.optimizer.set_jit("autoclustering")
    >>> tf.config.optimizer.get_jit()
    'autoclustering'
    """
    Settings.jit = enabled in (True, "autoclustering")


def get_jit() -> str:
    """The string "autoclustering" where native programs are wanted at the first run, otherwise the empty string.

    >>> import pullback as tf
    >>> tf.config.optimizer.set_jit(True)
    >>> tf.config.optimizer.get_jit()
    'autoclustering'
    """
    return "autoclustering" if Settings.jit else ""


class Tier:
    """A plan's native programs, by the shapes they were made for."""

    __slots__ = ("programs", "reason", "runs", "static", "wish")

    def __init__(self, plan: Plan) -> None:
        self.static = all(t.dims is not None and None not in t.dims for t in plan.fed)
        self.programs: dict[Any, Any] = {}
        self.runs = 0
        graph = plan.nodes[0].graph if plan.nodes else None
        #: What was asked for this plan alone.
        self.wish = graph.jit if isinstance(graph, FunctionGraph) and graph.jit is not None else plan.at_once or None
        self.reason: str | None = None


def run_natively(plan: Plan, values: Sequence[Any], run: Run) -> Sequence[Any] | None:
    """The values of the fetched tensors, or None where the plan is to be run by the executor."""
    tier = plan.tier
    if tier is None:
        tier = plan.tier = Tier(plan)
    key = () if tier.static else tuple([_shape(v) for v in values])
    program = tier.programs.get(key)
    if program is None:
        if key in tier.programs or not _is_due(tier, plan):
            return None
        with BUILDING:
            if key not in tier.programs:
                tier.programs[key] = _compiled(tier, plan, values)
        program = tier.programs[key]
        if program is None:
            return None
        plan.ready = program.ready if tier.static else None
    return program.run(values, run)  # type: ignore[no-any-return]


def _is_due(tier: Tier, plan: Plan) -> bool:
    mode = Settings.jit if tier.wish is None else tier.wish
    if mode is False or Settings.jit is False or len(plan.nodes) < 2 or len(tier.programs) >= _SHAPES:
        return False
    tier.runs += 1
    return mode is True or tier.runs > _RUNS + len(plan.nodes) // _NODES_A_RUN


def _shape(value: Any) -> Any:
    return value.shape if isinstance(value, (np.ndarray, np.generic)) else None


def _compiled(tier: Tier, plan: Plan, values: Iterable[Any]) -> Any:
    plan.refresh()
    types = [type_given(t, v) for t, v in zip(plan.fed, values, strict=True)]
    kept = native("host.kept")
    key = kept.key_of(plan, types)
    found = None if key is None else kept.recall(key, plan)
    if found is not None:
        tier.reason = found.reason
        return found
    program, tier.reason = native_program(plan, types)
    if key is not None and program is not None and program.single is not None:
        (layout,) = program.layouts.values()
        kept.keep(key, layout, program.single.sources, program.text, tier.reason)
    return program


def native_program(plan: Plan, types: Sequence[TensorType], kind: Any = None) -> tuple[Any, str | None]:
    """The native program of a plan for inputs of `types`, with as much inside it as can be had, and why there is not more.

    kind: what makes it, `Program` where None.  Where there is no program, the first of the two is None.
    """
    engine, machine, steps = (native(name) for name in ("program", "host.machine", "steps.steps"))
    if engine is None:
        return None, "the engine needs llvmlite, which is not installed"
    why = None
    for flow, in_place in ((True, True), (True, False), (False, True), (False, False)):
        try:
            with held_back():
                program = (kind or engine.Program)(plan, types, flow, in_place)
        except (steps.Unsupported, machine.NativeError) as reason:
            why = why or str(reason)
        else:
            if program.segments:
                return program, why
            return None, why or next(iter(program.refusals.values()), "nothing in it has native code")
    return None, why


def type_given(tensor: Any, value: Any) -> TensorType:
    """The type of what is given for a tensor of a plan."""
    dims = tensor.dims if tensor.dtype is resource or tensor.dtype._is_ref_dtype or _shape(value) is None else value.shape
    return TensorType(dims, tensor.dtype)


def install() -> None:
    """Let plans be run natively from now on."""
    Plan.engine = staticmethod(run_natively)


__all__ = ["Settings", "Tier", "get_jit", "install", "native_program", "run_natively", "set_jit", "type_given"]
