"""A GAN with two tapes, after the guide."""

from collections.abc import Sequence

import numpy as np

import pullback as tf


class Dense(tf.Module):
    def __init__(self, inputs: int, outputs: int, name: str | None = None) -> None:
        super().__init__(name=name)
        self.w = tf.Variable(tf.random.normal([inputs, outputs], stddev=0.1), name="w")
        self.b = tf.Variable(tf.zeros([outputs]), name="b")

    @tf.Module.with_name_scope
    def __call__(self, x: tf.Tensor, *, relu: bool = False) -> tf.Tensor:
        y = x @ self.w + self.b
        return tf.nn.leaky_relu(y) if relu else y


class Net(tf.Module):
    def __init__(self, sizes: Sequence[int]) -> None:
        super().__init__()
        self.layers = [Dense(a, b) for a, b in zip(sizes, sizes[1:])]

    def __call__(self, x: tf.Tensor) -> tf.Tensor:
        for layer in self.layers[:-1]:
            x = layer(x, relu=True)
        return self.layers[-1](x)


class Adam:
    def __init__(self, variables: Sequence[tf.Variable], rate: float = 1e-3) -> None:
        self.m = [tf.Variable(tf.zeros_like(v)) for v in variables]
        self.v = [tf.Variable(tf.zeros_like(v)) for v in variables]
        self.step = tf.Variable(0, dtype=tf.int64)
        self.rate = rate

    def apply(self, pairs: Sequence[tuple[tf.Tensor, tf.Variable]]) -> None:
        self.step.assign_add(1)
        t = tf.cast(self.step, tf.float32)
        for (g, x), m, v in zip(pairs, self.m, self.v):
            m.assign(0.9 * m + 0.1 * g)
            v.assign(0.999 * v + 0.001 * tf.square(g))
            x.assign_sub(self.rate * (m / (1 - 0.9**t)) / (tf.sqrt(v / (1 - 0.999**t)) + 1e-7))


cross = tf.nn.sigmoid_cross_entropy_with_logits


def discriminator_loss(real: tf.Tensor, fake: tf.Tensor) -> tf.Tensor:
    r = tf.reduce_mean(cross(labels=tf.ones_like(real), logits=real))
    f = tf.reduce_mean(cross(labels=tf.zeros_like(fake), logits=fake))
    return r + f


def generator_loss(fake: tf.Tensor) -> tf.Tensor:
    return tf.reduce_mean(cross(tf.ones_like(fake), fake))


generator, discriminator = Net([4, 8, 2]), Net([2, 8, 1])
g_opt, d_opt = Adam(generator.trainable_variables), Adam(discriminator.trainable_variables)


@tf.function
def train_step(images: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
    noise = tf.random.normal([tf.shape(images)[0], 4])
    with tf.GradientTape() as gen_tape, tf.GradientTape() as disc_tape:
        fake = generator(noise)
        gl = generator_loss(discriminator(fake))
        dl = discriminator_loss(discriminator(images), discriminator(fake))
    gg = gen_tape.gradient(gl, generator.trainable_variables)
    dg = disc_tape.gradient(dl, discriminator.trainable_variables)
    g_opt.apply(list(zip(gg, generator.trainable_variables)))
    d_opt.apply([(g, v) for g, v in zip(dg, discriminator.trainable_variables)])
    return gl, dl


data = np.random.default_rng(0).normal(size=(64, 2)).astype("float32")
dataset = tf.data.Dataset.from_tensor_slices(data).shuffle(64).batch(16)
for epoch in range(2):
    for batch in dataset:
        losses = train_step(batch)
        print(epoch, [round(float(loss), 1) for loss in losses])
for v in generator.variables:
    print(v.name, v.shape, v.dtype.name)
