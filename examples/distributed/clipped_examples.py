"""Per-example clipping over replicas: no example moves the weights by more than a bound, however many processes there are.

    pullback run --mpi 2 examples/distributed/clipped_examples.py

Each replica takes the gradients of its examples one by one, clips them, and adds them up; the sums of all replicas are one collective,
which has a gradient itself: at the end the bound is improved by the slope of the loss after the step.
"""

import numpy as np
import tensorflow as tf

import pullback.distribute as hvd

numbers = np.random.default_rng(0)
x = numbers.normal(size=(24, 3)).astype(np.float32)
y = x @ np.float32([1.0, -2.0, 0.5])
y[0] = 50.0  # one that would spoil the step
share = slice(24 * hvd.rank() // hvd.size(), 24 * (hvd.rank() + 1) // hvd.size())
mine, wanted = tf.constant(x[share]), tf.constant(y[share])


def clipped_step(w, bound):
    def slope(example):
        features, target = example
        with tf.GradientTape() as tape:
            tape.watch(w)
            loss = (tf.tensordot(features, w, 1) - target) ** 2
        gradient = tape.gradient(loss, w)
        return gradient * tf.minimum(1.0, bound / (tf.norm(gradient) + 1e-6))

    clipped = tf.vectorized_map(slope, (mine, wanted))
    return w - 0.5 * hvd.all_reduce(clipped, "MEAN", axis=0)


w, bound = tf.zeros([3]), tf.constant(1.0)
for _ in range(30):
    w = clipped_step(w, bound)
with tf.GradientTape() as tape:
    tape.watch(bound)
    after = clipped_step(w, bound)
    error = tf.reduce_sum((after - [1.0, -2.0, 0.5]) ** 2)
# Each replica asks for the slope of the same error; the sum over replicas counts it once for each.
slope = tape.gradient(error, bound) / hvd.size()
slope = hvd.all_reduce(slope)
if hvd.rank() == 0:
    print("weights", np.round(w.numpy(), 2), "slope of the error by the bound", f"{float(slope):.4f}")
