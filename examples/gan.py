"""A generative adversarial network of Keras models: two tapes in one step, labels made smooth, and a moving average of the generator."""
import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
import numpy as np
import tensorflow as tf
from tensorflow import keras

keras.utils.set_random_seed(4)
rng = np.random.default_rng(6)


def network(inputs, outputs):
    return keras.Sequential([keras.Input((inputs,)), keras.layers.Dense(16), keras.layers.LeakyReLU(0.2), keras.layers.Dense(outputs)])


generator, critic = network(3, 2), network(2, 1)
makers, judges = keras.optimizers.Adam(0.005, beta_1=0.5), keras.optimizers.Adam(0.005, beta_1=0.5)
entropy = keras.losses.BinaryCrossentropy(from_logits=True, label_smoothing=0.1)
averages = [tf.Variable(v) for v in generator.trainable_variables]


@tf.function
def step(real, noise):
    with tf.GradientTape() as of_makers, tf.GradientTape() as of_judges:
        made = generator(noise, training=True)
        on_real, on_made = critic(real, training=True), critic(made, training=True)
        fooled = entropy(tf.ones_like(on_made), on_made)
        judged = entropy(tf.ones_like(on_real), on_real) + entropy(tf.zeros_like(on_made), on_made)
    makers.apply_gradients(zip(of_makers.gradient(fooled, generator.trainable_variables), generator.trainable_variables))
    judges.apply_gradients(zip(of_judges.gradient(judged, critic.trainable_variables), critic.trainable_variables))
    for average, variable in zip(averages, generator.trainable_variables):
        average.assign(0.9 * average + 0.1 * variable)
    return fooled, judged, made


for number in range(60):
    angles = rng.uniform(0, np.pi, 64)
    real = np.stack([1 + np.cos(angles), np.sin(angles)], 1) + 0.05 * rng.standard_normal((64, 2))
    fooled, judged, made = step(tf.constant(real, tf.float32), tf.constant(rng.standard_normal((64, 3)), tf.float32))
    if number % 15 == 14:
        x, y = made.numpy().mean(0)
        print(f"step {number + 1}: generator {fooled:.3f}, critic {judged:.3f}, middle of what is made {x:.2f} {y:.2f}")
print(f"averages differ by {sum(float(tf.reduce_sum(tf.abs(a - v))) for a, v in zip(averages, generator.trainable_variables)):.2f}")
