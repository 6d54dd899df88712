"""`tf.function` beyond the golden programs: one program in every world, and its messages."""

from __future__ import annotations

import gc
import inspect
import sys
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pullback as tf
from pullback.base.errors import InvalidArgumentError, OperatorNotAllowedInGraphError
from pullback.engine import jit_policy
from pullback.engine.background import wait_for_compiles
from pullback.engine.jit_policy import Settings

v1 = tf.compat.v1


def _polynomial(x: Any) -> Any:
    return x**3 - 2.0 * x * x


def _network(x: Any) -> Any:
    w = tf.constant(np.linspace(-1.0, 1.0, 9, dtype="f").reshape(3, 3))
    return tf.reduce_sum(tf.tanh(tf.matmul(tf.sin(x), w)) ** 2)


def _loop(x: Any) -> Any:
    return tf.while_loop(lambda i, y: i < 4, lambda i, y: (i + 1, tf.sin(y) * x), [tf.constant(0), x])[1]


def _branch(x: Any) -> Any:
    return tf.cond(tf.reduce_sum(x) > 0.0, lambda: x * x * x, lambda: tf.exp(x))


def _folded(x: Any) -> Any:
    return tf.foldl(lambda a, row: a * row + tf.sin(a), x)


def _gathered(x: Any) -> Any:
    return tf.reduce_sum(tf.gather(x, [0, 0, 1]) ** 3)


def _custom(x: Any) -> Any:
    @tf.custom_gradient
    def cubed(a: Any) -> Any:
        return a**3, lambda g: g * 3.0 * a * a

    return cubed(x)


def _inner_gradient(x: Any) -> Any:
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_sum(x**4)
    return tape.gradient(y, x)


def _called(x: Any) -> Any:
    return tf.function(_polynomial)(x) * tf.function(tf.cos)(x)


PROGRAMS: list[Callable[[Any], Any]] = [_polynomial, _network, _loop, _branch, _folded, _gathered, _custom, _inner_gradient, _called]
POINT = np.array([[0.5, -1.5, 2.0], [1.0, 0.25, -0.75], [0.1, 0.2, 0.3]], "f")


def _by_tapes(f: Callable[[Any], Any]) -> list[np.ndarray]:
    x = tf.constant(POINT)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = f(x)
        g = tf.convert_to_tensor(inner.gradient(y, x))
    return [np.asarray(tf.convert_to_tensor(t)) for t in (y, g, outer.gradient(g, x))]


def _in_graph(f: Callable[[Any], Any]) -> list[np.ndarray]:
    with tf.Graph().as_default() as graph:
        x = v1.placeholder(tf.float32, [3, 3])
        y = f(x)
        g = tf.convert_to_tensor(v1.gradients(y, x)[0])
        h = v1.gradients(g, x)[0]
        with v1.Session(graph=graph) as session:
            dense = [tf.convert_to_tensor(t) for t in (y, g, h)]
            return [np.asarray(t) for t in session.run(dense, {x: POINT})]


def _inside(f: Callable[[Any], Any]) -> list[np.ndarray]:
    @tf.function
    def all_of_it(x: Any) -> Any:
        y = f(x)
        g = tf.convert_to_tensor(tf.gradients(y, x)[0])
        return y, g, tf.gradients(g, x)[0]

    return [np.asarray(tf.convert_to_tensor(t)) for t in all_of_it(tf.constant(POINT))]


WORLDS: dict[str, Callable[[Any], list[np.ndarray]]] = {
    "function": lambda f: _by_tapes(tf.function(f)),
    "jit_compile": lambda f: _by_tapes(tf.function(f, jit_compile=True)),
    "without autograph": lambda f: _by_tapes(tf.function(f, autograph=False)),
    "unknown shape": lambda f: _by_tapes(tf.function(f, input_signature=[tf.TensorSpec([None, 3])])),
    "function in a function": lambda f: _by_tapes(tf.function(lambda x: tf.function(f)(x))),
    "gradients inside": _inside,
    "v1 graph": _in_graph,
    "function in a v1 graph": lambda f: _in_graph(tf.function(f)),
}


@pytest.mark.parametrize("world", WORLDS)
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
def test_the_same_numbers_everywhere(program: Callable[[Any], Any], world: str) -> None:
    for eager, there in zip(_by_tapes(program), WORLDS[world](program), strict=True):
        np.testing.assert_allclose(there, eager, rtol=2e-5, atol=2e-5)


def test_a_function_in_a_graph_runs_its_writes_when_it_is_fetched() -> None:
    with tf.Graph().as_default():
        v = v1.get_variable("v", [], initializer=v1.zeros_initializer(), use_resource=True)

        @tf.function
        def step(x: Any) -> Any:
            v.assign_add(x)
            return v * 2.0

        out = step(v1.placeholder_with_default(3.0, []))
        with v1.Session() as session:
            session.run(v1.global_variables_initializer())
            assert [float(session.run(out)) for _ in range(3)] == [6.0, 12.0, 18.0]
            assert float(session.run(v)) == 9.0


def test_one_function_serves_two_graphs_and_eager_code() -> None:
    double = tf.function(lambda x: x * 2.0)
    for value in (1.0, 2.0):
        with tf.Graph().as_default(), v1.Session() as session:
            assert session.run(double(tf.constant(value))) == 2.0 * value
    assert float(double(tf.constant(3.0))) == 6.0


def test_a_failed_call_takes_its_writes_back() -> None:
    v = tf.Variable(1.0)

    @tf.function
    def step(i: Any) -> Any:
        v.assign(5.0)
        return tf.gather(tf.constant([1.0, 2.0]), i)

    with pytest.raises(InvalidArgumentError):
        step(tf.constant(7))
    assert float(v) == 1.0


def test_prints_and_asserts_run_with_nobody_reading_them(capsys: pytest.CaptureFixture[str]) -> None:
    @tf.function
    def talks(x: Any) -> Any:
        print("x is", x)
        print("traced")
        tf.print("then", x + 1, output_stream=sys.stdout)
        return x

    talks(tf.constant(1))
    talks(tf.constant(2))
    assert capsys.readouterr().out == 'x is Tensor("x:0", shape=(), dtype=int32)\ntraced\nthen 2\nthen 3\n'


def test_instances_are_not_kept_alive() -> None:
    class Model:
        @tf.function
        def __call__(self, x: Any) -> Any:
            return x + 1.0

    model = Model()
    model(tf.constant(1.0))
    gone = weakref.ref(model)
    del model
    gc.collect()
    assert gone() is None


def test_random_numbers_differ_from_call_to_call_under_a_tape_too() -> None:
    f = tf.function(lambda x: x * tf.random.uniform([], seed=3))
    x = tf.constant(1.0)
    seen = [float(f(x)) for _ in range(3)]
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        seen += [float(f(x)) for _ in range(3)]
    assert len(set(seen)) == 6


# ---- messages


def test_an_error_names_the_line_of_the_program() -> None:
    def wrong(x: Any) -> Any:
        if x > 0.0:
            return tf.matmul(x, x)  # the line that is wrong
        return x

    with pytest.raises(ValueError) as caught:
        tf.function(wrong)(tf.constant(1.0))
    notes = "".join(caught.value.__notes__)
    assert __file__ in notes and "the line that is wrong" in notes and "in wrong" in notes


def test_an_operation_of_rewritten_code_is_of_the_users_line() -> None:
    def f(x: Any) -> Any:
        while x < 3.0:
            x = x * 2.0
        return x

    graph = tf.function(f).get_concrete_function(tf.TensorSpec([])).graph
    (loop,) = [node for node in graph.get_operations() if node.type == "While"]
    assert loop.traceback[0][0] == __file__ and "autograph_generated" not in loop.where


def test_an_operation_of_a_gradient_is_of_the_line_that_asked_for_it() -> None:
    with v1.Graph().as_default() as graph:
        x = v1.placeholder(v1.float32, [2])
        y = v1.reduce_sum(x * x)
        first = len(graph.get_operations())
        v1.gradients(y, x)
        line = inspect.currentframe().f_lineno - 1  # type: ignore[union-attr]
    made = graph.get_operations()[first:]
    assert made and all(op.traceback[0][:2] == (__file__, line) for op in made)


def test_a_leaked_tensor_is_named_with_the_line_that_made_it() -> None:
    kept: list[Any] = []
    tf.function(lambda x: kept.append(x * 2.0))(tf.constant(1.0))
    with pytest.raises(TypeError, match=f"out of scope.*{Path(__file__).name}"):
        _ = kept[0] + 1.0


def test_python_if_without_autograph_says_the_way_out() -> None:
    @tf.function(autograph=False)
    def f(x: Any) -> Any:
        return x if x > 0.0 else -x

    with pytest.raises(OperatorNotAllowedInGraphError, match=rf"{Path(__file__).name}:\d+.*AutoGraph.*tf\.cond"):
        f(tf.constant(1.0))


def test_code_without_source_runs_as_it_is_and_says_so_when_that_does_not_do() -> None:
    space: dict[str, Any] = {}
    exec("def straight(x): return x * 2.0\ndef bent(x): return x if x > 0.0 else -x", space)
    assert float(tf.function(space["straight"])(tf.constant(1.0))) == 2.0
    with pytest.raises(OperatorNotAllowedInGraphError, match="keep its source"):
        tf.function(space["bent"])(tf.constant(1.0))


def test_what_a_variable_made_from_a_spec_needs_is_told() -> None:
    made: list[Any] = []

    @tf.function
    def f(x: Any) -> Any:
        if not made:
            made.append(tf.Variable(x))
        return made[0] * x

    with pytest.raises(ValueError, match="argument 'x:0'"):
        f.get_concrete_function(tf.TensorSpec([]))


# ---- a tape over a function that runs natively


@pytest.fixture
def pays_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every function be compiled after its first call; `wait_for_compiles` says when that is done."""
    monkeypatch.setattr(Settings, "jit", None)
    for price in ("_ANY", "_NODE", "_LOADING"):
        monkeypatch.setattr(jit_policy, price, 0.0)


def _chain(x: Any) -> Any:
    for i in range(12):
        x = tf.sin(x) * (1.0 + 0.1 * i)
    return x


def _mixed(x: Any) -> Any:
    w = tf.constant(np.linspace(-1.0, 1.0, 9, dtype="f").reshape(3, 3))
    for _ in range(3):
        x = tf.tanh(tf.matmul(tf.exp(-x * x), w)) + 0.5 * x
    return {"x": x, "norm": tf.reduce_sum(x * x)}


@pytest.mark.usefixtures("pays_at_once")
@pytest.mark.parametrize("program", [_chain, _mixed, _network, _branch, _custom], ids=lambda f: f.__name__)
def test_the_gradient_is_the_same_at_every_call(program: Callable[[Any], Any]) -> None:
    """The first calls run on kernels and keep residuals, later ones run natively and compute cheap ones again."""

    def gradient(f: Callable[[Any], Any], y_of: Callable[[Any], Any]) -> np.ndarray:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = y_of(f(x))
        return np.asarray(tape.gradient(y, x))

    x, f = tf.constant(POINT), tf.function(program)
    whole: Callable[[Any], Any] = lambda y: [y["x"], y["norm"]] if isinstance(y, dict) else y
    part: Callable[[Any], Any] = lambda y: y["x"] if isinstance(y, dict) else y
    for y_of in (whole, part):
        want = gradient(program, y_of)
        for _ in range(6):
            np.testing.assert_allclose(gradient(f, y_of), want, rtol=2e-5, atol=2e-5)
            wait_for_compiles()


@pytest.mark.usefixtures("pays_at_once")
def test_a_value_that_a_later_write_changes_is_kept() -> None:
    v = tf.Variable(2.0)
    f = tf.function(lambda x: tf.sin(tf.exp(x * v) * 0.1))
    x = tf.constant([0.5, 1.0])
    found = []
    for _ in range(6):
        v.assign(2.0)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(x)
        v.assign(7.0)
        found.append(tape.gradient(y, x).numpy())
        wait_for_compiles()
    np.testing.assert_allclose(found, [found[0]] * 6, rtol=1e-5)


@pytest.mark.usefixtures("pays_at_once")
def test_an_outer_tape_that_came_later_finds_nothing_wrong() -> None:
    f = tf.function(_chain)
    x = tf.constant(POINT)
    for _ in range(5):
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y = f(x)
        with tf.GradientTape() as late:
            late.watch(x)
            g = tape.gradient(y, x)
        np.testing.assert_allclose(g, tape.gradient(y, x), rtol=2e-5, atol=1e-6)
        assert late.gradient(g, x) is None
        wait_for_compiles()


def test_arrays_of_tensors_of_two_dtypes_have_two_traces() -> None:
    f = tf.function(lambda ta: ta.stack() * 2)
    for dtype in (tf.float32, tf.int32):
        ta = tf.TensorArray(dtype, 2, clear_after_read=False).unstack(tf.constant([1, 2], dtype))
        assert f(ta).dtype is dtype and f(ta).numpy().tolist() == [2, 4]


@pytest.mark.usefixtures("pays_at_once")
def test_calls_that_are_written_differently_mean_the_same() -> None:
    @tf.function
    def f(x: Any, y: Any, *rest: Any, scale: Any = 1.0, **named: Any) -> Any:
        total = (x - 2.0 * y) * scale
        for r in rest:
            total = total + r
        return {"total": total, "named": {k: v * 2.0 for k, v in named.items()}, "none": None, "pair": (x, [y])}

    a, b = tf.constant(3.0), tf.constant(5.0)
    for x, y in ((a, b), (b, a), (a, a)):
        want = float(x) - 2.0 * float(y)
        for _ in range(3):
            assert float(f(x, y)["total"]) == want
            assert float(f(y=y, x=x)["total"]) == want
            assert float(f(x, y=y)["total"]) == want
            assert float(f(x, y, scale=2.0)["total"]) == 2.0 * want
            assert float(f(x, y, scale=x)["total"]) == want * float(x)
            assert float(f(x, y, a, b)["total"]) == want + 8.0
            found = f(x, y, second=y, first=x)
            assert {k: float(v) for k, v in found["named"].items()} == {"second": 2.0 * float(y), "first": 2.0 * float(x)}
            assert found["none"] is None and isinstance(found["pair"], tuple) and float(found["pair"][1][0]) == float(y)
            wait_for_compiles()


def test_equal_values_of_different_types_are_different_calls() -> None:
    f = tf.function(lambda x, n: (x, n))
    x = tf.constant(1.0)
    for _ in range(3):
        assert [f(x, n)[1].dtype.name for n in (1, 1.0, True)] == ["int32", "float32", "bool"]
        assert [len(f(x, n)[1]) for n in ((x,), [x, x])] == [1, 2]


def test_ever_new_shapes_do_not_fill_memory() -> None:
    f = tf.function(lambda x: tf.reduce_sum(x), reduce_retracing=True)
    for n in range(1100):
        assert float(f(tf.ones([n]))) == n
    assert f.experimental_get_tracing_count() == 2
    assert len(f._traces.quick) <= 1024
