"""Data-parallel training: each replica takes its part of each batch, and all take the step of the whole batch.

    pullback run --mpi 4 examples/distributed/data_parallel.py

It runs in one process too.  The steps are cut in blocks of fixed length, so any number of processes ends with the same bits.
"""

import tempfile

import numpy as np
import tensorflow as tf

import pullback.distribute as hvd

tf.config.experimental.enable_op_determinism()  # or the clock decides at which step native code takes over
strategy = tf.distribute.MirroredStrategy()
numbers = np.random.default_rng(0)
x = numbers.normal(size=(2400, 10)).astype(np.float32)
y = np.sin(x[:, :1]) + 0.5 * x[:, 1:2]
batches = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(2400, seed=1).batch(240)

with strategy.scope():  # every replica begins with the values of replica 0
    weights = [tf.Variable(tf.random.normal(shape, stddev=0.3, seed=7)) for shape in ((10, 32), (32,), (32, 1), (1,))]


def loss_and_gradients(block):
    features, wanted = block
    a, b, c, d = weights
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((tf.tanh(features @ a + b) @ c + d - wanted) ** 2) / 240
    return loss, tape.gradient(loss, weights)


@tf.function
def step(features, wanted):
    # 240 examples are 20 blocks of 12: 1, 2, 4 or 5 processes have whole ones.
    loss, slopes = hvd.sum_in_blocks(loss_and_gradients, (features, wanted), block=12)
    for weight, slope in zip(weights, slopes):
        weight.assign_sub(0.1 * slope)
    return loss


with tempfile.TemporaryDirectory() as folder:
    # One replica writes, all wait for it; all restore.
    manager = tf.train.CheckpointManager(tf.train.Checkpoint(weights=weights), folder, max_to_keep=2)
    for epoch in range(5):
        losses = []
        for features, wanted in strategy.experimental_distribute_dataset(batches):
            share = 240 // hvd.size()
            losses.append(float(step(tf.ensure_shape(features, [share, 10]), tf.ensure_shape(wanted, [share, 1]))))
        manager.save()
        if hvd.rank() == 0:
            print(f"epoch {epoch}: loss {np.mean(losses):.6f}")
