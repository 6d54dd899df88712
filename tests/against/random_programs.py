"""Random programs of 10 to 40 lines: TensorFlow against Pullback eager, as a graph, and compiled; with gradients of two orders.

They are drawn and judged as in tests/random_programs.py: how far apart two answers may be is measured, by moving the roundings.

What makes it quick, and what is not done therefore:
- A pair of processes works for each core that may be used.  They answer all programs themselves, not in forks: TensorFlow takes ten
  times as long for what it has not run yet.
- TensorFlow runs eagerly only, and so does Pullback.  One program in ten runs as a graph on kernels too, one in twenty in a session of
  TensorFlow 1, one in so many is compiled: each takes several times as long as all the rest.
- Roundings are moved only where answers are further apart than the least room that there can be, and in a whole program only where none
  of its lines is of a kind that differed before.
- A program that differs is cut into its lines, each with the values that it read, and each line is held by itself.  Those that differ
  are the differences; without them, and what reads them, the program is held again.  Only where no line differs by itself the program is
  made smaller step by step, as long as it still differs.  What is cut out runs only in the ways that show the difference.
- A line that TensorFlow refuses is a difference too; the rest of the program is held without it.
- The recorded calls that lines are drawn from are held by themselves first.  One that differs is one difference, and is not drawn: it
  would hide what else is in a program.  What TensorFlow answers to them is kept on the disk for the next run.
- What TensorFlow traces functions for (forward derivatives, Jacobians, vectorized maps) is one line in some hundred.
- Numbers that are none, or infinite, are among the inputs of one program in ten.
"""

from __future__ import annotations

import math
import os
import re
import sys
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from pullback.ops.all_operations import load_operations
from tests.against.random_answers import Answered, Said, compare_answers
from tests.against.remembered import Remembered
from tests.against.report import Difference, Part, Progress, reason, reasons, unexplained
from tests.against.sides import OURS, THEIRS, SteadySide
from tests.random_programs import (
    Program,
    numbers,
)

_HERE = "tests.against.random_answers"
_BATCH = 30
_SECONDS = 60.0
_SHRINKING = 10  # how often programs that differ as a whole are made smaller
_AT_ONCE = 4  # so many pieces of a program are tried together, lightest first
_ROUNDS = 6  # how often a program is held again without the lines that differ


@dataclass
class Work:
    """What all pairs of processes share: the seeds that are left, what is counted, what is found."""

    batches: list[list[int]]
    until: float
    compile_one_in: int
    calls: list[list[tuple[str, int]]]
    progress: Progress
    remembered: Remembered
    usable: list[tuple[str, int]] = field(default_factory=list)
    known: dict[str, dict[str, str]] = field(default_factory=reasons)
    part: Part = field(default_factory=lambda: Part("random programs"))
    counts: Counter[str] = field(default_factory=Counter)
    operations: set[str] = field(default_factory=set)
    blamed: set[str] = field(default_factory=set)
    lock: threading.Lock = field(default_factory=threading.Lock)


def run(programs: int, seed: int, compile_one_in: int, minutes: float) -> Part:
    """Hold the programs of so many seeds against each other, or of as many as there is time for; one in so many is compiled too."""
    batches = [list(range(first, min(first + _BATCH, seed + programs))) for first in range(seed, seed + programs, _BATCH)]
    pairs = [Pair() for _ in os.sched_getaffinity(0)]
    until = time.monotonic() + 60 * minutes if minutes else math.inf
    remembered = Remembered("calls")
    if "computed" not in remembered.answers:
        remembered.answers["computed"] = pairs[0].usable_names()
    computed = remembered.answers["computed"]
    calls = [computed[k : k + _BATCH] for k in range(0, len(computed), _BATCH)]
    work = Work(batches[::-1], until, compile_one_in, calls, Progress("random programs", programs), remembered)
    for hold in (_hold_calls, _hold_batches):
        threads = [threading.Thread(target=hold, args=(pair, work)) for pair in pairs]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        remembered.save()
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
        "in a graph, on kernels": counts["function"],
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

    def judge(self, pairs: list[tuple[Program, Said, tuple[str, ...]]]) -> list[str]:
        """How Pullback's answers to each program differ from TensorFlow's, "" where they do not."""
        return self._all(self._ours, "judge", pairs, lambda ended: f"the process ends: {ended}")

    def judge_quickly(self, pairs: list[tuple[Program, Said, tuple[str, ...]]]) -> list[str]:
        """As `judge`, but roundings are not moved, so that answers may be told apart that are near enough."""
        return self._all(self._ours, "judge_quickly", pairs, lambda ended: f"the process ends: {ended}")

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
        known = work.remembered.answers
        keys = [(call, str(program)) for call, program in zip(calls, programs, strict=True)]
        new = [(key, program) for key, program in zip(keys, programs, strict=True) if key not in known]
        known.update(zip([key for key, _ in new], pair.ask_theirs([program for _, program in new]), strict=True))
        said = [known[key] for key in keys]
        words = pair.judge([(program, a, ("function",)) for program, a in zip(programs, said, strict=True)])
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
            if theirs.refused or compare_answers(ours, theirs, None):
                suspects.append((ours.program, theirs, ours.asked))
        differences += _examined(pair, suspects, work.blamed)
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
    for way in ("function", "compiled", "session"):
        counts[way] += way in ours.ways


def _examined(pair: Pair, suspects: list[tuple[Program, Said, tuple[str, ...]]], blamed: set[str]) -> list[Difference]:
    """The differences of programs: their lines that differ by themselves, and the smallest programs of several lines that do.

    blamed: functions that differed before.  Lines that call one are held first, the others where that tells nothing.
    """
    found: list[Difference] = []
    stuck: list[tuple[Program, tuple[str, ...], str]] = []
    whole: set[int] = set()
    for _ in range(_ROUNDS):
        wrong = _wrong_ones(pair, suspects, blamed, whole)
        if not wrong:
            break
        ones = [(line, _ways(item.words, item.asked)) for item in wrong for line in item.lines]
        said = pair.ask_theirs([line for line, _ in ones])
        judged = pair.judge([(line, a, asked) for (line, asked), a in zip(ones, said, strict=True)])
        told = iter(map(_words, said, judged))
        rest: list[tuple[Program, tuple[str, ...]]] = []
        for item in wrong:
            culprits = [(line, why) for line, why in zip(item.lines, told, strict=False) if why]
            found += [_difference(line, why) for line, why in culprits]
            blamed.update(_called(line) for line, _ in culprits)
            if culprits:
                left = without(item.program, {line.lines[0].name for line, _ in culprits})
                rest += [(left, item.asked)] if left.lines else []
            elif item.sure:
                stuck.append((item.program, item.asked, item.words))
            else:
                whole.add(item.program.seed)
                rest.append((item.program, item.asked))
        answers = pair.ask_theirs([program for program, _ in rest])
        suspects = [(program, a, asked) for (program, asked), a in zip(rest, answers, strict=True)]
    else:
        words = pair.judge(suspects)
        stuck += [(program, asked, _words(a, w)) for (program, a, asked), w in zip(suspects, words, strict=True) if w or a.refused]
    return found + _shrunk(pair, stuck)


@dataclass
class _Wrong:
    """A program whose answers differ: in what words, the lines to hold by themselves, and whether roundings were moved to be sure."""

    program: Program
    asked: tuple[str, ...]
    words: str
    lines: list[Program]
    sure: bool


def _wrong_ones(pair: Pair, suspects: list[tuple[Program, Said, tuple[str, ...]]], blamed: set[str], whole: set[int]) -> list[_Wrong]:
    """The suspects that differ.

    Those with a line that calls what differed before are to be held by that line first, so that no roundings are moved in the whole.
    """
    words = pair.judge_quickly(suspects)
    wrong = [(item, _words(item[1], w)) for item, w in zip(suspects, words, strict=True) if w or item[1].refused]
    every = pair.lines([(program, theirs.refused[0][0] if theirs.refused else "") for (program, theirs, _), _ in wrong])
    found, others = [], []
    for (item, w), lines in zip(wrong, every, strict=True):
        likely = [line for line in lines if _called(line) in blamed] if item[0].seed not in whole else []
        if likely:
            found.append(_Wrong(item[0], item[2], w, likely, sure=False))
        else:
            others.append((item, lines))
    words = pair.judge([item for item, _ in others])
    both = [(item, _words(item[1], w), lines) for (item, lines), w in zip(others, words, strict=True)]
    return found + [_Wrong(item[0], item[2], w, lines, sure=True) for item, w, lines in both if w]


def _called(line: Program) -> str:
    """The function that a line calls first."""
    return (re.search(r"tf\.[\w.]+", line.lines[0].text) or [""])[0]


def _shrunk(pair: Pair, suspects: list[tuple[Program, tuple[str, ...], str]]) -> list[Difference]:
    """Small programs that still differ, as differences; all are made smaller together."""
    least, going = {k: (program, wrong) for k, (program, _, wrong) in enumerate(suspects)}, list(range(len(suspects)))
    for _ in range(_SHRINKING):
        pieces = pair.pieces([least[k][0] for k in going])
        lighter = {
            k: sorted((other for other in some if _weight(other) < _weight(least[k][0])), key=_weight)
            for k, some in zip(going, pieces, strict=True)
        }
        found = _lightest(pair, suspects, lighter)
        least |= found
        going = list(found)
        if not going:
            break
    return [_difference(*found) for found in least.values()]


def _lightest(
    pair: Pair, suspects: list[tuple[Program, tuple[str, ...], str]], untried: dict[int, list[Program]]
) -> dict[int, tuple[Program, str]]:
    """Of the pieces of each program, lightest first, one that differs alike; some are tried at once."""
    found: dict[int, tuple[Program, str]] = {}
    while untried:
        tried = [(k, other) for k, some in untried.items() for other in some[:_AT_ONCE]]
        said = pair.ask_theirs([other for _, other in tried])
        asked = [_ways(suspects[k][2], suspects[k][1]) for k, _ in tried]
        words = pair.judge([(other, a, ways) for (_, other), a, ways in zip(tried, said, asked, strict=True)])
        for (k, other), a, w in zip(tried, said, words, strict=True):
            now = _words(a, w)
            if now and _kind(now) == _kind(suspects[k][2]):
                found.setdefault(k, (other, now))
        untried = {k: some[_AT_ONCE:] for k, some in untried.items() if k not in found and len(some) > _AT_ONCE}
    return found


def _words(theirs: Said, wrong: str) -> str:
    """How a program differs, in words: what TensorFlow refuses, or which answer is another; "" where it does not."""
    return f"TensorFlow: {theirs.refused[0][1]}" if theirs.refused else wrong


def _kind(words: str) -> str:
    """What must stay as it is while a program is made smaller: the error that TensorFlow raises, or the way whose answer differs."""
    parts = words.split(": ", 2)
    return ": ".join(parts[:2]) if parts[0] == "TensorFlow" else parts[0]


def _ways(words: str, asked: tuple[str, ...]) -> tuple[str, ...]:
    """The ways that must run for a difference to show again: none but eagerly where that differs, or where TensorFlow refuses."""
    kind = words.split(": ", 1)[0]
    return () if kind in ("TensorFlow", "eager") else (kind,) if kind in asked else asked


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
        if x.dtype.kind == "f" and x.itemsize > 2:
            found += " with subnormals" * bool(((values != 0) & (np.abs(values) < np.finfo(x.dtype).smallest_normal)).any())
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
