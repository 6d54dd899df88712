"""One library's side: answers `{"row": n, "seconds": s}` with the best time of a call within so long, as JSON lines.

Started as `python -m benchmarks.kernels.worker tensorflow|pullback THREADS wall|cpu`.  The first line it prints lists the rows, each with
its family, and what went wrong in making them.  A group's tensors are there while its rows are asked for, and no longer.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from typing import Any

from .catalogue import FAMILIES, Group

Calls = dict[str, Callable[[], Any]]


def made(group: Group, tf: Any) -> tuple[Calls, str]:
    """The rows of a group, and why there are no more of them."""
    found: Calls = {}
    try:
        found.update(group(tf))
    except Exception as error:  # noqa: BLE001  # told to the reader of the table
        return found, f"{group.__name__}, after {list(found)[-1:]}: {type(error).__name__}: {error}"[:300]
    return found, ""


class Table:
    """The rows of a library, one group in memory at a time."""

    def __init__(self, tf: Any) -> None:
        self.tf = tf
        self.families: dict[str, str] = {}
        self.faults: list[str] = []
        self._groups: dict[str, Group] = {}
        self._now: tuple[Group | None, Calls] = (None, {})
        for family, groups in FAMILIES.items():
            for group in groups:
                calls, fault = made(group, tf)
                self.faults += [fault] if fault else []
                self.families.update(dict.fromkeys(calls, family))
                self._groups.update(dict.fromkeys(calls, group))

    def __getitem__(self, row: str) -> Callable[[], Any]:
        group = self._groups[row]
        if self._now[0] is not group:
            self._now = (None, {})
            self._now = (group, made(group, self.tf)[0])
        return self._now[1][row]


def best(call: Callable[[], Any], seconds: float, clock: Callable[[], float]) -> float:
    """The least time of a call, for so many seconds and at least three times; one of more than a second is called less often.

    Up to ten calls, for half a second, go first and do not count.
    """
    start = time.perf_counter()
    for _ in range(10):
        call()
        if time.perf_counter() - start > 0.5:
            break
    least, count, start = float("inf"), 0, time.perf_counter()
    while count < 200 and (time.perf_counter() - start < (seconds if count >= 3 else max(seconds, 1.0)) or not count):
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
    table = Table(tf)
    clock = time.perf_counter if clock_name == "wall" else time.process_time
    print(json.dumps({"rows": table.families, "faults": table.faults}), flush=True)
    for line in sys.stdin:
        asked = json.loads(line)
        try:
            answer: dict[str, Any] = {"seconds": best(table[asked["row"]], asked["seconds"], clock)}
        except Exception as error:  # noqa: BLE001  # told to the reader of the table
            answer = {"error": f"{type(error).__name__}: {error}".splitlines()[0][:120]}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), sys.argv[3])
