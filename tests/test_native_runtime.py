"""What native programs stand on: the host, linking, callables, threads, the cache on disk."""

import ctypes
import errno
import gc
import json
import os
import platform
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pullback as tf
from pullback.base import parallel
from pullback.compile.native import disk_cache, entry, machine, objects, peaks, profile, threads
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


@pytest.fixture
def cache(tmp_path: Path) -> Iterator[disk_cache.DiskCache]:
    disk_cache.configure(tmp_path / "cache")
    made = disk_cache.current()
    assert made is not None
    yield made
    disk_cache.configure()


@pytest.fixture
def axpy() -> machine.Loaded:
    return machine.load(AXPY)


@pytest.fixture
def arrays() -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(1)
    return random.normal(size=(4, 16)).astype(F32), random.normal(size=(4, 16)).astype(F32)


# ------------------------------------------------------------------------------------------------------------ machine
def test_code_is_loaded_and_called() -> None:
    code = machine.load("@seven = global i32 7\ndefine double @half(double %x) { %y = fdiv double %x, 2.0 ret double %y }")
    assert code.function("half", ctypes.c_double, ctypes.c_double)(3.0) == 1.5
    assert ctypes.c_int32.from_address(code.address("seven")).value == 7


def test_symbols_are_given_or_found_in_the_c_library() -> None:
    text = """
    declare double @logb(double)
    declare i32 @ours(i32)
    define double @f(double %x) { %y = call double @logb(double %x) ret double %y }
    define i32 @g(i32 %x) { %y = call i32 @ours(i32 %x) ret i32 %y }
    """
    ours = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_int32)(lambda x: x + 40)
    code = machine.load(text, {"ours": ctypes.cast(ours, ctypes.c_void_p).value or 0})
    assert code.function("f", ctypes.c_double, ctypes.c_double)(8.0) == 3.0
    assert code.function("g", ctypes.c_int32, ctypes.c_int32)(2) == 42


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("nonsense", "LLVM refuses the module"),
        ("define i32 @f() { ret i64 0 }", "LLVM refuses the module"),
        ("declare i32 @nowhere_to_be_found()\ndefine i32 @f() { %x = call i32 @nowhere_to_be_found() ret i32 %x }", "nowhere_to_be_found"),
    ],
)
def test_what_cannot_be_loaded_says_why(text: str, message: str) -> None:
    with pytest.raises(machine.NativeError, match=message):
        machine.load(text)


@pytest.mark.parametrize("level", [0, 1, 2])
def test_every_level_of_simplification_gives_the_same(level: int, arrays: tuple[np.ndarray, np.ndarray]) -> None:
    code = machine.load(AXPY, level=level)
    out = entry.callable_of(code.address("axpy"), 0, TWO, ONE_OUT, single=True, keep=code)(*arrays)
    np.testing.assert_array_equal(out, arrays[0] * arrays[1] + np.float32(3))


def test_small_functions_are_inlined_when_asked() -> None:
    text = "define i32 @one() alwaysinline { ret i32 1 }\ndefine i32 @two() { %x = call i32 @one() %y = add i32 %x, %x ret i32 %y }"
    assert machine.load(text).function("two", ctypes.c_int32)() == 2


COLLATZ = """
define internal i32 @collatz(i32 %n) alwaysinline {
  %half = lshr i32 %n, 1
  %three = mul i32 %n, 3
  %up = add i32 %three, 1
  %odd = trunc i32 %n to i1
  %next = select i1 %odd, i32 %up, i32 %half
  ret i32 %next
}
"""


@pytest.mark.parametrize(("calls", "most_bytes"), [(10, 2_000), (2000, 40_000)])
def test_functions_are_inlined_as_long_as_little_code_comes_of_it(calls: int, most_bytes: int) -> None:
    steps = "".join(f"  %x{i + 1} = call i32 @collatz(i32 %x{i})\n" for i in range(calls))
    made = machine.compile_object(f"{COLLATZ}define i32 @f(i32 %x0) {{\n{steps}  ret i32 %x{calls}\n}}\n")
    expected = 27
    for _ in range(calls):
        expected = 3 * expected + 1 if expected % 2 else expected // 2
    assert machine.link(made).function("f", ctypes.c_int32, ctypes.c_int32)(27) == expected
    assert len(made.code) < most_bytes


def test_threads_may_compile_at_once() -> None:
    results: list[int] = []

    def compile_one(n: int) -> None:
        for k in range(5):
            text = f"define i32 @f() {{ ret i32 {100 * n + k} }}"
            results.append(machine.load(text).function("f", ctypes.c_int32)() - 100 * n - k)

    workers = [threading.Thread(target=compile_one, args=(n,)) for n in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert results == [0] * 20


def test_the_host_is_described() -> None:
    host = machine.host()
    assert host.vector_bits in (128, 256, 512)
    assert host.lanes(4) == host.vector_bits // 32 and host.lanes(1 << 20) == 1


@pytest.mark.skipif(not X86, reason="names processors of the x86-64 kind")
@pytest.mark.parametrize(
    ("cpu", "features", "bits", "fma"),
    [
        ("x86-64", "", 128, False),
        ("x86-64-v2", "", 128, False),
        ("haswell", "", 256, True),
        ("haswell", "-fma", 256, False),
        ("x86-64-v4", "", 512, True),
    ],
)
def test_processors_are_described(cpu: str, features: str, bits: int, fma: bool) -> None:
    found = machine.describe(cpu, features)
    assert (found.vector_bits, found.fma) == (bits, fma)


@pytest.mark.skipif(not X86, reason="names processors of the x86-64 kind")
@pytest.mark.parametrize("cpu", ["x86-64", "x86-64-v2", "x86-64-v3"])
def test_code_for_an_older_processor_gives_the_same(cpu: str, arrays: tuple[np.ndarray, np.ndarray]) -> None:
    older = machine.describe(cpu)
    if older.vector_bits > machine.host().vector_bits:
        pytest.skip("this processor cannot run it")
    code = machine.load(AXPY, machine=older)
    out = entry.callable_of(code.address("axpy"), 0, TWO, ONE_OUT, single=True, keep=code)(*arrays)
    np.testing.assert_array_equal(out, arrays[0] * arrays[1] + np.float32(3))


TRAIN = """
    import numpy as np, pullback as tf
    w = tf.Variable(np.linspace(-1, 1, 12).reshape(3, 4).astype("f"))
    @tf.function
    def step(x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.tanh(x @ w) * tf.exp(-x @ w))
        gradient = tape.gradient(loss, w)
        w.assign_sub(0.1 * gradient)
        return loss, gradient
    for _ in range(3):
        loss, gradient = step(tf.constant(np.linspace(0, 1, 15).reshape(5, 3).astype("f")))
    print("pullback.compile.native.program" in __import__("sys").modules, *np.append(gradient.numpy(), loss.numpy()))
"""
NO_LLVM = "import sys; sys.modules['llvmlite'] = sys.modules['llvmlite.binding'] = None\n"


def trained(program: str = TRAIN, **environment: str) -> tuple[bool, np.ndarray]:
    """Whether training ran natively, and its last gradient and loss."""
    native, *values = run(program, **environment).split()
    return native == "True", np.array(values, float)


@pytest.mark.skipif(not X86, reason="names processors of the x86-64 kind")
@pytest.mark.parametrize("cpu", ["x86-64-v2", "haswell"])
def test_functions_run_on_an_older_processor(cpu: str) -> None:
    native, found = trained(PULLBACK_CPU=cpu, PULLBACK_JIT="1")
    executor, expected = trained(PULLBACK_JIT="0")
    assert native and not executor
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-5)


def test_functions_run_without_llvm() -> None:
    native, found = trained(NO_LLVM + textwrap.dedent(TRAIN), PULLBACK_JIT="1")
    assert not native
    np.testing.assert_array_equal(found, trained(PULLBACK_JIT="0")[1])


# -------------------------------------------------------------------------------------------------------------- entry
@pytest.fixture(params=["native", "ctypes"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Both ways in: the native one, and the one for interpreters whose objects are laid out otherwise."""
    if request.param == "ctypes":
        monkeypatch.setattr(entry, "_entry", lambda: None)
    elif sys.implementation.name == "cpython":
        assert entry._entry() is not None
    return str(request.param)


def make(code: machine.Loaded, *, context: int = 0, arguments: Any = TWO, outputs: Any = ONE_OUT, **options: Any) -> entry.Call:
    return entry.callable_of(code.address("axpy"), context, arguments, outputs, keep=code, **options)


def test_arrays_go_in_and_come_out(way: str, axpy: machine.Loaded, arrays: tuple[np.ndarray, np.ndarray]) -> None:
    expected = arrays[0] * arrays[1] + np.float32(3)
    (out,) = make(axpy)(*arrays)
    assert type(out) is np.ndarray and out.flags.owndata and out.flags.writeable and out.flags.c_contiguous
    np.testing.assert_array_equal(out, expected)
    np.testing.assert_array_equal(make(axpy, single=True)(*arrays), expected)
    np.testing.assert_array_equal(make(axpy, single=True, release_gil=True)(*arrays), expected)


def test_tensors_go_in_and_come_out(way: str, axpy: machine.Loaded, arrays: tuple[np.ndarray, np.ndarray]) -> None:
    a, b = map(tf.constant, arrays)
    call = make(axpy, wrapper=TENSORS, single=True)
    first, second = call(a, b), call(a, arrays[1])
    assert type(first) is EagerTensor and first.uid != second.uid and first.dtype == tf.float32
    np.testing.assert_array_equal(first.numpy(), arrays[0] * arrays[1] + np.float32(3))
    np.testing.assert_array_equal(second.numpy(), first.numpy())
    assert tf.reduce_sum(first).shape == ()
    assert type(make(axpy, wrapper=TENSORS, single=True, bare=True)(a, b)) is np.ndarray


def test_without_outputs_the_answer_is_the_status(way: str, axpy: machine.Loaded, arrays: tuple[np.ndarray, np.ndarray]) -> None:
    out = np.zeros((4, 16), F32)
    status = ctypes.c_int32(0)
    three = [*TWO, entry.Argument(F32, (4, 16), writeable=True)]
    call = make(axpy, context=ctypes.addressof(status), arguments=three, outputs=())
    assert call(*arrays, out) is None
    np.testing.assert_array_equal(out, arrays[0] * arrays[1] + np.float32(3))
    status.value = 17
    assert call(*arrays, out) == 17
    assert make(axpy, context=ctypes.addressof(status))(*arrays) == 17


def test_other_arguments_are_refused(way: str, axpy: machine.Loaded, arrays: tuple[np.ndarray, np.ndarray]) -> None:
    a, b = arrays
    call = make(axpy, wrapper=TENSORS)
    frozen = np.zeros((4, 16), F32)
    frozen.flags.writeable = False
    assert call(a) == -1 and call(a, b, b) == -1 and call() == -1
    for wrong in (
        1.0,
        None,
        [1.0],
        a.astype(np.float64),
        a.astype(">f4"),
        a[:3],
        a.reshape(16, 4).T,
        a.reshape(64),
        a.ravel()[0],
        np.zeros((8, 16), F32)[::2],
        np.ma.masked_array(a),
        np.frombuffer(b"\0" * 257, np.uint8)[1:].view(F32).reshape(4, 16),
        tf.Variable(a),
        tf.constant(a.astype(np.float64)),
    ):
        assert call(wrong, b) == -2, repr(wrong)
        assert call(a, wrong) == -3, repr(wrong)
    assert type(call(frozen, b)) is tuple
    written = make(axpy, arguments=[entry.Argument(F32, (4, 16), writeable=True)] * 2)
    assert written(a, frozen) == -3


def test_a_dtype_or_a_shape_may_be_left_open(way: str, axpy: machine.Loaded, arrays: tuple[np.ndarray, np.ndarray]) -> None:
    a, b = arrays
    call = make(axpy, arguments=[entry.Argument(F32), entry.Argument(shape=(4, 16))])
    expected = a * b + np.float32(3)
    np.testing.assert_array_equal(call(a.reshape(2, 2, 16), b)[0], expected)
    np.testing.assert_array_equal(call(a, b.view(np.int32))[0], expected)
    assert call(a.view(np.int32), b) == -2 and call(a, b.reshape(64)) == -3


def test_an_output_that_is_held_is_not_written_again(way: str, axpy: machine.Loaded, arrays: tuple[np.ndarray, np.ndarray]) -> None:
    a, b = arrays
    call = make(axpy, wrapper=TENSORS, single=True)
    held = [call(a * np.float32(k), b) for k in range(7)]
    views = [call(a * np.float32(k), b).value[1:] for k in range(7)]
    for k in range(7):
        expected = a * np.float32(k) * b + np.float32(3)
        np.testing.assert_array_equal(held[k].numpy(), expected)
        np.testing.assert_array_equal(views[k], expected[1:])


def test_memory_of_outputs_is_used_again(axpy: machine.Loaded, arrays: tuple[np.ndarray, np.ndarray]) -> None:
    if entry._entry() is None:
        pytest.skip("outputs are kept by native callables only")
    call = make(axpy, single=True)
    places = set()
    for _ in range(20):
        result = call(*arrays)
        places.add(result.ctypes.data)
    assert len(places) == 2


def test_references_are_counted(axpy: machine.Loaded, arrays: tuple[np.ndarray, np.ndarray]) -> None:
    counted = (arrays[0], F32, EagerTensor, fresh_uid)
    call = make(axpy, wrapper=TENSORS)
    call(*arrays)
    before = [sys.getrefcount(thing) for thing in counted]
    for _ in range(1000):
        call(*arrays)
        call(arrays[0], None)
    assert [sys.getrefcount(thing) for thing in counted] == before
    del call
    gc.collect()


def test_a_callable_keeps_its_code_alive(arrays: tuple[np.ndarray, np.ndarray]) -> None:
    call = make(machine.load(AXPY), single=True)
    gc.collect()
    np.testing.assert_array_equal(call(*arrays), arrays[0] * arrays[1] + np.float32(3))


SLOW = """
define i32 @slow(ptr %buffers, ptr %context) {
start:
  br label %loop
loop:
  %i = phi i64 [ 0, %start ], [ %next, %loop ]
  %old = load volatile i64, ptr %context
  %new = add i64 %old, 1
  store volatile i64 %new, ptr %context
  %next = add i64 %i, 1
  %more = icmp slt i64 %next, 20000
  br i1 %more, label %loop, label %out
out:
  ret i32 0
}
"""


def test_a_program_runs_once_at_a_time(way: str) -> None:
    memory = ctypes.c_int64(0)
    code = machine.load(SLOW)
    call = entry.callable_of(code.address("slow"), ctypes.addressof(memory), (), release_gil=True, keep=code)
    callers = [threading.Thread(target=lambda: [call() for _ in range(50)]) for _ in range(4)]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()
    assert memory.value == 4 * 50 * 20_000


def test_single_is_for_one_output(axpy: machine.Loaded) -> None:
    with pytest.raises(ValueError, match="one output"):
        make(axpy, outputs=[*ONE_OUT, *ONE_OUT], single=True)


# ------------------------------------------------------------------------------------------------------------ threads
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
    made = threads.Pool(futex=request.param)
    yield made
    made.close()


def counting(pool: threads.Pool) -> Any:
    code = machine.load(COUNT, {"pb_parallel": pool.parallel})
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
        from pullback.base import parallel
        from pullback.compile.native import machine, threads
        parallel.set_threads(3)
        code = machine.load(sys.argv[1] if len(sys.argv) > 1 else open(os.environ["COUNT"]).read(), threads.symbols())
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


def test_programs_run_on_as_many_threads_as_are_asked_for() -> None:
    shared = threads.pool()
    assert shared is not None and threads.symbols() == {"pb_parallel": shared.parallel}
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


# --------------------------------------------------------------------------------------------------------------- disk
def entries(cache: disk_cache.DiskCache) -> list[Path]:
    return sorted(path for path in cache.folder.rglob("*") if path.is_file())


def test_what_is_stored_is_found(cache: disk_cache.DiskCache) -> None:
    assert disk_cache.lookup(b"key") is None
    assert disk_cache.store(b"key", b"blob" * 1000) and disk_cache.store(b"other", b"")
    assert disk_cache.lookup(b"key") == b"blob" * 1000 and disk_cache.lookup(b"other") == b""
    assert disk_cache.store(b"key", b"newer") and disk_cache.lookup(b"key") == b"newer"
    assert disk_cache.why_not() is None and len(entries(cache)) == 2


def damaged(content: bytes) -> Iterator[bytes]:
    yield b""
    yield content[:10]
    yield content[:-1]
    yield content + b"!"
    yield content[:-3] + b"\0" + content[-2:]
    yield b"something else"


def test_damaged_entries_are_thrown_away(cache: disk_cache.DiskCache) -> None:
    disk_cache.store(b"key", b"a blob of some length")
    (path,) = entries(cache)
    content = path.read_bytes()
    for bad in damaged(content):
        path.write_bytes(bad)
        assert disk_cache.lookup(b"key") is None
        assert not path.exists()
    disk_cache.store(b"key", b"again")
    assert disk_cache.lookup(b"key") == b"again"


def test_the_cache_can_be_turned_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PULLBACK_CACHE_DIR", str(tmp_path / "there"))
    monkeypatch.setenv("PULLBACK_CACHE", "0")
    disk_cache.configure()
    assert not disk_cache.store(b"key", b"blob") and disk_cache.lookup(b"key") is None
    assert disk_cache.why_not() == "turned off by PULLBACK_CACHE" and not (tmp_path / "there").exists()
    monkeypatch.setenv("PULLBACK_CACHE", "1")
    disk_cache.configure()
    assert disk_cache.store(b"key", b"blob") and disk_cache.lookup(b"key") == b"blob" and (tmp_path / "there").exists()
    disk_cache.configure(enabled=False)
    assert disk_cache.lookup(b"key") is None and disk_cache.why_not() == "turned off"
    monkeypatch.undo()
    disk_cache.configure()


def test_a_folder_that_cannot_be_made_costs_nothing_but_speed(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    disk_cache.configure(tmp_path / "file")
    try:
        assert not disk_cache.store(b"key", b"blob") and disk_cache.lookup(b"key") is None
        assert "Not a directory" in str(disk_cache.why_not())
        code, facts = objects.load_cached(lambda: ("define i32 @f() { ret i32 5 }", [1]), b"program")
        assert code.function("f", ctypes.c_int32)() == 5 and facts == [1]
    finally:
        disk_cache.configure()


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS, errno.EACCES])
def test_a_full_or_read_only_folder_is_still_read(cache: disk_cache.DiskCache, monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    disk_cache.store(b"before", b"blob")

    def refuse(*arguments: Any) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "replace", refuse)
    assert not disk_cache.store(b"key", b"blob")
    assert os.strerror(number) in str(disk_cache.why_not())
    assert disk_cache.lookup(b"before") == b"blob"
    assert len(entries(cache)) == 1, "the part that was written is removed"


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="files have no owners")
def test_code_of_another_user_is_not_run(cache: disk_cache.DiskCache, monkeypatch: pytest.MonkeyPatch) -> None:
    disk_cache.store(b"key", b"blob")
    owner = os.geteuid()
    (path,) = entries(cache)
    if owner == 0:
        os.chown(path, 12345, -1)
    else:
        monkeypatch.setattr(os, "geteuid", lambda: owner + 1)
    assert disk_cache.lookup(b"key") is None and "another user" in str(disk_cache.why_not())


def test_the_oldest_entries_go_first(tmp_path: Path) -> None:
    small = disk_cache.DiskCache(tmp_path, limit=20_000)
    for i in range(30):
        small.store(b"%d" % i, bytes(1000))
        os.utime(small._path(b"%d" % i), (1000 + i, 1000 + i))
    assert small.lookup(b"3") is not None, "which notes that it was used"
    (tmp_path / "dead.part").write_bytes(b"")
    os.utime(tmp_path / "dead.part", (1, 1))
    small.evict()
    left = [i for i in range(30) if small.lookup(b"%d" % i) is not None]
    assert left == [3, *range(30 - len(left) + 1, 30)] and 13 <= len(left) <= 16
    assert not (tmp_path / "dead.part").exists()


def test_processes_store_at_once(tmp_path: Path) -> None:
    program = """
        import os, sys
        from pullback.compile.native import disk_cache
        for round in range(150):
            for name in range(4):
                found = disk_cache.lookup(b"%d" % name)
                assert found is None or found == bytes([name]) * 50_000
                assert disk_cache.store(b"%d" % name, bytes([name]) * 50_000), disk_cache.why_not()
        print("well")
    """
    settings = {**os.environ, "PYTHONPATH": str(SOURCE), "PULLBACK_CACHE_DIR": str(tmp_path)}
    command = [sys.executable, "-W", "error", "-c", textwrap.dedent(program)]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=settings) for _ in range(3)]
    for process in running:
        output, errors = process.communicate(timeout=120)
        assert output == "well\n", errors
    assert not list(tmp_path.rglob("*.part"))


def test_object_code_comes_from_the_disk(cache: disk_cache.DiskCache) -> None:
    emitted = []

    def text(value: int) -> tuple[str, dict[str, int]]:
        emitted.append(value)
        return f"declare double @cbrt(double)\ndefine i32 @f() {{ ret i32 {value} }}", {"value": value}

    for key, value in ((b"a", 1), (b"b", 2), (b"a", 1), (b"b", 2), (b"a", 1)):
        code, facts = objects.load_cached(lambda value=value: text(value), key)
        assert code.function("f", ctypes.c_int32)() == facts["value"] == value
    assert emitted == [1, 2]
    for value in (1, 2, 1):
        code, _ = objects.load_cached(lambda value=value: text(value))
        assert code.function("f", ctypes.c_int32)() == value
    older = machine.describe("generic")
    objects.load_cached(lambda: text(1), b"a", machine=older)
    assert emitted == [1, 2, 1, 2, 1, 1], "for another machine it is made anew"


def test_object_code_that_does_not_link_here_is_made_anew(cache: disk_cache.DiskCache) -> None:
    there = "declare i32 @only_there()\ndefine i32 @f() { %x = call i32 @only_there() ret i32 %x }"
    function = ctypes.CFUNCTYPE(ctypes.c_int32)(lambda: 9)
    address = ctypes.cast(function, ctypes.c_void_p).value or 0
    code, _ = objects.load_cached(lambda: (there, None), b"key", {"only_there": address})
    assert code.function("f", ctypes.c_int32)() == 9
    code, _ = objects.load_cached(lambda: ("define i32 @f() { ret i32 8 }", None), b"key")
    assert code.function("f", ctypes.c_int32)() == 8


def test_a_second_process_compiles_nothing(tmp_path: Path) -> None:
    program = """
        from pullback.compile.native import entry, machine, objects, threads
        compiled = []
        real = objects.compile_object
        objects.compile_object = lambda *arguments: compiled.append(1) or real(*arguments)
        assert entry._entry() is not None and threads.pool() is not None
        print(len(compiled))
    """
    assert run(program, PULLBACK_CACHE_DIR=str(tmp_path)) == "2\n"
    assert run(program, PULLBACK_CACHE_DIR=str(tmp_path)) == "0\n"


def test_a_change_of_the_source_changes_its_stamp(monkeypatch: pytest.MonkeyPatch) -> None:
    stamp = disk_cache.package_stamp()
    assert stamp == disk_cache.package_stamp.__wrapped__()
    monkeypatch.setattr(disk_cache, "VERSION", "another")
    assert stamp != disk_cache.package_stamp.__wrapped__()


# ------------------------------------------------------------------------------------------------------------ profile
TIMED = """
declare i64 @pb_now()
declare void @pb_record(ptr, i64, i64, i64)
declare void @pb_parallel(ptr, ptr, i64)
define void @work(ptr %buffer, i64 %block) {
start:
  %begin = call i64 @pb_now()
  br label %loop
loop:
  %i = phi i64 [ 0, %start ], [ %next, %loop ]
  %x = phi double [ 1.0, %start ], [ %y, %loop ]
  %y = fmul double %x, 1.5
  %next = add i64 %i, 1
  %more = icmp slt i64 %next, 20000
  br i1 %more, label %loop, label %out
out:
  %place = alloca double
  store volatile double %y, ptr %place
  %end = call i64 @pb_now()
  call void @pb_record(ptr %buffer, i64 1, i64 %begin, i64 %end)
  ret void
}
define void @run(ptr %buffer, i64 %blocks) {
  %begin = call i64 @pb_now()
  call void @pb_parallel(ptr @work, ptr %buffer, i64 %blocks)
  %end = call i64 @pb_now()
  call void @pb_record(ptr %buffer, i64 0, i64 %begin, i64 %end)
  ret void
}
"""


def test_regions_are_timed(tmp_path: Path) -> None:
    regions = [profile.Region("all"), profile.Region("block", bytes=8, flops=20_000, facts=(("fused", "mul"),))]
    recorded = profile.Profile(regions, room=100)
    code = machine.load(TIMED, {**profile.symbols(), **threads.symbols()})
    start = time.perf_counter()
    code.function("run", None, ctypes.c_void_p, ctypes.c_int64)(recorded.address, 16)
    elapsed = time.perf_counter() - start
    totals = {total.region.name: total for total in recorded.totals()}
    assert (totals["all"].count, totals["block"].count) == (1, 16) and recorded.lost == 0
    assert 0 < totals["block"].shortest * 16 <= totals["block"].seconds <= totals["all"].seconds * threads.pool().size * 1.01  # type: ignore[union-attr]
    assert totals["all"].seconds <= elapsed * 1.2
    recorded.write_chrome_trace(tmp_path / "trace.json")
    trace = json.loads((tmp_path / "trace.json").read_text())
    blocks = [event for event in trace["traceEvents"] if event["name"] == "block"]
    assert len(blocks) == 16 and all(event["ph"] == "X" and event["dur"] > 0 and event["ts"] > 0 for event in blocks)
    assert blocks[0]["args"] == {"bytes": 8, "flops": 20_000, "fused": "mul"}
    recorded.clear()
    assert recorded.totals() == []


def test_a_full_profile_counts_what_it_loses() -> None:
    recorded = profile.Profile([profile.Region("all"), profile.Region("block")], room=10)
    code = machine.load(TIMED, {**profile.symbols(), **threads.symbols()})
    code.function("run", None, ctypes.c_void_p, ctypes.c_int64)(recorded.address, 30)
    assert len(list(recorded.events())) == 10 and recorded.lost == 21


def test_the_clock_runs_as_fast_as_is_said() -> None:
    now = machine.load("declare i64 @pb_now()\ndefine i64 @f() { %t = call i64 @pb_now() ret i64 %t }", profile.symbols())
    read = now.function("f", ctypes.c_int64)
    ticks, seconds = read(), time.perf_counter()
    time.sleep(0.05)
    assert (read() - ticks) / profile.ticks_per_second() == pytest.approx(time.perf_counter() - seconds, rel=0.1)


def test_peaks_are_measured_once(cache: disk_cache.DiskCache, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(peaks, "_known", {})
    measured = peaks.peaks()
    monkeypatch.setattr(peaks, "_known", {})
    monkeypatch.setattr(peaks, "_measure", None)
    assert peaks.peaks() == measured == peaks.peaks()
    assert measured.threads == parallel.threads() and min(measured.flops32, measured.flops64) > 1e7
    assert min(speed for _, speed in measured.copies) > 1e7
    sizes = [size for size, _ in measured.copies]
    assert measured.copy_speed(1) == dict(measured.copies)[sizes[0]] and measured.copy_speed(1 << 40) == dict(measured.copies)[sizes[-1]]
    assert measured.seconds(1 << 30, 0, F32) == (1 << 30) / measured.copy_speed(1 << 30)
    assert measured.seconds(0, 10**12, np.dtype(np.float64)) == 10**12 / measured.flops64
