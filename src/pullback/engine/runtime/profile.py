"""Where the time of a native program goes: regions timed inside it, summed up, or as a trace for chrome://tracing and Perfetto.

A program that is to be profiled reads the clock (`pb_now`) before and after each region and calls `pb_record` with the region's number.
Events go to a buffer without locks; when it is full, later ones are counted and not kept.  Threads are told apart, so that a trace shows
who ran which block.  A record costs about 30 ns, so regions should take microseconds.
"""

from __future__ import annotations

import ctypes
import json
import os
import platform
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from .loaded import Loaded
from .objects import load_cached

# The buffer: number of events so far, room for how many, and four words for each: region, start, end, thread.
_HEAD, _WORDS = 2, 4

_RECORD = """
define void @pb_record(ptr %buffer, i64 %region, i64 %start, i64 %end) {
begin:
  %place = atomicrmw add ptr %buffer, i64 1 seq_cst, align 8
  %room_at = getelementptr i64, ptr %buffer, i64 1
  %room = load i64, ptr %room_at
  %fits = icmp slt i64 %place, %room
  br i1 %fits, label %write, label %out
write:
  %events = getelementptr i64, ptr %buffer, i64 2
  %event = getelementptr [4 x i64], ptr %events, i64 %place
  %start_at = getelementptr i64, ptr %event, i64 1
  %end_at = getelementptr i64, ptr %event, i64 2
  %thread_at = getelementptr i64, ptr %event, i64 3
  %thread = call i64 @pthread_self()
  store i64 %region, ptr %event
  store i64 %start, ptr %start_at
  store i64 %end, ptr %end_at
  store i64 %thread, ptr %thread_at
  br label %out
out:
  ret void
}
"""
_THREAD = "declare i64 @pthread_self()\n"
_NO_THREAD = "define internal i64 @pthread_self() { ret i64 0 }\n"
_CYCLES = """
define i64 @pb_now() {
  call void @llvm.x86.sse2.lfence()
  %now = call i64 @llvm.readcyclecounter()
  ret i64 %now
}
declare i64 @llvm.readcyclecounter()
declare void @llvm.x86.sse2.lfence()
"""
_CLOCK = """
define i64 @pb_now() {
  %time = alloca { i64, i64 }
  %r = call i32 @clock_gettime(i32 MONOTONIC, ptr %time)
  %fraction_at = getelementptr i64, ptr %time, i64 1
  %seconds = load i64, ptr %time
  %fraction = load i64, ptr %fraction_at
  %whole = mul i64 %seconds, 1000000000
  %now = add i64 %whole, %fraction
  ret i64 %now
}
declare i32 @clock_gettime(i32, ptr)
"""


@cache
def _code() -> Loaded:
    if platform.machine().lower() in ("x86_64", "amd64"):
        clock = _CYCLES
    else:
        clock = _CLOCK.replace("MONOTONIC", str(getattr(time, "CLOCK_MONOTONIC", 1)))
    text = _RECORD + clock + (_THREAD if os.name == "posix" else _NO_THREAD)
    return load_cached(text)


def symbols() -> dict[str, int]:
    """What a profiled program is linked with.

    `i64 pb_now()` reads the clock; `void pb_record(ptr buffer, i64 region, i64 start, i64 end)` notes an event.
    """
    return {name: _code().address(name) for name in ("pb_now", "pb_record")}


@cache
def _clock_function() -> Any:
    return _code().function("pb_now", ctypes.c_int64)


def read_clocks() -> tuple[int, float]:
    """What `pb_now` and `time.perf_counter` say at one moment: the pair that was read fastest, as no other thread came between."""
    now = _clock_function()
    pairs = []
    for _ in range(5):
        before, ticks, after = time.perf_counter(), now(), time.perf_counter()
        pairs.append((after - before, ticks, (before + after) / 2))
    _, ticks, seconds = min(pairs)
    return ticks, seconds


@cache
def ticks_per_second() -> float:
    """The rate of `pb_now`, measured over a few milliseconds."""
    ticks, seconds = read_clocks()
    while time.perf_counter() < seconds + 0.005:
        pass
    later_ticks, later = read_clocks()
    return (later_ticks - ticks) / (later - seconds)


@dataclass(frozen=True)
class Region:
    """A part of a program: its name, the bytes it moves and the floating-point operations it does in a run, and further facts to show."""

    name: str
    bytes: int = 0
    flops: int = 0
    facts: tuple[tuple[str, Any], ...] = ()


@dataclass(frozen=True)
class Event:
    """One time that a region ran: when it began, in seconds after the profile did, for how long, and on which thread, counted from 0."""

    region: int
    start: float
    seconds: float
    thread: int


@dataclass(frozen=True)
class Total:
    """What a region's events come to: how many, their time on all threads together, and the shortest."""

    region: Region
    count: int
    seconds: float
    shortest: float


class Profile:
    """A buffer for the events of profiled runs.

    Args:
        regions: the parts of the program, by the numbers that it records.
        room: for how many events.
    """

    def __init__(self, regions: Sequence[Region], room: int = 1 << 16) -> None:
        self.regions = tuple(regions)
        self._buffer = np.zeros(_HEAD + _WORDS * room, np.int64)
        self.clear()

    @property
    def address(self) -> int:
        """The buffer, for `pb_record`."""
        return self._buffer.ctypes.data

    def clear(self) -> None:
        """Forget all events."""
        self._buffer[:_HEAD] = 0, (self._buffer.size - _HEAD) // _WORDS
        self._begin = _clock_function()()

    @property
    def lost(self) -> int:
        """How many events found no room."""
        return max(0, int(self._buffer[0] - self._buffer[1]))

    @property
    def room_left(self) -> float:
        """The part of the buffer that is free."""
        return max(0.0, 1.0 - float(self._buffer[0]) / float(self._buffer[1]))

    def events(self) -> Iterator[Event]:
        """What was recorded, in the order in which it ended."""
        count = int(min(self._buffer[0], self._buffer[1]))
        rate = ticks_per_second()
        threads: dict[int, int] = {}
        for region, start, end, thread in self._buffer[_HEAD:].reshape(-1, _WORDS)[:count].tolist():
            yield Event(region, (start - self._begin) / rate, (end - start) / rate, threads.setdefault(thread, len(threads)))

    def totals(self) -> list[Total]:
        """The regions that ran, the one that took longest first."""
        times: dict[int, list[float]] = {}
        for event in self.events():
            times.setdefault(event.region, []).append(event.seconds)
        totals = [Total(self.regions[region], len(spans), sum(spans), min(spans)) for region, spans in times.items()]
        return sorted(totals, key=lambda total: -total.seconds)

    def chrome_trace(self) -> dict[str, Any]:
        """The events in Chrome's trace event format, which JSON can write."""
        process = os.getpid()
        events = []
        for event in self.events():
            region = self.regions[event.region]
            arguments = {"bytes": region.bytes, "flops": region.flops, **dict(region.facts)}
            common = {"name": region.name, "cat": "kernel", "ph": "X", "pid": process, "tid": event.thread}
            events.append({**common, "ts": event.start * 1e6, "dur": event.seconds * 1e6, "args": arguments})
        return {"traceEvents": events, "displayTimeUnit": "ns", "otherData": {"lost": self.lost}}

    def write_chrome_trace(self, path: str | os.PathLike[str]) -> None:
        """Write a file that chrome://tracing and ui.perfetto.dev open."""
        with open(path, "w", encoding="utf-8") as file:
            json.dump(self.chrome_trace(), file)
