"""`explain` and `profile`: what a plan's native program is, and where its time goes.

A program is made for this alone, so functions and sessions go on as they were; a profile runs it on copies of what is given and takes
back what it writes to variables.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..ir.plan import Plan, Run
from ..ir.references import is_handle
from ..ir.tensor import TensorType
from .background import Failure
from .compile_times import time_stages
from .explanation import Explanation
from .jit_policy import key_of, name_plan, native_program, type_of_given
from .llvm_loading import native


def explain_plan(name: str, plan: Plan, types: Sequence[TensorType]) -> Explanation:
    """The native program of a plan for inputs of `types`, or why there is none."""
    if not plan.nodes:
        return Explanation(name, False, "nothing is computed")
    if any(t.dtype.is_numpy_compatible and not is_handle(t) and (t.dims is None or None in t.dims) for t in types):
        return Explanation(name, False, "a program is made for known shapes: explain it for values, or specs with all sizes")
    failure = Failure()
    with failure, time_stages(name_plan(plan)) as seconds:
        program, reason = native_program(plan, types)
    if failure.error is not None:
        return Explanation(name, False, f"compiling it failed: {type(failure.error).__name__}: {failure.error}")
    if program is None:
        return Explanation(name, False, reason)
    used = None if plan.jit_state is None else plan.jit_state.took.get(key_of(plan.jit_state, types))
    return Explanation(name, True, reason, program.parts(), _is_in_use(plan), compiling=used or seconds, baseline=_is_baseline(plan, types))


def profile_plan(name: str, plan: Plan, values: Sequence[Any], run: Callable[[], Run]) -> Explanation:
    """The same with times of runs on `values`; `run` makes what a run works on."""
    tools = native("timed_program")
    types = [type_of_given(t, v) for t, v in zip(plan.fed, values, strict=True)]
    if not plan.nodes or tools is None:
        return explain_plan(name, plan, types)
    program, reason = native_program(plan, types, tools.Timed)
    if program is None:
        return Explanation(name, False, reason)
    with np.errstate(all="ignore"):
        parts, runs, seconds = tools.profile_program(program, values, run)
    return Explanation(name, True, reason, parts, _is_in_use(plan), runs, seconds, program.profile, baseline=_is_baseline(plan, types))


def _is_baseline(plan: Plan, types: Sequence[TensorType]) -> bool:
    """Whether the program in use for inputs of `types` runs baseline code."""
    program = None if plan.jit_state is None else plan.jit_state.programs.get(key_of(plan.jit_state, types))
    return program is not None and any(native("runtime.baseline").is_begun(segment) for segment in program.segments.values())


def _is_in_use(plan: Plan) -> bool:
    return plan.jit_state is not None and any(program is not None for program in plan.jit_state.programs.values())
