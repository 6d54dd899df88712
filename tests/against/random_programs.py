"""Random programs of 10 to 40 lines: TensorFlow against Pullback eager, as a graph, and compiled; with gradients of two orders.

They are drawn and judged as in tests/random_programs.py: how far apart two answers may be is measured, by moving the roundings.

What makes it quick, and what is not done therefore:
- Two pairs of processes work, so that both cores do.  They answer all programs themselves, not in forks: TensorFlow takes ten times as
  long for what it has not run yet.
- TensorFlow runs eagerly only.  One program in so many is compiled, one in so many runs in a session of TensorFlow 1, the others as a
  graph on kernels and eagerly.
- Roundings are moved only where answers are further apart than the least room that there can be.
- A program that differs is cut into its lines, each with the values that it read, and each line is held by itself.  Those that differ
  are the differences; without them, and what reads them, the program is held again.  Only where no line differs by itself the program is
  made smaller step by step, as long as it still differs.
- A line that TensorFlow refuses is a difference too; the rest of the program is held without it.
- The recorded calls that lines are drawn from are held by themselves first.  One that differs is one difference, and is not drawn: it
  would hide what else is in a program.
- What TensorFlow traces functions for (forward derivatives, Jacobians, vectorized maps) is one line in some hundred.
- Numbers that are none, or infinite, are among the inputs of one program in ten.
"""

from __future__ import annotations

import math
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby
from operator import itemgetter
from typing import Any

import numpy as np

from pullback.ir.function_graph import bodies_of
from pullback.ir.plan import Plan, Run
from pullback.ops.all_operations import load_operations
from tests.against.report import Difference, Part, Progress, reason, reasons, unexplained
from tests.against.sides import OURS, THEIRS, SteadySide
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
    eagerly,
    executor,
    in_session,
    least_room,
    natively,
    numbers,
    planned,
    pruned,
    rooms,
    scope_of,
    shaken,
    values_of,
)

_HERE = "tests.against.random_programs"
_LINES = (10, 40)
_BATCH = 30
_PAIRS = 2
_SECONDS = 60.0
_PIECES = 16
_SHRINKING = 10  # how often programs that differ as a whole are made smaller
_ROUNDS = 4  # how often a program is held again without the lines that differ
_SESSION_ONE_IN = 10


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
    def asked(self) -> tuple[bool, bool]:
        """Whether it was compiled, and whether it ran in a session."""
        return "compiled" in self.ways, "session" in self.ways


@dataclass
class Work:
    """What all pairs of processes share: the seeds that are left, what is counted, what is found."""

    batches: list[list[int]]
    until: float
    compile_one_in: int
    calls: list[list[tuple[str, int]]]
    progress: Progress
    usable: list[tuple[str, int]] = field(default_factory=list)
    known: dict[str, dict[str, str]] = field(default_factory=reasons)
    part: Part = field(default_factory=lambda: Part("random programs"))
    counts: Counter[str] = field(default_factory=Counter)
    operations: set[str] = field(default_factory=set)
    lock: threading.Lock = field(default_factory=threading.Lock)


def run(programs: int, seed: int, compile_one_in: int, minutes: float) -> Part:
    """Hold the programs of so many seeds against each other, or of as many as there is time for; one in so many is compiled too."""
    batches = [list(range(first, min(first + _BATCH, seed + programs))) for first in range(seed, seed + programs, _BATCH)]
    pairs = [Pair() for _ in range(_PAIRS)]
    until = time.monotonic() + 60 * minutes if minutes else math.inf
    computed = pairs[0].usable_names()
    calls = [computed[k : k + _BATCH] for k in range(0, len(computed), _BATCH)]
    work = Work(batches[::-1], until, compile_one_in, calls, Progress("random programs", programs))
    for hold in (_hold_calls, _hold_batches):
        threads = [threading.Thread(target=hold, args=(pair, work)) for pair in pairs]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    for pair in pairs:
        pair.close()
    work.progress.end()
    part, counts = work.part, work.counts
    differentiable_ones = {name for name, op in load_operations().items() if op.differentiable}
    part.figures = {
        "programs": counts["programs"],
        "lines": counts["lines"],
        "with gradients of the second order": counts["order 2"],
        "of the first order alone": counts["order 1"],
        "TensorFlow has no gradient, so values alone": counts["order 0"],
        "compiled": counts["compiled"],
        "in a session of TensorFlow 1": counts["session"],
        "recorded calls that they are drawn from": len(work.usable),
        "operations with a gradient that they use": f"{len(work.operations & differentiable_ones)} of {len(differentiable_ones)}",
        "differences": len(part.differences),
        "of those, for no known reason": unexplained(part),
    }
    part.summed = {
        "programs": counts["programs"],
        "lines": counts["lines"],
        "differences": len(part.differences),
        "for no known reason": unexplained(part),
    }
    part.goals = {"the same, or different for a known reason": (counts["programs"] - unexplained(part), counts["programs"], 1.0)}
    return part


class Pair:
    """Both libraries, each in a process, ready to be asked the same."""

    def __init__(self) -> None:
        self._ours, self._theirs = SteadySide(OURS), SteadySide(THEIRS)

    def close(self) -> None:
        """End both."""
        self._ours.close()
        self._theirs.close()

    def draw(self, seeds: list[int], compile_one_in: int, usable: list[tuple[str, int]]) -> tuple[list[Answered], list[Difference]]:
        """The programs of some seeds, answered by Pullback; a seed that ends the process is a difference."""
        found: list[Answered] = []
        ended: list[Difference] = []
        while len(found) + len(ended) < len(seeds):
            answer = self._ours.ask(f"{_HERE}.draw", seeds[len(found) + len(ended) :], compile_one_in, usable, seconds=_SECONDS)
            found += answer.items
            if len(found) + len(ended) < len(seeds):
                ended.append(Difference(f"seed {seeds[len(found) + len(ended)]}", "ends", answer.ended))
        return found, ended

    def usable_names(self) -> list[tuple[str, int]]:
        """The recorded calls that TensorFlow computes: a function's name and the place of the call."""
        return self._theirs.ask(f"{_HERE}.computed", seconds=600.0).items

    def called_alone(self, calls: list[tuple[str, int]]) -> list[Program]:
        """Each call as a program."""
        answer = self._ours.ask(f"{_HERE}.called_alone", calls, seconds=_SECONDS)
        if answer.ended:
            raise RuntimeError(answer.ended)
        return answer.items

    def ask_theirs(self, programs: list[Program]) -> list[Said]:
        """TensorFlow's answers; after a program that ended the process the rest is asked of a new one."""
        return self._all(self._theirs, "answers", programs, lambda ended: Said(refused=[("", f"the process ends: {ended}")]))

    def judge(self, pairs: list[tuple[Program, Said, tuple[bool, bool]]]) -> list[str]:
        """How Pullback's answers to each program differ from TensorFlow's, "" where they do not."""
        return self._all(self._ours, "judge", pairs, lambda ended: f"the process ends: {ended}")

    def lines(self, programs: list[tuple[Program, str]]) -> list[list[Program]]:
        """Each program as programs of one line; of the line that is named alone, if one is."""
        return self._all(self._ours, "lines_alone", programs, lambda ended: [])

    def pieces(self, programs: list[Program]) -> list[list[Program]]:
        """Each program without some of it."""
        return self._all(self._ours, "pieces", programs, lambda ended: [])

    @staticmethod
    def _all(side: SteadySide, function: str, given: list[Any], instead: Any) -> list[Any]:
        found: list[Any] = []
        while len(found) < len(given):
            answer = side.ask(f"{_HERE}.{function}", given[len(found) :], seconds=_SECONDS)
            found += answer.items
            if len(found) < len(given):
                found.append(instead(answer.ended))
        return found


def _hold_calls(pair: Pair, work: Work) -> None:
    """Hold the recorded calls as programs of one line each; those that do not differ may be drawn."""
    while True:
        with work.lock:
            if not work.calls:
                return
            calls = work.calls.pop()
        programs = pair.called_alone(calls)
        said = pair.ask_theirs(programs)
        words = pair.judge([(program, a, (False, False)) for program, a in zip(programs, said, strict=True)])
        with work.lock:
            for call, program, theirs, wrong in zip(calls, programs, said, words, strict=True):
                differs = _words(theirs, wrong)
                if differs:
                    _tell(_difference(program, differs, f"call {call[0]}#{call[1]}"), work)
                else:
                    work.usable.append(call)


def _tell(difference: Difference, work: Work) -> None:
    """Keep a difference, and print it at once if nobody knows why, as a run takes long."""
    work.part.add(difference)
    if not reason("random_programs", difference, work.known):
        print(f"{difference.name}: {difference.words}", file=sys.stderr, flush=True)


def _hold_batches(pair: Pair, work: Work) -> None:
    """Take batches as long as there are some."""
    while True:
        with work.lock:
            if not work.batches or time.monotonic() > work.until:
                return
            seeds = work.batches.pop()
        found, differences = pair.draw(seeds, work.compile_one_in, sorted(work.usable))
        said = pair.ask_theirs([item.program for item in found])
        counts = Counter[str]()
        suspects = []
        for ours, theirs in zip(found, said, strict=True):
            _count(ours, theirs, counts)
            if theirs.refused or _held(ours, theirs, None):
                suspects.append((ours.program, theirs, ours.asked))
        differences += _examined(pair, suspects)
        with work.lock:
            work.counts += counts
            work.operations |= set().union(*(item.operations for item in found))
            for difference in differences:
                _tell(difference, work)
            work.progress.step(f"{len(work.part.differences)} differences", len(seeds))


def _count(ours: Answered, theirs: Said, counts: Counter[str]) -> None:
    counts["programs"] += 1
    counts["lines"] += len(ours.program.lines)
    counts[f"order {theirs.order}"] += bool(theirs.answers)
    for way in ("compiled", "session"):
        counts[way] += way in ours.ways


def _held(ours: Answered, theirs: Said, room: list[Any] | None) -> list[str]:
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


def _examined(pair: Pair, suspects: list[tuple[Program, Said, tuple[bool, bool]]]) -> list[Difference]:
    """The differences of programs: their lines that differ by themselves, and the smallest programs of several lines that do."""
    found: list[Difference] = []
    stuck: list[tuple[Program, tuple[bool, bool], str]] = []
    for _ in range(_ROUNDS):
        words = pair.judge(suspects)
        wrong = [(*item, w) for item, w in zip(suspects, words, strict=True) if w or item[1].refused]
        if not wrong:
            break
        alone = pair.lines([(program, theirs.refused[0][0] if theirs.refused else "") for program, theirs, *_ in wrong])
        ones = [(line, asked) for lines, (_, _, asked, _) in zip(alone, wrong, strict=True) for line in lines]
        said = pair.ask_theirs([line for line, _ in ones])
        judged = pair.judge([(line, a, asked) for (line, asked), a in zip(ones, said, strict=True)])
        rest: list[tuple[Program, tuple[bool, bool]]] = []
        at = 0
        for lines, (program, theirs, asked, w) in zip(alone, wrong, strict=True):
            culprits = set()
            for line in lines:
                told = [why for _, why in said[at].refused] or ([judged[at]] if judged[at] else [])
                found += [_difference(line, why if not said[at].refused else f"TensorFlow: {why}") for why in told[:1]]
                culprits |= {line.lines[0].name} if told else set()
                at += 1
            if culprits:
                rest += [(left, asked) for left in [without(program, culprits)] if left.lines]
            else:
                stuck.append((program, asked, _words(theirs, w)))
        answers = pair.ask_theirs([program for program, _ in rest])
        suspects = [(program, a, asked) for (program, asked), a in zip(rest, answers, strict=True)]
    return found + _shrunk(pair, stuck)


def _shrunk(pair: Pair, suspects: list[tuple[Program, tuple[bool, bool], str]]) -> list[Difference]:
    """Small programs that still differ, as differences; all are made smaller together."""
    least, going = {k: (program, wrong) for k, (program, _, wrong) in enumerate(suspects)}, list(range(len(suspects)))
    for _ in range(_SHRINKING):
        pieces = pair.pieces([least[k][0] for k in going])
        owners = [k for k, some in zip(going, pieces, strict=True) for _ in some]
        others = [other for some in pieces for other in some]
        said = pair.ask_theirs(others)
        words = pair.judge([(other, a, suspects[k][1]) for k, other, a in zip(owners, others, said, strict=True)])
        before = dict(least)
        for k, other, a, w in zip(owners, others, said, words, strict=True):
            now = _words(a, w)
            if now and _kind(now) == _kind(suspects[k][2]) and _weight(other) < _weight(least[k][0]):
                least[k] = other, now
        going = [k for k in going if least[k] is not before[k]]
        if not going:
            break
    return [_difference(*found) for found in least.values()]


def _words(theirs: Said, wrong: str) -> str:
    """How a program differs, in words: what TensorFlow refuses, or which answer is another; "" where it does not."""
    return f"TensorFlow: {theirs.refused[0][1]}" if theirs.refused else wrong


def _kind(words: str) -> str:
    """What must stay as it is while a program is made smaller: the error that TensorFlow raises, or the way whose answer differs."""
    parts = words.split(": ", 2)
    return ": ".join(parts[:2]) if parts[0] == "TensorFlow" else parts[0]


def _weight(program: Program) -> tuple[int, int]:
    return len(program.lines), len(program.results)


def _difference(program: Program, wrong: str, name: str = "") -> Difference:
    text = _cut("; ".join(str(line) for line in program.lines))
    inputs = _cut(", ".join(f"{name}: {x.dtype.name}{list(x.shape)}{_few(x)}" for name, x in program.inputs.items()))
    return Difference(name or f"seed {program.seed}", "differs", f"`{text}` of {inputs}: {wrong[:300]}")


def _cut(text: str) -> str:
    return text if len(text) < 400 else f"{text[:400]} ..."


def _few(x: Any) -> str:
    """The numbers of an array if they are few, and which special ones are among them."""
    found = f" {np.array2string(x, separator=', ')}".replace("\n", "") if 0 < x.size <= 4 else ""
    if x.dtype.kind in "fc" or x.dtype.name == "bfloat16":
        values = numbers(x)
        found += " with nan" * bool(np.isnan(values).any()) + " with inf" * bool(np.isinf(values).any())
        found += " with 0" * bool((x == 0).any())
    return found


def without(program: Program, names: set[str]) -> Program:
    """A program without some lines, and what reads them."""
    gone, lines = set(names), []
    for line in program.lines:
        if gone.isdisjoint(line.reads) and line.name not in gone:
            lines.append(line)
        else:
            gone.add(line.name)
    read = {name for line in lines for name in line.reads}
    results = [line.name for line in lines if line.name not in read or line.name in program.results]
    inputs = {name: x for name, x in program.inputs.items() if name in read}
    return Program(program.seed, inputs, lines, results)


# ---- in the processes of the sides


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
            found = _answered(program, compile_one_in > 0 and seed % compile_one_in == 0, seed % _SESSION_ONE_IN == 1)
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


def judge(tf: Any, pairs: list[tuple[Program, Said, tuple[bool, bool]]]) -> Iterator[str]:
    """How the answers to each program differ from TensorFlow's, "" where they do not."""
    with np.errstate(all="ignore"):
        for program, theirs, (compiling, session) in pairs:
            yield _judged(_ANSWERED.get(_key(program)) or _answered(program, compiling, session), theirs)


def _key(program: Program) -> tuple[int, str]:
    """What tells a program from those that it is cut into."""
    return program.seed, "; ".join([*map(str, program.lines), *program.results])


def _judged(ours: Answered, theirs: Said) -> str:
    """How answers differ: roundings are moved until they no longer do, or often enough."""
    wrong = _held(ours, theirs, None)
    if not wrong:
        return ""
    program, plain = ours.program, ours.ways["eager"]
    eps, moved = coarsest(program, plain, ours.order), list[list[Any]]()
    for others in shaken(program, order=ours.order):
        moved.append(others)
        wrong = _held(ours, theirs, rooms(program, plain, moved, eps))
        if not wrong:
            return ""
    return wrong[0]


def _answered(program: Program, compiling: bool, session: bool) -> Answered:
    """The answers of Pullback in all its ways."""
    order, found = _eager_answers(program)
    ways: dict[str, Any] = {"eager": found}
    operations: set[str] = set()
    try:
        plan, values = planned(program, order=order), list(program.inputs.values())
        operations = _operations(plan)
        with executor():
            ways["function"] = [np.array(y) for y in plan.run(values, Run({}, {}))]
        if session:
            ways["session"] = in_session(program, order)
        if compiling:
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
        found.add(node.op.name)
        nodes += [inner for body in bodies_of(node) for inner in body.graph.nodes]
    return found


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


def answers(tf: Any, programs: list[Program]) -> Iterator[Said]:
    """TensorFlow's answers, with gradients of the highest order that it has."""
    for program in programs:
        said = Said()
        for said.order in (2, 1, 0):
            try:
                given = [tf.constant(x) for x in program.inputs.values()]
                said.answers = [np.array(y.numpy()) for y in program.run(given, tf=tf, order=said.order)]
                break
            except LookupError:  # an operation without a gradient, of this order
                continue
            except Exception as e:  # noqa: BLE001 - whatever it raises is the answer
                name = _refused_line(tf, program)
                said.refused.append((name, f"{type(e).__name__}: {e}"[:300]))
                if name:
                    break
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
