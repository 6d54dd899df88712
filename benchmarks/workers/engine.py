"""Works of one library: `python engine.py LIBRARY THREADS FOLDER`. Only the first so many cores are used, whatever the library thinks."""

import importlib
import os
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from benchmarks.engine.program import Running
from benchmarks.engine.rows import ROWS
from protocol import serve, taken

LIBRARY, THREADS, FOLDER = sys.argv[1], int(sys.argv[2]), Path(sys.argv[3])

CALLS = 6  # before an answer is compared: a training step has moved its parameters so often


def tensorflow_like(tf: Any, work: Any, d: Any, mode: str) -> Callable[[], Running]:
    from benchmarks.engine.hosts import tensorflow_

    write = getattr(work, f"in_{LIBRARY}", None) or work.in_tensorflow
    return tensorflow_.ready(tf, lambda: write(tf, d), mode)


def ready(work: Any, d: Any, mode: str) -> Callable[[], Running]:
    """The library imported, its data in place; what is left to do is what a first call costs."""
    if LIBRARY == "tensorflow":
        import tensorflow as tf

        tf.config.threading.set_intra_op_parallelism_threads(THREADS)
        tf.config.threading.set_inter_op_parallelism_threads(THREADS)
        return tensorflow_like(tf, work, d, mode)
    if LIBRARY == "pullback":
        import pullback

        return tensorflow_like(pullback, work, d, mode)
    host = importlib.import_module(f"benchmarks.engine.hosts.{LIBRARY}_")
    made: Callable[[], Running]
    if LIBRARY == "torch":
        host.torch.set_num_threads(THREADS)
        made = host.ready(lambda: work.in_torch(d, mode == "compile"), mode)
    elif LIBRARY == "casadi":
        made = host.ready(lambda: work.in_casadi(d), mode, FOLDER)
    else:
        made = host.ready(lambda: getattr(work, f"in_{LIBRARY}")(d), mode)
    return made


programs: dict[str, Callable[[], Any]] = {}


def prepare(row: str, mode: str, found: str) -> dict[str, Any]:
    """The seconds from a program to its first answer. The answer of a few calls later, when all have compiled, is saved for the driver."""
    work = ROWS[row].work
    start = ready(work, work.data(**ROWS[row].sizes), mode)
    began = time.perf_counter()
    running = start()
    outputs = running.step()
    seconds = time.perf_counter() - began
    for _ in range(CALLS - 1):
        outputs = running.step()
    np.savez(found, *(np.asarray(a) for a in running.read(outputs)))
    programs[mode] = running.step
    return {"seconds": seconds}


def clock(mode: str, seconds: float, warm: int, cpu: bool) -> dict[str, Any]:
    times = taken(programs[mode], seconds, warm, time.process_time if cpu else time.perf_counter)
    return {"median": statistics.median(times), "fastest": min(times)}


if __name__ == "__main__":
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:THREADS])
    serve(prepare=prepare, clock=clock)
