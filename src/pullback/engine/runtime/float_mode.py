"""How a processor treats floats below the least normal one: as they are, or as zeros.

Compiled functions take and give zeros for them, as TensorFlow's and XLA's do on a CPU.  On many processors each of them costs some
hundred cycles, and a gradient that fades over the steps of a loop is made of them: a loop of 1,000 steps took four times as long.
Kernels keep them, so that what is computed eagerly has NumPy's bits.
"""

import os
import sys

#: By processor.  `@float_mode` reads a thread's mode, `@set_float_mode` sets it, `@zeros_mode` is a mode with zeros for such floats.
CODE = {
    "x86_64": """
define internal i64 @float_mode() {
  %place = alloca i32
  call void @llvm.x86.sse.stmxcsr(ptr %place)
  %word = load i32, ptr %place
  %wide = zext i32 %word to i64
  ret i64 %wide
}
define internal void @set_float_mode(i64 %mode) {
  %place = alloca i32
  %word = trunc i64 %mode to i32
  store i32 %word, ptr %place
  call void @llvm.x86.sse.ldmxcsr(ptr %place)
  ret void
}
define internal i64 @zeros_mode(i64 %mode) {
  %with = or i64 %mode, 32832
  ret i64 %with
}
declare void @llvm.x86.sse.stmxcsr(ptr)
declare void @llvm.x86.sse.ldmxcsr(ptr)
""",
    "aarch64": """
define internal i64 @float_mode() {
  %mode = call i64 @llvm.aarch64.get.fpcr()
  ret i64 %mode
}
define internal void @set_float_mode(i64 %mode) {
  call void @llvm.aarch64.set.fpcr(i64 %mode)
  ret void
}
define internal i64 @zeros_mode(i64 %mode) {
  %with = or i64 %mode, 16777216
  ret i64 %with
}
declare i64 @llvm.aarch64.get.fpcr()
declare void @llvm.aarch64.set.fpcr(i64)
""",
}
_NONE = """
define internal i64 @float_mode() {
  ret i64 0
}
define internal void @set_float_mode(i64 %mode) {
  ret void
}
define internal i64 @zeros_mode(i64 %mode) {
  ret i64 %mode
}
"""
# What this process runs on, which may be another processor than the system's.
_PROCESSOR = os.uname().machine if hasattr(os, "uname") else "aarch64" if "(ARM64)" in sys.version else "x86_64"
FLOAT_MODE = CODE.get({"arm64": "aarch64"}.get(_PROCESSOR, _PROCESSOR), _NONE)
