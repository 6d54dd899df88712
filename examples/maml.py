"""MAML: initial weights that one gradient step turns into a good fit; the outer gradient goes through that step."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(2)
INNER, HIDDEN = 0.05, 24

weights = [
    tf.Variable(rng.standard_normal((1, HIDDEN)), dtype=tf.float32, name='w1'),
    tf.Variable(tf.zeros(HIDDEN), name='b1'),
    tf.Variable(rng.standard_normal((HIDDEN, HIDDEN)) / np.sqrt(HIDDEN), dtype=tf.float32, name='w2'),
    tf.Variable(tf.zeros(HIDDEN), name='b2'),
    tf.Variable(rng.standard_normal((HIDDEN, 1)) / np.sqrt(HIDDEN), dtype=tf.float32, name='w3'),
    tf.Variable(tf.zeros(1), name='b3'),
]


def forward(x, w):
    h = tf.nn.relu(x @ w[0] + w[1])
    h = tf.nn.relu(h @ w[2] + w[3])
    return h @ w[4] + w[5]


def mse(x, y, w):
    return tf.reduce_mean(tf.math.squared_difference(forward(x, w), y))


def task(n=10):
    amplitude, phase = rng.uniform(0.5, 2.0), rng.uniform(0, np.pi)
    x = rng.uniform(-3, 3, (2 * n, 1)).astype(np.float32)
    y = (amplitude * np.sin(x + phase)).astype(np.float32)
    return (x[:n], y[:n]), (x[n:], y[n:])


def adapted(x, y):
    with tf.GradientTape() as inner:
        inner.watch(weights)
        loss = mse(x, y, weights)
    grads = inner.gradient(loss, weights)
    return [w - INNER * g for w, g in zip(weights, grads)]


optimizer = tf.keras.optimizers.SGD(learning_rate=0.02, momentum=0.9)
for iteration in range(41):
    tasks = [task() for _ in range(4)]
    with tf.GradientTape() as outer:
        losses = []
        for (x_train, y_train), (x_test, y_test) in tasks:
            fast = adapted(x_train, y_train)
            losses.append(mse(x_test, y_test, fast))
        meta_loss = tf.add_n(losses) / len(losses)
    meta_gradients = outer.gradient(meta_loss, weights)
    optimizer.apply_gradients(zip(meta_gradients, weights))
    if iteration % 10 == 0:
        norm = tf.linalg.global_norm(meta_gradients)
        print('iteration', iteration, 'meta loss %.5f' % meta_loss.numpy(), 'gradient norm %.5f' % norm.numpy())

# what the second-order part of the meta-gradient is worth: the same gradient with the step treated as a constant
(x_train, y_train), (x_test, y_test) = task()
with tf.GradientTape(persistent=True) as outer:
    with tf.GradientTape() as inner:
        loss = mse(x_train, y_train, weights)
    steps = inner.gradient(loss, weights)
    full = mse(x_test, y_test, [w - INNER * g for w, g in zip(weights, steps)])
    first = mse(x_test, y_test, [w - INNER * tf.stop_gradient(g) for w, g in zip(weights, steps)])
for name, target in (('full', full), ('first order', first)):
    print(name, [round(float(tf.norm(g)), 4) for g in outer.gradient(target, weights)])
