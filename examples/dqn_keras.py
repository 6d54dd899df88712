"""Deep Q-learning with Keras models: a replay buffer, a target network, and double estimates, on a corridor with a goal."""
import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
import numpy as np
import tensorflow as tf
from tensorflow import keras

keras.utils.set_random_seed(1)
rng = np.random.default_rng(7)
LENGTH, ACTIONS, DISCOUNT = 6, 2, 0.9


def act(place, action):
    place = max(place - 1, 0) if action == 0 else place + 1
    return (0, 1.0, True) if place == LENGTH - 1 else (place, -0.02, False)


def network():
    return keras.Sequential([keras.Input((LENGTH,)), keras.layers.Dense(24, activation="relu"), keras.layers.Dense(ACTIONS)])


online, target = network(), network()
target.set_weights(online.get_weights())
optimizer, huber = keras.optimizers.Adam(0.01), keras.losses.Huber()


@tf.function(reduce_retracing=True)
def learn(states, actions, rewards, others, ends):
    best = tf.argmax(online(others), 1)
    ahead = tf.reduce_sum(target(others) * tf.one_hot(best, ACTIONS), 1)
    wanted = rewards + DISCOUNT * (1 - ends) * ahead
    with tf.GradientTape() as tape:
        values = tf.reduce_sum(online(states) * tf.one_hot(actions, ACTIONS), 1)
        loss = huber(wanted, values)
    optimizer.apply_gradients(zip(tape.gradient(loss, online.trainable_variables), online.trainable_variables))
    return loss


buffer = []
for _ in range(400):
    place, action = int(rng.integers(LENGTH - 1)), int(rng.integers(ACTIONS))
    new, reward, end = act(place, action)
    buffer.append((place, action, reward, new, float(end)))
rows = np.eye(LENGTH, dtype="float32")
for number in range(160):
    states, actions, rewards, others, ends = map(np.array, zip(*[buffer[i] for i in rng.integers(len(buffer), size=32)]))
    loss = learn(rows[states], actions, rewards.astype("float32"), rows[others], ends.astype("float32"))
    if number % 32 == 31:
        target.set_weights(online.get_weights())
        print(f"step {number + 1}: loss {loss:.4f}")
values = online.predict(rows, verbose=0)
print("values of going on:", " ".join(f"{v:.2f}" for v in values[: LENGTH - 1, 1]))
print("choices:", np.argmax(values[: LENGTH - 1], 1))
