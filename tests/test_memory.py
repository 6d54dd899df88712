"""What a tape holds on to, and what it gives back."""

import gc
import itertools
import subprocess
import sys
import tracemalloc
import types
import weakref
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from benchmarks.leak import PROGRAMS

import pullback as tf
from pullback.base.garbage import pause_collection
from pullback.engine.background import wait_for_compiles
from pullback.engine.runtime import disk_cache
from pullback.engine.runtime.ahead import AHEAD
from pullback.kernels import memory
from pullback.kernels.blocked import LARGE

#: For larger arrays an operation is compiled after a few calls, which takes memory too.
WIDTH = LARGE - 1


@pytest.fixture(autouse=True)
def traced() -> Iterator[None]:
    gc.collect()
    tracemalloc.start()
    yield
    tracemalloc.stop()


def test_a_tape_over_additions_keeps_a_few_tensors() -> None:
    x = tf.constant(np.ones(WIDTH, np.float32))
    size = 4 * WIDTH
    tracemalloc.reset_peak()
    before = tracemalloc.get_traced_memory()[0]
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x
        for _ in range(100):
            y = y + x
    g = tape.gradient(y, x)
    assert g[0].numpy() == 101
    assert tracemalloc.get_traced_memory()[1] - before < 10 * size


def test_a_tape_keeps_what_a_rule_will_read() -> None:
    x = tf.constant(np.ones(WIDTH, np.float32))
    size = 4 * WIDTH
    before = tracemalloc.get_traced_memory()[0]
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x
        for _ in range(20):
            y = tf.sin(y)
    held = tracemalloc.get_traced_memory()[0] - before
    assert 19 * size < held < 23 * size
    del tape
    assert tracemalloc.get_traced_memory()[0] - before < 3 * size, "a dropped tape frees its tensors at once, without the garbage collector"


def test_a_used_tape_frees_what_it_held() -> None:
    x = tf.constant(np.ones(20_000, np.float32))
    with tf.GradientTape() as tape:
        tape.watch(x)
        middle = tf.sin(x)
        y = tf.sin(middle)
    array = weakref.ref(middle)
    del middle
    assert array() is not None
    tape.gradient(y, x)
    assert array() is None


@pytest.mark.parametrize("way", ["eagerly", "in a function"])
def test_rolling_makes_the_result_and_little_beside(way: str) -> None:
    x = tf.constant(np.ones((1000, 1000), np.float32))
    roll = tf.function(lambda x: tf.roll(x, [3, 700], [0, 1])) if way == "in a function" else lambda x: tf.roll(x, [3, 700], [0, 1])
    for _ in range(3):
        roll(x)
    wait_for_compiles()
    tracemalloc.reset_peak()
    before = tracemalloc.get_traced_memory()[0]
    assert roll(x).shape == [1000, 1000]
    assert tracemalloc.get_traced_memory()[1] - before < 1.1 * 4_000_000


def test_the_memory_of_a_large_result_is_used_again_when_nobody_holds_it() -> None:
    def make() -> np.ndarray:
        return memory.make_empty((3, 3_000_000), np.dtype(np.float32))

    def place(x: np.ndarray) -> int:
        return x.__array_interface__["data"][0]

    first = make()
    first[:] = 1.0
    held, at = first[1, :5], place(first)
    del first
    other = make()
    other[:] = 2.0
    assert place(other) != at and held.tolist() == [1.0] * 5, "a part of it is still held"
    del held
    again = make()
    assert place(again) == at and place(make()) not in (at, place(other))


def test_taped_steps_leak_nothing() -> None:
    w, x = tf.Variable(np.full((8, 8), 0.1, np.float32)), tf.constant(np.ones((1, 8), np.float32))

    def step() -> None:
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.tanh(tf.matmul(x, w)) ** 2.0)
        w.assign_sub(0.01 * tape.gradient(loss, w))

    def run(steps: int) -> tuple[int, int]:
        """How many bytes the steps leave, and how many objects only the garbage collector could free."""
        gc.collect()  # it also empties the interpreter's lists of free tuples, which count as allocated
        before = tracemalloc.get_traced_memory()[0]
        gc.disable()
        for _ in range(steps):
            step()
        cyclic = gc.collect()
        gc.enable()
        return tracemalloc.get_traced_memory()[0] - before, cyclic

    run(2_000)
    wait_for_compiles()  # what these steps asked for takes memory too, and leaves cycles
    left, cyclic = run(2_000)
    assert left < 2_000, "less than a byte a step"
    assert cyclic == 0


def test_new_modules_are_old_to_the_collector(monkeypatch: pytest.MonkeyPatch) -> None:
    """What an import leaves behind stays: the next call is not the one in which the collector goes through all of it."""

    def is_old(made: object) -> bool:
        return any(made is other for other in gc.get_objects(generation=2))

    walks: list[str] = []
    gc.collect()
    with pause_collection():
        pass
    gc.callbacks.append(lambda phase, info: walks.append(phase))
    try:
        with pause_collection():
            imported = [[object()] for _ in range(5000)]
            monkeypatch.setitem(sys.modules, "a_module_of_this_test", types.ModuleType("a_module_of_this_test"))
        assert is_old(imported[0]) and is_old(imported[-1]) and walks == []
        with pause_collection():
            made = [object()]
        assert not is_old(made)
    finally:
        gc.callbacks.pop()


def test_frozen_objects_stay_frozen() -> None:
    script = """
import gc, sys, types
from pullback.base.garbage import pause_collection
gc.freeze()
before = gc.get_freeze_count()
with pause_collection():
    sys.modules["another"] = types.ModuleType("another")
assert before and gc.get_freeze_count() >= before - 10, (before, gc.get_freeze_count())
"""
    subprocess.run([sys.executable, "-c", script], check=True)


def test_the_collector_stays_as_the_program_wants_it() -> None:
    """What is said about the collector while a function is traced or compiled holds afterwards."""
    script = """
import gc, sys, types
from pullback.base.garbage import pause_collection
usual = gc.get_threshold()
with pause_collection():
    gc.disable()
assert not gc.isenabled() and gc.get_threshold() == usual
with pause_collection():
    gc.enable()
assert gc.isenabled()
with pause_collection(), pause_collection():
    gc.set_threshold(500, 5, 5)
assert gc.get_threshold() == (500, 5, 5)
gc.disable()
made = [[]]
with pause_collection():
    sys.modules["another"] = types.ModuleType("another")
assert not gc.isenabled() and any(made is other for other in gc.get_objects(generation=0))
gc.set_threshold(0)
with pause_collection():
    pass
assert gc.get_threshold()[0] == 0
"""
    subprocess.run([sys.executable, "-c", script], check=True)


def test_compiled_programs_that_are_dropped_leave_nothing() -> None:
    """Graphs, plans, programs and their code go away; `python -m benchmarks leak` measures bytes."""

    def count_objects() -> Counter[str]:
        gc.collect()
        return Counter(f"{type(made).__module__}.{type(made).__qualname__}" for made in gc.get_objects())

    def compile_programs(count: int) -> None:
        for _ in range(count):
            number = next(numbers)
            PROGRAMS[number % len(PROGRAMS)](tf, number)(x)

    numbers, x = itertools.count(), tf.ones(16)
    disk_cache.configure(enabled=False)
    try:
        compile_programs(12)
        before, modules, orders = count_objects(), len(sys.modules), len(AHEAD._begun) + len(AHEAD._waiting)
        compile_programs(12)
        more = {name: count for name, count in (count_objects() - before).items() if count >= 4}
    finally:
        disk_cache.configure()
    assert not more and (len(sys.modules), len(AHEAD._begun) + len(AHEAD._waiting)) == (modules, orders)


@pytest.mark.parametrize("place", ["isenabled", "get_threshold", "set_threshold"])
def test_ctrl_c_at_the_end_of_a_pause_leaves_the_collector_as_it_was(place: str) -> None:
    def interrupt(frame: object, event: str, argument: Any) -> None:
        if event == "c_return" and argument.__name__ == place:
            sys.setprofile(None)
            raise KeyboardInterrupt

    usual = gc.get_threshold()
    with pytest.raises(KeyboardInterrupt), pause_collection():
        sys.setprofile(interrupt)
    assert gc.get_threshold() == usual
