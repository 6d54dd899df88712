"""llvmlite's lock, shared by our threads that make code.

llvmlite holds one lock at each of its calls, so that two threads never work at once, though LLVM lets them, each with a context of its
own.  Ours takes the place of the one within, where llvmlite's functions are used by others (Numba, say): a thread that makes code holds
it together with others that do, and everybody else in the process who calls LLVM waits until all of them are done.
"""

from __future__ import annotations

import sys
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


class SharedLock:
    """A lock that one thread holds, any number of times, or several that make code hold together."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._owner: int | None = None
        self._depth = 0
        self._members: Counter[int] = Counter()

    def acquire(self) -> bool:
        """Wait for the lock; who holds it with others has it."""
        me = threading.get_ident()
        if me not in self._members:
            with self._changed:
                self._changed.wait_for(lambda: not self._members and self._owner in (None, me))
                self._owner, self._depth = me, self._depth + 1
        return True

    def release(self) -> None:
        """Give the lock back. Who got the one that was here before has nothing to give back."""
        if self._owner == threading.get_ident():
            with self._changed:
                self._depth -= 1
                if not self._depth:
                    self._owner = None
                    self._changed.notify_all()

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Hold the lock."""
        self.acquire()
        try:
            yield
        finally:
            self.release()

    @contextmanager
    def together(self) -> Iterator[None]:
        """Hold the lock with other threads that are in such a block."""
        me = threading.get_ident()
        with self._changed:
            self._changed.wait_for(lambda: self._owner in (None, me))
            self._members[me] += 1
        try:
            yield
        finally:
            with self._changed:
                self._members[me] -= 1
                if not self._members[me]:
                    del self._members[me]
                self._changed.notify_all()


_LLVMLITE = SharedLock()


def llvmlite_lock() -> SharedLock:
    """What llvmlite's calls wait for, from the first time on that this is asked while llvmlite's functions are loaded."""
    held: Any = getattr(getattr(sys.modules.get("llvmlite.binding.ffi"), "lib", None), "_lock", None)
    before = getattr(held, "_lock", None)
    if isinstance(before, type(threading.RLock())):
        with before:
            held._lock = _LLVMLITE
    return _LLVMLITE
