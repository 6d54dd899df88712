"""Native loops that give variables new values: training steps in a loop."""

import random
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import pullback as tf
from pullback.engine.jit_policy import Settings
from tests.native_kit import draw


@pytest.fixture(autouse=True)
def natively(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(Settings, "jit", True)
    yield
    tf.random.set_seed(None)


Make = Callable[[], tuple[Callable[..., Any], list[tf.Variable]]]


def compare(make: Make, *given: tuple[Any, ...], loops: int = 1) -> None:
    """Hold the calls of a function that changes variables, one after another, against its kernels: the answers, and the variables after."""
    found = []
    for jit in (False, True):
        Settings.jit = jit
        f, variables = make()
        traced = tf.function(f)
        answers = [t.numpy() for arguments in given for t in tf.nest.flatten(traced(*map(tf.constant, arguments)))]
        found.append([*answers, *(v.numpy() for v in variables)])
    for one, known in zip(*found, strict=True):
        np.testing.assert_allclose(one, known, rtol=1e-12, atol=1e-12)
    explained = traced.explain(*map(tf.constant, given[0]))
    kinds = [part.kind for part in explained.all_parts()]
    assert kinds.count("loop") == loops
    assert not loops or (explained.native and "call" not in kinds)


def test_training_steps_in_a_loop() -> None:
    """Momentum, a counter, and a variable that is read before and after it is written in one step."""

    def make() -> Any:
        w, b, m, n = tf.Variable(draw(8, 16)), tf.Variable(draw(16)), tf.Variable(np.zeros([8, 16])), tf.Variable(0)

        def train(x: Any, y: Any, steps: Any) -> Any:
            def step(i: Any, loss: Any) -> Any:
                with tf.GradientTape() as tape:
                    loss = tf.reduce_mean((tf.matmul(x, w) + b - y) ** 2)
                g, h = tape.gradient(loss, [w, b])
                m.assign(0.9 * m + g)
                w.assign_sub(0.1 * m)
                b.assign_sub(0.1 * h / (1.0 + tf.cast(n.assign_add(1), tf.float64)))
                return i + 1, loss + tf.reduce_sum(w)

            before = tf.reduce_sum(w)
            loss = tf.while_loop(lambda i, _: i < steps, step, (0, tf.constant(0.0, tf.float64)))[1]
            return before, loss, tf.reduce_sum(w)

        return train, [w, b, m, n]

    data = draw(32, 8), draw(32, 16)
    compare(make, (*data, 3), (*data, 0), (*data, 10))


def test_a_condition_reads_what_the_body_writes() -> None:
    def make() -> Any:
        v = tf.Variable(np.float64(1.0))

        def double(limit: Any) -> Any:
            tf.while_loop(lambda i: v < limit, lambda i: [i + tf.cast(v.assign(v * 2.0) > 0.0, tf.int32)], [0])
            return v + 1.0

        return double, [v]

    compare(make, (np.float64(100.0),), (np.float64(100.0),), (np.float64(1e4),))


def test_an_optimizer_in_a_loop() -> None:
    """Adam's rule, of which each step changes three variables at once."""

    def make() -> Any:
        w = tf.Variable(draw(4, 3))
        adam = tf.compat.v1.train.AdamOptimizer(0.1)

        def train(x: Any) -> Any:
            def step(i: Any) -> Any:
                with tf.GradientTape() as tape:
                    loss = tf.reduce_sum(tf.sin(tf.matmul(x, w)))
                adam.apply_gradients(zip(tape.gradient(loss, [w]), [w], strict=True))
                return [i + 1]

            tf.while_loop(lambda i: i < 5, step, [0])
            return tf.reduce_sum(w)

        return train, [w]

    compare(make, (draw(6, 4),), (draw(6, 4),))


def test_inner_loops_and_branches_write_too() -> None:
    """Epochs of batches, with a schedule and a target that follows every third step: the call after finds what the one before left."""

    def make() -> Any:
        w, target, rate, steps = tf.Variable(draw(4, 3)), tf.Variable(draw(4, 3)), tf.Variable(np.float64(0.1)), tf.Variable(0)

        def follow() -> Any:
            target.assign(0.9 * target + 0.1 * w)
            return tf.cond(rate < 0.05, lambda: rate.assign(0.05), lambda: rate.assign(rate * 0.7)) * 1.0

        def train(x: Any, epochs: Any) -> Any:
            def batch(i: Any, j: Any, loss: Any) -> Any:
                with tf.GradientTape() as tape:
                    now = tf.reduce_mean((tf.matmul(x[j][None], w) - tf.sin(tf.matmul(x[j][None], target))) ** 2)
                w.assign_sub(rate * tape.gradient(now, w))
                changed = tf.cond(steps.assign_add(1) % 3 == 0, follow, lambda: tf.constant(0.0, tf.float64))
                return i, j + 1, loss + now + changed

            inner = lambda i, loss: tf.while_loop(lambda i, j, _: j < 4 + i % 2, batch, (i, 0, loss))[2]
            return tf.while_loop(lambda i, _: i < epochs, lambda i, loss: (i + 1, inner(i, loss)), (0, tf.reduce_sum(w)))[1]

        return train, [w, target, rate, steps]

    compare(make, *((draw(5, 4), epochs) for epochs in (3, 1, 0, 7)), loops=2)


def test_rows_in_loops_and_branches_outside_loops_stay_calls() -> None:
    """What changes some rows of a variable in a loop, or writes it in a branch that is in no loop."""

    def make_rows() -> Any:
        v = tf.Variable(draw(10, 3))

        def scatter(n: Any) -> Any:
            step = lambda i: [i + tf.cast(tf.shape(v.scatter_add(tf.IndexedSlices(tf.ones([1, 3], tf.float64), [i])))[1], tf.int32) - 2]
            return tf.while_loop(lambda i: i < n, step, [0])

        return scatter, [v]

    def make_branched() -> Any:
        v = tf.Variable(draw(3))

        def branched(n: Any) -> Any:
            write = lambda: tf.cast(tf.reduce_sum(v.assign_add([1.0, 2.0, 3.0])) < 1e9, tf.int32)
            return tf.cond(n % 2 == 0, write, lambda: 1) + tf.cast(v[0] > 0.0, tf.int32)

        return branched, [v]

    for make in (make_rows, make_branched):
        compare(make, (4,), (3,), loops=0)


def test_a_fault_leaves_variables_as_the_kernels_do() -> None:
    """An index out of range in the third turn: two turns have written, then the error."""
    found = []
    for jit in (False, True):
        Settings.jit = jit
        v = tf.Variable(0.0)
        f = tf.function(
            lambda x, n, v=v: tf.while_loop(
                lambda i, s: i < n, lambda i, s: (i + 1, tf.gather(x, i) + v.assign_add(1.0)), (0, tf.constant(0.0))
            )[1]
        )
        x = tf.constant([1.0, 2.0])
        answers = [f(x, tf.constant(2)).numpy(), f(x, tf.constant(1)).numpy()]
        with pytest.raises(tf.errors.InvalidArgumentError):
            f(x, tf.constant(3))
        found.append([*answers, v.numpy()])
    np.testing.assert_array_equal(*found)


class Loop:
    """A loop drawn by a seed: a few lines that change its state and three variables by what they read of both, and by random draws."""

    SHAPES = ((), (3,), (2, 3))

    def __init__(self, seed: int) -> None:
        self._draw = random.Random(seed)
        body = "\n        ".join(self._line() for _ in range(self._draw.randint(1, 5)))
        around = [self._draw.choice(["pass", f"v{i}.assign(v{i} * 0.9)"]) for i in range(2)]
        limit = self._draw.choice(["i < n", "tf.logical_and(i < n, tf.reduce_sum(tf.abs(v0)) < 3.0)"])
        self.text = f"""
def f(x, n):
    def body(i, s):
        {body}
        return i + 1, s

    {around[0]}
    _, s = tf.while_loop(lambda i, s: {limit}, body, (0, tf.reduce_sum(x)))
    {around[1]}
    return s + tf.reduce_sum(v0), v1 + 1.0
"""

    def _line(self) -> str:
        kind = self._draw.choice(["write", "write", "write", "state", "loop", "branch"])
        if kind == "state":
            return f"s = 0.5 * s + {self._number()}"
        if kind == "loop":
            step = f"lambda j, s: (j + 1, 0.5 * s + tf.reduce_mean({self._write()}))"
            return f"s = tf.while_loop(lambda j, s: j < {self._draw.choice(['2', 'i', '1 + i % 2'])}, {step}, (0, s))[1]"
        if kind == "branch":
            one, other = (f"tf.reduce_mean({self._write()})" for _ in range(2))
            other = self._draw.choice([other, "0.1 * s"])
            return f"s += tf.cond({self._draw.choice(['i % 2 == 0', 's > 0.5'])}, lambda: {one}, lambda: {other})"
        change = self._write()
        return self._draw.choice([change, f"s += tf.reduce_mean({change})"])

    def _write(self) -> str:
        i, how = self._draw.randrange(3), self._draw.choice(["assign", "assign_add", "assign_sub"])
        start = f"0.5 * v{i}" if how == "assign" else f"tf.zeros({list(self.SHAPES[i])}, tf.float64)"
        return f"v{i}.{how}({start} + 0.3 * {self._number()})"

    def _number(self, depth: int = 0) -> str:
        kind = self._draw.choice(["given", "variable", "sin", "product", "drawn"] if depth < 3 else ["given", "variable"])
        if kind == "variable":
            return f"tf.reduce_mean(v{self._draw.randrange(3)})"
        if kind == "sin":
            return f"tf.sin({self._number(depth + 1)})"
        if kind == "product":
            return f"({self._number(depth + 1)} * {self._number(depth + 1)})"
        if kind == "drawn":
            return f"tf.reduce_mean(tf.random.{self._draw.choice(['normal', 'uniform'])}({self._draw.choice([[], [5]])}, dtype=tf.float64))"
        return self._draw.choice(["tf.reduce_mean(s)", "0.1 * tf.cast(i, tf.float64)"])

    def make(self) -> tuple[Callable[..., Any], list[tf.Variable]]:
        """The function, and its variables."""
        tf.random.set_seed(5)
        variables = [tf.Variable(draw(*shape)) for shape in self.SHAPES]
        scope: dict[str, Any] = {"tf": tf} | {f"v{i}": v for i, v in enumerate(variables)}
        exec(self.text, scope)
        return scope["f"], variables


@pytest.mark.parametrize("seed", range(24))
def test_random_loops(seed: int) -> None:
    loop = Loop(seed)
    print(loop.text)
    compare(loop.make, *((draw(4), turns) for turns in (3, 0, 1, 6)), loops=1 + loop.text.count("lambda j, s: j"))
