"""Two classes told apart by a small network, with an optimizer of Pullback's own."""

from typing import NamedTuple

import pullback as tf


class Batch(NamedTuple):
    """Points [n, 2] and their classes [n]."""

    features: tf.Tensor
    labels: tf.Tensor


class Network:
    """A hidden layer and a linear one."""

    def __init__(self, hidden: int) -> None:
        self.w1 = tf.Variable(tf.random.stateless_normal([2, hidden], seed=[0, 1]) * 0.5)
        self.b1 = tf.Variable(tf.zeros([hidden]))
        self.w2 = tf.Variable(tf.random.stateless_normal([hidden, 2], seed=[0, 2]) * 0.5)
        self.b2 = tf.Variable(tf.zeros([2]))

    @property
    def variables(self) -> list[tf.Variable]:
        return [self.w1, self.b1, self.w2, self.b2]

    @tf.function
    def logits(self, features: tf.Tensor) -> tf.Tensor:
        hidden = tf.nn.relu(tf.matmul(features, self.w1) + self.b1)
        return tf.nn.bias_add(hidden @ self.w2, self.b2)


def spiral(count: int) -> Batch:
    angle = tf.linspace(0.0, 6.0, count)
    arm = tf.stack([angle * tf.cos(angle), angle * tf.sin(angle)], axis=1)
    features = tf.concat([arm, -arm], axis=0) / 6.0
    labels = tf.concat([tf.zeros([count], tf.int32), tf.ones([count], tf.int32)], 0)
    return Batch(features, labels)


def loss_of(network: Network, batch: Batch) -> tf.Tensor:
    losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=batch.labels, logits=network.logits(batch.features))
    return tf.reduce_mean(losses)


def train(steps: int = 150) -> float:
    network, batch = Network(16), spiral(50)
    momenta = [tf.Variable(tf.zeros_like(v)) for v in network.variables]
    for _ in range(steps):
        with tf.GradientTape() as tape:
            loss = loss_of(network, batch)
        gradients, _ = tf.clip_by_global_norm(tape.gradient(loss, network.variables), 1.0)
        for variable, momentum, gradient in zip(network.variables, momenta, gradients):
            momentum.assign(0.9 * momentum + gradient)
            variable.assign_sub(0.1 * momentum)
    guesses = tf.argmax(network.logits(batch.features), axis=1, output_type=tf.int32)
    hits: tf.Tensor = tf.equal(guesses, batch.labels)
    return float(tf.reduce_mean(tf.cast(hits, tf.float32)))


if __name__ == "__main__":
    print(train())
