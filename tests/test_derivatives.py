"""The derivatives by their names: against closed forms, against each other, eagerly, in functions, on tapes and in graphs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import pullback as tf

tf1 = tf.compat.v1
Array = np.ndarray
RANDOM = np.random.default_rng(5)
X = RANDOM.normal(size=(3, 4))
W = RANDOM.normal(size=(4, 2))


def layer(x: Any) -> Any:
    return tf.tanh(tf.matmul(x, tf.constant(W)))


def slopes(x: Array) -> Array:
    """The Jacobian of `layer`, in closed form."""
    inner = (1.0 - np.tanh(x @ W) ** 2)[:, :, None] * W.T
    found = np.zeros((len(x), 2, len(x), 4))
    for b in range(len(x)):
        found[b, :, b] = inner[b]
    return found


def close(found: Any, expected: Any, tolerance: float = 1e-12) -> None:
    found = np.asarray(found)
    assert found.shape == np.shape(expected)
    np.testing.assert_allclose(found, expected, rtol=tolerance, atol=tolerance)


# ---- products


def test_value_and_gradient_of_a_structure() -> None:
    value, gradient = tf.value_and_gradient(lambda p: p["a"] * tf.reduce_sum(p["b"][0] ** 2), {"a": 2.0, "b": [tf.constant([1.0, 3.0])]})
    assert value.numpy() == 20.0
    assert gradient["a"].numpy() == 10.0
    close(gradient["b"][0], [4.0, 12.0])


def test_value_and_gradient_of_variables_that_the_function_reads() -> None:
    v, w = tf.Variable([1.0, 2.0]), tf.Variable(3.0)
    value, (dv, dw) = tf.value_and_gradient(lambda: tf.reduce_sum(v * v) * w, [v, w])
    assert value.numpy() == 15.0
    close(dv, [6.0, 12.0])
    close(dw, 5.0)


def test_value_and_gradient_keeps_sparse_gradients_sparse() -> None:
    e = tf.Variable(np.arange(6.0).reshape(3, 2))
    _, g = tf.value_and_gradient(lambda: tf.reduce_sum(tf.gather(e, [1, 1]) ** 2), e)
    assert isinstance(g, tf.IndexedSlices)
    close(tf.convert_to_tensor(g), [[0.0, 0.0], [8.0, 12.0], [0.0, 0.0]])


@pytest.mark.parametrize("mode", ["eager", "function", "graph"])
def test_products_agree_with_the_closed_form(mode: str) -> None:
    v, u = RANDOM.normal(size=(3, 4)), RANDOM.normal(size=(3, 2))
    jv, ju = np.einsum("bybx,bx->by", slopes(X), v), np.einsum("bybx,by->bx", slopes(X), u)

    def both(x: Any) -> list[Any]:
        return [tf.jvp(layer, x, v)[1], tf.linearize(layer, x)[1](v), tf.vjp(layer, x)[1](u)]

    if mode == "graph":
        with tf1.Graph().as_default(), tf1.Session() as session:
            x = tf1.placeholder(tf.float64, [None, 4])
            y = layer(x)
            tensors = [*both(x), tf.jvp(y, x, v)[1], tf.linearize(y, x)[1](v), tf.vjp(y, x)[1](u)]
            found = session.run(tensors, {x: X})
    else:
        found = (tf.function(both) if mode == "function" else both)(tf.constant(X))
    for i, answer in enumerate(found):
        close(answer, jv if i % 3 < 2 else ju)


def test_a_linearization_can_be_asked_again() -> None:
    calls = []

    def f(x: Any) -> Any:
        calls.append(1)
        return {"y": x * x, "z": x[0]}

    value, push = tf.linearize(f, tf.constant([1.0, 2.0]))
    _, pull = tf.vjp(f, tf.constant([1.0, 2.0]))
    assert len(calls) == 2
    for scale in (1.0, 2.0):
        tangent = push([scale, 0.0])
        close(tangent["y"], [2.0 * scale, 0.0])
        close(tangent["z"], scale)
        close(pull({"y": [scale, scale], "z": 1.0}), [2.0 * scale + 1.0, 4.0 * scale])
    close(value["y"], [1.0, 4.0])


def cubic(x: Any) -> Any:
    return tf.reduce_sum(x[:-1] ** 2 * x[1:]) + tf.exp(x[0])


def cubic_hessian(x: Array) -> Array:
    n = len(x)
    h = np.zeros((n, n))
    for i in range(n - 1):
        h[i, i] += 2.0 * x[i + 1]
        h[i, i + 1] += 2.0 * x[i]
        h[i + 1, i] += 2.0 * x[i]
    h[0, 0] += np.exp(x[0])
    return h


@pytest.mark.parametrize("mode", [None, "forward", "reverse"])
def test_hessians_agree_with_the_closed_form(mode: str | None) -> None:
    x = RANDOM.normal(size=5)
    expected = cubic_hessian(x)
    close(tf.hessian(cubic, tf.constant(x), mode=mode), expected)
    close(tf.function(lambda x: tf.hessian(cubic, x, mode=mode))(tf.constant(x)), expected)
    close(tf.hessian(cubic, tf.constant(x), mode=mode, chunk=2), expected)


def test_diagonals_and_products_of_hessians() -> None:
    x, v = RANDOM.normal(size=5), RANDOM.normal(size=5)
    close(tf.hessian_diagonal(cubic, tf.constant(x)), np.diag(cubic_hessian(x)))
    close(tf.hessian_diagonal(cubic, tf.constant(x), chunk=2), np.diag(cubic_hessian(x)))
    close(tf.hvp(cubic, tf.constant(x), v), cubic_hessian(x) @ v)
    with tf1.Graph().as_default(), tf1.Session() as session:
        p = tf1.placeholder(tf.float64, [None])
        y = cubic(p)
        diagonal, product, whole = session.run([tf.hessian_diagonal(y, p), tf.hvp(y, p, p), tf.hessian(y, p)], {p: x})
    close(diagonal, np.diag(cubic_hessian(x)))
    close(product, cubic_hessian(x) @ x)
    close(whole, cubic_hessian(x))


def test_blocks_of_a_hessian() -> None:
    h = tf.hessian(lambda p: p["a"] ** 2 * tf.reduce_sum(p["b"]), {"a": np.float64(3.0), "b": np.array([1.0, 2.0])})
    close(h["a"]["a"], 6.0)
    close(h["a"]["b"], [6.0, 6.0])
    close(h["b"]["a"], [6.0, 6.0])
    close(h["b"]["b"], np.zeros((2, 2)))


def test_the_hessian_of_a_linear_function_is_zero() -> None:
    x = tf.constant([1.0, 2.0])
    close(tf.hessian(lambda x: tf.reduce_sum(x * 3.0), x), np.zeros((2, 2)))
    close(tf.hvp(lambda x: tf.reduce_sum(x * 3.0), x, [1.0, 1.0]), [0.0, 0.0])
    close(tf.hessian_diagonal(lambda x: tf.reduce_sum(x * 3.0), x), [0.0, 0.0])


# ---- Jacobians


@pytest.mark.parametrize("mode", [None, "forward", "reverse"])
@pytest.mark.parametrize("rows", [0, 1, 3])
def test_jacobians_agree_with_the_closed_form(mode: str | None, rows: int) -> None:
    x = X[:rows]
    close(tf.jacobian(layer, tf.constant(x), mode=mode), slopes(x))
    close(tf.batch_jacobian(layer, tf.constant(x), mode=mode), np.einsum("bybx->byx", slopes(x)) if rows else np.zeros((0, 2, 4)))


@pytest.mark.parametrize("mode", [None, "forward", "reverse"])
def test_jacobians_in_functions_on_tapes_and_in_graphs(mode: str | None) -> None:
    by_row = np.einsum("bybx->byx", slopes(X))
    close(tf.function(lambda x: tf.jacobian(layer, x, mode=mode))(tf.constant(X)), slopes(X))
    close(tf.function(lambda x: tf.batch_jacobian(layer, x, mode=mode))(tf.constant(X)), by_row)
    x = tf.constant(X)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = layer(x)
    close(tf.jacobian(y, x, tape=tape, mode=mode), slopes(X))
    close(tf.batch_jacobian(y, x, tape=tape, mode=mode), by_row)
    with tf1.Graph().as_default(), tf1.Session() as session:
        p = tf1.placeholder(tf.float64, [None, 4])
        q = layer(p)
        jacobian, rows = tf.jacobian(q, p, mode=mode), tf.batch_jacobian(q, p, mode=mode)
        assert jacobian.shape.as_list() == [None, 2, None, 4]
        assert rows.shape.as_list() == [None, 2, 4]
        for n in (3, 1):
            found = session.run([jacobian, rows], {p: X[:n]})
            close(found[0], slopes(X[:n]))
            close(found[1], by_row[:n])


def test_a_jacobian_of_structures() -> None:
    found = tf.jacobian(lambda p: {"u": p[0] * p[1]["k"], "v": tf.reduce_sum(p[0])}, [np.array([1.0, 2.0]), {"k": np.float64(3.0)}])
    close(found["u"][0], [[3.0, 0.0], [0.0, 3.0]])
    close(found["u"][1]["k"], [1.0, 2.0])
    close(found["v"][0], [1.0, 1.0])
    close(found["v"][1]["k"], 0.0)  # this pair is not connected, each of its members is


def narrow(x: Any) -> Any:
    """Through a bottleneck of two numbers."""
    inner = tf.linalg.matvec(tf.ones([2, 40], tf.float64) * [[1.0], [0.5]], tf.sin(x))
    return tf.linalg.matvec(tf.ones([30, 2], tf.float64) * [[1.0, 2.0]], tf.exp(inner * 0.01))


def test_the_way_is_chosen_by_what_it_costs_and_can_be_asked_for() -> None:
    x = tf.constant(RANDOM.normal(size=40))
    assert tf.jacobian_plan(lambda x: tf.reduce_sum(tf.sin(x)), x).mode == "reverse"
    assert tf.jacobian_plan(lambda t: tf.sin(t * tf.ones([100], tf.float64)), tf.constant(1.0, tf.float64)).mode == "forward"
    plan = tf.jacobian_plan(narrow, x)
    assert plan.mode == "mixed"
    assert plan.through == (2, 1)  # inside matvec
    assert plan.passes == 4
    assert plan.costs["mixed"] < plan.costs["forward"]
    assert "mixed through a tensor of shape (2, 1)" in str(plan)
    assert tf.jacobian_plan(narrow, x, mode="forward").passes == 40
    found = [tf.jacobian(narrow, x, mode=m).numpy() for m in (None, "mixed", "forward", "reverse")]
    for other in found[1:]:
        close(other, found[0])


def test_a_jacobian_can_be_differentiated() -> None:
    x = tf.constant(X)
    with tf.GradientTape() as tape:
        tape.watch(x)
        size = tf.reduce_sum(tf.jacobian(lambda x: x**3, x, mode="forward"))
    close(tape.gradient(size, x), 6.0 * X)


def test_complex_jacobians_are_tensorflows() -> None:
    z = tf.constant([1.0 + 2.0j, 3.0 - 1.0j])
    close(tf.jacobian(lambda z: z * z, z), np.diag([2.0 - 4.0j, 6.0 + 2.0j]))
    with pytest.raises(ValueError, match="real numbers"):
        tf.jacobian(lambda z: z * z, z, mode="forward")


def test_half_precision() -> None:
    x = tf.constant([1.0, 2.0], tf.float16)
    found = tf.jacobian(lambda x: x * x, x)
    assert found.dtype == tf.float16
    close(found, np.diag([2.0, 4.0]))


# ---- random programs


Step = Callable[[Any, Any], Any]
UNARY: list[Step] = [
    lambda x, _: tf.sin(x),
    lambda x, _: tf.tanh(x),
    lambda x, _: x * x * 0.3,
    lambda x, _: tf.nn.softmax(x),
    lambda x, _: tf.reverse(x, [0]),
    lambda x, _: tf.transpose(tf.reshape(x, tf.shape(tf.transpose(x)))),
    lambda x, _: tf.cumsum(x, axis=1),
    lambda x, _: x - tf.reduce_mean(x, axis=0),
    lambda x, _: tf.where(x > 0.0, x, x * x),
    lambda x, _: tf.concat([x[:, 1:], x[:, :1]], axis=1),
]
BINARY: list[Step] = [
    lambda x, y: x * y,
    lambda x, y: x + 0.5 * y,
    lambda x, y: x / (2.0 + y * y),
    lambda x, y: tf.maximum(x, y),
    lambda x, y: tf.matmul(tf.matmul(x, y, transpose_b=True), y) * 0.1,
    lambda x, y: tf.math.squared_difference(x, y) * 0.3,
]


def program(seed: int) -> Callable[[Any], Any]:
    """A random function of a matrix."""
    random = np.random.default_rng(seed)
    steps = [(random.random() < 0.5, int(random.integers(100)), int(random.integers(100)), int(random.integers(100))) for _ in range(7)]

    def f(x: Any) -> Any:
        made = [x]
        for unary, which, first, second in steps:
            a, b = made[first % len(made)], made[second % len(made)]
            made.append(UNARY[which % len(UNARY)](a, b) if unary else BINARY[which % len(BINARY)](a, b))
        return made[-1] + 0.1 * x

    return f


@pytest.mark.parametrize("seed", range(40))
def test_all_jacobians_of_a_random_program_agree(seed: int) -> None:
    f = program(seed)
    x = np.random.default_rng(1000 + seed).normal(size=((seed % 4), 3))
    t = tf.constant(x)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(t)
        y = f(t)
    found = {
        "tape": tape.jacobian(y, t),
        "row by row": tape.jacobian(y, t, experimental_use_pfor=False),
        "forward": tf.jacobian(f, t, mode="forward"),
        "reverse": tf.jacobian(f, t, mode="reverse"),
        "chosen": tf.jacobian(f, t),
        "in a function": tf.function(lambda t: tf.jacobian(f, t))(t),
        "sparse": tf.reshape(tf.constant(tf.sparse_jacobian(f, t).toarray()), [*x.shape, *x.shape]),
    }
    expected = np.zeros((*x.shape, *x.shape))
    for at in np.ndindex(*x.shape):
        h = 1e-5
        step = np.zeros_like(x)
        step[at] = h
        expected[(..., *at)] = (np.asarray(f(tf.constant(x + step))) - np.asarray(f(tf.constant(x - step)))) / (2 * h)
    for name, answer in found.items():
        np.testing.assert_allclose(np.asarray(answer), np.asarray(found["reverse"]), rtol=1e-10, atol=1e-12, err_msg=name)
    np.testing.assert_allclose(np.asarray(found["reverse"]), expected, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("seed", range(20))
def test_hessians_of_a_random_program_agree(seed: int) -> None:
    f = program(seed)

    def loss(x: Any) -> Any:
        return tf.reduce_sum(f(x) ** 2)

    x = tf.constant(np.random.default_rng(2000 + seed).normal(size=(2, 3)) * 0.7)
    forward, reverse = tf.hessian(loss, x, mode="forward").numpy(), tf.hessian(loss, x, mode="reverse").numpy()
    flat = reverse.reshape(6, 6)
    np.testing.assert_allclose(forward, reverse, rtol=1e-9, atol=1e-10)
    np.testing.assert_allclose(flat, flat.T, rtol=1e-9, atol=1e-10)
    np.testing.assert_allclose(tf.sparse_hessian(loss, x).toarray(), flat, rtol=1e-9, atol=1e-10)
    np.testing.assert_allclose(np.ravel(tf.hessian_diagonal(loss, x)), np.diag(flat), rtol=1e-9, atol=1e-10)
    v = np.random.default_rng(seed).normal(size=(2, 3))
    np.testing.assert_allclose(np.ravel(tf.hvp(loss, x, v)), flat @ v.ravel(), rtol=1e-9, atol=1e-10)
    with tf1.Graph().as_default(), tf1.Session() as session:
        p = tf1.placeholder(tf.float64, [None, 3])
        np.testing.assert_allclose(session.run(tf1.hessians(loss(p), p), {p: x.value})[0], reverse, rtol=1e-9, atol=1e-10)


# ---- what is refused


def test_what_is_refused_says_why_and_what_to_call() -> None:
    x = tf.constant([1.0, 2.0])
    other = tf.constant([[1.0], [2.0]])
    refused: list[tuple[Callable[[], Any], type[Exception], str]] = [
        (lambda: tf.value_and_gradient(lambda x: x, x), ValueError, r"needs a scalar.*\(2,\).*jacobian"),
        (lambda: tf.hessian(lambda x: x * x, x), ValueError, r"needs a scalar.*jacobian"),
        (lambda: tf.hvp(lambda x: x * x, x, x), ValueError, "needs a scalar"),
        (lambda: tf.hessian_diagonal(lambda x: x * x, x), ValueError, "needs a scalar"),
        (lambda: tf.jacobian(lambda x: x, tf.constant([1, 2])), TypeError, "int32.*cast"),
        (lambda: tf.jvp(lambda x: x, x, [1.0]), ValueError, r"\(1,\).*\(2,\)"),
        (lambda: tf.vjp(lambda x: x, x)[1]([1.0, 2.0, 3.0]), ValueError, r"\(3,\).*\(2,\)"),
        (lambda: tf.jacobian(lambda p: p[0] * 2.0, [x, x + 1.0]), ValueError, "no gradient leads.*unconnected_gradients='zero'"),
        (lambda: tf.jacobian(lambda x: tf.cast(x, tf.int32), x), ValueError, r"through integers \(Cast"),
        (lambda: tf.jacobian(x * 2.0, x), TypeError, "tape="),
        (lambda: tf.jacobian(lambda x: None, x), ValueError, "returns None"),
        (lambda: tf.jacobian(lambda x: x, []), ValueError, "sources are empty"),
        (lambda: tf.jacobian(lambda x: x, x, mode="sideways"), ValueError, "forward, reverse, mixed"),
        (lambda: tf.jacobian(lambda x: tf.stack([x[0] * x[1], x[1]]), x, mode="mixed"), ValueError, "everything passes through"),
        (lambda: tf.jacobian(lambda x: x * x, x, chunk=0), ValueError, "at least 1"),
        (lambda: tf.batch_jacobian(lambda x: x[:1], other), ValueError, "Need first dimension"),
        (lambda: tf.batch_jacobian(lambda x: tf.reduce_sum(x), other), ValueError, "scalar.*jacobian"),
        (lambda: tf.batch_jacobian(lambda x: x * tf.reduce_sum(x), other), tf.errors.InvalidArgumentError, "depends on another row"),
        (lambda: tf.batch_jacobian(lambda x: x, other, mode="mixed"), ValueError, "mixed"),
        (lambda: tf.value_and_gradient(lambda x: tf.cast(tf.reduce_sum(x), tf.int32), x), TypeError, "int32"),
    ]
    for call, kind, words in refused:
        with pytest.raises(kind, match=words):
            call()


def test_unconnected_sources_give_what_was_asked_for() -> None:
    x, y = tf.constant([1.0, 2.0]), tf.constant([3.0])
    zero = tf.jacobian(lambda p: p[0] * 2.0, [x, y], unconnected_gradients="zero")
    close(zero[1], np.zeros((2, 1)))
    none = tf.jacobian(lambda p: p[0] * 2.0, [x, y], unconnected_gradients="none")
    assert none[1] is None
    _, gradients = tf.value_and_gradient(lambda p: tf.reduce_sum(p[0]), [x, y], unconnected_gradients="none")
    assert gradients[1] is None
    _, tangent = tf.jvp(lambda p: (p[0], p[1] * 0.0 + 1.0), [x, y], [[1.0, 0.0], [1.0]])
    close(tangent[1], [0.0])


def test_rows_that_depend_on_each_other_are_found_when_a_graph_runs() -> None:
    with tf1.Graph().as_default(), tf1.Session() as session:
        p = tf1.placeholder(tf.float64, [None, 2])
        mixed = tf.batch_jacobian(p * tf.reduce_mean(p), p)
        with pytest.raises(tf.errors.InvalidArgumentError, match="depends on another row"):
            session.run(mixed, {p: np.ones((3, 2))})


def test_a_jacobian_is_one_vectorized_pass() -> None:
    calls = []

    def f(x: Any) -> Any:
        calls.append(1)
        return tf.sin(x)

    tf.jacobian(f, tf.zeros([50]))
    assert len(calls) == 1
