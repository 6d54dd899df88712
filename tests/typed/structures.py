"""Structured variables, modules, checkpoints and saved models."""

from __future__ import annotations

import os
import tempfile
from dataclasses import dataclass
from typing import NamedTuple, assert_type

import numpy as np

import pullback as tf


class Params(NamedTuple):
    w: tf.Variable
    b: tf.Variable


@dataclass
class State:
    params: Params
    step: tf.Variable


class Model(tf.Module):
    def __init__(self) -> None:
        super().__init__("model")
        self.params: dict[str, tf.Variable] = {"w": tf.Variable(tf.ones([3, 1])), "b": tf.Variable(0.0)}
        self.scale = tf.constant(2.0)

    @tf.function(input_signature=[tf.TensorSpec([None, 3], tf.float32)])
    def __call__(self, x: tf.Tensor) -> tf.Tensor:
        return tf.squeeze(x @ self.params["w"], -1) * self.scale + self.params["b"]

    @tf.function
    def predict(self, x: tf.Tensor, training: bool = False) -> dict[str, tf.Tensor]:
        return {"y": self(x), "p": tf.sigmoid(self(x))}


model = Model()
x = tf.constant(np.ones((2, 3), np.float32))
with tf.GradientTape() as tape:
    loss = tf.reduce_mean(tf.square(model(x) - 1.0))
grads = tape.gradient(loss, model.params)
for name, g in grads.items():
    model.params[name].assign_sub(0.1 * g)
state = State(Params(tf.Variable(1.0), tf.Variable(2.0)), tf.Variable(0))
with tf.GradientTape() as tape:
    value = state.params.w * 3.0 + state.params.b
gs = assert_type(tape.gradient(value, state.params), Params)
print(gs.w, assert_type(model.trainable_variables, tuple[tf.Variable, ...])[0].shape, [part.name for part in model.submodules])
ckpt = tf.train.Checkpoint(model=model, step=state.step)
with tempfile.TemporaryDirectory() as folder:
    manager = tf.train.CheckpointManager(ckpt, folder, max_to_keep=2)
    path = manager.save()
    status = ckpt.restore(manager.latest_checkpoint)
    status.assert_consumed()
    tf.saved_model.save(model, os.path.join(folder, "saved"))
    loaded = tf.saved_model.load(os.path.join(folder, "saved"))
    print(loaded(x))
    print(len(tf.train.list_variables(folder)), assert_type(model.predict(x), dict[str, tf.Tensor])["p"].shape)
