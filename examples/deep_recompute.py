"""A deep residual network with recompute_grad: the same gradients, and a fraction of the memory between forward and backward."""
import sys
import tracemalloc

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(8)
DEPTH, WIDTH, ROWS = 16, 64, 256
blocks = [
    [
        tf.Variable(rng.normal(0, 1.0 / np.sqrt(WIDTH), (WIDTH, WIDTH)), dtype=tf.float32),
        tf.Variable(rng.normal(0, 0.5 / np.sqrt(WIDTH), (WIDTH, WIDTH)), dtype=tf.float32),
    ]
    for _ in range(DEPTH)
]
weights = [w for block in blocks for w in block]
x = tf.constant(rng.normal(0, 1, (ROWS, WIDTH)), tf.float32)
target = tf.constant(rng.normal(0, 1, (ROWS, WIDTH)), tf.float32)


def layer(block):
    def apply(h):
        inner = tf.nn.softplus(tf.matmul(h, block[0]))
        inner = tf.tanh(inner) * tf.sigmoid(inner)
        return h + tf.matmul(tf.sin(inner), block[1])
    return apply


def loss_of(wrap):
    h = x
    for block in blocks:
        h = wrap(layer(block))(h)
    return tf.reduce_mean((h - target) ** 2)


def gradients(wrap):
    """Loss, gradients, and the bytes that wait between forward and backward (None where memory cannot be seen)."""
    tracemalloc.start()
    with tf.GradientTape() as tape:
        loss = loss_of(wrap)
    held = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    return loss, tape.gradient(loss, weights), held


loss_a, plain, held_a = gradients(lambda f: f)
loss_b, again, held_b = gradients(tf.recompute_grad)
print('loss %.6f, with recompute_grad %.6f' % (loss_a, loss_b))
print('gradient norms', ['%.5f' % tf.norm(g) for g in again[:4]])
print('the same gradients:', all(np.allclose(a, b, rtol=1e-4, atol=1e-6) for a, b in zip(plain, again)))
# tracemalloc sees NumPy's memory, which is where Pullback keeps its tensors; TensorFlow's own allocator is out of its sight
size = x.numpy().nbytes
print('held for the backward pass: %.1f tensors, with recompute_grad %.1f' % (held_a / size, held_b / size), file=sys.stderr)

optimizer = tf.keras.optimizers.Adam(learning_rate=0.003)
for step in range(21):
    with tf.GradientTape() as tape:
        loss = loss_of(tf.recompute_grad)
    optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))
    if step % 5 == 0:
        print('step', step, 'loss %.5f' % loss)
