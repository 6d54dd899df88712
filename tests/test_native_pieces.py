"""Programs compiled on two threads: in two pieces, with what they share made ahead."""

import os
import sys
import threading
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import pytest

import pullback as tf
from pullback.engine.runtime import ahead, codegen, loaded, objects
from pullback.engine.runtime.llvm_lock import SharedLock
from pullback.engine.runtime.pieces import split
from pullback.kernels import parallel

from .native_programs import cache_in, run

TEXT = "define i32 @f() { ret i32 %d }"
BROKEN = "define i32 @f() { ret i33 1 }"


def network(x: tf.Tensor, *weights: tf.Tensor) -> Any:
    with tf.GradientTape() as tape:
        tape.watch(weights)
        for w in weights:
            x = tf.nn.softmax(tf.tanh(x @ w) + tf.sin(x))
        loss = tf.reduce_sum(tf.math.log(x))
    return [loss, *tape.gradient(loss, weights)]


def answers() -> list[bytes]:
    """What a program of several kernels gives."""
    draw = np.random.default_rng(0)
    arrays = [draw.normal(size=(24, 24)).astype("f") for _ in range(4)]
    return [t.numpy().tobytes() for t in tf.function(network, jit_compile=True)(*arrays)]


@pytest.mark.parametrize("linked_by_llvm", [False, True])
def test_two_pieces_give_what_one_gives(linked_by_llvm: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    if linked_by_llvm:
        monkeypatch.setattr("pullback.engine.runtime.linking.can_lay_out", lambda: False)
    made: list[tuple[loaded.ObjectCode, ...]] = []
    real = codegen.compile_pieces
    monkeypatch.setattr(codegen, "compile_pieces", lambda *how: made.append(real(*how)) or made[-1])
    found = []
    for processors in (1, 2):
        monkeypatch.setattr(codegen, "processors", lambda count=processors: count)
        with contextmanager(cache_in)(tmp_path / str(processors)):
            found.append(answers())
            assert max(map(len, made)) in ((1,) if processors == 1 else (2, 3))
            assert answers() == found[-1], "the same from the disk"
    assert found[0] == found[1]


def test_what_is_short_or_is_one_kernel_stays_whole() -> None:
    assert len(split(TEXT % 1)) == 1
    long = "\n".join(f"  %x{i + 1} = add i32 %x{i}, {i}" for i in range(2000))
    assert len(split(f"define i32 @f(i32 %x0)\n{{\n{long}\n  ret i32 %x2000\n}}\n")) == 1


def written(head: str, kind: str = "mul", end: str = "ret void") -> str:
    """A function of a hundred lines."""
    lines = [f"  %x{i + 1} = f{kind} <4 x float> %x{i}, %x{i}" for i in range(100)]
    return "\n".join([f"define {head}", "{", *lines, f"  {end}", "}", ""])


def test_helpers_that_are_called_are_one_module_and_what_is_inlined_is_in_each() -> None:
    sine, tail = (f'<4 x float> @"{name}"(<4 x float> %x0)' for name in ("sine", "tail"))
    short = "define internal <4 x float> @short(<4 x float> %x0) alwaysinline\n{\n  ret <4 x float> %x0\n}\n"
    end = f"%y = call {sine}\n  %z = call <4 x float> @short(<4 x float> %y)\n  ret void"
    kernels = [written(f'internal void @"kernel{i}"(ptr %a, i64 %b)', kind, end) for i, kind in enumerate(("mul", "add", "sub"))]
    helpers = [written(f"internal {sine} noinline", end=f"%y = call {tail}"), written(f"internal {tail} cold noinline", "add")]
    calls = "".join(f'  call void @"kernel{i}"(ptr %a, i64 0)\n' for i in range(3))
    program = f"define i32 @program(ptr %a)\n{{\n{calls}  ret i32 0\n}}\n"
    first, second, last = split("".join([program, *kernels, *helpers, short]))
    assert [line for line in first.splitlines() if line.startswith("define")] == [f"define {sine} noinline", f"define {tail} cold noinline"]
    for module in (second, last):
        assert 'declare <4 x float> @"sine"(<4 x float>)' in module
        assert '"tail"' not in module
        assert short in module
    assert "define void @" in second
    assert "declare void @" in last
    assert "define i32 @program" in last


def ordered(number: int, gate: threading.Event | None = None) -> bytes:
    """The key of an order for a function that gives a number, which waits at a gate."""

    def work() -> tuple[loaded.ObjectCode, ...]:
        if gate is not None:
            gate.wait(60)
        return (codegen.compile_object(TEXT % number),)

    key = b"order %d" % number
    ahead.AHEAD.order(key, work)
    return key


@pytest.fixture
def two_processors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ahead, "processors", lambda: 2)


@pytest.mark.usefixtures("two_processors")
def test_who_wants_an_order_waits_or_does_it_himself() -> None:
    gate = threading.Event()
    first, second = ordered(1, gate), ordered(2)
    while first not in ahead.AHEAD._begun:
        pass
    assert ahead.AHEAD.take(second) is None, "not begun: who wants it makes it"
    threading.Timer(0.05, gate.set).start()
    (made,) = ahead.AHEAD.take(first) or ()
    assert codegen.link(made).address("f")
    assert ahead.AHEAD.take(first) is None, "given once"


@pytest.mark.usefixtures("two_processors")
def test_the_largest_order_is_begun_first() -> None:
    begun, gate = [], threading.Event()
    ahead.AHEAD.order(b"gate", lambda: gate.wait(60) and ())
    while b"gate" not in ahead.AHEAD._begun:
        pass
    for size in (2, 3, 1):
        ahead.AHEAD.order(b"size %d" % size, lambda size=size: begun.append(size) or (), size)
    ahead.AHEAD.help()
    gate.set()
    for key in (b"gate", *(b"size %d" % size for size in begun)):
        ahead.AHEAD.take(key)
    assert begun == [3, 2, 1]


@pytest.mark.usefixtures("two_processors")
def test_an_order_that_fails_is_an_error_where_it_is_wanted(tmp_path: Path) -> None:
    with contextmanager(cache_in)(tmp_path):
        objects.order_named("broken", lambda: BROKEN)
        ahead.AHEAD.help()
        with pytest.raises(loaded.NativeError, match="LLVM refuses"):
            objects.load_named("broken", lambda: BROKEN)


@pytest.mark.usefixtures("two_processors")
def test_the_interpreters_turns_are_short_while_there_is_a_thread() -> None:
    while ahead.AHEAD._thread is not None:  # another test's
        pass
    before, gate, seen = sys.getswitchinterval(), threading.Event(), []
    key = b"turns"
    ahead.AHEAD.order(key, lambda: seen.append(sys.getswitchinterval()) or (gate.wait(60) and ()))
    while not seen:
        pass
    gate.set()
    ahead.AHEAD.take(key)
    while ahead.AHEAD._thread is not None:
        pass
    assert seen[0] < before == sys.getswitchinterval()


@pytest.mark.usefixtures("two_processors")
def test_without_a_thread_whoever_wants_it_makes_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(self: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    while ahead.AHEAD._thread is not None:  # another test's
        pass
    before = sys.getswitchinterval()
    monkeypatch.setattr(threading.Thread, "start", fail)
    assert ahead.AHEAD.take(ordered(4)) is None
    assert sys.getswitchinterval() == before and ahead.AHEAD._thread is None


@pytest.mark.skipif(parallel.current_processor() is None, reason="the system does not say where a thread runs")
def test_a_thread_keeps_off_a_processor() -> None:
    here, found = os.sched_getaffinity(0), []

    def look() -> None:
        parallel.keep_off(min(here))
        found.append(os.sched_getaffinity(0))
        parallel.keep_off(None)
        found.append(os.sched_getaffinity(0))

    thread = threading.Thread(target=look)
    thread.start()
    thread.join()
    assert found == [here - {min(here)} or here] * 2
    assert os.sched_getaffinity(0) == here and parallel.processors() == len(here)
    assert parallel.current_processor() in here


def test_one_processor_makes_nothing_ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ahead, "processors", lambda: 1)
    assert ahead.AHEAD.take(ordered(3)) is None
    assert not ahead.AHEAD._waiting


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
def test_a_child_forked_in_the_middle_compiles_by_itself() -> None:
    program = """
        import os, threading
        import numpy as np, pullback as tf
        from pullback.engine.runtime import ahead, codegen
        ahead.processors = codegen.processors = lambda: 2
        gate = threading.Event()
        ahead.AHEAD.order(b"stays", lambda: gate.wait(60) and ())
        child = os.fork()
        f = tf.function(lambda x: tf.nn.relu(x @ x) + tf.exp(x), jit_compile=True)
        right = bool((f(np.ones((40, 40), "f")).numpy() > 42).all())
        if not child:
            assert ahead.AHEAD.take(b"stays") is None
            os._exit(0 if right else 1)
        gate.set()
        print(right, os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    """
    assert run(program, PULLBACK_CACHE="0") == "True 0\n"


def in_another_thread(lock: SharedLock, way: str) -> threading.Thread:
    """A thread that takes the lock in a way, and gives it back."""

    def take() -> None:
        if way == "together":
            with lock.together():
                pass
        else:
            lock.acquire()
            lock.release()

    thread = threading.Thread(target=take)
    thread.start()
    return thread


@pytest.mark.parametrize(
    ("held", "wanted", "waits"),
    [("together", "together", False), ("together", "alone", True), ("alone", "together", True), ("alone", "alone", True)],
)
def test_threads_that_make_code_hold_the_lock_together(held: str, wanted: str, waits: bool) -> None:
    lock = SharedLock()
    with lock.together() if held == "together" else lock.alone():
        lock.acquire()  # as each of llvmlite's calls does
        lock.release()
        other = in_another_thread(lock, wanted)
        if waits:
            other.join(0.05)
            assert other.is_alive()
        else:
            other.join(60)
            assert not other.is_alive()
    other.join(60)
    assert not other.is_alive()


def test_a_code_generator_is_made_while_another_works() -> None:
    made: list[loaded.ObjectCode] = []
    for generator in codegen._GENERATORS:
        generator._targets.clear()
    with codegen.llvmlite_lock().together():
        other = threading.Thread(target=lambda: made.append(codegen.object_of(TEXT % 4, codegen.host(), 1)))
        other.start()
        other.join(60)
        assert made, "it waits for the one that works"


def test_what_ctrl_c_broke_off_is_not_waited_for() -> None:
    def end() -> NoReturn:
        raise KeyboardInterrupt

    made = ahead.Ahead()
    made._begun[b"never"] = ahead._Order(end)
    assert made.take(b"never") is None
    made._waiting[b"ends"] = order = ahead._Order(end)
    with pytest.raises(KeyboardInterrupt):
        made.help()
    assert not order.works.locked()
    assert made.take(b"ends") is None
