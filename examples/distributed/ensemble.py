"""An ensemble: members that are trained apart, spread over the replicas, and asked together.

    pullback run --mpi 4 examples/distributed/ensemble.py

Members differ by the weights that they begin with and by the examples that they see.  The gradient of the ensemble's spread says where
another example would teach most: it is taken through the members of all replicas.
"""

import numpy as np
import tensorflow as tf

import pullback.distribute as hvd

MEMBERS = 8
x = np.linspace(-2, 2, 80, dtype=np.float32)[:, None]
x = x[np.abs(x[:, 0]) > 0.5]  # nobody has seen the middle
y = np.sin(2 * x)
mine = range(MEMBERS * hvd.rank() // hvd.size(), MEMBERS * (hvd.rank() + 1) // hvd.size())


def network(weights, x):
    a, b, c = weights
    return tf.tanh(x @ a + b) @ c


def train(member):
    numbers = np.random.default_rng(member)
    seen = numbers.integers(len(x), size=len(x))
    weights = [tf.Variable(numbers.normal(size=shape).astype(np.float32)) for shape in ((1, 16), (16,), (16, 1))]
    for _ in range(200):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((network(weights, x[seen]) - y[seen]) ** 2)
        for weight, slope in zip(weights, tape.gradient(loss, weights)):
            weight.assign_sub(0.05 * slope)
    return weights


members = [train(member) for member in mine]
where = tf.constant([[0.2], [1.5]])
with tf.GradientTape() as tape:
    tape.watch(where)
    answers = tf.stack([network(weights, where)[:, 0] for weights in members])
    mean = hvd.all_reduce(answers, axis=0) / MEMBERS
    spread = tf.sqrt(hvd.all_reduce((answers - mean) ** 2, axis=0) / MEMBERS)
# All replicas ask for the slope of the same spread, so the sum over them has it as many times as there are replicas.
slope = hvd.all_reduce(tape.gradient(spread, where)) / hvd.size()
if hvd.rank() == 0:
    for at, answer, doubt, towards in zip(where.numpy()[:, 0], mean.numpy(), spread.numpy(), slope.numpy()[:, 0]):
        print(f"at {at:.1f}: {answer:.2f}, give or take {doubt:.2f}, which grows by {towards:.2f} a step to the right")
