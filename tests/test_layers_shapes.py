"""Layers of TensorFlow 1 whose `training` a session is fed keep what is known of shapes; TensorFlow 2.21 has no such layers to ask."""

from __future__ import annotations

import pytest

import pullback.compat.v1 as tf


@pytest.mark.parametrize("dims", [(None, 3), (None, 4, 4, 3)])
@pytest.mark.parametrize("layer", ["batch_normalization", "dropout"])
def test_a_fed_training_flag_keeps_the_static_shape(layer: str, dims: tuple[int | None, ...]) -> None:
    with tf.Graph().as_default():
        x, training = tf.placeholder(tf.float32, dims), tf.placeholder(tf.bool, [])
        y = getattr(tf.layers, layer)(x, training=training)
        assert y.shape.as_list() == list(dims)
        assert tf.layers.dense(tf.layers.flatten(y), 2).shape.as_list() == [None, 2]
