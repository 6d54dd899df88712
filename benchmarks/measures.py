"""What is measured, and what is to be reached.

Times of short work are taken in rounds in which every library has its turn, and the median over the rounds is shown: a machine that is
slow for a while is slow for all of them. What takes seconds, or needs a process of its own, is taken once or a few times.
"""

import math
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.libraries import ROOT, Library
from benchmarks.worker import Worker

US = "pullback"


@dataclass
class Measure:
    """One row of numbers, a number for each library, and the lines it has to meet."""

    title: str
    unit: str
    values: dict[str, float]
    targets: list[tuple[str, bool]] = field(default_factory=list)

    def under(self, limit: float) -> None:
        self.targets.append((f"under {limit:g} {self.unit}", self.values[US] < limit))

    def ahead_of(self, *names: str) -> None:
        self.targets += [(f"ahead of {name}", self.values[US] < self.values[name]) for name in names if name in self.values]


class Bench:
    """The libraries, and how they are asked."""

    def __init__(
        self, libraries: Sequence[Library], pythons: dict[str, str], rounds: int, pick: Callable[[list[float]], float] = statistics.median
    ) -> None:
        self.libraries, self.pythons, self.rounds, self.pick = libraries, pythons, rounds, pick

    def python(self, library: Library) -> str:
        return self.pythons.get(library.name, str(library.python))

    def those(self, *names: str) -> list[Library]:
        return [library for library in self.libraries if library.name in names]

    def worker(self, library: Library) -> Worker:
        return Worker(Path(self.python(library)), library.worker)

    def in_turns(self, names: Sequence[str], task: str, seconds: float = 0.3) -> dict[str, float]:
        """The median time (or what `pick` takes) of a task over all rounds; the values the libraries got must agree."""
        times: dict[str, list[float]] = {}
        values: dict[str, list[float]] = {}
        with ExitStack() as stack:
            workers = [stack.enter_context(self.worker(library)) for library in self.those(*names)]
            for turn in range(self.rounds):
                for worker in workers[turn % len(workers) :] + workers[: turn % len(workers)]:
                    result = worker.ask(task, seconds=seconds)
                    times.setdefault(worker.name, []).append(result["seconds"])
                    values[worker.name] = result["values"]
        agree(task, values)
        return {name: self.pick(taken) for name, taken in times.items()}

    def processes(self, programs: dict[str, list[str]], read: Callable[[float, str], float]) -> dict[str, float]:
        """The median over the rounds of what `read` makes of a process's wall-clock time and output."""
        found: dict[str, list[float]] = {name: [] for name in programs}
        for command in programs.values():
            subprocess.run(command, check=True, capture_output=True)  # once, so that all are compiled and in the file cache
        for _ in range(self.rounds):
            for name, command in programs.items():
                start = time.perf_counter()
                done = subprocess.run(command, check=True, capture_output=True, text=True)
                found[name].append(read(time.perf_counter() - start, done.stdout))
        return {name: self.pick(taken) for name, taken in found.items()}


def agree(task: str, values: dict[str, list[float]]) -> None:
    first, *others = values
    for name in others:
        for a, b in zip(values[first], values[name], strict=True):
            if not math.isclose(a, b, rel_tol=2e-4, abs_tol=1e-5):
                raise ArithmeticError(f"{task}: {first} finds {a}, {name} {b}")


def eager(bench: Bench) -> Measure:
    names = ["pullback", "tensorflow", "torch", "jax", "autograd"]
    per_op = {name: seconds / 200 * 1e6 for name, seconds in bench.in_turns(names, "eager").items()}
    found = Measure("Eager chain of 200 operations on 16 floats with its gradient, per operation", "us", per_op)
    found.under(3)
    found.ahead_of("torch", "autograd", "tensorflow", "jax")
    return found


def build(bench: Bench, length: int = 50_000) -> Measure:
    names = ["pullback", "tensorflow", "jax", "casadi"]
    times: dict[str, float] = {}
    values: dict[str, list[float]] = {}
    for library in bench.those(*names):
        with bench.worker(library) as worker:
            values[library.name] = worker.ask("build", length=200, evaluate=True)["values"]
            times[library.name] = worker.ask("build", length=length, evaluate=False)["seconds"]
    agree("build", values)
    found = Measure(f"Building a graph of {length:,} operations and its gradients", "s", times)
    found.under(2)
    found.ahead_of("tensorflow", "jax")
    return found


def session(bench: Bench) -> Measure:
    times = bench.in_turns(["pullback", "tensorflow"], "session")
    found = Measure("Session.run of a small graph: a dense layer, its loss and two gradients", "us", {n: t * 1e6 for n, t in times.items()})
    found.ahead_of("tensorflow")
    return found


def imports(bench: Bench) -> Measure:
    program = "import time; a = time.perf_counter(); import numpy; b = time.perf_counter(); import {}; print(time.perf_counter() - {})"
    programs = {lib.name: [bench.python(lib), "-c", program.format(lib.module, "a")] for lib in bench.libraries}
    beyond = [bench.python(lib) for lib in bench.those(US)]
    programs["pullback beyond numpy"] = [*beyond, "-c", program.format("pullback", "b")]
    found = Measure("Importing the library, NumPy included", "s", bench.processes(programs, lambda _, said: float(said)))
    over = found.values["pullback beyond numpy"]
    found.targets.append((f"under 0.2 s beyond NumPy ({over:.3f} s)", over < 0.2))
    return found


def first_gradient(bench: Bench) -> Measure:
    programs = {lib.name: [bench.python(lib), "-c", lib.first_gradient] for lib in bench.libraries}

    def right(wall: float, said: str) -> float:
        if said.strip().splitlines()[-1] != "[3.0, 12.0]":
            raise ArithmeticError(f"a first gradient was {said!r}")
        return wall

    found = Measure("From process start to a first printed gradient", "s", bench.processes(programs, right))
    found.under(0.35)
    return found


def installed_size(bench: Bench) -> Measure:
    script = ROOT / "benchmarks" / "workers" / "size.py"
    sizes = {
        lib.name: int(subprocess.run([bench.python(lib), script, lib.distribution], check=True, capture_output=True).stdout) / 1e6
        for lib in bench.libraries
    }
    found = Measure("Installed size with all dependencies", "MB", sizes)
    found.under(400)
    return found


def tape_memory(bench: Bench, additions: int = 1_000) -> Measure:
    held: dict[str, float] = {}
    for library in bench.those("pullback", "tensorflow", "torch", "jax", "autograd"):
        peaks = []
        for _ in range(3):  # in processes of their own: PyTorch's peak depends on how its threads race
            with bench.worker(library) as worker:
                result = worker.ask("memory", additions=additions)
            if result["values"] != [additions + 1]:
                raise ArithmeticError(f"{library.name}: the gradient of {additions} additions is {result['values']}")
            peaks.append(result["bytes"] / 8e6)
        held[library.name] = statistics.median(peaks)
    found = Measure(f"Peak memory of a taped sum of {additions:,} tensors of 8 MB and its gradient, in such tensors", "tensors", held)
    found.under(10)
    return found


def recompute_memory(bench: Bench, layers: int = 16) -> Measure:
    shares: dict[str, float] = {}
    found: dict[str, list[float]] = {}
    for library in bench.those("pullback", "tensorflow"):
        peaks = []
        for again in (True, False):  # in processes of their own: a process's peak never falls
            with bench.worker(library) as worker:
                result = worker.ask("recompute", layers=layers, again=again)
            found[f"{library.name}, {again}"] = result["values"]
            peaks.append(result["bytes"])
        shares[library.name] = peaks[0] / peaks[1]
    agree("recompute", found)
    measure = Measure(f"Peak memory of a gradient through {layers} layers under recompute_grad, as a share of that without", "", shares)
    measure.targets.append(("under a third", shares[US] < 1 / 3))
    return measure


def across_functions(bench: Bench) -> Measure:
    shares = bench.in_turns(["pullback", "tensorflow"], "across")
    found = Measure("A tape over a function of ten dense layers of 128, in times of the same inside one function", "times", shares)
    found.under(1.3)
    return found


def loop(bench: Bench) -> Measure:
    times = bench.in_turns(["pullback", "tensorflow"], "loop")
    found = Measure("A while_loop of 1,000 cheap steps with its gradient, in a function", "ms", {n: t * 1e3 for n, t in times.items()})
    found.ahead_of("tensorflow")
    return found


def leak(bench: Bench, steps: int = 10_000) -> Measure:
    (us,) = bench.those(US)
    with bench.worker(us) as worker:
        result = worker.ask("leak", steps=steps)
    found = Measure(f"Left allocated by {steps:,} taped training steps", "bytes", {US: result["bytes"]})
    found.under(steps)
    found.targets.append((f"nothing left to the garbage collector ({result['cyclic']} objects)", result["cyclic"] == 0))
    return found


def checkpointed_loop(bench: Bench, steps: int = 10_000) -> Measure:
    (us,) = bench.those(US)
    with bench.worker(us) as worker:
        result = worker.ask("checkpoint", steps=steps)
    log = math.log2(steps)
    title = f'States held at most by the gradient of a while_loop of {steps:,} steps, checkpoint="log"'
    found = Measure(title, "states", {US: result["states"]})
    found.under(round(2 * log))
    found.targets.append(
        (f"gradient in under log2(n) = {log:.1f} times the time of the loop ({result['forwards']:.1f})", result["forwards"] < log)
    )
    return found


ALL: dict[str, Callable[[Bench], Measure]] = {
    "eager": eager,
    "build": build,
    "session": session,
    "import": imports,
    "first": first_gradient,
    "size": installed_size,
    "memory": tape_memory,
    "recompute": recompute_memory,
    "across": across_functions,
    "loop": loop,
    "checkpoint": checkpointed_loop,
    "leak": leak,
}


def progress(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
