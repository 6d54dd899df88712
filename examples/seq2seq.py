"""TensorFlow 1's sequence to sequence: an encoder reads a word in a while_loop, a decoder writes it backwards."""
import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
rng = np.random.RandomState(2)
SYMBOLS, LENGTH, SIZE, START = 6, 4, 24, 0
words = rng.randint(1, SYMBOLS, (64, LENGTH))


def value(name, *shape):
    return tf.get_variable(name, shape, initializer=tf.constant_initializer(rng.normal(0, 0.4, shape)))


def step(scope, x, h):
    with tf.variable_scope(scope, reuse=tf.AUTO_REUSE):
        gates = tf.sigmoid(tf.concat([x, h], 1) @ value("gates", 8 + SIZE, 2 * SIZE))
        reset, keep = tf.split(gates, 2, 1)
        return keep * h + (1 - keep) * tf.tanh(tf.concat([x, reset * h], 1) @ value("candidate", 8 + SIZE, SIZE))


reads, writes = tf.placeholder(tf.int32, [None, LENGTH]), tf.placeholder(tf.int32, [None, LENGTH])
table, out = value("table", SYMBOLS, 8), value("out", SIZE, SYMBOLS)
count = tf.shape(reads)[0]
seen = tf.transpose(tf.nn.embedding_lookup(table, reads), [1, 0, 2])
step("encoder", seen[0], tf.zeros([count, SIZE]))  # makes the variables outside the loop
encoded = tf.while_loop(lambda i, h: i < LENGTH, lambda i, h: (i + 1, step("encoder", seen[i], h)), (0, tf.zeros([count, SIZE])))[1]

h, previous, logits = encoded, tf.fill([count], START), []
for number in range(LENGTH):
    h = step("decoder", tf.gather(table, previous), h)
    logits.append(h @ out)
    previous = writes[:, number]
losses = [tf.nn.sparse_softmax_cross_entropy_with_logits(labels=writes[:, i], logits=z) for i, z in enumerate(logits)]
loss = tf.reduce_mean(tf.stack(losses))
variables = tf.trainable_variables()
gradients, norm = tf.clip_by_global_norm(tf.gradients(loss, variables), 1.0)
train = tf.train.AdamOptimizer(0.02).apply_gradients(zip(gradients, variables))

h, previous, written = encoded, tf.fill([count], START), []
for _ in range(LENGTH):
    h = step("decoder", tf.gather(table, previous), h)
    previous = tf.argmax(h @ out, 1, output_type=tf.int32)
    written.append(previous)
written = tf.stack(written, 1)

with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    feed = {reads: words, writes: words[:, ::-1]}
    for number in range(120):
        found, size, _ = session.run([loss, norm, train], feed)
        if number % 20 == 0:
            print("step %d: loss %.3f, norm %.3f" % (number, found, size))
    answers = session.run(written, feed)
    print("right symbols: %.2f" % np.mean(answers == words[:, ::-1]))
    print(len(variables), "variables")
