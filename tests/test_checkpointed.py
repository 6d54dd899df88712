"""Plans within a budget of bytes, and what they hold when measured."""

import gc
import tracemalloc
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import pullback as tf
from pullback.control.checkpointed import MemoryPlan
from pullback.engine.jit_policy import Settings

WIDTH = 20_000
SIZE = 4 * WIDTH


@pytest.fixture
def traced(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What kernels allocate: a native program's memory is not Python's, and its compilation is not what is measured."""
    monkeypatch.setattr(Settings, "jit", False)
    gc.collect()
    tracemalloc.start()
    yield
    tracemalloc.stop()


def deep(x: Any) -> Any:
    for i in range(24):
        x = tf.sin(x) * (1.0 + 0.01 * i)
    return x


def slope(f: Callable[..., Any], *xs: Any) -> list[Any]:
    with tf.GradientTape() as tape:
        tape.watch(xs)
        y = f(*xs)
    return [g.numpy() for g in tape.gradient(y, list(xs))]


def measured(f: Callable[..., Any], x: Any) -> tuple[int, int]:
    """Bytes held between the forward pass and the gradient, and the most that was allocated meanwhile."""
    slope(f, x)  # graphs are made once
    gc.collect()
    tracemalloc.reset_peak()
    before = tracemalloc.get_traced_memory()[0]
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    held = tracemalloc.get_traced_memory()[0] - before
    tape.gradient(y, x)
    return held, tracemalloc.get_traced_memory()[1] - before


@pytest.mark.parametrize("tensors", [11, 14, 18, 24])
def test_measured_memory_is_within_the_plan(traced: None, tensors: int) -> None:
    budget = tensors * SIZE
    x = tf.constant(np.linspace(-1, 1, WIDTH, dtype=np.float32))
    small = tf.checkpointed(deep, memory=budget)
    assert small.plan(x).peak <= budget
    held, peak = measured(small, x)
    others = 6 * SIZE  # the result, the gradient, and what one formula makes on its way
    assert held <= small.plan(x).kept + 1.5 * SIZE
    assert peak <= budget + others
    np.testing.assert_allclose(slope(small, x), slope(deep, x), rtol=1e-4)


def test_it_is_less_than_without(traced: None) -> None:
    x = tf.constant(np.linspace(-1, 1, WIDTH, dtype=np.float32))
    _, whole = measured(deep, x)
    _, small = measured(tf.checkpointed(deep, memory=11 * SIZE), x)
    assert small < 0.65 * whole


def test_more_memory_is_never_more_work() -> None:
    x = tf.ones([100])
    extra = [tf.checkpointed(deep, memory=400 * n).plan(x).extra for n in range(10, 25)]
    assert extra == sorted(extra, reverse=True)
    assert extra[-1] == 0
    assert 0.3 < extra[0] < 1


def test_an_impossible_budget_says_what_is_possible() -> None:
    x = tf.ones([100])
    with pytest.raises(ValueError, match="the least that is possible") as failed:
        tf.checkpointed(deep, memory=100)(x)
    least = int(str(failed.value).split(": ")[1].split(" is the least")[0].replace(",", ""))
    assert tf.checkpointed(deep, memory=least).plan(x).peak <= least
    with pytest.raises(ValueError, match="least"):
        tf.checkpointed(deep, memory=least - 1).plan(x)


def test_the_plan_is_a_table() -> None:
    plan = tf.checkpointed(deep, memory=6_000).plan(tf.ones([100]))
    assert isinstance(plan, MemoryPlan)
    text = str(plan)
    assert "recompute" in text
    assert f"{len(plan.recomputed)} nodes run again" in text
    assert len(text.splitlines()) == 3 + len(plan.segments)
    assert plan.kept + max(room for *_, room, _ in plan.segments) == plan.peak


def dense(weights: list[Any]) -> Callable[[Any], Any]:
    def f(x: Any) -> Any:
        skip = x
        for w in weights:
            x = tf.tanh(tf.matmul(x, w)) + 0.5 * skip
        return {"y": x, "norm": tf.reduce_sum(x * x)}

    return f


def weights() -> list[Any]:
    rng = np.random.default_rng(0)
    return [tf.Variable(rng.normal(0, 0.4, (6, 6)).astype(np.float32)) for _ in range(6)]


def both(f: Callable[..., Any], x: Any, vs: list[Any]) -> list[Any]:
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            out = f(x)
            loss = out["norm"] + tf.reduce_sum(out["y"])
        g = inner.gradient(loss, [x, *vs])
        total = tf.add_n([tf.reduce_sum(t * t) for t in g])
    return [t.numpy() for t in [loss, *g, *outer.gradient(total, [x, *vs])]]


def test_variables_and_second_order_in_every_world() -> None:
    vs = weights()
    x = tf.constant(np.random.default_rng(1).normal(size=(5, 6)).astype(np.float32))
    f = dense(vs)
    small = tf.checkpointed(f, memory=1_100)
    assert small.plan(x).recomputed
    want = both(f, x, vs)
    for g in (small, tf.function(small, autograph=False), tf.function(small)):
        for a, b in zip(both(g, x, vs), want, strict=True):
            np.testing.assert_allclose(a, b, rtol=2e-5, atol=1e-5)


def test_in_a_version_1_graph() -> None:
    v1 = tf.compat.v1
    with v1.Graph().as_default(), v1.Session() as session:
        x = v1.placeholder(tf.float32, [50])
        small = tf.checkpointed(deep, memory=3_000)
        y, z = small(x), deep(x)
        g, h = v1.gradients(y, x)[0], v1.gradients(z, x)[0]
        (gg,), (hh,) = v1.gradients(g, x), v1.gradients(h, x)
        found = session.run([y, z, g, h, gg, hh], {x: np.linspace(0, 1, 50, dtype=np.float32)})
    for a, b in zip(found[::2], found[1::2], strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-5)


def test_a_variable_written_between_does_not_change_the_gradient() -> None:
    v = tf.Variable(2.0)

    def f(x: Any) -> Any:
        for _ in range(8):
            x = tf.sin(x * v)
        return x

    x = tf.ones([100])
    want = slope(f, x)
    small = tf.checkpointed(f, memory=3_200)
    assert small.plan(x).recomputed
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = small(x)
    v.assign(5.0)
    np.testing.assert_allclose(tape.gradient(y, x), want[0], rtol=1e-5)


def test_random_operations_are_drawn_once() -> None:
    def noisy(x: Any) -> Any:
        for _ in range(4):
            x = tf.sin(x) * tf.random.uniform([100]) * 2.0
        return x

    small = tf.checkpointed(noisy, memory=3_200)
    x = tf.ones([100])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = small(x)
    np.testing.assert_array_equal(tape.gradient(y, x), tape.gradient(y, x))
    assert not any("Random" in name for name in small.plan(x).recomputed)


def test_branches_inside() -> None:
    def f(x: Any) -> Any:
        for _ in range(6):
            x = tf.cond(tf.reduce_sum(x) > 0.0, lambda x=x: tf.sin(x), lambda x=x: x * x)
        return x

    x = tf.linspace(-0.5, 1.0, 100)
    small = tf.checkpointed(f, memory=3_500)
    np.testing.assert_allclose(slope(small, x), slope(f, x), rtol=1e-5)


def test_methods_keywords_and_structures() -> None:
    class Net:
        def __init__(self) -> None:
            self.w = tf.Variable(1.5)

        @tf.checkpointed(memory=1_000)
        def call(self, pair: Any, *, times: int) -> Any:
            a, b = pair
            for _ in range(times):
                a = tf.sin(a * self.w) + b
            return a

    net = Net()
    a, b = tf.ones([20]), tf.ones([20]) * 0.1
    plain = Net.call.__wrapped__
    want = slope(lambda a, b: plain(net, (a, b), times=5), a, b)
    np.testing.assert_allclose(slope(lambda a, b: net.call((a, b), times=5), a, b), want, rtol=1e-5)
    assert Net.call.__name__ == "call"


def test_what_it_refuses() -> None:
    v = tf.Variable(1.0)

    def writes(x: Any) -> Any:
        v.assign_add(1.0)
        return x * v

    with pytest.raises(ValueError, match="changes something"):
        tf.checkpointed(writes, memory=100)(tf.ones([3]))
    with pytest.raises(ValueError, match="number of bytes"):
        tf.checkpointed(deep, memory=-1)
    with tf.compat.v1.Graph().as_default(), pytest.raises(ValueError, match="known shapes"):
        tf.checkpointed(deep, memory=100)(tf.compat.v1.placeholder(tf.float32, [None]))


def test_nothing_to_do() -> None:
    same = tf.checkpointed(lambda x: x, memory=0)
    assert slope(same, tf.ones([3]))[0].tolist() == [1, 1, 1]
    assert tf.checkpointed(lambda x: 2.0, memory=0)(tf.ones([3])).numpy() == 2.0


def test_custom_gradients_inside_and_sparse_gradients_outside() -> None:
    table = tf.Variable(np.linspace(-1, 1, 20, dtype=np.float32).reshape(5, 4))

    @tf.custom_gradient
    def of_my_own(x: Any) -> Any:
        z = tf.exp(x)
        w = tf.sin(z)
        return w * z, lambda g: g * z * w

    def f(indices: Any) -> Any:
        x = tf.gather(table, indices)
        for _ in range(5):
            x = of_my_own(x) * 0.3 + x
        return x

    indices = tf.constant([1, 1, 2])
    small = tf.checkpointed(f, memory=440)
    assert small.plan(indices).recomputed
    with tf.GradientTape(persistent=True) as tape:
        y, z = small(indices), f(indices)
    found, want = tape.gradient(y, table), tape.gradient(z, table)
    assert isinstance(found, tf.IndexedSlices)
    np.testing.assert_allclose(found.values.numpy(), want.values.numpy(), rtol=1e-5)


def looped(x: Any) -> Any:
    x = tf.sin(x)
    x = tf.while_loop(lambda i, _: i < 200, lambda i, s: (i + 1, tf.sin(s) * 1.01), [tf.constant(0), x])[1]
    return tf.exp(x) * x


def mapped(x: Any) -> Any:
    rows = tf.map_fn(lambda r: tf.reduce_sum(r * r) * tf.sin(r), tf.reshape(x, [10, -1]))
    return tf.scan(lambda a, r: tf.sin(a) * r, rows)


@pytest.mark.parametrize("f", [looped, mapped])
def test_loops_inside_keep_few_states(f: Callable[..., Any]) -> None:
    x = tf.linspace(0.1, 1.0, 100)
    small = tf.checkpointed(f, memory=20_000)
    assert small.plan(x).peak <= 20_000

    def orders(g: Callable[..., Any]) -> list[Any]:
        with tf.GradientTape() as outer:
            outer.watch(x)
            y, slopes = g(x), slope_of(g, x)
        return [y, slopes, outer.gradient(slopes, x)]

    def slope_of(g: Callable[..., Any], x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = g(x)
        return tape.gradient(y, x)

    want = orders(f)
    for g in (small, tf.function(small, autograph=False)):
        for a, b in zip(orders(g), want, strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-6)


def test_measured_memory_with_a_loop_is_within_the_plan(traced: None) -> None:
    x = tf.constant(np.linspace(-1, 1, WIDTH, dtype=np.float32))
    small = tf.checkpointed(looped, memory=30 * SIZE)
    _, whole = measured(looped, x)
    held, peak = measured(small, x)
    assert held <= small.plan(x).kept + 1.5 * SIZE
    assert peak <= small.plan(x).peak + 6 * SIZE
    assert peak < 0.2 * whole


def test_sizes_that_shapes_leave_open_are_measured() -> None:
    def f(x: Any) -> Any:
        y = tf.boolean_mask(tf.sin(x), x > 0.2)
        for _ in range(5):
            y = tf.sin(y) * 1.1
        return y

    x = tf.linspace(0.0, 1.0, 1000)
    small = tf.checkpointed(f, memory=20_000)
    assert small.plan(x).recomputed
    np.testing.assert_allclose(slope(small, x), slope(f, x), rtol=1e-5)
    with pytest.raises(ValueError, match="call it eagerly"):
        tf.function(small, input_signature=[tf.TensorSpec([None])])(x)


def test_random_numbers_in_a_loop_are_refused_in_words() -> None:
    def f(x: Any) -> Any:
        return tf.while_loop(lambda i, _: i < 3, lambda i, s: (i + 1, s * tf.random.uniform([3])), [tf.constant(0), x])[1]

    with pytest.raises(ValueError, match=r"RandomUniform.*stateless"):
        tf.checkpointed(f, memory=10_000)(tf.ones([3]))
