"""What the machine can do at best: bytes copied and floating-point operations a second, measured once and kept on disk.

Copies are measured at several sizes, because what fits a cache moves several times as fast; a program is compared with the copy of as many
bytes as it touches.  Bytes read and bytes written both count, as in the STREAM benchmark.  Operations are those of independent fused
multiply-adds (multiplications and additions where there is no fused one) in as many registers as hide their latency.
"""

from __future__ import annotations

import ctypes
import itertools
import json
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from ...kernels import parallel
from . import disk_cache, threads
from .codegen import load
from .machine import Loaded, Machine, host

_SIZES = tuple(1 << power for power in (14, 17, 19, 21, 23, 25, 27))
_CHAINS = 12
_STEPS = 20_000


@dataclass(frozen=True)
class Peaks:
    """Peaks of this machine on `threads` threads; `copies` are pairs of bytes touched and bytes read and written a second."""

    threads: int
    copies: tuple[tuple[int, float], ...]
    flops32: float
    flops64: float

    def copy_speed(self, size: int) -> float:
        """Bytes read and written a second by a copy that touches `size` bytes."""
        sizes, speeds = zip(*self.copies, strict=True)
        return float(np.interp(np.log2(max(size, 1)), np.log2(sizes), speeds))

    def flops(self, dtype: np.dtype[Any]) -> float:
        """Operations a second on float32 (and what is computed as such) or float64."""
        return self.flops64 if dtype.itemsize in (8, 16) else self.flops32

    def seconds(self, size: int, operations: int, dtype: np.dtype[Any]) -> float:
        """The least time for touching `size` bytes once and doing so many operations."""
        return max(size / self.copy_speed(size), operations / self.flops(dtype))


def peaks(refresh: bool = False) -> Peaks:
    """The machine's peaks on as many threads as programs have; measuring them takes about half a second.

    Args:
        refresh: measure again, even if that was done before.
    """
    count = parallel.threads()
    place = disk_cache.key("peaks 1", host().key, str(count))
    if not refresh:
        if (known := _known.get(count)) is not None:
            return known
        blob = disk_cache.lookup(place)
        if blob is not None:
            facts = json.loads(blob)
            facts["copies"] = tuple(map(tuple, facts["copies"]))
            return _known.setdefault(count, Peaks(**facts))
    measured = _measure(host(), count)
    disk_cache.store(place, json.dumps(asdict(measured)).encode())
    _known[count] = measured
    return measured


_known: dict[int, Peaks] = {}


def _measure(machine: Machine, count: int) -> Peaks:
    code = load(_text(machine, count), threads.symbols())
    return Peaks(count, tuple(_copies(code, count)), _flops(code, machine, count, 32), _flops(code, machine, count, 64))


def _time_best(call: Callable[[Any], None], job: Any) -> float:
    """The shortest of several runs; where other programs run too, most of them are disturbed."""
    shortest, started, runs = float("inf"), time.perf_counter(), 0
    while runs < 5 or time.perf_counter() < started + 0.05:
        start = time.perf_counter()
        call(job)
        shortest = min(shortest, time.perf_counter() - start)
        runs += 1
    return shortest


def _copies(code: Loaded, count: int) -> list[tuple[int, float]]:
    copy = code.function("copy", None, ctypes.c_void_p)
    largest = _SIZES[-1] // 2
    source, target = np.ones(largest + 64, np.uint8), np.ones(largest + 64, np.uint8)
    starts = [array.ctypes.data + -array.ctypes.data % 64 for array in (source, target)]
    found = []
    for size in _SIZES:
        each = size // 2 // count // 64 * 64
        repeats = max(1, (1 << 24) // size)
        job = (ctypes.c_int64 * 4)(*starts, each, repeats)
        seconds = _time_best(copy, job)
        found.append((size, 2.0 * each * count * repeats / seconds))
    return found


def _flops(code: Loaded, machine: Machine, count: int, bits: int) -> float:
    multiply = code.function(f"multiply{bits}", None, ctypes.c_void_p)
    job = (ctypes.c_int64 * 4)(0, 0, 0, _STEPS)
    seconds = _time_best(multiply, job)
    return 2.0 * _CHAINS * machine.lanes(bits // 8) * _STEPS * count / seconds


def _text(machine: Machine, count: int) -> str:
    vector = f"<{machine.lanes(4)} x float>"
    return "\n".join(
        [
            _COPY.replace("VECTOR", vector).replace("BYTES", str(machine.vector_bits // 8)),
            _multiply(machine, 32, "float"),
            _multiply(machine, 64, "double"),
            *(_launch(name, count) for name in ("copy", "multiply32", "multiply64")),
            "declare void @pb_parallel(ptr, ptr, i64)",
        ]
    )


def _launch(name: str, count: int) -> str:
    return f"define void @{name}(ptr %job) {{ call void @pb_parallel(ptr @{name}_task, ptr %job, i64 {count}) ret void }}"


# The job: source, target, bytes for each block, and how many times.
_COPY = """
define void @copy_task(ptr %job, i64 %block) {
start:
  %target_at = getelementptr i64, ptr %job, i64 1
  %each_at = getelementptr i64, ptr %job, i64 2
  %times_at = getelementptr i64, ptr %job, i64 3
  %all_from = load ptr, ptr %job
  %all_to = load ptr, ptr %target_at
  %each = load i64, ptr %each_at
  %times = load i64, ptr %times_at
  %begin = mul i64 %block, %each
  %from = getelementptr i8, ptr %all_from, i64 %begin
  %to = getelementptr i8, ptr %all_to, i64 %begin
  %step = mul i64 BYTES, 4
  br label %again
again:
  %time = phi i64 [ 0, %start ], [ %time_next, %done ]
  br label %loop
loop:
  %i = phi i64 [ 0, %again ], [ %next, %loop ]
  %i1 = add i64 %i, BYTES
  %i2 = add i64 %i1, BYTES
  %i3 = add i64 %i2, BYTES
  %a0 = getelementptr i8, ptr %from, i64 %i
  %a1 = getelementptr i8, ptr %from, i64 %i1
  %a2 = getelementptr i8, ptr %from, i64 %i2
  %a3 = getelementptr i8, ptr %from, i64 %i3
  %b0 = getelementptr i8, ptr %to, i64 %i
  %b1 = getelementptr i8, ptr %to, i64 %i1
  %b2 = getelementptr i8, ptr %to, i64 %i2
  %b3 = getelementptr i8, ptr %to, i64 %i3
  %v0 = load volatile VECTOR, ptr %a0, align 16
  %v1 = load volatile VECTOR, ptr %a1, align 16
  %v2 = load volatile VECTOR, ptr %a2, align 16
  %v3 = load volatile VECTOR, ptr %a3, align 16
  store volatile VECTOR %v0, ptr %b0, align 16
  store volatile VECTOR %v1, ptr %b1, align 16
  store volatile VECTOR %v2, ptr %b2, align 16
  store volatile VECTOR %v3, ptr %b3, align 16
  %next = add i64 %i, %step
  %after = add i64 %next, %step
  %more = icmp sle i64 %after, %each
  br i1 %more, label %loop, label %done
done:
  %time_next = add i64 %time, 1
  %repeat = icmp slt i64 %time_next, %times
  br i1 %repeat, label %again, label %out
out:
  ret void
}
"""


def _multiply(machine: Machine, bits: int, scalar: str) -> str:
    """Chains of multiply-adds that depend on themselves only."""
    lanes = machine.lanes(bits // 8)
    vector = f"<{lanes} x {scalar}>"
    factor, term = (f"splat ({scalar} {value})" for value in ("0x3FEFFFFFE0000000", "0.5"))
    chains = range(_CHAINS)
    lines = [f"define void @multiply{bits}_task(ptr %job, i64 %block) {{", "start:"]
    lines += ["  %times_at = getelementptr i64, ptr %job, i64 3", "  %times = load i64, ptr %times_at", "  br label %loop", "loop:"]
    lines += ["  %i = phi i64 [ 0, %start ], [ %next, %loop ]"]
    lines += [f"  %x{c} = phi {vector} [ splat ({scalar} {c}.0), %start ], [ %y{c}, %loop ]" for c in chains]
    for c in chains:
        if machine.fma:
            lines.append(f"  %y{c} = call {vector} @llvm.fma.v{lanes}f{bits}({vector} %x{c}, {vector} {factor}, {vector} {term})")
        else:
            lines += [f"  %p{c} = fmul {vector} %x{c}, {factor}", f"  %y{c} = fadd {vector} %p{c}, {term}"]
    lines += ["  %next = add i64 %i, 1", "  %more = icmp slt i64 %next, %times", "  br i1 %more, label %loop, label %out", "out:"]
    lines += [f"  %sum{b} = fadd {vector} {'%y0' if b == 1 else f'%sum{a}'}, %y{b}" for a, b in itertools.pairwise(chains)]
    # Stored where it is never read, so that the chains are not left out.
    lines += [f"  %place = alloca {vector}", f"  store volatile {vector} %sum{_CHAINS - 1}, ptr %place", "  ret void", "}"]
    lines += [f"declare {vector} @llvm.fma.v{lanes}f{bits}({vector}, {vector}, {vector})"]
    return "\n".join(lines)
