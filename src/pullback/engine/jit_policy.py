"""When a plan is run natively: once that pays, or at once where the user asks.

A plan runs on kernels first.  When its runs have taken about as long as compiling it would, it is compiled, on a thread of its own
(`background`), and its calls go on with kernels until the program is there: nobody waits for what he did not ask for, and what is not
called often enough to pay is never compiled.  Sooner than that, a disk that has something is asked for what an earlier process compiled.
A plan is compiled anew for each set of shapes; one that meets ever new shapes stays on kernels, and so does what has no native program,
with a reason that can be asked for.

`set_jit(True)` or PULLBACK_JIT=1: at the first run, which waits for it.  `set_jit(False)` or PULLBACK_JIT=0: never.  Between them
`jit_compile` of a function decides for its own plans.
"""

from __future__ import annotations

import os
import time
import weakref
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ..base.export import export
from ..base.garbage import pause_collection
from ..ir.context import BUILDING
from ..ir.function_graph import FunctionGraph, bodies_of
from ..ir.graph import Graph
from ..ir.plan import Plan, Run, look_on
from ..ir.references import is_handle
from ..ir.tensor import TensorType
from .background import COMPILER, Failure
from .compile_times import Seconds, stage, time_stages
from .llvm_loading import is_loaded, native

#: Seconds that compiling takes: any plan, each node more, the first one more for loading the engine and LLVM; how many times less the disk.
_ANY, _NODE, _LOADING, _OF_DISK = 0.03, 0.0005, 0.05, 10
#: Seconds of a call at whose end what reads the disk may be loaded, which takes half as long.
_LONG_CALL = 0.0005
_ENGINES = ("native", "xla")
#: How many sets of shapes are compiled, and of how many it is known how long their runs took.
_SHAPES, _KNOWN = 16, 1024
#: How often a plan is compiled again because it was changed meanwhile.
_TRIES = 3
_MODES = {"0": False, "1": True}


class Settings:
    """What `set_jit` sets: True, False, or None for when it pays; what compiles; and whether runs are to give the same bits each time.

    Where they are, what would be compiled while calls go on is compiled at the first one: when else it is ready, only the clock knows.
    """

    engine = os.environ.get("PULLBACK_ENGINE", "native")
    jit: bool | None = _MODES.get(os.environ.get("PULLBACK_JIT", ""), True if engine == "xla" else None)
    repeats_bits = False
    #: Whether programs that are waited for begin with baseline code (`runtime.baseline`).
    baseline = True

    @classmethod
    def compiles_at_once(cls) -> bool:
        """Whether what has no wish of its own is compiled at its first call, which waits for it."""
        return cls.jit is True or (cls.jit is None and cls.repeats_bits)


@export("config.optimizer.set_jit")
def set_jit(enabled: object) -> None:
    """Compile functions and sessions to native programs at their first run, or never; otherwise that is done once it pays.

    enabled: True or "autoclustering" for the first run, "xla" for that with XLA in place of the engine here, anything else for never, as
    TensorFlow reads it.  Programs that are there already
    stay in use.  Never is never, for functions with `jit_compile=True` too; one with `jit_compile=False` stays on NumPy kernels always.

    >>> before = tf.config.optimizer.get_jit()
    >>> tf.config.optimizer.set_jit("autoclustering")
    >>> tf.config.optimizer.get_jit()
    'autoclustering'
    """
    Settings.jit = enabled in (True, "autoclustering", "xla")
    Settings.engine = "xla" if enabled == "xla" else "native"


@export("config.optimizer.get_jit")
def get_jit() -> str:
    """The string "autoclustering" where native programs are wanted at the first run ("xla": XLA's), otherwise the empty string.

    >>> tf.config.optimizer.set_jit(True)
    >>> tf.config.optimizer.get_jit()
    'autoclustering'
    """
    return ("xla" if Settings.engine == "xla" else "autoclustering") if Settings.jit else ""


if Settings.engine not in _ENGINES:
    raise ValueError(f"PULLBACK_ENGINE is one of {', '.join(_ENGINES)}, not {Settings.engine!r}")


class JitState:
    """A plan's native programs, by the shapes they were made for."""

    __slots__ = ("due", "first_due", "is_single", "price", "programs", "reason", "spent", "static", "took", "wish")

    def __init__(self, plan: Plan) -> None:
        self.static = all(t.dims is not None and None not in t.dims for t in plan.fed)
        self.programs: dict[Any, Any] = {}
        graph = plan.nodes[0].graph if plan.nodes else None
        #: What was asked for this plan alone.
        self.wish = graph.jit if isinstance(graph, FunctionGraph) else None
        self.reason: str | None = None
        #: What compiling is expected to take, and the seconds of each stage where it is done.
        size = sum(1 + sum(len(b.graph.nodes) for b in bodies_of(n)) for n in plan.nodes)
        self.price = _ANY + _NODE * size + (0.0 if is_loaded("program") else _LOADING)
        self.is_single = size < 2
        self.took: dict[Any, Seconds] = {}
        #: Seconds that runs on kernels took, and after how many something is done, by shapes and at first: the disk is asked, or the plan
        #: is compiled.
        self.spent: dict[Any, float] = {}
        self.due: dict[Any, float] = {}
        self.first_due: float | None = None


def run_plan(plan: Plan, values: Sequence[Any], run: Run) -> Sequence[Any]:
    """The values of the fetched tensors: from a native program where there is one, else from kernels."""
    jit_state = plan.jit_state
    if jit_state is None:
        jit_state = plan.jit_state = JitState(plan)
    key = () if jit_state.static else tuple([_shape(v) for v in values])
    program = jit_state.programs.get(key)
    if program is None:
        if key in jit_state.programs or not _may_compile(jit_state):
            return plan.run_on_kernels(values, run)
        if not (jit_state.wish or plan.waits or Settings.compiles_at_once()):
            # What is inside a plan that may be compiled will be a part of its program.
            return plan.run_on_kernels(values, run) if run.is_counted else _run_and_count(jit_state, key, plan, values, run)
        with BUILDING:
            if key not in jit_state.programs:
                _install(_find(plan, _types(plan, values)), jit_state, key, plan)
        program = jit_state.programs[key]
    answers = None if program is None else program.run(values, run)
    return plan.run_on_kernels(values, run) if answers is None else answers


def _may_compile(jit_state: JitState) -> bool:
    mode = Settings.jit if jit_state.wish is None else jit_state.wish
    return mode is not False and Settings.jit is not False and not jit_state.is_single and len(jit_state.programs) < _SHAPES


def _run_and_count(jit_state: JitState, key: Any, plan: Plan, values: Sequence[Any], run: Run) -> Sequence[Any]:
    """The values from kernels; and have the plan compiled if they have taken long enough by now."""
    start = time.perf_counter()
    run.is_counted = True
    COMPILER.begin_call()
    try:
        answers = plan.run_on_kernels(values, run)
    finally:
        took = time.perf_counter() - start
        COMPILER.end_call(took)
    run.is_counted = False
    spent = jit_state.spent[key] = jit_state.spent.get(key, 0.0) + took
    if len(jit_state.spent) > _KNOWN:
        jit_state.spent, jit_state.due = {key: spent}, {}
    due = jit_state.due.get(key, jit_state.first_due)
    if due is None:
        due = _first_due(jit_state, took)
    if (spent >= due or plan.soon) and key not in jit_state.programs and not COMPILER.has((jit_state, key)):
        types, only_kept, known = _types(plan, values), spent < jit_state.price and not plan.soon, weakref.ref(plan)
        COMPILER.submit((jit_state, key), lambda: _compile_meanwhile(known(), key, types, only_kept))
    return answers


def _first_due(jit_state: JitState, took: float) -> float:
    """How long runs are to have taken before something is done for a plan; took: how long this one did."""
    if took < _LONG_CALL and not is_loaded("runtime.disk_cache"):
        return jit_state.price
    jit_state.first_due = jit_state.price / (_OF_DISK if native("runtime.disk_cache").has_earlier_entries() else 1)
    return jit_state.first_due


def _compile_meanwhile(plan: Plan | None, key: Any, types: Sequence[TensorType], only_kept: bool) -> None:
    """Have a plan's program ready for its next run; an error, which the compiler's thread shows, is its reason for having none.

    What was made while the graph was changed is of two halves, and nobody gets it.
    """
    if plan is None:
        return
    jit_state: JitState = plan.jit_state
    jit_state.due[key] = jit_state.price
    for _ in range(_TRIES):
        before, failure = Graph.changes, Failure()
        with failure:
            found = _find(plan, types, only_kept)
        if before == Graph.changes:
            break
    else:
        return
    if failure.error is not None:
        jit_state.programs[key], jit_state.reason = None, f"compiling it failed: {type(failure.error).__name__}: {failure.error}"
        raise failure.error
    if key not in jit_state.programs and (found.program is not None or not only_kept):
        _install(found, jit_state, key, plan)


def key_of(jit_state: JitState, types: Sequence[TensorType]) -> Any:
    """What a program for inputs of `types` is known by."""
    return () if jit_state.static else tuple([None if is_handle(t) else t.dims for t in types])


def _shape(value: Any) -> Any:
    return value.shape if isinstance(value, (np.ndarray, np.generic)) else None


def _types(plan: Plan, values: Sequence[Any]) -> list[TensorType]:
    return [type_of_given(t, v) for t, v in zip(plan.fed, values, strict=True)]


class _Found(NamedTuple):
    program: Any
    #: Why there is none, or not more of it.
    reason: str | None
    took: Seconds


def _install(found: _Found, jit_state: JitState, key: Any, plan: Plan) -> None:
    """Have the next run take a program."""
    jit_state.took[key], jit_state.reason = found.took, found.reason
    jit_state.programs[key] = found.program
    if found.program is not None:
        look_on(found.program.run.__code__)
        plan.move_tensors = getattr(found.program, "move_tensors", None)
    plan.ready = found.program.ready if jit_state.static and found.program is not None else None


@pause_collection()
def _find(plan: Plan, types: Sequence[TensorType], only_kept: bool = False) -> _Found:
    """A plan's program for inputs of `types`; only_kept: if it is on the disk."""
    with time_stages(name_plan(plan)) as seconds:
        plan.refresh()
        key = None if wants_xla(plan) else _key_on_disk(plan, types)
        blob = None if key is None else native("runtime.disk_cache").lookup(key)
        found = None if blob is None else native("runtime.program_cache").load(blob, plan)
        if found is not None or only_kept:
            return _Found(found, None if found is None else found.reason, seconds)
        program, reason = native_program(plan, types)
        if key is not None and program is not None and program.single is not None:
            (layout,) = program.layouts.values()
            native("runtime.program_cache").keep(key, layout, program.single, program.text, reason)
    return _Found(program, reason, seconds)


def _key_on_disk(plan: Plan, types: Sequence[TensorType]) -> bytes | None:
    """What a plan's program is kept under on the disk; None where it cannot be kept, or nothing is."""
    with stage("key"):
        if native("runtime.disk_cache").current() is None:
            return None
        key: bytes | None = native("runtime.program_key").key_of(plan, types)
        return key


def name_plan(plan: Plan) -> str:
    """What a plan is called on a terminal."""
    graph = plan.nodes[0].graph if plan.nodes else None
    name = repr(graph.function_name) if isinstance(graph, FunctionGraph) else "a session's run"
    return f"{name} ({len(plan.nodes)} operations)"


@pause_collection()
def native_program(plan: Plan, types: Sequence[TensorType], kind: Any = None) -> tuple[Any, str | None]:
    """The native program of a plan for inputs of `types`, with as much inside it as can be had, and why there is not more.

    kind: what makes it, `Program` where None.  Where there is no program, the first of the two is None.
    """
    with stage("import"):
        native("runtime.objects").order_compiler()
        native("runtime.entry").compile_ahead()
        engine, machine, steps = (native(name) for name in ("program", "runtime.machine", "lowering.builder"))
    if engine is None:
        return None, "the engine needs llvmlite, which is not installed"
    why = None
    if kind is None and wants_xla(plan):
        program, why = _xla_program(plan, types)
        if program is not None:
            return program, why
    for flow, in_place in ((True, True), (True, False), (False, True), (False, False)):
        try:
            program = (kind or engine.Program)(plan, types, flow, in_place)
        except (steps.Unsupported, machine.NativeError) as reason:
            why = why or str(reason)
        else:
            if program.segments:
                return program, why
            return None, why or next(iter(program.refusals.values()), "nothing in it has native code")
    return None, why


def _xla_program(plan: Plan, types: Sequence[TensorType]) -> tuple[Any, str | None]:
    """XLA's program of a plan, as `native_program` gives one."""
    steps, why = native("lowering.builder"), None
    for flow in (True, False):
        try:
            program = native("xla.program").XlaProgram(plan, types, flow)
        except steps.Unsupported as reason:
            why = why or f"not by XLA: {reason}"
            continue
        refusal = next(iter(program.refusals.values()), None)
        if program.segments:
            return program, why or (None if refusal is None else f"not by XLA: {refusal}")
        why = why or f"not by XLA: {refusal or 'nothing in it has an operation there'}"
    return None, why


def wants_xla(plan: Plan) -> bool:
    """Whether a plan is for XLA: by its function's wish, else by the setting."""
    return is_for_xla(plan.nodes[0].graph if plan.nodes else None)


def is_for_xla(graph: Any) -> bool:
    """Whether a graph's native programs are to be XLA's."""
    wish = graph.jit if isinstance(graph, FunctionGraph) else None
    return wish == "xla" or (wish is not False and Settings.engine == "xla")


def type_of_given(tensor: Any, value: Any) -> TensorType:
    """The type of what is given for a tensor of a plan."""
    dims = tensor.dims if is_handle(tensor) or _shape(value) is None else value.shape
    return TensorType(dims, tensor.dtype)
