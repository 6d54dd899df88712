"""Per-example gradients against the Jacobian of the losses, and how they come about."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import pullback as tf
from pullback.api import per_example as module

tf1 = tf.compat.v1
RANDOM = np.random.default_rng(11)


def constant(*shape: int) -> Any:
    return tf.constant(RANDOM.normal(size=shape))


X, SEQUENCE, IMAGES = constant(5, 4), constant(5, 6, 4), constant(5, 6, 6, 2)
IDS = tf.constant([[0, 1], [2, 2], [6, 0], [1, 1], [3, 4]])
LABELS = [0, 2, 1, 1, 0]


def squares(y: Any) -> Any:
    return tf.reduce_sum(y**2, axis=list(range(1, len(y.shape))))


BY_ROWS: dict[str, tuple[Callable[[Any], Any], Any]] = {
    "a dense layer": (lambda p: squares(tf.tanh(X @ p["w"] + p["b"])), {"w": constant(4, 3), "b": constant(3)}),
    "a transposed weight": (lambda w: squares(tf.matmul(X, w, transpose_b=True)), constant(3, 4)),
    "a classifier": (
        lambda p: tf.nn.sparse_softmax_cross_entropy_with_logits(labels=LABELS, logits=tf.tanh(X @ p[0]) @ p[1]),
        [constant(4, 5), constant(5, 3)],
    ),
    "a bias by bias_add": (lambda b: squares(tf.nn.bias_add(X, b)), constant(4)),
    "a penalty on the weight": (lambda w: squares(X @ w) + 0.1 * tf.reduce_sum(w**2), constant(4, 3)),
    "a weight that is computed": (lambda w: squares(X @ tf.reshape(w * 2.0, [4, 3])), constant(12)),
    "a bias that is broadcast": (lambda b: squares(X + tf.broadcast_to(b, [5, 4])), constant(4)),
    "a scale of its own": (lambda s: squares(tf.exp(X * s)), constant(1, 4)),
    "a number": (lambda s: squares(X * s), constant()),
    "sequences": (lambda w: squares(tf.tanh(SEQUENCE @ w)), constant(4, 3)),
    "sequences by tensordot": (lambda w: squares(tf.tensordot(SEQUENCE, w, 1)), constant(4, 3)),
    "sequences by einsum": (lambda w: squares(tf.einsum("btd,de->bte", SEQUENCE, w)), constant(4, 3)),
    "a convolution": (lambda k: squares(tf.nn.relu(tf.nn.conv2d(IMAGES, k, 1, "SAME"))), constant(3, 3, 2, 4)),
    "a lookup used twice": (lambda e: squares(tf.gather(e, IDS)) + tf.reduce_sum(tf.gather(e, IDS[:, 0]), 1), constant(7, 3)),
    "the same weight twice": (lambda w: squares(tf.tanh(X @ w) @ w), constant(4, 4)),
}
OTHERWISE: dict[str, tuple[Callable[[Any], Any], Any]] = {
    "a mean over the batch": (lambda w: squares(X - tf.reduce_mean(X @ w, 0)), constant(4, 4)),
    "batch normalisation": (
        lambda w: squares((X @ w - tf.reduce_mean(X @ w, 0)) / tf.math.reduce_std(X @ w, 0) + X),
        constant(4, 4),
    ),
    "rows in another order": (lambda w: tf.reduce_sum(X @ w * tf.reverse(X @ w, [0]) ** 2, 1), constant(4, 4)),
    "products between rows": (lambda w: squares(tf.matmul(X @ w, X @ w, transpose_b=True)), constant(4, 3)),
    "a weight with as many rows as examples": (lambda w: squares(tf.transpose(X) @ w @ tf.ones([3, 5], tf.float64))[:4], constant(5, 3)),
}


def dense(found: Any) -> Any:
    return tf.nest.map_structure(lambda g: g.dense() if isinstance(g, tf.ExampleSlices) else g, found)


def compare(found: Any, expected: Any) -> None:
    for a, b in zip(tf.nest.flatten(dense(found)), tf.nest.flatten(expected), strict=True):
        np.testing.assert_allclose(np.asarray(a), np.asarray(b), rtol=1e-10, atol=1e-11)


@pytest.fixture
def fallbacks(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How often each loss was pulled back by itself."""
    seen: list[int] = []
    way = module.pull_blocks
    monkeypatch.setattr(module, "pull_blocks", lambda *args: (seen.append(1), way(*args))[1])
    return seen


@pytest.mark.parametrize("name", BY_ROWS)
def test_rows_are_found_from_one_pull(name: str, fallbacks: list[int]) -> None:
    f, params = BY_ROWS[name]
    compare(tf.per_example_gradients(f, params), tf.jacobian(f, params))
    assert not fallbacks


@pytest.mark.parametrize("name", OTHERWISE)
def test_what_mixes_examples_is_right_as_well(name: str) -> None:
    f, params = OTHERWISE[name]
    compare(tf.per_example_gradients(f, params), tf.jacobian(f, params))


@pytest.mark.parametrize("name", [n for n in BY_ROWS if n not in ("a lookup used twice",)])
def test_in_functions_and_on_tapes(name: str) -> None:
    f, params = BY_ROWS[name]
    expected = tf.jacobian(f, params)
    compare(tf.function(lambda: tf.per_example_gradients(f, params))(), expected)
    with tf.GradientTape() as tape:
        tape.watch(params)
        losses = f(params)
    compare(tf.per_example_gradients(losses, params, tape=tape), expected)


def test_in_graphs_of_unknown_size() -> None:
    w, b = RANDOM.normal(size=(4, 3)), RANDOM.normal(size=3)
    with tf1.Graph().as_default(), tf1.Session() as session:
        x = tf1.placeholder(tf.float64, [None, 4])
        params = [tf1.Variable(w), tf1.Variable(b)]
        losses = squares(tf.tanh(x @ params[0] + params[1]))
        rows, whole = tf.per_example_gradients(losses, params), tf.jacobian(losses, params)
        assert [r.shape.as_list() for r in rows] == [[None, 4, 3], [None, 3]]
        session.run(tf1.global_variables_initializer())
        for n in (5, 1):
            found, expected = session.run([rows, whole], {x: RANDOM.normal(size=(n, 4))})
            compare(found, expected)
        sequence = tf1.placeholder(tf.float64, [None, 6, 4])
        folded = squares(tf.tensordot(sequence, params[0], 1))
        pair = [tf.per_example_gradients(folded, params[0]), tf.jacobian(folded, params[0])]
        compare(*session.run(pair, {sequence: RANDOM.normal(size=(5, 6, 4))}))
        mixed = tf.per_example_gradients(squares(tf.cumsum(x @ params[0])), params[0])
        with pytest.raises(tf.errors.InvalidArgumentError, match="one example depends on another"):
            session.run(mixed, {x: np.ones((3, 4))})


def test_a_lookup_keeps_its_rows() -> None:
    table = tf.Variable(RANDOM.normal(size=(1000, 3)))
    found = tf.per_example_gradients(lambda: squares(tf.gather(table, IDS)), table)
    assert isinstance(found, tf.ExampleSlices)
    assert found.values.shape == (5, 2, 3)
    assert found.dense_shape == (1000, 3)
    one = found[2]
    assert isinstance(one, tf.IndexedSlices)
    assert one.indices.numpy().tolist() == [6, 0]
    _, together = tf.value_and_gradient(lambda: tf.reduce_sum(tf.gather(table, IDS) ** 2), table)
    np.testing.assert_allclose(found.dense().numpy().sum(0), np.asarray(tf.convert_to_tensor(together)), rtol=1e-12)


def test_no_example_and_one() -> None:
    for n in (0, 1):
        x = constant(n, 4)
        assert tf.per_example_gradients(lambda w, x=x: squares(x @ w), constant(4, 3)).shape == (n, 4, 3)


def test_they_can_be_differentiated() -> None:
    w = constant(4, 3)
    with tf.GradientTape() as tape:
        tape.watch(w)
        total = tf.reduce_sum(tf.per_example_gradients(lambda w: squares((X @ w) ** 2), w) ** 2)
    found = tape.gradient(total, w)
    with tf.GradientTape() as tape:
        tape.watch(w)
        total = tf.reduce_sum(tf.jacobian(lambda w: squares((X @ w) ** 2), w) ** 2)
    np.testing.assert_allclose(found.numpy(), tape.gradient(total, w).numpy(), rtol=1e-10)


def test_what_is_refused() -> None:
    w = constant(4, 3)
    with pytest.raises(ValueError, match=r"one vector.*shape \(\)"):
        tf.per_example_gradients(lambda w: tf.reduce_sum(X @ w), w)
    with pytest.raises(ValueError, match=r"one vector.*shape \(5, 3\)"):
        tf.per_example_gradients(lambda w: X @ w, w)
    with pytest.raises(ValueError, match="no gradient leads"):
        tf.per_example_gradients(lambda p: squares(X @ p[0]), [w, constant(2)])
    zero = tf.per_example_gradients(lambda p: squares(X @ p[0]), [w, constant(2)], unconnected_gradients="zero")
    assert zero[1].numpy().tolist() == np.zeros((5, 2)).tolist()
