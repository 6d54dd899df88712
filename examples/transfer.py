"""Transfer: a network learns one task, its weights go through a checkpoint and a file into another, which learns a second task on top."""
import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
import tempfile

import numpy as np
import tensorflow as tf
from tensorflow import keras

keras.utils.set_random_seed(3)
rng = np.random.default_rng(2)
folder = tempfile.mkdtemp()
x = rng.standard_normal((256, 6)).astype("float32")
first, second = np.sin(x[:, :1]) + x[:, 1:2] * x[:, 2:3], np.cos(x[:, :1]) + x[:, 1:2] * x[:, 2:3]


def body():
    return keras.Sequential([keras.Input((6,)), *(keras.layers.Dense(size, activation="tanh") for size in (24, 12))], name="body")


def with_head(trunk):
    model = keras.Sequential([keras.Input((6,)), trunk, keras.layers.Dense(1)])
    model.compile(keras.optimizers.Adam(0.01), "mse")
    return model


teacher = with_head(body())
history = teacher.fit(x[:192], first[:192], epochs=12, batch_size=32, shuffle=False, verbose=0)
print("first task: " + " ".join(f"{loss:.3f}" for loss in history.history["loss"][::4]))
teacher.layers[0].save_weights(os.path.join(folder, "body.weights.h5"))

trunk = body()
trunk.load_weights(os.path.join(folder, "body.weights.h5"))
trunk.trainable = False
student = with_head(trunk)
history = student.fit(x[:64], second[:64], epochs=12, batch_size=16, shuffle=False, verbose=0)
print(f"head alone ({len(student.trainable_variables)} variables): " + " ".join(f"{loss:.3f}" for loss in history.history["loss"][::4]))

step = tf.Variable(0, dtype=tf.int64)
kernel = tf.Variable(trunk.weights[0].numpy())
manager = tf.train.CheckpointManager(tf.train.Checkpoint(kernel=kernel, step=step), os.path.join(folder, "steps"), max_to_keep=2)
for _ in range(3):
    step.assign_add(1)
    kernel.assign(kernel * 0.5)
    manager.save()
kernel.assign(tf.zeros_like(kernel))
tf.train.Checkpoint(kernel=kernel, step=step).restore(manager.checkpoints[0])
same = np.allclose(kernel.numpy(), trunk.weights[0].numpy() / 4)
print(f"restored step {int(step)} of {len(manager.checkpoints)} kept: {same}")

trunk.trainable = True
student.compile(keras.optimizers.Adam(0.003), "mse")
history = student.fit(x[:64], second[:64], epochs=8, batch_size=16, shuffle=False, verbose=0)
print(f"everything: {history.history['loss'][-1]:.3f}; on new rows {student.evaluate(x[192:], second[192:], verbose=0):.3f}")
