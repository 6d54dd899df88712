"""Gradients through loops in loops, loops in branches and branches in loops, in native programs."""

import random
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import pullback as tf
from pullback.engine.jit_policy import Settings
from pullback.ir.plan import Plan
from pullback.ops.tensor_list.push_pop import EMPTY, POP, PUSH
from tests.native_kit import draw

Step = Callable[[Any, Any], Any]


@pytest.fixture(autouse=True)
def natively(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(Settings, "jit", True)
    yield


def differentiate(loss: Callable[..., Any], variables: list[tf.Variable], order: int = 1) -> Callable[..., Any]:
    """A function that gives a loss's gradients, or those of a sum of its gradient, in its argument and the variables."""

    def slope(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            value = loss(x) if order == 1 else tf.reduce_sum(tf.sin(differentiate(loss, variables, order - 1)(x)[0]) * x)
        return tape.gradient(value, [x, *variables], unconnected_gradients="zero")

    return slope


def compare(f: Callable[..., Any], *given: Any, native: bool = True) -> None:
    """Hold a function's calls, one after another, against its kernels; native: whether none of it is to run on those."""
    kernels, compiled = (tf.function(f, jit_compile=jit) for jit in (False, True))
    known = [kernels(tf.constant(x)) for x in given]
    with pytest.MonkeyPatch.context() as patch:
        if native:
            patch.delattr(Plan, "run_on_kernels")
        found = [compiled(tf.constant(x)) for x in given]
    for a, b in zip(tf.nest.flatten(known), tf.nest.flatten(found), strict=True):
        np.testing.assert_allclose(b.numpy(), a.numpy(), rtol=1e-9, atol=1e-10)
    assert (compiled.explain(tf.constant(given[0])).reason is None) == native


def repeat(count: Any, step: Step, h: Any) -> Any:
    """`step(i, h)` so many times."""
    return tf.while_loop(lambda i, h: i < count, lambda i, h: (i + 1, step(i, h)), (0, h))[1]


class Nest:
    """Loops and branches in each other, drawn by a seed: what is done to a matrix, and to a table of such, from the rows of an array."""

    def __init__(self, seed: int, has_table: bool = False) -> None:
        self._draw = random.Random(seed)
        self._has_table = has_table
        self.w = tf.Variable(0.5 * draw(3, 3))
        self._outermost = [self._loop(0), *[self._any(0) for _ in range(self._draw.randint(0, 1))]]

    def loss(self, x: Any) -> Any:
        table = tf.TensorArray(tf.float64, 8, element_shape=[2, 3], clear_after_read=False) if self._has_table else tf.constant(0)
        state: Any = x[0], table
        for step in self._outermost:
            state = step(tf.constant(1), x, *state)
        total = tf.reduce_sum(state[0] ** 2)
        return total + 0.3 * tf.reduce_sum(state[1].stack() ** 3) if self._has_table else total

    def _any(self, depth: int) -> Any:
        kinds = [self._tanh, self._rows, self._scaled]
        kinds += [self._put, self._put, self._take] if self._has_table else []
        kinds += [self._loop, self._loop, self._branch] if depth < 3 else []
        return self._draw.choice(kinds)(depth)

    def _tanh(self, depth: int) -> Any:
        return lambda i, x, h, table: (tf.tanh(h @ self.w + x[i % 8]), table)

    def _rows(self, depth: int) -> Any:
        return lambda i, x, h, table: (h + 0.3 * tf.sin(x[(i * 3 + 1) % 8] * h), table)

    def _scaled(self, depth: int) -> Any:
        return lambda i, x, h, table: (h * (0.7 + 0.1 * tf.cast(i % 4, tf.float64)), table)

    def _put(self, depth: int) -> Any:
        a, b = self._draw.randrange(8), self._draw.randrange(8)
        return lambda i, x, h, table: (h, table.write((i * a + b) % 8, tf.sin(h)))

    def _take(self, depth: int) -> Any:
        a, b = self._draw.randrange(8), self._draw.randrange(8)
        return lambda i, x, h, table: (h + 0.3 * table.read((i * a + b) % 8), table)

    def _several(self, depth: int) -> Any:
        steps = [self._any(depth) for _ in range(self._draw.randint(1, 2))]

        def run(i: Any, x: Any, h: Any, table: Any) -> Any:
            for step in steps:
                h, table = step(i, x, h, table)
            return h, table

        return run

    def _loop(self, depth: int) -> Any:
        body = self._several(depth + 1)
        kind, most, reads = self._draw.choice(["known", "counted", "values"]), self._draw.randint(1, 4), self._draw.random() < 0.5

        def run(i: Any, x: Any, h: Any, table: Any) -> Any:
            z = tf.sin(h)
            count = most if kind == "known" else i % (most + 1)
            holds = (lambda j, h: tf.logical_and(j < most, tf.reduce_sum(h * h) > 1.0)) if kind == "values" else lambda j, h: j < count

            def step(j: Any, h: Any, table: Any) -> Any:
                h, table = body(i + j, x, h, table)
                return j + 1, h * 0.9 + 0.1 * z if reads else h, table

            return tf.while_loop(lambda j, h, table: holds(j, h), step, (0, h, table))[1:]

        return run

    def _branch(self, depth: int) -> Any:
        one, other, by_value = self._several(depth + 1), self._several(depth + 1), self._draw.random() < 0.5

        def run(i: Any, x: Any, h: Any, table: Any) -> Any:
            holds = h[0, 0] > 0.0 if by_value else i % 2 == 0
            return tf.cond(holds, lambda: one(i, x, h, table), lambda: other(i, x, h, table))

        return run


@pytest.mark.parametrize("has_table", [False, True])
@pytest.mark.parametrize("seed", range(20))
def test_nests(seed: int, has_table: bool) -> None:
    """The second call has other numbers of turns, the third more elements than the stacks began with."""
    nest = Nest(seed, has_table)
    compare(differentiate(nest.loss, [nest.w]), draw(8, 2, 3), -draw(8, 2, 3), draw(8, 2, 3) ** 2)


@pytest.mark.parametrize("seed", [0, 3, 5, 7, 9])
def test_nests_twice(seed: int) -> None:
    """The gradient of a function of the gradient: lists of what was popped from others, lists of zeros, lists that were emptied."""
    nest = Nest(seed)
    compare(differentiate(nest.loss, [nest.w], 2), draw(8, 2, 3), -draw(8, 2, 3))


def test_many_turns() -> None:
    """More elements than the stacks begin with; then a call with fewer, and one with none."""
    w = tf.Variable(0.3 * draw(4, 4))

    def loss(x: Any) -> Any:
        turns = tf.cast(x[0, 0], tf.int32)
        inner = lambda i, h: repeat(i % 7, lambda j, h: tf.sin(h @ w + x[j]), h * 1.1)
        return tf.reduce_sum(repeat(turns, inner, x))

    x = draw(8, 4)
    compare(differentiate(loss, [w]), *[np.where(np.arange(4) == 0, n, x) for n in (100.0, 3.0, 0.0, 40.0)])


def test_what_an_inner_loop_reads_of_the_outer_one() -> None:
    """A value that all turns of an inner loop read is kept once for each turn of the outer one; a number is not kept at all."""
    w = tf.Variable(0.3 * draw(4, 4))

    def loss(x: Any) -> Any:
        def outer(i: Any, h: Any) -> Any:
            z = tf.exp(-h * h) @ w
            return repeat(3, lambda j, h: tf.tanh(h * z + x[i]) * z * 0.5, h)

        return tf.reduce_sum(repeat(6, outer, x[0]) ** 2)

    compare(differentiate(loss, [w]), draw(8, 2, 4), 2.0 * draw(8, 2, 4))


def test_a_loop_in_a_branch() -> None:
    """Without a loop around it; the other branch leaves its lists empty.  Twice through it is for kernels."""
    w = tf.Variable(0.3 * draw(4, 4))

    def loss(x: Any) -> Any:
        several = lambda: repeat(5, lambda i, h: tf.tanh(h @ w + x[i][None]), x[:1])
        return tf.reduce_sum(tf.cond(x[0, 0] > 0.0, several, lambda: tf.sin(x[1:2] @ w)))

    x = draw(8, 4)
    compare(differentiate(loss, [w]), x, -x)
    compare(differentiate(loss, [w], 2), x, -x, native=False)


def test_a_list_that_a_loop_leaves_elements_in() -> None:
    """Its zeros are not those of an empty list: the program, which takes them for these, reports a fault, and kernels run."""

    def slope(x: Any) -> Any:
        def add(i: Any, kept: Any, total: Any) -> Any:
            rest, element = POP(kept, element_dtype=tf.float64, dims=(3,))
            return i + 1, rest, total * 2.0 + element

        with tf.GradientTape() as tape:
            tape.watch(x)
            _, kept = tf.while_loop(lambda i, _: i < 4, lambda i, kept: (i + 1, PUSH(kept, tf.sin(x[i]))), (0, EMPTY()))
            turns = tf.cast(x[0, 0], tf.int32)
            total = tf.while_loop(lambda i, *_: i < turns, add, (0, kept, tf.zeros([3], tf.float64)))[2]
        return tape.gradient(total, x)

    compiled, kernels = (tf.function(slope, jit_compile=jit) for jit in (True, False))
    for turns in (4.0, 2.0, 3.0, 4.0):
        x = tf.constant(np.where(np.arange(12).reshape(4, 3) == 0, turns, draw(4, 3)))
        np.testing.assert_allclose(compiled(x).numpy(), kernels(x).numpy(), rtol=1e-12)
    assert compiled.explain(x).reason is None
