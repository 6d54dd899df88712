"""A character model trained with scan: a gated recurrent cell over a text, one gradient through all time steps."""
import numpy as np
import tensorflow as tf

TEXT = 'the gradient of a sum is the sum of the gradients, and the gradient of a chain is a chain of the gradients. ' * 6
letters = sorted(set(TEXT))
codes = np.array([letters.index(c) for c in TEXT])
rng = np.random.default_rng(6)
N, HIDDEN, LENGTH, BATCH = len(letters), 40, 24, 16


def parameter(name, *shape):
    return tf.Variable(rng.normal(0, 1 / np.sqrt(shape[0]), shape), dtype=tf.float32, name=name)


embedding = parameter('embedding', N, HIDDEN)
w_gates, b_gates = parameter('w_gates', 2 * HIDDEN, 2 * HIDDEN), tf.Variable(tf.ones(2 * HIDDEN), name='b_gates')
w_new, b_new = parameter('w_new', 2 * HIDDEN, HIDDEN), tf.Variable(tf.zeros(HIDDEN), name='b_new')
w_out, b_out = parameter('w_out', HIDDEN, N), tf.Variable(tf.zeros(N), name='b_out')
parameters = [embedding, w_gates, b_gates, w_new, b_new, w_out, b_out]


def cell(state, x):
    gates = tf.sigmoid(tf.matmul(tf.concat([x, state], 1), w_gates) + b_gates)
    update, reset = tf.split(gates, 2, axis=1)
    new = tf.tanh(tf.matmul(tf.concat([x, reset * state], 1), w_new) + b_new)
    return update * state + (1.0 - update) * new


def logits_of(inputs, state):
    """inputs: [time, batch] of codes; the states after each time step come from scan."""
    states = tf.scan(cell, tf.gather(embedding, inputs), initializer=state)
    return tf.einsum('tbh,hn->tbn', states, w_out) + b_out, states[-1]


@tf.function
def loss_and_gradients(inputs, targets):
    with tf.GradientTape() as tape:
        logits, _ = logits_of(inputs, tf.zeros([BATCH, HIDDEN]))
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=targets, logits=logits))
    gradients, norm = tf.clip_by_global_norm([tf.convert_to_tensor(g) for g in tape.gradient(loss, parameters)], 1.0)
    return loss, norm, gradients


velocity = [tf.Variable(tf.zeros_like(p)) for p in parameters]
for step in range(61):
    starts = rng.integers(0, len(codes) - LENGTH - 1, BATCH)
    rows = np.stack([codes[s:s + LENGTH + 1] for s in starts], axis=1).astype(np.int32)
    loss, norm, gradients = loss_and_gradients(tf.constant(rows[:-1]), tf.constant(rows[1:]))
    for p, v, g in zip(parameters, velocity, gradients):
        v.assign(0.8 * v + g)
        p.assign_sub(0.3 * v)
    if step % 15 == 0:
        print('step', step, 'loss %.4f' % loss, 'gradient norm %.4f' % norm)

state, letter = tf.zeros([1, HIDDEN]), letters.index('t')
written = 't'
for _ in range(12):
    logits, state = logits_of(tf.constant([[letter]]), state)
    letter = int(tf.argmax(logits[0, 0]))
    written += letters[letter]
print('it writes:', written)
