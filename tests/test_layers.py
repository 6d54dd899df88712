"""`tf.layers` and `tf.contrib.layers`: names, values and gradients as TensorFlow's own (recorded by tests/golden/make_layers.py)."""

import json
from pathlib import Path

import numpy as np
import pytest

import pullback
from tests.programs import assert_prints_alike, pullback_run

HERE = Path(__file__).parent / "golden"
RECORDED = json.loads((HERE / "data" / "layers.json").read_text())["printed"]


@pytest.fixture
def tf():
    with pullback.Graph().as_default():
        yield pullback.compat.v1


@pytest.mark.parametrize("training", sorted(RECORDED))
def test_a_network_of_every_layer(training: str) -> None:
    done = pullback_run(HERE / "layers_program.py", training)
    assert done.returncode == 0, done.stderr
    assert_prints_alike(done.stdout, RECORDED[training], rtol=1e-4)


def test_dropout_while_training(tf) -> None:
    x = tf.ones([1000])
    fed = tf.placeholder(tf.bool, [])
    always, sometimes = tf.layers.dropout(x, 0.25, training=True), tf.layers.dropout(x, 0.25, training=fed)
    with tf.Session() as sess:
        for kept in (sess.run(always), sess.run(sometimes, {fed: True})):
            assert set(np.unique(kept)) == {np.float32(0), np.float32(1 / 0.75)}
            assert 150 < (kept == 0).sum() < 350
        np.testing.assert_array_equal(sess.run(sometimes, {fed: False}), np.ones(1000))


def test_channels_first(tf) -> None:
    x = np.random.RandomState(1).normal(size=(2, 5, 6, 3))
    first, last = tf.constant(x.transpose(0, 3, 1, 2)), tf.constant(x)
    init = tf.constant_initializer(np.random.RandomState(2).normal(size=(2, 2, 3, 4)))
    a = tf.layers.conv2d(first, 4, 2, data_format="channels_first", kernel_initializer=init)
    b = tf.layers.conv2d(last, 4, 2, kernel_initializer=init)
    layers = (tf.layers.max_pooling2d, tf.layers.average_pooling2d)
    pools = [(layer(first, 2, 2, data_format="channels_first"), layer(last, 2, 2)) for layer in layers]
    flat = tf.layers.flatten(first, data_format="channels_first"), tf.layers.flatten(last)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for f, g in [(a, b), *pools]:
            np.testing.assert_allclose(sess.run(f).transpose(0, 2, 3, 1), sess.run(g), rtol=1e-12)
        np.testing.assert_array_equal(*sess.run(flat))


def test_flatten_of_unknown_sizes(tf) -> None:
    x = tf.placeholder(tf.float32, [None, None, 3])
    with tf.Session() as sess:
        assert sess.run(tf.layers.flatten(x), {x: np.zeros((2, 4, 3))}).shape == (2, 12)


def test_regularizers(tf) -> None:
    layers = tf.contrib.layers
    y = tf.layers.dense(tf.ones([1, 2]), 3, kernel_initializer=tf.ones_initializer(), kernel_regularizer=layers.l2_regularizer(0.5))
    layers.apply_regularization(layers.l1_regularizer(2.0), tf.trainable_variables())
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        assert sess.run(tf.get_collection(tf.GraphKeys.REGULARIZATION_LOSSES)) == [1.5, 12.0]
        assert sess.run(y).tolist() == [[2.0, 2.0, 2.0]]


@pytest.mark.parametrize("uniform", [True, False])
def test_xavier(tf, uniform: bool) -> None:
    w = tf.get_variable("w", [200, 400], initializer=tf.contrib.layers.xavier_initializer(uniform=uniform, seed=3))
    with tf.Session() as sess:
        sess.run(w.initializer)
        value = sess.run(w)
    assert abs(value.std() - np.sqrt(2 / 600)) < 1e-3
    assert not uniform or np.abs(value).max() <= np.sqrt(6 / 600)


def test_fully_connected(tf) -> None:
    x = tf.constant([[1.0, -2.0]])
    y = tf.contrib.layers.fully_connected(x, 3, weights_initializer=tf.ones_initializer(), biases_initializer=tf.constant_initializer(0.5))
    z = tf.contrib.layers.fully_connected(x, 3, activation_fn=None, weights_initializer=tf.ones_initializer(), scope="out")
    names = ["fully_connected/weights:0", "fully_connected/biases:0", "out/weights:0", "out/biases:0"]
    assert [v.name for v in tf.trainable_variables()] == names
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        assert [v.tolist() for v in sess.run([y, z])] == [[[0.0] * 3], [[-1.0] * 3]]


class TestErrors:
    def test_unknown_size(self, tf) -> None:
        with pytest.raises(ValueError, match="last dimension of the inputs to `Dense` should be defined"):
            tf.layers.dense(tf.placeholder(tf.float32, [None, None]), 2)

    def test_data_format(self, tf) -> None:
        with pytest.raises(ValueError, match='must be one of "channels_first", "channels_last"'):
            tf.layers.conv2d(tf.zeros([1, 4, 4, 1]), 2, 2, data_format="NHWC")

    def test_kernel_size(self, tf) -> None:
        with pytest.raises(ValueError, match="`kernel_size` argument must be an integer or a tuple of 2 integers"):
            tf.layers.conv2d(tf.zeros([1, 4, 4, 1]), 2, [2, 2, 2])

    def test_name_taken(self, tf) -> None:
        tf.layers.dense(tf.zeros([1, 2]), 2, name="d")
        with pytest.raises(ValueError, match="Variable d/kernel already exists, disallowed"):
            tf.layers.dense(tf.zeros([1, 2]), 2, name="d")

    def test_not_there(self, tf) -> None:
        with pytest.raises(NotImplementedError, match="renorm"):
            tf.layers.batch_normalization(tf.zeros([2, 2]), renorm=True)

    @pytest.mark.parametrize("scale", [-1.0, True, "a"])
    def test_scale(self, tf, scale: object) -> None:
        with pytest.raises(ValueError, match="scale must be a number of at least 0"):
            tf.contrib.layers.l2_regularizer(scale)


@pytest.mark.parametrize("layer", ["dropout", "batch_normalization"])
def test_a_placeholder_of_unknown_shape_says_whether_a_network_trains(tf, layer: str) -> None:
    x, training = tf.placeholder(tf.float32, [None, 4, 3]), tf.placeholder(tf.bool)
    y = getattr(tf.layers, layer)(x, training=training)
    assert y.shape.as_list() == [None, 4, 3]
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        kept = sess.run(y, {x: np.ones([2, 4, 3]), training: False})
    np.testing.assert_allclose(kept, np.ones([2, 4, 3]), rtol=1e-3)
