"""Programs that somebody waits for begin with baseline code, and go on with optimised code."""

import gc
import os
import textwrap
import weakref
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pullback as tf
from pullback.engine.background import COMPILER, wait_for_compiles
from pullback.engine.jit_policy import Settings
from pullback.engine.runtime import baseline, codegen, disk_cache, objects

from .native_programs import cache_in, run


@pytest.fixture(autouse=True)
def begin_with_baseline(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    wait_for_compiles()
    monkeypatch.setattr(Settings, "baseline", True)
    monkeypatch.setattr(baseline, "_MOMENT", 60.0)  # until somebody waits
    yield
    wait_for_compiles()


@pytest.fixture
def cache(tmp_path: Path) -> Iterator[disk_cache.DiskCache]:
    yield from cache_in(tmp_path / "cache")


@pytest.fixture
def levels(monkeypatch: pytest.MonkeyPatch, cache: disk_cache.DiskCache) -> list[int]:
    """The levels at which programs are compiled, as they come."""
    found: list[int] = []
    compile_pieces = codegen.compile_pieces

    def look_on(text: str, machine: Any, level: int = 1) -> Any:
        if '@"segment' in text:
            found.append(level)
        return compile_pieces(text, machine, level)

    monkeypatch.setattr(codegen, "compile_pieces", look_on)
    return found


X = tf.constant(np.linspace(-2, 2, 1000).reshape(50, 20).astype("f"))


def make_function(number: float) -> Any:
    """A function with its gradient; each number makes another program."""

    @tf.function(jit_compile=True)
    def step(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.reduce_sum(tf.tanh(x @ tf.transpose(x) * number)) + tf.reduce_logsumexp(x)
        return y, tape.gradient(y, x)

    return step


def numbers(answers: Any) -> list[bytes]:
    return [t.numpy().tobytes() for t in answers]


def test_the_first_call_has_baseline_code_and_later_ones_the_same_bits_of_better(levels: list[int]) -> None:
    step = make_function(0.0137)
    first = step(X)
    assert levels == [0]
    second = step(X)
    assert levels == [0]
    wait_for_compiles()
    assert levels == [0, 1]
    third = step(X)
    assert numbers(first) == numbers(second) == numbers(third)


def test_the_call_runs_the_new_code(levels: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    """The better code is made one of another function here, which can be seen."""
    f = tf.function(lambda x: x * 1.5 + 0.0203, jit_compile=True)
    assert f(X).numpy().tobytes() == (X.numpy() * np.float32(1.5) + np.float32(0.0203)).tobytes()
    load_cached = objects.load_cached
    monkeypatch.setattr(baseline, "load_cached", lambda text, *rest: load_cached(text.replace("fadd", "fsub"), *rest))
    wait_for_compiles()
    assert f(X).numpy().tobytes() == (X.numpy() * np.float32(1.5) - np.float32(0.0203)).tobytes()


def test_explain_says_which_code_is_in_use(levels: list[int]) -> None:
    step = make_function(0.0149)
    assert not step.explain(X).baseline, "none is in use"
    step(X)
    explained = step.explain(X)
    assert explained.baseline and "baseline code until" in str(explained)
    wait_for_compiles()
    assert not step.explain(X).baseline and "baseline" not in str(step.explain(X))
    again = make_function(0.0149)
    again(X)
    assert not again.explain(X).baseline, "the disk has better"


def test_dropped_programs_are_not_compiled_again(levels: list[int]) -> None:
    step = make_function(0.0214)
    step(X)
    known = weakref.ref(step)
    del step
    gc.collect()
    assert known() is None
    wait_for_compiles()
    assert levels == [0]


def test_the_disk_has_baseline_code_until_there_is_better(levels: list[int]) -> None:
    make_function(0.0317)(X)
    again = make_function(0.0317)
    first = again(X)
    assert levels == [0], "the second program has found what the first one left"
    wait_for_compiles()
    assert levels == [0, 1], "both wait for the same code"
    once_more = make_function(0.0317)
    assert numbers(once_more(X)) == numbers(first) == numbers(again(X))
    wait_for_compiles()
    assert levels == [0, 1]


def test_a_program_of_several_segments_is_compiled_again_once(levels: list[int]) -> None:
    disk_cache.configure(enabled=False)

    @tf.function(jit_compile=True)
    def step(x: Any) -> Any:
        between = tf.ensure_shape(tf.numpy_function(lambda a: a + 1, [tf.sin(x) * 0.0361], tf.float32), [50, 20])
        return tf.reduce_sum(tf.cos(between) * between)

    first = step(X)
    (program,) = step.get_concrete_function(X).body.plan().jit_state.programs.values()
    assert len(program.segments) == 2
    wait_for_compiles()
    assert levels == [0, 1] and numbers([first]) == numbers([step(X)])


def test_what_nobody_waits_for_is_compiled_once(levels: list[int]) -> None:
    make_function(0.0419)(X)
    f = tf.function(make_function(0.0419).python_function)
    plan = f.get_concrete_function(X).body.plan()
    plan.soon = True
    f(X)
    wait_for_compiles()
    assert levels == [0, 1], "baseline code on the disk is not what it takes"


def go_round(x: Any) -> Any:
    return tf.while_loop(lambda i, _: i < 5, lambda i, x: (i + 1, tf.sin(x) * 0.0523), [0, x])[1]


def sum_much(x: Any) -> Any:
    return tf.reduce_sum(tf.sin(x[:, None, :, None] * 0.0523 + tf.ones([50, 50, 20, 500])))


@pytest.mark.parametrize("function", [go_round, sum_much])
def test_long_calls_begin_with_optimised_code(levels: list[int], function: Any) -> None:
    tf.function(function, jit_compile=True)(X)
    wait_for_compiles()
    assert levels == [1]


def test_without_baseline_there_is_one_code(levels: list[int]) -> None:
    Settings.baseline = False
    make_function(0.0623)(X)
    wait_for_compiles()
    assert levels == [1]


PROGRAM = """
    import numpy as np, pullback as tf
    from pullback.engine.background import wait_for_compiles
    from pullback.engine.runtime import codegen, baseline
    levels = []
    compile_pieces = codegen.compile_pieces
    def look_on(text, machine, level=1):
        levels.append(level)
        return compile_pieces(text, machine, level)
    codegen.compile_pieces = look_on
    f = tf.function(lambda x: tf.reduce_sum(tf.tanh(x) * 0.0731), jit_compile=True)
    baseline._MOMENT = {moment}
    f(tf.ones([100]))
    {wait}
    print(f(tf.ones([100])).numpy().item(), [level for level in levels if level])
"""


def test_a_process_that_ends_leaves_the_rest_to_the_next(tmp_path: Path) -> None:
    short = textwrap.dedent(PROGRAM.format(moment=60, wait=""))
    long = textwrap.dedent(PROGRAM.format(moment=0, wait="wait_for_compiles()"))
    said = [run(program, PULLBACK_CACHE_DIR=str(tmp_path)).split(maxsplit=1) for program in (short, short, long, long)]
    assert len({number for number, _ in said}) == 1
    assert [levels.strip() for _, levels in said] == ["[]", "[]", "[1]", "[]"]


FORKED = """
    import os, warnings
    warnings.simplefilter("ignore")  # of threads that a child does not have
    child = os.fork()
    if not child:
        wait_for_compiles()
        os._exit(7 if 1 in levels else 8)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_child_optimises_what_its_parent_began(tmp_path: Path) -> None:
    program = textwrap.dedent(PROGRAM.format(moment=60, wait="")) + textwrap.dedent(FORKED)
    assert run(program, PULLBACK_CACHE_DIR=str(tmp_path)).split()[-1] == "7"


def test_a_job_waits_for_its_moment_unless_somebody_waits_for_it() -> None:
    done: list[str] = []
    COMPILER.submit("later", lambda: done.append("later"), after=60)
    COMPILER.submit("now", lambda: done.append("now"))
    while "now" not in done:
        pass
    assert done == ["now"] and COMPILER.has("later")
    wait_for_compiles()
    assert done == ["now", "later"] and not COMPILER.has("later")
    COMPILER.submit("soon", lambda: done.append("soon"), after=0.01)
    while "soon" not in done:
        pass
