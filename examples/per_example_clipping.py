"""Per-example clipping, as in private training: the gradient of each example by `tape.jacobian`, cut to a norm, with noise."""
import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
import numpy as np
import tensorflow as tf
from tensorflow import keras

rng = np.random.default_rng(3)
centres = rng.standard_normal((3, 5)) * 2
labels = rng.integers(0, 3, 96)
x = (centres[labels] + rng.standard_normal((96, 5))).astype("float32")
labels[:6] = (labels[:6] + 1) % 3  # some are wrong

keras.utils.set_random_seed(2)
model = keras.Sequential([keras.Input((5,)), keras.layers.Dense(8, activation="tanh"), keras.layers.Dense(3)])
CLIP, NOISE, RATE = 1.0, 0.3, 0.4


@tf.function
def clipped(x, y):
    with tf.GradientTape() as tape:
        losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=model(x))
    each = tape.jacobian(losses, model.trainable_variables)
    norms = tf.sqrt(tf.add_n([tf.reduce_sum(g**2, list(range(1, len(g.shape)))) for g in each]))
    factors = tf.minimum(1.0, CLIP / norms)
    return tf.reduce_mean(losses), norms, [tf.tensordot(factors, g, 1) for g in each]


for epoch in range(4):
    for start in range(0, 96, 32):
        batch = slice(start, start + 32)
        loss, norms, sums = clipped(tf.constant(x[batch]), tf.constant(labels[batch]))
        for variable, total in zip(model.trainable_variables, sums):
            noise = NOISE * CLIP * rng.standard_normal(total.shape)
            variable.assign_sub(RATE * (total + noise.astype("float32")) / 32)
    print(f"epoch {epoch}: loss {loss:.3f}, norms from {tf.reduce_min(norms):.3f} to {tf.reduce_max(norms):.3f}")
right = np.mean(np.argmax(model(x), 1) == labels)
print(f"right: {right:.2f}")
