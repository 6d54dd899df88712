"""Random programs of 10 to 40 lines: TensorFlow against Pullback eager, as a graph, and compiled; with gradients of two orders.

They are drawn and judged as in tests/random_programs.py: how far apart two answers may be is measured, by moving the roundings.  A
program that differs is made smaller, as long as it still differs, before it is reported.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np

from pullback.ir.plan import Run
from tests.against.report import Difference, Part, Progress, unexplained
from tests.against.sides import OURS, THEIRS, Side
from tests.against.values import array_difference
from tests.random_programs import (
    REFUSED,
    Program,
    apart,
    beside_branches,
    compiled,
    drawn,
    eagerly,
    executor,
    natively,
    planned,
    pruned,
    rooms,
    shaken,
    smaller,
)

_HERE = "tests.against.random_programs"
_LINES = (10, 40)
_BATCH = 40
_SECONDS = 60.0
_SHRINKING = 40.0
_NEAR = 16.0  # units in the last place: what is so near is not measured


def run(sides: dict[str, Side], programs: int, seed: int, compile_one_in: int) -> Part:
    """Hold the programs of so many seeds against each other; one in so many is compiled too, which takes longest."""
    part, counts = Part("random programs"), Counter[str]()
    progress = Progress("random programs", programs)
    ours, theirs = sides[OURS], sides[THEIRS]
    batches = [list(range(first, min(first + _BATCH, seed + programs))) for first in range(seed, seed + programs, _BATCH)]
    ours.ask(f"{_HERE}.draw", batches[0], compile_one_in, seconds=_SECONDS)
    for k, seeds in enumerate(batches):
        drawing = ours.answer()
        found = [item for _, item in drawing.items]
        if drawing.ended:
            part.add(Difference(f"seed {seeds[len(found)]}", "ends", drawing.ended))
        theirs.ask(f"{_HERE}.answers", [item["program"] for item in found], seconds=_SECONDS)
        if k + 1 < len(batches):  # Pullback draws the next ones while TensorFlow answers
            ours.ask(f"{_HERE}.draw", batches[k + 1], compile_one_in, seconds=_SECONDS)
        said = _rest(theirs, [item["program"] for item in found])
        apart_at_first = [(mine, a) for mine, a in zip(found, said, strict=True) if _held(mine, a, counts, None)]
        if apart_at_first:
            if k + 1 < len(batches):
                ours.keep(ours.answer())
            for mine, a in apart_at_first:
                difference = _shrunk(sides, mine["program"], a, "compiled" in mine["ways"])
                if difference:
                    part.add(difference)
        progress.step(f"{len(part.differences)} differ", len(seeds))
    progress.end()
    part.figures = {
        "programs": counts["programs"],
        "lines": counts["lines"],
        "with gradients of the second order": counts["second order"],
        "TensorFlow has no gradient, so values alone": counts["no gradient there"],
        "compiled": counts["compiled"],
        "differ": len(part.differences),
        "of those, for no known reason": unexplained(part),
    }
    part.goals = {"the same, or different for a known reason": (counts["programs"] - unexplained(part), counts["programs"], 1.0)}
    return part


def _rest(side: Side, programs: list[Program]) -> list[Any]:
    """The answers to programs that were sent; after one that ended the process the rest is asked of a new one."""
    found: list[Any] = []
    while True:
        answer = side.answer()
        found += answer.items
        if len(found) < len(programs):
            found.append(("ended", answer.ended))
        if len(found) >= len(programs):
            return found
        side.ask(f"{_HERE}.answers", programs[len(found) :], seconds=_SECONDS)


def _held(ours: dict[str, Any], theirs: Any, counts: Counter[str], room: list[Any] | None) -> list[str]:
    """What is wrong with a program: nothing, as it should be.  Without `room`: whether it pays to measure how near answers may be."""
    program: Program = ours["program"]
    counts["programs"] += 1
    counts["lines"] += len(program.lines)
    if theirs[0] != "answers":
        return [f"TensorFlow: {theirs[1]}"]
    order, answers = theirs[1], theirs[2]
    counts["second order"] += order == 2
    counts["no gradient there"] += order == 0
    counts["compiled"] += "compiled" in ours["ways"]
    wrong: list[str] = []
    for way, found in ours["ways"].items():
        if isinstance(found, str):
            wrong.append(f"{way}: {found}")
            continue
        if len(found) < len(answers):
            wrong.append(f"{way}: {len(found)} answers, TensorFlow has {len(answers)}, with gradients of order {order}")
            continue
        found = found[: len(answers)]
        if room is None:
            wrong += [d for a, b in zip(answers, found, strict=True) if (d := array_difference(a, b, _NEAR))]
            continue
        near_by = [r if way == "eager" else beside_branches(program, y, r) for y, r in zip(found, room, strict=False)]
        wrong += apart(way, answers, found, near_by)
    return wrong


def _shrunk(sides: dict[str, Side], program: Program, theirs: Any, compiling: bool) -> Difference | None:
    """The smallest program that still differs, as a difference; None where the answers are as near as they can be."""
    sides[OURS].ask(f"{_HERE}.judge", [(program, theirs)], "", compiling, seconds=_SECONDS)
    answer = sides[OURS].fresh_answer()
    wrong = answer.items[0][1] if answer.items else answer.ended
    if not wrong:
        return None
    until = time.monotonic() + _SHRINKING
    while time.monotonic() < until:
        try:
            others = [pruned(program, [name], {}) for name in program.results if len(program.results) > 1] + list(smaller(program))
        except REFUSED:
            break
        sides[THEIRS].ask(f"{_HERE}.answers", others, seconds=_SECONDS)
        pairs = list(zip(others, _rest(sides[THEIRS], others), strict=True))
        sides[OURS].ask(f"{_HERE}.judge", pairs, wrong.split(":")[0], compiling, seconds=_SECONDS)
        answer = sides[OURS].fresh_answer()
        if not answer.items:
            break
        at, wrong = answer.items[0]
        program = others[at]
    text = "; ".join(str(line) for line in program.lines)
    text = text if len(text) < 400 else f"{text[:400]} ..."
    inputs = ", ".join(f"{name}: {x.dtype.name}{list(x.shape)}{_few(x)}" for name, x in program.inputs.items())
    return Difference(f"seed {program.seed}", "differs", f"`{text}` of {inputs}: {wrong}")


def _few(x: Any) -> str:
    return f" {np.array2string(x, separator=', ')}".replace("\n", "") if 0 < x.size <= 4 else ""


# ---- in the processes of the sides


def draw(tf: Any, seeds: list[int], compile_one_in: int) -> Iterator[tuple[int, dict[str, Any]]]:
    """Draw programs, and answer them."""
    with np.errstate(all="ignore"):
        for seed in seeds:
            program = drawn(seed, *_LINES)
            yield seed, _answered(program, compile_one_in > 0 and seed % compile_one_in == 0)


def judge(tf: Any, pairs: list[tuple[Program, Any]], alike: str, compiling: bool) -> Iterator[tuple[int, str]]:
    """The place of the first program that differs from TensorFlow's answers, and how, in words that begin alike."""
    with np.errstate(all="ignore"):
        for k, (program, theirs) in enumerate(pairs):
            try:
                ours = _answered(program, compiling)
                if not _held(ours, theirs, Counter(), None):
                    continue
                wrong = _held(ours, theirs, Counter(), rooms(program, ours["ways"]["eager"], shaken(program, order=ours["order"])))
            except REFUSED:
                continue
            if wrong and wrong[0].startswith(alike):
                yield k, wrong[0]
                return


def _answered(program: Program, compiling: bool) -> dict[str, Any]:
    """The answers of Pullback in all its ways."""
    order, found = _eager_answers(program)
    ways: dict[str, Any] = {"eager": found}
    try:
        plan, values = planned(program, order=order), list(program.inputs.values())
        with executor():
            ways["function"] = [np.array(y) for y in plan.run(values, Run({}, {}))]
        if compiling:
            with natively(tiny=False):
                native = compiled(plan, values)
                found = None if native is None else native.run(values, Run({}, {}))
            if found is not None:
                ways["compiled"] = [np.array(y) for y in found]
    except REFUSED as e:
        ways["graph"] = f"{type(e).__name__}: {e}"
    return {"program": program, "ways": ways, "order": order}


def _eager_answers(program: Program) -> tuple[int, list[Any]]:
    """The highest order of gradients that every operation of the program has here, and the answers of that order.

    Where TensorFlow's is higher the answers that are missing are a difference: see `_held`.
    """
    for order in (2, 1):
        try:
            return order, eagerly(program, order=order)
        except REFUSED:
            continue
    return 0, eagerly(program, order=0)


def answers(tf: Any, programs: list[Program]) -> Iterator[Any]:
    """TensorFlow's answers: ("answers", the order of the gradients among them, arrays) or ("raised", in words)."""
    for program in programs:
        said = ""
        for order in (2, 1, 0):
            try:
                given = [tf.constant(x) for x in program.inputs.values()]
                found = program.run(given, tf=tf, order=order)
                yield "answers", order, [np.array(y.numpy()) for y in found]
                break
            except LookupError as e:  # an operation without a gradient, of this order
                said = f"{type(e).__name__}: {e}"
            except Exception as e:  # noqa: BLE001 - whatever it raises is the answer
                yield "raised", f"{type(e).__name__}: {e}"[:300]
                break
        else:
            yield "raised", said
