"""One library's side: answers `{"row": n, "seconds": s}` with the best time of a call within so long, as JSON lines.

Started as `python -m benchmarks.kernels.worker tensorflow|pullback THREADS wall|cpu`.  The first line it prints lists the rows.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from typing import Any

from .arrays import GROUPS


def rows(tf: Any) -> dict[str, Callable[[], Any]]:
    found: dict[str, Callable[[], Any]] = {}
    for group in GROUPS:
        try:
            found.update(group(tf))
        except (AttributeError, TypeError) as error:
            print(f"{group.__name__}: {error}", file=sys.stderr)
    return found


def best(call: Callable[[], Any], seconds: float, clock: Callable[[], float]) -> float:
    """The least time of a call, over at least three and at most so many seconds; the first ten, for half a second, do not count."""
    start = time.perf_counter()
    for _ in range(10):
        call()
        if time.perf_counter() - start > 0.5:
            break
    least, count, start = float("inf"), 0, time.perf_counter()
    while count < 3 or (time.perf_counter() - start < seconds and count < 200):
        begin = clock()
        found = call()
        least = min(least, clock() - begin)
        del found
        count += 1
    return least


def main(library: str, threads: int, clock_name: str) -> None:
    if library == "tensorflow":
        import tensorflow as tf
    else:
        import pullback as tf
    tf.config.threading.set_intra_op_parallelism_threads(threads)
    calls = rows(tf)
    clock = time.perf_counter if clock_name == "wall" else time.process_time
    print(json.dumps(list(calls)), flush=True)
    for line in sys.stdin:
        asked = json.loads(line)
        try:
            answer: dict[str, Any] = {"seconds": best(calls[asked["row"]], asked["seconds"], clock)}
        except Exception as error:  # noqa: BLE001  # told to the reader of the table
            answer = {"error": f"{type(error).__name__}: {error}".splitlines()[0][:120]}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), sys.argv[3])
