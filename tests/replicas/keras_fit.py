"""Keras's `fit` under a strategy; replica 0 prints what it learnt, as JSON.

On TensorFlow, which has its replicas in one process, `tests/golden/make_replicas.py` runs it with two devices.
Arguments are the devices of one process here.
"""

import json
import os
import sys

os.environ["KERAS_BACKEND"] = "tensorflow"

import keras
import numpy as np
import tensorflow as tf

tf.config.experimental.enable_op_determinism()
keras.utils.set_random_seed(0)
strategy = tf.distribute.MirroredStrategy(sys.argv[1:] or None)
numbers = np.random.default_rng(0)
x = numbers.normal(size=(240, 8)).astype(np.float32)
y = (x[:, :1] * x[:, 1:2] > 0).astype(np.float32)
first = [numbers.normal(scale=0.3, size=shape).astype(np.float32) for shape in ((8, 16), (16,), (16, 1), (1,))]
with strategy.scope():
    hidden, last = keras.layers.Dense(16, activation="relu"), keras.layers.Dense(1, activation="sigmoid")
    model = keras.Sequential([keras.Input([8]), hidden, keras.layers.BatchNormalization(), last])
    hidden.set_weights(first[:2])
    last.set_weights(first[2:])
    model.compile(keras.optimizers.Adam(0.01), "binary_crossentropy", metrics=["accuracy"], jit_compile=False)
history = model.fit(x, y, batch_size=48, epochs=3, verbose=0, shuffle=False).history
found = {
    **history,
    "evaluate": model.evaluate(x, y, verbose=0),
    "weights": [float(np.abs(np.asarray(w)).sum()) for w in model.trainable_variables],
    "moving": [float(np.sum(np.asarray(w))) for w in model.non_trainable_variables[:2]],
}
if strategy.extended.should_checkpoint:
    print(json.dumps(found), flush=True)
