"""Layers of `tf.layers` as objects, beyond what golden programs hold: eager calls, attributes, subclasses, arguments."""

import numpy as np
import pytest

import pullback

layers = pullback.compat.v1.layers


def test_eagerly_they_keep_their_variables() -> None:
    layer = layers.Dense(3, kernel_initializer=pullback.compat.v1.ones_initializer())
    with pullback.GradientTape() as tape:
        y = layer(pullback.ones([2, 4])) * layer(pullback.ones([2, 4]))
    assert [v.name for v in layer.variables] == ["dense/kernel:0", "dense/bias:0"]
    kernel, bias = tape.gradient(y, layer.trainable_variables)
    np.testing.assert_array_equal(kernel, np.full((4, 3), 16.0))
    np.testing.assert_array_equal(bias, np.full(3, 16.0))


def test_batch_normalization() -> None:
    v1 = pullback.compat.v1
    with v1.Graph().as_default(), v1.Session() as session:
        layer = layers.BatchNormalization(momentum=0.5)
        y = layer.apply(v1.constant([[1.0], [3.0]]), training=True)
        z = layer(v1.constant([[5.0]]), training=False)
        assert (len(layer.trainable_variables), len(layer.non_trainable_variables)) == (2, 2)
        assert layer.moving_mean.name == "batch_normalization/moving_mean:0" and layer.kernel is None
        session.run(v1.global_variables_initializer())
        np.testing.assert_allclose(session.run([y, z])[0], [[-1.0], [1.0]], rtol=1e-3)
        session.run(v1.get_collection(v1.GraphKeys.UPDATE_OPS))
        assert session.run(layer.moving_mean).tolist() == [1.0]


def test_settings_are_attributes() -> None:
    layer = layers.Conv2D(8, (3, 2), strides=2)
    assert (layer.filters, layer.kernel_size, layer.strides, layer.padding) == (8, (3, 2), 2, "valid")


def test_a_subclass() -> None:
    class Scale(layers.Layer):
        def build(self, input_shape):
            self.factor = self.add_weight("factor", [input_shape[-1]], initializer=pullback.compat.v1.ones_initializer())

        def call(self, inputs, power=1):
            return inputs * self.factor**power

    layer = Scale(name="s")
    assert layer(pullback.constant([2.0, 3.0]), power=2).numpy().tolist() == [2.0, 3.0]
    assert [v.name for v in layer.variables] == ["s/factor:0"] and layer.dtype == pullback.float32


@pytest.mark.parametrize("make", [lambda: layers.Dense(3, nothing=1), lambda: layers.Layer(nothing=1), lambda: layers.Dense()])
def test_wrong_arguments(make) -> None:
    with pytest.raises(TypeError):
        make()


def test_updates_of_batch_normalization_are_those_of_a_layer_that_is_trainable() -> None:
    v1 = pullback.compat.v1
    with v1.Graph().as_default(), v1.Session() as session:
        x = v1.constant([[1.0, 2.0], [3.0, 6.0]])
        moved, still = layers.BatchNormalization(), layers.BatchNormalization(trainable=False)
        normal, same = moved(x, training=True), still(x, training=True)
        assert moved.updates == v1.get_collection(v1.GraphKeys.UPDATE_OPS)
        assert len(moved.updates) == 2
        assert still.updates == []
        session.run(v1.global_variables_initializer())
        assert np.array_equal(*session.run([normal, same]))
        assert [v.op.name for v in moved.non_trainable_weights] == [f"batch_normalization/moving_{what}" for what in ("mean", "variance")]
        assert moved.count_params() == 8


def test_eager_batch_normalization_moves_no_averages_where_it_is_not_trainable() -> None:
    still = layers.BatchNormalization(trainable=False)
    still(pullback.constant([[1.0, 2.0], [3.0, 6.0]]), training=True)
    assert still.moving_mean.numpy().tolist() == [0.0, 0.0]
