"""Keras's layers on Pullback, values and gradients, and the strategies that Keras asks for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tests.golden.programs.kit import Answers

FACE = "v2"


def _start(holder: Any, seed: int = 1) -> Any:
    """Give weights numbers that do not depend on who draws."""
    stream = np.random.RandomState(seed)
    for weight in holder.weights:
        if "gamma" not in weight.name and "variance" not in weight.name:
            weight.assign(stream.randn(*weight.shape) * 0.3)
    return holder


def layers_under_a_tape(tf: Any) -> Answers:
    layers = tf.keras.layers
    made = {
        "dense": (lambda: layers.Dense(3, activation="gelu"), (4, 5)),
        "causal": (lambda: layers.Conv1D(3, 2, padding="causal"), (2, 6, 3)),
        "transposed": (lambda: layers.Conv2DTranspose(2, 3, strides=2), (2, 4, 4, 3)),
        "depthwise": (lambda: layers.DepthwiseConv2D(3), (2, 6, 6, 2)),
        "separable": (lambda: layers.SeparableConv2D(4, 3), (2, 6, 6, 2)),
        "layer norm": (layers.LayerNormalization, (3, 5)),
        "group norm": (lambda: layers.GroupNormalization(2), (2, 4, 4, 4)),
        "prelu": (layers.PReLU, (3, 4)),
        "lstm": (lambda: layers.LSTM(3, return_sequences=True), (2, 4, 3)),
        "gru": (lambda: layers.GRU(3), (2, 4, 3)),
        "both ways": (lambda: layers.Bidirectional(layers.SimpleRNN(3)), (2, 4, 3)),
        "einsum": (lambda: layers.EinsumDense("abc,cd->abd", output_shape=(None, 6)), (2, 3, 4)),
        "bilinear": (lambda: layers.UpSampling2D(2, interpolation="bilinear"), (1, 3, 3, 2)),
        "average": (lambda: layers.AveragePooling2D(2), (1, 4, 4, 2)),
        "volume": (lambda: layers.Conv3D(2, 2), (1, 4, 4, 4, 2)),
        "conv lstm": (lambda: layers.ConvLSTM2D(2, 3), (1, 3, 6, 6, 2)),
    }

    def answer(make: Callable[[], Any], shape: tuple[int, ...]) -> Callable[[], Any]:
        def found() -> Any:
            layer, x = make(), tf.constant(np.random.RandomState(7).randn(*shape).astype("float32"))
            layer.build(x.shape)
            _start(layer)
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = layer(x)
                loss = tf.reduce_sum(y * y)
            return [y, *map(tf.convert_to_tensor, tape.gradient(loss, [x, *layer.trainable_variables]))]

        return found

    return {name: answer(make, shape) for name, (make, shape) in made.items()}


def strategies(tf: Any) -> Answers:
    distribute = tf.distribute
    default, mirrored = distribute.get_strategy(), distribute.MirroredStrategy(["/cpu:0"])

    def here() -> Any:
        inside = distribute.get_replica_context()
        return [distribute.has_strategy(), distribute.in_cross_replica_context(), inside is None]

    def entered(strategy: Any) -> Callable[[], Any]:
        def found() -> Any:
            with strategy.scope():
                return [*here(), tf.Variable(1.0).shape]

        return found

    def run(strategy: Any) -> Callable[[], Any]:
        def step(x: Any) -> Any:
            replica = distribute.get_replica_context()
            across = replica.merge_call(lambda strategy, y: [distribute.in_cross_replica_context(), y], args=(x,))
            return [replica.all_reduce("sum", x), replica.num_replicas_in_sync, across[1]]

        return lambda: strategy.run(step, args=(tf.constant([1.0, 2.0]),))

    return {
        "outside": here,
        "default, entered": entered(default),
        "mirrored, entered": entered(mirrored),
        "default, run": run(default),
        "mirrored, run": run(mirrored),
        "reduced": lambda: [default.reduce(how, tf.constant([1.0, 3.0]), axis=axis) for how in ("SUM", "MEAN") for axis in (None, 0)],
        "unwrapped": lambda: default.unwrap(tf.constant(2.0)),
        "results": lambda: default.experimental_local_results(tf.constant(2.0)),
    }
