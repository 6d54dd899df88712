"""The threads that share the work of native programs.

Native code calls `pb_parallel(task, context, blocks)`, which runs `task(context, block)` for every block and returns when all are done.
`pb_parallel_until` leaves out those that are left when Ctrl-C is pressed, and says so: its caller gives up then (`interrupts`).
Workers treat floats as whoever gives them work does (`float_mode`).
Blocks are claimed one at a time; which thread runs which block makes no difference to the result, because blocks are cut by size alone.

Workers are Python threads that stay inside native code (`pb_worker`) without the GIL.  A worker looks for work for some 30 us, as the
next loop of a program is usually a microsecond away, and then sleeps in the kernel until it is woken.  One program owns the workers at a
time; another that comes meanwhile runs its blocks by itself.  A forked child has no workers, and starts them when it first needs them.
"""

from __future__ import annotations

import atexit
import ctypes
import os
import platform
import sys
import threading
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

from ...base.lazy_import import LazyModule
from ...kernels import parallel
from .loaded import Loaded, NativeError, python_symbols
from .objects import load_named, order_named

if TYPE_CHECKING:
    from . import threads_code
else:  # what is on the disk has its name
    threads_code = LazyModule("pullback.engine.runtime.threads_code")

_MOST = 1024
_SPINS = 2000
# With more threads than processors a thread that looks for work keeps another one from doing it.
_SPINS_CROWDED = 20

#: What native code calls of CPython to ask for Ctrl-C, and to have workers started.
_ASKING = ("PyGILState_Ensure", "PyGILState_Release", "PyOS_InterruptOccurred", "PyErr_SetInterrupt")
_STARTING = ("PyObject_CallNoArgs", "PyErr_WriteUnraisable", "Py_DecRef")
#: The number of Linux's system call for waiting.
_FUTEX_CALLS = {"x86_64": 202, "aarch64": 98, "riscv64": 98, "s390x": 238, "ppc64le": 221}


def futex_call() -> int:
    """The number of the system call by which threads sleep; 0 where they sleep by a condition variable."""
    return _FUTEX_CALLS.get(platform.machine(), 0) if sys.platform == "linux" else 0


class Pool:
    """Worker threads, and the native function that gives them work; programs share the one of `pool`.

    call: the number of the system call by which they sleep, 0 for a condition variable of the C library.
    """

    def __init__(self, call: int) -> None:
        self.code: Loaded = load_named(*_code(call), python_symbols(_ASKING + _STARTING), level=0)
        self._call = call
        self._prepare()
        self._worker = self.code.function("pb_worker", None, ctypes.c_int32)
        self._resize = self.code.function("resize", None, ctypes.c_int32, ctypes.c_int32)
        self._threads: list[threading.Thread] = []
        self._lock = threading.Lock()
        self._size = 1
        self._starter = self._start  # one object, as native code keeps no reference
        self._pointer("starter").value = id(self._starter)
        self._pointer("start").value = self.code.address("pb_ask_for_workers")

    def _prepare(self) -> None:
        if not self._call:
            self.code.function("prepare", None)()

    @property
    def parallel(self) -> int:
        """The address of `void pb_parallel(void (*task)(ptr context, i64 block), ptr context, i64 blocks)`."""
        return self.code.address("pb_parallel")

    @property
    def size(self) -> int:
        """How many threads work on a program, the one that calls it among them."""
        return self._size

    def resize(self, size: int) -> None:
        """Have `size` threads work on a program; workers that are too many have ended when this returns."""
        size = max(1, min(size, _MOST))
        with self._lock:
            self._size = size
            self._resize(size, _SPINS if size <= parallel.processors() else _SPINS_CROWDED)
            leaving, self._threads = self._threads[size - 1 :], self._threads[: size - 1]
            for thread in leaving:
                thread.join()

    def _start(self) -> None:
        """Called by native code that has work for workers that are not there yet."""
        with self._lock:
            try:
                while len(self._threads) < self._size - 1:
                    index = len(self._threads) + 1
                    thread = threading.Thread(target=self._worker, args=(index,), name=f"pullback-{index}", daemon=True)
                    thread.start()
                    self._threads.append(thread)
            except RuntimeError:
                # The system gives no more threads: those that run share the work.
                pass
            self._number("started").value = self._number("wanted").value

    def close(self) -> None:
        """End the workers; programs run on the calling thread from now on."""
        self._pointer("start").value = None
        self.resize(1)

    def forget(self) -> None:
        """In a child of a fork, where no worker lives on: start anew when there is work."""
        self._lock = threading.Lock()
        self._threads = []
        self._prepare()
        for name in ("owned", "awaited", "sleepers", "started"):
            self._number(name).value = 0
        self._long("ticket").value |= 0xFFFFFFFF

    def _number(self, name: str) -> ctypes.c_int32:
        return ctypes.c_int32.from_address(self.code.address(name))

    def _long(self, name: str) -> ctypes.c_uint64:
        return ctypes.c_uint64.from_address(self.code.address(name))

    def _pointer(self, name: str) -> ctypes.c_void_p:
        return ctypes.c_void_p.from_address(self.code.address(name))


def _code(call: int) -> tuple[str, Callable[[], str]]:
    """The name and the text of the code of a pool."""
    return f"threads {call}", lambda: threads_code.python_pool_text(call)


def compile_ahead() -> None:
    """Have the code of `pool` compiled, if there is no pool yet."""
    if not pool.cache_info().currsize:
        order_named(*_code(futex_call()), level=0)


@cache
def pool() -> Pool | None:
    """The workers of this process, as many as `parallel.threads` says; None where threads cannot wait for work."""
    try:
        made = Pool(futex_call())
    except NativeError:
        return None
    made.resize(parallel.threads())
    parallel.listen_for_changes(made.resize)
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=made.forget)
    atexit.register(made.close)
    return made


#: What other native code may call.
NAMES = ("pb_parallel", "pb_parallel_until", "pb_interrupted")


@cache
def _serial() -> Loaded:
    return load_named("no threads", lambda: threads_code.serial_text(), python_symbols(_ASKING))


def symbols() -> dict[str, int]:
    """What native code that calls `pb_parallel`, `pb_parallel_until` or `pb_interrupted` is linked with."""
    workers = pool()
    code = _serial() if workers is None else workers.code
    return {name: code.address(name) for name in NAMES}
