"""What the two sides answer to random programs, each in its process, and how their answers are held against each other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby
from operator import itemgetter
from typing import Any

import numpy as np

import pullback
from pullback.ir.function_graph import bodies_of
from pullback.ir.plan import Plan, Run
from tests.random_lines import Line
from tests.random_lines_public import WideDraw, made_alone, usable_calls
from tests.random_programs import (
    REFUSED,
    Program,
    apart,
    beside_branches,
    coarsest,
    compiled,
    drawn,
    executor,
    in_session,
    least_room,
    natively,
    planned,
    pruned,
    rooms,
    scope_of,
    shaken,
    values_of,
)

_LINES = (10, 40)
_PIECES = 16
_SESSION_ONE_IN = 20
_GRAPH_ONE_IN = 10


@dataclass
class Said:
    """TensorFlow's answers to a program: the order of the gradients among them, and what it refused: (the line's name or "", words)."""

    order: int = 0
    answers: list[Any] = field(default_factory=list)
    refused: list[tuple[str, str]] = field(default_factory=list)


@dataclass
class Answered:
    """A program with Pullback's answers, by way, and the highest order of gradients that it has here."""

    program: Program
    order: int
    ways: dict[str, Any]
    operations: set[str]

    @property
    def asked(self) -> tuple[str, ...]:
        """The ways that it ran in besides eagerly."""
        return tuple("function" if way == "graph" else way for way in self.ways if way != "eager")


def compare_answers(ours: Answered, theirs: Said, room: list[Any] | None) -> list[str]:
    """What is wrong with a program: nothing, as it should be.  Without `room`: whether it pays to measure how near answers may be."""
    program = ours.program
    wrong: list[str] = []
    for way, found in ours.ways.items():
        if isinstance(found, str):
            wrong.append(f"{way}: {found}")
            continue
        if len(found) < len(theirs.answers):
            wrong.append(f"{way}: {len(found)} answers, TensorFlow has {len(theirs.answers)}, with gradients of order {theirs.order}")
            continue
        found = found[: len(theirs.answers)]
        if room is None:
            near_by = [least_room(y, len(program.lines), e) for y, e in zip(found, coarsest(program, found, ours.order), strict=True)]
        else:
            near_by = [r if way == "eager" else beside_branches(program, y, r) for y, r in zip(found, room, strict=False)]
        wrong += apart(way, theirs.answers, found, near_by)
    return wrong


_ANSWERED: dict[tuple[int, str], Answered] = {}  # what `draw` gave last, so that `judge` does not answer it again


def computed(tf: Any) -> Iterator[tuple[str, int]]:
    """The recorded calls that a library computes."""
    for name, calls in usable_calls().items():
        for k, call in enumerate(calls):
            if made_alone(tf, call):
                yield name, k


def called_alone(tf: Any, calls: list[tuple[str, int]]) -> Iterator[Program]:
    """Each call as a program, a line for each part of what it gives."""
    for name, k in calls:
        arrays: dict[str, Any] = {}
        text = WideDraw(np.random.default_rng(0)).written(usable_calls()[name][k], {}, [], arrays)
        value = eval(text, scope_of(tf) | {key: tf.constant(x) for key, x in arrays.items()})
        parts = range(len(value) if isinstance(value, (list, tuple)) else 1)
        lines = [Line(f"v{part}", f"h.part({text}, {part})", list(arrays), True, arrays) for part in parts]
        yield Program(0, arrays, lines, [line.name for line in lines])


def draw(tf: Any, seeds: list[int], compile_one_in: int, usable: list[tuple[str, int]]) -> Iterator[Answered]:
    """Draw programs, and answer them; `usable` are the calls of public functions that may be drawn."""
    calls = usable_calls()
    WideDraw.calls = {name: [calls[name][k] for n, k in some] for name, some in groupby(usable, itemgetter(0))}
    _ANSWERED.clear()
    with np.errstate(all="ignore"):
        for seed in seeds:
            program = drawn(seed, *_LINES, WideDraw)
            now = {
                "function": seed % _GRAPH_ONE_IN == 0,
                "session": seed % _SESSION_ONE_IN == 1,
                "compiled": compile_one_in > 0 and seed % compile_one_in == 0,
            }
            found = _answered(program, tuple(way for way, wanted in now.items() if wanted))
            _ANSWERED[_key(program)] = found
            yield found


def lines_alone(tf: Any, programs: list[tuple[Program, str]]) -> Iterator[list[Program]]:
    """Each line of some programs, or the one that is named, as a program of its own, which is given the values that it reads."""
    with np.errstate(all="ignore"):
        for program, named in programs:
            scope = values_of(program)
            yield [
                Program(program.seed, {name: np.array(scope[name].numpy()) for name in line.reads}, [line], [line.name])
                for line in program.lines
                if named in ("", line.name)
            ]


def pieces(tf: Any, programs: list[Program]) -> Iterator[list[Program]]:
    """Each program without some of it: all but one result, or some lines, whose values are given."""
    with np.errstate(all="ignore"):
        for program in programs:
            names = [line.name for line in program.lines]
            scope = values_of(program)
            arrays = {name: np.array(scope[name].numpy()) for name in names}
            alone = [[name] for name in program.results]
            ends = [[name for name in program.results if name in names[k:]] for k in range(1, len(names))]
            cut = [pruned(program, end, {name: arrays[name] for name in names[:k]}) for k, end in enumerate(ends, 1) if end]
            found = [pruned(program, end, {}) for end in alone if len(program.results) > 1] + cut + _fewer(program, arrays)
            yield found[:: max(1, len(found) // _PIECES)]


def _fewer(program: Program, arrays: dict[str, Any]) -> list[Program]:
    found = []
    for line in program.lines:
        if line.name not in program.results:
            found.append(pruned(program, program.results, {line.name: arrays[line.name]}))
            continue
        others = [name for name in program.results if name != line.name]
        before = [name for name in line.reads if name in arrays and name not in others]
        if before or others:
            found.append(pruned(program, others + before, {}))
    return found


def judge(tf: Any, pairs: list[tuple[Program, Said, tuple[str, ...]]]) -> Iterator[str]:
    """How the answers to each program, eagerly and in some other ways, differ from TensorFlow's, "" where they do not."""
    with np.errstate(all="ignore"):
        for program, theirs, asked in pairs:
            yield _judged(_ANSWERED.get(_key(program)) or _answered(program, asked), theirs)


def judge_quickly(tf: Any, pairs: list[tuple[Program, Said, tuple[str, ...]]]) -> Iterator[str]:
    """As `judge`, but roundings are not moved, so that answers may be told apart that are near enough."""
    with np.errstate(all="ignore"):
        for program, theirs, asked in pairs:
            ours = _ANSWERED.get(_key(program)) or _ANSWERED.setdefault(_key(program), _answered(program, asked))
            yield next(iter(compare_answers(ours, theirs, None)), "")


def _key(program: Program) -> tuple[int, str]:
    """What tells a program from those that it is cut into."""
    return program.seed, "; ".join([*map(str, program.lines), *program.results])


def _judged(ours: Answered, theirs: Said) -> str:
    """How answers differ: roundings are moved until they no longer do, or often enough."""
    wrong = compare_answers(ours, theirs, None)
    if not wrong:
        return ""
    program, plain = ours.program, ours.ways["eager"]
    eps, moved = coarsest(program, plain, ours.order), list[list[Any]]()
    try:
        for others in shaken(program, order=ours.order):
            moved.append(others)
            wrong = compare_answers(ours, theirs, rooms(program, plain, moved, eps))
            if not wrong:
                return ""
    except REFUSED as e:  # whether it runs hangs on a rounding, as what `unique` finds
        return f"{wrong[0]}; with roundings moved {type(e).__name__}"
    return wrong[0]


def _answered(program: Program, asked: tuple[str, ...]) -> Answered:
    """The answers of Pullback, eagerly and in the ways asked for; "graph" among them is why there are no others."""
    order, found = _eager_answers(program)
    ways: dict[str, Any] = {"eager": found}
    operations: set[str] = set()
    if not asked:
        return Answered(program, order, ways, operations)
    try:
        if "session" in asked:
            ways["session"] = in_session(program, order)
        if {"function", "compiled"}.isdisjoint(asked):
            return Answered(program, order, ways, operations)
        plan, values = planned(program, order=order), list(program.inputs.values())
        operations = _operations(plan)
        if "function" in asked:
            with executor():
                ways["function"] = [np.array(y) for y in plan.run(values, Run({}, {}))]
        if "compiled" in asked:
            with natively(tiny=False):
                native = compiled(plan, values)
                found = None if native is None else native.run(values, Run({}, {}))
            if found is not None:
                ways["compiled"] = [np.array(y) for y in found]
    except REFUSED as e:
        ways["graph"] = f"{type(e).__name__}: {e}"
    return Answered(program, order, ways, operations)


def _operations(plan: Plan) -> set[str]:
    """The operations of a plan, and of the bodies in it."""
    found, nodes = set(), list(plan.nodes)
    while nodes:
        node = nodes.pop()
        found.add(node.primitive.name)
        nodes += [inner for body in bodies_of(node) for inner in body.graph.nodes]
    return found


def _eager_answers(program: Program) -> tuple[int, list[Any]]:
    """The highest order of gradients that every operation of the program has here, and the answers of that order.

    Where TensorFlow's is higher the answers that are missing are a difference: see `_held`.
    """
    stages: list[list[Any]] = []
    try:
        with executor():
            for stage in program.stages([pullback.constant(x) for x in program.inputs.values()], order=2):
                stages.append([np.array(y.numpy()) for y in stage])
    except REFUSED:
        if not stages:
            raise
    return len(stages) - 1, [y for stage in stages for y in stage]


def answers(tf: Any, programs: list[Program]) -> Iterator[Said]:
    """TensorFlow's answers, with gradients of the highest order that it has."""
    for program in programs:
        said = Said()
        try:
            given = [tf.constant(x) for x in program.inputs.values()]
            for said.order, stage in enumerate(program.stages(given, tf=tf, order=2)):
                said.answers += [np.array(y.numpy()) for y in stage]
        except LookupError:  # an operation without a gradient, of the next order
            pass
        except Exception as e:  # noqa: BLE001 - whatever it raises is the answer
            name = "" if said.answers else _refused_line(tf, program)
            said.refused.append((name, f"{type(e).__name__}: {e}"[:300]))
        yield said


def _refused_line(tf: Any, program: Program) -> str:
    """The first line that TensorFlow does not compute; "" where it computes all, so that it is a gradient that it refuses."""
    scope = scope_of(tf) | {name: tf.constant(x) for name, x in program.inputs.items()}
    for line in program.lines:
        try:
            scope[line.name] = eval(line.text, scope)
        except Exception:  # noqa: BLE001 - as above
            return line.name
    return ""
