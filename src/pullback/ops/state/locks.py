"""Threads that change variables: who reads a value and writes another that depends on it holds the variable's lock meanwhile.

Variables that one program writes get one lock together, so that its fast way takes one and not many.  So a lock may be exchanged while
somebody waits for it: who has it looks again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from threading import RLock
from typing import Any, TypeVar

Result = TypeVar("Result")
_acquire = type(RLock()).acquire


def run_alone(storage: Any, work: Callable[..., Result], *args: Any) -> Result:
    """What `work` gives, while no other thread changes the variable."""
    while True:
        lock = storage.lock
        with lock:
            if storage.lock is lock:
                return work(*args)


@contextmanager
def lock_all(storages: Sequence[Any]) -> Iterator[None]:
    """No other thread changes these variables in the block."""
    while True:
        locks = sorted({storage.lock for storage in storages}, key=id)  # in one order for all, or two threads could wait for each other
        taken: list[Any] = []
        try:
            taken.extend(zip(locks, map(_acquire, locks), strict=True))
            if {storage.lock for storage in storages}.issubset(locks):
                yield
                return
        finally:
            for lock, _ in taken:
                lock.release()


def lock_together(storages: Sequence[Any]) -> None:
    """Give variables one lock; not while this thread holds one of theirs, on which somebody further up relies."""
    if any(storage.lock._is_owned() for storage in storages):
        return
    with lock_all(storages):
        lock = min((storage.lock for storage in storages), key=id)
        for storage in storages:
            storage.lock = lock
