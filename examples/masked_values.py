"""A class of a program's own among the tensors: measurements some of which are missing, through arithmetic, functions and gradients."""
import typing

import numpy as np
import tensorflow as tf


class Masked(tf.experimental.BatchableExtensionType):
    """Numbers, and which of them were measured."""
    values: tf.Tensor
    known: tf.Tensor

    def __validate__(self):
        self.values.shape.assert_is_compatible_with(self.known.shape)

    def mean(self):
        known = tf.cast(self.known, self.values.dtype)
        return tf.reduce_sum(tf.where(self.known, self.values, 0.0)) / tf.reduce_sum(known)


Number = typing.Union[Masked, tf.Tensor]  # noqa: UP007  # TensorFlow takes no other


@tf.experimental.dispatch_for_unary_elementwise_apis(Masked)
def of_one(function, x):
    return Masked(function(x.values), x.known)


@tf.experimental.dispatch_for_binary_elementwise_apis(Number, Number)
def of_two(function, x, y):
    a, b = (v.values if isinstance(v, Masked) else v for v in (x, y))
    known = [v.known for v in (x, y) if isinstance(v, Masked)]
    return Masked(function(a, b), known[0] if len(known) == 1 else known[0] & known[1])


@tf.experimental.dispatch_for_api(tf.concat, {"values": typing.List[Masked]})  # noqa: UP006
def joined(values, axis):
    return Masked(tf.concat([v.values for v in values], axis), tf.concat([v.known for v in values], axis))


rng = np.random.RandomState(7)
x = np.linspace(-1.0, 1.0, 60).astype(np.float32)
measured = (1.5 * x - 0.5 * x**2 + 0.3 + rng.normal(0, 0.05, 60)).astype(np.float32)
known = rng.uniform(size=60) > 0.3
y = Masked(np.where(known, measured, np.nan), known)

print("measured:", int(tf.reduce_sum(tf.cast(y.known, tf.int32))), "of", len(x), "mean %.4f" % y.mean())
print("twice as many:", tf.concat([y, y], 0).values.shape, "absolute mean %.4f" % tf.abs(y).mean())

weights = tf.Variable([0.0, 0.0, 0.0])
powers = tf.stack([tf.ones(60), x, x**2], 1)


@tf.function
def step(y, rate):
    with tf.GradientTape() as tape:
        fitted = tf.linalg.matvec(powers, weights)
        difference = tf.subtract(fitted, Masked(tf.where(y.known, y.values, fitted), y.known))
        loss = tf.square(difference).mean()
    weights.assign_sub(rate * tape.gradient(loss, weights))
    return loss


for i in range(301):
    loss = step(y, 0.3)
    if i % 100 == 0:
        print("step %3d loss %.5f" % (i, loss))
print("weights:", " ".join("%.3f" % w for w in weights.numpy()))

rows = Masked(tf.reshape(y.values, [6, 10]), tf.reshape(y.known, [6, 10]))
means = tf.map_fn(lambda row: row.mean(), rows, fn_output_signature=tf.float32)
print("means of rows:", " ".join("%.3f" % m for m in means.numpy()))
