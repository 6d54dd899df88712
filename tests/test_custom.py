"""Gradients of one's own beyond what TensorFlow can: forward mode, keywords in graphs, captured tensors, memory; against differences."""

import gc
import inspect
import tracemalloc
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import pullback as tf
from pullback.ir.context import start_listening, stop_listening
from pullback.kernels import blocked
from pullback.transforms.forward import pushforward
from pullback.transforms.recording import Recording
from pullback.transforms.registry import get_gradient_function

v1 = tf.compat.v1
X = np.array([0.3, -0.7, 1.1])
DIRECTION = np.array([0.5, 1.0, -2.0])


def slope(f: Callable[..., Any], x: np.ndarray) -> Any:
    t = tf.constant(x)
    with tf.GradientTape() as tape:
        tape.watch(t)
        y = f(t)
    return tape.gradient(y, t).numpy()


def differences(f: Callable[..., Any], x: np.ndarray, h: float = 1e-5) -> Any:
    """The gradient of the sum of `f`, by central differences."""
    found = np.zeros_like(x)
    for i in np.ndindex(x.shape):
        step = np.zeros_like(x)
        step[i] = h
        found[i] = (np.sum(f(tf.constant(x + step)).numpy()) - np.sum(f(tf.constant(x - step)).numpy())) / (2 * h)
    return found


def forwards(f: Callable[..., Any], x: np.ndarray, direction: np.ndarray) -> Any:
    """The directional derivative of `f` by forward mode, eagerly."""
    t = tf.constant(x)
    recording = Recording(reads_variables=False)
    recording.watch(t)
    start_listening(recording)
    try:
        y = f(t)
    finally:
        stop_listening(recording)
    (found,) = pushforward(recording.nodes, [t], [tf.constant(direction)], [y])
    return found.numpy()


def forwards_in_graph(f: Callable[..., Any], x: np.ndarray, direction: np.ndarray) -> Any:
    with v1.Graph().as_default() as graph, v1.Session() as session:
        t = v1.placeholder(tf.float64, x.shape)
        y = f(t)
        nodes = list(graph.get_operations())
        (found,) = pushforward(nodes, [t], [tf.constant(direction)], [y])
        return session.run(found, {t: x})


@tf.custom_gradient
def cubic(x: Any) -> Any:
    """Its rule is not the derivative, so that one sees which is used."""
    return x * x * x, lambda g: g * 5.0 * x * x


FORWARD: list[tuple[str, Callable[..., Any], Any]] = [
    ("custom_gradient", cubic, 5 * X**2 * DIRECTION),
    ("custom_gradient in a chain", lambda x: tf.sin(cubic(x) * 2.0), np.cos(2 * X**3) * 10 * X**2 * DIRECTION),
    ("recompute_grad", tf.recompute_grad(lambda x: tf.sin(x) * x), (np.cos(X) * X + np.sin(X)) * DIRECTION),
    ("grad_pass_through", tf.grad_pass_through(tf.round), DIRECTION),
    ("py_function", lambda x: tf.py_function(lambda t: t * t * t, [x], tf.float64), 3 * X**2 * DIRECTION),
    ("recompute_grad of custom_gradient", tf.recompute_grad(lambda x: cubic(x) + x), (5 * X**2 + 1) * DIRECTION),
    ("checkpointed", tf.checkpointed(lambda x: tf.sin(tf.sin(tf.sin(x))), memory=72), None),
]


@pytest.mark.parametrize(("f", "want"), [pytest.param(f, want, id=name) for name, f, want in FORWARD])
@pytest.mark.parametrize("mode", [forwards, forwards_in_graph])
def test_forward_mode(f: Any, want: Any, mode: Any) -> None:
    want = want if want is not None else differences(f, X) * DIRECTION
    np.testing.assert_allclose(mode(f, X, DIRECTION), want, rtol=1e-6)


def third(f: Callable[..., Any], x: np.ndarray) -> list[Any]:
    t = tf.constant(x)
    with tf.GradientTape() as a:
        a.watch(t)
        with tf.GradientTape() as b:
            b.watch(t)
            with tf.GradientTape() as c:
                c.watch(t)
                y = f(t)
            first = c.gradient(y, t)
        second = b.gradient(first, t)
    return [first.numpy(), second.numpy(), a.gradient(second, t).numpy()]


def plain(x: Any) -> Any:
    return tf.exp(tf.sin(x)) * x


SAME: list[tuple[str, Callable[..., Any]]] = [
    ("recompute_grad", tf.recompute_grad(plain)),
    ("recompute_grad twice", tf.recompute_grad(tf.recompute_grad(plain))),
    ("recompute_grad of a function", tf.recompute_grad(tf.function(plain, autograph=False))),
    ("function of recompute_grad", tf.function(tf.recompute_grad(plain), autograph=False)),
    ("under jit_compile", tf.function(tf.recompute_grad(plain), autograph=False, jit_compile=True)),
    ("py_function", lambda x: tf.py_function(plain, [x], tf.float64)),
    ("py_function in a function", tf.function(lambda x: tf.py_function(plain, [x], tf.float64), autograph=False)),
    ("checkpointed", tf.checkpointed(plain, memory=10_000)),
    (
        "custom_gradient with the right rule",
        tf.custom_gradient(lambda x: (plain(x), lambda g: g * tf.exp(tf.sin(x)) * (1.0 + x * tf.cos(x)))),
    ),
]


@pytest.mark.parametrize("f", [pytest.param(f, id=name) for name, f in SAME])
def test_three_orders(f: Any) -> None:
    for found, want in zip(third(f, X), third(plain, X), strict=True):
        np.testing.assert_allclose(found, want, rtol=1e-9)


@pytest.mark.parametrize("f", [pytest.param(f, id=name) for name, f in SAME])
def test_two_orders_in_a_version_1_graph(f: Any) -> None:
    with v1.Graph().as_default(), v1.Session() as session:
        x = v1.placeholder(tf.float64, X.shape)
        (g,) = v1.gradients(f(x), x)
        (gg,) = v1.gradients(g, x)
        found = session.run([g, gg], {x: X})
    for a, b in zip(found, third(plain, X), strict=False):
        np.testing.assert_allclose(a, b, rtol=1e-9)


@pytest.mark.parametrize("f", [pytest.param(f, id=name) for name, f in SAME])
def test_in_a_loop_in_a_loop(f: Any) -> None:
    def looped(f: Any) -> Callable[[Any], Any]:
        def inner(_: Any, s: Any) -> Any:
            body = lambda j, s: (j + 1, tf.ensure_shape(f(s) * 0.5, [3]))
            return tf.while_loop(lambda j, s: j < 2, body, [tf.constant(0), s])[1]

        return lambda x: tf.while_loop(lambda i, s: i < 2, lambda i, s: (i + 1, inner(i, s)), [tf.constant(0), x])[1]

    want = slope(looped(plain), X)
    np.testing.assert_allclose(slope(looped(f), X), want, rtol=1e-9)
    np.testing.assert_allclose(slope(tf.function(looped(f), autograph=False), X), want, rtol=1e-9)
    np.testing.assert_allclose(want, differences(looped(plain), X), rtol=1e-6)


def test_recompute_grad_reaches_what_it_takes_from_outside() -> None:
    w, v = tf.constant(2.0), tf.Variable(3.0)
    inner = tf.recompute_grad(lambda x: tf.sin(x * w) * v)
    for f in (inner, tf.recompute_grad(lambda x: inner(x)), tf.function(inner, autograph=False)):
        x = tf.constant(0.7)
        with tf.GradientTape() as tape:
            tape.watch([x, w])
            y = f(x)
        found = [g.numpy() for g in tape.gradient(y, [x, w, v])]
        np.testing.assert_allclose(found, [np.cos(1.4) * 6, np.cos(1.4) * 2.1, np.sin(1.4)], rtol=1e-6)


def test_recompute_grad_of_a_function_that_returns_a_variable() -> None:
    v = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        y = tf.recompute_grad(lambda x: v)(tf.constant(1.0))
    assert tape.gradient(y, v).numpy() == 1


def test_recompute_grad_in_a_graph_reaches_what_it_takes_from_outside() -> None:
    with v1.Graph().as_default(), v1.Session() as session:
        x, w = tf.constant(0.7), v1.placeholder(tf.float32, [])
        y = tf.recompute_grad(lambda x, k=None: tf.sin(x * k) * 3.0)(x, k=w)
        found = session.run(v1.gradients(y, [x, w]), {w: 2.0})
    np.testing.assert_allclose(found, [np.cos(1.4) * 6, np.cos(1.4) * 2.1], rtol=1e-6)


def test_recompute_grad_runs_the_operations_again_in_a_graph() -> None:
    with v1.Graph().as_default() as graph:
        x = v1.placeholder(tf.float32, [4])
        y = tf.recompute_grad(lambda x: tf.exp(tf.sin(x)))(x)
        before = sum(node.type == "Exp" for node in graph.get_operations())
        v1.gradients(y, x)
        after = [node for node in graph.get_operations() if node.type == "Exp"]
    assert before == 1
    assert len(after) == 2
    assert any(t.op.type == "OptimizationBarrier" for node in graph.get_operations() if node.type == "Sin" for t in node.inputs)


def test_recompute_grad_holds_under_a_third() -> None:
    x = tf.constant(np.linspace(-1, 1, blocked.LARGE - 1, dtype=np.float32))  # so few have the kernels' bits in every call

    def layer(h: Any) -> Any:
        for _ in range(4):
            h = tf.sin(h) * tf.exp(-h * h)
        return h

    def held(wrap: Any) -> tuple[int, Any]:
        gc.collect()
        tracemalloc.start()
        with tf.GradientTape() as tape:
            tape.watch(x)
            h = x
            for _ in range(16):
                h = wrap(layer)(h)
        bytes_held = tracemalloc.get_traced_memory()[0]
        g = tape.gradient(h, x).numpy()
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak >= bytes_held
        return peak, g

    whole, g = held(lambda f: f)
    small, h = held(tf.recompute_grad)
    assert small < whole / 3
    np.testing.assert_array_equal(g, h)


def test_a_bound_method_and_its_name() -> None:
    class Layer:
        @tf.recompute_grad
        def call(self, x: Any) -> Any:
            """What it does."""
            return x * x

    assert slope(Layer().call, X).tolist() == (2 * X).tolist()
    assert Layer.call.__doc__ == "What it does."
    assert Layer.call.__wrapped__.__name__ == Layer.call.__name__ == "call"


def test_keywords_and_nested_structures_in_a_graph() -> None:
    @tf.custom_gradient
    def f(pair: Any, *, scale: float) -> Any:
        a, b = pair["a"], pair["b"]

        def grad(gs: Any, gp: Any) -> Any:
            return {"a": gs * scale, "b": gp * 100.0}

        return {"product": a * b, "sum": a + b}, lambda gp, gs: grad(gs, gp)

    with v1.Graph().as_default(), v1.Session() as session:
        a, b = tf.constant(2.0), tf.constant(3.0)
        out = f({"a": a, "b": b}, scale=7.0)
        assert session.run(v1.gradients([out["product"], out["sum"]], [a, b])) == [7.0, 100.0]
        assert session.run(v1.gradients(out["product"], [a, b])) == [0.0, 100.0]


def test_wrong_answers_name_the_function_and_the_line() -> None:
    def mistaken(x: Any) -> Any:
        return x * 1.0, lambda g: (g, g)

    with v1.Graph().as_default():
        x = tf.constant(2.0)
        y = tf.custom_gradient(mistaken)(x)
        with pytest.raises(ValueError, match=r"expected to return 1 gradients, but returned 2 .*mistaken, used at .*test_custom.py:\d+"):
            v1.gradients(y, x)
    with pytest.raises(TypeError, match=r"\(result, grad_fn\).*returned EagerTensor"):
        tf.custom_gradient(lambda x: x * 1.0)(x=tf.constant(1.0))


def test_a_registered_gradient_inside_a_function_and_its_bodies() -> None:
    @v1.RegisterGradient("TestCustomTenfold")
    def tenfold(op: Any, g: Any) -> Any:
        return g * 10.0

    def overridden(x: Any) -> Any:
        with v1.get_default_graph().gradient_override_map({"Sin": "TestCustomTenfold"}):
            return tf.sin(x)

    def branched(x: Any) -> Any:
        return tf.cond(tf.reduce_sum(x) > 0.0, lambda: overridden(x), lambda: x)

    def looped(x: Any) -> Any:
        return tf.while_loop(lambda i, s: i < 2, lambda i, s: (i + 1, overridden(s)), [tf.constant(0), x])[1]

    assert slope(tf.function(overridden, autograph=False), X).tolist() == [10, 10, 10]
    assert slope(tf.function(branched, autograph=False), X).tolist() == [10, 10, 10]
    assert slope(tf.function(looped, autograph=False), X).tolist() == [100, 100, 100]
    assert tenfold.__name__ == "tenfold"


def test_the_gradient_functions_of_control_flow_can_be_called() -> None:
    with v1.Graph().as_default() as graph, v1.Session() as session:
        x = v1.placeholder(tf.float32, [])
        y = v1.cond(x > 0.0, lambda: x * x, lambda: x)
        z = v1.while_loop(lambda i, s: i < 3, lambda i, s: (i + 1, s * 2.0), [tf.constant(0), x])[1]
        for t, want in ((y, 6.0), (z, 8.0)):
            node = t.op if t.op.type in ("Case", "If", "While") else t.op.inputs[0].op
            found = get_gradient_function(node)(node, *[tf.constant(1.0) if o.dtype == tf.float32 else None for o in node.outputs])
            flat = [g for g in found if g is not None]
            assert session.run(flat[-1], {x: 3.0}) == want
        assert get_gradient_function(graph.get_operations()[0]) is None


def test_prevent_gradient() -> None:
    with v1.Graph().as_default():
        x = tf.constant(2.0)
        y = tf.raw_ops.PreventGradient(input=x * 1.0, message="not here")
        with pytest.raises(LookupError, match="not here"):
            v1.gradients(y * 2.0, x)

    @tf.function(autograph=False)
    def f(x: Any) -> Any:
        return tf.raw_ops.PreventGradient(input=x, message="nor here") * 2.0

    assert f(tf.constant(2.0)).numpy() == 4
    with pytest.raises(LookupError, match="nor here"):
        slope(f, X)


def test_py_function_is_called_once_for_a_first_derivative() -> None:
    calls: list[float] = []

    def noted(t: Any) -> Any:
        calls.append(1)
        return t * t

    f = tf.function(lambda x: tf.py_function(noted, [x], tf.float64), autograph=False)
    assert slope(f, X).tolist() == (2 * X).tolist()
    assert len(calls) == 1


def test_py_func_of_version_1() -> None:
    with v1.Graph().as_default() as graph, v1.Session() as session:
        x = v1.placeholder(tf.float32, [2])
        y = v1.py_func(lambda a: np.sinh(a), [x], tf.float32, stateful=False)
        (both,) = v1.gradients(y + x, x)
        assert v1.gradients(y, x) == [None]
        assert session.run(both, {x: [1, 2]}).tolist() == [1, 1]
        assert [n.type for n in graph.get_operations()].count("PyFuncStateless") == 1
        doubled, size = v1.py_func(lambda a: (a * 2, np.int64(a.size)), [x], [tf.float32, tf.int64])
        assert [np.asarray(t).tolist() for t in session.run([doubled, size], {x: [1, 2]})] == [[2, 4], 2]


def test_functions_as_decorators() -> None:
    @tf.numpy_function(Tout=tf.TensorSpec([3], tf.float64))
    def sinh(a: Any) -> Any:
        return np.sinh(a)

    @tf.py_function(Tout=tf.float64)
    def square(t: Any) -> Any:
        return t * t

    np.testing.assert_allclose(sinh(X).numpy(), np.sinh(X))
    assert slope(square, X).tolist() == (2 * X).tolist()
    with pytest.raises(TypeError, match="Tout"):
        tf.py_function(lambda t: t, [1.0])
    with pytest.raises(TypeError, match="inp"):
        tf.py_function(inp=[1.0], Tout=tf.float64)


def test_an_argument_of_numpy_function_may_be_changed() -> None:
    def spoil(a: Any) -> Any:
        a[0] = 7
        return a

    f = tf.function(lambda x: (tf.numpy_function(spoil, [x], tf.float64), x), autograph=False)
    spoiled, kept = f(tf.constant(X))
    assert spoiled[0].numpy() == 7
    assert kept.numpy().tolist() == X.tolist()


@pytest.mark.parametrize("wrapped", [lambda f: f, tf.function], ids=["eager", "function"])
def test_recompute_grad_of_a_variable_that_is_an_argument(wrapped: Any) -> None:
    v = tf.Variable([1.0, 2.0])
    f = wrapped(tf.recompute_grad(lambda x: tf.sin(x) * x))
    with tf.GradientTape() as tape:
        y = f(v)
    np.testing.assert_allclose(tape.gradient(y, v), np.cos([1.0, 2.0]) * [1.0, 2.0] + np.sin([1.0, 2.0]), rtol=1e-5)


@pytest.mark.parametrize("decorate", [tf.custom_gradient, tf.recompute_grad])
def test_a_decorated_function_has_the_signature_of_its_own(decorate: Any) -> None:
    def f(x: Any, scale: float = 2.0) -> Any:
        return x * scale

    assert inspect.getfullargspec(decorate(f)).args == ["x", "scale"]
    assert inspect.signature(decorate(f)) == inspect.signature(f)


class TestVariablesAsArguments:
    """A variable among the arguments counts as read, though the gradient function alone reads it."""

    def gradients(self, x: tf.Variable, v: tf.Variable) -> list[Any]:
        @tf.custom_gradient
        def doubled(a: Any, s: Any) -> Any:
            def grad(g: Any, variables: Any = None) -> Any:
                assert variables is None
                return g * 3.0, g * s * 10.0

            return a * 2.0, grad

        with tf.GradientTape() as tape:
            y = doubled(x, v)
        assert {w.ref() for w in tape.watched_variables()} == {x.ref(), v.ref()}
        return list(tape.gradient(y, [x, v]))

    def test_they_have_their_gradients(self) -> None:
        x, v = tf.Variable(2.0), tf.Variable(5.0)
        assert [g.numpy() for g in self.gradients(x, v)] == [3.0, 50.0]
        in_function = tf.function(self.gradients)
        assert [g.numpy() for g in in_function(x, v)] == [3.0, 50.0]

    def test_a_function_has_them_among_its_variables(self) -> None:
        v = tf.Variable(5.0)
        passed = tf.custom_gradient(lambda a, s: (a * 2.0, lambda g: (g, s)))
        made = tf.function(lambda a: passed(a, v)).get_concrete_function(tf.TensorSpec([]))
        assert [w.ref() for w in made.variables] == [v.ref()]
