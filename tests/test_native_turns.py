"""What a program does again and again, with the values of the turn before or with other memory, is written once."""

from collections.abc import Callable
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pullback as tf
from pullback.engine.jit_policy import native_program

from .native_programs import cache_in

pytest.importorskip("llvmlite")


def program_text(f: Callable[..., Any], *arguments: Any) -> str:
    plan = tf.function(f, autograph=False).get_concrete_function(*arguments).body.plan()
    program, why = native_program(plan, plan.fed)
    assert program is not None, why
    return program.text


def compare(f: Callable[..., Any], *arguments: Any) -> None:
    expected = f(*arguments)
    found = tf.function(f, jit_compile=True, autograph=False)(*arguments)
    for mine, other in zip(tf.nest.flatten(found), tf.nest.flatten(expected), strict=True):
        np.testing.assert_allclose(mine, other, rtol=2e-5)


def recurrence(n: int) -> Callable[..., Any]:
    def f(x: Any) -> Any:
        for _ in range(n):
            x = tf.sin(x) * 0.9 + x * 0.1
        return x

    return f


def roots(n: int) -> Callable[..., Any]:
    def f(a: Any) -> Any:
        x = a
        for _ in range(n):
            x = x - (x * x - a) / (2.0 * x)
        return tf.reduce_sum(x)

    return f


def rotations(n: int) -> Callable[..., Any]:
    """Two values that are handed on, and numbers that differ from turn to turn."""

    def f(x: Any) -> Any:
        y = x + 1.0
        for i in range(n):
            x, y = x - y * (0.3 / (i + 1.0)), y + tf.tanh(x) * (0.2 / (i + 2.0))
        return x, y

    return f


def with_the_midst(n: int) -> Callable[..., Any]:
    """Values of the midst are results too."""

    def f(x: Any) -> Any:
        kept = []
        for i in range(n):
            x = tf.tanh(x) * 0.7 + x * 0.2
            if i % 40 == 17:
                kept.append(x)
        return [*kept, x]

    return f


def further_back(n: int) -> Callable[..., Any]:
    """Each value is made of the last two."""

    def f(x: Any) -> Any:
        before = x * 0.5
        for _ in range(n):
            x, before = tf.sin(x) * 0.6 + before * 0.3, x
        return x

    return f


EVERY = [recurrence, roots, rotations, with_the_midst, further_back]


@pytest.mark.parametrize("f", EVERY)
@pytest.mark.parametrize("shape", [(), (3,), (16,), (10, 10), (1000,)])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_turns_compute_what_kernels_compute(f: Callable[[int], Callable[..., Any]], shape: tuple[int, ...], dtype: Any) -> None:
    x = np.random.default_rng(0).uniform(0.5, 2.0, shape).astype(dtype)
    compare(f(100), tf.constant(x))


def test_whole_numbers_in_turns() -> None:
    def f(x: Any) -> Any:
        for i in range(100):
            x = tf.bitwise.bitwise_xor(x * 5 + i * 7, x)
        return x

    compare(f, tf.constant(np.arange(37, dtype=np.int64)))


def with_gradient(f: Callable[..., Any]) -> Callable[..., Any]:
    def g(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.add_n([tf.reduce_sum(t) for t in tf.nest.flatten(f(x))])
        return y, tape.gradient(y, x)

    return g


@pytest.mark.parametrize("f", EVERY)
@pytest.mark.parametrize(("turns", "shape"), [(60, ()), (100, (3,)), (100, (16,)), (60, (10, 10)), (100, (1000,)), (700, (1000,))])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_gradients_go_through_turns_backwards(f: Callable[[int], Any], turns: int, shape: tuple[int, ...], dtype: Any) -> None:
    x = np.random.default_rng(0).uniform(0.5, 2.0, shape).astype(dtype)
    compare(with_gradient(f(turns)), tf.constant(x))


@pytest.mark.parametrize("f", EVERY)
def test_turns_end_where_others_read_what_there_is_no_room_for(
    f: Callable[[int], Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    g, x = with_gradient(f(80)), tf.constant(np.linspace(0.5, 2.0, 1000))
    with_room = program_text(g, x)
    monkeypatch.setattr("pullback.engine.emission.turns._KEPT", 4096)
    without = program_text(g, x)
    assert without.count("alloca") < with_room.count("alloca")
    assert without.count("\n") > with_room.count("\n")
    with contextmanager(cache_in)(tmp_path):
        compare(g, x)


@pytest.mark.parametrize("f", [recurrence, rotations])
def test_more_turns_of_a_gradient_are_no_more_code(f: Callable[[int], Callable[..., Any]]) -> None:
    x = tf.constant(np.ones((10, 10), np.float32))
    few, many = (program_text(with_gradient(f(n)), x).count("\n") for n in (40, 100))
    assert many < few + 40, (few, many)


@pytest.mark.parametrize("f", [recurrence, roots])
def test_more_turns_are_no_more_code(f: Callable[[int], Callable[..., Any]]) -> None:
    x = tf.constant(np.ones((10, 10), np.float32))
    few, many = (program_text(f(n), x).count("\n") for n in (40, 160))
    assert many < few + 40, (few, many)


def test_updates_that_are_alike_are_one_function() -> None:
    def text(n: int) -> str:
        variables = [tf.Variable(np.full(4, 0.5 + i, np.float32)) for i in range(n)]
        rate = tf.Variable(0.1)

        def step() -> Any:
            for v in variables:
                v.assign_sub(rate * tf.sin(v))

        return program_text(step)

    assert text(60).count("\ndefine ") <= text(15).count("\ndefine ") + 1


@pytest.mark.parametrize("size", [1, 4, 700])
def test_updates_that_are_alike_compute_what_kernels_compute(size: int) -> None:
    """Among them some that read each other's results, share what they read, or do something else."""

    def run(compiled: bool) -> list[Any]:
        rng = np.random.default_rng(0)
        variables = [tf.Variable(rng.standard_normal(size).astype(np.float32)) for _ in range(40)]
        x = tf.constant(rng.standard_normal(size).astype(np.float32))

        def step() -> Any:
            norm = tf.sqrt(tf.add_n([tf.reduce_sum(v * v) for v in variables]))
            for i, v in enumerate(variables[:20]):
                v.assign_sub(0.1 * tf.sin(v) / norm)
                if i % 5 == 4:
                    v.assign_add(variables[i - 1] * 0.5)
            for v in variables[20:30]:
                v.assign(v * x)
            for i, v in enumerate(variables[30:]):
                v.assign(v * (1.0 + i))
            return norm

        call = tf.function(step, jit_compile=True, autograph=False) if compiled else step
        return [*(call() for _ in range(2)), *variables]

    for mine, other in zip(run(True), run(False), strict=True):
        np.testing.assert_allclose(mine, other, rtol=2e-5, atol=1e-6)


def test_reads_of_a_variable_are_one_until_it_changes() -> None:
    v, w = tf.Variable([1.0, 2.0]), tf.Variable([5.0, 7.0])

    def by_branch(x: Any) -> Any:
        before = v + v * w
        v.assign_add(x)
        after = v + v * w
        tf.cond(tf.reduce_sum(x) > 0.0, lambda: w.assign(w * 2.0), lambda: w.assign(x))
        return before, after, v + w, w.read_value()

    def by_python(x: Any) -> Any:
        before = v * w
        with tf.control_dependencies([tf.py_function(lambda: v.assign(v * 3.0), [], [])]):
            return before, v * w + x

    for f in (by_branch, by_python):
        for x in ([1.0, 1.0], [-1.0, -4.0]):
            results = []
            for g in (f, tf.function(f, jit_compile=True, autograph=False)):
                v.assign([1.0, 2.0])
                w.assign([5.0, 7.0])
                results.append([np.asarray(t) for t in g(tf.constant(x))] + [v.numpy(), w.numpy()])
            for mine, other in zip(*results, strict=True):
                np.testing.assert_array_equal(mine, other)


def test_reads_that_are_equal_are_one_in_the_program() -> None:
    v, rate = tf.Variable(np.ones(4, np.float32)), tf.Variable(2.0)

    def step() -> Any:
        for _ in range(10):
            v.assign(v * tf.pow(rate, 3.5))

    assert program_text(step).count("call float @\"pullback.pow") == 1


@pytest.mark.parametrize("size", [(), (1,), (3,)])
def test_what_is_alike_runs_after_what_it_reads(size: tuple[int, ...]) -> None:
    """Single numbers too are read after they are written: a kernel of its own that was first read what stood there before."""

    def f(x: Any) -> Any:
        first = tf.exp(x) * 0.3
        made = [tf.sin(first) * (1.0 + i) for i in range(12)]
        second = tf.tanh(made[3]) + made[7]
        return first, *made, second, *(tf.cos(second) * (2.0 + i) for i in range(12))

    def chain(x: Any) -> Any:
        made = [x]
        for i in range(40):
            made.append(tf.sin(made[-1]) if i % 3 else made[-1] * made[max(i - 4, 0)])
        return made

    for g in (f, chain):
        call = tf.function(g, jit_compile=True, autograph=False)
        for value in (0.3, 0.9, -0.4):
            x = tf.constant(np.full(size, value, np.float32))
            for mine, other in zip(call(x), g(x), strict=True):
                np.testing.assert_allclose(mine, other, rtol=2e-5)


@pytest.mark.parametrize("size", [(), (5,), (40,)])
def test_a_first_turn_of_another_type_is_none(size: tuple[int, ...]) -> None:
    """What the first turn reads is signed, what the others read is not: registers of both look the same."""

    def f(x: Any) -> Any:
        x = x - 7
        for _ in range(40):
            x = tf.cast(tf.cast(x, tf.float64) * 0.75 + 1e9, tf.uint32)
        return x

    compare(f, tf.constant(np.full(size, -5, np.int32)))


def test_turns_of_which_the_first_reads_what_is_the_same_in_all_rows() -> None:
    def f(a: Any, x: Any) -> Any:
        y = a * 0.5
        for _ in range(30):
            y = tf.sin(y) * 0.9 + x
        return tf.reduce_sum(y, 1), tf.reduce_sum(y, 0)

    rng = np.random.default_rng(3)
    for shape in ([40, 1], [1, 37], [1, 1]):
        compare(f, tf.constant(rng.random(shape, np.float32)), tf.constant(rng.random([40, 37], np.float32)))


DRAWS = {
    "uniform": lambda n, kind: tf.random.uniform([n], dtype=kind, seed=4),
    "normal": lambda n, kind: tf.random.normal([n], dtype=kind, seed=4),
    "truncated": lambda n, kind: tf.random.truncated_normal([n], dtype=kind, seed=4),
    "stateless uniform": lambda n, kind: tf.random.stateless_uniform([n], [3, 5], dtype=kind),
    "stateless normal": lambda n, kind: tf.random.stateless_normal([n], [3, 5], dtype=kind),
    "stateless truncated": lambda n, kind: tf.random.stateless_truncated_normal([n], [3, 5], dtype=kind),
    "whole": lambda n, kind: tf.cast(tf.random.uniform([n], -7, 1000, tf.int64, seed=3), kind),
    "gamma": lambda n, kind: tf.random.gamma([n], [0.3, 2.0], dtype=kind, seed=3),
    "poisson": lambda n, kind: tf.random.poisson([n], [0.3, 20.0], dtype=kind, seed=3),
    "dropout": lambda n, kind: tf.nn.dropout(tf.ones([n], kind), 0.5, seed=3),
    "categorical": lambda n, kind: tf.cast(tf.random.categorical(tf.math.log([[0.2, 0.5, 0.3]]), n, seed=3), kind),
    "shuffle": lambda n, kind: tf.random.shuffle(tf.cast(tf.range(n), kind), seed=3),
}


@pytest.mark.parametrize("kind", [tf.float32, tf.float64])
@pytest.mark.parametrize("name", DRAWS)
def test_draws_are_those_of_kernels(name: str, kind: Any) -> None:
    """The cipher is ten turns of many values, and what a program draws once is the same at whatever length."""
    for n in (1, 2, 3, 4, 5, 9, 16, 33, 300):
        found = []
        for compiled in (False, True):
            tf.random.set_seed(7)
            call = tf.function(lambda n=n: DRAWS[name](n, kind) * 2, jit_compile=compiled, autograph=False)
            found.append([call().numpy() for _ in range(3)])
        np.testing.assert_allclose(*found, rtol=1e-5, atol=1e-6)


def test_draws_beside_each_other_are_those_of_kernels() -> None:
    def f() -> Any:
        drawn = [tf.random.truncated_normal([n], seed=n) for n in (1, 3, 5, 8)]
        return [*drawn, tf.random.normal([5], seed=2), tf.random.uniform([6], seed=1), tf.random.truncated_normal([7], seed=3) * drawn[0]]

    found = []
    for compiled in (False, True):
        tf.random.set_seed(5)
        call = tf.function(f, jit_compile=compiled, autograph=False)
        found.append([np.concatenate([np.asarray(x) for x in call()]) for _ in range(4)])
    np.testing.assert_allclose(*found, rtol=1e-5, atol=1e-6)


def test_a_variable_given_twice_is_one_variable() -> None:
    v = tf.Variable([1.0, 2.0])

    def f(w: Any) -> Any:
        before = w * 2.0 + v
        w.assign(before)
        between = v * 1.0 + w
        v.assign_add(between)
        return before, between, w + v

    def in_a_loop(w: Any) -> Any:
        first = v * 1.0
        tf.while_loop(lambda i: i < 3, lambda i: (w.assign(w * 2.0), i + 1)[1:], [0])
        return first, v * 1.0, w * 1.0

    for g in (f, in_a_loop):
        results = []
        for call in (g, tf.function(g, jit_compile=True, autograph=False)):
            v.assign([1.0, 2.0])
            results.append([np.asarray(t) for _ in range(3) for t in call(v)] + [v.numpy()])
        for mine, other in zip(*results, strict=True):
            np.testing.assert_array_equal(mine, other)
