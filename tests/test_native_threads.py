"""The threads that share the work of native programs."""

import ctypes
import os
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import pullback as tf
from pullback.engine.runtime import codegen, threads
from pullback.kernels import parallel

from .native_programs import run

COUNT = """
declare void @pb_parallel(ptr, ptr, i64)
define void @count(ptr %counts, i64 %block) {
  %at = getelementptr i64, ptr %counts, i64 %block
  %old = load i64, ptr %at
  %new = add i64 %old, 1
  store i64 %new, ptr %at
  ret void
}
define void @nested(ptr %counts, i64 %block) {
  call void @pb_parallel(ptr @count, ptr %counts, i64 16)
  ret void
}
define void @repeat(i64 %times, i64 %blocks, ptr %counts) {
start:
  br label %loop
loop:
  %i = phi i64 [ 0, %start ], [ %next, %loop ]
  call void @pb_parallel(ptr @count, ptr %counts, i64 %blocks)
  %next = add i64 %i, 1
  %more = icmp slt i64 %next, %times
  br i1 %more, label %loop, label %out
out:
  ret void
}
define void @once_nested(ptr %counts) {
  call void @pb_parallel(ptr @nested, ptr %counts, i64 1)
  ret void
}
"""


@pytest.fixture(params=[True, False], ids=["futex", "condition"])
def pool(request: pytest.FixtureRequest) -> Iterator[threads.Pool]:
    if request.param and sys.platform != "linux":
        pytest.skip("a system call of Linux")
    made = threads.Pool(threads.futex_call() if request.param else 0)
    yield made
    made.close()


def counting(pool: threads.Pool) -> Any:
    code = codegen.load(COUNT, {"pb_parallel": pool.parallel})
    repeat = code.function("repeat", None, ctypes.c_int64, ctypes.c_int64, ctypes.c_void_p)

    def counted(times: int, blocks: int) -> list[int]:
        counts = (ctypes.c_int64 * max(blocks, 1))()
        repeat(times, blocks, counts)
        return list(counts)

    counted.code = code  # type: ignore[attr-defined]
    return counted


@pytest.mark.parametrize("size", [1, 2, 3])
def test_every_block_runs_once(pool: threads.Pool, size: int) -> None:
    pool.resize(size)
    count = counting(pool)
    for times, blocks in ((1, 0), (1, 1), (2000, 2), (300, 7), (100, 64), (3, 4000)):
        assert count(times, blocks) == [times if blocks else 0] * max(blocks, 1)


def test_workers_that_slept_are_woken(pool: threads.Pool) -> None:
    pool.resize(2)
    count = counting(pool)
    for _ in range(20):
        time.sleep(0.002)
        assert count(1, 8) == [1] * 8


def test_the_number_of_threads_may_change(pool: threads.Pool) -> None:
    count = counting(pool)
    before = threading.active_count()
    for size in (2, 3, 1, 2, 2, 1, 3, 2, 1):
        pool.resize(size)
        assert count(50, 16) == [50] * 16
        assert threading.active_count() == before + size - 1


def test_without_workers_the_caller_does_the_work_and_the_error_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(self: threads.Pool) -> None:
        raise ValueError("no workers today")

    seen: list[Any] = []
    monkeypatch.setattr(threads.Pool, "_start", fail)
    monkeypatch.setattr(sys, "unraisablehook", seen.append)
    pool = threads.Pool(threads.futex_call())
    pool.resize(2)
    assert counting(pool)(1, 8) == [1] * 8
    assert [str(shown.exc_value) for shown in seen] == ["no workers today"]
    pool.close()


def test_several_programs_share_the_workers(pool: threads.Pool) -> None:
    pool.resize(2)
    count = counting(pool)
    results = []
    callers = [threading.Thread(target=lambda: results.append(count(500, 16))) for _ in range(3)]
    for caller in callers:
        caller.start()
    for size in (3, 1, 2):
        pool.resize(size)
    for caller in callers:
        caller.join()
    assert results == [[500] * 16] * 3


def test_a_task_may_have_blocks_of_its_own(pool: threads.Pool) -> None:
    pool.resize(2)
    code = counting(pool).code
    counts = (ctypes.c_int64 * 16)()
    code.function("once_nested", None, ctypes.c_void_p)(counts)
    assert list(counts) == [1] * 16


def test_a_closed_pool_runs_blocks_itself(pool: threads.Pool) -> None:
    pool.resize(3)
    count = counting(pool)
    count(1, 8)
    pool.close()
    assert count(10, 8) == [10] * 8


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
def test_a_child_has_workers_of_its_own_and_exit_is_quiet(tmp_path: Path) -> None:
    program = """
        import ctypes, os, sys, threading, warnings
        from pullback.kernels import parallel
        from pullback.engine.runtime import codegen, threads
        parallel.set_threads(3)
        code = codegen.load(sys.argv[1] if len(sys.argv) > 1 else open(os.environ["COUNT"]).read(), threads.symbols())
        repeat = code.function("repeat", None, ctypes.c_int64, ctypes.c_int64, ctypes.c_void_p)
        def check():
            counts = (ctypes.c_int64 * 32)()
            repeat(200, 32, counts)
            assert list(counts) == [200] * 32 and threading.active_count() == 3, (list(counts), threading.active_count())
        check()
        warnings.simplefilter("ignore", DeprecationWarning)  # newer Pythons warn of a fork beside threads
        for _ in range(5):
            child = os.fork()
            if not child:
                check()
                sys.exit(0)
            assert os.waitpid(child, 0)[1] == 0
        check()
        print("well")
    """
    (tmp_path / "count.ll").write_text(COUNT)
    assert run(program, COUNT=str(tmp_path / "count.ll")) == "well\n"


def test_exit_does_not_wait_for_native_code(tmp_path: Path) -> None:
    program = """
        import ctypes, os, threading, time
        from pullback.kernels import parallel
        from pullback.engine.runtime import codegen, threads
        parallel.set_threads(3)
        code = codegen.load(open(os.environ["COUNT"]).read(), threads.symbols())
        repeat = code.function("repeat", None, ctypes.c_int64, ctypes.c_int64, ctypes.c_void_p)
        counts = (ctypes.c_int64 * 64)()
        def forever():
            while True:
                repeat(1000, 64, counts)
        for _ in range(2):
            threading.Thread(target=forever, daemon=True).start()
        time.sleep(0.05)
        print("well")
    """
    (tmp_path / "count.ll").write_text(COUNT)
    for _ in range(3):
        assert run(program, COUNT=str(tmp_path / "count.ll")) == "well\n"


def test_programs_run_on_as_many_threads_as_are_asked_for() -> None:
    shared = threads.pool()
    assert shared is not None and threads.symbols()["pb_parallel"] == shared.parallel
    try:
        for size in (2, 3, 1):
            tf.config.threading.set_intra_op_parallelism_threads(size)
            assert tf.config.threading.get_intra_op_parallelism_threads() == shared.size == parallel.threads() == size
    finally:
        tf.config.threading.set_intra_op_parallelism_threads(0)
    assert shared.size == parallel.threads()


def test_a_number_of_threads_is_an_integer() -> None:
    options = tf.config.threading
    options.set_inter_op_parallelism_threads(4)
    assert options.get_inter_op_parallelism_threads() == 4
    options.set_inter_op_parallelism_threads(None)
    assert options.get_inter_op_parallelism_threads() == 0
    for wrong in (2.5, "4", True):
        with pytest.raises(TypeError):
            options.set_intra_op_parallelism_threads(wrong)
    assert options.get_intra_op_parallelism_threads() == 0
