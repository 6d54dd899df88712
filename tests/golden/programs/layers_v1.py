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
    parts = [vars(importlib.import_module(f"{home}.{name}")) for name in ("base", "core", "convolutional", "pooling")]
    parts.append(vars(importlib.import_module("tensorflow.python.keras.engine.input_spec")))
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


def what_layers_ask_for(tf: Any) -> Answers:
    layers = _layers(tf)
    spec = layers.InputSpec

    class Own(layers.Layer):  # type: ignore[misc, name-defined]
        def __init__(self, wanted: Any) -> None:
            super().__init__(name="own")
            self.input_spec = wanted

        def call(self, inputs: Any) -> Any:
            return inputs

    def called(wanted: Any, *dims: int | None, unknown: bool = False, **how: Any) -> Callable[[], Any]:
        return lambda: str(Own(wanted)(tf.placeholder(tf.float32, None if unknown else list(dims))).shape)

    def conv(*dims: int, **how: Any) -> Callable[[], Any]:
        return lambda: str(layers.Conv2D(4, 3, **how).compute_output_shape(tf.TensorShape([None, *dims])))

    def second_call() -> Any:
        layer = layers.Conv2D(2, 2, name="c")
        layer(tf.zeros([1, 4, 4, 3]))
        return layer(tf.zeros([1, 4, 4, 2]))

    one = spec(ndim=2)
    made = {
        "Dense": layers.Dense(2), "Flatten": layers.Flatten(), "Dropout": layers.Dropout(0.5), "Conv1D": layers.Conv1D(2, 2),
        "Conv2D": layers.Conv2D(2, 2), "Conv2DTranspose": layers.Conv2DTranspose(2, 2), "MaxPooling2D": layers.MaxPooling2D(2, 2),
        "AveragePooling1D": layers.AveragePooling1D(2, 2),
    }  # fmt: skip
    answers: Answers = {name: repr(layer.input_spec) for name, layer in made.items()}
    made["Dense"](tf.zeros([2, 5]))
    made["Conv2D"](tf.zeros([1, 4, 4, 3]))
    return answers | {
        "Dense, called": lambda: repr(made["Dense"].input_spec), "Conv2D, called": lambda: repr(made["Conv2D"].input_spec),
        "shape": called(spec(shape=(None, 3)), 2, 3), "sizes by axis": called(spec(ndim=2, axes={-1: 3}), None, None), "dtype": called(spec(dtype="float32"), 2),
        "unknown": called(spec(ndim=2), unknown=True), "a list": called([one], 2, 3), "none": called(None, 2), "long": called(spec(min_ndim=2), 2, 3, 4),
        "attributes": lambda: [spec(shape=[None, 3]).ndim, spec(shape=[None, 3]).shape, spec(dtype=tf.int32).dtype, spec(axes={"-1": 2}).axes],
        "printed": lambda: [repr(spec(shape=(None, 3))), repr(spec(min_ndim=2, max_ndim=4, dtype="float32")), repr(spec())],
        "another shape": raises(called(spec(shape=(None, 4)), 2, 3), "expected shape=(None, 4), found shape=(2, 3)"),
        "another size": raises(called(spec(axes={-1: 3}), 2, 5), "Input 0 of layer own is incompatible with the layer: expected axis -1 of input shape to have value 3"),
        "another rank": raises(called(one, 2), "Input 0 of layer own is incompatible with the layer: expected ndim=2, found ndim=1"),
        "too long": raises(called(spec(max_ndim=1), 2, 3), "expected max_ndim=1, found ndim=2"),
        "too short": raises(called(spec(min_ndim=3), 2, 3), "expected min_ndim=3, found ndim=2"),
        "another dtype": raises(called(spec(dtype="int32"), 2), "expected dtype=int32, found dtype=<dtype: 'float32'>"),
        "two wanted": raises(called([one, one], 2, 3), "Layer own expects 2 input(s), but it received 1 input tensors"),
        "two given": raises(lambda: Own(one)([tf.zeros([2, 3])] * 2), "Layer own expects 1 input(s), but it received 2 input tensors"),
        "no such axis": raises(lambda: spec(ndim=3, axes={3: 2}), "Axis 3 is greater than the maximum allowed value: 2"),
        "a word for an axis": raises(lambda: spec(axes={"last": 2}), "The keys in axes must be integers"),
        "a number for a spec": raises(lambda: Own(3), "Layer input_spec must be an instance of InputSpec. Got: 3"),
        "channels of a second call": raises(second_call, "Input 0 of layer c is incompatible with the layer: expected axis -1"),
        "an image of rank 2": raises(lambda: layers.Conv2D(2, 2, name="d")(tf.zeros([2, 3])), "expected min_ndim=4, found ndim=2"),
        "shape of valid": conv(8, 9, 3, strides=2), "shape of same": conv(8, 9, 3, padding="same"), "shape of dilated": conv(8, 9, 3, dilation_rate=2),
        "shape of transposed": lambda: str(layers.Conv2DTranspose(4, 3, strides=2).compute_output_shape(tf.TensorShape([None, 8, 9, 3]))),
        "shape of dense": lambda: str(layers.Dense(4).compute_output_shape(tf.TensorShape([None, 3]))),
        "shape of pools": lambda: str(layers.MaxPooling2D(2, 2).compute_output_shape(tf.TensorShape([None, 8, 9, 3]))),
        "shape of flat": lambda: str(layers.Flatten().compute_output_shape(tf.TensorShape([None, 8, 9, 3]))),
        "no last dimension": raises(lambda: layers.Dense(4).compute_output_shape(tf.TensorShape([2, None]))),
    }  # fmt: skip


def losses_and_updates(tf: Any) -> Answers:
    layers = _layers(tf)

    class Own(layers.Layer):  # type: ignore[misc, name-defined]
        def build(self, input_shape: Any) -> None:
            self.w = self.add_weight("w", [3], initializer=tf.ones_initializer(), regularizer=lambda w: tf.reduce_sum(w, name="sum"))
            self.count = self.add_weight("count", [], trainable=False, initializer=tf.zeros_initializer())
            self.built = True

        def call(self, inputs: Any) -> Any:
            self.add_loss(tf.reduce_mean(inputs, name="mean"), inputs=[inputs])
            self.add_loss(tf.reduce_max(self.w, name="max"))
            self.add_update(tf.assign_add(self.count, 1.0))
            return inputs * self.w

    x, other = tf.placeholder(tf.float32, [None, 3]), tf.placeholder(tf.float32, [None, 3])
    layer, frozen = Own(name="mine"), Own(trainable=False, name="frozen")
    layer(x)
    answers: Answers = {
        f"losses for {name}": sorted(t.op.type for t in layer.get_losses_for(given)) for name, given in (("None", None), ("x", x), ("another", other))
    }
    answers |= {f"updates for {name}": [op.name for op in layer.get_updates_for(given)] for name, given in (("None", None), ("x", x))}
    answers |= {
        "losses": [t.op.type for t in layer.losses], "updates": [op.name for op in layer.updates],
        "collections": [sorted(t.op.type for t in tf.get_collection(tf.GraphKeys.REGULARIZATION_LOSSES)), [op.name for op in tf.get_collection(tf.GraphKeys.UPDATE_OPS)]],
    }  # fmt: skip
    layer.add_loss(tf.reduce_min(x))
    answers["a loss more"] = sorted(t.op.type for t in layer.losses)

    def names(one: Any) -> list[Any]:
        return [[v.name for v in part] for part in (one.trainable_variables, one.non_trainable_variables, one.weights)]

    answers["variables"] = names(layer)
    layer.trainable = False
    answers["not trainable now"] = [*names(layer), layer.updates, len(layer.losses)]
    frozen(x)
    answers["never trainable"] = names(frozen)
    frozen.trainable = True
    answers["trainable too late"] = names(frozen)
    return answers | {"trainable variables": [v.name for v in tf.trainable_variables()], "state": [layer.dynamic, layer.stateful]}
