"""Ctrl-C: heard at once while a program is compiled and in native loops, with variables and the cache as they should be."""

import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from pullback.engine.runtime import disk_cache

from .native_programs import SOURCE

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")

#: Seconds after which a child counts as hanging; what is expected is a small part of one.
PATIENCE = 100
HEAD = """
    import inspect, os, signal, sys, time
    import numpy as np, pullback as tf

    #: A process that was started in the background ignores the signal, and hands that on.
    signal.signal(signal.SIGINT, signal.default_int_handler)

    def interrupted(call, *args):
        "Whether a call that would take minutes, or more, is ended by the signal that the parent sends when it reads the line."
        try:
            print("calling", flush=True)
            call(*args)
        except KeyboardInterrupt:
            return True
        return False
"""


def run_and_interrupt(program: str, delays: list[float], **environment: str) -> str:
    """What a program prints that is sent SIGINT so many seconds after each line "calling"."""
    settings = {**os.environ, "PYTHONPATH": str(SOURCE), "PULLBACK_CACHE": "0", **environment}
    command = [sys.executable, "-W", "error", "-c", textwrap.dedent(HEAD) + textwrap.dedent(program)]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=settings)
    try:
        assert child.stdout is not None and child.stderr is not None
        for delay in delays:
            line = child.stdout.readline()
            assert line == "calling\n", line + child.stderr.read()
            with pytest.raises(subprocess.TimeoutExpired):
                child.wait(delay)
            child.send_signal(signal.SIGINT)
        rest, errors = child.communicate(timeout=PATIENCE)
        assert child.returncode == 0, errors
        return rest
    finally:
        child.kill()
        child.wait()


LOOP = """
    v = tf.Variable(tf.zeros([3]))
    w = tf.Variable(tf.zeros([2, 2]))

    @tf.function(jit_compile=True, autograph=False)
    def step(n):
        x = tf.while_loop(lambda i, x: i < n, lambda i, x: (i + 1, BODY), [tf.constant(0, tf.int64), tf.fill([SIDE, SIDE], 0.5)])[1]
        v.assign_add(tf.ones([3]) * x[0, 0])
        w.assign_sub(x[:2, :2])
        return x

    first = step(tf.constant(3, tf.int64)).numpy()
    assert step.get_concrete_function(tf.constant(3, tf.int64)).body.plan().ready is not None
    before = v.numpy(), w.numpy()
    for _ in range(2):
        assert interrupted(step, tf.constant(2**60, tf.int64))
        assert (v.numpy() == before[0]).all() and (w.numpy() == before[1]).all()
        assert (step(tf.constant(3, tf.int64)).numpy() == first).all()
        assert (w.numpy() != before[1]).all()
        before = v.numpy(), w.numpy()
    print("good")
"""


@pytest.mark.parametrize(
    ("body", "side"),
    [("tf.sin(x) * 1.01", 2), ("tf.tanh(x @ x * 0.01)", 100), ("tf.sin(x) * 1.01", 600)],
    ids=["a small loop", "products", "blocks on several threads"],
)
def test_a_native_loop_ends_and_nothing_was_assigned(body: str, side: int) -> None:
    program = LOOP.replace("BODY", body).replace("SIDE", str(side))
    assert run_and_interrupt(program, [0.2, 0.4], PULLBACK_NUM_THREADS="2") == "good\n"


def test_one_thread_hears_it_too() -> None:
    program = LOOP.replace("BODY", "tf.sin(x) * 1.01").replace("SIDE", "600")
    assert run_and_interrupt(program, [0.2, 0.4], PULLBACK_NUM_THREADS="1") == "good\n"


def test_a_gradient_through_a_native_loop_ends_too() -> None:
    program = """
        v = tf.Variable(0.5)

        @tf.function(jit_compile=True, autograph=False)
        def step(n):
            with tf.GradientTape() as tape:
                x = tf.while_loop(lambda i, x: i < n, lambda i, x: (i + 1, tf.sin(x) + v * 0.1), [tf.constant(0), tf.constant(0.5)])[1]
            gradient = tape.gradient(x, v)
            v.assign_sub(gradient * 0.1)
            return gradient

        stays = lambda i: i + tf.cast(step(20) * 0.0, tf.int32)
        outer = tf.function(lambda n: tf.while_loop(lambda i: i < n, stays, [0]), jit_compile=True)
        step(20)
        before = v.numpy()
        assert interrupted(outer, 5)
        assert np.isfinite(v.numpy())
        step(20)
        print("good")
    """
    assert run_and_interrupt(program, [0.3]) == "good\n"


def test_a_handler_that_goes_on_gets_the_right_answer() -> None:
    program = """
        seen = []
        signal.signal(signal.SIGINT, lambda number, frame: seen.append(number))

        @tf.function(jit_compile=True, autograph=False)
        def f(x):
            for _ in range(40):
                x = tf.sin(x) * 1.01
            return tf.reduce_sum(x)

        x = tf.ones([3_000_000])
        expected = f(x).numpy()
        print("calling", flush=True)
        while not seen:
            assert abs(f(x).numpy() / expected - 1.0) < 1e-4
        assert abs(f(x).numpy() / expected - 1.0) < 1e-4
        print("good", len(seen))
    """
    assert run_and_interrupt(program, [0.3]) == "good 1\n"


def test_a_loop_over_a_long_range_hears_it_in_its_first_call(tmp_path: Path) -> None:
    step = """
        import pullback as tf

        v = tf.Variable(0.0)

        @tf.function
        def step():
            for i in tf.range(10**15):
                v.assign_add(tf.cast(i, tf.float32))
            return v
    """
    (tmp_path / "long_loop.py").write_text(textwrap.dedent(step))  # AutoGraph reads the source
    program = """
        import long_loop

        assert interrupted(long_loop.step)
        print("good", long_loop.v.numpy())
    """
    assert run_and_interrupt(program, [0.5], PYTHONPATH=f"{SOURCE}{os.pathsep}{tmp_path}") == "good 0.0\n"


def test_another_thread_is_not_disturbed() -> None:
    program = """
        import threading

        @tf.function(jit_compile=True, autograph=False)
        def f(n):
            return tf.while_loop(lambda i, x: i < n, lambda i, x: (i + 1, tf.sin(x) * 1.01), [tf.constant(0), tf.constant(0.5)])[1]

        found = []
        expected = f(tf.constant(10_000_000)).numpy()
        thread = threading.Thread(target=lambda: found.append(f(tf.constant(10_000_000)).numpy()))
        thread.start()
        assert interrupted(time.sleep, 1000)
        thread.join()
        assert found == [expected]
        print("good")
    """
    assert run_and_interrupt(program, [0.05]) == "good\n"


COMPILED = """
    def network(x, n):
        for i in range(n):
            x = tf.tanh(x @ x * 0.1) + tf.sin(x) * (i / 1000)
        return x

    v, x = tf.Variable(tf.zeros([3, 3])), tf.constant(np.linspace(-1, 1, 9).reshape(3, 3).astype("f"))

    def made(n):
        return tf.function(lambda x: v.assign_add(network(x, n)), jit_compile=True, autograph=False)

    made(1)(x)
    v.assign(tf.zeros([3, 3]))
    step = made(800)
    step.get_concrete_function(x)
    assert interrupted(step, x)
    assert not v.numpy().any()
    np.testing.assert_allclose(step(x).numpy(), network(x, 800).numpy(), rtol=1e-4, atol=1e-5)
    assert step.get_concrete_function(x).body.plan().ready is not None
    print("good")
"""


@pytest.mark.parametrize("delay", [0.0, 0.1])
def test_compiling_is_broken_off_and_leaves_nothing_half_done(delay: float, tmp_path: Path) -> None:
    said = run_and_interrupt(COMPILED, [delay], PULLBACK_CACHE="1", PULLBACK_CACHE_DIR=str(tmp_path))
    assert said == "good\n"
    check_entries(tmp_path)


def check_entries(folder: Path) -> None:
    """All that is in a cache is whole."""
    entries = [path for path in folder.rglob("*") if path.is_file()]
    assert entries and not [path for path in entries if path.name.endswith(".part")]
    assert all(path.read_bytes().startswith(disk_cache._MAGIC) for path in entries)


def test_ctrl_c_does_not_wait_for_llvm() -> None:
    program = """
        import threading
        from pullback.engine.runtime import codegen

        gate, object_of = threading.Event(), codegen.object_of
        step = tf.function(lambda x: tf.sin(x) * 3.0 + x, jit_compile=True, autograph=False)
        codegen.object_of = lambda *given: gate.wait() and object_of(*given)
        assert interrupted(step, tf.constant([1.0, 2.0]))
        gate.set()
        np.testing.assert_allclose(step(tf.constant([1.0, 2.0])), np.sin([1.0, 2.0]) * 3.0 + [1.0, 2.0], rtol=1e-6)
        print("good")
    """
    assert run_and_interrupt(program, [0.2]) == "good\n"


#: Ctrl-C at chosen places: where Python looks for signals, on entering a function and after a call of C's.
AT = """
    class At:
        def __init__(self, place):
            self.left = place

        def __call__(self, frame, event, argument):
            if event == "c_return" or event == "call" and not frame.f_code.co_flags & inspect.CO_GENERATOR:
                self.left -= 1
                if self.left == 0:
                    raise KeyboardInterrupt

    def call(work, place):
        "Where the signal came, counted from the last place that there is."
        looks = At(place)
        sys.setprofile(looks)
        try:
            work()
        except KeyboardInterrupt:
            assert looks.left == 0
        finally:
            sys.setprofile(None)
        return -looks.left
"""
BROKEN_OFF = AT + """
    import gc

    def network(x, scale):
        return tf.tanh(x @ x * 0.1) + tf.sin(x) * scale

    def made(scale):
        return tf.function(lambda x: v.assign_add(network(x, scale)), jit_compile=True, autograph=False)

    v, x = tf.Variable(tf.zeros([3, 3])), tf.constant(np.linspace(-1, 1, 9).reshape(3, 3).astype("f"))
    made(0.1)(x)
    usual, places, heard = gc.get_threshold(), call(lambda: made(0.2)(x), 0), 0
    assert places > 5_000
    for n in range(1, 61):
        scale, before = 0.3 + 0.001 * n, v.numpy()
        step, added = made(scale), network(x, scale).numpy()
        heard += call(lambda: step(x), places * n // 62) == 0
        assert tf.executing_eagerly() and gc.get_threshold() == usual
        after = v.numpy()
        assert np.array_equal(after, before) or np.allclose(after, before + added, atol=1e-6), n
        np.testing.assert_allclose(step(x), after + added, rtol=1e-4, atol=1e-5)
        assert step.get_concrete_function(x).body.plan().ready is not None, n
        v.assign(tf.zeros([3, 3]))
    print("heard", heard)
"""


def test_ctrl_c_anywhere_in_a_first_call_leaves_all_as_it_was(tmp_path: Path) -> None:
    said = run_and_interrupt(BROKEN_OFF, [], PULLBACK_CACHE="1", PULLBACK_CACHE_DIR=str(tmp_path))
    assert said == "heard 60\n"
    check_entries(tmp_path)


def test_ctrl_c_anywhere_in_work_on_several_threads_leaves_them_ready() -> None:
    program = AT + """
    import threading
    from pullback.kernels import parallel

    made = np.zeros(8)

    def work(i):
        made[i] = i + 1.0

    def share():
        made[:] = 0.0
        parallel.run(work, 8)

    parallel.set_threads(2)
    share()
    for place in range(1, call(share, 0)):
        assert call(share, place) == 0
        for _ in range(2):
            share()
            assert (made == np.arange(8) + 1.0).all() and not parallel._team.busy.locked(), place
    assert place > 10
    while threading.active_count() > 2:
        time.sleep(0.01)
    print("good")
    """
    assert run_and_interrupt(program, []) == "good\n"


def test_the_package_of_autograph_is_loaded_whole_after_that_was_broken_off() -> None:
    program = AT + """
    from pullback.trace.autograph_calls import _transpiler

    for place in range(1_000, 15_000, 2_000):
        assert call(_transpiler, place) == 0, place
        assert not any(name.partition(".")[0] == "malt" for name in sys.modules), place
    assert _transpiler()
    print("good")
    """
    assert run_and_interrupt(program, []) == "good\n"
