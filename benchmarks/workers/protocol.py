"""What every worker shares: JSON lines on standard input and output, the data, and the clock. Standard library only.

A request is `{"task": name, ...arguments}`, a reply the task's result. A worker answers until its input ends.
"""

import json
import os
import resource
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

X = [0.1 + 0.05 * i for i in range(16)]
W = [[((i * 7 + j * 3) % 11 - 5) / 16 for j in range(16)] for i in range(16)]
BATCH = [[((i * 5 + j) % 13 - 6) / 8 for j in range(16)] for i in range(8)]
BIG = 2_000_000  # float32 numbers: a tensor of 8 MB

Task = Callable[..., dict[str, Any]]


def serve(**tasks: Task) -> None:
    """Answer requests. A library that prints goes to standard error, where it cannot disturb the replies."""
    replies = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    for line in sys.stdin:
        request = json.loads(line)
        result = tasks[request.pop("task")](**request)
        print(json.dumps(result), file=replies, flush=True)


def timed(call: Callable[[], Any], seconds: float) -> float:
    """The median time of one call, over as many as fit in `seconds`, after as many to warm up and what these have had compiled."""
    taken(call, seconds, warm=3)
    if "pullback.engine.background" in sys.modules:
        sys.modules["pullback.engine.background"].wait_for_compiles()
    return statistics.median(taken(call, seconds, warm=3))


def taken(call: Callable[[], Any], seconds: float, warm: int, now: Callable[[], float] = time.perf_counter) -> list[float]:
    """The times of as many calls as fit in `seconds`, at least three, after `warm` calls that nobody times; by the clock `now`."""
    for _ in range(warm):
        call()
    times: list[float] = []
    end = time.perf_counter() + seconds
    while time.perf_counter() < end or len(times) < 3:
        start = now()
        call()
        times.append(now() - start)
    return times


def numbers(*arrays: Any) -> list[float]:
    """All elements, in order, for the driver to compare."""
    flat: list[float] = []
    todo = list(arrays)
    while todo:
        item = todo.pop(0)
        if isinstance(item, list):
            todo[:0] = item
        else:
            flat.append(float(item))
    return flat


def peak_bytes() -> int:
    """The most memory this process has held."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
