"""Times the programs in one library, on one thread: `python -m benchmarks.everyday.worker pullback jit`, a line of JSON for each.

Threads are set before a library is imported, so it is imported here and not above.
"""

import importlib
import json
import os
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.compiles import wait_for_compiles
from benchmarks.everyday.programs import PROGRAMS, Shape

#: Seconds that a program is called for at least, and calls before.
_SECONDS, _WARM = 0.05, 4
THREADS = ("PULLBACK_NUM_THREADS", "OMP_NUM_THREADS", "TF_NUM_INTRAOP_THREADS", "TF_NUM_INTEROP_THREADS")


def draw(shape: Shape, random: np.random.Generator) -> np.ndarray:
    """What a program is given for a shape."""
    *dims, kind = shape if isinstance(shape[-1], str) else (*shape, "f")
    if kind.startswith("<"):
        return random.integers(0, int(kind[1:]), dims).astype(np.int32)
    return random.normal(size=dims).astype(kind)


def prepare(tf: Any, name: str, jit: bool | None) -> Callable[[], Any]:
    """A call of a program with its gradient, traced."""
    function, shapes = PROGRAMS[name]
    random = np.random.default_rng(0)
    given = [tf.constant(draw(shape, random)) for shape in shapes]
    watched = [x for x in given if x.dtype.is_floating]

    def step(*inputs: Any) -> Any:
        floats = [x for x in inputs if x.dtype.is_floating]
        with tf.GradientTape() as tape:
            tape.watch(floats)
            total = tf.reduce_sum(function(tf, *inputs))
        return total, [tf.convert_to_tensor(g) for g in tape.gradient(total, floats)]

    assert watched, f"{name} has nothing to be differentiated by"
    compiled = tf.function(step, jit_compile=jit)
    return lambda: compiled(*given)


def measure(call: Callable[[], Any]) -> dict[str, float]:
    """Seconds of the first call and of the quickest one, and the sum of the sizes of what it gives."""
    start = time.perf_counter()
    answer = call()
    first = time.perf_counter() - start
    size = float(abs(answer[0].numpy()) + sum(np.abs(g.numpy()).sum(dtype=np.float64) for g in answer[1]))
    for _ in range(_WARM):
        call()[0].numpy()
    wait_for_compiles()
    best, end = np.inf, time.perf_counter() + _SECONDS
    while time.perf_counter() < end:
        start = time.perf_counter()
        call()[0].numpy()
        best = min(best, time.perf_counter() - start)
    return {"first": first, "call": float(best), "size": size}


def main(library: str, mode: str, names: list[str]) -> None:
    os.environ.update(dict.fromkeys(THREADS, "1"), TF_CPP_MIN_LOG_LEVEL="3", CUDA_VISIBLE_DEVICES="")
    tf = importlib.import_module(library)
    for name in names or PROGRAMS:
        print(json.dumps({"name": name, **measure(prepare(tf, name, True if mode == "jit" else None))}), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3:])
