"""The driver: starts the workers of a row, gives each its turns, and holds their answers against each other."""

import math
import os
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

import numpy as np

from benchmarks.engine.program import Array
from benchmarks.engine.rows import ROWS, Row
from benchmarks.libraries import ROOT, Library
from benchmarks.measures import US, progress
from benchmarks.worker import Worker, WorkerFailed

MODES = {
    "pullback": ("function", "session"),
    "tensorflow": ("function", "xla", "session"),
    "jax": ("jit",),
    "torch": ("eager", "compile"),
    "casadi": ("C",),
    "autograd": ("eager",),
}
KEPT_ON_DISK = {("pullback", "function"), ("jax", "jit"), ("torch", "compile"), ("casadi", "C")}
OURS = f"{US} function"
#: Whose first calls are held against each other: the medians of so many processes, for one alone differs by a fifth from the next.
HELD_AGAINST_EACH_OTHER, PROCESSES = (OURS, "jax jit"), 3
#: Seconds after which the processes of the row before are gone, torch's compilers among them.
REST = 2


@dataclass
class Found:
    """What one library was seen to do in one mode. First calls are `firsts`, or `agains` with the disk cache of a process before."""

    seconds: float = math.nan
    fastest: float = math.nan
    firsts: list[float] = field(default_factory=list)
    agains: list[float] = field(default_factory=list)
    answers: Path = Path()
    off: float = math.nan
    reason: str = ""

    @property
    def first(self) -> float:
        return median(self.firsts) if self.firsts else math.nan

    @property
    def again(self) -> float:
        return median(self.agains) if self.agains else math.nan


@dataclass
class Result:
    """A row of the table: what was found of each contestant that could run it."""

    name: str
    row: Row
    found: dict[str, Found] = field(default_factory=dict)

    def ran(self) -> dict[str, Found]:
        return {name: found for name, found in self.found.items() if not found.reason}

    def ours(self) -> float | None:
        return self.ran()[OURS].seconds if OURS in self.ran() else None

    def best_peer(self) -> tuple[str, float] | None:
        peers = {name: found.seconds for name, found in self.ran().items() if not name.startswith(US)}
        return min(peers.items(), key=lambda item: item[1]) if peers else None


@dataclass(frozen=True)
class Plan:
    """How a row is measured."""

    libraries: Sequence[Library]
    pythons: dict[str, str]
    rounds: int
    seconds: float
    threads: int
    patience: float
    cpu: bool = False


def measure(name: str, plan: Plan) -> Result:
    """One row. First all first calls, one after another; then rounds in which each library has its turn."""
    result = Result(name, ROWS[name])
    time.sleep(REST)
    with ExitStack() as stack:
        clocks = []
        for library in plan.libraries:
            if modes := able(library, result.row):
                kept = [mode for mode in modes if (library.name, mode) in KEPT_ON_DISK]
                held = [mode for mode in kept if f"{library.name} {mode}" in HELD_AGAINST_EACH_OTHER]
                for _ in range(PROCESSES - 1 if held else 0):
                    with ExitStack() as once:
                        start_twice(result, library, held, held, plan, once)
                clocks += start_twice(result, library, kept, modes, plan, stack)
        compare(result)
        take_turns(result, clocks, plan)
    return result


def start_twice(
    result: Result, library: Library, first: Sequence[str], second: Sequence[str], plan: Plan, stack: ExitStack
) -> list[tuple[Worker, str]]:
    """A worker that finds on the disk what one before it left of the `first` modes, and has made its own first calls in the `second`."""
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
    with ExitStack() as once:
        start(result, library, first, False, plan, folder, once)
    return start(result, library, second, True, plan, folder, stack)


def read_files(name: str, plan: Plan) -> None:
    """Have each library make the first calls of a row in a process that counts for nothing.

    The first process of all would read the library's files from the disk, and the first row alone would pay for that.
    """
    result = Result(name, ROWS[name])
    for library in plan.libraries:
        with tempfile.TemporaryDirectory() as folder, ExitStack() as once:
            start(result, library, able(library, result.row), False, plan, Path(folder), once)


def able(library: Library, row: Row) -> Sequence[str]:
    """The modes in which a library runs a work: none where the work has no program for it."""
    if hasattr(row.work, f"in_{library.name}"):
        return MODES[library.name] if library.name != US else MODES[US][:1]
    return MODES[US] if library.name == US and hasattr(row.work, "in_tensorflow") else ()


def start(
    result: Result, library: Library, modes: Sequence[str], second: bool, plan: Plan, folder: Path, stack: ExitStack
) -> list[tuple[Worker, str]]:
    """A worker that has made its first calls. One that fails is started again without the mode that made it fail."""
    willing = [mode for mode in modes if not result.found.setdefault(f"{library.name} {mode}", Found()).reason]
    worker = stack.enter_context(launched(library, plan, folder)) if willing else None
    for mode in willing:
        assert worker is not None
        contestant = f"{library.name} {mode}"
        found, again = result.found[contestant], second and (library.name, mode) in KEPT_ON_DISK
        progress(f"  {'second' if again else 'first'} process: {contestant}")
        try:
            found.answers = folder / f"{contestant}.npz"
            seconds = worker.ask("prepare", within=plan.patience, row=result.name, mode=mode, found=str(found.answers))["seconds"]
        except WorkerFailed as fault:
            found.reason = fault.reason[:200]
            progress(f"    {found.reason}")
            return start(result, library, willing, second, plan, folder, stack)
        (found.agains if again else found.firsts).append(seconds)
    return [(worker, mode) for mode in willing if worker]


def launched(library: Library, plan: Plan, folder: Path) -> Worker:
    threads = str(plan.threads)
    environment = os.environ | {
        "PYTHONPATH": os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")])),
        "OMP_NUM_THREADS": threads,
        "OPENBLAS_NUM_THREADS": threads,
        "PULLBACK_CACHE_DIR": str(folder / "pullback"),
        "TF_CPP_MIN_LOG_LEVEL": "3",
        "CUDA_VISIBLE_DEVICES": "",
        "JAX_PLATFORMS": "cpu",
        "JAX_COMPILATION_CACHE_DIR": str(folder / "jax"),
        "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0",
        "JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES": "-1",
        "TORCHINDUCTOR_CACHE_DIR": str(folder / "torch"),
    }
    python = Path(plan.pythons.get(library.name, str(library.python)))
    return Worker(python, ROOT / "benchmarks" / "workers" / "engine.py", [library.name, threads, str(folder)], environment)


def take_turns(result: Result, clocks: Sequence[tuple[Worker, str]], plan: Plan) -> None:
    """A contestant's time is the median call of its quietest round."""
    for turn in range(plan.rounds):
        progress(f"  round {turn + 1} of {plan.rounds}")
        at = turn % max(len(clocks), 1)
        for worker, mode in [*clocks[at:], *clocks[:at]]:
            found = result.found[f"{worker.name} {mode}"]
            if found.reason:
                continue
            time.sleep(0.02)  # threads of the library before, which wait for more work, go to sleep
            try:
                took = worker.ask("clock", within=plan.patience, mode=mode, seconds=plan.seconds, warm=3 if turn == 0 else 1, cpu=plan.cpu)
            except WorkerFailed as fault:
                for other, its in clocks:
                    if other is worker:
                        result.found[f"{worker.name} {its}"].reason = fault.reason[:200]
                continue
            found.seconds = min(took["median"], found.seconds) if turn else took["median"]
            found.fastest = min(took["fastest"], found.fastest) if turn else took["fastest"]


def compare(result: Result) -> None:
    """How far each answer is from the first peer's, at most, relative to the largest element of the array it is in."""
    answers = {name: load(found.answers) for name, found in result.ran().items()}
    peers = [name for name in answers if not name.startswith(US)]
    if not peers:
        return
    for name, answer in answers.items():
        result.found[name].off = distance(answer, answers[peers[0]])


def load(path: Path) -> list[Array]:
    with np.load(path) as arrays:
        return [arrays[name].astype(np.float64) for name in arrays.files]


def distance(found: Sequence[Array], expected: Sequence[Array]) -> float:
    if [a.size for a in found] != [b.size for b in expected]:
        return math.inf
    return max(gap(a.ravel(), b.ravel()) for a, b in zip(found, expected, strict=True))


def gap(a: Array, b: Array) -> float:
    if not b.size:
        return 0.0
    worst = float(np.max(np.abs(a - b)) / max(np.max(np.abs(b)), 1e-30))
    return math.inf if math.isnan(worst) else worst
