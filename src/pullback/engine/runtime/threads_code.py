"""The native code of the threads that share the work of native programs (`threads`).

Claiming: `ticket` holds the number of the job in its upper half and the next block in its lower half.  A worker reads the ticket, then
the job, then claims by compare-and-swap: a claim succeeds only if the job it read is still the one on offer.  Before a new job is written
the ticket is closed (next block = 2**32 - 1, the number unchanged), so a worker that reads a half-written job cannot claim of it.
"""

from __future__ import annotations

import platform
import sys

from . import interrupts
from .float_mode import FLOAT_MODE

# One cache line for each of: the ticket, the job, the count of what is done, and the rest.
_POOL = """
@ticket = global i64 4294967295, align 64
@job = global { ptr, ptr, i64 } zeroinitializer, align 64
@done = global i64 0, align 64
@mode = global i64 0
@awaited = global i32 0, align 64
@owned = global i32 0, align 64
@sleepers = global i32 0, align 64
@wanted = global i32 0, align 64
@started = global i32 0
@stopped = global i32 0
@spins = global i32 0
@start = global ptr null
"""

# Blocks in their order.  `look` is null where nobody asks for interrupts; the answer is whether there was one.
_SERIALLY = """
define internal i32 @serial(ptr %task, ptr %context, i64 %blocks, ptr %look) {
start:
  %any = icmp sgt i64 %blocks, 0
  br i1 %any, label %each, label %out
each:
  %block = phi i64 [ 0, %start ], [ %next, %ran ]
  call void %task(ptr %context, i64 %block)
  %hit = call i32 @interrupted(ptr %look)
  %stop = icmp ne i32 %hit, 0
  br i1 %stop, label %out, label %ran
ran:
  %next = add i64 %block, 1
  %more = icmp slt i64 %next, %blocks
  br i1 %more, label %each, label %out
out:
  %answer = phi i32 [ 0, %start ], [ 1, %each ], [ 0, %ran ]
  ret i32 %answer
}
define internal i32 @interrupted(ptr %look) {
start:
  %nobody = icmp eq ptr %look, null
  br i1 %nobody, label %no, label %ask
no:
  ret i32 0
ask:
  %hit = call i32 @pb_interrupted(ptr %look)
  ret i32 %hit
}
"""

_CODE = """
define internal i64 @help(i64 %number, ptr %due) {
start:
  %task = load ptr, ptr @job
  %context_at = getelementptr { ptr, ptr, i64 }, ptr @job, i64 0, i32 1
  %blocks_at = getelementptr { ptr, ptr, i64 }, ptr @job, i64 0, i32 2
  %context = load ptr, ptr %context_at
  %blocks = load i64, ptr %blocks_at
  %mode = load i64, ptr @mode
  call void @set_float_mode(i64 %mode)
  br label %look
look:
  %ran = phi i64 [ 0, %start ], [ %ran, %claim ], [ %more, %count ]
  %ticket = load atomic i64, ptr @ticket acquire, align 8
  %current = lshr i64 %ticket, 32
  %block = and i64 %ticket, 4294967295
  %same = icmp eq i64 %current, %number
  %left = icmp ult i64 %block, %blocks
  %go = and i1 %same, %left
  br i1 %go, label %claim, label %out
claim:
  %next = add i64 %ticket, 1
  %swap = cmpxchg ptr @ticket, i64 %ticket, i64 %next seq_cst seq_cst, align 8
  %mine = extractvalue { i64, i1 } %swap, 1
  br i1 %mine, label %run, label %look
run:
  %stopped = load atomic i32, ptr @stopped monotonic, align 4
  %go_on = icmp eq i32 %stopped, 0
  br i1 %go_on, label %do, label %count
do:
  call void %task(ptr %context, i64 %block)
  %hit = call i32 @interrupted(ptr %due)
  %quiet = icmp eq i32 %hit, 0
  br i1 %quiet, label %count, label %stop
stop:
  store atomic i32 1, ptr @stopped seq_cst, align 4
  br label %count
count:
  %more = add i64 %ran, 1
  %before = atomicrmw add ptr @done, i64 1 seq_cst, align 8
  %after = add i64 %before, 1
  %last = icmp eq i64 %after, %blocks
  br i1 %last, label %tell, label %look
tell:
  %awaited = load atomic i32, ptr @awaited seq_cst, align 4
  %asleep = icmp ne i32 %awaited, 0
  br i1 %asleep, label %wake, label %out
wake:
  call void @wake(ptr @done, i32 1)
  br label %out
out:
  %total = phi i64 [ %ran, %look ], [ %more, %tell ], [ %more, %wake ]
  ret i64 %total
}

define void @pb_worker(i32 %index) {
start:
  %spins = load i32, ptr @spins
  br label %work
work:
  %ticket = load atomic i64, ptr @ticket acquire, align 8
  %number = lshr i64 %ticket, 32
  %ran = call i64 @help(i64 %number, ptr null)
  br label %spin
spin:
  %i = phi i32 [ 0, %work ], [ %i_next, %again ]
  %wanted = load atomic i32, ptr @wanted acquire, align 4
  %leave = icmp sge i32 %index, %wanted
  br i1 %leave, label %out, label %look
look:
  %now = load atomic i64, ptr @ticket acquire, align 8
  %now_number = lshr i64 %now, 32
  %new = icmp ne i64 %now_number, %number
  br i1 %new, label %work, label %again
again:
  PAUSE
  %i_next = add i32 %i, 1
  %tired = icmp sge i32 %i_next, %spins
  br i1 %tired, label %sleep, label %spin
sleep:
  %a = atomicrmw add ptr @sleepers, i32 1 seq_cst, align 4
  %seen = trunc i64 %number to i32
  call void @wait(ptr NUMBER, i32 %seen)
  %b = atomicrmw sub ptr @sleepers, i32 1 seq_cst, align 4
  br label %check
check:
  %wanted_then = load atomic i32, ptr @wanted acquire, align 4
  %leave_then = icmp sge i32 %index, %wanted_then
  br i1 %leave_then, label %out, label %woken
woken:
  %then = load atomic i64, ptr @ticket acquire, align 8
  %then_number = lshr i64 %then, 32
  %new_then = icmp ne i64 %then_number, %number
  br i1 %new_then, label %work, label %sleep
out:
  ret void
}

define void @pb_parallel(ptr %task, ptr %context, i64 %blocks) {
  %r = call i32 @pb_parallel_until(ptr %task, ptr %context, i64 %blocks, ptr null)
  ret void
}

define i32 @pb_parallel_until(ptr %task, ptr %context, i64 %blocks, ptr %look) {
start:
  %wanted = load atomic i32, ptr @wanted acquire, align 4
  %alone = icmp slt i32 %wanted, 2
  %single = icmp slt i64 %blocks, 2
  %many = icmp ugt i64 %blocks, 4294967294
  %trivial = or i1 %alone, %single
  %serial = or i1 %trivial, %many
  br i1 %serial, label %by_itself, label %ready
ready:
  %started = load atomic i32, ptr @started acquire, align 4
  %running = icmp eq i32 %started, %wanted
  br i1 %running, label %own, label %begin
begin:
  %begin_with = load atomic ptr, ptr @start acquire, align 8
  %cannot = icmp eq ptr %begin_with, null
  br i1 %cannot, label %by_itself, label %call_python
call_python:
  call void %begin_with()
  br label %own
own:
  %lock = cmpxchg ptr @owned, i32 0, i32 1 seq_cst seq_cst, align 4
  %got = extractvalue { i32, i1 } %lock, 1
  br i1 %got, label %offer, label %by_itself
offer:
  %old = load atomic i64, ptr @ticket acquire, align 8
  %closed = or i64 %old, 4294967295
  store atomic i64 %closed, ptr @ticket seq_cst, align 8
  store ptr %task, ptr @job
  %context_at = getelementptr { ptr, ptr, i64 }, ptr @job, i64 0, i32 1
  %blocks_at = getelementptr { ptr, ptr, i64 }, ptr @job, i64 0, i32 2
  store ptr %context, ptr %context_at
  store i64 %blocks, ptr %blocks_at
  %mode = call i64 @float_mode()
  store i64 %mode, ptr @mode
  store atomic i64 0, ptr @done seq_cst, align 8
  store atomic i32 0, ptr @stopped seq_cst, align 4
  %open = add i64 %closed, 1
  store atomic i64 %open, ptr @ticket seq_cst, align 8
  %sleeping = load atomic i32, ptr @sleepers seq_cst, align 4
  %nobody = icmp eq i32 %sleeping, 0
  br i1 %nobody, label %help, label %rouse
rouse:
  call void @wake(ptr NUMBER, i32 %sleeping)
  br label %help
help:
  %number = lshr i64 %open, 32
  %ran = call i64 @help(i64 %number, ptr %look)
  %spins = load i32, ptr @spins
  br label %spin
spin:
  %i = phi i32 [ 0, %help ], [ %i_next, %again ]
  %count = load atomic i64, ptr @done acquire, align 8
  %finished = icmp eq i64 %count, %blocks
  br i1 %finished, label %release, label %again
again:
  PAUSE
  %i_next = add i32 %i, 1
  %tired = icmp sge i32 %i_next, %spins
  br i1 %tired, label %sleep, label %spin
sleep:
  store atomic i32 1, ptr @awaited seq_cst, align 4
  br label %recheck
recheck:
  %count_now = load atomic i64, ptr @done seq_cst, align 8
  %finished_now = icmp eq i64 %count_now, %blocks
  br i1 %finished_now, label %calm, label %doze
doze:
  %low = trunc i64 %count_now to i32
  call void @wait(ptr DONE, i32 %low)
  br label %recheck
calm:
  store atomic i32 0, ptr @awaited seq_cst, align 4
  br label %release
release:
  %was_stopped = load atomic i32, ptr @stopped seq_cst, align 4
  store atomic i32 0, ptr @owned seq_cst, align 4
  ret i32 %was_stopped

by_itself:
  %answer = call i32 @serial(ptr %task, ptr %context, i64 %blocks, ptr %look)
  ret i32 %answer
}

define void @resize(i32 %wanted, i32 %spins) {
start:
  br label %try
try:
  %lock = cmpxchg ptr @owned, i32 0, i32 1 seq_cst seq_cst, align 4
  %got = extractvalue { i32, i1 } %lock, 1
  br i1 %got, label %change, label %again
again:
  PAUSE
  br label %try
change:
  store i32 %spins, ptr @spins
  store atomic i32 0, ptr @started seq_cst, align 4
  store atomic i32 %wanted, ptr @wanted seq_cst, align 4
  %old = load atomic i64, ptr @ticket acquire, align 8
  %closed = or i64 %old, 4294967295
  %new = add i64 %closed, 4294967296
  store atomic i64 %new, ptr @ticket seq_cst, align 8
  call void @wake(ptr NUMBER, i32 2147483647)
  store atomic i32 0, ptr @owned seq_cst, align 4
  ret void
}
"""

# `wait` sleeps until `wake`, if the word still has the value; it may also return for no reason.
# The way to Python where there is work for workers that have not been started: `starter` is a callable.
_ASK = """
@starter = global ptr null
define void @pb_ask_for_workers() {
  %state = call i32 @PyGILState_Ensure()
  %starter = load ptr, ptr @starter
  %answer = call ptr @PyObject_CallNoArgs(ptr %starter)
  %failed = icmp eq ptr %answer, null
  br i1 %failed, label %tell, label %drop
tell:
  call void @PyErr_WriteUnraisable(ptr %starter)
  br label %leave
drop:
  call void @Py_DecRef(ptr %answer)
  br label %leave
leave:
  call void @PyGILState_Release(i32 %state)
  ret void
}
declare ptr @PyObject_CallNoArgs(ptr)
declare void @PyErr_WriteUnraisable(ptr)
declare void @Py_DecRef(ptr)
"""
_FUTEX = """
define internal void @wait(ptr %word, i32 %value) noinline {
  %r = call i64 (i64, ...) @syscall(i64 FUTEX, ptr %word, i32 128, i32 %value, ptr null, ptr null, i32 0)
  ret void
}
define internal void @wake(ptr %word, i32 %count) noinline {
  %r = call i64 (i64, ...) @syscall(i64 FUTEX, ptr %word, i32 129, i32 %count, ptr null, ptr null, i32 0)
  ret void
}
declare i64 @syscall(i64, ...)
"""
_CONDITION = """
@mutex = internal global [128 x i8] zeroinitializer, align 64
@condition = internal global [128 x i8] zeroinitializer, align 64
define void @prepare() {
  %a = call i32 @pthread_mutex_init(ptr @mutex, ptr null)
  %b = call i32 @pthread_cond_init(ptr @condition, ptr null)
  ret void
}
define internal void @wait(ptr %word, i32 %value) noinline {
start:
  %a = call i32 @pthread_mutex_lock(ptr @mutex)
  %now = load atomic i32, ptr %word seq_cst, align 4
  %same = icmp eq i32 %now, %value
  br i1 %same, label %sleep, label %out
sleep:
  %b = call i32 @pthread_cond_wait(ptr @condition, ptr @mutex)
  br label %out
out:
  %c = call i32 @pthread_mutex_unlock(ptr @mutex)
  ret void
}
define internal void @wake(ptr %word, i32 %count) noinline {
  %a = call i32 @pthread_mutex_lock(ptr @mutex)
  %b = call i32 @pthread_cond_broadcast(ptr @condition)
  %c = call i32 @pthread_mutex_unlock(ptr @mutex)
  ret void
}
declare i32 @pthread_mutex_init(ptr, ptr)
declare i32 @pthread_cond_init(ptr, ptr)
declare i32 @pthread_mutex_lock(ptr)
declare i32 @pthread_mutex_unlock(ptr)
declare i32 @pthread_cond_wait(ptr, ptr)
declare i32 @pthread_cond_broadcast(ptr)
"""
_PAUSES = {
    "x86_64": ("call void @llvm.x86.sse2.pause()", "declare void @llvm.x86.sse2.pause()"),
    "aarch64": ("call void @llvm.aarch64.hint(i32 1)", "declare void @llvm.aarch64.hint(i32)"),
}


def pool_text(futex_call: int, asks: str) -> str:
    """The code of the pool; asks: that of `pb_interrupted`, or its declaration.

    futex_call: the number of the system call by which threads sleep, 0 for a condition variable of the C library.
    """
    kind = {"amd64": "x86_64", "arm64": "aarch64"}.get(platform.machine().lower(), platform.machine().lower())
    pause, declaration = _PAUSES.get(kind, ("", ""))
    little = sys.byteorder == "little"
    code = _POOL + _SERIALLY + asks + _CODE + FLOAT_MODE + (_FUTEX if futex_call else _CONDITION) + declaration
    words = {
        "NUMBER": "getelementptr (i8, ptr @ticket, i64 4)" if little else "@ticket",
        "DONE": "@done" if little else "getelementptr (i8, ptr @done, i64 4)",
        "FUTEX": str(futex_call),
        "PAUSE": pause,
    }
    for name, text in words.items():
        code = code.replace(name, text)
    return code


_SERIAL = """
define void @pb_parallel(ptr %task, ptr %context, i64 %blocks) {
  %r = call i32 @serial(ptr %task, ptr %context, i64 %blocks, ptr null)
  ret void
}
define i32 @pb_parallel_until(ptr %task, ptr %context, i64 %blocks, ptr %look) {
  %r = call i32 @serial(ptr %task, ptr %context, i64 %blocks, ptr %look)
  ret i32 %r
}
"""


def python_pool_text(futex_call: int) -> str:
    """The code of the pool for threads of Python."""
    return pool_text(futex_call, interrupts.TEXT + _ASK)


def serial_text() -> str:
    """The same functions where threads cannot wait for work: the caller does all of it."""
    return _SERIALLY + interrupts.TEXT + _SERIAL
