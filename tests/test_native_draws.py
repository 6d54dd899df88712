"""Draws in native loops: the numbers of the kernels, and streams that stand where the kernels would leave them."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import pullback as tf
from pullback.engine import program
from pullback.engine.jit_policy import Settings
from pullback.engine.lowering import draws
from pullback.ir.apply import EAGER_MEMORY
from pullback.ir.plan import Run
from pullback.ops.random.philox import Philox
from pullback.ops.random.seed import STREAMS


@pytest.fixture(autouse=True)
def natively(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(Settings, "jit", True)
    yield
    tf.random.set_seed(None)


def simulate(x: Any, turns: Any) -> Any:
    """Walks of several draws of other sizes in a turn."""

    def step(i: Any, s: Any) -> Any:
        s = s * tf.exp(0.1 * tf.random.normal([5]) - 0.005)
        s += tf.random.uniform([], 0.0, 0.1, tf.float64 if s.dtype == tf.float64 else tf.float32)
        return i + 1, s + tf.cast(tf.random.uniform([5], 0, 3, tf.int32), s.dtype)

    return tf.while_loop(lambda i, _: i < turns, step, (0, x))[1]


def grow(x: Any, turns: Any) -> Any:
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_mean(simulate(x, turns) ** 2)
    return y, tape.gradient(y, x)


def calls(f: Callable[..., Any], turns: list[int], jit: list[bool]) -> list[Any]:
    """What the calls of a function give that is traced anew, each compiled or not, from the same seed on."""
    tf.random.set_seed(3)
    traced, found = tf.function(f), []
    for n, natively in zip(turns, jit, strict=True):
        Settings.jit = natively
        found += [t.numpy() for t in tf.nest.flatten(traced(tf.ones([5]), tf.constant(n)))]
    return found


def is_native(f: Callable[..., Any]) -> bool:
    explained = tf.function(f).explain(tf.ones([5]), tf.constant(3))
    return explained.native and "call" not in [part.kind for part in explained.all_parts()]


@pytest.mark.parametrize("f", [simulate, grow])
@pytest.mark.parametrize("jit", [[True] * 5, [True, False, True, True, False]])
def test_numbers_are_those_of_the_kernels_call_after_call(f: Callable[..., Any], jit: list[bool]) -> None:
    """Also where calls of both kinds follow each other, and a loop takes no turn."""
    turns = [7, 1, 0, 40, 7]
    for found, known in zip(calls(f, turns, jit), calls(f, turns, [False] * 5), strict=True):
        np.testing.assert_allclose(found, known, rtol=2e-5)
    assert is_native(f)


def test_a_counter_carries_in_a_loop() -> None:
    """The upper word of a counter moves on when the lower one has gone round."""
    found = []
    for jit in (True, False):
        Settings.jit = jit
        tf.random.set_seed(3)
        f = tf.function(simulate)
        f(tf.ones([5]), tf.constant(1))
        streams = EAGER_MEMORY[STREAMS]
        streams.update({place: Philox(stream.key, 2**64 - 6) for place, stream in streams.items()})
        found.append(f(tf.ones([5]), tf.constant(9)).numpy())
    np.testing.assert_allclose(*found, rtol=2e-5)


def test_a_loop_that_is_there_twice_draws_on() -> None:
    """Two calls of one function share its streams: their loops are not compiled together, and the second goes on after the first."""
    inner = tf.function(simulate)
    twice = lambda x, n: inner(inner(x, n), n)
    for found, known in zip(calls(twice, [5, 5], [True] * 2), calls(twice, [5, 5], [False] * 2), strict=True):
        np.testing.assert_allclose(found, known, rtol=2e-5)
    assert not is_native(twice)


def test_who_draws_meanwhile_gets_other_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    """A stream that another thread has moved on while the loop ran: the call is made again, from where it stands."""
    (before, known, *_) = calls(simulate, [4, 4], [False, False])
    last = draws.finish

    def finish(begun: list[Any], known: dict[int, Any], run: Any) -> None:
        monkeypatch.setattr(program, "finish", last)
        for draw, _ in begun:
            draw.advance(Run(run.memory, {}), 4 * draw.blocks)
        last(begun, known, run)

    monkeypatch.setattr(program, "finish", finish)
    (found,) = calls(simulate, [4], [True])
    np.testing.assert_allclose(found, known, rtol=2e-5)
    assert not np.allclose(found, before)


def nested(x: Any, turns: Any) -> Any:
    """Draws in a loop, in loops in it of which one is in a branch, and of which one takes no turn at first."""

    def outer(i: Any, s: Any) -> Any:
        s = simulate(s, i % 3) + 0.1 * tf.random.normal([5])
        several = lambda: tf.while_loop(lambda j, _: j < i, lambda j, s: (j + 1, s * tf.random.uniform([5], 0.9, 1.1)), (0, s))[1]
        return i + 1, tf.cond(tf.reduce_sum(s) > 5.0, several, lambda: s + tf.random.uniform([], 0.5, 1.0))

    return tf.while_loop(lambda i, _: i < turns, outer, (0, x))[1]


def branched(x: Any, turns: Any) -> Any:
    """Draws in branches without a loop around, in both of them and after them."""
    s = tf.cond(turns % 2 == 0, lambda: x * tf.random.normal([5]), lambda: x + tf.random.uniform([5]) * tf.random.normal([5]))
    return tf.cond(turns < 3, lambda: s, lambda: s * tf.random.normal([])) + tf.random.uniform([5])


def dropped(x: Any, turns: Any) -> Any:
    """Epochs of training steps with dropout, and the gradient through all of them."""
    w = tf.ones([5, 5]) * 0.1

    def step(j: Any, x: Any, w: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(w)
            loss = tf.reduce_sum(tf.nn.dropout(tf.tanh(x[None] @ w), 0.3))
        return j + 1, x, w - 0.05 * tape.gradient(loss, w)

    epoch = lambda i, x, w: (i + 1, x, tf.while_loop(lambda j, *_: j < 3, step, (0, x, w))[2])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_sum(tf.while_loop(lambda i, *_: i < turns, epoch, (0, x, w))[2])
    return y, tape.gradient(y, x)


@pytest.mark.parametrize("f", [nested, branched, dropped])
def test_draws_in_branches_and_inner_loops(f: Callable[..., Any]) -> None:
    turns, jit = [7, 1, 0, 4, 12], [True, True, False, True, True]
    for found, known in zip(calls(f, turns, jit), calls(f, turns, [False] * 5), strict=True):
        np.testing.assert_allclose(found, known, rtol=1e-4, atol=1e-6)
    assert is_native(f)


def test_draws_whose_shapes_are_known_when_they_are_compiled() -> None:
    """In a loop and in branches they are native; in a loop in a loop they stay calls."""
    given = tf.TensorSpec([None], tf.float32)

    def walk(x: Any) -> Any:
        return tf.while_loop(lambda i, _: i < 3, lambda i, s: (i + 1, s + tf.random.normal(tf.shape(x))), (0, x))[1]

    def choose(x: Any) -> Any:
        return tf.cond(x[0] > 0.0, lambda: x * tf.random.normal(tf.shape(x)), lambda: x - tf.random.uniform(tf.shape(x)))

    def walks(x: Any) -> Any:
        return tf.while_loop(lambda i, _: i < 2, lambda i, s: (i + 1, walk(s)), (0, x))[1]

    for f, native in ((walk, True), (choose, True), (walks, False)):
        found = []
        for jit in (True, False):
            Settings.jit = jit
            tf.random.set_seed(3)
            traced = tf.function(f, input_signature=[given])
            found.append([traced(tf.ones([n])).numpy() for n in (5, 7, 5)])
            if jit:
                explained = traced.explain(tf.ones([5]))
                called = {name for part in explained.all_parts() if part.kind == "call" for name in part.operations}
                assert (explained.native and called <= {"Identity"}) == native
        for mine, known in zip(*found, strict=True):
            np.testing.assert_allclose(mine, known, rtol=2e-5)
