"""Small native programs, and what runs Python programs in processes of their own: for the tests of the native engine's parts."""

import os
import platform
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from pullback.engine.runtime import disk_cache, entry
from pullback.ir.tensor import EagerTensor, fresh_uid

F32 = np.dtype(np.float32)
SOURCE = Path(__file__).parents[1] / "src"
X86 = platform.machine() in ("x86_64", "AMD64")

# out[i] = a[i] * b[i] + c, i < 64, in vectors of 16; the status is in the context.
AXPY = """
define i32 @axpy(ptr %buffers, ptr %context) {
start:
  %b_at = getelementptr ptr, ptr %buffers, i64 1
  %o_at = getelementptr ptr, ptr %buffers, i64 2
  %a = load ptr, ptr %buffers
  %b = load ptr, ptr %b_at
  %o = load ptr, ptr %o_at
  br label %loop
loop:
  %i = phi i64 [ 0, %start ], [ %next, %loop ]
  %ai = getelementptr float, ptr %a, i64 %i
  %bi = getelementptr float, ptr %b, i64 %i
  %oi = getelementptr float, ptr %o, i64 %i
  %x = load <16 x float>, ptr %ai, align 4
  %y = load <16 x float>, ptr %bi, align 4
  %xy = fmul <16 x float> %x, %y
  %z = fadd <16 x float> %xy, splat (float 3.0)
  store <16 x float> %z, ptr %oi, align 4
  %next = add i64 %i, 16
  %more = icmp slt i64 %next, 64
  br i1 %more, label %loop, label %out
out:
  %without = icmp eq ptr %context, null
  br i1 %without, label %good, label %told
told:
  %status = load i32, ptr %context
  ret i32 %status
good:
  ret i32 0
}
"""
TENSORS = entry.Wrapper(EagerTensor, "value", EagerTensor, "uid", fresh_uid)
TWO = [entry.Argument(F32, (4, 16))] * 2
ONE_OUT = [entry.Output(F32, (4, 16))]


def run(program: str, **environment: str) -> str:
    """What a program prints in a process of its own, which must end well."""
    settings = {**os.environ, "PYTHONPATH": str(SOURCE), **environment}
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", textwrap.dedent(program)],
        check=False,
        capture_output=True,
        text=True,
        env=settings,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def two_arrays() -> tuple[np.ndarray, np.ndarray]:
    """What `AXPY` takes."""
    random = np.random.default_rng(1)
    return random.normal(size=(4, 16)).astype(F32), random.normal(size=(4, 16)).astype(F32)


def cache_in(folder: Path) -> Iterator[disk_cache.DiskCache]:
    """A cache of its own for a test; for fixtures."""
    disk_cache.configure(folder)
    made = disk_cache.current()
    assert made is not None
    yield made
    disk_cache.configure()
