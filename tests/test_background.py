"""Compiling that nobody waits for: calls go on, the time they take decides; errors, threads, forks and ends of processes."""

import itertools
import os
import sys
import textwrap
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import pullback as tf
import pullback.compat.v1 as tf1
from pullback.base import progress
from pullback.engine import background, compile_times, eager_code, explain, jit_policy
from pullback.engine.background import COMPILER, wait_for_compiles
from pullback.engine.jit_policy import Settings
from pullback.engine.runtime import disk_cache
from pullback.ir.graph import Graph
from pullback.ir.plan import Plan

from .native_programs import run

X = np.linspace(-1, 1, 60, dtype=np.float32).reshape(4, 15)


@pytest.fixture(autouse=True)
def _nothing_asked_for(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(Settings, "jit", None)
    wait_for_compiles()
    disk_cache.configure(enabled=False)
    yield
    wait_for_compiles()
    disk_cache.configure()


@pytest.fixture
def slow_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every run on kernels take a second."""
    monkeypatch.setattr(jit_policy, "time", SimpleNamespace(perf_counter=itertools.count().__next__))


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """What compiling waits for."""
    opened, compile_now = threading.Event(), jit_policy.native_program

    def after_the_gate(*args: Any) -> Any:
        opened.wait(60)
        return compile_now(*args)

    monkeypatch.setattr(jit_policy, "native_program", after_the_gate)
    yield opened
    opened.set()


def made() -> Any:
    return tf.function(lambda x: tf.reduce_sum(tf.tanh(x) * x, 1))


def plan_of(f: Any, *args: Any) -> Any:
    return f.get_concrete_function(*args).body.plan()


@pytest.mark.usefixtures("slow_calls")
def test_calls_go_on_while_a_program_is_compiled_and_then_take_it(gate: threading.Event) -> None:
    f, x = made(), tf.constant(X)
    before = [f(x).numpy() for _ in range(5)]
    assert all(answer.tobytes() == before[0].tobytes() for answer in before)
    assert not plan_of(f, x).jit_state.programs, "nobody has waited"
    gate.set()
    wait_for_compiles()
    assert plan_of(f, x).ready is not None
    np.testing.assert_allclose(f(x).numpy(), before[0], rtol=1e-6)


def test_calls_that_take_no_time_are_never_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jit_policy, "time", SimpleNamespace(perf_counter=lambda: 0.0))
    f, x = made(), tf.constant(X)
    for _ in range(50):
        f(x)
    wait_for_compiles()
    assert not plan_of(f, x).jit_state.programs


def test_the_disk_is_asked_sooner(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    disk_cache.configure(tmp_path)
    x = tf.constant(X)
    tf.function(lambda x: tf.reduce_sum(tf.tanh(x) * x, 1), jit_compile=True)(x)
    disk_cache.configure(tmp_path)  # as the next process does
    f, price = made(), plan_price()
    clock = itertools.count(step=price / 15)
    monkeypatch.setattr(jit_policy, "time", SimpleNamespace(perf_counter=lambda: next(clock)))
    for _ in range(2):
        f(x)
    wait_for_compiles()
    (program,) = plan_of(f, x).jit_state.programs.values()
    assert type(program).__name__ == "SegmentProgram"


def test_asking_the_disk_imports_little(tmp_path: Path) -> None:
    program = """
        from pullback.engine import jit_policy
        from pullback.engine.background import wait_for_compiles
        from pullback.engine.runtime import disk_cache
        import sys, numpy as np, pullback as tf
        disk_cache.store(b"another program", b"")
        disk_cache.configure()
        lookup, asked = disk_cache.lookup, []
        disk_cache.lookup = lambda key: asked.append(key) or lookup(key)
        jit_policy._OF_DISK, jit_policy._ANY = 1e12, 1e3
        f = tf.function(lambda x: tf.reduce_sum(tf.tanh(x) * x, 1))
        x = tf.constant(np.linspace(-1, 1, 60, dtype=np.float32).reshape(4, 15))
        f.get_concrete_function(x)
        before = set(sys.modules)
        f(x)
        wait_for_compiles()
        assert asked
        print(*sorted(name.removeprefix("pullback.engine.runtime.") for name in set(sys.modules) - before))
    """
    loaded = run(textwrap.dedent(program), PULLBACK_CACHE_DIR=str(tmp_path)).split()
    assert set(loaded) <= {"fingerprint", "platform", "program_key", "pullback.base.progress"}


def test_a_disk_on_which_earlier_processes_left_nothing_is_not_asked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    jobs: list[Any] = []
    monkeypatch.setattr(COMPILER, "submit", lambda key, job: jobs.append(key))
    monkeypatch.setattr(jit_policy, "time", SimpleNamespace(perf_counter=itertools.count(step=plan_price() / 5).__next__))
    x = tf.constant(X)
    for asked in (False, True):
        disk_cache.configure(tmp_path / "kept")
        assert disk_cache.store(b"another program", b"")
        f = made()
        for _ in range(3):
            f(x)
        assert bool(jobs) is asked
        for _ in range(5):
            f(x)
        assert jobs, "a plan whose calls have taken long enough is compiled"
        jobs.clear()


@pytest.mark.parametrize("is_long", [True, False])
def test_a_short_call_does_not_load_what_reads_the_disk(is_long: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    loaded: list[str] = []
    native = jit_policy.native
    monkeypatch.setattr(jit_policy, "native", lambda module: loaded.append(module) or native(module))
    monkeypatch.setattr(jit_policy, "is_loaded", lambda module: module == "program")
    took = jit_policy._LONG_CALL * (1.5 if is_long else 0.5)
    monkeypatch.setattr(jit_policy, "time", SimpleNamespace(perf_counter=itertools.count(step=took).__next__))
    made()(tf.constant(X))
    assert loaded == (["runtime.disk_cache"] if is_long else [])


def test_the_clock_is_looked_at_where_functions_begin(monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[None] = []
    done = threading.Event()
    clock = SimpleNamespace(perf_counter=lambda: looks.append(None) or 0.0, sleep=time.sleep)
    monkeypatch.setattr(background, "time", clock)

    def inner() -> None:
        for _ in range(1000):
            len(())

    def job() -> None:
        for _ in range(100):
            inner()
        done.set()

    COMPILER.submit("a key of this test", job)
    assert done.wait(60)
    assert 100 <= len(looks) < 200


def plan_price() -> float:
    f, x = made(), tf.constant(X)
    f(x)
    return float(plan_of(f, x).jit_state.price)


@pytest.mark.usefixtures("slow_calls")
def test_what_is_not_on_the_disk_is_compiled_once_that_pays() -> None:
    f, x = made(), tf.constant(X)
    f(x)
    wait_for_compiles()
    assert plan_of(f, x).ready is not None and type(next(iter(plan_of(f, x).jit_state.programs.values()))).__name__ == "Program"


def test_the_first_program_has_to_pay_for_loading_the_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    prices = {}
    for loaded in (True, False):
        monkeypatch.setattr(jit_policy, "is_loaded", lambda module: loaded and module == "program")  # noqa: B023  # called in this turn only
        prices[loaded] = plan_price()
    assert prices[False] - prices[True] == pytest.approx(jit_policy._LOADING)


@pytest.mark.usefixtures("slow_calls")
def test_a_run_during_which_the_program_comes_asks_for_no_other(gate: threading.Event, monkeypatch: pytest.MonkeyPatch) -> None:
    compile_now, run_now, compiled = jit_policy.native_program, Plan.run_on_kernels, []

    def run_until_it_is_there(*args: Any) -> Any:
        gate.set()
        wait_for_compiles()
        return run_now(*args)

    monkeypatch.setattr(jit_policy, "native_program", lambda *args: compiled.append(args) or compile_now(*args))
    f, x = made(), tf.constant(X)
    f(x)
    monkeypatch.setattr(Plan, "run_on_kernels", run_until_it_is_there)
    f(x)
    (program,) = plan_of(f, x).jit_state.programs.values()
    wait_for_compiles()
    assert plan_of(f, x).jit_state.programs == {(): program} and len(compiled) == 1


@pytest.mark.usefixtures("slow_calls")
def test_an_error_in_compiling_leaves_the_kernels_and_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: Any) -> Any:
        raise KeyError("a fault of ours")

    shown: list[Any] = []
    monkeypatch.setattr(threading, "excepthook", shown.append)
    monkeypatch.setattr(jit_policy, "native_program", fails)
    monkeypatch.setattr(explain, "native_program", fails)
    f, x = made(), tf.constant(X)
    for _ in range(3):
        np.testing.assert_allclose(f(x).numpy(), (np.tanh(X) * X).sum(1), rtol=1e-6)
        wait_for_compiles()
    assert [str(e.exc_value) for e in shown] == ["'a fault of ours'"]
    assert plan_of(f, x).jit_state.reason == "compiling it failed: KeyError: 'a fault of ours'"
    assert "on NumPy kernels, because compiling it failed: KeyError" in str(f.explain(x))


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_an_error_of_a_job_is_shown_and_the_next_one_done(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[Any] = []
    monkeypatch.setattr(threading, "excepthook", shown.append)
    tried: list[str] = []

    def fails() -> None:
        tried.append("first")
        raise KeyError("a fault of ours")

    for _ in range(2):
        COMPILER.submit("a key of this test", fails)
        COMPILER.submit("another", lambda: tried.append("second"))
        wait_for_compiles()
    assert tried == ["first", "second", "second"] and [str(e.exc_value) for e in shown] == ["'a fault of ours'"]


@pytest.mark.usefixtures("slow_calls")
def test_threads_that_call_one_function_get_one_program(gate: threading.Event) -> None:
    v = tf.Variable(tf.zeros([4, 15]))
    f, x = tf.function(lambda x: v.assign_add(tf.tanh(x)) * 1.0), tf.constant(X)
    f(x)

    def work() -> None:
        for i in range(200):
            f(x)
            if i == 20:
                gate.set()

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    wait_for_compiles()
    assert len(plan_of(f, x).jit_state.programs) == 1 and plan_of(f, x).ready is not None
    f(x)
    np.testing.assert_allclose(v.numpy(), 802 * np.tanh(X), rtol=1e-4)


@pytest.mark.usefixtures("slow_calls")
def test_gradients_and_sessions_are_compiled_meanwhile_too() -> None:
    w = tf.Variable(X.T)
    f, x = tf.function(lambda x: tf.reduce_sum(tf.tanh(x @ w))), tf.constant(X)
    found = []
    for _ in range(6):
        with tf.GradientTape() as tape:
            loss = f(x)
        found.append(tape.gradient(loss, w).numpy())
        wait_for_compiles()
    for gradient in found:
        np.testing.assert_allclose(gradient, found[0], rtol=1e-5, atol=1e-6)
    with tf1.Graph().as_default(), tf1.Session() as session:
        x1 = tf1.placeholder(tf1.float32, [4, 15])
        y = tf1.reduce_sum(tf1.tanh(x1) * x1, 1)
        first = session.run(y, {x1: X})
        wait_for_compiles()
        np.testing.assert_allclose(session.run(y, {x1: X}), first, rtol=1e-6)
        (known,) = session._plans.values()
        assert known[0].ready is not None


@pytest.mark.usefixtures("slow_calls")
def test_a_program_that_nobody_has_any_more_is_not_compiled(gate: threading.Event) -> None:
    f, x = made(), tf.constant(X)
    f(x)
    g = tf.function(lambda x: tf.sin(x) * x)
    g(x)
    del g
    gate.set()
    wait_for_compiles()
    assert plan_of(f, x).ready is not None


def test_a_loop_that_is_given_lists_meanwhile_is_compiled_again(monkeypatch: pytest.MonkeyPatch) -> None:
    f, x, tries = made(), tf.constant(X), []
    compile_now = jit_policy.native_program

    def changed_at_first(*args: Any) -> Any:
        tries.append(1)
        if len(tries) == 1:
            Graph.changes += 1
            raise ValueError("two halves that do not fit")
        return compile_now(*args)

    monkeypatch.setattr(jit_policy, "native_program", changed_at_first)
    monkeypatch.setattr(jit_policy, "time", SimpleNamespace(perf_counter=itertools.count().__next__))
    f(x)
    wait_for_compiles()
    assert len(tries) == 2 and plan_of(f, x).ready is not None and plan_of(f, x).jit_state.reason is None


@pytest.mark.usefixtures("slow_calls")
def test_a_program_that_was_made_while_the_graph_changed_is_never_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    f, x, tries = made(), tf.constant(X), []
    compile_now = jit_policy.native_program

    def changed_each_time(*args: Any) -> Any:
        tries.append(plan_of(f, x).ready)
        Graph.changes += 1
        return compile_now(*args)

    monkeypatch.setattr(jit_policy, "native_program", changed_each_time)
    first = f(x).numpy()
    wait_for_compiles()
    assert tries == [None] * jit_policy._TRIES and plan_of(f, x).ready is None and not plan_of(f, x).jit_state.programs
    monkeypatch.setattr(jit_policy, "native_program", compile_now)
    f(x)
    wait_for_compiles()
    assert plan_of(f, x).ready is not None, "it is tried again"
    np.testing.assert_allclose(f(x).numpy(), first, rtol=1e-6)


@pytest.mark.usefixtures("slow_calls")
def test_ever_new_shapes_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jit_policy, "_KNOWN", 4)
    monkeypatch.setattr(jit_policy, "_ANY", 1e9)
    f = tf.function(lambda x: tf.tanh(x) * x, input_signature=[tf.TensorSpec([None], tf.float32)])
    for n in range(1, 20):
        f(tf.ones(n))
    wait_for_compiles()
    jit_state = f.get_concrete_function().body.plan().jit_state
    assert len(jit_state.spent) <= 5 and len(jit_state.due) <= 5


def test_arrays_are_copied_once_for_code_that_is_made_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    opened, copied = threading.Event(), []
    native_code = eager_code.Loops()
    monkeypatch.setattr(native_code, "_examples", lambda arrays: copied.append(arrays) or arrays)
    for _ in range(3):
        assert not native_code._is_ready("a key", [X], lambda given: opened.wait(60) and given)
    opened.set()
    wait_for_compiles()
    assert native_code._is_ready("a key", [X], list) and len(copied) == 1


def test_explain_says_how_long_compiling_took_and_where() -> None:
    f, x = tf.function(lambda x: tf.reduce_sum(tf.tanh(x) * x, 1), jit_compile=True), tf.constant(X)
    f(x)
    explained = f.explain(x)
    assert {"simplify", "lower", "fuse", "emit", "LLVM", "link"} <= set(explained.compiling)
    assert plan_of(f, x).jit_state.took == {(): explained.compiling}
    assert "compiled in" in str(explained) and "LLVM" in str(explained)


class Terminal:
    """A standard error that says it is a terminal."""

    text = ""

    def isatty(self) -> bool:
        return True

    def write(self, text: str) -> None:
        self.text += text

    def flush(self) -> None:
        pass


def test_a_terminal_is_told_what_takes_long(monkeypatch: pytest.MonkeyPatch) -> None:
    def told(expected: float = 0.0) -> str:
        terminal.text = ""
        with compile_times.time_stages("'step' (12 operations)"):
            for _ in range(2):
                with compile_times.stage("LLVM", expected):
                    pass
        return terminal.text

    terminal = Terminal()
    monkeypatch.delenv("PULLBACK_PROGRESS", raising=False)
    monkeypatch.setattr(sys, "stderr", terminal)
    assert told() == ""
    assert told(7.0) == "pullback: compiling 'step' (12 operations), about 7 s ...\n"
    monkeypatch.setattr(progress, "PATIENCE", 0.0)
    assert told() == "pullback: compiling 'step' (12 operations) ...\n"
    monkeypatch.setenv("PULLBACK_PROGRESS", "0")
    assert told() == ""
    monkeypatch.delenv("PULLBACK_PROGRESS")
    monkeypatch.setattr(terminal, "isatty", lambda: False)
    assert told() == ""


SLOW = """
    import os, sys, threading
    import numpy as np, pullback as tf
    from pullback.engine import jit_policy
    from pullback.engine.background import COMPILER, wait_for_compiles
    jit_policy._ANY = jit_policy._NODE = jit_policy._LOADING = 0.0
    def f(x):
        for i in range(300):
            x = tf.tanh(x @ x * 0.1) + tf.sin(x) * (i / 1000)
        return x
    f, x = tf.function(f, autograph=False), tf.constant(np.linspace(-1, 1, 9).reshape(3, 3))
    first = f(x).numpy()
    f(x)
"""


@pytest.mark.parametrize("after", [0.0, 0.3])
def test_a_process_ends_well_in_the_middle_of_compiling(after: float) -> None:
    assert run(textwrap.dedent(SLOW) + f"import time; time.sleep({after})\nprint('done')", PULLBACK_CACHE="0") == "done\n"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no forks here")
def test_a_child_of_a_fork_in_the_middle_of_compiling_goes_on(tmp_path: Any) -> None:
    program = """
        for turn in range(3):
            assert COMPILER._thread is not None or turn
            child = os.fork()
            if child == 0:
                again = f(x).numpy()
                wait_for_compiles()
                assert np.allclose(f(x).numpy(), first) and np.allclose(again, first)
                assert f.get_concrete_function(x).body.plan().jit_state.programs
                os._exit(0)
            assert os.waitpid(child, 0)[1] == 0
        wait_for_compiles()
        assert np.allclose(f(x).numpy(), first), "the parent goes on too"
        assert sys.getswitchinterval() == 0.005
        print("done")
    """
    assert run(textwrap.dedent(SLOW) + textwrap.dedent(program), PULLBACK_CACHE="0") == "done\n"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no forks here")
def test_a_fork_in_the_middle_of_tracing_does_not_wait_for_who_waits_for_that() -> None:
    program = """
        import os, threading, time
        import pullback as tf
        from pullback.engine import background
        from pullback.ir.context import BUILDING
        background._PATIENCE_OF_FORKS = 0.1
        begun, done = threading.Event(), []

        def waits():
            begun.set()
            with BUILDING:
                done.append("compiled")

        def traced(x):
            background.COMPILER.submit("a key", waits)
            assert begun.wait(60)
            child = os.fork()
            if child == 0:
                background.wait_for_compiles()
                os._exit(0)
            assert os.waitpid(child, 0)[1] == 0
            return x * 2.0

        assert tf.function(traced)(tf.constant(2.0)).numpy() == 4.0
        background.wait_for_compiles()
        print(*done)
    """
    assert run(textwrap.dedent(program)) == "compiled\n"


@pytest.mark.usefixtures("slow_calls")
def test_what_is_inside_a_function_that_is_compiled_is_not_compiled_by_itself() -> None:
    inner = tf.function(lambda x: tf.tanh(x) * x)
    f, x = tf.function(lambda x: inner(x) + inner(x * 2.0)), tf.constant(X)
    for _ in range(3):
        f(x)
        wait_for_compiles()
    jit_state = plan_of(inner, x).jit_state
    assert plan_of(f, x).ready is not None
    assert jit_state is None or not jit_state.programs


def test_the_thread_rests_while_others_go_on_and_hurries_when_awaited(monkeypatch: pytest.MonkeyPatch) -> None:
    rests: list[float] = []
    allocate = background.allocate_lock
    monkeypatch.setattr(background, "allocate_lock", lambda: rests.append(time.perf_counter()) or allocate())
    hurried, awaited = threading.Event(), threading.Event()

    def job() -> None:
        while not rests:
            time.perf_counter()
        awaited.wait(60)
        rests.clear()
        end = time.thread_time() + 0.01
        while time.thread_time() < end:
            pass
        hurried.set()

    background.COMPILER.submit("a test", job)
    while not rests:
        pass
    waiter = threading.Thread(target=wait_for_compiles)
    waiter.start()
    while not background.COMPILER._awaited:
        pass
    awaited.set()
    waiter.join(60)
    assert hurried.is_set() and not rests


@pytest.mark.usefixtures("slow_calls")
def test_a_call_is_left_alone_and_gives_the_thread_a_turn_at_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jit_policy, "_ANY", 1e9)
    f, x = made(), tf.constant(X)
    f(x)
    for name, seconds in (("_REST", 60.0), ("_GIVEN", 1e9), ("_MOST_TURN", 60.0)):
        monkeypatch.setattr(background, name, seconds)
    compiler, turns, run_now = background.COMPILER, [], Plan.run_on_kernels

    def take_turn() -> None:
        turns.append(compiler._call)
        compiler._until = 0.0  # the turn is over

    def job() -> None:
        for _ in range(3):
            take_turn()

    def long_run(*args: Any) -> Any:
        compiler.submit("a test", job)
        while not compiler._waits:
            time.sleep(1e-4)
        return run_now(*args)

    monkeypatch.setattr(Plan, "run_on_kernels", long_run)
    for turn in range(4):  # the last one is for what comes after the job
        f(x)
        assert turns == [0] * min(turn + 1, 3)


def test_no_call_gives_a_longer_turn_than_it_took_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(background, "time", SimpleNamespace(perf_counter=lambda: 0.0))
    compiler = background.Compiler()

    def give(seconds: float) -> float:
        compiler._until = 0.0
        compiler._waits.append(background.allocate_lock())
        compiler._waits[-1].acquire()
        compiler._give_turn(seconds)
        return compiler._until

    assert [give(5e-5) for _ in range(4)] == [0.0, 5e-5, 0.0, 5e-5], "half of the time, in turns that are worth it"
    assert [give(2e-5) for _ in range(30)] == [0.0] * 30
    assert give(1e-4) == 1e-4 and give(1e-4) == 5e-5 and give(1.0) == 3e-4


def test_the_thread_is_there_for_the_next_job() -> None:
    found: list[int] = []
    for _ in range(2):
        background.COMPILER.submit("a test", lambda: found.append(threading.get_ident()))
        wait_for_compiles()
    assert found[0] == found[1] and sys.getswitchinterval() == 0.005


def test_the_switch_interval_is_the_shortest_that_a_thread_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.005]
    monkeypatch.setattr(sys, "getswitchinterval", lambda: now[0])
    monkeypatch.setattr(sys, "setswitchinterval", lambda seconds: now.__setitem__(0, int(seconds * 1e6) / 1e6))  # as CPython does
    interval = background.SwitchInterval()
    seen = []
    for change, who, seconds in [
        (interval.shorten, "a", (1e-4,)), (interval.shorten, "b", (5e-5,)), (interval.give_back, "a", ()), (interval.give_back, "b", ()),
        (interval.give_back, "b", ()),
    ]:  # fmt: skip
        change(who, *seconds)
        seen.append(now[0])
    assert seen == [1e-4, 5e-5, 5e-5, 0.005, 0.005]
    interval.shorten("a", 1e-4)
    now[0] = 0.002
    interval.shorten("b", 5e-5)
    interval.give_back("a")
    assert now[0] == 5e-5
    interval.give_back("b")
    assert now[0] == 0.002, "somebody has set it meanwhile"
    interval.shorten("a", 1e-4)
    interval.forget()
    assert now[0] == 0.002, "in a child"


def test_a_thread_without_jobs_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(background, "_IDLE", 0.01)
    for _ in range(2):
        done = threading.Event()
        background.COMPILER.submit("a test", done.set)
        assert done.wait(60)
        while background.COMPILER._thread is not None:
            time.sleep(0.001)
