# %% [markdown]
"""
# Train a classifier

Variables, a tape, an optimizer, and a step that is compiled. The points belong to one class where both coordinates have the same sign.
"""

# %%
import numpy as np

import pullback as tf

tf.random.set_seed(0)
points = np.random.default_rng(0).normal(size=(300, 2)).astype(np.float32)
labels = (points[:, 0] * points[:, 1] > 0).astype(np.int32)

weights = [tf.Variable(tf.random.normal([2, 16])), tf.Variable(tf.zeros([16])), tf.Variable(tf.random.normal([16, 2]) * 0.1)]
optimizer = tf.optimizers.Adam(0.02)


def logits(x):
    return tf.nn.tanh(x @ weights[0] + weights[1]) @ weights[2]


@tf.function
def step():
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels, logits(points)))
    optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))
    return loss


# %%
losses = [float(step()) for _ in range(300)]
right = np.mean(np.argmax(logits(points), 1) == labels)
print(f"loss {losses[0]:.3f} -> {losses[-1]:.3f}, right: {right:.1%}")

# %% [markdown]
"""
## The same with Keras

`tf.keras` is Keras 3, which runs on Pullback.
"""

# %%
model = tf.keras.Sequential([tf.keras.layers.Dense(16, activation="tanh"), tf.keras.layers.Dense(2)])
model.compile(tf.keras.optimizers.Adam(0.05), tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True), metrics=["accuracy"])
history = model.fit(points, labels, batch_size=50, epochs=40, verbose=0)
print(f"right: {history.history['accuracy'][-1]:.1%}")

# %% tags=["check"]
assert losses[-1] < 0.2 < losses[0] and right > 0.95
assert history.history["accuracy"][-1] > 0.9
