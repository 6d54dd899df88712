"""What was in `tf.contrib`, held against the same written out in TensorFlow's other functions: names of variables, values, gradients.

TensorFlow 2.21 has no `tf.contrib`: it is asked for the second function of each pair, Pullback for the first.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tests.golden.programs.kit import Answers

FACE = "v1"
IMAGE = (np.linspace(-1, 1.3, 2 * 5 * 4 * 3).reshape(2, 5, 4, 3) ** 3).astype(np.float32)
ROWS = (np.linspace(-1, 1, 12).reshape(3, 4) ** 3).astype(np.float32)


def _first(tf: Any, *shape: int) -> Any:
    return tf.constant_initializer(np.sin(np.arange(np.prod(shape), dtype=np.float32)).reshape(shape))


def _pair(tf: Any, given: Any, contrib: Callable[[Any], Any], plain: Callable[[Any], Any]) -> Callable[[], dict[str, Any]]:
    """Names of variables, results, updates and gradients of `contrib`, or of `plain` where there is no `tf.contrib`."""

    def answer() -> dict[str, Any]:
        with tf.Graph().as_default(), tf.Session() as session:
            x = tf.constant(given)
            with tf.variable_scope("v", initializer=tf.random_uniform_initializer(-1, 1, seed=3)):
                found = tf.nest.flatten((plain if "tensorflow" in tf.__name__ else contrib)(x))
            variables = tf.trainable_variables()
            float_x = [x] if x.dtype == tf.float32 else []
            gradients = tf.gradients([tf.sin(y) for y in found], [*float_x, *variables])
            session.run(tf.global_variables_initializer())
            before = session.run(found)
            session.run(tf.get_collection(tf.GraphKeys.UPDATE_OPS))
            losses = session.run(tf.get_collection(tf.GraphKeys.REGULARIZATION_LOSSES))
            return {
                "names": sorted(v.name for v in tf.global_variables()),
                "outputs": before,
                "gradients": dict(zip([v.op.name for v in [*float_x, *variables]], session.run(gradients))),
                "moved": [session.run(v) for v in sorted(set(tf.global_variables()) - set(variables), key=lambda v: v.name)],
                "losses": losses,
            }

    return answer


def layers(tf: Any) -> Answers:
    def made(name: str, *shape: int) -> Any:
        return tf.get_variable(name, shape, initializer=_first(tf, *shape))

    def dense(x: Any) -> Any:
        with tf.variable_scope("fully_connected"):
            return tf.nn.relu(tf.tensordot(x, made("weights", 3, 2), [[3], [0]]) + made("biases", 2))

    def conv(x: Any, **options: Any) -> Any:
        with tf.variable_scope("Conv"):
            y = tf.nn.convolution(x, made("weights", 3, 2, 3, 2), "SAME", **options)
            return tf.nn.relu(tf.nn.bias_add(y, made("biases", 2)))

    def transposed(x: Any) -> Any:
        with tf.variable_scope("Conv2d_transpose"):
            y = tf.nn.conv2d_transpose(x, made("weights", 3, 3, 2, 3), [2, 10, 8, 2], 2, "SAME")
            return tf.tanh(tf.nn.bias_add(y, made("biases", 2)))

    def separable(x: Any) -> Any:
        with tf.variable_scope("SeparableConv2d"):
            y = tf.nn.separable_conv2d(x, made("depthwise_weights", 3, 3, 3, 2), made("pointwise_weights", 1, 1, 6, 4), [1, 1, 1, 1], "VALID")
            return tf.nn.relu(tf.nn.bias_add(y, tf.get_variable("biases", [4], initializer=tf.zeros_initializer())))

    def regularized(x: Any) -> Any:
        with tf.variable_scope("out"):
            w = made("weights", 4, 2)
            tf.add_to_collection(tf.GraphKeys.REGULARIZATION_LOSSES, 0.25 * tf.reduce_sum(w * w))
            return tf.matmul(x, w) + tf.get_variable("biases", [2], initializer=tf.zeros_initializer())

    def embedded(ids: Any) -> Any:
        with tf.variable_scope("EmbedSequence"):
            return tf.gather(made("embeddings", 5, 3), ids)

    def first(*shape: int) -> dict[str, Any]:
        return {"weights_initializer": _first(tf, *shape), "biases_initializer": _first(tf, 2)}

    c = tf.contrib.layers if hasattr(tf, "contrib") else None
    return {
        "fully_connected": _pair(tf, IMAGE, lambda x: c.fully_connected(x, 2, **first(3, 2)), dense),
        "conv2d": _pair(tf, IMAGE, lambda x: c.conv2d(x, 2, [3, 2], **first(3, 2, 3, 2)), conv),
        "conv2d, stride": _pair(tf, IMAGE, lambda x: c.conv2d(x, 2, [3, 2], 2, **first(3, 2, 3, 2)), lambda x: conv(x, strides=2)),
        "conv2d, rate": _pair(tf, IMAGE, lambda x: c.conv2d(x, 2, [3, 2], rate=2, **first(3, 2, 3, 2)), lambda x: conv(x, dilation_rate=[2, 2])),
        "conv2d_transpose": _pair(tf, IMAGE, lambda x: c.conv2d_transpose(x, 2, 3, 2, activation_fn=tf.tanh, **first(3, 3, 2, 3)), transposed),
        "separable_conv2d": _pair(
            tf, IMAGE,
            lambda x: c.separable_conv2d(
                x, 4, 3, 2, padding="VALID", weights_initializer=_first(tf, 3, 3, 3, 2), pointwise_initializer=_first(tf, 1, 1, 6, 4)
            ),
            separable,
        ),
        "max_pool2d": _pair(tf, IMAGE, lambda x: c.max_pool2d(x, 2), lambda x: tf.nn.max_pool2d(x, 2, 2, "VALID")),
        "avg_pool2d": _pair(tf, IMAGE, lambda x: c.avg_pool2d(x, [3, 2], 1, "SAME"), lambda x: tf.nn.avg_pool2d(x, [3, 2], 1, "SAME")),
        "flatten": _pair(tf, IMAGE, lambda x: c.flatten(x), lambda x: tf.reshape(x, [2, 60])),
        "regularizer": _pair(
            tf, ROWS,
            lambda x: c.linear(x, 2, weights_initializer=_first(tf, 4, 2), weights_regularizer=c.l2_regularizer(0.5), scope="out"),
            regularized,
        ),
        "embed_sequence": _pair(
            tf, np.array([[1, 4], [0, 1]], np.int32), lambda ids: c.embed_sequence(ids, 5, 3, initializer=_first(tf, 5, 3)), embedded
        ),
        "unit_norm": _pair(
            tf, ROWS, lambda x: c.unit_norm(x, 1), lambda x: x / tf.sqrt(tf.reduce_sum(x * x, 1, keepdims=True) + 1e-7)
        ),
    }  # fmt: skip


def norms(tf: Any) -> Answers:
    def one(name: str, size: int, trainable: bool = False) -> Any:
        first = tf.zeros_initializer() if name in ("beta", "moving_mean") else tf.ones_initializer()
        return tf.get_variable(name, [size], initializer=first, trainable=trainable)

    def batch(x: Any, axes: list[int], factor: float, decay: float = 0.999, scale: bool = False, forced: bool = False) -> Any:
        size = x.shape.as_list()[-1]
        with tf.variable_scope("BatchNorm"):
            beta, gamma = one("beta", size, True), one("gamma", size, True) if scale else None
            mean, variance = tf.nn.moments(x, axes)
            moved = []
            for name, new in (("moving_mean", mean), ("moving_variance", variance * factor)):
                average = one(name, size)
                moved.append(average.assign_sub((average - new) * (1 - decay)))
            if not forced:
                for update in moved:
                    tf.add_to_collection(tf.GraphKeys.UPDATE_OPS, update)
            with tf.control_dependencies(moved if forced else []):
                return tf.nn.batch_normalization(x, tf.identity(mean), variance, beta, gamma, 1e-3)

    def still(x: Any) -> Any:
        with tf.variable_scope("BatchNorm"):
            found = [one(name, 4, name in ("beta", "gamma")) for name in ("moving_mean", "moving_variance", "beta", "gamma")]
            return tf.nn.batch_normalization(x, *found, 0.1)

    def layer(x: Any, axes: list[int], epsilon: float, name: str) -> Any:
        with tf.variable_scope(name):
            size = x.shape.as_list()[-1]
            return tf.nn.batch_normalization(x, *tf.nn.moments(x, axes, keepdims=True), one("beta", size, True), one("gamma", size, True), epsilon)

    c = tf.contrib.layers if hasattr(tf, "contrib") else None
    count = 2 * 5 * 4
    return {
        "batch_norm of rows": _pair(tf, ROWS, lambda x: c.batch_norm(x, 0.9), lambda x: batch(x, [0], 1.0, 0.9)),
        "batch_norm of images": _pair(
            tf, IMAGE, lambda x: c.batch_norm(x, 0.9, scale=True), lambda x: batch(x, [0, 1, 2], count / (count - 1), 0.9, True)
        ),
        "batch_norm, updates at once": _pair(
            tf, IMAGE, lambda x: c.batch_norm(x, 0.5, updates_collections=None), lambda x: batch(x, [0, 1, 2], 1.0, 0.5, forced=True)
        ),
        "batch_norm, not training": _pair(tf, ROWS, lambda x: c.batch_norm(x, scale=True, epsilon=0.1, is_training=False), still),
        "batch_norm, not training by a tensor": _pair(
            tf, ROWS, lambda x: c.batch_norm(x, scale=True, epsilon=0.1, is_training=tf.placeholder_with_default(False, [])), still
        ),
        "layer_norm": _pair(tf, ROWS, lambda x: c.layer_norm(x), lambda x: layer(x, [1], 1e-12, "LayerNorm")),
        "layer_norm of images": _pair(tf, IMAGE, lambda x: c.layer_norm(x), lambda x: layer(x, [1, 2, 3], 1e-12, "LayerNorm")),
        "instance_norm": _pair(tf, IMAGE, lambda x: c.instance_norm(x), lambda x: layer(x, [1, 2], 1e-6, "InstanceNorm")),
    }  # fmt: skip


def sequences(tf: Any) -> Answers:
    """legacy_seq2seq, with a cell of TensorFlow's own where there is one."""

    def gru(x: Any, h: Any, size: int) -> Any:
        with tf.variable_scope("gru_cell"):
            with tf.variable_scope("gates"):
                kernel = tf.get_variable("kernel", [x.shape[1] + size, 2 * size])
                bias = tf.get_variable("bias", [2 * size], initializer=tf.ones_initializer())
            r, u = tf.split(tf.sigmoid(tf.matmul(tf.concat([x, h], 1), kernel) + bias), 2, 1)
            with tf.variable_scope("candidate"):
                kernel = tf.get_variable("kernel", [x.shape[1] + size, size])
                bias = tf.get_variable("bias", [size], initializer=tf.zeros_initializer())
            return u * h + (1 - u) * tf.tanh(tf.matmul(tf.concat([x, r * h], 1), kernel) + bias)

    def run(steps: Any, h: Any, scope: str, size: int = 3) -> Any:
        with tf.variable_scope(scope):
            outputs = []
            for number, x in enumerate(steps):
                if number:
                    tf.get_variable_scope().reuse_variables()
                h = gru(x, h, size)
                outputs.append(h)
            return outputs, h

    def basic(x: Any) -> Any:
        with tf.variable_scope("basic_rnn_seq2seq"):
            _, h = run(tf.unstack(x, axis=1), tf.zeros([2, 3]), "rnn")
            return run(tf.unstack(x[:, ::-1], axis=1), h, "rnn_decoder")

    def linear(args: Any, size: int) -> Any:
        x = tf.concat(args, 1)
        kernel = tf.get_variable("kernel", [x.shape[1], size])
        return tf.matmul(x, kernel) + tf.get_variable("bias", [size], initializer=tf.zeros_initializer())

    def attention(x: Any) -> Any:
        states, h, outputs = tf.tanh(x[:, :, :2]), tf.zeros([2, 3]), []
        with tf.variable_scope("attention_decoder"):
            features = tf.tensordot(states, tf.reshape(tf.get_variable("AttnW_0", [1, 1, 2, 2]), [2, 2]), [[2], [0]])
            vector, seen = tf.get_variable("AttnV_0", [2]), tf.zeros([2, 2])
            for number, step in enumerate(tf.unstack(x, axis=1)):
                if number:
                    tf.get_variable_scope().reuse_variables()
                h = gru(linear([step, seen], 4), h, 3)
                with tf.variable_scope("Attention_0"):
                    y = linear([h], 2)
                weights = tf.nn.softmax(tf.reduce_sum(vector * tf.tanh(features + y[:, None]), 2))
                seen = tf.reduce_sum(weights[:, :, None] * states, 1)
                with tf.variable_scope("AttnOutputProjection"):
                    outputs.append(linear([h, seen], 3))
            return outputs, h

    def embedding(ids: Any, feed: bool) -> Any:
        with tf.variable_scope("embedding_rnn_seq2seq"):
            with tf.variable_scope("rnn/embedding_wrapper"):
                table = tf.get_variable("embedding", [6, 2])
            h = tf.zeros([2, 3])
            with tf.variable_scope("rnn"), tf.variable_scope("embedding_wrapper") as inner:
                for number, step in enumerate(tf.unstack(ids, axis=1)):
                    if number:
                        inner.reuse_variables()
                    h = gru(tf.gather(table, step), h, 3)
            logits = []
            with tf.variable_scope("embedding_rnn_decoder"):
                table = tf.get_variable("embedding", [5, 2])
                with tf.variable_scope("rnn_decoder"):
                    for number, step in enumerate(tf.unstack(ids, axis=1)):
                        if number:
                            tf.get_variable_scope().reuse_variables()
                        read = tf.argmax(logits[-1], 1) if feed and number else step
                        with tf.variable_scope("output_projection_wrapper"):
                            h = gru(tf.gather(table, read), h, 3)
                            logits.append(linear([h], 5))
            return logits, h

    def loss(x: Any) -> Any:
        logits, targets = tf.unstack(x, axis=1), [tf.constant([0, 3]), tf.constant([2, 1]), tf.constant([1, 1])]
        weights = [tf.constant([1.0, 0.5]), tf.constant([1.0, 0.0]), tf.constant([0.5, 0.0])]
        if hasattr(tf, "contrib"):
            c = tf.contrib.legacy_seq2seq
            return c.sequence_loss(logits, targets, weights), c.sequence_loss_by_example(logits, targets, weights, False)
        each = sum(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=t, logits=z) * w for z, t, w in zip(logits, targets, weights))
        return tf.reduce_sum(each / sum(weights)) / 2, each

    x, ids = (np.linspace(-1, 1, 24).reshape(2, 3, 4) ** 3).astype(np.float32), np.array([[1, 4, 2], [0, 3, 3]], np.int32)
    c = tf.contrib.legacy_seq2seq if hasattr(tf, "contrib") else None

    def cell() -> Any:
        return tf.contrib.rnn.GRUCell(3)

    return {
        "basic_rnn_seq2seq": _pair(
            tf, x, lambda x: c.basic_rnn_seq2seq(tf.unstack(x, axis=1), tf.unstack(x[:, ::-1], axis=1), cell()), basic
        ),
        "attention_decoder": _pair(
            tf, x, lambda x: c.attention_decoder(tf.unstack(x, axis=1), tf.zeros([2, 3]), tf.tanh(x[:, :, :2]), cell()), attention
        ),
        **{
            f"embedding_rnn_seq2seq, {feed}": _pair(
                tf, ids,
                lambda ids, feed=feed: c.embedding_rnn_seq2seq(
                    tf.unstack(ids, axis=1), tf.unstack(ids, axis=1), cell(), 6, 5, 2, feed_previous=feed
                ),
                lambda ids, feed=feed: embedding(ids, feed),
            )
            for feed in (False, True)
        },
        "losses": _pair(tf, x, loss, loss),
    }  # fmt: skip


def lstm_with_norms(tf: Any) -> Answers:
    def plain(x: Any) -> Any:
        c = h = tf.zeros([3, 2])
        with tf.variable_scope("rnn/layer_norm_basic_lstm_cell", reuse=tf.AUTO_REUSE):
            kernel = tf.get_variable("kernel", [4, 8])

            def norm(y: Any, name: str) -> Any:
                with tf.variable_scope(name):
                    gamma = tf.get_variable("gamma", [2], initializer=tf.constant_initializer(0.7))
                    beta = tf.get_variable("beta", [2], initializer=tf.constant_initializer(0.1))
                return tf.nn.batch_normalization(y, *tf.nn.moments(y, [1], keepdims=True), beta, gamma, 1e-12)

            for step in (x[:, :2], x[:, 2:]):
                parts = tf.split(tf.matmul(tf.concat([step, h], 1), kernel), 4, 1)
                i, j, f, o = (norm(p, name) for p, name in zip(parts, ("input", "transform", "forget", "output")))
                c = norm(c * tf.sigmoid(f + 1.0) + tf.sigmoid(i) * tf.tanh(j), "state")
                h = tf.tanh(c) * tf.sigmoid(o)
        return h, c

    def contrib(x: Any) -> Any:
        cell = tf.contrib.rnn.LayerNormBasicLSTMCell(2, norm_gain=0.7, norm_shift=0.1)
        _, state = tf.contrib.rnn.static_rnn(cell, [x[:, :2], x[:, 2:]], dtype=tf.float32)
        return state.h, state.c

    return {"LayerNormBasicLSTMCell": _pair(tf, np.cos(np.arange(12, dtype=np.float32)).reshape(3, 4), contrib, plain)}
