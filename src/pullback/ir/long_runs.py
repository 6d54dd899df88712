"""A bar for a run that takes long: how many operations of a plan are done, or turns of a loop, or since when a native program runs.

A run says nothing of itself, so that it costs nothing: where somebody looks on, one thread looks from time to time at what the others
are doing.  The line of a plan's Python function at which a thread stands is the operation that it is at.  How many turns a loop still has
is told by the two numbers that its condition compares.  A native program says nothing: the time that it has taken is shown.
"""

from __future__ import annotations

import atexit
import sys
import threading
import time
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, NamedTuple

from ..base import progress
from .node import comparisons, is_inside
from .python_code import FIRST_LINE, NATIVE_FILE, NATIVE_RUNS, PROGRAM_FILE

#: Seconds between two looks while no bar is shown.
_LOOK = 0.5


class _Seen(NamedTuple):
    """A run in which a thread is: its frame, when it was seen first, the thread, and the program's frame that asked for it."""

    run: FrameType
    since: float
    thread: int
    user: FrameType | None


class _Watcher:
    """What the thread that looks has seen, and the bar it shows.

    walk, loop: the code that walks a plan, and the code of loops.  shown: holds the code of the run that has a bar.
    """

    def __init__(self, walk: CodeType, loop: CodeType, shown: list[CodeType]) -> None:
        self._walk, self._loop, self._shown = walk, loop, shown
        self._lock = threading.Lock()
        self._bar: progress.Progress | None = None
        self._run: _Seen | None = None
        #: The runs in which threads were at the last look: those of the main thread first, of each the outermost first.
        self._seen: list[_Seen] = []
        #: The turns of the loop that has a bar, and how far its condition was from its end, when the bar began.
        self._began: tuple[int, float] | None = None
        threading.Thread(target=self._look_on, name="pullback-progress", daemon=True).start()
        atexit.register(self._end)

    def end(self, code: CodeType) -> None:
        """End the bar of a run of this thread whose frame has this code, if it is this run's."""
        run = self._run
        if run is not None and run.run.f_code is code and run.thread == threading.get_ident():
            self._end()

    def _end(self) -> None:
        with self._lock:
            self._forget()

    def _look_on(self) -> None:
        while True:
            time.sleep(progress.PAUSE if self._shown else min(_LOOK, progress.PATIENCE))
            frames = sys._current_frames()
            first = threading.main_thread().ident
            with self._lock:
                self._look_at({thread: frames[thread] for thread in sorted(frames, key=lambda thread: thread != first)})
            del frames

    def _look_at(self, frames: dict[int, FrameType]) -> None:
        """Begin, draw or end the bar of a run in which a thread is: of those in one another a loop's, or that of most operations."""
        now = time.monotonic()
        before = self._seen
        self._seen = []
        for thread, frame in frames.items():
            runs, user = self._runs(frame)
            self._seen += [_Seen(run, next((one.since for one in before if one.run is run), now), thread, user) for run in runs]
        if self._run is not None and all(one.run is not self._run.run for one in self._seen):
            self._forget()
        long = [one for one in self._seen if now - one.since >= progress.PATIENCE]
        if self._bar is None and long and progress.is_watched():
            self._begin(max((one for one in long if one.thread == long[0].thread), key=lambda one: self._size(one.run)))
        if self._bar is not None and self._run is not None:
            self._bar.reach(*self._at(self._run.run))

    def _runs(self, frame: FrameType | None) -> tuple[list[FrameType], FrameType | None]:
        """The runs in which a thread is at `frame`, the outermost first, and the program's frame that asked for them."""
        runs: list[FrameType] = []
        user: FrameType | None = None
        while frame is not None:
            if frame.f_code is self._loop:
                runs, user = [frame], None  # what is in a turn is done again and again
            elif self._is_plan(frame.f_code) or self._is_native(frame.f_code):
                runs, user = [frame, *runs], None
            elif user is None and not is_inside(frame.f_code.co_filename):
                user = frame
            frame = frame.f_back
        return runs, user

    def _begin(self, one: _Seen) -> None:
        where = "a run" if one.user is None else f"{Path(one.user.f_code.co_filename).name}:{one.user.f_lineno}"
        code = one.run.f_code
        if self._is_native(code):
            self._bar = progress.Progress(f"{where} in native code", unit=None, begun=one.since)
        elif code is self._loop:
            self._bar = progress.Progress(where, unit="turns", begun=one.since)
        else:
            self._bar = progress.Progress(where, int(self._size(one.run)), unit="operations", begun=one.since)
        self._run, self._began = one, None
        self._shown.append(code)

    def _forget(self) -> None:
        if self._bar is not None:
            self._bar.end()
        self._bar = self._run = None
        self._shown.clear()

    def _is_plan(self, code: CodeType) -> bool:
        return code.co_filename == PROGRAM_FILE or code is self._walk

    def _is_native(self, code: CodeType) -> bool:
        return code.co_filename == NATIVE_FILE or code in NATIVE_RUNS

    def _size(self, frame: FrameType) -> float:
        """How many operations a run has; a loop has more than any plan that it is in, a native program at least one."""
        if frame.f_code is self._loop:
            return float("inf")
        if self._is_native(frame.f_code):
            return 1
        if frame.f_code is self._walk:
            return len(frame.f_locals["walk"].nodes)
        return max(line for _, _, line in frame.f_code.co_lines() if line is not None) - FIRST_LINE

    def _at(self, frame: FrameType) -> tuple[int, object, int | None]:
        """How many operations or turns are done; no value to show; the number of turns that there will be, where it can be told."""
        if frame.f_code is self._loop:
            return self._turns(frame)
        if self._is_native(frame.f_code):
            return 0, None, None
        return frame.f_locals["at"] if frame.f_code is self._walk else max(frame.f_lineno - FIRST_LINE, 0), None, None

    def _turns(self, frame: FrameType) -> tuple[int, object, int | None]:
        names: Any = frame.f_locals
        turns, test = names["turns"], names["test"]
        left = _steps_left(test, [*names["variables"], *names["invariants"]])
        if isinstance(names, dict):
            names.clear()  # Python 3.11 and 3.12 would keep this turn's arrays for as long as the loop runs
        if left is None:
            return turns, None, None
        first = self._began = self._began or (turns, left)
        done = first[1] - left
        return turns, None, turns + round(left * (turns - first[0]) / done) if done > 0 and left >= 0 else None


def _steps_left(test: Any, values: list[Any]) -> float | None:
    """How far the smaller of the two numbers is from the larger one whose comparison keeps a loop going; None where it is no such loop."""
    known = {t.uid: value for t, value in zip(test.fed, values, strict=False)}
    found = []
    for smaller, larger, _ in comparisons(test.fetched[0]):
        ends = [known.get(t.uid, t.node.attrs.get("value")) for t in (smaller, larger)]
        if all(end is not None and getattr(end, "shape", None) == () for end in ends):
            found.append(float(ends[1]) - float(ends[0]))
    return min(found, default=None)


_watchers: list[_Watcher] = []


def look_on(walk: CodeType, loop: CodeType, shown: list[CodeType]) -> None:
    """Look at runs from now on; the parameters are those of the watcher."""
    if not _watchers:
        _watchers.append(_Watcher(walk, loop, shown))


def end(code: CodeType) -> None:
    """End the bar of a run of this thread whose code this is, if it has one."""
    for watcher in _watchers:
        watcher.end(code)
