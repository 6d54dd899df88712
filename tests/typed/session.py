"""A TensorFlow 1 program: placeholders, scopes, optimizers, summaries, a saver."""

import os
import tempfile
from typing import Any

import numpy as np

import pullback.compat.v1 as tf

tf.disable_v2_behavior()


def dense(x: tf.Tensor, units: int, name: str, activation: Any = None) -> tf.Tensor:
    with tf.variable_scope(name, reuse=tf.AUTO_REUSE):
        w = tf.get_variable("w", [x.shape[-1], units], initializer=tf.glorot_uniform_initializer(seed=1))
        b = tf.get_variable("b", [units], initializer=tf.zeros_initializer())
        out = tf.nn.xw_plus_b(x, w, b)
    return out if activation is None else activation(out)


graph = tf.Graph()
with graph.as_default():
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    y = tf.placeholder(tf.int64, shape=(None,), name="y")
    keep = tf.placeholder_with_default(1.0, shape=[])
    h = tf.nn.dropout(dense(x, 8, "h", tf.nn.relu), keep_prob=keep)
    logits = dense(h, 2, "out")
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits))
    step = tf.train.get_or_create_global_step()
    opt = tf.train.AdamOptimizer(0.01)
    gv = opt.compute_gradients(loss)
    clipped = [(tf.clip_by_norm(g, 1.0), v) for g, v in gv if g is not None]
    train_op = opt.apply_gradients(clipped, global_step=step)
    accuracy = tf.reduce_mean(tf.cast(tf.equal(tf.argmax(logits, 1), y), tf.float32))
    grads = tf.gradients(loss, tf.trainable_variables())
    saver = tf.train.Saver(max_to_keep=1)
    init = tf.global_variables_initializer()
    tf.summary.scalar("loss", loss)
    merged = tf.summary.merge_all()
    cond = tf.cond(loss > 1.0, lambda: loss * 2, lambda: loss)
    i, total = tf.while_loop(lambda i, t: i < 3, lambda i, t: (i + 1, t + tf.cast(i, tf.float32)), (tf.constant(0), tf.constant(0.0)))
    with tf.control_dependencies([train_op]):
        after = tf.identity(loss)
    hess = tf.hessians(loss, x)

rng = np.random.RandomState(0)
data = rng.normal(size=(32, 3)).astype(np.float32)
labels = (data.sum(1) > 0).astype(np.int64)
with tf.Session(graph=graph, config=tf.ConfigProto(allow_soft_placement=True)) as sess:
    sess.run(init)
    for _ in range(5):
        _, value, acc = sess.run([train_op, loss, accuracy], feed_dict={x: data, y: labels, keep: 0.9})
    print(loss.eval({x: data, y: labels}), accuracy.eval(feed_dict={x: data, y: labels}, session=sess))
    with tempfile.TemporaryDirectory() as folder:
        path = saver.save(sess, os.path.join(folder, "m"), global_step=step)
        saver.restore(sess, path)
    run = sess.make_callable(loss, [x, y])
    print(run(data, labels), sess.graph is graph)
    for var in tf.global_variables():
        print(var.name, var.op.name, var.shape.as_list())
    for op in graph.get_operations()[:3]:
        print(op.type, op.name, [t.name for t in op.inputs], op.outputs[0].shape)
    print(graph.get_tensor_by_name("x:0"), tf.get_default_graph(), tf.get_collection(tf.GraphKeys.TRAINABLE_VARIABLES))
