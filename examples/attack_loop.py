"""An iterated gradient-sign attack in TensorFlow 1: tf.gradients is called inside the body of a while_loop."""
import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()

CLASSES, FEATURES, EPSILON, STEP, ITERATIONS = 4, 12, 0.6, 0.08, 15
rng = np.random.RandomState(5)
centres = rng.normal(0, 1, (CLASSES, FEATURES))
labels_np = rng.randint(0, CLASSES, 200)
points = (centres[labels_np] + rng.normal(0, 0.7, (200, FEATURES))).astype(np.float32)

w1 = tf.Variable(rng.normal(0, 0.4, (FEATURES, 24)), dtype=tf.float32, use_resource=True)
w2 = tf.Variable(rng.normal(0, 0.4, (24, CLASSES)), dtype=tf.float32, use_resource=True)


def model(x):
    return tf.matmul(tf.tanh(tf.matmul(x, w1)), w2)


def loss_of(x, labels):
    return tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=model(x))


def attack(x, labels):
    """Climb the loss within a box around x, as long as some prediction is still right."""
    def body(i, adversarial):
        loss = tf.reduce_sum(loss_of(adversarial, labels))
        gradient, = tf.gradients(loss, adversarial)
        moved = tf.stop_gradient(adversarial + STEP * tf.sign(gradient))
        return i + 1, tf.clip_by_value(moved, x - EPSILON, x + EPSILON)

    def going_on(i, adversarial):
        right = tf.equal(tf.argmax(model(adversarial), 1), tf.cast(labels, tf.int64))
        return tf.logical_and(i < ITERATIONS, tf.reduce_any(right))

    return tf.while_loop(going_on, body, [tf.constant(0), x], back_prop=False)


x = tf.placeholder(tf.float32, [None, FEATURES])
labels = tf.placeholder(tf.int32, [None])
loss = tf.reduce_mean(loss_of(x, labels))
accuracy = tf.reduce_mean(tf.cast(tf.equal(tf.argmax(model(x), 1), tf.cast(labels, tf.int64)), tf.float32))
iterations, adversarial = attack(x, labels)
hardened_loss = 0.5 * (loss + tf.reduce_mean(loss_of(adversarial, labels)))
plain_step = tf.train.GradientDescentOptimizer(0.5).minimize(loss)
hard_step = tf.train.GradientDescentOptimizer(0.5).minimize(hardened_loss)

with tf.Session() as sess:
    feed = {x: points, labels: labels_np}
    for name, step in (('plain', plain_step), ('hardened', hard_step)):
        sess.run(tf.global_variables_initializer() if name == 'plain' else tf.no_op())
        for _ in range(60):
            sess.run(step, feed)
        used, found, clean = sess.run([iterations, adversarial, accuracy], feed)
        attacked = sess.run(accuracy, {x: found, labels: labels_np})
        print(name, 'accuracy %.3f, attacked %.3f' % (clean, attacked), 'in', used, 'iterations, loss %.4f' % sess.run(loss, feed))
        print('  moved at most %.3f, on average %.3f' % (np.abs(found - points).max(), np.abs(found - points).mean()))
