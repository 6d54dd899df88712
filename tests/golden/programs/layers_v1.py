"""`tf.layers` of sequences and volumes, and its layers as objects that are called twice: names, values and gradients."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np

from tests.golden.programs.kit import Answers, raises

FACE = "v1"


def _layers(tf: Any) -> Any:
    """`tf.layers`, which TensorFlow 2.21 has in its public face only beside Keras 2."""
    if "tensorflow" not in tf.__name__:
        return tf.layers
    home = "tensorflow.python.keras.legacy_tf_layers"
    parts = [vars(importlib.import_module(f"{home}.{name}")) for name in ("core", "convolutional", "pooling")]
    return SimpleNamespace(**{name: value for part in parts for name, value in part.items() if not name.startswith("_")})


def _x(*shape: int) -> Any:
    return (np.linspace(-1, 1.3, int(np.prod(shape))).reshape(shape) ** 3).astype(np.float32)


def _answer(tf: Any, given: Any, layer: Callable[[Any], Any]) -> Callable[[], dict[str, Any]]:
    def answer() -> dict[str, Any]:
        with tf.Graph().as_default(), tf.Session() as session:
            x = tf.constant(given)
            with tf.variable_scope("v", initializer=tf.random_uniform_initializer(-1, 1, seed=3)):
                found = layer(x)
            variables = tf.trainable_variables()
            gradients = tf.gradients(tf.sin(found), [x, *variables])
            session.run(tf.global_variables_initializer())
            return {"names": [v.name for v in variables], "output": session.run(found), "gradients": session.run(gradients)}

    return answer


def functions(tf: Any) -> Answers:
    layers = _layers(tf)
    return {
        "conv1d": _answer(tf, _x(2, 6, 3), lambda x: layers.conv1d(x, 2, 3, activation=tf.tanh)),
        "conv1d, same, strides": _answer(tf, _x(2, 6, 3), lambda x: layers.conv1d(x, 2, 3, strides=2, padding="same", use_bias=False)),
        "conv1d, dilation": _answer(tf, _x(2, 6, 3), lambda x: layers.conv1d(x, 2, 2, dilation_rate=2, name="far")),
        "conv3d": _answer(tf, _x(1, 3, 4, 3, 2), lambda x: layers.conv3d(x, 2, (2, 2, 3))),
        "separable_conv2d": _answer(tf, _x(2, 5, 4, 3), lambda x: layers.separable_conv2d(x, 2, 3, depth_multiplier=2, padding="same")),
        "max_pooling1d": _answer(tf, _x(2, 6, 3), lambda x: layers.max_pooling1d(x, 2, 2)),
        "average_pooling1d": _answer(tf, _x(2, 6, 3), lambda x: layers.average_pooling1d(x, 3, 2, "same")),
    }


def objects(tf: Any) -> Answers:
    layers = _layers(tf)

    def twice(layer: Any) -> Callable[[Any], Any]:
        return lambda x: layer()(x) + (lambda one: one(x * 0.5) * one(x))(layer())

    return {
        "Dense": _answer(tf, _x(2, 4), twice(lambda: layers.Dense(3, activation=tf.nn.relu))),
        "Dense, named": _answer(tf, _x(2, 4), lambda x: (lambda one: one(one(x)))(layers.Dense(4, use_bias=False, name="mine"))),
        "Conv1D": _answer(tf, _x(2, 6, 3), twice(lambda: layers.Conv1D(2, 3))),
        "Conv2D": _answer(tf, _x(2, 5, 4, 3), twice(lambda: layers.Conv2D(2, 3, padding="same", activation=tf.tanh))),
        "Conv2DTranspose": _answer(tf, _x(2, 3, 2, 3), twice(lambda: layers.Conv2DTranspose(2, 3, strides=2))),
        "MaxPooling2D": _answer(tf, _x(2, 4, 4, 3), lambda x: layers.MaxPooling2D(2, 2)(x)),
        "Flatten": _answer(tf, _x(2, 4, 3), lambda x: layers.Flatten()(x)),
    }


def what_layers_keep(tf: Any) -> Answers:
    layers = _layers(tf)

    def kept(make: Callable[[], Any], x: Any, **how: Any) -> Callable[[], list[Any]]:
        def answer() -> list[Any]:
            with tf.Graph().as_default(), tf.Session() as session:
                with tf.variable_scope("s"):
                    layer = make()
                    before = layer.built
                    for _ in range(2):
                        layer(tf.constant(x), **how)
                losses = tf.get_collection(tf.GraphKeys.REGULARIZATION_LOSSES)
                session.run(tf.global_variables_initializer())
                found = [layer.count_params(), layer.scope_name, tf.as_dtype(layer.dtype).name, before, layer.built, len(layer.losses)]
                variables = [[v.name for v in each] for each in (layer.trainable_weights, layer.non_trainable_weights)]
                return [*found, *variables, sorted(map(float, session.run(losses))), len(layer.updates)]

        return answer

    half = tf.constant_initializer(0.5)
    total, squares = tf.reduce_sum, lambda w: tf.reduce_sum(w * w)
    return {
        "Dense": kept(lambda: layers.Dense(2, kernel_initializer=half, kernel_regularizer=squares, activity_regularizer=total), _x(3, 4)),
        "Conv2D": kept(
            lambda: layers.Conv2D(2, 2, kernel_initializer=half, activity_regularizer=squares, bias_regularizer=total, name="c"),
            _x(5, 3, 3, 2),
        ),
        "Conv1D": kept(lambda: layers.Conv1D(2, 2, kernel_initializer=half, activity_regularizer=total), _x(5, 3, 2)),
        "Conv2DTranspose": kept(
            lambda: layers.Conv2DTranspose(2, 2, kernel_initializer=half, activity_regularizer=squares), _x(4, 3, 3, 2)
        ),
        "count_params before": raises(lambda: layers.Dense(2).count_params(), "isn't built"),
        "scope_name before": raises(lambda: layers.Dense(2).scope_name, "not been used"),
    }
