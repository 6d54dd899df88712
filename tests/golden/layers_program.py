"""A network of every layer of `tf.layers`, which tests/golden/make_layers.py records: `layers_program.py true|false|fed`.

The argument says what `training` of batch normalisation is: a bool, or a placeholder.
"""

import sys

import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
rng = np.random.RandomState(0)


def values(*shape):
    return tf.constant_initializer(rng.normal(0, 0.3, shape))


x = tf.placeholder(tf.float32, [None, 8, 8, 3])
fed = tf.placeholder(tf.bool, [])
training = {"true": True, "false": False, "fed": fed}[sys.argv[1]]

h = tf.layers.conv2d(x, 4, 3, activation=tf.nn.relu, kernel_initializer=values(3, 3, 3, 4))
h = tf.layers.conv2d(h, 4, (2, 3), strides=(2, 1), padding="same", use_bias=False, kernel_initializer=values(2, 3, 4, 4))
kernel = values(2, 2, 4, 4)
h = tf.layers.conv2d(
    h, 4, 2, dilation_rate=2, padding="same", kernel_initializer=kernel, kernel_regularizer=lambda w: 0.1 * tf.reduce_sum(w * w)
)
h = tf.layers.conv2d_transpose(h, 3, 3, strides=2, padding="same", kernel_initializer=values(3, 3, 3, 4))
h = tf.layers.conv2d_transpose(h, 4, (3, 2), strides=(1, 3), use_bias=False, activation=tf.tanh, kernel_initializer=values(3, 2, 4, 3))
h = tf.layers.max_pooling2d(h, 2, 1)
h = tf.layers.average_pooling2d(h, 2, 1, padding="same")
h = tf.layers.batch_normalization(h, training=training)
h = tf.layers.flatten(h)
h = tf.layers.dense(h, 5, activation=tf.tanh, kernel_initializer=values(h.shape[1].value, 5))
h = tf.layers.batch_normalization(h, training=True, momentum=0.5)
h = tf.layers.dropout(h, 0.5, training=False)
y = tf.layers.dense(h, 2, name="out", kernel_initializer=values(5, 2))
with tf.variable_scope("s"):
    y = tf.layers.dense(y, 2, kernel_initializer=values(2, 2))
    y = tf.layers.dense(y, 2, name="q", kernel_initializer=values(2, 2))
with tf.variable_scope("s", reuse=True):
    y = tf.layers.dense(y, 2, name="q")
z = tf.layers.dense(tf.reshape(y, [-1, 1, 2]), 3, kernel_initializer=values(2, 3))

penalties = tf.get_collection(tf.GraphKeys.REGULARIZATION_LOSSES)
updates = tf.get_collection(tf.GraphKeys.UPDATE_OPS)
loss = tf.reduce_sum(z**2) + tf.add_n(penalties)
gradients = tf.gradients(loss, tf.trainable_variables())

print(z.shape, z.name, [p.name for p in penalties], [u.name for u in updates])
for v in tf.global_variables():
    print(v.name, v.shape, v in tf.trainable_variables())
layers = ("conv2d", "dense", "out", "max_pooling", "average_pooling")
made = [op.name for op in tf.get_default_graph().get_operations() if op.name.startswith(layers) and "nitializer" not in op.name]
print([name for name in made if name.count("/") == 1 and "Tensordot" not in name and "strided_slice" not in name])
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    feed = {x: rng.normal(size=(3, 8, 8, 3)), fed: True}
    value, found = sess.run([loss, gradients], feed)
    sess.run(updates, feed)
    print("loss %.5f" % value, ["%.4f" % np.linalg.norm(g) for g in found])
    for v in tf.global_variables():
        if "moving" in v.name:
            print(v.name, np.round(np.abs(sess.run(v)), 5))
    print("later, not training: %.5f" % sess.run(loss, {**feed, fed: False}))
