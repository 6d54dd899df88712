"""How native code learns that Ctrl-C was pressed: it asks the interpreter, 20 times a second.

`i32 pb_interrupted(ptr look)` answers 1 if so.  `look` has the time of the next question, 0 before the first; a question takes the
interpreter's lock, all other calls read a clock.  The signal is not taken: the interpreter's own handler sees to it as soon as the native
code has returned.  Threads that signals do not go to are always answered 0.
"""

from __future__ import annotations

import sys
import time

#: Milliseconds from one question to the next.
_BETWEEN = 50
# A clock that is read in a few nanoseconds: the coarse one of Linux, the monotonic one of macOS.
_COARSE = 6 if sys.platform in ("linux", "darwin") else getattr(time, "CLOCK_MONOTONIC", 1)

_ASK = """
define i32 @pb_interrupted(ptr %look) {
start:
  %now = call i64 @milliseconds()
  %due = load i64, ptr %look
  %first = icmp eq i64 %due, 0
  %early = icmp slt i64 %now, %due
  %after = add i64 %now, BETWEEN
  br i1 %early, label %no, label %note
note:
  store i64 %after, ptr %look
  br i1 %first, label %no, label %ask
no:
  ret i32 0
ask:
  %state = call i32 @PyGILState_Ensure()
  %came = call i32 @PyOS_InterruptOccurred()
  %none = icmp eq i32 %came, 0
  br i1 %none, label %answer, label %leave
leave:
  call void @PyErr_SetInterrupt()
  store i64 1, ptr %look
  br label %answer
answer:
  call void @PyGILState_Release(i32 %state)
  ret i32 %came
}
declare i32 @PyGILState_Ensure()
declare void @PyGILState_Release(i32)
declare i32 @PyOS_InterruptOccurred()
declare void @PyErr_SetInterrupt()
"""
_CLOCK = """
define internal i64 @milliseconds() {
  %time = alloca { i64, i64 }
  %r = call i32 @clock_gettime(i32 COARSE, ptr %time)
  %fraction_at = getelementptr i64, ptr %time, i64 1
  %seconds = load i64, ptr %time
  %fraction = load i64, ptr %fraction_at
  %whole = mul i64 %seconds, 1000
  %part = udiv i64 %fraction, 1000000
  %now = add i64 %whole, %part
  ret i64 %now
}
declare i32 @clock_gettime(i32, ptr)
"""
_WINDOWS_CLOCK = """
define internal i64 @milliseconds() {
  %now = call i64 @GetTickCount64()
  ret i64 %now
}
declare i64 @GetTickCount64()
"""
TEXT = _ASK.replace("BETWEEN", str(_BETWEEN)) + (_WINDOWS_CLOCK if sys.platform == "win32" else _CLOCK.replace("COARSE", str(_COARSE)))
