"""Compiling costs what a program's size says: work is counted, not timed."""

import inspect
import math
import sys
from collections.abc import Callable
from types import CodeType
from typing import Any

import numpy as np
import pytest
from benchmarks.growing import PROGRAMS, pullback_program

import pullback as tf
from pullback.engine.jit_policy import native_program
from pullback.engine.lowering.builder import Builder
from pullback.engine.lowering.index_expr import Place
from pullback.engine.lowering.materialise import list_reachable
from pullback.engine.lowering.memory import arena
from pullback.engine.lowering.repeats import choose_repeated
from pullback.engine.program import Program

pytest.importorskip("llvmlite")


def count_calls(work: Callable[[], Any], of: CodeType | str | None = None) -> tuple[int, Any]:
    """How many functions are called, Python's and C's, and what `work` gives.

    of: how often only this one runs or, a generator, runs on; or those of this file.
    """
    calls = 0

    def note(frame: Any, event: str, argument: Any) -> None:
        nonlocal calls
        calls += event in ("call", "c_call") if of is None else event == "call" and of in (frame.f_code, frame.f_code.co_filename)

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        made = work()
    finally:
        sys.setprofile(before)
    return calls, made


def plan_of(program: str, mode: str, n: int) -> Any:
    """The plan of a benchmark's program of size n."""
    function, arguments = pullback_program(program, mode, n)
    return function.get_concrete_function(*arguments).body.plan()


class _Names:
    tanh, sin, matmul = staticmethod(tf.tanh), staticmethod(tf.sin), staticmethod(tf.matmul)
    sum, roll = staticmethod(tf.reduce_sum), staticmethod(tf.roll)


def compiled(plan: Any, of: CodeType | str | None = None) -> tuple[int, Program]:
    calls, (program, why) = count_calls(lambda: native_program(plan, plan.fed), of)
    assert program is not None, why
    return calls, program


@pytest.mark.parametrize(
    ("program", "mode", "n"),
    [
        ("products", "value", 60), ("products", "gradient", 80), ("chain", "value", 150), ("fan", "value", 150), ("layers", "gradient", 60),
        ("stencils", "value", 40), ("stencils", "gradient", 40),
    ],
)
def test_the_passes_are_linear(program: str, mode: str, n: int) -> None:
    compiled(plan_of(program, mode, 4))  # what the engine finds out once
    (few, small), (many, large) = (compiled(plan_of(program, mode, size)) for size in (n, 4 * n))
    assert math.log(many / few, 4) < 1.1, (few, many)
    assert math.log(len(large.text) / len(small.text), 4) < 1.1


def test_the_variables_of_an_optimizer_are_gone_through_once() -> None:
    few, many = (compiled(plan_of("", "adam", n), inspect.getfile(Program))[0] for n in (15, 60))
    assert math.log(many / few, 4) < 1.1, (few, many)


def test_steps_are_not_gone_through_for_each_operation_that_is_refused() -> None:
    def work(n: int) -> None:
        builder = Builder()
        x = builder.input((4,), np.dtype(np.float32))
        for i in range(n):
            kept = builder.memory(builder.pointwise("add", x, builder.scalar(i, x)))
            mark = builder.mark()
            refused = builder.memory(builder.pointwise("sin", kept))
            builder.rollback(mark)
            assert len(builder.steps) == len(builder.realised) == i + 1 and refused not in builder.realised.values()

    few, many = (count_calls(lambda n=n: work(n))[0] for n in (20, 80))
    assert math.log(many / few, 4) < 1.1, (few, many)


def test_views_of_views_are_gone_through_once() -> None:
    """Shapes and edges change at every step, and nothing is read at two indices: what a context hangs on does not grow."""

    def work(n: int) -> None:
        builder = Builder()
        x = builder.input((8,), np.dtype(np.float32))
        for _ in range(n):
            x = builder.pad(builder.strided(builder.pointwise("sin", x), [1], [1], (7,)), [0], (8,), 0)
            x = builder.reshape(builder.pointwise("neg", builder.reshape(x, (2, 4))), (8,))
        assert choose_repeated([builder.pointwise("sin", x)], {}) == []

    few, many = (count_calls(lambda n=n: work(n))[0] for n in (50, 200))
    assert math.log(many / few, 4) < 1.1, (few, many)


def test_what_steps_share_is_gone_through_once() -> None:
    """The sums of the gradient of an unrolled loop read nearly all of it, each of them."""
    few, many = (compiled(plan_of("products", "gradient", n), list_reachable.__code__)[0] for n in (80, 320))
    assert math.log(many / few, 4) < 1.1, (few, many)


@pytest.mark.parametrize(("program", "mode"), [("products", "value"), ("products", "gradient"), ("layers", "gradient")])
def test_repeated_bodies_are_compiled_once(program: str, mode: str) -> None:
    """The turns of a loop and the layers of a network are the same functions for LLVM, but for those at the ends."""
    few, many = (compiled(plan_of(program, mode, n))[1].text.count("\ndefine ") for n in (24, 96))
    assert many <= few + 4


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("n", [5, 40])
def test_repeated_bodies_compute_what_kernels_compute(program: str, n: int) -> None:
    f, arrays = PROGRAMS[program](_Names, n)
    given = [tf.constant(a) for a in arrays]
    found = tf.function(lambda *xs: _gradient(f, xs), jit_compile=True, autograph=False)(*given)
    for mine, other in zip(found, _gradient(f, given), strict=True):
        np.testing.assert_allclose(mine, other, rtol=2e-4, atol=1e-5)


def _gradient(f: Callable[..., Any], xs: Any) -> Any:
    with tf.GradientTape() as tape:
        tape.watch(xs)
        y = f(*xs)
    return tape.gradient(y, xs)


def test_kernels_that_differ_in_where_they_read_are_one_function() -> None:
    """Rows of an array at different places, and results at different places."""

    def f(xs: Any, w: Any) -> Any:
        h = tf.zeros([1, 12])
        for i in range(24):
            h = tf.tanh(tf.matmul(h, w) + xs[i][None])
        return h

    rng = np.random.default_rng(0)
    xs, w = (tf.constant((0.2 * rng.standard_normal(shape)).astype(np.float32)) for shape in [(24, 12), (12, 12)])
    concrete = tf.function(f, autograph=False).get_concrete_function(xs, w)
    _, program = compiled(concrete.body.plan())
    assert program.text.count("\ndefine ") < 12
    np.testing.assert_allclose(tf.function(f, jit_compile=True, autograph=False)(xs, w), f(xs, w), rtol=1e-5, atol=1e-6)


def test_the_memory_plan_uses_what_is_free() -> None:
    """Places that live one after another share memory; neighbours that are free become one gap."""
    a, b, c, d = (Place("temporary", i, size) for i, size in enumerate((64, 64, 128, 64)))
    starts, total = arena([[a, b, d], [a, b, d], [c, d], [c]])
    assert starts == {a: 0, b: 64, d: 128, c: 0}
    assert total == 192
