"""What operations promise about rows: batch Jacobians without a pass to find out, and without products with unit vectors."""

import numpy as np
import pytest

import pullback as tf
from pullback.api.linearization import linearization
from pullback.api.row_structure import find_product, keeps_rows_apart

DRAW = np.random.default_rng(8)
X = DRAW.normal(size=(3, 4))
CUBE = DRAW.normal(size=(3, 2, 4))
W = tf.constant(DRAW.normal(size=(4, 5)))
V = tf.constant(DRAW.normal(size=(6, 5)))
B = tf.constant(DRAW.normal(size=5))
DATA = tf.constant(DRAW.normal(size=(3, 5)))

APART = {
    "product": lambda x: x @ W,
    "network": lambda x: tf.tanh(tf.matmul(tf.tanh(x @ W + B), V, transpose_b=True)) * 2.0,
    "data by rows": lambda x: tf.nn.bias_add(x @ W, B) * DATA,
    "two paths": lambda x: tf.sin(x @ W) * tf.cos(x @ W),
    "skipped": lambda x: (x @ tf.constant(np.ones((4, 4)))) + x,
    "softmax": lambda x: tf.nn.softmax(x @ W),
    "sums inside": lambda x: tf.reduce_sum(x * x, axis=1, keepdims=True) * x,
    "max inside": lambda x: tf.reduce_max(x, axis=-1),
    "reshaped": lambda x: tf.reshape(x, [3, 2, 2]) ** 2,
}
TOGETHER = {
    "mean over rows": lambda x: x - tf.reduce_mean(x, axis=0),
    "mean over all": lambda x: x * tf.reduce_mean(x),
    "mean over the first from behind": lambda x: x - tf.reduce_mean(x, axis=-2, keepdims=True),
    "product from the left": lambda x: tf.constant(np.ones((3, 3))) @ x,
    "transposed": lambda x: tf.matmul(x @ tf.constant(np.ones((4, 3))), x, transpose_a=True),
    "reversed": lambda x: tf.reverse(x, [0]),
    "cumulated": lambda x: tf.cumsum(x, axis=0),
    "softmax of rows": lambda x: tf.nn.softmax(x, axis=0),
}


def own_rows(f):
    whole = tf.jacobian(f, tf.constant(X)).numpy()
    return np.stack([np.moveaxis(whole[b], -2, 0)[b] for b in range(len(X))])


@pytest.mark.parametrize("name", APART)
def test_rows_known_apart(name):
    f = APART[name]
    assert keeps_rows_apart(linearization(f, tf.constant(X)), 3)
    expected = own_rows(f)
    np.testing.assert_allclose(tf.batch_jacobian(f, tf.constant(X), mode="reverse"), expected, rtol=1e-12, atol=1e-12)
    compiled = tf.function(lambda x: tf.batch_jacobian(f, x, mode="reverse"))
    np.testing.assert_allclose(compiled(tf.constant(X)), expected, rtol=1e-12, atol=1e-12)
    graph = compiled.get_concrete_function(tf.constant(X)).graph
    assert not [op for op in graph.get_operations() if op.type == "Assert"]


@pytest.mark.parametrize("name", TOGETHER)
def test_rows_that_meet(name):
    assert not keeps_rows_apart(linearization(TOGETHER[name], tf.constant(X)), 3)


@pytest.mark.parametrize("name", TOGETHER)
def test_rows_that_meet_are_refused(name):
    with pytest.raises(tf.errors.InvalidArgumentError, match="depends on another row"):
        tf.batch_jacobian(TOGETHER[name], tf.constant(X))


@pytest.mark.parametrize("name", TOGETHER)
def test_a_tape_warns_of_rows_that_meet_and_gives_their_sums(name, capfd):
    def rows(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = TOGETHER[name](x)
        return tape.batch_jacobian(y, x)

    x = tf.constant(X)
    with pytest.warns(UserWarning, match="depends on another row.*sum over the rows") as told:
        found = rows(x)
    assert {one.filename for one in told} == {__file__}
    np.testing.assert_allclose(found, np.moveaxis(tf.jacobian(TOGETHER[name], x).numpy().sum(0), -2, 0), rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(tf.function(rows)(x), found, rtol=1e-12, atol=1e-12)
    assert "depends on another row" in capfd.readouterr().err


def test_products_of_stacked_matrices():
    def attention(x):
        return tf.matmul(tf.nn.softmax(tf.matmul(x, x, transpose_b=True)), x)

    x = tf.constant(CUBE)
    assert keeps_rows_apart(linearization(attention, x), 3)
    whole = tf.jacobian(attention, x).numpy()
    np.testing.assert_allclose(tf.batch_jacobian(attention, x), np.stack([whole[b, :, :, b] for b in range(3)]), atol=1e-12)
    assert not keeps_rows_apart(linearization(lambda x: tf.matmul(x, x[0], transpose_b=True), x), 3)


@pytest.mark.parametrize(
    ("name", "found"), [("product", True), ("network", True), ("data by rows", True), ("two paths", False), ("skipped", False)]
)
def test_products_whose_rows_are_the_matrix(name, found):
    way = linearization(APART[name], tf.constant(X))
    assert (find_product(way, way.ys[0]) is not None) == found


def test_a_source_on_the_way_keeps_its_own_rows():
    with tf.GradientTape(persistent=True) as tape:
        x = tf.constant(X)
        tape.watch(x)
        z = x @ W
        y = tf.tanh(z)
    np.testing.assert_allclose(tf.batch_jacobian(y, z, tape=tape), [np.diag(row) for row in 1 - np.tanh(X @ W.numpy()) ** 2], rtol=1e-12)
    by_x, by_z = tf.batch_jacobian(y, [x, z], tape=tape, mode="reverse")
    np.testing.assert_allclose(by_x, tf.matmul(by_z, W, transpose_b=True), rtol=1e-12)


def test_second_derivatives_of_rows():
    def f(x):
        return tf.reduce_sum(tf.batch_jacobian(APART["network"], x, mode="reverse") ** 2)

    theory, numbers = tf.test.compute_gradient(f, [tf.constant(X)])
    np.testing.assert_allclose(theory[0], numbers[0], rtol=1e-4, atol=1e-4)
