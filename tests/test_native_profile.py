"""Times of regions of native programs, and the peaks of the machine."""

import ctypes
import json
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from pullback.engine.runtime import codegen, disk_cache, peaks, profile, threads
from pullback.kernels import parallel

from .native_programs import F32, cache_in


@pytest.fixture
def cache(tmp_path: Path) -> Iterator[disk_cache.DiskCache]:
    yield from cache_in(tmp_path / "cache")


TIMED = """
declare i64 @pb_now()
declare void @pb_record(ptr, i64, i64, i64)
declare void @pb_parallel(ptr, ptr, i64)
define void @work(ptr %buffer, i64 %block) {
start:
  %begin = call i64 @pb_now()
  br label %loop
loop:
  %i = phi i64 [ 0, %start ], [ %next, %loop ]
  %x = phi double [ 1.0, %start ], [ %y, %loop ]
  %y = fmul double %x, 1.5
  %next = add i64 %i, 1
  %more = icmp slt i64 %next, 20000
  br i1 %more, label %loop, label %out
out:
  %place = alloca double
  store volatile double %y, ptr %place
  %end = call i64 @pb_now()
  call void @pb_record(ptr %buffer, i64 1, i64 %begin, i64 %end)
  ret void
}
define void @run(ptr %buffer, i64 %blocks) {
  %begin = call i64 @pb_now()
  call void @pb_parallel(ptr @work, ptr %buffer, i64 %blocks)
  %end = call i64 @pb_now()
  call void @pb_record(ptr %buffer, i64 0, i64 %begin, i64 %end)
  ret void
}
"""


def test_regions_are_timed(tmp_path: Path) -> None:
    regions = [profile.Region("all"), profile.Region("block", bytes=8, flops=20_000, facts=(("fused", "mul"),))]
    recorded = profile.Profile(regions, room=100)
    code = codegen.load(TIMED, {**profile.symbols(), **threads.symbols()})
    start = time.perf_counter()
    code.function("run", None, ctypes.c_void_p, ctypes.c_int64)(recorded.address, 16)
    elapsed = time.perf_counter() - start
    totals = {total.region.name: total for total in recorded.totals()}
    assert (totals["all"].count, totals["block"].count) == (1, 16) and recorded.lost == 0
    assert 0 < totals["block"].shortest * 16 <= totals["block"].seconds <= totals["all"].seconds * threads.pool().size * 1.01  # type: ignore[union-attr]
    assert totals["all"].seconds <= elapsed * 1.2
    recorded.write_chrome_trace(tmp_path / "trace.json")
    trace = json.loads((tmp_path / "trace.json").read_text())
    blocks = [event for event in trace["traceEvents"] if event["name"] == "block"]
    assert len(blocks) == 16 and all(event["ph"] == "X" and event["dur"] > 0 and event["ts"] > 0 for event in blocks)
    assert blocks[0]["args"] == {"bytes": 8, "flops": 20_000, "fused": "mul"}
    recorded.clear()
    assert recorded.totals() == []


def test_a_full_profile_counts_what_it_loses() -> None:
    recorded = profile.Profile([profile.Region("all"), profile.Region("block")], room=10)
    code = codegen.load(TIMED, {**profile.symbols(), **threads.symbols()})
    code.function("run", None, ctypes.c_void_p, ctypes.c_int64)(recorded.address, 30)
    assert len(list(recorded.events())) == 10 and recorded.lost == 21


def test_the_clock_runs_as_fast_as_is_said() -> None:
    ticks, seconds = profile.read_clocks()
    time.sleep(0.05)
    later_ticks, later = profile.read_clocks()
    assert (later_ticks - ticks) / profile.ticks_per_second() == pytest.approx(later - seconds, rel=0.1)


def test_peaks_are_measured_once(cache: disk_cache.DiskCache, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(peaks, "_known", {})
    measured = peaks.peaks()
    monkeypatch.setattr(peaks, "_known", {})
    monkeypatch.setattr(peaks, "_measure", None)
    assert peaks.peaks() == measured == peaks.peaks()
    assert measured.threads == parallel.threads() and min(measured.flops32, measured.flops64) > 1e7
    assert min(speed for _, speed in measured.copies) > 1e7
    sizes = [size for size, _ in measured.copies]
    assert measured.copy_speed(1) == dict(measured.copies)[sizes[0]] and measured.copy_speed(1 << 40) == dict(measured.copies)[sizes[-1]]
    assert measured.seconds(1 << 30, 0, F32) == (1 << 30) / measured.copy_speed(1 << 30)
    assert measured.seconds(0, 10**12, np.dtype(np.float64)) == 10**12 / measured.flops64
