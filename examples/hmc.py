"""Hamiltonian Monte Carlo: leapfrog steps along the gradient of a log-density, for the weights of a logistic regression."""
import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(5)
true = np.array([1.0, -2.0, 0.5])
x = np.column_stack([np.ones(120), rng.standard_normal((120, 2))])
y = (rng.random(120) < 1 / (1 + np.exp(-x @ true))).astype("float64")
x, y = tf.constant(x), tf.constant(y)
STEP, LEAPS = tf.constant(0.12, tf.float64), 12


def log_density(w):
    logits = tf.linalg.matvec(x, w)
    losses = tf.nn.sigmoid_cross_entropy_with_logits(labels=y, logits=logits)
    return -tf.reduce_sum(losses) - 0.5 * tf.reduce_sum(w**2) / 9.0


def slope(w):
    with tf.GradientTape() as tape:
        tape.watch(w)
        value = log_density(w)
    return value, tape.gradient(value, w)


@tf.function
def propose(w, momentum, threshold):
    before, g = slope(w)
    energy = before - 0.5 * tf.reduce_sum(momentum**2)
    new, value = w, before
    for _ in tf.range(LEAPS):
        momentum += 0.5 * STEP * g
        new += STEP * momentum
        value, g = slope(new)
        momentum += 0.5 * STEP * g
    accepted = threshold < value - 0.5 * tf.reduce_sum(momentum**2) - energy
    return tf.where(accepted, new, w), accepted


w, kept, taken = tf.zeros([3], tf.float64), [], 0
for number in range(300):
    w, accepted = propose(w, tf.constant(rng.standard_normal(3)), tf.constant(np.log(rng.random())))
    taken += int(accepted)
    if number >= 100:
        kept.append(w.numpy())
kept = np.array(kept)
print(f"accepted {taken} of 300")
print("means     ", " ".join(f"{m:.3f}" for m in kept.mean(0)))
print("deviations", " ".join(f"{s:.3f}" for s in kept.std(0)))
