"""CasADi: the function's C code, compiled for this machine by the C compiler and called through buffers."""

import hashlib
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import casadi
import numpy as np

from benchmarks.engine.program import Program, Running

FLAGS = ["-O3", "-march=native", "-fno-math-errno", "-shared", "-fPIC"]


def ready(make: Callable[[], Program], mode: str, folder: Path) -> Callable[[], Running]:
    """The symbolic function is built, its code is written and compiled when the clock starts; a library once compiled is kept."""
    program = make()
    return lambda: running(program, compiled(program.function(), folder))


def compiled(function: Any, folder: Path) -> Any:
    writer = casadi.CodeGenerator("work.c")
    writer.add(function)
    code = writer.dump()
    library = folder / f"{hashlib.sha256(code.encode()).hexdigest()}.so"
    if not library.exists():
        source = library.with_suffix(".c")
        source.write_text(code)
        subprocess.run(["gcc", *FLAGS, source, "-o", library, "-lm"], check=True)
    return casadi.external(function.name(), str(library))


def running(program: Program, function: Any) -> Running:
    buffer, call = function.buffer()
    arguments = [np.array(a, np.float64).ravel("F") for a in program.arguments]
    outputs = [np.zeros(function.nnz_out(i)) for i in range(function.n_out())]
    for i, a in enumerate(arguments):
        buffer.set_arg(i, memoryview(a.data))
    for i, out in enumerate(outputs):
        buffer.set_res(i, memoryview(out.data))

    def step() -> Any:
        call()
        return buffer, arguments, outputs  # of which CasADi holds the addresses only: the closure keeps them alive

    return Running(step, lambda found: program.layout([out.copy() for out in outputs]))
