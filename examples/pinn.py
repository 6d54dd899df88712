"""A physics-informed network: u'' = -pi^2 sin(pi x) on [0, 1.5] with u known at both ends.

The second derivative is a tape within a tape, and training differentiates that once more; float64, because a loss with
second derivatives shows the rounding of float32 after a few steps.
"""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(1)
WIDTH = 16


def layer(n_in, n_out):
    w = rng.standard_normal((n_in, n_out)) / np.sqrt(n_in)
    return tf.Variable(w, dtype=tf.float64), tf.Variable(tf.zeros([n_out], tf.float64))


layers = [layer(1, WIDTH), layer(WIDTH, WIDTH), layer(WIDTH, 1)]
variables = [v for pair in layers for v in pair]


def network(x):
    h = x
    for w, b in layers[:-1]:
        h = tf.tanh(tf.matmul(h, w) + b)
    w, b = layers[-1]
    return tf.matmul(h, w) + b


def residual(x):
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            u = network(x)
        u_x = inner.gradient(u, x)
    u_xx = outer.gradient(u_x, x)
    return u_xx + np.pi ** 2 * tf.sin(np.pi * x)


def loss_terms(x, ends, values):
    return tf.reduce_mean(residual(x) ** 2), tf.reduce_mean((network(ends) - values) ** 2)


x = tf.constant(np.linspace(0, 1.5, 41)[:, None], dtype=tf.float64)
ends = tf.constant([[0.0], [1.5]], dtype=tf.float64)
values = tf.sin(np.pi * ends)
optimizer = tf.keras.optimizers.Adam(learning_rate=0.01)

for step in range(201):
    with tf.GradientTape() as tape:
        physics, boundary = loss_terms(x, ends, values)
        loss = physics + 10.0 * boundary
    gradients = tape.gradient(loss, variables)
    optimizer.apply_gradients(zip(gradients, variables))
    if step % 40 == 0:
        print(f'step {step}: physics {float(physics):.4f} boundary {float(boundary):.6f}')

exact = np.sin(np.pi * x.numpy())
print('largest error: %.4f' % np.abs(network(x).numpy() - exact).max())
