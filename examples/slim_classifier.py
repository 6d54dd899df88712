"""Slim's style of TensorFlow 1: arg_scope, repeated layers, batch norm, regularizers, end points, and a training step of slim.learning.

TensorFlow 2.21 has no tf.contrib: there the same layers are written out below.
"""
import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
rng = np.random.RandomState(6)
labels = rng.randint(0, 3, 120)
y, x = np.mgrid[0:8, 0:8]
waves = np.stack([np.sin(x), np.sin(y), np.sin(x + y)])
images = (waves[labels] + 0.6 * rng.randn(120, 8, 8)).astype("float32")[..., None]
starts = {shape: rng.normal(0, 0.3, shape).astype("float32") for shape in [(3, 3, 1, 6), (3, 3, 6, 6), (96, 3)]}


def start(shape, dtype=None, partition_info=None):
    return tf.constant(starts[tuple(shape)])


def with_slim(x):
    slim = tf.contrib.slim
    with slim.arg_scope([slim.conv2d, slim.fully_connected], weights_initializer=start, weights_regularizer=slim.l2_regularizer(1e-3)), \
            slim.arg_scope([slim.conv2d], normalizer_fn=slim.batch_norm, normalizer_params={"decay": 0.5}):
        net = slim.conv2d(x, 6, 3, scope="conv1")
        net = slim.conv2d(net, 6, [3, 3], scope="conv2")
        net = slim.flatten(slim.max_pool2d(net, 2, scope="pool"))
        logits = slim.fully_connected(net, 3, activation_fn=None, scope="logits")
    loss = slim.losses.sparse_softmax_cross_entropy(logits, labels)
    return logits, loss, slim.learning.create_train_op(slim.losses.get_total_loss(), tf.train.MomentumOptimizer(0.05, 0.9))


def written_out(x):
    def convolve(h, name, size):
        with tf.variable_scope(name):
            kernel = tf.get_variable("weights", [3, 3, size, 6], initializer=start)
            tf.add_to_collection(tf.GraphKeys.REGULARIZATION_LOSSES, 1e-3 * tf.nn.l2_loss(kernel))
            h = tf.nn.conv2d(h, kernel, padding="SAME")
            with tf.variable_scope("BatchNorm"):
                beta = tf.get_variable("beta", [6], initializer=tf.zeros_initializer())
                mean, variance = tf.nn.moments(h, [0, 1, 2])
                count = 120.0 * 64
                for kind, first, new in (("moving_mean", 0.0, mean), ("moving_variance", 1.0, variance * count / (count - 1))):
                    average = tf.get_variable(kind, [6], initializer=tf.constant_initializer(first), trainable=False)
                    tf.add_to_collection(tf.GraphKeys.UPDATE_OPS, average.assign_sub((average - new) * 0.5))
                return tf.nn.relu(tf.nn.batch_normalization(h, mean, variance, beta, None, 1e-3))

    net = tf.nn.max_pool2d(convolve(convolve(x, "conv1", 1), "conv2", 6), 2, 2, "VALID")
    with tf.variable_scope("logits"):
        weights = tf.get_variable("weights", [96, 3], initializer=start)
        tf.add_to_collection(tf.GraphKeys.REGULARIZATION_LOSSES, 1e-3 * tf.nn.l2_loss(weights))
        logits = tf.reshape(net, [120, 96]) @ weights + tf.get_variable("biases", [3], initializer=tf.zeros_initializer())
    loss = tf.losses.sparse_softmax_cross_entropy(labels, logits)
    with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):
        total = tf.identity(tf.losses.get_total_loss())
    step = tf.train.MomentumOptimizer(0.05, 0.9).minimize(total, tf.train.get_or_create_global_step())
    with tf.control_dependencies([step]):
        return logits, loss, tf.identity(total)


build = with_slim if hasattr(tf, "contrib") else written_out
logits, loss, train = build(tf.constant(images))
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for number in range(10):
        total = session.run(train)
        if number % 3 == 0:
            print("step %d: %.3f" % (number, total))
    found, last = session.run([logits, loss])
    print("loss %.3f, right %.2f, steps %d" % (last, np.mean(found.argmax(1) == labels), session.run(tf.train.get_global_step())))
    for variable in tf.global_variables():
        if "moving" in variable.name:
            print(variable.name, np.round(np.sum(session.run(variable)), 2))
