"""Loops beyond the golden programs: against differences where TensorFlow has no answer, what checkpoints cost, what lists cost."""

from __future__ import annotations

import math
import time
import tracemalloc
import weakref
from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
import pytest

import pullback as tf
from pullback.control.revolve import Revolve, first_stretch, states_to_spare
from pullback.engine.jit_policy import Settings
from pullback.ir.context import start_listening, stop_listening
from pullback.ops.tensor_list.value import ListValue
from pullback.transforms.forward import pushforward
from pullback.transforms.reverse import find_between
from tests.show_python import show_python

v1 = tf.compat.v1
X = np.array([0.4, 0.9, 1.3])


def _power(x: Any) -> Any:
    return tf.while_loop(lambda i, s: i < 4, lambda i, s: (i + 1, tf.sin(s) * x), (tf.constant(0), x))[1]


def _nested(x: Any) -> Any:
    def inner(s: Any) -> Any:
        return tf.while_loop(lambda j, t: j < 3, lambda j, t: (j + 1, tf.tanh(t * s) + 0.2 * x), (tf.constant(0), x))[1]

    return tf.while_loop(lambda i, s: i < 2, lambda i, s: (i + 1, inner(s) * x), (tf.constant(0), x))[1]


def _branches(x: Any) -> Any:
    def body(i: Any, s: Any) -> Any:
        return i + 1, tf.cond(tf.equal(i % 2, 0), lambda: s * x, lambda: tf.exp(-s))

    return tf.while_loop(lambda i, s: i < 5, body, (tf.constant(0), x))[1]


def _array(x: Any) -> Any:
    ta = tf.TensorArray(tf.float64, 4, clear_after_read=False, element_shape=[3]).write(0, x)
    body: Callable[..., Any] = lambda i, ta: (i + 1, ta.write(i, tf.sin(ta.read(i - 1)) * ta.read(0)))
    return tf.while_loop(lambda i, ta: i < 4, body, (tf.constant(1), ta))[1].stack()


def _scan(x: Any) -> Any:
    return tf.scan(lambda a, t: tf.tanh(a * t) + x[0], x, initializer=x[1])


def _map(x: Any) -> Any:
    return tf.map_fn(lambda t: tf.foldl(lambda a, u: tf.sin(a * u) + t, x, initializer=t), x)


PROGRAMS = {"power": _power, "nested": _nested, "branches": _branches, "array": _array, "scan": _scan, "map": _map}


def _evaluate(make: Callable[[Any], Any], at: np.ndarray[Any, Any]) -> Any:
    with tf.Graph().as_default():
        x = v1.placeholder(tf.float64, [3])
        y = make(x)
        with v1.Session() as session:
            return session.run(y, {x: at})


def _slope(make: Callable[[Any], Any], at: np.ndarray[Any, Any], direction: np.ndarray[Any, Any]) -> Any:
    h = 1e-4
    ahead, back, far, behind = (_evaluate(make, at + k * h * direction) for k in (1, -1, 2, -2))
    return (8.0 * (ahead - back) - (far - behind)) / (12.0 * h)


def _total(y: Any) -> Any:
    return tf.reduce_sum(y * tf.reshape(tf.cast(tf.range(1, tf.size(y) + 1), y.dtype), tf.shape(y)))


def _gradient(f: Callable[[Any], Any], order: int) -> Callable[[Any], Any]:
    def make(x: Any) -> Any:
        y = _total(f(x))
        for _ in range(order):
            y = _total(tf.gradients(y, x)[0])
        return y

    return make


@pytest.mark.parametrize("order", [0, 1, 2])
@pytest.mark.parametrize("name", PROGRAMS)
def test_gradients_in_a_graph_against_differences(name: str, order: int) -> None:
    """TensorFlow 1's loops have no second order at all."""
    direction = np.array([0.3, -0.7, 0.5])
    found = _evaluate(lambda x: tf.gradients(_gradient(PROGRAMS[name], order)(x), x)[0], X)
    np.testing.assert_allclose(found @ direction, _slope(_gradient(PROGRAMS[name], order), X, direction), rtol=2e-7, atol=1e-8)


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_tape_over_control_flow_of_a_graph(name: str) -> None:
    """TensorFlow raises NotImplementedError for a tape over a loop or a branch of a graph."""

    def taped(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = _total(PROGRAMS[name](x))
        return tape.gradient(y, x)

    expected = _evaluate(lambda x: tf.gradients(_total(PROGRAMS[name](x)), x)[0], X)
    np.testing.assert_allclose(_evaluate(taped, X), expected, rtol=1e-12)


@pytest.mark.parametrize("name", PROGRAMS)
def test_eager_code_and_graphs_agree(name: str) -> None:
    x = tf.constant(X)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = _total(PROGRAMS[name](x))
        g = _total(tape.gradient(y, x))
    h = outer.gradient(g, x)
    np.testing.assert_allclose(h, _evaluate(lambda x: tf.gradients(_gradient(PROGRAMS[name], 1)(x), x)[0], X), rtol=1e-10)


@pytest.mark.parametrize("order", [0, 1, 2])
@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("inside", [True, False], ids=["tape inside", "tape outside"])
def test_functions_agree_with_graphs(name: str, order: int, inside: bool) -> None:
    """A function that holds the tapes, and tapes around a function."""

    def taped(f: Callable[[Any], Any], x: Any, order: int) -> Any:
        if not order:
            return _total(f(x))
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = taped(f, x, order - 1)
        return _total(tape.gradient(y, x))

    f = PROGRAMS[name]
    function = tf.function(lambda x: taped(f, x, order) if inside else f(x), autograph=False)
    found = function(tf.constant(X)) if inside else taped(function, tf.constant(X), order)
    np.testing.assert_allclose(found, _evaluate(_gradient(f, order), X), rtol=1e-9)


@pytest.mark.parametrize("name", PROGRAMS)
def test_forward_mode_in_a_graph(name: str) -> None:
    """The tangents of a loop's results along a direction, by transposing its gradient."""
    direction = np.array([0.3, -0.7, 0.5])

    def pushed(x: Any) -> Any:
        y = _total(PROGRAMS[name](x))
        return pushforward(find_between([y], [x]), [x], [tf.constant(direction)], [y])[0]

    expected = _evaluate(lambda x: tf.gradients(_total(PROGRAMS[name](x)), x)[0], X) @ direction
    np.testing.assert_allclose(_evaluate(pushed, X), expected, rtol=1e-10)


def test_gradients_inside_a_loop_body() -> None:
    """Steepest descent inside a loop, and the derivative of where it arrives."""

    def descended(x: Any) -> Any:
        def body(i: Any, s: Any) -> Any:
            slope = tf.gradients(tf.reduce_sum((s - x) ** 4), s)[0]
            return i + 1, s - 0.05 * slope

        return tf.while_loop(lambda i, s: i < 6, body, (tf.constant(0), tf.zeros_like(x)))[1]

    direction = np.array([1.0, 0.5, -0.3])
    found = _evaluate(lambda x: tf.gradients(_total(descended(x)), x)[0], X)
    np.testing.assert_allclose(found @ direction, _slope(lambda x: _total(descended(x)), X, direction), rtol=1e-7)


# ---- checkpoints


def _steps(x: Any, n: int, checkpoint: Any) -> Any:
    body: Callable[..., Any] = lambda i, s: (i + 1, s + 0.001 * tf.sin(s) * x)
    return tf.while_loop(lambda i, s: i < n, body, (tf.constant(0), x), checkpoint=checkpoint)[1]


@pytest.mark.parametrize("checkpoint", [1, 2, 7, 40, "log"])
@pytest.mark.parametrize("order", [1, 2, 3])
def test_checkpoints_give_the_same_numbers(checkpoint: Any, order: int) -> None:
    plain = _evaluate(_gradient(lambda x: _steps(x, 23, None), order), X)
    assert _evaluate(_gradient(lambda x: _steps(x, 23, checkpoint), order), X) == pytest.approx(plain, rel=1e-13)


@pytest.mark.parametrize("steps", [0, 1, 2, 3, 16, 17])
@pytest.mark.parametrize("checkpoint", [4, "log"])
def test_checkpoints_of_few_steps(steps: int, checkpoint: Any) -> None:
    plain, kept = (_evaluate(_gradient(lambda x: _steps(x, steps, keep), 1), X) for keep in (None, checkpoint))  # noqa: B023  # at once
    assert plain == kept


class State:
    """A state of a loop, to count how many are alive."""

    alive: ClassVar[weakref.WeakSet[State]] = weakref.WeakSet()

    def __init__(self, step: int) -> None:
        self.step = step
        self.alive.add(self)


class Counted:
    """A gradient of a loop of numbered states that checks the order of the steps and counts what it costs."""

    def __init__(self, steps: int) -> None:
        self.forwards = self.most = 0
        self.expected = steps - 1
        self.revolve = Revolve([], [0], [], self.forward, self.back)

    def forward(self, values: Any) -> list[Any]:
        self.forwards += 1
        new = [State(values[0].step + 1)]
        self.most = max(self.most, len(State.alive))
        return new

    def back(self, state: Any, gs: Any) -> list[Any]:
        assert state[0].step == self.expected
        self.expected -= 1
        self.forwards += 1  # the step is run once more for what its rules read
        return [gs[0] + 1]


@pytest.mark.parametrize("steps", [1, 2, 3, 10, 100, 1000, 10_000])
def test_the_logarithmic_schedule_holds_few_states_at_little_work(steps: int) -> None:
    counted = Counted(steps)
    counted.revolve.sparingly([State(0)], steps, states_to_spare(steps))
    assert counted.expected == -1
    assert counted.revolve.gs == [steps]
    assert counted.most <= math.log2(steps) + 4
    if steps >= 10:
        forward_work = steps + counted.forwards  # the loop itself, and all that its gradient ran again
        assert forward_work / steps < math.log2(steps) + (2 if steps < 1000 else 0)


def test_a_period_holds_as_many_states_as_it_says() -> None:
    counted = Counted(1000)
    counted.revolve.periodically([State(0)], 1000, 50)
    assert counted.expected == -1
    assert counted.most <= 1000 / 50 + 50 + 1
    assert counted.forwards <= 3 * 1000


def test_a_stretch_leaves_something_to_do() -> None:
    for steps in range(2, 200):
        for spare in range(2, 9):
            assert 1 <= first_stretch(steps, spare) < steps


def test_a_long_loop_with_checkpoints_holds_little_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """10,000 steps on 20 kB: kept whole, 200 MB and more; in logarithmic number under 2 MB."""
    monkeypatch.setattr(Settings, "jit", False)  # compiling takes memory of its own
    with tf.Graph().as_default():
        x = tf.constant(np.linspace(0.1, 1.0, 2500))
        g = tf.gradients(_steps(x, 10_000, "log"), x)[0]
        with v1.Session() as session:
            tracemalloc.start()
            try:
                found = session.run(g)
                peak = tracemalloc.get_traced_memory()[1]
            finally:
                tracemalloc.stop()
    assert peak < 2_000_000
    with tf.Graph().as_default():
        x = tf.constant(np.linspace(0.1, 1.0, 2500)[::833])
        g = tf.gradients(_steps(x, 10_000, None), x)[0]
        with v1.Session() as session:
            np.testing.assert_allclose(found[::833], session.run(g), rtol=1e-9)


def test_checkpoints_refuse_what_would_differ() -> None:
    x = tf.constant(X)
    with pytest.raises(ValueError, match=r"RandomUniform.*test_loops.py"):
        tf.while_loop(lambda s: tf.reduce_sum(s) < 9.0, lambda s: (s + tf.random.uniform([3], dtype=tf.float64),), (x,), checkpoint=2)
    wrong: Any
    for wrong in (0, -1, 1.5, True, "root"):
        with pytest.raises(ValueError, match="checkpoint"):
            tf.while_loop(lambda s: False, lambda s: (s,), (x,), checkpoint=wrong)


def test_checkpoints_follow_variables_and_arrays() -> None:
    v = tf.Variable(X)
    found = []
    for keep in (None, 3, "log"):
        with tf.GradientTape() as tape:
            ta = tf.TensorArray(tf.float64, 6, clear_after_read=False, element_shape=[3]).write(0, v * 2.0)
            body: Callable[..., Any] = lambda i, ta: (i + 1, ta.write(i, tf.sin(ta.read(i - 1)) * v))
            y = tf.while_loop(lambda i, ta: i < 6, body, (tf.constant(1), ta), checkpoint=keep)[1].stack()
        found.append(tape.gradient(y, v).numpy())
    np.testing.assert_allclose(found[1], found[0], rtol=1e-14)
    np.testing.assert_allclose(found[2], found[0], rtol=1e-14)


# ---- lists


def test_lists_keep_every_version() -> None:
    """Old versions of a list stay as they were, whichever is asked for first."""
    versions: list[tuple[ListValue, list[Any]]] = [(ListValue([None] * 3), [None] * 3)]
    plain: list[Any] = [None] * 3
    changes: list[tuple[Callable[[ListValue], ListValue], Callable[[list[Any]], list[Any]]]] = [
        (lambda v: v.write(1, "a"), lambda p: [p[0], "a", *p[2:]]),
        (lambda v: v.push("b"), lambda p: [*p, "b"]),
        (lambda v: v.resize(2), lambda p: p[:2]),
        (lambda v: v.resize(4), lambda p: [*p, None, None]),
        (lambda v: v.pop()[0], lambda p: p[:-1]),
        (lambda v: v.write(0, "c"), lambda p: ["c", *p[1:]]),
    ]
    for step, effect in changes:
        plain = effect(plain)
        versions.append((step(versions[-1][0]), plain))
    for order in ([6, 0, 3, 1, 5, 2, 4], [2, 6, 2, 0]):
        for i in order:
            assert list(versions[i][0].items()) == versions[i][1]
            assert versions[i][0].length == len(versions[i][1])
    fork = versions[1][0].write(2, "d")
    assert fork.items() == [None, "a", "d"]
    assert versions[6][0].items() == versions[6][1]


def _seconds(n: int, how: str) -> float:
    with tf.Graph().as_default():
        x = tf.constant(1.5)
        ta = tf.TensorArray(tf.float32, n, clear_after_read=False, element_shape=[]).write(0, x)
        if how == "written":
            y = tf.while_loop(lambda i, ta: i < n, lambda i, ta: (i + 1, ta.write(i, ta.read(i - 1) * 0.9)), (tf.constant(1), ta))[
                1
            ].stack()
        else:
            full = tf.TensorArray(tf.float32, n, clear_after_read=False).unstack(tf.fill([n], x))
            y = tf.while_loop(lambda i, s: i < n, lambda i, s: (i + 1, s * 0.5 + full.read(i)), (tf.constant(0), x))[1]
        g = tf.gradients(y, x)[0]
        with v1.Session() as session:
            session.run(g)
            times = []
            for _ in range(5):
                start = time.process_time()
                session.run(g)
                times.append(time.process_time() - start)
    return min(times)


@pytest.mark.parametrize("how", ["written", "read"])
def test_a_step_costs_the_same_in_a_long_loop(how: str) -> None:
    """Sixteen times the steps, about sixteen times the time: no step walks the list, forwards or backwards."""
    assert _seconds(6400, how) / _seconds(400, how) < 40.0


# ---- what users see


def test_tensor_arrays_tell_what_they_are() -> None:
    ta = tf.TensorArray(tf.float32, 3, element_shape=[2])
    assert repr(ta) == "<tf.TensorArray: dtype=float32, element_shape=(2,), size=3>"
    assert (ta.dtype, ta.element_shape.as_list(), ta.handle, ta.dynamic_size) == (tf.float32, [2], None, False)
    with pytest.raises(TypeError, match="stack"):
        tf.convert_to_tensor(ta)
    with pytest.raises(NotImplementedError, match="not supported when executing eagerly"):
        ta.grad("x")


def test_eager_arrays_change_in_place_as_in_tensorflow() -> None:
    ta = tf.TensorArray(tf.float32, 2)
    ta.write(0, 1.0)
    ta.write(1, 2.0)
    np.testing.assert_array_equal(ta.stack(), [1.0, 2.0])


def test_an_eager_array_goes_round_in_a_loop_of_a_graph() -> None:
    x = tf.constant(X)
    with tf.GradientTape() as tape:
        tape.watch(x)
        begun = tf.TensorArray(tf.float64, 4, clear_after_read=False).write(0, x[1])

        @tf.function(autograph=False)
        def powers() -> tf.Tensor:
            step = lambda i, ta: (i + 1, ta.write(i, ta.read(i - 1) * 2.0))
            return tf.while_loop(lambda i, ta: i < 4, step, (1, begun))[1].stack()

        y = powers()
    np.testing.assert_allclose(y, X[1] * np.array([1.0, 2.0, 4.0, 8.0]))
    np.testing.assert_allclose(tape.gradient(y, x), [0.0, 15.0, 0.0])
    np.testing.assert_allclose(begun.read(0), X[1])


def test_arrays_go_in_and_out_of_functions() -> None:
    squares = tf.function(lambda x: tf.TensorArray(tf.float64, 3).unstack(x * x), autograph=False)
    tripled = tf.function(lambda ta: ta.stack() * 3.0, autograph=False)
    x = tf.constant(X)
    for _ in range(2):  # an element read of one answer is not read of the next
        assert float(squares(x).read(1)) == X[1] ** 2
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tripled(squares(x))
    np.testing.assert_allclose(tape.gradient(y, x), 6.0 * X)


def test_errors_name_the_users_line() -> None:
    with pytest.raises(tf.errors.OutOfRangeError, match=r"index 7.*TensorArray.write at .*test_loops.py"):
        tf.TensorArray(tf.float32, 2).write(7, 1.0)
    with tf.Graph().as_default():
        y = tf.TensorArray(tf.float32, 2).write(v1.placeholder_with_default(7, []), 1.0).stack()
        with (
            v1.Session() as session,
            pytest.raises(tf.errors.InvalidArgumentError, match=r"(?s)element 7 in a list with 2.*TensorListSetItem.*test_loops.py"),
        ):
            session.run(y)


def test_tensorflow_1_writes_an_element_once() -> None:
    v1.disable_control_flow_v2()
    try:
        assert not v1.control_flow_v2_enabled()
        with tf.Graph().as_default():
            y = tf.TensorArray(tf.float32, 2).write(0, 1.0).write(1, 3.0).write(0, 2.0).stack()
            with (
                v1.Session() as session,
                pytest.raises(tf.errors.InvalidArgumentError, match="index 0 because it has already been written"),
            ):
                session.run(y)
    finally:
        v1.enable_control_flow_v2()
    assert v1.control_flow_v2_enabled()


def test_recordings_leave_no_listener_behind() -> None:
    class Nobody:
        active: dict[int, Any] = {}  # noqa: RUF012

        def record(self, *_: Any) -> None: ...

        def read(self, variable: Any) -> None: ...

    nobody = Nobody()
    start_listening(nobody)
    try:
        _steps(tf.constant(X), 3, "log")
    finally:
        stop_listening(nobody)
    with tf.GradientTape() as tape:
        tape.watch(x := tf.constant(X))
        y = _steps(x, 3, 2)
    assert tape.gradient(y, x) is not None


def test_a_graph_with_loops_and_branches_prints_as_python_that_runs() -> None:
    def program(x: Any) -> Any:
        step = lambda i, a: (i + 1, tf.cond(a[0] > 4.0, lambda: a * 2.0, lambda: a + 1.0))
        return tf.while_loop(lambda i, a: i < 3, step, [0, x])[1], tf.map_fn(lambda row: row * row, x)

    x = tf.constant([1.0, 3.5])
    body = tf.function(program).get_concrete_function(x).body
    scope: dict[str, Any] = {}
    exec(show_python(body.outputs, body.inputs), scope)
    for ours, theirs in zip(tf.function(scope["program"])(x), program(x), strict=True):
        np.testing.assert_array_equal(ours.numpy(), theirs.numpy())
