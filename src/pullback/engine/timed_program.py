"""Profiles: native programs whose parts note their times."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..ir.node import Node
from ..ir.plan import Plan, Run
from ..ir.tensor import TensorType
from .explain_parts import parts_of
from .parts import Part, measure_part
from .program import Program
from .runtime.peaks import peaks
from .runtime.profile import Region

#: A profile ends when it has run for so many seconds or times, or its buffer of events is half full.
_SECONDS, _RUNS = 0.5, 50


class Timed(Program):
    """A program whose parts note their times, called kernels too."""

    def __init__(self, plan: Plan, types: Sequence[TensorType], flow: bool, in_place: bool) -> None:
        self.called: dict[Node, list[float]] = {}
        super().__init__(plan, types, flow, in_place, timed=True)

    def _call(self, node: Node, known: dict[int, Any], run: Run) -> None:
        start = time.perf_counter()
        super()._call(node, known, run)
        self.called.setdefault(node, []).append(time.perf_counter() - start)


def profile_program(program: Timed, values: Sequence[Any], run: Callable[..., Any]) -> tuple[tuple[Part, ...], int, float]:
    """The parts with their times, the number of runs, and the seconds of the shortest.

    run: makes what a run works on; its writes are taken back.

    Raises ValueError where the program cannot run on `values`.
    """
    profile = program.profile
    assert profile is not None
    parts = parts_of(program)
    by_name = {part.name: part for whole in parts for _, part in whole.walk()}
    names = [name for name, _ in program._timed or ()]
    profile.regions = tuple([_region(name, by_name.get(name)) for name in names])
    _time_once(program, values, run)
    profile.clear()
    program.called.clear()
    runs, start, seconds = 0, time.perf_counter(), math.inf
    while runs < _RUNS and (not runs or time.perf_counter() < start + _SECONDS) and profile.room_left > 0.5:
        seconds = min(seconds, _time_once(program, values, run))
        runs += 1
    best = peaks()
    times = {t.region.facts[0][1]: (t.count / runs, t.shortest * t.count / runs) for t in profile.totals()}
    times |= {node.name: (len(spans) / runs, min(spans) * len(spans) / runs) for node, spans in program.called.items()}

    def limit(part: Part) -> float | None:
        return best.seconds(part.read + part.written, part.flops, np.dtype(part.dtype)) if part.read + part.written + part.flops else None

    return tuple([measure_part(part, times, limit) for part in parts]), runs, seconds


def _time_once(program: Timed, values: Sequence[Any], run: Any) -> float:
    on = run()
    start = time.perf_counter()
    answers = program.run(values, on)
    seconds = time.perf_counter() - start
    on.take_back()
    if answers is None:
        raise ValueError("the native program cannot run on these values: a call of the function itself says what is wrong with them")
    return seconds


def _region(name: str, part: Part | None) -> Region:
    if part is None:
        return Region(name, facts=(("part", name),))
    title = part.what if part.kind == "kernel" else f"{part.kind} {part.shape} {part.what}".strip()
    return Region(title[:100] or name, part.read + part.written, part.flops, (("part", name), ("kind", part.kind), ("loops", part.shape)))
