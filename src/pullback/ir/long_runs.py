"""A bar for a run on kernels that takes long: how many operations of its plan are done.

A run says nothing of itself, so that it costs nothing: where somebody looks on, one thread looks from time to time at what the main
thread is doing.  The line of a plan's Python function at which it stands is the operation that it is at.
"""

from __future__ import annotations

import sys
import threading
import time
from pathlib import Path
from types import CodeType, FrameType

from ..base import progress
from .node import is_inside
from .python_code import FIRST_LINE, PROGRAM_FILE

#: Seconds between two looks while no bar is shown.
_LOOK = 0.5


class _Watcher:
    """What the thread that looks has seen, and the bar it shows.

    walk, loop: the code that walks a plan, and the code of loops.  shown: holds the code of the run that has a bar.
    """

    def __init__(self, walk: CodeType, loop: CodeType, shown: list[CodeType]) -> None:
        self._walk, self._loop, self._shown = walk, loop, shown
        self._lock = threading.Lock()
        self._bar: progress.Progress | None = None
        self._run: FrameType | None = None
        #: The runs in which the main thread was at the last look, the outermost first, and when each was seen first.
        self._seen: list[tuple[FrameType, float]] = []
        threading.Thread(target=self._look_on, name="pullback-progress", daemon=True).start()

    def end(self, code: CodeType) -> None:
        """End the bar of a run whose frame has this code, if it is this run's."""
        with self._lock:
            if self._run is not None and self._run.f_code is code:
                self._forget()

    def _look_on(self) -> None:
        while True:
            time.sleep(progress.PAUSE if self._shown else min(_LOOK, progress.PATIENCE))
            frame = sys._current_frames().get(threading.main_thread().ident or 0)
            with self._lock:
                self._look_at(frame)
            del frame

    def _look_at(self, frame: FrameType | None) -> None:
        """Begin, draw or end the bar of a run in which the main thread is at `frame`, of those in one another that of most operations."""
        frames: list[FrameType] = []
        user: FrameType | None = None
        while frame is not None:
            if frame.f_code is self._loop:
                frames = []  # a loop says nothing of how many turns it takes
            elif self._is_run(frame.f_code):
                frames, user = [frame, *frames], None
            elif user is None and not is_inside(frame.f_code.co_filename):
                user = frame
            frame = frame.f_back
        now = time.monotonic()
        self._seen = [(run, next((when for one, when in self._seen if one is run), now)) for run in frames]
        if self._run is not None and self._run not in frames:
            self._forget()
        if self._bar is None and self._seen and progress.is_watched() and now - self._seen[0][1] >= progress.PATIENCE:
            self._run, since = max(self._seen, key=lambda seen: self._size(seen[0]))
            where = "a run" if user is None else f"{Path(user.f_code.co_filename).name}:{user.f_lineno}"
            self._bar = progress.Progress(where, self._size(self._run), unit="operations", begun=since)
            self._shown.append(self._run.f_code)
        if self._bar is not None and self._run is not None:
            self._bar.reach(self._at(self._run))

    def _forget(self) -> None:
        if self._bar is not None:
            self._bar.end()
        self._bar = self._run = None
        self._shown.clear()

    def _is_run(self, code: CodeType) -> bool:
        return code.co_filename == PROGRAM_FILE or code is self._walk

    def _size(self, frame: FrameType) -> int:
        """How many operations a run has."""
        if frame.f_code is self._walk:
            return len(frame.f_locals["walk"].nodes)
        return max(line for _, _, line in frame.f_code.co_lines() if line is not None) - FIRST_LINE

    def _at(self, frame: FrameType) -> int:
        """The number of the operation that a run is at."""
        return frame.f_locals["at"] if frame.f_code is self._walk else max(frame.f_lineno - FIRST_LINE, 0)


_watchers: list[_Watcher] = []


def look_on(walk: CodeType, loop: CodeType, shown: list[CodeType]) -> None:
    """Look at runs from now on, if there is somebody to show a bar to; the parameters are those of the watcher."""
    if not _watchers and progress.is_watched():
        _watchers.append(_Watcher(walk, loop, shown))


def end(code: CodeType) -> None:
    """End the bar of the run whose code this is, if it has one."""
    for watcher in _watchers:
        watcher.end(code)
